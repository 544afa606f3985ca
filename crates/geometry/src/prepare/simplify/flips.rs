//! Edges inside flat faces that are turned, so that vertices which keep each other from going can go.

use carom_math::Vec3;

use super::surface::{Surface, doubled_area, is_thick, thinness};

/// Sine of the angle below which two triangles are one flat face.
const FLAT: f64 = 1e-5;

/// An edge between two triangles of a flat face, and the triangles that the other diagonal makes.
struct Turn {
    triangles: [u32; 2],
    turned: [[u32; 3]; 2],
}

impl Surface {
    /// Turns edges of a vertex that lie in flat faces, until none is left that can: each takes a triangle away from it. Has one turned?
    pub(super) fn turn_edges_away(&mut self, v: u32) -> bool {
        let mut has_turned = false;
        while let Some(turn) = self.ring(v).into_iter().find_map(|w| self.turn_of([v, w])) {
            self.set_triangles(turn.triangles, turn.turned);
            has_turned = true;
        }
        has_turned
    }

    fn turn_of(&self, [v, w]: [u32; 2]) -> Option<Turn> {
        let sides: Vec<(u32, [u32; 3])> = self.with_both(v, w);
        let [(t, one), (u, two)] = sides[..] else { return None };
        let across = |corners: [u32; 3]| corners.into_iter().find(|c| *c != v && *c != w);
        let follows = |corners: [u32; 3]| (0..3).any(|k| corners[k] == v && corners[(k + 1) % 3] == w);
        // The one that has v before w comes first.
        let (t, one, u, two) = if follows(one) { (t, one, u, two) } else { (u, two, t, one) };
        if !follows(one) || follows(two) {
            return None;
        }
        let (x, y) = (across(one)?, across(two)?);
        let is_free = self.is_free([v, w]) && self.is_free([x, y]);
        if !is_free || x == y || self.ring(x).binary_search(&y).is_ok() {
            return None;
        }
        let turned = [[v, y, x], [y, w, x]];
        let places = |corners: [u32; 3]| corners.map(|c| self.vertex(c));
        let normal = doubled_area(&places(one)) + doubled_area(&places(two));
        let is_flat = |corners: [u32; 3]| {
            let area = doubled_area(&places(corners));
            area.dot(&normal) > 0.0 && area.cross(&normal).norm() <= FLAT * area.norm() * normal.norm()
        };
        let thinnest = |pair: [[u32; 3]; 2]| {
            let thin = pair.map(|corners| {
                let places: [Vec3; 3] = places(corners);
                thinness(&doubled_area(&places), &places)
            });
            thin[0].min(thin[1])
        };
        let is_sound = [one, two, turned[0], turned[1]].into_iter().all(is_flat);
        let stays_thick = is_thick(thinnest([one, two]), thinnest(turned));
        (is_sound && stays_thick).then_some(Turn { triangles: [t, u], turned })
    }
}
