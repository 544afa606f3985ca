//! The built `carom`, run on small models in folders of their own.

mod analyze;
mod areal;
mod check;
mod convert;
mod disk;
mod fail;
mod folders;
mod follow;
mod help;
mod import;
mod interrupt;
mod json;
mod kills;
mod kit;
mod mesh;
mod new;
mod output;
mod plot;
mod resume;
mod run;
mod size;
mod view;
