//! Outlines in a plane: contacts against closed forms and brute force, outlines that are refused, mass properties.
#![allow(missing_docs)]

mod closed_forms;
mod courses;
mod kit;
mod outlines;
mod paths;
mod rates;
mod solids;
