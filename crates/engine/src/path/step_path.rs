use std::cell::Cell;
use std::ops::Range;

use carom_math::{Mat3, Vec3};
use carom_solvers::Stepper;
use carom_solvers::bernstein::Bernstein;
use carom_solvers::ode::MAX_DEGREE;

use super::coordinates::{ControlPoints, CoordinateBound};
use super::joint::AcrossBound;
use crate::mechanics::joint::MAX_COORDINATES;
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::tree::Link;
use crate::model::Sliding;
use crate::system::System;

/// What the points of a body do in a step. All are bounds, in m and rad, with the step as the unit of time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BodyPath {
    /// Angular velocity ω and its rate.
    pub(crate) spin: f64,
    pub(crate) spin_rate: f64,
    /// Speed and acceleration of the centre of mass.
    pub(crate) centre_speed: f64,
    pub(crate) centre_acceleration: f64,
    /// Angular and centre speed against the root of the body's tree.
    spin_in_tree: f64,
    speed_in_tree: f64,
    /// Of any surface point that turning moves: distance from the centre (m).
    radius: f64,
    /// The same if balls of triangles were round, and by how much they are not (m).
    round_radius: f64,
    sagitta: f64,
    /// Control points of the acceleration of a point of the body, where they are known. Fixed bodies have none, and none are needed.
    curve: Curve,
    /// How far that point is from the centre of mass (m).
    arm: f64,
}

/// What is known of the acceleration of a point of a body beside its size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Curve {
    /// It is none: the body does not move.
    #[default]
    Still,
    /// The control points that begin at this one.
    Points(usize),
    /// Nothing: joints carry the body from another one that moves, or turn it about a place that is not its own.
    Unknown,
}

impl BodyPath {
    /// What any surface point travels in the step (m).
    pub(crate) fn travel(&self) -> f64 {
        self.centre_speed + lever(self.spin, self.radius)
    }

    /// The same against the root of the body's tree.
    pub(crate) fn travel_in_tree(&self) -> f64 {
        self.speed_in_tree + lever(self.spin_in_tree, self.radius)
    }

    /// What turning brings the surface, `arm` aside, nearer to anything (m): a ball of triangles stays where it was but for its sagitta.
    fn turn_nearer(&self, spin: f64, arm: f64) -> f64 {
        lever(spin, self.radius + arm).min(lever(spin, self.round_radius + arm) + self.sagitta)
    }

    /// Acceleration that turning gives a point at distance `radius` from the centre.
    fn turning(&self, radius: f64) -> f64 {
        lever(self.spin_rate + self.spin * self.spin, radius)
    }

    /// Distance of any surface point from the point of the curve.
    fn reach(&self) -> f64 {
        self.radius + self.arm
    }

    /// Acceleration of any surface point.
    fn acceleration(&self) -> f64 {
        self.centre_acceleration + self.turning(self.radius)
    }
}

/// Nothing that turns without a lever goes anywhere, however far away its surface ends.
fn lever(rate: f64, radius: f64) -> f64 {
    if rate > 0.0 && radius > 0.0 { rate * radius } else { 0.0 }
}

/// A share of the step, and a body there.
type Sight = (f64, BodyKinematics);

/// Links whose dense output is taken at once: it is the same arithmetic for all of their states.
const BLOCK: usize = 16;

/// The paths of all bodies over the attempted step.
pub(crate) struct StepPath {
    /// By degree of the dense output.
    forms: Vec<Bernstein>,
    /// Of a block of links.
    points: ControlPoints,
    pub(crate) bodies: Vec<BodyPath>,
    /// Control points of the accelerations of what slides in the world (free bodies, those of a plane, sliders): as many each, and one
    /// more each of the velocities.
    curves: Vec<Vec3>,
    velocities: Vec<Vec3>,
    curve_points: usize,
    /// By link: its scalar coordinates, which stops look at.
    pub(crate) coordinates: Vec<[CoordinateBound; 3]>,
    /// By link: what a straight line adds to the coordinates of the dense output at both ends of the step, to join the states
    /// there.
    off: Vec<[[f64; 2]; MAX_COORDINATES]>,
    /// By body: where it was seen to be at the start of the step, and at the share of it that was asked for last. Looks at several contacts
    /// ask for the same bodies, and for those that carry them.
    seen: Vec<[Cell<Option<Sight>>; 2]>,
}

