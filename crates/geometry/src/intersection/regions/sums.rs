use carom_math::{Mat3, Vec3, orthonormal_basis};

use super::extents::{Extents, FindExtents};
use super::layout::{LaidSegment, Layout, OfRegion};
use super::plane::{Plane, PlaneFit, Shape, find_plane};
use super::result::{Overlap, Region};
use crate::intersection::Contours;
use crate::intersection::nodes::Posed;
use crate::near::simd::{Kernel, LANES, lane};
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

    // Without closures, which would be compiled for the build's target only.
    #[inline(always)]
    fn run(self) -> Sums {
        let [from, to] = self.of;
        let segments = &self.layout.segments[from.segments as usize..to.segments as usize];
        let pieces = &self.layout.pieces[from.pieces as usize..to.pieces as usize];
        let nodes = &self.layout.nodes[from.nodes as usize..to.nodes as usize];
        let mut sums = Sums::default();
        self.add_lengths(segments, nodes, &mut sums);
        self.add_segments(segments, &mut sums);
        for piece in pieces {
            let a = minus(self.buffers.spots[piece.ends[0] as usize], sums.middle);
            let b = minus(self.buffers.spots[piece.ends[1] as usize], sums.middle);
            let p = self.pull(piece.planes[0], piece.signs[0], sums.middle);
            let q = self.pull(piece.planes[1], piece.signs[1], sums.middle);
            sums.volume += dot([p[0] + q[0], p[1] + q[1], p[2] + q[2]], cross(a, b)) / 6.0;
        }
        sums
    }
}

impl SumRegion<'_> {
    /// Length and middle; of contours without a length the mean of the nodes.
    #[inline(always)]
    fn add_lengths(&self, segments: &[LaidSegment], nodes: &[u32], sums: &mut Sums) {
        // About a node, which is near: no digits are lost far from the origin.
        let near = match nodes.first() {
            Some(&node) => self.buffers.spots[node as usize],
            None => return,
        };
        let (mut length, mut arm) = ([0.0; LANES], [[0.0; LANES]; 3]);
        for eight in segments.chunks(LANES) {
            let (a, b) = self.ends_of(eight, near);
            for k in 0..LANES {
                let (a, b) = (lane(&a, k), lane(&b, k));
                let along = minus(b, a);
                let own = dot(along, along).sqrt();
                length[k] += own;
                for i in 0..3 {
                    arm[i][k] += own * (0.5 * (a[i] + b[i]));
                }
            }
        }
        sums.length = total(length);
        sums.middle = mean_of(nodes, &self.buffers.spots);
        if sums.length > 0.0 {
            for i in 0..3 {
                sums.middle[i] = near[i] + total(arm[i]) / sums.length;
            }
        }
    }

    /// ∫ r rᵀ dl, the area vector and its moments, and what segments add to the volume: the shares h n·(a × b)/6 of the two faces,
    /// of planes n·r = h, between them and the middle.
    #[inline(always)]
    fn add_segments(&self, segments: &[LaidSegment], sums: &mut Sums) {
        let middle = sums.middle;
        let mut covariance = [[0.0; LANES]; 6];
        let (mut facing, mut area, mut moment) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        let mut spread = [[[0.0; LANES]; 3]; 3];
        let mut volume = [0.0; LANES];
        for eight in segments.chunks(LANES) {
            let (a, b) = self.ends_of(eight, middle);
            let (n, h) = self.faces_of(eight, 0);
            let (m, g) = self.faces_of(eight, 1);
            for k in 0..LANES {
                let (a, b, n, m) = (lane(&a, k), lane(&b, k), lane(&n, k), lane(&m, k));
                let along = minus(b, a);
                let own = dot(along, along).sqrt();
                let sixth = own / 6.0;
                for i in 0..3 {
                    let j = (i + 1) % 3;
                    let square = 2.0 * (a[i] * a[i] + b[i] * b[i] + a[i] * b[i]);
                    let product = 2.0 * (a[i] * a[j] + b[i] * b[j]) + (a[i] * b[j] + b[i] * a[j]);
                    covariance[i][k] += sixth * square;
                    covariance[3 + i][k] += sixth * product;
                }
                let turned = cross(a, b);
                let squares = (dot(a, a) + dot(a, b) + dot(b, b)) / 6.0;
                for i in 0..3 {
                    area[i][k] += 0.5 * turned[i];
                    moment[i][k] -= along[i] * squares;
                    facing[i][k] += own * (n[i] - m[i]);
                    let both = (a[i] + b[i]) / 6.0;
                    spread[i][0][k] += both * turned[0];
                    spread[i][1][k] += both * turned[1];
                    spread[i][2][k] += both * turned[2];
                }
                let of_a = (h[k] - dot(n, middle)) * dot(n, turned);
                let of_b = (g[k] - dot(m, middle)) * dot(m, turned);
                volume[k] += (of_a - of_b) / 6.0;
            }
        }
        for i in 0..3 {
            sums.covariance[i] = total(covariance[i]);
            sums.covariance[3 + i] = total(covariance[3 + i]);
            sums.facing[i] = total(facing[i]);
            sums.area_vector[i] = total(area[i]);
            sums.moment[i] = total(moment[i]);
            for j in 0..3 {
                sums.spread[i][j] = total(spread[i][j]);
            }
        }
        sums.volume = total(volume);
    }

    /// Ends of up to eight segments about a point; lanes without one have two equal ends.
    #[inline(always)]
    fn ends_of(&self, eight: &[LaidSegment], about: [f64; 3]) -> ([[f64; LANES]; 3], [[f64; LANES]; 3]) {
        let (mut a, mut b) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for (k, segment) in eight.iter().enumerate() {
            let from = &self.buffers.spots[segment.ends[0] as usize];
            let to = &self.buffers.spots[segment.ends[1] as usize];
            for i in 0..3 {
                a[i][k] = from[i] - about[i];
                b[i][k] = to[i] - about[i];
            }
        }
        (a, b)
    }

    /// Planes n·x = h of one side's triangles of up to eight segments.
    #[inline(always)]
    fn faces_of(&self, eight: &[LaidSegment], side: usize) -> ([[f64; LANES]; 3], [f64; LANES]) {
        let (mut normal, mut height) = ([[0.0; LANES]; 3], [0.0; LANES]);
        for (k, segment) in eight.iter().enumerate() {
            let plane = &self.buffers.planes[segment.planes[side] as usize];
            for i in 0..3 {
                normal[i][k] = plane[i];
            }
            height[k] = plane[3];
        }
        (normal, height)
    }

    /// Normal of a plane times its height about a point.
    #[inline(always)]
    fn pull(&self, plane: u32, sign: f64, about: [f64; 3]) -> [f64; 3] {
        let [x, y, z, height] = self.buffers.planes[plane as usize];
        let height = sign * (height - dot([x, y, z], about));
        [height * x, height * y, height * z]
    }
}

/// Each lane runs over every eighth of what is summed; lanes are added in an order of their own.
#[inline(always)]
fn total([a, b, c, d, e, f, g, h]: [f64; LANES]) -> f64 {
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

fn mean_of(nodes: &[u32], spots: &[[f64; 3]]) -> [f64; 3] {
    let sum = nodes.iter().map(|&node| Vec3::from(spots[node as usize])).sum::<Vec3>();
    (sum / nodes.len() as f64).into()
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
