//! Workspace of trees, force elements and constraints in a run, and the accelerations that follow from them.

mod drives;
mod error;
mod reactions;
mod restitution;
mod second_order;

pub(crate) use drives::{demand_steps, is_on_drives, put_on_drives};

use carom_math::{SpatialInertia, Twist, Vec3, Wrench};
use carom_solvers::Fault;

use crate::constraint::{ConstraintSolver, Scene, joint_axes};
use crate::contact::Culprit;
use crate::force::{Account, Controls, QUIET, evaluate_elements, evaluate_forces, torsion_angle};
use crate::joint;
use crate::kinematics::BodyKinematics;
use crate::record::ForceSample;
use crate::system::{ForceData, JointRole, Owner, System};
use crate::tree::TreeWorkspace;

/// Everything that a mechanism computes at a state. Sized at compile.
#[derive(Clone, Debug)]
pub(crate) struct Mechanism {
    pub(crate) tree: TreeWorkspace,
    /// Efforts along the freedoms.
    pub(crate) efforts: Vec<f64>,
    /// Efforts of the elements along the axes of each joint.
    pub(crate) joint_efforts: Vec<[f64; 3]>,
    pub(crate) force_samples: Vec<ForceSample>,
    pub(crate) account: Account,
    pub(crate) solver: ConstraintSolver,
    /// By constraint group: does it hold? Cables that hang slack do not.
    pub(crate) holds: Vec<bool>,
    /// Angles of joints that close loops and of torsion springs at the last accepted state.
    pub(crate) angles: Vec<f64>,
    /// By constraint group: effort of the motor that a driven link stands for.
    pub(super) drive_efforts: Vec<f64>,
    /// By link and by freedom: accelerations of the last evaluation.
    pub(crate) acceleration: Vec<Twist>,
    pub(crate) generalized: Vec<f64>,
    /// By link: what joints transmit; by freedom: nothing.
    pub(crate) transmitted: Vec<Wrench>,
    zero: Vec<f64>,
    /// Buffer of the mass matrix.
    composite: Vec<SpatialInertia>,
    /// By link: angular acceleration for which the brace of the body has been corrected (body axes).
    braced: Vec<Vec3>,
    /// Buffers by link and by freedom.
    pub(crate) velocity: Vec<Twist>,
    pub(crate) speeds: Vec<f64>,
}

impl Mechanism {
    pub(crate) fn new(system: &System) -> Self {
        let freedoms = system.freedoms();
        Self {
            tree: TreeWorkspace::new(&system.links),
            efforts: vec![0.0; freedoms],
            joint_efforts: vec![[0.0; 3]; system.joints.len()],
            force_samples: vec![QUIET; system.forces.len()],
            account: Account::default(),
            solver: ConstraintSolver::new(system),
            holds: vec![true; system.constraints.len()],
            angles: system.initial_angles.clone(),
            drive_efforts: vec![0.0; system.constraints.len()],
            acceleration: vec![Twist::ZERO; system.links.len()],
            generalized: vec![0.0; freedoms],
            transmitted: vec![Wrench::ZERO; system.links.len()],
            zero: vec![0.0; freedoms],
            composite: Vec::with_capacity(system.links.len()),
            braced: vec![Vec3::zeros(); system.links.len()],
            velocity: vec![Twist::ZERO; system.links.len()],
            speeds: vec![0.0; freedoms],
        }
    }

    /// Wrenches and efforts of force elements and joints at a state, on top of those in `wrenches`.
    pub(crate) fn update_forces(
        &mut self,
        system: &System,
        controls: &Controls,
        time: f64,
        state: &[f64],
        bodies: &[BodyKinematics],
        wrenches: &mut [Wrench],
    ) {
        self.efforts.fill(0.0);
        self.account = Account::default();
        let scene = Scene { system, time, state, bodies, angles: &self.angles, controls };
        evaluate_forces(&scene, wrenches, &mut self.force_samples, &mut self.account);
        evaluate_elements(&scene, wrenches, &mut self.efforts, &mut self.joint_efforts, &mut self.account);
    }

