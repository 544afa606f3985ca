//! Balls that contact takes as triangles: turning about their centre moves their corners.

use carom_engine::model::{IntegratorKind, Method};
use carom_engine::record::EventKind;
use carom_geometry::surface::{Resolution, sphere};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::areal_restitution::{bouncy, plate};
use crate::regions::by_volume;
use crate::scene;

const RADIUS: f64 = 0.1;
const FACETS: usize = 80;
/// From the lowest place of the sphere to the plate (m).
const GAP: f64 = 0.01;

/// When the first corner of a mesh that turns about its centre and comes down reaches z = 0: sampled, and bisected.
fn first_corner(mesh: &TriangleMesh, speed: f64, spin: &Vec3) -> f64 {
    let axis = spin / spin.norm();
    let lowest = |t: f64| {
        let turned = Quaternion::from_axis_angle(&axis, spin.norm() * t).to_matrix();
        let corners = mesh.vertices.iter().map(|p| (turned * *p).z);
        RADIUS + GAP - speed * t + corners.fold(f64::INFINITY, f64::min)
    };
    let step = 1e-6;
    let mut after = (1..).map(|k| f64::from(k) * step).find(|t| lowest(*t) <= 0.0).unwrap();
    let mut before = after - step;
    for _ in 0..50 {
        let middle = 0.5 * (before + after);
        *(if lowest(middle) > 0.0 { &mut before } else { &mut after }) = middle;
    }
    after
}

/// A ball spins as it comes down: it touches with the first of its corners, by areal contact and by regions, whatever the steps. As long
/// as turning counted for nothing, as it does for spheres, corners came in unseen, up to a facet's sagitta deep (1 mm here).
#[test]
fn spinning_balls_of_triangles_touch_with_their_corners() {
    let mesh = sphere(RADIUS, Resolution::Facets(FACETS)).unwrap();
    for (method, law) in [(Method::Pcm, bouncy(0.5)), (Method::Region, by_volume(0.5))] {
        for (speed, spin) in [
            (0.5, Vec3::new(200.0, 30.0, -50.0)),
            (1.0, Vec3::new(-20.0, 350.0, 90.0)),
            (2.0, Vec3::new(60.0, 60.0, 10.0)),
        ] {
            let known = first_corner(&mesh, speed, &spin);
            for kind in IntegratorKind::SMOOTH {
                let pose = Pose::from_translation(Vec3::new(0.013, 0.021, RADIUS + GAP));
                let shape = Shape::Sphere { radius: RADIUS, hollow: false };
                let mut ball = scene::body("ball", 1.0, Mat3::identity() * 4e-3, shape, pose);
                ball.shapes[0].facets = FACETS;
                ball.velocity.z = -speed;
                ball.angular_velocity = spin;
                let mut model =
                    scene::model(vec![plate(0.5, 1), ball], law.clone(), 0.0, 1.001 * known, 1e-9);
                model.solver.method = kind;
                model.contact_lines[0].method = method;
                let (_, keeper) = scene::run(&model);
                let begins = keeper.times(EventKind::ContactBegin);
                let name = kind.name();
                let [begin] = begins[..] else { panic!("{method:?} {name}: {begins:?} for {known}") };
                assert!((begin - known).abs() < 1e-7, "{method:?} {name} {spin:?}: {begin} for {known}");
            }
        }
    }
}
