use carom_math::{Pose, Vec3};

use crate::function::TimeFunction;
use crate::law::ImpactLaw;

/// A frame on a body, at which a joint, force or constraint takes hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// Index into [`crate::Model::bodies`].
    pub body: usize,
    /// Pose of the frame in the body's frame.
    pub pose: Pose,
}

/// What motion a joint leaves between its frame F on body A and its frame M on body B. The axis is the z axis
/// that both frames share at coordinate 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// None.
    Fixed,
    /// Angle about z.
    Revolute,
    /// Displacement along z.
    Prismatic,
    /// Angle about z, displacement along z.
    Cylindrical,
    /// Angle about z; M advances by `lead` along z.
    Screw {
        /// Advance per angle (m/rad).
        lead: f64,
    },
    /// Angle about F's z, then angle about `second`.
    Universal {
        /// Second axis, a unit vector in M, not parallel to z.
        second: Vec3,
    },
    /// Rotation; its coordinates are a quaternion, its velocities the angular velocity in M's axes.
    Spherical,
    /// Displacements along F's x and y, angle about z.
    Planar,
    /// Displacement in F's axes and rotation; the velocities are linear in F's axes, angular in M's.
    Free,
}

/// What a joint leaves M to turn against F.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turning {
    /// Nothing: M's axes are F's.
    None,
    /// An angle about z, the joint's coordinate number `at`.
    AboutZ {
        /// Among coordinates and velocities.
        at: usize,
    },
    /// Angles about F's z and about a second axis that is fixed in M: coordinates 0 and 1.
    Cardan {
        /// A unit vector in M, not parallel to z.
        second: Vec3,
    },
    /// Everything: a quaternion from coordinate `at` on, an angular velocity in M's axes from velocity `at` on.
    Ball {
        /// Among coordinates and velocities.
        at: usize,
    },
}

/// What a joint leaves M's origin to be displaced from F's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sliding {
    /// Nothing.
    None,
    /// Along axes of F, from coordinate `at` on.
    Along {
        /// Among coordinates and velocities.
        at: usize,
        /// 0: x, 1: y, 2: z; ascending.
        axes: &'static [usize],
    },
    /// Along z by `lead` times the angle about it.
    Thread {
        /// Advance per angle (m/rad).
        lead: f64,
    },
}

