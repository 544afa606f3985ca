use carom_math::{Twist, Wrench};

use super::{Link, TreeWorkspace};
use crate::mechanics::BodyData;
use crate::mechanics::kinematics::BodyKinematics;

/// Wrench that each link's joint must transmit to its body, about the body's centre of mass in world axes, for the
/// accelerations `acceleration` (by link) under the wrenches that act on the links' bodies: the inward pass of the
/// recursive Newton–Euler algorithm (Featherstone 2008, table 5.1).
pub(crate) fn transmitted_wrenches(
    workspace: &TreeWorkspace,
    links: &[Link],
    data: &[BodyData],
    bodies: &[BodyKinematics],
    acceleration: &[Twist],
    acting: impl Fn(usize) -> Wrench,
    out: &mut [Wrench],
) {
    for (index, link) in links.iter().enumerate() {
        let (data, body) = (&data[link.body], &bodies[link.body]);
        let (a, r) = (&acceleration[index], &body.pose.rotation);
        // J α + ω × J ω in body axes.
        let (alpha, omega) = (r.tr_mul(&a.angular), r.tr_mul(&body.angular_velocity));
        let torque = r * (data.inertia * alpha + omega.cross(&(data.inertia * omega)));
        out[index] = Wrench::new(torque, a.linear * data.mass) - acting(index);
    }
    for index in (0..links.len()).rev() {
        if let Some(parent) = links[index].parent {
            let passed = out[index].shifted_back(&workspace.arm[index]);
            out[parent] += passed;
        }
    }
}

impl TreeWorkspace {
    /// Motions of the bodies at rates `speeds` along the freedoms.
    pub(crate) fn motions_of(
        &self,
        links: &[Link],
        bodies: &[BodyKinematics],
        speeds: &[f64],
        out: &mut [Twist],
    ) {
        for (index, link) in links.iter().enumerate() {
            let mut motion = match link.parent {
                Some(parent) => out[parent].shifted(&self.arm[index]),
                None => Twist::ZERO,
            };
            let rotation = &bodies[link.body].pose.rotation;
            for (k, f) in link.freedoms().enumerate() {
                motion += self.column(link, k, rotation) * speeds[f];
            }
            out[index] = motion;
        }
    }

    /// Accelerations of the bodies for given q̈ (by freedom), velocity terms included.
    pub(crate) fn accelerations_of(
        &self,
        links: &[Link],
        bodies: &[BodyKinematics],
        generalized: &[f64],
        out: &mut [Twist],
    ) {
        self.motions_of(links, bodies, generalized, out);
        for (acceleration, bias) in out.iter_mut().zip(&self.bias) {
            *acceleration += *bias;
        }
    }
}
