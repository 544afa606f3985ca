use carom_math::Vec3;

use super::covered::Covered;
use super::groups::{Groups, Spot};
use crate::intersection::Contours;
use crate::intersection::flood::Inside;
use crate::intersection::nodes::{Posed, Side};
use crate::near::dot;
use crate::near::simd::LANES;

/// What the sums of the regions run over, laid out flat, region after region: it follows from which nodes there are and not from
/// where they are, and holds as long as these are the same.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) regions: Vec<OfRegion>,
    pub(super) nodes: Vec<u32>,
    pub(super) segments: Vec<LaidSegment>,
    pub(super) pieces: Vec<Piece>,
    /// Triangles that are cut, with the planes that segments and pieces name by their places here.
    cut: Vec<(Side, u32)>,
    /// Vertices at which pieces end; their places come after those of the nodes.
    corners: Vec<(Side, u32)>,
    /// Vertices that are inside, eight at a time, the last repeated, in their own frames.
    pub(super) reaching: [Vec<[[f64; LANES]; 3]>; 2],
    /// By triangle, and by vertex: search and place among the cut ones, and among the corners.
    places: [Places; 2],
    epoch: u64,
}

#[derive(Clone, Debug)]
struct Places {
    cut: Vec<(u64, u32)>,
    corner: Vec<(u64, u32)>,
}

/// Where the parts of a region are in the lists, from its own to the next one's.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfRegion {
    pub(super) nodes: u32,
    pub(super) segments: u32,
    pub(super) pieces: u32,
    pub(super) reaching: [u32; 2],
    pub(super) loops: u32,
    pub(super) open_chains: u32,
    pub(super) leaks: bool,
    pub(super) whole: [Whole; 2],
}

/// Triangles of one surface that are inside as a whole, in its own frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Whole {
    /// A vertex of one of them (m).
    pub(super) origin: [f64; 3],
    /// Σ a·(b × c)/6 about there (m³).
    pub(super) volume: f64,
    /// ½ Σ (b − a) × (c − a) (m²).
    pub(super) area: [f64; 3],
    is_begun: bool,
}

/// A segment with the places of its ends and of its triangles' planes.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaidSegment {
    region: u32,
    pub(super) ends: [u32; 2],
    pub(super) planes: [u32; 2],
}

/// A stretch of an edge that bounds what is inside of one or two triangles that are cut, with the places of its ends and of their
/// planes; signs are those of the direction in which they walk it, and zero for none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    region: u32,
    pub(super) ends: [u32; 2],
    pub(super) planes: [u32; 2],
    pub(super) signs: [f64; 2],
}

impl Layout {
    /// For surfaces with so many triangles and vertices, with room for so many nodes and regions.
    pub(super) fn new(triangles: [usize; 2], vertices: [usize; 2], nodes: usize, regions: usize) -> Self {
        let places =
            |side: usize| Places { cut: vec![(0, 0); triangles[side]], corner: vec![(0, 0); vertices[side]] };
        Self {
            regions: Vec::with_capacity(regions + 1),
            nodes: Vec::with_capacity(nodes),
            segments: Vec::with_capacity(nodes),
            pieces: Vec::with_capacity(3 * nodes),
            cut: Vec::with_capacity(2 * nodes),
            corners: Vec::with_capacity(4 * nodes),
            reaching: vertices.map(|count| Vec::with_capacity(count.div_ceil(LANES) + regions)),
            places: [places(0), places(1)],
            epoch: 0,
        }
    }

    /// Replaces everything, and says which triangles are covered.
    pub(super) fn make(
        &mut self,
        posed: &Posed<'_>,
        contours: &Contours,
        (inside, groups): (&[Inside; 2], &Groups),
        covered: &mut Covered,
    ) {
        self.epoch += 1;
        for list in [&mut self.cut, &mut self.corners] {
            list.clear();
        }
        self.pieces.clear();
        self.regions.clear();
        self.regions.resize(groups.count() + 1, OfRegion::default());
        covered.begin(groups.count());
        self.lay_nodes(contours, groups);
        self.lay_segments(contours, groups, covered);
        self.lay_stretches(posed, contours, groups);
        self.lay_whole_edges(posed, contours, (inside, groups), covered);
        self.lay_whole_triangles(posed, (inside, groups), covered);
        covered.list();
        self.lay_reaching(posed, inside, groups);
        self.sort(groups);
    }

