//! Every example runs to its end, meets its expectations, and its rows make sense.

use carom_engine::record::EventKind;
use carom_engine::{EndReason, Model};
use carom_examples_test::{load, run, run_and_judge};

use super::watched::Watched;

/// Examples in which contacts tremble before they come to rest.
const TREMBLE: [&str; 1] = ["dominoes"];

/// Notes that belong to an example.
const KNOWN: &[(&str, &[&str])] = &[
    // Planar mechanisms of spatial joints, and Bricard's, are overconstrained.
    ("andrews", &["N0305"]),
    ("bricard", &["N0305"]),
    ("four-bar", &["N0305"]),
    ("slider-crank", &["N0305"]),
    // What is wrong with the mesh.
    ("dirty-mesh", &["N0403", "N0404"]),
    // The end faces have sharp edges and large triangles; they lie side by side and do not pass each other.
    ("gears", &["N0404", "N0405"]),
    // What it shows, on surfaces as coarse as they must be for that.
    ("sharp-edges", &["N0404", "N0405"]),
    // Contacts that depend on each other: four corners of each face, and discs in a plane.
    ("brick-wall", &["W0513"]),
    ("disc-pile", &["W0513"]),
    // Two answers are what it shows.
    ("painleve", &["W0514"]),
    // As many triangles as the figures of docs/examples.md go by: they cut off a twentieth of the force at a tenth of u_max.
    ("torus-sphere-fine", &["N0411"]),
    // Coarse published meshes.
    ("rover", &["N0603"]),
];

fn has_limits(model: &Model) -> bool {
    model.joints.iter().flat_map(|joint| &joint.elements).any(|element| element.limit.is_some())
}

fn runs_and_meets_its_expectations(name: &str) {
    let loaded = load(name, &[]);
    let mut latches = 0;
    let (outcome, judged) = run_and_judge(&loaded, |writer| {
        let mut watched = Watched::new(writer);
        let outcome = run(&loaded, &mut watched);
        let every = loaded.model.output.every.expect("examples say how often they record");
        let wanted = (loaded.model.solver.t_end / every).round() as u64 + 1;
        assert_eq!(watched.frames, wanted);
        let touches = !loaded.model.pairs.is_empty() || has_limits(&loaded.model);
        assert_eq!(watched.count(EventKind::ContactBegin) > 0, touches);
        latches = watched.count(EventKind::Latch);
        outcome
    });
    assert_eq!(outcome.end, EndReason::Finished);
    let known = KNOWN.iter().filter(|(example, _)| *example == name).flat_map(|(_, codes)| *codes);
    let surprises: Vec<_> =
        outcome.warnings.iter().filter(|w| !known.clone().any(|code| w.starts_with(code))).collect();
    assert!(surprises.is_empty(), "{surprises:?}");
    // What a run has to tell, and tells no more, is gone from the list or from the engine.
    let told = |code: &&str| outcome.warnings.iter().any(|w| w.starts_with(code));
    let untold: Vec<_> = known.filter(|code| code.starts_with('W') && !told(code)).collect();
    assert!(untold.is_empty(), "{untold:?}");
    let failed: Vec<_> = judged.iter().filter(|j| !j.met).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(latches == 0 || TREMBLE.contains(&name), "{latches} contacts were latched");
}

super::for_every_example!(runs_and_meets_its_expectations);
