//! What counts of elements beside edges and corners, of the base and of the target.
//!
//! **Beside an edge of the base** that presses into a flat face lines meet the target at a slant. A line along the element's own
//! normal is longer there than the element is deep, by 1/cos θ with the angle θ between the normals, and pushes aside: the two
//! sides of an edge in a frictionless face would not cancel, and leave along a line with more energy than came in across it.
//! What counts is the face: the element's depth z = u cos θ under the target's plane, the area A cos θ that it has in that plane,
//! and the plane's normal. Elements of all sides of an edge then add up to c ∫ z dA over the part of the face that is pressed
//! in, as elements of a fine target would. Elements away from edges are faces themselves, and their lines are taken as they are.
//!
//! **Where a face of the target ends**, the plane would make forces jump, and lines are taken as they are, too. But one that runs along a
//! face may be long while nothing is deep, and comes in at once as its element passes through that face. So for one that is long
//! against the distance g of the element from the target's surface, g stands for z, and g/u for cos θ, as they are the same under a plane;
//! forces keep the line's direction. As g starts at 0, so does what counts. In a wall g is the way to its nearer side, and stands for z only where that is the one that the
//! line met. Between all of these are ramps.
//!
//! **Where both surfaces are bases** each takes half the forces, but beside edges: an element of a face is large beside the edge that
//! presses into it, so that what it makes of it is chance. With the shares s of element and target that belong to their edges
//! there, the element counts by 1 + s_base − s_target: beside an edge of one surface alone it is that surface's elements which count.

use carom_geometry::clearance::{ClearanceTree, NearestWorkspace};
use carom_geometry::polygonal::{BaseElement, EdgeZones, ElementHit, HitStatus, ShareAround};
use carom_math::{Mat3, Pose, Vec3};

use crate::system::{ArealPass, PassEdges};

/// Distance of an element from the surface over the length of its line: up to the first, a line runs along a face; from the second on it
/// is taken as it is, as are those of right-angled edges that cross, which have a half.
const STEEP: [f64; 2] = [0.25, 0.48];

/// Of coordinates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Share of the depth that a place in the target is looked about for its surface. Most places are as deep as their line is long, below a face
/// that is many triangles: a search that ends short of it passes them by.
const SHORT_OF: f64 = 0.9;

/// Over the thickness of a wall: by how much it is told that its sides are apart.
const NEAR_SIDE: f64 = 1e-6;

/// What a line counts for the distance over its length.
fn weight_of_line(cosine: f64) -> f64 {
    let x = ((cosine - STEEP[0]) / (STEEP[1] - STEEP[0])).clamp(0.0, 1.0);
    cosine + (1.0 - cosine) * x * x * (3.0 - 2.0 * x)
}

/// The shares of elements in the last evaluation and in this one. Most places stay away from where shares change: they are not asked
/// for again. What is remembered never shows.
pub(super) struct Shares {
    before: Vec<ElementShares>,
    now: Vec<ElementShares>,
    /// How many of those before have been passed.
    passed: usize,
}

/// The shares that an element was asked for.
#[derive(Clone, Copy)]
struct ElementShares {
    element: u32,
    /// Of its barycentre, which stays.
    own: f64,
    /// Triangle that its line met.
    triangle: u32,
    /// Where (m).
    place: Vec3,
    /// Of that place: beside sharp edges, and beside any.
    target: Option<ShareAround>,
    bends: Option<ShareAround>,
    deep: Option<Deep>,
}

/// Distance of a place in the target from its surface, between two bounds that are the same where it was found (m).
#[derive(Clone, Copy)]
struct Deep {
    place: Vec3,
    least: f64,
    most: f64,
}

impl Deep {
    /// Of a place that is no deeper than `most`, if it is less than `far` deep. What is known of another place bounds it by the way between
    /// them.
    fn less_than(
        far: f64,
        place: &Vec3,
        most: f64,
        known: &mut Option<Self>,
        (tree, workspace): (&ClearanceTree, &mut NearestWorkspace),
    ) -> Option<f64> {
        let mut most = most;
        if let Some(known) = known {
            let moved = (place - known.place).norm();
            let rounding = ROUNDING * tree.radius();
            if known.least - moved > far + rounding {
                return None;
            }
            most = most.min(known.most + moved + rounding);
        }
        let bound = if SHORT_OF * most > far { SHORT_OF * most } else { most };
        let least = tree.distance_within(place, bound, workspace);
        *known = Some(Self { place: *place, least, most: if least < bound { least } else { most } });
        (least < far).then_some(least)
    }
}

