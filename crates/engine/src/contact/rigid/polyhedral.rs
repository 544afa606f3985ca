//! The contact problem with a polyhedron in place of each friction disc, by Lemke's method: as a linear complementarity problem it has an
//! answer by pivots, where there is one along their path, however little monotone friction makes it.
//!
//! A force of a contact is λ_N n along its normal, with −μ λ_N d where it slides along d, or Σ β_j d_j in directions d_j all around
//! where it may stick (Stewart & Trinkle 1996):
//!
//! γ_N ≥ 0 ⟂ λ_N,  d_j · γ_T + σ ≥ 0 ⟂ β_j,  μ λ_N − Σ β_j ≥ 0 ⟂ σ

use std::f64::consts::TAU;

use carom_solvers::complementarity::{Lcp, lemke};

use super::cone::ConeProblem;
use super::member::Tangent;

/// Sides of a polyhedron, of which one corner is where friction is taken to be.
const SIDES: usize = 12;

/// An unknown: a force as impulses of some rows of a contact, or a bound that is reached.
enum Unknown {
    Force { member: usize, rows: [f64; 3] },
    Bound { member: usize },
}

/// Impulses of an answer with polyhedra that have corners where some impulses point, and the pivots that it took. None of problems in
/// which impulses come back.
pub(super) fn answer_with_polyhedra(problem: &ConeProblem<'_>, about: &[f64]) -> Option<(Vec<f64>, usize)> {
    let members = problem.members;
    if !members.iter().all(|of| of.is_coulomb()) {
        return None;
    }
    let unknowns = unknowns_of(problem, about);
    let width = problem.offset.len();
    // G f of a unit of each force.
    let moved: Vec<Vec<f64>> = unknowns
        .iter()
        .map(|unknown| match unknown {
            Unknown::Force { member, rows } => (0..width)
                .map(|k| (0..3).map(|row| problem.matrix[width * k + 3 * member + row] * rows[row]).sum())
                .collect(),
            Unknown::Bound { .. } => Vec::new(),
        })
        .collect();
    // What a force is complementary to: the speed along the normal, or along its own direction.
    let watched = |member: usize, rows: &[f64; 3], speeds: &[f64]| match rows[0] {
        1.0 => speeds[3 * member],
        _ => rows[1] * speeds[3 * member + 1] + rows[2] * speeds[3 * member + 2],
    };
    let is_tangential = |rows: &[f64; 3]| rows[0] == 0.0;
    let mut matrix = Vec::with_capacity(unknowns.len() * unknowns.len());
    let mut offset = Vec::with_capacity(unknowns.len());
    for own in &unknowns {
        matrix.extend(unknowns.iter().zip(&moved).map(|(other, moved)| match (own, other) {
            (Unknown::Force { member, rows }, Unknown::Force { .. }) => watched(*member, rows, moved),
            (Unknown::Force { member, rows }, Unknown::Bound { member: of }) => {
                f64::from(u8::from(member == of && is_tangential(rows)))
            }
            (Unknown::Bound { member: of }, Unknown::Force { member, rows }) if member == of => {
                if is_tangential(rows) {
                    -1.0
                } else {
                    members[*of].friction
                }
            }
            _ => 0.0,
        }));
        offset.push(match own {
            Unknown::Force { member, rows } => watched(*member, rows, problem.offset),
            Unknown::Bound { .. } => 0.0,
        });
    }
    let solution = lemke(&Lcp::new(matrix, offset).ok()?, None).ok()?;
    let mut impulses = vec![0.0; width];
    for (unknown, x) in unknowns.iter().zip(&solution.x) {
        if let Unknown::Force { member, rows } = unknown {
            (0..3).for_each(|row| impulses[3 * member + row] += x * rows[row]);
        }
    }
    Some((impulses, solution.iterations))
}

fn unknowns_of(problem: &ConeProblem<'_>, about: &[f64]) -> Vec<Unknown> {
    let mut unknowns = Vec::new();
    for (member, of) in problem.members.iter().enumerate() {
        let mu = of.friction;
        let (is_open, rows) = match of.tangent {
            Tangent::Along([x, y]) => (false, [1.0, -mu * x, -mu * y]),
            Tangent::Free => (mu > 0.0, [1.0, 0.0, 0.0]),
        };
        unknowns.push(Unknown::Force { member, rows });
        if is_open {
            let first = libm::atan2(about[3 * member + 2], about[3 * member + 1]);
            let corners = (0..SIDES).map(|side| first + TAU * side as f64 / SIDES as f64);
            unknowns.extend(
                corners
                    .map(|angle| Unknown::Force { member, rows: [0.0, libm::cos(angle), libm::sin(angle)] }),
            );
            unknowns.push(Unknown::Bound { member });
        }
    }
    unknowns
}
