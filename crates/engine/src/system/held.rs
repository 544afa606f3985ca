use std::ops::Deref;
use std::sync::Arc;

use super::System;

/// A system that is lent for a while, or kept alive by whoever runs it.
#[derive(Clone, Debug)]
pub(crate) enum Held<'a> {
    /// By a caller that outlives its use.
    Lent(&'a System),
    /// With others.
    Shared(Arc<System>),
}

impl Deref for Held<'_> {
    type Target = System;

    fn deref(&self) -> &System {
        match self {
            Self::Lent(system) => system,
            Self::Shared(system) => system,
        }
    }
}
