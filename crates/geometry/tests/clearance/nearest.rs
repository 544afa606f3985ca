//! What is nearest to a point.

use carom_geometry::clearance::{ClearanceTree, NearestWorkspace, triangle_separation};
use carom_geometry::surface::{Resolution, torus};
use carom_math::Vec3;
use carom_testkit::SplitMix64;

/// Points at random in and around a torus, against all its triangles one by one; and with a bound, the bound where nothing is nearer.
#[test]
fn what_is_nearest_to_a_point_is_nearest_of_all() {
    let mesh = torus(1.0, 0.3, Resolution::Facets(700)).unwrap();
    let tree = ClearanceTree::new(&mesh).unwrap();
    let (mut rng, mut workspace) = (SplitMix64::new(7), NearestWorkspace::with_room());
    for _ in 0..500 {
        let point = Vec3::from([2.0, 2.0, 0.6].map(|most| rng.uniform(-most, most)));
        let distance = |corners| triangle_separation(&[point; 3], &corners).distance;
        let least = mesh.corners().map(distance).fold(f64::INFINITY, f64::min);
        let (nearest, triangle) = tree.nearest(&point);
        // Two ways to work it out, on a surface of the size 1.3.
        assert!((nearest - least).abs() < 1e-14, "{point:?}: {nearest} {least}");
        assert!((distance(mesh.triangle(triangle)) - least).abs() < 1e-14, "{point:?}: {triangle}");
        assert_eq!(tree.distance_within(&point, 1.5 * nearest, &mut workspace), nearest);
        assert_eq!(tree.distance_within(&point, 0.5 * nearest, &mut workspace), 0.5 * nearest);
    }
}
