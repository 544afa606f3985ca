//! Convex shapes and hulls in model files: what they become, their masses, and what serves their pairs.

use crate::kit::{codes, load};
use carom_geometry::convex::{ConvexShape, Core};
use carom_geometry::{MassProperties, Shape};
use carom_io::pair_table;
use carom_math::Vec3;

const PARTS: &str = "../../../../tests/bad/parts";

/// A body over a floor, with a law that needs nothing more.
fn over_floor(shape: &str, body: &str, method: &str) -> String {
    format!(
        "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[solver]\nt_end = 1\n\
         [law.l]\npoint = {{ normal = \"exact\", stiffness = 1e6, restitution = 0.5 }}\n\
         [body.floor]\nfixed = true\nshape = {{ type = \"half-space\" }}\n\
         [body.b]\npos = [0, 0, 9]\n{body}\nshape = {{ {shape} }}\n\
         [contact]\nc = {{ a = \"floor\", b = \"b\", method = \"{method}\", law = \"l\" }}\n"
    )
}

const SHAPES: [(&str, &str); 9] = [
    ("type = \"cone\", radius = \"30 cm\", length = \"60 cm\", axis = \"x\"", "cone"),
    ("type = \"frustum\", radii = [0.1, 0.3], length = 0.2", "frustum"),
    ("type = \"beam\", length = 1, width = 0.2, thickness = 0.1", "beam"),
    ("type = \"ellipsoid\", semi_axes = [0.1, 0.2, 0.3]", "ellipsoid"),
    ("type = \"superellipsoid\", semi_axes = [0.1, 0.2, 0.3], exponents = [0.5, 1.2]", "superellipsoid"),
    ("type = \"hull\", points = [[0, 0, 0], [\"1 m\", 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]", "hull"),
    ("type = \"hull\", file = \"PARTS/dented.obj\", unit = \"cm\", rounding = \"1 mm\"", "hull"),
    ("type = \"box\", size = [1, 2, 3], rounding = \"1 cm\"", "box"),
    ("type = \"cylinder\", radius = 1, length = 2, rounding = 0.1, axis = \"-y\"", "cylinder"),
];

fn shape_of(keys: &str) -> Shape {
    let text = over_floor(&keys.replace("PARTS", PARTS), "mass = 1\ninertia = 1", "auto");
    load(&text).model.bodies[1].shapes[0].shape.clone()
}

#[test]
fn every_type_is_the_shape_that_it_says() {
    for (keys, name) in SHAPES {
        assert_eq!(shape_of(keys).name(), name, "{keys}");
    }
    let solid = |core: Core, radius: f64| Shape::Convex(ConvexShape { core, radius });
    let frustum =
        |radius_low, radius_high, half_length| Core::Frustum { radius_low, radius_high, half_length };
    assert_eq!(shape_of(SHAPES[0].0), solid(frustum(0.3, 0.0, 0.3), 0.0));
    assert_eq!(shape_of(SHAPES[1].0), solid(frustum(0.1, 0.3, 0.1), 0.0));
    let beam = Core::Beam { half_length: 0.5, half_width: 0.1, half_thickness: 0.05 };
    assert_eq!(shape_of(SHAPES[2].0), solid(beam, 0.0));
    assert_eq!(shape_of(SHAPES[7].0), solid(Core::Box { half: Vec3::new(0.5, 1.0, 1.5) }, 0.01));
    assert_eq!(shape_of(SHAPES[8].0), solid(frustum(1.0, 1.0, 1.0), 0.1));
    // Without rounding the kernels of closed form serve it.
    assert_eq!(
        shape_of("type = \"box\", size = [1, 2, 3], rounding = 0"),
        shape_of("type = \"box\", size = [1, 2, 3]")
    );
}

