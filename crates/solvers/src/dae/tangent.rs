use super::envelope_lu::EnvelopeLu;
use super::{ConstraintRows, SecondOrderDae};
use crate::bandwidth::reverse_cuthill_mckee;
use crate::ode::Fault;

/// Step of the differences that give K and C, in units of the freedoms (m or rad, m/s or rad/s).
const DIFFERENCE: f64 = 1.5e-8;

/// Tangents W = M + h/2 C + h²/4 K of the equations of motion, with K = −∂(Q − M v̇)/∂q, C = −∂Q/∂v by differences, and
/// T = W + h²/4 α Φ_qᵀ Φ_q with its factors, in an order that brings what belongs together near the diagonal.
#[derive(Default)]
pub(super) struct Tangent {
    /// Block of each freedom, and the columns of the rows, for which the order was made.
    blocks: Vec<usize>,
    columns: Vec<Vec<usize>>,
    /// Freedoms of each block.
    members: Vec<Vec<usize>>,
    /// Of each freedom, its place in the order.
    place: Vec<usize>,
    weight: EnvelopeLu,
    factors: EnvelopeLu,
    /// trace(M)/n at the last weight.
    mean_mass: f64,
    scale: f64,
    found: Vec<usize>,
    shifted: Vec<f64>,
    change: Vec<f64>,
    probe: Vec<f64>,
    permuted: Vec<f64>,
}

/// Where a step's equations are evaluated.
pub(super) struct Place<'a> {
    pub(super) time: f64,
    /// Length of the step.
    pub(super) step: f64,
    pub(super) state: &'a [f64],
    pub(super) velocity: &'a [f64],
    pub(super) acceleration: &'a [f64],
    /// M v̇ − Q there.
    pub(super) residual: &'a [f64],
}

impl Tangent {
    /// n.
    pub(super) fn freedoms(&self) -> usize {
        self.place.len()
    }

    /// trace(M)/n.
    pub(super) fn mean_mass(&self) -> f64 {
        self.mean_mass
    }

    /// Fits order and shape to the blocks and rows, which change at events only.
    pub(super) fn fit(&mut self, dae: &dyn SecondOrderDae, rows: &ConstraintRows) {
        let n = dae.freedoms();
        self.found.resize(n, 0);
        dae.blocks(&mut self.found);
        let same_columns = self.columns.len() == rows.len()
            && self.columns.iter().enumerate().all(|(row, columns)| {
                columns.len() == rows.row(row).len()
                    && columns.iter().zip(rows.row(row)).all(|(a, (b, _))| a == b)
            });
        if self.found == self.blocks && same_columns {
            return;
        }
        self.blocks.clone_from(&self.found);
        self.columns = (0..rows.len()).map(|row| rows.row(row).iter().map(|(c, _)| *c).collect()).collect();
        self.members = vec![Vec::new(); n];
        for (freedom, &block) in self.blocks.iter().enumerate() {
            self.members[block].push(freedom);
        }
        self.members.retain(|members| !members.is_empty());
        let mut neighbours = vec![Vec::new(); n];
        for clique in self.members.iter().chain(&self.columns) {
            for &freedom in clique {
                neighbours[freedom].extend(clique.iter().copied().filter(|&other| other != freedom));
            }
        }
        for own in &mut neighbours {
            own.sort_unstable();
            own.dedup();
        }
        let order = reverse_cuthill_mckee(&neighbours);
        self.place.resize(n, 0);
        order.iter().enumerate().for_each(|(at, &freedom)| self.place[freedom] = at);
        let first: Vec<usize> = order
            .iter()
            .enumerate()
            .map(|(at, &freedom)| neighbours[freedom].iter().map(|&o| self.place[o]).fold(at, usize::min))
            .collect();
        self.weight.shape(&first);
        self.factors.shape(&first);
        for buffer in [&mut self.shifted, &mut self.change, &mut self.permuted] {
            buffer.resize(n, 0.0);
        }
    }

    /// M at the state of the last residual, alone.
    pub(super) fn weigh_mass(&mut self, dae: &mut dyn SecondOrderDae) {
        let (mut trace, place, weight) = (0.0, &self.place, &mut self.weight);
        weight.clear();
        dae.mass(&mut |row, column, value| {
            weight.add(place[row], place[column], value);
            if row == column {
                trace += value;
            }
        });
        self.mean_mass = trace / place.len() as f64;
    }

    /// W at a place where the problem was evaluated last. Freedoms of different blocks are moved at once.
    pub(super) fn weigh(&mut self, dae: &mut dyn SecondOrderDae, at: &Place<'_>) -> Result<(), Fault> {
        let h = at.step;
        self.weigh_mass(dae);
        self.probe.resize(at.state.len(), 0.0);
        let largest = self.members.iter().map(Vec::len).max().unwrap_or(0);
        for k in 0..largest {
            for by_velocity in [true, false] {
                self.change.fill(0.0);
                for members in &self.members {
                    if let Some(&freedom) = members.get(k) {
                        self.change[freedom] = DIFFERENCE;
                    }
                }
                if by_velocity {
                    self.probe.copy_from_slice(at.state);
                    self.change.iter_mut().zip(at.velocity).for_each(|(c, v)| *c += v);
                    dae.set_velocities(&self.change, &mut self.probe);
                } else {
                    self.probe.copy_from_slice(at.state);
                    dae.displace(at.state, &self.change, &mut self.probe);
                }
                dae.residual(at.time, &self.probe, at.acceleration, &mut self.shifted)?;
                let factor = if by_velocity { 0.5 * h } else { 0.25 * h * h } / DIFFERENCE;
                for members in &self.members {
                    let Some(&column) = members.get(k) else { continue };
                    for &row in members {
                        let slope = factor * (self.shifted[row] - at.residual[row]);
                        self.weight.add(self.place[row], self.place[column], slope);
                    }
                }
            }
        }
        Ok(())
    }

    /// h²/4 α of the last factors.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// Factors T, with `scale` = h²/4 α.
    pub(super) fn factor(&mut self, rows: &ConstraintRows, scale: f64) -> Result<(), Fault> {
        self.scale = scale;
        self.factors.copy_from(&self.weight);
        for row in 0..rows.len() {
            for &(i, a) in rows.row(row) {
                for &(j, b) in rows.row(row) {
                    self.factors.add(self.place[i], self.place[j], scale * a * b);
                }
            }
        }
        if self.factors.factor() { Ok(()) } else { Err(Fault::Recoverable) }
    }

    /// T⁻¹ b in place.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        for (freedom, &at) in self.place.iter().enumerate() {
            self.permuted[at] = b[freedom];
        }
        self.factors.solve(&mut self.permuted);
        for (freedom, &at) in self.place.iter().enumerate() {
            b[freedom] = self.permuted[at];
        }
    }
}
