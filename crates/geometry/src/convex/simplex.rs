//! Point of a simplex nearest to the origin, by signed volumes: Montanari, Petrinic & Barbieri, "Improving the GJK
//! algorithm for faster and more reliable distance queries between convex objects", ACM TOG 36 (2017). Unlike
//! Johnson's recursion it keeps its digits for flat simplices.

use carom_math::Vec3;

/// Barycentric coordinates of the nearest point, zero for corners that do not carry it.
pub(super) type Weights = [f64; 4];

/// Nearest point of the simplex with one to four corners.
pub(super) fn nearest(corners: &[Vec3]) -> Weights {
    let mut weights = [0.0; 4];
    match *corners {
        [a, b] => weights[..2].copy_from_slice(&on_segment(&a, &b)),
        [a, b, c] => weights[..3].copy_from_slice(&on_triangle(&a, &b, &c)),
        [a, b, c, d] => weights = on_tetrahedron(&[a, b, c, d]),
        _ => weights[0] = 1.0,
    }
    weights
}

fn on_segment(a: &Vec3, b: &Vec3) -> [f64; 2] {
    let along = b - a;
    let squared = along.norm_squared();
    let share = -a.dot(&along);
    if share <= 0.0 || squared == 0.0 {
        [1.0, 0.0]
    } else if share >= squared {
        [0.0, 1.0]
    } else {
        [1.0 - share / squared, share / squared]
    }
}

/// Point of a triangle nearest to the origin.
pub(crate) fn on_triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> [f64; 3] {
    let normal = (b - a).cross(&(c - a));
    let squared = normal.norm_squared();
    if squared > 0.0 {
        let foot = normal * (a.dot(&normal) / squared);
        // Signed areas in the coordinate plane in which the triangle is largest.
        let k = normal.iamax();
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let area =
            |p: &Vec3, q: &Vec3| (p[i] - foot[i]) * (q[j] - foot[j]) - (p[j] - foot[j]) * (q[i] - foot[i]);
        let sign = 1.0_f64.copysign(normal[k]);
        let parts = [sign * area(b, c), sign * area(c, a), sign * area(a, b)];
        if parts.iter().all(|part| *part > 0.0) {
            let whole = parts[0] + parts[1] + parts[2];
            return parts.map(|part| part / whole);
        }
    }
    let [s, t] = on_segment(a, b);
    let mut best = [s, t, 0.0];
    let mut least = (s * a + t * b).norm_squared();
    let [s, t] = on_segment(b, c);
    if (s * b + t * c).norm_squared() < least {
        least = (s * b + t * c).norm_squared();
        best = [0.0, s, t];
    }
    let [s, t] = on_segment(c, a);
    if (s * c + t * a).norm_squared() < least {
        best = [t, 0.0, s];
    }
    best
}

fn on_tetrahedron(corners: &[Vec3; 4]) -> [f64; 4] {
    let [a, b, c, d] = corners;
    // Volumes of the tetrahedra that the origin makes with the sides opposite to each corner.
    let volumes = [b.dot(&d.cross(c)), a.dot(&c.cross(d)), a.dot(&d.cross(b)), a.dot(&b.cross(c))]
        .map(|volume| -volume);
    let whole = -(b - a).dot(&(d - a).cross(&(c - a)));
    let sign = 1.0_f64.copysign(whole);
    if whole != 0.0 && volumes.iter().all(|volume| sign * volume > 0.0) {
        return volumes.map(|volume| volume / whole);
    }
    let mut best = [1.0, 0.0, 0.0, 0.0];
    let mut least = f64::INFINITY;
    for (opposite, side) in [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]].into_iter().enumerate() {
        if whole != 0.0 && sign * volumes[opposite] > 0.0 {
            continue;
        }
        let [p, q, r] = side.map(|k| corners[k]);
        let weights = on_triangle(&p, &q, &r);
        let squared = (weights[0] * p + weights[1] * q + weights[2] * r).norm_squared();
        if squared < least {
            least = squared;
            best = [0.0; 4];
            for (k, weight) in side.into_iter().zip(weights) {
                best[k] = weight;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::SplitMix64;

    /// The nearest point p satisfies p·x ≥ p·p for all corners x.
    #[test]
    fn nearest_point_is_optimal_for_random_and_flat_simplices() {
        let mut rng = SplitMix64::new(11);
        for round in 0..20_000 {
            let count = 1 + rng.index(4);
            let shift = rng.vector_in_cube(1.0);
            let flat = if round % 3 == 0 { 1e-6 } else { 1.0 };
            let corners: Vec<Vec3> = (0..count)
                .map(|_| {
                    let p = rng.vector_in_cube(1.0);
                    Vec3::new(p.x, p.y, flat * p.z) + shift
                })
                .collect();
            let weights = nearest(&corners);
            assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            assert!(weights.iter().all(|w| *w >= 0.0));
            let p: Vec3 = corners.iter().zip(weights).map(|(c, w)| w * c).sum();
            for corner in &corners {
                // Flat triangles keep about six digits fewer of their normal.
                assert!(p.dot(corner) >= p.norm_squared() - 1e-9, "{corners:?} {weights:?}");
            }
        }
    }
}
