//! Two bodies that fly at each other, or at something that stands, turns or is driven: as a scene, and as a model.

mod draw;
mod judge;
mod side;

use carom_engine::Model;
use carom_engine::law::Law;
use carom_engine::model::{Body, IntegratorKind, JointKind, Method, Motor, ShapeRef, WideLine};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::build::{at, body, fixed, joint, model, round};
use crate::motion::Motion;
use crate::part::Part;
use crate::surface::Surface;

pub(crate) use judge::{allowance, stopped};

/// A scene before it is run: A and B with their motions, one of which may be that of something fixed.
pub(crate) struct Flight {
    pub(crate) kind: String,
    pub(crate) parts: [Part; 2],
    pub(crate) motions: [Motion; 2],
    pub(crate) method: Method,
    pub(crate) law: Law,
    pub(crate) integrator: IntegratorKind,
    pub(crate) rtol: f64,
    pub(crate) masses: [f64; 2],
    /// If nothing touches, how long to look (s).
    pub(crate) t_end: f64,
    /// How long to go on after the touch (s).
    pub(crate) after: f64,
    /// And how much longer the run is told to last (s): that must not show.
    pub(crate) beyond: f64,
    /// The pair is not listed: it comes up when a broad phase finds the surfaces near each other.
    pub(crate) wide: bool,
}

/// Moments of inertia over m R² of bodies that turn about their z axes.
const ABOUT_Z: [f64; 3] = [0.25, 0.3, 0.4];

impl Flight {
    fn is_fixed(&self, side: usize) -> bool {
        let m = &self.motions[side];
        side == 0
            && m.drive.is_none()
            && m.velocity == Vec3::zeros()
            && m.spin == Vec3::zeros()
            && m.gravity == Vec3::zeros()
    }

    fn describe(&self) -> String {
        let of = |m: &Motion| {
            let drive = m.drive.map_or(String::new(), |(_, drive)| format!(", {drive:?}"));
            format!("v {:.3e} m/s, spin {:.3e} rad/s{drive}", m.velocity.norm(), m.spin.norm())
        };
        let [a, b] = &self.parts;
        format!(
            "{} ({}) and {} ({}), {}{} {} rtol {:.0e}",
            a.name,
            if self.is_fixed(0) { "fixed".to_owned() } else { of(&self.motions[0]) },
            b.name,
            of(&self.motions[1]),
            if self.wide { "wide " } else { "" },
            self.method.name(),
            self.integrator.name(),
            self.rtol
        )
    }

    pub(crate) fn model(&self, t_end: f64) -> Model {
        let mut bodies: Vec<Body> = Vec::new();
        for (side, name) in ["a", "b"].into_iter().enumerate() {
            let (part, motion, mass) = (&self.parts[side], &self.motions[side], self.masses[side]);
            let shape = Some(part.shape.clone());
            let made = if self.is_fixed(side) {
                fixed(name, shape)
            } else if motion.spin == Vec3::zeros() || matches!(part.surface, Surface::Ball(_)) {
                round(name, mass, part.radius, shape)
            } else {
                let moments = Vec3::from(ABOUT_Z) * (mass * part.radius * part.radius);
                body(name, mass, Mat3::from_diagonal(&moments), shape)
            };
            bodies.push(Body {
                position: motion.position,
                orientation: motion.orientation,
                velocity: motion.velocity,
                angular_velocity: motion.spin,
                ..made
            });
        }
        let mut model = model(bodies, self.law.clone(), self.method);
        self.add_guide(&mut model);
        if self.wide {
            let side = |body| vec![ShapeRef { body, shape: 0 }];
            let patterns = ["a", "b"].map(str::to_owned);
            model.pairs.clear();
            model.wide_lines.push(WideLine { line: Some(0), patterns, sides: [side(0), side(1)] });
        }
        model.gravity = self.motions[1].gravity;
        model.solver.method = self.integrator;
        model.solver.rtol = self.rtol;
        model.solver.t_end = t_end;
        model.solver.max_steps = 100_000;
        model
    }

    /// The slide or hinge of A, if it is on one.
    fn add_guide(&self, model: &mut Model) {
        let motion = &self.motions[0];
        let (axis, kind, place) = match (motion.drive, motion.pivot) {
            (Some((direction, _)), _) => (direction, JointKind::Prismatic, motion.position),
            (None, Some(pivot)) => (motion.spin.normalize(), JointKind::Revolute, pivot),
            (None, None) => return,
        };
        model.bodies.push(fixed("ground", None));
        model.bodies[0].pose_stated = false;
        model.bodies[0].velocity_stated = false;
        let along = Quaternion::between(&Vec3::z(), &axis).to_matrix();
        let to_body = motion.orientation.to_matrix();
        let on_body = Pose {
            rotation: to_body.tr_mul(&along),
            translation: to_body.tr_mul(&(place - motion.position)),
        };
        let mut guide =
            joint("guide", kind, at(2, Pose { rotation: along, translation: place }), at(0, on_body));
        match motion.drive {
            Some((_, drive)) => guide.elements[0].motor = Some(Motor::Position(drive.function())),
            None => {
                guide.position = Some(vec![0.0]);
                guide.velocity = Some(vec![motion.spin.norm()]);
            }
        }
        model.joints.push(guide);
    }
}
