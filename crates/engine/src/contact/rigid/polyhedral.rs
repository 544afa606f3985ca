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
use super::member::{Member, Tangent};

/// Sides of a polyhedron, of which one corner is where friction is taken to be.
const SIDES: usize = 12;

/// Most unknowns of a problem that is tried: pivots are dense.
const MOST: usize = 512;

/// An unknown of a contact.
#[derive(Clone, Copy)]
enum Unknown {
    /// The force along its normal, with the friction that comes with it where it slides: impulses of its rows.
    Normal { member: usize, rows: [f64; 3] },
    /// Friction in a direction.
    Tangential { member: usize, along: [f64; 2] },
    /// σ: how fast it slips where friction is at its bound.
    Slip { member: usize },
}

impl Unknown {
    /// The contact, and the impulses of its rows for a unit of it.
    fn force(&self) -> (usize, [f64; 3]) {
        match *self {
            Self::Normal { member, rows } => (member, rows),
            Self::Tangential { member, along: [x, y] } => (member, [0.0, x, y]),
            Self::Slip { member } => (member, [0.0; 3]),
        }
    }

    /// What it is complementary to changes with another unknown, of which a unit changes all speeds by `moved`.
    fn change_by(&self, other: &Self, moved: &[f64], friction: f64) -> f64 {
        match (*self, *other) {
            (Self::Tangential { member, .. }, Self::Slip { member: of }) => f64::from(u8::from(member == of)),
            (Self::Slip { member }, Self::Normal { member: of, .. }) if member == of => friction,
            (Self::Slip { member }, Self::Tangential { member: of, .. }) if member == of => -1.0,
            _ => self.speed(moved),
        }
    }

    /// Speed along its direction; none of a slip.
    fn speed(&self, speeds: &[f64]) -> f64 {
        match *self {
            Self::Normal { member, .. } => speeds[3 * member],
            Self::Tangential { member, along } => {
                along[0] * speeds[3 * member + 1] + along[1] * speeds[3 * member + 2]
            }
            Self::Slip { .. } => 0.0,
        }
    }
}

/// Impulses of an answer with polyhedra that have corners where some impulses point, and the pivots that it took. None of problems that are
/// large, or in which impulses come back.
pub(super) fn answer_with_polyhedra(problem: &ConeProblem<'_>, about: &[f64]) -> Option<(Vec<f64>, usize)> {
    let (members, width) = (problem.members, problem.offset.len());
    let unknowns = unknowns_of(problem, about);
    if unknowns.len() > MOST || !members.iter().all(Member::is_coulomb) {
        return None;
    }
    let columns = unknowns.iter().map(|unknown| {
        let (member, rows) = unknown.force();
        let speed =
            |k: usize| (0..3).map(|row| problem.matrix[width * k + 3 * member + row] * rows[row]).sum();
        (0..width).map(speed).collect::<Vec<f64>>()
    });
    let columns: Vec<Vec<f64>> = columns.collect();
    let each = unknowns.iter().flat_map(|own| {
        let friction = members[own.force().0].friction;
        unknowns.iter().zip(&columns).map(move |(other, moved)| own.change_by(other, moved, friction))
    });
    let offset = unknowns.iter().map(|unknown| unknown.speed(problem.offset)).collect();
    let solution = lemke(&Lcp::new(each.collect(), offset).ok()?, None).ok()?;
    let mut impulses = vec![0.0; width];
    for (unknown, x) in unknowns.iter().zip(&solution.x) {
        let (member, rows) = unknown.force();
        (0..3).for_each(|row| impulses[3 * member + row] += x * rows[row]);
    }
    Some((impulses, solution.iterations))
}

fn unknowns_of(problem: &ConeProblem<'_>, about: &[f64]) -> Vec<Unknown> {
    let mut unknowns = Vec::new();
    for (member, of) in problem.members.iter().enumerate() {
        let mu = of.friction;
        if let Tangent::Along([x, y]) = of.tangent {
            unknowns.push(Unknown::Normal { member, rows: [1.0, -mu * x, -mu * y] });
            continue;
        }
        unknowns.push(Unknown::Normal { member, rows: [1.0, 0.0, 0.0] });
        if mu > 0.0 {
            let first = libm::atan2(about[3 * member + 2], about[3 * member + 1]);
            let corners = (0..SIDES).map(|side| first + TAU * side as f64 / SIDES as f64);
            let along = |angle: f64| [libm::cos(angle), libm::sin(angle)];
            unknowns.extend(corners.map(|angle| Unknown::Tangential { member, along: along(angle) }));
            unknowns.push(Unknown::Slip { member });
        }
    }
    unknowns
}