    fn lay_nodes(&mut self, contours: &Contours, groups: &Groups) {
        self.nodes.clear();
        self.nodes.extend(0..contours.nodes().len() as u32);
        for nodes in contours.loops() {
            self.regions[groups.region_of_node(nodes[0]) as usize].loops += 1;
        }
        for nodes in contours.open_chains() {
            self.regions[groups.region_of_node(nodes[0]) as usize].open_chains += 1;
        }
        for region in groups.leaking() {
            self.regions[region as usize].leaks = true;
        }
    }

    fn lay_segments(&mut self, contours: &Contours, groups: &Groups, covered: &mut Covered) {
        self.segments.clear();
        for segment in contours.segments() {
            let region = groups.region_of_node(segment.nodes[0]);
            let planes = [Side::A, Side::B].map(|side| {
                let triangle = segment.triangles[side as usize];
                covered.cut(region, side, triangle);
                let place = &mut self.places[side as usize].cut[triangle as usize];
                if place.0 != self.epoch {
                    *place = (self.epoch, self.cut.len() as u32);
                    self.cut.push((side, triangle));
                }
                place.1
            });
            self.segments.push(LaidSegment { region, ends: segment.nodes, planes });
        }
    }

    /// Both triangles at a node are cut, and so are those at an edge with one.
    fn lay_stretches(&mut self, posed: &Posed<'_>, contours: &Contours, groups: &Groups) {
        let nodes = contours.nodes().len() as u32;
        for stretch in groups.stretches() {
            let Some(region) = groups.region_of_stretch(stretch) else { continue };
            let side = stretch.side;
            let ends = stretch.ends.map(|spot| match spot {
                Spot::Node(node) => node,
                Spot::Vertex(vertex) => nodes + self.corner(side, vertex),
            });
            for wings in posed.surface(side).wings(stretch.edge).chunks(2) {
                let (mut planes, mut signs) = ([0; 2], [0.0; 2]);
                for (k, wing) in wings.iter().enumerate() {
                    planes[k] = self.places[side as usize].cut[wing.triangle as usize].1;
                    signs[k] = if wing.is_forward { 1.0 } else { -1.0 };
                }
                self.pieces.push(Piece { region, ends, planes, signs });
            }
        }
    }

    /// Edges without a node of triangles that are cut. What has one corner inside has none of them inside.
    fn lay_whole_edges(
        &mut self,
        posed: &Posed<'_>,
        contours: &Contours,
        (inside, groups): (&[Inside; 2], &Groups),
        covered: &mut Covered,
    ) {
        let nodes = contours.nodes().len() as u32;
        for place in 0..self.cut.len() {
            let (side, triangle) = self.cut[place];
            let own = &inside[side as usize];
            let corners = posed.surface(side).triangles[triangle as usize];
            let is_inside = corners.map(|vertex| own.is_inside(vertex));
            if is_inside.iter().filter(|is_inside| **is_inside).count() < 2 {
                continue;
            }
            let edges = posed.surface(side).triangle_edges[triangle as usize];
            for k in 0..3 {
                let ends = [k, (k + 1) % 3];
                if ends.iter().any(|&end| !is_inside[end]) || own.is_pierced(edges[k]) {
                    continue;
                }
                let component = own.component(corners[k]);
                let Some(region) = groups.region_of_component(side, component) else { continue };
                covered.cover(region, side, triangle);
                let ends = ends.map(|end| nodes + self.corner(side, corners[end]));
                self.pieces.push(Piece { region, ends, planes: [place as u32, 0], signs: [1.0, 0.0] });
            }
        }
    }

    /// A triangle without a segment is inside if a corner is.
    fn lay_whole_triangles(
        &mut self,
        posed: &Posed<'_>,
        (inside, groups): (&[Inside; 2], &Groups),
        covered: &mut Covered,
    ) {
        for (side, own) in [Side::A, Side::B].into_iter().zip(inside) {
            let surface = posed.surface(side);
            for component in 0..own.components() {
                let Some(region) = groups.region_of_component(side, component as u32) else { continue };
                let whole = &mut self.regions[region as usize].whole[side as usize];
                for &vertex in own.vertices(component) {
                    for &triangle in surface.fan(vertex) {
                        if !covered.is_whole(side, triangle) {
                            continue;
                        }
                        covered.cover(region, side, triangle);
                        whole.add(surface.triangles[triangle as usize].map(|v| surface.vertices[v as usize]));
                    }
                }
            }
        }
    }

