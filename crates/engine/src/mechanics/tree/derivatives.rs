use carom_math::{Twist, Vec3, Wrench};

use super::chain::rotation_places;
use super::composite::Composite;
use super::{Chain, Link, SparseFactor, TreeWorkspace};
use crate::mechanics::BodyData;
use crate::mechanics::kinematics::BodyKinematics;

/// Derivatives of inverse dynamics τ(q, v, a) by coordinates and velocities, in closed form: Carpentier & Mansard (Robotics:
/// Science and Systems 2018), in the form of Singh, Russell & Wensing (IEEE Robotics and Automation Letters 7(2), 2022). All
/// spatial vectors of a tree are about one point, where its root's centre of mass is now, in world axes; the frame
/// moves with that centre of mass if the root is free.
///
/// A displacement along freedom j carries all bodies beyond it. Seen from them, with v and a of what j hangs on,
///   δv = Ψ̇ = v × S,  δa + vᵢ × Ψ̇ = Ψ̈ = a × S + v × Ψ̇,
/// and a change of its velocity makes δv = S, δa + vᵢ × S = Ψ̇ + Ṡ. Both change the wrench that body i takes by
/// 2 Bᵢ δv + Iᵢ (δa + vᵢ × δv), which is summed over the bodies beyond.
#[derive(Clone, Debug, Default)]
pub(crate) struct DynamicsDerivatives {
    /// By place.
    pub(crate) columns: Vec<MovingColumn>,
    /// By link: of all bodies beyond.
    composites: Vec<Composite>,
    /// By link: velocity and acceleration of its body, gravity as one of the base upwards.
    motions: Vec<[Twist; 2]>,
    /// By tree, at its first link: the point, and the velocity of the frame.
    pub(crate) frames: Vec<[Vec3; 2]>,
}

/// Column of a place, with its rates.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MovingColumn {
    /// S.
    pub(crate) column: Twist,
    /// Ψ̇.
    pub(crate) rate: Twist,
    /// Ψ̈.
    second_rate: Twist,
    /// Ψ̇ + Ṡ.
    both_rates: Twist,
    /// I S of all that is beyond.
    inertial: Wrench,
    /// (2 B)ᵀ S of all that is beyond.
    gyroscopic: Vec3,
}

impl DynamicsDerivatives {
    pub(crate) fn new(links: &[Link], chain: &Chain) -> Self {
        Self {
            columns: vec![MovingColumn::default(); chain.places.len()],
            composites: vec![Composite::default(); links.len()],
            motions: vec![[Twist::ZERO; 2]; links.len()],
            frames: vec![[Vec3::zeros(); 2]; links.len()],
        }
    }

    /// Takes everything at a state and its rates, where the workspace holds the kinematics.
    pub(crate) fn update(
        &mut self,
        (links, data, chain): (&[Link], &[BodyData], &Chain),
        (workspace, bodies): (&TreeWorkspace, &[BodyKinematics]),
        gravity: &Vec3,
        (state, rates): (&[f64], &[f64]),
    ) {
        for (index, link) in links.iter().enumerate() {
            let body = &bodies[link.body];
            if link.tree == index {
                let velocity = if link.is_root() { body.velocity } else { Vec3::zeros() };
                self.frames[index] = [body.pose.translation, velocity];
            }
            let at = body.pose.translation - self.frames[link.tree][0];
            for place in link.freedoms() {
                let column = workspace.column(link, chain.places[place].freedom, &body.pose.rotation);
                self.columns[place].column = column.shifted(&-at);
            }
            let mut motion = match link.parent {
                Some(parent) => self.motions[parent],
                None => [Twist::ZERO, Twist::new(Vec3::zeros(), -gravity)],
            };
            let rotation = rotation_places(link).unwrap_or(0..0);
            let mut place = link.first_freedom;
            while place < link.freedoms().end {
                let end = if rotation.start == place { rotation.end.max(place + 1) } else { place + 1 };
                self.pass_step(chain, place..end, link, &mut motion, (state, rates));
                place = end;
            }
            self.motions[index] = motion;
            let [v, a] = &motion;
            self.composites[index] = Composite::of_body(&data[link.body], body, &at, v, a);
        }
        for index in (0..links.len()).rev() {
            for place in links[index].freedoms() {
                let (composite, column) = (&self.composites[index], &mut self.columns[place]);
                column.inertial = composite.apply(&column.column);
                column.gyroscopic = composite.turn_transposed(&column.column);
            }
            if let Some(parent) = links[index].parent {
                let composite = self.composites[index];
                self.composites[parent] += composite;
            }
        }
    }

