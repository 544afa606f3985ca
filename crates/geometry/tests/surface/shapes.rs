//! Triangles of generated surfaces are about as large as asked for: none is a sliver across a whole face.

use carom_geometry::TriangleMesh;
use carom_geometry::surface::*;
use carom_math::Vec3;

use crate::bent::{BOWL, hook};
use crate::{BUBBLE, PINION};

/// Longest edge over that of the equilateral triangle of mean area.
fn stretch(mesh: &TriangleMesh) -> f64 {
    let longest = |[a, b, c]: [Vec3; 3]| (b - a).norm().max((c - b).norm()).max((a - c).norm());
    let mean = crate::area(mesh) / mesh.triangles.len() as f64;
    mesh.corners().map(longest).fold(0.0, f64::max) / (mean * 4.0 / 3_f64.sqrt()).sqrt()
}

#[test]
fn no_surface_has_fans_of_long_triangles() {
    for facets in [500, 2000, 20_000] {
        let at = Resolution::Facets(facets);
        let surfaces = [
            ("block", block(Vec3::new(1.0, 0.1, 0.4), at)),
            ("cylinder", cylinder(0.3, 1.0, at)),
            ("disc", cylinder(1.0, 0.05, at)),
            ("frustum", frustum(0.3, 0.9, 0.5, at)),
            ("cone", frustum(0.4, 0.0, 0.5, at)),
            ("capsule", capsule(0.2, 0.5, at)),
            ("slender beam", beam(1.0, 0.05, 0.02, at)),
            ("beam", beam(0.5, 0.2, 0.05, at)),
            ("peanut", peanut(&BUBBLE, at)),
            ("foot", foot(&Foot::ROVER, at)),
            ("torus", torus(1.0, 0.3, at)),
            ("bowl", bowl(&BOWL, at)),
            ("hook", wire(&hook(), at)),
        ];
        for (name, mesh) in surfaces {
            // Rings about the middle of a face have as many points as its border, and diagonals are 1.5 edges long.
            let stretch = stretch(&mesh.unwrap());
            assert!(stretch < 2.5, "{name}, {facets} facets: {stretch}");
        }
    }
}

/// Ends of gears: no longer than the teeth are wide, wherever they are, and as wide as that.
#[test]
fn ends_of_gears_have_no_fans() {
    for teeth in [6, 20, 57, 200] {
        let mesh = gear(&Gear { teeth, ..PINION }).unwrap();
        let end = 0.5 * PINION.width;
        let pitch = std::f64::consts::PI * PINION.module;
        for [a, b, c] in mesh.corners().filter(|corners| corners.iter().all(|x| x.z == end)) {
            let (longest, height) = {
                let edges = [(b - a).norm(), (c - b).norm(), (a - c).norm()];
                let longest = edges.into_iter().fold(0.0, f64::max);
                (longest, (b - a).cross(&(c - a)).norm() / longest)
            };
            // Rings grow towards the middle: the last is a third of the root circle's radius wide at most.
            let middle = ((a + b + c) / 3.0).norm();
            let root = Gear { teeth, ..PINION }.root_radius();
            let limit = if middle > root { 1.0 } else { 1.0 + 0.8 * (root - middle) / pitch };
            assert!(longest < limit * pitch, "{teeth} teeth at {middle}: {longest} {pitch}");
            assert!(
                middle > root || height > 0.15 * longest,
                "{teeth} teeth at {middle}: {height} {longest}"
            );
        }
    }
}
