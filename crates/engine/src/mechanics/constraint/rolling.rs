use carom_math::{Vec3, Wrench};

use super::Rows;
use crate::mechanics::Anchor;
use crate::mechanics::Configuration;

/// A wheel or ball on the plane z = 0 of A's frame: the lowest point of B touches it (holonomic) and does not slip
/// (two rows on velocities only). The lowest point is c + R g, with g = −n for a ball and, for a thin disc with
/// axis a, g = −s/|s| for s = n − (n · a) a. By the envelope theorem the gap's rate is that of the
/// material points that touch.
pub(super) fn write_rolling(
    here: &Configuration<'_>,
    a: &Anchor,
    b: &Anchor,
    radius: f64,
    axis: Option<&Vec3>,
    rows: &mut Rows,
) {
    let (body_a, body_b) = (&here.bodies[a.body], &here.bodies[b.body]);
    let (omega_a, omega_b) = (body_a.angular_velocity, body_b.angular_velocity);
    let plane = body_a.pose.compose(&a.pose);
    let n = plane.z_axis();
    let n_rate = omega_a.cross(&n);
    let centre_arm = body_b.pose.rotation * b.pose.translation;
    let centre = body_b.pose.translation + centre_arm;
    let (lowest, lowest_rate) = match axis {
        None => (-n, -n_rate),
        Some(axis) => {
            let axis = body_b.pose.rotation * (b.pose.rotation * axis);
            let axis_rate = omega_b.cross(&axis);
            let across = n.dot(&axis);
            let s = n - axis * across;
            let s_rate = n_rate - axis * (n_rate.dot(&axis) + n.dot(&axis_rate)) - axis_rate * across;
            let length = s.norm();
            let unit = s / length;
            (-unit, -(s_rate - unit * unit.dot(&s_rate)) / length)
        }
    };
    let touch = centre + lowest * radius;
    let touch_rate = body_b.velocity + omega_b.cross(&centre_arm) + lowest_rate * radius;
    let (arm_a, arm_b) = (touch - body_a.pose.translation, touch - body_b.pose.translation);
    let slip = body_b.velocity + omega_b.cross(&arm_b) - body_a.velocity - omega_a.cross(&arm_a);
    let drift =
        omega_b.cross(&(touch_rate - body_b.velocity)) - omega_a.cross(&(touch_rate - body_a.velocity));
    let gap = n.dot(&(touch - plane.translation));
    for (e, violation) in
        [(n, gap), (plane.rotation.column(0).into_owned(), 0.0), (plane.rotation.column(1).into_owned(), 0.0)]
    {
        rows.add(here.mechanics, a.body, -Wrench::of_force(e, &arm_a));
        rows.add(here.mechanics, b.body, Wrench::of_force(e, &arm_b));
        rows.close(violation, 0.0, -e.dot(&drift) - omega_a.cross(&e).dot(&slip));
    }
}
