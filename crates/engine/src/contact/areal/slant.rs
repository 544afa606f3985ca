//! Elements whose lines meet the target at a slant: those beside an edge or a corner of the base that presses into a face.
//!
//! A line along the element's own normal is longer there than the element is deep, by 1/cos θ with the angle θ between the
//! normals, and pushes aside: the two sides of an edge in a frictionless face would not cancel, and leave along a line with more
//! energy than came in across it. What counts beside an edge is the face: the element's depth z = u cos θ under the target's
//! plane, the area A cos θ that it has in that plane, and the plane's normal. Elements of all sides of an edge then add up to
//! c ∫ z dA over the part of the face that is pressed in, as elements of the target would. Elements away from edges are faces
//! themselves, and their lines are taken as they are.

use carom_geometry::polygonal::{BaseElement, ElementHit};
use carom_math::Mat3;

use crate::system::ArealPass;

/// Cosines of the angle up to which lines are taken as they are, and from which on the plane counts alone.
const STRAIGHT: f64 = 0.9;
const SLANTED: f64 = 0.7;

/// Puts what counts in place of an element and its depth if its line meets the target at a slant; `r_bt` turns from the target's axes to
/// the base's.
#[inline]
pub(super) fn project(
    pass: &ArealPass,
    r_bt: &Mat3,
    element: &BaseElement,
    hit: &mut ElementHit,
) -> Option<BaseElement> {
    let m = r_bt * pass.target.normal(hit.triangle);
    let cosine = -element.normal.dot(&m);
    if cosine >= STRAIGHT || !pass.base.is_at_edge(hit.element) {
        return None;
    }
    let x = ((STRAIGHT - cosine) / (STRAIGHT - SLANTED)).min(1.0);
    let turned = x * x * (3.0 - 2.0 * x);
    let share = 1.0 + turned * (cosine - 1.0);
    hit.depth *= share;
    Some(BaseElement {
        barycentre: element.barycentre,
        normal: (element.normal * (1.0 - turned) - m * turned).normalize(),
        area: element.area * share,
    })
}
