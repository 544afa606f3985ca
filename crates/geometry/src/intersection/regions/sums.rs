use carom_math::{Mat3, Vec3, orthonormal_basis};

use super::layout::{LaidSegment, Layout, OfRegion};
use super::plane::{Plane, PlaneFit, Shape, find_plane};
use super::result::{Overlap, Region};
use crate::intersection::Contours;
use crate::intersection::nodes::Posed;
use crate::near::simd::{Kernel, LANES};
use crate::near::{Placement, SimdLevel, cross, dot, minus};

/// Areas smaller than this share of the squared length of the contours are zero to rounding.
const LEAST_AREA: f64 = 1e-12;

/// Ends of segments and pieces, and planes of triangles, at the pose of a search.
#[derive(Clone, Debug, Default)]
pub(super) struct SumBuffers {
    spots: Vec<[f64; 3]>,
    planes: Vec<[f64; 4]>,
}

impl SumBuffers {
    /// Room for so many nodes.
    pub(super) fn with_capacity(nodes: usize) -> Self {
        Self { spots: Vec::with_capacity(4 * nodes), planes: Vec::with_capacity(2 * nodes) }
    }
}

/// Sums eight at a time: each lane runs over every eighth of what is summed, and lanes are added at the end in an order of their
/// own.
#[derive(Clone, Copy)]
struct Lanes([f64; LANES]);

impl Lanes {
    const ZERO: Self = Self([0.0; LANES]);

    #[inline(always)]
    fn total(self) -> f64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
}

/// Sums over the segments and pieces of a region, about its middle.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    length: f64,
    middle: [f64; 3],
    /// ∫ r rᵀ dl: xx, yy, zz, xy, yz, zx.
    covariance: [f64; 6],
    /// Normals of the triangles that meet, those of A less those of B, by length of their segments.
    facing: [f64; 3],
    area_vector: [f64; 3],
    moment: [f64; 3],
    /// Σ (a + b) (a × b)ᵀ/6, whose product with a normal is the first moment of the projected area.
    spread: [[f64; 3]; 3],
    volume: f64,
}

/// Runs over the segments and pieces of one region.
struct SumRegion<'a> {
    layout: &'a Layout,
    of: [OfRegion; 2],
    buffers: &'a SumBuffers,
}

/// Farthest nodes of a region along the plane's normal and its axes, as lowest and highest, and how far vertices reach.
struct FindExtents<'a> {
    layout: &'a Layout,
    of: [OfRegion; 2],
    spots: &'a [[f64; 3]],
    through: [f64; 3],
    /// Axes of the plane, and its normal.
    axes: [[f64; 3]; 3],
    /// A's frame in B's.
    placement: &'a Placement,
}

#[derive(Clone, Copy, Debug)]
struct Extents {
    low: [f64; 3],
    high: [f64; 3],
    /// Farthest points of A along the normal and of B against it (m).
    reach: [f64; 2],
}

/// Replaces `regions` by those of a layout at the points of the contours.
pub(super) fn sum_regions(
    (posed, back): (&Posed<'_>, &Placement),
    contours: &Contours,
    layout: &Layout,
    (fit, simd): (PlaneFit, SimdLevel),
    (buffers, regions): (&mut SumBuffers, &mut Vec<Region>),
) {
    layout.find_spots(posed, contours, &mut buffers.spots);
    layout.find_planes(posed, &mut buffers.planes);
    regions.clear();
    for of in layout.regions.windows(2) {
        let of = [of[0], of[1]];
        let mut sums = simd.run(SumRegion { layout, of, buffers });
        let middle = Vec3::from(sums.middle);
        sums.volume += of[0].whole[0].volume_about(back.take(sums.middle));
        sums.volume += of[0].whole[1].volume_about(sums.middle);
        let is_closed = of[0].open_chains == 0 && !of[0].leaks;
        let nodes = &layout.nodes[of[0].nodes as usize..of[1].nodes as usize];
        let products = (fit == PlaneFit::Pivot).then(|| products_of(nodes, &buffers.spots));
        let plane = find_plane(&sums.shape(is_closed, products));
        let (x, y) = orthonormal_basis(&plane.normal);
        let axes = [x, y, plane.normal].map(<[f64; 3]>::from);
        let through = plane.through.into();
        let spots = &buffers.spots;
        let placement = posed.placement;
        let extents = simd.run(FindExtents { layout, of, spots, through, axes, placement });
        regions.push(sums.region(&of[0], is_closed, (&plane, middle, &axes), &extents));
    }
}

/// AᵀA of the pivot form.
fn products_of(nodes: &[u32], spots: &[[f64; 3]]) -> [[f64; 4]; 4] {
    let mut products = [[0.0; 4]; 4];
    for &node in nodes {
        let [x, y, z] = spots[node as usize];
        let row = [x, y, z, 1.0];
        for (i, products) in products.iter_mut().enumerate() {
            for (product, x) in products.iter_mut().zip(row) {
                *product += row[i] * x;
            }
        }
    }
    products
}

impl Kernel for SumRegion<'_> {
    type Output = Sums;

    #[inline(always)]
    fn run(self) -> Sums {
        let [from, to] = self.of;
        let segments = &self.layout.segments[from.segments as usize..to.segments as usize];
        let pieces = &self.layout.pieces[from.pieces as usize..to.pieces as usize];
        let nodes = &self.layout.nodes[from.nodes as usize..to.nodes as usize];
        let (spots, planes) = (&self.buffers.spots, &self.buffers.planes);
        // About a node, which is near: no digits are lost far from the origin.
        let near = nodes.first().map_or([0.0; 3], |&node| spots[node as usize]);
        let (mut length, mut arm) = (Lanes::ZERO, [Lanes::ZERO; 3]);
        for eight in segments.chunks(LANES) {
            let [a, b] = ends_of(eight.iter().map(|segment| segment.ends), spots, near);
            for k in 0..LANES {
                let along = [0, 1, 2].map(|i| b[i][k] - a[i][k]);
                let own = dot(along, along).sqrt();
                length.0[k] += own;
                for i in 0..3 {
                    arm[i].0[k] += own * (0.5 * (a[i][k] + b[i][k]));
                }
            }
        }
        let mut sums = Sums { length: length.total(), ..Sums::default() };
        sums.middle = if sums.length > 0.0 {
            [0, 1, 2].map(|i| near[i] + arm[i].total() / sums.length)
        } else {
            mean_of(nodes, spots)
        };
        self.add_segments(segments, &mut sums);
        for piece in pieces {
            let [a, b] = piece.ends.map(|end| minus(spots[end as usize], sums.middle));
            let mut pull = [0.0; 3];
            for (plane, sign) in piece.planes.into_iter().zip(piece.signs) {
                let [x, y, z, height] = planes[plane as usize];
                let height = sign * (height - dot([x, y, z], sums.middle));
                pull = [pull[0] + height * x, pull[1] + height * y, pull[2] + height * z];
            }
            sums.volume += dot(pull, cross(a, b)) / 6.0;
        }
        sums
    }
}

