use carom_math::Vec3;

/// How far from the middle of an edge its cut may be, as a share of the edge.
///
/// Cuts in the middle put the elements in rows, and where the border of a target's face runs along a row, as borders of
/// machine parts do, the row is in contact as a whole or not at all: errors fall with the first power of the elements'
/// length. Of cuts off the middle, each by its own share, they fall with the power 3/2 (`tests/polygonal/accuracy.rs`).
pub(super) const OFF_MIDDLE: f64 = 0.06;

/// Two parts of a triangle, cut from near the middle of its longest edge to the corner across; of equally long edges the
/// first. Both are as the triangle is turned. Neighbours cut a common edge at the same point.
pub(super) fn cut_in_two(triangle: &[Vec3; 3]) -> [[Vec3; 3]; 2] {
    let length = |k: usize| (triangle[(k + 1) % 3] - triangle[k]).norm_squared();
    let mut longest = 0;
    for k in 1..3 {
        if length(k) > length(longest) {
            longest = k;
        }
    }
    let [a, b, c] = [0, 1, 2].map(|k| triangle[(longest + k) % 3]);
    let place = cut(&a, &b);
    [[a, place, c], [place, b, c]]
}

/// Where an edge is cut, whichever end comes first. Chance decides, by the bits of its middle.
fn cut(a: &Vec3, b: &Vec3) -> Vec3 {
    let middle = 0.5 * (a + b);
    let along = if is_before(a, b) { b - a } else { a - b };
    middle + along * (OFF_MIDDLE * share_of(&middle))
}

/// By the first coordinate that tells.
fn is_before(a: &Vec3, b: &Vec3) -> bool {
    (0..3).find(|&k| a[k] != b[k]).is_some_and(|k| a[k] < b[k])
}

/// From −1 to 1, as good as at random, the same for the same point.
fn share_of(point: &Vec3) -> f64 {
    let mut bits = 0_u64;
    for k in 0..3 {
        // Adding zero leaves one zero of the two. SplitMix64's mixing.
        bits = (bits ^ (point[k] + 0.0).to_bits()).wrapping_add(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
    }
    (bits >> 11) as f64 / f64::from(1_u32 << 26) / f64::from(1_u32 << 26) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_about_halves_and_turned_alike() {
        let triangle = [Vec3::new(0.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.2, 3.0, 0.5)];
        let twice = |[a, b, c]: &[Vec3; 3]| (b - a).cross(&(c - a));
        let parts = cut_in_two(&triangle);
        for part in &parts {
            let share = twice(part).dot(&twice(&triangle)) / twice(&triangle).norm_squared();
            assert!(
                (share - 0.5).abs() < OFF_MIDDLE && (twice(part) - share * twice(&triangle)).norm() < 1e-15
            );
        }
        assert!((twice(&parts[0]) + twice(&parts[1]) - twice(&triangle)).norm() < 1e-15);
        // The longest edge is that from corner 1 to 2 (its square is 9.89; 1 and 9.29 the others').
        assert_eq!(parts.map(|part| part[2]), [triangle[0]; 2]);
    }

    /// Evenly spread between the bounds: mean 0 and mean square 1/3, each to three standard deviations.
    #[test]
    fn cuts_are_the_same_from_both_sides_and_anywhere_near_the_middle() {
        let (mut sum, mut squares) = (0.0, 0.0);
        let count = 10_000;
        for k in 0..count {
            let (a, b) = (Vec3::new(0.0, -0.3, 0.1), Vec3::new(f64::from(k), 2.0, -0.1));
            let place = cut(&a, &b);
            assert_eq!(place, cut(&b, &a));
            let share = ((place - a).norm() / (b - a).norm() - 0.5) / OFF_MIDDLE;
            assert!(share.abs() <= 1.0 + 1e-12, "{share}");
            sum += share;
            squares += share * share;
        }
        let n = f64::from(count);
        assert!((sum / n).abs() < 3.0 * (1.0 / 3.0 / n).sqrt(), "{sum}");
        assert!((squares / n - 1.0 / 3.0).abs() < 3.0 * (4.0 / 45.0 / n).sqrt(), "{squares}");
    }

    #[test]
    fn zeros_of_either_sign_are_one_place() {
        assert_eq!(share_of(&Vec3::new(0.0, -0.0, 1.0)), share_of(&Vec3::new(-0.0, 0.0, 1.0)));
    }

    #[test]
    fn a_sliver_is_cut_across() {
        let mut parts = vec![[Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.01, 0.0)]];
        for _ in 0..6 {
            parts = parts.iter().flat_map(cut_in_two).collect();
        }
        let longest = |[a, b, c]: &[Vec3; 3]| (b - a).norm().max((c - b).norm()).max((a - c).norm());
        // Two cuts halve the length: the first makes edges of 1, ½, ½ and of ½, ½, 0.005, the second cuts the former. Off the
        // middle lengths are up to 1.12 times as long each time.
        let greatest = parts.iter().map(longest).fold(0.0, f64::max);
        assert!((0.125..0.125 * 1.12 * 1.12 * 1.12).contains(&greatest), "{greatest}");
    }
}
