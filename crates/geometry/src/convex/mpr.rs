use std::fmt;

use carom_math::{Pose, Vec3};

use super::ConvexShape;
use super::difference::{Difference, Pair};
use super::simplex::on_triangle;
use crate::ContactPoint;

/// Options of Minkowski portal refinement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MprOptions {
    /// Relative tolerance of the contact point and of the normal, > 0.
    pub relative_tolerance: f64,
    /// Most iterations, > 0; reaching them before a gap to the tolerance is an error.
    pub iterations: usize,
}

impl MprOptions {
    /// What holds where nothing is stated.
    pub const DEFAULT: Self = Self { relative_tolerance: 1e-7, iterations: 100 };
}

impl Default for MprOptions {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Portal refinement reached its limit. The caller names the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MprFault {
    /// Iterations spent.
    pub iterations: usize,
}

impl fmt::Display for MprFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the search for the portal reached its limit after {} iterations", self.iterations)
    }
}

impl std::error::Error for MprFault {}

/// A point of C = A − B with what it is made of, in A's frame.
#[derive(Clone, Copy)]
struct Vertex {
    w: Vec3,
    a: Vec3,
}

/// Share of the size of C by which an interior point at the origin is moved, along A's x axis, so that there is a
/// ray.
const OFF_CENTRE: f64 = 1e-10;

/// Most of a way along the plane of a portal, over that way, by which the point of A may move.
const LARGEST_SHARE: f64 = 2.0;

/// Height of the support over a portal, over the size of C, that rounding makes.
const FLATTEST: f64 = 32.0 * f64::EPSILON;

/// Contact by Minkowski portal refinement: the portal of C = A − B through which the ray from an interior point of
/// C to the origin leaves.
///
/// With r₀ the difference of interior points, support points r₁, r₂, r₃ of C make a portal around the ray. It
/// is moved outward to the support r₄ along its unit normal n until the ray meets the support point,
/// ‖r₄ × n‖ < tol, or the portal lies on the surface, |(r₄ − r₁)·n| < tol, with tol the relative
/// tolerance times the largest coordinate of the first portal. The gap is −n·r₄. The points of contact are those
/// of the foot of the origin on the portal.
///
/// On a round surface a portal that is h over the size of C below it has a normal that is off by √(2 h): that the gap is right to the
/// tolerance says nothing of the normal. So the portal goes on outward until h is the square of the tolerance, or rounding, or
/// nothing is beyond it, as for the faces of polyhedra.
///
/// The normal is that of the surface where the line of centres leaves, not that of the least translation: equal
/// for shallow contacts, and dependent on the centres for deep ones. Apart the value has the right sign but is
/// the distance to a portal, not to the solid.
///
/// Source: Snethen, "XenoCollide: complex collision made simple", Game Programming Gems 7 (2008); termination by
/// Neumayr & Otter, "Collision handling with variable-step integrators", EOOLT (2017).
pub fn find_contact_mpr(
    a: &ConvexShape,
    x_wa: &Pose,
    b: &ConvexShape,
    x_wb: &Pose,
    options: &MprOptions,
) -> Result<ContactPoint, MprFault> {
    let difference = Difference::new(&a.core, x_wa, &b.core, x_wb);
    let mut near = Pair::EMPTY;
    let mut support = |direction: &Vec3| {
        let n = direction.normalize();
        near = difference.support(&n, &near);
        Vertex { w: near.w + (a.radius + b.radius) * n, a: near.a.point + a.radius * n }
    };
    let mut r0 = -difference.between();
    let size = a.bounding_radius() + b.bounding_radius();
    if r0.norm() < OFF_CENTRE * size {
        r0 = Vec3::new(OFF_CENTRE * size, 0.0, 0.0);
    }
    let (normal, gap, point_a) = refine(&r0, &mut support, options)?;
    let normal_w = x_wa.rotation * normal;
    let point_a = x_wa.transform_point(&point_a);
    Ok(ContactPoint { gap, normal: normal_w, point_a, point_b: point_a + gap * normal_w })
}

