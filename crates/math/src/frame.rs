use crate::Vec3;

/// Two unit vectors that complete the unit vector `n` to a right-handed orthonormal basis
/// (Duff et al., "Building an orthonormal basis, revisited", JCGT 6 (2017), listing 2).
pub fn orthonormal_basis(n: &Vec3) -> (Vec3, Vec3) {
    let sign = 1.0_f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vec3::new(b, sign + n.y * n.y * a, -n.y))
}

/// Two unit tangents at the unit normal `n`, a right-handed basis with it. At a normal in a coordinate plane one of them is in the plane,
/// the other across it, to the last bit: bodies that stay in the plane have nothing of one in the other. Where there is no normal both are
/// zero.
pub fn tangents_at(n: &Vec3) -> (Vec3, Vec3) {
    let size = n.abs();
    let across = if size.z <= size.x.min(size.y) {
        Vec3::z()
    } else if size.y <= size.x {
        Vec3::y()
    } else {
        Vec3::x()
    };
    let first = across.cross(n).try_normalize(0.0).unwrap_or_default();
    (first, n.cross(&first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_stay_in_a_plane() {
        for [x, y] in [[1.0, 0.0], [0.0, -1.0], [0.6, 0.8], [1e-17, 1.0], [-0.28, 0.96]] {
            for n in [Vec3::new(x, y, 0.0), Vec3::new(x, 0.0, y), Vec3::new(0.0, x, y)] {
                let (t1, t2) = tangents_at(&n);
                assert!((t1.cross(&t2) - n).norm() < 1e-15 && (t1.norm() - 1.0).abs() < 1e-15);
                // Of each axis' component one of both has all or nothing.
                let plane = n.iamin();
                assert!([t1, t2].iter().any(|t| t[plane].abs() == 1.0) || n.abs().max() == 1.0);
                assert!([t1, t2].iter().any(|t| t[plane] == 0.0));
            }
        }
    }

    #[test]
    fn basis_is_right_handed_everywhere() {
        for n in [
            Vec3::new(0.0, 0.0, 1.0),
            Vec3::new(0.0, 0.0, -1.0),
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(-0.6, 0.0, -0.8),
            Vec3::new(0.48, -0.6, 0.64),
        ] {
            let (t1, t2) = orthonormal_basis(&n);
            assert!((t1.cross(&t2) - n).norm() < 1e-15);
            assert!((t1.norm() - 1.0).abs() < 1e-15 && (t2.norm() - 1.0).abs() < 1e-15);
        }
    }
}
