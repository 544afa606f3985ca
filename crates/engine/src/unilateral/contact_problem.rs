use carom_solvers::complementarity::{Failure, Lcp, Solution, enumerate, lemke};

use super::matrices::{Matrices, dot};

/// Most unknowns of a problem whose bases are all tried: 4096.
const ENUMERATED: usize = 12;

/// How a contact takes part: λ_N with a tangential force that follows from it or with one of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tangent {
    /// λ_T = −σ μ λ_N, opposite to the slip σ = ±1.
    Slides(f64),
    /// λ_T is between bounds, a decision of the complementarity problem.
    Open,
}

/// Bounds on the tangential impulse, low.0 − low.1 Λ_N ≤ Λ_T ≤ high.0 + high.1 Λ_N, and a part of Λ_N that is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: (f64, f64),
    pub(super) high: (f64, f64),
    pub(super) given: f64,
}

impl Bounds {
    /// Coulomb's.
    pub(super) fn coulomb(friction: f64) -> Self {
        Self { low: (0.0, friction), high: (0.0, friction), given: 0.0 }
    }
}

/// One contact of a problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub(super) contact: usize,
    pub(super) tangent: Tangent,
    pub(super) bounds: Bounds,
    /// Friction of a contact that slides.
    pub(super) friction: f64,
}

/// The problem [γ_N; γ_R; λ_L] = A [λ_N; λ_R; γ_L] + b with λ_R = λ_T − low, λ_L = high − λ_T and γ_T = γ_R − γ_L (Glocker 2001):
/// one unknown for each contact and two more for each whose tangential force is open. It stays solvable with dependent contacts.
#[derive(Default)]
pub(super) struct ContactProblem {
    pub(super) members: Vec<Member>,
    /// Of the members whose tangential force is open.
    pub(super) open: Vec<usize>,
    pub(super) matrix: Vec<f64>,
    pub(super) offset: Vec<f64>,
}

impl ContactProblem {
    pub(super) fn set(&mut self, members: impl Iterator<Item = Member>) {
        self.members.clear();
        self.members.extend(members);
        self.open.clear();
        let is_open = |&k: &usize| self.members[k].tangent == Tangent::Open;
        self.open.extend((0..self.members.len()).filter(is_open));
        let size = self.size();
        self.matrix.resize(size * size, 0.0);
        self.offset.resize(size, 0.0);
    }

    /// Number of unknowns.
    pub(super) fn size(&self) -> usize {
        self.members.len() + 2 * self.open.len()
    }

    /// Writes A and b from what γ is without the problem's forces: speeds or accelerations (γ_N, γ_T) of a contact.
    pub(super) fn update(&mut self, matrices: &Matrices, without: impl Fn(usize) -> [f64; 2]) {
        let (n, h, size) = (self.members.len(), self.open.len(), self.size());
        self.matrix.fill(0.0);
        self.offset.fill(0.0);
        let axis = |k: usize| usize::from(k >= n);
        let member = |k: usize| if k < n { k } else { self.open[k - n] };
        for row in 0..n + h {
            let rows = &matrices.rows[self.members[member(row)].contact];
            let w = [&rows.normal, &rows.tangent][axis(row)];
            let mut offset = without(self.members[member(row)].contact)[axis(row)];
            for (k, of) in self.members.iter().enumerate() {
                let [normal, tangent] = matrices.responses[of.contact].each_ref().map(|r| dot(w, r));
                let slope = match of.tangent {
                    Tangent::Slides(sign) => sign * of.friction,
                    Tangent::Open => of.bounds.low.1,
                };
                self.matrix[size * row + k] = normal - slope * tangent;
                offset += (normal - slope * tangent) * of.bounds.given;
                if of.tangent == Tangent::Open {
                    offset += tangent * of.bounds.low.0;
                }
            }
            for (k, &open) in self.open.iter().enumerate() {
                let contact = self.members[open].contact;
                self.matrix[size * row + n + k] = dot(w, &matrices.responses[contact][1]);
            }
            if row >= n {
                self.matrix[size * row + h + row] = 1.0;
            }
            self.offset[row] = offset;
        }
        for (k, &open) in self.open.iter().enumerate() {
            let (row, bounds) = (n + h + k, &self.members[open].bounds);
            let slope = bounds.low.1 + bounds.high.1;
            self.matrix[size * row + open] = slope;
            self.matrix[size * row + n + k] = -1.0;
            self.offset[row] = bounds.high.0 - bounds.low.0 + slope * bounds.given;
        }
    }

    /// By Lemke's method. Its path may leave for infinity where there are solutions all the same, or meet bases that rounding cannot tell from
    /// singular ones: all bases of a small problem decide then.
    pub(super) fn solve(&self) -> Result<Solution, Failure> {
        let lcp = Lcp::new(self.matrix.clone(), self.offset.clone()).map_err(|_| Failure::Unsuited)?;
        lemke(&lcp, None).or_else(|failure| {
            let all = if self.size() <= ENUMERATED { enumerate(&lcp) } else { Err(Failure::Unsuited) };
            all.ok().and_then(|all| all.into_iter().next()).ok_or(failure)
        })
    }

    /// λ_N and λ_T of a member from the unknowns.
    pub(super) fn forces(&self, member: usize, x: &[f64]) -> [f64; 2] {
        let of = &self.members[member];
        let normal = x[member] + of.bounds.given;
        let tangential = match of.tangent {
            Tangent::Slides(sign) => -sign * of.friction * normal,
            Tangent::Open => {
                let place = self.open.iter().position(|&open| open == member).expect("an open member");
                of.bounds.low.0 - of.bounds.low.1 * normal + x[self.members.len() + place]
            }
        };
        [normal, tangential]
    }
}
