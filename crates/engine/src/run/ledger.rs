//! The energy ledger: every account computed on its own, so that what they fail to balance is a
//! measurement.

use super::Simulation;
use crate::contact::{Evaluator, LEDGER_QUADRATURES, QUADRATURES, present_energy, state_accounts};
use crate::note::Note;
use crate::record::{Energy, residual, sum_of_states};

/// Integrals of the ledger since the start of the run (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Integrals {
    pub(crate) normal: f64,
    pub(crate) friction: f64,
    pub(crate) viscous: f64,
    pub(crate) motors: f64,
    pub(crate) external: f64,
    /// Energy that projections onto the constraints, and drift off them within steps, have added, signed.
    pub(crate) projection: f64,
    /// Energy lost where slack cables went taut.
    pub(crate) impact: f64,
    /// Work of the elastic forces of manifolds that share a stiffness, on the bodies.
    pub(crate) shared_elastic_work: f64,
}

impl Integrals {
    /// With the growth of the quadratures added, contact by contact.
    pub(crate) fn with(mut self, evaluator: &Evaluator<'_>, growth: &[f64]) -> Self {
        let [_, motors, external, friction, viscous, drift] = growth[..LEDGER_QUADRATURES] else {
            unreachable!("the ledger has six quadratures of its own")
        };
        self.motors += motors;
        self.external += external;
        self.friction += friction;
        self.viscous += viscous;
        self.projection += drift;
        for (&contact, q) in
            evaluator.contacts.active.iter().zip(growth[LEDGER_QUADRATURES..].chunks_exact(QUADRATURES))
        {
            self.normal += q[4];
            self.friction += q[5];
            self.viscous += q[6];
            if evaluator.shares_stiffness(contact) {
                self.shared_elastic_work += q[7];
            }
        }
        self
    }
}

/// Accounts over a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) integrals: Integrals,
    /// Sum of the state accounts at the start, and what of it manifolds store (J).
    pub(crate) start: f64,
    pub(crate) start_shared: f64,
    /// Accounts at the last accepted step.
    pub(crate) last: Energy,
    /// Σ over accepted steps of ½ Σ |ΔW_k| (J).
    pub(crate) moved: f64,
    /// Σ over accepted steps of what passed from one account to another: the lesser of what accounts gained and lost (J).
    pub(crate) passed: f64,
    /// Most that bodies, springs and contacts had at the end of a step, each account by its size (J).
    pub(crate) present: f64,
    /// Most kinetic energy at the end of a step (J), and the share of it that the integrator does not resolve.
    pub(crate) kinetic: f64,
    pub(crate) resolution: f64,
    /// Largest |residual| so far (J).
    pub(crate) worst: f64,
}

impl Ledger {
    /// Opens the accounts at the evaluator's present state.
    pub(crate) fn open(evaluator: &Evaluator<'_>) -> Self {
        let (energy, shared) = state_accounts(evaluator);
        let mut ledger = Self {
            start: sum_of_states(&energy),
            start_shared: shared,
            present: present_energy(evaluator, &energy),
            kinetic: energy.kinetic,
            resolution: evaluator.system.tolerances.relative,
            ..Self::default()
        };
        ledger.last = ledger.accounts(evaluator, ledger.integrals);
        ledger
    }

    /// Accounts at the evaluator's present state with the given integrals.
    pub(crate) fn accounts(&self, evaluator: &Evaluator<'_>, integrals: Integrals) -> Energy {
        let (mut energy, shared) = state_accounts(evaluator);
        energy.dissipated_normal = integrals.normal;
        energy.dissipated_friction = integrals.friction;
        energy.dissipated_viscous = integrals.viscous;
        energy.work_motors = integrals.motors;
        energy.work_external = integrals.external;
        energy.projection = integrals.projection;
        energy.dissipated_impact = integrals.impact;
        energy.model_defect = shared - self.start_shared + integrals.shared_elastic_work;
        energy.residual = residual(&energy, self.start);
        energy
    }

    /// Books a state that was set from outside, at which the evaluator is, in the place of one with these state accounts and what
    /// manifolds stored there. What it has more is work from outside; the model defect stays what it was.
    pub(crate) fn put(&mut self, evaluator: &Evaluator<'_>, (before, shared_before): (Energy, f64)) {
        let (energy, shared) = state_accounts(evaluator);
        let mut integrals = self.integrals;
        integrals.external += sum_of_states(&energy) - sum_of_states(&before);
        self.start_shared += shared - shared_before;
        self.commit(evaluator, integrals);
    }

