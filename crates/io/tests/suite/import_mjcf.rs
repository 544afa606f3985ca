//! MJCF: what becomes of each of the parts that are read.

use crate::import_kit::*;
use carom_engine::model::ForceKind;
use carom_io::import::{Base, Options};

/// A body of 1 kg with joints and anything else.
fn body(name: &str, more: &str) -> String {
    format!(
        "<body name=\"{name}\"><inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"0.1 0.1 0.1\"/>{more}</body>\n"
    )
}

fn world(inner: &str) -> String {
    format!("<worldbody>{inner}</worldbody>")
}

#[test]
fn orientations_in_their_five_forms() {
    // The same quarter turn about z, or what comes nearest to it.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for form in
        ["quat=\"1 0 0 1\"", "euler=\"0 0 90\"", "axisangle=\"0 0 2 90\"", "xyaxes=\"0 1 0 -1 0.5 0\""]
    {
        let text = world(&body("a", "<freejoint/>").replace("name=\"a\"", &format!("name=\"a\" {form}")));
        let model = toml(&mjcf(&text));
        let q = numbers(&model, "body.a.rot.quat");
        for (found, expected) in q.iter().zip([half, 0.0, 0.0, half]) {
            assert!((found - expected).abs() < 4.0 * ROUNDING, "{form}: {q:?}");
        }
    }
    let text = world(&body("a", "<freejoint/>").replace("name=\"a\"", "name=\"a\" zaxis=\"1 0 0\""));
    assert_near(&toml(&mjcf(&text)), "body.a.rot.quat", &[half, 0.0, half, 0.0]);
}

/// Whatever way an element states its orientation in, that of its class counts no more, and of classes the nearest counts (MuJoCo 4 likewise).
#[test]
fn the_nearest_orientation_counts() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let quarter =
        ["axisangle=\"0 0 1 90\"", "xyaxes=\"0 1 0 -1 0 0\"", "euler=\"0 0 90\"", "quat=\"1 0 0 1\""];
    let at = |outer: &str, inner: &str, own: &str| {
        let classes =
            format!("<default><geom {outer}/><default class=\"k\"><geom {inner}/></default></default>");
        let geom = format!("<geom class=\"k\" type=\"box\" size=\"1 2 3\" {own}/>");
        let model = toml(&mjcf(&(classes + &world(&body("a", &format!("<freejoint/>{geom}"))))));
        numbers(&model, "body.a.shape.rot.quat")
    };
    for other in [
        "axisangle=\"1 0 0 30\"",
        "xyaxes=\"1 0 0 0 1 1\"",
        "zaxis=\"0 1 1\"",
        "euler=\"9 0 0\"",
        "quat=\"2 1 0 0\"",
    ] {
        for own in quarter {
            for found in [at(other, "", own), at(other, own, ""), at("", other, own)] {
                let is_quarter = found
                    .iter()
                    .zip([half, 0.0, 0.0, half])
                    .all(|(q, right)| (q - right).abs() < 4.0 * ROUNDING);
                assert!(is_quarter, "{own} in a class of {other}: {found:?}");
            }
        }
    }
}

#[test]
fn euler_sequences_turn_with_the_body_or_about_fixed_axes() {
    let at = |sequence: &str| {
        let compiler = format!("<compiler angle=\"radian\" eulerseq=\"{sequence}\"/>");
        let angle = std::f64::consts::FRAC_PI_2;
        let text = body("a", "<freejoint/>")
            .replace("name=\"a\"", &format!("name=\"a\" euler=\"{angle} {angle} 0\""));
        numbers(&toml(&mjcf(&(compiler + &world(&text)))), "body.a.rot.quat")
    };
    // q_x q_y against q_y q_x: they differ in the sign of z.
    let (moving, fixed) = (at("xyz"), at("XYZ"));
    for (found, expected) in moving.iter().zip([0.5, 0.5, 0.5, 0.5]) {
        assert!((found - expected).abs() < 4.0 * ROUNDING, "{moving:?}");
    }
    for (found, expected) in fixed.iter().zip([0.5, 0.5, 0.5, -0.5]) {
        assert!((found - expected).abs() < 4.0 * ROUNDING, "{fixed:?}");
    }
}