impl JointKind {
    /// One of each kind; what only the model can say of it is arbitrary.
    pub const ALL: [Self; 9] = [
        Self::Fixed,
        Self::Revolute,
        Self::Prismatic,
        Self::Cylindrical,
        Self::Screw { lead: 1.0 },
        Self::Universal { second: Vec3::new(0.0, 1.0, 0.0) },
        Self::Spherical,
        Self::Planar,
        Self::Free,
    ];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
            Self::Cylindrical => "cylindrical",
            Self::Screw { .. } => "screw",
            Self::Universal { .. } => "universal",
            Self::Spherical => "spherical",
            Self::Planar => "planar",
            Self::Free => "free",
        }
    }

    /// What it leaves to turn. With [`Self::sliding`] this is all that the equations know of a kind.
    pub const fn turning(self) -> Turning {
        match self {
            Self::Fixed | Self::Prismatic => Turning::None,
            Self::Revolute | Self::Cylindrical | Self::Screw { .. } => Turning::AboutZ { at: 0 },
            Self::Universal { second } => Turning::Cardan { second },
            Self::Spherical => Turning::Ball { at: 0 },
            Self::Planar => Turning::AboutZ { at: 2 },
            Self::Free => Turning::Ball { at: 3 },
        }
    }

    /// What it leaves to be displaced.
    pub const fn sliding(self) -> Sliding {
        match self {
            Self::Fixed | Self::Revolute | Self::Universal { .. } | Self::Spherical => Sliding::None,
            Self::Prismatic => Sliding::Along { at: 0, axes: &[2] },
            Self::Cylindrical => Sliding::Along { at: 1, axes: &[2] },
            Self::Screw { lead } => Sliding::Thread { lead },
            Self::Planar => Sliding::Along { at: 0, axes: &[0, 1] },
            Self::Free => Sliding::Along { at: 0, axes: &[0, 1, 2] },
        }
    }

    /// Names of the freedoms and what they measure, in the order of the velocities.
    pub const fn freedom_names(self) -> &'static [(&'static str, AxisMeasure)] {
        use AxisMeasure::{Angle, Length};
        match self {
            Self::Fixed => &[],
            Self::Revolute | Self::Screw { .. } => &[("angle", Angle)],
            Self::Prismatic => &[("displacement", Length)],
            Self::Cylindrical => &[("angle", Angle), ("displacement", Length)],
            Self::Universal { .. } => &[("angle1", Angle), ("angle2", Angle)],
            Self::Spherical => &[("rx", Angle), ("ry", Angle), ("rz", Angle)],
            Self::Planar => &[("x", Length), ("y", Length), ("angle", Angle)],
            Self::Free => {
                &[("x", Length), ("y", Length), ("z", Length), ("rx", Angle), ("ry", Angle), ("rz", Angle)]
            }
        }
    }

    /// Number of coordinates; a quaternion has four.
    pub const fn coordinates(self) -> usize {
        self.freedoms() + matches!(self.turning(), Turning::Ball { .. }) as usize
    }

    /// Degrees of freedom.
    pub const fn freedoms(self) -> usize {
        self.freedom_names().len()
    }

    /// What a freedom measures, by its place among the velocities.
    pub const fn measure(self, freedom: usize) -> AxisMeasure {
        self.freedom_names()[freedom].1
    }

    /// For each scalar coordinate, whether it is an angle (rad) rather than a length (m). Springs, servos, limits and
    /// motors act on these; a spherical or free joint has none, and along its freedoms act friction, armature and actuators alone.
    pub const fn axes(self) -> &'static [AxisMeasure] {
        use AxisMeasure::{Angle, Length};
        match self {
            Self::Fixed | Self::Spherical | Self::Free => &[],
            Self::Revolute | Self::Screw { .. } => &[Angle],
            Self::Prismatic => &[Length],
            Self::Cylindrical => &[Angle, Length],
            Self::Universal { .. } => &[Angle, Angle],
            Self::Planar => &[Length, Length, Angle],
        }
    }

    /// Direction in F, at zero, of a scalar coordinate.
    pub fn axis_in_f(self, axis: usize) -> Vec3 {
        match (self.sliding(), self.turning()) {
            (Sliding::Along { at, axes }, _) if (at..at + axes.len()).contains(&axis) => {
                Vec3::ith(axes[axis - at], 1.0)
            }
            (_, Turning::Cardan { second }) if axis == 1 => second,
            _ => Vec3::z(),
        }
    }
}

/// What a scalar joint coordinate measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisMeasure {
    /// rad; its force is a torque (N m).
    Angle,
    /// m; its force is in N.
    Length,
}

impl AxisMeasure {
    /// Unit of the coordinate.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Angle => "rad",
            Self::Length => "m",
        }
    }
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Path, such as `leg[2].knee`.
    pub name: String,
    /// What it leaves free.
    pub kind: JointKind,
    /// Frame F on body A.
    pub a: Attachment,
    /// Frame M on body B; reactions are those on B.
    pub b: Attachment,
    /// Close a loop with this joint: its body is carried by others.
    pub cut: bool,
    /// Coordinates at the start; `None`: from the poses of the bodies if both are stated, else zero.
    pub position: Option<Vec<f64>>,
    /// Velocities at the start; `None`: from the velocities of the bodies if B's is stated, else zero.
    pub velocity: Option<Vec<f64>>,
    /// What acts along each freedom, in the order of the velocities: where the joint has scalar coordinates, along these. Else the
    /// first three of a free joint are along A's joint axes, at the origin of B's frame, and rotations are about B's joint axes.
    pub elements: Vec<AxisElements>,
}

/// What acts along one freedom of a joint. SI units of the coordinate: m and N, or rad and N m.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxisElements {
    /// −k (q − q₀) − c q̇.
    pub spring: Option<AxisSpring>,
    /// Dry friction, regularised.
    pub friction: Option<AxisFriction>,
    /// Drive that holds a coordinate with a force of its own.
    pub servo: Option<AxisServo>,
    /// Compliant stops.
    pub limit: Option<AxisLimit>,
    /// Drive.
    pub motor: Option<Motor>,
    /// Inertia I of what turns or moves with the coordinate alone, such as a motor's rotor behind its gear: kinetic
    /// energy ½ I q̇² on top of that of the bodies (kg m² or kg), with I = J n² of a rotor J that turns n times as fast.
    pub armature: f64,
    /// Least and greatest sum (N m or N) of what actuators with a gain exert along it: what is beyond does not act.
    pub actuator_range: Option<[f64; 2]>,
    /// Speed that its drive is made for (rad/s or m/s): a run that is faster says so. It changes nothing.
    pub rated_speed: Option<f64>,
}

