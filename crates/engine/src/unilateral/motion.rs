use carom_solvers::complementarity::BasisSolver;
use carom_solvers::{Fault, Ode};

use super::UnilateralSystem;
use super::contact_problem::{ContactProblem, Tangent};
use super::dependent::NearestSolver;
use super::matrices::{Matrices, dot};

/// Motion between events: the basis of the last complementarity problem is frozen. States are q, then u; the quadrature is the
/// energy that friction has taken (J).
pub(super) struct Motion<'a> {
    pub(super) system: &'a dyn UnilateralSystem,
    pub(super) matrices: Matrices,
    /// Closed contacts.
    pub(super) problem: ContactProblem,
    pub(super) closed: Vec<usize>,
    pub(super) active: Vec<bool>,
    solver: BasisSolver,
    nearest: NearestSolver,
    /// Unknowns at the event that froze the basis: where its rows depend on each other the nearest ones are taken.
    anchor: Vec<f64>,
    /// Do the equations of the frozen basis contradict each other where the motion was asked for last?
    pub(super) is_dependent: bool,
    pub(super) x: Vec<f64>,
    pub(super) y: Vec<f64>,
}

impl<'a> Motion<'a> {
    pub(super) fn new(system: &'a dyn UnilateralSystem) -> Self {
        Self {
            system,
            matrices: Matrices::new(system),
            problem: ContactProblem::default(),
            closed: Vec::new(),
            active: Vec::new(),
            solver: BasisSolver::default(),
            nearest: NearestSolver::default(),
            anchor: Vec::new(),
            is_dependent: false,
            x: Vec::new(),
            y: Vec::new(),
        }
    }

    /// Takes over the problem's contacts, the basis, and the unknowns of its event.
    pub(super) fn freeze(&mut self, active: Vec<bool>, anchor: Vec<f64>) {
        self.anchor = anchor;
        self.x.resize(active.len(), 0.0);
        self.y.resize(active.len(), 0.0);
        self.active = active;
    }

    /// Writes A and b of the accelerations at a state.
    pub(super) fn update_problem(&mut self, t: f64, state: &[f64]) -> bool {
        let (q, u) = state.split_at(self.system.positions());
        if !self.matrices.update(self.system, t, [q, u], &self.closed) {
            return false;
        }
        let Self { matrices, problem, .. } = self;
        problem.update(matrices, |contact| {
            let rows = &matrices.rows[contact];
            let normal = dot(&rows.normal, &matrices.free) + rows.normal_bias;
            [normal, dot(&rows.tangent, &matrices.free) + rows.tangent_bias]
        });
        true
    }
}

impl Ode for Motion<'_> {
    fn dimension(&self) -> usize {
        self.system.positions() + self.system.freedom()
    }

    fn quadratures(&self) -> usize {
        1
    }

    fn rhs(&mut self, t: f64, state: &[f64], rates: &mut [f64], lost: &mut [f64]) -> Result<(), Fault> {
        self.is_dependent = false;
        if !self.update_problem(t, state) {
            return Err(Fault::Recoverable);
        }
        let Self { problem, matrices, x, y, .. } = self;
        let equations = [&problem.matrix[..], &problem.offset];
        self.is_dependent = !self.solver.solve(equations, &self.active, [x, y])
            && !self.nearest.solve(equations, &self.active, &self.anchor, [x, y]);
        if self.is_dependent {
            return Err(Fault::Recoverable);
        }
        let (q, u) = state.split_at(self.system.positions());
        let (dq, du) = rates.split_at_mut(q.len());
        self.system.position_rates(q, u, dq);
        du.copy_from_slice(&matrices.free);
        lost[0] = 0.0;
        for (k, member) in problem.members.iter().enumerate() {
            let forces = problem.forces(k, x);
            for (force, response) in forces.iter().zip(&matrices.responses[member.contact]) {
                du.iter_mut().zip(response).for_each(|(du, r)| *du += force * r);
            }
            if let Tangent::Slides(_) = member.tangent {
                lost[0] -= forces[1] * matrices.speeds(member.contact, u)[1];
            }
        }
        Ok(())
    }
}
