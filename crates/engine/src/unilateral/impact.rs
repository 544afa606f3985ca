use carom_solvers::complementarity::Failure;

use super::ContactLaw;
use super::contact_problem::{Bounds, ContactProblem, Member, Tangent};
use super::matrices::{Matrices, dot};
use crate::law::{ImpactLaw as Law, kept_share};

/// What an impact does.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Normal and tangential impulses of each contact (N s).
    pub impulses: Vec<[f64; 2]>,
    /// Change of the kinetic energy (J), never above rounding.
    pub energy: f64,
    /// Share of the expansion that was kept, 1 unless the law would have gained energy.
    pub kept: f64,
    /// Pivots of the complementarity problems.
    pub pivots: usize,
}

/// An impact of all the contacts given, each with its law and its Delassus blocks: `delassus` is Wᵀ M⁻¹ W, row by row, for
/// [w_N1, w_T1, w_N2, w_T2, …], `speeds` are (ġ_N, ġ_T) before. For users who have matrices and no motion.
pub fn solve_impact(
    delassus: &[f64],
    speeds: &[[f64; 2]],
    laws: &[ContactLaw],
    law: Law,
) -> Result<Impact, Failure> {
    let size = 2 * speeds.len();
    // Contact coordinates serve as velocities: rows are unit vectors, their responses the columns of the matrix.
    let mut matrices = Matrices::of_contacts(size);
    for contact in 0..speeds.len() {
        for axis in 0..2 {
            let k = 2 * contact + axis;
            let column = (0..size).map(|i| delassus[size * i + k]);
            matrices.responses[contact][axis].iter_mut().zip(column).for_each(|(to, from)| *to = from);
        }
    }
    let contacts: Vec<(usize, ContactLaw)> = laws.iter().copied().enumerate().collect();
    solve(&matrices, &contacts, speeds, law)
}

/// The same of contacts of a system; speeds are those of the contacts in their order.
pub(super) fn solve(
    matrices: &Matrices,
    contacts: &[(usize, ContactLaw)],
    speeds: &[[f64; 2]],
    law: Law,
) -> Result<Impact, Failure> {
    let place =
        |contact: usize| contacts.iter().position(|c| c.0 == contact).expect("a contact of the impact");
    let mut pivots = 0;
    let mut phase = |before: &[[f64; 2]], bounds: &dyn Fn(usize) -> Bounds| {
        let mut problem = ContactProblem::default();
        problem.set(contacts.iter().enumerate().map(|(k, &(contact, law))| Member {
            contact,
            tangent: Tangent::Open,
            bounds: bounds(k),
            friction: law.friction,
        }));
        problem.update(matrices, |contact| before[place(contact)]);
        let solution = problem.solve()?;
        pivots += solution.iterations;
        Ok((0..contacts.len()).map(|k| problem.forces(k, &solution.x)).collect::<Vec<_>>())
    };
    let coulomb = |k: usize| Bounds::coulomb(contacts[k].1.friction);
    let compression = phase(speeds, &coulomb)?;
    let middle = add(speeds, &change(matrices, contacts, &compression));
    let expansion = match law {
        Law::Poisson => phase(&middle, &|k| expansion_bounds(&contacts[k].1, compression[k]))?,
        Law::Newton => {
            let reversed = contacts.iter().zip(speeds);
            let reversed: Vec<_> = reversed
                .map(|((_, law), [normal, tangential])| {
                    [(1.0 + law.normal) * normal, (1.0 + law.tangential) * tangential]
                })
                .collect();
            let whole = phase(&reversed, &coulomb)?;
            whole.iter().zip(&compression).map(|(w, c)| [w[0] - c[0], w[1] - c[1]]).collect()
        }
    };
    // T(s) = T₀ + ΔT_C + s a + s² b along the expansion; b is its own kinetic energy.
    let gained = |impulses: &[[f64; 2]], speeds: &[[f64; 2]]| -> f64 {
        impulses.iter().zip(speeds).map(|(p, v)| p[0] * v[0] + p[1] * v[1]).sum()
    };
    let compressed = 0.5 * gained(&compression, &add(speeds, &middle));
    let a = gained(&expansion, &middle);
    let b = 0.5 * gained(&expansion, &change(matrices, contacts, &expansion));
    let kept = kept_share(compressed, a, b);
    let impulses = compression.iter().zip(&expansion);
    Ok(Impact {
        impulses: impulses.map(|(c, e)| [c[0] + kept * e[0], c[1] + kept * e[1]]).collect(),
        energy: compressed + kept * (a + kept * b),
        kept,
        pivots,
    })
}

/// Λ_NE ≥ e_N Λ_NC; the stored part Λ_TS = e_N e_T Λ_TC of the tangential impulse comes back, and the bound against it is ν times
/// Coulomb's.
fn expansion_bounds(law: &ContactLaw, [normal, tangential]: [f64; 2]) -> Bounds {
    let given = law.normal * normal;
    let most = law.friction * given;
    let stored = (law.normal * law.tangential * tangential).clamp(-most, most);
    let low = if stored > 0.0 { law.bound } else { 1.0 };
    let high = if stored < 0.0 { law.bound } else { 1.0 };
    Bounds {
        low: ((1.0 - low) * stored, low * law.friction),
        high: ((1.0 - high) * stored, high * law.friction),
        given,
    }
}

/// Change of the contacts' speeds by impulses.
fn change(matrices: &Matrices, contacts: &[(usize, ContactLaw)], impulses: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let along = |w: &[f64]| -> f64 {
        let each = contacts.iter().zip(impulses);
        each.map(|(&(k, _), p)| {
            p[0] * dot(w, &matrices.responses[k][0]) + p[1] * dot(w, &matrices.responses[k][1])
        })
        .sum()
    };
    contacts
        .iter()
        .map(|&(k, _)| [along(&matrices.rows[k].normal), along(&matrices.rows[k].tangent)])
        .collect()
}

fn add(a: &[[f64; 2]], b: &[[f64; 2]]) -> Vec<[f64; 2]> {
    a.iter().zip(b).map(|(a, b)| [a[0] + b[0], a[1] + b[1]]).collect()
}
