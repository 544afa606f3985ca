use carom_math::Pose;

use super::covered::Covered;
use super::groups::Groups;
use super::layout::Layout;
use super::plane::PlaneFit;
use super::result::{Contained, Region, RegionFault};
use super::sums::{SumBuffers, sum_regions};
use crate::TriangleMesh;
use crate::intersection::candidates::Candidates;
use crate::intersection::flood::Inside;
use crate::intersection::meeting::{MeetAll, MeetingBlock};
use crate::intersection::nodes::Posed;
use crate::intersection::{Contours, MeshSurface, Side};
use crate::near::{Placement, SimdLevel, visit_count};

/// Room for more nodes than this is made when it is needed. Memory that is never written costs nothing.
const MOST_ROOM: usize = 1 << 12;

/// Regions that there is room for from the start.
const REGIONS_WITH_ROOM: usize = 64;

/// What searches for regions have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionCounters {
    /// Searches.
    pub searches: u64,
    /// Searches for which lists of pairs were made.
    pub rebuilds: u64,
    /// Tests of a box against a box.
    pub box_tests: u64,
    /// Tests of an edge against a triangle by distances.
    pub edge_tests: u64,
    /// Tests of an edge against a triangle by exact signs.
    pub exact_tests: u64,
}

/// What can be kept of the last search as long as there are the same nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    /// Which parts are inside, since contours say so.
    OfNodes,
    /// The same as long as the list of pairs is that with this number.
    OfList(u64),
}

/// Searches the regions of one pair of surfaces at one pose after the other. What it remembers makes it fast and never shows
/// in its answers; once its buffers have grown it allocates nothing.
///
/// ```
/// use carom_geometry::intersection::{MeshSurface, RegionSearch, Side};
/// use carom_geometry::surface::{Resolution, block, sphere};
/// use carom_math::{Pose, Vec3};
///
/// let ball = MeshSurface::new(&sphere(0.1, Resolution::Facets(20_000))?)?;
/// let plate = MeshSurface::new(&block(Vec3::new(0.5, 0.5, 0.05), Resolution::Divisions(1))?)?;
/// let mut search = RegionSearch::new(&ball, &plate);
/// // The ball's lowest point is h = 10 mm in the plate: a cap of the volume π h² (R − h/3).
/// let (radius, h) = (0.1, 0.01);
/// let x_ba = Pose::from_translation(Vec3::z() * (0.05 + radius - h));
/// search.find(&ball, &plate, &x_ba)?;
/// let [region] = search.regions() else { panic!("one region") };
/// let overlap = region.overlap.ok_or("both are closed")?;
/// let cap = std::f64::consts::PI * h * h * (radius - h / 3.0);
/// assert!((overlap.volume / cap - 1.0).abs() < 0.01);
/// assert!((region.indentation / h - 1.0).abs() < 0.01);
/// // From the ball to the plate.
/// assert!(region.normal.z < -0.999);
/// assert!(!search.triangles(0, Side::A).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RegionSearch {
    candidates: Candidates,
    contours: Contours,
    inside: [Inside; 2],
    groups: Groups,
    layout: Layout,
    known: Known,
    meetings: [Vec<MeetingBlock>; 2],
    simd: SimdLevel,
    sums: SumBuffers,
    regions: Vec<Region>,
    contained: Vec<Contained>,
    covered: Covered,
    fit: PlaneFit,
    counters: RegionCounters,
}

