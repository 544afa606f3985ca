//! URDF: what becomes of each of its parts.

use std::path::Path;

use crate::import_kit::*;
use carom_engine::model::JointKind;
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexShape, Core};
use carom_io::import::{Base, FixedJoints, Inertia, Meshes, Options};

const QUARTER: &str = "1.5707963267948966";

#[test]
fn a_turned_inertial_is_the_tensor_in_link_axes() {
    // Rotated by 90 degrees about x: y takes z's moment, and xy becomes xz.
    let import = urdf(&format!(
        "<link name=\"a\"><inertial><origin xyz=\"0.1 0.2 0.3\" rpy=\"{QUARTER} 0 0\"/><mass value=\"2\"/>\
         <inertia ixx=\"1\" iyy=\"2\" izz=\"2.5\" ixy=\"0.1\" ixz=\"0.2\" iyz=\"0.3\"/></inertial></link>"
    ));
    let model = toml(&import);
    assert_near(&model, "body.a.mass", &[2.0]);
    assert_near(&model, "body.a.com", &[0.1, 0.2, 0.3]);
    // R = [[1,0,0],[0,0,-1],[0,1,0]]: R I Rᵀ has yy = izz, zz = iyy, xy = -ixz, xz = ixy, yz = -iyz.
    assert_near(&model, "body.a.inertia", &[1.0, 2.5, 2.0, -0.2, 0.1, -0.3]);
}

#[test]
fn fixed_links_are_summed_about_the_common_centre() {
    let two = link("a", "") + &link("b", "") + &joint("j", "fixed", "a", "b", "<origin xyz=\"0 0 2\"/>");
    let model = toml(&urdf(&two));
    assert_near(&model, "body.a.mass", &[2.0]);
    assert_near(&model, "body.a.com", &[0.0, 0.0, 1.0]);
    // Each kilogram is 1 m from the centre: 2 · 0.1 + 2 · 1 across the line, 2 · 0.1 along it.
    assert_near(&model, "body.a.inertia", &[2.2, 2.2, 0.2, 0.0, 0.0, 0.0]);
    assert!(!has(&model, "body.b") && !has(&model, "joint"));
}

/// A rotor whose mass another link has: its inertia counts.
#[test]
fn a_fixed_link_without_mass_keeps_its_inertia() {
    let weighing = |name: &str, mass: &str| {
        link(name, "")
            .replace("mass value=\"1\"", &format!("mass value=\"{mass}\""))
            .replace("izz=\"0.1", "izz=\"0.15")
    };
    let text = weighing("a", "2")
        + &weighing("rotor", "0")
        + &joint("j", "fixed", "a", "rotor", "<origin xyz=\"3 4 5\"/>");
    let import = urdf(&text);
    let model = toml(&import);
    assert_near(&model, "body.a.mass", &[2.0]);
    // Without mass it has no lever.
    assert_near(&model, "body.a.inertia", &[0.2, 0.2, 0.3, 0.0, 0.0, 0.0]);
    assert!(choices(&import).contains("adds its inertia"));
}

#[test]
fn fixed_joints_are_kept_on_request_except_of_frames() {
    let options = Options { fixed_joints: FixedJoints::Keep, ..Options::default() };
    let text = link("a", "")
        + &link("b", "")
        + "<link name=\"tool\"/>"
        + &joint("j", "fixed", "a", "b", "<origin xyz=\"0 0 2\"/>")
        + &joint("k", "fixed", "b", "tool", "<origin xyz=\"0 0 1\"/>");
    let import = urdf_with(&text, &options);
    let model = toml(&import);
    assert_eq!(at(&model, "joint.j.type").as_str(), Some("fixed"));
    assert_near(&model, "joint.j.a.at", &[0.0, 0.0, 2.0]);
    assert!(!has(&model, "body.tool"));
    assert!(import.toml.contains("# with tool: at = [0, 0, 1]"));
    assert_eq!((import.counts.bodies, import.counts.merged), (2, 1));
    assert_eq!(loaded(&import).model.joints.len(), 1);
}