    /// Vertices that are inside, region after region.
    fn lay_reaching(&mut self, posed: &Posed<'_>, inside: &[Inside; 2], groups: &Groups) {
        for (side, own) in [Side::A, Side::B].into_iter().zip(inside) {
            let surface = posed.surface(side);
            let list = &mut self.reaching[side as usize];
            list.clear();
            for region in 0..groups.count() {
                self.regions[region].reaching[side as usize] = list.len() as u32;
                let is_own = |c: &usize| groups.region_of_component(side, *c as u32) == Some(region as u32);
                let mut lane = LANES;
                for component in (0..own.components()).filter(is_own) {
                    for &vertex in own.vertices(component) {
                        let point = surface.vertices[vertex as usize];
                        if lane == LANES {
                            list.push([0, 1, 2].map(|i| [point[i]; LANES]));
                            lane = 0;
                        }
                        if let Some(last) = list.last_mut() {
                            (0..3).for_each(|i| last[i][lane] = point[i]);
                        }
                        lane += 1;
                    }
                }
            }
            self.regions[groups.count()].reaching[side as usize] = list.len() as u32;
        }
    }

    /// Puts what is of one region together, and notes where that is.
    fn sort(&mut self, groups: &Groups) {
        if groups.count() > 1 {
            self.nodes.sort_unstable_by_key(|&node| (groups.region_of_node(node), node));
            self.segments.sort_unstable_by_key(|segment| (segment.region, segment.ends));
            self.pieces.sort_unstable_by_key(|piece| (piece.region, piece.ends, piece.planes));
        }
        for (index, region) in self.regions.iter_mut().enumerate() {
            let begin = |is_before: usize| is_before as u32;
            region.nodes =
                begin(self.nodes.partition_point(|&n| (groups.region_of_node(n) as usize) < index));
            region.segments = begin(self.segments.partition_point(|s| (s.region as usize) < index));
            region.pieces = begin(self.pieces.partition_point(|p| (p.region as usize) < index));
        }
    }

    fn corner(&mut self, side: Side, vertex: u32) -> u32 {
        let place = &mut self.places[side as usize].corner[vertex as usize];
        if place.0 != self.epoch {
            *place = (self.epoch, self.corners.len() as u32);
            self.corners.push((side, vertex));
        }
        place.1
    }

    /// Where all ends of segments and pieces are, in B's frame (m).
    pub(super) fn find_spots(&self, posed: &Posed<'_>, contours: &Contours, spots: &mut Vec<[f64; 3]>) {
        spots.clear();
        spots.extend(contours.nodes().iter().map(|node| <[f64; 3]>::from(node.point)));
        spots.extend(
            self.corners.iter().map(|&(side, vertex)| <[f64; 3]>::from(posed.vertex(side, vertex).1)),
        );
    }

    /// Planes n·x = h of the triangles that are cut, in B's frame: n and h.
    pub(super) fn find_planes(&self, posed: &Posed<'_>, planes: &mut Vec<[f64; 4]>) {
        planes.clear();
        planes.extend(self.cut.iter().map(|&(side, triangle)| {
            let (normal, height) = posed.plane(side, triangle);
            [normal.x, normal.y, normal.z, height]
        }));
    }
}

impl Whole {
    fn add(&mut self, corners: [Vec3; 3]) {
        if !self.is_begun {
            (self.origin, self.is_begun) = (corners[0].into(), true);
        }
        let [a, b, c] = corners.map(|corner| corner - Vec3::from(self.origin));
        self.volume += a.dot(&b.cross(&c)) / 6.0;
        let twice = (b - a).cross(&(c - a));
        for i in 0..3 {
            self.area[i] += 0.5 * twice[i];
        }
    }

    /// The volume about a point of the same frame (m³): Σ (a − d)·((b − d) × (c − d))/6 with the point's arm d.
    pub(super) fn volume_about(&self, point: [f64; 3]) -> f64 {
        let arm = [0, 1, 2].map(|i| point[i] - self.origin[i]);
        self.volume - dot(arm, self.area) / 3.0
    }
}
