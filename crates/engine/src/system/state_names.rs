//! What the values of a state are.

use super::System;
use crate::mechanics::{ActuatorData, CableData, ForceData, joint};
use crate::model::AxisMeasure;

impl System {
    /// Names of the states in their order: of every body or joint that moves its coordinates, then their velocities; then the
    /// lengths that reels have paid out (`rope.paid_out`, m) and the activations of actuators (`drive.activation`).
    ///
    /// Of a joint: `elbow.angle` (rad), `slider.displacement` (m), `elbow.angle_rate`, `slider.displacement_rate`. Of a body that no
    /// joint carries, of its centre of mass in world axes: `ball.x`, `ball.y`, `ball.z` (m), `ball.x_rate` and so on (m/s). Of
    /// what turns freely: its orientation as a quaternion `ball.qw`, `ball.qx`, `ball.qy`, `ball.qz` (body to world; across
    /// a joint, M to F), and its angular velocity `ball.wx`, `ball.wy`, `ball.wz` in the axes of the body or of M (rad/s).
    pub fn state_names(&self) -> Vec<String> {
        let mut names = Vec::with_capacity(self.states());
        for link in &self.mechanics.links {
            let owner = match link.joint {
                Some(joint) => &self.info.joints[joint].0,
                None => &self.info.bodies[link.body],
            };
            let freedoms = link.kind.freedom_names();
            let turns_freely = joint::quaternion_at(link.kind).is_some();
            let is_scalar = |measure: AxisMeasure| !(turns_freely && measure == AxisMeasure::Angle);
            let scalars =
                || freedoms.iter().filter(|(_, measure)| is_scalar(*measure)).map(|(word, _)| *word);
            let four = ["qw", "qx", "qy", "qz"].into_iter().filter(|_| turns_freely);
            let three = ["wx", "wy", "wz"].into_iter().filter(|_| turns_freely);
            names.extend(scalars().chain(four).map(|word| format!("{owner}.{word}")));
            names.extend(scalars().map(|word| format!("{owner}.{word}_rate")));
            names.extend(three.map(|word| format!("{owner}.{word}")));
        }
        for (data, (name, _)) in self.mechanics.forces.iter().zip(&self.info.forces) {
            match data {
                ForceData::Cable(CableData { paid_out: Some(_), .. }) => {
                    names.push(format!("{name}.paid_out"));
                }
                ForceData::Actuator(ActuatorData { activation: Some(_), .. }) => {
                    names.push(format!("{name}.activation"));
                }
                _ => {}
            }
        }
        names
    }
}
