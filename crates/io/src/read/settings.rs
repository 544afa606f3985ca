use carom_engine::model::{
    AbsoluteTolerances, Body, Coordinates, Formulation, IntegratorKind, OutputSettings, SolverSettings,
    StepControl,
};
use carom_math::Vec3;

use super::Section;
use crate::document::Value;
use crate::quantity::Dimension;
use crate::schema::OFF;
use crate::suggest;

/// Integrators of the format that are not built yet.
const LATER_INTEGRATORS: [&str; 4] = ["rodas5p", "ali3p", "gen-alpha", "event-driven"];

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
    let coordinates = solver.kind_or_default("coordinates", &Coordinates::ALL, Coordinates::name, &[]);
    settings.coordinates = coordinates.unwrap_or(settings.coordinates);
    if let Some((formulation, step)) = read_formulation(&solver) {
        (settings.formulation, settings.step) = (formulation, step);
    }
    if let Some(step) = solver.quantity("step") {
        if settings.fixed_step().is_some() {
            let problem =
                solver.problem("E0509", "step", "`step` is stated twice, here and in the formulation");
            solver.report("step", problem.help("remove one of them"));
        }
        settings.step = StepControl::Fixed(step);
    }
    settings.t_end = solver.required_quantity("t_end").unwrap_or(settings.t_end);
    settings.rtol = solver.quantity_or_default("rtol");
    settings.h_max = solver.quantity("h_max");
    settings.h_min = solver.quantity("h_min");
    settings.h_first = solver.quantity("h_first");
    settings.contact_tolerance = solver.quantity_or_default("contact_tolerance");
    if solver.has("contact_tolerance") && settings.method != IntegratorKind::Moreau {
        let message = "`contact_tolerance` belongs to the method moreau";
        let problem = solver.problem("E0212", "contact_tolerance", message);
        let problem = problem.expected("method = \"moreau\"");
        solver.report("contact_tolerance", problem.help("remove it: events are located to rounding"));
    }
    settings.max_steps = solver.whole_or_default("max_steps");
    settings.max_events = solver.whole_or_default("max_events");
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
fn read_formulation(solver: &Section<'_, '_>) -> Option<(Formulation, StepControl)> {
    let kind = |section: &Section<'_, '_>, key| {
        section.kind_or_default(key, &Formulation::ALL, Formulation::name, &[])
    };
    let Some(node) = solver.node("formulation").filter(|node| node.as_text().is_none()) else {
        return Some((kind(solver, "formulation")?, StepControl::ErrorControlled));
    };
    let Some(table) = solver.table("formulation") else {
        solver.wrong_type("solver.formulation", node, "\"kkt\", \"ali3p\" or a table");
        return None;
    };
    let formulation = kind(&table, "type")?;
    let step = match table.has("step").then(|| table.quantity("step")) {
        None => StepControl::ErrorControlled,
        Some(step) => StepControl::Fixed(step?),
    };
    if formulation == Formulation::Kkt {
        if table.has("penalty") {
            let problem = table.problem("E0212", "penalty", "`penalty` belongs to the formulation ali3p");
            let problem = problem.expected("type = \"ali3p\"");
            table.report("penalty", problem.help("remove `penalty`, or write type = \"ali3p\""));
        }
        return Some((Formulation::Kkt, step));
    }
    let penalty = table.quantity_in_or_default("penalty", Dimension::NONE)?;
    Some((Formulation::Ali3p { penalty }, step))
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
        let built = suggest::one_of(IntegratorKind::ALL.into_iter().map(IntegratorKind::name));
        solver.report("method", problem.expected(built).help(help));
        return IntegratorKind::Auto;
    }
    let kind = solver.kind_or_default("method", &IntegratorKind::ALL, IntegratorKind::name, &[]);
    kind.unwrap_or(IntegratorKind::Auto)
}

pub(crate) fn read_output(root: &Section<'_, '_>) -> OutputSettings {
    let mut settings =
        OutputSettings { every: None, steps: false, patches: None, searches: false, probes: Vec::new() };
    let Some(output) = root.table("output") else { return settings };
    settings.every = output.quantity("every");
    settings.steps = output.flag_or_default("steps");
    settings.searches = output.flag_or_default("searches");
    if let Some(node) = output.node("patches")
        && !matches!(&node.value, Value::Text(t) if t == OFF)
    {
        settings.patches = output.quantity_in("patches", Dimension::TIME);
    }
    settings
}
