//! Things that the file shows in a floor, or in something else that is fixed.

use std::path::Path;

use carom_engine::{Recorder, Simulation, System};
use carom_io::import::{self, Import, Options, SelfContact};

use crate::import_kit::*;

/// How deep the weight takes a thing into another by MuJoCo's default contact (m).
const SAG: f64 = 0.367e-3;

/// Records nothing.
struct Silent;

impl Recorder for Silent {}

/// A plane with some attributes, and things.
fn on_plane(plane: &str, things: &str, more: &str) -> Import {
    mjcf(&format!(
        "<worldbody><geom name=\"p\" type=\"plane\" size=\"1 1 1\" {plane}/>{things}</worldbody>{more}"
    ))
}

/// A free cube with edges of 0.2 m.
fn cube(name: &str, pos: &str) -> String {
    let geom = format!("<geom name=\"g{name}\" type=\"box\" size=\"0.1 0.1 0.1\"/>");
    format!("<body name=\"{name}\" pos=\"{pos}\"><freejoint/>{geom}<site name=\"s{name}\"/></body>")
}

/// A fixed box, by its middle and half its edges.
fn slab(name: &str, pos: &str, half: &str) -> String {
    format!("<geom name=\"{name}\" type=\"box\" size=\"{half}\" pos=\"{pos}\"/>")
}

/// A free disc of 30 mm across its faces and 80 mm around.
fn puck(pos: &str) -> String {
    let geom = "<geom name=\"disc\" type=\"cylinder\" size=\"0.04 0.015\"/>";
    format!("<body name=\"puck\" pos=\"{pos}\"><freejoint/>{geom}</body>")
}

fn in_world(things: &str) -> Import {
    mjcf(&format!("<worldbody>{things}</worldbody>"))
}

/// A robot of a ball of 0.1 m with a limb whose lowest point is 0.25 m below the middle of the ball.
fn limbed(pos: &str) -> String {
    format!(
        "<body name=\"b\" pos=\"{pos}\"><freejoint/><inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/>\
         <geom size=\"0.1\"/><body name=\"c\" pos=\"0 0 -0.2\"><joint name=\"j\"/><geom size=\"0.05\"/></body></body>"
    )
}

/// The message of the only finding with a code.
#[track_caller]
fn message(import: &Import, code: &str) -> String {
    let of_code = || import.problems.iter().filter(|p| p.problem.code == code);
    assert_eq!(of_code().count(), 1, "{code} in {:?}", codes(import));
    of_code().next().unwrap().problem.message.clone()
}

#[track_caller]
fn assert_told(import: &Import, code: &str, parts: &[&str]) {
    let message = message(import, code);
    assert!(parts.iter().all(|part| message.contains(part)), "{message}");
}

/// Nothing is told but that something stays, and why; it is where the file shows it.
#[track_caller]
fn assert_stays(import: &Import, body: &str, pos: [f64; 3], parts: &[&str]) {
    assert_told(import, "W0807", parts);
    assert!(!codes(import).contains(&"W0806"), "{:?}", codes(import));
    assert_near(&toml(import), &format!("body.{body}.pos"), &pos);
}

/// Steps take rounding; the overlap that decides is far greater.
#[track_caller]
fn assert_place(import: &Import, body: &str, want: [f64; 3]) {
    let found = numbers(&toml(import), &format!("body.{body}.pos"));
    let error = found.iter().zip(&want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < 1e-8, "{body} at {found:?}, not {want:?}");
}

/// The lowest point comes up to the floor. What is on it, or as deep in it as its weight makes, stays.
#[test]
fn a_robot_in_the_floor_starts_on_it() {
    let import = on_plane("", &limbed("0 0 0.15"), "");
    assert_eq!(codes(&import), ["W0806"]);
    assert_told(&import, "W0806", &["the file shows", "\"b\" by [0, 0, 100] mm, out of \"p\""]);
    assert!(import.problems[0].problem.help.as_ref().unwrap().contains("--keyframe"));
    assert_place(&import, "b", [0.0, 0.0, 0.25]);
    for (height, moves) in
        [(0.3, false), (0.25, false), (0.9 * -SAG + 0.25, false), (1.1 * -SAG + 0.25, true)]
    {
        let import = on_plane("", &limbed(&format!("0 0 {height}")), "");
        assert_eq!(codes(&import), if moves { vec!["W0806"] } else { vec![] }, "{height}");
        assert_place(&import, "b", [0.0, 0.0, if moves { 0.25 } else { height }]);
    }
}

