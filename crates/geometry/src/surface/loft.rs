use std::f64::consts::TAU;

use carom_math::Vec3;

use crate::TriangleMesh;

/// Closed surface through rings of equally many points between two end points. Seen from the last ring, the
/// points of each go counter-clockwise about the line from the first end point to the last.
pub(super) fn loft(first: Vec3, rings: &[Vec<Vec3>], last: Vec3) -> TriangleMesh {
    let n = rings[0].len() as u32;
    let mut mesh = TriangleMesh { vertices: vec![first], triangles: Vec::new() };
    mesh.vertices.extend(rings.iter().flatten());
    mesh.vertices.push(last);
    let start = |ring: usize| 1 + ring as u32 * n;
    let top = start(rings.len());
    for (k, next) in follow(n) {
        mesh.triangles.push([0, 1 + next, 1 + k]);
    }
    for ring in 1..rings.len() {
        band(&mut mesh.triangles, start(ring - 1), start(ring), n);
    }
    for (k, next) in follow(n) {
        mesh.triangles.push([top, start(rings.len() - 1) + k, start(rings.len() - 1) + next]);
    }
    mesh
}

/// Two triangles between each two neighbours of a ring of n vertices from `low` on and one from `high` on.
pub(super) fn band(triangles: &mut Vec<[u32; 3]>, low: u32, high: u32, n: u32) {
    for (k, next) in follow(n) {
        triangles.push([low + k, low + next, high + next]);
        triangles.push([low + k, high + next, high + k]);
    }
}

/// Numbers of a ring, each with the one after it.
pub(super) fn follow(n: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..n).map(move |k| (k, (k + 1) % n))
}

/// Surface of revolution about z. The profile is a list of (r, z) from the lower point on the axis to the upper
/// one, with r > 0 between; `around` points on each circle.
pub(super) fn revolve(profile: &[[f64; 2]], around: u32) -> TriangleMesh {
    let circle: Vec<[f64; 2]> = (0..around).map(|k| direction(k, around)).collect();
    let ring = |&[r, z]: &[f64; 2]| circle.iter().map(|[c, s]| Vec3::new(r * c, r * s, z)).collect();
    let rings: Vec<Vec<Vec3>> = profile[1..profile.len() - 1].iter().map(ring).collect();
    loft(profile[0][1] * Vec3::z(), &rings, profile[profile.len() - 1][1] * Vec3::z())
}

/// Triangles of a surface of revolution.
pub(super) fn revolved_facets(profile_points: usize, around: u32) -> usize {
    2 * around as usize * (profile_points - 2)
}

/// Cosine and sine of the k-th of n equal parts of the full turn.
pub(super) fn direction(k: u32, n: u32) -> [f64; 2] {
    let angle = TAU * f64::from(k) / f64::from(n);
    [libm::cos(angle), libm::sin(angle)]
}

/// Adds the points that cut the line from the last point of a profile to `end` into n equal parts, `end`
/// included.
pub(super) fn line_to(profile: &mut Vec<[f64; 2]>, end: [f64; 2], n: u32) {
    let start = profile[profile.len() - 1];
    for k in 1..n {
        let s = f64::from(k) / f64::from(n);
        profile.push([start[0] + s * (end[0] - start[0]), start[1] + s * (end[1] - start[1])]);
    }
    profile.push(end);
}