    /// Remembers the angles of an accepted state.
    pub(crate) fn commit_angles(
        &mut self,
        system: &System,
        controls: &Controls,
        time: f64,
        state: &[f64],
        bodies: &[BodyKinematics],
    ) {
        if self.angles.is_empty() {
            return;
        }
        for (index, data) in system.joints.iter().enumerate() {
            if data.role == JointRole::Closes {
                let n = data.kind.axes().len();
                let scene = Scene { system, time, state, bodies, angles: &self.angles, controls };
                let (q, _) = joint_axes(&scene, index);
                self.angles[data.first_angle..data.first_angle + n].copy_from_slice(&q[..n]);
            }
        }
        for data in &system.forces {
            if let ForceData::TorsionSpring { a, b, first_angle, .. } = data {
                let scene = Scene { system, time, state, bodies, angles: &self.angles, controls };
                self.angles[*first_angle] = torsion_angle(&scene, [a, b], self.angles[*first_angle]);
            }
        }
    }

    /// Is there a constraint that holds?
    pub(crate) fn is_constrained(&self) -> bool {
        self.holds.contains(&true)
    }

    /// Is there one that the rates need multipliers for?
    fn needs_multipliers(&self, system: &System) -> bool {
        !system.is_driven_only && self.is_constrained()
    }

    /// Did the constraints of the last evaluation almost lose rank?
    pub(crate) fn is_nearly_singular(&self, system: &System) -> bool {
        self.needs_multipliers(system) && self.solver.is_nearly_singular(system)
    }

    /// Rates of the states of all trees and, under constraints, of all bodies. Those of lone bodies without
    /// constraints are in `dydt`.
    pub(crate) fn accelerate(
        &mut self,
        scene: &Scene<'_>,
        wrenches: &[Wrench],
        dydt: &mut [f64],
    ) -> Result<(), (Culprit, Fault)> {
        let system = scene.system;
        let constrained = self.needs_multipliers(system);
        let failed = |body| (Culprit::Body(body), Fault::Recoverable);
        if system.is_driven_only {
            self.prescribe(scene);
        }
        self.tree
            .accelerate(&system.links, &system.bodies, scene.bodies, wrenches, &self.efforts, |l| {
                constrained || !l.lone
            })
            .map_err(failed)?;
        for link in system.links.iter().filter(|l| !l.lone) {
            let (y, d) = (&scene.state[link.states()], &mut dydt[link.states()]);
            // The most common joint, without calls to copy single numbers.
            if let ([_, v], [q_rate, v_rate]) = (y, &mut *d) {
                (*q_rate, *v_rate) = (*v, self.tree.generalized[link.first_freedom]);
                continue;
            }
            let (q, v) = y.split_at(link.kind.coordinates());
            let (q_rate, v_rate) = d.split_at_mut(link.kind.coordinates());
            joint::coordinate_rates(link.kind, q, v, q_rate);
            v_rate.copy_from_slice(&self.tree.generalized[link.freedoms()]);
        }
        if constrained {
            self.constrain(scene, dydt);
        }
        if system.is_driven_only {
            self.account_for_drives(scene);
        }
        for link in system.links.iter().filter(|l| !l.lone) {
            if !dydt[link.states()].iter().sum::<f64>().is_finite() {
                return Err(failed(link.body));
            }
        }
        Ok(())
    }

