use carom_math::{Mat3, Vec3, orthonormal_basis};

use super::covered::Covered;
use super::groups::{Groups, Stretch};
use super::plane::{Plane, PlaneFit, Shape, find_plane};
use super::result::{Overlap, Region};
use crate::intersection::Contours;
use crate::intersection::contours::Segment;
use crate::intersection::flood::Inside;
use crate::intersection::nodes::{Posed, Side};

/// Areas smaller than this share of the squared length of the contours are zero to rounding.
const LEAST_AREA: f64 = 1e-12;

/// Sums of one region over its segments and over stretches of edges, about `middle`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sums {
    nodes: u32,
    node_sum: Vec3,
    length: f64,
    middle: Vec3,
    covariance: Mat3,
    products: [[f64; 4]; 4],
    facing: Vec3,
    area_vector: Vec3,
    /// About the middle.
    moment: Vec3,
    volume: f64,
    plane: Plane,
    /// In the plane.
    axes: [Vec3; 2],
    area: f64,
    /// Sum of first moments of the projected area, in the plane's axes about the middle (m³).
    area_moment: [f64; 2],
    /// Lowest and highest coordinates of the nodes along the plane's axes.
    low: [f64; 2],
    high: [f64; 2],
    /// Farthest points of A along the normal and of B against it (m).
    reach: [f64; 2],
    loops: u32,
    open_chains: u32,
    leaks: bool,
}

impl Sums {
    const NONE: Self = Self {
        nodes: 0,
        node_sum: Vec3::new(0.0, 0.0, 0.0),
        length: 0.0,
        middle: Vec3::new(0.0, 0.0, 0.0),
        covariance: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        products: [[0.0; 4]; 4],
        facing: Vec3::new(0.0, 0.0, 0.0),
        area_vector: Vec3::new(0.0, 0.0, 0.0),
        moment: Vec3::new(0.0, 0.0, 0.0),
        volume: 0.0,
        plane: Plane {
            normal: Vec3::new(0.0, 0.0, 0.0),
            through: Vec3::new(0.0, 0.0, 0.0),
            definiteness: 0.0,
        },
        axes: [Vec3::new(0.0, 0.0, 0.0); 2],
        area: 0.0,
        area_moment: [0.0; 2],
        low: [f64::INFINITY; 2],
        high: [f64::NEG_INFINITY; 2],
        reach: [0.0; 2],
        loops: 0,
        open_chains: 0,
        leaks: false,
    };
}

/// Replaces `regions`.
pub(super) fn sum_regions(
    posed: &Posed<'_>,
    contours: &Contours,
    (inside, groups, covered): (&[Inside; 2], &Groups, &Covered),
    fit: PlaneFit,
    (sums, regions): (&mut Vec<Sums>, &mut Vec<Region>),
) {
    sums.clear();
    sums.resize(groups.count(), Sums::NONE);
    count(contours, groups, sums, fit);
    find_middles(contours, groups, sums);
    for segment in contours.segments() {
        let sums = &mut sums[groups.region_of_node(segment.nodes[0]) as usize];
        sums.add_segment(posed, contours, segment);
    }
    for stretch in groups.stretches() {
        if let Some(region) = groups.region_of_stretch(stretch) {
            sums[region as usize].add_stretch(posed, covered, stretch);
        }
    }
    for (region, sums) in sums.iter_mut().enumerate() {
        for side in [Side::A, Side::B] {
            for &triangle in covered.triangles(region, side).iter().filter(|t| covered.is_whole(side, **t)) {
                sums.add_whole(posed, side, triangle);
            }
        }
    }
    for sums in &mut *sums {
        sums.plane = find_plane(&sums.shape(fit));
        sums.axes = orthonormal_basis(&sums.plane.normal).into();
    }
    find_extents(posed, contours, inside, groups, sums);
    regions.clear();
    regions.extend(sums.iter().map(Sums::region));
}