impl RegionSearch {
    /// Workspace for these two surfaces; it must not be used with others.
    pub fn new(a: &MeshSurface, b: &MeshSurface) -> Self {
        let edges = [a.edges.len(), b.edges.len()];
        let nodes = (edges[0] + edges[1]).min(MOST_ROOM);
        let triangles = [a.triangles.len(), b.triangles.len()];
        let vertices = [a.vertices.len(), b.vertices.len()];
        Self {
            candidates: Candidates::new(a, b, nodes),
            contours: Contours::with_capacity(nodes, a.triangles.len()),
            inside: [Inside::new(Side::A, a), Inside::new(Side::B, b)],
            groups: Groups::new(edges, vertices[0] + vertices[1], nodes),
            layout: Layout::new(triangles, vertices, nodes, REGIONS_WITH_ROOM),
            known: Known::Nothing,
            meetings: [(); 2].map(|()| Vec::with_capacity(nodes)),
            simd: SimdLevel::detect(),
            sums: SumBuffers::with_capacity(nodes),
            regions: Vec::with_capacity(REGIONS_WITH_ROOM),
            contained: Vec::with_capacity(a.parts.len() + b.parts.len()),
            covered: Covered::new(a, b, 2 * REGIONS_WITH_ROOM),
            fit: PlaneFit::default(),
            counters: RegionCounters::default(),
        }
    }

    /// The same with planes laid another way.
    pub fn with_plane(self, fit: PlaneFit) -> Self {
        Self { fit, ..self }
    }

    /// Finds the regions at `x_ba`, the pose of A's frame in B's. Its rotation must be one to rounding.
    ///
    /// # Errors
    /// [`RegionFault::Pose`] if a number of the pose is not finite.
    pub fn find(&mut self, a: &MeshSurface, b: &MeshSurface, x_ba: &Pose) -> Result<(), RegionFault> {
        let placement = Placement::checked(x_ba).map_err(RegionFault::Pose)?;
        let back = Placement::checked(&x_ba.inverse()).map_err(RegionFault::Pose)?;
        let posed = Posed { a, b, placement: &placement };
        self.counters.searches += 1;
        let known = std::mem::replace(&mut self.known, Known::Nothing);
        let listed = self.candidates.find(&posed, &back, &mut self.counters);
        let Some(listed) = listed else {
            self.contours.clear();
            self.find_parts(&posed);
            self.regions.clear();
            return Ok(());
        };
        for (side, meetings) in [Side::A, Side::B].into_iter().zip(&mut self.meetings) {
            let blocks = listed.blocks[side as usize];
            self.simd.run(MeetAll { side, blocks, placement: &placement, meetings });
        }
        let has_changed = self.contours.find_listed(&posed, &listed, &self.meetings)?;
        let list = listed.number;
        let is_known = !has_changed && (known == Known::OfNodes || known == Known::OfList(list));
        if is_known && self.groups.is_kept(&posed, &self.contours) {
            self.known = known;
        } else {
            self.find_parts(&posed);
            self.known = self.what_is_known(&posed, list);
        }
        let buffers = (&mut self.sums, &mut self.regions);
        sum_regions((&posed, &back), &self.contours, &self.layout, (self.fit, self.simd), buffers);
        Ok(())
    }

    /// What hangs together, from the nodes.
    fn find_parts(&mut self, posed: &Posed<'_>) {
        self.contained.clear();
        for (side, inside) in [Side::A, Side::B].into_iter().zip(&mut self.inside) {
            inside.begin(posed, &self.contours);
            inside.spread(posed);
            self.contained.extend(inside.contained().iter().map(|&vertex| Contained {
                side,
                vertex,
                volume: posed.surface(side).part_volume(vertex),
            }));
        }
        self.groups.find(posed, &self.contours, &self.inside);
        self.layout.make(posed, &self.contours, (&self.inside, &self.groups), &mut self.covered);
    }

    /// A vertex with an edge that can meet nothing stays on its side, and so does a part that it is asked for.
    fn what_is_known(&self, posed: &Posed<'_>, list: u64) -> Known {
        let mut known = Known::OfNodes;
        for (side, inside) in [Side::A, Side::B].into_iter().zip(&self.inside) {
            for &vertex in inside.asked() {
                let edges = posed.surface(side).edges_at(vertex);
                if edges.iter().all(|spoke| self.candidates.is_listed(side, spoke.edge)) {
                    return Known::Nothing;
                }
                known = Known::OfList(list);
            }
        }
        known
    }

