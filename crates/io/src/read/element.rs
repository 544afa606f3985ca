//! What acts along the coordinates of a joint: springs, servos, friction, limits, motors.

use carom_engine::function::{Interpolation, TimeFunction};
use carom_engine::law::{ImpactLaw, Law};
use carom_engine::model::{
    AxisElements, AxisFriction, AxisLimit, AxisMeasure, AxisServo, AxisSpring, JointKind, Motor, Stop,
};

use super::Section;
use super::joint::{coordinate, effort, velocity};
use crate::document::Value;
use crate::quantity::Dimension;
use crate::suggest;

/// Laws by name, whose point blocks a stop can take.
pub(crate) struct LawPoints<'l>(pub(crate) &'l [Law]);

/// All elements, one entry per freedom; `None` after an error. What needs a coordinate that is one number the schema refuses
/// along a rotation's.
pub(crate) fn read_elements(
    section: &Section<'_, '_>,
    kind: JointKind,
    laws: &LawPoints<'_>,
) -> Option<Vec<AxisElements>> {
    let axes: Vec<AxisMeasure> = (0..kind.freedoms()).map(|freedom| kind.measure(freedom)).collect();
    let mut elements = vec![AxisElements::default(); axes.len()];
    if axes.is_empty() {
        return Some(elements);
    }
    let mut complete = true;
    let mut each =
        |key: &str, read: &mut dyn FnMut(usize, &Section<'_, '_>) -> Option<()>| match per_coordinate(
            section,
            key,
            axes.len(),
        ) {
            Some(tables) => {
                for (axis, table) in tables {
                    complete &= read(axis, &table).is_some();
                }
            }
            None => complete = false,
        };
    each("friction", &mut |k, table| {
        elements[k].friction = Some(read_friction(table, axes[k])?);
        Some(())
    });
    each("armature", &mut |k, table| {
        elements[k].armature = read_armature(table, axes[k])?;
        Some(())
    });
    if kind.axes().is_empty() {
        return complete.then_some(elements);
    }
    each("spring", &mut |k, table| {
        elements[k].spring = Some(read_spring(table, axes[k])?);
        Some(())
    });
    each("servo", &mut |k, table| {
        elements[k].servo = Some(read_servo(table, axes[k])?);
        Some(())
    });
    each("limit", &mut |k, table| {
        elements[k].limit = Some(read_limit(table, axes[k], laws)?);
        Some(())
    });
    each("motor", &mut |k, table| {
        elements[k].motor = Some(read_motor(table, axes[k])?);
        Some(())
    });
    each("actuators", &mut |k, table| {
        elements[k].actuator_range = Some(read_actuator_range(table, axes[k])?);
        Some(())
    });
    each("rating", &mut |k, table| {
        if !table.has("speed") {
            table.report_missing("speed");
        }
        elements[k].rated_speed = Some(table.quantity_in("speed", velocity(axes[k]))?);
        Some(())
    });
    complete.then_some(elements)
}

/// Tables of a key with the coordinates they are for: one table, or a list with `{}` for none.
fn per_coordinate<'c, 'a>(
    section: &Section<'c, 'a>,
    key: &str,
    count: usize,
) -> Option<Vec<(usize, Section<'c, 'a>)>> {
    let Some(node) = section.node(key) else { return Some(Vec::new()) };
    let report = |message: String, expected: String| {
        section.report(key, section.problem("E0322", key, message).expected(expected));
    };
    let path = section.path_of(key);
    match (&node.value, count) {
        (Value::Table(_), 1) => Some(section.table(key).map(|t| (0, t)).into_iter().collect()),
        (Value::Table(_), _) => {
            report(
                format!("{path} is one table, the joint has {count} coordinates"),
                format!("a list of {count} tables, {{}} for none"),
            );
            None
        }
        (Value::Array(items), 1) => {
            report(
                format!("{path} is a list of {}, the joint has one coordinate", items.len()),
                "one table { … }".to_owned(),
            );
            None
        }
        (Value::Array(items), _) if items.len() != count => {
            report(
                format!("{path} has {} entries, the joint has {count} coordinates", items.len()),
                format!("a list of {count} tables, {{}} for none"),
            );
            None
        }
        (Value::Array(items), _) => {
            let tables = section.tables(key);
            // An entry that is no table has been reported.
            (tables.len() == items.len()).then(|| {
                tables.into_iter().enumerate().filter(|(_, t)| !t.table.entries.is_empty()).collect()
            })
        }
        _ => None,
    }
}

