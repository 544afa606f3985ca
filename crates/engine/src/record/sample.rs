//! Rows of one recorded time.

use carom_math::{Quaternion, Vec3};

use super::Energy;

/// State of a body's frame, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Position of the frame's origin (m).
    pub position: Vec3,
    /// Orientation, of unit length.
    pub orientation: Quaternion,
    /// Velocity of the frame's origin (m/s).
    pub velocity: Vec3,
    /// Angular velocity (rad/s).
    pub angular_velocity: Vec3,
}

/// Mode of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactMode {
    /// Apart.
    Open,
    /// Touching; the law acts, unclamped.
    Closed,
    /// The law's force has reached zero before the surfaces parted: no force until they do.
    Released,
    /// Chatters: the clipped law acts without events.
    Latched,
}

/// What a closed contact does tangentially.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sliding {
    /// Slower than the regularisation velocity.
    Stick,
    /// Faster.
    Slip,
}

/// One contact that is not open, at a recorded time. Forces act on B, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Where the force acts (m).
    pub position: Vec3,
    /// Unit normal from A to B.
    pub normal: Vec3,
    /// Signed distance (m).
    pub gap: f64,
    /// Rate of penetration δ̇ (m/s), positive while closing.
    pub approach_speed: f64,
    /// Normal force (N).
    pub normal_force: f64,
    /// Largest pressure of areal contact (Pa); 0 of others.
    pub pressure: f64,
    /// Friction force (N).
    pub friction_force: Vec3,
    /// Rolling and drilling torque (N m).
    pub torque: Vec3,
    /// Tangential velocity of B against A (m/s).
    pub sliding_velocity: Vec3,
    /// Power that the contact dissipates (W).
    pub dissipated_power: f64,
    /// Mode.
    pub mode: ContactMode,
    /// Sticking or slipping.
    pub sliding: Sliding,
}

/// A part of an areal contact whose elements hang together, in world axes. Forces are on B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Number within the contact at this time, from 0.
    pub patch: u32,
    /// Number of elements.
    pub elements: u32,
    /// Sum of their areas (m²).
    pub area: f64,
    /// Centre of pressure (m).
    pub position: Vec3,
    /// Force, friction included (N).
    pub force: Vec3,
    /// Torque about the centre of pressure (N m).
    pub torque: Vec3,
    /// Largest pressure (Pa).
    pub pressure: f64,
    /// Largest penetration (m).
    pub penetration: f64,
}

/// A region of two triangle surfaces that cut each other, in world axes. Forces are on B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Number within the contact, kept while the region lasts.
    pub region: u32,
    /// Centroid of the projected contours (m).
    pub position: Vec3,
    /// Unit normal of its plane, from A to B.
    pub normal: Vec3,
    /// Greatest indentation (m).
    pub penetration: f64,
    /// Area of the contours in the plane (m²); none if they are open.
    pub area: Option<f64>,
    /// Volume that both solids share (m³), likewise.
    pub volume: Option<f64>,
    /// Length of all contours (m).
    pub length: f64,
    /// How well the contours say where the plane is, 0 to 1.
    pub definiteness: f64,
    /// Closed contours.
    pub loops: u32,
    /// Contours that begin or end at a border.
    pub open_chains: u32,
    /// Triangles of A and of B that it covers.
    pub triangles: [u32; 2],
    /// Rate of the penetration (m/s), with a law by volume that of the volume over the area.
    pub approach_speed: f64,
    /// Normal force (N).
    pub normal_force: f64,
    /// Force, friction included (N).
    pub force: Vec3,
    /// Friction (N).
    pub friction: Vec3,
    /// Torque about its position (N m).
    pub torque: Vec3,
}

/// A node of a contour of regions, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContourSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Number of its region.
    pub region: u32,
    /// Number of the contour within the contact at this time, from 0.
    pub contour: u32,
    /// Does its last node join its first?
    pub is_closed: bool,
    /// Place of the node along the contour, from 0.
    pub place: u32,
    /// Where it is (m).
    pub position: Vec3,
}

