use carom_math::{Twist, Vec3};
use nalgebra::{Complex, DMatrix, DVector};

use super::Dynamics;
use super::differences;
use super::eigen::eigenpairs;
use crate::outcome::RunError;

/// Displacement of a body's frame in a mode, in world axes, by real and imaginary parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyShift {
    /// Of the frame's origin (m).
    pub translation: [Vec3; 2],
    /// Rotation vector (rad).
    pub rotation: [Vec3; 2],
}

/// One mode: displacements Re(z e^{st}).
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// s (1/s), with Im s ≥ 0. Motions that do not oscillate have real s, each a mode of its own; without damping an
    /// unstable one is given by its growing half.
    pub eigenvalue: Complex<f64>,
    /// Im s / 2π (Hz).
    pub frequency: f64,
    /// |s| / 2π (Hz): the frequency without damping, where damping is small.
    pub undamped_frequency: f64,
    /// −Re s / |s|: 1 and above no oscillation, below 0 growth; 0 where s is 0.
    pub damping_ratio: f64,
    /// z by freedom; its largest component is 1.
    pub shape: DVector<Complex<f64>>,
    /// The same by body, fixed ones included.
    pub bodies: Vec<BodyShift>,
}

/// Vibrations about a state at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Slowest first.
    pub modes: Vec<Mode>,
    /// Reduced mass, damping and stiffness: Nᵀ M N, Nᵀ C N, Nᵀ K N.
    pub mass: DMatrix<f64>,
    /// See `mass`.
    pub damping: DMatrix<f64>,
    /// See `mass`.
    pub stiffness: DMatrix<f64>,
    /// Basis N of the free directions, by freedom.
    pub basis: DMatrix<f64>,
    /// Largest unbalanced force along a freedom at the state (N, N m); the modes mean what they say where it is 0.
    pub unbalanced: f64,
}

impl Dynamics<'_> {
    /// Modes of the mechanism about the positions of the present state, at rest: M z̈ + C ż + K z = 0 along the
    /// directions N that the constraints leave, with K and C from central differences of all forces
    /// ([`super::Loads::All`]) under the multipliers of the state. Regularised friction counts as the viscous
    /// friction that it is at rest. E0608 if the masses are not positive along all freedoms or the
    /// eigenvalues are not found. Leaves the velocities at zero.
    pub fn find_modes(&mut self) -> Result<Modes, RunError> {
        let at_rest = self.state_with_velocities(&DVector::zeros(self.freedoms.len()));
        self.set_state(self.time(), &at_rest);
        let balance = differences::balance(self);
        let basis = self.free_directions();
        let mass = basis.tr_mul(&(self.mass_matrix() * &basis));
        let stiffness = differences::stiffness(self, &basis, &balance.multipliers);
        let damping = differences::damping(self, &basis, &balance.multipliers);
        let finite = [&mass, &stiffness, &damping].iter().all(|m| m.iter().all(|x| x.is_finite()));
        let pairs = if mass.nrows() == 0 {
            Some(Vec::new())
        } else if finite {
            eigenpairs(&mass, &damping, &stiffness)
        } else {
            None
        };
        let Some(pairs) = pairs else { return Err(no_modes(self, &mass, finite)) };
        let modes = pairs.into_iter().map(|(s, z)| mode(self, s, &basis, &z)).collect();
        Ok(Modes { modes, mass, damping, stiffness, basis, unbalanced: balance.rest.amax() })
    }
}

fn mode(dynamics: &Dynamics<'_>, s: Complex<f64>, basis: &DMatrix<f64>, z: &DVector<Complex<f64>>) -> Mode {
    let mut shape = basis.map(|x| Complex::new(x, 0.0)) * z;
    let largest = shape.iter().fold(Complex::new(0.0, 0.0), |m, &x| {
        // The first of those that are equal but for rounding.
        if x.norm() > m.norm() * (1.0 + 1e-9) { x } else { m }
    });
    shape.iter_mut().for_each(|x| *x /= largest);
    let turn = 1.0 / std::f64::consts::TAU;
    Mode {
        eigenvalue: s,
        frequency: s.im * turn,
        undamped_frequency: s.norm() * turn,
        damping_ratio: if s.norm() > 0.0 { -s.re / s.norm() } else { 0.0 },
        bodies: shifts(dynamics, &shape),
        shape,
    }
}

/// Displacements of the bodies' frames.
fn shifts(dynamics: &Dynamics<'_>, shape: &DVector<Complex<f64>>) -> Vec<BodyShift> {
    let (system, evaluator) = (dynamics.system(), &dynamics.evaluator);
    let parts = [shape.map(|z| z.re), shape.map(|z| z.im)].map(|part| {
        let mut motions = vec![Twist::ZERO; system.mechanics.links.len()];
        let tree = &evaluator.workspace.mechanism.tree;
        tree.motions_of(&system.mechanics.links, &evaluator.workspace.bodies, part.as_slice(), &mut motions);
        motions
    });
    let shift = |body: usize| {
        let data = &system.mechanics.bodies[body];
        let to_origin = -(evaluator.workspace.bodies[body].pose.rotation * data.com);
        let motion = |part: &[Twist]| data.link.map_or(Twist::ZERO, |l| part[l].shifted(&to_origin));
        let [re, im] = [motion(&parts[0]), motion(&parts[1])];
        BodyShift { translation: [re.linear, im.linear], rotation: [re.angular, im.angular] }
    };
    (0..system.mechanics.bodies.len()).map(shift).collect()
}

/// E0608: no eigenvalues.
fn no_modes(dynamics: &Dynamics<'_>, mass: &DMatrix<f64>, finite: bool) -> RunError {
    let n = mass.nrows();
    let message = if !finite {
        format!("the linearised system has {n} freedoms and entries that are not finite")
    } else {
        let smallest = mass.clone().symmetric_eigenvalues().min();
        format!(
            "the {n} eigenvalues of the linearised system are not found; smallest mass along a freedom {smallest:.3e}"
        )
    };
    RunError {
        code: "E0608",
        message,
        time: dynamics.time(),
        body: None,
        pair: None,
        help: "give every freedom mass or inertia, and look at the stiffest force".to_owned(),
    }
}
