//! Motions in closed form: bodies that fly and turn about a principal axis, and those that a function drives.

use carom_engine::function::{Op, Program, TimeFunction};
use carom_math::{Pose, Quaternion, Vec3};

/// A displacement over time, by a formula that the engine is given as a program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Drive {
    /// h / (1 + ((t − t₀)/w)²)⁴: all but at rest but for a bump.
    Bump { height: f64, at: f64, width: f64 },
    /// a sin(ω t)
    Swing { amplitude: f64, omega: f64 },
}

impl Drive {
    pub(crate) fn value(&self, t: f64) -> f64 {
        match *self {
            Self::Bump { height, at, width } => height / (1.0 + ((t - at) / width).powi(2)).powi(4),
            Self::Swing { amplitude, omega } => amplitude * libm::sin(omega * t),
        }
    }

    /// Bound of the speed between two times.
    fn speed(&self, [from, to]: [f64; 2]) -> f64 {
        match *self {
            // |f'| = 8 h x/(1 + x²)⁵/w rises to x = 1/3 and falls from there on.
            Self::Bump { height, at, width } => {
                let far = if from > at { from - at } else { (at - to).max(0.0) };
                let x = (far / width).max(1.0 / 3.0);
                8.0 * height.abs() * x / (1.0 + x * x).powi(5) / width
            }
            Self::Swing { amplitude, omega } => (amplitude * omega).abs(),
        }
    }

    pub(crate) fn function(&self) -> TimeFunction {
        use Op::{Add, Constant, Div, Mul, Pow, Sin, Sub, Time};
        let ops = match *self {
            Self::Bump { height, at, width } => vec![
                Constant(height),
                Constant(1.0),
                Time,
                Constant(at),
                Sub,
                Constant(width),
                Div,
                Constant(2.0),
                Pow,
                Add,
                Constant(4.0),
                Pow,
                Div,
            ],
            Self::Swing { amplitude, omega } => {
                vec![Constant(amplitude), Constant(omega), Time, Mul, Sin, Mul]
            }
        };
        TimeFunction::Program(Program::new(ops).expect("one value"))
    }
}

/// Motion of a body's centre of mass and frame, which has its origin there.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    pub(crate) position: Vec3,
    pub(crate) velocity: Vec3,
    pub(crate) gravity: Vec3,
    pub(crate) orientation: Quaternion,
    /// Angular velocity in world axes, along a principal axis: constant.
    pub(crate) spin: Vec3,
    /// Direction and displacement of a driven body.
    pub(crate) drive: Option<(Vec3, Drive)>,
    /// A place that it turns about in place of its own, on a hinge.
    pub(crate) pivot: Option<Vec3>,
}

impl Motion {
    pub(crate) fn rest(pose: &Pose) -> Self {
        Self {
            position: pose.translation,
            velocity: Vec3::zeros(),
            gravity: Vec3::zeros(),
            orientation: Quaternion::from_matrix(&pose.rotation),
            spin: Vec3::zeros(),
            drive: None,
            pivot: None,
        }
    }

    pub(crate) fn pose(&self, t: f64) -> Pose {
        let turn = Quaternion::from_rotation_vector(&(self.spin * t));
        let turned = turn.multiply(&self.orientation);
        let driven = self.drive.map_or(Vec3::zeros(), |(direction, drive)| direction * drive.value(t));
        let place =
            self.pivot.map_or(self.position, |pivot| pivot + turn.to_matrix() * (self.position - pivot));
        Pose {
            rotation: turned.normalized().to_matrix(),
            translation: place + (self.velocity * t + self.gravity * (0.5 * t * t) + driven),
        }
    }

    /// Distance from the axis that it turns about, at most.
    pub(crate) fn arm(&self) -> f64 {
        self.pivot.map_or(0.0, |pivot| (self.position - pivot).norm())
    }

    fn velocity_at(&self, t: f64) -> Vec3 {
        self.velocity + self.gravity * t
    }
}

/// Bound of how fast the distance of two bodies can change between two times, which are `radii` about their origins.
pub(crate) fn closing_speed(motions: [&Motion; 2], radii: [f64; 2], times: [f64; 2]) -> f64 {
    let [a, b] = motions;
    // The relative velocity of centres is linear in time: its norm is largest at an end.
    let linear = times.map(|t| (b.velocity_at(t) - a.velocity_at(t)).norm());
    let driven = |m: &Motion| m.drive.map_or(0.0, |(_, drive)| drive.speed(times));
    let turning = |m: &Motion, radius: f64| m.spin.norm() * (radius + m.arm());
    linear[0].max(linear[1]) + turning(a, radii[0]) + turning(b, radii[1]) + driven(a) + driven(b)
}
