use carom_math::Pose;

use super::covered::Covered;
use super::groups::Groups;
use super::plane::PlaneFit;
use super::result::{Contained, Region, RegionFault};
use super::sums::{Sums, sum_regions};
use crate::TriangleMesh;
use crate::intersection::candidates::Candidates;
use crate::intersection::flood::Inside;
use crate::intersection::nodes::{Placed, Posed};
use crate::intersection::{Contours, MeshSurface, Side};
use crate::near::{Placement, visit_count};

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
    sums: Vec<Sums>,
    regions: Vec<Region>,
    contained: Vec<Contained>,
    placed: Placed,
    covered: Covered,
    fit: PlaneFit,
    counters: RegionCounters,
}

impl RegionSearch {
    /// Workspace for these two surfaces; it must not be used with others.
    pub fn new(a: &MeshSurface, b: &MeshSurface) -> Self {
        let edges = [a.edges.len(), b.edges.len()];
        let nodes = (edges[0] + edges[1]).min(MOST_ROOM);
        Self {
            candidates: Candidates::new(a, b, nodes),
            contours: Contours::with_capacity(nodes, a.triangles.len()),
            inside: [Inside::new(Side::A, a), Inside::new(Side::B, b)],
            groups: Groups::new(edges, a.vertices.len() + b.vertices.len(), nodes),
            sums: Vec::with_capacity(REGIONS_WITH_ROOM),
            regions: Vec::with_capacity(REGIONS_WITH_ROOM),
            contained: Vec::with_capacity(a.parts.len() + b.parts.len()),
            placed: Placed::new(a),
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
        let posed = Posed { a, b, placement: &placement, placed: None };
        self.counters.searches += 1;
        self.contained.clear();
        self.placed.begin();
        match self.candidates.find(&posed, &back, &mut self.counters) {
            Some(pairs) => {
                keep_listed(&mut self.placed, &posed, pairs);
                self.contours.find(&Posed { placed: Some(&self.placed), ..posed }, pairs)?;
            }
            None => self.contours.clear(),
        }
        for (side, inside) in [Side::A, Side::B].into_iter().zip(&mut self.inside) {
            let posed = Posed { placed: Some(&self.placed), ..posed };
            inside.begin(&posed, &self.contours);
            inside.spread(&posed);
            self.contained.extend(inside.contained().iter().map(|&vertex| Contained {
                side,
                vertex,
                volume: posed.surface(side).part_volume(vertex),
            }));
        }
        for &vertex in self.inside[0].vertices() {
            self.placed.keep(a, &placement, vertex);
        }
        let posed = Posed { placed: Some(&self.placed), ..posed };
        self.groups.find(&posed, &self.contours, &self.inside);
        self.covered.find(&posed, &self.contours, &self.groups);
        let results = (&mut self.sums, &mut self.regions);
        let parts = (&self.inside, &self.groups, &self.covered);
        sum_regions(&posed, &self.contours, parts, self.fit, results);
        Ok(())
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

/// Moves the vertices of A that the pairs of a list ask for.
fn keep_listed(placed: &mut Placed, posed: &Posed<'_>, [of_a, of_b]: [&[u64]; 2]) {
    let a = posed.a;
    for pairs in of_a.chunk_by(|x, y| x >> 32 == y >> 32) {
        let edge = (pairs[0] >> 32) as usize;
        a.edges[edge].ends.iter().for_each(|&v| placed.keep(a, posed.placement, v));
    }
    for pair in of_b {
        let triangle = *pair as u32 as usize;
        a.triangles[triangle].iter().for_each(|&v| placed.keep(a, posed.placement, v));
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
