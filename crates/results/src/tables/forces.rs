//! Columns of a force element in `states`: what it measures, how hard it acts, and the wrench on B.

use carom_engine::record::ForceSample;

use super::Column;
use crate::SceneElement;

/// Name without unit, unit, frame, meaning and value of a column.
type Measure = (&'static str, &'static str, &'static str, &'static str, fn(&ForceSample) -> f64);

const LENGTH: [Measure; 2] = [
    ("length", "m", "", "distance of the ends, of a cable the length of its path", |s| s.length),
    ("rate", "m/s", "", "rate of the length", |s| s.rate),
];
const ANGLE: [Measure; 2] = [
    ("angle", "rad", "", "angle of B's x axis about A's z axis", |s| s.length),
    ("rate", "rad/s", "", "rate of the angle", |s| s.rate),
];
const ALONG: [Measure; 1] =
    [("value", "N", "", "force along the line, positive pushes apart; of a cable its tension", |s| s.value)];
const ABOUT: [Measure; 1] = [("value", "N m", "", "torque about the axis on B", |s| s.value)];
const DRIVE: [Measure; 3] = [
    ("length", "", "", "sum of the coordinates it acts on, each with its factor", |s| s.length),
    ("rate", "", "", "sum of the velocities along which it acts, each with its factor", |s| s.rate),
    ("value", "", "", "effort along the length; on each coordinate, with its factor", |s| s.value),
];
const FORCE_SIZE: [Measure; 1] = [("value", "N", "", "magnitude of the force", |s| s.value)];
const TORQUE_SIZE: [Measure; 1] = [("value", "N m", "", "magnitude of the torque", |s| s.value)];
const FORCE: [Measure; 3] = [
    ("fx", "N", "world", "force on B at its attachment", |s| s.force.x),
    ("fy", "N", "world", "force on B at its attachment", |s| s.force.y),
    ("fz", "N", "world", "force on B at its attachment", |s| s.force.z),
];
const TORQUE: [Measure; 3] = [
    ("mx", "N m", "world", "torque on B", |s| s.torque.x),
    ("my", "N m", "world", "torque on B", |s| s.torque.y),
    ("mz", "N m", "world", "torque on B", |s| s.torque.z),
];

/// Columns by the word of the kind in the model file.
fn measures(kind: &str) -> impl Iterator<Item = &'static Measure> + use<> {
    let groups: &[&[Measure]] = match kind {
        "spring-damper" | "cable" => &[&LENGTH, &ALONG, &FORCE],
        "torsion-spring" => &[&ANGLE, &ABOUT, &TORQUE],
        "actuator" => &[&DRIVE],
        "force" => &[&FORCE_SIZE, &FORCE],
        "torque" => &[&TORQUE_SIZE, &TORQUE],
        // Bushing, drag, and what may act with a force and a torque.
        _ => &[&FORCE_SIZE, &FORCE, &TORQUE],
    };
    groups.iter().copied().flatten()
}

/// Columns of one force element, in order.
pub fn columns(force: &SceneElement) -> Vec<Column> {
    let column = |&(base, unit, frame, meaning, _): &Measure| Column {
        frame,
        ..Column::float(format!("{}.{base}", force.columns), unit, meaning)
    };
    measures(&force.kind).map(column).collect()
}

/// Values in the order of [`columns`].
pub fn values(kind: &str, sample: &ForceSample) -> impl Iterator<Item = f64> {
    measures(kind).map(|(.., value)| value(sample))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_columns() {
        for (kind, wanted) in [
            ("spring-damper", "length_m rate_m_s value_n fx_n fy_n fz_n"),
            ("cable", "length_m rate_m_s value_n fx_n fy_n fz_n"),
            ("torsion-spring", "angle_rad rate_rad_s value_n_m mx_n_m my_n_m mz_n_m"),
            ("bushing", "value_n fx_n fy_n fz_n mx_n_m my_n_m mz_n_m"),
            ("drag", "value_n fx_n fy_n fz_n mx_n_m my_n_m mz_n_m"),
            ("actuator", "length rate value"),
            ("force", "value_n fx_n fy_n fz_n"),
            ("torque", "value_n_m mx_n_m my_n_m mz_n_m"),
        ] {
            let force = SceneElement { name: "f".into(), columns: "f".into(), kind: kind.into() };
            let names: Vec<String> = columns(&force).iter().map(|c| c.name().replacen("f.", "", 1)).collect();
            assert_eq!(names.join(" "), wanted, "{kind}");
        }
    }
}