#[test]
fn a_frame_that_carries_joints_passes_them_on() {
    let text = link("a", "")
        + "<link name=\"mount\"/>"
        + &link("b", "")
        + &joint("f", "fixed", "a", "mount", "<origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/>")
        + &joint("j", "continuous", "mount", "b", "<origin xyz=\"0 2 0\"/><axis xyz=\"0 0 1\"/>");
    let model = toml(&urdf(&text));
    assert_eq!(at(&model, "joint.j.a.body").as_str(), Some("a"));
    // (1, 0, 0) + R_z(90°) (0, 2, 0).
    assert_near(&model, "joint.j.a.at", &[-1.0, 0.0, 0.0]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert_near(&model, "joint.j.a.rot.quat", &[half, 0.0, 0.0, half]);
}

#[test]
fn joints_of_all_types_with_limits_and_dynamics() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let text: String = names.iter().map(|n| link(n, "")).collect::<String>()
        + &joint(
            "turn",
            "revolute",
            "a",
            "b",
            "<axis xyz=\"0 3 4\"/><limit lower=\"-1\" upper=\"2\" effort=\"5\" velocity=\"6\"/>\
             <dynamics damping=\"0.5\" friction=\"0.25\"/>",
        )
        + &joint("spin", "continuous", "b", "c", "<axis xyz=\"0 0 1\"/><limit effort=\"1\" velocity=\"1\"/>")
        + &joint(
            "slide",
            "prismatic",
            "c",
            "d",
            "<limit lower=\"0.1\" upper=\"0.4\" effort=\"1\" velocity=\"1\"/>",
        )
        + &joint("plane", "planar", "d", "e", "<axis xyz=\"1 0 0\"/>")
        + &joint("float", "floating", "e", "f", "");
    let import = urdf(&text);
    let model = toml(&import);
    assert_near(&model, "joint.turn.axis", &[0.0, 0.6, 0.8]);
    assert_near(&model, "joint.turn.limit.lower", &[-1.0]);
    assert_near(&model, "joint.turn.limit.upper", &[2.0]);
    assert_near(&model, "joint.turn.spring.damping", &[0.5]);
    assert_near(&model, "joint.turn.friction.torque", &[0.25]);
    assert_near(&model, "joint.turn.rating.speed", &[6.0]);
    assert_eq!(loaded(&import).model.joints[2].elements[0].rated_speed, Some(1.0));
    assert!(!has(&model, "joint.spin.limit"));
    // The default axis is x; a coordinate that may not be 0 starts at its limit.
    assert_near(&model, "joint.slide.axis", &[1.0, 0.0, 0.0]);
    assert_near(&model, "joint.slide.position", &[0.1]);
    assert!(left_out(&import).iter().any(|n| n.starts_with("`effort` of <limit> (3 times)")));
    let kinds: Vec<&str> = loaded(&import).model.joints.iter().map(|j| j.kind.name()).collect();
    assert_eq!(kinds, ["revolute", "revolute", "prismatic", "planar", "free"]);
    assert_eq!(import.counts.freedoms, 6 + 1 + 1 + 1 + 3 + 6);
}

#[test]
fn the_plane_of_a_planar_joint_is_across_its_axis() {
    let text = link("a", "") + &link("b", "") + &joint("p", "planar", "a", "b", "<axis xyz=\"0.6 0 0.8\"/>");
    let loaded = loaded(&urdf(&text));
    let joint = &loaded.model.joints[0];
    assert_eq!(joint.kind, JointKind::Planar);
    let normal = joint.a.pose.rotation.column(2).into_owned();
    assert!((normal - carom_math::Vec3::new(0.6, 0.0, 0.8)).norm() < 4.0 * ROUNDING, "{normal}");
    assert!((joint.a.pose.rotation - joint.b.pose.rotation).norm() < 4.0 * ROUNDING);
}

#[test]
fn mimicking_joints_are_couplings_and_start_together() {
    let text = link("a", "")
        + &link("b", "")
        + &link("c", "")
        + &joint(
            "lead",
            "revolute",
            "a",
            "b",
            "<limit lower=\"0.5\" upper=\"1\" effort=\"1\" velocity=\"1\"/>",
        )
        + &joint(
            "follow",
            "continuous",
            "a",
            "c",
            "<mimic joint=\"lead\" multiplier=\"-2\" offset=\"0.25\"/>",
        );
    let import = urdf(&text);
    let model = toml(&import);
    assert_eq!(at(&model, "constraint.follow.type").as_str(), Some("coupling"));
    let terms = at(&model, "constraint.follow.terms").as_array().unwrap();
    assert_eq!(terms[0].get("joint").and_then(|j| j.as_str()), Some("follow"));
    assert_eq!(terms[1].get("factor").and_then(toml::Value::as_integer), Some(2));
    assert_near(&model, "constraint.follow.offset", &[0.25]);
    // q = -2 · 0.5 + 0.25.
    assert_near(&model, "joint.follow.position", &[-0.75]);
    assert_eq!(loaded(&import).model.constraints.len(), 1);
}

