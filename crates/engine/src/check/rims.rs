//! Rigid solids that come to lie where they have one point of contact: flat round ends on something flat that has no room for them,
//! beams, capsules along such an end, round sides along each other, and polyhedra of too many features.

use std::collections::BTreeSet;
use std::sync::Arc;

use carom_geometry::convex::{ConvexShape, Core, Facets, Polyhedron};
use carom_geometry::{Shape, ShapeKind};

use super::wide_samples;
use crate::model::{IntegratorKind, Method, Model};
use crate::system::{ConvexPair, PairData, PairSource};
use crate::{Problem, System};

/// W0517 for each line of contacts, settled by events, in which the flat end of a cylinder or cone may come down on something
/// flat, a capsule along it, or a side along another. Over a half-space, or a face that has room for it, the points of an end are contacts of
/// their own. The lowest point of its rim runs around it as the end comes to lie flat, ever faster, and that of a side jumps from one end to the
/// other: impacts follow each other in ever shorter times. The nearest point of two faces jumps about in what they have in common.
pub(super) fn warn_of_rims(model: &Model, system: &System, problems: &mut Vec<Problem>) {
    let is_rigid = model.contact_lines.iter().any(|line| line.method == Method::Nonsmooth);
    if model.solver.method == IntegratorKind::Moreau || !is_rigid {
        return;
    }
    let mut told = BTreeSet::new();
    for table in [&system.table, &wide_samples(system)] {
        for (pair, info) in table.pairs.iter().zip(&table.pair_info) {
            if told.contains(&info.line) {
                continue;
            }
            let (what, first) = match (lies_on_a_point(system, pair), too_many_features(system, pair)) {
                (Some(what), _) => (what.to_owned(), ""),
                (None, Some(what)) => (what, "make the meshes coarser; or "),
                (None, None) => continue,
            };
            told.insert(info.line.clone());
            let message = format!("pair \"{}\" has {what}, and events do not end", info.name);
            let help = format!(
                "{first}step over them: solver.method = \"moreau\" with a solver.step; or a compliant law; leave it where nothing comes to lie so"
            );
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
    if shapes.iter().any(|shape| is_beam(shape)) && shapes.iter().all(|shape| is_flat_somewhere(shape)) {
        return Some(
            "a beam, which has flat faces with round ends: where one comes to lie on something flat, one point of it bears it all",
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

/// Rigid polyhedra with more features than are followed.
fn too_many_features(system: &System, pair: &PairData) -> Option<String> {
    pair.rigid.as_ref()?;
    let PairSource::Convex(convex) = &pair.source else { return None };
    let polyhedron = |s: usize| system.solids[s].convex().and_then(Polyhedron::of).map(Arc::new);
    let [first, second] = convex.surfaces.map(polyhedron);
    let count = Facets::new(first?, Some(second?)).count();
    let most = system.partners.features_a_pair;
    (count > most).then(|| {
        format!(
            "{count} vertices and pairs of edges, more than the {most} that are followed here: where faces come to lie on each other the one nearest point jumps"
        )
    })
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

fn is_beam(shape: &Shape) -> bool {
    matches!(shape, Shape::Convex(ConvexShape { core: Core::Beam { .. }, .. }))
}

fn has_rim(shape: &Shape) -> bool {
    match shape {
        Shape::Cylinder(_) => shape.kind() == ShapeKind::Cylinder,
        Shape::Convex(convex) => matches!(convex.core, Core::Frustum { .. }),
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
