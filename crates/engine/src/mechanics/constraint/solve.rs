use carom_math::{Mat3, Twist, Wrench};
use carom_solvers::{EnvelopeCholesky, PivotedCholesky};

use super::pattern::Pattern;
use super::rows::BodyTerm;
use super::through::{Through, climb};
use super::{Configuration, Rows, write_rows};
use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::tree::TreeWorkspace;
use crate::mechanics::{BodyData, ConstraintData, Mechanics, Owner, smallest_moment};

/// Eigenvalues of the scaled G M⁻¹ Gᵀ below which a direction counts as one that the constraints do not know. They go
/// with the square of the distance to a singular position.
const RIDGE: f64 = 1e-10;
/// Pivots of the scaled G M⁻¹ Gᵀ below this are those of a mechanism near a singular position.
const NEARLY_SINGULAR: f64 = 1e-3;
/// A row moves nothing if its diagonal is this share or less of what one of its bodies alone would make: that is rounding. Such are the rows of a
/// weld along what a ball joint between the same bodies holds already.
const NOTHING: f64 = 1e-13;
/// Motion along a row, over that of its bodies if they were free, that is none: the joints that hold these are so far askew by rounding, and what a
/// model states of their axes. As an equation of its own such a row locks what it closes.
const ASKEW: f64 = 1e-10;
/// Only rows below this share of what the body made if it were free are looked at closely.
const SUSPECT: f64 = 1e-6;
/// Least radius of gyration of a body in the metric that scales G M⁻¹ Gᵀ, squared, as a share of the longest arm at which
/// a constraint acts on it: a body that is held by two forces at an arm resists as a mass there, however small its own
/// inertia. Above [`NEARLY_SINGULAR`].
const LEAST_GYRATION: f64 = 2e-3;
/// Corrections of the multipliers where bodies are light in turning: each gains the digits that the factors have.
const CORRECTIONS: usize = 3;

/// Rows of all constraints, their matrix and multipliers.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintSolver {
    pub(crate) rows: Rows,
    /// G M⁻¹ Gᵀ, of which the upper triangle is kept; of sparse ones nothing.
    matrix: Vec<f64>,
    /// By row: what the matrix is scaled by, its diagonal with inertias that are not too small.
    metric: Vec<f64>,
    pattern: Pattern,
    pub(crate) factor: PivotedCholesky,
    sparse: EnvelopeCholesky,
    pub(crate) multipliers: Vec<f64>,
    /// Part of them that the last response answered.
    change: Vec<f64>,
    right: Vec<f64>,
    /// By link: of a free body that is light in turning, the inverse of the inertia that the metric takes (body axes).
    light: Vec<Option<Mat3>>,
    has_light: bool,
    /// Loads on links and freedoms that the last response answered.
    pub(crate) loads: Vec<Wrench>,
    pub(crate) efforts: Vec<f64>,
    /// Trees that the row last looked at touches.
    trees: Vec<usize>,
    /// Trees that any row touches.
    all_trees: Vec<usize>,
    /// Links that the rows touch and all that carry these, parents first: G M⁻¹ Gᵀ is made of what passes along them.
    touched: Vec<usize>,
    is_touched: Vec<bool>,
    through: Through,
}

impl ConstraintSolver {
    pub(crate) fn new(mechanics: &Mechanics) -> Self {
        let light: Vec<Option<Mat3>> = mechanics
            .links
            .iter()
            .map(|link| light_metric(&mechanics.bodies[link.body], link.lone))
            .collect();
        Self {
            loads: vec![Wrench::ZERO; mechanics.links.len()],
            efforts: vec![0.0; mechanics.freedoms()],
            has_light: light.iter().any(Option::is_some),
            light,
            all_trees: Vec::with_capacity(mechanics.links.len()),
            touched: Vec::with_capacity(mechanics.links.len()),
            is_touched: vec![false; mechanics.links.len()],
            through: Through::new(mechanics.links.len(), mechanics.freedoms()),
            ..Self::default()
        }
    }

    /// Writes the rows of all groups that `holds` keeps.
    pub(crate) fn write(
        &mut self,
        here: &Configuration<'_>,
        constraints: &[ConstraintData],
        holds: impl Fn(usize) -> bool,
    ) {
        self.rows.clear();
        for (group, data) in constraints.iter().enumerate() {
            if holds(group) {
                self.rows.group = group;
                write_rows(here, data, &mut self.rows);
            }
        }
    }

