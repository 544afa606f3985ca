use carom_math::Vec3;

/// The two halves of a triangle, cut from the middle of its longest edge to the corner across; of equally long edges the
/// first. Both are as the triangle is turned. Angles of what comes of it by going on stay above half the smallest one
/// (Rosenberg and Stenger, "A lower bound on the angles of triangles constructed by bisecting the longest side", SIAM
/// J. Numer. Anal. 12 (1975) 390–395), and neighbours cut a common edge at the same point.
pub(super) fn halve(triangle: &[Vec3; 3]) -> [[Vec3; 3]; 2] {
    let length = |k: usize| (triangle[(k + 1) % 3] - triangle[k]).norm_squared();
    let mut longest = 0;
    for k in 1..3 {
        if length(k) > length(longest) {
            longest = k;
        }
    }
    let [a, b, c] = [0, 1, 2].map(|k| triangle[(longest + k) % 3]);
    let middle = 0.5 * (a + b);
    [[a, middle, c], [middle, b, c]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_equal_and_turned_alike() {
        let triangle = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.2, 3.0, 0.5)];
        let twice = |[a, b, c]: &[Vec3; 3]| (b - a).cross(&(c - a));
        for half in halve(&triangle) {
            assert!((twice(&half) * 2.0 - twice(&triangle)).norm() < 1e-15);
        }
        // The longest edge is that from corner 1 to 2 (its square is 9.89; 1 and 9.29 the others').
        assert_eq!(halve(&triangle).map(|half| half[2]), [triangle[0]; 2]);
    }

    #[test]
    fn a_sliver_is_cut_across() {
        let mut parts = vec![[Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.01, 0.0)]];
        for _ in 0..6 {
            parts = parts.iter().flat_map(halve).collect();
        }
        let longest = |[a, b, c]: &[Vec3; 3]| (b - a).norm().max((c - b).norm()).max((a - c).norm());
        // Two cuts halve the length: the first makes edges of 1, ½, ½ and of ½, ½, 0.005, the second cuts the former.
        let greatest = parts.iter().map(longest).fold(0.0, f64::max);
        assert!((greatest - 0.125).abs() < 1e-3, "{greatest}");
    }
}