/// An active element of an areal contact, in world axes. Forces are on B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElementSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Number of its patch.
    pub patch: u32,
    /// Is A the base whose triangle it is?
    pub base_is_a: bool,
    /// Index of the triangle in the base's mesh.
    pub element: u32,
    /// Which part of it, where the base is refined: its number among the triangle's leaves; 0 of a whole one.
    pub leaf: u32,
    /// Its area (m²).
    pub area: f64,
    /// Corners of the element (m), counter-clockwise as seen from outside the base.
    pub corners: [Vec3; 3],
    /// Where the two surfaces meet on its penetration line (m).
    pub position: Vec3,
    /// Penetration u (m).
    pub penetration: f64,
    /// Pressure (Pa), damping included; half of it where both surfaces are bases.
    pub pressure: f64,
    /// Unit vector along which the pressure acts on B.
    pub normal: Vec3,
    /// Friction per area on B (Pa).
    pub shear: Vec3,
    /// Tangential velocity of B against A (m/s).
    pub slip: Vec3,
}

/// What finding the elements of an areal contact has cost since the start of the run, trial stages and rejected steps
/// included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchSample {
    /// Index into [`RunInfo::contacts`].
    pub contact: usize,
    /// Searches; two an evaluation where both surfaces are bases.
    pub searches: u64,
    /// Searches for which a list of pairs was made; all of the classic construction, which keeps none.
    pub rebuilds: u64,
    /// Tests of a box against a box.
    pub box_tests: u64,
    /// Tests of an edge against a triangle, of the classic construction.
    pub edge_tests: u64,
    /// Tests of a penetration line against a triangle.
    pub ray_tests: u64,
    /// Pairs of a penetration line and a triangle that the last search has looked at: the length of its list.
    pub listed_pairs: u64,
}

/// A joint at a recorded time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSample {
    /// Coordinates, as many as the kind has (m, rad, quaternion).
    pub position: [f64; 7],
    /// Velocities, as many as it has freedoms (m/s, rad/s).
    pub velocity: [f64; 6],
    /// Force that the joint, its elements included, exerts on B at the origin of frame M, in world axes (N).
    pub force: Vec3,
    /// Torque on B there (N m).
    pub torque: Vec3,
    /// Force or torque of spring, friction, limit and motor along each axis of the kind (N or N m).
    pub effort: [f64; 3],
}

/// A force element at a recorded time. What does not apply is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ForceSample {
    /// Length (m) or angle (rad).
    pub length: f64,
    /// Its rate (m/s or rad/s).
    pub rate: f64,
    /// Force along the line (N; positive pushes apart; of a cable: its tension) or torque about the axis (N m).
    pub value: f64,
    /// Force on B at its attachment, in world axes (N).
    pub force: Vec3,
    /// Torque on B (N m).
    pub torque: Vec3,
}

/// A constraint beside the joints, at a recorded time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintSample {
    /// Norm of its violation (m or rad).
    pub violation: f64,
    /// Norm of its multipliers (N or N m).
    pub effort: f64,
}

/// Everything at one recorded time.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Time (s).
    pub time: f64,
    /// One per body, fixed ones included.
    pub bodies: &'a [BodyState],
    /// Contacts that are not open, by increasing contact index.
    pub contacts: &'a [ContactSample],
    /// Patches of areal contacts, if they are recorded at this time, by increasing contact index.
    pub patches: &'a [PatchSample],
    /// Their elements, patch by patch within a base.
    pub elements: &'a [ElementSample],
    /// Regions of contacts that have such, by increasing contact index.
    pub regions: &'a [RegionSample],
    /// Their contours, if patches are recorded at this time.
    pub contours: &'a [ContourSample],
    /// Work of every areal contact, if it is recorded, by increasing contact index.
    pub searches: &'a [SearchSample],
    /// One per joint.
    pub joints: &'a [JointSample],
    /// One per force element.
    pub forces: &'a [ForceSample],
    /// One per constraint.
    pub constraints: &'a [ConstraintSample],
    /// Accounts.
    pub energy: &'a Energy,
}
