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

/// Share of a distance below which another one is the same: rounding, and facets of round things.
const AS_NEAR: f64 = 1e-6;

/// Halvings in which the depth of a wall is found.
const HALVINGS: usize = 30;

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
        let walls = walls_of(mesh, tree, DEPTH * reach);
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
///
/// They end where another part of the surface is nearer to them than the edge that they stand on: there they would pass what comes from the
/// other side of a narrow solid, and a line through both would seem to leave by one what it has come into by the other.
fn walls_of(mesh: &TriangleMesh, tree: &ClearanceTree, depth: f64) -> TriangleMesh {
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
    // Cosines of the largest angles of faces against the mean there: under a mean that leans over faces they are nearer than the vertex. Under
    // faces that are folded onto each other, which have no mean, nothing is said to be nearest.
    let means: Vec<Option<Vec3>> = outward.iter().map(|sum| sum.try_normalize(FOLDED)).collect();
    let mut leans = vec![1.0_f64; mesh.vertices.len()];
    for (triangle, [a, b, c]) in mesh.triangles.iter().zip(&corners) {
        let Some(normal) = (b - a).cross(&(c - a)).try_normalize(0.0) else { continue };
        for vertex in triangle.map(|vertex| same[vertex as usize] as usize) {
            let lean = means[vertex].map_or(0.0, |mean| mean.dot(&normal));
            leans[vertex] = leans[vertex].min(lean);
        }
    }
    let mut workspace = NearestWorkspace::default();
    let mut depths: Vec<Option<f64>> = vec![None; mesh.vertices.len()];
    let mut walls = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for (side, normal) in &sides {
        let first = walls.vertices.len() as u32;
        for end in ends(side).map(|end| end as usize) {
            let mean = means[end].unwrap_or(*normal);
            let above = mesh.vertices[end];
            let find = || depth_behind(tree, (&above, &mean), leans[end], depth, &mut workspace);
            let depth = *depths[end].get_or_insert_with(find);
            walls.vertices.extend([above, above - mean * depth]);
        }
        let [a, below_a, b, below_b] = [first, first + 1, first + 2, first + 3];
        walls.triangles.extend([[a, below_a, below_b], [a, below_b, b]]);
    }
    walls
}