impl Shares {
    pub(super) fn with_capacity(elements: usize) -> Self {
        let room = || Vec::with_capacity(elements);
        Self { before: room(), now: room(), passed: 0 }
    }

    /// Elements will be asked for anew, in their order.
    pub(super) fn begin(&mut self) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.clear();
        self.passed = 0;
    }

    fn known(&mut self, element: u32) -> Option<ElementShares> {
        let rest = &self.before[self.passed..];
        self.passed += rest.iter().take_while(|known| known.element < element).count();
        self.before.get(self.passed).filter(|known| known.element == element).copied()
    }
}

/// A share that is the same as before, or asked for; and what is remembered of it with the place that is.
fn share_at(
    zones: &EdgeZones,
    (triangle, place): (u32, &Vec3),
    moved: f64,
    known: &mut Option<ShareAround>,
) -> f64 {
    match known {
        Some(ShareAround { share, radius }) if moved < *radius => {
            *radius -= moved;
            *share
        }
        _ => known.insert(zones.share_around(triangle, place)).share,
    }
}

/// A base and a target with edges where they are, for hits in the order of their elements.
pub(super) struct Beside<'a, F> {
    pass: &'a ArealPass,
    edges: &'a PassEdges,
    x_tb: &'a Pose,
    r_bt: Mat3,
    triangle_of: F,
    shares: &'a mut Shares,
    nearest: &'a mut NearestWorkspace,
}

impl<'a> Beside<'a, ()> {
    /// Of a pass.
    pub(super) fn new(
        pass: &'a ArealPass,
        edges: &'a PassEdges,
        x_tb: &'a Pose,
        (shares, nearest): (&'a mut Shares, &'a mut NearestWorkspace),
    ) -> Beside<'a, impl FnMut(u32) -> u32> {
        let r_bt = x_tb.rotation.transpose();
        shares.begin();
        Beside { pass, edges, x_tb, r_bt, triangle_of: pass.base.triangles_in_order(), shares, nearest }
    }
}

