//! What a run reports while it runs. The engine calls a [`Recorder`]; what becomes of the rows is the
//! recorder's business.

mod episode;

use std::error::Error;
use std::fmt;
use std::ops::ControlFlow;

use carom_math::{Quaternion, Vec3};

use crate::model::{IntegratorKind, JointKind};

pub use episode::{Episode, LineTotals, Peak, Peaks};

/// State of a body's frame, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Position of the frame's origin (m).
    pub position: Vec3,
    /// Orientation, of unit length.
    pub orientation: Quaternion,
    /// Velocity of the frame's origin (m/s).
    pub velocity: Vec3,
    /// Angular velocity (rad/s).
    pub angular_velocity: Vec3,
}

/// Mode of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMode {
    /// Apart.
    Open,
    /// Touching; the law acts, unclamped.
    Closed,
    /// The law's force has reached zero before the surfaces parted: no force until they do.
    Released,
    /// Chatters: the clipped law acts without events.
    Latched,
}

/// What a closed contact does tangentially.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sliding {
    /// Slower than the regularisation velocity.
    Stick,
    /// Faster.
    Slip,
}

/// One contact that is not open, at a recorded time. Forces act on B, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Where the force acts (m).
    pub position: Vec3,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// Signed distance (m).
    pub gap: f64,
    /// Rate of penetration δ̇ (m/s), positive while closing.
    pub approach_speed: f64,
    /// Normal force (N).
    pub normal_force: f64,
    /// Largest pressure of areal contact (Pa); 0 of others.
    pub pressure: f64,
    /// Friction force (N).
    pub friction_force: Vec3,
    /// Rolling and drilling torque (N m).
    pub torque: Vec3,
    /// Tangential velocity of B against A (m/s).
    pub sliding_velocity: Vec3,
    /// Power that the contact dissipates (W).
    pub dissipated_power: f64,
    /// Mode.
    pub mode: ContactMode,
    /// Sticking or slipping.
    pub sliding: Sliding,
}

/// A part of an areal contact whose elements hang together, in world axes. Forces are on B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Number within the contact at this time, from 0.
    pub patch: u32,
    /// Number of elements.
    pub elements: u32,
    /// Sum of their areas (m²).
    pub area: f64,
    /// Centre of pressure (m).
    pub position: Vec3,
    /// Force, friction included (N).
    pub force: Vec3,
    /// Torque about the centre of pressure (N m).
    pub torque: Vec3,
    /// Largest pressure (Pa).
    pub pressure: f64,
    /// Largest penetration (m).
    pub penetration: f64,
}

/// An active element of an areal contact, in world axes. Forces are on B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Number of its patch.
    pub patch: u32,
    /// Is A the base whose triangle it is?
    pub base_is_a: bool,
    /// Index of the triangle in the base's mesh.
    pub element: u32,
    /// Which part of it, where the base is refined: its number among the triangle's leaves; 0 of a whole one.
    pub leaf: u32,
    /// Its area (m²).
    pub area: f64,
    /// Corners of the element (m), counter-clockwise as seen from outside the base.
    pub corners: [Vec3; 3],
    /// Where the two surfaces meet on its penetration line (m).
    pub position: Vec3,
    /// Penetration u (m).
    pub penetration: f64,
    /// Pressure (Pa), damping included; half of it where both surfaces are bases.
    pub pressure: f64,
    /// Unit vector along which the pressure acts on B.
    pub normal: Vec3,
    /// Friction per area on B (Pa).
    pub shear: Vec3,
    /// Tangential velocity of B against A (m/s).
    pub slip: Vec3,
}

/// What finding the elements of an areal contact has cost since the start of the run, trial stages and rejected steps
/// included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Searches; two an evaluation where both surfaces are bases.
    pub searches: u64,
    /// Searches for which a list of pairs was made; all of the classic construction, which keeps none.
    pub rebuilds: u64,
    /// Tests of a box against a box.
    pub box_tests: u64,
    /// Tests of an edge against a triangle, of the classic construction.
    pub edge_tests: u64,
    /// Tests of a penetration line against a triangle.
    pub ray_tests: u64,
    /// Pairs of a penetration line and a triangle that the last search has looked at: the length of its list.
    pub listed_pairs: u64,
}

