//! Manifolds: the right corners, forces that copies of a scene share, no jumps.

use carom_geometry::convex::{ConvexHull, ConvexShape, Core, Manifold, ManifoldPoint, find_manifold};
use carom_math::{Mat3, Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{CURVED, POLYTOPES, Scene, random_scene};

fn points(scene: &Scene) -> Vec<ManifoldPoint> {
    let mut manifold = Manifold::for_shapes([&scene.a, &scene.b]);
    find_manifold(&scene.a, &scene.x_wa, &scene.b, &scene.x_wb, &scene.contact(), &mut manifold);
    manifold.points().to_vec()
}

/// Force on B and its moment about the origin of A, for a stiffness of 1 shared by weight and depth.
fn wrench(scene: &Scene) -> [Vec3; 2] {
    let points = points(scene);
    let depth = |p: &ManifoldPoint| (-p.point.gap).max(0.0);
    let sum: f64 = points.iter().map(|p| p.weight * depth(p)).sum();
    let (mut force, mut moment) = (Vec3::zeros(), Vec3::zeros());
    for p in &points {
        let share = if sum > 0.0 { p.weight * depth(p) / sum } else { 0.0 };
        let part = share * depth(p) * p.point.normal;
        force += part;
        moment += (p.point.position() - scene.x_wa.translation).cross(&part);
    }
    [force, moment]
}

fn block(x: f64, y: f64, z: f64) -> ConvexShape {
    ConvexShape::sharp(Core::Box { half: Vec3::new(x, y, z) })
}

fn cylinder(r: f64, h: f64) -> ConvexShape {
    ConvexShape::sharp(Core::Frustum { radius_low: r, radius_high: r, half_length: h })
}

fn at(translation: Vec3) -> Pose {
    Pose::from_translation(translation)
}

fn has_corner(points: &[ManifoldPoint], x: f64, y: f64) -> bool {
    points.iter().any(|p| (p.point.point_a.x - x).abs() < 1e-12 && (p.point.point_a.y - y).abs() < 1e-12)
}

#[test]
fn a_box_rests_on_the_corners_of_the_common_rectangle() {
    for radius in [0.0, 0.02] {
        let rounded = |shape: ConvexShape| ConvexShape { radius, ..shape };
        let x_wb = at(Vec3::new(0.3, 0.1, 0.35 + 2.0 * radius - 1e-4));
        let scene = Scene {
            a: rounded(block(0.5, 0.4, 0.2)),
            b: rounded(block(0.3, 0.2, 0.15)),
            x_wa: Pose::identity(),
            x_wb,
        };
        let points = points(&scene);
        for (x, y) in [(0.0, -0.1), (0.0, 0.3), (0.5, -0.1), (0.5, 0.3)] {
            assert!(has_corner(&points, x, y), "{x} {y} {points:?}");
        }
        assert!(points.iter().all(|p| (p.point.gap + 1e-4).abs() < 1e-15));
        let centre: Vec3 = points.iter().map(|p| p.weight * p.point.point_a).sum();
        assert!((centre.xy() - Vec3::new(0.25, 0.1, 0.0).xy()).norm() < 1e-14);
    }
}

#[test]
fn a_tilted_box_stands_on_its_lower_edge_and_then_on_its_corner() {
    let about = |axis: Vec3, angle: f64| Quaternion::from_axis_angle(&axis, angle).to_matrix();
    let scene = |rotation: Mat3| {
        let x_wb = Pose { rotation, translation: Vec3::new(0.0, 0.0, 0.45) };
        Scene { a: block(2.0, 2.0, 0.2), b: block(0.3, 0.2, 0.25), x_wa: Pose::identity(), x_wb }
            .at_gap(-1e-3)
    };
    let edge = points(&scene(about(Vec3::y(), 0.2)));
    assert_eq!(edge.iter().filter(|p| p.point.gap < -0.99e-3).count(), 2);
    assert!((edge[0].weight - 0.5).abs() < 1e-12 || edge.len() > 2);
    let corner = points(&scene(about(Vec3::x(), 0.1) * about(Vec3::y(), 0.2)));
    assert_eq!(corner.len(), 1);
    assert_eq!(corner[0].weight, 1.0);
}

#[test]
fn an_overhanging_cylinder_stands_on_the_rest_of_its_cap() {
    // Centre 0.1 beyond the edge x = 0.5: the chord's ends are at y = ±√(0.3² − 0.1²).
    let x_wb = at(Vec3::new(0.6, 0.0, 0.6 - 1e-5));
    let scene = Scene { a: block(0.5, 0.5, 0.1), b: cylinder(0.3, 0.5), x_wa: Pose::identity(), x_wb };
    let found = points(&scene);
    let y = (0.09_f64 - 0.01).sqrt();
    for (x, y) in [(0.5, y), (0.5, -y), (0.3, 0.0)] {
        assert!(has_corner(&found, x, y), "{x} {y} {found:?}");
    }
    assert!(found.iter().all(|p| p.point.point_a.x <= 0.5 + 1e-12));
}

#[test]
fn cylinders_on_end_share_the_lens_of_their_caps() {
    let x_wb = at(Vec3::new(0.4, 0.0, 1.0 - 1e-5));
    let scene = Scene { a: cylinder(0.3, 0.5), b: cylinder(0.3, 0.5), x_wa: Pose::identity(), x_wb };
    let found = points(&scene);
    let y = (0.09_f64 - 0.04).sqrt();
    for (x, y) in [(0.2, y), (0.2, -y), (0.1, 0.0), (0.3, 0.0)] {
        assert!(has_corner(&found, x, y), "{x} {y} {found:?}");
    }
}

#[test]
fn a_lying_cylinder_rests_on_a_line() {
    let rotation = Quaternion::from_axis_angle(&Vec3::x(), std::f64::consts::FRAC_PI_2).to_matrix();
    let x_wb = Pose { rotation, translation: Vec3::new(0.1, 0.2, 0.4 - 1e-5) };
    let scene = Scene { a: block(0.5, 0.5, 0.1), b: cylinder(0.3, 0.5), x_wa: Pose::identity(), x_wb };
    let found = points(&scene);
    assert!(has_corner(&found, 0.1, 0.5) && has_corner(&found, 0.1, -0.3), "{found:?}");
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|p| (p.weight - 0.5).abs() < 1e-12));
}

