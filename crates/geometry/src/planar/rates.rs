//! How the contact of a feature moves and turns while its shapes do.

use carom_math::{Pose, Vec2, Vec3};

use super::feature::{Meeting, meet};
use super::held::held;
use super::placement::{Planar, to_world};
use crate::Shape;
use crate::rates::{ContactRates, RigidMotion, TipOver};

/// Distance of two centres, of their radii, at which circles have no normal that goes on.
const NEXT_TO_NOTHING: f64 = 1e-6;

/// A vertex, or a circle's centre, and what it is over (world axes).
struct Over {
    centre: Vec3,
    radius: f64,
    outward: Vec3,
    gap: f64,
    /// From the corner or centre that it is about.
    away: Option<Vec3>,
}

/// Rates of the contact of a feature, on the piece that it is held on ([`super::on_held_piece`]) where it has such, for A and B as they move
/// in the plane, wherever along its normal they are. None where the centres of circles are all but in one place, or both are points.
pub fn rates(
    a: (&Shape, &Pose),
    b: (&Shape, &Pose),
    (feature, piece): (usize, usize),
    motions: [&RigidMotion; 2],
) -> Option<ContactRates> {
    let (x_wa, x_wb) = (a.1, b.1);
    let poses = |swapped: bool| if swapped { [x_wb, x_wa] } else { [x_wa, x_wb] };
    let (is_of_b, over) = match meet(a.0, b.0)? {
        Meeting::Polygons(..) | Meeting::Circle { .. } => {
            let held = held(a, b, feature)?;
            (held.of_b, held.over(piece))
        }
        Meeting::Circles([radius, other]) => {
            let place = Planar::of(x_wa, x_wb).point(&Vec2::zeros());
            let (away, distance) = (to_world(x_wb, &place), place.norm());
            if distance <= NEXT_TO_NOTHING * (radius + other) {
                return None;
            }
            let (centre, gap) = (x_wa.translation, distance - (radius + other));
            (false, Over { centre, radius, outward: away / distance, gap, away: Some(away) })
        }
        Meeting::Vertices { polygon, swapped } => {
            let vertex = polygon.points()[polygon.convex_points()[feature] as usize];
            (swapped, Over::half_space(&vertex, 0.0, poses(swapped)))
        }
        Meeting::Rim { radius, swapped } => {
            (swapped, Over::half_space(&Vec2::zeros(), radius, poses(swapped)))
        }
    };
    let [moves_a, moves_b] = motions;
    Some(if is_of_b { over.rates([moves_a, moves_b]).swapped() } else { over.rates([moves_b, moves_a]) })
}

impl super::held::Held<'_> {
    fn over(&self, piece: usize) -> Over {
        let at = self.at(piece);
        Over {
            centre: self.own.translation + to_world(self.own, &self.tip.centre()),
            radius: self.tip.radius(),
            outward: to_world(self.other.1, &at.outward),
            gap: at.gap,
            away: self.away(piece).map(|away| to_world(self.other.1, &away)),
        }
    }
}

impl Over {
    fn half_space(local: &Vec2, radius: f64, [own, half_space]: [&Pose; 2]) -> Self {
        let outward = half_space.z_axis();
        let centre = own.translation + to_world(own, local);
        let gap = outward.dot(&(centre - half_space.translation)) - radius;
        Self { centre, radius, outward, gap, away: None }
    }

    /// Rates of its contact, which it is the A of, for what is `under` it and for it as they move.
    fn rates(&self, motions: [&RigidMotion; 2]) -> ContactRates {
        let [under, own] = motions.map(|motion| motion.at(&self.centre));
        let turning = self.away.map_or_else(Vec3::zeros, |away| TipOver::turning(&away, &(own - under)));
        let depth = self.radius + 0.5 * self.gap;
        TipOver { centre: self.centre, outward: self.outward, turning, depth }.rates(motions)
    }
}
