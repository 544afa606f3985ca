//! The model that `check --resolved` writes loads to the same model.

use crate::kit::{links, load};
use carom_io::LoadedModel;

/// The model in full, the sign of zeros apart.
fn shown(loaded: &LoadedModel) -> String {
    let text = format!("{:?}", loaded.model);
    let is_number = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if is_number(c) {
            word.push(c);
        } else {
            out.push_str(if word == "-0.0" { "0.0" } else { &word });
            out.push(c);
            word.clear();
        }
    }
    out
}

#[track_caller]
fn round_trip(text: &str) {
    let first = load(text);
    let written = first.to_toml();
    let second = load(&written);
    assert_eq!(second.hash, first.hash, "{written}");
    assert_eq!(second.resolved, first.resolved, "{written}");
    let (a, b) = (shown(&first), shown(&second));
    if let Some(at) = a.bytes().zip(b.bytes()).position(|(a, b)| a != b) {
        let start = at.saturating_sub(200);
        panic!("{}\n{}", &a[start..(at + 100).min(a.len())], &b[start..(at + 100).min(b.len())]);
    }
    assert_eq!(second.to_toml(), written);
}

#[test]
fn whole_models() {
    round_trip(include_str!("../models/billiard.toml"));
    round_trip(include_str!("../models/scout.toml"));
    round_trip(include_str!("../models/mechanism.toml"));
}

#[test]
fn joints_with_everything() {
    let j = |name: &str, rest: &str| {
        format!(
            "[body.{name}]\nmass = 1\ninertia = 0.1\n[joint.{name}]\na = {{ body = \"base\", at = [0.1, 0.2, 0.3], rot = {{ rpy = [\"10 deg\", \"20 deg\", \"30 deg\"] }} }}\n\
             b = {{ body = \"{name}\", at = [0, 0, \"7 mm\"] }}\n{rest}\n"
        )
    };
    let all = [
        j("a", "type = \"fixed\"\ncut = true"),
        j(
            "b",
            "type = \"revolute\"\naxis = [1, 2, 3]\nzero = \"10 deg\"\nposition = \"7 deg\"\nvelocity = \"1 rpm\"\n\
             spring = { stiffness = 5, damping = 0.1, rest = \"-3 deg\" }\nfriction = { torque = 2 }\n\
             limit = { lower = \"-90 deg\", stiffness = 100, exponent = 1.2, restitution = 0.3 }\n\
             motor = { torque = \"2 N*m*sin(3 rad/s*t) - 1 mN*m/s^2*t^2\" }",
        ),
        j(
            "c",
            "type = \"prismatic\"\nmotor = { position = { table = [[0, 0], [\"1 s\", \"3 mm\"], [2, 0.1]] } }",
        ),
        j(
            "d",
            "type = \"cylindrical\"\nposition = [\"1 deg\", \"1 mm\"]\nspring = [{}, { stiffness = 3 }]\n\
             motor = [{ position = { table = [[0, \"1 deg\"], [1, \"2 deg\"]], interpolation = \"linear\" } }, {}]",
        ),
        j(
            "e",
            "type = \"screw\"\nlead = \"3 mm/rev\"\naxis = \"-x\"\nmotor = { position = \"0.1 rad*cos(t*(2 rad/s))\" }\ncut = true",
        ),
        j(
            "f",
            "type = \"universal\"\naxes = [\"y\", [1, 1, 0]]\nzero = [\"1 deg\", \"2 deg\"]\nlimit = [{ upper = \"1 deg\" }, { lower = 0, nonsmooth = { e_n = 0.3, impact = \"newton\" } }]",
        ),
        j("g", "type = \"spherical\"\nposition = [0.6, 0, 0.8, 0]\nvelocity = [1, 2, 3]"),
        j(
            "h",
            "type = \"planar\"\naxis = \"x\"\nposition = [1, 2, \"3 deg\"]\nmotor = [{}, { force = 1 }, { speed = 2 }]",
        ),
        j("k", "type = \"free\"\nposition = [1, 2, 3, 1, 0, 0, 0]"),
    ];
    round_trip(&links(&all.concat()));
}

