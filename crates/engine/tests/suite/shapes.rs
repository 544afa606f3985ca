//! Convex shapes and convex meshes as the engine serves them, against closed forms and against shapes that are the same
//! solid.

use std::sync::Arc;

use carom_engine::law::{ContactRadius, NormalKind};
use carom_engine::model::{Body, Method, ShapeRef, WideLine};
use carom_engine::{Model, Outcome, System};
use carom_geometry::convex::{ConvexHull, ConvexShape, Core};
use carom_geometry::{MassProperties, Shape, TriangleMesh};
use carom_math::{Pose, Quaternion, Vec3};

use crate::scene::{self, law};

/// A free body of uniform density and 1 kg, its shape's frame in the centre of mass.
fn solid(name: &str, shape: Shape, at: Vec3) -> Body {
    let unit = MassProperties::of_shape(&shape, 1.0).expect("a closed form");
    assert!(unit.com.norm() < 1e-12, "{:?}", unit.com);
    scene::body(name, 1.0, unit.inertia / unit.mass, shape, Pose::from_translation(at))
}

fn convex(core: Core) -> Shape {
    Shape::Convex(ConvexShape::sharp(core))
}

fn hull(points: &[Vec3]) -> Shape {
    Shape::Convex(ConvexShape::hull(ConvexHull::of_points(points).expect("points of a solid"), 0.0))
}

/// Corners of a block, with its middle at the origin.
fn corners(half: Vec3) -> Vec<Vec3> {
    let sign = |k: usize, bit: usize| if k >> bit & 1 == 0 { -1.0 } else { 1.0 };
    (0..8).map(|k| Vec3::new(sign(k, 0), sign(k, 1), sign(k, 2)).component_mul(&half)).collect()
}

/// A regular tetrahedron with one face down at z = −inradius.
fn tetrahedron(inradius: f64) -> Vec<Vec3> {
    let across = 8.0_f64.sqrt() * inradius;
    let base = |k: f64| {
        let (sine, cosine) = (std::f64::consts::TAU / 3.0 * k).sin_cos();
        Vec3::new(across * cosine, across * sine, -inradius)
    };
    vec![base(0.0), base(1.0), base(2.0), Vec3::new(0.0, 0.0, 3.0 * inradius)]
}

fn mesh_of(points: &[Vec3]) -> TriangleMesh {
    let hull = ConvexHull::of_points(points).expect("points of a solid");
    TriangleMesh { vertices: hull.vertices().to_vec(), triangles: hull.triangles().to_vec() }
}

fn with_method(mut model: Model, method: Method) -> Model {
    model.contact_lines[0].method = method;
    model
}

fn kernels(model: &Model) -> Vec<&'static str> {
    let system = System::compile(model).expect("a sound model");
    system.info().pairs.iter().map(|pair| pair.kernel).collect()
}

fn run(model: &Model) -> Outcome {
    let (outcome, _) = scene::run(model);
    assert!(outcome.residual_relative < 1e-6, "{:.2e}", outcome.residual_relative);
    outcome
}

/// The two methods share no code for this pair: a kernel of closed form, and the search.
#[test]
fn a_box_tumbles_off_a_ball_by_either_method() {
    let mut rough = law(NormalKind::HuntCrossley, 0.5);
    rough.mu = Some(0.3);
    scene::point(&mut rough).stiffness = Some(1e6);
    let ball = Shape::Sphere { radius: 0.2, hollow: false };
    let mut block =
        scene::block("block", 1.0, Vec3::new(0.3, 0.2, 0.1), Pose::from_translation(Vec3::z() * 0.3));
    block.position.x = 0.03;
    block.orientation = Quaternion::from_rotation_vector(&Vec3::new(0.1, 0.05, 0.2));
    let bodies = vec![scene::fixed("ball", ball, Pose::identity()), block];
    let model = scene::model(bodies, rough, 9.81, 0.4, 1e-9);
    let searched = with_method(model.clone(), Method::Convex);
    assert_eq!(kernels(&model), ["sphere–box"]);
    assert_eq!(kernels(&searched), ["convex–convex"]);
    let [one, two] = [model, searched].map(|model| run(&model).bodies[1]);
    // It has bounced and slid by then.
    assert!(one.position.x > 0.05 && one.velocity.norm() > 0.5, "{one:?}");
    let apart = (one.position - two.position).norm() + (one.velocity - two.velocity).norm();
    assert!(apart < 1e-5, "{apart:.2e}");
}