/// States of links that follow each other.
fn states_of(links: &[Link]) -> Range<usize> {
    let first = links.first().map_or(0, |link| link.first_state);
    first..links.last().map_or(0, |link| link.states().end)
}

impl StepPath {
    pub(crate) fn new(system: &System) -> Self {
        let of_body = |body: &crate::mechanics::BodyData| BodyPath {
            radius: body.sweep_radius,
            round_radius: body.round_radius,
            sagitta: body.sagitta,
            ..Default::default()
        };
        let blocks = system.mechanics.links.chunks(BLOCK).map(|links| states_of(links).len());
        Self {
            forms: (0..=MAX_DEGREE).map(Bernstein::new).collect(),
            points: ControlPoints::new(blocks.max().unwrap_or(0)),
            bodies: system.mechanics.bodies.iter().map(of_body).collect(),
            curves: Vec::with_capacity(MAX_DEGREE * system.mechanics.links.len()),
            velocities: Vec::with_capacity((MAX_DEGREE + 1) * system.mechanics.links.len()),
            curve_points: 0,
            coordinates: vec![Default::default(); system.mechanics.links.len()],
            off: vec![Default::default(); system.mechanics.links.len()],
            seen: system.mechanics.bodies.iter().map(|_| Default::default()).collect(),
        }
    }

    /// Takes the attempted step, whose dense output is ready.
    pub(crate) fn read(&mut self, system: &System, stepper: &dyn Stepper) {
        let form = &self.forms[stepper.degree()];
        self.seen.iter_mut().flatten().for_each(|seen| *seen.get_mut() = None);
        self.curves.clear();
        self.velocities.clear();
        self.curve_points = form.degree().max(2) - 1;
        for (index, link) in system.mechanics.links.iter().enumerate() {
            if index % BLOCK == 0 {
                let end = (index + BLOCK).min(system.mechanics.links.len());
                self.points.read(form, stepper, states_of(&system.mechanics.links[index..end]));
            }
            self.points.look_at(link);
            for (c, off) in self.off[index].iter_mut().enumerate().take(link.kind.coordinates()) {
                *off = self.points.off(c);
            }
            let scalar = link.kind.axes().len();
            for axis in 0..scalar {
                self.coordinates[index][axis] = self.points.bound(axis);
            }
            let across = AcrossBound::new(link.kind, &self.points);
            let BodyPath { radius, round_radius, sagitta, .. } = self.bodies[link.body];
            let mut path = match link.parent_body {
                Some(parent) => carried(link, &self.bodies[parent], &across),
                None => free(&across),
            };
            (path.radius, path.round_radius, path.sagitta) = (radius, round_radius, sagitta);
            if let Some((at, axes)) = slides_in_the_world(link) {
                let fixed = link.parent_body.map_or_else(Mat3::identity, |parent| {
                    system.mechanics.bodies[parent].initial.pose.rotation * link.inboard.rotation
                });
                path.curve = Curve::Points(self.curves.len());
                path.arm = link.outboard.translation.norm();
                let points = 0..self.curve_points;
                self.curves.extend(points.map(|k| fixed * self.points.acceleration_point(at, axes, k)));
                let points = 0..self.curve_points + 1;
                self.velocities.extend(points.map(|k| fixed * self.points.velocity_point(at, axes, k)));
            }
            self.bodies[link.body] = path;
        }
    }

    /// A body at a share of the step, if it has been seen there.
    pub(crate) fn seen(&self, body: usize, theta: f64) -> Option<BodyKinematics> {
        let (at, found) = self.seen[body][usize::from(theta > 0.0)].get()?;
        (at == theta).then_some(found)
    }

    /// Remembers it.
    pub(crate) fn see(&self, body: usize, theta: f64, found: BodyKinematics) {
        self.seen[body][usize::from(theta > 0.0)].set(Some((theta, found)));
    }

    /// Is the turning of all bodies bounded?
    pub(crate) fn is_bounded(&self) -> bool {
        self.bodies.iter().all(|body| body.spin.is_finite())
    }

