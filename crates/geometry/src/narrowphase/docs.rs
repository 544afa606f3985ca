use std::fmt::Write;

use carom_math::Vec3;

use super::{Cell, PairKernel, find_kernel};
use crate::shape::{Cylinder, CylinderSide};
use crate::{Shape, ShapeKind};

/// The table of pairs as docs/pairs.md shows it: names in the order A–B of the kernel, features, accuracy of
/// the gap relative to the largest coordinate or length, notes. A test holds the page to it.
pub fn accuracy_table_markdown() -> String {
    let mut text = String::from("| pair | features | gap accuracy | notes |\n|---|---|---|---|\n");
    for a in ShapeKind::ALL {
        for b in ShapeKind::ALL {
            if let Cell::Direct(kernel) = find_kernel(a, b) {
                let features = describe_features(kernel, &example(a), &example(b));
                let PairKernel { name, gap_accuracy, notes, .. } = kernel;
                // Writing to a string cannot fail.
                let _ = writeln!(text, "| {name} | {features} | {gap_accuracy:.1e} | {notes} |");
            }
        }
    }
    text
}

fn describe_features(kernel: &PairKernel, a: &Shape, b: &Shape) -> String {
    let count = (kernel.features)(a, b);
    let name = |feature: usize| (kernel.feature_name)(feature);
    match count {
        0..=3 => (0..count).map(|k| format!("`{}`", name(k))).collect::<Vec<_>>().join(", "),
        _ => format!("`{}` … `{}`, {count} in all", name(0), name(count - 1)),
    }
}

/// Some shape of the kind, with all the features that the kind can have.
fn example(kind: ShapeKind) -> Shape {
    let cylinder = |side| Shape::Cylinder(Cylinder { radius: 1.0, half_length: 1.0, side });
    match kind {
        ShapeKind::Sphere => Shape::Sphere { radius: 1.0, hollow: false },
        ShapeKind::HollowSphere => Shape::Sphere { radius: 1.0, hollow: true },
        ShapeKind::HalfSpace | ShapeKind::Convex | ShapeKind::Mesh | ShapeKind::Planar => Shape::HalfSpace,
        ShapeKind::Box => Shape::Box { half: Vec3::repeat(1.0) },
        ShapeKind::Cylinder => cylinder(CylinderSide::Solid),
        ShapeKind::HollowCylinder => cylinder(CylinderSide::Hollow { closed: true }),
        ShapeKind::Capsule => Shape::Capsule { radius: 1.0, half_length: 1.0 },
    }
}
