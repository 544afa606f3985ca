//! `auto`: an explicit integrator while bodies fly and bounce, an implicit one while sustained contact is stiff. Changes
//! at accepted steps only, by counts and lengths of steps: the same bits on every machine.

use super::archive::Archive;
use super::cost::evaluations_of_implicit_step;
use super::{Leave, Simulation, foresight, integrator};
use crate::contact::{LEDGER_QUADRATURES, QUADRATURES};
use crate::model::{Formulation, IntegratorKind, SolverSettings};
use crate::outcome::RunError;
use crate::record::{Recorder, Switch, SwitchReason};

/// Stiff steps, less others, that make a change: those of DOPRI5 (Hairer & Wanner II, IV.2).
const STIFF_STEPS: f64 = 15.0;
/// Stability holds a step too if its |λ|h is this share of what the method is held to: the error estimate sees the fast
/// mode. Steps that follow an impact or ringing have less.
const NEAR_LIMIT: f64 = 0.5;
/// Far from that limit steps are short, too, where several fast modes ring, whose sum the stages see little of, and the error follows them:
/// after so many steps without an event this share is enough, where tolerances are so loose that `bdf` may damp it. What is smooth has less.
const LONG_STEPS: u32 = 60;
const RINGING: f64 = 0.15;
/// Least gain of the step's length, whatever steps cost; of `bdf`, whose steps cost less than explicit ones.
const LEAST_GAIN: f64 = 3.0;
const LEAST_GAIN_OF_BDF: f64 = 1.0;
/// Events that come within so many steps of each other, so many times in a row, are bouncing.
const QUICK_STEPS: u32 = 10;
const QUICK_EVENTS: u32 = 3;
/// Implicit steps without gain, less others, that make a change back: more than a start or a kink takes. A spell that has paid
/// may pay again: it waits longer, as the explicit method begins the next one at its limit of stability, where what
/// should die out grows.
const VAIN_STEPS: u32 = 25;
const VAIN_STEPS_ONCE_PAID: u32 = 100;
/// A change back in vain makes the next one need so many times the stiff steps, a spell that has paid so many times less. With
/// the largest patience tries in vain cost a few per cent of the explicit steps between them.
const PATIENCE: f64 = 4.0;
const TRUST: f64 = 0.5;
const PATIENCE_BOUNDS: [f64; 2] = [0.25, 64.0];
/// Implicit steps with gain that a spell which has paid has at least.
const PAID: u32 = 10;
/// Stability holds a step if it allows this share of what the error does.
const HELD: f64 = 0.5;
/// Steps in which a mode that holds them grows from nothing to where the stages see it, and how many must be held in a row, beside rigid contacts,
/// until they count though the stages do not see why.
const UNSEEN_STEPS: u32 = 20;
const HELD_STEPS: u32 = 200;
/// Implicit steps of a try.
const TRY: f64 = 12.0;
/// Steps that are refused down to this share of the explicit one, as their iterations diverge or their past does not fit a kink, will not pass at all.
const HOPELESS: f64 = 1e-3;

/// What `auto` knows. With any other method it only counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Regime {
    pub(super) current: IntegratorKind,
    chooses: bool,
    /// Are there rigid contacts?
    has_rigid: bool,
    /// What `auto` takes while contacts are stiff.
    implicit: IntegratorKind,
    /// Stiff steps less others.
    stiff: u32,
    /// Steps that stability has held in a row, and those since the stages saw why.
    held: u32,
    unseen: u32,
    /// How many times the stiff steps of the first change the next one needs.
    patience: f64,
    /// Implicit steps without gain less others, and those with gain.
    vain: u32,
    gains: u32,
    /// Has this spell of the implicit method paid?
    has_paid: bool,
    /// Steps since the last event, and events in a row that came quickly.
    since_event: u32,
    quick_events: u32,
    /// Step of the explicit method when it was left (s), and its limit of |λ|h.
    explicit_step: f64,
    explicit_reach: f64,
}

impl Regime {
    pub(super) fn new(settings: &SolverSettings, has_rigid: bool) -> Self {
        Self {
            current: settings.first_method(),
            chooses: settings.method == IntegratorKind::Auto && settings.formulation == Formulation::Kkt,
            has_rigid,
            implicit: settings.stiff_method(has_rigid),
            stiff: 0,
            held: 0,
            unseen: 0,
            patience: 1.0,
            vain: 0,
            gains: 0,
            has_paid: false,
            since_event: 0,
            quick_events: 0,
            explicit_step: 0.0,
            explicit_reach: f64::INFINITY,
        }
    }