/// Of a tilted plane the way is along its normal, of two of them into the corner of both.
#[test]
fn the_way_is_along_the_normals() {
    // A wall that faces x: the ball is 60 mm in it.
    let wall = on_plane("euler=\"0 90 0\"", &limbed("0.04 3 1"), "");
    assert_place(&wall, "b", [0.1, 3.0, 1.0]);
    // The middle of a ball of 0.1 m is 0.05 m above a plane that leans by 30°.
    let ball = |pos: &str| format!("<body name=\"b\" pos=\"{pos}\"><freejoint/><geom size=\"0.1\"/></body>");
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let leaning = on_plane("euler=\"0 30 0\"", &ball(&format!("{} 2 {}", 0.05 * sin, 0.05 * cos)), "");
    assert_place(&leaning, "b", [0.1 * sin, 2.0, 0.1 * cos]);
    // The floor and a wall, 20 and 70 mm deep.
    let second = "<geom name=\"w\" type=\"plane\" size=\"1 1 1\" euler=\"0 90 0\"/>";
    let corner = on_plane("", &(second.to_owned() + &ball("0.03 0 0.08")), "");
    assert_told(&corner, "W0806", &["by [70, 0, 20] mm"]);
    assert_place(&corner, "b", [0.1, 0.0, 0.1]);
    // Between planes that lean towards each other by 60° each way out leads into the other one: by 0.1 m/cos 60° up.
    let gorge = "<geom type=\"plane\" size=\"1 1 1\" euler=\"0 -60 0\"/>";
    let gorge = on_plane("euler=\"0 60 0\"", &(gorge.to_owned() + &ball("0 0 0")), "");
    let height = numbers(&toml(&gorge), "body.b.pos")[2];
    assert!((height - 0.2).abs() < 2.0 * SAG && codes(&gorge) == ["W0806"], "{height}");
}

/// Many things are told at once, the first three by name, and each finds its own way.
#[test]
fn things_are_told_together() {
    let cubes: String = (0..5).map(|k| cube(&format!("c{k}"), &format!("{k} 0 0.0{k}"))).collect();
    let import = on_plane("", &cubes, "");
    assert_eq!(codes(&import), ["W0806"]);
    assert_told(&import, "W0806", &["\"c0\" by [0, 0, 100] mm", "\"c2\" by [0, 0, 80] mm", "; and 2 more"]);
    for k in 0..5 {
        assert_place(&import, &format!("c{k}"), [f64::from(k), 0.0, 0.1]);
    }
    loaded(&import);
}

/// The keyframe is what the user named: no other one is advised.
#[test]
fn a_keyframe_is_named_as_what_puts_things_there() {
    let text = format!(
        "<worldbody><geom name=\"p\" type=\"plane\" size=\"1 1 1\"/>{}</worldbody>\
         <keyframe><key name=\"home\" qpos=\"0 0 0.098 1 0 0 0\"/></keyframe>",
        cube("a", "0 0 1")
    );
    let import = mjcf_with(&text, &Options { keyframe: Some("home".to_owned()), ..Options::default() });
    assert_told(&import, "W0806", &["what the keyframe puts in something fixed", "\"a\" by [0, 0, 2] mm"]);
    assert!(!import.problems[0].problem.help.as_ref().unwrap().contains("--keyframe"));
    assert_place(&import, "a", [0.0, 0.0, 0.1]);
}

/// A cube with another one on it would be moved into that: it stays, and all three pairs may touch.
#[test]
fn nothing_is_moved_into_something_else() {
    let things = cube("a", "0 0 0.095") + &cube("b", "0 0 0.295");
    let import = on_plane("", &things, "");
    assert_stays(&import, "a", [0.0, 0.0, 0.095], &["\"a\" 5 mm in \"p\"", "it would come into \"gb\""]);
    assert_near(&toml(&import), "body.b.pos", &[0.0, 0.0, 0.295]);
    assert_eq!(loaded(&import).model.pairs.len(), 3);
    // Where the upper one has room, both are as they should be.
    let apart = on_plane("", &(cube("a", "0 0 0.095") + &cube("b", "0 0 0.301")), "");
    assert_eq!(codes(&apart), ["W0806"]);
    assert_place(&apart, "a", [0.0, 0.0, 0.1]);
    // Below a shelf there is none, either.
    let shelf = slab("shelf", "0 0 0.245", "0.5 0.5 0.05");
    let below = on_plane("", &(shelf + &cube("a", "0 0 0.09")), "");
    assert_stays(&below, "a", [0.0, 0.0, 0.09], &["\"a\" 10 mm in \"p\""]);
    // What overlaps already, so that it does not touch, is no hindrance.
    let within = on_plane("", &(cube("a", "0 0 0.095") + &cube("b", "0 0 0.2")), "");
    assert_told(&within, "W0801", &["\"ga\" and \"gb\""]);
    assert_place(&within, "a", [0.0, 0.0, 0.1]);
}

