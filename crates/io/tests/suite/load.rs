//! Loading of whole models: what the file says is what the model has.

use std::path::Path;

use carom_engine::law::{ContactRadius, FrictionKind, NormalKind};
use carom_engine::model::{Condition, Method, Moment};
use carom_geometry::Shape;
use carom_geometry::shape::CylinderSide;
use carom_io::{LoadedModel, Overrides, Report, Style, load_str, pair_table, render_report};
use carom_math::Vec3;

const BILLIARD: &str = include_str!("../models/billiard.toml");

fn try_load(text: &str, overrides: &Overrides) -> Result<LoadedModel, Report> {
    load_str("model.toml", text, Path::new("tests/models"), overrides)
}

fn load(text: &str) -> LoadedModel {
    match try_load(text, &Overrides::default()) {
        Ok(loaded) => loaded,
        Err(report) => panic!("{}", render_report(&report, Style::Plain)),
    }
}

fn codes(text: &str, overrides: &Overrides) -> Vec<&'static str> {
    match try_load(text, overrides) {
        Ok(loaded) => loaded.warnings.iter().map(|d| d.problem.code).collect(),
        Err(report) => report.diagnostics.iter().map(|d| d.problem.code).collect(),
    }
}

fn set(assignments: &[&str]) -> Overrides {
    Overrides { set: assignments.iter().map(|s| (*s).to_owned()).collect(), ..Overrides::default() }
}

/// A ball over a floor, with other tables added.
fn ball(more: &str) -> String {
    format!(
        "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[solver]\nt_end = \"1 s\"\n\
         [law.rubber]\npoint = {{ stiffness = \"1 MN/m^1.5\", restitution = 0.5 }}\n\
         [body.floor]\nfixed = true\nshape = {{ type = \"half-space\" }}\n{more}"
    )
}

#[test]
fn the_billiard_of_the_specification() {
    let loaded = load(BILLIARD);
    let model = &loaded.model;
    assert_eq!(model.name, "billiard");
    assert_eq!(model.bodies.len(), 17);
    assert_eq!(model.bodies[0].name, "table");
    assert_eq!(model.bodies[1].name, "cue.ball");
    assert_eq!(model.bodies[16].name, "rack[14].ball");
    assert_eq!(model.bodies[0].shapes[1].name, "table.cushion_px");
    let of_line = |name: &str| {
        let line = model.contact_lines.iter().position(|l| l.name == name).unwrap();
        model.pairs.iter().filter(|p| p.line == line).collect::<Vec<_>>()
    };
    assert_eq!([of_line("cloth").len(), of_line("cushion").len(), of_line("balls").len()], [16, 64, 120]);
    assert_eq!(of_line("balls")[0].name, "balls[cue.ball|rack[0].ball]");
    assert!(of_line("balls").iter().all(|p| p.a < p.b));
    assert_eq!(of_line("cushion")[0].name, "cushion[table.cushion_px|cue.ball]");

    let cue = &model.bodies[1];
    assert_eq!((cue.mass, cue.position), (0.17, Vec3::new(-0.8, -0.1, 0.03)));
    assert_eq!(cue.velocity, Vec3::new(3.0, 0.1, 0.0));
    assert!((cue.inertia[(0, 0)] - 0.4 * 0.17 * 0.03 * 0.03).abs() < 1e-18);
    // Ball 4 of the rack: row 2, column 1, so it lies on the axis.
    assert!(model.bodies[6].position.y.abs() < 1e-15);
    let distance = (model.bodies[2].position - model.bodies[3].position).norm();
    assert!((distance - 0.0601).abs() < 1e-15);

    let cushion = &model.laws[1];
    let point = cushion.point.unwrap();
    assert_eq!(
        (point.normal, point.stiffness, point.exponent),
        (NormalKind::LankaraniNikravesh, Some(2e7), 1.5)
    );
    assert_eq!(point.friction, FrictionKind::Ambrosio { v0: None, v1: None });
    assert_eq!((cushion.mu, cushion.v_reg), (Some(0.2), Some(0.001)));
    assert_eq!((model.solver.t_end, model.solver.rtol, model.output.every), (5.0, 1e-8, Some(0.005)));
    // The cushion's surface faces the table: its z axis is -x.
    assert_eq!(model.bodies[0].shapes[1].pose.z_axis(), -Vec3::x());
    assert_eq!(model.bodies[0].shapes[1].pose.translation, Vec3::new(1.12, 0.0, 0.0));

    let rows = pair_table(&loaded);
    assert_eq!(rows.len(), 200);
    assert_eq!(
        (rows[0].method, rows[0].kernel, rows[0].law.as_str()),
        ("analytic", "sphere–half-space", "cloth")
    );
}

