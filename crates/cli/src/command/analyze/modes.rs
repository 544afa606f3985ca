use std::fmt::Write;

use carom_engine::analysis::{BodyShift, Dynamics, Equilibrium, Mode, Modes, StabilityKind};
use serde_json::{Map, Value, json};

use super::answer::{Answer, OutputArgs};
use super::equilibrium::{SearchArgs, to_json};
use super::layout::{cells, columns, exact};
use super::subject::{Subject, SubjectArgs, not_finished};
use crate::console::Console;
use crate::digits::short;
use crate::failure::Failure;

#[derive(Debug, clap::Args)]
pub(super) struct ModesArgs {
    /// Positions about which to vibrate
    #[arg(long, value_name = "WHERE", default_value = "equilibrium")]
    at: Place,
    /// Show how bodies move in each mode
    #[arg(long)]
    shapes: bool,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    subject: SubjectArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Place {
    /// The equilibrium that is found from the start
    Equilibrium,
    /// The start of the model, whether forces balance there or not
    Start,
}

pub(super) fn find(args: &ModesArgs, console: &Console) -> Result<Answer, Failure> {
    let subject = args.subject.open(console)?;
    let mut dynamics = Dynamics::new(&subject.system);
    let equilibrium = match args.at {
        Place::Equilibrium => Some(args.search.find(&mut dynamics)?),
        Place::Start => None,
    };
    let found = dynamics.find_modes().map_err(|error| not_finished(&error))?;
    Ok(Answer {
        text: text(&subject, &found, equilibrium.as_ref(), args.shapes),
        json: json!({
            "schema": 1,
            "name": subject.name,
            "equilibrium": equilibrium.as_ref().map(|found| to_json(found, &dynamics)),
            "unbalanced": found.unbalanced,
            "freedoms": dynamics.freedoms().iter().map(|f| &f.name).collect::<Vec<_>>(),
            "modes": found.modes.iter().map(|mode| mode_to_json(&subject, mode)).collect::<Vec<_>>(),
        }),
        table: table(&dynamics, &found),
    })
}

fn mode_to_json(subject: &Subject, mode: &Mode) -> Value {
    let parts = |re: [f64; 3], im: [f64; 3]| json!({ "re": re, "im": im });
    let shift = |shift: &BodyShift| {
        let ([t_re, t_im], [r_re, r_im]) = (shift.translation, shift.rotation);
        json!({
            "translation_m": parts(t_re.into(), t_im.into()),
            "rotation_rad": parts(r_re.into(), r_im.into()),
        })
    };
    let bodies = subject.scene.bodies.iter().zip(&mode.bodies).filter(|(body, _)| !body.fixed);
    let shifts: Map<String, Value> = bodies.map(|(body, s)| (body.name.clone(), shift(s))).collect();
    json!({
        "eigenvalue_1_s": [mode.eigenvalue.re, mode.eigenvalue.im],
        "frequency_hz": mode.frequency,
        "undamped_frequency_hz": mode.undamped_frequency,
        "damping_ratio": mode.damping_ratio,
        "shape": {
            "re": mode.shape.iter().map(|z| z.re).collect::<Vec<_>>(),
            "im": mode.shape.iter().map(|z| z.im).collect::<Vec<_>>(),
        },
        "bodies": shifts,
    })
}

/// One row for each mode, with its shape by freedom.
fn table(dynamics: &Dynamics<'_>, found: &Modes) -> Vec<Vec<String>> {
    let mut head = cells([
        "mode",
        "frequency_hz",
        "undamped_frequency_hz",
        "damping_ratio",
        "eigenvalue_re_1_s",
        "eigenvalue_im_1_s",
    ]);
    head.extend(
        dynamics.freedoms().iter().flat_map(|f| [format!("{}.re", f.name), format!("{}.im", f.name)]),
    );
    let row = |(number, mode): (usize, &Mode)| {
        let numbers = [
            mode.frequency,
            mode.undamped_frequency,
            mode.damping_ratio,
            mode.eigenvalue.re,
            mode.eigenvalue.im,
        ];
        let shape = mode.shape.iter().flat_map(|z| [z.re, z.im]);
        let numbers = numbers.into_iter().chain(shape).map(exact);
        std::iter::once((number + 1).to_string()).chain(numbers).collect()
    };
    std::iter::once(head).chain(found.modes.iter().enumerate().map(row)).collect()
}

fn text(subject: &Subject, found: &Modes, equilibrium: Option<&Equilibrium>, shapes: bool) -> String {
    let mut text = String::new();
    let place = match equilibrium {
        Some(found) => match found.stability.kind {
            StabilityKind::Stable => "a stable equilibrium",
            StabilityKind::Indifferent => "an indifferent equilibrium",
            StabilityKind::Unstable => "an unstable equilibrium",
        },
        None => "the start",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}  {} modes about {place}", subject.name, found.modes.len());
    let _ = writeln!(text, "  unbalanced {:.1e} N or N m along a freedom\n", found.unbalanced);
    let mut rows =
        vec![cells(["mode", "frequency (Hz)", "undamped (Hz)", "damping ratio", "eigenvalue (1/s)"])];
    for (number, mode) in found.modes.iter().enumerate() {
        let s = mode.eigenvalue;
        let sign = if s.im < 0.0 { '-' } else { '+' };
        rows.push(vec![
            (number + 1).to_string(),
            short(mode.frequency),
            short(mode.undamped_frequency),
            short(mode.damping_ratio),
            format!("{} {sign} {}i", short(s.re), short(s.im.abs())),
        ]);
    }
    text.push_str(&columns(&rows));
    if shapes {
        for (number, mode) in found.modes.iter().enumerate() {
            let _ = writeln!(text, "\nmode {}, displacements of the bodies", number + 1);
            text.push_str(&columns(&shape_rows(subject, mode)));
        }
    }
    text
}

/// Displacements of the bodies' frames along and about the axes of the world: what is in phase or in counterphase has
/// a sign, the rest its phase, where the freedom that moves most has none.
fn shape_rows(subject: &Subject, mode: &Mode) -> Vec<Vec<String>> {
    let mut rows =
        vec![cells(["body", "x (m)", "y (m)", "z (m)", "about x (rad)", "about y (rad)", "about z (rad)"])];
    for (body, shift) in subject.scene.bodies.iter().zip(&mode.bodies).filter(|(body, _)| !body.fixed) {
        let parts = [&shift.translation, &shift.rotation];
        let numbers = parts.into_iter().flat_map(|[re, im]| (0..3).map(|k| amplitude(re[k], im[k])));
        rows.push(std::iter::once(body.name.clone()).chain(numbers).collect());
    }
    rows
}

/// Phases nearer than this to 0° or 180° are not worth a word (°).
const IN_PHASE: f64 = 1.0;

fn amplitude(re: f64, im: f64) -> String {
    let phase = im.atan2(re).to_degrees();
    let size = re.hypot(im);
    // Below the accuracy of the modes.
    if size < 1e-6 {
        "0".to_owned()
    } else if phase.abs() < IN_PHASE {
        short(size)
    } else if phase.abs() > 180.0 - IN_PHASE {
        short(-size)
    } else {
        format!("{} at {phase:.0}°", short(size))
    }
}