    /// Adds the accelerations that the constraints make: G M⁻¹ Gᵀ λ = demanded − G a₀.
    fn constrain(&mut self, scene: &Scene<'_>, dydt: &mut [f64]) {
        let system = scene.system;
        for (index, link) in system.links.iter().enumerate() {
            let rates = &dydt[link.velocities()];
            self.generalized[link.freedoms()].copy_from_slice(rates);
            self.acceleration[index] = if link.lone {
                let spin = Vec3::new(rates[3], rates[4], rates[5]);
                Twist::new(
                    scene.bodies[link.body].pose.rotation * spin,
                    Vec3::new(rates[0], rates[1], rates[2]),
                )
            } else {
                self.tree.acceleration[index]
            };
        }
        let holds = &self.holds;
        self.solver.write(scene, &system.constraints, |group| holds[group]);
        self.solver.factorize(system, scene.bodies, &mut self.tree);
        let (acceleration, generalized) = (&self.acceleration, &self.generalized);
        self.solver
            .solve(|rows, row| rows.rows[row].acceleration - rows.product(row, acceleration, generalized));
        self.solver.respond_to_multipliers(system, scene.bodies, &mut self.tree);
        self.add_response(system);
        self.braced.fill(Vec3::zeros());
        for _ in 0..self.solver.corrections() {
            self.correct_constrained(scene);
        }
        for &start in self.solver.moved_trees() {
            for link in &system.links[system.tree_links(start)] {
                dydt[link.velocities()].copy_from_slice(&self.generalized[link.freedoms()]);
            }
        }
        self.account.motors += self.power_of_drives(system);
        self.account.drift += self.power_of_drift(scene);
    }

    /// Adds what the constraints' loads have made of the workspace to the accelerations.
    fn add_response(&mut self, system: &System) {
        for &start in self.solver.moved_trees() {
            for index in system.tree_links(start) {
                self.acceleration[index] += self.tree.acceleration[index];
                for f in system.links[index].freedoms() {
                    self.generalized[f] += self.tree.generalized[f];
                }
            }
        }
    }

    /// Corrects accelerations and multipliers where bodies are light in turning: by what rounding and the ridge have left
    /// of G a − demanded, and by what bodies whose inertia is braced ([`crate::system::BodyData::brace`]) resist too much.
    fn correct_constrained(&mut self, scene: &Scene<'_>) {
        let system = scene.system;
        for (index, link) in system.links.iter().enumerate() {
            let data = &system.bodies[link.body];
            if data.brace == 0.0 || !link.lone {
                continue;
            }
            // The brace has taken brace · α of the torque, less what was given back before.
            let spin = link.freedoms().start + 3..link.freedoms().end;
            let now = Vec3::from_column_slice(&self.generalized[spin.clone()]);
            let missed = (now - self.braced[index]) * data.brace;
            self.braced[index] = now;
            let more = data.inverse_inertia * missed;
            self.generalized[spin].iter_mut().zip(&more).for_each(|(g, more)| *g += more);
            self.acceleration[index].angular += scene.bodies[link.body].pose.rotation * more;
        }
        let (acceleration, generalized) = (&self.acceleration, &self.generalized);
        self.solver.correct(system, scene.bodies, &mut self.tree, |rows, row| {
            rows.rows[row].acceleration - rows.product(row, acceleration, generalized)
        });
        self.add_response(system);
    }

    /// Power of the multipliers on G v − demanded: zero but for what a stage is off the constraints by (W).
    fn power_of_drift(&mut self, scene: &Scene<'_>) -> f64 {
        let system = scene.system;
        ConstraintSolver::velocities(system, scene.bodies, &mut self.velocity);
        for link in &system.links {
            self.speeds[link.freedoms()].copy_from_slice(&scene.state[link.velocities()]);
        }
        let rows = self.solver.rows.rows.iter().zip(&self.solver.multipliers).enumerate();
        rows.map(|(index, (row, lambda))| {
            lambda * (self.solver.rows.product(index, &self.velocity, &self.speeds) - row.speed)
        })
        .sum()
    }

    /// Power of motors and reels that move by constraint: λ times the demanded speed (W).
    fn power_of_drives(&self, system: &System) -> f64 {
        let rows = self.solver.rows.rows.iter().zip(&self.solver.multipliers);
        rows.filter(|(row, _)| {
            matches!(system.constraints[row.group].owner, Owner::Motor(..) | Owner::Cable(_))
        })
        .map(|(row, lambda)| row.speed * lambda)
        .sum()
    }
}
