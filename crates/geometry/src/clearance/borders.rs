//! Where the solid behind an open surface ends.
//!
//! A closed surface says of every place whether it is solid. Of an open one the solid is taken to be what lies straight behind its
//! triangles: at its borders it ends in walls, which go from the border edges against the mean of the outward normals there. A line that
//! meets a triangle from behind starts in the solid unless it has come in through a wall.

use carom_math::{Pose, Vec3};

use super::along::{Along, visit_along};
use super::tree::Thing;
use super::{ClearanceTree, ClearanceWorkspace, NearestWorkspace, near_triangles};
use crate::TriangleMesh;
use crate::mesh::{EdgeSides, Side, find_representatives};
use crate::near::SurfaceFault;
use crate::near::simd::{Kernel, SimdLevel};

/// Depth of the walls, over the length of lines: they need not stand at right angles to what lines meet.
const DEPTH: f64 = 2.0;

/// Rounding of coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Length of the sum of unit normals below which they have no mean.
const FOLDED: f64 = 1e-3;

/// Pairs of a triangle and a wall that are listed to see which triangles are near walls. Where there are more, all are taken to be.
const MOST_PAIRS: usize = 1 << 22;

/// The walls at the borders of a surface, for lines of limited length.
#[derive(Clone, Debug)]
pub struct Borders {
    /// Two triangles an edge, counter-clockwise seen from where nothing is solid.
    walls: ClearanceTree,
    /// Which triangles of the surface are so near a wall that a line may have crossed one; empty if all are.
    is_near: Vec<bool>,
}

impl Borders {
    /// Those of a mesh, whose tree is given, for lines no longer than `reach` (m). None if the mesh has no border.
    pub fn of(mesh: &TriangleMesh, tree: &ClearanceTree, reach: f64) -> Result<Option<Self>, SurfaceFault> {
        let walls = walls_of(mesh, DEPTH * reach);
        if walls.triangles.is_empty() {
            return Ok(None);
        }
        let walls = ClearanceTree::new(&walls)?;
        let mut pairs = Vec::new();
        let here = Pose::identity();
        let mut workspace = ClearanceWorkspace::new();
        let mut is_near = Vec::new();
        if near_triangles(tree, &walls, &here, reach, MOST_PAIRS, &mut workspace, &mut pairs) {
            is_near = vec![false; mesh.triangles.len()];
            pairs.iter().for_each(|[triangle, _]| is_near[*triangle as usize] = true);
        }
        Ok(Some(Self { walls, is_near }))
    }

    /// Whether any wall comes into a ball in the surface's frame (m). Lines elsewhere cross none.
    pub fn come_into(&self, centre: &Vec3, radius: f64, workspace: &mut NearestWorkspace) -> bool {
        let rounding = ROUNDING * (self.walls.radius() + centre.norm());
        self.walls.distance_within(centre, radius + 2.0 * rounding, workspace) <= radius + rounding
    }

    /// Whether a line that meets a triangle of the surface may have crossed a wall.
    #[inline]
    pub fn are_near(&self, triangle: u32) -> bool {
        self.is_near.is_empty() || self.is_near[triangle as usize]
    }

    /// Whether a line between two points of the surface's frame (m), of which the second is on the surface, comes into the solid through
    /// walls: through more of them than it leaves through. Where walls stand on each other, as along a crack, the two count for none.
    pub fn lead_in(&self, from: &Vec3, to: &Vec3) -> bool {
        let mut line = Line { walls: &self.walls, from: *from, to: *to, entered: 0 };
        SimdLevel::detect().run(&mut line);
        line.entered > 0
    }
}

/// The walls as triangles: of edges that are not walked equally often both ways, and not merely by two triangles of which one is turned.
fn walls_of(mesh: &TriangleMesh, depth: f64) -> TriangleMesh {
    let corners: Vec<[Vec3; 3]> = mesh.corners().collect();
    let normal = |side: &Side| {
        let [a, b, c] = corners[side.triangle as usize];
        (b - a).cross(&(c - a)).try_normalize(0.0)
    };
    let all = EdgeSides::of(mesh);
    let is_border = |sides: &&[Side]| {
        let forward = sides.iter().filter(|side| side.forward).count();
        sides.len() != 2 && 2 * forward != sides.len()
    };
    let sides: Vec<(&Side, Vec3)> =
        all.groups().filter(is_border).flatten().filter_map(|side| Some((side, normal(side)?))).collect();
    let same = find_representatives(&mesh.vertices, 0.0);
    let ends = |side: &Side| {
        let triangle = mesh.triangles[side.triangle as usize];
        let k = usize::from(side.corner);
        [triangle[k], triangle[(k + 1) % 3]].map(|vertex| same[vertex as usize])
    };
    let mut outward = vec![Vec3::zeros(); mesh.vertices.len()];
    for (side, normal) in &sides {
        ends(side).into_iter().for_each(|end| outward[end as usize] += normal);
    }
    let mut walls = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for (side, normal) in &sides {
        let first = walls.vertices.len() as u32;
        for end in ends(side).map(|end| end as usize) {
            let sum = outward[end];
            let mean = sum.try_normalize(FOLDED).unwrap_or(*normal);
            let above = mesh.vertices[end];
            walls.vertices.extend([above, above - mean * depth]);
        }
        let [a, below_a, b, below_b] = [first, first + 1, first + 2, first + 3];
        walls.triangles.extend([[a, below_a, below_b], [a, below_b, b]]);
    }
    walls
}

