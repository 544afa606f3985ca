//! Static equilibrium: Newton's method on the forces that the constraints leave, over the positions that they allow.

use carom_math::Vec3;
use nalgebra::{DMatrix, DVector};

use super::differences;
use super::differences::Balance;
use super::eigen::{Spectrum, spectrum};
use super::stability::Stability;
use super::{Dynamics, Loads, rigid, ropes, settle};
use crate::contact::meshes::swallowed;
use crate::mechanics::{ActuatorData, ForceData};
use crate::model::{ActivationKind, AxisMeasure};
use crate::outcome::RunError;
use crate::system::PairSource;

/// When the search ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EquilibriumLimits {
    /// Steps of Newton's method.
    pub iterations: usize,
    /// Unbalanced force over the sum of the sizes of all loads.
    pub tolerance: f64,
}

impl Default for EquilibriumLimits {
    fn default() -> Self {
        Self { iterations: 200, tolerance: 1e-10 }
    }
}

/// A state at rest under balanced forces.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// The state; all velocities are zero.
    pub state: Vec<f64>,
    /// Steps that it took.
    pub iterations: usize,
    /// Largest unbalanced force: along a length in N, along an angle in N m over the model's length.
    pub residual: f64,
    /// The same over the sum of the sizes of all loads.
    pub residual_relative: f64,
    /// Contacts that carry.
    pub contacts: usize,
    /// What it does when it is pushed.
    pub stability: Stability,
}

/// Longest step, in the reach of the search or radians.
const LONGEST: f64 = 0.1;
/// Longest step over the depth to which an areal contact is seen.
const OF_DEPTH: f64 = 0.25;
/// Share of the longest step that a step which is cut short must have, and halvings of the range of μ for it.
const LONG_ENOUGH: f64 = 0.9;
const BISECTIONS: usize = 20;
/// Halvings of a Newton step that does not lower the unbalanced force.
const HALVINGS: usize = 8;
/// Share of the largest eigenvalue (stiffness over mass) below which a direction counts as without stiffness.
const SOFT: f64 = 1e-12;
/// Share of the largest eigenvalue that is taken for the stiffness of softer directions: above the noise of
/// differences, so that rounding moves nothing along them.
const FLOOR: f64 = 1e-10;
/// Steps without halving the unbalanced force after which areal contact is taken for what it samples.
const PATIENCE: usize = 12;
/// A step shorter than this, in the model's length or radians, or over where bodies are, changes nothing that numbers can show.
const NO_STEP: f64 = 1e-15;
/// What may be left unbalanced, relative to all loads, where no step changes anything any more.
pub(super) const ROUNDED: f64 = 1e-6;

impl Dynamics<'_> {
    /// Searches for a static equilibrium from the positions of the present state, at its time, and goes there. Filters of actuators
    /// are where their controls are, integrators stay, and have no equilibrium while they wind up (E0607). Where
    /// the stiffness along all free directions is positive, steps are Newton's, (NᵀKN) z = NᵀQ, halved until the
    /// unbalanced acceleration rᵀ M⁻¹ r falls. Else each mode x of the stiffness, K x = λ M x, moves by xᵀr/(|λ| +
    /// μ), which goes down the potential along negative stiffness (the saddle-free Newton step of Dauphin et al.
    /// 2014, algorithm 1): unstable equilibria attract nothing but a start on them. μ ≥ 0 keeps steps short, and
    /// hardly touches the stiff modes then. Positions are put back onto the constraints after each step. Where
    /// elements of areal contact carry, forces along directions in which nothing else resists are chance, and may
    /// stay unbalanced up to their estimated error. Ropes that do not stretch are slack where they
    /// would push. What else does not give carries nothing. E0607 if it does not end, or ends with a surface inside
    /// another, or within one that does not give.
    pub fn find_equilibrium(&mut self, limits: &EquilibriumLimits) -> Result<Equilibrium, RunError> {
        let found = ropes::search_with_ropes(self, limits, search_equilibrium);
        let found = found.map_err(|error| rigid::mention_rigid(self, error))?;
        rigid::refuse_overlap(self)?;
        match swallowed::swallowed(&self.evaluator) {
            Some(pair) => Err(rest_inside(self, pair)),
            None => Ok(found),
        }
    }
}