    fn is_implicit(&self) -> bool {
        self.chooses && self.current == self.implicit
    }

    /// Is there no hope for an implicit method that would have to go on with a step of length h?
    pub(super) fn gives_up(&self, h: f64) -> bool {
        self.is_implicit() && h < HOPELESS * self.explicit_step
    }

    /// Has stability held the last steps of an explicit method?
    pub(super) fn is_held(&self) -> bool {
        f64::from(self.stiff) >= STIFF_STEPS
    }

    /// Starts counting anew with another integrator.
    fn change(&mut self, to: IntegratorKind) {
        self.current = to;
        self.stiff = 0;
        self.held = 0;
        self.unseen = 0;
        self.vain = 0;
        self.gains = 0;
        self.has_paid = false;
        self.since_event = 0;
        self.quick_events = 0;
    }

    fn lose_patience(&mut self) {
        self.be_patient(PATIENCE);
    }

    fn be_patient(&mut self, times: f64) {
        self.patience = (self.patience * times).clamp(PATIENCE_BOUNDS[0], PATIENCE_BOUNDS[1]);
    }

    pub(super) fn visit(&mut self, archive: &mut Archive<'_>) {
        let mut kind = IntegratorKind::ALL.iter().position(|&k| k == self.current).unwrap_or(0);
        archive.usize(&mut kind);
        archive.check(kind < IntegratorKind::ALL.len());
        self.current = IntegratorKind::ALL.get(kind).copied().unwrap_or(self.current);
        for count in [
            &mut self.stiff,
            &mut self.held,
            &mut self.unseen,
            &mut self.vain,
            &mut self.gains,
            &mut self.since_event,
            &mut self.quick_events,
        ] {
            archive.u32(count);
        }
        archive.bool(&mut self.has_paid);
        for value in [&mut self.patience, &mut self.explicit_step, &mut self.explicit_reach] {
            archive.f64(value);
        }
    }
}

/// Looks at an accepted step of length `h` that no event has cut, after which its error suggests another, and changes
/// the integrator if that pays.
pub(super) fn reconsider(
    run: &mut Simulation<'_>,
    h: f64,
    stiffness: f64,
    suggestion: f64,
) -> Result<(), RunError> {
    run.regime.since_event += 1;
    let reason = if run.regime.is_implicit() {
        vain_steps(run, h)
    } else {
        stiff_steps(run, h, stiffness, suggestion)
    };
    let Some(reason) = reason.filter(|_| run.regime.chooses) else { return Ok(()) };
    change_integrator(run, reason, run.stepper.time())
}

/// The explicit method has gone near its limit of stability for so long that a try costs no more. Whether it pays
/// shows in the steps that the implicit one makes.
fn stiff_steps(run: &mut Simulation<'_>, h: f64, stiffness: f64, suggestion: f64) -> Option<SwitchReason> {
    let has_rung = run.regime.implicit == IntegratorKind::Bdf && run.regime.since_event >= LONG_STEPS;
    let share = if has_rung { RINGING } else { NEAR_LIMIT };
    let near = stiffness >= share * run.stepper.stable_reach();
    let is_held = run.stable_step <= HELD * suggestion;
    let regime = &mut run.regime;
    // A slip that grows is less stiff with each step: what it was before holds steps for a while, but is no reason to go, beside rigid
    // contacts. There held steps count after many in a row, between which the stages saw again what holds them.
    regime.unseen = if is_held && !near { regime.unseen + 1 } else { 0 };
    regime.held = if is_held && regime.unseen <= UNSEEN_STEPS { regime.held + 1 } else { 0 };
    let counts = if regime.has_rigid { regime.held >= HELD_STEPS } else { is_held };
    if !near && !counts {
        regime.stiff = regime.stiff.saturating_sub(1);
        return None;
    }
    regime.stiff += 1;
    run.regime.explicit_step = h;
    run.regime.explicit_reach = run.stepper.stable_reach();
    let (steps, needed) = (run.regime.stiff, run.regime.patience * steps_of_a_try(run));
    (f64::from(steps) >= needed).then_some(SwitchReason::Stiff { steps, step: h, stiffness })
}

