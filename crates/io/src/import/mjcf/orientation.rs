//! The five ways of MJCF to state an orientation.

use carom_engine::Problem;
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use super::super::context::Context;
use super::compiler::Compiler;
use super::defaults::View;

/// Position and orientation of a body, geom or frame; zero where not stated.
pub(super) fn pose(view: &View<'_>, compiler: &Compiler, context: &Context<'_>) -> Pose {
    let translation = view.vector("pos", context).unwrap_or_else(Vec3::zeros);
    Pose { rotation: rotation(view, compiler, context).unwrap_or_else(Mat3::identity), translation }
}

/// The five attributes.
const WAYS: [&str; 5] = ["axisangle", "xyaxes", "zaxis", "euler", "quat"];

/// That of the element itself, or of the nearest default that states one, in whichever way; `None` if none is stated, or after an error.
pub(super) fn rotation(view: &View<'_>, compiler: &Compiler, context: &Context<'_>) -> Option<Mat3> {
    let element = view.holder_of_any(&WAYS)?;
    let numbers = |name: &str, count: usize| element.numbers_in(name, count..=count, context);
    let refuse = |name: &str| {
        let message = format!("`{name}` of {} has no direction", element.title());
        context.report(
            Problem::new("E0315", "", message).expected("a vector other than 0"),
            element.place(name),
        );
        None
    };
    if let Some(v) = numbers("axisangle", 4) {
        let axis = Vec3::new(v[0], v[1], v[2]);
        if axis.norm() == 0.0 {
            return refuse("axisangle");
        }
        return Some(Quaternion::from_axis_angle(&axis, compiler.to_radians(v[3])).to_matrix());
    }
    if let Some(v) = numbers("xyaxes", 6) {
        let (x, y) = (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]));
        let z = x.cross(&y);
        if z.norm() == 0.0 {
            return refuse("xyaxes");
        }
        let (x, z) = (x.normalize(), z.normalize());
        return Some(Mat3::from_columns(&[x, z.cross(&x), z]));
    }
    if let Some(v) = numbers("zaxis", 3) {
        let z = Vec3::new(v[0], v[1], v[2]);
        if z.norm() == 0.0 {
            return refuse("zaxis");
        }
        return Some(Quaternion::between(&Vec3::z(), &z.normalize()).to_matrix());
    }
    if let Some(v) = numbers("euler", 3) {
        return Some(euler(&v, compiler));
    }
    let q = numbers("quat", 4)?;
    let q = Quaternion::new(q[0], q[1], q[2], q[3]);
    if q.norm() == 0.0 {
        return refuse("quat");
    }
    Some(q.to_matrix())
}

/// Small letters turn about axes that move along, capital ones about fixed axes.
fn euler(angles: &[f64], compiler: &Compiler) -> Mat3 {
    compiler.euler_sequence.iter().zip(angles).fold(Mat3::identity(), |r, (letter, angle)| {
        let axis = match letter.to_ascii_lowercase() {
            'x' => Vec3::x(),
            'y' => Vec3::y(),
            _ => Vec3::z(),
        };
        let turn = Quaternion::from_axis_angle(&axis, compiler.to_radians(*angle)).to_matrix();
        if letter.is_ascii_lowercase() { r * turn } else { turn * r }
    })
}