#[test]
fn shapes_take_their_keys() {
    let loaded = load(&ball(
        "[body.drum]\nfixed = true\npos = [0, 0, \"5 m\"]\n\
         shape.wall = { type = \"cylinder\", axis = \"y\", radius = \"1 m\", length = \"3 m\", hollow = true, closed = false }\n\
         shape.bowl = { type = \"sphere\", radius = \"1 m\", hollow = true }\n\
         shape.rod = { type = \"capsule\", axis = [0, 0, -2], radius = \"1 cm\", length = \"10 cm\", at = [\"4 m\", 0, 0] }\n\
         shape.block = { type = \"box\", size = [\"1 m\", \"2 m\", \"3 m\"], rot = { axis = \"z\", angle = \"90 deg\" } }\n\
         [body.bob]\nmass = \"1 kg\"\ninertia = \"1 kg*m^2\"\n",
    ));
    let shapes = &loaded.model.bodies[1].shapes;
    let Shape::Cylinder(c) = shapes[0].shape else { panic!() };
    assert_eq!((c.radius, c.half_length, c.side), (1.0, 1.5, CylinderSide::Hollow { closed: false }));
    assert_eq!(shapes[0].pose.z_axis(), Vec3::y());
    assert!(matches!(shapes[1].shape, Shape::Sphere { radius: 1.0, hollow: true }));
    assert!(matches!(shapes[2].shape, Shape::Capsule { radius: 0.01, half_length: 0.05 }));
    assert_eq!(shapes[2].pose.z_axis(), -Vec3::z());
    let Shape::Box { half } = shapes[3].shape else { panic!() };
    assert_eq!(half, Vec3::new(0.5, 1.0, 1.5));
    assert!((shapes[3].pose.rotation * Vec3::x() - Vec3::y()).norm() < 1e-15);
}

#[test]
fn mass_and_inertia_follow_from_density_material_or_numbers() {
    let sphere = "shape = { type = \"sphere\", radius = \"0.1 m\"";
    let line = "[contact]\nc = { a = \"floor\", b = \"ball\", law = \"rubber\" }\n";
    let with = |body: &str| {
        load(&ball(&format!("[body.ball]\npos = [0, 0, 1]\n{body}\n{line}"))).model.bodies[1].clone()
    };
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let steel = with(&format!("{sphere}, material = \"Steel\" }}"));
    assert!((steel.mass - 8000.0 * volume).abs() < 1e-12);
    let dense = with(&format!("density = \"1 g/cm^3\"\n{sphere} }}"));
    assert!((dense.mass - 1000.0 * volume).abs() < 1e-12);
    let given = with(&format!(
        "mass = \"2 kg\"\ninertia = [1, 2, 2.5, 0.1, 0.2, 0.3]\ncom = [0, 0, \"1 mm\"]\n{sphere} }}"
    ));
    assert_eq!((given.mass, given.com), (2.0, Vec3::new(0.0, 0.0, 0.001)));
    let i = given.inertia;
    assert_eq!([i[(0, 1)], i[(0, 2)], i[(1, 2)], i[(2, 2)]], [0.1, 0.2, 0.3, 2.5]);
    // Two balls on a stick: the centre of mass lies between them.
    let pair = with(
        "mass = \"2 kg\"\nshape.a = { type = \"sphere\", radius = \"0.1 m\" }\nshape.b = { type = \"sphere\", radius = \"0.1 m\", at = [1, 0, 0] }",
    );
    assert!((pair.com - Vec3::new(0.5, 0.0, 0.0)).norm() < 1e-15);
    assert!((pair.inertia[(2, 2)] - (2.0 * 0.004 + 2.0 * 0.25)).abs() < 1e-12);
}