struct Line<'a> {
    walls: &'a ClearanceTree,
    from: Vec3,
    to: Vec3,
    /// Walls that it comes in through, less those that it leaves through.
    entered: i32,
}

impl Kernel for &mut Line<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let rounding = ROUNDING * (self.walls.radius() + self.from.norm());
        visit_along(self.walls, rounding, self);
    }
}

impl Along for Line<'_> {
    fn ends(&self) -> [Vec3; 2] {
        [self.from, self.to]
    }

    /// By the volumes of the tetrahedra of the line with the edges of the wall. Of two that share an edge a line through it crosses one.
    fn meet(&mut self, thing: Thing) {
        let [a, b, c] = self.walls.triangle(self.walls.index(thing)).map(|corner| corner - self.from);
        let way = self.to - self.from;
        let sides = [(a, b), (b, c), (c, a)].map(|(p, q)| is_left_of(&way, &p, &q));
        if sides[0] != sides[1] || sides[1] != sides[2] {
            return;
        }
        let outward = (b - a).cross(&(c - a));
        let (start, end) = (-outward.dot(&a), outward.dot(&(way - a)));
        if (start > 0.0) != (end > 0.0) {
            self.entered += if start > 0.0 { 1 } else { -1 };
        }
    }
}

/// On which side of a line from the origin an edge passes: the other side for the edge walked back, to the last bit.
fn is_left_of(way: &Vec3, p: &Vec3, q: &Vec3) -> bool {
    let is_forward = [p.x, p.y, p.z] < [q.x, q.y, q.z];
    let volume = if is_forward { way.dot(&p.cross(q)) } else { way.dot(&q.cross(p)) };
    (volume > 0.0) == is_forward
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Resolution, block, funnel, rectangle, subdivide};

    const REACH: f64 = 0.2;

    fn borders(mesh: &TriangleMesh) -> Option<Borders> {
        Borders::of(mesh, &ClearanceTree::new(mesh).unwrap(), REACH).unwrap()
    }

    /// Numbers in [0, 1), the same each time (Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8 (2003) 14).
    fn numbers() -> impl FnMut() -> f64 {
        let mut x = 88_172_645_463_325_252_u64;
        move || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 11) as f64 * libm::exp2(-53.0)
        }
    }

    #[test]
    fn closed_surfaces_and_those_that_share_an_edge_have_no_borders() {
        let mut cubes = block(Vec3::repeat(0.5), Resolution::Divisions(2)).unwrap();
        assert!(borders(&cubes).is_none());
        let (count, other) = (cubes.vertices.len() as u32, cubes.clone());
        cubes.vertices.extend(other.vertices.iter().map(|p| p + Vec3::new(1.0, 1.0, 0.0)));
        cubes.triangles.extend(other.triangles.iter().map(|t| t.map(|k| k + count)));
        assert!(borders(&cubes).is_none());
    }

    /// Behind a rectangle is what a block with that top holds: lines from there to it come in through nothing, those from beside it do,
    /// through one wall or past a corner through two.
    #[test]
    fn behind_a_rectangle_is_what_is_below_it() {
        let half = [1.0, 0.6];
        let sheet = rectangle(half[0], half[1], Resolution::Divisions(4)).unwrap();
        let (borders, mut number) = (borders(&sheet).unwrap(), numbers());
        let mut counts = [0; 2];
        for _ in 0..20_000 {
            let to = Vec3::new((2.0 * number() - 1.0) * half[0], (2.0 * number() - 1.0) * half[1], 0.0);
            let way = Vec3::new(number() - 0.5, number() - 0.5, 0.5 * number());
            let from = to - way * (2.0 * REACH * number());
            let is_beside = from.x.abs() > half[0] || from.y.abs() > half[1];
            assert_eq!(borders.lead_in(&from, &to), is_beside, "{from:?} {to:?}");
            counts[usize::from(is_beside)] += 1;
        }
        assert!(counts.iter().all(|count| *count > 1000), "{counts:?}");
    }

    /// Only where a border is within reach are lines asked about, and there always.
    #[test]
    fn triangles_whose_lines_may_come_in_beside_are_known() {
        let sheet = rectangle(1.0, 1.0, Resolution::Divisions(20)).unwrap();
        let borders = borders(&sheet).unwrap();
        for (triangle, corners) in sheet.corners().enumerate() {
            let inset = corners.map(|p| 1.0 - p.x.abs().max(p.y.abs()));
            let nearest = inset.iter().copied().fold(f64::INFINITY, f64::min);
            // To a tenth for what is a little farther.
            if (nearest - REACH).abs() > 0.1 * REACH {
                assert_eq!(borders.are_near(triangle as u32), nearest < REACH, "{corners:?}");
            }
        }
    }

    /// Balls over the sheet and under it, to the nearest side.
    #[test]
    fn walls_come_into_balls_that_reach_them() {
        let sheet = rectangle(1.0, 1.0, Resolution::Divisions(2)).unwrap();
        let (borders, mut workspace) = (borders(&sheet).unwrap(), NearestWorkspace::default());
        for (x, z) in [(0.3, 0.0), (-0.6, -0.1), (0.2, -0.3)] {
            for (share, comes) in [(0.999, false), (1.0, true), (1.001, true)] {
                let radius = share * (1.0 - f64::abs(x));
                assert_eq!(
                    borders.come_into(&Vec3::new(x, 0.1, z), radius, &mut workspace),
                    comes,
                    "{x} {share}"
                );
            }
        }
    }

    /// A funnel with walls down to another one below it is closed, and says what is in it. At the corners of the rim walls stand askew.
    #[test]
    fn walls_close_what_is_behind_a_surface() {
        for subdivisions in [0, 2] {
            let mesh = funnel(1.0, 0.5, subdivisions).unwrap();
            let mut closed = mesh.clone();
            let walls = walls_of(&mesh, DEPTH * REACH);
            // What stands under a vertex on the rim stands at the end of its wall.
            let below = |p: &Vec3| {
                let on_rim = walls.vertices.chunks_exact(2).find(|pair| pair[0] == *p);
                on_rim.map_or_else(|| p - Vec3::z() * (DEPTH * REACH), |pair| pair[1])
            };
            let count = mesh.vertices.len() as u32;
            closed.vertices.extend(mesh.vertices.iter().map(below));
            closed.triangles.extend(mesh.triangles.iter().map(|[a, b, c]| [a + count, c + count, b + count]));
            let count = closed.vertices.len() as u32;
            closed.vertices.extend(&walls.vertices);
            closed.triangles.extend(walls.triangles.iter().map(|t| t.map(|k| k + count)));
            let closed = ClearanceTree::new(&closed).unwrap();
            assert!(closed.is_closed());
            let (borders, mut number) = (borders(&mesh).unwrap(), numbers());
            let corners: Vec<[Vec3; 3]> = mesh.corners().collect();
            let mut counts = [0; 2];
            for k in 0..60_000 {
                let own = k % corners.len();
                let [a, b, c] = corners[own];
                // Near an edge.
                let (u, v) = (number(), 0.2 * number());
                let (u, v) = (u * (1.0 - v), v);
                let [a, b, c] = if number() < 0.5 { [a, b, c] } else { [b, c, a] };
                let to = a + (b - a) * u + (c - a) * v;
                let normal = (b - a).cross(&(c - a)).normalize();
                let way = Vec3::new(number() - 0.5, number() - 0.5, number() - 0.5);
                let from = to - way * (REACH * number());
                // From behind the triangle, and past no other one.
                let passes = way.dot(&normal) <= 0.0
                    || corners.iter().enumerate().any(|(other, corners)| {
                        other != own && crate::clearance::meets_segment(&from, &to, corners)
                    });
                if passes {
                    continue;
                }
                let is_beside = !closed.is_inside(&from);
                assert_eq!(borders.lead_in(&from, &to), is_beside, "{from:?} {to:?}");
                counts[usize::from(is_beside)] += 1;
            }
            assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
        }
    }

    /// Where edges are cut on one side alone the surface has borders and no gap: lines across are lines within.
    #[test]
    fn cracks_without_width_are_no_borders() {
        let half = |low: f64, divisions: u32| {
            let mut mesh = rectangle(0.5, 0.5, Resolution::Divisions(divisions)).unwrap();
            mesh.vertices.iter_mut().for_each(|p| p.x += low + 0.5);
            mesh
        };
        let (mut sheet, fine) = (half(-1.0, 1), subdivide(&half(0.0, 3), 1).unwrap());
        let count = sheet.vertices.len() as u32;
        sheet.vertices.extend(&fine.vertices);
        sheet.triangles.extend(fine.triangles.iter().map(|t| t.map(|k| k + count)));
        let (borders, mut number) = (borders(&sheet).unwrap(), numbers());
        for _ in 0..2000 {
            let to = Vec3::new(0.1 * (number() - 0.5), 0.5 * (number() - 0.5), 0.0);
            let from = to + Vec3::new(0.2 * (number() - 0.5), 0.2 * (number() - 0.5), -0.1 * number());
            assert!(!borders.lead_in(&from, &to), "{from:?} {to:?}");
        }
    }
}
