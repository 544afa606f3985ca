use carom_math::{Vec3, orthonormal_basis};

use crate::convex::difference::{Difference, Pair};

/// Thickness relative to the largest coordinate below which C counts as flat.
const FLAT: f64 = 1e-13;

/// A tetrahedron from the last answer, if it has a volume at the present poses.
pub(super) fn usable_start(start: &[Pair]) -> Option<[Pair; 4]> {
    let &[a, b, c, d] = start else { return None };
    let volume = (b.w - a.w).cross(&(c.w - a.w)).dot(&(d.w - a.w));
    let size = [b, c, d].iter().map(|p| (p.w - a.w).amax()).fold(0.0, f64::max);
    if volume.abs() <= 1e-6 * size * size * size {
        return None;
    }
    // The last corner lies below the first three.
    Some(if volume < 0.0 { [a, b, c, d] } else { [a, c, b, d] })
}

/// Four supports of C that span a volume; else the normal of flat C.
pub(super) fn find_tetrahedron(difference: &Difference<'_>) -> Result<[Pair; 4], Vec3> {
    let between = difference.between();
    let first = if between.norm_squared() > 0.0 { between } else { Vec3::z() };
    let a = difference.support(&first, &Pair::EMPTY);
    let b = difference.support(&-first, &a);
    let along = b.w - a.w;
    let size = difference.a.bounding_radius() + difference.b.bounding_radius();
    if along.norm() <= FLAT * size {
        return Err(first.normalize());
    }
    let (t1, t2) = orthonormal_basis(&along.normalize());
    // The support farthest off the line, over both signs of two directions across it.
    let off_line = |p: &Pair| along.cross(&(p.w - a.w)).norm() / along.norm();
    let mut c = difference.support(&t1, &a);
    for direction in [-t1, t2, -t2] {
        let other = difference.support(&direction, &a);
        if off_line(&other) > off_line(&c) {
            c = other;
        }
    }
    if off_line(&c) <= FLAT * size {
        return Err(t1);
    }
    let normal = along.cross(&(c.w - a.w)).normalize();
    let above = difference.support(&normal, &a);
    let below = difference.support(&-normal, &a);
    let height = |p: &Pair| normal.dot(&(p.w - a.w));
    let (up, down) = (height(&above), -height(&below));
    if up.max(down) <= FLAT * size {
        return Err(if normal.dot(&between) < 0.0 { -normal } else { normal });
    }
    Ok(if down >= up { [a, b, c, below] } else { [a, c, b, above] })
}