#[test]
fn inertia_follows_from_a_closed_mesh() {
    let loaded = load(&ball(
        "[body.rock]\nmass = \"3 kg\"\ninertia = \"from-mesh\"\npos = [0, 0, 1]\n\
         shape = { type = \"mesh\", file = \"../../../../tests/bad/parts/tetrahedron.obj\", unit = \"cm\" }\n",
    ));
    let rock = &loaded.model.bodies[1];
    assert!((rock.com - Vec3::repeat(0.025)).norm() < 1e-12);
    assert_eq!(rock.mass, 3.0);
    assert_eq!(loaded.files.len(), 1);
}

#[test]
fn components_nest_and_move_as_one_piece() {
    let loaded = load(&ball(
        "[params]\ngap = \"1 m\"\n\
         [component.wheel]\nparams = { side = 1, r = \"0.1 m\" }\n\
         body.hub = { mass = \"1 kg\", pos = [0, \"side*0.5 m\", 0], vel = [\"1 m/s\", 0, 0], shape = { type = \"sphere\", radius = \"r\" } }\n\
         [component.axle]\n\
         use.left = { component = \"wheel\", with = { side = 1 } }\n\
         use.right = { component = \"wheel\", with = { side = -1, r = \"0.2 m\" } }\n\
         [use.car]\ncomponent = \"axle\"\ncount = 2\nlet = { x = \"i*gap\" }\n\
         pos = [\"x\", 0, 2]\nrot = { axis = \"z\", angle = \"90 deg\" }\nomega = [0, 0, \"2 rad/s\"]\n\
         [contact]\nc = { a = \"floor\", b = \"**.hub\", law = \"rubber\" }\n",
    ));
    let names: Vec<&str> = loaded.model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(
        names,
        ["floor", "car[0].left.hub", "car[0].right.hub", "car[1].left.hub", "car[1].right.hub"]
    );
    let hub = &loaded.model.bodies[3];
    assert!((hub.position - Vec3::new(0.5, 0.0, 2.0)).norm() < 1e-15);
    // ω × R p + R v = 2 z × (-0.5, 0, 0) + y.
    assert!((hub.velocity - Vec3::new(0.0, -1.0 + 1.0, 0.0)).norm() < 1e-15);
    assert_eq!(hub.angular_velocity, Vec3::new(0.0, 0.0, 2.0));
    assert!(matches!(loaded.model.bodies[2].shapes[0].shape, Shape::Sphere { radius, .. } if radius == 0.2));
    assert_eq!(loaded.model.pairs.len(), 4);
}

#[test]
fn lines_own_pairs_by_exactness_and_order() {
    let balls = "[component.b.body.ball]\nmass = 1\nshape = { type = \"sphere\", radius = 0.1 }\n\
                 [use.one]\ncomponent = \"b\"\npos = [0, 0, 1]\n[use.two]\ncomponent = \"b\"\npos = [1, 0, 1]\n\
                 [law.other]\npoint = { stiffness = 1e6, restitution = 1 }\n";
    let model = load(&ball(&format!(
        "{balls}[contact]\n\
         exact = {{ a = \"two.ball\", b = \"one.ball\", law = \"other\" }}\n\
         all = {{ a = \"*.ball\", b = \"*.ball\", law = \"rubber\" }}\n\
         floor = {{ a = \"floor\", b = \"*.ball\", law = \"rubber\" }}\n\
         none = {{ a = \"floor\", b = \"two.ball\", method = \"off\" }}\n"
    )))
    .model;
    let names: Vec<&str> = model.pairs.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["exact", "floor[floor|one.ball]"]);
    // The named line keeps its sides as written.
    assert!(model.pairs[0].a > model.pairs[0].b);
    assert!(model.contact_lines.iter().all(|l| l.method == Method::Auto));
}