    /// States of a link at a share `theta` of the step, on its path.
    pub(crate) fn states(
        &self,
        stepper: &dyn Stepper,
        index: usize,
        link: &Link,
        theta: f64,
        states: &mut [f64],
    ) {
        stepper.interpolate(theta, link.states(), states);
        if theta > 0.0 && theta < 1.0 {
            let coordinates = &mut states[..link.kind.coordinates()];
            for (q, off) in coordinates.iter_mut().zip(&self.off[index]) {
                *q += off[0] + theta * (off[1] - off[0]);
            }
        }
    }

    /// Bound of the second derivative of n·(x_B − x_A) (m per step squared) for surface points x_A of body `a` and x_B of body `b` and a
    /// direction n that stays: between two times the separation along n bends below its chord by at most an eighth of this
    /// times the square of their distance. What both fall alike drops out, and a path that bends away counts for nothing.
    pub(crate) fn bending(&self, [a, b]: [usize; 2], n: &Vec3) -> f64 {
        let (path_a, path_b) = (&self.bodies[a], &self.bodies[b]);
        let centres = match (path_a.curve, path_b.curve) {
            (Curve::Unknown, _) | (_, Curve::Unknown) => {
                path_a.centre_acceleration + path_b.centre_acceleration
            }
            (curve_a, curve_b) => {
                let along = |curve: Curve, k: usize| match curve {
                    Curve::Points(first) => n.dot(&self.curves[first + k]),
                    Curve::Still | Curve::Unknown => 0.0,
                };
                let relative = |k: usize| along(curve_b, k) - along(curve_a, k);
                (0..self.curve_points).map(relative).fold(0.0, f64::max)
            }
        };
        centres + path_a.turning(path_a.reach()) + path_b.turning(path_b.reach())
    }

    /// Bound of the acceleration of a surface point of one body against one of the other (m per step squared). What both fall alike
    /// drops out.
    pub(crate) fn relative_acceleration(&self, bodies: [usize; 2]) -> f64 {
        let [a, b] = bodies.map(|body| &self.bodies[body]);
        match self.between(&self.curves, self.curve_points, bodies) {
            Some(points) => points + a.turning(a.reach()) + b.turning(b.reach()),
            None => a.acceleration() + b.acceleration(),
        }
    }

    /// Bound of the acceleration of surface points of body `a` as seen from axes that turn with body `b`, where points of
    /// `a` are within `distance` of the centre of `b` at one time of the step: with the centre's and Euler's, centripetal
    /// and Coriolis' accelerations. What both fall or slide alike drops out.
    pub(crate) fn acceleration_seen_from(&self, a: usize, b: usize, distance: f64) -> f64 {
        let (path_a, path_b) = (&self.bodies[a], &self.bodies[b]);
        let acceleration = match self.between(&self.curves, self.curve_points, [a, b]) {
            Some(points) => points + path_a.turning(path_a.reach()) + path_b.turning(path_b.arm),
            None => path_a.acceleration() + path_b.centre_acceleration,
        };
        if path_b.spin == 0.0 {
            return acceleration;
        }
        let speed = match self.between(&self.velocities, self.curve_points + 1, [a, b]) {
            Some(points) => points + lever(path_a.spin, path_a.reach()) + lever(path_b.spin, path_b.arm),
            None => path_a.travel() + path_b.centre_speed,
        };
        let reach = distance + speed;
        let seen = speed + path_b.spin * reach;
        acceleration + path_b.turning(reach) + 2.0 * path_b.spin * seen
    }

    /// Largest distance between the control points of two bodies' curves, of which each has `count`; none where a curve is not known.
    fn between(&self, points: &[Vec3], count: usize, bodies: [usize; 2]) -> Option<f64> {
        let [a, b] = bodies.map(|body| match self.bodies[body].curve {
            Curve::Points(first) => Some(first / self.curve_points * count),
            Curve::Still | Curve::Unknown => None,
        });
        let (a, b) = a.zip(b)?;
        Some((0..count).map(|k| (points[b + k] - points[a + k]).norm()).fold(0.0, f64::max))
    }

