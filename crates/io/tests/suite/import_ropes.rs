//! Spatial tendons of MJCF, and welds to what does not move.

use crate::import_kit::*;
use carom_engine::model::ForceKind;
use carom_io::import::Import;

/// Two balls at (0, 0, 1) and (3, 0, 5), 5 m apart between the sites at their centres, with a third site halfway on the first.
fn tendon(attributes: &str, middle: &str) -> String {
    format!(
        "<default><tendon width=\"0.1\"/></default><worldbody><body name=\"a\" pos=\"0 0 1\"><freejoint/><geom size=\"0.1\"/><site name=\"a\"/>\
         <frame pos=\"0.5 0 0\"><site name=\"m\" pos=\"1 0 2\"/></frame></body><body name=\"b\" pos=\"3 0 5\"><freejoint/>\
         <geom size=\"0.1\"/><site name=\"b\"/></body></worldbody><tendon><spatial name=\"t\" {attributes}><site site=\"a\"/>{middle}\
         <site site=\"b\"/></spatial></tendon>"
    )
}

#[test]
fn spatial_tendons_are_ropes_and_springs() {
    let over = "<site site=\"m\"/>";
    // A limit is a rope that does not stretch; at the start it may be too long for it.
    let import = mjcf(&tendon("limited=\"true\" range=\"0 6\"", over));
    assert!(import.problems.is_empty(), "{:#?}", import.problems);
    let model = toml(&import);
    assert_near(&model, "force.t.length", &[6.0]);
    assert_eq!(at(&model, "force.t.ideal").as_bool(), Some(true));
    let points = at(&model, "force.t.path").as_array().unwrap();
    assert_eq!(points.len(), 3);
    assert_eq!(points[1].as_table().unwrap()["at"].as_array().unwrap()[0].as_float(), Some(1.5));
    let short = mjcf(&tendon("limited=\"true\" range=\"0 4\"", ""));
    assert_eq!(codes(&short), ["W0801"]);
    assert_near(&toml(&short), "force.t.length", &[5.0]);
    // Between two points a spring also pushes; without a length it is relaxed as the file shows it.
    for (length, rest) in [("", 5.0), ("springlength=\"2\"", 2.0)] {
        let import = mjcf(&tendon(&format!("stiffness=\"7\" damping=\"0.5\" {length}"), ""));
        assert!(import.problems.is_empty());
        let forces = loaded(&import).model.forces;
        let ForceKind::SpringDamper { stiffness, damping, length, .. } = &forces[0].kind else {
            panic!("{forces:?}")
        };
        assert_eq!((*stiffness, *damping, *length), (7.0, 0.5, Some(rest)));
    }
    // With a dead band from 0, and over several sites, it pulls only: the latter is told.
    for (attributes, middle, told) in [
        ("stiffness=\"7\" springlength=\"0 6\"", over, vec![]),
        ("stiffness=\"7\" damping=\"0.5\"", over, vec!["W0801"]),
        ("stiffness=\"7\" springlength=\"4 6\"", "", vec!["W0801"]),
    ] {
        let import = mjcf(&tendon(attributes, middle));
        assert_eq!(codes(&import), told, "{attributes}");
        let forces = loaded(&import).model.forces;
        assert!(
            matches!(forces[0].kind, ForceKind::Cable { elasticity: Some(e), .. } if e.stiffness == 7.0),
            "{forces:?}"
        );
    }
    for (attributes, middle, code) in [
        ("limited=\"true\" range=\"1 6\"", "", "W0801"),
        ("limited=\"true\" range=\"6 1\"", "", "E0810"),
        ("stiffness=\"-1\"", "", "E0805"),
        ("", "<pulley divisor=\"2\"/>", "W0801"),
        ("", "<site site=\"n\"/>", "E0807"),
    ] {
        assert_eq!(codes(&mjcf(&tendon(attributes, middle))), [code], "{attributes} {middle}");
    }
}