#[test]
fn includes_extends_and_defaults() {
    let text = "format = 1\ninclude = [\"laws.toml\"]\n[world]\ngravity = [0, 0, 0]\n[solver]\nt_end = 1\n\
                [default.body]\nmass = \"2 kg\"\n[default.shape]\nradius = \"0.3 m\"\ncontact_radius = \"0.1 m\"\n\
                [body.a]\nshape = { type = \"sphere\" }\n[body.b]\npos = [1, 0, 0]\nmass = 1\nshape = { type = \"box\", size = [0.1, 0.1, 0.1] }\n\
                [contact]\nc = { a = \"a\", b = \"b\", method = \"analytic\", law = \"foam\" }\n";
    let loaded = load(text);
    assert_eq!((loaded.model.bodies[0].mass, loaded.model.bodies[1].mass), (2.0, 1.0));
    assert_eq!(loaded.model.bodies[1].shapes[0].contact_radius, Some(ContactRadius::Radius(0.1)));
    assert_eq!(loaded.model.laws.len(), 2);
    let variant = "format = 1\nname = \"slow\"\nextends = \"billiard.toml\"\n[params]\nv0 = \"1 m/s\"\n[law.cushion]\nmu = 0.1\n";
    let slow = load(variant);
    assert_eq!(slow.model.bodies[1].velocity.x, 1.0);
    assert_eq!((slow.model.laws[1].mu, slow.model.laws[1].v_reg), (Some(0.1), Some(0.001)));
    assert_eq!((slow.model.name.as_str(), slow.model.pairs.len()), ("slow", 200));
}

#[test]
fn overrides_change_the_document() {
    let changed = set(&[
        "params.d=\"50 mm\"",
        "law.cloth.mu=\"0.5\"",
        "solver.rtol=1e-6",
        "solver.atol.length=1e-9",
        "use.cue.pos[1]=\"0.2 m\"",
        "contact.balls.method=off",
        "component.ball.body.ball.mass=\"0.2 kg\"",
        "body.table.shape.cloth.at=[0, 0, 0.001]",
    ]);
    let model = try_load(BILLIARD, &changed).unwrap().model;
    assert!(matches!(model.bodies[1].shapes[0].shape, Shape::Sphere { radius, .. } if radius == 0.025));
    assert_eq!(
        (model.laws[0].mu, model.solver.rtol, model.solver.atol.length),
        (Some(0.5), 1e-6, Some(1e-9))
    );
    assert_eq!((model.bodies[1].position.y, model.bodies[1].mass, model.pairs.len()), (0.2, 0.2, 80));

    let more = Overrides {
        method: vec!["auto".into(), "balls=analytic".into()],
        t_end: Some("2 s".into()),
        ..Overrides::default()
    };
    let model = try_load(BILLIARD, &more).unwrap().model;
    assert_eq!(model.solver.t_end, 2.0);
    assert_eq!(
        model.contact_lines.iter().map(|l| l.method).collect::<Vec<_>>(),
        [Method::Auto, Method::Auto, Method::Analytic]
    );
}

/// In the file itself such a time is a mistake: E0504, `tests/bad/expect-after-end.toml`.
#[test]
fn a_shortened_run_leaves_out_what_it_does_not_reach_and_says_so() {
    let expect = "\n[expect]\n\"cue.ball.x @ 1 s\" = { above = 0 }\n\"cue.ball.x @ 4 s\" = { above = 0 }\n";
    let text = format!("{BILLIARD}{expect}");
    for shorter in
        [Overrides { t_end: Some("2 s".into()), ..Overrides::default() }, set(&["solver.t_end=\"2 s\""])]
    {
        let loaded = try_load(&text, &shorter).unwrap();
        let judged: Vec<&str> = loaded.expectations.iter().map(|e| e.text.as_str()).collect();
        assert_eq!(judged, ["cue.ball.x @ 1 s"]);
        let told: Vec<&str> = loaded.warnings.iter().map(|w| w.problem.code).collect();
        assert_eq!(told, ["W0515"]);
    }
    let longer = Overrides { t_end: Some("6 s".into()), ..Overrides::default() };
    let loaded = try_load(&text, &longer).unwrap();
    assert!(loaded.warnings.is_empty() && loaded.expectations.len() == 2);
}