fn read_spring(table: &Section<'_, '_>, measure: AxisMeasure) -> Option<AxisSpring> {
    let slopes = read_slopes(table, measure);
    let rest = table.quantity_in_or_default("rest", coordinate(measure));
    let [stiffness, damping] = slopes?;
    Some(AxisSpring { stiffness, damping, rest: rest? })
}

fn read_servo(table: &Section<'_, '_>, measure: AxisMeasure) -> Option<AxisServo> {
    let slopes = read_slopes(table, measure);
    let target = match table.has("target") {
        true => table.function("target", coordinate(measure), Interpolation::Linear),
        false => Some(TimeFunction::Constant(table.quantity_in_or_default("target", coordinate(measure))?)),
    };
    let key = effort_key(table, measure)?;
    let most = if table.has(key) { Some(table.quantity_in(key, effort(measure))?) } else { None };
    let [stiffness, damping] = slopes?;
    Some(AxisServo { stiffness, damping, target: target?, effort: most })
}

/// Stiffness and damping.
fn read_slopes(table: &Section<'_, '_>, measure: AxisMeasure) -> Option<[f64; 2]> {
    let per = |d: Dimension| effort(measure).times(d.power(-1.0));
    table.needs_one(&["stiffness", "damping"])?;
    let stiffness = table.quantity_in_or_default("stiffness", per(coordinate(measure)));
    let damping = table.quantity_in_or_default("damping", per(velocity(measure)));
    Some([stiffness?, damping?])
}

fn read_friction(table: &Section<'_, '_>, measure: AxisMeasure) -> Option<AxisFriction> {
    let key = effort_key(table, measure)?;
    if !table.has(key) {
        table.report_missing(key);
    }
    let force = table.quantity_in(key, effort(measure));
    let v_reg = table.quantity_in_or_default("v_reg", velocity(measure));
    Some(AxisFriction { force: force?, v_reg: v_reg? })
}

/// Inertia J of what turns `ratio` times as fast as the coordinate, as the coordinate feels it: J n².
fn read_armature(table: &Section<'_, '_>, measure: AxisMeasure) -> Option<f64> {
    let key = key_for(table, measure, ["inertia", "mass"])?;
    let dimension = match measure {
        AxisMeasure::Angle => Dimension::INERTIA,
        AxisMeasure::Length => Dimension::MASS,
    };
    if !table.has(key) {
        table.report_missing(key);
    }
    let inertia = table.quantity_in(key, dimension);
    let ratio = table.quantity_in_or_default("ratio", Dimension::NONE);
    if let Some(ratio) = table.outside("ratio", ratio) {
        let message = format!("{} must be positive, got {ratio}", table.path_of("ratio"));
        table.report("ratio", table.problem("E0324", "ratio", message).expected("a number above 0"));
        return None;
    }
    Some(inertia? * ratio?.powi(2))
}

/// Least and greatest effort of all actuators.
fn read_actuator_range(table: &Section<'_, '_>, measure: AxisMeasure) -> Option<[f64; 2]> {
    let key = effort_key(table, measure)?;
    if !table.has(key) {
        table.report_missing(key);
    }
    let ends = table.list_of(table.node(key)?, &table.path_of(key), &[effort(measure); 2])?;
    Some([ends[0], ends[1]])
}

/// `torque` of an angle, `force` of a length; `None` if the other one is given.
fn effort_key(table: &Section<'_, '_>, measure: AxisMeasure) -> Option<&'static str> {
    key_for(table, measure, ["torque", "force"])
}

/// The key that belongs to an angle or to a length; `None` if the other one is given.
fn key_for(
    table: &Section<'_, '_>,
    measure: AxisMeasure,
    [of_angle, of_length]: [&'static str; 2],
) -> Option<&'static str> {
    let (right, wrong, what) = match measure {
        AxisMeasure::Angle => (of_angle, of_length, "an angle"),
        AxisMeasure::Length => (of_length, of_angle, "a length"),
    };
    if table.has(wrong) {
        let message = format!("the coordinate is {what}: `{wrong}` does not act on it");
        let problem = table.problem("E0325", wrong, message).expected(format!("`{right}`"));
        table.report(wrong, problem.help(format!("write `{right}`")));
        return None;
    }
    Some(right)
}