/// Solids that are their own mirror images.
fn symmetric_scenes(rng: &mut SplitMix64) -> Vec<Scene> {
    let mut scenes = Vec::new();
    let kinds = ["box", "rounded box", "cylinder", "frustum", "beam", "capsule", "ellipsoid"];
    for a in kinds {
        for b in kinds {
            let gap = -1e-3 * rng.uniform(0.1, 1.0);
            scenes.push(random_scene(a, b, rng).at_gap(gap));
        }
    }
    let flat = |a, b, shift| Scene { a, b, x_wa: Pose::identity(), x_wb: at(shift) };
    scenes.push(flat(block(0.5, 0.5, 0.5), block(0.5, 0.5, 0.5), Vec3::new(0.0, 0.0, 1.0 - 1e-4)));
    scenes.push(flat(block(0.5, 0.4, 0.5), block(0.3, 0.5, 0.5), Vec3::new(0.1, 0.2, 1.0 - 1e-4)));
    scenes.push(flat(block(0.5, 0.4, 0.5), cylinder(0.2, 0.5), Vec3::new(0.4, 0.25, 1.0 - 1e-4)));
    scenes.push(flat(cylinder(0.3, 0.5), cylinder(0.2, 0.5), Vec3::new(0.2, 0.2, 1.0 - 1e-4)));
    scenes
}