/// What another thing or the world holds would be torn back.
#[test]
fn what_is_tied_stays() {
    let things = cube("a", "0 0 0.05") + &cube("b", "1 0 0.1");
    let equality = |kind: &str| format!("<equality>{kind}</equality>");
    for more in [
        equality("<connect body1=\"a\" anchor=\"0 0 0.1\"/>"),
        equality("<connect body1=\"a\" body2=\"b\" anchor=\"0.5 0 0\"/>"),
        equality("<weld body1=\"a\"/>"),
        equality("<weld body1=\"a\" body2=\"b\"/>"),
        "<tendon><spatial stiffness=\"3\"><site site=\"sa\"/><site site=\"sb\"/></spatial></tendon>"
            .to_owned(),
    ] {
        let import = on_plane("", &things, &more);
        assert_stays(
            &import,
            "a",
            [0.0, 0.0, 0.05],
            &["\"a\" 50 mm in \"p\" (it is tied to something else)"],
        );
    }
    // Within itself it may be tied as it likes.
    let chain = "<body name=\"a\" pos=\"0 0 0.05\"><freejoint/><geom size=\"0.1\"/><body name=\"b\" pos=\"0.3 0 0\"><joint/>\
                 <geom size=\"0.1\"/><body name=\"c\" pos=\"0 0.3 0\"><joint/><geom size=\"0.1\"/></body></body></body>";
    let loop_of_own = equality("<connect body1=\"a\" body2=\"c\" anchor=\"0.1 0.1 0\"/>");
    assert_place(&on_plane("", chain, &loop_of_own), "a", [0.0, 0.0, 0.1]);
}

/// Links that joints hold to the world are told of where a floor throws them.
#[test]
fn what_joints_hold_stays() {
    let hinged = "<body name=\"a\" pos=\"0 0 0.05\"><joint/><geom name=\"g\" type=\"box\" size=\"0.1 0.1 0.1\"/></body>";
    let import = on_plane("", hinged, "");
    assert_told(&import, "W0807", &["\"a\" 50 mm in \"p\" (joints hold it)"]);
    assert_eq!(codes(&import), ["W0807"]);
}

/// What is put out of sight, deeper than it is large, stays there, one thing below the other.
#[test]
fn what_is_parked_below_the_floor_stays() {
    let import = on_plane("", &(cube("a", "0 0 -5") + &cube("b", "0 0 -6")), "");
    assert_stays(
        &import,
        "a",
        [0.0, 0.0, -5.0],
        &["\"a\" 5100 mm", "\"b\" 6100 mm", "longer than it is itself"],
    );
    assert_near(&toml(&import), "body.b.pos", &[0.0, 0.0, -6.0]);
    // As deep as it is large, and a little more.
    assert_place(&on_plane("", &cube("a", "0 0 -0.0999"), ""), "a", [0.0, 0.0, 0.1]);
    let deeper = on_plane("", &cube("a", "0 0 -0.1001"), "");
    assert_stays(&deeper, "a", [0.0, 0.0, -0.1001], &["longer than it is itself"]);
}

/// A disc that lies half in a table starts on it, and touches it. Where the way leads down, or through all of a slab that lies on the
/// added floor, it stays.
#[test]
fn what_lies_in_a_table_starts_on_it() {
    let table = |z: f64| in_world(&(slab("t", "0 0 0.4", "0.5 0.5 0.1") + &puck(&format!("0.1 0 {z}"))));
    let import = table(0.5);
    assert_eq!(codes(&import), ["W0806"]);
    assert_told(&import, "W0806", &["\"puck\" by [0, 0, 15] mm, out of \"t\""]);
    assert_place(&import, "puck", [0.1, 0.0, 0.515]);
    // With the table, and with the floor that is added.
    assert_eq!(loaded(&import).model.pairs.len(), 2);
    assert_stays(&table(0.29), "puck", [0.1, 0.0, 0.29], &["in \"t\" (the way out leads down)"]);
    let plate = in_world(&(slab("t", "0 0 0.05", "0.5 0.5 0.05") + &puck("0.1 0 0.04")));
    assert_stays(&plate, "puck", [0.1, 0.0, 0.04], &["in \"t\" (the way out is longer than it is itself)"]);
    // Nothing touches the table if that was not asked for.
    let text = format!("<worldbody>{}{}</worldbody>", slab("t", "0 0 0.4", "0.5 0.5 0.1"), puck("0 0 0.5"));
    let alone = mjcf_with(&text, &Options { self_contact: SelfContact::None, ..Options::default() });
    assert_eq!(codes(&alone), [""; 0]);
}

