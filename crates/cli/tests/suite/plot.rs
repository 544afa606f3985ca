//! `carom plot`.

use crate::kit::{DROP, Folder};

#[test]
fn quantities_are_drawn_and_listed() {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "--out", "out", "--no-report"]).exits(0);
    let drawn = folder.carom(&["plot", "out", "ball.z", "ball.vz"]).exits(0);
    assert!(drawn.out.contains("ball.z (m)") && drawn.out.contains("ball.vz (m/s)"), "{}", drawn.out);
    assert!(!drawn.out.contains('\x1b'));
    folder.carom(&["plot", "out", "ball.z", "-o", "z.svg"]).exits(0);
    assert!(folder.read("z.svg").starts_with("<svg"));
    let csv = folder.carom(&["plot", "out", "ball.z", "ball.vz_m_s", "--csv"]).exits(0);
    assert_eq!(csv.out.lines().next(), Some("time_s,ball.z_m,ball.vz_m_s"));
    assert_eq!(csv.out.lines().nth(1), Some("0.0,1.1,0.0"));
    assert_eq!(csv.out.lines().count(), 102);
    let unknown = folder.carom(&["plot", "out", "bal.z"]).exits(2);
    assert!(unknown.err.contains("did you mean \"ball.z\"?"), "{}", unknown.err);
    let none = folder.carom(&["plot", "out"]).exits(2);
    assert!(none.err.contains("ball.angular_speed"), "{}", none.err);
    folder.carom(&["plot", "out", "ball.z", "-o", "z.png"]).exits(2);
}
