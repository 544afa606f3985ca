//! Robot files on the command line.

use crate::kit::Folder;

const BOX: &str = r#"<robot name="box">
  <link name="box">
    <inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry></collision>
  </link>
  <gazebo/>
</robot>
"#;

const BALL: &str = r#"<mujoco model="ball">
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 0.5"><freejoint/><geom size="0.1" condim="4"/></body>
  </worldbody>
</mujoco>
"#;

#[test]
fn a_robot_becomes_a_model_file_with_what_was_lost() {
    let folder = Folder::with("box.urdf", BOX);
    let said = folder.carom(&["convert", "box.urdf", "box.toml"]).exits(0);
    assert_eq!(said.out, "box.toml\n");
    for line in ["1 moving bodies", "1 shapes, 1 contact lines", "<gazebo> [line 6]"] {
        assert!(said.err.contains(line), "{line} in {}", said.err);
    }
    assert!(folder.read("box.toml").contains("#   <gazebo> [line 6]"));
    folder.carom(&["check", "box.toml"]).exits(0);
    let other = folder.carom(&["convert", "box.urdf", "box.csv"]).exits(2);
    assert!(other.err.contains("give FILE.toml"), "{}", other.err);
}

#[test]
fn a_robot_drops_on_a_floor_as_its_model_file_does() {
    let folder = Folder::with("box.urdf", BOX);
    folder.carom(&["run", "box.urdf", "--out", "a", "--no-report", "--t-end", "0.5 s"]).exits(0);
    folder.carom(&["convert", "box.urdf", "box.toml"]).exits(0);
    folder.carom(&["run", "box.toml", "--out", "b", "--no-report", "--t-end", "0.5 s"]).exits(0);
    crate::kit::assert_same_tables(&folder.path("a"), &folder.path("b"));
    // 0.1 m of fall, then it lies on the floor.
    folder.carom(&["convert", "a", "a.csv"]).exits(0);
    let table = folder.read("a.csv");
    let column = table.lines().next().unwrap().split(',').position(|name| name == "box.z_m").unwrap();
    let z: f64 = table.lines().last().unwrap().split(',').nth(column).unwrap().parse().unwrap();
    assert!((0.09..0.11).contains(&z), "{z}");
    assert_eq!(table.lines().nth(1).unwrap().split(',').nth(column), Some("0.2"));
}

#[test]
fn mjcf_is_known_by_its_first_element() {
    let folder = Folder::with("ball.xml", BALL);
    let said = folder.carom(&["check", "ball.xml"]).exits(0);
    assert!(said.err.contains("warning[W0801]: `condim` of <geom>"), "{}", said.err);
    // Held by its base, the ball leaves nothing that could move.
    let held = folder.carom(&["check", "ball.xml", "--base", "fixed", "--json"]).exits(1).json();
    assert_eq!(held["diagnostics"][0]["code"], "E0318", "{held}");
    folder.write("broken.xml", "<mujoco><worldbody></mujoco>");
    let said = folder.carom(&["check", "broken.xml"]).exits(1);
    assert!(said.err.contains("error[E0801]"), "{}", said.err);
    folder.carom(&["run", "nowhere.urdf"]).exits(2);
}
