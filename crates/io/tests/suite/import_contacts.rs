//! Which shapes of links may touch, against MuJoCo 4.0.0, and what an SRDF says.

use std::collections::BTreeSet;

use carom_io::import::{self, Options, SelfContact};

use crate::import_kit::*;

/// Bodies whose spheres are all within a margin of 100 m of each other. `{t.geom for t in d.contact}` of MuJoCo has the pairs that
/// are tested for below, with `<geom margin="100"/>` and `<pair margin="100"/>` among its defaults.
const SCENE: &str = r#"
  <worldbody><geom name="ground" type="plane" size="1 1 1"/><geom name="wall" type="box" size=".1 .1 .1" pos="3 0 0"/>
    <body name="post" pos="0 3 1"><geom name="post" size=".1"/>
      <body name="a" pos="0 0 1"><joint/><geom name="a" size=".1"/><geom name="a2" size=".1" contype="2" conaffinity="4"/>
        <body name="b" pos="0 0 1"><joint/><geom name="b" size=".1"/>
          <body name="flange" pos="0 0 .5"><geom name="flange" size=".1"/>
            <body name="c" pos="0 0 1"><joint/><joint axis="0 1 0"/><geom name="c" size=".1"/>
              <geom name="ghost" size=".1" contype="0" conaffinity="0"/>
              <body name="d" pos="0 0 1"><joint/><geom name="d" size=".1" contype="4" conaffinity="2"/></body>
            </body>
          </body>
        </body>
      </body>
    </body>
    <body name="e" pos="5 0 1"><freejoint/><geom name="e" size=".1"/></body>
  </worldbody>
  <contact><exclude body1="e" body2="c"/><pair geom1="ghost" geom2="e"/>
    <pair geom1="d" geom2="c" friction="0.3 0.3 .1 .1 .1"/></contact>
"#;

/// Names of the shapes of all pairs of a model, each in order.
fn pairs(import: &import::Import) -> BTreeSet<[String; 2]> {
    let model = loaded(import).model;
    let name = |s: carom_engine::model::ShapeRef| {
        let full = &model.bodies[s.body].shapes[s.shape].name;
        full.rsplit('.').next().unwrap_or_default().to_owned()
    };
    let ordered = |mut names: [String; 2]| {
        names.sort();
        names
    };
    model.pairs.iter().map(|p| ordered([name(p.a), name(p.b)])).collect()
}

#[test]
fn the_pairs_are_those_of_mujoco() {
    let import = mjcf(SCENE);
    assert_eq!(codes(&import), [""; 0]);
    let wanted = [
        ["a", "c"],
        ["a", "e"],
        ["a", "ground"],
        ["a", "post"],
        ["a", "wall"],
        ["a2", "d"],
        ["b", "e"],
        ["b", "ground"],
        ["b", "post"],
        ["b", "wall"],
        ["c", "d"],
        ["c", "ground"],
        ["c", "post"],
        ["c", "wall"],
        ["e", "flange"],
        ["e", "ghost"],
        ["e", "ground"],
        ["e", "post"],
        ["e", "wall"],
        ["flange", "ground"],
        ["flange", "post"],
        ["flange", "wall"],
    ];
    assert_eq!(pairs(&import), wanted.map(|pair| pair.map(str::to_owned)).into());
    // The pair's own friction.
    let model = toml(&import);
    let own = at(&model, "law").as_table().unwrap().values().filter(|law| law["mu"].as_float() == Some(0.3));
    assert_eq!(own.count(), 1);
}

#[test]
fn links_may_be_kept_from_touching() {
    let none = mjcf_with(SCENE, &Options { self_contact: SelfContact::None, ..Options::default() });
    assert!(pairs(&none).iter().all(|pair| pair.contains(&"ground".to_owned())));
    assert!(choices(&none).contains("links do not touch each other"));
}

