use carom_engine::model::{ArealDetection, BaseSide, Detection, LayerSide};
use carom_geometry::convex::MprOptions;

use super::Section;
use crate::document::Value;
use crate::quantity::Dimension;

/// Accuracy of areal contact where none is stated.
const ACCURACY: f64 = 0.05;

/// Options of a contact line that only some methods have.
#[derive(Clone, Copy)]
pub(super) struct LineOptions {
    pub(super) detection: Detection,
    pub(super) base: BaseSide,
    pub(super) layer_on: LayerSide,
    pub(super) areal_detection: ArealDetection,
    pub(super) accuracy: Option<f64>,
}

impl LineOptions {
    pub(super) fn read(section: &Section<'_, '_>) -> Self {
        let word = |key: &str| section.has(key).then(|| section.word(key)).flatten();
        let detect = word("detect");
        let base = match word("base") {
            Some("a") => BaseSide::A,
            Some("b") => BaseSide::B,
            Some("both") => BaseSide::Both,
            _ => BaseSide::Finer,
        };
        let layer_on = match word("layer_on") {
            Some("a") => LayerSide::A,
            Some("b") => LayerSide::B,
            Some("both") => LayerSide::Both,
            _ => LayerSide::Base,
        };
        let areal_detection = match detect {
            Some("intersection") => ArealDetection::Intersection,
            _ => ArealDetection::Penetration,
        };
        let accuracy = read_accuracy(section);
        Self { detection: read_detection(section, detect), base, layer_on, areal_detection, accuracy }
    }
}

fn read_accuracy(section: &Section<'_, '_>) -> Option<f64> {
    let Some(node) = section.node("accuracy") else { return Some(ACCURACY) };
    if matches!(&node.value, Value::Text(text) if text == "off") {
        return None;
    }
    section.quantity_in("accuracy", Dimension::NONE)
}

/// What a search for convex solids looks for.
fn read_detection(section: &Section<'_, '_>, detect: Option<&str>) -> Detection {
    let given = |key: &str| section.has(key).then(|| section.quantity(key)).flatten();
    let usual = MprOptions::default();
    let relative_tolerance = given("mpr_tolerance").unwrap_or(usual.relative_tolerance);
    let iterations = section.whole("mpr_iterations").map_or(usual.iterations, |n| n as usize);
    match detect {
        Some("mpr") => Detection::Mpr(MprOptions { relative_tolerance, iterations }),
        _ => Detection::MinimumTranslation,
    }
}
