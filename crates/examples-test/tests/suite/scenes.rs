//! Scenes of ordinary machines in `tests/scenes`, each with what is right in closed form: a model file a scene, which says what it shows.

use std::fs;
use std::path::Path;

use carom_engine::EndReason;
use carom_engine::{Simulation, System};
use carom_examples_test::run_and_judge;
use carom_io::Overrides;

#[test]
fn scenes_come_out_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenes");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() >= 102, "{files:?}");
    let mut wrong = Vec::new();
    // Those that once took up to a million: some hundred are enough.
    let quick = ["ball-falls-along-tube", "car-with-locked-rear-wheels", "ram-pushes-block"];
    for file in &files {
        let name = file.file_stem().expect("a name").to_string_lossy();
        let loaded = carom_io::load(file, &Overrides::default())
            .unwrap_or_else(|report| panic!("{name}: {:#?}", report.diagnostics));
        assert!(!loaded.expectations.is_empty(), "{name} says nothing");
        let system = System::compile(&loaded.model).expect("a sound model");
        let (outcome, judged) = run_and_judge(&loaded, |recorder| {
            Simulation::new(&system).run(recorder).expect("the recorder never fails")
        });
        if outcome.end != EndReason::Finished {
            wrong.push(format!("{name}: {:?}", outcome.end));
        }
        let steps = outcome.statistics.steps;
        if quick.contains(&&*name) && steps > 1000 {
            wrong.push(format!("{name}: {steps} steps"));
        }
        let unmet = judged.iter().filter(|judged| !judged.met);
        wrong.extend(unmet.map(|judged| format!("{name}: {} is {}", judged.text, judged.found)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
