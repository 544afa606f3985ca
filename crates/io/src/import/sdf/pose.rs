//! `<pose relative_to="…">x y z roll pitch yaw</pose>`.

use carom_math::{Pose, Quaternion, Vec3};

use super::super::context::Context;
use super::super::xml::Element;
use super::frames::{Place, Scope};
use crate::source::Span;

/// A pose as it is written, and the frame that it says it is in.
#[derive(Clone, Debug, Default)]
pub(super) struct Stated {
    pose: Option<Pose>,
    relative_to: Option<(String, Span)>,
}

impl Stated {
    /// Six numbers, or seven with a quaternion x y z w; none is the identity. `None` after an error.
    pub(super) fn read(element: &Element, context: &Context<'_>) -> Option<Self> {
        let name = element.text("relative_to").filter(|name| !name.is_empty());
        let relative_to = name.map(|name| (name.to_owned(), element.place("relative_to")));
        let turns = element.text("rotation_format").unwrap_or("euler_rpy") == "quat_xyzw";
        let degrees = element.flag("degrees", context).unwrap_or(false);
        if element.content.trim().is_empty() {
            return Some(Self { pose: None, relative_to });
        }
        let count = if turns { 7 } else { 6 };
        let v = element.content_numbers(count..=count, context)?;
        let rotation = if turns {
            let [x, y, z, w] = [v[3], v[4], v[5], v[6]];
            Quaternion::new(w, x, y, z).normalized().to_matrix()
        } else {
            let [roll, pitch, yaw] = [v[3], v[4], v[5]].map(|a| if degrees { a.to_radians() } else { a });
            Quaternion::from_roll_pitch_yaw(roll, pitch, yaw).to_matrix()
        };
        let pose = Some(Pose { rotation, translation: Vec3::new(v[0], v[1], v[2]) });
        Some(Self { pose, relative_to })
    }

    /// With names as whole ones; `default` is the frame that it is in unless it says so.
    pub(super) fn within(self, scope: &Scope, default: &str) -> Place {
        let (frame, span) = match self.relative_to {
            Some((name, span)) => (scope.key(&name), Some(span)),
            None => (default.to_owned(), None),
        };
        Place { frame, span, pose: self.pose.unwrap_or_else(Pose::identity) }
    }
}