/// The height of the centre of an ellipsoid over a plane is √(a² sin²θ + c² cos²θ), so that without friction it rocks with
/// ω² = 5 g (a² − c²)/(c (a² + c²)) for small angles θ. With a = 2c the next term is the kinetic energy of the centre,
/// 9 θ² of that of the rotation: some 10⁻⁴ of the period at 0.005 rad.
#[test]
fn an_ellipsoid_rocks_on_a_plane() {
    let semi_axes = Vec3::new(0.2, 0.15, 0.1);
    let mut pebble = solid("pebble", convex(Core::Ellipsoid { semi_axes }), Vec3::new(0.0, 0.0, 0.1));
    // Pressed in by the depth that carries its weight.
    pebble.position.z -= (9.81_f64 / 1e8).powf(2.0 / 3.0);
    let start = 0.005;
    pebble.orientation = Quaternion::from_rotation_vector(&Vec3::new(0.0, start, 0.0));
    pebble.position.z += (semi_axes.x.powi(2) - 0.01) / 0.2 * start * start;
    let (a, c) = (semi_axes.x, semi_axes.z);
    let omega = (5.0 * 9.81 * (a * a - c * c) / (c * (a * a + c * c))).sqrt();
    let quarter = 0.5 * std::f64::consts::PI / omega;
    let bodies = vec![scene::floor(), pebble];
    let model = scene::model(bodies, law(NormalKind::None, 1.0), 9.81, quarter, 1e-10);
    let model = with_method(model, Method::Auto);
    assert_eq!(kernels(&model), ["convex–half-space"]);
    let pebble = run(&model).bodies[1];
    let tilt = pebble.orientation.to_matrix()[(0, 2)];
    assert!(tilt.abs() < 3e-4 * start, "{tilt:.2e}");
    assert!((pebble.angular_velocity.y.abs() / (omega * start) - 1.0).abs() < 3e-4, "{pebble:?}");
}

/// A hull of the corners of a box is the box, though nothing of the two cores is shared.
#[test]
fn a_hull_on_a_box_moves_as_the_box_that_it_is() {
    let half = Vec3::new(0.1, 0.08, 0.05);
    let mut rough = law(NormalKind::HuntCrossley, 0.3);
    rough.mu = Some(0.5);
    scene::point(&mut rough).stiffness = Some(1e6);
    let [one, two] = [Shape::Box { half }, hull(&corners(half))].map(|shape| {
        let table = scene::fixed("table", Shape::Box { half: Vec3::new(1.0, 1.0, 0.1) }, Pose::identity());
        let mut block = solid("block", shape, Vec3::new(0.0, 0.0, 0.3));
        block.orientation = Quaternion::from_rotation_vector(&Vec3::new(0.3, -0.2, 0.1));
        block.angular_velocity = Vec3::new(1.0, 0.5, -0.3);
        let model = scene::model(vec![table, block], rough.clone(), 9.81, 0.4, 1e-9);
        run(&with_method(model, Method::Auto)).bodies[1]
    });
    assert!(one.position.z < 0.25, "{one:?}");
    let apart = (one.position - two.position).norm();
    assert!(apart < 1e-6, "{apart:.2e}");
}