#[test]
fn forces_constraints_and_formulations() {
    let text = links(
        "[body.third]\nmass = 1\ninertia = 0.1\n[body.fourth]\nmass = 1\ninertia = 0.1\n\
         [joint.j]\ntype = \"revolute\"\na = { body = \"base\" }\nb = { body = \"link\", at = [-1, 0, 0] }\n\
         [joint.k]\ntype = \"cylindrical\"\na = { body = \"base\" }\nb = { body = \"second\" }\n\
         [force.a]\ntype = \"spring-damper\"\na = { body = \"world\", at = [1, 0, 0] }\nb = { body = \"link\" }\nstiffness = 3\nforce = \"1 N*max(t/(1 s), 0.5)\"\n\
         [force.b]\ntype = \"torsion-spring\"\na = { body = \"base\" }\nb = { body = \"link\" }\naxis = \"y\"\nstiffness = 3\nangle = \"9 deg\"\n\
         [force.c]\ntype = \"bushing\"\na = { body = \"base\" }\nb = { body = \"link\" }\nstiffness = [1, 2, 3, 4, 5, 6]\n\
         [force.d]\ntype = \"force\"\non = { body = \"link\" }\nforce = [1, \"2 N/s*t\", { table = [[0, 0], [1, 4]] }]\naxes = \"body\"\n\
         [force.e]\ntype = \"torque\"\non = { body = \"link\" }\ntorque = [0, 0, -1]\n\
         [force.f]\ntype = \"drag\"\non = { body = \"link\" }\nquadratic = 0.3\n\
         [force.g]\ntype = \"cable\"\npath = [{ body = \"base\", at = [0, 0, 1] }, { body = \"base\" }, { body = \"link\" }]\nideal = true\nrate = \"-0.1 m/s\"\nlength = 9\n\
         [force.h]\ntype = \"cable\"\npath = [{ body = \"base\" }, { body = \"link\" }]\nstiffness = 9\nlength = 2\n\
         [constraint.a]\ntype = \"point\"\na = { body = \"base\" }\nb = { body = \"third\" }\n\
         [constraint.b]\ntype = \"distance\"\na = { body = \"base\" }\nb = { body = \"fourth\" }\nlength = 2\n\
         [constraint.c]\ntype = \"gear\"\njoints = [\"j\", \"k.q0\"]\nratio = -2\noffset = \"5 deg\"\n\
         [constraint.d]\ntype = \"coupling\"\nterms = [{ joint = \"j\", factor = \"2 cm/rad\" }, { joint = \"k\", axis = 1 }]\noffset = \"1 cm\"\n\
         [constraint.e]\ntype = \"rolling\"\na = { body = \"base\", at = [0, 0, -0.1] }\nb = { body = \"link\" }\nradius = 0.1\naxis = [1, 2, 0]\n",
    );
    round_trip(&text);
    let with = |keys: &str| text.replace("t_end = \"1 s\"", &format!("t_end = \"1 s\"\n{keys}"));
    round_trip(&with(
        "coordinates = \"body\"\nformulation = \"ali3p\"\natol = { angle = \"1e-6 rad\", energy = \"3 mJ\" }",
    ));
    round_trip(&with("formulation = { type = \"ali3p\", step = \"1 ms\", penalty = 3e4 }"));
}

#[test]
fn activations_of_actuators() {
    for activation in [
        "activation = \"filter\"\ntime_constant = \"50 ms\"\nactivation_range = [-0.1, 0.12]\ninitial_activation = 0.02",
        "activation = \"integrator\"\ninitial_activation = -0.3",
    ] {
        let text = links(&format!(
            "[joint.j]\ntype = \"revolute\"\na = {{ body = \"base\" }}\nb = {{ body = \"link\" }}\n\
             [force.f]\ntype = \"actuator\"\nterms = [{{ joint = \"j\" }}]\n{activation}\n"
        ));
        round_trip(&text);
    }
}