impl SumRegion<'_> {
    /// ∫ r rᵀ dl, the area vector and its moments, and what segments add to the volume: the shares h n·(a × b)/6 of the two faces,
    /// of planes n·r = h, between them and the middle.
    #[inline(always)]
    fn add_segments(&self, segments: &[LaidSegment], sums: &mut Sums) {
        let middle = sums.middle;
        let mut covariance = [Lanes::ZERO; 6];
        let [mut facing, mut area, mut moment] = [[Lanes::ZERO; 3]; 3];
        let mut spread = [[Lanes::ZERO; 3]; 3];
        let mut volume = Lanes::ZERO;
        for eight in segments.chunks(LANES) {
            let [a, b] = ends_of(eight.iter().map(|segment| segment.ends), &self.buffers.spots, middle);
            let [p, q] = [0, 1].map(|side| {
                let mut planes = [[0.0; LANES]; 4];
                for (k, segment) in eight.iter().enumerate() {
                    let plane = self.buffers.planes[segment.planes[side] as usize];
                    (0..4).for_each(|i| planes[i][k] = plane[i]);
                }
                planes
            });
            for k in 0..LANES {
                let lane = |v: &[[f64; LANES]; 3]| [v[0][k], v[1][k], v[2][k]];
                let (a, b) = (lane(&a), lane(&b));
                let along = minus(b, a);
                let own = dot(along, along).sqrt();
                let sixth = own / 6.0;
                for (n, (i, j)) in [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)].into_iter().enumerate() {
                    let both = 2.0 * (a[i] * a[j] + b[i] * b[j]) + (a[i] * b[j] + b[i] * a[j]);
                    covariance[n].0[k] += sixth * both;
                }
                let turned = cross(a, b);
                let squares = (dot(a, a) + dot(a, b) + dot(b, b)) / 6.0;
                let normals = [0, 1].map(|side| {
                    let planes = if side == 0 { &p } else { &q };
                    let normal = [planes[0][k], planes[1][k], planes[2][k]];
                    (normal, planes[3][k] - dot(normal, middle))
                });
                let [(n, h), (m, g)] = normals;
                for i in 0..3 {
                    area[i].0[k] += 0.5 * turned[i];
                    moment[i].0[k] -= along[i] * squares;
                    facing[i].0[k] += own * (n[i] - m[i]);
                    for j in 0..3 {
                        spread[i][j].0[k] += (a[i] + b[i]) * turned[j] / 6.0;
                    }
                }
                volume.0[k] += (h * dot(n, turned) - g * dot(m, turned)) / 6.0;
            }
        }
        sums.covariance = covariance.map(Lanes::total);
        sums.facing = facing.map(Lanes::total);
        sums.area_vector = area.map(Lanes::total);
        sums.moment = moment.map(Lanes::total);
        sums.spread = spread.map(|row| row.map(Lanes::total));
        sums.volume = volume.total();
    }
}