/// The floor that an import adds is laid where things start, 10 mm below the lowest of them if that is below 0.
#[test]
fn the_added_floor_is_below_what_was_moved() {
    let import = in_world(&(slab("t", "0 0 -0.3", "0.5 0.5 0.1") + &puck("0.1 0 -0.2")));
    assert_place(&import, "puck", [0.1, 0.0, -0.185]);
    assert!(choices(&import).contains("a floor was added at z = -0.21 m"), "{}", choices(&import));
}

/// Half in the floor and within a slot that it does not fit into: contact with the slot is left out, but the floor would throw it up.
#[test]
fn what_cannot_leave_a_slot_leaves_the_floor() {
    let slot = slab("l", "-0.53 0 0.1", "0.5 0.5 0.2") + &slab("r", "0.53 0 0.1", "0.5 0.5 0.2");
    let import = on_plane("", &(slot + &puck("0 0 0")), "");
    assert_told(&import, "W0806", &["\"puck\" by [0, 0, 15] mm, out of \"p\""]);
    assert_told(&import, "W0807", &["\"puck\" 10 mm in \"l\" (no way out was found)"]);
    assert_told(&import, "W0801", &["2 pairs", "overlap at the start, and do not touch"]);
    assert_place(&import, "puck", [0.0, 0.0, 0.015]);
}

/// In SDF, which has no keyframes; a table counts where links touch each other.
#[test]
fn sdf_has_floors_and_tables_too() {
    let geometry = |shape: &str| format!("<collision name=\"c\"><geometry>{shape}</geometry></collision>");
    let inertia =
        "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>";
    let cube = geometry("<box><size>0.2 0.2 0.2</size></box>");
    let world = |fixed: &str, z: f64, self_contact: SelfContact| {
        let text = format!(
            "<sdf version=\"1.9\"><world name=\"w\"><model name=\"f\"><static>true</static><link name=\"f\">{fixed}</link></model>\
             <model name=\"m\"><pose>0 0 {z} 0 0 0</pose><link name=\"b\">{inertia}{cube}</link></model></world></sdf>"
        );
        let options = Options { self_contact, ..Options::default() };
        import::sdf(&text, Path::new("w.sdf"), &options)
    };
    let plane = geometry("<plane><normal>0 0 1</normal></plane>");
    let import = world(&plane, 0.07, SelfContact::Auto);
    assert_told(&import, "W0806", &["by [0, 0, 30] mm"]);
    let told = import.problems.iter().find(|p| p.problem.code == "W0806").unwrap();
    assert!(!told.problem.help.as_ref().unwrap().contains("--keyframe"));
    let table = geometry("<box><size>2 2 1</size></box>");
    assert!(codes(&world(&table, 0.57, SelfContact::All)).contains(&"W0806"));
    assert!(codes(&world(&table, 0.57, SelfContact::Auto)).contains(&"W0806"));
    assert!(!codes(&world(&table, 0.57, SelfContact::None)).contains(&"W0806"));
}

/// A cube that the file shows 50 mm in the floor lies on it for a second: from where it was shown the floor threw it up by metres. It
/// may sink by what its weight makes, and rises by no more than that.
#[test]
fn what_was_in_the_floor_lies_on_it() {
    let import = on_plane("", &cube("a", "0 0 0.05"), "");
    let loaded = loaded(&import);
    let system = System::compile(&loaded.model).unwrap();
    let mut run = Simulation::new(&system);
    let mut highest = f64::NEG_INFINITY;
    for k in 1..=20 {
        run.advance_to(0.05 * f64::from(k), &mut Silent).unwrap();
        // Of one free body the state begins with its place.
        let z = run.state()[2];
        assert!(z > 0.1 - 2.0 * SAG, "{z}");
        highest = highest.max(z);
    }
    assert!(highest < 0.1 + SAG, "{highest}");
}