/// The implicit method makes steps that the explicit one could make for less, by the fastest mode of its Jacobian. Those
/// that it makes explicitly, as `bdf` starts, cost what they would cost there: they are no reason to go, nor to stay.
fn vain_steps(run: &mut Simulation<'_>, h: f64) -> Option<SwitchReason> {
    if run.stepper.is_explicit_step() {
        return None;
    }
    let explicit_step = h * run.regime.explicit_reach / (h * run.stepper.fastest_rate());
    if h > needed_gain(run) * explicit_step {
        run.regime.vain = run.regime.vain.saturating_sub(1);
        run.regime.gains += 1;
        run.regime.has_paid |= run.regime.gains >= PAID;
        return None;
    }
    run.regime.vain += 1;
    let enough = if run.regime.has_paid { VAIN_STEPS_ONCE_PAID } else { VAIN_STEPS };
    if run.regime.vain < enough {
        return None;
    }
    if !run.regime.has_paid {
        run.regime.lose_patience();
    }
    Some(SwitchReason::NoGain { step: h, explicit_step })
}

/// Explicit steps that cost as much as a few implicit ones, and enough to be sure.
fn steps_of_a_try(run: &Simulation<'_>) -> f64 {
    STIFF_STEPS.max(0.5 * TRY * relative_cost(run))
}

/// How many times longer an implicit step must be to be worth its cost.
fn needed_gain(run: &Simulation<'_>) -> f64 {
    let least = if run.regime.implicit == IntegratorKind::Bdf { LEAST_GAIN_OF_BDF } else { LEAST_GAIN };
    least.max(relative_cost(run))
}

/// Implicit steps over explicit ones.
fn relative_cost(run: &Simulation<'_>) -> f64 {
    let explicit = run.system.settings.first_method().traits().evaluations;
    evaluations_of_implicit_step(run.regime.implicit, &run.evaluator) / explicit
}

/// Changes the integrator, before the restart that an event takes anyway.
pub(super) fn reconsider_at_event(run: &mut Simulation<'_>, time: f64) {
    let steps = std::mem::take(&mut run.regime.since_event);
    run.regime.stiff = 0;
    run.regime.held = 0;
    run.regime.unseen = 0;
    run.regime.vain = 0;
    if !run.regime.is_implicit() {
        return;
    }
    let quick = steps < QUICK_STEPS;
    run.regime.quick_events = if quick { run.regime.quick_events + 1 } else { 0 };
    if run.regime.gains >= PAID {
        run.regime.be_patient(TRUST);
        run.regime.gains = 0;
    }
    if run.evaluator.contacts.active.is_empty() {
        take_integrator(run, SwitchReason::Flight, time);
    } else if run.regime.quick_events >= QUICK_EVENTS {
        take_integrator(run, SwitchReason::Events { steps }, time);
    }
}

/// Back to the explicit method at the current state, from implicit steps that do not pass with a length h.
/// Returns the step to go on with.
pub(super) fn go_back_from_failure(run: &mut Simulation<'_>, h: f64) -> Result<f64, RunError> {
    run.regime.lose_patience();
    change_integrator(run, SwitchReason::Refused { step: h }, run.stepper.time())?;
    Ok(run.regime.explicit_step)
}

fn change_integrator(run: &mut Simulation<'_>, reason: SwitchReason, time: f64) -> Result<(), RunError> {
    let state = run.stepper.state().to_vec();
    take_integrator(run, reason, time);
    run.restart(&state, time)
}

/// The other integrator, without a state.
fn take_integrator(run: &mut Simulation<'_>, reason: SwitchReason, time: f64) {
    foresight::stop_clipping(run);
    let settings = &run.system.settings;
    let from = run.regime.current;
    let to = if run.regime.is_implicit() { settings.first_method() } else { run.regime.implicit };
    run.work_before = run.work_before + run.stepper.work();
    run.stepper = integrator::make_stepper(settings, to);
    run.stepper.reserve(LEDGER_QUADRATURES + QUADRATURES * run.evaluator.contacts.active.len());
    run.stable_step = f64::INFINITY;
    run.regime.change(to);
    run.switches.push(Switch { time, from, to, reason });
}

/// Hands the changes to the recorder.
pub(super) fn emit_switches(run: &mut Simulation<'_>, recorder: &mut dyn Recorder) -> Result<(), Leave> {
    if run.switches.is_empty() {
        return Ok(());
    }
    let switches = std::mem::take(&mut run.switches);
    run.timed(|_| switches.iter().try_for_each(|switch| recorder.switch(switch)))
}

