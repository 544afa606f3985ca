//! What a run reports while it runs. The engine calls a [`Recorder`]; what becomes of the rows is the
//! recorder's business.

mod energy;
mod episode;
mod event;
mod names;
mod recorder;
mod sample;
mod totals;

pub use energy::{Energy, residual, sum_of_states};
pub use episode::{Episode, LineTotals, Peak, Peaks};
pub use event::{Event, EventKind, Impact, Jump, StepRow, Switch, SwitchReason};
pub use names::{AREAL_KERNEL, ContactInfo, PairInfo, REGION_KERNEL, RunInfo, WideLineInfo};
pub use recorder::{BaseTriangle, RecordError, Recorder};
pub use sample::{
    BodyState, ConstraintSample, ContactMode, ContactSample, ContourSample, ElementSample, ForceSample,
    Frame, JointSample, PatchSample, RegionSample, SearchSample, Sliding,
};
pub use totals::{PairTotals, Progress, Statistics};
