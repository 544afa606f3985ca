use carom_math::{Pose, Vec3};

use super::ClearanceTree;
use super::descent::{ClearanceWorkspace, Posed, Visit, descend};
use super::triangles::{TriangleSeparation, triangle_separation};

/// How far two surfaces are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// The distance (m) if there are nearest triangles; else what it is at least, which is at least what was enough. Not a
    /// number if the pose is not finite.
    pub distance: f64,
    /// Where they are nearest, if that is nearer than what was enough.
    pub nearest: Option<NearestTriangles>,
}

/// Two triangles, where they are nearest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestTriangles {
    /// Of A and of B; of several pairs at the same distance the one with the smallest indices. They are the hint for the next
    /// time.
    pub triangles: [u32; 2],
    /// A nearest point of each, in A's frame (m).
    pub points: [Vec3; 2],
    /// Unit vector from A to B, in A's frame, as in [`TriangleSeparation`].
    pub direction: Vec3,
}

/// Distance of two surfaces, `x_ab` being the pose of B in A: exact to rounding, with the nearest triangles, if it is below
/// `enough` (m, infinity if it is to be exact anyway), and a lower bound if not.
///
/// The result is the least, and of equal ones the first, of [`triangle_separation`] over all pairs, in every bit. A `hint`,
/// triangles that were nearest at a pose nearby, makes it faster and changes nothing, nor does what a bound is.
pub fn separation(
    a: &ClearanceTree,
    b: &ClearanceTree,
    x_ab: &Pose,
    enough: f64,
    hint: Option<[u32; 2]>,
    workspace: &mut ClearanceWorkspace,
) -> Separation {
    let posed = Posed { a, b, x_ab };
    if !posed.is_finite() {
        return Separation { distance: f64::NAN, nearest: None };
    }
    let mut search = Search { posed, mark: None, enough, best: None, lower: f64::INFINITY };
    search.search(hint, workspace);
    match search.best {
        Some((triangles, TriangleSeparation { distance, points, direction })) => {
            Separation { distance, nearest: Some(NearestTriangles { triangles, points, direction }) }
        }
        None => Separation { distance: search.lower, nearest: None },
    }
}

/// Lower bound of the distance of two surfaces (m), at a fraction of what [`separation`] costs: the distance rounded down to
/// three binary digits, but not past `mark`, so that both are on one side of it; from `enough` on, any bound that is at least
/// that. Below `enough` also two triangles no farther than a quarter more than the bound.
///
/// The bound does not depend on the hint, the triangles do: they are the hint, if that will do. Not a number if the pose is not
/// finite.
pub fn separation_bound(
    a: &ClearanceTree,
    b: &ClearanceTree,
    x_ab: &Pose,
    [mark, enough]: [f64; 2],
    hint: Option<[u32; 2]>,
    workspace: &mut ClearanceWorkspace,
) -> (f64, Option<[u32; 2]>) {
    let posed = Posed { a, b, x_ab };
    if !posed.is_finite() {
        return (f64::NAN, None);
    }
    let mut search = Search { posed, mark: Some(mark), enough, best: None, lower: f64::INFINITY };
    search.search(hint, workspace);
    match search.best {
        // Everything nearer than the limit has been looked at.
        Some((triangles, _)) => (search.limit(), Some(triangles)),
        None => (search.lower, None),
    }
}

/// The distance with all binary digits but the first three put to zero.
#[inline(always)]
fn rounded_down(distance: f64) -> f64 {
    const DROPPED: u32 = f64::MANTISSA_DIGITS - 3;
    f64::from_bits(distance.to_bits() >> DROPPED << DROPPED)
}

struct Search<'a> {
    posed: Posed<'a>,
    /// Distances are rounded down, but not past this (m).
    mark: Option<f64>,
    enough: f64,
    best: Option<([u32; 2], TriangleSeparation)>,
    /// The least of all bounds above the limit.
    lower: f64,
}

impl Search<'_> {
    fn search(&mut self, hint: Option<[u32; 2]>, workspace: &mut ClearanceWorkspace) {
        if let Some(hint) = hint.filter(|hint| self.posed.has(*hint)) {
            self.try_pair(hint);
        }
        if self.is_done() {
            return;
        }
        // Not a bound that would depend on the hint.
        self.lower = f64::INFINITY;
        let posed = self.posed;
        descend(&posed, workspace, self);
    }

    /// Do surfaces touch, of which a bound is enough?
    fn is_done(&self) -> bool {
        self.mark.is_some() && self.best.as_ref().is_some_and(|(_, best)| best.distance == 0.0)
    }

    fn try_pair(&mut self, triangles: [u32; 2]) {
        let [a, b] = self.posed.corners(triangles);
        let found = triangle_separation(&a, &b);
        if found.distance >= self.enough {
            self.lower = self.lower.min(found.distance);
            return;
        }
        let is_better = self.best.is_none_or(|(indices, best)| {
            found.distance < best.distance || (found.distance == best.distance && triangles < indices)
        });
        if is_better {
            self.best = Some((triangles, found));
        }
    }
}

impl Visit for Search<'_> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        match (&self.best, self.mark) {
            (None, _) => self.enough,
            (Some((_, best)), None) => best.distance,
            (Some((_, best)), Some(mark)) if best.distance < mark => rounded_down(best.distance),
            (Some((_, best)), Some(mark)) => rounded_down(best.distance).max(mark),
        }
    }

    #[inline(always)]
    fn direction(&self) -> Option<Vec3> {
        self.best.as_ref().map(|(_, best)| best.direction)
    }

    #[inline(always)]
    fn pass(&mut self, bound: f64) {
        self.lower = self.lower.min(bound);
    }

    fn visit(&mut self, triangles: [u32; 2]) -> bool {
        self.try_pair(triangles);
        !self.is_done()
    }
}