#[cfg(test)]
mod tests {
    use carom_math::Pose;

    use super::*;
    use crate::System;
    use crate::model::fixture::{body, mechanism};
    use crate::model::{Attachment, AxisElements, AxisSpring, Joint, JointKind, Model};

    /// A body on a spring along z, displaced.
    fn oscillator() -> Model {
        let end = |body| Attachment { body, pose: Pose::identity() };
        let spring = Some(AxisSpring { stiffness: 400.0, damping: 0.0, rest: 0.0 });
        let guide = Joint {
            name: "guide".to_owned(),
            kind: JointKind::Prismatic,
            a: end(0),
            b: end(1),
            cut: false,
            position: Some(vec![0.1]),
            velocity: None,
            elements: vec![AxisElements { spring, ..AxisElements::default() }],
        };
        let bodies = vec![body("ground", true), body("weight", false)];
        let solver = SolverSettings { method: IntegratorKind::Auto, rtol: 1e-4, ..SolverSettings::default() };
        Model { solver, ..mechanism(bodies, vec![guide]) }
    }

    /// An attempt of this length, of which so many times over is asked whether another method would do better.
    fn count_switches(run: &mut Simulation<'_>, h: f64, times: u32) -> usize {
        for _ in 0..times {
            reconsider(run, h, 0.0, h).expect("a restart goes");
        }
        run.switches.len()
    }

    /// A fast mode that holds steps by their error, at a fifth of the limit of stability, counts after many steps without an event, and one
    /// that they hardly see never does.
    #[test]
    fn what_rings_for_long_makes_a_change() {
        let system = System::compile(&oscillator()).expect("a sound model");
        let switches = |share: f64, times: u32| {
            let mut run = Simulation::new(&system);
            run.regime.current = IntegratorKind::Ode45;
            run.stepper = integrator::make_stepper(&system.settings, IntegratorKind::Ode45);
            let start = &system.mechanics.initial;
            run.stepper.restart(&mut run.evaluator, 0.0, start).expect("a sound state");
            let stiffness = share * run.stepper.stable_reach();
            for _ in 0..times {
                reconsider(&mut run, 1e-3, stiffness, 1e-3).expect("a restart goes");
            }
            run.switches.first().map(|switch| (switch.to, run.switches.len()))
        };
        let enough = LONG_STEPS + STIFF_STEPS as u32 - 1;
        assert_eq!(switches(0.2, enough - 1), None);
        assert_eq!(switches(0.2, enough), Some((IntegratorKind::Bdf, 1)));
        assert_eq!(switches(0.14, 100 * enough), None);
    }

    /// Leaps are explicit steps: they cost what they would cost with the explicit method, and are not counted against the implicit
    /// one, whose own steps are.
    #[test]
    fn leaps_are_not_steps_in_vain() {
        let system = System::compile(&oscillator()).expect("a sound model");
        let mut run = Simulation::new(&system);
        run.regime.change(IntegratorKind::Bdf);
        run.regime.explicit_reach = run.stepper.stable_reach();
        assert!(run.regime.is_implicit() && run.regime.explicit_reach.is_finite());
        run.stepper = integrator::make_stepper(&system.settings, IntegratorKind::Bdf);
        let start = system.mechanics.initial.clone();
        run.stepper.restart(&mut run.evaluator, 0.0, &start).expect("a sound state");
        let h = run.stepper.starting_step(&mut run.evaluator, &run.tolerances).expect("a sound state");
        let error = run.stepper.attempt(&mut run.evaluator, h, &run.tolerances).expect("a leap").error;
        assert!(run.stepper.is_explicit_step());
        assert_eq!(count_switches(&mut run, h, 4 * VAIN_STEPS_ONCE_PAID), 0);
        assert_eq!((run.regime.vain, run.regime.gains), (0, 0));
        let next = run.stepper.passed(error);
        run.stepper.accept(h);
        run.stepper.attempt(&mut run.evaluator, next, &run.tolerances).expect("a step");
        assert!(!run.stepper.is_explicit_step());
        assert_eq!(count_switches(&mut run, next, VAIN_STEPS - 1), 0);
        assert_eq!(count_switches(&mut run, next, 1), 1);
        assert!(matches!(run.switches[0].reason, SwitchReason::NoGain { .. }), "{}", run.switches[0]);
    }
}