#[test]
fn what_the_file_states_of_poses_and_velocities() {
    let text = links(
        "[body.stated]\nmass = 1\ninertia = [1, 1, 1, 0.1, 0, 0]\npos = [0, 0, 0]\nrot = { axis = [1, 2, 3], angle = \"20 deg\" }\n\
         [body.moving]\nmass = 1\ninertia = 1\nomega = [0, 0, 0]\n\
         [joint.j]\ntype = \"revolute\"\na = { body = \"stated\" }\nb = { body = \"moving\" }\n",
    );
    round_trip(&text);
    let model = load(&load(&text).to_toml()).model;
    let flags: Vec<_> = model.bodies.iter().map(|b| (b.pose_stated, b.velocity_stated)).collect();
    assert_eq!(flags, [(true, false), (false, false), (false, false), (true, false), (false, true)]);
}

#[test]
fn convex_shapes() {
    let body = |name: &str, shape: &str| {
        format!(
            "[body.{name}]\nmass = 1\ninertia = 1\nshape = {{ {shape}, rounding = \"0.3 mm\", at = [1, 2, 3] }}\n"
        )
    };
    let all = [
        body("a", "type = \"cone\", radius = 0.1, length = 0.7, axis = [1, 2, 3]"),
        body("b", "type = \"frustum\", radii = [0.1, 0.3], length = 0.7, axis = \"x\""),
        body("c", "type = \"beam\", length = 1.1, width = 0.7, thickness = 0.033"),
        body("d", "type = \"ellipsoid\", semi_axes = [0.1, 0.2, 0.3]"),
        body("e", "type = \"superellipsoid\", semi_axes = [0.1, 0.2, 0.3], exponents = [0.7, 1.3]"),
        body("f", "type = \"box\", size = [0.1, 0.7, 0.3]"),
        body("g", "type = \"cylinder\", radius = 0.1, length = 0.7"),
        // Points within, on a face and on an edge, and faces of four corners.
        body(
            "h",
            "type = \"hull\", points = [[0, 0, 0], [0.5, 0.5, 0], [1, 0, 0], [0, 1, 0], [0.3, 0.4, 0.5], [1, 1, 0], [0, 0, 1], [1, 0, 1], \
             [0.5, 0, 1], [0, 1, 1], [1, 1, 1.1]]",
        ),
    ];
    round_trip(&links(&all.concat()));
}

#[test]
fn meshes_expectations_and_allowed_warnings() {
    let text = "format = 1\nallow = [\"W0302\"]\n[params]\nt1 = \"0.5 s\"\n[world]\ngravity = [0, 0, -9.81]\n[solver]\nt_end = 1\n\
         [body.rock]\nmass = \"3 kg\"\ninertia = \"from-mesh\"\npos = [0, 0, 1]\n\
         shape = { type = \"mesh\", file = \"../../../../tests/bad/parts/tetrahedron.obj\", unit = \"cm\", scale = 2 }\n\
         [body.hull]\nmass = 1\ninertia = 1\npos = [9, 0, 1]\n\
         shape = { type = \"hull\", file = \"../../../../tests/bad/parts/dented.obj\", unit = \"cm\", rounding = 0.01 }\n\
         [expect]\n\"rock.z @ t1\" = { value = \"10 cm\", tol = \"5 mm\" }\n\"energy.residual_relative final\" = { below = 1e-4 }\n";
    let first = load(text);
    // The file of the mesh is named from the current folder; the kit's models are elsewhere.
    let written = first.to_toml().replace("\"tests/models/", "\"");
    let second = load(&written);
    assert_eq!((&second.hash, second.warnings.len()), (&first.hash, 0));
    assert_eq!(second.expectations[0].condition, first.expectations[0].condition);
    assert_eq!(second.expectations[0].moment, first.expectations[0].moment);
}