#[test]
fn angles_may_mimic_lengths() {
    let text = link("a", "")
        + &link("b", "")
        + &link("c", "")
        + &joint("lead", "continuous", "a", "b", "")
        + &joint(
            "follow",
            "prismatic",
            "a",
            "c",
            "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/><mimic joint=\"lead\" multiplier=\"0.02\" offset=\"0.01\"/>",
        );
    assert_eq!(loaded(&urdf(&text)).model.constraints.len(), 1);
}

#[test]
fn a_free_robot_hangs_above_the_floor_and_a_held_one_stays() {
    // The lowest point is the ball's, 0.3 m below the origin.
    let ball =
        "<collision><origin xyz=\"0 0 -0.2\"/><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let text = link("a", ball);
    let model = toml(&urdf(&text));
    assert_near(&model, "body.a.pos", &[0.0, 0.0, 0.4]);
    assert_eq!(at(&model, "contact.a.a").as_str(), Some("floor"));
    assert_near(&model, "body.a.shape.at", &[0.0, 0.0, -0.2]);
    let higher = toml(&urdf_with(&text, &Options { drop_height: 1.0, ..Options::default() }));
    assert_near(&higher, "body.a.pos", &[0.0, 0.0, 1.3]);
    let arm = text + &link("b", ball) + &joint("j", "continuous", "a", "b", "");
    let held = urdf_with(&arm, &Options { base: Base::Fixed, ..Options::default() });
    let model = toml(&held);
    assert_eq!(at(&model, "body.a.fixed").as_bool(), Some(true));
    assert!(!has(&model, "body.a.pos") && !has(&model, "contact.a"));
    // The floor is below the arm's lowest point.
    assert_near(&model, "body.floor.pos", &[0.0, 0.0, -0.31]);
    assert_eq!(loaded(&held).model.pairs.len(), 1);
}

#[test]
fn a_link_named_world_is_the_world() {
    let text = "<link name=\"world\"/>".to_owned()
        + &link("base", "")
        + &link("arm", "")
        + &joint("mount", "fixed", "world", "base", "<origin xyz=\"0 0 1\"/>")
        + &joint("j", "continuous", "base", "arm", "");
    let import = urdf(&text);
    let model = toml(&import);
    assert_eq!(at(&model, "body.base.fixed").as_bool(), Some(true));
    assert_near(&model, "body.base.pos", &[0.0, 0.0, 1.0]);
    assert_eq!((import.counts.bodies, import.counts.fixed_bodies), (1, 1));
    // Let loose, it falls.
    let free = toml(&urdf_with(&text, &Options { base: Base::Floating, ..Options::default() }));
    assert!(!has(&free, "body.base.fixed") && has(&free, "body.base.mass"));
}

#[test]
fn a_joint_to_the_world_names_it() {
    let text = "<link name=\"world\"/>".to_owned()
        + &link("arm", "")
        + &joint("j", "continuous", "world", "arm", "");
    let import = urdf(&text);
    assert_eq!(at(&toml(&import), "joint.j.a.body").as_str(), Some("world"));
    assert_eq!(loaded(&import).model.joints.len(), 1);
}

