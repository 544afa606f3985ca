//! `<contact>`: pairs that touch whatever their masks say, and bodies that do not; and what geoms say of how they touch.

use carom_engine::Problem;

use super::super::context::{Context, help_for};
use super::super::robot::{LinkShape, Pairing, Robot};
use super::super::touch::{Combination, Friction, Softness, Touch};
use super::super::xml::Element;
use super::defaults::{Classes, View};

/// Attributes of pairs that are read.
pub(super) const PAIR_ATTRIBUTES: &[&str] =
    &["class", "name", "condim", "friction", "solref", "solimp", "margin", "gap"];

/// Names of the geoms of pairs.
pub(super) fn paired_geoms(root: &Element) -> impl Iterator<Item = &str> {
    let sections = root.children.iter().filter(|c| c.name == "contact");
    let pairs = sections.flat_map(|section| section.children.iter().filter(|c| c.name == "pair"));
    pairs.flat_map(|pair| ["geom1", "geom2"].into_iter().filter_map(|key| pair.text(key)))
}

/// How a geom touches, from its view.
pub(super) fn touch(view: &View<'_>, context: &Context<'_>) -> Touch {
    let stated = friction(view, context);
    let Friction { mu, spin_arm, roll_arm } = Friction::DEFAULT;
    let at = |k: usize, default: f64| stated.get(k).copied().unwrap_or(default);
    touch_with(
        Friction { mu: at(0, mu), spin_arm: at(1, spin_arm), roll_arm: at(2, roll_arm) },
        view,
        context,
    )
}

/// Coefficients as they are stated.
fn friction(view: &View<'_>, context: &Context<'_>) -> Vec<f64> {
    let stated = view.list("friction", context).unwrap_or_default();
    if let Some(wrong) = stated.iter().find(|mu| **mu < 0.0) {
        let message = format!("`friction` of {} must not be negative, got {wrong}", view.own().title());
        view.holder("friction").unwrap_or(view.own()).bad_value("friction", message, "0 or more", context);
        return Vec::new();
    }
    stated
}

/// How the geoms of a pair touch: two coefficients of sliding, one of drilling, two of rolling.
fn touch_of_pair(view: &View<'_>, context: &Context<'_>) -> Touch {
    let Friction { mu, spin_arm, roll_arm } = Friction::DEFAULT;
    let mut all = [mu, mu, spin_arm, roll_arm, roll_arm];
    all.iter_mut().zip(friction(view, context)).for_each(|(to, from)| *to = from);
    let [mu, across, spin_arm, roll_arm, roll_across] = all;
    let touch = touch_with(Friction { mu, spin_arm, roll_arm }, view, context);
    if touch.dimension >= 3 && mu != across || touch.dimension >= 6 && roll_arm != roll_across {
        let what = "friction of a pair that differs by direction";
        let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
            .help("the first coefficient of sliding and of rolling counts in all directions");
        let holder = view.holder("friction").unwrap_or(view.own());
        context.warn_once(what, problem, holder.place("friction"));
    }
    touch
}

fn touch_with(friction: Friction, view: &View<'_>, context: &Context<'_>) -> Touch {
    Touch {
        friction,
        combination: Combination::Greatest,
        dimension: dimension(view, context).unwrap_or(3),
        priority: view.number("priority", context).unwrap_or(0.0),
        softness: Some(softness(view, Softness::DEFAULT, context)),
    }
}

pub(super) fn softness(view: &View<'_>, softness: Softness, context: &Context<'_>) -> Softness {
    let mut softness = softness_by(view, ["solref", "solimp"], softness, context);
    softness.weight = view.number("solmix", context).unwrap_or(softness.weight);
    softness
}

/// Of attributes by these names.
pub(super) fn softness_by(
    view: &View<'_>,
    [reference, impedance]: [&str; 2],
    mut softness: Softness,
    context: &Context<'_>,
) -> Softness {
    let take = |key: &str, into: &mut [f64]| {
        let stated = view.list(key, context).unwrap_or_default();
        into.iter_mut().zip(stated).for_each(|(to, from)| *to = from);
    };
    take(reference, &mut softness.reference);
    take(impedance, &mut softness.impedance);
    softness
}