/// On its face the centre is one inradius up, less the depth at which three corners carry the weight together.
#[test]
fn a_tetrahedron_comes_to_rest_on_a_box() {
    let mut rough = law(NormalKind::HuntCrossley, 0.3);
    rough.mu = Some(0.5);
    scene::point(&mut rough).stiffness = Some(1e6);
    let table = scene::fixed("table", Shape::Box { half: Vec3::new(1.0, 1.0, 0.1) }, Pose::identity());
    let inradius = 0.05;
    let mut body =
        solid("tetrahedron", hull(&tetrahedron(inradius)), Vec3::new(0.0, 0.0, 0.1 + inradius + 1e-3));
    body.orientation = Quaternion::from_rotation_vector(&Vec3::new(0.05, 0.02, 0.4));
    let model = scene::model(vec![table, body], rough, 9.81, 2.0, 1e-7);
    let body = run(&with_method(model, Method::Auto)).bodies[1];
    assert!(body.velocity.norm() + body.angular_velocity.norm() < 1e-6, "{body:?}");
    let depth = (9.81_f64 / 1e6).powf(2.0 / 3.0);
    let sunk = 0.1 + inradius - body.position.z;
    assert!((sunk / depth - 1.0).abs() < 1e-3, "{sunk:.4e} {depth:.4e}");
}

#[test]
fn a_convex_mesh_is_served_by_its_hull_to_the_bit() {
    let points = tetrahedron(0.05);
    let shapes = [hull(&points), Shape::Mesh(Arc::new(mesh_of(&points)))];
    let models = shapes.map(|shape| {
        let mut body = solid("body", shape, Vec3::new(0.0, 0.0, 0.1));
        body.orientation = Quaternion::from_rotation_vector(&Vec3::new(0.5, 0.2, 0.4));
        let model = scene::model(vec![scene::floor(), body], law(NormalKind::Exact, 0.5), 9.81, 0.3, 1e-6);
        with_method(model, Method::Auto)
    });
    assert_eq!(kernels(&models[0]), ["convex–half-space"]);
    assert_eq!(kernels(&models[1]), ["mesh's hull–half-space"]);
    let [one, two] = models.map(|model| run(&model).bodies[1]);
    // Inertias of hull and mesh are those of one polyhedron.
    assert_eq!(one, two);
}

/// A block with the middle of its upper face pushed in by 1 cm.
fn dented() -> TriangleMesh {
    let mut mesh = mesh_of(&corners(Vec3::new(0.1, 0.1, 0.1)));
    let top: Vec<u32> = (0..8).filter(|&k| mesh.vertices[k as usize].z > 0.0).collect();
    mesh.triangles.retain(|t| !t.iter().all(|k| top.contains(k)));
    let middle = mesh.vertices.len() as u32;
    mesh.vertices.push(Vec3::new(0.0, 0.0, 0.09));
    let mut around = top;
    let angle = |k: &u32| {
        let v = mesh.vertices[*k as usize];
        v.y.atan2(v.x)
    };
    around.sort_by(|s, t| angle(s).total_cmp(&angle(t)));
    mesh.triangles.extend((0..4).map(|k| [middle, around[k], around[(k + 1) % 4]]));
    mesh
}

fn on_floor(shape: Shape, method: Method) -> Model {
    let body =
        scene::body("rock", 1.0, carom_math::Mat3::identity(), shape, Pose::from_translation(Vec3::z()));
    let model = scene::model(vec![scene::floor(), body], law(NormalKind::Exact, 0.5), 9.81, 0.1, 1e-6);
    with_method(model, method)
}