/// A joint at a recorded time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSample {
    /// Coordinates, as many as the kind has (m, rad, quaternion).
    pub position: [f64; 7],
    /// Velocities, as many as it has freedoms (m/s, rad/s).
    pub velocity: [f64; 6],
    /// Force that the joint, its elements included, exerts on B at the origin of frame M, in world axes (N).
    pub force: Vec3,
    /// Torque on B there (N m).
    pub torque: Vec3,
    /// Force or torque of spring, friction, limit and motor along each axis of the kind (N or N m).
    pub effort: [f64; 3],
}

/// A force element at a recorded time. What does not apply is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceSample {
    /// Length (m) or angle (rad).
    pub length: f64,
    /// Its rate (m/s or rad/s).
    pub rate: f64,
    /// Force along the line (N; positive pushes apart; of a cable: its tension) or torque about the axis (N m).
    pub value: f64,
    /// Force on B at its attachment, in world axes (N).
    pub force: Vec3,
    /// Torque on B (N m).
    pub torque: Vec3,
}

/// A constraint beside the joints, at a recorded time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintSample {
    /// Norm of its violation (m or rad).
    pub violation: f64,
    /// Norm of its multipliers (N or N m).
    pub effort: f64,
}

/// Energy accounts (J), each computed on its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential of gravity, zero at the world's origin.
    pub gravity: f64,
    /// Potential of springs.
    pub springs: f64,
    /// Potential stored in contacts.
    pub contact_elastic: f64,
    /// Work done by motors since the start.
    pub work_motors: f64,
    /// Work done by external forces since the start.
    pub work_external: f64,
    /// Lost in normal damping since the start.
    pub dissipated_normal: f64,
    /// Lost in friction since the start, rolling and drilling included.
    pub dissipated_friction: f64,
    /// Lost in viscous friction since the start.
    pub dissipated_viscous: f64,
    /// Lost in impacts since the start.
    pub dissipated_impact: f64,
    /// Added by projections onto constraints since the start.
    pub projection: f64,
    /// Force work that is not an exact gradient of the stored energy, since the start.
    pub model_defect: f64,
    /// What the accounts fail to balance: the integrator's error.
    pub residual: f64,
}

/// Everything at one recorded time.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Time (s).
    pub time: f64,
    /// One per body, fixed ones included.
    pub bodies: &'a [BodyState],
    /// Contacts that are not open, by increasing contact index.
    pub contacts: &'a [ContactSample],
    /// Patches of areal contacts, if they are recorded at this time, by increasing contact index.
    pub patches: &'a [PatchSample],
    /// Their elements, patch by patch within a base.
    pub elements: &'a [ElementSample],
    /// Work of every areal contact, if it is recorded, by increasing contact index.
    pub searches: &'a [SearchSample],
    /// One per joint.
    pub joints: &'a [JointSample],
    /// One per force element.
    pub forces: &'a [ForceSample],
    /// One per constraint.
    pub constraints: &'a [ConstraintSample],
    /// Accounts.
    pub energy: &'a Energy,
}

/// Kind of a row in the event log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The gap reached zero from above.
    ContactBegin,
    /// The gap opened.
    ContactEnd,
    /// The law's force reached zero while the surfaces still overlap.
    Release,
    /// The law's force came back before the gap opened.
    Reengage,
    /// A patch of areal contact began beside those that the contact had.
    PatchBegin,
    /// A patch of areal contact was hit harder than it began: restitution is measured against the new speed.
    HitHarder,
    /// Bounces came faster than the step resolves: events of this contact are no longer located.
    Latch,
    /// A latched contact has been calm or open long enough.
    Unlatch,
}

impl EventKind {
    /// Word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::ContactBegin => "contact_begin",
            Self::ContactEnd => "contact_end",
            Self::Release => "release",
            Self::Reengage => "reengage",
            Self::PatchBegin => "patch_begin",
            Self::HitHarder => "hit_harder",
            Self::Latch => "latch",
            Self::Unlatch => "unlatch",
        }
    }
}

/// One row of the event log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Time (s).
    pub time: f64,
    /// Kind.
    pub kind: EventKind,
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Signed distance (m).
    pub gap: f64,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// Contact point (m).
    pub position: Vec3,
    /// Approach speed δ̇ (m/s), positive while closing.
    pub approach_speed: f64,
    /// Approach speed δ̇⁻ that the law holds for this contact (m/s).
    pub law_approach_speed: f64,
    /// Normal impulse since this contact began (N s).
    pub impulse_normal: f64,
    /// Tangential impulse since this contact began, on B (N s).
    pub impulse_tangential: Vec3,
    /// When this contact began (s).
    pub begin: f64,
    /// Its approach speed then (m/s).
    pub begin_speed: f64,
    /// Greatest values since this contact began.
    pub peaks: Peaks,
    /// Stiffness of the law (N/mⁿ).
    pub stiffness: f64,
    /// Damping of the law for this contact: χ/δ̇⁻ or d (s/m), or c (N s/m) of a linear law.
    pub damping: f64,
}

