//! Lower bounds of the distances of one thing from eight others, by their extents along directions.
//!
//! No closures here: they would be compiled for the build's target only.
//!
//! Along any unit vector the gap between two extents is a lower bound of the distance. Tried are, until one shows that all
//! eight are far enough: the direction of the nearest triangles so far, the normal of the one, the normals of the eight, and
//! the lines between the centres. Plain loops over eight numbers, for `SimdLevel`.

use carom_math::{Pose, Vec3};

use crate::near::simd::LANES;

pub(super) type Lanes = [f64; LANES];

/// Square of a length below which its unit vector would not be one.
const LEAST_SQUARE: f64 = 1e-280;

/// A pose as plain numbers, in rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    rows: [[f64; 3]; 3],
    shift: [f64; 3],
}

impl Placement {
    pub(super) fn new(pose: &Pose) -> Self {
        let r = &pose.rotation;
        Self { rows: [0, 1, 2].map(|i| [r[(i, 0)], r[(i, 1)], r[(i, 2)]]), shift: pose.translation.into() }
    }

    #[inline(always)]
    pub(super) fn turn(&self, v: [f64; 3]) -> [f64; 3] {
        [dot(self.rows[0], v), dot(self.rows[1], v), dot(self.rows[2], v)]
    }

    #[inline(always)]
    fn take(&self, p: [f64; 3]) -> [f64; 3] {
        let v = self.turn(p);
        [v[0] + self.shift[0], v[1] + self.shift[1], v[2] + self.shift[2]]
    }
}

#[inline(always)]
fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// What is held against eight others, in their frame.
#[derive(Clone, Copy, Debug)]
pub(super) enum Single {
    Box(SingleBox),
    Triangle(SingleTriangle),
}

/// Box about a centre with three half edges, all in one frame; the axis is the unit vector along the third.
#[derive(Clone, Copy, Debug)]
pub(super) struct SingleBox {
    pub(super) centre: [f64; 3],
    pub(super) half: [[f64; 3]; 3],
    pub(super) axis: [f64; 3],
}

/// Corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct SingleTriangle {
    pub(super) corners: [[f64; 3]; 3],
    pub(super) axis: [f64; 3],
}

impl SingleTriangle {
    pub(super) fn new(corners: &[Vec3; 3]) -> Self {
        let [a, b, c] = corners;
        let normal = (b - a).cross(&(c - a));
        let squared = normal.norm_squared();
        let axis = if squared > LEAST_SQUARE { normal / squared.sqrt() } else { Vec3::zeros() };
        Self { corners: corners.map(Into::into), axis: axis.into() }
    }
}

impl Single {
    #[inline(always)]
    pub(super) fn placed(&self, placement: &Placement) -> Self {
        match self {
            Self::Box(SingleBox { centre, half: [x, y, z], axis }) => Self::Box(SingleBox {
                centre: placement.take(*centre),
                half: [placement.turn(*x), placement.turn(*y), placement.turn(*z)],
                axis: placement.turn(*axis),
            }),
            Self::Triangle(SingleTriangle { corners: [p, q, r], axis }) => Self::Triangle(SingleTriangle {
                corners: [placement.take(*p), placement.take(*q), placement.take(*r)],
                axis: placement.turn(*axis),
            }),
        }
    }
}

pub(super) trait Extent {
    fn centre(&self) -> [Lanes; 3];
    /// Unit vectors, or zeros.
    fn axis(&self) -> [Lanes; 3];
    /// Lowest and highest u·x.
    fn along(&self, u: &[Lanes; 3]) -> [Lanes; 2];
}

#[inline(always)]
fn lane(v: &[Lanes; 3], k: usize) -> [f64; 3] {
    [v[0][k], v[1][k], v[2][k]]
}

#[inline(always)]
fn spread(v: [f64; 3]) -> [Lanes; 3] {
    [[v[0]; LANES], [v[1]; LANES], [v[2]; LANES]]
}

impl Extent for SingleBox {
    #[inline(always)]
    fn centre(&self) -> [Lanes; 3] {
        spread(self.centre)
    }

    #[inline(always)]
    fn axis(&self) -> [Lanes; 3] {
        spread(self.axis)
    }

    #[inline(always)]
    fn along(&self, u: &[Lanes; 3]) -> [Lanes; 2] {
        let mut ends = [[0.0; LANES]; 2];
        for k in 0..LANES {
            let u = lane(u, k);
            let centre = dot(self.centre, u);
            let half = dot(self.half[0], u).abs() + dot(self.half[1], u).abs() + dot(self.half[2], u).abs();
            ends[0][k] = centre - half;
            ends[1][k] = centre + half;
        }
        ends
    }
}

impl Extent for SingleTriangle {
    #[inline(always)]
    fn centre(&self) -> [Lanes; 3] {
        let [a, b, c] = self.corners;
        let third = 1.0 / 3.0;
        spread([(a[0] + b[0] + c[0]) * third, (a[1] + b[1] + c[1]) * third, (a[2] + b[2] + c[2]) * third])
    }