/// What overlaps at the start would burst apart: it is told with its depth. Two balls of 0.1 m, 0.15 m apart, overlap by 50 mm.
#[test]
fn what_overlaps_at_the_start_is_told_and_left_out() {
    let ball = |name: &str, x: f64| {
        format!(
            "<body name=\"{name}\" pos=\"{x} 0 1\"><freejoint/><geom name=\"g{name}\" size=\"0.1\"/></body>"
        )
    };
    let text = format!("<worldbody>{}{}{}</worldbody>", ball("a", 0.0), ball("b", 0.15), ball("c", 0.4));
    let import = mjcf(&text);
    assert_eq!(codes(&import), ["W0801"]);
    let message = &import.problems[0].problem.message;
    assert!(message.contains("1 pairs") && message.contains("\"ga\" and \"gb\" by 50.0 mm"), "{message}");
    let found = pairs(&import);
    assert!(
        found.contains(&["b".to_owned(), "c".to_owned()])
            && !found.contains(&["a".to_owned(), "b".to_owned()])
    );
}

/// Frictionless only where both are, the higher priority alone, the greater friction of equals; MuJoCo's softness as a sag.
#[test]
fn how_surfaces_touch_is_mujocos() {
    let law = |first: &str, second: &str| {
        let text = format!(
            "<worldbody><geom type=\"plane\" size=\"1 1 1\" {first}/><body pos=\"0 0 1\"><freejoint/>\
             <inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/><geom size=\"0.1\" {second}/></body></worldbody>"
        );
        let model = loaded(&mjcf(&text)).model;
        let law = &model.laws[model.contact_lines[0].law];
        (law.mu.unwrap(), law.point.as_ref().unwrap().stiffness.unwrap())
    };
    // Two digits of 2 kg · 9.81 m/s² over sag^1.5; the default sag is 0.367 mm.
    assert_eq!(law("", ""), (1.0, 2.8e6));
    assert_eq!(law("friction=\"0.2\" condim=\"1\"", "friction=\"0.7\" condim=\"1\"").0, 0.0);
    assert_eq!(law("friction=\"0.2\" condim=\"1\"", "friction=\"0.7\"").0, 0.7);
    assert_eq!(law("friction=\"0.2\" priority=\"1\"", "friction=\"0.7\"").0, 0.2);
    // Both stiff: sag 27.3 um.
    let stiff = "solref=\"0.005 1\"";
    assert_eq!(law(stiff, stiff).1, 1.4e8);
    assert_eq!(law(&format!("{stiff} priority=\"2\""), "").1, 1.4e8);
}

/// As many components of friction as the greater `condim` has, each the greater of both; a pair has its own.
#[test]
fn friction_acts_against_drilling_and_rolling_too() {
    let of = |ball: &str, plane: &str, pair: &str| {
        let text = format!(
            "<worldbody><geom name=\"p\" type=\"plane\" size=\"1 1 1\" {plane}/><body pos=\"0 0 1\"><freejoint/><geom name=\"b\" \
             size=\"0.1\" {ball}/></body></worldbody><contact>{pair}</contact>"
        );
        let rolling = loaded(&mjcf(&text)).model.laws[0].rolling;
        [rolling.spin_arm.unwrap_or(0.0), rolling.roll_arm.unwrap_or(0.0)]
    };
    assert_eq!(of("", "", ""), [0.0, 0.0]);
    assert_eq!(of("condim=\"4\"", "", ""), [0.005, 0.0]);
    assert_eq!(of("condim=\"6\"", "", ""), [0.005, 0.0001]);
    assert_eq!(
        of("condim=\"6\" friction=\"1 0.02 0.0003\"", "friction=\"1 0.03 0.0002\"", ""),
        [0.03, 0.0003]
    );
    // Of the higher priority alone.
    assert_eq!(of("condim=\"6\"", "priority=\"1\"", ""), [0.0, 0.0]);
    let pair = "<pair geom1=\"p\" geom2=\"b\" condim=\"6\" friction=\"1 1 0.04 0.0005 0.0005\"/>";
    assert_eq!(of("", "", pair), [0.04, 0.0005]);
    // Geoms have no say in a pair, which has MuJoCo's defaults where it states nothing.
    let pair = |more: &str| format!("<pair geom1=\"p\" geom2=\"b\" {more}/>");
    let ball = "condim=\"6\" friction=\"2 0.02 0.0003\"";
    assert_eq!(of(ball, ball, &pair("")), [0.0, 0.0]);
    assert_eq!(of(ball, ball, &pair("condim=\"6\" friction=\"1 1 0.04\"")), [0.04, 0.0001]);
    let wrong = mjcf("<worldbody><body><freejoint/><geom size=\"0.1\" condim=\"5\"/></body></worldbody>");
    assert_eq!(codes(&wrong), ["E0805"]);
}

