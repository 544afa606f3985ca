use std::ops::Deref;
use std::sync::Arc;

/// Something compiled that is lent for a while, or kept alive by whoever runs it.
#[derive(Debug)]
pub(crate) enum Held<'a, T> {
    /// By a caller that outlives its use.
    Lent(&'a T),
    /// With others.
    Shared(Arc<T>),
}

impl<T> Clone for Held<'_, T> {
    fn clone(&self) -> Self {
        match self {
            Self::Lent(value) => Self::Lent(value),
            Self::Shared(value) => Self::Shared(Arc::clone(value)),
        }
    }
}

impl<T> Deref for Held<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Lent(value) => value,
            Self::Shared(value) => value,
        }
    }
}
