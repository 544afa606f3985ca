//! Smooth bodies: what regions converge to, and how fast.

use std::f64::consts::PI;

use carom_geometry::TriangleMesh;
use carom_geometry::intersection::{PlaneFit, RegionSearch, Side};
use carom_math::{Pose, Vec3};

use crate::kit::{Pair, at, turned};
use crate::meshes;

/// Errors of a quantity over meshes that are twice as fine each time: second order within the scatter of triangles that meet the
/// contour in other places.
fn assert_second_order(name: &str, errors: &[f64]) {
    let last = errors.len() - 1;
    let order = (errors[0] / errors[last]).log2() / last as f64;
    assert!(order > 1.7, "{name}: order {order}, errors {errors:?}");
}

/// A cap of the height h: length 2π√(2Rh − h²), area π(2Rh − h²), volume π h²(R − h/3), depth h.
#[test]
fn a_sphere_on_a_plate_is_a_cap() {
    let (radius, height): (f64, f64) = (0.1, 0.02);
    let plate = meshes::block(Vec3::new(0.3, 0.3, 0.05), 2, 0.0);
    let squared = height * (2.0 * radius - height);
    let exact = [2.0 * PI * squared.sqrt(), PI * squared, PI * height * height * (radius - height / 3.0)];
    let mut errors = [const { Vec::new() }; 4];
    for frequency in [8, 16, 32, 64] {
        let mut pair = Pair::new(&meshes::sphere(radius, frequency), &plate);
        let pose = turned(Vec3::new(1.0, 2.0, 3.0), 0.7, Vec3::new(0.01, 0.02, 0.05 + radius - height));
        let (region, overlap) = pair.one(&pose);
        for (k, found) in [region.length, overlap.area, overlap.volume].into_iter().enumerate() {
            errors[k].push((found / exact[k] - 1.0).abs());
        }
        errors[3].push((region.indentation / height - 1.0).abs());
        // The contour is in the face of the plate.
        assert!((region.normal + Vec3::z()).norm() < 1e-11);
        assert!((region.point.z - 0.05).abs() < 1e-15);
        let middle = (region.point - pose.translation).xy().norm();
        assert!(middle < 0.2 * radius / f64::from(frequency), "{middle}");
        assert!((overlap.area_vector - overlap.area * region.normal).norm() < 1e-12 * overlap.area);
    }
    for (name, errors) in ["length", "area", "volume", "depth"].into_iter().zip(&errors) {
        assert_second_order(name, errors);
    }
    assert!(errors[2][3] < 1e-3, "{errors:?}");
}

/// Two spheres: a lens of two caps.
#[test]
fn two_spheres_are_a_lens() {
    let (radius, overlap_depth) = (0.1, 0.02);
    let distance = 2.0 * radius - overlap_depth;
    let cap = radius - 0.5 * distance;
    let exact = 2.0 * PI * cap * cap * (radius - cap / 3.0);
    let mut errors = Vec::new();
    for frequency in [8, 16, 32] {
        let ball = meshes::sphere(radius, frequency);
        let direction = Vec3::new(0.3, -0.5, 0.8).normalize();
        let (region, overlap) = Pair::new(&ball, &ball).one(&turned(Vec3::x(), 0.4, distance * direction));
        errors.push((overlap.volume / exact - 1.0).abs());
        assert!((region.normal + direction).norm() < 0.02);
        assert!((region.point - 0.5 * distance * direction).norm() < 0.02 * radius);
    }
    assert_second_order("volume", &errors);
}