fn dimension(view: &View<'_>, context: &Context<'_>) -> Option<u8> {
    let dimension = view.number("condim", context)?;
    let found = [1, 3, 4, 6].into_iter().find(|known| f64::from(*known) == dimension);
    if found.is_none() {
        let message = format!("`condim` of {} is {dimension}", view.own().title());
        view.holder("condim").unwrap_or(view.own()).bad_value("condim", message, "1, 3, 4 or 6", context);
    }
    found
}

/// How far from a surface others are pushed (m); of two surfaces both add. Contacts without force begin `gap` before that.
pub(super) fn margin(view: &View<'_>, context: &Context<'_>) -> f64 {
    let margin = view.number("margin", context).unwrap_or(0.0);
    // It moves nothing; what is wrong with it is told.
    let _ = view.number("gap", context);
    if margin < 0.0 {
        let what = "a negative `margin`";
        let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
            .help("contacts push from where surfaces meet; make the shapes smaller where that matters");
        context.warn_once(what, problem, view.holder("margin").unwrap_or(view.own()).place("margin"));
    }
    margin.max(0.0)
}

pub(super) fn read_all(root: &Element, classes: &Classes<'_>, robot: &mut Robot, context: &Context<'_>) {
    for section in root.all("contact") {
        for element in &section.children {
            match element.name.as_str() {
                "exclude" => exclude(element, robot, context),
                "pair" => pair(&classes.view(element, None, context), robot, context),
                _ => {}
            }
        }
    }
}

fn exclude(element: &Element, robot: &mut Robot, context: &Context<'_>) {
    element.mark();
    element.mark_attributes(&["name"]);
    let body = |key: &str| {
        let name = element.required_text(key, context)?;
        let found = robot.links.iter().position(|l| l.name == name);
        if found.is_none() {
            let message = format!("{} names the body \"{name}\", which is not there", element.title());
            let mut problem = Problem::new("E0807", "", message);
            problem.help = help_for(name, robot.links.iter().map(|l| l.name.as_str()));
            context.report(problem, element.place(key));
        }
        found
    };
    let (a, b) = (body("body1"), body("body2"));
    robot.excluded.extend(a.zip(b).map(|(a, b)| (a.min(b), a.max(b))));
}

fn pair(view: &View<'_>, robot: &mut Robot, context: &Context<'_>) {
    let own = view.own();
    own.mark_attributes(PAIR_ATTRIBUTES);
    let shapes = || robot.links.iter().flat_map(|l| &l.shapes);
    let geom = |key: &str| {
        let name = own.required_text(key, context)?;
        let found = shapes().find(|s| s.geom.as_deref() == Some(name));
        if found.is_none() {
            let known: Vec<&str> = shapes().filter_map(|s| s.geom.as_deref()).collect();
            let message = format!(
                "{} names the geom \"{name}\", which is not there, or is not taken over",
                own.title()
            );
            let mut problem = Problem::new("W0801", "", message);
            problem.help = help_for(name, known);
            context.report(problem, own.place(key));
        }
        found
    };
    let (a, b) = (geom("geom1"), geom("geom2"));
    let (Some(a), Some(b)) = (a, b) else { return };
    let name = |shape: &LinkShape| shape.geom.clone().unwrap_or_default();
    // Margins are the shapes' here.
    let sum = a.margin + b.margin;
    if (margin(view, context) - sum).abs() > 1e-12 * sum {
        let what = "a `margin` of a pair that is not the sum of those of its geoms";
        let problem = Problem::new("W0801", "", format!("{what} is not taken over"))
            .help("they touch where the shapes meet, which are greater by the margins of the geoms");
        context.warn_once(what, problem, view.holder("margin").unwrap_or(own).place("margin"));
    }
    let pairing = Pairing { geoms: [name(a), name(b)], touch: touch_of_pair(view, context) };
    robot.pairings.push(pairing);
}
