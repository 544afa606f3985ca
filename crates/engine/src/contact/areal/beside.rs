//! What counts of elements beside edges and corners, of the base and of the target.
//!
//! **Beside an edge of the base** that presses into a flat face lines meet the target at a slant. A line along the element's own
//! normal is longer there than the element is deep, by 1/cos θ with the angle θ between the normals, and pushes aside: the two
//! sides of an edge in a frictionless face would not cancel, and leave along a line with more energy than came in across it.
//! What counts is the face: the element's depth z = u cos θ under the target's plane, the area A cos θ that it has in that plane,
//! and the plane's normal. Elements of all sides of an edge then add up to c ∫ z dA over the part of the face that is pressed
//! in, as elements of a fine target would. Elements away from edges are faces themselves, and their lines are taken as they are;
//! so are lines that meet the target where its face ends, as forces would jump there with the plane. Between them is a ramp.
//!
//! **Where both surfaces are bases** each takes half the forces, but beside edges: an element of a face is large beside the edge that
//! presses into it, so that what it makes of it is chance. With the shares s of element and target that belong to their edges
//! there, the element counts by 1 + s_base − s_target: beside an edge of one surface alone it is that surface's elements which count.

use carom_geometry::polygonal::{BaseElement, ElementHit, HitStatus};
use carom_math::{Mat3, Pose};

use crate::system::{ArealPass, PassEdges};

/// A base and a target with edges where they are, for hits in the order of their elements.
pub(super) struct Beside<'a, F> {
    pass: &'a ArealPass,
    edges: &'a PassEdges,
    x_tb: &'a Pose,
    r_bt: Mat3,
    triangle_of: F,
}

impl<'a> Beside<'a, ()> {
    /// Of a pass.
    pub(super) fn new(
        pass: &'a ArealPass,
        edges: &'a PassEdges,
        x_tb: &'a Pose,
    ) -> Beside<'a, impl FnMut(u32) -> u32> {
        let r_bt = x_tb.rotation.transpose();
        Beside { pass, edges, x_tb, r_bt, triangle_of: pass.base.triangles_in_order() }
    }
}

impl<F: FnMut(u32) -> u32> Beside<'_, F> {
    /// What counts in place of an element, and in place of its hit, none if that is what they are; and how deep it is under the target (m).
    #[inline]
    pub(super) fn edge(&mut self, element: &BaseElement, hit: &mut ElementHit) -> (Option<BaseElement>, f64) {
        let PassEdges { base, target, bends } = self.edges;
        let own = base.share((self.triangle_of)(hit.element), &element.barycentre);
        if own == 0.0 && target.is_none() {
            return (None, hit.depth);
        }
        let mut counts = *element;
        let meets = self.x_tb.transform_point(&(element.barycentre - element.normal * hit.depth));
        if let Some(target) = target {
            counts.area *= 1.0 + own - target.share(hit.triangle, &meets);
            if counts.area <= 0.0 {
                hit.status = HitStatus::Invalid;
                return (None, 0.0);
            }
        }
        let mut depth = hit.depth;
        if own > 0.0 {
            let m = self.r_bt * self.pass.target.normal(hit.triangle);
            let slant = 1.0 + element.normal.dot(&m);
            depth *= 1.0 - own * slant;
            let planar = own * (1.0 - bends.share(hit.triangle, &meets));
            let share = 1.0 - planar * slant;
            hit.depth *= share;
            counts.area *= share;
            counts.normal = (element.normal * (1.0 - planar) - m * planar).normalize();
        }
        ((counts != *element).then_some(counts), depth)
    }
}