/// The hull of a cube with a dent is the cube; a point within a tetrahedron is no vertex of it.
#[test]
fn hulls_have_the_vertices_that_stick_out() {
    let vertices = |keys| match shape_of(keys) {
        Shape::Convex(ConvexShape { core: Core::Hull(hull), .. }) => hull.vertices().to_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!(vertices(SHAPES[5].0).len(), 4);
    let cube = vertices(SHAPES[6].0);
    assert!(
        cube.len() == 8 && cube.iter().all(|v| v.iter().all(|x| (x.abs() - 0.1).abs() < 1e-15)),
        "{cube:?}"
    );
}

/// V = π r² h/3, the centre a quarter of the height over the base, 3/10 m r² about the axis, from textbooks; a regular
/// corner tetrahedron has V = 1/6 and its centre at a quarter of each edge; an ellipsoid m (b² + c²)/5.
#[test]
fn masses_follow_from_the_shapes() {
    let of = |keys: &str| {
        let body = load(&over_floor(keys, "density = 10", "auto")).model.bodies[1].clone();
        MassProperties { mass: body.mass, com: body.com, inertia: body.inertia }
    };
    let cone = of(SHAPES[0].0);
    let mass = 10.0 * std::f64::consts::PI * 0.09 * 0.2;
    assert!((cone.mass - mass).abs() < 1e-13 * mass);
    // The axis is x, the base at −0.3.
    assert!((cone.com - Vec3::new(-0.15, 0.0, 0.0)).norm() < 1e-14, "{:?}", cone.com);
    assert!((cone.inertia[(0, 0)] - 0.3 * mass * 0.09).abs() < 1e-13 * mass);
    let corner = of(SHAPES[5].0);
    assert!((corner.mass - 10.0 / 6.0).abs() < 1e-14 && (corner.com - Vec3::repeat(0.25)).norm() < 1e-14);
    let egg = of(SHAPES[3].0);
    assert!((egg.inertia[(0, 0)] / egg.mass - 0.2 * (0.04 + 0.09)).abs() < 1e-15);
    // Not every solid has a mass in closed form.
    for k in [6, 8] {
        assert_eq!(codes(&over_floor(&SHAPES[k].0.replace("PARTS", PARTS), "mass = 1", "auto")), ["E0313"]);
    }
}

#[test]
fn the_table_of_pairs_says_what_serves_which_pair_and_why() {
    let row = |keys: &str, method: &str| {
        let text = over_floor(&keys.replace("PARTS", PARTS), "mass = 1\ninertia = 1", method);
        let row = pair_table(&load(&text)).remove(0);
        (row.kernel, row.not_analytic.is_some())
    };
    for (keys, _) in SHAPES {
        assert_eq!(row(keys, "auto"), ("convex–half-space", true), "{keys}");
        assert_eq!(row(keys, "convex"), ("convex–half-space", false), "{keys}");
    }
    assert_eq!(row("type = \"box\", size = [1, 2, 3]", "auto"), ("box–half-space", false));
    assert_eq!(row("type = \"box\", size = [1, 2, 3]", "convex"), ("convex–half-space", false));
    let mesh = "type = \"mesh\", file = \"PARTS/tetrahedron.obj\", unit = \"mm\"";
    assert_eq!(row(mesh, "auto"), ("mesh's hull–half-space", true));
}

#[test]
fn defaults_reach_the_shapes_that_take_them() {
    let text = over_floor(SHAPES[0].0, "mass = 1\ninertia = 1", "auto");
    let text = text.replace("[world]", "[default.shape]\nrounding = \"2 mm\"\n[world]");
    let model = load(&text).model;
    assert!(matches!(&model.bodies[1].shapes[0].shape, Shape::Convex(solid) if solid.radius == 0.002));
    assert_eq!(model.bodies[0].shapes[0].shape, Shape::HalfSpace);
}

/// Generated surfaces of solids have the mass of their density: a torus encloses 2 π² R r², less what facets cut off.
#[test]
fn generated_solids_have_mass() {
    let text =
        over_floor("type = \"torus\", ring = 1, tube = 0.2, facets = 20000, density = 1000", "", "off");
    let mass = load(&text).model.bodies[1].mass;
    let exact = 1000.0 * 2.0 * std::f64::consts::PI.powi(2) * 0.04;
    assert!((mass / exact - 1.0).abs() < 2e-3, "{mass} {exact}");
}

/// A cube with a dent as convex parts: its mass is that of the mesh, its name all of its parts, and how well they fit is told.
#[test]
fn convex_parts_touch_in_the_place_of_a_mesh() {
    let keys = |more: &str| format!("type = \"{more}, file = \"{PARTS}/dented.obj\", unit = \"cm\"");
    let of = |more: &str| load(&over_floor(&keys(more), "density = 1000", "convex")).model;
    let parts = of("convex-parts\", error = \"1 mm\"");
    let floor = ("type = \"half-space\"", "type = \"box\", size = [1, 1, 1]");
    let law = ("[law.l]", "[law.l]\npcm = { layer = 0.01, E = 1e6, nu = 0.3 }");
    let text = over_floor(&keys("mesh\""), "density = 1000", "pcm");
    let whole = load(&text.replace(floor.0, floor.1).replace(law.0, law.1)).model;
    let (body, mesh) = (&parts.bodies[1], &whole.bodies[1]);
    assert_eq!((body.mass, body.com, body.inertia), (mesh.mass, mesh.com, mesh.inertia));
    let names: Vec<&str> = body.shapes.iter().map(|shape| shape.name.as_str()).collect();
    assert!(names.len() > 1 && names[0] == "b.part-1" && names[1] == "b.part-2", "{names:?}");
    assert_eq!(parts.pairs.len(), names.len());
    for shape in &body.shapes {
        let Shape::Convex(solid) = &shape.shape else { panic!("{}", shape.shape.name()) };
        assert!(matches!(solid.core, Core::Hull(_)));
    }
    // One part alone is the hull, and fills the dent by 3 cm at most.
    let loaded =
        load(&over_floor(&keys("convex-parts\", error = \"31 mm\", parts = 1"), "density = 1000", "convex"));
    let note = loaded.notes.iter().find(|note| note.code == "N0408").expect("how well it fits is told");
    assert!(
        note.message.contains("as convex parts, 1 of them, which cover it and reach up to"),
        "{}",
        note.message
    );
    // A named shape names all its parts in a contact line.
    let named = over_floor("X", "density = 1000", "convex")
        .replace("shape = { X }", &format!("shape.rock = {{ {} }}", keys("convex-parts\", error = \"1 mm\"")))
        .replace("b = \"b\"", "b = \"b.rock\"");
    let model = load(&named).model;
    assert_eq!(model.bodies[1].shapes[0].name, "b.rock-1");
    assert_eq!(model.pairs.len(), names.len());
    assert_eq!(
        codes(&over_floor(&keys("convex-parts\", error = \"1 um\", parts = 2"), "density = 1000", "convex")),
        ["E0319"]
    );
}