#[test]
fn all_primitives_and_several_of_a_link() {
    let shapes = "<collision name=\"hull\"><geometry><box size=\"1 2 3\"/></geometry></collision>\
                  <collision><geometry><cylinder radius=\"0.5\" length=\"2\"/></geometry></collision>\
                  <collision><geometry><capsule radius=\"0.1\" length=\"1\"/></geometry></collision>\
                  <visual><geometry><sphere radius=\"9\"/></geometry></visual>";
    let import = urdf(&link("a", shapes));
    let model = toml(&import);
    assert_near(&model, "body.a.shape.hull.size", &[1.0, 2.0, 3.0]);
    assert_near(&model, "body.a.shape.a.length", &[2.0]);
    assert_near(&model, "body.a.shape.a_2.radius", &[0.1]);
    assert_near(&model, "body.a.pos", &[0.0, 0.0, 1.6]);
    assert_eq!(at(&model, "contact").as_table().unwrap().len(), 3);
    assert!(left_out(&import).iter().any(|n| n.starts_with("<visual>")));
    assert_eq!(loaded(&import).model.pairs.len(), 3);
    let drawn = urdf_with(&link("a", shapes), &Options { visuals: true, ..Options::default() });
    assert_eq!((drawn.counts.shapes, drawn.counts.contacts), (4, 3));
}

#[test]
fn names_become_words_and_stay_apart() {
    let text = link("left.foot", "")
        + &link("left/foot", "")
        + &joint("a b", "continuous", "left.foot", "left/foot", "");
    let import = urdf(&text);
    let model = toml(&import);
    assert!(has(&model, "body.left_foot") && has(&model, "body.left_foot_2") && has(&model, "joint.a_b"));
    assert!(choices(&import).contains("body \"left/foot\" is named \"left_foot_2\""));
    loaded(&import);
}

#[test]
fn what_is_not_read_is_listed_with_its_line() {
    let text = link("a", "")
        + "<gazebo/>\n<gazebo reference=\"a\"/>\n<transmission name=\"t\"/>\n<material name=\"m\"/>";
    let import = urdf(&text);
    assert_eq!(
        left_out(&import),
        ["<gazebo> (2 times) [line 3]", "<transmission> [line 5]", "<material> [line 6]"]
    );
    assert!(codes(&import).is_empty());
    // The model file says it too.
    assert!(import.toml.contains("#   <gazebo> (2 times) [line 3]\n"));
}

#[test]
fn a_first_link_without_mass_holds_the_robot() {
    let text =
        "<link name=\"base\"/>".to_owned() + &link("arm", "") + &joint("j", "continuous", "base", "arm", "");
    let import = urdf(&text);
    assert_eq!(at(&toml(&import), "body.base.fixed").as_bool(), Some(true));
    assert!(choices(&import).contains("\"base\" has no mass"));
}

#[test]
fn undeclared_prefixes_of_other_programs_are_passed_over() {
    let import = urdf(&(link("a", "") + "<sensor:camera name=\"c\"><!-- a:b --></sensor:camera>"));
    toml(&import);
    assert!(codes(&import).is_empty());
}

#[test]
fn a_small_robot_as_a_whole() {
    let text = "<link name=\"base link\"><inertial><mass value=\"3\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\
                <collision><geometry><box size=\"0.4 0.2 0.1\"/></geometry></collision></link>\n"
        .to_owned()
        + &link("wheel", "<collision><origin rpy=\"1.5707963267948966 0 0\"/><geometry><cylinder radius=\"0.1\" length=\"0.05\"/></geometry></collision>")
        + "<link name=\"imu\"/>\n<gazebo/>\n"
        + &joint("axle", "continuous", "base link", "wheel", "<origin xyz=\"0.1 0.15 0\"/><axis xyz=\"0 1 0\"/><dynamics damping=\"0.01\"/>")
        + &joint("mount", "fixed", "base link", "imu", "<origin xyz=\"0 0 0.05\"/>");
    insta::assert_snapshot!(urdf(&text).toml);
}

/// Nothing stands in for a mesh unless that is asked for; then the mesh's hull touches the floor, and the model file loads.
#[test]
fn the_hull_of_a_collision_mesh_touches_the_floor() {
    let mesh = "<collision><geometry><mesh filename=\"../../tests/bad/parts/dented.obj\" scale=\"0.01 0.01 0.01\"/>\
                </geometry></collision>";
    let text = link("base", mesh);
    let drawn = toml(&urdf_with(&text, &Options { meshes: Meshes::Draw, ..Options::default() }));
    assert_eq!(at(&drawn, "body.base.shape.type").as_str(), Some("mesh"));
    assert!(drawn.get("contact").is_none());
    let hull = urdf(&text);
    let model = toml(&hull);
    assert_eq!(at(&model, "body.base.shape.type").as_str(), Some("hull"));
    assert_eq!(at(&model, "contact.base.method").as_str(), Some("convex"));
    // The cube's lower face is 0.1 m below its middle, and 0.1 m is the height that it falls.
    assert_near(&model, "body.base.pos", &[0.0, 0.0, 0.2]);
    assert_eq!(
        loaded(&hull)
            .model
            .bodies
            .iter()
            .flat_map(|b| &b.shapes)
            .filter(|s| s.shape.name() == "hull")
            .count(),
        1
    );
}

