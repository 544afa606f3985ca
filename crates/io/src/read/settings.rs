use carom_engine::model::{
    AbsoluteTolerances, Body, Coordinates, Formulation, IntegratorKind, OutputSettings, SolverSettings,
    StepControl,
};
use carom_math::Vec3;

use super::{Section, unread};
use crate::document::Value;
use crate::quantity::Dimension;

/// Integrators of the format that are not built yet.
const LATER_INTEGRATORS: [&str; 5] = ["rodas5p", "ali3p", "gen-alpha", "moreau", "event-driven"];

/// Penalty factor of ali3p: amid the range in which the results do not depend on it.
const PENALTY_DEFAULT: f64 = 1e5;

/// Gravity; it must be said if anything can move.
pub(crate) fn read_gravity(root: &Section<'_, '_>, bodies: &[Body]) -> Option<Vec3> {
    let help = "gravity = [0, 0, \"-9.81 m/s^2\"], or [0, 0, 0] where there is none";
    let can_move = bodies.iter().any(|b| !b.fixed);
    match root.table("world") {
        Some(world) if world.has("gravity") => world.vector("gravity"),
        Some(world) if can_move && !world.is_misspelt("gravity") => {
            let problem =
                world.problem("E0506", "gravity", "[world] does not say gravity, and bodies can move");
            world.context.findings.push(crate::finding::Finding::at(problem.help(help), world.key_span));
            None
        }
        None if can_move && !root.has("world") && !root.is_misspelt("world") => {
            let problem =
                root.problem("E0506", "world", "the model does not say gravity, and bodies can move");
            let problem = problem.help(format!("add [world] with {help}"));
            root.context.findings.push(crate::finding::Finding::at(problem, root.key_span));
            None
        }
        _ => None,
    }
}

pub(crate) fn read_solver(root: &Section<'_, '_>) -> SolverSettings {
    let mut settings = SolverSettings::default();
    let Some(solver) = root.table("solver") else {
        if !root.has("solver") && !root.is_misspelt("solver") {
            let problem = root.problem("E0202", "solver", "the model lacks [solver] with `t_end`");
            root.context.findings.push(crate::finding::Finding::at(
                problem.help("add [solver] with t_end = \"1 s\""),
                root.key_span,
            ));
        }
        return settings;
    };
    settings.method = read_integrator(&solver);
    if solver.has("coordinates") && solver.word("coordinates") == Some("body") {
        settings.coordinates = Coordinates::Body;
    }
    settings.formulation = read_formulation(&solver).unwrap_or(settings.formulation);
    settings.t_end = solver.required_quantity("t_end").unwrap_or(settings.t_end);
    settings.rtol = solver.quantity("rtol").unwrap_or(settings.rtol);
    settings.h_max = solver.quantity("h_max");
    settings.h_min = solver.quantity("h_min");
    settings.h_first = solver.quantity("h_first");
    settings.max_steps = solver.whole("max_steps").unwrap_or(settings.max_steps);
    settings.max_events = solver.whole("max_events").unwrap_or(settings.max_events);
    if let Some(atol) = solver.table("atol") {
        settings.atol = AbsoluteTolerances {
            length: atol.quantity("length"),
            angle: atol.quantity("angle"),
            velocity: atol.quantity("velocity"),
            angular_velocity: atol.quantity("angular_velocity"),
            energy: atol.quantity("energy"),
        };
    }
    settings
}

/// A word, or a table with the numbers of the formulation.
fn read_formulation(solver: &Section<'_, '_>) -> Option<Formulation> {
    let node = solver.node("formulation")?;
    let default = Formulation::Ali3p { penalty: PENALTY_DEFAULT, step: StepControl::ErrorControlled };
    if node.as_text().is_some() {
        return Some(if solver.word("formulation")? == "ali3p" { default } else { Formulation::Kkt });
    }
    let Some(table) = solver.table("formulation") else {
        solver.wrong_type("solver.formulation", node, "\"kkt\", \"ali3p\" or a table");
        return None;
    };
    if !table.has("type") {
        table.report_missing("type");
    }
    if table.word("type")? == "kkt" {
        for key in ["step", "penalty"].into_iter().filter(|k| table.has(k)) {
            let message = format!("`{key}` belongs to the formulation ali3p");
            let problem = table.problem("E0212", key, message).expected("type = \"ali3p\"");
            table.report(key, problem.help(format!("remove `{key}`, or write type = \"ali3p\"")));
        }
        return Some(Formulation::Kkt);
    }
    let step = match table.has("step").then(|| table.quantity("step")) {
        None => StepControl::ErrorControlled,
        Some(step) => StepControl::Fixed(step?),
    };
    let penalty = if table.has("penalty") { table.quantity("penalty")? } else { PENALTY_DEFAULT };
    Some(Formulation::Ali3p { penalty, step })
}

fn read_integrator(solver: &Section<'_, '_>) -> IntegratorKind {
    let later =
        solver.table.get("method").and_then(|n| n.as_text()).filter(|t| LATER_INTEGRATORS.contains(t));
    if let Some(word) = later {
        let problem = solver.problem("E0501", "method", format!("integrator \"{word}\" is not built yet"));
        let help = match word {
            "ali3p" => "ali3p is a formulation: write formulation = \"ali3p\"",
            "rodas5p" => "use method = \"radau5\", or \"rodas3\" at loose tolerances",
            _ => "use method = \"ode45\"",
        };
        let built = "\"auto\", \"ode45\", \"dop853\", \"ode113\", \"radau5\", \"bdf\" or \"rodas3\"";
        solver.report("method", problem.expected(built).help(help));
        return IntegratorKind::Auto;
    }
    let word = if solver.has("method") { solver.word("method") } else { None };
    let Some(word) = word else { return IntegratorKind::Auto };
    IntegratorKind::ALL.into_iter().find(|kind| word == kind.name()).unwrap_or_else(|| unread("method", word))
}

pub(crate) fn read_output(root: &Section<'_, '_>) -> OutputSettings {
    let mut settings =
        OutputSettings { every: None, steps: false, patches: None, searches: false, probes: Vec::new() };
    let Some(output) = root.table("output") else { return settings };
    settings.every = output.quantity("every");
    settings.steps = output.flag("steps").unwrap_or(false);
    settings.searches = output.flag("searches").unwrap_or(false);
    if let Some(node) = output.node("patches")
        && !matches!(&node.value, Value::Text(t) if t == "off")
    {
        settings.patches = output.quantity_in("patches", Dimension::TIME);
    }
    settings
}
