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