#[test]
fn a_dented_mesh_is_refused_with_what_is_wrong() {
    let mesh = Shape::Mesh(Arc::new(dented()));
    for method in [Method::Convex, Method::Auto] {
        let model = on_floor(mesh.clone(), method);
        for problems in [model.validate(), System::compile(&model).expect_err("no kernel")] {
            let [problem] = &problems[..] else { panic!("{problems:?}") };
            assert_eq!((problem.code, problem.path.as_str()), ("E0412", "contact.all.method"));
            // Four edges of the dent, their middles half as deep as its centre.
            assert!(problem.message.contains("4 concave edges, the deepest 5.000e-3 m"), "{problem}");
            assert!(
                problem.help.as_deref().is_some_and(|help| help.contains("type = \"hull\"")),
                "{problem}"
            );
        }
    }
    // As surfaces of a wide line, beside a convex one of the same kind.
    let mut model = on_floor(mesh, Method::Convex);
    let sound = mesh_of(&corners(Vec3::new(0.05, 0.05, 0.05)));
    for k in 0..6 {
        let at = Vec3::new(1.0 + f64::from(k), 0.0, 1.0);
        model.bodies.push(solid(&format!("stone{k}"), Shape::Mesh(Arc::new(sound.clone())), at));
    }
    // Neither the smallest nor the largest of its kind.
    for (k, scale) in [(2, 0.1), (3, 0.2), (4, 5.0), (5, 6.0)] {
        let vertices = sound.vertices.iter().map(|v| v * scale).collect();
        let scaled = TriangleMesh { vertices, triangles: sound.triangles.clone() };
        model.bodies[k].shapes[0].shape = Shape::Mesh(Arc::new(scaled));
    }
    let all: Vec<ShapeRef> = (0..model.bodies.len()).map(|body| ShapeRef { body, shape: 0 }).collect();
    let patterns = [(); 2].map(|()| "*".to_owned());
    model.wide_lines = vec![WideLine { line: Some(0), patterns, sides: [all.clone(), all] }];
    model.pairs.clear();
    let problems = System::compile(&model).expect_err("no kernel");
    assert!(problems.iter().any(|p| p.code == "E0412" && p.message.contains("\"rock\"")), "{problems:?}");
}

#[test]
fn shapes_that_overlap_at_the_start_are_told() {
    let egg = convex(Core::Ellipsoid { semi_axes: Vec3::new(0.2, 0.2, 0.1) });
    let mut model = on_floor(egg, Method::Auto);
    model.bodies[1].position.z = 0.07;
    let found = |model: &Model| -> Vec<String> {
        let problems = model.validate();
        problems.iter().map(|p| format!("{} {}", p.code, p.message)).collect()
    };
    let told = found(&model);
    assert!(matches!(&told[..], [one] if one.starts_with("W0401") && one.contains("30 mm")), "{told:?}");
    // Two solids without a pair: tetrahedron into block, one edge of 2 cm deep.
    let block = scene::fixed("block", Shape::Box { half: Vec3::new(0.5, 0.5, 0.5) }, Pose::identity());
    let body = solid("spike", hull(&tetrahedron(0.1)), Vec3::new(0.0, 0.0, 0.58));
    let mut model = scene::model(vec![block, body], law(NormalKind::Exact, 0.5), 0.0, 0.1, 1e-6);
    model.pairs.clear();
    let told = found(&model);
    assert!(matches!(&told[..], [one] if one.starts_with("W0420") && one.contains("20 mm")), "{told:?}");
}

/// K = 4/3 E* √R with the contact radius of each shape; E* = E/2/(1 − ν²) for two of one material.
#[test]
fn elastic_response_takes_the_contact_radius_of_the_shape() {
    let hull_of_block = corners(Vec3::new(0.1, 0.02, 0.3));
    let rounded = ConvexShape { core: Core::Box { half: Vec3::new(0.1, 0.2, 0.3) }, radius: 0.01 };
    let frustum = Core::Frustum { radius_low: 0.1, radius_high: 0.05, half_length: 0.2 };
    let beam = Core::Beam { half_length: 0.3, half_width: 0.1, half_thickness: 0.02 };
    for (shape, radius) in [
        (convex(Core::Ellipsoid { semi_axes: Vec3::new(0.2, 0.1, 0.3) }), 0.1),
        (convex(frustum), 0.1),
        (convex(beam), 0.02),
        (Shape::Convex(rounded), 0.11),
        (hull(&hull_of_block), 0.02),
        (Shape::Mesh(Arc::new(mesh_of(&hull_of_block))), 0.02),
    ] {
        let mut model = on_floor(shape, Method::Convex);
        let law = &mut model.laws[0];
        (law.young_modulus, law.poisson_ratio) = (Some(1e9), Some(0.25));
        scene::point(law).normal = NormalKind::ElasticResponse;
        scene::point(law).stiffness = None;
        let system = System::compile(&model).expect("a sound model");
        let expected = 4.0 / 3.0 * (0.5e9 / (1.0 - 0.0625)) * f64::sqrt(radius);
        let text = &system.info().pairs[0].law;
        assert!(text.contains(&format!("K = {expected:.6e}")), "{text} {expected:e}");
        // Hertz's law has no stiffness for a contact without one curvature.
        scene::point(&mut model.laws[0]).normal = NormalKind::Exact;
        let problems = System::compile(&model).expect_err("no stiffness");
        assert_eq!((problems.len(), problems[0].code), (1, "E0416"));
        assert!(problems[0].help.as_deref().is_some_and(|help| help.contains("stiffness")));
    }
}

