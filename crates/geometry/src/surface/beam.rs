use std::f64::consts::{FRAC_PI_2, PI};

use carom_math::Vec3;

use super::loft::band;
use super::rounded::LEAST_ARCS;
use super::{Resolution, check_lengths, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Beam along x: a block with half cylinders about z at its ends x = ±half_length, as wide in y as the cylinders'
/// diameter 2·half_width, between z = ±half_thickness.
///
/// Divisions: n ≥ 2 edges on each half circle; the straight sides, the height and the flat ends are cut into
/// pieces as long, the ends into rings around their middle line.
pub fn beam(
    half_length: f64,
    half_width: f64,
    half_thickness: f64,
    resolution: Resolution,
) -> Result<TriangleMesh, ShapeFault> {
    rounded_beam([half_length, half_width, half_thickness], 0.0, resolution)
}

/// The sum of a beam and a ball of radius `rounding`: outlines across z grow along arcs from the flat ends to the sides.
pub(super) fn rounded_beam(
    [half_length, half_width, half_thickness]: [f64; 3],
    rounding: f64,
    resolution: Resolution,
) -> Result<TriangleMesh, ShapeFault> {
    check_lengths(&[
        ("half_length", half_length),
        ("half_width", half_width),
        ("half_thickness", half_thickness),
    ])?;
    let cut = |n: u32| {
        let spacing = PI * (half_width + rounding) / f64::from(n);
        let caps = segments(half_width, spacing);
        let arcs = if rounding > 0.0 { segments(FRAC_PI_2 * rounding, spacing).max(LEAST_ARCS) } else { 0 };
        [segments(2.0 * half_length, spacing), segments(2.0 * half_thickness, spacing), caps, arcs]
    };
    let n = resolution.divisions(2, |n| {
        let [straight, height, caps, arcs] = cut(n);
        4 * (n + straight) as usize * (height - 1 + 2 * (caps + arcs)) as usize + 4 * straight as usize
    })?;
    let [straight, height, caps, arcs] = cut(n);
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    let ring = |mesh: &mut TriangleMesh, width: f64, z: f64| {
        let first = mesh.vertices.len() as u32;
        let outline = outline(half_length, width, n, straight);
        mesh.vertices.extend(outline.into_iter().map(|[x, y]| Vec3::new(x, y, z)));
        first
    };
    let share = |k: u32, n: u32| f64::from(k) / f64::from(n);
    let points = 2 * (n + straight);
    let mut rings = Vec::new();
    let end = half_thickness + rounding;
    let in_end = |k: u32| share(k, caps) * half_width;
    // Width and height on the arc that is k of its pieces away from the end.
    let on_arc = |k: u32| {
        let angle = FRAC_PI_2 * share(k, arcs);
        [half_width + rounding * libm::sin(angle), half_thickness + rounding * libm::cos(angle)]
    };
    rings.extend((1..caps).map(|k| ring(&mut mesh, in_end(k), -end)));
    rings.extend((0..arcs).map(on_arc).map(|[width, z]| ring(&mut mesh, width, -z)));
    rings
        .extend((0..=height).map(|k| {
            ring(&mut mesh, half_width + rounding, half_thickness * (2.0 * share(k, height) - 1.0))
        }));
    rings.extend((0..arcs).rev().map(on_arc).map(|[width, z]| ring(&mut mesh, width, z)));
    rings.extend((1..caps).rev().map(|k| ring(&mut mesh, in_end(k), end)));
    for pair in rings.windows(2) {
        band(&mut mesh.triangles, pair[0], pair[1], points);
    }
    for (z, inmost, upward) in [(-end, rings[0], false), (end, rings[rings.len() - 1], true)] {
        let line = mesh.vertices.len() as u32;
        let x = |k: u32| half_length * (1.0 - 2.0 * share(k, straight));
        mesh.vertices.extend((0..=straight).map(|k| Vec3::new(x(k), 0.0, z)));
        let end = around_middle(inmost, line, n, straight);
        mesh.triangles.extend(end.map(|[a, b, c]| if upward { [a, b, c] } else { [a, c, b] }));
    }
    Ok(mesh)
}

/// Triangles between the inmost ring and the middle line, from its right end, counter-clockwise: about both ends of the
/// line, and along its sides.
fn around_middle(ring: u32, line: u32, n: u32, straight: u32) -> impl Iterator<Item = [u32; 3]> {
    let half = n + straight;
    let on_ring = move |k: u32| ring + k % (2 * half);
    (0..2).flat_map(move |side| {
        let start = side * half;
        // The other side goes back along the line.
        let on_line = move |k: u32| line + if side == 0 { k } else { straight - k };
        let about_end = (0..n).map(move |k| [on_line(0), on_ring(start + k), on_ring(start + k + 1)]);
        let along = (0..straight).flat_map(move |k| {
            let (near, next) = (on_ring(start + n + k), on_ring(start + n + k + 1));
            [[near, next, on_line(k + 1)], [near, on_line(k + 1), on_line(k)]]
        });
        about_end.chain(along)
    })
}

/// Counter-clockwise: right end, upper side, left end, lower side.
fn outline(half_length: f64, half_width: f64, n: u32, straight: u32) -> Vec<[f64; 2]> {
    let mut half: Vec<[f64; 2]> = Vec::new();
    for k in 0..n {
        let angle = PI * (f64::from(k) / f64::from(n) - 0.5);
        half.push([half_length + half_width * libm::cos(angle), half_width * libm::sin(angle)]);
    }
    for k in 0..straight {
        half.push([half_length * (1.0 - 2.0 * f64::from(k) / f64::from(straight)), half_width]);
    }
    let other: Vec<[f64; 2]> = half.iter().map(|[x, y]| [-x, -y]).collect();
    half.extend(other);
    half
}