#[test]
fn turned_shifted_and_mirrored_copies_have_the_same_force() {
    let mut rng = SplitMix64::new(61);
    for scene in symmetric_scenes(&mut rng) {
        let expected = wrench(&scene);
        let rotation = rng.rotation().to_matrix();
        let shift = rng.vector_in_cube(10.0);
        let turn = |x: &Pose| Pose {
            rotation: rotation * x.rotation,
            translation: rotation * x.translation + shift,
        };
        let turned = wrench(&Scene { x_wa: turn(&scene.x_wa), x_wb: turn(&scene.x_wb), ..scene.clone() });
        // Depths change by the rounding of positions of 10 m.
        let off = [turned[0] - rotation * expected[0], turned[1] - rotation * expected[1]];
        assert!(off[0].norm() < 3e-14 && off[1].norm() < 3e-14, "{off:?} {scene:?}");
        let mirror = Mat3::from_diagonal(&Vec3::new(1.0, -1.0, 1.0));
        let reflect =
            |x: &Pose| Pose { rotation: mirror * x.rotation * mirror, translation: mirror * x.translation };
        let mirrored =
            wrench(&Scene { x_wa: reflect(&scene.x_wa), x_wb: reflect(&scene.x_wb), ..scene.clone() });
        // Moments are axial vectors. Depths change by the rounding of lengths of 1 m.
        let off = [mirrored[0] - mirror * expected[0], mirrored[1] + mirror * expected[1]];
        assert!(off[0].norm() < 5e-15 && off[1].norm() < 5e-15, "{off:?} {scene:?}");
    }
}

#[test]
fn no_point_is_deeper_than_the_contact_and_the_deepest_reaches_it() {
    let mut rng = SplitMix64::new(62);
    for a in POLYTOPES.iter().chain(&CURVED) {
        for b in POLYTOPES.iter().chain(&CURVED) {
            for _ in 0..10 {
                let gap = -(10f64.powf(rng.uniform(-6.0, -2.0)));
                let scene = random_scene(a, b, &mut rng).at_gap(gap);
                let contact = scene.contact();
                let points = points(&scene);
                let sum: f64 = points.iter().map(|p| p.weight).sum();
                assert!((sum - 1.0).abs() < 1e-12);
                let deepest = points.iter().map(|p| p.point.gap).fold(f64::INFINITY, f64::min);
                assert!(deepest >= contact.gap - 1e-12, "{deepest} {contact:?} {scene:?}");
                assert!((deepest - contact.gap).abs() < 1e-10, "{a}, {b}: {deepest} {contact:?} {scene:?}");
            }
        }
    }
}

#[test]
fn rocking_through_the_flat_position_does_not_jump() {
    for b in [block(0.3, 0.2, 0.25), cylinder(0.3, 0.25)] {
        let mut last: Option<[Vec3; 2]> = None;
        let step = 2e-6;
        for k in -1000..1000 {
            let tilt = step * f64::from(k);
            // A path through the flat position that does not stop there.
            let axis = Vec3::new(1.0, 0.3 * f64::from(k) / 1000.0, 0.0);
            let rotation = Quaternion::from_axis_angle(&axis.normalize(), tilt).to_matrix();
            let x_wb = Pose { rotation, translation: Vec3::new(0.3, 0.25, 0.449_9) };
            let scene = Scene { a: block(0.5, 0.4, 0.2), b: b.clone(), x_wa: Pose::identity(), x_wb };
            let now = wrench(&scene);
            if let Some(last) = last {
                // Depths change by the step times some 0.5 m, forces as much, moments half as much.
                assert!((now[0] - last[0]).norm() < 2.0 * step, "force at {tilt}: {now:?} after {last:?}");
                assert!((now[1] - last[1]).norm() < 2.0 * step, "moment at {tilt}: {now:?} after {last:?}");
            }
            last = Some(now);
        }
    }
}

