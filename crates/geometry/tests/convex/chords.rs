//! Edges and round sides that cross the border of a round end, sharp or rounded, against the search for convex solids and differences.

use carom_geometry::RigidMotion;
use carom_geometry::convex::{ConvexShape, Core, Crossing, Grounds, Lie, Rims};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{Scene, moved_on, random_motion};

/// A block, cylinder or capsule that touches a cylinder, frustum or cone with an edge or its side on the border of its round end.
struct Touch {
    scene: Scene,
    rims: Rims,
    grounds: Grounds,
    face: usize,
    place: (usize, usize),
}

impl Touch {
    /// Of solids anywhere, brought together along the normal; none where they are no such pair.
    fn any(rng: &mut SplitMix64) -> Option<Self> {
        let mut rounding = || [0.0, rng.uniform(0.001, 0.1)][rng.index(2)];
        let [rounding_a, rounding_b] = [rounding(), rounding()];
        let half = Vec3::new(rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0));
        let block = ConvexShape { core: Core::Box { half }, radius: rounding_a };
        let [radius, half_length] = [half.x, half.y];
        let cylinder = Core::Frustum { radius_low: radius, radius_high: radius, half_length };
        let cylinder = ConvexShape { core: cylinder, radius: rounding_a };
        let capsule = ConvexShape { core: Core::Segment { half_length }, radius };
        let body = [block, cylinder, capsule][rng.index(3)].clone();
        let radius_low = rng.uniform(0.1, 0.6);
        let radius_high = [radius_low, rng.uniform(0.05, 0.6), 0.0][rng.index(3)];
        let core = Core::Frustum { radius_low, radius_high, half_length: rng.uniform(0.1, 0.8) };
        let can = ConvexShape { core, radius: rounding_b };
        let mut pose = || {
            let turn = Quaternion::from_rotation_vector(&(2.0 * rng.vector_in_cube(1.0)));
            Pose { rotation: turn.to_matrix(), translation: rng.vector_in_cube(1.0) }
        };
        let (x_wa, x_wb) = (pose(), pose());
        let (rims, grounds) = (Rims::of(&body).or_else(|| Rims::of_corners(&body))?, Grounds::of(&can, 100)?);
        let face = rng.index(grounds.count());
        let corners = rims.count_ends();
        let place = (rng.index(corners), rng.index(corners));
        rims.crossing(place, (&grounds, face))?;
        let mut touch = Self { scene: Scene { a: body, b: can, x_wa, x_wb }, rims, grounds, face, place };
        for _ in 0..8 {
            let point = touch.contact(&touch.scene.x_wa, &touch.scene.x_wb)?;
            touch.scene.x_wa.translation += point.gap * point.normal;
        }
        let poses = touch.poses();
        let mut found = touch.rims.leaning(poses.each_ref(), (&touch.grounds, touch.face));
        let is_there = found.any(|(place, _)| place == touch.place);
        drop(found);
        is_there.then_some(touch)
    }

    fn poses(&self) -> [Pose; 2] {
        [self.scene.x_wa, self.plane(&self.scene.x_wb)]
    }

    fn plane(&self, x_wb: &Pose) -> Pose {
        x_wb.compose(self.grounds.pose(self.face))
    }

    fn crossing(&self) -> Crossing {
        self.rims.crossing(self.place, (&self.grounds, self.face)).expect("an edge")
    }

    fn contact(&self, x_wa: &Pose, x_wb: &Pose) -> Option<carom_geometry::ContactPoint> {
        self.rims.contact_across(x_wa, &self.plane(x_wb), &self.crossing())
    }
}

fn touches(seed: u64, tries: usize) -> impl Iterator<Item = Touch> {
    let mut rng = SplitMix64::new(seed);
    (0..tries).filter_map(move |_| Touch::any(&mut rng))
}

/// Where there is room for the contact of an edge, the solids touch, and nowhere else: the search for convex solids finds no gap, that place and
/// that normal.
#[test]
fn solids_touch_where_an_edge_crosses_the_border() {
    let mut count = 0;
    for touch in touches(52, 120_000) {
        let point = touch.contact(&touch.scene.x_wa, &touch.scene.x_wb).expect("a contact");
        let found = touch.scene.contact();
        assert!(point.gap.abs() < 1e-14, "brought together: {:e}", point.gap);
        assert!(found.gap.abs() < 1e-12, "{:e} apart: {:?}", found.gap, touch.scene);
        // Near the border of its cone the normal is found with the root of rounding.
        assert!((found.position() - point.position()).norm() < 1e-6, "{found:?} {point:?}");
        assert!((found.normal - point.normal).norm() < 1e-5, "{found:?} {point:?}");
        count += 1;
    }
    assert!(count > 300, "{count} touch so");
}