/// A sphere in the ring of a torus: one region with two contours, which turn against each other. The torus lies with its
/// symmetry axis along z; the sphere is pushed down into the hole.
#[test]
fn a_sphere_in_a_torus_is_an_annulus() {
    // Centre of the tube at the distance d from the sphere's centre: circles of 1 and 0.3 overlap by 1.3 − d.
    let below = 0.7;
    let d = (1.0_f64 + below * below).sqrt();
    // Both contours are circles about the axis, of the points across the line of centres in the section.
    let along = (d * d + 1.0 - 0.09) / (2.0 * d);
    let across = (1.0 - along * along).sqrt();
    let (cos, sin) = (1.0 / d, below / d);
    let radii = [along * cos - across * sin, along * cos + across * sin];
    let area = PI * (radii[1] * radii[1] - radii[0] * radii[0]);
    // Pappus: the lens of the section about the axis, which is two segments of circles with their centroids.
    let segment = |r: f64, reach: f64| {
        let half = libm::acos(reach / r);
        let area = r * r * (half - half.sin() * half.cos());
        (area, 2.0 / 3.0 * libm::pow(r * half.sin(), 3.0) / area)
    };
    let (of_sphere, of_tube) = (segment(1.0, along), segment(0.3, d - along));
    let moment = of_sphere.0 * of_sphere.1 * cos + of_tube.0 * (d - of_tube.1) * cos;
    let volume = 2.0 * PI * moment;
    let mut errors = [const { Vec::new() }; 2];
    for scale in [1, 2, 4] {
        let torus = meshes::torus(1.0, 0.3, 48 * scale, 24 * scale);
        let (region, overlap) =
            Pair::new(&torus, &meshes::sphere(1.0, 10 * scale)).one(&at(0.0, 0.0, -below));
        assert_eq!((region.loops, region.open_chains), (2, 0));
        assert!((region.normal - Vec3::z()).norm() < 3e-3, "{}", region.normal);
        assert!(region.point.xy().norm() < 3e-3, "{}", region.point);
        errors[0].push((overlap.area / area - 1.0).abs());
        errors[1].push((overlap.volume / volume - 1.0).abs());
    }
    assert_second_order("area", &errors[0]);
    assert_second_order("volume", &errors[1]);
    assert!(errors[1][2] < 5e-3, "{errors:?}");
    // The same with a plate as fine as one can: two triangles a face carry both contours of a torus that lies on it.
    let plate = meshes::block(Vec3::new(2.0, 2.0, 0.5), 1, 0.0);
    let mut flat = Pair::new(&meshes::torus(1.0, 0.3, 96, 48), &plate);
    let (region, overlap) = flat.one(&at(0.01, 0.02, 0.75));
    assert_eq!(region.loops, 2);
    let half = libm::acos(0.25 / 0.3);
    let section = 0.09 * (half - half.sin() * half.cos());
    assert!((overlap.volume / (2.0 * PI * section) - 1.0).abs() < 0.02);
    assert!((overlap.area / (2.0 * PI * 2.0 * 0.3 * half.sin()) - 1.0).abs() < 0.01);
    assert!((region.point - Vec3::new(0.01, 0.02, 0.5)).norm() < 1e-3);
    assert!((region.indentation - 0.05).abs() < 1e-3);
    assert_eq!(flat.search.triangles(0, Side::B).len(), 2);
}

/// A dumbbell on a plate, whose balls are two regions; one ball higher, and it is one.
#[test]
fn a_dumbbell_has_a_region_for_each_end() {
    let ball = meshes::sphere(0.1, 8);
    let mut ends = meshes::moved(&ball, &at(-0.3, 0.0, 0.0));
    let first = ends.vertices.len() as u32;
    let other = meshes::moved(&ball, &at(0.3, 0.0, 0.0));
    ends.vertices.extend(other.vertices);
    ends.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + first)));
    // Rod between them as a mesh of its own part.
    let mut pair = Pair::new(&ends, &meshes::block(Vec3::new(1.0, 1.0, 0.05), 1, 0.0));
    let level = pair.find(&at(0.0, 0.0, 0.14));
    assert_eq!(level.len(), 2);
    for region in &level {
        assert!((region.point.x.abs() - 0.3).abs() < 1e-3 && (region.indentation - 0.01).abs() < 1e-3);
    }
    let covered = [0, 1].map(|region| pair.search.triangles(region, Side::A).to_vec());
    assert!(covered[0].iter().all(|triangle| !covered[1].contains(triangle)));
    let tilted = pair.find(&turned(Vec3::y(), 0.1, Vec3::new(0.0, 0.0, 0.14)));
    assert_eq!(tilted.len(), 1);
    assert!(tilted[0].point.x > 0.0);
}

/// Through a plate: one region with two contours whose areas cancel out, of the volume between.
#[test]
fn a_rod_through_a_plate_encloses_its_section() {
    let rod = meshes::block(Vec3::new(0.1, 0.05, 0.5), 3, 0.0);
    let plate = meshes::block(Vec3::new(0.6, 0.5, 0.02), 2, 0.0);
    let (region, overlap) = Pair::new(&rod, &plate).one(&at(0.03, 0.07, 0.1));
    assert_eq!(region.loops, 2);
    assert!((overlap.volume - 0.2 * 0.1 * 0.04).abs() < 1e-17);
    assert!(overlap.area_vector.norm() < 1e-16);
    // No centroid of an area that is none: the middle of the contours.
    assert!((region.point - Vec3::new(0.03, 0.07, 0.0)).norm() < 1e-14, "{}", region.point);
}

/// A rod that is oblique and a little tapered: areas that nearly cancel out have a centroid far from both, which is no place for
/// a force.
#[test]
fn contours_whose_areas_cancel_keep_the_point_among_them() {
    let mut rod = meshes::block(Vec3::new(0.1, 0.05, 0.5), 3, 0.0);
    for v in &mut rod.vertices {
        let scale = 1.0 + 0.02 * v.z;
        *v = Vec3::new(scale * v.x + 0.8 * v.z, scale * v.y, v.z);
    }
    let plate = meshes::block(Vec3::new(0.6, 0.5, 0.02), 2, 0.0);
    let mut pair = Pair::new(&rod, &plate);
    let (region, overlap) = pair.one(&at(0.03, 0.07, 0.0));
    assert!(region.loops == 2 && overlap.area > 1e-6 && overlap.area < 1e-3);
    let within = |i: usize| {
        let coordinates = || pair.search.contours().nodes().iter().map(|node| node.point[i]);
        let low = coordinates().fold(f64::INFINITY, f64::min);
        low <= region.point[i] && region.point[i] <= coordinates().fold(f64::NEG_INFINITY, f64::max)
    };
    assert!((0..3).all(within), "{}", region.point);
}

