//! `option`: gravity, and what its flags switch off.

use std::collections::BTreeSet;

use carom_math::Vec3;

use super::super::context::Context;
use super::super::robot::{Actuator, Mask, Pull, Robot};
use super::super::xml::Element;
use super::compiler::bad_word;

/// What MuJoCo leaves out of the motion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Disabled {
    pub(super) equality: bool,
    pub(super) friction: bool,
    pub(super) limit: bool,
    contact: bool,
    pub(super) spring: bool,
    damper: bool,
    actuation: bool,
    control_range: bool,
}

/// Flags that are read. `constraint` is all of its kind, `passive` the word of older versions for springs and dampers.
const FLAGS: [&str; 11] = [
    "gravity",
    "constraint",
    "equality",
    "frictionloss",
    "limit",
    "contact",
    "passive",
    "spring",
    "damper",
    "actuation",
    "clampctrl",
];

/// Takes over gravity. The last word of the file on a flag counts.
pub(super) fn read(root: &Element, robot: &mut Robot, context: &Context<'_>) -> Disabled {
    let mut off = BTreeSet::new();
    for option in root.all("option") {
        if let Some(gravity) = option.vector("gravity", context) {
            robot.gravity = gravity;
        }
        for flag in option.all("flag") {
            for name in FLAGS {
                match flag.text(name) {
                    Some("disable") => drop(off.insert(name)),
                    Some("enable") => drop(off.remove(name)),
                    Some(other) => bad_word(flag, name, other, "enable or disable", context),
                    None => {}
                }
            }
        }
    }
    let is_off = |names: &[&str]| names.iter().any(|name| off.contains(name));
    if is_off(&["gravity"]) {
        robot.gravity = Vec3::zeros();
    }
    Disabled {
        equality: is_off(&["constraint", "equality"]),
        friction: is_off(&["constraint", "frictionloss"]),
        limit: is_off(&["constraint", "limit"]),
        contact: is_off(&["constraint", "contact"]),
        spring: is_off(&["passive", "spring"]),
        damper: is_off(&["passive", "damper"]),
        actuation: is_off(&["actuation"]),
        control_range: is_off(&["clampctrl"]),
    }
}

impl Disabled {
    /// Takes it out of a robot that has been read whole; of equalities nothing has been read.
    pub(super) fn apply(self, robot: &mut Robot) {
        for axis in robot.joints.iter_mut().flat_map(|joint| &mut joint.axes) {
            if self.limit {
                (axis.lower, axis.upper) = (None, None);
            }
            if self.friction {
                axis.friction = 0.0;
            }
            if self.spring {
                axis.stiffness = 0.0;
            }
            if self.damper {
                axis.damping = 0.0;
            }
        }
        if self.friction {
            robot.joints.iter_mut().for_each(|joint| joint.uniform.friction = 0.0);
        }
        if self.limit {
            robot.ropes.retain(|rope| !matches!(rope.pull, Pull::Limit));
        }
        if self.actuation {
            robot.actuators.retain(Actuator::is_passive);
            robot.loads.retain(|load| load.number.is_none());
        }
        if self.control_range {
            let ranges = robot.actuators.iter_mut().map(|actuator| &mut actuator.control_range);
            let of_loads = robot.loads.iter_mut().map(|load| &mut load.control_range);
            ranges.chain(of_loads).for_each(|range| *range = None);
        }
        self.slacken(robot);
        if self.contact {
            robot.pairings.clear();
            robot.links.iter_mut().flat_map(|link| &mut link.shapes).for_each(|s| s.mask = Mask::NONE);
        }
    }

    /// Springs and dampers of tendons, and of joints without scalar coordinates.
    fn slacken(self, robot: &mut Robot) {
        let keep = |stiffness: &mut f64, damping: &mut f64| {
            for (is_off, value) in [(self.spring, &mut *stiffness), (self.damper, &mut *damping)] {
                if is_off {
                    *value = 0.0;
                }
            }
            *stiffness != 0.0 || *damping != 0.0
        };
        robot.actuators.retain_mut(|drive| {
            if drive.is_passive() && self.spring {
                drive.bias = 0.0;
            }
            !drive.is_passive() || keep(&mut drive.stiffness, &mut drive.damping)
        });
        robot.ropes.retain_mut(|rope| match &mut rope.pull {
            Pull::Limit => true,
            Pull::Elastic { stiffness, damping } | Pull::Spring { stiffness, damping } => {
                keep(stiffness, damping)
            }
        });
        robot.holds.retain_mut(|hold| {
            let [along, about] = [0, 1].map(|k| keep(&mut hold.stiffness[k], &mut hold.damping[k]));
            along || about
        });
    }
}
