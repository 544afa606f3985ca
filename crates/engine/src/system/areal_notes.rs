//! What the user should know about the meshes of an areal pair.

use carom_geometry::mesh::{Findings, SurfaceDiagnosis};

use super::areal_elements::percent;
use super::pairs::{LARGEST_UNFELT_SHARE, unfelt_share};
use crate::Note;

/// Estimated error from which elements are called coarse where an accuracy is turned off: those of more than eight radii of the
/// patch, which contact falls between.
const COARSE: f64 = 10.0;

/// Elements of a pair from which its cost is told: faces that lie on each other take a tenth of a second an evaluation then.
const COSTLY: usize = 2_000_000;

/// What has so many times fewer elements is worth a word.
const FAR_FEWER: usize = 3;

/// How many times larger a u_max may be that is proposed.
const LARGER: [f64; 4] = [10.0, 30.0, 100.0, 300.0];

/// The accuracy from which on edges are felt no later.
const COARSEST: f64 = 0.25;

/// What the elements of a base are good for.
#[derive(Clone, Copy)]
pub(super) struct Elements<'a> {
    /// Estimated relative error of the force.
    pub(super) error: f64,
    /// At which depth, in words.
    pub(super) at: &'a str,
    /// That which was asked for.
    pub(super) accuracy: Option<f64>,
    /// Whether those of the target count beside its edges, or the base was chosen for them.
    pub(super) is_shared: bool,
}

/// What is unsuitable about base and target, by their names, in words; a surface without a diagnosis is no mesh.
pub(super) fn notes_on_meshes(
    pair: &str,
    (base, base_name): (Option<SurfaceDiagnosis>, &str),
    (target, target_name): (Option<SurfaceDiagnosis>, &str),
    elements: Elements<'_>,
) -> Vec<Note> {
    let mut notes = Vec::new();
    // Swapped, a base with sharp edges would be told the same.
    let is_sharp = base.is_some_and(|found| found.sharp.first.is_some());
    let cure = if is_sharp { "chamfer them" } else { "chamfer them, or swap base and target" };
    for (found, name, is_target) in [(base, base_name, false), (target, target_name, true)] {
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
            "closed parts with normals inwards",
            &found.inward,
            "right for a cavity or a room, which is solid all around, else `carom mesh repair` turns them",
        );
        if let (true, Some(edge)) = (is_target && !elements.is_shared, found.sharp.first) {
            let message = format!(
                "pair \"{pair}\": the target \"{name}\" has {} edges of 90 degrees or more, the first between triangles {} and {}; penetrations jump where the base passes them: {cure}",
                found.sharp.count, edge.triangles[0], edge.triangles[1]
            );
            notes.push(Note::new("N0404", message));
        }
    }
    let error = percent(elements.error);
    match elements.accuracy {
        Some(accuracy) if elements.error > accuracy => notes.push(Note::new("N0405", format!(
            "pair \"{pair}\": the base \"{base_name}\" would need more elements than there are numbers for an accuracy of {}; with what there are the force is good to about {error} at {}: raise u_max or the accuracy",
            percent(accuracy),
            elements.at
        ))),
        None if elements.error > COARSE => notes.push(Note::new("N0405", format!(
            "pair \"{pair}\": the triangles of the base \"{base_name}\" are large beside contact patches: the force is good to {error} at {}, and contact may fall between them; accuracy = \"5 %\" would cut them where the other surface is near",
            elements.at
        ))),
        _ => {}
    }
    notes
}

