//! Solids with one hole through them: closed loops of rings.

use carom_math::Vec3;

use super::loft::band;
use crate::TriangleMesh;

/// Closed surface through a loop of rings of equally many points, the last joined to the first: that of a ring. Each ring goes around
/// the hole counter-clockwise seen from +z; the loop goes down in the hole, and outwards below.
pub(super) fn ring_loop(rings: &[Vec<Vec3>]) -> TriangleMesh {
    let n = rings[0].len() as u32;
    let mut mesh = TriangleMesh { vertices: rings.concat(), triangles: Vec::new() };
    let count = rings.len() as u32;
    for ring in 0..count {
        band(&mut mesh.triangles, ring * n, (ring + 1) % count * n, n);
    }
    mesh
}

/// Outline of a figure with both axes for mirrors as `n` points, a multiple of four, counter-clockwise from +x: its first quarter by
/// numbers from 0 on +x to n/4 on +y.
pub(super) fn mirrored_outline(n: u32, first: impl Fn(u32) -> [f64; 2]) -> Vec<[f64; 2]> {
    let quarter = n / 4;
    let at = |k: u32| {
        let (quadrant, k) = (k / quarter, k % quarter);
        let [x, y] = first(if quadrant % 2 == 0 { k } else { quarter - k });
        match quadrant {
            0 => [x, y],
            1 => [-x, y],
            2 => [-x, -y],
            _ => [x, -y],
        }
    };
    (0..n).map(at).collect()
}

/// A rectangle's, with its corners among the points: those on each side are equally far from each other.
pub(super) fn rectangle_outline([half_x, half_y]: [f64; 2], n: u32) -> Vec<[f64; 2]> {
    let quarter = n / 4;
    let corner = share_of(quarter, half_y / (half_x + half_y));
    mirrored_outline(n, |k| {
        if k <= corner {
            [half_x, half_y * f64::from(k) / f64::from(corner)]
        } else {
            [half_x * f64::from(quarter - k) / f64::from(quarter - corner), half_y]
        }
    })
}

/// How many of `n` pieces, two or more, go to a share of a way that has at least one, as has the rest.
pub(super) fn share_of(n: u32, share: f64) -> u32 {
    (f64::from(n) * share).round().clamp(1.0, f64::from(n - 1)) as u32
}

/// Rings of a flat face between an outer and an inner ring, without both, from the outer one inwards: as many as have edges
/// about as wide as they are long.
pub(super) fn face_between(outer: &[Vec3], inner: &[Vec3]) -> Vec<Vec<Vec3>> {
    let rings = rings_between(outer, inner);
    let growth = libm::pow(perimeter(outer) / perimeter(inner), 1.0 / f64::from(rings + 1));
    let whole = libm::pow(growth, f64::from(rings + 1)) - 1.0;
    let share = |k: u32| match whole.abs() < 1e-9 {
        true => f64::from(k) / f64::from(rings + 1),
        false => (libm::pow(growth, f64::from(k)) - 1.0) / whole,
    };
    (1..=rings)
        .rev()
        .map(|k| inner.iter().zip(outer).map(|(i, o)| i + (o - i) * share(k)).collect())
        .collect()
}

/// How many rings [`face_between`] makes.
pub(super) fn rings_between(outer: &[Vec3], inner: &[Vec3]) -> u32 {
    let n = inner.len() as f64;
    let widest = outer.iter().zip(inner).map(|(o, i)| (o - i).norm()).fold(0.0, f64::max);
    let edge = 0.5 * (perimeter(outer) + perimeter(inner)) / n;
    super::segments(widest, edge) - 1
}

fn perimeter(ring: &[Vec3]) -> f64 {
    let after = ring.iter().cycle().skip(1);
    ring.iter().zip(after).map(|(a, b)| (b - a).norm()).sum()
}

/// Points between two rings, both left out: each line of them cut into n equal parts.
pub(super) fn lines_between(from: &[Vec3], to: &[Vec3], n: u32) -> Vec<Vec<Vec3>> {
    let share = |k: u32| f64::from(k) / f64::from(n);
    (1..n).map(|k| from.iter().zip(to).map(|(a, b)| a + (b - a) * share(k)).collect()).collect()
}