fn search_equilibrium(
    dynamics: &mut Dynamics<'_>,
    limits: &EquilibriumLimits,
) -> Result<Equilibrium, RunError> {
    let time = dynamics.time();
    let mut state = dynamics.state_with_velocities(&DVector::zeros(dynamics.freedoms.len()));
    rest_activations(dynamics, &mut state)?;
    close(dynamics, &mut state)?;
    let mut last_step = f64::INFINITY;
    let (mut least, mut since) = (f64::INFINITY, 0);
    for iteration in 0..=limits.iterations {
        state.copy_from_slice(dynamics.state());
        let balance = differences::balance(dynamics);
        let (residual, worst) = largest(dynamics, &balance.rest);
        let scale = size_of_loads(dynamics);
        let relative = if scale > 0.0 { residual / scale } else { 0.0 };
        if relative.is_nan() {
            return Err(dynamics.failure_of_evaluation());
        }
        let basis = dynamics.free_directions();
        let stiffness = differences::stiffness(dynamics, &basis, &balance.multipliers);
        let mass = basis.tr_mul(&(dynamics.mass_matrix() * &basis));
        let Some(spectrum) = spectrum(&mass, &stiffness) else {
            return Err(dynamics.failure_of_evaluation());
        };
        let definite = spectrum.smallest() > SOFT * spectrum.largest();
        let rounded = last_step <= no_step(dynamics) && relative <= ROUNDED;
        if relative <= limits.tolerance || rounded {
            return Ok(Equilibrium {
                state: dynamics.state().to_vec(),
                iterations: iteration,
                residual,
                residual_relative: relative,
                contacts: dynamics.contacts(),
                stability: Stability::of(dynamics, &basis, &spectrum),
            });
        }
        if relative < 0.5 * least {
            (least, since) = (relative, iteration);
        }
        // Where areal contact carries, its sampling may keep the search from getting on.
        if (iteration >= since + PATIENCE || iteration == limits.iterations)
            && let Some(error) = settle::sampling_error(dynamics)
        {
            if let Some(found) = settle::settle(dynamics, limits, error, iteration)? {
                return Ok(found);
            }
            dynamics.go(time, &state);
            since = iteration;
        }
        if iteration == limits.iterations {
            return Err(no_equilibrium(dynamics, iteration, residual, relative, worst));
        }
        let newton = definite.then_some(&stiffness);
        last_step = step(dynamics, &balance, &basis, &mass, newton, &spectrum)?;
        debug_assert!(dynamics.time() == time);
    }
    unreachable!("the last iteration returns")
}

/// One step; returns its size. `newton` is the stiffness if it is positive.
fn step(
    dynamics: &mut Dynamics<'_>,
    balance: &Balance,
    basis: &DMatrix<f64>,
    mass: &DMatrix<f64>,
    newton: Option<&DMatrix<f64>>,
    spectrum: &Spectrum,
) -> Result<f64, RunError> {
    let unbalanced = basis.tr_mul(&balance.rest);
    let merit = merit(mass, &unbalanced);
    let whole = newton.and_then(|stiffness| stiffness.clone().lu().solve(&unbalanced));
    let whole = whole
        .map(|z| basis * z)
        .filter(|displacement| length_of_step(dynamics, displacement, reach(dynamics)) <= LONGEST);
    let mut displacement = whole.unwrap_or_else(|| short_step(dynamics, basis, &unbalanced, spectrum));
    let start = dynamics.state().to_vec();
    for halving in 0..=HALVINGS {
        let mut state = dynamics.displaced_state(&displacement);
        close(dynamics, &mut state)?;
        if halving == HALVINGS {
            break;
        }
        let rest = differences::balance(dynamics).rest;
        // Down a slope without stiffness the force need not fall at once, only be there.
        if newton.is_none() && rest.iter().all(|r| r.is_finite()) {
            break;
        }
        let basis = dynamics.free_directions();
        let mass = basis.tr_mul(&(dynamics.mass_matrix() * &basis));
        if self::merit(&mass, &basis.tr_mul(&rest)) <= merit {
            break;
        }
        dynamics.go(dynamics.time(), &start);
        displacement *= 0.5;
    }
    Ok(differences::size(dynamics, &displacement))
}

