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
    <body name="ball" pos="0 0 0.5"><freejoint/><geom size="0.1" margin="-0.01"/></body>
  </worldbody>
</mujoco>
"#;

#[test]
fn a_robot_becomes_a_model_file_with_what_was_lost() {
    let folder = Folder::with("box.urdf", BOX);
    let said = folder.carom(&["convert", "box.urdf", "box.toml"]).exits(0);
    assert_eq!(said.out, "box.toml\n");
    for line in ["1 moving bodies", "1 shapes, 1 pairs that may touch", "<gazebo> [line 6]"] {
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
    assert!(said.err.contains("warning[W0801]: a negative `margin`"), "{}", said.err);
    // Held by its base, the ball leaves nothing that could move.
    let held = folder.carom(&["check", "ball.xml", "--base", "fixed", "--json"]).exits(1).json();
    assert_eq!(held["diagnostics"][0]["code"], "E0318", "{held}");
    folder.write("broken.xml", "<mujoco><worldbody></mujoco>");
    let said = folder.carom(&["check", "broken.xml"]).exits(1);
    assert!(said.err.contains("error[E0801]"), "{}", said.err);
    folder.carom(&["run", "nowhere.urdf"]).exits(2);
}

/// Two links in a row, stretched out level; `effort` of the first joint, in N m.
fn arm(effort: f64) -> String {
    let link = |name: &str, mass: f64| {
        format!(
            r#"<link name="{name}"><inertial><origin xyz="0.25 0 0"/><mass value="{mass}"/>
            <inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>"#
        )
    };
    let joint = |name: &str, parent: &str, child: &str, x: f64, effort: f64| {
        format!(
            r#"<joint name="{name}" type="revolute"><parent link="{parent}"/><child link="{child}"/>
            <origin xyz="{x} 0 1"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="{effort}" velocity="3"/></joint>"#
        )
    };
    let forearm = joint("elbow", "upper", "fore", 0.5, 0.0).replace("0.5 0 1", "0.5 0 0");
    format!(
        "<robot name=\"arm\"><link name=\"world\"/>{}{}{}{forearm}</robot>",
        link("upper", 2.0),
        link("fore", 1.0),
        joint("shoulder", "world", "upper", 0.0, effort)
    )
}

/// Angles of a joint at all output times, after a run of `arm.urdf` with more arguments.
fn angles(folder: &Folder, joint: &str, more: &[&str]) -> Vec<f64> {
    let name = format!("run{}", more.len());
    let run = ["run", "arm.urdf", "--out", &name, "--no-report"];
    folder.carom(&[&run[..], more].concat()).exits(0);
    let table = format!("{name}.csv");
    folder.carom(&["convert", &name, &table, "--force"]).exits(0);
    let table = folder.read(&table);
    let wanted = format!("{joint}.q_rad");
    let column = table.lines().next().unwrap().split(',').position(|n| n == wanted).expect(&wanted);
    table.lines().skip(1).map(|line| line.split(',').nth(column).unwrap().parse().unwrap()).collect()
}

/// Weights whose levers are the longest, as here, move each joint by the 0.02 rad that are promised; an effort below the weight's
/// 12.3 N m lets the arm down, as far as a radian.
#[test]
fn a_held_arm_stays_where_it_starts() {
    let folder = Folder::with("arm.urdf", &arm(80.0));
    for joint in ["shoulder", "elbow"] {
        let q = angles(&folder, joint, &["--hold"]);
        let (greatest, last) = (q.iter().fold(0.0_f64, |m, q| m.max(q.abs())), q[q.len() - 1]);
        // cos 0.04 is 1 to a thousandth. Each servo is damped for its joint alone: let go together they swing by a tenth more.
        assert!((last - 0.02).abs() < 2e-5, "{joint}: {last}");
        assert!(greatest < 0.022, "{joint}: {greatest}");
        assert!(angles(&folder, joint, &[]).iter().any(|q| q.abs() > 1.0));
    }
    let said = folder.carom(&["convert", "arm.urdf", "arm.toml", "--hold"]).exits(0);
    for line in ["servos hold 2 coordinates", "0.02 rad", "effort of 0 is taken for none"] {
        assert!(said.err.contains(line), "{line} in {}", said.err);
    }
    folder.write("arm.urdf", &arm(3.0));
    assert!(angles(&folder, "shoulder", &["--hold"]).iter().any(|q| *q > 1.0));
}

/// `check` shows a robot as one table: masses, moments and whether they can be, limits, what touches, what drives, what was left out.
#[test]
fn a_robot_is_one_table() {
    let leg = r#"<mujoco model="leg">
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="trunk" pos="0 0 1"><freejoint/><geom size="0.1" mass="2" margin="-0.01"/>
      <body name="shin" pos="0 0 -0.4"><joint name="knee" axis="0 1 0" range="-30 90" armature="0.02" damping="1.5" actuatorfrcrange="-3 4.5"/>
        <inertial pos="0 0 0" mass="0.5" diaginertia="0.5 0.5 0.4"/><geom size="0.05"/><site/></body></body>
  </worldbody>
  <actuator><motor name="m" joint="knee"/><velocity name="v" joint="knee"/></actuator>
</mujoco>
"#;
    let folder = Folder::with("leg.xml", leg);
    let said = folder.carom(&["check", "leg.xml"]).exits(0).out;
    let row = |name: &str| {
        let line = said
            .lines()
            .find(|line| line.trim_start().starts_with(name))
            .unwrap_or_else(|| panic!("{name}: {said}"));
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // 2/5 m r² of the ball; its radius of gyration is r √(2/5).
    assert_eq!(row("trunk"), "trunk 2 8.000e-3 8.000e-3 8.000e-3 63.2 ok 1 touch in 1 pairs");
    // 1 m of gyration is more than a ball of 50 mm has.
    assert_eq!(
        row("shin"),
        "shin 0.5 4.000e-1 5.000e-1 5.000e-1 1000.0 beyond its shapes 1 touch in 1 pairs"
    );
    assert_eq!(row("scene"), "scene fixed 1 touch in 2 pairs");
    assert_eq!(
        row("knee"),
        "knee revolute 0.0 deg -30.0 deg 90.0 deg armature 0.02, damping 1.5, force \"m\", force \"v\", together -3 to 4.5"
    );
    assert!(row("left out, changes").contains("motion: 1: a negative `margin`"));
    assert!(row("left out, does").contains("motion: 1: <site> [line 6]"), "{said}");
    // A ball along which nothing acts has no row, and alone no heading either.
    let motor = r#"<actuator><motor joint="swivel" gear="0 2 1"/></actuator>"#;
    for (acts, drive, rows) in [("", "", 0), ("armature=\"0.1\"", "", 3), ("", motor, 2)] {
        let bob = format!(
            r#"<mujoco><worldbody><body><joint name="swivel" type="ball" {acts}/><geom pos="0 0 -1" size="0.1"/></body></worldbody>{drive}</mujoco>"#
        );
        let said = Folder::with("bob.xml", &bob).carom(&["check", "bob.xml"]).exits(0).out;
        assert_eq!(said.matches("swivel.").count(), rows, "{said}");
        assert_eq!(said.contains("along it"), rows > 0, "{said}");
    }
}
