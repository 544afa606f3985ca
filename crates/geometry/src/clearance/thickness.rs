use carom_math::Vec3;

use super::ClearanceTree;
use super::along::{Along, visit_along};
use super::tree::Thing;
use crate::near::simd::{Kernel, SimdLevel};

/// Rounding of coordinates, and slack of barycentric coordinates: a line through an edge meets both neighbours.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
const EDGE_SLACK: f64 = 1e-9;

/// Cosine of the angle of a wedge that is a sheet all the same: 30°.
const WEDGE: f64 = 0.866;

/// How far from its barycentre to its corners a triangle is asked for its thickness.
const NEAR_CORNER: f64 = 0.9;

/// Sides nearer to each other than this share of the body's size are one surface that is there twice, in a mesh with faults.
const TWICE: f64 = 1e-6;

/// How thick a body is under a triangle of its surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// From the triangle's barycentre against its normal to the surface on the other side (m).
    pub thickness: f64,
    /// The triangle.
    pub triangle: u32,
    /// The one on the other side.
    pub opposite: u32,
}

impl ClearanceTree {
    /// The wall under a triangle: where the line from its barycentre against its normal first meets another triangle from inside.
    /// None if it is degenerate or of an open shell, or if the line meets nothing, as into rock around a cavity.
    pub fn wall(&self, triangle: u32) -> Option<Wall> {
        self.wall_within(triangle, 4.0 * self.radius() + f64::MIN_POSITIVE, SimdLevel::detect())
    }

    /// The thinnest wall, the first of several; None if no shell is closed.
    pub fn thinnest_wall(&self) -> Option<Wall> {
        self.find_thinnest(4.0 * self.radius() + f64::MIN_POSITIVE, |_| true)
    }

    /// The thinnest wall below `reach` (m) whose two sides face away from each other, but for 30°: what is under a triangle at
    /// an edge is thin as well, the thinner the smaller the triangle. Sides that lie on each other are none.
    pub fn thinnest_sheet(&self, reach: f64) -> Option<Wall> {
        self.find_thinnest(reach, |wall| self.is_sheet(wall))
    }

    /// The same for each triangle, infinite where there is none below `reach` (m): the least thickness of the sheet that it is a side
    /// of, by lines from its barycentre and from near its corners, and by those of others that meet it.
    pub fn sheets(&self, reach: f64) -> Vec<f64> {
        let simd = SimdLevel::detect();
        let mut sheets = vec![f64::INFINITY; self.triangles()];
        for triangle in 0..self.triangles() as u32 {
            let corners = self.triangle(triangle);
            let middle = corners.iter().sum::<Vec3>() / 3.0;
            let starts = corners.map(|corner| middle + NEAR_CORNER * (corner - middle));
            for start in starts.into_iter().chain([middle]) {
                let wall = self.wall_from(triangle, start, reach, simd);
                if let Some(wall) = wall.filter(|wall| self.is_sheet(wall)) {
                    for side in [wall.triangle, wall.opposite].map(|side| side as usize) {
                        sheets[side] = sheets[side].min(wall.thickness);
                    }
                }
            }
        }
        sheets
    }

    fn is_sheet(&self, wall: &Wall) -> bool {
        let normals = [wall.triangle, wall.opposite].map(|t| self.outward(t).map(|n| n.normalize()));
        wall.thickness > TWICE * self.radius() && matches!(normals, [Some(a), Some(b)] if -a.dot(&b) > WEDGE)
    }

    fn find_thinnest(&self, reach: f64, counts: impl Fn(&Wall) -> bool) -> Option<Wall> {
        let simd = SimdLevel::detect();
        let mut best: Option<Wall> = None;
        for triangle in 0..self.triangles() as u32 {
            let reach = best.map_or(reach, |best| best.thickness);
            if let Some(wall) = self.wall_within(triangle, reach, simd)
                && best.is_none_or(|best| wall.thickness < best.thickness)
                && counts(&wall)
            {
                best = Some(wall);
            }
        }
        best
    }

    fn wall_within(&self, triangle: u32, reach: f64, simd: SimdLevel) -> Option<Wall> {
        let middle = self.triangle(triangle).iter().sum::<Vec3>() / 3.0;
        self.wall_from(triangle, middle, reach, simd)
    }

    fn wall_from(&self, triangle: u32, start: Vec3, reach: f64, simd: SimdLevel) -> Option<Wall> {
        if !self.shells()[self.shell_of[triangle as usize] as usize].is_closed {
            return None;
        }
        let inward = -self.outward(triangle)?.normalize();
        let mut line = Line { tree: self, triangle, start, inward, reach, found: None };
        simd.run(&mut line);
        line.found.map(|opposite| Wall { thickness: line.reach, triangle, opposite })
    }

    /// Normal, twice the area long, on the side where its neighbours have it; None if there is none.
    fn outward(&self, triangle: u32) -> Option<Vec3> {
        let [a, b, c] = self.triangle(triangle);
        let normal = (b - a).cross(&(c - a));
        let is_sound = normal.norm_squared().is_normal();
        is_sound.then_some(if self.is_flipped[triangle as usize] { -normal } else { normal })
    }
}

struct Line<'a> {
    tree: &'a ClearanceTree,
    triangle: u32,
    start: Vec3,
    inward: Vec3,
    /// To what has been met so far (m).
    reach: f64,
    found: Option<u32>,
}

impl Kernel for &mut Line<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let rounding = (ROUNDING + EDGE_SLACK) * (self.tree.radius() + self.reach);
        visit_along(self.tree, rounding, self);
    }
}

impl Along for Line<'_> {
    fn ends(&self) -> [Vec3; 2] {
        [self.start, self.start + self.reach * self.inward]
    }

    /// Möller and Trumbore, "Fast, minimum storage ray/triangle intersection", J. Graph. Tools 2 (1997) 21–28.
    fn meet(&mut self, thing: Thing) {
        let index = self.tree.index(thing);
        if index == self.triangle {
            return;
        }
        let Some(outward) = self.tree.outward(index) else { return };
        if outward.dot(&self.inward) <= 0.0 {
            return;
        }
        let [a, b, c] = self.tree.triangle(index);
        let (u, v, s) = (b - a, c - a, self.start - a);
        let p = self.inward.cross(&v);
        let determinant = u.dot(&p);
        let q = s.cross(&u);
        let (beta, gamma) = (s.dot(&p) / determinant, self.inward.dot(&q) / determinant);
        let depth = v.dot(&q) / determinant;
        let is_within = beta >= -EDGE_SLACK && gamma >= -EDGE_SLACK && beta + gamma <= 1.0 + EDGE_SLACK;
        let is_first = depth < self.reach || (depth == self.reach && self.found.is_some_and(|f| index < f));
        if is_within && depth >= 0.0 && is_first {
            (self.reach, self.found) = (depth, Some(index));
        }
    }
}
