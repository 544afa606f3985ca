//! The model: plain data in SI units, as a front end (model file, Python builder) states it.
//!
//! Nothing here is derived; [`crate::Model::validate`] finds what is wrong with it and
//! [`crate::System::compile`] makes it runnable.

mod body;
mod constraint;
mod contact;
mod detection;
mod driven;
mod expect;
#[cfg(test)]
pub(crate) mod fixture;
mod force;
mod integrator;
mod joint;
mod jumps;
mod plane;
mod settings;
mod solids;
mod time_bounds;
mod validate;
mod validate_force;
mod validate_formulation;
mod validate_mechanism;
mod validate_shape;
mod validate_stepping;

use carom_math::Vec3;

use crate::law::{Law, Material, MaterialPair};

pub use crate::law::LayerSide;

pub use body::{Body, BodyShape};
pub use constraint::{Constraint, ConstraintKind, JointCoordinate};
pub use contact::{
    ArealDetection, BaseSide, ContactLine, ContactPair, Detection, Method, ShapeRef, WideLine,
};
pub(crate) use detection::{Finder, Side, describe, detect, name_of_search};
pub(crate) use driven::note_of_speed_jump;
pub use expect::{Condition, Expectation, Moment};
pub use force::{
    Activation, ActivationKind, Actuator, CableElasticity, CableLength, Force, ForceAxes, ForceKind,
};
pub use integrator::{Family, IntegratorKind, IntegratorTraits};
pub use joint::{
    Attachment, AxisElements, AxisFriction, AxisLimit, AxisMeasure, AxisServo, AxisSpring, Joint, JointKind,
    Motor, Sliding, Stop, Turning,
};
pub(crate) use jumps::warn_of_jumps;
pub use plane::Plane;
pub use settings::{
    AbsoluteTolerances, Coordinates, Formulation, OutputSettings, SolverSettings, StepControl,
};
pub(crate) use solids::{Solid, find_solids};

/// A whole model. Ids are indices into the vectors.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name, for titles and result folders.
    pub name: String,
    /// Plane of a planar model, whose bodies hang on planar joints: planar shapes touch in it.
    pub plane: Option<Plane>,
    /// Gravity in world axes (m/s²).
    pub gravity: Vec3,
    /// Bodies, in the order of the file.
    pub bodies: Vec<Body>,
    /// Joints between bodies.
    pub joints: Vec<Joint>,
    /// Force elements.
    pub forces: Vec<Force>,
    /// Constraints beside the joints.
    pub constraints: Vec<Constraint>,
    /// Materials that shapes name.
    pub materials: Vec<Material>,
    /// Data of two materials that touch; wins over any combination rule.
    pub material_pairs: Vec<MaterialPair>,
    /// Contact laws that contact lines name.
    pub laws: Vec<Law>,
    /// Contact lines as written.
    pub contact_lines: Vec<ContactLine>,
    /// Pairs that the lines expand to, in line order, then A, then B.
    pub pairs: Vec<ContactPair>,
    /// Lines that are not expanded, the first that names a pair owning it.
    pub wide_lines: Vec<WideLine>,
    /// Pairs that are switched off one by one although a wide line names them; the lower surface first, ascending.
    pub pairs_off: Vec<(ShapeRef, ShapeRef)>,
    /// Integrator and its limits.
    pub solver: SolverSettings,
    /// What is recorded when.
    pub output: OutputSettings,
}
