//! Carom as a library: load a model, run it whole or step by step, read what it did.
//!
//! A whole run, with its results in memory ([`Study::run`]) or in a folder ([`Study::run_into`]):
//!
//! ```
//! # fn main() -> Result<(), carom::Error> {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
//! let study = carom::Study::open(format!("{folder}bouncing-ball.toml"))?;
//! let run = study.run()?;
//! let height = run.data.series("ball.z")?;
//! assert_eq!(height.full_name(), "ball.z_m");
//! assert!(run.verdicts.iter().all(|verdict| verdict.passed));
//! # Ok(())
//! # }
//! ```
//!
//! Step by step, with a controller: a pendulum that a motor holds up.
//!
//! ```
//! # fn main() -> Result<(), carom::Error> {
//! let text = r#"
//!     format = 1
//!     [world]
//!     gravity = [0, 0, "-9.81 m/s^2"]
//!     [body.bob]
//!     mass    = "1 kg"
//!     inertia = ["0.01 kg*m^2", "0.01 kg*m^2", "0.01 kg*m^2"]
//!     pos     = ["0.5 m", 0, 0]
//!     [joint.hinge]
//!     type  = "revolute"
//!     a     = { body = "world" }
//!     b     = { body = "bob", at = ["-0.5 m", 0, 0] }
//!     axis  = "-y"
//!     motor = { torque = "0 N*m" }
//!     [solver]
//!     t_end = "2 s"
//! "#;
//! let study = carom::Study::parse("pendulum", text, ".".as_ref(), &carom::Overrides::default())?;
//! let mut simulation = study.simulate();
//! while simulation.time() < simulation.end() {
//!     let hinge = *simulation.now()?.joint("hinge")?;
//!     simulation.set_motor("hinge", Some(4.905 - 20.0 * hinge.position[0] - 4.0 * hinge.velocity[0]))?;
//!     simulation.advance_to(simulation.time() + 0.01)?;
//! }
//! assert!(simulation.now()?.body("bob")?.position.z.abs() < 0.01);
//! # Ok(())
//! # }
//! ```
//!
//! A parameter study, every run from the same text:
//!
//! ```
//! # fn main() -> Result<(), carom::Error> {
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/");
//! for (restitution, bounces) in [("0.3", 5.0), ("0.8", 3.0)] {
//!     let overrides = carom::Overrides { set: vec![format!("params.e={restitution}")], ..Default::default() };
//!     let run = carom::Study::open_with(format!("{folder}bouncing-ball.toml"), &overrides)?.run()?;
//!     let begins = run.data.begins(0.0)?;
//!     assert!(begins.len() as f64 >= bounces, "{restitution}: {begins:?}");
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Everything is in SI units, in world axes, and by the names of the model file; docs/notation.md has the signs. Errors carry
//! the codes, places and remedies that the command prints. Nothing in here prints, or ends the process.

mod error;
mod moment;
mod names;
mod provenance;
mod recording;
mod run;
mod simulation;
mod solver_record;
mod study;

pub use carom_engine::analysis::{Derivatives, Dynamics, Loads};
pub use carom_engine::record::EventKind;
pub use carom_engine::{EndReason, LoadFunction, LoadPoint, Outcome, unilateral};
pub use carom_io::Overrides;
pub use carom_results::{EventRow, RunData, RunFolder};
pub use error::{Error, problem_of};
pub use moment::Moment;
pub use recording::{Monitor, Recorded, Recording};
pub use run::Run;
pub use simulation::{Part, Simulation, Snapshot};
pub use solver_record::solver_of;
pub use study::Study;