fn read_limit(table: &Section<'_, '_>, measure: AxisMeasure, laws: &LawPoints<'_>) -> Option<AxisLimit> {
    let bound = |key: &str| {
        if table.has(key) { table.quantity_in(key, coordinate(measure)).map(Some) } else { Some(None) }
    };
    let (lower, upper) = (bound("lower"), bound("upper"));
    if let Some(block) = table.table("nonsmooth") {
        let stop = read_rigid_stop(table, &block);
        return Some(AxisLimit { lower: lower?, upper: upper?, stop: stop? });
    }
    let law = match table.has("law").then(|| laws.find(table)) {
        Some(None) => return None,
        Some(Some(law)) => Some(law),
        None => None,
    };
    let point = law.and_then(|l| l.point.as_ref());
    let exponent = beside_law(table, "exponent", point.map(|p| p.exponent))?;
    let own = coordinate(measure).power(-exponent);
    let stiffness = if table.has("stiffness") {
        Some(table.quantity_in("stiffness", effort(measure).times(own))?)
    } else {
        point.and_then(|p| p.stiffness)
    };
    if let (Some(law), AxisMeasure::Angle, false, Some(_)) = (law, measure, table.has("stiffness"), stiffness)
    {
        let message =
            format!("law \"{}\" has a stiffness in N/m^{exponent}, which cannot act on an angle", law.name);
        let problem = table.problem("E0104", "law", message);
        let expected = format!("a stiffness in N*m/rad^{exponent}");
        table.report("law", problem.expected(expected).help("write `stiffness` beside `law`"));
        return None;
    }
    let restitution = beside_law(table, "restitution", point.and_then(|p| p.restitution))?;
    Some(AxisLimit {
        lower: lower?,
        upper: upper?,
        stop: Stop::Compliant { stiffness, exponent, restitution },
    })
}

/// A stop that does not give: what says how one gives has no place beside it.
fn read_rigid_stop(table: &Section<'_, '_>, block: &Section<'_, '_>) -> Option<Stop> {
    let others: Vec<&str> =
        ["stiffness", "exponent", "restitution", "law"].into_iter().filter(|key| table.has(key)).collect();
    for key in &others {
        let message = format!("{} has `nonsmooth` and `{key}`: a stop gives, or it does not", table.path);
        let help = format!("remove `{key}`; e_n of the block is the coefficient of restitution");
        table.report(key, table.problem("E0323", key, message).help(help));
    }
    let restitution = block.required_quantity("e_n");
    block.check_range("e_n", restitution);
    let impact = block.kind_or_default("impact", &ImpactLaw::ALL, ImpactLaw::name, &[])?;
    others.is_empty().then_some(Stop::Rigid { restitution: restitution?, impact })
}

impl<'l> LawPoints<'l> {
    /// The law that `law` names; it must have a point block.
    fn find(&self, table: &Section<'_, '_>) -> Option<&'l Law> {
        let name = table.text("law")?;
        let Some(law) = self.0.iter().find(|l| l.name == name) else {
            let mut problem = table.problem("E0203", "law", format!("there is no law \"{name}\""));
            problem.help = suggest::help(&name, self.0.iter().map(|l| l.name.as_str()))
                .or_else(|| Some(format!("write [law.{name}] with its point block")));
            table.report("law", problem);
            return None;
        };
        if law.point.is_none() {
            let message = format!("law \"{name}\" has no [point] block, needed by {}", table.path);
            let help = format!("add point = {{ stiffness = …, restitution = … }} to [law.{name}]");
            table.report("law", table.problem("E0410", "law", message).help(help));
            return None;
        }
        Some(law)
    }
}

fn read_motor(table: &Section<'_, '_>, measure: AxisMeasure) -> Option<Motor> {
    let given: Vec<&str> =
        ["position", "speed", "torque", "force"].into_iter().filter(|k| table.has(k)).collect();
    let [drive] = given[..] else {
        let got = if given.is_empty() { "none".to_owned() } else { given.join(" and ") };
        let message = format!("{} must have one drive, got {got}", table.path);
        let problem = carom_engine::Problem::new("E0325", table.path.clone(), message)
            .expected("position, speed, torque or force");
        let help =
            "the motor follows one of them; `spring` and `friction` of the joint add to a torque or force";
        table.context.findings.push(crate::finding::Finding::at(problem.help(help), table.key_span));
        return None;
    };
    match drive {
        "position" => {
            table.function("position", coordinate(measure), Interpolation::Cubic).map(Motor::Position)
        }
        "speed" => table.function("speed", velocity(measure), Interpolation::Linear).map(Motor::Velocity),
        _ => {
            let key = effort_key(table, measure)?;
            table.function(key, effort(measure), Interpolation::Linear).map(Motor::Force)
        }
    }
}

/// A plain number, else that of the law, else the default; `None` after an error.
fn beside_law(table: &Section<'_, '_>, key: &str, of_law: Option<f64>) -> Option<f64> {
    match of_law {
        Some(number) if !table.has(key) => Some(number),
        _ => table.quantity_in_or_default(key, Dimension::NONE),
    }
}
