//! A clean stop on request: first a checkpoint, then the break.

use std::ops::ControlFlow;

/// Accepted steps that an engine may take between the wish for a checkpoint and the checkpoint; one that
/// writes none is stopped all the same.
const PATIENCE: u32 = 2;

/// Where a requested stop stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Nobody asked.
    No,
    /// A checkpoint is wanted; steps taken since.
    Wanted(u32),
    /// The checkpoint is on disk.
    Ready,
}

impl Stop {
    /// At an accepted step, with the wish of the front end.
    pub(super) fn at_step(&mut self, wish: ControlFlow<()>) -> ControlFlow<()> {
        *self = match *self {
            Self::No if wish.is_break() => Self::Wanted(0),
            Self::Wanted(steps) if steps + 1 >= PATIENCE => Self::Ready,
            Self::Wanted(steps) => Self::Wanted(steps + 1),
            other => other,
        };
        if *self == Self::Ready { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    pub(super) fn wants_checkpoint(self) -> bool {
        matches!(self, Self::Wanted(_))
    }

    pub(super) fn checkpoint_written(&mut self) {
        if self.wants_checkpoint() {
            *self = Self::Ready;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GO: ControlFlow<()> = ControlFlow::Continue(());
    const STOP: ControlFlow<()> = ControlFlow::Break(());

    #[test]
    fn a_checkpoint_comes_before_the_break() {
        let mut stop = Stop::No;
        assert_eq!(stop.at_step(GO), GO);
        assert_eq!(stop.at_step(STOP), GO);
        assert!(stop.wants_checkpoint());
        stop.checkpoint_written();
        assert!(!stop.wants_checkpoint());
        assert_eq!(stop.at_step(GO), STOP);
    }

    #[test]
    fn an_engine_without_checkpoints_stops_too() {
        let mut stop = Stop::No;
        assert_eq!(stop.at_step(STOP), GO);
        assert_eq!(stop.at_step(STOP), GO);
        assert_eq!(stop.at_step(STOP), STOP);
    }

    #[test]
    fn a_regular_checkpoint_stops_nothing() {
        let mut stop = Stop::No;
        stop.checkpoint_written();
        assert_eq!(stop.at_step(GO), GO);
    }
}