/// The published form of the plane: the same where contours are plane, near it where they are not, and dependent on the frame.
#[test]
fn the_pivot_form_finds_plane_contours() {
    let plate = meshes::block(Vec3::new(0.3, 0.3, 0.05), 2, 0.0);
    let ball = meshes::sphere(0.1, 8);
    let mut pair = Pair::new(&ball, &plate);
    pair.search = RegionSearch::new(&pair.a, &pair.b).with_plane(PlaneFit::Pivot);
    let (region, _) = pair.one(&at(0.01, 0.02, 0.14));
    assert!((region.normal + Vec3::z()).norm() < 1e-9 && (region.offset() - 0.05).abs() < 1e-9);
    // Over an edge of the plate.
    let pose = at(0.28, 0.02, 0.13);
    let (pivot, _) = pair.one(&pose);
    let (fitted, _) = Pair::new(&ball, &plate).one(&pose);
    let angle = pivot.normal.cross(&fitted.normal).norm();
    assert!(angle > 1e-6 && angle < 0.5, "{angle}");
}

/// Cut off along a known plane, whatever the pose of both in the world: to the digits of the poses.
#[test]
fn rigid_motion_of_both_moves_regions_along() {
    let (ball, plate) = (meshes::sphere(0.1, 12), meshes::block(Vec3::new(0.3, 0.3, 0.05), 2, 0.0));
    let mut pair = Pair::new(&ball, &plate);
    let x_ba = turned(Vec3::new(1.0, 2.0, 3.0), 0.7, Vec3::new(0.26, 0.02, 0.13));
    let (plain, volume) = pair.one(&x_ba);
    for shift in [0.0, 10.0] {
        let x_wb = turned(Vec3::new(-1.0, 0.5, 2.0), 1.1, shift * Vec3::new(1.0, -2.0, 0.5));
        let x_wa = x_wb.compose(&x_ba);
        let (again, overlap) = pair.one(&x_wb.inverse().compose(&x_wa));
        let tolerance = 1e-13 * (1.0 + shift);
        assert!((again.point - plain.point).norm() < tolerance, "{shift}");
        assert!((again.normal - plain.normal).norm() < 10.0 * tolerance);
        assert!((again.indentation - plain.indentation).abs() < tolerance);
        assert!((overlap.volume / volume.volume - 1.0).abs() < 100.0 * tolerance);
        let placed = again.placed(&x_wb);
        assert!((x_wb.inverse_transform_point(&placed.point) - plain.point).norm() < tolerance);
        // Meshes moved instead of poses: another frame, the same region.
        let moved: [TriangleMesh; 2] = [meshes::moved(&ball, &x_wa), meshes::moved(&plate, &x_wb)];
        let (world, overlap) = Pair::new(&moved[0], &moved[1]).one(&Pose::identity());
        assert!((world.point - placed.point).norm() < tolerance);
        assert!((world.normal - placed.normal).norm() < 10.0 * tolerance);
        assert!((overlap.volume / volume.volume - 1.0).abs() < 100.0 * tolerance);
        let moment = placed.overlap.unwrap().moment;
        assert!((overlap.moment - moment).norm() < tolerance);
    }
}

/// A and B exchanged: the same region, seen from the other side.
#[test]
fn action_is_reaction() {
    let (torus, ball) = (meshes::torus(1.0, 0.3, 48, 24), meshes::sphere(1.0, 10));
    let mut pair = Pair::new(&torus, &ball);
    let mut swapped = Pair::new(&ball, &torus);
    for x_ba in [at(0.0, 0.0, -0.76), at(0.1, 0.05, -0.8), turned(Vec3::x(), 0.8, Vec3::new(0.3, 1.0, 1.2))] {
        let one = pair.find(&x_ba);
        let other: Vec<_> = swapped.find(&x_ba.inverse()).iter().map(|region| region.placed(&x_ba)).collect();
        assert!(one.len() == other.len() && !one.is_empty());
        for region in one {
            let same = other
                .iter()
                .min_by(|p, q| (p.point - region.point).norm().total_cmp(&(q.point - region.point).norm()));
            let same = same.unwrap();
            assert!((same.point - region.point).norm() < 1e-12);
            assert!((same.normal + region.normal).norm() < 1e-11);
            assert!((same.indentation - region.indentation).abs() < 1e-13);
            let (p, q) = (same.overlap.unwrap(), region.overlap.unwrap());
            assert!((p.volume / q.volume - 1.0).abs() < 1e-11);
            assert!((p.area_vector + q.area_vector).norm() < 1e-13 && (p.moment + q.moment).norm() < 1e-12);
        }
    }
}
