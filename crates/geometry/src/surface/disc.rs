use std::f64::consts::TAU;

use carom_math::Vec3;

use super::loft::{direction, follow};
use crate::TriangleMesh;

/// Height of an equilateral triangle over its edge.
const HEIGHT: f64 = 0.866;
/// Each ring has edges that much longer than the one around it: a disc needs no triangles finer than its border's in the
/// middle, and neighbouring rings that differ little make no thin ones.
const GROWTH: f64 = 1.3;
/// Points of the last ring, around the centre.
const LAST: u32 = 6;

/// Fills the flat disc inside a border with triangles that are about as wide as they are long. The border is a ring of
/// vertices about `centre`, across z, counter-clockwise seen from +z, each seen from the centre; the triangles are turned
/// `upward` or down.
pub(super) fn fill_disc(mesh: &mut TriangleMesh, border: &[u32], centre: Vec3, upward: bool) {
    let first = mesh.triangles.len();
    let mut outer = border.to_vec();
    let places = border.iter().map(|&v| mesh.vertices[v as usize] - centre);
    let mut radius = places.map(|place| place.norm()).fold(f64::INFINITY, f64::min);
    loop {
        let spacing = TAU * radius / outer.len() as f64;
        let inside = radius - HEIGHT * spacing;
        let count = (TAU * inside / (GROWTH * spacing)).round();
        if count < f64::from(LAST) {
            break;
        }
        let count = count as u32;
        let start = mesh.vertices.len() as u32;
        mesh.vertices.extend((0..count).map(|k| {
            let [c, s] = direction(k, count);
            centre + Vec3::new(inside * c, inside * s, 0.0)
        }));
        let inner: Vec<u32> = (start..start + count).collect();
        join_rings(mesh, &outer, &inner, &centre);
        (outer, radius) = (inner, inside);
    }
    mesh.vertices.push(centre);
    let middle = mesh.vertices.len() as u32 - 1;
    let n = outer.len() as u32;
    mesh.triangles.extend(follow(n).map(|(k, next)| [middle, outer[k as usize], outer[next as usize]]));
    if !upward {
        mesh.triangles[first..].iter_mut().for_each(|triangle| triangle.swap(1, 2));
    }
}

/// Triangles between a ring and one inside it, counter-clockwise: around both by angle, always on with the ring whose next
/// point comes first.
fn join_rings(mesh: &mut TriangleMesh, outer: &[u32], inner: &[u32], centre: &Vec3) {
    let vertices = &mesh.vertices;
    let angle_of = |v: u32| {
        let place = vertices[v as usize] - centre;
        libm::atan2(place.y, place.x).rem_euclid(TAU)
    };
    // From the lowest angle on, once around and to the first point again.
    let around = |ring: &[u32]| {
        let mut points: Vec<(f64, u32)> = ring.iter().map(|&v| (angle_of(v), v)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (angle, v) = points[0];
        points.push((angle + TAU, v));
        points
    };
    let (outer, inner) = (around(outer), around(inner));
    let (mut o, mut i) = (0, 0);
    while o + 1 < outer.len() || i + 1 < inner.len() {
        let next = |ring: &[(f64, u32)], k: usize| ring.get(k + 1).map_or(f64::INFINITY, |point| point.0);
        if next(&outer, o) <= next(&inner, i) {
            mesh.triangles.push([outer[o].1, outer[o + 1].1, inner[i].1]);
            o += 1;
        } else {
            mesh.triangles.push([outer[o].1, inner[i + 1].1, inner[i].1]);
            i += 1;
        }
    }
}