/// Nodes, contours and leaks.
fn count(contours: &Contours, groups: &Groups, sums: &mut [Sums], fit: PlaneFit) {
    for (index, node) in (0..).zip(contours.nodes()) {
        let sums = &mut sums[groups.region_of_node(index) as usize];
        sums.nodes += 1;
        sums.node_sum += node.point;
        if fit == PlaneFit::Pivot {
            let row = [node.point.x, node.point.y, node.point.z, 1.0];
            for (i, products) in sums.products.iter_mut().enumerate() {
                for (product, x) in products.iter_mut().zip(row) {
                    *product += row[i] * x;
                }
            }
        }
    }
    for nodes in contours.loops() {
        sums[groups.region_of_node(nodes[0]) as usize].loops += 1;
    }
    for nodes in contours.open_chains() {
        sums[groups.region_of_node(nodes[0]) as usize].open_chains += 1;
    }
    for region in groups.leaking() {
        sums[region as usize].leaks = true;
    }
}

/// Length-weighted middles; of contours without a length the mean of the nodes.
fn find_middles(contours: &Contours, groups: &Groups, sums: &mut [Sums]) {
    for sums in &mut *sums {
        sums.node_sum /= f64::from(sums.nodes);
    }
    for segment in contours.segments() {
        let sums = &mut sums[groups.region_of_node(segment.nodes[0]) as usize];
        let [a, b] = contours.ends(segment);
        let length = (b - a).norm();
        sums.length += length;
        // About the mean of the nodes, which is near: no digits are lost far from the origin.
        sums.middle += length * (0.5 * (a + b) - sums.node_sum);
    }
    for sums in sums {
        let offset = if sums.length > 0.0 { sums.middle / sums.length } else { Vec3::zeros() };
        sums.middle = sums.node_sum + offset;
    }
}

/// How far both surfaces reach beyond the plane, and the centroid of what is projected on it.
fn find_extents(
    posed: &Posed<'_>,
    contours: &Contours,
    inside: &[Inside; 2],
    groups: &Groups,
    sums: &mut [Sums],
) {
    for (index, node) in (0..).zip(contours.nodes()) {
        let sums = &mut sums[groups.region_of_node(index) as usize];
        let height = sums.plane.normal.dot(&(node.point - sums.plane.through));
        sums.reach = [sums.reach[0].max(height), sums.reach[1].max(-height)];
        let flat = sums.project(&node.point);
        for i in 0..2 {
            sums.low[i] = sums.low[i].min(flat[i]);
            sums.high[i] = sums.high[i].max(flat[i]);
        }
    }
    for (side, own) in [Side::A, Side::B].into_iter().zip(inside) {
        for (place, &vertex) in (0..).zip(own.vertices()) {
            let Some(region) = groups.region_of_vertex(side, place) else { continue };
            let sums = &mut sums[region as usize];
            let height = sums.plane.normal.dot(&(posed.vertex(side, vertex).1 - sums.plane.through));
            let reach = if side == Side::A { height } else { -height };
            sums.reach[side as usize] = sums.reach[side as usize].max(reach);
        }
    }
    for segment in contours.segments() {
        let sums = &mut sums[groups.region_of_node(segment.nodes[0]) as usize];
        let [a, b] = contours.ends(segment).map(|end| sums.project(&end));
        let twice = a[0] * b[1] - b[0] * a[1];
        sums.area += 0.5 * twice;
        for i in 0..2 {
            sums.area_moment[i] += (a[i] + b[i]) * twice / 6.0;
        }
    }
}

