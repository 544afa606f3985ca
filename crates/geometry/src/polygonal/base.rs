use carom_math::Vec3;

use crate::TriangleMesh;

use super::tree::{BaseTree, Line};
use super::{Degenerate, SurfaceFault, corners};

/// A contact element: a triangle of the base, in the base's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaseElement {
    /// Centroid (m), where the penetration line starts.
    pub barycentre: Vec3,
    /// Outward unit normal; the penetration line runs against it.
    pub normal: Vec3,
    /// Area (m²), 0 if the triangle is degenerate and no element.
    pub area: f64,
}

/// A triangle surface whose triangles are contact elements.
#[derive(Clone, Debug)]
pub struct BaseSurface {
    elements: Vec<BaseElement>,
    pub(super) tree: BaseTree,
    reach: f64,
    radius: f64,
    degenerate: Degenerate,
}

impl BaseSurface {
    /// Elements of every triangle that is not degenerate, with penetration lines of length `reach` (m). Elements are
    /// numbered as the triangles of the mesh.
    pub fn new(mesh: &TriangleMesh, reach: f64) -> Result<Self, SurfaceFault> {
        if !(reach > 0.0 && reach <= corners::FARTHEST) {
            return Err(SurfaceFault::Reach { reach });
        }
        let degenerate = corners::examine(mesh)?;
        let radius = corners::farthest(mesh);
        let elements: Vec<_> = mesh.corners().map(make_element).collect();
        let line =
            |(element, e): (u32, &BaseElement)| Line { element, origin: e.barycentre, direction: -e.normal };
        let lines: Vec<Line> = (0..).zip(&elements).filter(|(_, e)| e.area > 0.0).map(line).collect();
        let tree = BaseTree::new(&lines, reach);
        Ok(Self { elements, tree, reach, radius, degenerate })
    }

    /// The element of a triangle of the mesh.
    #[inline]
    pub fn element(&self, triangle: u32) -> &BaseElement {
        &self.elements[triangle as usize]
    }

    /// All elements, by triangle of the mesh.
    pub fn elements(&self) -> &[BaseElement] {
        &self.elements
    }

    /// Length of the penetration lines (m).
    pub fn reach(&self) -> f64 {
        self.reach
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

fn make_element(triangle: [Vec3; 3]) -> BaseElement {
    let [a, b, c] = triangle;
    let barycentre = (a + b + c) / 3.0;
    if corners::is_degenerate(&triangle) {
        return BaseElement { barycentre, normal: Vec3::zeros(), area: 0.0 };
    }
    let twice = (b - a).cross(&(c - a));
    let length = twice.norm();
    BaseElement { barycentre, normal: twice / length, area: 0.5 * length }
}