/// Why `auto` has changed its integrator. Steps in s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SwitchReason {
    /// So many steps, less others, were near the explicit method's limit of stability.
    Stiff {
        /// Steps.
        steps: u32,
        /// The last one (s).
        step: f64,
        /// |λ|h of its fastest mode.
        stiffness: f64,
    },
    /// No contact is left.
    Flight,
    /// Events have come after so few steps, several times in a row.
    Events {
        /// Steps since the event before.
        steps: u32,
    },
    /// Steps of this length are too few times longer than those that the explicit method made.
    NoGain {
        /// The last one (s).
        step: f64,
        /// The explicit method's (s).
        explicit_step: f64,
    },
    /// Newton's method does not converge with steps longer than this.
    Diverges {
        /// The last one tried (s).
        step: f64,
    },
}

/// A change of the integrator by `auto`, at an accepted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switch {
    /// Time (s).
    pub time: f64,
    /// Integrator before.
    pub from: IntegratorKind,
    /// Integrator from then on.
    pub to: IntegratorKind,
    /// Why, with numbers.
    pub reason: SwitchReason,
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t = {:.9} s: {} to {}, ", self.time, self.from.name(), self.to.name())?;
        match self.reason {
            SwitchReason::Stiff { steps, step, stiffness } => {
                write!(
                    f,
                    "stiff: stability holds steps to {step:.3e} s, with |lambda| h = {stiffness:.2}, {steps} times"
                )
            }
            SwitchReason::Flight => f.write_str("no contact is left"),
            SwitchReason::Events { steps } => write!(f, "events come fast, the last after {steps} steps"),
            SwitchReason::NoGain { step, explicit_step } => {
                write!(f, "no gain: steps of {step:.3e} s, where explicit ones had {explicit_step:.3e} s")
            }
            SwitchReason::Diverges { step } => write!(f, "iterations diverge down to steps of {step:.3e} s"),
        }
    }
}

/// One accepted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRow {
    /// Time at its end (s).
    pub time: f64,
    /// Length (s).
    pub step: f64,
    /// Error estimate over tolerance (accepted: ≤ 1).
    pub error: f64,
    /// Attempts rejected before it.
    pub rejected: u32,
    /// Right-hand sides spent on it.
    pub rhs: u32,
    /// Closed contacts.
    pub contacts: u32,
}

/// Identity of a contact: a feature of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactInfo {
    /// Index into the pairs.
    pub pair: usize,
    /// Feature of the pair.
    pub feature: usize,
    /// Name of the feature; empty if the pair has one.
    pub feature_name: &'static str,
}

/// Kernel of areal pairs.
pub const AREAL_KERNEL: &str = "triangles–triangles";

/// Pair as results name it.
#[derive(Clone, Debug, PartialEq)]
pub struct PairInfo {
    /// Result name, `line` or `line[a|b]`.
    pub name: String,
    /// Name of the contact line.
    pub line: String,
    /// Path of surface A.
    pub a: String,
    /// Path of surface B.
    pub b: String,
    /// Kernel that serves the pair.
    pub kernel: &'static str,
    /// Law in words and numbers, as resolved.
    pub law: String,
}

/// Names behind the indices of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    /// Model name.
    pub model: String,
    /// Paths of the bodies.
    pub bodies: Vec<String>,
    /// True for bodies that cannot move.
    pub fixed: Vec<bool>,
    /// Joints: name and kind.
    pub joints: Vec<(String, JointKind)>,
    /// Force elements: name and word of the kind in the model file.
    pub forces: Vec<(String, &'static str)>,
    /// Constraints: name and word of the kind in the model file.
    pub constraints: Vec<(String, &'static str)>,
    /// Pairs.
    pub pairs: Vec<PairInfo>,
    /// Contacts: features of pairs.
    pub contacts: Vec<ContactInfo>,
    /// Lines whose pairs come up when their surfaces come near each other.
    pub wide_lines: Vec<WideLineInfo>,
}

/// A contact line whose pairs are not listed.
#[derive(Clone, Debug, PartialEq)]
pub struct WideLineInfo {
    /// Name of the line.
    pub name: String,
    /// How many pairs it may have.
    pub pairs: usize,
    /// Its laws in words and numbers, each once.
    pub laws: Vec<String>,
}

/// Counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected attempts.
    pub rejected: u64,
    /// Right-hand sides.
    pub rhs: u64,
    /// Events of contacts.
    pub events: u64,
    /// Looks at single contacts inside accepted steps, to locate their peaks; beside the right-hand sides.
    pub looks: u64,
    /// Jacobians of an implicit method.
    pub jacobians: u64,
    /// Factorisations of its linear systems.
    pub factorizations: u64,
    /// Its Newton iterations.
    pub newton_iterations: u64,
    /// Wall time of the run without loading and output (s).
    pub wall_s: f64,
}

