//! MJCF: meshes made of vertices, moved and turned, primitives as large as meshes, and bodies that are there several times.

use std::f64::consts::PI;

use crate::import_kit::{assert_near, choices, codes, has, loaded, mjcf, numbers, toml};

/// The corner of a cube.
const CORNER: &str = "vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\"";

fn with_mesh(mesh: &str, geom: &str) -> String {
    format!(
        "<asset><mesh name=\"m\" {mesh}/></asset><worldbody><body name=\"a\"><freejoint/>\
         <geom name=\"g\" mesh=\"m\" {geom}/></body></worldbody>"
    )
}

/// Its mass is that of its volume, a sixth, its centre a quarter along each edge. About that the mean square of each coordinate is
/// 3/80, and of two of them -1/80. With the origin at one end, turned by a right angle about z, and stretched and mirrored, these go
/// along: x' = 2 y, y' = -(x - 1), z' = -z.
#[test]
fn vertices_in_the_file_are_a_solid() {
    let faces = "face=\"0 2 1 0 1 3 0 3 2 1 2 3\"";
    for more in ["", faces] {
        let model = toml(&mjcf(&with_mesh(&format!("{CORNER} {more}"), "type=\"mesh\"")));
        let mass = 1000.0 / 6.0;
        assert_near(&model, "body.a.mass", &[mass]);
        assert_near(&model, "body.a.com", &[0.25; 3]);
        let [own, mixed] = [mass * 3.0 / 40.0, mass / 80.0];
        assert_near(&model, "body.a.inertia", &[own, own, own, mixed, mixed, mixed]);
        let moved = format!(
            "{CORNER} {more} refpos=\"1 0 0\" refquat=\"1 0 0 1\" scale=\"2 1 -1\" inertia=\"exact\""
        );
        let import = mjcf(&with_mesh(&moved, "type=\"mesh\""));
        let model = toml(&import);
        let m = 2.0 * mass;
        assert_near(&model, "body.a.mass", &[m]);
        assert_near(&model, "body.a.com", &[0.5, 0.75, -0.25]);
        let squares = [4.0 * 3.0 / 80.0, 3.0 / 80.0, 3.0 / 80.0];
        let [xy, xz, yz] = [2.0 / 80.0, 2.0 / 80.0, -1.0 / 80.0];
        let [x, y, z] = squares;
        let inertia = [y + z, x + z, x + y, -xy, -xz, -yz].map(|s| m * s);
        assert_near(&model, "body.a.inertia", &inertia);
        // It touches by its hull, whose points are where its mass is.
        assert!(has(&model, "body.a.shape.points"), "{}", import.toml);
        loaded(&import);
    }
}

/// What does not move touches by the hull of its mesh, too: MuJoCo's rule for the world's geoms and those of fixed bodies.
#[test]
fn fixed_meshes_touch_by_their_hulls() {
    let scene = |more: &str| {
        format!(
            "<asset><mesh name=\"m\" {CORNER}/></asset><worldbody><geom name=\"w\" type=\"mesh\" mesh=\"m\" {more}/>\
             <body name=\"post\" pos=\"5 0 0\"><geom name=\"p\" type=\"mesh\" mesh=\"m\" {more}/></body>\
             <body name=\"ball\" pos=\"0 0 3\"><freejoint/><geom name=\"b\" size=\"0.1\"/></body></worldbody>"
        )
    };
    let import = mjcf(&scene(""));
    assert_eq!(codes(&import), [""; 0]);
    let model = loaded(&import).model;
    let hulls = model.pairs.iter().filter(|pair| model.bodies[pair.a.body].name != "floor").count();
    assert_eq!(hulls, 2, "{}", import.toml);
    assert!(
        choices(&import).contains("collision meshes touch as their convex hulls"),
        "{}",
        choices(&import)
    );
    // Those that the file has for drawing touch nothing.
    let drawn = mjcf(&scene("contype=\"0\" conaffinity=\"0\""));
    assert_eq!(loaded(&drawn).model.pairs.len(), 1);
}

#[test]
fn vertices_that_are_none_are_told() {
    for (mesh, code) in [
        ("vertex=\"0 0 0 1 0 0 0 1 0\"", "E0805"),
        ("vertex=\"0 0 0 1 0 0 0 1 0 0 0 1 2\"", "E0805"),
        ("vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 4\"", "E0805"),
        ("vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 2 3\"", "E0805"),
        ("builtin=\"sphere\" params=\"1\"", "E0812"),
        ("vertex=\"0 0 0 1 0 0 0 1 0 1 1 0\"", "E0812"),
    ] {
        let import = mjcf(&with_mesh(mesh, "type=\"mesh\""));
        assert_eq!(
            codes(&import).iter().filter(|c| c.starts_with('E')).collect::<Vec<_>>(),
            [&code],
            "{mesh}"
        );
    }
}

