//! Flat ends that reach over the border of a face, against differences and what bounds them.

use carom_geometry::RigidMotion;
use carom_geometry::convex::{Bound, ConvexShape, Core, Grounds, Lie, Rims};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::moved_on;

/// A can on the top of a block, or of another can, with a part of its end over the border.
struct Part {
    rims: Rims,
    grounds: Grounds,
    face: usize,
    x_wa: Pose,
    x_wb: Pose,
    radius: f64,
}

impl Part {
    fn any(rng: &mut SplitMix64) -> Self {
        let radius = rng.uniform(0.2, 0.6);
        let half_length = rng.uniform(0.1, 0.5);
        let can = ConvexShape::sharp(Core::Frustum { radius_low: radius, radius_high: radius, half_length });
        let half = Vec3::new(rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8), 0.3);
        let below = match rng.index(2) {
            0 => Core::Box { half },
            _ => Core::Frustum { radius_low: half.x, radius_high: half.y, half_length: 0.3 },
        };
        let (rims, grounds) =
            (Rims::of(&can).expect("ends"), Grounds::of(&ConvexShape::sharp(below), 100).expect("faces"));
        let x_wb = Pose {
            rotation: Quaternion::from_rotation_vector(&(2.0 * rng.vector_in_cube(1.0))).to_matrix(),
            translation: rng.vector_in_cube(1.0),
        };
        let face = (0..grounds.count()).find(|&face| grounds.pose(face).z_axis().z > 0.9).expect("a top");
        let plane = x_wb.compose(grounds.pose(face));
        let turn = Quaternion::from_axis_angle(&Vec3::z(), rng.uniform(0.0, 6.0)).to_matrix();
        let place = Vec3::new(rng.uniform(-0.8, 0.8), rng.uniform(-0.8, 0.8), half_length);
        let x_wa = plane.compose(&Pose { rotation: turn, translation: place });
        Self { rims, grounds, face, x_wa, x_wb, radius }
    }

    fn plane(&self, x_wb: &Pose) -> Pose {
        x_wb.compose(self.grounds.pose(self.face))
    }

    /// Where its points are, and how.
    fn lie(&self) -> Option<Lie> {
        self.rims.part(0, [&self.x_wa, &self.plane(&self.x_wb)], (&self.grounds, self.face)).lie(0.4)
    }
}

/// Points are on the rim or the border, and within both; the codes keep them; their rates are those of differences as both solids move in one plane.
#[test]
fn points_of_a_part_are_on_what_bounds_it_and_move_with_it() {
    let mut rng = SplitMix64::new(31);
    let mut bounds = [0; 3];
    for _ in 0..4000 {
        let part = Part::any(&mut rng);
        let Some(lie @ Lie::Part { .. }) = part.lie() else { continue };
        let Lie::Part { angle, about } = Lie::from_codes(lie.codes()) else { panic!("a part") };
        let plane = part.plane(&part.x_wb);
        let normal = plane.z_axis();
        // Both turn about the normal, and slide along the plane, which goes anywhere.
        let [velocity, slides] = [rng.vector_in_cube(1.0), rng.vector_in_cube(1.0)];
        let along = slides - normal * normal.dot(&slides);
        let mut motion = |x: &Pose, velocity: Vec3| RigidMotion {
            origin: x.translation,
            velocity,
            spin: normal * rng.uniform(-1.0, 1.0),
        };
        let (a, b) = (motion(&part.x_wa, velocity + along), motion(&part.x_wb, velocity));
        let at = |time: f64, point: usize| {
            let [x_wa, x_wb] =
                [(&part.x_wa, &a), (&part.x_wb, &b)].map(|(x, motion)| moved_on(x, motion, time));
            let plane = part.plane(&x_wb);
            let flat = part.rims.part(0, [&x_wa, &plane], (&part.grounds, part.face));
            let contact = flat.contact(point, (angle, about));
            (0.5 * (contact.point_a + contact.point_b), flat.bound(point, (angle, about)))
        };
        for point in 0..4 {
            let (place, bound) = at(0.0, point);
            bounds[match bound {
                Bound::Rim => 0,
                Bound::Side(_) => 1,
                Bound::Circle => 2,
            }] += 1;
            let local = plane.inverse_transform_point(&place);
            let centre = plane.inverse_transform_point(&part.x_wa.translation);
            let off_rim = (Vec3::new(local.x - centre.x, local.y - centre.y, 0.0)).norm() - part.radius;
            let off_border = match part.grounds.circle(part.face) {
                Some(circle) => local.x.hypot(local.y) - circle.radius,
                None => part
                    .grounds
                    .sides(part.face)
                    .map(|side| side.across.dot(&local) - side.offset)
                    .fold(f64::NEG_INFINITY, f64::max),
            };
            let most = off_rim.max(off_border);
            assert!(most.abs() < 1e-12 && local.z.abs() < 1e-12, "{most:e} m off what bounds it");
            let h = 1e-5;
            let [(before, first), (after, last)] = [-h, h].map(|time| at(time, point));
            if first != last {
                continue;
            }
            let wanted = (after - before) / (2.0 * h);
            let flat = part.rims.part(0, [&part.x_wa, &plane], (&part.grounds, part.face));
            let rates = flat.rates(point, (angle, about), [&a, &b]);
            let off = (rates.position - wanted).norm() / (1.0 + wanted.norm());
            assert!(off < 1e-6, "{off:e}, {bound:?}: {:?} for {wanted:?}", rates.position);
        }
    }
    assert!(bounds.iter().all(|&count| count > 500), "{bounds:?}");
}