/// What a list does not state stays that of the defaults: `geom_friction`, `geom_size` and `pair_friction` of MuJoCo 4.0.0.
#[test]
fn lists_that_state_less_keep_the_rest_of_the_defaults() {
    let text = |pair: &str| {
        format!(
            "<default><geom friction=\"0.9 0.02 0.003\" size=\"0.1 0.3\"/><pair friction=\"0.8 0.8 0.06\" condim=\"4\"/>\
             <default class=\"c\"><geom friction=\"0.5 0.04\"/></default></default><worldbody>\
             <geom name=\"p\" type=\"plane\" size=\"1 1 1\"/><body pos=\"0 0 1\"><freejoint/>\
             <geom name=\"b\" type=\"capsule\" class=\"c\" size=\"0.2\" friction=\"0.4\" condim=\"6\" priority=\"1\"/></body></worldbody>\
             <contact>{pair}</contact>"
        )
    };
    let rolling = |import: &import::Import| {
        let law = &loaded(import).model.laws[0];
        (law.rolling.spin_arm, law.rolling.roll_arm)
    };
    let plain = mjcf(&text(""));
    assert_eq!(rolling(&plain), (Some(0.04), Some(0.003)));
    assert_near(&toml(&plain), "law.floor.mu", &[0.4]);
    assert_near(&toml(&plain), "body.body1.shape.length", &[0.6]);
    let paired = mjcf(&text("<pair geom1=\"p\" geom2=\"b\" friction=\"0.7 0.7\"/>"));
    assert_eq!(rolling(&paired).0, Some(0.06));
    assert!(paired.problems.is_empty());
    // One coefficient of two is another across.
    assert_eq!(codes(&mjcf(&text("<pair geom1=\"p\" geom2=\"b\" friction=\"0.7\"/>"))), ["W0801"]);
}

/// A bracket of two plates: its hull fills the corner, its parts do not. Against a floor alone the hull is enough.
#[test]
fn meshes_that_may_touch_others_touch_in_convex_parts() {
    let folder = std::env::temp_dir().join("carom-import-bracket");
    std::fs::create_dir_all(&folder).unwrap();
    // Two boxes that share a face, as one closed surface: an L of 0.3 x 0.3 with legs of 0.1, 0.1 deep.
    let outline = [(0.0, 0.0), (0.3, 0.0), (0.3, 0.1), (0.1, 0.1), (0.1, 0.3), (0.0, 0.3)];
    let mut text = String::new();
    for z in [0.0, 0.1] {
        outline.iter().for_each(|(x, y)| text.push_str(&format!("v {x} {y} {z}\n")));
    }
    let caps = [[1, 2, 3], [1, 3, 4], [1, 4, 6], [4, 5, 6]];
    caps.iter()
        .for_each(|[a, b, c]| text.push_str(&format!("f {a} {c} {b}\nf {} {} {}\n", a + 6, b + 6, c + 6)));
    for k in 1..=6 {
        let next = k % 6 + 1;
        text.push_str(&format!("f {k} {next} {}\nf {k} {} {}\n", next + 6, next + 6, k + 6));
    }
    std::fs::write(folder.join("bracket.obj"), text).unwrap();
    let mesh = "<collision><geometry><mesh filename=\"bracket.obj\"/></geometry></collision>";
    let robot = format!(
        "<robot name=\"r\">{}{}{}</robot>",
        link("a", mesh),
        link("b", ""),
        joint("j", "continuous", "a", "b", "")
    );
    let shapes = |self_contact: SelfContact| {
        let options = Options { self_contact, ..Options::default() };
        let import = import::urdf(&robot, &folder.join("r.urdf"), &options);
        let model = import.toml.parse::<toml::Table>().unwrap();
        let shapes = match at(&model, "body.a").get("shape").unwrap().as_table().unwrap() {
            one if one.contains_key("type") => vec![one["type"].as_str().unwrap().to_owned()],
            many => many.values().map(|s| s["type"].as_str().unwrap().to_owned()).collect(),
        };
        (shapes, choices(&import))
    };
    let (alone, told) = shapes(SelfContact::Auto);
    assert_eq!(alone, ["hull"]);
    // The middle of the hull's side from (0.3, 0.1) to (0.1, 0.3) is 0.1 away from both legs.
    let reach: f64 = told.split("which reach ").nth(1).unwrap().split(" mm").next().unwrap().parse().unwrap();
    assert!((99.9..102.0).contains(&reach), "{told}");
    let (parts, told) = shapes(SelfContact::All);
    assert_eq!(parts, ["hull", "hull"]);
    assert!(told.contains("0.0 mm beyond \"bracket.obj\" in 2 convex parts"), "{told}");
}

