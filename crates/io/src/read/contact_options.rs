use carom_engine::model::{ArealDetection, BaseSide, Detection, LayerSide, Method};
use carom_geometry::convex::MprOptions;

use super::Section;
use crate::document::Node;
use crate::quantity::Dimension;
use crate::schema::OFF;

/// Options of a contact line that only some methods have.
#[derive(Clone, Copy)]
pub(super) struct LineOptions {
    pub(super) detection: Detection,
    pub(super) base: BaseSide,
    pub(super) layer_on: LayerSide,
    pub(super) areal_detection: ArealDetection,
    pub(super) found_by: Method,
    pub(super) accuracy: Option<f64>,
}

impl LineOptions {
    pub(super) fn read(section: &Section<'_, '_>) -> Self {
        let detect = section.has("detect").then(|| section.word("detect")).flatten();
        let base = section.kind_or_default("base", &BaseSide::ALL, BaseSide::name, &[]).unwrap_or_default();
        let layer_on = section.kind_or_default("layer_on", &LayerSide::ALL, LayerSide::name, &[]);
        let layer_on = layer_on.unwrap_or_default();
        let areal_detection = ArealDetection::ALL.into_iter().find(|kind| detect == Some(kind.name()));
        let areal_detection = areal_detection.unwrap_or_default();
        let accuracy = read_accuracy(section);
        let found_by = [Method::Analytic, Method::Convex].into_iter().find(|m| detect == Some(m.name()));
        let found_by = found_by.unwrap_or(Method::Auto);
        let detection = read_detection(section, detect);
        Self { detection, base, layer_on, areal_detection, found_by, accuracy }
    }
}

fn read_accuracy(section: &Section<'_, '_>) -> Option<f64> {
    if section.node("accuracy").and_then(Node::as_text) == Some(OFF) {
        return None;
    }
    section.quantity_in_or_default("accuracy", Dimension::NONE)
}

/// What a search for convex solids looks for.
fn read_detection(section: &Section<'_, '_>, detect: Option<&str>) -> Detection {
    let relative_tolerance = section.quantity_or_default("mpr_tolerance");
    let iterations = section.whole_or_default("mpr_iterations") as usize;
    match detect {
        Some("mpr") => Detection::Mpr(MprOptions { relative_tolerance, iterations }),
        _ => Detection::MinimumTranslation,
    }
}
