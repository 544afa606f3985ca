use carom_engine::Problem;
use carom_math::{Mat3, Quaternion, Vec3};

use super::Section;
use crate::document::{Node, Value};
use crate::finding::Finding;
use crate::quantity::Dimension;

/// A quaternion may miss unit length by this much: rounding of six decimals, not a mistake.
const UNIT_TOLERANCE: f64 = 1e-6;
/// A length that differs from 1 by less is 1.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// A rotation as its form gives it.
enum Rotation {
    Quaternion(Quaternion),
    Matrix(Mat3),
}

impl Section<'_, '_> {
    /// The rotation under `rot`, as a quaternion.
    pub(crate) fn rotation(&self) -> Option<Quaternion> {
        match self.read_rotation()? {
            Rotation::Quaternion(q) => Some(q),
            Rotation::Matrix(r) => Some(Quaternion::from_matrix(&r)),
        }
    }

    /// The rotation under `rot`, as a matrix.
    pub(crate) fn rotation_matrix(&self) -> Option<Mat3> {
        match self.read_rotation()? {
            Rotation::Quaternion(q) => Some(q.to_matrix()),
            Rotation::Matrix(r) => Some(r),
        }
    }

    /// One of the forms `{ axis, angle }`, `{ quat }`, `{ rpy }` and `{ matrix }`.
    fn read_rotation(&self) -> Option<Rotation> {
        if let Some(turn) = self.turn_in_plane("rot") {
            return turn.map(Rotation::Quaternion);
        }
        let node = self.node("rot")?;
        let Some(rot) = self.table("rot") else {
            if !matches!(node.value, Value::Broken) {
                let message =
                    format!("{} must be a table, got {}", self.path_of("rot"), node.value.type_name());
                let problem = self.problem("E0106", "rot", message);
                let help =
                    "write { axis = \"y\", angle = \"12 deg\" }, { rpy = [...] } or { quat = [w, x, y, z] }";
                self.report("rot", problem.expected("a rotation").help(help));
            }
            return None;
        };
        let forms = [rot.has("axis") || rot.has("angle"), rot.has("quat"), rot.has("rpy"), rot.has("matrix")];
        if forms.iter().filter(|f| **f).count() != 1 {
            let message = format!("{} must have exactly one form of rotation", rot.path);
            let problem = Problem::new("E0212", rot.path.clone(), message);
            let problem = problem.expected("{ axis, angle }, { quat }, { rpy } or { matrix }");
            self.context.findings.push(Finding::at(problem, rot.key_span));
            return None;
        }
        if forms[1] {
            return rot.quaternion("quat").map(Rotation::Quaternion);
        }
        if forms[3] {
            return rot.matrix().map(Rotation::Matrix);
        }
        if forms[2] {
            let rpy = rot.vector("rpy")?;
            let q = Quaternion::from_roll_pitch_yaw(rpy.x, rpy.y, rpy.z);
            return Some(Rotation::Quaternion(q));
        }
        if !rot.has("axis") {
            rot.report_missing("axis");
        }
        let angle = rot.required_quantity("angle");
        let axis = rot.direction("axis")?;
        Some(Rotation::Quaternion(Quaternion::from_axis_angle(&axis, angle?)))
    }

    /// Four numbers of unit length.
    pub(crate) fn quaternion(&self, key: &str) -> Option<Quaternion> {
        let v = self.quantities(key, Dimension::NONE, &[4])?;
        self.unit_quaternion(key, Quaternion::new(v[0], v[1], v[2], v[3]))
    }

    /// The quaternion with length one, if it nearly has it.
    pub(crate) fn unit_quaternion(&self, key: &str, q: Quaternion) -> Option<Quaternion> {
        let norm = q.norm();
        if (norm - 1.0).abs() <= UNIT_TOLERANCE {
            // What has unit length to rounding keeps its bits.
            return Some(if (norm - 1.0).abs() <= ROUNDING { q } else { q.normalized() });
        }
        let problem = self
            .problem("E0105", key, format!("|quat| = {norm:.4}, expected 1"))
            .expected("a quaternion of unit length");
        self.report(
            key,
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

    /// Nine numbers, row by row, that make a rotation.
    fn matrix(&self) -> Option<Mat3> {
        let v = self.quantities("matrix", Dimension::NONE, &[9])?;
        let r = Mat3::from_row_slice(&v);
        let defect = (r * r.transpose() - Mat3::identity()).norm();
        if defect <= UNIT_TOLERANCE && r.determinant() > 0.0 {
            let keeps_bits = defect <= 4.0 * ROUNDING;
            return Some(if keeps_bits { r } else { Quaternion::from_matrix(&r).to_matrix() });
        }
        let message = format!("{} is no rotation", self.path_of("matrix"));
        let problem = self.problem("E0105", "matrix", message);
        let expected = "rows of unit length, at right angles, right-handed";
        self.report("matrix", problem.expected(expected).help("columns are the axes of the turned frame"));
        None
    }

    /// A unit vector: `"+x"`, `"-z"`, `"y"` or three numbers of any length but zero.
    pub(crate) fn direction(&self, key: &str) -> Option<Vec3> {
        self.direction_of(self.node(key)?, key)
    }

    /// The unit vector that a node of the key states.
    pub(crate) fn direction_of(&self, node: &Node, key: &str) -> Option<Vec3> {
        if let Some(word) = node.as_text() {
            let direction = direction_of_word(word);
            if direction.is_none() {
                let message = format!("{} does not know the direction \"{word}\"", self.path_of(key));
                let problem = self.problem("E0107", key, message);
                let problem = problem.expected("\"x\", \"y\", \"z\" with or without sign, or three numbers");
                self.context.findings.push(Finding::at(problem, node.span));
            }
            return direction;
        }
        let in_plane =
            self.context.plane.filter(|_| matches!(&node.value, Value::Array(items) if items.len() == 2));
        let v = match in_plane {
            Some(plane) => {
                let v = self.list_of(node, &self.path_of(key), &[Dimension::NONE; 2])?;
                plane.vector(v[0], v[1])
            }
            None => {
                let v = self.list_of(node, &self.path_of(key), &[Dimension::NONE; 3])?;
                Vec3::new(v[0], v[1], v[2])
            }
        };
        let norm = v.norm();
        if norm > 0.0 && norm.is_finite() {
            return Some(if (norm - 1.0).abs() <= ROUNDING { v } else { v / norm });
        }
        let problem = self.problem(
            "E0315",
            key,
            format!("{} has no direction: its length is {norm}", self.path_of(key)),
        );
        let problem = problem.expected("three numbers that are not all 0");
        self.context.findings.push(Finding::at(problem, node.span));
        None
    }
}

/// The direction that `"+x"`, `"-z"` or `"y"` is.
pub(super) fn direction_of_word(word: &str) -> Option<Vec3> {
    let (sign, letter) = match word.strip_prefix(['+', '-']) {
        Some(letter) => (if word.starts_with('-') { -1.0 } else { 1.0 }, letter),
        None => (1.0, word),
    };
    let axis = match letter {
        "x" => Vec3::x(),
        "y" => Vec3::y(),
        "z" => Vec3::z(),
        _ => return None,
    };
    Some(axis * sign)
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