    /// Takes velocity and acceleration across one place, or the three of a quaternion.
    fn pass_step(
        &mut self,
        chain: &Chain,
        step: std::ops::Range<usize>,
        link: &Link,
        motion: &mut [Twist; 2],
        (state, rates): (&[f64], &[f64]),
    ) {
        let before = *motion;
        let [mut velocity, mut acceleration] = before;
        for place in step.clone() {
            let data = &chain.places[place];
            // The frame takes the velocity of a root.
            let rides = link.is_root() && data.freedom < 3;
            let speed = if rides { 0.0 } else { state[data.velocity] };
            velocity += self.columns[place].column * speed;
            acceleration += self.columns[place].column * rates[data.velocity];
        }
        let after = velocity;
        // Columns turn with the body carried, or with what they hang on.
        let turns = if link.reversed { before[0] } else { after };
        for place in step.clone() {
            let data = &chain.places[place];
            let rides = link.is_root() && data.freedom < 3;
            if !rides {
                acceleration += turns.cross(&self.columns[place].column) * state[data.velocity];
            }
        }
        let [v, a] = if link.reversed { [after, acceleration] } else { before };
        for place in step {
            let column = &mut self.columns[place];
            let s = &column.column;
            column.rate = v.cross(s);
            column.second_rate = a.cross(s) + v.cross(&column.rate);
            column.both_rates = column.rate + turns.cross(s);
        }
        *motion = [after, acceleration];
    }

    /// Subtracts ∂τ/∂q and ∂τ/∂v from a matrix with as many columns as states, in the rows of the velocities and the columns
    /// of [`super::chain::Place`], and takes the mass matrix. Accelerations of driven places are given.
    pub(crate) fn write(&self, chain: &Chain, matrix: &mut [f64], n: usize, mass: &mut SparseFactor) {
        for (j, place) in chain.places.iter().enumerate() {
            let composite = &self.composites[place.link];
            let own = &self.columns[j];
            let s = &own.column;
            let from_here = composite.turn(&own.rate.angular) + composite.apply(&own.second_rate);
            let from_before = from_here + s.cross_wrench(&composite.wrench);
            let by_speed = composite.turn(&s.angular) + composite.apply(&own.both_rates);
            for (entry, &r) in chain.path_range(j).zip(chain.path(j)) {
                let (before, above) = (&chain.places[r], &self.columns[r]);
                let is_free = !place.is_driven && !before.is_driven;
                let alone = if r == j { place.armature } else { 0.0 };
                mass.values[entry] = if is_free { own.inertial.dot(&above.column) + alone } else { 0.0 };
                let by_place = if r >= place.carries_from { &from_here } else { &from_before };
                let row = n * before.velocity;
                matrix[row + place.coordinate] -= by_place.dot(&above.column);
                matrix[row + place.velocity] -= by_speed.dot(&above.column);
                if r == j {
                    continue;
                }
                let row = n * place.velocity;
                let mut slope =
                    own.gyroscopic.dot(&above.rate.angular) + own.inertial.dot(&above.second_rate);
                if j < before.carries_from {
                    slope += above.column.cross_wrench(&composite.wrench).dot(s);
                }
                matrix[row + before.coordinate] -= slope;
                matrix[row + before.velocity] -=
                    own.gyroscopic.dot(&above.column.angular) + own.inertial.dot(&above.both_rates);
            }
            if place.is_driven {
                mass.values[chain.path_range(j).end - 1] = 1.0;
            }
        }
    }
}
