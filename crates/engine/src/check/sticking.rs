//! Friction that sticks below what the tolerances see.

use super::wide_samples;
use crate::law::{BristleKind, FrictionKind, Law};
use crate::model::Model;
use crate::system::{PairTable, Scales};
use crate::{Problem, System};

/// W0503 where a law's friction is regularised within a speed below the absolute tolerance of velocities of the bodies
/// that touch: errors that the integrator may make look like slip there, dissipate and drag. Bodies that only angular
/// joints hang on something fixed are not looked at.
pub(super) fn warn_of_sticking(model: &Model, system: &System, problems: &mut Vec<Problem>) {
    if model.solver.fixed_step().is_some() {
        return;
    }
    let scales = Scales::of_model(model);
    let coarsest = model.solver.atol.velocity.unwrap_or(model.solver.rtol * scales.velocity);
    if model.laws.iter().all(|law| least_slip_speed(law, scales.v_reg) >= coarsest) {
        return;
    }
    let samples = wide_samples(system);
    for law in 0..model.laws.len() {
        let worst =
            [&system.table, &samples].into_iter().filter_map(|table| find_worst(model, system, table, law));
        let Some(found) = worst.max_by(|a, b| a.share().total_cmp(&b.share())) else { continue };
        let (law, Found { pair, slip_speed, tolerance }) = (&model.laws[law], found);
        let message = format!(
            "law \"{}\" lets bodies stick below v_reg = {slip_speed:.1e} m/s, and the absolute tolerance of velocities \
             in \"{pair}\" is {tolerance:.1e} m/s: errors that it allows look like slip",
            law.name
        );
        let help = "a smaller solver.atol.velocity or rtol, or a larger v_reg";
        let key = if law.v_reg.is_some() { ".v_reg" } else { "" };
        problems.push(Problem::new("W0503", format!("law.{}{key}", law.name), message).help(help));
    }
}

/// A pair whose friction is finer than its tolerance.
struct Found {
    pair: String,
    slip_speed: f64,
    tolerance: f64,
}

impl Found {
    fn share(&self) -> f64 {
        self.tolerance / self.slip_speed
    }
}

/// The worst of the pairs that a law serves.
fn find_worst(model: &Model, system: &System, table: &PairTable, law: usize) -> Option<Found> {
    let lines = || model.contact_lines.iter().filter(|line| line.law == law);
    let pairs = table.pairs.iter().zip(&table.pair_info);
    let own =
        pairs.filter(|(pair, info)| pair.friction.slip_speed() > 0.0 && lines().any(|l| l.name == info.line));
    let found = own.filter_map(|(pair, info)| {
        let tolerance =
            pair.bodies.iter().filter_map(|&body| system.velocity_tolerance(body)).reduce(f64::min)?;
        Some(Found { pair: info.name.clone(), slip_speed: pair.friction.slip_speed(), tolerance })
    });
    found.filter(|found| found.share() > 1.0).max_by(|a, b| a.share().total_cmp(&b.share()))
}

/// Least speed above which a contact under the law may count as slipping (m/s).
fn least_slip_speed(law: &Law, v_reg_default: f64) -> f64 {
    let of_kind = law.point.map(|point| match point.friction {
        FrictionKind::Ambrosio { v1: Some(v1), .. } => v1,
        FrictionKind::StickSlip(BristleKind { v_stick: Some(v), .. })
        | FrictionKind::Lugre(BristleKind { v_stick: Some(v), .. })
        | FrictionKind::Bristle { bristle: BristleKind { v_stick: Some(v), .. }, .. } => v,
        _ if law.v_reg.is_none() => point.v_small,
        _ => f64::INFINITY,
    });
    law.v_reg.unwrap_or(v_reg_default).min(of_kind.unwrap_or(f64::INFINITY))
}
