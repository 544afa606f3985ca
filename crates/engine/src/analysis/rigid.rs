//! What does not give has no part in the analyses: places that it would not allow are refused.

use super::Dynamics;
use crate::outcome::RunError;

/// Overlap of what does not give, over the model's length, that rounding may leave.
const ROUNDED: f64 = 1e-9;

const HELP: &str = "give its law a [point] block, or its stop a stiffness, and take the contact as compliant";

/// E0607 if surfaces or stops that do not give are inside each other at the present state.
pub(super) fn refuse_overlap(dynamics: &Dynamics<'_>) -> Result<(), RunError> {
    let evaluator = &dynamics.evaluator;
    let least = ROUNDED * dynamics.system().scales().length;
    let overlap = |contact: usize| -evaluator.motion_of(contact).gap;
    let rigid = rigid_contacts(dynamics).map(|contact| (contact, overlap(contact)));
    let Some((contact, depth)) = rigid.filter(|(_, depth)| *depth > least).max_by(|a, b| a.1.total_cmp(&b.1))
    else {
        return Ok(());
    };
    let name = name_of(dynamics, contact);
    let message = format!(
        "forces balance only where \"{name}\", which does not give, is {depth:.3e} m or rad inside: what does not give carries nothing in an equilibrium"
    );
    let (time, pair) = (dynamics.time(), Some(name));
    Err(RunError { code: "E0607", message, time, body: None, pair, help: HELP.to_owned() })
}

/// Adds to an error of a search that found nothing what may have been meant to carry.
pub(super) fn mention_rigid(dynamics: &Dynamics<'_>, mut error: RunError) -> RunError {
    if let Some(first) = rigid_contacts(dynamics).next() {
        let name = name_of(dynamics, first);
        error.message.push_str(&format!("; \"{name}\" does not give, and carries nothing in an equilibrium"));
        error.help.push_str("; ");
        error.help.push_str(HELP);
    }
    error
}

fn rigid_contacts<'a>(dynamics: &'a Dynamics<'_>) -> impl Iterator<Item = usize> + 'a {
    let table = &dynamics.evaluator.table;
    (0..table.contacts.len()).filter(|&contact| table.is_rigid(contact))
}

fn name_of(dynamics: &Dynamics<'_>, contact: usize) -> String {
    let table = &dynamics.evaluator.table;
    table.pair_info[table.contacts[contact].pair].name.clone()
}