impl AxisElements {
    /// Does nothing of it ask for a coordinate that is one number?
    pub const fn needs_none(&self) -> bool {
        self.spring.is_none()
            && self.servo.is_none()
            && self.limit.is_none()
            && self.motor.is_none()
            && self.actuator_range.is_none()
            && self.rated_speed.is_none()
    }

    /// Has it a stop that does not give?
    pub fn has_rigid_stop(&self) -> bool {
        self.limit.is_some_and(|limit| matches!(limit.stop, Stop::Rigid { .. }))
    }
}

/// Spring and damper along a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisSpring {
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// Coordinate q₀ at which the spring is relaxed.
    pub rest: f64,
}

/// Servo along a coordinate: −k (q − q₀) − c (q̇ − q̇₀), and never more than F either way. Its work is that of a motor: nothing of
/// it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisServo {
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// Coordinate q₀ that it holds or follows.
    pub target: TimeFunction,
    /// F: N or N m; `None`: as much as it takes.
    pub effort: Option<f64>,
}

impl AxisServo {
    /// Force or torque at a coordinate and its velocity, with what they are to be, and its slopes by both: none where it gives its
    /// most.
    pub fn effort_at(&self, [q, v]: [f64; 2], [target, rate]: [f64; 2]) -> (f64, [f64; 2]) {
        let wanted = -self.stiffness * (q - target) - self.damping * (v - rate);
        match self.effort {
            Some(greatest) if wanted.abs() > greatest => (greatest.copysign(wanted), [0.0; 2]),
            _ => (wanted, [-self.stiffness, -self.damping]),
        }
    }
}

/// Friction along a coordinate: −F tanh(q̇/v_reg).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisFriction {
    /// F: N or N m.
    pub force: f64,
    /// Regularisation velocity: m/s or rad/s.
    pub v_reg: f64,
}

/// Stops of a coordinate: contacts of one dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisLimit {
    /// Smallest free coordinate.
    pub lower: Option<f64>,
    /// Largest free coordinate.
    pub upper: Option<f64>,
    /// What happens beyond.
    pub stop: Stop,
}

/// What a stop does that is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// It gives: F = K δⁿ with Hunt–Crossley damping for the restitution.
    Compliant {
        /// K in N/mⁿ or N m/radⁿ; `None`: stiff against the inertia behind the stop, and said in a note.
        stiffness: Option<f64>,
        /// n.
        exponent: f64,
        /// Coefficient of restitution, 0 to 1.
        restitution: f64,
    },
    /// It does not give: impacts, and while the stop is closed whatever effort keeps the coordinate there.
    Rigid {
        /// Coefficient e_N of restitution, 0 to 1.
        restitution: f64,
        /// How it is meant.
        impact: ImpactLaw,
    },
}

/// Drive of a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub enum Motor {
    /// The coordinate follows the function; a constraint.
    Position(TimeFunction),
    /// The velocity follows the function; a constraint.
    Velocity(TimeFunction),
    /// The force or torque is the function.
    Force(TimeFunction),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each velocity belongs to one of what turns and what slides, and scalar axes are the named freedoms.
    #[test]
    fn kinds_agree_with_themselves() {
        for kind in JointKind::ALL {
            let mut owners = vec![0; kind.freedoms()];
            let mut own = |at: usize, count: usize| owners[at..at + count].iter_mut().for_each(|n| *n += 1);
            match kind.turning() {
                Turning::None => {}
                Turning::AboutZ { at } => own(at, 1),
                Turning::Cardan { .. } => own(0, 2),
                Turning::Ball { at } => own(at, 3),
            }
            if let Sliding::Along { at, axes } = kind.sliding() {
                own(at, axes.len());
            }
            assert!(owners.iter().all(|&n| n == 1), "{kind:?}: {owners:?}");
            let measures: Vec<_> = kind.freedom_names().iter().map(|(_, measure)| *measure).collect();
            let has_scalars = !matches!(kind.turning(), Turning::Ball { .. });
            assert_eq!(kind.axes(), if has_scalars { &measures[..] } else { &[] }, "{kind:?}");
        }
        let words: std::collections::BTreeSet<_> = JointKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(words.len(), JointKind::ALL.len());
    }
}