/// Where the run stands, for progress displays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Time reached (s).
    pub time: f64,
    /// End of the run (s).
    pub t_end: f64,
    /// Last step (s).
    pub step: f64,
    /// Counters so far.
    pub statistics: Statistics,
    /// Closed contacts now.
    pub closed: usize,
    /// Greatest penetration at this moment (m).
    pub penetration: f64,
    /// |residual| over the energy moved so far.
    pub residual_relative: f64,
}

/// Totals of one pair over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairTotals {
    /// Greatest values; the force is the sum over the pair's contacts.
    pub peaks: Peaks,
    /// Least sum of the normal forces (N); 0 once nothing touches.
    pub least_force: Peak,
    /// Normal impulse (N s).
    pub impulse_normal: f64,
    /// Energy lost in the pair (J).
    pub dissipated: f64,
    /// Number of contact begins.
    pub begins: u64,
    /// Energy that its contacts have stored beyond the work that went into them (J): the pair's share of
    /// [`Energy::model_defect`].
    pub model_defect: f64,
    /// The step that added most to it.
    pub worst_jump: Jump,
}

/// A step over which a pair stored or gave back energy that no work accounts for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jump {
    /// That energy (J); zero if there was no such step.
    pub energy: f64,
    /// End of the step (s).
    pub time: f64,
    /// Contact element with the largest share, of areal contacts.
    pub triangle: Option<BaseTriangle>,
}

/// A triangle of a base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BaseTriangle {
    /// The base is the pair's A.
    pub on_a: bool,
    /// Its index in the mesh.
    pub triangle: u32,
}

/// Error of a recorder; it ends the run.
pub type RecordError = Box<dyn Error + Send + Sync>;

/// Receives a run, row by row. What it does not take is dropped.
pub trait Recorder {
    /// Pairs and their contacts that have come up; their indices follow those known so far. Called before anything else
    /// names them.
    fn pairs_added(&mut self, _pairs: &[PairInfo], _contacts: &[ContactInfo]) -> Result<(), RecordError> {
        Ok(())
    }
    /// A frame at an output time, in order; the first is at the start.
    fn frame(&mut self, _frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(())
    }
    /// A frame at a probe time of the model's expectations.
    fn probe(&mut self, _frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(())
    }
    /// A row of the event log.
    fn event(&mut self, _event: &Event) -> Result<(), RecordError> {
        Ok(())
    }
    /// An episode of a contact that has ended, after its `contact_end`, or holds at the end of the run.
    fn episode(&mut self, _episode: &Episode) -> Result<(), RecordError> {
        Ok(())
    }
    /// Patches of an areal contact and their elements, at the time of the greatest pressure of an episode that has
    /// ended: earlier than the frames before.
    fn peak_patches(
        &mut self,
        _time: f64,
        _patches: &[PatchSample],
        _elements: &[ElementSample],
    ) -> Result<(), RecordError> {
        Ok(())
    }
    /// A change of the integrator.
    fn switch(&mut self, _switch: &Switch) -> Result<(), RecordError> {
        Ok(())
    }
    /// An accepted step, if the model asks for them.
    fn step(&mut self, _step: &StepRow) -> Result<(), RecordError> {
        Ok(())
    }
    /// Called at accepted steps. `Break` stops the run cleanly.
    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Called at accepted steps: is a checkpoint wanted now?
    fn wants_checkpoint(&mut self) -> bool {
        false
    }
    /// The whole state of the run, from which it goes on with the same bits.
    fn checkpoint(&mut self, _bytes: &[u8]) -> Result<(), RecordError> {
        Ok(())
    }
}
