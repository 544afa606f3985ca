use carom_engine::model::{ArealDetection, BaseSide, Detection};
use carom_geometry::convex::MprOptions;

use super::Section;

/// Options of a contact line that only some methods have.
#[derive(Clone, Copy)]
pub(super) struct LineOptions {
    pub(super) detection: Detection,
    pub(super) base: BaseSide,
    pub(super) areal_detection: ArealDetection,
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
        let areal_detection = match detect {
            Some("intersection") => ArealDetection::Intersection,
            _ => ArealDetection::Penetration,
        };
        Self { detection: read_detection(section, detect), base, areal_detection }
    }
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