/// Areal contact with all its options, and every surface that is generated.
#[test]
fn areal_contact() {
    round_trip(
        r#"
        format = 1
        [world]
        gravity = [0, 0, "-9.81 m/s^2"]
        [law.foam]
        E = "1 MPa"
        nu = 0.4
        mu = 0.3
        pcm = { layer = "10 mm", u_max = "30 mm", damping = { compression = "10 kN*s/m^3", expansion = 0 }, ramp = "1 mm", beyond_u_max = "warn" }
        [law.pads]
        mu = 0.3
        pcm = { layer_a = "1 mm", layer_b = "2 mm", E = "2 MPa", nu = 0.45, damping_form = "no-tension", damping = 3, restitution = 0.4, v_small = "2 mm/s" }
        [body.ground]
        fixed = true
        shape.torus = { type = "torus", ring = "1 m", tube = "0.3 m", facets = 400 }
        shape.plate = { type = "plate", length = "2 m", width = "1 m", facets = 200, at = [0, 0, "-1 m"] }
        shape.funnel = { type = "funnel", side = "2 m", height = "0.5 m", subdivide = 2, at = [5, 0, 0] }
        shape.hills = { type = "terrain", side = "4 m", relief = "0.3 m", hurst = 0.8, seed = 5, levels = 3, at = [9, 0, 0] }
        [body.ball]
        mass = 1
        pos = [0, 0, 3]
        shape = { type = "sphere", radius = "0.4 m", facets = 300 }
        [body.nut]
        mass = 1
        pos = [5, 0, 3]
        shape = { type = "peanut", length = "0.4 m", lobe_radius = "0.1 m", lobe_at = "0.115 m", waist_radius = "50 mm", facets = 300 }
        [body.foot]
        mass = 1
        pos = [10, 1, 3]
        shape = { type = "foot", length = "60 mm", width = "43 mm", height = "20 mm", chamfer = "3 mm", facets = 500 }
        [body.wheel]
        mass = 1
        pos = [0, 8, 0]
        shape = { type = "gear", module = "5 mm", teeth = 20, width = "10 mm", pressure_angle = "25 deg", backlash = "0.1 mm" }
        [body.parts]
        mass = 1
        pos = [0, 20, 0]
        shape.bowl = { type = "bowl", radius = "100 mm", thickness = "10 mm", depth = "80 mm", facets = 500 }
        shape.hook = { type = "wire", path = [[0, 0, "0.3 m"], [0, 0, 0], ["0.12 m", 0, 0]], radius = "10 mm", bend = "40 mm", facets = 500, at = [1, 0, 0] }
        shape.slotted = { type = "slotted-plate", length = "0.3 m", width = "0.2 m", thickness = "20 mm", slot = ["120 mm", "30 mm"], facets = 500, at = [2, 0, 0] }
        shape.bow = { type = "hawse", length = "6 m", width = "4 m", thickness = "0.3 m", bore = "0.4 m", wall = "0.1 m", pipe = "3 m", tilt = "40 deg", lip = "0.15 m", facets = 2000, at = [9, 0, 0] }
        [contact]
        drop = { a = "ground.torus", b = "ball", method = "pcm", law = "foam", base = "a", layer_on = "both", accuracy = "20 %" }
        both = { a = "ground.funnel", b = "nut", method = "pcm", law = "pads", base = "both" }
        classic = { a = "nut", b = "ball", method = "pcm", law = "pads", detect = "intersection", accuracy = "off" }
        portal = { a = "ground.plate", b = "wheel", method = "pcm", law = "foam" }
        [solver]
        t_end = "1 s"
        [output]
        every = "10 ms"
        patches = "20 ms"
        "#,
    );
}
