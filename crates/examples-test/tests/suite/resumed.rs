//! A run goes on from any checkpoint with the same bits: the image that comes next is compared, byte by byte.

use std::ops::ControlFlow;
use std::path::Path;

use carom_engine::record::{Progress, RecordError};
use carom_engine::{EndReason, Recorder, Simulation, System};
use carom_examples_test::load;
use carom_io::{LoadedModel, Overrides};

/// How many checkpoints are resumed from until the run has ended, and not just until the next one.
const TO_THE_END: usize = 3;

/// How many checkpoints are resumed from at most, evenly spread.
const RESUMED: usize = 20;

/// A run's checkpoints: all of them, or the next one.
#[derive(Default)]
struct Images {
    images: Vec<Vec<u8>>,
    one: bool,
}

impl Recorder for Images {
    fn wants_checkpoint(&mut self) -> bool {
        true
    }

    fn checkpoint(&mut self, bytes: &[u8]) -> Result<(), RecordError> {
        self.images.push(bytes[..bytes.len() - Simulation::CLOCK_BYTES].to_vec());
        Ok(())
    }

    fn progress(&mut self, _progress: &Progress) -> ControlFlow<()> {
        if self.one { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// An example that ends at another time (s), whatever it expects later.
fn until(name: &str, changes: &[&str], t_end: f64) -> LoadedModel {
    let mut loaded = load(name, changes);
    loaded.model.solver.t_end = t_end;
    loaded
}

/// Resumes from the checkpoints of a run and compares what comes after.
fn same_bits(loaded: &LoadedModel, what: &str) {
    let system = System::compile(&loaded.model).expect("a sound model");
    let mut all = Images::default();
    let whole = Simulation::new(&system).run(&mut all).expect("it keeps what it is told");
    assert_eq!(whole.end, EndReason::Finished, "{what}");
    assert!(all.images.len() > TO_THE_END, "{what}: {} checkpoints", all.images.len());
    let resume = |image: &[u8]| {
        let clock = [0; Simulation::CLOCK_BYTES];
        Simulation::resume(&system, &[image, &clock].concat()).expect("its own image")
    };
    for (i, image) in all.images.iter().enumerate().step_by(all.images.len().div_ceil(RESUMED)) {
        assert!(resume(image).checkpoint().starts_with(image), "{what}: {i} is not read as it was written");
        let Some(after) = all.images.get(i + 1) else { continue };
        let mut next = Images { one: true, ..Images::default() };
        resume(image).run(&mut next).expect("it keeps what it is told");
        let other = next.images[0].iter().zip(after).position(|(a, b)| a != b);
        assert_eq!(
            other,
            None,
            "{what}: first byte that differs after checkpoint {i} of {}",
            all.images.len()
        );
        assert_eq!(next.images[0].len(), after.len(), "{what}: after checkpoint {i}");
    }
    for i in (0..TO_THE_END).map(|part| part * all.images.len() / TO_THE_END) {
        let rest = resume(&all.images[i]).run(&mut Images::default()).expect("it keeps what it is told");
        assert_eq!(
            (rest.bodies, rest.pairs, rest.energy),
            (whole.bodies.clone(), whole.pairs.clone(), whole.energy)
        );
        assert_eq!(rest.statistics.rhs, whole.statistics.rhs, "{what}, from checkpoint {i}");
    }
}

/// Every integrator where surfaces begin, rest and part: elements, lists of them, patches, peaks.
fn areal(integrator: &str, t_end: f64) {
    let change = format!("solver.method={integrator}");
    same_bits(&until("torus-sphere", &[&change], t_end), integrator);
}

#[test]
fn torus_sphere_radau5() {
    areal("radau5", 2.2);
}

#[test]
fn torus_sphere_rodas3() {
    areal("rodas3", 1.6);
}

#[test]
fn torus_sphere_bdf() {
    areal("bdf", 1.3);
}

#[test]
fn torus_sphere_ode45() {
    areal("ode45", 0.7);
}

#[test]
fn torus_sphere_dop853() {
    areal("dop853", 0.7);
}

#[test]
fn torus_sphere_ode113() {
    areal("ode113", 0.7);
}

#[test]
fn torus_sphere_auto() {
    areal("auto", 1.0);
}

/// Surfaces on both sides, several bodies.
#[test]
fn bubbles() {
    same_bits(&until("bubbles", &[], 1.2), "bubbles");
}

/// Convex solids with manifolds.
#[test]
fn box_stack() {
    same_bits(&until("box-stack", &[], 0.5), "box-stack");
}

/// A loop with contact, index 3.
#[test]
fn gripper_ali3p() {
    same_bits(&until("gripper", &["solver.formulation=ali3p"], 0.3), "gripper");
}

/// A crowd, whose pairs come up on the way.
#[test]
fn spheres_in_box() {
    same_bits(&until("spheres-in-box", &[], 0.072), "spheres-in-box");
}

/// Cables that go slack and snap taut, one of them reeled.
#[test]
fn cables() {
    let loaded = carom_io::load_str("cables", CABLES, Path::new("."), &Overrides::default())
        .unwrap_or_else(|report| panic!("{:#?}", report.diagnostics));
    same_bits(&loaded, "cables");
}

const CABLES: &str = r#"
format = 1
name = "cables"

[world]
gravity = [0, 0, "-9.81 m/s^2"]

[body.weight]
mass = "2 kg"
inertia = "0.01 kg*m^2"
pos = ["0.5 m", 0, "0.8 m"]
vel = [0, "0.3 m/s", 0]

[body.lamp]
mass = "1 kg"
inertia = "0.01 kg*m^2"
pos = [0, "1 m", 0]
vel = ["1 m/s", 0, "2 m/s"]

[force.rope]
type = "cable"
path = [{ body = "world", at = [0, 0, "2 m"] }, { body = "weight" }]
ideal = true
length = "1.6 m"
rate = "0.2 m/s * sin(3 rad/s * t)"

[force.cord]
type = "cable"
path = [{ body = "world", at = ["0.1 m", "1 m", "1 m"] }, { body = "lamp", at = [0, 0, "1 cm"] }]
stiffness = "2e4 N/m"
damping = "10 N*s/m"
length = "1 m"

[solver]
t_end = "6 s"
"#;