#[test]
fn geoms_between_two_points() {
    let geom = "<freejoint/><geom name=\"g\" type=\"capsule\" fromto=\"1 0 0 1 0 3\" size=\"0.5\"/>";
    let model = toml(&mjcf(&world(&body("a", geom))));
    assert_near(&model, "body.a.shape.length", &[3.0]);
    assert_near(&model, "body.a.shape.radius", &[0.5]);
    assert_near(&model, "body.a.shape.at", &[1.0, 0.0, 1.5]);
    // Half sizes elsewhere.
    let geom = "<freejoint/><geom type=\"cylinder\" size=\"0.5 2\"/>";
    assert_near(&toml(&mjcf(&world(&body("a", geom)))), "body.a.shape.length", &[4.0]);
    let geom = "<freejoint/><geom type=\"box\" size=\"1 2 3\"/>";
    assert_near(&toml(&mjcf(&world(&body("a", geom)))), "body.a.shape.size", &[2.0, 4.0, 6.0]);
}

#[test]
fn bodies_without_inertial_weigh_what_their_geoms_do() {
    let text = world(
        "<body name=\"a\"><freejoint/><geom type=\"box\" size=\"0.5 0.5 0.5\" density=\"6\"/>\
         <geom type=\"ellipsoid\" size=\"0.1 0.2 0.3\" mass=\"5\" pos=\"0 0 0\" contype=\"0\" conaffinity=\"0\"/></body>",
    );
    let model = toml(&mjcf(&text));
    assert_near(&model, "body.a.mass", &[11.0]);
    // Box: m/6 with unit edges. Ellipsoid: m/5 (b² + c²) and so on.
    assert_near(&model, "body.a.inertia", &[1.0 + 0.13, 1.0 + 0.1, 1.0 + 0.05, 0.0, 0.0, 0.0]);
    let all = mjcf(&("<compiler settotalmass=\"22\"/>".to_owned() + &text));
    assert_near(&toml(&all), "body.a.mass", &[22.0]);
}