    /// Builds and factors G M⁻¹ Gᵀ. The trees that the rows touch must be articulated.
    pub(crate) fn factorize(
        &mut self,
        mechanics: &Mechanics,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
    ) {
        self.unload();
        self.find_touched(mechanics);
        self.metric.clear();
        self.metric.resize(self.rows.len(), 0.0);
        self.follow_rows(mechanics, bodies, tree);
        let has_changed = self.pattern.fit(&self.rows, mechanics);
        if self.pattern.is_sparse {
            if has_changed {
                self.sparse.shape(&self.pattern.first);
            }
            self.factorize_sparse(mechanics, bodies, tree);
        } else {
            self.factorize_dense(mechanics, bodies, tree);
        }
    }

    /// By pivots, which find the rows that depend on others.
    pub(crate) fn factorize_dense(
        &mut self,
        mechanics: &Mechanics,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
    ) {
        let m = self.rows.len();
        self.matrix.clear();
        self.matrix.resize(m * m, 0.0);
        for i in 0..m {
            self.through.spread(i);
            for j in i..m {
                self.matrix[m * i + j] = self.through.product(j);
            }
            self.through.take_up(i);
            self.metric[i] = self.metric_of(mechanics, bodies, tree, i, self.matrix[m * i + i]);
            if self.moves_nothing(mechanics, bodies, tree, i, self.matrix[m * i + i]) {
                (self.matrix[m * i + i], self.metric[i]) = (0.0, 0.0);
            }
        }
        let metric = Some(&self.metric[..]).filter(|_| self.has_light);
        self.factor.factor(&self.matrix, m, metric, RIDGE);
    }

    /// By envelopes, in the order of the pattern.
    fn factorize_sparse(
        &mut self,
        mechanics: &Mechanics,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
    ) {
        let pattern = std::mem::take(&mut self.pattern);
        self.sparse.clear();
        for (i, meeting) in pattern.pairs() {
            let place = pattern.place[i];
            self.through.spread(i);
            let made = self.through.product(i);
            *self.sparse.element_mut(place, place) = made;
            for j in meeting.iter().flat_map(|&block| pattern.rows_of(block)) {
                if pattern.place[j] < place {
                    *self.sparse.element_mut(place, pattern.place[j]) = self.through.product(j);
                }
            }
            self.through.take_up(i);
            self.metric[place] = self.metric_of(mechanics, bodies, tree, i, made);
            if self.moves_nothing(mechanics, bodies, tree, i, made) {
                self.metric[place] = 0.0;
            }
        }
        self.pattern = pattern;
        self.sparse.factor(&self.metric, RIDGE);
    }

    /// Gᵢ on the response to itself, where bodies that are light in turning take the metric's inertia.
    fn metric_of(
        &mut self,
        mechanics: &Mechanics,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
        i: usize,
        made: f64,
    ) -> f64 {
        if !self.rows.terms(i).iter().any(|term| self.light[term.link].is_some()) {
            return made;
        }
        self.respond_to_row(mechanics, bodies, tree, i);
        let along = self.rows.terms(i).iter().map(|term| {
            let acceleration = &tree.acceleration[term.link];
            let Some(inverse) = &self.light[term.link] else { return term.dual.dot(acceleration) };
            let body = mechanics.links[term.link].body;
            let torque = bodies[body].pose.rotation.tr_mul(&term.dual.torque);
            term.dual.force.dot(&acceleration.linear) + torque.dot(&(inverse * torque))
        });
        let own = self.rows.freedoms(i).iter().map(|(f, k)| k * tree.generalized[*f]);
        along.sum::<f64>() + own.sum::<f64>()
    }

    /// Is what a row makes of its bodies rounding? The workspace has then the response to a part of it.
    fn moves_nothing(
        &mut self,
        mechanics: &Mechanics,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
        i: usize,
        made: f64,
    ) -> bool {
        let mobility = |term: &BodyTerm| mobility_alone(mechanics, bodies, term);
        if !self.rows.terms(i).iter().any(|term| made < SUSPECT * mobility(term)) {
            return false;
        }
        if self.rows.terms(i).iter().all(|term| made <= ASKEW * ASKEW * mobility(term)) {
            return true;
        }
        (0..self.rows.terms(i).len()).any(|k| {
            let term = self.rows.terms(i)[k];
            self.trees.clear();
            self.trees.push(mechanics.links[term.link].tree);
            self.loads[term.link] = term.dual;
            self.respond_on_trees(mechanics, bodies, tree);
            self.loads[term.link] = Wrench::ZERO;
            made <= NOTHING * term.dual.dot(&tree.acceleration[term.link])
        })
    }

