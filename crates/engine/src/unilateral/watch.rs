use super::EventKind;
use super::contact_problem::Tangent;

/// What an event function watches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Watch {
    Gap(usize),
    Slip(usize, f64),
    /// Unknown or slack of the frozen basis, of a contact.
    Basis(usize, usize),
}

/// An event function is its watch's value plus the slack; it falls through zero.
pub(super) struct Watched {
    pub(super) watch: Watch,
    pub(super) slack: f64,
}

/// The contact that is watched.
pub(super) fn contact_of(watch: Watch) -> usize {
    match watch {
        Watch::Gap(contact) | Watch::Slip(contact, _) | Watch::Basis(_, contact) => contact,
    }
}

/// What an event without an impact was, from what its contact does now: none if it has let go.
pub(super) fn kind_of(watch: Watch, now: Option<Tangent>) -> EventKind {
    match (watch, now) {
        (_, None) => EventKind::Detachment,
        (Watch::Slip(..), Some(Tangent::Open)) => EventKind::SlipToStick,
        (Watch::Slip(..), Some(Tangent::Slides(_))) => EventKind::SlipReversal,
        (Watch::Basis(..), Some(Tangent::Slides(_))) => EventKind::StickToSlip,
        _ => EventKind::Redistribution,
    }
}
