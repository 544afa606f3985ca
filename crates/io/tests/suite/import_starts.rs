//! Where things start: free links of URDF, and joints that mimic others.

use crate::import_kit::*;

const BALL: &str = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";

fn at_height(name: &str, kind: &str, parent: &str, child: &str, z: f64) -> String {
    joint(name, kind, parent, child, &format!("<origin xyz=\"0 0 {z}\"/>"))
}

/// A ball that the file has 1 m above the ground, beside a table that is fixed to the world, is there; alone it starts at the drop
/// height of 0.1 m, 0.2 m for its centre, which is told.
#[test]
fn a_free_link_beside_fixed_shapes_is_where_its_origin_has_it() {
    let table =
        "<link name=\"table\"><collision><geometry><box size=\"1 1 0.5\"/></geometry></collision></link>";
    let world = "<link name=\"world\"/>".to_owned();
    let ball = link("box", BALL) + &at_height("f", "floating", "world", "box", 1.0);
    let beside = urdf(&format!("{world}{table}{}{ball}", at_height("tf", "fixed", "world", "table", 0.25)));
    assert_near(&toml(&beside), "body.box.pos", &[0.0, 0.0, 1.0]);
    assert!(choices(&beside).contains("where its <origin> has it"), "{}", choices(&beside));
    let alone = urdf(&(world + &ball));
    assert_near(&toml(&alone), "body.box.pos", &[0.0, 0.0, 0.2]);
    assert!(choices(&alone).contains("not at the height of its <origin>"), "{}", choices(&alone));
    // A robot whose base is free states no height.
    assert!(!choices(&urdf(&link("a", BALL))).contains("<origin>"));
}

/// Chain of hinges that mimic each other: their starts, and codes.
fn starts(limits: [&str; 3], mimics: [&str; 3]) -> (Vec<f64>, Vec<&'static str>) {
    let links: String = ["a", "b", "c", "d"].into_iter().map(|name| link(name, "")).collect();
    let joints: String = (0..3)
        .map(|k| {
            let (from, to) = (["a", "b", "c"][k], ["b", "c", "d"][k]);
            let (kind, limit) = match limits[k] {
                "" => ("continuous", String::new()),
                limit => ("revolute", format!("<limit {limit}/>")),
            };
            joint(["x", "y", "z"][k], kind, from, to, &format!("<axis xyz=\"1 0 0\"/>{limit}{}", mimics[k]))
        })
        .collect();
    let import = urdf(&(links + &joints));
    let model = toml(&import);
    let start = |name: &str| {
        let path = format!("joint.{name}.position");
        if has(&model, &path) { numbers(&model, &path)[0] } else { 0.0 }
    };
    (["x", "y", "z"].map(start).to_vec(), codes(&import))
}

fn near(found: &[f64], want: &[f64]) {
    let off = found.iter().zip(want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < 1e-14, "{found:?} {want:?}");
}

/// q_y = 2 q_x + 0.1 in [0.5, 1] leaves q_x [0.2, 0.45], and q_z = -q_y in [-0.7, 0] no more than 0.3: from 0 the nearest is 0.2.
#[test]
fn leaders_start_where_the_limits_of_all_allow_it() {
    let y = "<mimic joint=\"x\" multiplier=\"2\" offset=\"0.1\"/>";
    let z = "<mimic joint=\"y\" multiplier=\"-1\"/>";
    let (found, told) = starts(
        ["lower=\"-1\" upper=\"1\"", "lower=\"0.5\" upper=\"1\"", "lower=\"-0.7\" upper=\"0\""],
        ["", y, z],
    );
    near(&found, &[0.2, 0.5, -0.5]);
    assert_eq!(told, [""; 0]);
    // From above, through the one between: q_z >= -0.7 holds q_x to 0.3 where its own limit has it start at 0.4.
    let (found, told) = starts(["lower=\"-1\" upper=\"-0.1\"", "", "lower=\"0.5\" upper=\"2\""], ["", y, z]);
    near(&found, &[-0.3, -0.5, 0.5]);
    assert_eq!(told, [""; 0]);
}

/// Where no place suits all, the leader is where its own limits have it, and the follower beyond its own is told.
#[test]
fn a_follower_beyond_its_limit_is_told() {
    let y = "<mimic joint=\"x\"/>";
    let (found, told) = starts(["lower=\"-1\" upper=\"0.3\"", "lower=\"0.5\" upper=\"1\"", ""], ["", y, ""]);
    near(&found, &[0.0, 0.0, 0.0]);
    assert_eq!(told, ["W0801"]);
}

/// q_x = 2 q_y and q_y = q_x hold both at 0.
#[test]
fn joints_that_mimic_each_other_are_told() {
    let x = "<mimic joint=\"y\" multiplier=\"2\"/>";
    let (_, told) = starts(["", "", ""], [x, "<mimic joint=\"x\"/>", ""]);
    assert_eq!(told, ["W0801"]);
}
