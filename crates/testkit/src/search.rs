use carom_math::Vec3;

use crate::{DoubleDouble, Real, SupportDifference, dot};

/// Golden section: what is left of an interval.
const SHARE: f64 = 0.618_033_988_749_894_9;

/// Where a function that falls and then rises is least in [low, high], to `width`, and its value there.
fn find_least<T: Real>(f: &dyn Fn(T) -> T, low: f64, high: f64, width: f64) -> (T, T) {
    let share = T::from(SHARE);
    let (mut low, mut high) = (T::from(low), T::from(high));
    let (mut left, mut right) = (high - share * (high - low), low + share * (high - low));
    let (mut at_left, mut at_right) = (f(left), f(right));
    while (high - low).to_f64() > width {
        if at_left.is_below(at_right) {
            (high, right, at_right) = (right, left, at_left);
            left = high - share * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + share * (high - low);
            at_right = f(right);
        }
    }
    if at_left.is_below(at_right) { (left, at_left) } else { (right, at_right) }
}

/// Where a function of two variables is least in the square [−half, half]², and its value there. The sets where it is
/// below a value must be convex: then that holds of its least values along one variable too, and golden sections
/// within golden sections find it, with bends and without. What the width of the inner ones leaves of a value at
/// a bend, the outer ones see: they find the place to the root of that, or to their own width.
fn find_least_in_square<T: Real>(
    f: &dyn Fn([T; 2]) -> T,
    half: f64,
    [outer, inner]: [f64; 2],
) -> ([T; 2], T) {
    let along = |x: T| find_least(&|y| f([x, y]), -half, half, inner);
    let (x, least) = find_least(&|x| along(x).1, -half, half, outer);
    ([x, along(x).0], least)
}

/// Unit vectors across a unit vector.
fn across(u: &Vec3) -> [Vec3; 2] {
    let first = u.cross(&Vec3::ith(u.iamin(), 1.0)).normalize();
    [first, u.cross(&first)]
}

fn wide<T: Real>(v: &Vec3) -> [T; 3] {
    [T::from(v.x), T::from(v.y), T::from(v.z)]
}

/// u + x e₁ + y e₂ for unit vectors e across u.
fn tilted<T: Real>(u: &Vec3, [e1, e2]: &[Vec3; 2], [x, y]: [T; 2]) -> [T; 3] {
    let (u, e1, e2) = (wide::<T>(u), wide::<T>(e1), wide::<T>(e2));
    [0, 1, 2].map(|k| u[k] + x * e1[k] + y * e2[k])
}

/// What is left of the tilts of such a plane: bends cost this times a length.
const WIDTH: f64 = 3e-11;

/// Steepest tilt of a plane against a line, as a tangent: what touches nearer to parallel is not found.
const STEEPEST: f64 = 1e5;

impl SupportDifference<'_> {
    /// The s at which the point o + s u, with the unit vector u, leaves the difference: the least (h(n) − n·o)/(n·u)
    /// over all n with n·u > 0, a convex function of n scaled to n·u = 1.
    ///
    /// # Panics
    /// If the surface there is steeper than 10⁵ against the line.
    pub fn leaves_at(&self, o: &Vec3, u: &Vec3) -> f64 {
        let (o, basis) = ([o.x, o.y, o.z], across(u));
        let excess = |t: [f64; 2]| {
            let n = tilted(u, &basis, t);
            self.height(&n) - dot(&n, &o)
        };
        let ([x, y], least) = find_least_in_square(&excess, STEEPEST, [WIDTH; 2]);
        assert!(x.abs().max(y.abs()) < 0.5 * STEEPEST, "a plane of {x}, {y}");
        least
    }

    /// Tilts of the unit vector `n` (rad, to first order, along two vectors across it), within `half`, at which the
    /// separation n·c − h(n) of B moved by c is most, and that separation (m). With twice the digits of f64, and right to
    /// 10⁻¹³ rad.
    pub fn separates_most_at(&self, c: &Vec3, n: &Vec3, half: f64) -> ([f64; 2], f64) {
        let (c, basis) = (wide::<DoubleDouble>(c), across(n));
        let overlap = |t: [DoubleDouble; 2]| {
            let n = tilted(n, &basis, t);
            (self.height(&n) - dot(&n, &c)) / dot(&n, &n).sqrt()
        };
        let (at, least) = find_least_in_square(&overlap, half, [1e-13, 1e-26]);
        (at.map(DoubleDouble::to_f64), -least.to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SupportCore, SupportSolid};
    use carom_math::Mat3;

    fn solid(core: SupportCore, radius: f64) -> SupportSolid {
        SupportSolid { core, radius }
    }

    #[test]
    fn lines_leave_balls_and_blocks_where_they_must() {
        let (ball, block) = (solid(SupportCore::Point, 0.3), solid(SupportCore::Box([0.2, 0.4, 0.6]), 0.0));
        let one = Mat3::identity();
        let balls = SupportDifference { a: &ball, r_wa: one, b: &ball, r_wb: one };
        for off in [0.0, 0.3, 0.6 - 1e-8] {
            let leaves = balls.leaves_at(&Vec3::new(-1.0, 0.6 * off, 0.8 * off), &Vec3::x());
            assert!((leaves - 1.0 - (0.36 - off * off).sqrt()).abs() < 1e-11, "{leaves}");
        }
        let blocks = SupportDifference { a: &block, r_wa: one, b: &block, r_wb: one };
        let along = Vec3::new(0.6, 0.8, 0.0);
        let leaves = blocks.leaves_at(&Vec3::new(0.1, 0.0, 1.2 - 1e-8), &along);
        assert!((leaves - 0.5).abs() < 1e-12, "{leaves}");
    }

    /// A ball over the face, the edge and the corner of a block.
    #[test]
    fn separations_are_most_along_the_line_to_the_nearest_point() {
        let (ball, block) = (solid(SupportCore::Point, 0.3), solid(SupportCore::Box([0.2, 0.4, 0.6]), 0.0));
        let difference =
            SupportDifference { a: &block, r_wa: Mat3::identity(), b: &ball, r_wb: Mat3::identity() };
        for (c, nearest) in [
            (Vec3::new(0.1, 0.2, 1.0), Vec3::new(0.1, 0.2, 0.6)),
            (Vec3::new(0.5, 0.2, 1.0), Vec3::new(0.2, 0.2, 0.6)),
            (Vec3::new(0.5, 0.9, 1.0), Vec3::new(0.2, 0.4, 0.6)),
        ] {
            let wanted = (c - nearest).normalize();
            let near = (wanted + 1e-5 * Vec3::new(0.3, -0.2, 0.4)).normalize();
            let ([x, y], most) = difference.separates_most_at(&c, &near, 1e-4);
            let [e1, e2] = across(&near);
            let found = (near + x * e1 + y * e2).normalize();
            assert!((found - wanted).norm() < 1e-12, "{found} {wanted}");
            assert!((most - ((c - nearest).norm() - 0.3)).abs() < 1e-13);
        }
    }
}
