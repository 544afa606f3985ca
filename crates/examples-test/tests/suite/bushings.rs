//! A rotor of 1 kg m² on a bushing of 1 N m/rad: q = ω₀ sin t as long as that is below half a turn.

use std::fs;

use carom_engine::{EndReason, Outcome, Simulation, System};
use carom_examples_test::{Memory, RunFolder};
use carom_io::Overrides;

fn turned_at(rate: f64) -> Outcome {
    let text = format!(
        r#"format = 1
[world]
gravity = [0, 0, 0]
[body.rotor]
mass = 1
inertia = 1
[joint.shaft]
type = "revolute"
a = {{ body = "world" }}
b = {{ body = "rotor" }}
velocity = {rate}
[force.rubber]
type = "bushing"
a = {{ body = "world" }}
b = {{ body = "rotor" }}
stiffness = [0, 0, 0, 1, 1, 1]
[solver]
t_end = 3
"#
    );
    let folder = RunFolder::new("bushing");
    fs::create_dir_all(folder.path()).expect("a folder for the model");
    let file = folder.path().join("bushing.toml");
    fs::write(&file, text).expect("the model is written");
    let loaded = carom_io::load(&file, &Overrides::default())
        .unwrap_or_else(|report| panic!("{:#?}", report.diagnostics));
    let system = System::compile(&loaded.model).expect("a sound model");
    Simulation::new(&system).run(&mut Memory::default()).expect("the recorder never fails")
}

#[test]
fn a_bushing_past_half_a_turn_is_told() {
    for (rate, passes) in [(3.1, None), (4.0, Some(libm::asin(std::f64::consts::PI / 4.0)))] {
        let outcome = turned_at(rate);
        assert_eq!(outcome.end, EndReason::Finished);
        let told = outcome.warnings.iter().find(|warning| warning.starts_with("W0525"));
        assert_eq!(told.is_some(), passes.is_some(), "{rate} rad/s: {:?}", outcome.warnings);
        let (Some(told), Some(passes)) = (told, passes) else { continue };
        // The end of the step in which it passed.
        let time: f64 =
            told.split("t = ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap().parse().unwrap();
        assert!(told.contains("\"rubber\"") && time >= passes && time < passes + 0.5, "{told}");
    }
}
