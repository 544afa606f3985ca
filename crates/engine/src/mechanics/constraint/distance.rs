use carom_math::{Vec3, Wrench};

use super::{PairPoint, Rows};
use crate::mechanics::Anchor;
use crate::mechanics::Configuration;
use crate::mechanics::kinematics::BodyKinematics;

/// Three rows: the origins coincide, along the axes of A's frame.
pub(super) fn write_point(here: &Configuration<'_>, a: &Anchor, b: &Anchor, rows: &mut Rows) {
    let pair = PairPoint::new(here.bodies, a, b);
    let frame = here.bodies[a.body].pose.rotation * a.pose.rotation;
    for k in 0..3 {
        let e = frame.column(k).into_owned();
        pair.write_position(here.mechanics, &e, e.dot(&pair.offset), rows);
    }
}

/// Two points with their velocities and the accelerations that remain when the bodies' are zero.
pub(super) struct Ends {
    pub(super) arms: [Vec3; 2],
    pub(super) offset: Vec3,
    pub(super) rate: Vec3,
    pub(super) drift: Vec3,
}

/// Those on the bodies of a configuration.
pub(super) fn ends_in(here: &Configuration<'_>, a: &Anchor, b: &Anchor) -> Ends {
    ends([&here.bodies[a.body], &here.bodies[b.body]], a, b)
}

/// Those of two anchors on bodies that move so.
pub(super) fn ends(bodies: [&BodyKinematics; 2], a: &Anchor, b: &Anchor) -> Ends {
    let end = |body: &BodyKinematics, anchor: &Anchor| {
        let arm = body.pose.rotation * anchor.pose.translation;
        let omega = body.angular_velocity;
        (arm, body.pose.translation + arm, body.velocity + omega.cross(&arm), omega.cross(&omega.cross(&arm)))
    };
    let (a, b) = (end(bodies[0], a), end(bodies[1], b));
    Ends { arms: [a.0, b.0], offset: b.1 - a.1, rate: b.2 - a.2, drift: b.3 - a.3 }
}

impl Ends {
    /// Distance, and the direction from A to B. Ends that coincide, which happens only while the start is searched for, part
    /// in whatever direction.
    pub(super) fn line(&self) -> (f64, Vec3) {
        let distance = self.offset.norm();
        (distance, if distance > 0.0 { self.offset / distance } else { Vec3::repeat(libm::sqrt(1.0 / 3.0)) })
    }
}

/// Row |p_B − p_A| = L. With n along the line, φ̈ = n · (a_B − a_A) + (|ḋ|² − (n · ḋ)²)/|d|.
pub(super) fn write_distance(here: &Configuration<'_>, a: &Anchor, b: &Anchor, length: f64, rows: &mut Rows) {
    let ends = ends_in(here, a, b);
    let (distance, n) = ends.line();
    rows.add(here.mechanics, a.body, -Wrench::of_force(n, &ends.arms[0]));
    rows.add(here.mechanics, b.body, Wrench::of_force(n, &ends.arms[1]));
    rows.close(distance - length, 0.0, -n.dot(&ends.drift) - swing(&ends, distance, &n));
}

/// (|ḋ|² − (n · ḋ)²)/|d|: the part of the second derivative of a length that turning makes.
pub(super) fn swing(ends: &Ends, distance: f64, n: &Vec3) -> f64 {
    let along = n.dot(&ends.rate);
    let across = ends.rate.norm_squared() - along * along;
    if distance > 0.0 { across / distance } else { 0.0 }
}
