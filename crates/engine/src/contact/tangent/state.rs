//! The Jacobian of the right-hand side of free bodies in contact.

use carom_math::{Mat3, Quaternion, Twist, Vec3, Wrench};

use super::ContactTangent;
use crate::contact::Evaluator;
use crate::joint;
use crate::system::BodyData;

/// States of a free body.
const STATES: usize = 13;

impl Evaluator<'_> {
    /// Is every force one of gravity or contact, and every body free?
    pub(crate) fn has_tangent(&self) -> bool {
        !self.system.is_mechanism && self.system.forces.is_empty()
    }

    /// Writes ∂ẏ/∂y, row by row, at the state evaluated last.
    pub(crate) fn write_jacobian(&mut self, dfdy: &mut [f64]) {
        dfdy.fill(0.0);
        for link in 0..self.system.links.len() {
            self.add_free_motion(link, dfdy);
        }
        let mut start = 0;
        while start < self.contacts.active.len() {
            let pair_of = |slot: &usize| self.table.contacts[self.contacts.active[*slot]].pair;
            let pair = pair_of(&start);
            let end = start + (start..self.contacts.active.len()).take_while(|s| pair_of(s) == pair).count();
            let tangent = self.pair_tangent(start..end);
            self.add_pair(self.table.pairs[pair].bodies, &tangent, dfdy);
            start = end;
        }
    }

    /// What a body does without forces: ẋ = v, q̇ = ½ q ⊗ (0, ω), J ω̇ = −ω × J ω.
    fn add_free_motion(&self, link: usize, dfdy: &mut [f64]) {
        let n = self.system.states();
        let link = &self.system.links[link];
        let data = &self.system.bodies[link.body];
        let s = link.first_state;
        let q = joint::quaternion(&self.state[s + 3..s + 7]);
        let omega = Vec3::from_column_slice(&self.state[s + 10..s + 13]);
        for k in 0..3 {
            dfdy[(s + k) * n + s + 7 + k] = 1.0;
        }
        let mut put = |column: usize, rate: Quaternion| {
            for (i, value) in [rate.w, rate.x, rate.y, rate.z].into_iter().enumerate() {
                dfdy[(s + 3 + i) * n + s + column] = value;
            }
        };
        for k in 0..4 {
            put(3 + k, unit_quaternion(k).rate(&omega));
        }
        for k in 0..3 {
            put(10 + k, q.rate(&unit(k)));
        }
        for k in 0..3 {
            let turning = unit(k).cross(&(data.inertia * omega)) + omega.cross(&(data.inertia * unit(k)));
            let spin = -(data.inverse_inertia * turning);
            for i in 0..3 {
                dfdy[(s + 10 + i) * n + s + 10 + k] = spin[i];
            }
        }
    }

    /// What a pair of bodies does to each other.
    fn add_pair(&self, bodies: [usize; 2], tangent: &ContactTangent, dfdy: &mut [f64]) {
        let n = self.system.states();
        let sides: [Side<'_>; 2] = std::array::from_fn(|k| self.side(k, bodies[k], tangent));
        let relative = sides[1].field - sides[0].field;
        for moved in sides.iter().filter(|side| side.first_state.is_some()) {
            let columns = moved.first_state.unwrap_or(0);
            for column in 0..STATES {
                let change = self.body_change(moved, column);
                let d_wrench = moved.wrench_change(tangent, &relative, &change);
                for pushed in &sides {
                    let Some(rows) = pushed.first_state else { continue };
                    let [linear, spin] = pushed.acceleration_change(tangent, &d_wrench, moved, &change);
                    for i in 0..3 {
                        dfdy[(rows + 7 + i) * n + columns + column] += linear[i];
                        dfdy[(rows + 10 + i) * n + columns + column] += spin[i];
                    }
                }
            }
        }
    }

    fn side(&self, index: usize, body: usize, tangent: &ContactTangent) -> Side<'_> {
        let data = &self.system.bodies[body];
        let motion = &self.bodies[body];
        let arm = tangent.at - motion.pose.translation;
        Side {
            index,
            sign: if index == 0 { -1.0 } else { 1.0 },
            data,
            first_state: data.link.map(|link| self.system.links[link].first_state),
            rotation: motion.pose.rotation,
            arm,
            field: Twist::new(motion.angular_velocity, motion.velocity).shifted(&arm),
        }
    }

    /// What one of its states moves a body by.
    fn body_change(&self, side: &Side<'_>, column: usize) -> BodyChange {
        let mut change = BodyChange {
            shift: Vec3::zeros(),
            turn: Vec3::zeros(),
            velocity: Vec3::zeros(),
            spin: Vec3::zeros(),
        };
        match column {
            0..3 => change.shift = unit(column),
            3..7 => {
                let s = side.first_state.unwrap_or(0);
                let q = joint::quaternion(&self.state[s + 3..s + 7]);
                // Poses come from q/|q|, which a change along q leaves alone.
                let turned = q.conjugate().multiply(&unit_quaternion(column - 3));
                let size = q.norm();
                change.turn = side.rotation * Vec3::new(turned.x, turned.y, turned.z) * (2.0 / (size * size));
                change.spin = change.turn.cross(&side.field.angular);
            }
            7..10 => change.velocity = unit(column - 7),
            _ => change.spin = side.rotation * unit(column - 10),
        }
        change
    }
}

