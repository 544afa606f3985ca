//! Steps whose ledger does not close. Absolute tolerances go by what the model might do, such as a fall through its smallest shape. Of a
//! finger that settles on its stop by a millionth of a radian they see nothing, and the energy that moves is off by percents. The ledger
//! is its own measure: while less has moved than tolerances reckon with, steps that leave too much of it open are made shorter.

use carom_solvers::Ode;

use super::Simulation;
use super::archive::Archive;
use super::frames::update_growth;

/// Share of the energy moved that a step may leave open; coarser where the relative tolerance is.
const SHARE: f64 = 1e-5;
/// A shorter step has to leave this share of that at most, or the step is taken as it was: a kink leaves what it
/// leaves, and so do the first ones of `bdf`, of order one.
const HELPS: f64 = 0.7;
/// Shortest next attempt, and longest, over the last.
const SHORTENING: [f64; 2] = [0.1, 0.5];

/// Attempts at one step that did not close.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Balance {
    #[default]
    Unknown,
    /// The share that an attempt of this length (s) left open.
    Open { left: f64, step: f64 },
    /// Shorter steps do not help.
    Taken,
}

impl Balance {
    /// What a checkpoint holds of it: a run may end between two attempts.
    pub(super) fn visit(&mut self, archive: &mut Archive<'_>) {
        let mut numbers = match *self {
            Self::Unknown => vec![],
            Self::Open { left, step } => vec![left, step],
            Self::Taken => vec![0.0],
        };
        archive.numbers(&mut numbers);
        *self = match numbers[..] {
            [left, step] => Self::Open { left, step },
            [_] => Self::Taken,
            _ => Self::Unknown,
        };
    }
}

/// Does the attempted step, at whose end the evaluator is, leave too much of the energy open? Another attempt has to come first then.
pub(super) fn is_open(run: &mut Simulation<'_>) -> bool {
    let settings = &run.system.settings;
    let is_stated = settings.fixed_step().is_some() || settings.atol.energy.is_some();
    let is_seen = run.ledger.moved >= run.system.scales().energy;
    if is_stated || is_seen || matches!(run.balance, Balance::Taken) {
        return false;
    }
    let allowed = SHARE.max(settings.rtol);
    update_growth(run);
    let growth = &run.growth[..run.evaluator.quadratures()];
    let mut integrals = run.ledger.integrals.with(&run.evaluator, growth);
    integrals.projection += run.projected;
    let left = run.ledger.share_left_open(&run.evaluator, integrals);
    let is_open = left > allowed;
    if !is_open {
        return false;
    }
    let step = run.stepper.step();
    if let Balance::Open { left: before, step: longer } = run.balance
        && left > HELPS * before
    {
        run.balance = Balance::Taken;
        run.next_step = longer;
        return true;
    }
    run.balance = Balance::Open { left, step };
    run.next_step = step * libm::sqrt(libm::sqrt(allowed / left)).clamp(SHORTENING[0], SHORTENING[1]);
    true
}
