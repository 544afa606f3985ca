use super::Simulation;
use crate::note::Note;
use crate::system::PairSource;

/// Depth over what both bodies are thick, from their middles on, from which on the nearest way out may be the one through.
const THROUGH: f64 = 0.9;

/// W0521 for each pair of points whose surfaces have been so deep in each other that they can have come out on the far side: from its
/// middle on a solid pushes there.
pub(super) fn warnings(run: &Simulation<'_>) -> impl Iterator<Item = Note> {
    let table = &run.evaluator.table;
    table.pairs.iter().zip(&run.totals).enumerate().filter_map(move |(index, (pair, totals))| {
        let surfaces = match &pair.source {
            PairSource::Surfaces(surfaces) => surfaces.kernel_order,
            PairSource::Convex(convex) => convex.surfaces,
            // Outlines know their walls by an error, meshes and regions theirs; facets and rims are rigid.
            _ => return None,
        };
        let shapes = surfaces.map(|surface| &run.system.surfaces[surface].shape);
        let is_cavity = shapes.iter().any(|shape| shape.contact_radius().is_some_and(|radius| radius < 0.0));
        let thick: f64 = shapes.iter().map(|shape| shape.smallest_length()).sum();
        let deepest = totals.peaks.penetration;
        (!is_cavity && deepest.value > THROUGH * thick).then(|| {
            let message = format!(
                "pair \"{}\": {:.3e} m deep at t = {:.9} s, where its bodies are {thick:.3e} m thick from middle to surface together: they can have passed through each other",
                table.pair_info[index].name, deepest.value, deepest.time
            );
            Note::new("W0521", message)
        })
    })
}