/// The law in words of the first pair of two bodies whose law is `elastic-response` with E* = E/2/(1 − ν²).
fn law_of_response(bodies: Vec<Body>) -> String {
    let mut model = scene::model(bodies, law(NormalKind::ElasticResponse, 0.5), 9.81, 0.1, 1e-6);
    (model.laws[0].young_modulus, model.laws[0].poisson_ratio) = (Some(1e9), Some(0.25));
    scene::point(&mut model.laws[0]).stiffness = None;
    System::compile(&model).expect("a sound model").info().pairs[0].law.clone()
}

fn stiffness_of_response(radius: f64) -> String {
    format!("{:.6e}", 4.0 / 3.0 * (0.5e9 / (1.0 - 0.0625)) * radius.sqrt())
}

/// A flat partner drops out: a block beside a ball, unless its contact radius is stated; anything that is stated flat.
#[test]
fn flat_partners_drop_out_of_elastic_response() {
    let slab = Shape::Box { half: Vec3::new(1.0, 1.0, 0.02) };
    let ball = |radius: f64| scene::ball("ball", 1.0, radius, Vec3::new(0.0, 0.0, 0.5));
    let with_slab = |stated: Option<ContactRadius>| {
        let mut slab = scene::fixed("slab", slab.clone(), Pose::identity());
        slab.shapes[0].contact_radius = stated;
        law_of_response(vec![slab, ball(0.05)])
    };
    for (stated, radius) in [
        (None, 0.05),
        (Some(ContactRadius::Flat), 0.05),
        (Some(ContactRadius::Radius(0.02)), 1.0 / (1.0 / 0.05 + 1.0 / 0.02)),
    ] {
        let text = with_slab(stated);
        assert!(text.contains(&format!("K = {} ", stiffness_of_response(radius))), "{stated:?}: {text}");
    }
    let mut mate = ball(0.03);
    mate.name = "mate".to_owned();
    mate.shapes[0].contact_radius = Some(ContactRadius::Flat);
    let text = law_of_response(vec![ball(0.05), mate]);
    assert!(text.contains(&format!("K = {} ", stiffness_of_response(0.05))), "{text}");
}

/// In a closed tube the wall has the radius of a cavity, and the ends are planes.
#[test]
fn the_ends_of_a_tube_are_flat_for_elastic_response() {
    let side = carom_geometry::shape::CylinderSide::Hollow { closed: true };
    let tube = carom_geometry::shape::Cylinder { radius: 0.0501, half_length: 0.3, side };
    let tube = scene::fixed("tube", Shape::Cylinder(tube), Pose::identity());
    let ball = scene::ball("ball", 1.0, 0.05, Vec3::zeros());
    let wall = 1.0 / (1.0 / 0.05 - 1.0 / 0.0501);
    let wanted = format!("K = {} to {} ", stiffness_of_response(0.05), stiffness_of_response(wall));
    for bodies in [vec![tube.clone(), ball.clone()], vec![ball, tube]] {
        let text = law_of_response(bodies);
        assert!(text.contains(&wanted), "{wanted}: {text}");
    }
}
