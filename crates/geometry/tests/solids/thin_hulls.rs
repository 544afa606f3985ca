//! Hulls that leave vertices out: no point of the whole hull is farther from them than was allowed.

use carom_geometry::TriangleMesh;
use carom_geometry::convex::ConvexHull;
use carom_geometry::prepare::{distance_beyond, thin_hull};
use carom_math::Vec3;

fn surface(hull: &ConvexHull) -> TriangleMesh {
    TriangleMesh { vertices: hull.vertices().to_vec(), triangles: hull.triangles().to_vec() }
}

/// Points on a sphere, on a spiral from pole to pole.
fn ball(radius: f64, count: usize) -> ConvexHull {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    let points: Vec<Vec3> = (0..count)
        .map(|k| {
            let z = 1.0 - (2 * k + 1) as f64 / count as f64;
            let (sine, cosine) = (golden * k as f64).sin_cos();
            let r = (1.0 - z * z).sqrt();
            radius * Vec3::new(r * cosine, r * sine, z)
        })
        .collect();
    ConvexHull::of_points(&points).unwrap()
}

/// A triangle of side s on a sphere of radius r lies s²/6r below it in its middle, so that of N triangles about
/// 4π r² = N √3/4 s² the deviation is e = 4π r √3 · 4/(18 N): the number that an error needs is known to a factor.
#[test]
fn a_ball_keeps_as_many_vertices_as_its_error_needs() {
    let whole = ball(0.1, 3000);
    for error in [1e-3, 3e-4] {
        let thin = thin_hull(&whole, error);
        let off = distance_beyond(&surface(&whole), &surface(&thin)).unwrap();
        assert!(off.at_least <= error && off.at_most < 1.1 * error, "{off:?} {error}");
        let needed = 0.5 * 16.0 * std::f64::consts::PI * 3.0_f64.sqrt() * 0.1 / (18.0 * error);
        let kept = thin.vertices().len() as f64;
        assert!((needed..4.0 * needed).contains(&kept), "{kept} of {needed}");
        assert!(thin.vertices().iter().all(|v| whole.vertices().contains(v)));
    }
}

/// A needle's tip is far from what is left although it is near each of its planes.
#[test]
fn what_sticks_out_stays() {
    let mut points: Vec<Vec3> = ball(0.1, 500).vertices().to_vec();
    points.push(Vec3::new(0.03, 0.04, 0.3));
    let whole = ConvexHull::of_points(&points).unwrap();
    let thin = thin_hull(&whole, 0.02);
    assert!(thin.vertices().contains(&points[500]) && thin.vertices().len() < 60);
    let off = distance_beyond(&surface(&whole), &surface(&thin)).unwrap();
    assert!(off.at_least <= 0.02, "{off:?}");
}

#[test]
fn a_box_stays_a_box() {
    let corner = |k: usize| Vec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
    let whole = ConvexHull::of_points(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
    assert_eq!(thin_hull(&whole, 0.1).vertices(), whole.vertices());
}