    #[inline(always)]
    fn axis(&self) -> [Lanes; 3] {
        spread(self.axis)
    }

    #[inline(always)]
    fn along(&self, u: &[Lanes; 3]) -> [Lanes; 2] {
        let mut ends = [[0.0; LANES]; 2];
        for k in 0..LANES {
            let u = lane(u, k);
            let [a, b, c] = [dot(self.corners[0], u), dot(self.corners[1], u), dot(self.corners[2], u)];
            ends[0][k] = least(least(a, b), c);
            ends[1][k] = most(most(a, b), c);
        }
        ends
    }
}

/// A point is bounded by the directions of the eight alone: it has none.
pub(super) struct SinglePoint {
    at: [f64; 3],
}

impl SinglePoint {
    pub(super) fn new(at: &Vec3) -> Self {
        Self { at: (*at).into() }
    }

    /// Like [`bound_boxes`], for either kind of eight.
    #[inline(always)]
    pub(super) fn bound<E: Extent>(&self, eight: &E, rounding: f64, enough: f64) -> Lanes {
        let mut bounds = [0.0; LANES];
        if !raise(&mut bounds, self, eight, &eight.axis(), rounding, enough) {
            raise(&mut bounds, self, eight, &between(&self.centre(), &eight.centre()), rounding, enough);
        }
        bounds
    }
}

impl Extent for SinglePoint {
    #[inline(always)]
    fn centre(&self) -> [Lanes; 3] {
        spread(self.at)
    }

    #[inline(always)]
    fn axis(&self) -> [Lanes; 3] {
        [[0.0; LANES]; 3]
    }

    #[inline(always)]
    fn along(&self, u: &[Lanes; 3]) -> [Lanes; 2] {
        let mut place = [0.0; LANES];
        for k in 0..LANES {
            place[k] = dot(self.at, lane(u, k));
        }
        [place; 2]
    }
}

/// Boxes side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct EightBoxes {
    pub(super) centre: [Lanes; 3],
    pub(super) half: [[Lanes; 3]; 3],
    pub(super) axis: [Lanes; 3],
}

impl EightBoxes {
    #[inline(always)]
    pub(super) fn single(&self, k: usize) -> Single {
        let [x, y, z] = &self.half;
        Single::Box(SingleBox {
            centre: lane(&self.centre, k),
            half: [lane(x, k), lane(y, k), lane(z, k)],
            axis: lane(&self.axis, k),
        })
    }
}

impl Extent for EightBoxes {
    #[inline(always)]
    fn centre(&self) -> [Lanes; 3] {
        self.centre
    }

    #[inline(always)]
    fn axis(&self) -> [Lanes; 3] {
        self.axis
    }

    #[inline(always)]
    fn along(&self, u: &[Lanes; 3]) -> [Lanes; 2] {
        let mut ends = [[0.0; LANES]; 2];
        for k in 0..LANES {
            let u = lane(u, k);
            let [x, y, z] = &self.half;
            let centre = dot(lane(&self.centre, k), u);
            let half = dot(lane(x, k), u).abs() + dot(lane(y, k), u).abs() + dot(lane(z, k), u).abs();
            ends[0][k] = centre - half;
            ends[1][k] = centre + half;
        }
        ends
    }
}

/// Corners of triangles side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct EightTriangles {
    pub(super) corners: [[Lanes; 3]; 3],
}

impl EightTriangles {
    pub(super) fn corners(&self, k: usize) -> [Vec3; 3] {
        let [a, b, c] = &self.corners;
        [a, b, c].map(|p| Vec3::new(p[0][k], p[1][k], p[2][k]))
    }

    #[inline(always)]
    pub(super) fn single(&self, k: usize) -> Single {
        Single::Triangle(SingleTriangle::new(&self.corners(k)))
    }
}

impl Extent for EightTriangles {
    #[inline(always)]
    fn centre(&self) -> [Lanes; 3] {
        let [a, b, c] = &self.corners;
        let mut centre = [[0.0; LANES]; 3];
        for i in 0..3 {
            for k in 0..LANES {
                centre[i][k] = (a[i][k] + b[i][k] + c[i][k]) * (1.0 / 3.0);
            }
        }
        centre
    }

    #[inline(always)]
    fn axis(&self) -> [Lanes; 3] {
        let [a, b, c] = &self.corners;
        let mut n = [[0.0; LANES]; 3];
        for k in 0..LANES {
            let u = [b[0][k] - a[0][k], b[1][k] - a[1][k], b[2][k] - a[2][k]];
            let v = [c[0][k] - a[0][k], c[1][k] - a[1][k], c[2][k] - a[2][k]];
            n[0][k] = u[1] * v[2] - u[2] * v[1];
            n[1][k] = u[2] * v[0] - u[0] * v[2];
            n[2][k] = u[0] * v[1] - u[1] * v[0];
        }
        normalized(&n)
    }

