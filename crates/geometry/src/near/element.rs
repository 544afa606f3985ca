use carom_math::Vec3;

use super::corners;

/// A contact element: a triangle of the base or a leaf of it, in the base's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaseElement {
    /// Centroid (m), where the penetration line starts.
    pub barycentre: Vec3,
    /// Outward unit normal; the penetration line runs against it.
    pub normal: Vec3,
    /// Area (m²), 0 if the triangle is degenerate and no element.
    pub area: f64,
}

pub(crate) fn make_element(triangle: [Vec3; 3]) -> BaseElement {
    let [a, b, c] = triangle;
    let barycentre = (a + b + c) / 3.0;
    if corners::is_degenerate(&triangle) {
        return BaseElement { barycentre, normal: Vec3::zeros(), area: 0.0 };
    }
    let twice = (b - a).cross(&(c - a));
    let length = twice.norm();
    BaseElement { barycentre, normal: twice / length, area: 0.5 * length }
}
