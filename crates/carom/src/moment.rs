//! A run at one time, by names.

use carom_engine::Recorder;
use carom_engine::record::{
    BodyState, ConstraintSample, ContactSample, Energy, ForceSample, Frame, JointSample, RecordError,
};
use carom_math::Vec3;
use carom_results::Scene;
use carom_results::tables::{Columns, contacts};

use crate::Error;

/// Bodies, contacts, joints, forces and energy at one time; world axes, SI units, forces on B.
#[derive(Clone, Debug)]
pub struct Moment<'a> {
    /// Names, in the order of what follows.
    pub scene: &'a Scene,
    /// Time (s).
    pub time: f64,
    /// Bodies: pose of the body frame, velocity of its origin, angular velocity.
    pub bodies: Vec<BodyState>,
    /// Contacts that are closed or near.
    pub contacts: Vec<ContactSample>,
    /// Joints: coordinates, velocities, what they transmit.
    pub joints: Vec<JointSample>,
    /// Force elements.
    pub forces: Vec<ForceSample>,
    /// Constraints.
    pub constraints: Vec<ConstraintSample>,
    /// Energy accounts.
    pub energy: Energy,
}

impl Moment<'_> {
    /// A body by its path.
    pub fn body(&self, name: &str) -> Result<&BodyState, Error> {
        let names = || self.scene.bodies.iter().map(|body| body.name.as_str());
        Ok(&self.bodies[position("body", name, names())?])
    }

    /// A joint by its name.
    pub fn joint(&self, name: &str) -> Result<&JointSample, Error> {
        let names = || self.scene.joints.iter().map(|joint| joint.name.as_str());
        Ok(&self.joints[position("joint", name, names())?])
    }

    /// A force element by its name.
    pub fn force(&self, name: &str) -> Result<&ForceSample, Error> {
        let names = || self.scene.forces.iter().map(|force| force.name.as_str());
        Ok(&self.forces[position("force element", name, names())?])
    }

    /// Sum of the normal forces of a contact line or pair on its Bs, f_n n (N), and of its friction forces (N): zero of what
    /// does not touch.
    pub fn contact(&self, owner: &str) -> Result<[Vec3; 2], Error> {
        let pairs = self.scene.pairs_of(owner);
        if pairs.is_empty() && !self.scene.wide_lines.iter().any(|line| line == owner) {
            let known = self.scene.lines().into_iter().map(str::to_owned).collect();
            return Err(Error::Unknown { what: "contact line or pair", name: owner.to_owned(), known });
        }
        let is_of_owner = |sample: &&ContactSample| pairs.contains(&self.scene.contacts[sample.contact].pair);
        Ok(self.contacts.iter().filter(is_of_owner).fold([Vec3::zeros(); 2], |[normal, friction], sample| {
            [normal + sample.normal * sample.normal_force, friction + sample.friction_force]
        }))
    }
}

/// Index of a name among others.
pub(crate) fn position<'a>(
    what: &'static str,
    name: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<usize, Error> {
    names.clone().position(|known| known == name).ok_or_else(|| Error::Unknown {
        what,
        name: name.to_owned(),
        known: names.map(str::to_owned).collect(),
    })
}

/// Takes the one frame that it is shown.
pub(crate) struct Camera<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) moment: Option<Moment<'a>>,
}

impl Recorder for Camera<'_> {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        self.moment = Some(Moment {
            scene: self.scene,
            time: frame.time,
            bodies: frame.bodies.to_vec(),
            contacts: frame.contacts.to_vec(),
            joints: frame.joints.to_vec(),
            forces: frame.forces.to_vec(),
            constraints: frame.constraints.to_vec(),
            energy: *frame.energy,
        });
        Ok(())
    }
}

/// Takes the contacts of the one frame that it is shown.
pub(crate) struct ContactLook<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) rows: Columns,
}

impl Recorder for ContactLook<'_> {
    fn frame(&mut self, frame: &Frame<'_>) -> Result<(), RecordError> {
        contacts::push(&mut self.rows, self.scene, frame);
        Ok(())
    }
}
