use carom_math::{Mat3, Vec3};

/// Eigenvalues of a symmetric matrix, smallest first, by cyclic Jacobi rotations.
///
/// Own code and not the library's, which calls the platform's `hypot`: results must be the same bits
/// everywhere. Only the upper triangle is read. Jacobi keeps small eigenvalues to an error of a few
/// ε ‖m‖, and three sweeps are the rule; the limit is never reached by a finite matrix.
pub(crate) fn principal_moments(m: &Mat3) -> Vec3 {
    let (moments, _) = diagonalise(m);
    let mut moments: [f64; 3] = moments.into();
    moments.sort_by(f64::total_cmp);
    Vec3::from(moments)
}

/// Eigenvalues of a symmetric matrix, smallest first, with unit eigenvectors as columns: a right- or left-handed frame.
pub(crate) fn principal_axes(m: &Mat3) -> (Vec3, Mat3) {
    let (moments, axes) = diagonalise(m);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
    let columns = order.map(|i| axes.column(i).into_owned());
    (Vec3::from(order.map(|i| moments[i])), Mat3::from_columns(&columns))
}

/// Eigenvalues and eigenvectors in no order.
fn diagonalise(m: &Mat3) -> (Vec3, Mat3) {
    let mut a = m.upper_triangle() + m.upper_triangle().transpose() - Mat3::from_diagonal(&m.diagonal());
    let mut axes = Mat3::identity();
    for _ in 0..MAX_SWEEPS {
        let off = a[(0, 1)].abs() + a[(0, 2)].abs() + a[(1, 2)].abs();
        if off <= f64::EPSILON * f64::EPSILON * a.amax() {
            break;
        }
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate_away(&mut a, &mut axes, p, q);
        }
    }
    (a.diagonal(), axes)
}

const MAX_SWEEPS: usize = 20;

/// Turns the axes p and q so that a_pq vanishes (Golub & Van Loan, Matrix Computations, 8.5.2).
fn rotate_away(a: &mut Mat3, axes: &mut Mat3, p: usize, q: usize) {
    if a[(p, q)] == 0.0 {
        return;
    }
    let tau = (a[(q, q)] - a[(p, p)]) / (2.0 * a[(p, q)]);
    let t = 1.0_f64.copysign(tau) / (tau.abs() + (1.0 + tau * tau).sqrt());
    let c = 1.0 / (1.0 + t * t).sqrt();
    let s = t * c;
    let r = 3 - p - q;
    let (apq, apr, aqr) = (a[(p, q)], a[(p, r)], a[(q, r)]);
    a[(p, p)] -= t * apq;
    a[(q, q)] += t * apq;
    for (i, j, value) in [(p, q, 0.0), (p, r, c * apr - s * aqr), (q, r, s * apr + c * aqr)] {
        a[(i, j)] = value;
        a[(j, i)] = value;
    }
    for i in 0..3 {
        let (x, y) = (axes[(i, p)], axes[(i, q)]);
        axes[(i, p)] = c * x - s * y;
        axes[(i, q)] = s * x + c * y;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Quaternion;

    #[test]
    fn turned_diagonal_gives_its_entries() {
        let r = Quaternion::new(0.1, 0.9, -0.4, 0.3).to_matrix();
        for moments in [Vec3::new(1.0, 2.0, 2.5), Vec3::new(1e-6, 1.0, 1.0), Vec3::new(3.0, 3.0, 3.0)] {
            let found = principal_moments(&(r * Mat3::from_diagonal(&moments) * r.transpose()));
            // The product with two rotations costs a few roundings of the largest moment.
            assert!((found - moments).amax() < 1e-15 * 4.0 * moments.max(), "{found} for {moments}");
            let turned = r * Mat3::from_diagonal(&moments) * r.transpose();
            let (values, axes) = principal_axes(&turned);
            assert_eq!(values, found);
            assert!((turned * axes - axes * Mat3::from_diagonal(&values)).amax() < 4e-15 * moments.max());
            assert!((axes.transpose() * axes - Mat3::identity()).amax() < 1e-15);
        }
    }

    #[test]
    fn two_by_two_block_has_the_textbook_roots() {
        // Eigenvalues of [[2, 1], [1, 2]] are 1 and 3.
        let m = Mat3::new(2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 10.0);
        assert!((principal_moments(&m) - Vec3::new(1.0, 3.0, 10.0)).amax() < 1e-15);
    }
}