    /// Bound of the acceleration of a point of a body so far from its centre (m per step squared).
    pub(crate) fn point_acceleration(&self, body: usize, from_centre: f64) -> f64 {
        let path = &self.bodies[body];
        path.centre_acceleration + path.turning(from_centre)
    }

    /// What surface points of two bodies can come nearer each other in the step (m).
    pub(crate) fn relative_travel(&self, bodies: [usize; 2], in_tree: bool) -> f64 {
        let [a, b] = bodies.map(|body| &self.bodies[body]);
        if let Some(points) = self.between(&self.velocities, self.curve_points + 1, bodies) {
            return points + lever(a.spin, a.reach()) + lever(b.spin, b.reach());
        }
        if in_tree { a.travel_in_tree() + b.travel_in_tree() } else { a.travel() + b.travel() }
    }

    /// How much nearer two bodies are at one time of the step than at another, at most (m). Not in proportion to the time between.
    pub(crate) fn relative_approach(&self, bodies: [usize; 2], in_tree: bool) -> f64 {
        let [a, b] = bodies.map(|body| &self.bodies[body]);
        let turn = |body: &BodyPath| body.turn_nearer(body.spin, 0.0);
        if let Some(points) = self.between(&self.velocities, self.curve_points + 1, bodies) {
            return points + a.turn_nearer(a.spin, a.arm) + b.turn_nearer(b.spin, b.arm);
        }
        if in_tree {
            let turn = |body: &BodyPath| body.turn_nearer(body.spin_in_tree, 0.0);
            return a.speed_in_tree + turn(a) + b.speed_in_tree + turn(b);
        }
        a.centre_speed + turn(a) + b.centre_speed + turn(b)
    }
}

/// First coordinate and axes of what carries a link along directions that stay in the world.
fn slides_in_the_world(link: &Link) -> Option<(usize, &'static [usize])> {
    match link.kind.sliding() {
        Sliding::Along { at, axes } if link.parent.is_none() && !link.reversed => Some((at, axes)),
        Sliding::Along { .. } | Sliding::None | Sliding::Thread { .. } => None,
    }
}

/// The path of a body that moves freely in the world.
fn free(across: &AcrossBound) -> BodyPath {
    let AcrossBound { turning, sliding } = across;
    BodyPath {
        spin: turning.rate,
        spin_rate: turning.acceleration,
        centre_speed: sliding.rate,
        centre_acceleration: sliding.acceleration,
        curve: Curve::Unknown,
        ..Default::default()
    }
}

/// The path of a body behind a joint, from its parent's: the arm goes from the parent's centre to the joint, along the joint's
/// slide, and on to the centre of the body.
fn carried(link: &Link, parent: &BodyPath, across: &AcrossBound) -> BodyPath {
    let AcrossBound { turning, sliding } = across;
    let (inboard, outboard) = (link.inboard.translation.norm(), link.outboard.translation.norm());
    let spin = parent.spin + turning.rate;
    let spin_rate = parent.spin_rate + turning.acceleration + lever(parent.spin, turning.rate);
    // The slide is fixed to the frame of the joint's A, which a reversed joint carries.
    let (slide_spin, slide_spin_rate) =
        if link.reversed { (spin, spin_rate) } else { (parent.spin, parent.spin_rate) };
    let spin_in_tree = parent.spin_in_tree + turning.rate;
    let slide_in_tree = if link.reversed { spin_in_tree } else { parent.spin_in_tree };
    BodyPath {
        spin,
        spin_rate,
        centre_speed: parent.centre_speed
            + lever(parent.spin, inboard)
            + lever(slide_spin, sliding.size)
            + sliding.rate
            + lever(spin, outboard),
        centre_acceleration: parent.centre_acceleration
            + parent.turning(inboard)
            + lever(slide_spin_rate + slide_spin * slide_spin, sliding.size)
            + 2.0 * lever(slide_spin, sliding.rate)
            + sliding.acceleration
            + lever(spin_rate + spin * spin, outboard),
        spin_in_tree,
        speed_in_tree: parent.speed_in_tree
            + lever(parent.spin_in_tree, inboard)
            + lever(slide_in_tree, sliding.size)
            + sliding.rate
            + lever(spin_in_tree, outboard),
        curve: Curve::Unknown,
        ..Default::default()
    }
}
