//! Actuators of joints and fixed tendons: motor, position, velocity and general ones with affine forces.

use carom_engine::Problem;

use super::super::context::Context;
use super::super::effective_inertia::Inertia;
use super::super::robot::{Actuator, Robot};
use super::super::xml::Element;
use super::compiler::{Compiler, Compilers};
use super::defaults::{Classes, View};
use super::transmission::{Transmission, Transmissions, gear_of, has, transmission, warn};
use super::{activation, thrust};

/// Attributes that are read, or that say nothing beside others.
pub(super) const ATTRIBUTES: &[&str] = &[
    "class",
    "name",
    "joint",
    "jointinparent",
    "site",
    "tendon",
    "gear",
    "kp",
    "kv",
    "dampratio",
    "inheritrange",
    "ctrlrange",
    "ctrllimited",
    "forcerange",
    "forcelimited",
    "gaintype",
    "biastype",
    "gainprm",
    "biasprm",
    "group",
    "dyntype",
    "dynprm",
    // Of a step of MuJoCo's: whether the effort has the activation of its end.
    "actearly",
    "timeconst",
    "actlimited",
    "actrange",
    "area",
    "diameter",
    "bias",
    "user",
    "lengthrange",
    // Of what the control is told to be, no number depends on it.
    "input",
];

/// Kinds that are read; the defaults of all of them are one.
pub(super) const KINDS: &[&str] = &["motor", "position", "velocity", "intvelocity", "cylinder", "general"];

/// Force along the transmission's length l: gain · control + bias₀ + bias₁ l + bias₂ l̇. As in MuJoCo, the defaults of a class write
/// into the same numbers one after the other, whatever their kinds, and what one does not say stays. A motor starts anew; position
/// and velocity go on from where their kind or a general one stopped last, with a fixed gain: in their class, else in those around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law<'a> {
    pub(super) kind: &'a str,
    gain: [f64; 3],
    bias: [f64; 3],
    gain_kind: &'a str,
    bias_kind: &'a str,
    pub(super) dynamics: &'a str,
    /// Of filters (s).
    pub(super) time_constant: f64,
    /// `inheritrange`, which an own range of the kind that is inherited takes back.
    range_share: f64,
}

/// What `inheritrange` gives: the range of the place to go to, which is the control of a position and the activation of an integrator.
fn inherited_key(kind: &str) -> Option<&'static str> {
    match kind {
        "position" => Some("ctrlrange"),
        "intvelocity" => Some("actrange"),
        _ => None,
    }
}

pub(super) fn read_all(
    root: &Element,
    classes: &Classes<'_>,
    compilers: &Compilers,
    transmissions: &Transmissions<'_>,
    robot: &mut Robot,
    context: &Context<'_>,
) {
    let mut number = 0;
    for section in root.all("actuator") {
        let compiler = compilers.of(section.span);
        for element in &section.children {
            let is_simple = KINDS.contains(&element.name.as_str());
            if is_simple && thrust::is_one(element, transmissions) {
                let view = classes.view(element, None, context);
                let load = thrust::read(&view, number, compiler, transmissions, robot, context);
                robot.loads.extend(load);
            } else if is_simple && ["joint", "jointinparent", "tendon"].iter().any(|key| has(element, key)) {
                let view = classes.view(element, None, context);
                let read = read(&view, compiler, transmissions, context);
                robot.actuators.extend(read.map(|actuator| Actuator { number: Some(number), ..actuator }));
            } else if is_simple {
                element.mark_all();
                let what =
                    format!("a <{}> that acts on neither a joint, a fixed tendon nor one site", element.name);
                warn(&what, element, context);
            }
            number += 1;
        }
    }
    limit_efforts(robot, context);
}

