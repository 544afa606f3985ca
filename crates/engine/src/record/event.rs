//! What happens at one instant, and steps.

use std::fmt;

use carom_math::Vec3;

use super::{BaseTriangle, Peaks};
use crate::model::IntegratorKind;

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
    /// A region began beside those that the contact had.
    RegionBegin,
    /// A region ended beside others.
    RegionEnd,
    /// Regions became one.
    RegionMerge,
    /// A region became several.
    RegionSplit,
    /// A patch of areal contact was hit harder than it began: restitution is measured against the new speed.
    HitHarder,
    /// Bounces came faster than the step resolves: events of this contact are no longer located.
    Latch,
    /// A latched contact has been calm or open long enough.
    Unlatch,
    /// Rigid surfaces struck each other.
    Impact,
    /// The same, so slowly that they stay together whatever their restitution.
    Rest,
    /// Rigid surfaces stopped slipping.
    Stick,
    /// Rigid surfaces began to slip, or slip the other way.
    Slip,
}

impl EventKind {
    /// All kinds.
    pub const ALL: [Self; 16] = [
        Self::ContactBegin,
        Self::ContactEnd,
        Self::Release,
        Self::Reengage,
        Self::PatchBegin,
        Self::RegionBegin,
        Self::RegionEnd,
        Self::RegionMerge,
        Self::RegionSplit,
        Self::HitHarder,
        Self::Latch,
        Self::Unlatch,
        Self::Impact,
        Self::Rest,
        Self::Stick,
        Self::Slip,
    ];

    /// Word in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::ContactBegin => "contact_begin",
            Self::ContactEnd => "contact_end",
            Self::Release => "release",
            Self::Reengage => "reengage",
            Self::PatchBegin => "patch_begin",
            Self::RegionBegin => "region_begin",
            Self::RegionEnd => "region_end",
            Self::RegionMerge => "region_merge",
            Self::RegionSplit => "region_split",
            Self::HitHarder => "hit_harder",
            Self::Latch => "latch",
            Self::Unlatch => "unlatch",
            Self::Impact => "impact",
            Self::Rest => "rest",
            Self::Stick => "stick",
            Self::Slip => "slip",
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
    /// What the normal force jumped by where regions merged or split, with a law that jumps there (N).
    pub force_jump: Option<f64>,
    /// Of impacts of rigid contacts.
    pub impact: Option<Impact>,
}

/// What an impact did at one rigid contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Speed at which the surfaces part (m/s).
    pub separation_speed: f64,
    /// Speed of the slip before (m/s).
    pub slip_before: f64,
    /// Speed of the slip after (m/s).
    pub slip_after: f64,
    /// Normal impulse of this impact (N s).
    pub impulse_normal: f64,
    /// Tangential impulse of this impact on B (N s).
    pub impulse_tangential: Vec3,
    /// Energy lost here (J): −½ Λ · (γ⁺ + γ⁻).
    pub lost: f64,
    /// Share of the expansion that was kept, 1 unless the law would have gained energy.
    pub kept: f64,
    /// Iterations of the contact problems of all contacts that took part.
    pub iterations: u64,
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
    /// Implicit steps longer than this do not pass: iterations diverge, or the error is too large.
    Refused {
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
            SwitchReason::Refused { step } => write!(f, "implicit steps do not pass down to {step:.3e} s"),
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