/// MuJoCo's rule: bounds first, then the mean of moments that no rigid body has; settotalmass scales what comes of it.
#[test]
fn bounds_and_balance_of_the_compiler() {
    let text = world(
        "<body name=\"a\"><freejoint/><inertial pos=\"0 0 1\" mass=\"1e-3\" diaginertia=\"1 2 6\"/>\
         <body name=\"b\"><joint/><inertial pos=\"0 0 0\" mass=\"4\" diaginertia=\"1e-9 0.2 0.2\"/></body>\
         <body name=\"c\"><joint/><inertial pos=\"0 0 0\" mass=\"4\" diaginertia=\"2 2 3\"/></body></body>",
    );
    let compiler = "<compiler boundmass=\"0.5\" boundinertia=\"0.1\" balanceinertia=\"true\"/>".to_owned();
    let import = mjcf(&(compiler + &text));
    let model = toml(&import);
    assert_near(&model, "body.a.mass", &[0.5]);
    assert_near(&model, "body.a.com", &[0.0, 0.0, 1.0]);
    assert_near(&model, "body.a.inertia", &[3.0, 3.0, 3.0, 0.0, 0.0, 0.0]);
    assert_near(&model, "body.b.inertia", &[0.1, 0.2, 0.2, 0.0, 0.0, 0.0]);
    assert_near(&model, "body.c.inertia", &[2.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
    let said = choices(&import);
    assert!(
        said.contains("inertia of \"a\"") && said.contains("\"b\" are raised") && !said.contains("\"c\"")
    );
    // Without them the first is no rigid body.
    assert!(codes(&mjcf(&text)).contains(&"E0312"));
}

/// Geoms that take no part leave the stated mass, also where masses come from geoms; a body without any has its bounds at MuJoCo's
/// place (`body_ipos` of 4.0.0 is `body_pos`).
#[test]
fn bodies_whose_geoms_weigh_nothing() {
    let compiler = "<compiler inertiafromgeom=\"true\" inertiagrouprange=\"0 3\" boundmass=\"0.5\" boundinertia=\"0.1\"/>";
    let far = "<geom size=\"0.1\" group=\"4\"/>";
    let text = world(&format!(
        "<body name=\"a\"><freejoint/><inertial pos=\"0 0 1\" mass=\"7\" diaginertia=\"2 2 3\"/>{far}\
         <frame pos=\"0 0 2\"><body name=\"b\" pos=\"1 2 3\" quat=\"1 1 0 0\"><joint/><joint axis=\"1 0 0\"/>{far}</body></frame></body>"
    ));
    let model = toml(&mjcf(&(compiler.to_owned() + &text)));
    assert_near(&model, "body.a.mass", &[7.0]);
    assert_near(&model, "body.b.mass", &[0.5]);
    assert_near(&model, "body.b.com", &[1.0, 2.0, 3.0]);
}

/// A mesh that nobody weighs need not be closed, nor be there.
#[test]
fn meshes_without_weight_enclose_nothing() {
    let mesh =
        |more: &str| format!("<geom type=\"mesh\" mesh=\"open\" contype=\"0\" conaffinity=\"0\" {more}/>");
    let asset = "<asset><mesh name=\"open\" file=\"open.stl\"/></asset>".to_owned();
    let moving = |more: &str| {
        let ball = "<geom size=\"0.1\"/>";
        asset.clone() + &world(&format!("<body name=\"a\"><freejoint/>{ball}{}</body>", mesh(more)))
    };
    for weightless in ["mass=\"0\"", "density=\"0\""] {
        assert!(!codes(&mjcf(&moving(weightless))).contains(&"E0812"), "{weightless}");
    }
    assert!(codes(&mjcf(&moving("density=\"0\" mass=\"1\""))).contains(&"E0812"));
    let fixed = asset.clone() + &world(&(mesh("") + &body("b", "<joint/>")));
    assert!(!codes(&mjcf(&fixed)).contains(&"E0812"));
}

#[test]
fn full_inertia_and_its_frame() {
    let text = world(
        "<body name=\"a\"><freejoint/><inertial pos=\"0 0 1\" mass=\"1\" fullinertia=\"1 2 2.5 0.1 0.2 0.3\"/></body>",
    );
    assert_near(&toml(&mjcf(&text)), "body.a.inertia", &[1.0, 2.0, 2.5, 0.1, 0.2, 0.3]);
}

#[test]
fn hinges_count_from_the_pose_of_the_file() {
    let joint = "<joint name=\"j\" axis=\"0 1 0\" pos=\"0 0 0.5\" range=\"-30 60\" ref=\"30\" springref=\"45\" \
                 stiffness=\"2\" damping=\"0.1\" frictionloss=\"0.3\" armature=\"0.04\"/>";
    let import = mjcf(&world(&body("a", joint)));
    let model = toml(&import);
    let degree = std::f64::consts::PI / 180.0;
    assert_near(&model, "joint.j.limit.lower", &[-60.0 * degree]);
    assert_near(&model, "joint.j.limit.upper", &[30.0 * degree]);
    assert_near(&model, "joint.j.spring.rest", &[15.0 * degree]);
    assert_near(&model, "joint.j.spring.stiffness", &[2.0]);
    assert_near(&model, "joint.j.armature.inertia", &[0.04]);
    assert_near(&model, "joint.j.friction.torque", &[0.3]);
    assert_near(&model, "joint.j.b.at", &[0.0, 0.0, 0.5]);
    assert_eq!(at(&model, "joint.j.a.body").as_str(), Some("world"));
    loaded(&import);
}

#[test]
fn limits_hold_as_the_compiler_says() {
    let limited = |compiler: &str, joint: &str| {
        let text =
            format!("<compiler {compiler}/>") + &world(&body("a", &format!("<joint name=\"j\" {joint}/>")));
        has(&toml(&mjcf(&text)), "joint.j.limit")
    };
    assert!(limited("", "range=\"-1 1\""));
    assert!(!limited("", "range=\"-1 1\" limited=\"false\""));
    assert!(!limited("autolimits=\"false\"", "range=\"-1 1\""));
    assert!(limited("autolimits=\"false\"", "range=\"-1 1\" limited=\"true\""));
}

#[test]
fn defaults_pass_through_classes() {
    let text = "<default><joint damping=\"1\" axis=\"1 0 0\"/><geom type=\"sphere\" size=\"0.1\"/>\
                <default class=\"leg\"><joint damping=\"2\"/><default class=\"knee\"><joint stiffness=\"7\"/></default></default>\
                </default>"
        .to_owned()
        + &world(
            &("<body name=\"p\" childclass=\"leg\"><joint name=\"own\" damping=\"3\"/><joint name=\"x\" axis=\"0 1 0\"/><geom/>"
                .to_owned()
                + &body("q", "<joint name=\"inherited\" class=\"knee\"/>")
                + "</body>"),
        )
        + &world(&body("r", "<joint name=\"main\"/>"));
    let model = toml(&mjcf(&text));
    assert_near(&model, "joint.main.spring.damping", &[1.0]);
    assert_near(&model, "joint.main.axis", &[1.0, 0.0, 0.0]);
    assert_near(&model, "joint.inherited.spring.damping", &[2.0]);
    assert_near(&model, "joint.inherited.spring.stiffness", &[7.0]);
    let both = at(&model, "joint.own_x.spring").as_array().unwrap();
    assert_eq!(both[0].get("damping").and_then(toml::Value::as_integer), Some(3));
    assert_eq!(both[1].get("damping").and_then(toml::Value::as_integer), Some(2));
}

#[test]
fn joints_of_one_body_become_one() {
    let kind = |joints: &str| {
        let import = mjcf(&world(&body("a", joints)));
        let joint = loaded(&import).model.joints[0].kind.name();
        assert!(choices(&import).contains("of one body became one"), "{joints}");
        joint
    };
    let hinge = |name: &str, axis: &str| format!("<joint name=\"{name}\" axis=\"{axis}\"/>");
    let slide = |name: &str, axis: &str| format!("<joint name=\"{name}\" type=\"slide\" axis=\"{axis}\"/>");
    let (x, y, z) = (hinge("x", "1 0 0"), hinge("y", "0 1 0"), hinge("z", "0 0 1"));
    let (sx, sy, sz) = (slide("sx", "1 0 0"), slide("sy", "0 1 0"), slide("sz", "0 0 1"));
    assert_eq!(kind(&format!("{x}{y}")), "universal");
    assert_eq!(kind(&format!("{x}{y}{z}")), "spherical");
    assert_eq!(kind(&format!("{sz}{z}")), "cylindrical");
    assert_eq!(kind(&format!("{sx}{sz}{y}")), "planar");
    // Free within the world is no joint at all.
    let free = mjcf(&world(&body("a", &format!("{sx}{sy}{sz}<joint name=\"b\" type=\"ball\"/>"))));
    assert_eq!((loaded(&free).model.joints.len(), free.counts.freedoms), (0, 6));
}

/// Of a cylindrical joint both coordinates count about one direction: what drives a slide against its hinge would drive it the wrong way.
#[test]
fn a_slide_against_its_hinge_stays_apart() {
    let joints = "<joint name=\"z\" axis=\"0 0 1\"/><joint name=\"down\" type=\"slide\" axis=\"0 0 -1\"/>";
    let text = world(&body("a", joints));
    let actuated = text.replace(
        "</mujoco>",
        "<actuator><position joint=\"down\" kp=\"100\" kv=\"1\" forcerange=\"-5 5\"/></actuator></mujoco>",
    );
    let loaded = loaded(&mjcf(&actuated));
    let kinds: Vec<_> = loaded.model.joints.iter().map(|joint| joint.kind.name()).collect();
    assert_eq!(kinds, ["revolute", "prismatic"]);
}

#[test]
fn a_planar_joint_keeps_its_directions() {
    // x × z = -y: the frame counts z first, so that it is right-handed about the hinge.
    let joints = "<joint name=\"x\" type=\"slide\" axis=\"1 0 0\" damping=\"1\"/>\
                  <joint name=\"z\" type=\"slide\" axis=\"0 0 1\" damping=\"2\"/><joint name=\"y\" axis=\"0 1 0\" damping=\"3\"/>";
    let loaded = loaded(&mjcf(&world(&body("a", joints))));
    let joint = &loaded.model.joints[0];
    let columns = |k: usize| joint.a.pose.rotation.column(k).into_owned();
    assert!((columns(0) - carom_math::Vec3::z()).norm() < 4.0 * ROUNDING);
    assert!((columns(1) - carom_math::Vec3::x()).norm() < 4.0 * ROUNDING);
    assert!((columns(2) - carom_math::Vec3::y()).norm() < 4.0 * ROUNDING);
    let damping: Vec<f64> = joint.elements.iter().map(|e| e.spring.unwrap().damping).collect();
    assert_eq!(damping, [2.0, 1.0, 3.0]);
}

#[test]
fn joints_that_no_joint_replaces_stay_apart() {
    let joints = "<joint name=\"x\" axis=\"1 0 0\" range=\"-10 10\"/><joint name=\"y\" axis=\"0 1 0\" pos=\"0 0 1\" range=\"-20 20\"/>";
    let text = world(&body("a", joints));
    let import = mjcf(&text);
    assert_eq!(import.toml, mjcf_with(&text, &Options { split_joints: true, ..Options::default() }).toml);
    let model = toml(&import);
    assert_near(&model, "body.a_1.mass", &[1e-9]);
    assert_eq!(at(&model, "joint.x.b.body").as_str(), Some("a_1"));
    assert_eq!(at(&model, "joint.y.a.body").as_str(), Some("a_1"));
    assert_eq!(loaded(&import).model.joints.len(), 2);
}

/// What acts on one of three hinges acts on it alone; and so does what asks for its coordinate.
#[test]
fn three_hinges_with_anything_on_them_stay_three() {
    let hinge = |axis: &str, more: &str| {
        format!("<joint name=\"j{axis}\" axis=\"{axis}\" {more}/>").replace("j1 0 0", "x")
    };
    let body_with =
        |more: &str| world(&body("a", &(hinge("1 0 0", more) + &hinge("0 1 0", "") + &hinge("0 0 1", ""))));
    let kinds = |text: &str| -> Vec<&'static str> {
        loaded(&mjcf(text)).model.joints.iter().map(|j| j.kind.name()).collect()
    };
    assert_eq!(kinds(&body_with("")), ["spherical"]);
    for more in
        ["range=\"-10 10\"", "armature=\"0.1\"", "stiffness=\"1\"", "damping=\"1\"", "frictionloss=\"1\""]
    {
        assert_eq!(kinds(&body_with(more)), ["revolute"; 3], "{more}");
    }
    let servo = body_with("") + "<actuator><position joint=\"x\" kp=\"2\"/></actuator>";
    assert_eq!(kinds(&servo), ["revolute"; 3]);
    let model = loaded(&mjcf(&servo)).model;
    let ForceKind::Actuator(actuator) = &model.forces[0].kind else { panic!() };
    assert_eq!((model.joints[actuator.terms[0].0.joint].name.as_str(), actuator.stiffness), ("x", 2.0));
}

#[test]
fn equalities_become_points_cut_joints_and_couplings() {
    let text = world(
        &(body("a", "<joint name=\"j\"/>")
            + &body("b", "<joint name=\"k\"/>").replace("name=\"b\"", "name=\"b\" pos=\"1 0 0\"")),
    ) + "<equality><connect body1=\"a\" body2=\"b\" anchor=\"0 0 2\"/><weld body1=\"a\" body2=\"b\"/>\
           <joint joint1=\"j\" joint2=\"k\" polycoef=\"0 3 0 0 0\"/><joint joint1=\"j\" joint2=\"k\" polycoef=\"0 1 2 0 0\"/>\
           <weld body1=\"a\" active=\"false\"/></equality>";
    let import = mjcf(&text);
    let model = toml(&import);
    assert_near(&model, "constraint.connect.b.at", &[-1.0, 0.0, 2.0]);
    assert_eq!(at(&model, "joint.weld.cut").as_bool(), Some(true));
    assert_near(&model, "joint.weld.a.at", &[1.0, 0.0, 0.0]);
    assert_near(&model, "constraint.coupling.offset", &[0.0]);
    assert_eq!(codes(&import), ["W0801"]);
    assert_eq!(loaded(&import).model.constraints.len(), 2);
    let bodies = world(&(body("a", "<joint name=\"j\"/>") + &body("b", "<joint name=\"k\"/>")));
    let equality = "<equality><joint joint1=\"j\" joint2=\"k\" polycoef=\"0.5 3 0 0 0\"/></equality>";
    assert_near(&toml(&mjcf(&(bodies.clone() + equality))), "constraint.coupling.offset", &[0.5]);
    // MuJoCo's a₁ is 1 where it is not stated, and its equality data of this file 0.5 1 0 0 0.
    let short = toml(&mjcf(&(bodies + &equality.replace("0.5 3 0 0 0", "0.5"))));
    assert_near(&short, "constraint.coupling.offset", &[0.5]);
    assert_eq!(
        at(&short, "constraint.coupling.terms").as_array().unwrap()[1]["factor"].as_integer(),
        Some(-1)
    );
}

/// l₁ = a₀ + a₁ l₂: 2 j + k = 0.1 + 3 (k - j), so that 5 j - 2 k = 0.1, all from the pose of the file, whatever `ref` is.
#[test]
fn lengths_of_fixed_tendons_are_coupled() {
    let bodies = world(&(body("a", "<joint name=\"j\" ref=\"20\"/>") + &body("b", "<joint name=\"k\"/>")));
    let fixed = |name: &str, [j, k]: [f64; 2]| {
        format!(
            "<fixed name=\"{name}\"><joint joint=\"j\" coef=\"{j}\"/><joint joint=\"k\" coef=\"{k}\"/></fixed>"
        )
    };
    let file = |equality: &str| {
        let tendons = fixed("s", [2.0, 1.0]) + &fixed("t", [-1.0, 1.0]);
        mjcf(&format!("{bodies}<tendon>{tendons}</tendon><equality><tendon {equality}/></equality>"))
    };
    let import = file("tendon1=\"s\" tendon2=\"t\" polycoef=\"0.1 3\"");
    let model = toml(&import);
    let terms = at(&model, "constraint.coupling.terms").as_array().unwrap();
    let factors: Vec<_> = terms.iter().map(|term| term["factor"].as_integer()).collect();
    assert_eq!(factors, [Some(5), Some(-2)]);
    assert_near(&model, "constraint.coupling.offset", &[0.1]);
    assert!(codes(&import).is_empty(), "{:?}", codes(&import));
    loaded(&import);
    assert!(!has(&toml(&file("tendon1=\"s\" tendon2=\"s\"")), "constraint.coupling"));
    assert_eq!(codes(&file("tendon1=\"s\" tendon2=\"t\" polycoef=\"0 1 1\"")), ["W0801"]);
    assert_eq!(codes(&file("tendon1=\"u\"")), ["E0807"]);
}

#[test]
fn planes_are_floors_for_what_may_touch_them() {
    let geoms = "<freejoint/><geom name=\"both\" size=\"0.1\" friction=\"0.4 0 0\"/>\
                 <geom name=\"other\" size=\"0.1\" contype=\"2\" conaffinity=\"2\"/>\
                 <geom name=\"rough\" size=\"0.1\" friction=\"2\"/>";
    let text = world(
        &("<geom name=\"ground\" type=\"plane\" size=\"0 0 1\" friction=\"0.7\"/>".to_owned()
            + &body("a", geoms)),
    );
    let import = mjcf(&text);
    let model = toml(&import);
    assert_eq!(at(&model, "contact").as_table().unwrap().len(), 2);
    assert_eq!(at(&model, "contact.a_both.a").as_str(), Some("scene"));
    // The greater friction of the two counts.
    assert_near(&model, "law.floor.mu", &[0.7]);
    assert_near(&model, "law.floor_2.mu", &[2.0]);
    assert!(!has(&model, "body.floor"));
    assert_eq!(loaded(&import).model.pairs.len(), 2);
}

#[test]
fn frames_and_fixed_bodies() {
    let text = world(
        "<frame pos=\"0 0 1\"><body name=\"post\" pos=\"0 0 1\"><geom type=\"box\" size=\"1 1 1\"/>\
         <frame euler=\"0 90 0\"><body name=\"arm\" pos=\"0 0 1\"><joint name=\"j\"/><geom size=\"0.1\"/></body></frame>\
         </body></frame>",
    );
    let import = mjcf(&text);
    let model = toml(&import);
    assert_eq!(at(&model, "body.post.fixed").as_bool(), Some(true));
    assert_near(&model, "body.post.pos", &[0.0, 0.0, 2.0]);
    assert_eq!(at(&model, "joint.j.a.body").as_str(), Some("post"));
    let p = numbers(&model, "joint.j.a.at");
    assert!((p[0] - 1.0).abs() < 4.0 * ROUNDING && p[2].abs() < 4.0 * ROUNDING, "{p:?}");
}

#[test]
fn bases_can_be_held_and_let_loose() {
    let free = world(&body("a", "<freejoint/><geom size=\"0.1\"/>"));
    let held = mjcf_with(&free, &Options { base: Base::Fixed, ..Options::default() });
    assert_eq!(at(&toml(&held), "body.a.fixed").as_bool(), Some(true));
    let arm = world(&body("base", &body("arm", "<joint name=\"j\"/>")));
    let loose = mjcf_with(&arm, &Options { base: Base::Floating, ..Options::default() });
    assert!(!has(&toml(&loose), "body.base.fixed"));
}

/// Where MuJoCo 4.0.0 leaves an arm that lies on its stop, after 20 000 steps of 0.5 ms: `d.qpos[0]`. The stop carries it there, too.
#[test]
fn a_stop_gives_as_far_as_in_mujoco() {
    for (words, rest) in [
        ("", 7.035_955_915_1e-4),
        ("solreflimit=\"0.005 1\"", 8.115_578_712_5e-5),
        ("solreflimit=\"0.03 0.8\" solimplimit=\"0 .99 .01\"", 6.632_957_656_3e-3),
        ("solreflimit=\"-2000 -50\"", 7.998_459_361_6e-4),
    ] {
        let inner = format!(
            "<body name=\"arm\"><joint name=\"j\" axis=\"0 1 0\" range=\"-1 0\" armature=\"0.02\" {words}/>\
             <geom type=\"box\" size=\"0.2 0.03 0.02\" pos=\"0.2 0 0\" mass=\"1.5\"/></body>"
        );
        let import = mjcf(&("<compiler angle=\"radian\"/>".to_owned() + &world(&inner)));
        let model = toml(&import);
        let stiffness = at(&model, "joint.j.limit.stiffness").as_float().unwrap();
        let weight = 1.5 * 9.81 * 0.2 * f64::cos(rest);
        let found = (weight / stiffness).powf(2.0 / 3.0);
        assert!((found / rest - 1.0).abs() < 1e-4, "{words}: {found} {rest}");
        assert!(import.problems.is_empty(), "{words}");
    }
}

#[test]
fn what_is_not_taken_over_is_listed_by_its_effect() {
    let text = world(&body(
        "a",
        "<joint name=\"j\" frictionloss=\"1\" solreffriction=\"0.1 1\"/><geom name=\"g\" size=\"0.1\" rgba=\"1 0 0 1\" margin=\"0.1\"/><site/><site name=\"s\"/>\n<camera/>",
    )) + "<tendon><spatial><site site=\"s\"/><geom geom=\"g\"/><site site=\"s\"/></spatial></tendon><sensor/><option timestep=\"0.1\" density=\"1.2\"/><asset><texture/></asset>\
           <contact><pair geom1=\"a\" geom2=\"g\"/></contact>";
    let import = mjcf(&text);
    let messages: Vec<&str> = import.problems.iter().map(|p| p.problem.message.as_str()).collect();
    for what in [
        "`solreffriction` of <joint>",
        "a spatial tendon that wraps a geom",
        "`density` of <option>",
        "<pair> names the geom",
    ] {
        assert!(messages.iter().any(|m| m.starts_with(what)), "{what} in {messages:#?}");
    }
    assert_eq!(messages.len(), 4);
    let notes = left_out(&import).join("\n");
    for what in ["`rgba` of <geom>", "<site>", "<camera>", "<sensor>", "`timestep` of <option>", "<texture>"]
    {
        assert!(notes.contains(what), "{what} in {notes}");
    }
    toml(&import);
}

/// At a size of 0.1, 0.2, 0.3 turned about x by 90 degrees the lowest point is 0.2 below the centre.
#[test]
fn an_ellipsoid_is_one_and_touches_the_floor() {
    let geom = "<freejoint/><geom type=\"ellipsoid\" size=\"0.1 0.2 0.3\" pos=\"0 0 1\" quat=\"1 1 0 0\"/>";
    let model = toml(&mjcf(&world(&body("a", geom))));
    assert_near(&model, "body.a.shape.semi_axes", &[0.1, 0.2, 0.3]);
    assert_eq!(model["contact"]["a"]["method"].as_str(), Some("convex"));
}

/// Trees do not feel each other: what is beside an arm, before or after it in the file, changes no bit of what its joints feel; a joint
/// further in does.
#[test]
fn a_joint_feels_its_own_tree_alone() {
    let arm = |name: &str, mass: f64| {
        format!(
            "<body><joint name=\"{name}0\" axis=\"0 1 0\" springdamper=\"0.1 0.7\"/><geom size=\".1\" pos=\".3 0 0\" mass=\"{mass}\"/>\
             <body pos=\".5 0 0\"><joint name=\"{name}1\" axis=\"0 1 0\" springdamper=\"0.1 0.7\"/><geom size=\".05\" pos=\"0 0 .2\"/></body></body>"
        )
    };
    let stiffness = |inner: &str| {
        let model = toml(&mjcf(&world(inner)));
        ["a0", "a1"].map(|joint| numbers(&model, &format!("joint.{joint}.spring.stiffness"))[0])
    };
    let alone = stiffness(&arm("a", 1.0));
    let free = "<body name=\"f\" pos=\"0 3 1\"><freejoint/><geom size=\".3\"/></body>";
    assert_eq!(stiffness(&(arm("b", 5.0) + free + &arm("a", 1.0) + &arm("c", 0.2))), alone);
    assert!(stiffness(&arm("a", 2.0)).iter().zip(alone).all(|(heavy, light)| *heavy > 1.01 * light));
}

/// What MuJoCo 4.0.0 makes of it: `jnt_stiffness` and `dof_damping` of the compiled model.
#[test]
fn a_time_constant_and_a_damping_ratio_become_a_spring_and_a_damper() {
    let world = |swing: &str| {
        mjcf(&format!(
            "<compiler autolimits=\"true\"/><worldbody><body><joint name=\"a\" axis=\"0 1 0\" springdamper=\"{swing}\" armature=\"0.02\" \
             stiffness=\"9\" damping=\"8\"/><geom type=\"capsule\" fromto=\"0 0 0 .4 0 .1\" size=\".05\"/><body pos=\".4 0 .1\">\
             <joint name=\"b\" type=\"slide\" axis=\"1 0 0\" springdamper=\"0.05 1.5\"/><geom type=\"box\" size=\".1 .05 .03\"/>\
             <body pos=\"0.1 0 0\"><joint name=\"c\" axis=\"0 0 1\" stiffness=\"3\" damping=\"0.2\"/><geom size=\"0.04\"/></body></body>\
             </body></worldbody>"
        ))
    };
    let model = toml(&world("0.1 0.7"));
    for (joint, stiffness, damping) in [
        ("a", 105.74612141088745, 10.363119898266971),
        ("b", 253.80154150520835, 57.10534683867189),
        ("c", 3.0, 0.2),
    ] {
        for (key, want) in [("stiffness", stiffness), ("damping", damping)] {
            let found = numbers(&model, &format!("joint.{joint}.spring.{key}"))[0];
            assert!((found - want).abs() < 1e-12 * want, "{joint} {key}: {found} {want}");
        }
    }
    assert_near(&toml(&world("0 0")), "joint.a.spring.stiffness", &[9.0]);
    assert_eq!(codes(&world("0.1 0")), ["E0805"]);
}
