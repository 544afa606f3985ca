//! Columns of a joint in `states`: coordinates, velocities, reaction on B, efforts along the coordinates.

use carom_engine::model::AxisMeasure;
use carom_engine::record::JointSample;

use super::Column;
use crate::{SceneJoint, SceneJointKind};

/// Axes of the joint's frames, as the metadata of a field name them.
const F: &str = "joint F";
const M: &str = "joint M";

/// Columns of one joint, in order.
pub fn columns(joint: &SceneJoint) -> Vec<Column> {
    let named = |base: &str| format!("{}.{base}", joint.columns);
    let mut all = Vec::new();
    let mut several = |bases: &[&str], unit, frame, meaning| {
        all.extend(bases.iter().map(|base| Column { frame, ..Column::float(named(base), unit, meaning) }));
    };
    match joint.kind {
        kind if kind.turns_freely() => {
            let is_free = kind.is_free();
            if is_free {
                several(&["x", "y", "z"], "m", F, "position of M's origin in F");
            }
            several(&["qw"], "", F, "orientation of M in F, scalar part of the unit quaternion");
            several(&["qx", "qy", "qz"], "", F, "orientation of M in F, vector part of the unit quaternion");
            if is_free {
                several(&["vx", "vy", "vz"], "m/s", F, "velocity of M's origin against F");
            }
            several(&["wx", "wy", "wz"], "rad/s", M, "angular velocity of M against F");
        }
        kind => {
            for (base, of, meaning) in [
                ("q", position_unit as fn(AxisMeasure) -> &'static str, "coordinate"),
                ("v", velocity_unit, "rate of the coordinate"),
            ] {
                for (base, axis) in numbered(base, kind) {
                    several(&[base.as_str()], of(axis), "", meaning);
                }
            }
        }
    }
    several(&["fx", "fy", "fz"], "N", "world", "force on B of the joint and its elements, at M's origin");
    several(&["mx", "my", "mz"], "N m", "world", "torque on B of the joint and its elements");
    for (base, axis) in numbered("effort", joint.kind) {
        let meaning = "force or torque of spring, friction, limit and motor along the coordinate";
        several(&[base.as_str()], effort_unit(axis), "", meaning);
    }
    all
}

/// Values in the order of [`columns`].
pub fn values(kind: SceneJointKind, sample: &JointSample) -> impl Iterator<Item = &f64> {
    let (q, v) = (&sample.position[..kind.coordinates()], &sample.velocity[..kind.freedoms()]);
    let effort = &sample.effort[..kind.axes().len()];
    q.iter().chain(v).chain(sample.force.iter()).chain(sample.torque.iter()).chain(effort)
}

/// `q`, or `q0`, `q1` … where a joint has several coordinates.
fn numbered(base: &str, kind: SceneJointKind) -> impl Iterator<Item = (String, AxisMeasure)> {
    let axes = kind.axes();
    let name = move |index| if axes.len() == 1 { base.to_owned() } else { format!("{base}{index}") };
    axes.iter().enumerate().map(move |(index, axis)| (name(index), *axis))
}

fn position_unit(axis: AxisMeasure) -> &'static str {
    match axis {
        AxisMeasure::Angle => "rad",
        AxisMeasure::Length => "m",
    }
}

fn velocity_unit(axis: AxisMeasure) -> &'static str {
    match axis {
        AxisMeasure::Angle => "rad/s",
        AxisMeasure::Length => "m/s",
    }
}

fn effort_unit(axis: AxisMeasure) -> &'static str {
    match axis {
        AxisMeasure::Angle => "N m",
        AxisMeasure::Length => "N",
    }
}

#[cfg(test)]
mod tests {
    use carom_engine::model::JointKind;

    use super::*;

    fn names(kind: SceneJointKind) -> Vec<String> {
        let joint = SceneJoint { name: "j".into(), columns: "j".into(), kind };
        columns(&joint).iter().map(|c| c.name().replacen("j.", "", 1)).collect()
    }

    const REACTION: [&str; 6] = ["fx_n", "fy_n", "fz_n", "mx_n_m", "my_n_m", "mz_n_m"];

    #[test]
    fn a_word_of_no_kind_is_an_error() {
        assert!(serde_json::from_str::<SceneJointKind>("\"hinge\"").is_err());
        assert_eq!(serde_json::to_string(&SceneJointKind::from(JointKind::Free)).expect("text"), "\"free\"");
    }

    #[test]
    fn each_kind_has_its_columns() {
        for (word, before, after) in [
            ("fixed", "", ""),
            ("revolute", "q_rad v_rad_s", "effort_n_m"),
            ("screw", "q_rad v_rad_s", "effort_n_m"),
            ("prismatic", "q_m v_m_s", "effort_n"),
            ("cylindrical", "q0_rad q1_m v0_rad_s v1_m_s", "effort0_n_m effort1_n"),
            ("universal", "q0_rad q1_rad v0_rad_s v1_rad_s", "effort0_n_m effort1_n_m"),
            ("planar", "q0_m q1_m q2_rad v0_m_s v1_m_s v2_rad_s", "effort0_n effort1_n effort2_n_m"),
            ("spherical", "qw qx qy qz wx_rad_s wy_rad_s wz_rad_s", ""),
            ("free", "x_m y_m z_m qw qx qy qz vx_m_s vy_m_s vz_m_s wx_rad_s wy_rad_s wz_rad_s", ""),
        ] {
            let wanted: Vec<&str> =
                before.split_whitespace().chain(REACTION).chain(after.split_whitespace()).collect();
            let kind = SceneJointKind::try_from(word.to_owned()).expect("a kind");
            assert_eq!(names(kind), wanted, "{word}");
        }
    }
}