#[test]
fn hulls_rest_like_the_blocks_that_they_are() {
    let corner = |k: usize| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        Vec3::new(0.3 * sign(0), 0.2 * sign(1), 0.25 * sign(2))
    };
    let hull =
        ConvexShape::hull(ConvexHull::of_points(&(0..8).map(corner).collect::<Vec<_>>()).unwrap(), 0.0);
    let x_wb = at(Vec3::new(0.1, 0.0, 0.45 - 1e-4));
    let scene = |b| Scene { a: block(0.5, 0.4, 0.2), b, x_wa: Pose::identity(), x_wb };
    let (a, b) = (wrench(&scene(hull)), wrench(&scene(block(0.3, 0.2, 0.25))));
    assert!((a[0] - b[0]).norm() < 1e-15 && (a[1] - b[1]).norm() < 1e-15);
}

/// A flat sole that single precision has made many triangles, and a faceted ball: force and moment do not jump as the solid
/// turns, over a plane and over a block.
#[test]
fn nearly_coplanar_faces_share_a_contact_without_jumps() {
    let mut rng = SplitMix64::new(77);
    let ring = |radius: f64, z: f64, count: u32, rng: &mut SplitMix64| -> Vec<Vec3> {
        (0..count)
            .map(|k| {
                let angle = f64::from(k) / f64::from(count) * std::f64::consts::TAU;
                let noise = 1e-8 * rng.vector_in_cube(1.0);
                Vec3::new(radius * angle.cos(), radius * angle.sin(), z) + noise
            })
            .collect()
    };
    let mut sole = ring(0.018, -0.02, 24, &mut rng);
    sole.extend(ring(0.02, -0.018, 24, &mut rng));
    sole.extend(ring(0.012, 0.01, 24, &mut rng));
    let mut ball = vec![Vec3::new(0.0, 0.0, -0.02), Vec3::new(0.0, 0.0, 0.02)];
    for k in 1..10 {
        let angle = f64::from(k) * std::f64::consts::PI / 10.0;
        ball.extend(ring(0.02 * angle.sin(), -0.02 * angle.cos(), 20, &mut rng));
    }
    for (points, tilt) in [(&sole, 1e-4), (&sole, 1.5), (&ball, 0.3)] {
        let foot = ConvexShape::hull(ConvexHull::of_points(points).unwrap(), 0.0);
        let axis = Vec3::new(1.0, 0.3, 0.0).normalize();
        let wrench_at = |turn: f64| {
            let rotation = Quaternion::from_axis_angle(&axis, tilt + turn).to_matrix();
            let block = block(0.5, 0.5, 0.1);
            let x_wb = Pose { rotation, translation: Vec3::zeros() };
            let lowest = foot.support(&rotation.tr_mul(&-Vec3::z()));
            let height = (rotation * lowest).z;
            // 0.3 mm deep, whichever way it is turned.
            let x_wb = Pose { translation: Vec3::new(0.01, 0.02, 0.1 - height - 3e-4), ..x_wb };
            wrench(&Scene { a: block, b: foot.clone(), x_wa: Pose::identity(), x_wb })
        };
        let step = 1e-6;
        let mut before = wrench_at(0.0);
        for k in 1..=400 {
            // Over 23 degrees by chords of 1 mrad, and a millionth of a radian at each.
            let turn = 1e-3 * f64::from(k);
            let at = wrench_at(turn);
            let near = wrench_at(turn + step);
            // The force is at most 3e-4, its arm 0.03: over a millionth of a radian nothing changes by a hundredth of it.
            assert!((near[0] - at[0]).norm() < 3e-6, "{tilt} {turn}: {:?} {:?}", at[0], near[0]);
            assert!((near[1] - at[1]).norm() < 1e-7, "{tilt} {turn}: {:?} {:?}", at[1], near[1]);
            // A jump between two neighbours of the scan is a tenth of a radius or more.
            assert!((at[1] - before[1]).norm() < 1.5e-6, "{tilt} {turn}: {:?} {:?}", before[1], at[1]);
            before = at;
        }
    }
}