impl<F: FnMut(u32) -> u32> Beside<'_, F> {
    /// What counts in place of an element, and in place of its hit, none if that is what they are; and how deep it is under the target (m).
    #[inline]
    pub(super) fn edge(&mut self, element: &BaseElement, hit: &mut ElementHit) -> (Option<BaseElement>, f64) {
        let PassEdges { base, target, bends, tree } = self.edges;
        let known = self.shares.known(hit.element);
        let own = known.map_or_else(
            || base.share((self.triangle_of)(hit.element), &element.barycentre),
            |known| known.own,
        );
        let (triangle, mut depth) = (hit.triangle, hit.depth);
        let mut shares = ElementShares {
            element: hit.element,
            own,
            triangle,
            place: Vec3::zeros(),
            target: None,
            bends: None,
            deep: known.and_then(|known| known.deep),
        };
        if own == 0.0 && target.is_none() {
            self.shares.now.push(shares);
            return (None, depth);
        }
        let mut counts = *element;
        let meets = self.x_tb.transform_point(&(element.barycentre - element.normal * hit.depth));
        let mut moved = 0.0;
        shares.place = meets;
        if let Some(before) = known.filter(|known| known.triangle == triangle) {
            moved = (meets - before.place).norm();
            (shares.target, shares.bends) = (before.target, before.bends);
        }
        if let Some(target) = target {
            counts.area *= 1.0 + own - share_at(target, (triangle, &meets), moved, &mut shares.target);
            if counts.area <= 0.0 {
                hit.status = HitStatus::Invalid;
                shares.bends = None;
                self.shares.now.push(shares);
                return (None, 0.0);
            }
        }
        if own > 0.0 {
            let m = self.r_bt * self.pass.target.normal(triangle);
            let slant = 1.0 + element.normal.dot(&m);
            depth *= 1.0 - own * slant;
            let planar = own * (1.0 - share_at(bends, (triangle, &meets), moved, &mut shares.bends));
            let mut share = 1.0 - planar * slant;
            if planar < own {
                let place = self.x_tb.transform_point(&element.barycentre);
                let far = hit.depth * STEEP[1];
                let searched = (&**tree, &mut *self.nearest);
                let deep = Deep::less_than(far, &place, hit.depth, &mut shares.deep, searched);
                // Far into a wall, below the plane of the side that the line has met, the surface that is near is its other side.
                let wall = self.pass.walls.as_ref().map(|walls| (1.0 - NEAR_SIDE) * walls[triangle as usize]);
                let below = hit.depth * (1.0 - slant);
                let is_of_front = |deep: &f64| wall.is_none_or(|wall| below + deep < wall);
                if let Some(deep) = deep.filter(is_of_front) {
                    share -= (own - planar) * (1.0 - weight_of_line(deep / hit.depth));
                    depth = depth.min(share * hit.depth);
                }
            }
            hit.depth *= share;
            counts.area *= share;
            counts.normal = (element.normal * (1.0 - planar) - m * planar).normalize();
        }
        self.shares.now.push(shares);
        ((counts != *element).then_some(counts), depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::mesh::Sharpness;
    use carom_geometry::polygonal::MarkedEdges;
    use carom_geometry::surface::{Resolution, block};

    /// A place that goes to and fro over a face, from beside its edges to where there are none: in every bit what a share asked for anew is.
    #[test]
    fn what_is_remembered_of_a_share_does_not_show() {
        let half = 0.5;
        let mesh = block(Vec3::repeat(half), Resolution::Divisions(1)).unwrap();
        let zones = MarkedEdges::sharp(&mesh, &Sharpness::of(&mesh)).zones(&mesh, 2e-3);
        let [a, b, c] = mesh.triangle(0);
        let (mut known, mut last, mut ramps, mut kept) = (None, a, 0, 0);
        for k in 0..20_000 {
            let t = 1e-3 * f64::from(k);
            let (u, v) = (0.25 * (1.0 + libm::sin(t)), 0.25 * (1.0 + libm::cos(1.7 * t)));
            let place = a + (b - a) * u + (c - a) * v;
            let moved = (place - last).norm();
            kept += usize::from(known.is_some_and(|known: ShareAround| moved < known.radius));
            let share = share_at(&zones, (0, &place), moved, &mut known);
            assert_eq!(share.to_bits(), zones.share(0, &place).to_bits(), "{k}");
            ramps += usize::from(share > 0.0 && share < 1.0);
            last = place;
        }
        assert!(kept > 10_000 && ramps > 500, "{kept} {ramps}");
    }

    /// The same of distances from the surface, to what is asked about and no farther.
    #[test]
    fn what_is_remembered_of_a_distance_does_not_show() {
        let tree =
            ClearanceTree::new(&block(Vec3::new(0.5, 0.4, 0.3), Resolution::Divisions(3)).unwrap()).unwrap();
        let mut workspace = NearestWorkspace::with_room();
        let (mut known, mut less, mut kept) = (None, 0, 0);
        for k in 0..20_000 {
            let t = 1e-3 * f64::from(k);
            let place = Vec3::new(0.45 * libm::sin(t), 0.35 * libm::sin(1.3 * t), 0.25 * libm::sin(1.7 * t));
            let (far, most) = (0.05 * (1.2 + libm::cos(0.3 * t)), 0.3);
            let before = known.map(|known: Deep| known.place);
            let [remembered, anew] = [&mut known, &mut None]
                .map(|known| Deep::less_than(far, &place, most, known, (&tree, &mut workspace)));
            let whole = Some(tree.distance_within(&place, most, &mut workspace)).filter(|whole| *whole < far);
            assert_eq!(remembered.map(f64::to_bits), anew.map(f64::to_bits), "{k}");
            assert_eq!(anew.map(f64::to_bits), whole.map(f64::to_bits), "{k}");
            less += usize::from(anew.is_some());
            kept += usize::from(known.map(|known| known.place) == before);
        }
        assert!(less > 3000 && kept > 8000, "{less} {kept}");
    }
}
