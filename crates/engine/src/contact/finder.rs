//! What the finder of a pair answers about its surfaces, wherever they are: the one place that knows which finder says what.
//! Areal contact has elements beside ([`super::areal`]), convex manifolds points ([`super::convex`]).

use carom_geometry::{GapCourse, Shape};

use super::convex::of_model;
use super::facets::facet_motion;
use super::meshes::touch::touch_motion;
use super::placed::Placed;
use super::planar::planar_motion;
use super::rims::{course_of_rim, is_of_end, rim_motion, stand_motion};
use super::{Evaluator, PointMotion, point_motion};
use crate::system::PairSource;

/// Contact point of two placed surfaces, in the order in which the finder takes them; none of stops and cables.
#[inline]
pub(super) fn find_point(evaluator: &Evaluator<'_>, contact: usize, placed: &Placed<'_>) -> PointMotion {
    let (system, data) = (&*evaluator.system, &evaluator.table.contacts[contact]);
    match &evaluator.table.pairs[data.pair].source {
        PairSource::Surfaces(surfaces) => {
            let shapes = surfaces.kernel_order.map(|s| &system.surfaces[s].shape);
            point_motion(surfaces, data.feature, shapes, placed.poses, placed.bodies)
        }
        PairSource::Convex(convex) => {
            if let Some(motion) = stand_motion(evaluator, contact, placed) {
                return motion;
            }
            let cache = &evaluator.contacts.caches[data.pair];
            let (point, _) = evaluator.search.find(system, convex, contact, placed, cache);
            of_model(convex, &point, placed)
        }
        PairSource::Planar(pair) => planar_motion(evaluator, pair, contact, placed),
        PairSource::Facets(pair) => facet_motion(evaluator, pair, contact, placed),
        PairSource::Rims(_) => rim_motion(evaluator, contact, placed),
        PairSource::Areal(areal) => {
            touch_motion(&areal.meshes, placed, evaluator.contacts.memory[contact].triangles)
        }
        PairSource::Regions(regions) => {
            touch_motion(&regions.meshes, placed, evaluator.contacts.memory[contact].triangles)
        }
        PairSource::Stop(_) | PairSource::Cable(_) => PointMotion::NEVER,
    }
}

/// How the gap of two surfaces goes between two looks, of finders whose gap is bounded by that.
pub(super) fn course_of(evaluator: &Evaluator<'_>, contact: usize) -> Option<GapCourse> {
    let (system, data) = (&*evaluator.system, &evaluator.table.contacts[contact]);
    let second_of = |surfaces: [usize; 2]| &system.surfaces[surfaces[1]].shape;
    match &evaluator.table.pairs[data.pair].source {
        PairSource::Surfaces(pair) => Some((pair.kernel.course)(second_of(pair.kernel_order), data.feature)),
        PairSource::Convex(pair) if matches!(second_of(pair.surfaces), Shape::HalfSpace) => {
            Some(GapCourse::Chord)
        }
        PairSource::Convex(_) if is_of_end(evaluator, contact) => Some(course_of_rim(evaluator, contact)),
        PairSource::Convex(_) => Some(GapCourse::Separation),
        PairSource::Facets(pair) if matches!(second_of(pair.surfaces), Shape::HalfSpace) => {
            Some(GapCourse::Chord)
        }
        PairSource::Rims(_) => Some(course_of_rim(evaluator, contact)),
        PairSource::Facets(_)
        | PairSource::Planar(_)
        | PairSource::Areal(_)
        | PairSource::Regions(_)
        | PairSource::Stop(_)
        | PairSource::Cable(_) => None,
    }
}