/// Small change of a body's motion, in world axes.
struct BodyChange {
    /// Of its centre of mass.
    shift: Vec3,
    turn: Vec3,
    /// Of its centre of mass.
    velocity: Vec3,
    spin: Vec3,
}

/// One body of a pair.
struct Side<'a> {
    index: usize,
    /// Of the pair's wrench.
    sign: f64,
    data: &'a BodyData,
    /// None if the body is fixed.
    first_state: Option<usize>,
    rotation: Mat3,
    /// From the centre of mass to the tangent's point.
    arm: Vec3,
    /// Its velocities, at that point.
    field: Twist,
}

impl Side<'_> {
    /// Change of the pair's wrench, about the tangent's point, with a motion of this body. If A moves, all is carried
    /// along rigidly, and B is moved back.
    fn wrench_change(&self, tangent: &ContactTangent, relative: &Twist, change: &BodyChange) -> Wrench {
        let displacement = Twist::new(change.turn, change.shift).shifted(&self.arm);
        let velocity = Twist::new(change.spin, change.velocity - self.field.angular.cross(&change.shift))
            .shifted(&self.arm);
        if self.index == 1 {
            return tangent.change(&displacement, &velocity);
        }
        let Twist { angular: turn, linear: shift } = displacement;
        let carried = Twist::new(
            turn.cross(&relative.angular),
            turn.cross(&relative.linear) - relative.angular.cross(&shift),
        );
        let Wrench { torque, force } = tangent.wrench;
        tangent.change(&-displacement, &-(velocity + carried))
            + Wrench::new(turn.cross(&torque) + shift.cross(&force), turn.cross(&force))
    }

    /// Changes of v̇ and ω̇ (body axes) of this body when `moved` moves.
    fn acceleration_change(
        &self,
        tangent: &ContactTangent,
        d_wrench: &Wrench,
        moved: &Side<'_>,
        change: &BodyChange,
    ) -> [Vec3; 2] {
        let mut about_centre = d_wrench.shifted_back(&self.arm);
        if moved.index == self.index {
            about_centre.torque -= change.shift.cross(&tangent.wrench.force);
            about_centre.torque -= change.turn.cross(&tangent.wrench.shifted_back(&self.arm).torque);
        }
        let torque = self.rotation.tr_mul(&about_centre.torque);
        [about_centre.force * (self.sign / self.data.mass), self.data.inverse_inertia * torque * self.sign]
    }
}

fn unit(k: usize) -> Vec3 {
    let mut unit = Vec3::zeros();
    unit[k] = 1.0;
    unit
}

fn unit_quaternion(k: usize) -> Quaternion {
    let mut parts = [0.0; 4];
    parts[k] = 1.0;
    joint::quaternion(&parts)
}
