//! Outlines in a plane under compliant laws, against closed forms.
#![allow(missing_docs)]

#[path = "../suite/scene.rs"]
#[allow(dead_code)]
mod scene;

mod crossings;
mod kit;
mod motions;
mod resting;