/// An octahedron that is turned by 45 degrees about x: its lowest corners are r/√2 below its middle, those of the box around it √2 r.
#[test]
fn a_turned_mesh_starts_at_the_height_of_its_lowest_corner() {
    let folder = std::env::temp_dir().join("carom-import-octahedron");
    std::fs::create_dir_all(&folder).unwrap();
    let corners = "v 0.1 0 0\nv -0.1 0 0\nv 0 0.1 0\nv 0 -0.1 0\nv 0 0 0.1\nv 0 0 -0.1\n";
    let faces = "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    std::fs::write(folder.join("octahedron.obj"), corners.to_owned() + faces).unwrap();
    let mesh = "<collision><origin rpy=\"0.785398163397448 0 0\"/><geometry><mesh filename=\"octahedron.obj\"/></geometry></collision>";
    let robot = format!("<robot name=\"r\">{}</robot>", link("a", mesh));
    let import = import::urdf(&robot, &folder.join("r.urdf"), &Options::default());
    let model = import.toml.parse::<toml::Table>().unwrap();
    let height = at(&model, "body.a.pos").as_array().unwrap()[2].as_float().unwrap();
    assert!((height - (0.1 + 0.1 / 2.0_f64.sqrt())).abs() < 1e-9, "{height}");
}

/// A chain of four links that would all touch: adjacent ones do not, nor what the SRDF disables.
#[test]
fn an_srdf_says_which_links_do_not_touch() {
    let ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let links: String = ["a", "b", "c", "d"].into_iter().map(|name| link(name, ball)).collect();
    let far = "<origin xyz=\"0 0 1\"/><axis xyz=\"1 0 0\"/><limit lower=\"-1\" upper=\"1\"/>";
    let joints = ["ab", "bc", "cd"].into_iter().map(|j| joint(j, "revolute", &j[..1], &j[1..], far));
    let text = links + &joints.collect::<String>();
    let none = urdf(&text);
    assert_eq!(loaded(&none).model.pairs.len(), 4);
    assert!(choices(&none).contains("links do not touch each other (3 pairs of shapes): --self-contact all"));
    let all = urdf_with(&text, &Options { self_contact: SelfContact::All, ..Options::default() });
    assert_eq!(loaded(&all).model.pairs.len(), 4 + 3);
    let path = std::env::temp_dir().join("carom-import-contacts.srdf");
    let srdf = "<robot name=\"r\"><group name=\"arm\"/><disable_collisions link1=\"c\" link2=\"a\" reason=\"Never\"/>\
                <disable_collisions link1=\"a\" link2=\"x\"/></robot>";
    std::fs::write(&path, srdf).unwrap();
    let some = urdf_with(&text, &Options { srdf: Some(path.clone()), ..Options::default() });
    std::fs::remove_file(path).unwrap();
    // A name that is not there keeps nothing from touching.
    assert_eq!(codes(&some), ["W0801"]);
    assert!(some.problems[0].problem.message.contains("the link \"x\""), "{:?}", some.problems[0]);
    let found = pairs(&some);
    assert!(found.contains(&["a".to_owned(), "d".to_owned()]) && found.len() == 4 + 2, "{found:?}");
    let missing = urdf_with(&text, &Options { srdf: Some("no.srdf".into()), ..Options::default() });
    assert_eq!(codes(&missing), ["E0204"]);
}