/// Of a cube with a dent in a face: the middle of the hull's face there is as far from the mesh as from the dent's sides.
#[test]
fn hulls_say_how_far_they_reach_beyond_their_meshes() {
    let mesh = |scale: &str| {
        format!(
            "<collision><geometry><mesh filename=\"../../tests/bad/parts/dented.obj\" scale=\"{scale}\"/></geometry></collision>"
        )
    };
    let said = choices(&urdf(&link(
        "base",
        &(mesh("0.01 0.01 0.01") + &mesh("0.01 0.01 0.01") + &mesh("0.001 0.001 0.001")),
    )));
    let reaches: Vec<f64> = said
        .split(" mm beyond \"dented.obj\"")
        .filter_map(|before| before.rsplit(' ').next()?.parse().ok())
        .collect();
    assert_eq!(reaches.len(), 2, "{said}");
    // The dent is 3 deep in the middle of an edge of 20, so that its sides are 30/sqrt(109) from there; bounds are 2 % apart.
    let want = 30.0 / 109.0_f64.sqrt();
    for (reach, scale) in reaches.iter().zip([10.0, 1.0]) {
        assert!((want * scale - 0.05..want * scale * 1.02 + 0.05).contains(reach), "{said}");
    }
}

/// Scaled unequally and mirrored: no file has this mesh, its hull is that of its corners.
#[test]
fn the_hull_of_a_mirrored_mesh_is_that_of_its_points() {
    let mesh = "<collision><geometry><mesh filename=\"../../tests/bad/parts/dented.obj\" scale=\"0.01 -0.02 0.03\"/>\
                </geometry></collision>";
    let import = urdf(&link("base", mesh));
    assert!(!import.has_errors() && import.problems.is_empty(), "{:?}", import.problems);
    let model = toml(&import);
    assert_eq!(at(&model, "body.base.shape.points").as_array().map(Vec::len), Some(8));
    assert_eq!(at(&model, "contact.base.method").as_str(), Some("convex"));
    assert_near(&model, "body.base.pos", &[0.0, 0.0, 0.4]);
    let (low, high) = loaded(&import).model.bodies.iter().flat_map(|b| &b.shapes).fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(low, high), shape| match &shape.shape {
            Shape::Convex(ConvexShape { core: Core::Hull(hull), .. }) => hull
                .vertices()
                .iter()
                .fold((low, high), |(low, high), v| (f64::min(low, v.y), f64::max(high, v.y))),
            _ => (low, high),
        },
    );
    assert!((low + 0.2).abs() < ROUNDING && (high - 0.2).abs() < ROUNDING, "{low} {high}");
}

fn numbers_of(point: &toml::Value) -> Vec<f64> {
    let number = |x: &toml::Value| x.as_float().unwrap_or_else(|| x.as_integer().unwrap() as f64);
    point.as_array().unwrap().iter().map(number).collect()
}

/// A square pyramid in inches and another beside it, turned and mirrored, as polygons of a COLLADA file: the unit counts, what is up
/// does not.
#[test]
fn the_hull_of_a_collada_mesh_is_that_of_its_scene() {
    let mesh = |file: &str| {
        format!(
            "<collision><geometry><mesh filename=\"../../tests/bad/parts/{file}\"/></geometry></collision>"
        )
    };
    let import = urdf(&link("base", &mesh("pyramids.dae")));
    assert!(import.problems.is_empty(), "{:?}", import.problems);
    let model = toml(&import);
    let points = at(&model, "body.base.shape.points").as_array().unwrap();
    let points: Vec<Vec<f64>> = points.iter().map(numbers_of).collect();
    let extreme =
        |k: usize, sign: f64| points.iter().map(|p| sign * p[k]).fold(f64::NEG_INFINITY, f64::max) * sign;
    let inch = 0.0254;
    // One stands on x, y in [-1, 1] with its apex at z = 2; of the other, at x = 10, the apex is at y = -2.
    for (k, low, high) in [(0, -1.0, 11.0), (1, -2.0, 1.0), (2, -1.0, 2.0)] {
        assert!((extreme(k, -1.0) - low * inch).abs() < ROUNDING, "{k}: {points:?}");
        assert!((extreme(k, 1.0) - high * inch).abs() < ROUNDING, "{k}: {points:?}");
    }
    // What cannot be drawn is left out, and so is a broken file, each with a warning.
    let drawn = urdf_with(
        &link("base", &mesh("pyramids.dae")),
        &Options { meshes: Meshes::Draw, ..Options::default() },
    );
    assert_eq!(codes(&drawn).first(), Some(&"W0802"));
    assert_eq!(codes(&urdf(&link("base", &mesh("broken.dae")))).first(), Some(&"W0802"));
}

