//! Rigid flat round ends that come down on their rim.

use std::collections::BTreeSet;

use carom_geometry::convex::{ConvexShape, Core};
use carom_geometry::{Shape, ShapeKind};

use super::wide_samples;
use crate::model::{IntegratorKind, Method, Model};
use crate::system::{PairData, PairSource};
use crate::{Problem, System};

/// W0517 for each line of contacts, settled by events, in which the flat end of a cylinder or cone may come down on something
/// flat. The lowest point of its rim runs around it as the end comes to lie flat, ever faster: impacts follow each other in ever
/// shorter times.
pub(super) fn warn_of_rims(model: &Model, system: &System, problems: &mut Vec<Problem>) {
    let is_rigid = model.contact_lines.iter().any(|line| line.method == Method::Nonsmooth);
    if model.solver.method == IntegratorKind::Moreau || !is_rigid {
        return;
    }
    let mut told = BTreeSet::new();
    for table in [&system.table, &wide_samples(system)] {
        for (pair, info) in table.pairs.iter().zip(&table.pair_info) {
            if !lands_on_a_rim(system, pair) || !told.insert(info.line.clone()) {
                continue;
            }
            let message = format!(
                "pair \"{}\" has a flat round end: where that comes down tilted its lowest point runs around the rim, and events do not end",
                info.name
            );
            let help = "step over them: solver.method = \"moreau\" with a solver.step; or a compliant law; leave it where ends stay upright or roll";
            problems.push(Problem::new("W0517", format!("contact.{}", info.line), message).help(help));
        }
    }
}

fn lands_on_a_rim(system: &System, pair: &PairData) -> bool {
    if pair.rigid.is_none() {
        return false;
    }
    let surfaces = match &pair.source {
        PairSource::Surfaces(pair) => pair.kernel_order,
        PairSource::Convex(pair) => pair.surfaces,
        _ => return false,
    };
    let shapes = surfaces.map(|surface| &system.surfaces[surface].shape);
    shapes.iter().any(|shape| has_rim(shape)) && shapes.iter().all(|shape| is_flat_somewhere(shape))
}

fn has_rim(shape: &Shape) -> bool {
    match shape {
        Shape::Cylinder(_) => shape.kind() == ShapeKind::Cylinder,
        Shape::Convex(ConvexShape { core: Core::Frustum { .. }, radius }) => *radius == 0.0,
        _ => false,
    }
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
