#![allow(missing_docs, dead_code)]
#[path = "suite/areal.rs"]
mod areal;
#[path = "suite/areal_outputs.rs"]
mod areal_outputs;
#[path = "suite/refined.rs"]
mod refined;
#[path = "suite/scene.rs"]
mod scene;