/// Friction of links that Gazebo is told, of all their collisions, also where a fixed joint merges them: on the floor that of the link,
/// but no more than Gazebo's ground has; of two links the less, with 0.6 for one that states none.
#[test]
fn friction_of_gazebo_is_that_of_the_links() {
    let ball = "<collision><geometry><sphere radius=\"0.1\"/></geometry></collision>";
    let at =
        |x: f64| format!("<origin xyz=\"{x} 0 0\"/><axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/>");
    let links = ["base", "foot", "wheel", "tip", "plain"].map(|name| link(name, ball)).concat()
        + &joint("j1", "revolute", "base", "foot", &at(1.0))
        + &joint("j2", "revolute", "foot", "wheel", &at(1.0))
        + &joint("j3", "fixed", "wheel", "tip", "<origin xyz=\"0 0 1\"/>")
        + &joint("j4", "revolute", "wheel", "plain", &at(1.0));
    let told = |name: &str, more: &str| format!("<gazebo reference=\"{name}\">{more}</gazebo>\n");
    let surface = |friction: &str| {
        format!("<collision><surface><friction><ode>{friction}</ode></friction></surface></collision>")
    };
    let gazebo = told("base", "<mu1>0.8</mu1><mu2>0.8</mu2>")
        + &told("foot", "<mu1 value=\"500.0\"/><mu2 value=\"500.0\"/><material>Gazebo/Red</material>")
        + &told("wheel", "<mu1>0</mu1><mu2>0</mu2>")
        + &told("tip", "<mu1> 0.3 </mu1><mu2>0.3</mu2>");
    let options = Options { self_contact: SelfContact::All, ..Options::default() };
    let import = urdf_with(&(links.clone() + &gazebo), &options);
    assert_eq!(codes(&import), [""; 0]);
    // What is taken over whole is not left out.
    assert_eq!(left_out(&import), ["<gazebo> [line 12]"]);
    let model = loaded(&import).model;
    let mu = |first: &str, second: &str| {
        let has = |pair: &carom_engine::model::ContactPair, name: &str| {
            [pair.a, pair.b].iter().any(|s| model.bodies[s.body].shapes[s.shape].name.ends_with(name))
        };
        let pair = model.pairs.iter().find(|pair| has(pair, first) && has(pair, second)).unwrap();
        model.laws[model.contact_lines[pair.line].law].mu.unwrap()
    };
    for (link, own) in [("base", 0.8), ("foot", 100.0), ("wheel", 0.0), ("tip", 0.3), ("plain", 0.6)] {
        assert_eq!(mu(link, "floor"), own, "{link}");
    }
    assert_eq!([mu("base", "plain"), mu("foot", "plain"), mu("base", "tip")], [0.6, 0.6, 0.3]);
    for (of, code) in [
        (told("base", "<mu1>0.8</mu1><mu2>0.7</mu2>"), "W0801"),
        (told("base", "<mu2>0.7</mu2>"), "W0801"),
        (told("nothing", "<mu1>0.7</mu1>"), "W0801"),
        ("<gazebo><mu1>0.7</mu1></gazebo>".to_owned(), "W0801"),
        (told("base", "<mu1>-0.1</mu1>"), "E0805"),
        (told("base", "<mu1>rough</mu1>"), "W0801"),
        (told("base", "<mu1>1e400</mu1>"), "W0801"),
        (told("base", "<mu1>1e31</mu1>"), "W0801"),
        (told("base", "<mu1>0.5 0.5</mu1>"), "W0801"),
        // A <mu2> that is not there is 1; of one that cannot be read that alone is told.
        (told("base", "<mu1>0.7</mu1>"), "W0801"),
        (told("base", "<mu1>0.7</mu1><mu2/>"), "W0801"),
        (told("base", &surface("<mu>0.7</mu>")), "W0801"),
        (told("base", &surface("<mu1>0.7</mu1>")), "W0801"),
    ] {
        assert_eq!(codes(&urdf(&(links.clone() + &of))), [code], "{of}");
    }
    // All blocks of a link count together, of each coefficient the last that can be read.
    for (of, own) in [
        (told("base", "<mu1>0.8</mu1>") + &told("base", "<mu2>0.8</mu2>"), 0.8),
        (told("base", "<mu2>0.8</mu2>") + &told("base", "<mu1>0.7</mu1><mu1>0.8</mu1>"), 0.8),
        (told("base", "<mu1>0.8</mu1><mu2>0.8</mu2>") + &told("base", "<mu1>0.9</mu1><mu2>0.9</mu2>"), 0.9),
        (told("base", "<mu1>1</mu1>"), 1.0),
    ] {
        let import = urdf(&(links.clone() + &of));
        assert_eq!((codes(&import), left_out(&import)), (vec![], vec![]), "{of}");
        let model = loaded(&import).model;
        assert!(model.laws.iter().any(|law| law.mu == Some(own)), "{of}");
    }
}

