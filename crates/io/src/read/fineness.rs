//! How many triangles round surfaces have where the model does not say.

use std::collections::BTreeSet;
use std::sync::Arc;

use carom_engine::Model;
use carom_engine::model::BodyShape;
use carom_geometry::Shape;
use carom_geometry::surface::{Resolution, Round, torus};
use serde_json::json;

use super::GeneratedSource;

/// How far a surface may stand above its triangles in the mean over one, over the depth of contact. They are balanced: what is off where a
/// cylinder lies with an edge or a flat of its prism on a plate is 1 % at worst.
const SAG: f64 = 0.1;

/// Most triangles that are made for that.
const MOST: f64 = 200_000.0;

/// Gives round surfaces in contact of triangles as many of them as the depths need, where the model does not state `facets`; those that
/// are in none are not balanced.
pub(crate) fn settle(model: &mut Model, left_out: &BTreeSet<String>, generated: &mut Vec<GeneratedSource>) {
    if left_out.is_empty() {
        return;
    }
    let depths = model.depths_of_surfaces().unwrap_or_default();
    let depths = depths.into_iter().chain(std::iter::repeat(f64::INFINITY));
    let shapes = model.bodies.iter_mut().flat_map(|body| &mut body.shapes);
    for (shape, depth) in shapes.zip(depths).filter(|(shape, _)| left_out.contains(&shape.name)) {
        if depth.is_finite() {
            refine(shape, depth, generated);
        } else {
            shape.balanced = false;
        }
    }
}

fn refine(shape: &mut BodyShape, depth: f64, generated: &mut Vec<GeneratedSource>) {
    let Some(round) = shape.round() else { return };
    let mesh = match &shape.shape {
        Shape::Mesh(mesh) => mesh.clone(),
        _ => match shape.triangles() {
            Some(Ok(mesh)) => Arc::new(mesh),
            _ => return,
        },
    };
    // Sags go with the squares of edges, as areas do.
    let finer = round.sag(&mesh) / (SAG * depth);
    let wanted = (mesh.triangles.len() as f64 * finer).clamp(BodyShape::FACETS as f64, MOST).ceil() as usize;
    if wanted == shape.facets {
        return;
    }
    if let Shape::Mesh(mesh) = &mut shape.shape {
        let known = generated.iter().find(|(known, _)| Arc::ptr_eq(known, mesh));
        let Some((finer, table)) = known.and_then(|(_, table)| regenerate(round, table, wanted)) else {
            return;
        };
        *mesh = match generated.iter().find(|(_, other)| *other == table) {
            Some((shared, _)) => Arc::clone(shared),
            None => {
                generated.push((Arc::clone(&finer), table));
                finer
            }
        };
    }
    shape.facets = wanted;
}

/// A generated surface with another number of triangles.
fn regenerate(round: Round, table: &serde_json::Value, facets: usize) -> Option<GeneratedSource> {
    let mut table = table.clone();
    let length = |key: &str| table[key].as_f64();
    let mut mesh = torus(length("ring")?, length("tube")?, Resolution::Facets(facets)).ok()?;
    round.balance(&mut mesh);
    table["facets"] = json!(facets);
    Some((Arc::new(mesh), table))
}