#[test]
fn overrides_of_unknown_paths_are_errors() {
    for path in [
        "params.dd=1",
        "law.clth.mu=1",
        "solver.rtoll=1",
        "body.table.pos[0]=1",
        "nothing",
        "contact.balls.method.x=1",
    ] {
        assert_eq!(codes(BILLIARD, &set(&[path])), ["E0208"], "{path}");
    }
    let unknown = Overrides { method: vec!["ball=convex".into()], ..Overrides::default() };
    assert_eq!(codes(BILLIARD, &unknown), ["E0208"]);
    let rigid = Overrides { method: vec!["nonsmooth".into()], ..Overrides::default() };
    assert!(try_load(BILLIARD, &rigid).is_ok());
    let report = try_load(BILLIARD, &set(&["solver.rtol=-1"])).unwrap_err();
    let location = report.diagnostics[0].location.as_ref().unwrap();
    assert_eq!((location.file.as_str(), location.column, location.text.as_str()), ("--set", 13, "-1"));
}

#[test]
fn the_hash_is_of_the_physics() {
    let hash = |text: &str| load(text).hash;
    let original = hash(BILLIARD);
    let commented = BILLIARD
        .replace("# ball diameter", "# diameter")
        .replace("name   = \"billiard\"", "name = \"other\"");
    assert_eq!(hash(&commented), original);
    assert_eq!(
        hash(&BILLIARD.replace(
            "every = \"5 ms\"",
            "every = \"1 ms\"\n[view]\nfollow = \"cue\"\n[expect]\n\"cue.ball.z @ 1 s\" = { above = 0 }"
        )),
        original
    );
    // Tables in another order, a quantity in another unit.
    let (head, tail) = BILLIARD.split_at(BILLIARD.find("[solver]").unwrap());
    let (params, rest) = head.split_at(head.find("[law.cloth]").unwrap());
    assert_eq!(hash(&format!("{params}{tail}{rest}")), original);
    assert_eq!(hash(&BILLIARD.replace("\"170 g\"", "\"0.17 kg\"")), original);
    assert_ne!(hash(&BILLIARD.replace("\"170 g\"", "\"171 g\"")), original);
    let longer = BILLIARD.replace("t_end = \"5 s\"", "t_end = \"6 s\"");
    assert_ne!(hash(&longer), original);
    assert_eq!(load(&longer).resume_hash, load(BILLIARD).resume_hash);
}

#[test]
fn the_hash_is_of_rigid_laws_and_of_how_contacts_are_found() {
    let text = |line: &str, rigid: &str| {
        format!(
            "format = 1\n[world]\ngravity = [0, 0, 0]\n[law.l]\nmu = 0.3\npoint = {{ stiffness = 1e7, restitution = 0.5 }}\nnonsmooth = {{ {rigid} }}\n\
             [body.a]\nfixed = true\nshape = {{ type = \"box\", size = [1, 1, 1] }}\n\
             [body.b]\nmass = 1\ninertia = 0.1\npos = [0, 0, 2]\nshape = {{ type = \"box\", size = [1, 1, 1] }}\n\
             [contact]\nc = {{ a = \"a\", b = \"b\", law = \"l\", {line} }}\n[solver]\nt_end = \"1 s\"\n"
        )
    };
    let lines = [
        "method = \"nonsmooth\"",
        "method = \"nonsmooth\", detect = \"convex\"",
        "method = \"convex\"",
        "method = \"convex\", detect = \"mpr\"",
        "method = \"convex\", detect = \"mpr\", mpr_iterations = 7",
        "method = \"convex\", detect = \"mpr\", mpr_tolerance = 1e-3",
    ];
    let laws = [
        "e_n = 0.5",
        "e_n = 0.6",
        "e_n = 0.5, mu = 0.2",
        "e_n = 0.5, e_t = 0.1",
        "e_n = 0.5, e_t = 0.1, nu = 0.5",
    ];
    let laws = laws.iter().chain(&["e_n = 0.5, impact = \"newton\""]);
    let mut hashes: Vec<String> = lines.iter().map(|line| load(&text(line, "e_n = 0.5")).hash).collect();
    hashes.extend(laws.skip(1).map(|rigid| load(&text(lines[0], rigid)).hash));
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count, "models of other results have one hash");
}

#[test]
fn a_state_is_resumed_by_bodies_in_its_order() {
    let body = |name: &str, at: f64| format!("[body.{name}]\nmass = 1\ninertia = 1\npos = [{at}, 0, 0]\n");
    let of = |bodies: String| {
        load(&format!("format = 1\n[world]\ngravity = [0, 0, 0]\n{bodies}[solver]\nt_end = \"1 s\"\n"))
    };
    let (one, other) = (of(body("a", 0.0) + &body("b", 1.0)), of(body("b", 1.0) + &body("a", 0.0)));
    assert_eq!(one.hash, other.hash);
    assert_ne!(one.resume_hash, other.resume_hash);
}