/// N0410: so many elements that evaluations may be slow. Where that is they are beside long edges. What is proposed has been
/// counted: where there is only room for so many, a coarser accuracy has not always fewer, and may have more.
pub(super) fn note_on_cost(
    pair: &str,
    elements: usize,
    (u_max, widest): (f64, f64),
    accuracy: f64,
    count: &dyn Fn(f64, f64) -> Option<usize>,
) -> Option<Note> {
    if elements < COSTLY {
        return None;
    }
    let has_far_fewer = |count: &usize| *count * FAR_FEWER <= elements;
    let mut cures = Vec::new();
    // Stated with the digit that is counted with.
    let larger = LARGER.iter().filter_map(|times| format!("{:.0e}", times * u_max).parse::<f64>().ok());
    let deeper = larger
        .filter(|depth| *depth <= widest)
        .find_map(|depth| count(accuracy, depth).filter(has_far_fewer).map(|count| (depth, count)));
    if let Some((depth, count)) = deeper {
        cures.push(format!(
            "u_max = \"{depth:e} m\" in the law's [pcm] block makes {count} of them, with edges felt at {:.1e} m, and what presses face on face is the same",
            unfelt_share(Some(accuracy)) * depth
        ));
    }
    if unfelt_share(Some(accuracy)) < LARGEST_UNFELT_SHARE
        && let Some(count) = count(COARSEST, u_max).filter(has_far_fewer)
    {
        cures.push(format!(
            "accuracy = \"{:.0} %\" on its contact line makes {count}, with edges felt at {:.1e} m",
            100.0 * COARSEST,
            LARGEST_UNFELT_SHARE * u_max
        ));
    }
    if cures.is_empty() {
        cures.push("a much softer layer has fewer".to_owned());
    }
    let message = format!(
        "pair \"{pair}\": {elements} elements, most of them beside edges, which are felt at {:.3e} m: where faces lie on each other evaluations are slow; {}",
        unfelt_share(Some(accuracy)) * u_max,
        cures.join("; ")
    );
    Some(Note::new("N0410", message))
}

#[cfg(test)]
mod tests {
    use carom_geometry::surface::{Resolution, block, rectangle};
    use carom_math::Vec3;

    use super::{Elements, notes_on_meshes};

    #[test]
    fn sharp_targets_coarse_bases_and_dirt_are_told() {
        let cube = block(Vec3::new(0.1, 0.1, 0.1), Resolution::Divisions(1)).unwrap();
        let mut plate = rectangle(1.0, 1.0, Resolution::Divisions(1)).unwrap();
        plate.triangles.push(plate.triangles[0]);
        let elements = |error, accuracy| Elements { error, at: "u_max/10", accuracy, is_shared: false };
        let of_plate = |elements| {
            notes_on_meshes("p", (plate.diagnose().ok(), "plate"), (cube.diagnose().ok(), "cube"), elements)
        };
        let notes = of_plate(elements(20.0, None));
        let said = |words: &str| notes.iter().any(|n| n.message.contains(words));
        assert!(said("the target \"cube\" has 12 edges") && said("or swap base"), "{notes:?}");
        assert!(said("the base \"plate\" are large") && said("more than 100 %"), "{notes:?}");
        assert!(said("\"plate\" has 1 triangles twice, the first is triangle 2"), "{notes:?}");
        let diagnosis = |name| (cube.diagnose().ok(), name);
        let of_cubes = notes_on_meshes("p", diagnosis("one"), diagnosis("other"), elements(0.03, Some(0.05)));
        assert!(matches!(&of_cubes[..], [one] if one.message.ends_with("chamfer them")), "{of_cubes:?}");
        let shared = Elements { is_shared: true, ..elements(0.03, Some(0.05)) };
        assert!(notes_on_meshes("p", diagnosis("one"), diagnosis("other"), shared).is_empty());
        let fine = rectangle(1.0, 1.0, Resolution::Divisions(200)).unwrap();
        let fine = || (fine.diagnose().ok(), "fine");
        assert!(notes_on_meshes("p", fine(), fine(), elements(0.03, Some(0.05))).is_empty());
        let short = notes_on_meshes("p", fine(), fine(), elements(0.03, Some(0.01)));
        assert!(short.len() == 1 && short[0].message.contains("accuracy of 1.0 %"), "{short:?}");
    }
}