/// Rates of such a contact where the solids slide and turn on each other, against differences.
#[test]
fn rates_of_an_edge_on_a_border_are_those_of_its_place() {
    let mut rng = SplitMix64::new(53);
    let mut count = 0;
    for touch in touches(54, 60_000) {
        let Scene { x_wa, x_wb, .. } = touch.scene;
        let point = touch.contact(&x_wa, &x_wb).expect("a contact");
        let mut motions = [&x_wa, &x_wb].map(|x| random_motion(x, &mut rng));
        let speed =
            |motion: &RigidMotion| motion.velocity + motion.spin.cross(&(point.point_a - motion.origin));
        let approach = point.normal.dot(&(speed(&motions[0]) - speed(&motions[1])));
        motions[0].velocity -= approach * point.normal;
        let at = |t: f64| {
            let found = touch.contact(&moved_on(&x_wa, &motions[0], t), &moved_on(&x_wb, &motions[1], t));
            found.map(|found| (found.gap, found.position(), found.normal))
        };
        let h = 1e-5;
        let (Some(ahead), Some(behind)) = (at(h), at(-h)) else { continue };
        let poses = touch.poses();
        let rates = touch.rims.rates_across(poses.each_ref(), &touch.crossing(), motions.each_ref());
        let rates = rates.expect("a contact");
        // Where it runs along the circle fast differences see how that bends.
        let scale = 1.0 + rates.position.norm() + rates.normal.norm();
        if scale > 30.0 {
            continue;
        }
        let position = (ahead.1 - behind.1) / (2.0 * h);
        let normal = (ahead.2 - behind.2) / (2.0 * h);
        let bound = 1e-8 * scale.powi(4);
        assert!((position - rates.position).norm() < bound, "{position} {rates:?}");
        assert!((normal - rates.normal).norm() < bound, "{normal} {rates:?}");
        assert!(((ahead.0 - behind.0) / (2.0 * h)).abs() < bound, "its gap stays");
        count += 1;
    }
    assert!(count > 100, "{count} of them");
}

/// Both ends of an edge that passes over a round end lie across its border, and one that ends within does not.
#[test]
fn an_edge_lies_across_where_it_ends_beyond() {
    let block = ConvexShape { core: Core::Box { half: Vec3::new(1.0, 1.0, 0.1) }, radius: 0.0 };
    let can = ConvexShape {
        core: Core::Frustum { radius_low: 0.3, radius_high: 0.3, half_length: 0.5 },
        radius: 0.0,
    };
    let (rims, grounds) = (Rims::of_corners(&block).unwrap(), Grounds::of(&can, 100).unwrap());
    let face = (0..2).find(|&face| grounds.pose(face).z_axis().z < 0.0).unwrap();
    let plane = Pose::from_translation(Vec3::new(1.1, 0.2, 0.6)).compose(grounds.pose(face));
    // The edge at x = 1, z = 0.1, from y = −1 to 1: corners 5 and 7.
    let line = [5, 7];
    let apart = [Lie::apart(); 2];
    let tilted = Pose {
        rotation: Quaternion::from_axis_angle(&Vec3::y(), -0.3).to_matrix(),
        translation: Vec3::zeros(),
    };
    // Turned about the edge: it stays where it is.
    let edge = Vec3::new(1.0, 0.0, 0.1);
    let x_wa = Pose { translation: edge - tilted.rotation * edge, ..tilted };
    let laid = |x_wa: &Pose| rims.laid(line, [x_wa, &plane], apart, (&grounds, face), 1e-6);
    assert_eq!(laid(&x_wa), Some([(0, 7), (0, 5)].map(|(low, number)| Lie::Across { low, number })));
    let shifted = Pose { translation: x_wa.translation - Vec3::new(0.0, 0.9, 0.0), ..x_wa };
    let Some([first, last]) = laid(&shifted) else { panic!("it lies") };
    assert_eq!(first, Lie::Across { low: 0, number: 7 });
    assert!(matches!(last, Lie::Rolls { .. }), "{last:?} at y = 0.1");
    let beside = Pose { translation: x_wa.translation + Vec3::new(0.4, 0.0, 0.0), ..x_wa };
    assert_eq!(laid(&beside), None, "it passes beside the can");
}