/// Normal, gap and point on A, in A's frame.
fn refine(
    r0: &Vec3,
    support: &mut impl FnMut(&Vec3) -> Vertex,
    options: &MprOptions,
) -> Result<(Vec3, f64, Vec3), MprFault> {
    let mut r1 = support(&-r0);
    let across = r1.w.cross(r0);
    if across.norm_squared() <= f64::EPSILON * f64::EPSILON * r1.w.norm_squared() * r0.norm_squared() {
        // The ray goes through the support point.
        let n = -r0.normalize();
        return Ok((n, -n.dot(&r1.w), r1.a));
    }
    let mut r2 = support(&across);
    let mut n = (r1.w - r0).cross(&(r2.w - r0));
    if n.dot(r0) > 0.0 {
        (r1, r2) = (r2, r1);
        n = -n;
    }
    let mut r3 = support(&n);
    let scale = [r0, &r1.w, &r2.w, &r3.w].iter().map(|r| r.amax()).fold(0.0, f64::max);
    let tolerance = options.relative_tolerance * scale;
    let flat = tolerance * options.relative_tolerance.max(FLATTEST / options.relative_tolerance);
    let mut found_portal = false;
    let mut best: Option<(f64, (Vec3, f64, Vec3))> = None;
    for _ in 0..options.iterations {
        if !found_portal {
            // Seen from r0 the origin must lie within the three sides.
            if r1.w.cross(&r3.w).dot(r0) < 0.0 {
                r2 = r3;
                r3 = support(&(r1.w - r0).cross(&(r3.w - r0)));
                continue;
            }
            if r3.w.cross(&r2.w).dot(r0) < 0.0 {
                r1 = r3;
                r3 = support(&(r3.w - r0).cross(&(r2.w - r0)));
                continue;
            }
            found_portal = true;
        }
        let area = (r2.w - r1.w).cross(&(r3.w - r1.w));
        let normal = if area.norm_squared() > 0.0 { area.normalize() } else { -r0.normalize() };
        let r4 = support(&normal);
        if r4.w.cross(&normal).norm() < tolerance {
            return Ok((normal, -normal.dot(&r4.w), r4.a));
        }
        let height = normal.dot(&(r4.w - r1.w)).abs();
        if height < tolerance {
            if best.is_none_or(|(least, _)| height < least) {
                let point = on_portal(&normal, [&r1, &r2, &r3]);
                best = Some((height, (normal, -normal.dot(&r4.w), point)));
            }
            // A corner of the portal again: nothing is beyond it.
            if height < flat || [&r1, &r2, &r3].iter().any(|r| r.w == r4.w) {
                break;
            }
        }
        let side = |r: &Vertex| r4.w.cross(&r.w).dot(r0);
        let replaced = match (side(&r1) < 0.0, side(&r2) < 0.0, side(&r3) < 0.0) {
            (true, true, _) | (false, _, false) => &mut r1,
            (true, false, _) => &mut r3,
            (false, _, true) => &mut r2,
        };
        *replaced = r4;
    }
    best.map(|(_, found)| found).ok_or(MprFault { iterations: options.iterations })
}

/// Point of A that belongs to the foot of the origin on the plane of the portal, whose unit normal is `normal`.
///
/// Where the ray passes the portal is beside the foot by the depth times the tangent of the angle between ray and normal,
/// millimetres of a shallow contact on a long table. The foot may lie beside the portal, too, which is only a
/// part of the face, or of the curved surface, that it lies in: point and foot are continued linearly.
fn on_portal(normal: &Vec3, [r1, r2, r3]: [&Vertex; 3]) -> Vec3 {
    let foot = normal.dot(&r1.w) * normal;
    let [p, q, r] = [r1.w - foot, r2.w - foot, r3.w - foot];
    let combine = |weights: [f64; 3]| weights[0] * r1.a + weights[1] * r2.a + weights[2] * r3.a;
    let near = on_triangle(&p, &q, &r);
    let on_portal = combine(near);
    let beside = (near[0] * p + near[1] * q + near[2] * r).norm();
    if beside == 0.0 {
        return on_portal;
    }
    let parts = [(&q, &r), (&r, &p), (&p, &q)].map(|(u, v)| normal.dot(&u.cross(v)));
    let whole: f64 = parts.iter().sum();
    let continued = combine(parts.map(|part| part / whole));
    // Surfaces of a contact share the way along the plane. More than all of it is a sliver, whose thin side says nothing.
    let is_sound = (continued - on_portal).norm() <= LARGEST_SHARE * beside;
    if is_sound { continued } else { on_portal }
}
