use carom_math::{Twist, Wrench};
use carom_solvers::PivotedCholesky;

use super::{Rows, Scene, write_rows};
use crate::kinematics::BodyKinematics;
use crate::system::{ConstraintData, System};
use crate::tree::TreeWorkspace;

/// Eigenvalues of the scaled G M⁻¹ Gᵀ below which a direction counts as one that the constraints do not know. They go
/// with the square of the distance to a singular position.
const RIDGE: f64 = 1e-10;

/// Rows of all constraints, their matrix and multipliers.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintSolver {
    pub(crate) rows: Rows,
    /// G M⁻¹ Gᵀ, of which the upper triangle is kept.
    matrix: Vec<f64>,
    pub(crate) factor: PivotedCholesky,
    pub(crate) multipliers: Vec<f64>,
    right: Vec<f64>,
    /// Loads on links and freedoms that the last response answered.
    pub(crate) loads: Vec<Wrench>,
    pub(crate) efforts: Vec<f64>,
    trees: Vec<usize>,
    /// Links that the rows touch and all that carry these, parents first: G M⁻¹ Gᵀ is made of what passes along them.
    touched: Vec<usize>,
    is_touched: Vec<bool>,
}

impl ConstraintSolver {
    pub(crate) fn new(system: &System) -> Self {
        Self {
            loads: vec![Wrench::ZERO; system.links.len()],
            efforts: vec![0.0; system.freedoms()],
            touched: Vec::with_capacity(system.links.len()),
            is_touched: vec![false; system.links.len()],
            ..Self::default()
        }
    }

    /// Writes the rows of all groups that `holds` keeps.
    pub(crate) fn write(
        &mut self,
        scene: &Scene<'_>,
        constraints: &[ConstraintData],
        holds: impl Fn(usize) -> bool,
    ) {
        self.rows.clear();
        for (group, data) in constraints.iter().enumerate() {
            if holds(group) {
                self.rows.group = group;
                write_rows(scene, data, &mut self.rows);
            }
        }
    }

    /// Builds and factors G M⁻¹ Gᵀ. The trees that the rows touch must be articulated.
    pub(crate) fn factorize(&mut self, system: &System, bodies: &[BodyKinematics], tree: &mut TreeWorkspace) {
        self.unload();
        self.find_touched(system);
        let m = self.rows.len();
        self.matrix.clear();
        self.matrix.resize(m * m, 0.0);
        for i in 0..m {
            self.respond_to_row(system, bodies, tree, i);
            for j in i..m {
                let touched = |link: usize| self.trees.contains(&system.links[link].tree);
                let bodies: f64 = self
                    .rows
                    .terms(j)
                    .iter()
                    .filter(|t| touched(t.link))
                    .map(|t| t.dual.dot(&tree.acceleration[t.link]))
                    .sum();
                let own: f64 = self
                    .rows
                    .freedoms(j)
                    .iter()
                    .filter(|(f, _)| touched(system.link_of_freedom[*f]))
                    .map(|(f, k)| k * tree.generalized[*f])
                    .sum();
                self.matrix[m * i + j] = bodies + own;
            }
        }
        self.factor.factor(&self.matrix, m, RIDGE);
    }

    fn find_touched(&mut self, system: &System) {
        self.is_touched.fill(false);
        for row in 0..self.rows.len() {
            let bodies = self.rows.terms(row).iter().map(|term| term.link);
            let own = self.rows.freedoms(row).iter().map(|&(freedom, _)| system.link_of_freedom[freedom]);
            for link in bodies.chain(own) {
                let mut next = Some(link).filter(|&link| !self.is_touched[link]);
                while let Some(link) = next {
                    self.is_touched[link] = true;
                    next = system.links[link].parent.filter(|&parent| !self.is_touched[parent]);
                }
            }
        }
        self.touched.clear();
        self.touched.extend((0..system.links.len()).filter(|&link| self.is_touched[link]));
    }

    /// M⁻¹ Gᵢᵀ on the links that any row touches, of the trees that this row touches.
    fn respond_to_row(
        &mut self,
        system: &System,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
        row: usize,
    ) {
        self.trees.clear();
        for term in self.rows.terms(row) {
            self.loads[term.link] += term.dual;
            add_tree(&mut self.trees, system.links[term.link].tree);
        }
        for &(freedom, k) in self.rows.freedoms(row) {
            self.efforts[freedom] += k;
            add_tree(&mut self.trees, system.links[system.link_of_freedom[freedom]].tree);
        }
        for &start in &self.trees {
            let range = system.tree_links(start);
            let first = self.touched.partition_point(|&link| link < range.start);
            let end = self.touched.partition_point(|&link| link < range.end);
            let visited = self.touched[first..end].iter().copied();
            tree.respond(&system.links, bodies, visited, &self.loads, &self.efforts);
        }
        for term in self.rows.terms(row) {
            self.loads[term.link] = Wrench::ZERO;
        }
        for &(freedom, _) in self.rows.freedoms(row) {
            self.efforts[freedom] = 0.0;
        }
    }

    /// Multipliers of least norm with G M⁻¹ Gᵀ λ = right, where `right` is made from each row.
    pub(crate) fn solve(&mut self, right: impl Fn(&Rows, usize) -> f64) {
        let m = self.rows.len();
        self.right.clear();
        self.right.extend((0..m).map(|row| right(&self.rows, row)));
        self.multipliers.resize(m, 0.0);
        self.factor.solve(&self.right, &mut self.multipliers);
    }

    /// M⁻¹ Gᵀ λ on the trees that the constraints reach: accelerations of links and freedoms in the workspace. The
    /// loads Gᵀ λ stay in `loads` and `efforts`, for reactions.
    pub(crate) fn respond_to_multipliers(
        &mut self,
        system: &System,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
    ) {
        self.unload();
        self.trees.clear();
        for row in 0..self.rows.len() {
            let lambda = self.multipliers[row];
            for term in self.rows.terms(row) {
                self.loads[term.link] += term.dual * lambda;
                add_tree(&mut self.trees, system.links[term.link].tree);
            }
            for &(freedom, k) in self.rows.freedoms(row) {
                self.efforts[freedom] += k * lambda;
                add_tree(&mut self.trees, system.links[system.link_of_freedom[freedom]].tree);
            }
        }
        for &start in &self.trees {
            tree.respond(&system.links, bodies, system.tree_links(start), &self.loads, &self.efforts);
        }
    }

    /// Trees that the last response has moved.
    pub(crate) fn moved_trees(&self) -> &[usize] {
        &self.trees
    }

    fn unload(&mut self) {
        self.loads.fill(Wrench::ZERO);
        self.efforts.fill(0.0);
    }

    /// Motions of all links from the kinematics, for G v.
    pub(crate) fn velocities(system: &System, bodies: &[BodyKinematics], out: &mut [Twist]) {
        for (link, out) in system.links.iter().zip(out) {
            let body = &bodies[link.body];
            *out = Twist::new(body.angular_velocity, body.velocity);
        }
    }
}

fn add_tree(trees: &mut Vec<usize>, tree: usize) {
    if !trees.contains(&tree) {
        trees.push(tree);
    }
}