/// Where MuJoCo 4.0.0 lets bodies rest on a plane, less what they sink: `d.contact[0].includemargin` is the sum of both margins, whatever
/// the gaps are. A shape is greater by its margin on every side, a plane higher.
#[test]
fn margins_of_both_surfaces_add() {
    let scene = |plane: &str, geom: &str, height: f64, more: &str| {
        mjcf(&format!(
            "<worldbody><geom name=\"p\" type=\"plane\" size=\"1 1 1\" {plane}/><body name=\"b\" pos=\"0 0 {height}\"><freejoint/>\
             <inertial pos=\"0 0 0\" mass=\"2\" diaginertia=\"1 1 1\"/><geom name=\"g\" {geom}/></body></worldbody>{more}"
        ))
    };
    let (plane, margin) = ("margin=\"0.02\" gap=\"0.01\"", "margin=\"0.05\" gap=\"0.03\"");
    for (shape, size, rounding, method) in [
        ("sphere", "0.1", None, "analytic"),
        ("capsule", "0.1 0.2", None, "analytic"),
        ("box", "0.1 0.2 0.3", Some(0.05), "convex"),
        ("cylinder", "0.1 0.2", Some(0.05), "convex"),
        ("ellipsoid", "0.1 0.2 0.3", Some(0.05), "convex"),
    ] {
        let import = scene(plane, &format!("type=\"{shape}\" size=\"{size}\" {margin}"), 1.0, "");
        assert_eq!(codes(&import), [""; 0], "{shape}");
        let model = toml(&import);
        match rounding {
            Some(_) => assert_near(&model, "body.b.shape.rounding", &[0.05]),
            None => assert_near(&model, "body.b.shape.radius", &[0.15]),
        }
        assert_near(&model, "body.scene.shape.at", &[0.0, 0.0, 0.02]);
        assert_eq!(at(&model, "contact.b.method").as_str(), Some(method));
        loaded(&import);
    }
    // What starts within margins keeps none, nor does what it starts over.
    let sphere = "size=\"0.1\" margin=\"0.05\"";
    let within = scene(plane, sphere, 0.169, "");
    assert_eq!(codes(&within), ["W0801"]);
    let said = |import: &import::Import| import.problems[0].problem.message.clone();
    assert!(said(&within).starts_with("the margins of \"p\", \"g\" are not"), "{}", said(&within));
    let alone = scene("", sphere, 0.149, "");
    assert!(said(&alone).starts_with("the margin of \"g\" is not"), "{}", said(&alone));
    assert_near(&toml(&within), "body.b.shape.radius", &[0.1]);
    assert!(!has(&toml(&within), "body.scene.shape.at"));
    assert_eq!(codes(&scene(plane, sphere, 0.171, "")), [""; 0]);
    // What starts where it rests, 0.37 mm deep by its weight, keeps them.
    assert_eq!(codes(&scene(plane, sphere, 0.1697, "")), [""; 0]);
    // A pair has its own margin: told, unless it is that of the shapes.
    let pair =
        |margin: f64| format!("<contact><pair geom1=\"p\" geom2=\"g\" margin=\"{margin}\"/></contact>");
    let untouchable = "size=\"0.1\" margin=\"0.05\" contype=\"0\" conaffinity=\"0\"";
    assert_eq!(codes(&scene("", untouchable, 1.0, &pair(0.05))), ["W0801"]);
    assert_eq!(codes(&scene("", untouchable, 1.0, &pair(0.0))), [""; 0]);
    assert_eq!(codes(&scene("", sphere, 1.0, &pair(0.05))), [""; 0]);
    // 0.1 + 0.2 is not 0.3 to the last bit.
    assert_eq!(codes(&scene("margin=\"0.1\"", "size=\"0.1\" margin=\"0.2\"", 1.0, &pair(0.3))), [""; 0]);
    assert_eq!(codes(&scene("", "size=\"0.1\" margin=\"-0.05\"", 1.0, "")), ["W0801"]);
}

