use carom_solvers::ToleranceGroup;

use super::{JointRole, Scales, System};
use crate::joint::quaternion_at;
use crate::model::{AxisMeasure, Model};
use crate::tree::Link;

/// Tolerances of joint velocities, as shares of those of free bodies: absolute and relative part. Joints turn many times,
/// and what their errors do to the energy adds up.
const ABSOLUTE_SHARE: f64 = 0.3;
const RELATIVE_SHARE: f64 = 0.003;

impl System {
    /// One group per body or joint and kind of state: positions by the expected indentation (their size depends on
    /// where the origin is, so they have no relative part), rotations in rad, velocities with a relative part. The
    /// ledger's losses are controlled too: a body that creeps out of a contact at constant speed would else take
    /// steps that leave its energy unaccounted for.
    pub(super) fn set_tolerances(&mut self, model: &Model, scales: &Scales) {
        let rtol = model.solver.rtol;
        self.tolerances.quadrature = Some(rtol * scales.energy);
        for index in 0..self.links.len() {
            let link = self.links[index].clone();
            if link.is_root() {
                self.add_root(model, scales, &link);
            } else {
                self.add_joint(model, scales, &link);
            }
        }
        let length = model.solver.atol.length.unwrap_or(rtol * scales.length);
        for state in self.link_states()..self.states() {
            self.tolerances.groups.push(ToleranceGroup { start: state, len: 1, atol: length, rtol: 0.0 });
            self.tolerance_owner.push((0, "length paid out"));
        }
    }

    fn add_root(&mut self, model: &Model, scales: &Scales, link: &Link) {
        let (rtol, atol) = (model.solver.rtol, &model.solver.atol);
        let (index, start) = (link.body, link.first_state);
        let length = atol.length.unwrap_or(rtol * scales.indentation[index]);
        // A rotation by a small angle moves the quaternion by half of it.
        let angle = 0.5 * atol.angle.unwrap_or(rtol);
        let velocity = atol.velocity.unwrap_or(rtol * scales.velocity);
        let spin = atol.angular_velocity.unwrap_or(rtol * scales.angular_velocity[index]);
        for (kind, offset, len, atol, rtol) in [
            ("position", 0, 3, length, 0.0),
            ("orientation", 3, 4, angle, 0.0),
            ("velocity", 7, 3, velocity, rtol),
            ("angular velocity", 10, 3, spin, rtol),
        ] {
            self.tolerances.groups.push(ToleranceGroup { start: start + offset, len, atol, rtol });
            self.tolerance_owner.push((index, kind));
        }
    }

    /// Groups of a joint: an angle moves what hangs on the joint by the angle times its reach, so that its tolerance
    /// is that of the positions out there, but a radian at most.
    fn add_joint(&mut self, model: &Model, scales: &Scales, link: &Link) {
        let (rtol, atol) = (model.solver.rtol, &model.solver.atol);
        let index = link.body;
        let length = atol.length.unwrap_or(rtol * scales.indentation[index].min(scales.length));
        let angle = atol.angle.unwrap_or(rtol * (scales.indentation[index] / scales.length).min(1.0));
        let velocity = atol.velocity.unwrap_or(ABSOLUTE_SHARE * rtol * scales.velocity);
        let spin = atol.angular_velocity.unwrap_or(ABSOLUTE_SHARE * rtol * scales.angular_velocity[index]);
        let (nq, nv) = (link.kind.coordinates(), link.kind.freedoms());
        let rtol = rtol * RELATIVE_SHARE;
        let mut groups: Vec<(&'static str, usize, usize, f64, f64)> = Vec::new();
        match quaternion_at(link.kind) {
            Some((at, omega)) => {
                if at > 0 {
                    groups.push(("displacement", 0, at, length, 0.0));
                    groups.push(("velocity", nq, omega, velocity, rtol));
                }
                groups.push(("rotation", at, 4, 0.5 * angle, 0.0));
                groups.push(("angular velocity", nq + omega, nv - omega, spin, rtol));
            }
            None => {
                for (axis, measure) in link.kind.axes().iter().enumerate() {
                    let (q, v) = match measure {
                        AxisMeasure::Angle => (angle, spin),
                        AxisMeasure::Length => (length, velocity),
                    };
                    groups.push(("joint coordinate", axis, 1, q, 0.0));
                    groups.push(("joint velocity", nq + axis, 1, v, rtol));
                }
            }
        }
        for (kind, offset, len, atol, rtol) in groups {
            self.tolerances.groups.push(ToleranceGroup { start: link.first_state + offset, len, atol, rtol });
            self.tolerance_owner.push((index, kind));
        }
        debug_assert!(matches!(self.joints[link.joint.unwrap_or(0)].role, JointRole::Carries { .. }));
    }
}