    /// Books an accepted step, at whose end the evaluator is.
    pub(crate) fn commit(&mut self, evaluator: &Evaluator<'_>, integrals: Integrals) {
        let energy = self.accounts(evaluator, integrals);
        let (gained, lost) = self.changes(&energy);
        self.moved += 0.5 * (gained + lost);
        self.passed += gained.min(lost);
        self.present = self.present.max(present_energy(evaluator, &energy));
        self.kinetic = self.kinetic.max(energy.kinetic);
        self.worst = self.worst.max(energy.residual.abs());
        self.integrals = integrals;
        self.last = energy;
    }

    /// What accounts gain and lose since the last step (J).
    fn changes(&self, energy: &Energy) -> (f64, f64) {
        let (mut gained, mut lost) = (0.0, 0.0);
        for (now, before) in flows(energy).iter().zip(flows(&self.last)) {
            let change = now - before;
            if change > 0.0 { gained += change } else { lost -= change }
        }
        (gained, lost)
    }

    /// Share of the energy moved by then, or in motion, that a step adds to the residual, at whose end the evaluator is; 0 within
    /// rounding.
    pub(crate) fn share_left_open(&self, evaluator: &Evaluator<'_>, integrals: Integrals) -> f64 {
        let energy = self.accounts(evaluator, integrals);
        let left = (energy.residual - self.last.residual).abs();
        if left <= STEP_ROUNDING * present_energy(evaluator, &energy) {
            return 0.0;
        }
        let (gained, lost) = self.changes(&energy);
        left / (self.moved + 0.5 * (gained + lost)).max(energy.kinetic)
    }

    /// Largest |residual| over the reference; 0/0 is 0.
    pub(crate) fn residual_relative(&self) -> f64 {
        if self.worst == 0.0 { 0.0 } else { self.worst / self.reference() }
    }

    /// What the residual is relative to (J): the energy moved. Where none moves, the accounts drift by what rounding and
    /// integration do to them, and that over itself says nothing: then it is the energy that is there. None moves
    /// if less than [`LEAST_PASSED`] of the changes passed from one account to another, or if all changes together are
    /// below [`ROUNDING`] of what is there. If they are below what the relative tolerance lets [`STEADY`] steps do to the kinetic energy, as
    /// in a steady precession, they are the integrator's, and it is that energy.
    pub(crate) fn reference(&self) -> f64 {
        let moves = self.passed >= LEAST_PASSED * self.moved && self.moved >= ROUNDING * self.present;
        if !moves {
            self.moved.max(self.present)
        } else if self.moved < STEADY * self.resolution * self.kinetic {
            self.kinetic
        } else {
            self.moved
        }
    }

    /// Is an amount (J) no more than what rounding does to the energy that is there or, of what stands, what the relative tolerance does
    /// to its place?
    pub(super) fn is_unresolved(&self, amount: f64) -> bool {
        // What stands still moves the rounding of what is there.
        let there = self.present + self.start.abs() + self.last.gravity.abs();
        let stands = self.kinetic <= ROUNDING * there;
        amount <= if stands { ROUNDING.max(self.resolution) } else { ROUNDING } * there
    }
}

/// W0523: accounts of the energy that do not balance.
pub(super) fn warning(run: &Simulation<'_>) -> Option<Note> {
    let ledger = &run.ledger;
    let (worst, reference) = (ledger.worst, ledger.reference());
    if worst <= LEFT_OPEN * reference || ledger.is_unresolved(worst) {
        return None;
    }
    let settings = &run.system.settings;
    let why = match settings.fixed_step() {
        Some(step) => format!(
            "its step of {step:.1e} s is long for the forces that act; half of it shows how far the motion depends on it"
        ),
        None => format!(
            "rtol = {:.0e} is coarse for the forces that act; a tenth of it shows how far the motion depends on it",
            settings.rtol
        ),
    };
    let method = settings.method.name();
    let message = format!(
        "the energy accounts of {method} differ by {worst:.2e} J, where {reference:.2e} J were moved: {why}"
    );
    Some(Note::new("W0523", message))
}

/// Share of the energy moved from which accounts that do not balance are told.
const LEFT_OPEN: f64 = 1e-2;

/// Steps that may each change the kinetic energy by its relative tolerance where none of it goes anywhere.
const STEADY: f64 = 100.0;

/// Share of the changes of the accounts below which none passed from one to another.
const LEAST_PASSED: f64 = 0.1;

/// Changes over the energy that is there which a run's rounding may sum up to.
const ROUNDING: f64 = 1e-12;

/// Likewise, of one step.
const STEP_ROUNDING: f64 = 1e-14;

/// Accounts between which energy moves, with the signs of their balance: their sum grows by the residual (and by the model
/// defect).
fn flows(energy: &Energy) -> [f64; 11] {
    [
        energy.kinetic,
        energy.gravity,
        energy.springs,
        energy.contact_elastic,
        -energy.work_motors,
        -energy.work_external,
        energy.dissipated_normal,
        energy.dissipated_friction,
        energy.dissipated_viscous,
        energy.dissipated_impact,
        -energy.projection,
    ]
}
