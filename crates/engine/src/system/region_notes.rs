//! What the user should know about the meshes of a pair by regions.

use carom_geometry::mesh::{Cracks, SurfaceDiagnosis};

use crate::Note;

/// What keeps contours from closing on a surface of a pair, in words; a surface without a diagnosis is no mesh.
pub(super) fn notes_on_regions(pair: &str, found: Option<SurfaceDiagnosis>, name: &str) -> Vec<Note> {
    let Some(found) = found else { return Vec::new() };
    let faults = [
        (found.duplicate, "are there twice"),
        (found.flipped, "are turned against their neighbours"),
        (found.degenerate, "are degenerate"),
    ];
    let note = |(findings, what): (carom_geometry::mesh::Findings<usize>, &str)| {
        let (first, count) = (findings.first?, findings.count);
        let message = format!(
            "pair \"{pair}\": triangles of \"{name}\" {what}, {count} of them, the first is triangle {first}: where a region comes to one it may not close, and the run stops (E0615); `carom mesh repair` mends them"
        );
        Some(Note::new("N0409", message))
    };
    let cracks = found.cracks.map(|cracks| {
        let Cracks { corners, width, place } = cracks;
        let (x, y, z) = (place.x, place.y, place.z);
        let wide = match cracks.tolerance() {
            0.0 => String::new(),
            tolerance => format!(" --tolerance \"{tolerance:.0e} m\""),
        };
        let message = format!(
            "pair \"{pair}\": borders of \"{name}\" run along each other no more than {width:.1e} m apart, at {corners} vertices, the first near ({x:.6}, {y:.6}, {z:.6}) m: where a region comes to one it does not close, and the run stops (E0615); `carom mesh repair IN OUT{wide}` makes them one"
        );
        Note::new("N0409", message)
    });
    faults.into_iter().filter_map(note).chain(cracks).collect()
}

#[cfg(test)]
mod tests {
    use carom_geometry::surface::{Resolution, block};
    use carom_math::Vec3;

    use super::notes_on_regions;

    #[test]
    fn what_keeps_contours_open_is_told() {
        let cube = block(Vec3::repeat(0.1), Resolution::Divisions(2)).unwrap();
        assert!(notes_on_regions("p", cube.diagnose().ok(), "cube").is_empty());
        let mut turned = cube.clone();
        turned.triangles[5].swap(0, 1);
        let mut twice = cube.clone();
        twice.triangles.push(twice.triangles[7]);
        let mut cracked = cube;
        let [a, b, c] = cracked.triangle(7);
        cracked.triangles[7] = [0, 1, 2].map(|k| cracked.vertices.len() as u32 + k);
        cracked.vertices.extend([a, b, c].map(|corner| corner + Vec3::repeat(3e-6)));
        let wanted = [
            (turned, "turned against"),
            (twice, "there twice, 1 of them"),
            (cracked, "--tolerance \"2e-5 m\""),
        ];
        for (mesh, words) in wanted {
            let notes = notes_on_regions("p", mesh.diagnose().ok(), "cube");
            assert!(notes.len() == 1 && notes[0].message.contains(words), "{notes:?}");
        }
    }
}
