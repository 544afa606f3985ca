use carom_math::{Mat3, Pose, Vec3};

use crate::model::JointKind;

/// A moving body and the joint that carries it. Links are ordered so that parents come first.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// The body that the link moves.
    pub(crate) body: usize,
    /// The body it hangs on; `None` for a root, which moves freely in the world.
    pub(crate) parent_body: Option<usize>,
    /// Link of that body; `None` if it is fixed, or for a root.
    pub(crate) parent: Option<usize>,
    pub(crate) kind: JointKind,
    /// Joint of the model; `None` for a root.
    pub(crate) joint: Option<usize>,
    /// The joint's A is the body carried, its B the parent.
    pub(crate) reversed: bool,
    /// Joint frame on the parent (F, or M if reversed), in the parent's C.
    pub(crate) inboard: Pose,
    /// Joint frame on the body carried (M, or F if reversed), in its C.
    pub(crate) outboard: Pose,
    /// First coordinate in the state; the velocities follow the coordinates.
    pub(crate) first_state: usize,
    /// First freedom among those of the system.
    pub(crate) first_freedom: usize,
    /// A root that carries nothing: Newton–Euler equations serve it.
    pub(crate) lone: bool,
    /// Tree it belongs to, by its first link; links of a tree are neighbours.
    pub(crate) tree: usize,
    /// Constraint group of the motor whose motion its joint makes: a function of time instead of an unknown. Only where no
    /// other constraint holds.
    pub(crate) drive: Option<usize>,
    /// By freedom: inertia of what moves with it alone (kg m² or kg).
    pub(crate) armature: [f64; 6],
    pub(crate) shortcut: Shortcut,
}

/// What the most common joints need, computed once.
#[derive(Clone, Debug)]
pub(crate) enum Shortcut {
    None,
    Revolute(RevoluteTable),
    Prismatic(PrismaticTable),
    /// Of a fixed joint: C of the body carried, in its parent's.
    Fixed(Pose),
}

/// Rotation across a revolute joint as a constant plus parts with the cosine and sine of the angle.
#[derive(Clone, Debug)]
pub(crate) struct RevoluteTable {
    pub(crate) constant: Mat3,
    pub(crate) cosine: Mat3,
    pub(crate) sine: Mat3,
    /// Axis in the parent's axes, about which the body carried turns at the joint's velocity.
    pub(crate) axis: Vec3,
}

/// A prismatic joint in its parent's axes.
#[derive(Clone, Debug)]
pub(crate) struct PrismaticTable {
    /// Pose of the body carried at coordinate zero.
    pub(crate) at_zero: Pose,
    /// Along which it moves at the joint's velocity.
    pub(crate) axis: Vec3,
}

impl PrismaticTable {
    /// X_PC = X_in (z s)^±1 X_out⁻¹ with the minus for a reversed joint.
    pub(crate) fn new(inboard: &Pose, outboard: &Pose, reversed: bool) -> Self {
        let sign = if reversed { -1.0 } else { 1.0 };
        Self { at_zero: inboard.compose(&outboard.inverse()), axis: inboard.rotation.column(2) * sign }
    }
}

impl RevoluteTable {
    /// R_PC = R_in R_z(±θ) R_outᵀ with the minus for a reversed joint.
    pub(crate) fn new(inboard: &Mat3, outboard: &Mat3, reversed: bool) -> Self {
        let sign = if reversed { -1.0 } else { 1.0 };
        let about = Mat3::from_diagonal(&Vec3::new(0.0, 0.0, 1.0));
        let across = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0));
        let turn = Mat3::new(0.0, -sign, 0.0, sign, 0.0, 0.0, 0.0, 0.0, 0.0);
        let out = outboard.transpose();
        Self {
            constant: inboard * about * out,
            cosine: inboard * across * out,
            sine: inboard * turn * out,
            axis: inboard * Vec3::z() * sign,
        }
    }
}

impl Link {
    pub(crate) fn is_root(&self) -> bool {
        self.parent_body.is_none()
    }

    /// Coordinates in the state.
    pub(crate) fn coordinates(&self) -> std::ops::Range<usize> {
        self.first_state..self.first_state + self.kind.coordinates()
    }

    /// Velocities in the state.
    pub(crate) fn velocities(&self) -> std::ops::Range<usize> {
        let start = self.first_state + self.kind.coordinates();
        start..start + self.kind.freedoms()
    }

    /// All its states.
    pub(crate) fn states(&self) -> std::ops::Range<usize> {
        self.first_state..self.velocities().end
    }

    /// Kinetic energy of what moves with its freedoms alone (J), at a state of the system.
    pub(crate) fn energy_of_armature(&self, state: &[f64]) -> f64 {
        self.armature.iter().zip(&state[self.velocities()]).map(|(inertia, v)| 0.5 * inertia * v * v).sum()
    }

    /// Its freedoms among those of the system.
    pub(crate) fn freedoms(&self) -> std::ops::Range<usize> {
        self.first_freedom..self.first_freedom + self.kind.freedoms()
    }
}