    /// Groups with rows along which joints let their bodies move by hardly anything of what they would if they were free, but not by rounding, with that
    /// share of the velocity; of the dense matrix that was made last.
    pub(crate) fn askew(&self, mechanics: &Mechanics, bodies: &[BodyKinematics]) -> Vec<(usize, f64)> {
        let m = self.rows.len();
        let share = |i: usize| {
            let made = self.matrix[m * i + i];
            let shares = self.rows.terms(i).iter().map(|term| made / mobility_alone(mechanics, bodies, term));
            (i, shares.fold(0.0, f64::max))
        };
        let is_askew = |(_, share): &(usize, f64)| *share > 0.0 && *share < SUSPECT;
        (0..m).map(share).filter(is_askew).map(|(i, share)| (self.rows.rows[i].group, share.sqrt())).collect()
    }

    /// Did the constraints almost lose rank where they were factored last?
    pub(crate) fn is_nearly_singular(&self, mechanics: &Mechanics) -> bool {
        if self.pattern.is_sparse {
            self.sparse.nearly_dependent(NEARLY_SINGULAR) > mechanics.dependent_rows
        } else {
            self.factor.smallest_pivot() < NEARLY_SINGULAR
        }
    }

    /// Rows that depend on others where envelopes were factored last.
    pub(crate) fn dependent_in_envelope(&self) -> usize {
        if self.pattern.is_sparse { self.sparse.dependent() } else { 0 }
    }

    fn find_touched(&mut self, mechanics: &Mechanics) {
        self.is_touched.fill(false);
        for row in 0..self.rows.len() {
            for link in self.rows.links(row, mechanics) {
                climb(&mechanics.links, link, &mut self.is_touched, |_| ());
            }
        }
        self.touched.clear();
        self.touched.extend((0..mechanics.links.len()).filter(|&link| self.is_touched[link]));
        self.all_trees.clear();
        self.all_trees.extend(self.touched.iter().map(|&link| mechanics.links[link].tree));
        self.all_trees.dedup();
    }

    /// Follows the loads of all rows inward.
    fn follow_rows(&mut self, mechanics: &Mechanics, bodies: &[BodyKinematics], tree: &mut TreeWorkspace) {
        self.through.clear();
        for row in 0..self.rows.len() {
            self.load_row(row);
            let links = self.rows.links(row, mechanics);
            self.through.follow(&mechanics.links, bodies, tree, links, (&self.loads, &self.efforts));
            self.unload_row(row);
        }
    }

    /// M⁻¹ Gᵢᵀ on the links that any row touches, of the trees that this row touches.
    fn respond_to_row(
        &mut self,
        mechanics: &Mechanics,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
        row: usize,
    ) {
        self.trees.clear();
        for link in self.rows.links(row, mechanics) {
            add_tree(&mut self.trees, mechanics.links[link].tree);
        }
        self.load_row(row);
        self.respond_on_trees(mechanics, bodies, tree);
        self.unload_row(row);
    }

    fn load_row(&mut self, row: usize) {
        for term in self.rows.terms(row) {
            self.loads[term.link] += term.dual;
        }
        for &(freedom, k) in self.rows.freedoms(row) {
            self.efforts[freedom] += k;
        }
    }

    fn unload_row(&mut self, row: usize) {
        for term in self.rows.terms(row) {
            self.loads[term.link] = Wrench::ZERO;
        }
        for &(freedom, _) in self.rows.freedoms(row) {
            self.efforts[freedom] = 0.0;
        }
    }

    /// M⁻¹ on the loads, on the links that any row touches, of `trees`.
    fn respond_on_trees(&self, mechanics: &Mechanics, bodies: &[BodyKinematics], tree: &mut TreeWorkspace) {
        for &start in &self.trees {
            let range = mechanics.tree_links(start);
            let first = self.touched.partition_point(|&link| link < range.start);
            let end = self.touched.partition_point(|&link| link < range.end);
            let visited = self.touched[first..end].iter().copied();
            tree.respond(&mechanics.links, bodies, visited, &self.loads, &self.efforts);
        }
    }

    /// Multipliers of least norm with G M⁻¹ Gᵀ λ = right, where `right` is made from each row.
    pub(crate) fn solve(&mut self, right: impl Fn(&Rows, usize) -> f64) {
        self.solve_for_change(right);
        self.multipliers.clear();
        self.multipliers.extend_from_slice(&self.change);
    }

