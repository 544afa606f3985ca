//! A body that slides: what regions give is as continuous as the motion, whatever borders of triangles they pass.

use carom_geometry::surface::{Resolution, cylinder};
use carom_math::{Pose, Vec3};

use crate::kit::{Pair, turned};
use crate::meshes;

/// Over the borders of the triangles of a plane face nothing changes but the point.
#[test]
fn borders_in_a_plane_face_are_not_felt() {
    let ball = meshes::sphere(0.1, 8);
    let plate = meshes::block(Vec3::new(0.5, 0.5, 0.05), 7, 0.0);
    let mut pair = Pair::new(&ball, &plate);
    let place = |k: i32| Vec3::new(-0.2, -0.15, 0.13) + 1e-3 * f64::from(k) * Vec3::new(1.0, 0.7, 0.0);
    let spin = turned(Vec3::new(1.0, 2.0, 3.0), 0.7, Vec3::zeros());
    let at = |k: i32| Pose { translation: place(k), ..spin };
    let (first, overlap) = pair.one(&at(0));
    let mut crossed = 0;
    let cut = |pair: &Pair| -> Vec<(u32, u32)> {
        pair.search.contours().nodes().iter().map(|node| (node.edge, node.triangle)).collect()
    };
    let mut before = cut(&pair);
    for k in 1..400 {
        let (region, now) = pair.one(&at(k));
        assert!((now.volume / overlap.volume - 1.0).abs() < 1e-11, "{} {}", now.volume, overlap.volume);
        assert!((now.area_vector - overlap.area_vector).norm() < 1e-12 * overlap.area);
        assert!((region.indentation - first.indentation).abs() < 1e-15);
        assert!((region.point - first.point - (place(k) - place(0))).norm() < 1e-13);
        assert!((region.length / first.length - 1.0).abs() < 1e-12);
        let after = cut(&pair);
        crossed += usize::from(after != before);
        before = after;
    }
    assert!(crossed > 50, "{crossed}");
}

/// Over rough ground, in steps s: the volume changes by no more than s |S|, S the greatest area vector of both ends and second
/// order in s; the area vector by no more than what the contour sweeps, s L/sin θ, with the angle θ between the surfaces, 15° at
/// least here; so that a force k V S has no jump. The same ten times finer has changes ten times smaller.
#[test]
fn the_force_over_rough_ground_has_no_jumps() {
    let ground = meshes::terrain(1.0, 24, |x, y| 0.03 * (11.0 * x).sin() * (13.0 * y).cos());
    let mut pair = Pair::new(&meshes::sphere(0.2, 8), &ground);
    let mut largest = [0.0_f64; 2];
    for (fineness, largest) in [1, 10].into_iter().zip(&mut largest) {
        let step = 1e-3 / f64::from(fineness);
        let mut before = None;
        for k in 0..200 * fineness {
            let place = Vec3::new(-0.1, -0.05, 0.19) + step * f64::from(k) * Vec3::new(0.8, 0.6, 0.0);
            let regions = pair.find(&Pose::from_translation(place));
            let overlaps = || regions.iter().map(|region| region.overlap.expect("closed"));
            let volume: f64 = overlaps().map(|overlap| overlap.volume).sum();
            let area: Vec3 = overlaps().map(|overlap| overlap.area_vector).sum();
            let length: f64 = regions.iter().map(|region| region.length).sum();
            let now = (volume, area, length);
            if let Some((v, s, l)) = before.replace(now) {
                let (way, length): (f64, f64) = (step, length.max(l));
                let sweep = way * length / libm::sin(15_f64.to_radians());
                assert!((area - s).norm() <= sweep, "{k}: {} {sweep}", (area - s).norm());
                let bound = way * area.norm().max(s.norm()) + way * sweep;
                assert!((volume - v).abs() <= bound, "{k}: {} {bound}", (volume - v).abs());
                *largest = largest.max((volume * area - v * s).norm());
            }
        }
    }
    assert!(largest[1] < 0.15 * largest[0] && largest[1] > 0.0, "{largest:?}");
}

/// A cylinder that lies h deep in a plate: a strip of the width 2√(2rh − h²), of the cross section r² acos(1 − h/r) − (r − h)√(2rh − h²);
/// and one that stands: a disc. Second order in the facets.
#[test]
fn a_cylinder_on_a_plate_is_a_strip_or_a_disc() {
    let (radius, half, depth): (f64, f64, f64) = (0.1, 0.15, 0.02);
    let plate = meshes::block(Vec3::new(0.4, 0.4, 0.05), 3, 0.0);
    let chord = (depth * (2.0 * radius - depth)).sqrt();
    let section = radius * radius * libm::acos(1.0 - depth / radius) - (radius - depth) * chord;
    let lying = [4.0 * half * chord, 2.0 * half * section, 4.0 * (half + chord)];
    let disc = std::f64::consts::PI * radius * radius;
    let standing = [disc, disc * depth, std::f64::consts::TAU * radius];
    let mut errors = [const { Vec::new() }; 6];
    for facets in [600, 2400, 9600, 38_400] {
        let mesh = cylinder(radius, half, Resolution::Facets(facets)).unwrap();
        let mut pair = Pair::new(&mesh, &plate);
        let on_side = turned(Vec3::x(), std::f64::consts::FRAC_PI_2, Vec3::zeros());
        let spun = turned(Vec3::z(), 0.3, Vec3::new(0.02, 0.01, 0.05 + radius - depth));
        let poses =
            [spun.compose(&on_side), turned(Vec3::z(), 0.3, Vec3::new(0.02, 0.01, 0.05 + half - depth))];
        for (k, (pose, exact)) in poses.into_iter().zip([lying, standing]).enumerate() {
            let (region, overlap) = pair.one(&pose);
            for (i, found) in [overlap.area, overlap.volume, region.length].into_iter().enumerate() {
                errors[3 * k + i].push((found / exact[i] - 1.0).abs());
            }
            assert!((region.normal + Vec3::z()).norm() < 1e-9, "{}", region.normal);
            assert!((region.point - Vec3::new(0.02, 0.01, 0.05)).norm() < 5e-3, "{}", region.point);
            assert!((region.indentation / depth - 1.0).abs() < 0.1);
        }
    }
    for (name, errors) in ["strip", "prism", "border", "disc", "cylinder", "circle"].into_iter().zip(&errors)
    {
        let order = (errors[0] / errors[3]).log2() / 3.0;
        assert!(order > 1.6 && errors[3] < 2e-3, "{name}: order {order}, {errors:?}");
    }
}