    #[inline(always)]
    fn along(&self, u: &[Lanes; 3]) -> [Lanes; 2] {
        let mut ends = [[0.0; LANES]; 2];
        for k in 0..LANES {
            let u = lane(u, k);
            let [p, q, r] = &self.corners;
            let [a, b, c] = [dot(lane(p, k), u), dot(lane(q, k), u), dot(lane(r, k), u)];
            ends[0][k] = least(least(a, b), c);
            ends[1][k] = most(most(a, b), c);
        }
        ends
    }
}

/// Unit vectors, zeros for vectors without a direction.
#[inline(always)]
fn normalized(v: &[Lanes; 3]) -> [Lanes; 3] {
    let mut unit = [[0.0; LANES]; 3];
    for k in 0..LANES {
        let squared = v[0][k] * v[0][k] + v[1][k] * v[1][k] + v[2][k] * v[2][k];
        let scale = if squared > LEAST_SQUARE { 1.0 / squared.sqrt() } else { 0.0 };
        unit[0][k] = v[0][k] * scale;
        unit[1][k] = v[1][k] * scale;
        unit[2][k] = v[2][k] * scale;
    }
    unit
}

#[inline(always)]
fn least(x: f64, y: f64) -> f64 {
    if x < y { x } else { y }
}

#[inline(always)]
fn most(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

/// Lower bounds (m), at least zero, of the distances of `single` from each of `eight`; `direction` is the unit vector tried
/// first, `rounding` (m) is taken off. No further direction is tried once all bounds are above `enough`.
#[inline(always)]
pub(super) fn bound_boxes(
    single: &Single,
    eight: &EightBoxes,
    direction: Option<[f64; 3]>,
    rounding: f64,
    enough: f64,
) -> Lanes {
    match single {
        Single::Box(single) => bound(single, eight, direction, rounding, enough),
        Single::Triangle(single) => bound(single, eight, direction, rounding, enough),
    }
}

/// Like [`bound_boxes`].
#[inline(always)]
pub(super) fn bound_triangles(
    single: &Single,
    eight: &EightTriangles,
    direction: Option<[f64; 3]>,
    rounding: f64,
    enough: f64,
) -> Lanes {
    match single {
        Single::Box(single) => bound(single, eight, direction, rounding, enough),
        Single::Triangle(single) => bound(single, eight, direction, rounding, enough),
    }
}

#[inline(always)]
fn bound<S: Extent, E: Extent>(
    single: &S,
    eight: &E,
    direction: Option<[f64; 3]>,
    rounding: f64,
    enough: f64,
) -> Lanes {
    let mut bounds = [0.0; LANES];
    if let Some(u) = direction
        && raise(&mut bounds, single, eight, &spread(u), rounding, enough)
    {
        return bounds;
    }
    if raise(&mut bounds, single, eight, &single.axis(), rounding, enough)
        || raise(&mut bounds, single, eight, &eight.axis(), rounding, enough)
    {
        return bounds;
    }
    raise(&mut bounds, single, eight, &between(&single.centre(), &eight.centre()), rounding, enough);
    bounds
}

/// Raises bounds to the gaps along unit vectors; true if all are enough.
#[inline(always)]
fn raise<S: Extent, E: Extent>(
    bounds: &mut Lanes,
    single: &S,
    eight: &E,
    u: &[Lanes; 3],
    rounding: f64,
    enough: f64,
) -> bool {
    let ([low, high], [other_low, other_high]) = (single.along(u), eight.along(u));
    let mut short = 0_u32;
    for k in 0..LANES {
        let gap = most(other_low[k] - high[k], low[k] - other_high[k]) - rounding;
        bounds[k] = most(bounds[k], gap);
        short |= if bounds[k] > enough { 0 } else { 1 };
    }
    short == 0
}

/// Which of the first `count` bounds are within a limit, one bit each, and the least of the others.
#[inline(always)]
pub(super) fn within(bounds: &Lanes, count: usize, limit: f64) -> (u32, f64) {
    let mut bits = [0_u32; LANES];
    let mut passed = [f64::INFINITY; LANES];
    for k in 0..LANES {
        bits[k] = if bounds[k] > limit { 0 } else { 1 << k };
        passed[k] = if bounds[k] > limit { bounds[k] } else { f64::INFINITY };
    }
    // Lanes that repeat the first one add nothing to the least of all.
    let mut least_passed = f64::INFINITY;
    let mut all = 0;
    for k in 0..LANES {
        least_passed = least(passed[k], least_passed);
        all |= bits[k];
    }
    (all & ((1 << count) - 1), least_passed)
}

#[inline(always)]
fn between(a: &[Lanes; 3], b: &[Lanes; 3]) -> [Lanes; 3] {
    let mut u = [[0.0; LANES]; 3];
    for i in 0..3 {
        for k in 0..LANES {
            u[i][k] = b[i][k] - a[i][k];
        }
    }
    normalized(&u)
}