#[test]
fn expectations_are_read() {
    let tables = "\n[expect]\n\"cue.ball.x @ 1 s\" = { value = \"10 cm\", tol = \"5 mm\" }\n\
                  \"energy.residual_relative final\" = { below = 1e-4 }\n\
                  \"cloth.fn max\" = { between = [\"1 N\", \"1 kN\"] }\n\"balls.begin count\" = { above = 3 }\n\
                  \"balls.begin[2].time\" = { below = \"500 ms\" }\n\"rack[3].ball.vz_m_s min\" = { above = -1 }\n";
    let loaded = load(&format!("{BILLIARD}{tables}"));
    let e = &loaded.expectations;
    assert_eq!(e.len(), 6);
    assert_eq!(
        (e[0].quantity.as_str(), &e[0].moment, e[0].condition),
        ("cue.ball.x", &Moment::At(1.0), Condition::Near { value: 0.1, tol: 0.005 })
    );
    assert_eq!((&e[1].moment, e[1].condition), (&Moment::End, Condition::Below(1e-4)));
    assert_eq!((&e[2].moment, e[2].condition), (&Moment::Max, Condition::Between(1.0, 1000.0)));
    assert_eq!((e[3].quantity.as_str(), &e[3].moment), ("balls.begin", &Moment::Count));
    assert_eq!(
        (e[4].quantity.as_str(), &e[4].moment),
        ("balls.begin", &Moment::Event { index: 2, column: "time".into() })
    );
    assert_eq!(loaded.model.output.probes, [1.0]);
}

#[test]
fn materials_come_with_the_program_and_can_be_replaced() {
    let text = ball(
        "[material.Steel]\nE = \"210 GPa\"\nnu = 0.3\ndensity = \"7850 kg/m^3\"\n\
         [material_pair.own]\na = \"Steel\"\nb = \"DryWood\"\nrestitution = 0.4\n\
         [law.hard]\npoint = {}\n\
         [body.ball]\npos = [0, 0, 1]\nshape = { type = \"sphere\", radius = 0.1, material = \"Steel\" }\n\
         [contact]\nc = { a = \"floor\", b = \"ball\", law = \"rubber\" }\n",
    );
    let loaded = load(&text);
    assert_eq!(loaded.model.materials[0].young_modulus, Some(2.1e11));
    assert!(loaded.notes.iter().any(|n| n.code == "N0201" && n.message.contains("replaces the shipped one")));
    assert_eq!(loaded.model.material_pairs.len(), 1);
    assert_eq!(loaded.model.laws[1].point.unwrap().normal, NormalKind::Exact);
}

#[test]
fn allowed_warnings_are_silent() {
    let falling =
        ball("[body.ball]\nmass = 1\nshape = { type = \"sphere\", radius = 0.1 }\npos = [0, 0, 1]\n");
    assert_eq!(codes(&falling, &Overrides::default()), ["W0302"]);
    let allowed = falling.replace("format = 1", "format = 1\nallow = [\"W0302\"]");
    assert_eq!(codes(&allowed, &Overrides::default()), [""; 0]);
}

#[test]
fn later_problems_find_their_place() {
    let loaded = load(BILLIARD);
    let problem = carom_engine::Problem::new("E0311", "body.rack[3].ball.mass", "test");
    let report = loaded.diagnose(vec![problem]);
    let location = report.diagnostics[0].location.as_ref().unwrap();
    assert_eq!(location.text, "\"170 g\"");
}

#[test]
fn the_examples_load_without_warnings() {
    for entry in std::fs::read_dir("../../examples").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|e| e != "toml") || path.to_string_lossy().ends_with(".study.toml") {
            continue;
        }
        match carom_io::load(&path, &Overrides::default()) {
            Ok(loaded) => assert_eq!(loaded.warnings, [], "{}", path.display()),
            Err(report) => panic!("{}", render_report(&report, Style::Plain)),
        }
    }
}