fn read(
    view: &View<'_>,
    compiler: &Compiler,
    transmissions: &Transmissions<'_>,
    context: &Context<'_>,
) -> Option<Actuator> {
    let own = view.own();
    own.mark_attributes(ATTRIBUTES);
    let gear = gear_of(view, context);
    let law = Law::read(view, context);
    let (transmission, affine) = (transmission(own, &gear, transmissions, context), law.affine(own, context));
    let along = transmission.as_ref().filter(|_| law.inherits_range());
    let inherited = along.and_then(|along| law.inherited_range(view, along, context));
    // That of an integrator is its activation's.
    let control_range = if law.inherits_range() && law.dynamics != "integrator" {
        inherited.filter(|_| view.text("ctrllimited") != Some("false"))
    } else {
        let is_own = !is_taken_back(view, "ctrlrange", context);
        range_of(view, "ctrlrange", Some("ctrllimited"), is_own, compiler, context)
    };
    let effort_range = range_of(view, "forcerange", Some("forcelimited"), true, compiler, context);
    let Transmission { name: named, mut terms, reference, effort, .. } = transmission?;
    terms.retain(|t| t.factor != 0.0);
    if terms.is_empty() {
        context.left_out(format!("a <{}> with a gear of 0 exerts nothing", own.name), own.span);
        return None;
    }
    let (gain, bias) = affine?;
    let activation = activation::read(&law, view, inherited, compiler, context)?;
    let name = own.text("name").filter(|n| !n.is_empty()).map_or_else(|| named.to_owned(), str::to_owned);
    // MuJoCo's word for it, where the spring pulls to the control.
    let damping_ratio = Some(bias[2]).filter(|ratio| *ratio > 0.0 && gain == -bias[1]);
    Some(Actuator {
        name,
        span: own.place("name"),
        number: None,
        terms,
        control: 0.0,
        control_range,
        gain,
        // MuJoCo's length counts from its own zero: l = gear (q + ref).
        bias: bias[0] + bias[1] * gear[0] * reference,
        stiffness: -bias[1],
        damping: -bias[2],
        damping_ratio,
        effort_range: effort.map_or(effort_range, |range| Some(within(range, effort_range))),
        activation,
    })
}

/// What is held to one range, and then to another.
fn within([low, high]: [f64; 2], first: Option<[f64; 2]>) -> [f64; 2] {
    first.map_or([low, high], |ends| ends.map(|end| end.clamp(low, high)))
}

/// The range that a control or force is held to: none where its ends are equal, unless it is said to hold, which MuJoCo refuses then, as
/// it does where there is none. `limited`: the attribute that says whether it holds; without one it holds where it is stated. `is_own`:
/// not that of a default which another one takes back.
pub(super) fn range_of(
    view: &View<'_>,
    key: &str,
    limited: Option<&str>,
    is_own: bool,
    compiler: &Compiler,
    context: &Context<'_>,
) -> Option<[f64; 2]> {
    let own = view.own();
    let range = match limited {
        Some(limited) => view.range(key, limited, compiler.auto_limits, context),
        None => view.stated_range(key, context).map(|[low, high]| (low, high)),
    };
    let range = range.filter(|_| is_own);
    let stated = limited.filter(|limited| view.text(limited) == Some("true"));
    let message = match range {
        Some((low, high)) if low < high => return Some([low, high]),
        Some((low, high)) if low > high => {
            format!("the {key} of {} is reversed: {low} > {high}", own.title())
        }
        Some((at, _)) if stated.is_some() => {
            format!("the {key} of {} leaves no room: both ends are {at}", own.title())
        }
        None if let Some(limited) = stated => format!("{} has {limited}=\"true\" and no {key}", own.title()),
        _ => return None,
    };
    let problem = Problem::new("E0810", "", message).expected("the lower end, then the upper one");
    let place =
        std::iter::once(key).chain(limited).find_map(|key| view.holder(key).map(|holder| holder.place(key)));
    context.report(problem, place.unwrap_or(own.span));
    None
}

impl<'a> Law<'a> {
    const PLAIN: Self = Self {
        kind: "general",
        gain: [1.0, 0.0, 0.0],
        bias: [0.0; 3],
        gain_kind: "fixed",
        bias_kind: "none",
        dynamics: "none",
        time_constant: 1.0,
        range_share: 0.0,
    };

    pub(super) fn read(view: &View<'a>, context: &Context<'_>) -> Self {
        let mut laws = vec![Self::PLAIN];
        for class in view.classes().iter().rev() {
            laws.push(*laws.last().unwrap_or(&Self::PLAIN));
            for element in class {
                let law = Self::after(&laws, element, context);
                laws.pop();
                laws.push(law);
            }
        }
        Self::after(&laws, view.own(), context)
    }

