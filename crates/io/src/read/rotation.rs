use carom_engine::Problem;
use carom_math::{Mat3, Quaternion, Vec3};

use super::Section;
use crate::document::Value;
use crate::quantity::Dimension;

/// A quaternion may miss unit length by this much: rounding of six decimals, not a mistake.
const UNIT_TOLERANCE: f64 = 1e-6;

impl Section<'_, '_> {
    /// The rotation under `rot`: `{ axis, angle }`, `{ quat }` or `{ rpy }`.
    pub(crate) fn rotation(&self) -> Option<Quaternion> {
        let node = self.node("rot")?;
        let Some(rot) = self.table("rot") else {
            let reported = self.context.is_planar && self.is_planar_value("rot");
            if !reported && !matches!(node.value, Value::Broken) {
                let message =
                    format!("{} must be a table, got {}", self.path_of("rot"), node.value.type_name());
                let problem = self.problem("E0106", "rot", message);
                let help =
                    "write { axis = \"y\", angle = \"12 deg\" }, { rpy = [...] } or { quat = [w, x, y, z] }";
                self.report("rot", problem.expected("a rotation").help(help));
            }
            return None;
        };
        let forms = [rot.has("axis") || rot.has("angle"), rot.has("quat"), rot.has("rpy")];
        if forms.iter().filter(|f| **f).count() != 1 {
            let message = format!("{} must have exactly one form of rotation", rot.path);
            let problem = Problem::new("E0212", rot.path.clone(), message);
            let problem = problem.expected("{ axis, angle }, { quat } or { rpy }");
            self.context.findings.push(crate::finding::Finding::at(problem, rot.key_span));
            return None;
        }
        if forms[1] {
            return rot.quaternion();
        }
        if forms[2] {
            let rpy = rot.vector("rpy")?;
            return Some(Quaternion::from_roll_pitch_yaw(rpy.x, rpy.y, rpy.z));
        }
        if !rot.has("axis") {
            rot.report_missing("axis");
        }
        let angle = rot.required_quantity("angle");
        let axis = rot.direction("axis")?;
        Some(Quaternion::from_axis_angle(&axis, angle?))
    }

    fn quaternion(&self) -> Option<Quaternion> {
        let v = self.quantities("quat", Dimension::NONE, &[4])?;
        let q = Quaternion::new(v[0], v[1], v[2], v[3]);
        let norm = q.norm();
        if (norm - 1.0).abs() <= UNIT_TOLERANCE {
            return Some(q.normalized());
        }
        let problem = self
            .problem("E0105", "quat", format!("|quat| = {norm:.4}, expected 1"))
            .expected("a quaternion of unit length");
        self.report(
            "quat",
            if norm > 0.0 && norm.is_finite() {
                let n = q.normalized();
                let short = |x: f64| (x * 1e4).round() / 1e4 + 0.0;
                let [w, x, y, z] = [n.w, n.x, n.y, n.z].map(short);
                problem.help(format!(
                    "[{w}, {x}, {y}, {z}] if you meant the direction; more digits: [{}, {}, {}, {}]",
                    n.w, n.x, n.y, n.z
                ))
            } else {
                problem.help("no rotation is [1, 0, 0, 0]")
            },
        );
        None
    }

    /// A unit vector: `"+x"`, `"-z"`, `"y"` or three numbers of any length but zero.
    pub(crate) fn direction(&self, key: &str) -> Option<Vec3> {
        let node = self.node(key)?;
        if let Some(word) = node.as_text() {
            let (sign, letter) = match word.strip_prefix(['+', '-']) {
                Some(letter) => (if word.starts_with('-') { -1.0 } else { 1.0 }, letter),
                None => (1.0, word),
            };
            let axis = match letter {
                "x" => Vec3::x(),
                "y" => Vec3::y(),
                "z" => Vec3::z(),
                _ => {
                    let message = format!("{} does not know the direction \"{word}\"", self.path_of(key));
                    let problem = self.problem("E0107", key, message);
                    self.report(
                        key,
                        problem.expected("\"x\", \"y\", \"z\" with or without sign, or three numbers"),
                    );
                    return None;
                }
            };
            return Some(axis * sign);
        }
        let v = self.quantities(key, Dimension::NONE, &[3])?;
        let v = Vec3::new(v[0], v[1], v[2]);
        let norm = v.norm();
        if norm > 0.0 && norm.is_finite() {
            return Some(if norm == 1.0 { v } else { v / norm });
        }
        let problem = self.problem(
            "E0315",
            key,
            format!("{} has no direction: its length is {norm}", self.path_of(key)),
        );
        self.report(key, problem.expected("three numbers that are not all 0"));
        None
    }
}

/// Rotation that takes z to the direction; exact along the axes.
pub(crate) fn rotation_of_z(to: &Vec3) -> Mat3 {
    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
    let exact = [
        (z, [x, y, z]),
        (-z, [x, -y, -z]),
        (x, [y, z, x]),
        (-x, [z, y, -x]),
        (y, [z, x, y]),
        (-y, [x, z, -y]),
    ];
    match exact.iter().find(|(axis, _)| axis == to) {
        Some((_, columns)) => Mat3::from_columns(columns),
        None => Quaternion::between(&z, to).to_matrix(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn z_goes_to_the_direction_by_a_proper_rotation() {
        for to in
            [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z(), Vec3::new(0.6, 0.0, -0.8)]
        {
            let r = rotation_of_z(&to);
            assert!((r * Vec3::z() - to).norm() < 1e-15);
            assert!((r.determinant() - 1.0).abs() < 1e-15);
        }
    }
}