/// A triangle and a point above it make a tetrahedron; y of the file stays y. A visual is left out as it is in other formats.
#[test]
fn gltf_meshes_touch_by_their_hulls() {
    let folder = std::env::temp_dir().join(format!("carom-import-gltf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let corners = [[0.0_f32; 3], [3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]];
    let mut data: Vec<u8> = corners.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    data.extend([0_u8, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
    std::fs::write(folder.join("t.bin"), &data).unwrap();
    let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"buffers":[{"uri":"t.bin","byteLength":60}],
        "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":4},
        {"bufferView":1,"componentType":5121,"type":"SCALAR","count":12}],
        "bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}]}"#;
    std::fs::write(folder.join("t.gltf"), text).unwrap();
    std::fs::write(folder.join("bad.glb"), "glTF").unwrap();
    let of = |file: &str, scale: &str| {
        let path = folder.join(file).display().to_string();
        let geometry = format!("<geometry><mesh filename=\"{path}\" scale=\"{scale}\"/></geometry>");
        urdf(&link("base", &format!("<collision>{geometry}</collision>")))
    };
    let import = of("t.gltf", "1 1 -2");
    assert!(import.problems.is_empty(), "{:?}", import.problems);
    let model = toml(&import);
    let mut points: Vec<Vec<f64>> =
        at(&model, "body.base.shape.points").as_array().unwrap().iter().map(numbers_of).collect();
    points.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(points, [[0.0, 0.0, -2.0], [0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [3.0, 0.0, 0.0]]);
    let broken = of("bad.glb", "1 1 1");
    assert_eq!(codes(&broken).first(), Some(&"W0802"));
    assert!(broken.problems[0].problem.message.ends_with("it ends too early"), "{:?}", broken.problems);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A free robot may stand on either side of a joint, so the heavier one counts; wheels without a lever are held by their inertia.
/// What follows another joint has no servo of its own.
#[test]
fn servos_hold_what_the_joint_carries() {
    let limit = "<limit lower=\"-1\" upper=\"1\" effort=\"7\" velocity=\"1\"/>";
    let at = |x: &str| format!("<origin xyz=\"{x}\"/><axis xyz=\"0 0 1\"/>{limit}");
    let text = |base: &str| {
        link(base, "")
            + &link("arm", "")
            + &link("wheel", "")
            + &link("slide", "")
            + &joint("shoulder", "revolute", base, "arm", &at("-0.5 0 0"))
            + &joint("axle", "continuous", "arm", "wheel", &at("0 0 0"))
            + &joint("rail", "prismatic", base, "slide", &(at("0 2 0") + "<mimic joint=\"shoulder\"/>"))
    };
    let options = Options { hold: true, ..Options::default() };
    let model = toml(&urdf_with(&text("base"), &options));
    // Arm and wheel (2 kg) are on the axis. Base and slide (2 kg) have their centre (0.5, 1) off it.
    let (inertia, weight) = (0.2, 2.0 * 9.81 * 1.25_f64.sqrt());
    assert_near(&model, "joint.shoulder.servo.stiffness", &[weight / 0.02]);
    assert_near(&model, "joint.shoulder.servo.damping", &[2.0 * (weight / 0.02 * inertia).sqrt()]);
    assert_near(&model, "joint.shoulder.servo.torque", &[7.0]);
    // All but the wheel: 3 kg, whose centre is (1, 2)/3 off the axle.
    let weight = 3.0 * 9.81 * 5.0_f64.sqrt() / 3.0;
    assert_near(&model, "joint.axle.servo.stiffness", &[weight / 0.02]);
    assert!(!has(&model, "joint.rail.servo"));
    // Held by its base, only what a joint carries counts: 20 rad/s for what has no lever.
    let model =
        toml(&urdf_with(&text("world").replacen(&link("world", ""), "<link name=\"world\"/>", 1), &options));
    assert_near(&model, "joint.shoulder.servo.stiffness", &[400.0 * inertia]);
    assert_near(&model, "joint.axle.servo.stiffness", &[40.0]);
    assert!(!has(&toml(&urdf(&text("base"))), "joint.shoulder.servo"));
}

/// Moments 1, 2, 4 have the second moments 5/2, 3/2 and -1/2: the last becomes m (1 mm)². No mass lies off a plane by less.
#[test]
fn an_inertia_that_cannot_be_is_repaired_on_request() {
    let broken = |moments: [f64; 3]| {
        let [x, y, z] = moments;
        format!(
            "<link name=\"a\"><inertial><mass value=\"3\"/><inertia ixx=\"{x}\" iyy=\"{y}\" izz=\"{z}\" ixy=\"0\" ixz=\"0\" \
             iyz=\"0\"/></inertial></link>"
        )
    };
    let repair = Options { inertia: Inertia::Repair, ..Options::default() };
    assert_eq!(codes(&urdf(&broken([1.0, 2.0, 4.0]))), ["E0312"]);
    let import = urdf_with(&broken([1.0, 2.0, 4.0]), &repair);
    let least = 3e-6;
    let found = numbers(&toml(&import), "body.a.inertia");
    for (found, wanted) in found.iter().zip([1.5 + least, 2.5 + least, 4.0, 0.0, 0.0, 0.0]) {
        assert!((found - wanted).abs() < 1e-14, "{found} {wanted}");
    }
    assert_eq!(codes(&import), ["W0801"]);
    let help = import.problems[0].problem.help.as_ref().unwrap();
    assert!(help.contains("moments 1.5") && help.contains("2.5") && help.contains("4.0"), "{help}");
    // None at all: the least that 3 kg may have.
    let found = numbers(&toml(&urdf_with(&broken([0.0; 3]), &repair)), "body.a.inertia");
    assert!(found[..3].iter().all(|moment| (moment - 2.0 * least).abs() < 1e-18), "{found:?}");
    // None stated, which urdfdom reads as that of a point: likewise, and told.
    let pointlike = "<link name=\"a\"><inertial><mass value=\"3\"/></inertial></link>";
    let import = urdf_with(pointlike, &repair);
    let found = numbers(&toml(&import), "body.a.inertia");
    assert!(found[..3].iter().all(|moment| (moment - 2.0 * least).abs() < 1e-18), "{found:?}");
    assert_eq!((codes(&urdf(pointlike)), codes(&import)), (vec!["E0804"], vec!["W0801"]));
    // A sound one stays as it is, in silence.
    let sound = urdf_with(&broken([1.0, 2.0, 2.5]), &repair);
    assert_eq!(
        (codes(&sound), numbers(&toml(&sound), "body.a.inertia")[..3].to_vec()),
        (vec![], vec![1.0, 2.0, 2.5])
    );
}

#[test]
fn a_package_may_lie_in_a_folder_of_another_name() {
    let folder = std::env::temp_dir().join("carom-import-package");
    std::fs::create_dir_all(folder.join("urdf")).unwrap();
    std::fs::create_dir_all(folder.join("meshes")).unwrap();
    let mesh = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models/tetrahedron.obj");
    std::fs::copy(mesh, folder.join("meshes/a.obj")).unwrap();
    let shape =
        "<collision><geometry><mesh filename=\"package://arm_support/meshes/a.obj\"/></geometry></collision>";
    let path = folder.join("urdf/r.urdf");
    std::fs::write(&path, format!("<robot name=\"r\">{}</robot>", link("a", shape))).unwrap();
    let import = carom_io::import::robot_file(&path, &Options::default()).unwrap();
    assert!(codes(&import).is_empty(), "{:?}", codes(&import));
    assert!(import.toml.contains("meshes/a.obj"), "{}", import.toml);
}
