//! M⁻¹ on loads, with the constraints that hold: how all velocities change by an impulse.

use crate::mechanics::constraint::Rows;
use carom_math::{Twist, Wrench};

use super::Workspace;
use super::drives::work_of_drives;

/// A generalised direction: wrenches about the centres of mass of bodies (world axes), and efforts along freedoms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Direction {
    /// By link.
    pub(crate) wrenches: Vec<(usize, Wrench)>,
    pub(crate) efforts: Vec<(usize, f64)>,
}

/// Changes of velocities, those that are not zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct Response {
    /// By link (world axes).
    pub(crate) links: Vec<(usize, Twist)>,
    pub(crate) freedoms: Vec<(usize, f64)>,
    /// What motors and reels of given motion put in as they hold against it (J).
    pub(crate) motors: f64,
}

/// Buffers by link and by freedom.
#[derive(Clone, Debug, Default)]
pub(crate) struct ResponseBuffers {
    loads: Vec<Wrench>,
    efforts: Vec<f64>,
    links: Vec<Twist>,
    freedoms: Vec<f64>,
    trees: Vec<usize>,
}

impl Direction {
    pub(crate) fn clear(&mut self) {
        self.wrenches.clear();
        self.efforts.clear();
    }

    /// Takes a constraint's row, times a factor.
    pub(crate) fn take(&mut self, rows: &Rows, row: usize, factor: f64) {
        self.clear();
        self.wrenches.extend(rows.terms(row).iter().map(|term| (term.link, term.dual * factor)));
        self.efforts.extend(rows.freedoms(row).iter().map(|(freedom, k)| (*freedom, k * factor)));
    }

    /// Velocity along it.
    pub(crate) fn along(&self, links: &[Twist], freedoms: &[f64]) -> f64 {
        let bodies: f64 = self.wrenches.iter().map(|(link, w)| w.dot(&links[*link])).sum();
        bodies + self.efforts.iter().map(|(f, e)| e * freedoms[*f]).sum::<f64>()
    }
}

impl Response {
    pub(crate) fn clear(&mut self) {
        self.links.clear();
        self.freedoms.clear();
        self.motors = 0.0;
    }
}

impl Workspace<'_> {
    /// Factors what responses need where it is: the trees, and the constraints that hold. False if a body's inertia is not
    /// positive.
    pub(crate) fn prepare_responses(&mut self, buffers: &mut ResponseBuffers) -> bool {
        let (links, freedoms) = (self.mechanics.links.len(), self.mechanics.freedoms());
        buffers.loads.resize(links, Wrench::ZERO);
        buffers.efforts.resize(freedoms, 0.0);
        buffers.links.resize(links, Twist::ZERO);
        buffers.freedoms.resize(freedoms, 0.0);
        let (mechanism, here, _) = self.parts();
        let mechanics = here.mechanics;
        mechanism.tree.prescribed.fill(0.0);
        let articulated = mechanism.tree.articulate(&mechanics.links, &mechanics.bodies, here.bodies, true);
        let holds = &mechanism.holds;
        let needs_rows = !mechanics.is_driven_only;
        mechanism.solver.write(&here, &mechanics.constraints, |group| needs_rows && holds[group]);
        if mechanism.solver.rows.len() > 0 {
            mechanism.solver.factorize(mechanics, here.bodies, &mut mechanism.tree);
        }
        articulated.is_ok()
    }

    /// How velocities change by an impulse along a direction, after [`Self::prepare_responses`]: M⁻¹ w, less what the constraints
    /// take back.
    pub(crate) fn respond(
        &mut self,
        direction: &Direction,
        buffers: &mut ResponseBuffers,
        response: &mut Response,
    ) {
        let (mechanism, here, _) = self.parts();
        let (mechanics, tree) = (here.mechanics, &mut mechanism.tree);
        let ResponseBuffers { loads, efforts, links, freedoms, trees } = buffers;
        trees.clear();
        for &(link, wrench) in &direction.wrenches {
            loads[link] += wrench;
            trees.push(mechanics.links[link].tree);
        }
        for &(freedom, effort) in &direction.efforts {
            efforts[freedom] += effort;
            trees.push(mechanics.links[mechanics.link_of_freedom[freedom]].tree);
        }
        let constrained = mechanism.solver.rows.len() > 0;
        trees.sort_unstable();
        trees.dedup();
        response.motors = 0.0;
        for &start in &*trees {
            tree.respond(&mechanics.links, here.bodies, mechanics.tree_links(start), loads, efforts);
            response.motors += work_of_drives(&here, tree, mechanics.tree_links(start));
            for link in mechanics.tree_links(start) {
                links[link] = tree.acceleration[link];
                let own = mechanics.links[link].freedoms();
                freedoms[own.clone()].copy_from_slice(&tree.generalized[own]);
            }
        }
        direction.wrenches.iter().for_each(|(link, _)| loads[*link] = Wrench::ZERO);
        direction.efforts.iter().for_each(|(freedom, _)| efforts[*freedom] = 0.0);
        if constrained {
            let solver = &mut mechanism.solver;
            solver.solve(|rows, row| -rows.product(row, links, freedoms));
            response.motors += solver.work_of_drives(mechanics);
            solver.respond_to_multipliers(mechanics, here.bodies, tree);
            for &start in solver.moved_trees() {
                for link in mechanics.tree_links(start) {
                    links[link] += tree.acceleration[link];
                    for freedom in mechanics.links[link].freedoms() {
                        freedoms[freedom] += tree.generalized[freedom];
                    }
                }
            }
            trees.extend_from_slice(solver.moved_trees());
            trees.sort_unstable();
            trees.dedup();
        }
        response.links.clear();
        response.freedoms.clear();
        for link in trees.iter().flat_map(|&start| mechanics.tree_links(start)) {
            response.links.push((link, std::mem::replace(&mut links[link], Twist::ZERO)));
            for freedom in mechanics.links[link].freedoms() {
                response.freedoms.push((freedom, std::mem::take(&mut freedoms[freedom])));
            }
        }
    }

    /// Accelerations of all links (world axes) and freedoms in rates of the state where it is.
    pub(crate) fn accelerations_in(&self, rates: &[f64], links: &mut [Twist], freedoms: &mut [f64]) {
        for (index, link) in self.mechanics.links.iter().enumerate() {
            let own = &rates[link.velocities()];
            freedoms[link.freedoms()].copy_from_slice(own);
            links[index] = if link.lone {
                let spin = carom_math::Vec3::new(own[3], own[4], own[5]);
                let linear = carom_math::Vec3::new(own[0], own[1], own[2]);
                Twist::new(self.bodies[link.body].pose.rotation * spin, linear)
            } else if self.mechanism.needs_multipliers(&self.mechanics) {
                self.mechanism.acceleration[index]
            } else {
                self.mechanism.tree.acceleration[index]
            };
        }
    }
}
