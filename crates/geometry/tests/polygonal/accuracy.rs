//! What the estimate of accuracy promises, against sums over the elements of refined triangles.

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::SurfaceForm;
use carom_geometry::polygonal::accuracy::{BORDER_ERROR, PATCH_ERROR, Patches, Refinement};
use carom_geometry::polygonal::{BaseElement, BaseSurface};
use carom_geometry::surface::{self, Resolution};
use carom_math::Vec3;
use carom_testkit::SplitMix64;

use crate::meshes;

/// Elements of a parallelogram of two triangles, bisected, with their longest edge (m).
fn elements(corner: [f64; 2], depth: u8) -> (Vec<BaseElement>, f64) {
    let [x, y] = corner;
    let (a, b, c) = (Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(x, y, 0.0));
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    meshes::push(&mut mesh, [a, b, c]);
    meshes::push(&mut mesh, [b, b + c, c]);
    let base = BaseSurface::refined(&mesh, &[depth; 2], 0.1).unwrap();
    let longest = |[a, b, c]: [Vec3; 3]| (b - a).norm().max((c - b).norm()).max((a - c).norm());
    let all = 0..base.element_count() as u32;
    (base.elements().collect(), all.map(|e| longest(base.corners(&mesh, e))).fold(0.0, f64::max))
}

/// Third corners of triangles over an edge of 1 m: equilateral, right-angled, thin, obtuse.
const CORNERS: [[f64; 2]; 5] = [[0.5, 0.866], [0.0, 1.0], [0.45, 0.55], [0.9, 0.8], [0.2, 0.4]];

/// Places well inside the parallelogram.
fn place(corner: [f64; 2], rng: &mut SplitMix64) -> Vec3 {
    let (s, t) = (rng.uniform(0.4, 0.6), rng.uniform(0.4, 0.6));
    Vec3::new(s + t * corner[0], t * corner[1], 0.0)
}

#[test]
fn forces_of_curved_patches_are_as_near_as_estimated() {
    let mut rng = SplitMix64::new(1);
    let mut worst = 0.0_f64;
    for corner in CORNERS {
        let (elements, length) = elements(corner, 12);
        for _ in 0..300 {
            let ratio = rng.uniform(0.3, 1.2);
            let radius = length / ratio;
            let centre = place(corner, &mut rng);
            // Of the pressure 1 − r²/a²: half of π a².
            let pressure = |e: &BaseElement| 1.0 - (e.barycentre - centre).norm_squared() / (radius * radius);
            let force: f64 = elements.iter().map(|e| e.area * pressure(e).max(0.0)).sum();
            let error = (force / (0.5 * std::f64::consts::PI * radius * radius) - 1.0).abs();
            worst = worst.max(error / (PATCH_ERROR * ratio.powf(2.5)));
        }
    }
    println!("curved {worst}");
    assert!(worst < 1.0, "{worst}");
    // The bound is not idle either.
    assert!(worst > 0.5, "{worst}");
}

#[test]
fn forces_of_faces_on_a_plane_are_as_near_as_estimated() {
    let mut rng = SplitMix64::new(2);
    let mut worst = 0.0_f64;
    for corner in CORNERS {
        let (elements, length) = elements(corner, 14);
        for k in 0..300 {
            let width = length / rng.uniform(0.06, 0.2);
            let centre = place(corner, &mut rng);
            // Every third face is aligned with an edge of the triangles.
            let angle = if k % 3 == 0 { 0.0 } else { rng.uniform(0.0, 6.3) };
            let (s, c) = (angle.sin(), angle.cos());
            let inside = |e: &&BaseElement| {
                let x = e.barycentre - centre;
                (c * x.x + s * x.y).abs().max((c * x.y - s * x.x).abs()) < 0.5 * width
            };
            let area: f64 = elements.iter().filter(inside).map(|e| e.area).sum();
            worst = worst.max((area / (width * width) - 1.0).abs() / (BORDER_ERROR * length / width));
        }
    }
    println!("border {worst}");
    assert!(worst < 1.0, "{worst}");
    assert!(worst > 0.5, "{worst}");
}
