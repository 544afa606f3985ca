//! The choice of loads on the command line.

use carom_engine::analysis::Loads;

/// Which loads count as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum LoadsArg {
    /// None: inertia alone
    None,
    /// Gravity
    Gravity,
    /// Gravity, forces, springs, dampers, friction, and contacts that overlap
    All,
}

impl LoadsArg {
    pub(super) fn loads(self) -> Loads {
        match self {
            Self::None => Loads::Nothing,
            Self::Gravity => Loads::Gravity,
            Self::All => Loads::All,
        }
    }

    /// Are force elements among them?
    pub(super) fn counts_forces(self) -> bool {
        matches!(self, Self::All)
    }

    /// As in the command line.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Gravity => "gravity",
            Self::All => "all",
        }
    }
}
