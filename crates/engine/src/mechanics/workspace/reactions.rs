use carom_math::{Pose, Vec3, Wrench};

use super::Mechanism;
use crate::mechanics::Configuration;
use crate::mechanics::constraint::JointView;
use crate::mechanics::force::{closing_wrench, excess};
use crate::mechanics::joint;
use crate::mechanics::tree::transmitted_wrenches;
use crate::mechanics::{Anchor, Equation, ForceData, JointRole, Mechanics, Owner};
use crate::model::JointCoordinate;
use crate::record::{ConstraintSample, ForceSample, JointSample};

impl Mechanism {
    /// Coordinates and reactions of all joints after an evaluation under `wrenches` (by body, without those of the
    /// constraints).
    pub(crate) fn sample_joints(
        &mut self,
        here: &Configuration<'_>,
        wrenches: &[Wrench],
        out: &mut Vec<JointSample>,
    ) {
        out.clear();
        let mechanics = here.mechanics;
        if mechanics.joints.is_empty() {
            return;
        }
        let constrained = self.needs_multipliers(mechanics);
        let acceleration = if constrained { &self.acceleration } else { &self.tree.acceleration };
        let loads = &self.solver.loads;
        transmitted_wrenches(
            &self.tree,
            &mechanics.links,
            &mechanics.bodies,
            here.bodies,
            acceleration,
            |link| {
                let given = wrenches[mechanics.links[link].body];
                if constrained { given + loads[link] } else { given }
            },
            &mut self.transmitted,
        );
        for (index, data) in mechanics.joints.iter().enumerate() {
            let x_wm: Pose = here.bodies[data.b.body].pose.compose(&data.b.pose);
            let mut sample = JointSample {
                position: [0.0; 7],
                velocity: [0.0; 6],
                force: Vec3::zeros(),
                torque: Vec3::zeros(),
                effort: self.joint_efforts[index],
            };
            let on_b = match data.role {
                JointRole::Carries { link } => {
                    let (number, link) = (link, &mechanics.links[link]);
                    let (q, v) = (&here.state[link.coordinates()], &here.state[link.velocities()]);
                    sample.position[..q.len()].copy_from_slice(q);
                    sample.velocity[..v.len()].copy_from_slice(v);
                    let arm = here.bodies[link.body].pose.translation - x_wm.translation;
                    let at_m = self.transmitted[number].shifted_back(&arm);
                    if link.reversed { -at_m } else { at_m }
                }
                JointRole::Closes => {
                    let view = JointView::new(here, index);
                    let n = data.kind.axes().len();
                    let near = &here.angles[data.first_angle..data.first_angle + n];
                    sample.position = joint::coordinates(data.kind, &view.pose, near);
                    let motion = joint::motion(data.kind, &sample.position, &[0.0; 6]);
                    sample.velocity = joint::rates(&motion, data.kind.freedoms(), &view.twist());
                    self.reaction_of_closing(here, index, &x_wm)
                }
            };
            sample.force = on_b.force;
            sample.torque = on_b.torque;
            self.add_motor_efforts(here, index, &mut sample.effort);
            out.push(sample);
        }
    }

    /// Wrench of constraint rows, and of what acts along the axes, of a joint that closes a loop, on B at M's origin.
    fn reaction_of_closing(&self, here: &Configuration<'_>, joint: usize, x_wm: &Pose) -> Wrench {
        let mechanics = here.mechanics;
        let data = &mechanics.joints[joint];
        // One of both bodies moves; what acts on A is the opposite of what acts on B.
        let (body, sign) = if mechanics.bodies[data.b.body].link.is_some() {
            (data.b.body, 1.0)
        } else {
            (data.a.body, -1.0)
        };
        let link = mechanics.bodies[body].link;
        let mut sum = Wrench::ZERO;
        for row in 0..self.solver.rows.len() {
            let owner = mechanics.constraints[self.solver.rows.rows[row].group].owner;
            let own = match owner {
                Owner::Joint(j) | Owner::Motor(j, _) => j == joint,
                _ => false,
            };
            if own {
                let terms = self.solver.rows.terms(row).iter().filter(|t| Some(t.link) == link);
                sum += terms.fold(Wrench::ZERO, |sum, t| sum + t.dual * self.solver.multipliers[row]);
            }
        }
        let arm = here.bodies[body].pose.translation - x_wm.translation;
        let of_rows = sum.shifted_back(&arm) * sign;
        match self.efforts_of_closing(mechanics, joint) {
            [0.0, 0.0, 0.0] => of_rows,
            efforts => of_rows + closing_wrench(here, joint, &efforts),
        }
    }