    /// What an element makes of the laws of its class and those around it, the nearest last.
    fn after(laws: &[Self], element: &'a Element, context: &Context<'_>) -> Self {
        let kind = element.name.as_str();
        let number = |key: &str| element.number(key, context);
        let goes_on = |law: &&Self| {
            let is_simple = law.gain_kind == "fixed" && ["none", "affine"].contains(&law.bias_kind);
            kind == "general" || is_simple && [kind, "general"].contains(&law.kind)
        };
        let before = *laws.iter().rev().find(goes_on).unwrap_or(&Self::PLAIN);
        match kind {
            "position" | "intvelocity" => {
                let coefficient = |key: &str| {
                    number(key).inspect(|&value| {
                        if value < 0.0 {
                            let message =
                                format!("{key} of {} must not be negative, got {value}", element.title());
                            element.bad_value(key, message, "0 or more", context);
                        }
                    })
                };
                let stiffness = number("kp").unwrap_or(before.gain[0]);
                // Above zero it is a share of the critical one.
                let damping =
                    coefficient("kv").map(|kv| -kv).or(coefficient("dampratio")).unwrap_or(before.bias[2]);
                let has_lag = number("timeconst").map_or(before.dynamics == "filterexact", |t| t != 0.0);
                let dynamics = match kind {
                    "intvelocity" => "integrator",
                    _ if has_lag => "filterexact",
                    _ => "none",
                };
                let time_constant = coefficient("timeconst").unwrap_or(before.time_constant);
                let bias = [0.0, -stiffness, damping];
                let stated = inherited_key(kind).filter(|key| has(element, key));
                let share = if stated.is_some() { 0.0 } else { before.range_share };
                let range_share = number("inheritrange").unwrap_or(share);
                if range_share > 0.0
                    && let Some(stated) = stated
                {
                    refuse_both_ranges(element, stated, context);
                }
                let gain = [stiffness, 0.0, 0.0];
                let bias_kind = "affine";
                Self { kind, gain, bias, bias_kind, dynamics, time_constant, range_share, ..before }
            }
            "cylinder" => {
                let of_diameter = number("diameter").map(|d| 0.25 * std::f64::consts::PI * d * d);
                let gain = [of_diameter.or(number("area")).unwrap_or(before.gain[0]), 0.0, 0.0];
                let mut bias = before.bias;
                let stated = element.numbers("bias", context).unwrap_or_default();
                bias.iter_mut().zip(stated).for_each(|(to, from)| *to = from);
                let time_constant = number("timeconst").unwrap_or(before.time_constant);
                Self {
                    kind,
                    gain,
                    bias,
                    bias_kind: "affine",
                    dynamics: "filter",
                    time_constant,
                    ..Self::PLAIN
                }
            }
            "velocity" => {
                let damping = number("kv").unwrap_or(before.gain[0]);
                let (gain, bias) = ([damping, 0.0, 0.0], [0.0, 0.0, -damping]);
                Self { kind, gain, bias, bias_kind: "affine", ..Self::PLAIN }
            }
            "general" => {
                let text = |key: &str, default| element.text(key).unwrap_or(default);
                let numbers = |key: &str, mut all: [f64; 3]| {
                    let stated = element.numbers(key, context).unwrap_or_default();
                    all.iter_mut().zip(stated).for_each(|(to, from)| *to = from);
                    all
                };
                Self {
                    kind,
                    gain: numbers("gainprm", before.gain),
                    bias: numbers("biasprm", before.bias),
                    gain_kind: text("gaintype", before.gain_kind),
                    bias_kind: text("biastype", before.bias_kind),
                    dynamics: text("dyntype", before.dynamics),
                    time_constant: element
                        .numbers("dynprm", context)
                        .and_then(|all| all.first().copied())
                        .unwrap_or(before.time_constant),
                    range_share: number("inheritrange").unwrap_or(before.range_share),
                }
            }
            _ => Self { kind, ..Self::PLAIN },
        }
    }

    /// Gain and biases; `None` where the force is not of this form, which is told.
    pub(super) fn affine(&self, own: &Element, context: &Context<'_>) -> Option<(f64, [f64; 3])> {
        let gain = match self.gain_kind {
            "fixed" => Some(self.gain[0]),
            "affine" if self.gain[1..] == [0.0, 0.0] => Some(self.gain[0]),
            _ => None,
        };
        let bias = match self.bias_kind {
            "affine" => Some(self.bias),
            "none" => Some([0.0; 3]),
            _ => None,
        };
        if gain.is_none() || bias.is_none() {
            let what = if self.gain_kind == "affine" {
                "a <general> whose gain depends on its length or velocity"
            } else {
                "a <general> with a gain or bias other than affine"
            };
            warn(what, own, context);
        }
        gain.zip(bias)
    }

    /// Is the range that of what the actuator acts along? Only where the control is the place to go to: motors and velocity servos may
    /// be of a class whose positions inherit theirs.
    fn inherits_range(&self) -> bool {
        let is_place =
            self.gain_kind == "fixed" && self.bias_kind == "affine" && self.gain[0] == -self.bias[1];
        is_place && self.range_share > 0.0
    }