    /// Regions of the last search, in B's frame, in the order of their first nodes.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Parts of one surface inside the other without a contour, in the last search.
    pub fn contained(&self) -> &[Contained] {
        &self.contained
    }

    /// Contours of the last search.
    pub fn contours(&self) -> &Contours {
        &self.contours
    }

    /// Region of a node of the last search's contours.
    pub fn region_of_node(&self, node: u32) -> usize {
        self.groups.region_of_node(node) as usize
    }

    /// Triangles of a side that a region covers, wholly or in part, ascending.
    pub fn triangles(&self, region: usize, side: Side) -> &[u32] {
        self.covered.triangles(region, side)
    }

    /// What all searches so far have cost.
    pub fn counters(&self) -> RegionCounters {
        self.counters
    }

    /// Visits all numbers that what later searches cost depends on, counters included; answers depend on none of them. After a visit
    /// that has changed them [`Self::restore_lists`] makes the lists that belong to them.
    pub fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        self.candidates.visit_numbers(visit);
        let RegionCounters { searches, rebuilds, box_tests, edge_tests, exact_tests } = &mut self.counters;
        for count in [searches, rebuilds, box_tests, edge_tests, exact_tests] {
            visit_count(count, visit);
        }
    }

    /// Makes the lists of the search whose numbers were visited, pair by pair, without counting. False if a list cannot have been
    /// made there.
    #[must_use]
    pub fn restore_lists(&mut self, a: &MeshSurface, b: &MeshSurface) -> bool {
        self.candidates.restore_lists(a, b)
    }
}

/// Regions of two meshes, for who has them at one pose and no run.
#[derive(Clone, Debug)]
pub struct Regions {
    /// In the world's axes.
    pub regions: Vec<Region>,
    /// Parts of one mesh inside the other without a contour.
    pub contained: Vec<Contained>,
    /// Nodes, pairs of triangles that cut each other with their segments, closed contours and open ones; in B's frame.
    pub contours: Contours,
    /// Edges with more than two triangles, of A and of B.
    pub non_manifold_edges: [usize; 2],
}

/// Regions in which two meshes overlap at poses in the world. Who asks at many poses keeps a [`RegionSearch`].
///
/// # Errors
/// [`RegionFault`], for meshes that are no surface and poses that are not finite.
///
/// ```
/// use carom_geometry::intersection::find_regions;
/// use carom_geometry::surface::{Resolution, block};
/// use carom_math::{Pose, Vec3};
///
/// let cube = block(Vec3::repeat(0.5), Resolution::Divisions(1))?;
/// let x_wb = Pose::from_translation(Vec3::new(0.5, 0.25, 0.9));
/// let found = find_regions(&cube, &Pose::identity(), &cube, &x_wb)?;
/// // 0.5 m by 0.75 m by 0.1 m.
/// let overlap = found.regions[0].overlap.ok_or("cubes are closed")?;
/// assert!((overlap.volume - 0.0375).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn find_regions(
    a: &TriangleMesh,
    x_wa: &Pose,
    b: &TriangleMesh,
    x_wb: &Pose,
) -> Result<Regions, RegionFault> {
    let a = MeshSurface::new(a).map_err(|fault| RegionFault::Mesh(Side::A, fault))?;
    let b = MeshSurface::new(b).map_err(|fault| RegionFault::Mesh(Side::B, fault))?;
    let mut search = RegionSearch::new(&a, &b);
    search.find(&a, &b, &x_wb.inverse().compose(x_wa))?;
    Ok(Regions {
        regions: search.regions.iter().map(|region| region.placed(x_wb)).collect(),
        contained: search.contained,
        contours: search.contours,
        non_manifold_edges: [&a, &b].map(|surface| surface.topology().non_manifold.count),
    })
}
