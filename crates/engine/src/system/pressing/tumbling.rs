//! Bodies that nothing holds: however they start, they may come to land on an edge or a corner.

use carom_geometry::Shape;
use carom_math::Vec3;

use super::Presses;
use super::response::{Side, calc_excess, find_depth};
use crate::law::RESERVE;
use crate::system::System;
use crate::system::pairs::WALL_REACH;

/// Most of the least half extent of either body that there is room for: what comes deeper breaks rather than bounces.
const ROOM: f64 = 0.25;

/// What comes deeper by less than this has room in the reserve of u_max.
const MORE: f64 = 1.25;

/// The depth (m) of two surfaces that are `depth` deep as they start, if each of the two that is free is turned as it may be beside the
/// other as that starts: the greatest over the 26 directions to the faces, edges and corners of a cube in the surface's axes, at which a
/// box and a cylinder have their corners and edges in front. No deeper than a share of both solids, and than leaves their walls
/// thick beside u_max; but no less than `depth`. Open surfaces and balls do not turn.
pub(super) fn find_deepest(
    system: &System,
    presses: &Presses,
    surfaces: [usize; 2],
    sides: &[Side; 2],
    (stiffness, pressing, most): (f64, [f64; 2], f64),
    depth: f64,
) -> f64 {
    let mut room = most;
    let mut deepest = depth;
    for (k, surface) in surfaces.into_iter().enumerate() {
        let areal = &system.areal_surfaces[surface];
        let Some(Ok(mesh)) = areal.mesh() else { return depth };
        let Some(tree) = areal.tree(&mesh).ok().filter(|tree| tree.is_closed()) else { continue };
        room = room.min(ROOM * 0.5 * mesh.extent().min());
        let data = &system.surfaces[surface];
        if !presses.is_free(data.body) || matches!(data.shape, Shape::Sphere { .. }) {
            continue;
        }
        let mut trial = sides.clone();
        for n in directions() {
            trial[k] = Side::ahead(&mesh, &n, deepest);
            // What has stored enough at the depth at hand is not deeper.
            if calc_excess(&trial, stiffness, pressing, deepest) < 0.0 {
                trial[k] = Side::ahead(&mesh, &n, most);
                deepest = find_depth(&trial, stiffness, pressing, most).unwrap_or(most).max(deepest);
            }
        }
        let wall = areal.wall(&tree, WALL_REACH * RESERVE * deepest.min(room));
        room = room.min(wall.map_or(f64::INFINITY, |wall| wall / (WALL_REACH * RESERVE)));
    }
    let deepest = deepest.min(room);
    if deepest > MORE * depth { deepest } else { depth }
}

/// To the faces, edges and corners of a cube.
fn directions() -> impl Iterator<Item = Vec3> {
    let along = |digit: i32| f64::from(digit % 3 - 1);
    let all = (0..27).map(move |k| Vec3::new(along(k), along(k / 3), along(k / 9)));
    all.filter(|n| *n != Vec3::zeros()).map(|n| n.normalize())
}