/// Without a length of its own a tendon rests where the joints' springs do: `tendon_lengthspring` of MuJoCo 4.0.0. One within a body,
/// or between parts of the world, does nothing.
#[test]
fn tendons_rest_where_springs_do() {
    let text = |site: &str| {
        format!(
            "<compiler angle=\"radian\"/><worldbody><site name=\"w\" pos=\"1 0 0\"/><site name=\"v\"/><body>\
             <joint axis=\"0 1 0\" springref=\"0.4\" ref=\"0.1\" stiffness=\"1\"/><geom size=\"0.1\" pos=\"1 0 0\"/>\
             <site name=\"s\" pos=\"0.5 0.2 -1\"/></body></worldbody><tendon><spatial name=\"t\" stiffness=\"5\">\
             <site site=\"w\"/><site site=\"{site}\"/></spatial></tendon>"
        )
    };
    let forces = loaded(&mjcf(&text("s"))).model.forces;
    let ForceKind::SpringDamper { length: Some(length), .. } = &forces[0].kind else { panic!("{forces:?}") };
    assert!((length - 1.387_697_35).abs() < 1e-8, "{length}");
    let idle = mjcf(&text("v"));
    assert!(idle.problems.is_empty() && loaded(&idle).model.forces.is_empty(), "{:#?}", idle.problems);
}

/// Springs and dampers that are polynomials count by their first number, which is told.
#[test]
fn springs_that_are_polynomials_are_told() {
    let of = |joint: &str, cord: &str| {
        mjcf(&format!(
            "<worldbody><body><joint name=\"j\" {joint}/><geom size=\"0.1\"/></body></worldbody><tendon><fixed name=\"t\" {cord}>\
             <joint joint=\"j\" coef=\"1\"/></fixed></tendon>"
        ))
    };
    assert!(of("stiffness=\"3 0 0\" damping=\"1\"", "stiffness=\"2\"").problems.is_empty());
    let told = of("stiffness=\"3 1\"", "damping=\"2 0 4\"");
    assert_eq!(codes(&told), ["W0801", "W0801"]);
    assert_near(&toml(&told), "joint.j.spring.stiffness", &[3.0]);
    assert_near(&toml(&told), "force.t.damping", &[2.0]);
    let beyond = tendon("stiffness=\"1 2\"", "");
    assert_eq!(codes(&mjcf(&beyond)), ["W0801"]);
    let disabled = format!("<option actuatorgroupdisable=\"1\"/>{}", tendon("", ""));
    assert_eq!(codes(&mjcf(&disabled)), ["W0801"]);
}

/// A weld to the world gives as MuJoCo's does: m g/sag along each axis for the kilogram that it holds, whose sag is 0.367 mm. Where limits
/// have moved the arm it is held there, and nothing has to bend.
#[test]
fn welds_to_the_world_give_and_hold_what_limits_have_moved() {
    let weld = |range: &str, more: &str| {
        mjcf(&format!(
            "<compiler angle=\"radian\" autolimits=\"true\"/><worldbody><body name=\"m\" pos=\"1 0 0\"/><body name=\"arm\"><joint name=\"j\" {range}/>\
             <geom size=\"0.1\" mass=\"1\" pos=\"1 0 0\"/></body></worldbody><equality><weld name=\"w\" body1=\"m\" body2=\"arm\" {more}/></equality>"
        ))
    };
    let stiffness = |import: &Import| {
        let forces = loaded(import).model.forces;
        let ForceKind::Bushing { stiffness, damping, .. } = &forces[0].kind else { panic!("{forces:?}") };
        let [k, c] = [stiffness[(0, 0)], damping[(0, 0)]];
        assert!((c * c / (4.0 * k) - 1.0).abs() < 1e-12);
        k
    };
    let plain = weld("", "");
    assert!(plain.problems.is_empty());
    assert!((stiffness(&plain) * 0.000_367_181_842_5 / 9.81 - 1.0).abs() < 1e-6);
    assert!(stiffness(&weld("", "solref=\"0.005 1\"")) > 10.0 * stiffness(&plain));
    let moved = weld("range=\"0.5 1\"", "");
    assert_eq!(codes(&moved), ["W0801"]);
    assert!(moved.problems[0].problem.message.starts_with("\"w\" holds its link where"));
    let system = &loaded(&moved).system;
    let mut dynamics = carom_engine::analysis::Dynamics::new(system);
    assert!((dynamics.joint_position(0).unwrap()[0] - 0.5).abs() < 1e-12);
    let n = dynamics.freedoms().len();
    let acceleration =
        dynamics.forward_dynamics(&vec![0.0; n].into(), carom_engine::analysis::Loads::All).unwrap();
    // Nothing but its weight pulls: about the axis through z it has none.
    assert!(acceleration[0].abs() < 1e-9, "{acceleration}");
}
