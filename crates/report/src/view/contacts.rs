//! Contacts at the output times: point, normal force, tangential force, for arrows and for the table.

use std::collections::HashMap;

use carom_results::tables::Table;
use carom_results::{Array, Error, RunData};
use serde_json::json;

use super::Output;
use super::frames::Frames;

/// Modes of the table of contacts, by their numbers in the page.
const MODES: [&str; 4] = ["open", "closed", "released", "latched"];
/// Columns of singles: name in the page, and in the table where it is one of its columns.
const NUMBERS: [(&str, &str); 5] = [
    ("contact_fn", "fn"),
    ("contact_gap", "gap"),
    ("contact_pressure", "pressure"),
    ("contact_approach", "approach_speed"),
    ("contact_power", "power"),
];
/// Columns of vectors, likewise.
const VECTORS: [(&str, [&str; 3]); 3] = [
    ("contact_point", ["px", "py", "pz"]),
    ("contact_normal", ["nx", "ny", "nz"]),
    ("contact_friction", ["ftx", "fty", "ftz"]),
];

/// Puts the pairs.
pub(super) fn put_pairs(out: &mut Output, data: &RunData) {
    let scene = data.scene();
    let pairs = scene.pairs.iter().zip(peaks(data)).map(|(pair, [force, pressure])| {
        json!({
            "name": pair.name, "line": pair.line, "a": pair.a, "b": pair.b, "law": pair.law,
            "areal": pair.is_areal(), "surfaces": pair.is_of_surfaces(), "angular": pair.angular,
            "max_fn_n": force, "max_pressure_pa": pressure,
        })
    });
    out.set("pairs", pairs.collect::<Vec<_>>());
    out.set("modes", json!(MODES));
}

/// Puts the rows of contacts; `contact_start` has for each output time where its rows begin.
pub(super) fn put_rows(
    out: &mut Output,
    data: &RunData,
    frames: &Frames,
    origin: [f64; 3],
) -> Result<(), Error> {
    let table = data.table(Table::Contacts)?;
    let times = table.floats("time").unwrap_or_default();
    let (keys, words) = table.word_keys("pair").unwrap_or_default();
    let numbers = numbers_of_pairs(data);
    let of_words: Vec<u32> =
        words.iter().map(|name| numbers.get(name.as_str()).copied().unwrap_or(0)).collect();
    let modes: Vec<u8> = words_of(table.words("mode"), &MODES);
    let slips: Vec<u8> = words_of(table.words("sliding"), &["stick", "slip"]);
    let (mut rows, mut start) = (Vec::new(), vec![0_u32]);
    let mut row = 0;
    for time in &frames.times {
        // Both are in the order of time, and a row has the very time of its output.
        while times.get(row).is_some_and(|t| t < time) {
            row += 1;
        }
        while times.get(row) == Some(time) {
            rows.push(row);
            row += 1;
        }
        start.push(rows.len() as u32);
    }
    let pick = |column: &str| -> Vec<f64> {
        let values = table.floats(column).unwrap_or_default();
        rows.iter().map(|&row| values.get(row).copied().unwrap_or(f64::NAN)).collect()
    };
    let lost = pick("fn").into_iter().filter(|force| !force.is_finite()).count();
    if lost > 0 {
        out.tell(format!("{lost} contact forces are not finite: they have no arrows."));
    }
    for (name, column) in NUMBERS {
        out.array(name, Array::F32(pick(column).into_iter().map(|value| value as f32).collect()));
    }
    for (name, columns) in VECTORS {
        let [x, y, z] = columns.map(pick);
        let shift = if name == "contact_point" { origin } else { [0.0; 3] };
        let vectors = x.iter().zip(&y).zip(&z);
        let flat = vectors
            .flat_map(|((x, y), z)| [(x - shift[0]) as f32, (y - shift[1]) as f32, (z - shift[2]) as f32]);
        out.array(name, Array::F32(flat.collect()));
    }
    out.array("contact_start", Array::U32(start));
    out.array("contact_pair", Array::U32(rows.iter().map(|&row| of_words[keys[row] as usize]).collect()));
    out.array("contact_mode", Array::U8(rows.iter().map(|&row| modes[row]).collect()));
    out.array("contact_slip", Array::U8(rows.iter().map(|&row| slips[row]).collect()));
    Ok(())
}

/// Numbers of the pairs by their names: a run may have very many.
pub(super) fn numbers_of_pairs(data: &RunData) -> HashMap<&str, u32> {
    (0..).zip(&data.scene().pairs).map(|(number, pair)| (pair.name.as_str(), number)).collect()
}

/// Greatest force (N) and pressure (Pa) of each pair; zeros of a run that has not ended.
pub(super) fn peaks(data: &RunData) -> impl Iterator<Item = [f64; 2]> + '_ {
    let known = data.manifest().totals.iter().map(|totals| [totals.max_fn_n, totals.max_pressure_pa]);
    known.chain(std::iter::repeat([0.0; 2]))
}

fn words_of<'a>(words: Option<impl Iterator<Item = &'a str>>, known: &[&str]) -> Vec<u8> {
    let number = |word: &str| known.iter().position(|own| *own == word).unwrap_or(0) as u8;
    words.map(|words| words.map(number).collect()).unwrap_or_default()
}