/// The mass is that of the geom as it is drawn, whatever its margin.
#[test]
fn margins_have_no_mass() {
    let body = |margin: f64| {
        let import = mjcf(&format!(
            "<worldbody><body name=\"b\" pos=\"0 0 1\"><freejoint/><geom type=\"box\" size=\"0.1 0.2 0.3\" density=\"500\" \
             margin=\"{margin}\"/></body></worldbody>"
        ));
        let mut body = at(&toml(&import), "body.b").as_table().unwrap().clone();
        assert_near(&body, "mass", &[24.0]);
        body.remove("shape").unwrap();
        body
    };
    assert_eq!(body(0.05), body(0.0));
}

/// An octahedron on an edge reaches 0.1/√2 below its middle, the box around it 0.1·√2.
#[test]
fn margins_of_tilted_meshes_count_from_the_mesh() {
    let folder = std::env::temp_dir().join("carom-import-margin");
    std::fs::create_dir_all(&folder).unwrap();
    let vertices = "v .1 0 0\nv -.1 0 0\nv 0 .1 0\nv 0 -.1 0\nv 0 0 .1\nv 0 0 -.1\n";
    let faces = "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";
    std::fs::write(folder.join("octahedron.obj"), format!("{vertices}{faces}")).unwrap();
    let at = |height: f64| {
        let text = format!(
            "<mujoco><asset><mesh name=\"o\" file=\"octahedron.obj\"/></asset><worldbody><geom type=\"plane\" size=\"1 1 1\"/>\
             <body name=\"b\" pos=\"0 0 {height}\" euler=\"45 0 0\"><freejoint/><geom type=\"mesh\" mesh=\"o\" margin=\"0.02\"/></body>\
             </worldbody></mujoco>"
        );
        import::mjcf(&text, &folder.join("m.xml"), &Options::default())
    };
    assert_eq!(codes(&at(0.0712 + 0.02)), [""; 0]);
    assert_eq!(codes(&at(0.0702 + 0.02 - 4e-4)), ["W0801"]);
}

/// Links that their margins alone make overlap touch where their surfaces meet, in place of not at all.
#[test]
fn margins_do_not_keep_links_from_touching() {
    let scene = |gap: f64| {
        let ball = |name: &str, x: f64| {
            format!(
                "<body name=\"{name}\" pos=\"{x} 0 1\"><freejoint/><geom name=\"{name}\" size=\"0.1\" margin=\"0.02\"/></body>"
            )
        };
        mjcf(&format!("<worldbody>{}{}</worldbody>", ball("a", 0.0), ball("b", 0.2 + gap)))
    };
    for (gap, code, radius) in [(0.041, None, 0.12), (0.03, Some("W0801"), 0.1)] {
        let import = scene(gap);
        assert_eq!(codes(&import), Vec::from_iter(code), "{gap}");
        assert_near(&toml(&import), "body.a.shape.radius", &[radius]);
        assert!(pairs(&import).contains(&["a".to_owned(), "b".to_owned()]), "{gap}");
    }
}
