//! What of URDF and SDF changes the motion and is not taken over is a warning, never a note.

use std::path::Path;

use carom_io::import::{self, Import, Options};

use crate::import_kit::*;

/// Two links on a hinge, with anything else in the hinge and beside it.
fn robot(in_joint: &str, beside: &str) -> Import {
    let limits = "<limit lower=\"-1\" upper=\"1\"/>";
    let [a, b] = ["a", "b"].map(|name| link(name, ""));
    urdf(&format!("{a}{b}{}{beside}", joint("j", "revolute", "a", "b", &format!("{limits}{in_joint}"))))
}

#[test]
fn what_other_programs_read_in_a_urdf() {
    for (in_joint, beside) in [
        ("<dynamics armature=\"0.1\"/>", ""),
        ("<dynamics spring_stiffness=\"3\"/>", ""),
        ("", "<gazebo><plugin name=\"p\" filename=\"libhand_of_god.so\"/></gazebo>"),
        ("", "<gazebo><joint name=\"closes\" type=\"revolute\"/></gazebo>"),
        ("", "<gazebo><gripper name=\"g\"/></gazebo>"),
        ("", "<mujoco><compiler boundmass=\"0.01\"/></mujoco>"),
        ("", "<mujoco><compiler balanceinertia=\"true\"/></mujoco>"),
        ("", "<mujoco><option gravity=\"0 0 -1.62\"/></mujoco>"),
        ("", "<mujoco><option><flag gravity=\"disable\"/></option></mujoco>"),
        (
            "",
            "<transmission name=\"t\"><actuator name=\"m\"><drive:gear value=\"1\"/><drake:rotor_inertia value=\"1e-4\"/></actuator></transmission>",
        ),
    ] {
        let import = robot(in_joint, beside);
        assert_eq!(codes(&import), ["W0801"], "{in_joint}{beside}: {:?}", import.problems);
    }
}

#[test]
fn what_changes_nothing_in_a_urdf() {
    for beside in [
        "<gazebo><plugin name=\"p\" filename=\"libgazebo_ros_p3d.so\"/></gazebo>",
        "<gazebo reference=\"a\"><sensor name=\"s\"><plugin name=\"p\" filename=\"libany.so\"/></sensor></gazebo>",
        "<mujoco><compiler meshdir=\"m\" fusestatic=\"false\" boundmass=\"0\" settotalmass=\"-1\" balanceinertia=\"false\"/></mujoco>",
        "<mujoco><option gravity=\"0 0 -9.81\" timestep=\"0.001\"><flag gravity=\"enable\"/></option></mujoco>",
        "<transmission name=\"t\"><actuator name=\"m\"/></transmission>",
    ] {
        assert!(codes(&robot("", beside)).is_empty(), "{beside}");
    }
    assert_eq!(codes(&robot("<dynamics dampin=\"1\"/>", "")), ["W0804"]);
}

fn world(in_world: &str, in_link: &str, in_joint: &str) -> Import {
    let inertial =
        "<inertial><mass>1</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>";
    let text = format!(
        "<sdf version=\"1.9\"><world name=\"w\">{in_world}<model name=\"m\"><link name=\"a\">{inertial}{in_link}</link>\
         <link name=\"b\">{inertial}</link><joint name=\"j\" type=\"revolute\"><parent>a</parent><child>b</child>\
         <axis><xyz>0 0 1</xyz></axis>{in_joint}</joint></model></world></sdf>"
    );
    import::sdf(&text, Path::new("w.sdf"), &Options::default())
}

#[test]
fn what_gazebo_does_besides_in_a_world() {
    let wind = "<wind><linear_velocity>3 0 0</linear_velocity></wind>";
    let windy = "<enable_wind>true</enable_wind>";
    for (in_world, in_link, in_joint) in [
        (wind, windy, ""),
        ("<population name=\"p\"><model_count>3</model_count></population>", "", ""),
        ("<physics type=\"ode\"><gravity>0 0 -1</gravity></physics>", "", ""),
        ("", "", "<physics><ode><suspension><cfm>0.1</cfm></suspension></ode></physics>"),
    ] {
        let import = world(in_world, in_link, in_joint);
        assert_eq!(codes(&import), ["W0801"], "{in_world}{in_link}{in_joint}: {:?}", import.problems);
    }
    for (in_world, in_link, in_joint) in [
        (wind, "", ""),
        (wind, "<enable_wind>false</enable_wind>", ""),
        ("<wind><linear_velocity>0 0 0</linear_velocity></wind>", windy, ""),
        ("<physics type=\"ode\"><max_step_size>0.001</max_step_size></physics>", "", ""),
        ("", "", "<physics><ode><suspension><cfm>0</cfm></suspension></ode></physics>"),
    ] {
        assert!(codes(&world(in_world, in_link, in_joint)).is_empty(), "{in_world}{in_link}{in_joint}");
    }
}