impl Sums {
    /// ∫ r rᵀ dl, the area vector and its moment of a segment, and what it adds to the volume: the shares h n·(a × b)/6 of the
    /// two faces, of planes n·r = h, between it and the middle.
    fn add_segment(&mut self, posed: &Posed<'_>, contours: &Contours, segment: &Segment) {
        let [a, b] = contours.ends(segment).map(|end| end - self.middle);
        let length = (b - a).norm();
        self.covariance += (length / 6.0)
            * (2.0 * a * a.transpose() + 2.0 * b * b.transpose() + a * b.transpose() + b * a.transpose());
        let cross = a.cross(&b);
        self.area_vector += 0.5 * cross;
        self.moment -= (b - a) * ((a.norm_squared() + a.dot(&b) + b.norm_squared()) / 6.0);
        for (side, sign) in [(Side::A, 1.0), (Side::B, -1.0)] {
            let (normal, height) = self.face(posed, side, segment.triangles[side as usize]);
            self.facing += sign * length * normal;
            self.volume += sign * height * normal.dot(&cross) / 6.0;
        }
    }

    /// The same of a stretch of an edge, for the faces beside it that are cut.
    fn add_stretch(&mut self, posed: &Posed<'_>, covered: &Covered, stretch: &Stretch) {
        let [a, b] = stretch.ends.map(|end| end - self.middle);
        let cross = a.cross(&b);
        let wings = posed.surface(stretch.side).wings(stretch.edge).iter();
        for wing in wings.filter(|wing| !covered.is_whole(stretch.side, wing.triangle)) {
            let sign = if wing.is_forward { 1.0 } else { -1.0 };
            let (normal, height) = self.face(posed, stretch.side, wing.triangle);
            self.volume += sign * height * normal.dot(&cross) / 6.0;
        }
    }

    /// The share a·(b × c)/6 of a triangle that is inside as a whole.
    fn add_whole(&mut self, posed: &Posed<'_>, side: Side, triangle: u32) {
        let [a, b, c] = posed.corners(side, triangle).map(|(_, corner)| corner - self.middle);
        self.volume += a.dot(&b.cross(&c)) / 6.0;
    }

    /// Normal n of a triangle and h of its plane n·r = h about the middle.
    fn face(&self, posed: &Posed<'_>, side: Side, triangle: u32) -> (Vec3, f64) {
        let (normal, offset) = posed.plane(side, triangle);
        (normal, offset - normal.dot(&self.middle))
    }

    fn is_closed(&self) -> bool {
        self.open_chains == 0 && !self.leaks
    }

    fn shape(&self, fit: PlaneFit) -> Shape {
        Shape {
            middle: self.middle,
            covariance: self.covariance,
            products: (fit == PlaneFit::Pivot).then_some(self.products),
            area_vector: if self.is_closed() { self.area_vector } else { Vec3::zeros() },
            facing: self.facing,
        }
    }

    /// Coordinates in the plane about the middle's foot.
    fn project(&self, point: &Vec3) -> [f64; 2] {
        let [x, y] = self.axes;
        let arm = point - self.plane.through;
        [x.dot(&arm), y.dot(&arm)]
    }

    /// Centroid of the projected contours; the middle where they have no area, or areas that cancel out so that it would be
    /// outside of all.
    fn centroid(&self) -> Vec3 {
        let flat = self.area_moment.map(|moment| moment / self.area);
        let is_within = (0..2).all(|i| self.low[i] <= flat[i] && flat[i] <= self.high[i]);
        if !self.is_closed() || self.area.abs() < LEAST_AREA * self.length * self.length || !is_within {
            return self.plane.through;
        }
        let [x, y] = self.axes;
        self.plane.through + flat[0] * x + flat[1] * y
    }

    fn region(&self) -> Region {
        let point = self.centroid();
        let overlap = self.is_closed().then(|| Overlap {
            area: self.area,
            area_vector: self.area_vector,
            moment: self.moment - (point - self.middle).cross(&self.area_vector),
            volume: self.volume,
        });
        Region {
            point,
            normal: self.plane.normal,
            indentation: self.reach[0] + self.reach[1],
            length: self.length,
            definiteness: self.plane.definiteness,
            loops: self.loops,
            open_chains: self.open_chains,
            overlap,
        }
    }
}