/// How far behind a border vertex, against the mean normal there, it is what is nearest of the surface (m), up to a depth: no nearer than under
/// the faces around it, the lowest of which leans by an angle with this cosine.
///
/// Where all faces around have one normal, the balls that are asked for touch the surface at the vertex, and each holds those that are
/// smaller: that is the least depth at which something else is nearer. Balls under faces that lean are smaller, and none holds another: there it
/// is a depth at which something else comes to be nearer, or ceases to, and what is as near at less may be passed.
fn depth_behind(
    tree: &ClearanceTree,
    (vertex, mean): (&Vec3, &Vec3),
    lean: f64,
    depth: f64,
    workspace: &mut NearestWorkspace,
) -> f64 {
    let share = lean * (1.0 - AS_NEAR);
    let mut is_nearest = |depth: f64| {
        tree.distance_within(&(vertex - mean * depth), share * depth, workspace) >= share * depth
    };
    if share <= 0.0 || is_nearest(depth) {
        return depth;
    }
    let (mut low, mut high) = (0.0, depth);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if is_nearest(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
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
            let walls = walls_of(&mesh, &ClearanceTree::new(&mesh).unwrap(), DEPTH * REACH);
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

    /// An open prism along z over an outline, walked counter-clockwise seen from above if what is inside of it is solid.
    fn sleeve(outline: &[[f64; 2]], cells: usize, half_length: f64) -> TriangleMesh {
        let n = outline.len();
        let height = |k: usize| half_length * (2.0 * k as f64 / cells as f64 - 1.0);
        let vertices = (0..=cells)
            .flat_map(|k| outline.iter().map(move |[x, y]| Vec3::new(*x, *y, height(k))))
            .collect();
        let mut triangles = Vec::new();
        for (k, i) in (0..cells).flat_map(|k| (0..n).map(move |i| (k, i))) {
            let [a, b] = [i, (i + 1) % n].map(|i| (k * n + i) as u32);
            let [c, d] = [a, b].map(|v| v + n as u32);
            triangles.extend([[a, b, d], [a, d, c]]);
        }
        TriangleMesh { vertices, triangles }
    }

    /// Of many lines up to the reach that meet a sleeve from behind, past nothing else: how many start behind it, and beside it, beyond its
    /// ends; and how many of either are taken for the other.
    fn mistaken(mesh: &TriangleMesh, half_length: f64) -> [[usize; 2]; 2] {
        let (borders, mut number) = (borders(mesh).unwrap(), numbers());
        let corners: Vec<[Vec3; 3]> = mesh.corners().collect();
        let mut counts = [[0; 2]; 2];
        for k in 0..30_000 {
            let own = k % corners.len();
            let [a, b, c] = corners[own];
            let (u, v) = (number(), number());
            let (u, v) = if u + v < 1.0 { (u, v) } else { (1.0 - u, 1.0 - v) };
            let to = a + (b - a) * u + (c - a) * v;
            let normal = (b - a).cross(&(c - a));
            let way = Vec3::new(number() - 0.5, number() - 0.5, number() - 0.5).normalize();
            let from = to - way * (REACH * number());
            let passes = way.dot(&normal) <= 0.0
                || corners.iter().enumerate().any(|(other, corners)| {
                    other != own && crate::clearance::meets_segment(&from, &to, corners)
                });
            if passes {
                continue;
            }
            let is_beside = from.z.abs() > half_length;
            let count = &mut counts[usize::from(is_beside)];
            count[0] += 1;
            count[1] += usize::from(borders.lead_in(&from, &to) != is_beside);
        }
        counts
    }

    /// Open at both ends, and narrower than walls are deep: rods, of which what is inside is solid, and tubes, of which what is outside is.
    /// Where walls of rods were as deep as others, they passed each other, and lines through the open end of one that is half as wide as lines
    /// are long were all taken to start in it. In the middle of a square whose sides have no vertex in the middle walls leave a small hole.
    #[test]
    fn walls_of_what_is_narrow_end_where_they_meet() {
        let circle = |radius: f64| -> Vec<[f64; 2]> {
            let angle = |k: u32| f64::from(k) * (std::f64::consts::TAU / 24.0);
            (0..24).map(|k| [radius * libm::cos(angle(k)), radius * libm::sin(angle(k))]).collect()
        };
        let rectangle = |half: [f64; 2], parts: u32| -> Vec<[f64; 2]> {
            let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
            let at = |side: usize, part: u32| {
                let [from, to] = [corners[side], corners[(side + 1) % 4]];
                let share = f64::from(part) / f64::from(parts);
                [0, 1].map(|k| half[k] * (from[k] + share * (to[k] - from[k])))
            };
            (0..4).flat_map(|side| (0..parts).map(move |part| at(side, part))).collect()
        };
        let outlines = [
            circle(0.3 * REACH),
            circle(0.6 * REACH),
            circle(1.2 * REACH),
            rectangle([0.5 * REACH; 2], 1),
            rectangle([0.5 * REACH; 2], 5),
            rectangle([1.1 * REACH; 2], 4),
            rectangle([2.0 * REACH, 0.2 * REACH], 1),
            rectangle([2.0 * REACH, 0.7 * REACH], 1),
        ];
        for (k, outline) in outlines.iter().enumerate() {
            let rod = sleeve(outline, 3, 1.5 * REACH);
            for mesh in [rod.flipped(), rod] {
                let [[behind, taken_for_beside], [beside, taken_for_behind]] = mistaken(&mesh, 1.5 * REACH);
                assert!(behind > 1000 && beside > 500, "{k}: {behind} {beside}");
                assert_eq!(taken_for_beside, 0, "{k}: of {behind}");
                assert!(50 * taken_for_behind <= beside, "{k}: {taken_for_behind} of {beside}");
            }
        }
    }

    /// About a vertex whose border faces lie on each other, back to back, with others between that hang down from there: it has no mean normal,
    /// and walls as deep as any, though all that is straight under it is nearer to those between.
    #[test]
    fn walls_under_folds_are_as_deep_as_any() {
        let (depth, fold) = (DEPTH * REACH, Vec3::zeros());
        let [first, last] = [Vec3::x(), Vec3::new(1.0, 0.3, 0.0)];
        let between = [Vec3::y(), Vec3::new(0.1, 0.2, -0.9), Vec3::new(-0.2, 1.0, 0.0)];
        let vertices = vec![fold, first, between[0], between[1], between[2], last];
        let mesh = TriangleMesh { vertices, triangles: (1..5).map(|k| [0, k, k + 1]).collect() };
        let walls = walls_of(&mesh, &ClearanceTree::new(&mesh).unwrap(), depth);
        let at_fold: Vec<f64> = walls
            .vertices
            .chunks_exact(2)
            .filter(|pair| pair[0] == fold)
            .map(|pair| pair[1].norm())
            .collect();
        assert!(at_fold == [depth; 2], "{at_fold:?}");
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
