//! Tangents of contact by regions, by central differences of the pair alone: what moves both bodies changes nothing, to the last
//! bit, and the increments are as small as the contact is deep.

use carom_math::{Pose, Twist, Vec3, Wrench};

use super::geometry::displace;
use super::{ContactTangent, unit_twist};
use crate::contact::placed::Placed;
use crate::contact::regions::{force_at, press_at, region_pair, return_regions};
use crate::contact::{ContactForce, Evaluator};
use crate::mechanics::kinematics::BodyKinematics;

/// Displacements as shares of the depth: the differences cut off some 1e-6 of a slope. Not below a share of the contact's size, of
/// which rounding leaves 1e-16.
const OF_DEPTH: f64 = 1e-3;
const OF_SIZE: f64 = 1e-10;
/// Changes of the relative velocity as a share of the model's velocity; friction bends at a thousandth of it.
const OF_VELOCITY: f64 = 1e-7;

/// Surfaces and bodies of a pair about a point of it, with A at rest.
#[derive(Clone, Copy)]
struct Pairing {
    surfaces: [Pose; 2],
    bodies: [BodyKinematics; 2],
}

impl Pairing {
    fn about(at: &Vec3, surfaces: [Pose; 2], [a, b]: [BodyKinematics; 2]) -> Self {
        let shifted = |pose: Pose| Pose { translation: pose.translation - at, ..pose };
        let moving = BodyKinematics {
            pose: shifted(b.pose),
            velocity: b.velocity - a.point_velocity(&b.pose.translation),
            angular_velocity: b.angular_velocity - a.angular_velocity,
        };
        let still = BodyKinematics { pose: shifted(a.pose), ..BodyKinematics::REST };
        Self { surfaces: surfaces.map(shifted), bodies: [still, moving] }
    }

    /// With B displaced, in the same field of velocities.
    fn displaced(mut self, by: &Twist) -> Self {
        let [_, body] = &mut self.bodies;
        let before = *body;
        for pose in [&mut self.surfaces[1], &mut body.pose] {
            displace(pose, &by.angular, &by.linear, &Vec3::zeros());
        }
        body.velocity = before.point_velocity(&body.pose.translation);
        self
    }

    /// With another velocity of B, by a twist at the point.
    fn moved(mut self, by: &Twist) -> Self {
        let [_, body] = &mut self.bodies;
        body.velocity += by.shifted(&body.pose.translation).linear;
        body.angular_velocity += by.angular;
        self
    }

    fn placed(&self) -> Placed<'_> {
        Placed { poses: self.surfaces.each_ref(), bodies: self.bodies.each_ref() }
    }
}

/// Tangent of the pair of an active contact, if it is one by regions.
pub(super) fn region_tangent(evaluator: &mut Evaluator<'_>, slot: usize) -> Option<ContactTangent> {
    let contact = evaluator.contacts.active[slot];
    let (regions, pair) = region_pair(evaluator, contact)?;
    let force = evaluator.forces[slot];
    let at = force.point.position;
    let mut tangent = ContactTangent::at(at);
    let size = evaluator.regions[pair].as_ref().map_or(0.0, |workspace| workspace.size_about(&at));
    if !force.is_felt() || size == 0.0 {
        return Some(tangent);
    }
    let pairing = Pairing::about(
        &at,
        regions.meshes.surfaces.map(|surface| evaluator.surfaces[surface]),
        evaluator.table.pairs[pair].bodies.map(|body| evaluator.workspace.bodies[body]),
    );
    let length = (OF_DEPTH * -force.point.gap).max(OF_SIZE * size);
    let velocity = OF_VELOCITY * evaluator.system.scales.velocity;
    // The regions may have come into the book since they were evaluated.
    let still = force_at(evaluator, contact, &pairing.placed());
    tangent.wrench = wrench(evaluator, pair, still.as_ref(), &pairing).unwrap_or(Wrench::ZERO);
    let middle = tangent.wrench;
    // They are found already where velocities alone change.
    for column in 0..6 {
        let unit = unit_twist(column);
        let by = if column < 3 { velocity / size } else { velocity };
        let sides = [by, -by].map(|by| {
            let moved = pairing.moved(&(unit * by));
            let force = press_at(evaluator, contact, &moved.placed());
            wrench(evaluator, pair, force.as_ref(), &moved)
        });
        tangent.twist[column] = slope(sides, &middle, by);
    }
    for column in 0..6 {
        let unit = unit_twist(column);
        let by = if column < 3 { length / size } else { length };
        let sides = [by, -by].map(|by| {
            let displaced = pairing.displaced(&(unit * by));
            let force = force_at(evaluator, contact, &displaced.placed());
            wrench(evaluator, pair, force.as_ref(), &displaced)
        });
        tangent.pose[column] = slope(sides, &middle, by);
    }
    return_regions(evaluator, contact);
    Some(tangent)
}

/// Wrench on B about the point, with the rolling resistance; none if the regions were not found.
fn wrench(
    evaluator: &Evaluator<'_>,
    pair: usize,
    force: Option<&ContactForce>,
    pairing: &Pairing,
) -> Option<Wrench> {
    let force = force.filter(|force| force.normal.is_finite())?;
    let total = force.point.normal * force.normal + force.friction;
    let rolling = evaluator.table.pairs[pair].rolling.torque(
        &pairing.bodies[1].angular_velocity,
        &force.point.normal,
        force.normal.max(0.0),
        -force.point.gap,
    );
    Some(Wrench::new(force.point.position.cross(&total) + force.torque + rolling, total))
}

/// From both sides, or from the one that was found.
fn slope(sides: [Option<Wrench>; 2], middle: &Wrench, by: f64) -> Wrench {
    let found = sides.iter().flatten().count().max(1);
    let [after, before] = sides.map(|side| side.unwrap_or(*middle));
    (after - before) * (1.0 / (by * found as f64))
}
