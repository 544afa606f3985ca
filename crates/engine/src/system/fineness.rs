//! What the triangles of round surfaces are good for, which cut off a part of them.

use carom_geometry::surface::MAX_TRIANGLES;

use super::System;
use super::areal_elements::{DEPTH_SHARE, percent};
use crate::Note;
use crate::model::{Method, Model};

/// Depth over the smallest half extent of a surface that contact by regions is made for: nothing tells how deep they come.
const REGION_DEPTH: f64 = 2e-3;

/// Error of the force of a surface whose triangles are balanced, with a sag of the depth: the worst place of a prism that stands for a lying
/// cylinder, by the areas of segments of polygons; of sags up to a quarter, beyond which it is less.
const OF_BALANCED: f64 = 1.0;

/// What the triangles of a surface make of the force at a depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facets {
    /// How far the surface stands above its triangles, in the mean over the worst of them, over the depth.
    pub(super) sag: f64,
    pub(super) count: usize,
    pub(super) are_balanced: bool,
}

impl Facets {
    /// Error of the force (a share of it). Triangles inside their surface press as a ball does that is so much less deep, (1 − s/u)² of it; of
    /// balanced ones what is off comes and goes with the place, in proportion to the square of the sag.
    pub(super) fn error(&self) -> f64 {
        if self.are_balanced {
            (OF_BALANCED * self.sag * self.sag).min(1.0)
        } else {
            let left = (1.0 - self.sag).max(0.0);
            1.0 - left * left
        }
    }

    /// How many triangles would have an error.
    fn needed(&self, error: f64) -> f64 {
        let sag = if self.are_balanced { (error / OF_BALANCED).sqrt() } else { 1.0 - (1.0 - error).sqrt() };
        (self.count as f64 * self.sag / sag).ceil()
    }

    /// N0411: the triangles of a surface cut off more than an accuracy.
    pub(super) fn note(&self, pair: &str, surface: &str, accuracy: f64, at: &str) -> Option<Note> {
        let error = self.error();
        if error <= accuracy {
            return None;
        }
        let needed = self.needed(accuracy);
        let cure = if needed > MAX_TRIANGLES as f64 {
            format!("that takes {needed:.1e} of them, more than there may be: raise u_max")
        } else if self.are_balanced {
            format!("facets = {needed} with balanced = true would do, or a larger u_max")
        } else {
            format!("leave `facets` out, or facets = {needed} would do")
        };
        let message = format!(
            "pair \"{pair}\": the {} triangles of \"{surface}\" are not its round surface: by {:.0} % of the depth at {at} that lies above one of them in the mean, which changes the force there by about {}; {cure}",
            self.count,
            100.0 * self.sag,
            percent(error)
        );
        Some(Note::new("N0411", message))
    }
}

impl Model {
    /// By surface, in the order of the bodies and their shapes: the least depth (m) at which forces ought to be right, a tenth of u_max as for
    /// the elements of a base; infinite for those in no contact of triangle surfaces. None if no surface is in one, or if the model has
    /// faults, which [`Self::validate`] finds.
    pub fn depths_of_surfaces(&self) -> Option<Vec<f64>> {
        let method = |line: usize| self.contact_lines[line].method;
        let has_triangles = |line: usize| matches!(method(line), Method::Pcm | Method::Region);
        if !self.pairs.iter().any(|pair| has_triangles(pair.line)) || self.has_faults() {
            return None;
        }
        let (system, requests) = System::begin(self).ok()?;
        let mut depths = vec![f64::INFINITY; system.areal_surfaces.len()];
        let mut lower = |surface: usize, depth: f64| depths[surface] = depths[surface].min(depth);
        for request in requests {
            let surfaces = [request.a, request.b];
            match method(request.line) {
                Method::Pcm => {
                    let law = |base: usize| system.resolve_areal_law(&request, base, "", "").ok();
                    let bases = self.contact_lines[request.line].base.candidates();
                    let usual =
                        bases.iter().filter_map(|&base| Some(law(base)?.usual)).fold(f64::INFINITY, f64::min);
                    surfaces.iter().for_each(|&surface| lower(surface, DEPTH_SHARE * usual));
                }
                Method::Region => {
                    for surface in surfaces {
                        let mesh = system.areal_surfaces[surface].mesh().and_then(Result::ok);
                        let depth =
                            mesh.map_or(f64::INFINITY, |mesh| REGION_DEPTH * 0.5 * mesh.extent().min());
                        lower(surface, depth);
                    }
                }
                _ => {}
            }
        }
        Some(depths)
    }
}
