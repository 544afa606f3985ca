//! Words of the model file that are names of the engine's kinds.

use carom_engine::law::NormalKind;
use carom_engine::model::{JointKind, Method};

/// Another name of a normal law.
pub(crate) const NORMAL_SYNONYMS: &[(&str, NormalKind)] = &[("hertz", NormalKind::None)];

/// Other names of methods.
pub(crate) const METHOD_SYNONYMS: &[(&str, Method)] = &[("mpr", Method::Convex), ("polygonal", Method::Pcm)];

/// The word that removes the pairs of a contact line.
pub(crate) const OFF: &str = "off";

/// The names of an engine's kind that meet a condition, in the order of its `ALL`.
macro_rules! names {
    ($kind:ty) => {
        names!($kind, |_kind| true)
    };
    ($kind:ty, |$each:pat_param| $condition:expr) => {{
        const COUNT: usize = {
            let (mut count, mut k) = (0, 0);
            while k < <$kind>::ALL.len() {
                let $each = <$kind>::ALL[k];
                if $condition {
                    count += 1;
                }
                k += 1;
            }
            count
        };
        const NAMES: [&str; COUNT] = {
            let mut names = [""; COUNT];
            let (mut count, mut k) = (0, 0);
            while k < <$kind>::ALL.len() {
                let $each = <$kind>::ALL[k];
                if $condition {
                    names[count] = <$kind>::ALL[k].name();
                    count += 1;
                }
                k += 1;
            }
            names
        };
        &NAMES
    }};
}
pub(super) use names;

/// A list with more words put in at a place.
pub(super) const fn with<const N: usize>(
    list: &[&'static str],
    more: &[&'static str],
    at: usize,
) -> [&'static str; N] {
    assert!(list.len() + more.len() == N, "the length says how many words there are");
    let mut all = [""; N];
    let mut k = 0;
    while k < N {
        all[k] = if k < at {
            list[k]
        } else if k < at + more.len() {
            more[k - at]
        } else {
            list[k - more.len()]
        };
        k += 1;
    }
    all
}

/// Words of `joint.*.type`.
pub const JOINT_TYPES: &[&str] = names!(JointKind);

/// Words of `force.*.type`.
pub const FORCE_TYPES: [&str; 8] =
    ["spring-damper", "torsion-spring", "bushing", "force", "torque", "drag", "cable", "actuator"];

/// Words of `constraint.*.type`.
pub const CONSTRAINT_TYPES: [&str; 5] = ["point", "distance", "gear", "coupling", "rolling"];

/// Shape types of this version.
pub const SHAPE_TYPES: [&str; 31] = [
    "sphere",
    "half-space",
    "box",
    "cylinder",
    "capsule",
    "cone",
    "frustum",
    "beam",
    "ellipsoid",
    "superellipsoid",
    "hull",
    "mesh",
    "convex-parts",
    "torus",
    "plate",
    "peanut",
    "funnel",
    "foot",
    "terrain",
    "gear",
    "bowl",
    "wire",
    "slotted-plate",
    "hawse",
    "polygon",
    "rectangle",
    "circle",
    "point",
    "gear-outline",
    "commutator",
    "ratchet",
];

/// Shape types that are outlines in the plane of a planar model.
pub const PLANAR_TYPES: [&str; 7] =
    ["polygon", "rectangle", "circle", "point", "gear-outline", "commutator", "ratchet"];

/// Shape types of the format that are not built yet.
pub const LATER_SHAPE_TYPES: [&str; 3] = ["heightfield", "tube", "plane"];
