//! Rigid solids that come to lie where they have one point of contact: flat round ends on something flat that has no room for them,
//! capsules along such an end, and round sides along each other.

use std::collections::BTreeSet;

use carom_geometry::convex::{ConvexShape, Core};
use carom_geometry::{Shape, ShapeKind};

use super::wide_samples;
use crate::model::{IntegratorKind, Method, Model};
use crate::system::{ConvexPair, PairData, PairSource};
use crate::{Problem, System};

/// W0517 for each line of contacts, settled by events, in which the flat end of a cylinder or cone may come down on something
/// flat, a capsule along it, or a side along another. Over a half-space, or a face that has room for it, the points of an end are contacts of
/// their own. The lowest point of its rim runs around it as the end comes to lie flat, ever faster, and that of a side jumps from one end to the
/// other: impacts follow each other in ever shorter times.
pub(super) fn warn_of_rims(model: &Model, system: &System, problems: &mut Vec<Problem>) {
    let is_rigid = model.contact_lines.iter().any(|line| line.method == Method::Nonsmooth);
    if model.solver.method == IntegratorKind::Moreau || !is_rigid {
        return;
    }
    let mut told = BTreeSet::new();
    for table in [&system.table, &wide_samples(system)] {
        for (pair, info) in table.pairs.iter().zip(&table.pair_info) {
            let Some(what) = lies_on_a_point(system, pair) else { continue };
            if !told.insert(info.line.clone()) {
                continue;
            }
            let message = format!("pair \"{}\" has {what}, and events do not end", info.name);
            let help = "step over them: solver.method = \"moreau\" with a solver.step; or a compliant law; leave it where nothing comes to lie so";
            problems.push(Problem::new("W0517", format!("contact.{}", info.line), message).help(help));
        }
    }
}

/// What of a rigid pair comes to lie with one point of contact, and what that point does.
fn lies_on_a_point(system: &System, pair: &PairData) -> Option<&'static str> {
    pair.rigid.as_ref()?;
    let (surfaces, has_room) = match &pair.source {
        PairSource::Surfaces(pair) => (pair.kernel_order, false),
        PairSource::Convex(pair) => (pair.surfaces, has_room(pair)),
        _ => return None,
    };
    let shapes = surfaces.map(|surface| &system.surfaces[surface].shape);
    if shapes.iter().any(|shape| has_rim(shape)) && shapes.iter().all(|shape| has_side(shape)) {
        return Some(
            "two round sides: where they come to lie along each other their nearest point jumps from end to end",
        );
    }
    if has_room {
        return None;
    }
    if shapes.iter().any(|shape| has_rim(shape)) && shapes.iter().all(|shape| is_flat_somewhere(shape)) {
        return Some("a flat round end: where that comes down tilted its lowest point runs around the rim");
    }
    // Over a half-space both ends of a capsule have contacts of their own.
    let is_flat = |shape: &Shape| !matches!(shape, Shape::HalfSpace) && is_flat_somewhere(shape);
    let lies = shapes.iter().any(|shape| is_capsule(shape)) && shapes.iter().any(|shape| is_flat(shape));
    lies.then_some("a capsule on something flat: where it comes to lie along that its lowest point jumps from end to end")
}

/// Can one of two solids stand on a face of the other?
fn has_room(pair: &ConvexPair) -> bool {
    pair.stands.iter().any(|stand| stand.grounds.carries(stand.rims.radius()))
}

fn is_capsule(shape: &Shape) -> bool {
    let is_segment =
        |convex: &ConvexShape| matches!(convex.core, Core::Segment { .. }) && convex.radius > 0.0;
    matches!(shape, Shape::Capsule { .. }) || matches!(shape, Shape::Convex(convex) if is_segment(convex))
}

fn has_rim(shape: &Shape) -> bool {
    match shape {
        Shape::Cylinder(_) => shape.kind() == ShapeKind::Cylinder,
        Shape::Convex(ConvexShape { core: Core::Frustum { .. }, radius }) => *radius == 0.0,
        _ => false,
    }
}

fn has_side(shape: &Shape) -> bool {
    has_rim(shape) || is_capsule(shape)
}

fn is_flat_somewhere(shape: &Shape) -> bool {
    match shape {
        Shape::HalfSpace | Shape::Box { .. } | Shape::Mesh(_) => true,
        Shape::Convex(convex) => {
            matches!(convex.core, Core::Box { .. } | Core::Hull(_) | Core::Beam { .. } | Core::Frustum { .. })
        }
        shape => has_rim(shape),
    }
}
