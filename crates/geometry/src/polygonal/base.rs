use carom_math::Vec3;

use crate::TriangleMesh;

use super::{BaseElement, Cell, Degenerate, SurfaceFault};
use crate::near::{
    BaseTree, KnownClusters, LeafWalk, Leaves, Line, Part, corners, make_element, whole_cells,
};

/// A triangle surface whose triangles, or what they are cut into, are contact elements.
#[derive(Clone, Debug)]
pub struct BaseSurface {
    elements: Elements,
    pub(super) tree: BaseTree,
    reach: f64,
    radius: f64,
    degenerate: Degenerate,
}

#[derive(Clone, Debug)]
enum Elements {
    /// By triangle of the mesh.
    Stored(Vec<BaseElement>),
    /// Made when asked for.
    Leaves(Leaves),
}

impl BaseSurface {
    /// Elements of every triangle that is not degenerate, with penetration lines of length `reach` (m). Elements are
    /// numbered as the triangles of the mesh.
    pub fn new(mesh: &TriangleMesh, reach: f64) -> Result<Self, SurfaceFault> {
        let (degenerate, radius) = examine(mesh, reach)?;
        let elements: Vec<_> = mesh.corners().map(make_element).collect();
        let line =
            |(element, e): (u32, &BaseElement)| Line { element, origin: e.barycentre, direction: -e.normal };
        let lines: Vec<Line> = (0..).zip(&elements).filter(|(_, e)| e.area > 0.0).map(line).collect();
        let tree = BaseTree::new(&lines, Vec::new(), reach);
        Ok(Self { elements: Elements::Stored(elements), tree, reach, radius, degenerate })
    }

    /// The same with each triangle bisected at the longest edge `depths` times, one number a triangle: its leaves are the
    /// elements. They are made when a target is near and not stored; memory stays that of the mesh. Elements are
    /// numbered triangle by triangle.
    pub fn refined(mesh: &TriangleMesh, depths: &[u8], reach: f64) -> Result<Self, SurfaceFault> {
        Self::graded(mesh, &whole_cells(mesh, depths), reach)
    }

    /// The same with triangles, or parts of them, that are bisected to different depths: the cells of the mesh by triangle and path.
    pub fn graded(mesh: &TriangleMesh, cells: &[Cell], reach: f64) -> Result<Self, SurfaceFault> {
        if cells.len() == mesh.triangles.len() && cells.iter().all(Cell::is_leaf) {
            return Self::new(mesh, reach);
        }
        let (degenerate, radius) = examine(mesh, reach)?;
        let leaves = Leaves::new(cells, mesh.triangles.len())?;
        let (parts, whole): (Vec<Part>, Vec<u32>) = leaves.parts(reach, radius);
        let line = |element: u32| {
            let e = leaves.element(element);
            Line { element, origin: e.barycentre, direction: -e.normal }
        };
        let lines: Vec<Line> = whole.into_iter().map(line).collect();
        let tree = BaseTree::new(&lines, parts, reach);
        Ok(Self { elements: Elements::Leaves(leaves), tree, reach, radius, degenerate })
    }

    /// An element by its number. Those of a refined base are made from the triangle down: where they have been listed,
    /// [`super::PenetrationSearch::element`] knows them already.
    #[inline]
    pub fn element(&self, element: u32) -> BaseElement {
        match &self.elements {
            Elements::Stored(elements) => elements[element as usize],
            Elements::Leaves(leaves) => leaves.element(element),
        }
    }

    /// An element that is a triangle, which is stored.
    #[inline]
    pub(super) fn stored(&self, element: u32) -> Option<&BaseElement> {
        match &self.elements {
            Elements::Stored(elements) => Some(&elements[element as usize]),
            Elements::Leaves(_) => None,
        }
    }

    /// All elements by number, if they are triangles, which are stored.
    #[inline]
    pub fn stored_elements(&self) -> Option<&[BaseElement]> {
        match &self.elements {
            Elements::Stored(elements) => Some(elements),
            Elements::Leaves(_) => None,
        }
    }

    /// Makes elements that are leaves one after the other, faster than one by one where their numbers are close.
    pub(super) fn leaf_walk<'a>(&'a self, known: &'a KnownClusters) -> Option<LeafWalk<'a>> {
        match &self.elements {
            Elements::Stored(_) => None,
            Elements::Leaves(leaves) => Some(LeafWalk::new(leaves, known)),
        }
    }

    /// All elements, by number.
    pub fn elements(&self) -> impl Iterator<Item = BaseElement> + '_ {
        (0..self.element_count() as u32).map(|element| self.element(element))
    }

    /// Number of elements, degenerate triangles included.
    pub fn element_count(&self) -> usize {
        match &self.elements {
            Elements::Stored(elements) => elements.len(),
            Elements::Leaves(leaves) => leaves.count(),
        }
    }

    /// Whether elements are leaves of triangles and not the triangles.
    #[inline]
    pub fn is_refined(&self) -> bool {
        matches!(self.elements, Elements::Leaves(_))
    }

    /// Tells of elements, asked for in ascending order, the triangles of the mesh that they are parts of.
    pub fn triangles_in_order(&self) -> impl FnMut(u32) -> u32 {
        let (mut triangle, mut end) = (0, 0);
        move |element| match &self.elements {
            Elements::Stored(_) => element,
            Elements::Leaves(leaves) => {
                if element >= end {
                    (triangle, end) = leaves.triangle_of(element);
                }
                triangle
            }
        }
    }

    /// The triangle of the mesh that an element is a part of, and its number among the elements of that triangle.
    pub fn place(&self, element: u32) -> (u32, u32) {
        match &self.elements {
            Elements::Stored(_) => (element, 0),
            Elements::Leaves(leaves) => leaves.place(element),
        }
    }

    /// Corners of an element (m); `mesh` is that which the base was made from.
    pub fn corners(&self, mesh: &TriangleMesh, element: u32) -> [Vec3; 3] {
        self.leaf_corners(element).unwrap_or_else(|| mesh.triangle(element))
    }

    /// Corners of an element of a refined base (m).
    pub(super) fn leaf_corners(&self, element: u32) -> Option<[Vec3; 3]> {
        match &self.elements {
            Elements::Stored(_) => None,
            Elements::Leaves(leaves) => Some(leaves.corners(element)),
        }
    }

    /// Length of the penetration lines (m).
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Centre and radius of a ball in the frame that holds all penetration lines (m).
    pub fn ball(&self) -> (Vec3, f64) {
        (self.tree.centre, self.tree.radius)
    }

    /// Distance of the farthest vertex from the frame's origin (m).
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Triangles left out.
    pub fn degenerate(&self) -> Degenerate {
        self.degenerate
    }
}

/// Degenerate triangles, and the distance of the farthest vertex (m).
fn examine(mesh: &TriangleMesh, reach: f64) -> Result<(Degenerate, f64), SurfaceFault> {
    if !(reach > 0.0 && reach <= corners::FARTHEST) {
        return Err(SurfaceFault::Reach { reach });
    }
    Ok((corners::examine(mesh)?, corners::farthest(mesh)))
}
