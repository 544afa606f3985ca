//! Exchanging A and B exchanges the points and turns the normal round.

use carom_testkit::SplitMix64;

use crate::scene::{random_scene, supported_cells};

#[test]
fn exchange_of_a_and_b_mirrors_the_contact() {
    let mut rng = SplitMix64::new(11);
    for cell in supported_cells() {
        // One kernel serves both orders, so that the bits agree; a kernel of two equal kinds sees the
        // difference of positions with the other sign and sums in another order.
        let tolerance = if cell.0 == cell.1 { 1e-14 } else { 0.0 };
        for _ in 0..200 {
            let scene = random_scene(cell, &mut rng);
            let swapped = scene.swapped();
            assert_eq!(scene.feature_count(), swapped.feature_count());
            for feature in 0..scene.feature_count() {
                let (one, two) = (scene.point(feature), swapped.point(feature).swapped());
                assert!((one.gap - two.gap).abs() <= tolerance, "{scene:?}");
                assert!((one.normal - two.normal).amax() <= tolerance * 10.0, "{scene:?}");
                assert!((one.point_a - two.point_a).amax() <= tolerance * 10.0, "{scene:?}");
                assert!((one.point_b - two.point_b).amax() <= tolerance * 10.0, "{scene:?}");
            }
        }
    }
}
