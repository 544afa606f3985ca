//! Open rigid contacts of faces that lie on each other, to what rounding leaves of flat: what happens to one of them is theirs, too.

use super::islands::Islands;
use super::multipliers::STILL;
use super::single::arm_of;
use crate::contact::observe::gap_epsilon;
use crate::contact::{Evaluator, PointMotion};
use crate::record::ContactMode;
use crate::system::PairSource;

/// Gap, over the model's length, of faces that rounding has tilted: what it leaves of a turn has grown in a flight.
const FLUSH: f64 = 1e-12;

/// Impacts of a contact in a row without a flight between, after which what it strikes in turn with is struck together: most such rows end before.
const IN_TURN: u32 = 64;
/// Likewise, after which that has not helped.
const STILL_IN_TURN: u32 = 128;

/// Buffers of what is struck together.
#[derive(Clone, Debug, Default)]
pub(super) struct FlushBuffers {
    struck: Vec<usize>,
    touching: Vec<usize>,
    islands: Islands,
}

/// Closes the open contacts that are struck with one that has just closed: of bodies that hang together with its own by what touches, those
/// that touch and do not part. One corner after the other would set a block that comes down flat, or that lies on another, rocking through
/// thousands of impacts in no time. Of one that strikes again and again after flights that are none, those that have parted in this time are struck, too: what is
/// wedged in a narrow hole strikes its sides in turn. What was looked at in this step has this stamp; all else holds a certificate.
pub(in crate::contact) fn close_struck(
    evaluator: &mut Evaluator<'_>,
    (cause, evaluated_at, time): (usize, u64, f64),
    mut close: impl FnMut(&mut Evaluator<'_>, usize),
) {
    let mut buffers = std::mem::take(&mut evaluator.rigid.flush);
    let FlushBuffers { struck, touching, islands } = &mut buffers;
    let since = begin_of_no_flight(evaluator, cause, time);
    let in_turn = &mut evaluator.contacts.memory[cause].quick_bounces;
    *in_turn = if since.is_some() { *in_turn + 1 } else { 0 };
    let since = since.filter(|_| *in_turn > IN_TURN);
    let memory = &evaluator.contacts.memory;
    let is_rigid = |contact: &usize| evaluator.table.is_rigid(*contact);
    let is_closed = |contact: &usize| memory[*contact].mode == ContactMode::Closed;
    let is_known = |contact: &usize| {
        memory[*contact].mode == ContactMode::Open && memory[*contact].evaluated_at == evaluated_at
    };
    let all = || (0..memory.len()).filter(is_rigid);
    let has_just_parted = |contact: usize| {
        since.is_some_and(|since| memory[contact].end >= since) && touches(evaluator, contact)
    };
    struck.clear();
    let is_struck = |contact: &usize| lies_flush(evaluator, *contact) || has_just_parted(*contact);
    struck.extend(all().filter(is_known).filter(is_struck));
    if !struck.is_empty() {
        touching.clear();
        touching.extend(all().filter(is_closed).chain(struck.iter().copied()));
        islands.sort(evaluator, touching);
        islands.keep(evaluator, cause, touching, |_| false);
        struck.retain(|contact| touching.contains(contact));
        struck.iter().for_each(|&contact| close(evaluator, contact));
    }
    evaluator.rigid.flush = buffers;
}

/// Has a contact struck again and again, with no flight between, though all that it strikes in turn with is struck together?
pub(super) fn strikes_in_turn(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    evaluator.contacts.memory[contact].quick_bounces > STILL_IN_TURN
}

/// When a contact that has just closed had ended, if it has not risen above what touches since.
fn begin_of_no_flight(evaluator: &Evaluator<'_>, contact: usize, time: f64) -> Option<f64> {
    let end = evaluator.contacts.memory[contact].end;
    let rise = evaluator.motion_of(contact).approach * arm_of(evaluator, contact) * (time - end);
    (rise <= FLUSH * evaluator.system.scales.length).then_some(end)
}

/// Does an open contact touch, and not part?
fn lies_flush(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    let approach = evaluator.motion_of(contact).approach * arm_of(evaluator, contact);
    touches(evaluator, contact) && approach >= -STILL * evaluator.system.scales.velocity
}

/// Does an open contact of those that can be struck touch?
fn touches(evaluator: &Evaluator<'_>, contact: usize) -> bool {
    let data = &evaluator.table.contacts[contact];
    let can_be_struck = match &evaluator.table.pairs[data.pair].source {
        PairSource::Facets(pair) => {
            let [a, b] = pair.surfaces.map(|surface| &evaluator.surfaces[surface]);
            pair.facets.is_alone(data.feature, a, b)
        }
        PairSource::Surfaces(_) | PairSource::Planar(_) | PairSource::Stop(_) => true,
        PairSource::Convex(_) => data.feature == 0,
        // A round end that is not flat touches with one point (`rims::lands`); cables go taut by events of their own; what is areal is
        // not rigid.
        PairSource::Rims(_) | PairSource::Cable(_) | PairSource::Areal(_) | PairSource::Regions(_) => false,
    };
    let gap = evaluator.motion_of(contact).gap * arm_of(evaluator, contact);
    can_be_struck && gap <= FLUSH * evaluator.system.scales.length
}

/// Does an open contact lie where one of the same pair leaves its face? It may have to carry from now on.
pub(in crate::contact) fn takes_over(evaluator: &Evaluator<'_>, contact: usize, point: &PointMotion) -> bool {
    evaluator.contacts.memory[contact].mode == ContactMode::Open
        && point.gap <= gap_epsilon(point)
        && point.approach >= -STILL * evaluator.system.scales.velocity
}
