use carom_solvers::PivotedCholesky;

use super::{ContactRows, UnilateralSystem};

/// All that a state says: mass, force, contact rows and what their inverses by the mass are.
pub(super) struct Matrices {
    n: usize,
    mass: Vec<f64>,
    factor: PivotedCholesky,
    /// M⁻¹ h.
    pub(super) free: Vec<f64>,
    force: Vec<f64>,
    pub(super) rows: Vec<ContactRows>,
    /// M⁻¹ w_N and M⁻¹ w_T of each contact.
    pub(super) responses: Vec<[Vec<f64>; 2]>,
}

impl Matrices {
    pub(super) fn new(system: &dyn UnilateralSystem) -> Self {
        let (n, contacts) = (system.freedom(), system.contacts().len());
        let zeros = vec![0.0; n];
        let rows = ContactRows { normal: zeros.clone(), tangent: zeros.clone(), ..ContactRows::default() };
        Self {
            n,
            mass: vec![0.0; n * n],
            factor: PivotedCholesky::with_room(n),
            free: zeros.clone(),
            force: zeros.clone(),
            rows: vec![rows; contacts],
            responses: vec![[zeros.clone(), zeros]; contacts],
        }
    }

    /// Of size/2 contacts alone, with unit vectors for rows; the responses are still to be filled.
    pub(super) fn of_contacts(size: usize) -> Self {
        let unit = |k: usize| (0..size).map(|i| f64::from(u8::from(i == k))).collect::<Vec<f64>>();
        let rows = |k: usize| ContactRows {
            normal: unit(2 * k),
            tangent: unit(2 * k + 1),
            ..ContactRows::default()
        };
        let zeros = vec![0.0; size];
        Self {
            n: size,
            mass: Vec::new(),
            factor: PivotedCholesky::default(),
            free: Vec::new(),
            force: Vec::new(),
            rows: (0..size / 2).map(rows).collect(),
            responses: vec![[zeros.clone(), zeros]; size / 2],
        }
    }

    /// Takes the state (t, q, u) and the rows of the contacts `of`; false if the mass matrix has lost rank.
    pub(super) fn update(
        &mut self,
        system: &dyn UnilateralSystem,
        t: f64,
        [q, u]: [&[f64]; 2],
        of: &[usize],
    ) -> bool {
        system.mass_matrix(q, &mut self.mass);
        self.factor.factor(&self.mass, self.n, None, 0.0);
        if self.factor.rank() < self.n {
            return false;
        }
        system.force(t, q, u, &mut self.force);
        self.factor.solve(&self.force, &mut self.free);
        for &contact in of {
            let rows = &mut self.rows[contact];
            system.rows(contact, q, u, rows);
            let [normal, tangent] = &mut self.responses[contact];
            self.factor.solve(&rows.normal, normal);
            self.factor.solve(&rows.tangent, tangent);
        }
        true
    }

    /// Kinetic energy ½ uᵀ M u at the last state's mass (J).
    pub(super) fn kinetic(&self, u: &[f64]) -> f64 {
        0.5 * self.mass.chunks_exact(self.n).zip(u).map(|(row, u_i)| u_i * dot(row, u)).sum::<f64>()
    }

    /// Speeds ġ_N and ġ_T of a contact.
    pub(super) fn speeds(&self, contact: usize, u: &[f64]) -> [f64; 2] {
        let rows = &self.rows[contact];
        [dot(&rows.normal, u), dot(&rows.tangent, u)]
    }

    /// Takes the normal speeds of contacts out of the velocities by the impulses of least norm. Returns what that takes (J):
    /// −½ Λ · (γ⁺ + γ⁻).
    pub(super) fn stop(&self, contacts: &[usize], u: &mut [f64]) -> f64 {
        let speeds: Vec<f64> = contacts.iter().map(|&k| self.speeds(k, u)[0]).collect();
        let element = |i: usize, j: usize| dot(&self.rows[i].normal, &self.responses[j][0]);
        let block: Vec<f64> =
            contacts.iter().flat_map(|&i| contacts.iter().map(move |&j| element(i, j))).collect();
        let mut factor = PivotedCholesky::with_room(contacts.len());
        factor.factor(&block, contacts.len(), None, 0.0);
        let mut impulses = vec![0.0; contacts.len()];
        let wanted: Vec<f64> = speeds.iter().map(|speed| -speed).collect();
        factor.solve(&wanted, &mut impulses);
        for (&contact, impulse) in contacts.iter().zip(&impulses) {
            u.iter_mut().zip(&self.responses[contact][0]).for_each(|(u, response)| *u += impulse * response);
        }
        -0.5 * dot(&impulses, &speeds)
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