/// Ends of up to eight segments about a point; lanes without one have two equal ends.
#[inline(always)]
fn ends_of(
    ends: impl Iterator<Item = [u32; 2]>,
    spots: &[[f64; 3]],
    about: [f64; 3],
) -> [[[f64; LANES]; 3]; 2] {
    let mut found = [[[0.0; LANES]; 3]; 2];
    for (k, ends) in ends.enumerate() {
        for (found, end) in found.iter_mut().zip(ends) {
            let arm = minus(spots[end as usize], about);
            (0..3).for_each(|i| found[i][k] = arm[i]);
        }
    }
    found
}

fn mean_of(nodes: &[u32], spots: &[[f64; 3]]) -> [f64; 3] {
    let sum = nodes.iter().map(|&node| Vec3::from(spots[node as usize])).sum::<Vec3>();
    (sum / nodes.len() as f64).into()
}

impl Kernel for FindExtents<'_> {
    type Output = Extents;

    #[inline(always)]
    fn run(self) -> Extents {
        let [from, to] = self.of;
        let (mut low, mut high) = ([[f64::INFINITY; LANES]; 3], [[f64::NEG_INFINITY; LANES]; 3]);
        for eight in self.layout.nodes[from.nodes as usize..to.nodes as usize].chunks(LANES) {
            let mut arms = [[0.0; LANES]; 3];
            for k in 0..LANES {
                let node = eight[if k < eight.len() { k } else { 0 }];
                let arm = minus(self.spots[node as usize], self.through);
                (0..3).for_each(|i| arms[i][k] = arm[i]);
            }
            for k in 0..LANES {
                for (i, axis) in self.axes.into_iter().enumerate() {
                    let along = dot(axis, [arms[0][k], arms[1][k], arms[2][k]]);
                    low[i][k] = if along < low[i][k] { along } else { low[i][k] };
                    high[i][k] = if along > high[i][k] { along } else { high[i][k] };
                }
            }
        }
        let least = |lanes: [f64; LANES]| lanes.into_iter().fold(f64::INFINITY, f64::min);
        let most = |lanes: [f64; LANES]| lanes.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = (low.map(least), high.map(most));
        // Distances from the plane in each surface's own frame: B's is the one that everything is in.
        let [_, _, normal] = self.axes;
        let turned = [0, 1, 2].map(|j| {
            let rows = self.placement.rows;
            normal[0] * rows[0][j] + normal[1] * rows[1][j] + normal[2] * rows[2][j]
        });
        let height = dot(normal, self.through);
        let planes = [(turned, height - dot(normal, self.placement.shift)), (normal.map(|x| -x), -height)];
        let mut reach = [high[2].max(0.0), (-low[2]).max(0.0)];
        for (side, (normal, height)) in planes.into_iter().enumerate() {
            let range = from.reaching[side] as usize..to.reaching[side] as usize;
            let mut farthest = [0.0; LANES];
            for block in &self.layout.reaching[side][range] {
                for k in 0..LANES {
                    let along = dot(normal, [block[0][k], block[1][k], block[2][k]]) - height;
                    farthest[k] = if along > farthest[k] { along } else { farthest[k] };
                }
            }
            reach[side] = reach[side].max(most(farthest));
        }
        Extents { low, high, reach }
    }
}

impl Sums {
    fn shape(&self, is_closed: bool, products: Option<[[f64; 4]; 4]>) -> Shape {
        let [xx, yy, zz, xy, yz, zx] = self.covariance;
        Shape {
            middle: self.middle.into(),
            covariance: Mat3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz),
            products,
            area_vector: if is_closed { self.area_vector.into() } else { Vec3::zeros() },
            facing: self.facing.into(),
        }
    }

    /// Centroid of the projected contours; the middle where they have no area, or areas that cancel out so that it would be
    /// outside of all.
    fn centroid(
        &self,
        area: f64,
        is_closed: bool,
        plane: &Plane,
        axes: &[[f64; 3]; 3],
        extents: &Extents,
    ) -> Vec3 {
        let [x, y, normal] = *axes;
        let first = self.spread.map(|row| dot(row, normal));
        let flat = [x, y].map(|axis| dot(axis, first) / area);
        let is_within = (0..2).all(|i| extents.low[i] <= flat[i] && flat[i] <= extents.high[i]);
        if !is_closed || area.abs() < LEAST_AREA * self.length * self.length || !is_within {
            return plane.through;
        }
        plane.through + flat[0] * Vec3::from(x) + flat[1] * Vec3::from(y)
    }

    fn region(
        &self,
        of: &OfRegion,
        is_closed: bool,
        (plane, middle, axes): (&Plane, Vec3, &[[f64; 3]; 3]),
        extents: &Extents,
    ) -> Region {
        let area_vector = Vec3::from(self.area_vector);
        let area = plane.normal.dot(&area_vector);
        let point = self.centroid(area, is_closed, plane, axes, extents);
        let overlap = is_closed.then(|| Overlap {
            area,
            area_vector,
            moment: Vec3::from(self.moment) - (point - middle).cross(&area_vector),
            volume: self.volume,
        });
        Region {
            point,
            normal: plane.normal,
            indentation: extents.reach[0] + extents.reach[1],
            length: self.length,
            definiteness: plane.definiteness,
            loops: of.loops,
            open_chains: of.open_chains,
            overlap,
        }
    }
}
