use crate::Vec3;

/// Two unit vectors that complete the unit vector `n` to a right-handed orthonormal basis
/// (Duff et al., "Building an orthonormal basis, revisited", JCGT 6 (2017), listing 2).
pub fn orthonormal_basis(n: &Vec3) -> (Vec3, Vec3) {
    let sign = 1.0_f64.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    (Vec3::new(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x), Vec3::new(b, sign + n.y * n.y * a, -n.y))
}

#[cfg(test)]
mod tests {
    use super::*;

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