    fn solve_for_change(&mut self, right: impl Fn(&Rows, usize) -> f64) {
        let m = self.rows.len();
        self.right.clear();
        self.change.resize(m, 0.0);
        if self.pattern.is_sparse {
            self.right.resize(m, 0.0);
            for row in 0..m {
                self.right[self.pattern.place[row]] = right(&self.rows, row);
            }
            self.sparse.solve(&mut self.right);
            for row in 0..m {
                self.change[row] = self.right[self.pattern.place[row]];
            }
        } else {
            self.right.extend((0..m).map(|row| right(&self.rows, row)));
            self.factor.solve(&self.right, &mut self.change);
        }
    }

    /// What motors and reels that move by constraint put in: λ times the demanded speed (W, of impulses J).
    pub(crate) fn work_of_drives(&self, mechanics: &Mechanics) -> f64 {
        let rows = self.rows.rows.iter().zip(&self.multipliers);
        rows.filter(|(row, _)| {
            matches!(mechanics.constraints[row.group].owner, Owner::Motor(..) | Owner::Cable(_))
        })
        .map(|(row, lambda)| row.speed * lambda)
        .sum()
    }

    /// M⁻¹ Gᵀ λ on the trees that the constraints reach: accelerations of links and freedoms in the workspace. The
    /// loads Gᵀ λ stay in `loads` and `efforts`, for reactions.
    pub(crate) fn respond_to_multipliers(
        &mut self,
        mechanics: &Mechanics,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
    ) {
        self.load();
        self.respond_to_loads(mechanics, bodies, tree);
    }

    fn respond_to_loads(&self, mechanics: &Mechanics, bodies: &[BodyKinematics], tree: &mut TreeWorkspace) {
        for &start in &self.all_trees {
            tree.respond(&mechanics.links, bodies, mechanics.tree_links(start), &self.loads, &self.efforts);
        }
    }

    /// Puts Gᵀ λ into the loads.
    fn load(&mut self) {
        self.unload();
        for row in 0..self.rows.len() {
            let lambda = self.multipliers[row];
            for term in self.rows.terms(row) {
                self.loads[term.link] += term.dual * lambda;
            }
            for &(freedom, k) in self.rows.freedoms(row) {
                self.efforts[freedom] += k * lambda;
            }
        }
    }

    /// Trees that the constraints reach.
    pub(crate) fn moved_trees(&self) -> &[usize] {
        &self.all_trees
    }

    /// Corrections that the multipliers of accelerations need.
    pub(crate) fn corrections(&self) -> usize {
        if self.has_light { CORRECTIONS } else { 0 }
    }

    /// Corrects the multipliers by what `right` says is missing. The response in the workspace is that to the correction.
    pub(crate) fn correct(
        &mut self,
        mechanics: &Mechanics,
        bodies: &[BodyKinematics],
        tree: &mut TreeWorkspace,
        right: impl Fn(&Rows, usize) -> f64,
    ) {
        self.solve_for_change(right);
        std::mem::swap(&mut self.multipliers, &mut self.change);
        self.respond_to_multipliers(mechanics, bodies, tree);
        std::mem::swap(&mut self.multipliers, &mut self.change);
        for (lambda, change) in self.multipliers.iter_mut().zip(&self.change) {
            *lambda += change;
        }
        self.load();
    }

    fn unload(&mut self) {
        self.loads.fill(Wrench::ZERO);
        self.efforts.fill(0.0);
    }

    /// Motions of all links from the kinematics, for G v.
    pub(crate) fn velocities(mechanics: &Mechanics, bodies: &[BodyKinematics], out: &mut [Twist]) {
        for (link, out) in mechanics.links.iter().zip(out) {
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

/// Inverse of the inertia that the metric takes for a body (body axes), if its own is too small for the arms at which
/// constraints act on it.
fn light_metric(body: &BodyData, is_free: bool) -> Option<Mat3> {
    let least = LEAST_GYRATION * body.mass * body.lever * body.lever;
    let is_light = is_free && smallest_moment(&body.inertia) < 0.75 * least || body.brace > 0.0;
    let floor = if least > 0.0 { least } else { body.brace };
    if is_light { (body.inertia + Mat3::from_diagonal_element(floor)).try_inverse() } else { None }
}

/// What a row makes of one of its bodies if that is free.
fn mobility_alone(mechanics: &Mechanics, bodies: &[BodyKinematics], term: &BodyTerm) -> f64 {
    let body = mechanics.links[term.link].body;
    let torque = bodies[body].pose.rotation.tr_mul(&term.dual.torque);
    let data = &mechanics.bodies[body];
    term.dual.force.norm_squared() / data.mass + torque.dot(&(data.inverse_inertia * torque))
}