/// Σ x xᵀr/(|λ| + μ) over the modes of the stiffness, with the first μ that makes it short enough.
fn short_step(
    dynamics: &Dynamics<'_>,
    basis: &DMatrix<f64>,
    unbalanced: &DVector<f64>,
    spectrum: &Spectrum,
) -> DVector<f64> {
    let parts = spectrum.modes.tr_mul(unbalanced);
    // Without any stiffness, μ is of the size that makes the largest part one length or radian.
    let floor = (FLOOR * spectrum.largest()).max(f64::EPSILON * parts.amax()).max(f64::MIN_POSITIVE);
    let reach = reach(dynamics);
    let step = |mu: f64| {
        let weigh = |k: usize| parts[k] / (spectrum.values[k].abs().max(floor) + mu);
        let displacement = basis * (&spectrum.modes * DVector::from_fn(parts.len(), |k, _| weigh(k)));
        (length_of_step(dynamics, &displacement, reach), displacement)
    };
    let (mut below, mut above) = (0.0, 0.0);
    let (mut length, mut displacement) = step(above);
    // A length that is not finite is the caller's to find, in the forces there.
    while length > LONGEST && length.is_finite() {
        below = above;
        above = (2.0 * above).max(floor);
        (length, displacement) = step(above);
    }
    for _ in 0..BISECTIONS {
        if above == 0.0 || length >= LONG_ENOUGH * LONGEST {
            break;
        }
        let middle = 0.5 * (below + above);
        let (longer, other) = step(middle);
        if longer <= LONGEST {
            (above, length, displacement) = (middle, longer, other);
        } else {
            below = middle;
        }
    }
    displacement
}

/// Length that steps are measured by: the model's where there are contacts, which must not be jumped over, less
/// where they are areal and seen to some depth only; else the extent of the mechanism if that is larger (m).
fn reach(dynamics: &Dynamics<'_>) -> f64 {
    let system = dynamics.system();
    let length = system.scales().length;
    if !system.table.contacts.is_empty() {
        let depths = system.table.pairs.iter().filter_map(|pair| match &pair.source {
            PairSource::Areal(areal) => Some(OF_DEPTH / LONGEST * areal.u_max),
            _ => None,
        });
        return depths.fold(length, f64::min);
    }
    extent(dynamics, dynamics.evaluator.workspace.bodies[0].pose.translation).max(length)
}

/// How far from a place bodies are at most (m).
fn extent(dynamics: &Dynamics<'_>, from: Vec3) -> f64 {
    let places = dynamics.evaluator.workspace.bodies.iter().map(|body| body.pose.translation);
    places.map(|place| (place - from).norm()).fold(0.0, f64::max)
}

/// The longest step that changes nothing, in the model's length or radians. What a stiff spring leaves unbalanced there is rounding.
pub(super) fn no_step(dynamics: &Dynamics<'_>) -> f64 {
    NO_STEP * (extent(dynamics, Vec3::zeros()) / dynamics.system().scales().length).max(1.0)
}

/// Largest component of a step, in the reach or radians.
fn length_of_step(dynamics: &Dynamics<'_>, displacement: &DVector<f64>, reach: f64) -> f64 {
    let length = dynamics.system().scales().length;
    let part = |f: usize| {
        let own = displacement[f].abs() / differences::unit(dynamics, f);
        if dynamics.freedoms[f].measure == AxisMeasure::Length || reach < length {
            own * length / reach
        } else {
            own
        }
    };
    (0..displacement.len()).map(part).fold(0.0, f64::max)
}

/// Puts positions onto the constraints and goes there.
pub(super) fn close(dynamics: &mut Dynamics<'_>, state: &mut [f64]) -> Result<(), RunError> {
    let time = dynamics.time();
    let closed = dynamics.evaluator.workspace.close_constraints(time, state, 100);
    dynamics.go(time, state);
    closed.map_err(|misfit| {
        let message = format!(
            "the search for a static equilibrium cannot keep {} closed: {:.3e} m or rad are missing",
            dynamics.system().constraint_name(misfit.group),
            misfit.violation
        );
        failure(dynamics, message, "start nearer to the equilibrium")
    })
}