/// Of a block with the halves 0.1, 0.2 and 0.4: the one with its moments is the block itself, also where it lies turned, and its own
/// axes go from the shortest to the longest. By bounds, it is as wide as its
/// widest side.
#[test]
fn primitives_are_as_large_as_meshes() {
    let block: Vec<String> = (0..8)
        .map(|k| {
            let side = |bit: usize, half: f64| if k >> bit & 1 == 1 { half } else { -half };
            format!("{} {} {}", side(2, 0.4), side(1, 0.1), side(0, 0.2))
        })
        .collect();
    let mesh = format!("vertex=\"{}\" refpos=\"0 0 1\"", block.join(" "));
    let ball = |r: f64| 4.0 / 3.0 * PI * r.powi(3);
    let pipe = |r: f64, half: f64| 2.0 * PI * r * r * half;
    for (kind, by_moments, by_bounds) in [
        ("box", 0.064, 0.064),
        ("ellipsoid", 4.0 / 3.0 * PI * 0.008, 4.0 / 3.0 * PI * 0.008),
        ("sphere", ball(0.7 / 3.0), ball(0.4)),
        ("cylinder", pipe(0.15, 0.4), pipe(0.2, 0.4)),
        ("capsule", pipe(0.15, 0.4 - 0.075) + ball(0.15), pipe(0.2, 0.2) + ball(0.2)),
    ] {
        for (compiler, volume) in [("", by_moments), ("<compiler fitaabb=\"true\"/>", by_bounds)] {
            let text = compiler.to_owned() + &with_mesh(&mesh, &format!("type=\"{kind}\""));
            let model = toml(&mjcf(&text));
            let found = numbers(&model, "body.a.mass")[0];
            assert!((found - 1000.0 * volume).abs() < 1e-11 * found, "{kind} {compiler}: {found} {volume}");
            let com = numbers(&model, "body.a.com")[2];
            assert!((com + 1.0).abs() < 1e-14, "{kind} {compiler}: {com}");
            if kind != "sphere" {
                // The least moment is that about the longest edge.
                let moments = numbers(&model, "body.a.inertia");
                assert!(moments[0] < moments[1] && moments[0] < moments[2], "{kind} {compiler}: {moments:?}");
            }
        }
    }
    // A geom is a sphere unless it says another type, also with a mesh.
    let found = numbers(&toml(&mjcf(&with_mesh(&mesh, ""))), "body.a.mass")[0];
    assert!((found - 1000.0 * ball(0.7 / 3.0)).abs() < 1e-11 * found);
    let text = with_mesh(&mesh, "type=\"sphere\" fitscale=\"2\"");
    let found = numbers(&toml(&mjcf(&text)), "body.a.mass")[0];
    assert!((found - 8000.0 * ball(0.7 / 3.0)).abs() < 1e-11 * found);
    assert_eq!(codes(&mjcf(&with_mesh(CORNER, "type=\"plane\""))), ["E0812"]);
}

/// Each further along the axes of the last, and turned once more; those that name them are there as often, under the same numbers.
#[test]
fn what_is_replicated_is_there_several_times() {
    let body = |inner: &str| {
        format!("<body name=\"b\" pos=\"1 0 0\"><joint name=\"j\"/><geom size=\"0.1\"/>{inner}</body>")
    };
    let file = |more: &str| {
        format!(
            "<worldbody><replicate count=\"3\" sep=\"-\" offset=\"0 2 0\" euler=\"0 0 90\">{}</replicate></worldbody>{more}",
            body("")
        )
    };
    let model = toml(&mjcf(&file("")));
    // Frames at (0, 0), (0, 2), (-2, 2), turned by 0, 90 and 180 degrees.
    for (k, place) in [[1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [-3.0, 2.0, 0.0]].iter().enumerate() {
        assert_near(&model, &format!("joint.j-{k}.a.at"), place);
        assert!(has(&model, &format!("body.b-{k}")));
    }
    let named = "<tendon><fixed name=\"t\" stiffness=\"1\"><joint joint=\"j\" coef=\"2\"/></fixed></tendon>\
                 <actuator><motor name=\"m\" joint=\"j\"/><motor name=\"n\" tendon=\"t\"/></actuator>";
    let import = mjcf(&file(named));
    let model = toml(&import);
    for k in 0..3 {
        for name in ["m", "n", "t"] {
            assert!(has(&model, &format!("force.{name}-{k}")), "{}", import.toml);
        }
    }
    assert_eq!(loaded(&import).model.forces.len(), 9);
    // Numbers are as wide as the count, and within each other the inner one comes first.
    let many = format!("<worldbody><replicate count=\"10\">{}</replicate></worldbody>", body(""));
    assert!(has(&toml(&mjcf(&many)), "body.b09"));
    let inner = "<replicate count=\"2\" sep=\"_\" offset=\"0 0 1\"><body name=\"c\"><joint/><geom size=\"0.1\"/></body></replicate>";
    let nested =
        format!("<worldbody><replicate count=\"2\" sep=\"-\">{}</replicate></worldbody>", body(inner));
    let model = toml(&mjcf(&nested));
    assert!(
        ["b-0", "b-1", "c_0-0", "c_1-0", "c_0-1", "c_1-1"].iter().all(|b| has(&model, &format!("body.{b}")))
    );
    for count in ["0", "1.5", "1e7"] {
        let import =
            mjcf(&format!("<worldbody><replicate count=\"{count}\">{}</replicate></worldbody>", body("")));
        assert_eq!(codes(&import)[0], "E0805", "{count}");
    }
}
