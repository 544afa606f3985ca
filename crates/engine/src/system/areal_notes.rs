//! What the user should know about the meshes of an areal pair.

use carom_geometry::mesh::{Findings, SurfaceDiagnosis};

use crate::Note;

/// What is unsuitable about base and target, by their names, in words; a surface without a diagnosis is no mesh. `radius` is
/// that of the smaller body (m).
pub(super) fn notes_on_meshes(
    pair: &str,
    (base, base_name): (Option<SurfaceDiagnosis>, &str),
    (target, target_name): (Option<SurfaceDiagnosis>, &str),
    u_max: f64,
    radius: f64,
) -> Vec<Note> {
    let mut notes = Vec::new();
    for (found, name) in [(base, base_name), (target, target_name)] {
        let Some(found) = found else { continue };
        let mut note = |what: &str, findings: &Findings<usize>, remedy: &str| {
            if let Some(first) = findings.first {
                let count = findings.count;
                let message = format!(
                    "pair \"{pair}\": \"{name}\" has {count} {what}, the first is triangle {first}; {remedy}"
                );
                notes.push(Note::new("N0403", message));
            }
        };
        note("degenerate triangles", &found.degenerate, "they take no part");
        note("triangles twice", &found.duplicate, "of a base their forces count twice");
        note(
            "triangles turned against their neighbours",
            &found.flipped,
            "they see contact from the wrong side",
        );
        note(
            "closed parts with normals inwards",
            &found.inward,
            "right for a cavity, else turn them in the mesh",
        );
        if let (true, Some(edge)) = (name == target_name, found.sharp.first) {
            let message = format!(
                "pair \"{pair}\": the target \"{name}\" has {} edges of 90 degrees or more, the first between triangles {} and {}; penetrations jump where the base passes them: chamfer them, or swap base and target",
                found.sharp.count, edge.triangles[0], edge.triangles[1]
            );
            notes.push(Note::new("N0404", message));
        }
        // Radius of the patch of a sphere that is u_max deep in a plane.
        let patch = (2.0 * radius * u_max).sqrt();
        if name == base_name && found.mean_edge > patch {
            let message = format!(
                "pair \"{pair}\": the triangles of the base \"{name}\" are large, {:.3e} m along an edge, beside contact patches of about {patch:.3e} m: contact may fall between them; make them finer (facets, subdivide)",
                found.mean_edge
            );
            notes.push(Note::new("N0405", message));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use carom_geometry::surface::{Resolution, block, rectangle};
    use carom_math::Vec3;

    use super::notes_on_meshes;

    #[test]
    fn sharp_targets_coarse_bases_and_dirt_are_told() {
        let cube = block(Vec3::new(0.1, 0.1, 0.1), Resolution::Divisions(1)).unwrap();
        let mut plate = rectangle(1.0, 1.0, Resolution::Divisions(1)).unwrap();
        plate.triangles.push(plate.triangles[0]);
        let notes =
            notes_on_meshes("p", (plate.diagnose().ok(), "plate"), (cube.diagnose().ok(), "cube"), 1e-3, 0.1);
        let said = |words: &str| notes.iter().any(|n| n.message.contains(words));
        assert!(said("the target \"cube\" has 12 edges"), "{notes:?}");
        assert!(said("the base \"plate\" are large"), "{notes:?}");
        assert!(said("\"plate\" has 1 triangles twice, the first is triangle 2"), "{notes:?}");
        let fine = rectangle(1.0, 1.0, Resolution::Divisions(200)).unwrap();
        let fine = || (fine.diagnose().ok(), "fine");
        assert!(notes_on_meshes("p", fine(), fine(), 1e-3, 0.1).is_empty());
    }
}