    /// `inheritrange`: the range of the joint or tendon, which need not limit it, shrunk or widened about its middle.
    fn inherited_range(
        &self,
        view: &View<'_>,
        along: &Transmission<'_>,
        context: &Context<'_>,
    ) -> Option<[f64; 2]> {
        let Some([lower, upper]) = along.range.filter(|[lower, upper]| lower != upper) else {
            let own = view.own();
            let message =
                format!("{} inherits the range of \"{}\", which has none to give", own.title(), along.name);
            let problem = Problem::new("E0810", "", message)
                .help("give it a range, if it is no ball, or the actuator one of its own");
            let holder = view.holder("inheritrange").unwrap_or(own);
            context.report(problem, holder.place("inheritrange"));
            return None;
        };
        let (middle, half) = (0.5 * (lower + upper), 0.5 * (upper - lower) * self.range_share);
        Some([middle - half, middle + half]).filter(|[lower, upper]| lower < upper)
    }

    /// States between control and force that are not taken over: the control acts at once.
    pub(super) fn tell_lag(&self, own: &Element, context: &Context<'_>) {
        let kind = self.dynamics;
        if kind != "none" {
            let message = format!("the dynamics \"{kind}\" of a <{}> is not taken over", own.name);
            let problem = Problem::new("W0801", "", message).help("its control acts at once, and as it is");
            context.warn_once(&format!("dyntype {kind} {}", own.name), problem, own.span);
        }
    }
}

/// Is such a range around a class whose places to go to inherit theirs? It is none of its actuators' then, of whatever kind.
pub(super) fn is_taken_back(view: &View<'_>, key: &str, context: &Context<'_>) -> bool {
    let inherits = |e: &Element| {
        inherited_key(&e.name) == Some(key)
            && e.number("inheritrange", context).is_some_and(|share| share > 0.0)
    };
    let defaults = view.classes().iter().flat_map(|class| class.iter().rev().copied());
    let last = std::iter::once(view.own()).chain(defaults).find(|e| has(e, key) || inherits(e));
    last.is_some_and(|e| !has(e, key))
}

/// MuJoCo refuses both, in defaults too.
fn refuse_both_ranges(element: &Element, key: &str, context: &Context<'_>) {
    let message = format!("{} has its own {key} and inherits one", element.title());
    let problem = Problem::new("E0810", "", message).help(format!("remove `{key}` or `inheritrange`"));
    context.report(problem, element.place("inheritrange"));
}

/// `actuatorfrcrange` of joints: the effort of all actuators of a joint. Of one alone it is its own, as far as its gear makes it.
fn limit_efforts(robot: &mut Robot, context: &Context<'_>) {
    for joint in 0..robot.joints.len() {
        for axis in 0..robot.joints[joint].axes.len() {
            let Some([low, high]) = robot.joints[joint].axes[axis].effort else { continue };
            let acts = |a: &&mut Actuator| {
                !a.is_passive() && a.terms.iter().any(|t| (t.joint, t.axis) == (joint, axis))
            };
            let mut on: Vec<&mut Actuator> = robot.actuators.iter_mut().filter(acts).collect();
            match on.as_mut_slice() {
                [] => {}
                [one] if one.terms.len() == 1 => {
                    let ends = [low / one.terms[0].factor, high / one.terms[0].factor];
                    let range = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                    one.effort_range = Some(within(range, one.effort_range));
                }
                several => {
                    // What has no gain is a spring for the model file.
                    if let Some(bare) = several.iter().find(|own| own.gain == 0.0) {
                        let message = "an actuator without gain does not count towards the `actuatorfrcrange` of its joint";
                        let problem = Problem::new("W0801", "", message)
                            .help("limit its own effort with `forcerange`, or give it a gain");
                        context.warn_once(message, problem, bare.span);
                    }
                    robot.joints[joint].axes[axis].shared = Some([low, high]);
                }
            }
        }
    }
}

/// Damping of position servos from their share of the critical one: c = 2 ratio √(k M), with the inertia M that the transmission feels
/// at the pose of the file.
pub(super) fn resolve_damping(robot: &mut Robot) {
    let matrix = Inertia::of(robot);
    for k in 0..robot.actuators.len() {
        let Some(ratio) = robot.actuators[k].damping_ratio else { continue };
        let inertia = matrix.felt_by(&robot.actuators[k].terms);
        robot.actuators[k].damping = 2.0 * ratio * (robot.actuators[k].stiffness * inertia).max(0.0).sqrt();
    }
}

/// Says of how many a control may be set.
pub(super) fn tell_idle(robot: &Robot, context: &Context<'_>) {
    let idle = || robot.actuators.iter().filter(|a| a.control == 0.0 && !a.is_passive());
    if let Some(first) = idle().next() {
        let text = format!(
            "{} actuators have the control 0, or the nearest one that they allow: `control` of their forces sets another",
            idle().count()
        );
        context.choice(text, Some(first.span));
    }
}
