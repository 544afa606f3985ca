//! How surfaces of a robot touch, as laws of the model file.

use std::fmt::Write;

use super::toml_writer::{Scene, number};
use super::touch::{Friction, Grip, PLAIN_MU, Touch};

/// How surfaces touch, each way once, in order.
pub(super) fn grips(scene: &Scene<'_>) -> Vec<Grip> {
    let mut all = Vec::new();
    let of_links = scene.link_contacts.iter().map(|c| c.grip);
    for grip in scene.contacts.iter().map(|c| c.grip).chain(of_links) {
        if !all.contains(&grip) {
            all.push(grip);
        }
    }
    if all.is_empty() && !scene.floors.is_empty() {
        all.push(Touch::plain(PLAIN_MU).alone(scene.robot.gravity_or_earths()));
    }
    all
}

/// Of the law of a grip.
pub(super) fn name(grips: &[Grip], grip: &Grip) -> String {
    match grips.iter().position(|known| known == grip) {
        Some(k) if k > 0 => format!("floor_{}", k + 1),
        _ => "floor".to_owned(),
    }
}

/// The laws, in the order of the grips.
pub(super) fn write(out: &mut String, grips: &[Grip]) {
    for grip in grips {
        let _ = write!(
            out,
            "\n[law.{}]   # the lighter body's weight, with what joints connect it to, indents a contact by {:.2} mm\nmu = {}\nv_reg = \"1 mm/s\"\n{}\
             point = {{ normal = \"exact\", stiffness = \"{:e} N/m^1.5\", restitution = 0.1, v_small = \"0.1 m/s\" }}\n",
            name(grips, grip),
            1e3 * grip.sag,
            number(grip.friction.mu),
            arms(&grip.friction),
            grip.stiffness,
        );
    }
}

/// Friction against drilling and rolling, as far as there is any.
fn arms(friction: &Friction) -> String {
    let keys = [("spin_arm", friction.spin_arm), ("roll_arm", friction.roll_arm)];
    let keys: String = keys
        .iter()
        .filter(|(_, arm)| *arm > 0.0)
        .map(|(key, arm)| format!("{key} = {}\n", number(*arm)))
        .collect();
    if keys.is_empty() { keys } else { keys + "w_reg = \"0.1 rad/s\"\n" }
}
