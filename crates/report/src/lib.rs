//! Plots and the report page. Knows a run only through `carom-results`.
//!
//! - [`write_report`]: `report.html` in a run folder, one offline file.
//! - [`study_page`]: the page of a study, many runs side by side.
//! - [`plot`], [`phase`]: quantities by name over time or over each other as a [`Chart`], drawn by [`svg::standalone`] or [`terminal::draw`].
//! - [`pressure_map`]: the pressure on a patch of areal contact as a [`PressureMap`], drawn by [`svg::pressure`].
//! - [`region_map`]: a contact region with its contours as a [`RegionMap`], drawn by [`svg::region`].
//! - [`picture::Stage`]: the run as still pictures, drawn without a browser.
//! - [`view::pack_run`], [`view::page`]: the run as a moving picture in a browser.

pub mod chart;
mod decimate;
mod escape;
mod html;
mod outline;
mod palette;
mod peaks;
pub mod picture;
mod plane;
mod plot;
mod pressure;
mod region;
mod scale;
pub mod svg;
pub mod terminal;
pub mod view;

pub use chart::Chart;
pub use html::{Influence, ResultInfluences, StudyPage, StudyRun, Variable, study_page, write_report};
pub use plot::{phase, plot, plot_data};
pub use pressure::{PressureMap, pressure_map};
pub use region::{RegionMap, region_map};