/// Largest component of a force, over the units of the freedoms (N), and its freedom.
pub(super) fn largest(dynamics: &Dynamics<'_>, forces: &DVector<f64>) -> (f64, usize) {
    let length = dynamics.system().scales().length;
    let sizes =
        forces.iter().enumerate().map(|(f, q)| (q.abs() * differences::unit(dynamics, f) / length, f));
    sizes.fold((0.0, 0), |worst, next| if next.0 > worst.0 || next.0.is_nan() { next } else { worst })
}

/// Sum of the sizes of all loads (N), torques over the model's length.
pub(super) fn size_of_loads(dynamics: &Dynamics<'_>) -> f64 {
    let system = dynamics.system();
    let length = system.scales().length;
    let moving = |body: usize| system.mechanics.bodies[body].link.is_some();
    let weight = dynamics.known_loads(Loads::Gravity).0;
    let on_bodies: f64 = (0..system.mechanics.bodies.len())
        .filter(|&b| moving(b))
        .map(|b| {
            let own = dynamics.wrenches[b] - weight[b];
            own.force.norm() + own.torque.norm() / length + weight[b].force.norm()
        })
        .sum();
    let along: f64 = dynamics
        .efforts
        .iter()
        .enumerate()
        .map(|(f, e)| e.abs() * differences::unit(dynamics, f) / length)
        .sum();
    on_bodies + along
}

/// E0607: the search did not end.
fn no_equilibrium(
    dynamics: &Dynamics<'_>,
    iterations: usize,
    residual: f64,
    relative: f64,
    worst: usize,
) -> RunError {
    let freedom = &dynamics.freedoms[worst];
    let message = format!(
        "no static equilibrium after {iterations} iterations: {residual:.3e} N ({relative:.1e} of all loads) stay unbalanced along {}",
        freedom.name
    );
    let mut error = failure(
        dynamics,
        message,
        "is it held at all? start nearer to the equilibrium, or add what carries it",
    );
    error.body = Some(dynamics.system().info.bodies[freedom.body].clone());
    error
}

/// Puts activations where they do not change. No position balances one that goes on.
fn rest_activations(dynamics: &Dynamics<'_>, state: &mut [f64]) -> Result<(), RunError> {
    let here = dynamics.evaluator.workspace.here();
    for (index, force) in here.mechanics.forces.iter().enumerate() {
        let ForceData::Actuator(ActuatorData { law, activation: Some(place) }) = force else { continue };
        let Some(own) = &law.activation else { continue };
        let control = law.within_range(here.control_of(index, &law.control));
        match own.kind {
            ActivationKind::Filter => state[*place] = own.within_range(control),
            ActivationKind::Integrator if own.rate_at(control, state[*place]) != 0.0 => {
                let name = &dynamics.system().info.forces[index].0;
                let message =
                    format!("actuator \"{name}\" integrates its control {control}: no equilibrium lasts");
                return Err(failure(dynamics, message, "set its control to 0"));
            }
            ActivationKind::Integrator => {}
        }
    }
    Ok(())
}

fn rest_inside(dynamics: &Dynamics<'_>, pair: usize) -> RunError {
    let name = &dynamics.evaluator.table.pair_info[pair].name;
    let message =
        format!("of pair \"{name}\" one surface is inside the other, where nothing pushes: no equilibrium");
    let help = "start with the surfaces apart or just touching: `carom check` says how far one has to move";
    let mut error = failure(dynamics, message, help);
    error.pair = Some(name.clone());
    error
}

fn failure(dynamics: &Dynamics<'_>, message: String, help: &str) -> RunError {
    RunError { code: "E0607", message, time: dynamics.time(), body: None, pair: None, help: help.to_owned() }
}

/// rᵀ M⁻¹ r.
fn merit(mass: &DMatrix<f64>, r: &DVector<f64>) -> f64 {
    mass.clone().cholesky().map_or(f64::INFINITY, |factor| r.dot(&factor.solve(r)))
}