    /// Efforts along the axes of a joint that closes a loop: of its elements, and of actuators and couplings that act on it. Those of
    /// stops come with their contacts.
    fn efforts_of_closing(&self, mechanics: &Mechanics, joint: usize) -> [f64; 3] {
        let mut efforts = self.joint_efforts[joint];
        let mut add = |terms: &[(JointCoordinate, f64)], value: f64| {
            for (at, factor) in terms.iter().filter(|(at, _)| at.joint == joint) {
                efforts[at.axis] += factor * value;
            }
        };
        for (force, sample) in mechanics.forces.iter().zip(&self.force_samples) {
            if let ForceData::Actuator(data) = force {
                add(&data.law.terms, sample.value);
            }
        }
        for shared in &mechanics.shared_ranges {
            add(&[(shared.at, 1.0)], excess(shared, |force| self.force_samples[force].value));
        }
        for (row, lambda) in self.solver.rows.rows.iter().zip(&self.solver.multipliers) {
            if let Equation::Coupling { terms, .. } = &mechanics.constraints[row.group].equation {
                add(terms, *lambda);
            }
        }
        efforts
    }

    /// Motors that follow a function push with their multiplier, or with what their link takes to be driven.
    fn add_motor_efforts(&self, here: &Configuration<'_>, joint: usize, efforts: &mut [f64; 3]) {
        if here.mechanics.is_driven_only {
            if let JointRole::Carries { link } = here.mechanics.joints[joint].role
                && let Some(group) = here.mechanics.links[link].drive
            {
                efforts[0] += self.drive_efforts[group];
            }
            return;
        }
        for (row, lambda) in self.solver.rows.rows.iter().zip(&self.solver.multipliers) {
            if let Owner::Motor(j, axis) = here.mechanics.constraints[row.group].owner
                && j == joint
            {
                efforts[axis] += lambda;
            }
        }
    }

    /// Force elements; a cable without elasticity pulls with its multiplier.
    pub(crate) fn sample_forces(&self, here: &Configuration<'_>, out: &mut Vec<ForceSample>) {
        out.clear();
        out.extend_from_slice(&self.force_samples);
        for (row, lambda) in self.solver.rows.rows.iter().zip(&self.solver.multipliers) {
            self.write_tension(here, row.group, -lambda, out);
        }
    }

    /// What a cable without elasticity pulls with (N), by its constraint group; nothing for other groups.
    pub(crate) fn write_tension(
        &self,
        here: &Configuration<'_>,
        group: usize,
        tension: f64,
        out: &mut [ForceSample],
    ) {
        let Owner::Cable(force) = here.mechanics.constraints[group].owner else { return };
        let ForceData::Cable(cable) = &here.mechanics.forces[force] else { return };
        let [before, last] = [2, 1].map(|k| &cable.path[cable.path.len() - k]);
        let at = |a: &Anchor| here.bodies[a.body].pose.transform_point(&a.pose.translation);
        out[force].value = tension;
        out[force].force = (at(last) - at(before)).normalize() * -tension;
    }

    /// Constraints of the model, with what they lack and how hard they push.
    pub(crate) fn sample_constraints(&mut self, here: &Configuration<'_>, out: &mut Vec<ConstraintSample>) {
        self.find_multipliers(here);
        out.clear();
        out.resize(here.mechanics.stated_constraints, ConstraintSample { violation: 0.0, effort: 0.0 });
        for (row, lambda) in self.solver.rows.rows.iter().zip(&self.solver.multipliers) {
            if let Owner::Constraint(index) = here.mechanics.constraints[row.group].owner {
                out[index].violation = out[index].violation.hypot(row.violation);
                out[index].effort = out[index].effort.hypot(*lambda);
            }
        }
    }
}
