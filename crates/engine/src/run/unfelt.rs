//! What helps where surfaces overlap and no element feels it.

use super::Simulation;
use super::failure::{areal_pair, upwards};
use super::needed_depth::calc_moving;
use crate::system::Impact;

/// Of a blow that was not felt yet, and may turn what it hits before it is deepest.
const RESERVE: f64 = 1.5;

/// Elements that are made for a u_max this many times too small are too fine a request, whatever the accuracy.
const FAR_TOO_SMALL: f64 = 3.0;

/// What lets elements feel what they have not: they are made for a share of u_max, which comes first where it is too small.
pub(super) fn help_of_unfelt(run: &Simulation<'_>, contact: usize) -> String {
    match (areal_pair(run, contact), find_felt_depth(run, contact)) {
        (Some(areal), _) if !areal.is_refined => {
            "its accuracy is \"off\": leave the key out, or ask for some, and the base is cut finer where they meet; or give it finer triangles (facets, subdivide)".to_owned()
        }
        (_, Some((needed, energy))) => format!(
            "u_max = \"{} mm\" in the law's [pcm] block: the {energy:.3e} J that comes down here goes two thirds of that deep, and elements are made for u_max; for a smaller one there cannot be enough of them",
            upwards(1e3 * needed)
        ),
        (Some(areal), _) if areal.passes.len() == 1 => {
            "let both surfaces be the base (base = \"both\": each feels what comes in at its own corners) and ask for a finer accuracy on its contact line, such as \"0.5 %\"; or give the base finer triangles (facets, subdivide)".to_owned()
        }
        _ => "ask for a finer accuracy on its contact line, such as \"0.5 %\", or give both surfaces finer triangles (facets, subdivide)".to_owned(),
    }
}

/// The u_max (m) with which elements would have felt an areal contact in which surfaces overlap unfelt: they are made for a share of it, and
/// what was estimated for another way to land may be a hundredth of what an edge or a corner needs. What moves is stored by what is in front
/// where they touch, with a reserve. With the energy (J). None if u_max is not far below that.
fn find_felt_depth(run: &Simulation<'_>, contact: usize) -> Option<(f64, f64)> {
    let areal = areal_pair(run, contact)?;
    let evaluator = &run.evaluator;
    let point = evaluator.motion_of(contact);
    let surfaces = areal.meshes.surfaces;
    let poses = surfaces.map(|surface| &evaluator.surfaces[surface]);
    let impact = Impact { surfaces, poses, normal: point.normal, place: point.position };
    let (energy, mass) = calc_moving(run, contact, point.approach);
    let weight = mass * evaluator.system.mechanics.gravity.norm();
    let stiffness = areal.passes.first()?.law.stiffness;
    let found = impact.depth(&evaluator.system, stiffness, [energy, weight])?;
    let depth = RESERVE * found;
    (depth > FAR_TOO_SMALL * areal.u_max).then_some((depth, energy))
}
