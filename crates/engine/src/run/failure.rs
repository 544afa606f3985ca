//! Why a run cannot go on, with the culprit's name.

use carom_solvers::Assessment;

use super::Simulation;
use crate::Note;
use crate::constraint::Misfit;
use crate::contact::{CoarsePatch, Culprit, Unseen};
use crate::outcome::RunError;
use crate::system::{ArealPair, PairSource};

/// Share of u_max from which a penetration is worth a warning.
const NEAR_U_MAX: f64 = 0.9;

/// A positive number with three digits, rounded upwards.
fn upwards(x: f64) -> f64 {
    let unit = libm::pow(10.0, libm::log10(x).floor() - 2.0);
    let digits = (x / unit).ceil();
    // A power of ten that is no number of its own would leave digits behind.
    if unit < 1.0 { digits / (1.0 / unit).round() } else { digits * unit.round() }
}

/// What cannot be told to be apart.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    Contact(usize),
    /// A cable, by its force element.
    Cable(usize),
}

impl Simulation<'_> {
    /// A search for the contact of convex solids that has reached its limit at an accepted state is fatal.
    pub(super) fn check_searches(&self) -> Result<(), RunError> {
        self.failure_of_search().map_or(Ok(()), Err)
    }

    /// E0613: the first search that has reached its limit since the last attempt, if one has.
    fn failure_of_search(&self) -> Option<RunError> {
        let (contact, fault) = self.evaluator.search.fault()?;
        Some(fault.failure(self.pair_name(contact), self.stepper.time()))
    }

    /// E0617: two surfaces are so near each other that no step can be proven to keep them apart.
    pub(super) fn failure_of_clearance(&self, subject: Subject) -> RunError {
        let time = self.stepper.time();
        let (name, pair) = match subject {
            Subject::Contact(contact) => {
                let pair = self.pair_name(contact);
                (format!("pair \"{pair}\""), Some(pair))
            }
            Subject::Cable(force) => (format!("cable \"{}\"", self.system.info.forces[force].0), None),
        };
        RunError {
            code: "E0617",
            message: format!(
                "whether {name} touches after t = {time:.9} s cannot be told: no step above the least one, {:.3e} s, keeps it apart for certain",
                self.smallest_step()
            ),
            time,
            body: None,
            pair,
            help: "lower h_min, or start the surfaces farther apart or in contact".to_owned(),
        }
    }

    /// E0618: surfaces are so fast that a step of the least length takes them past what penetration lines see.
    pub(super) fn failure_of_travel(&self, contact: usize) -> RunError {
        let time = self.stepper.time();
        let pair = self.pair_name(contact);
        let limit = self.areal_pair(contact).map_or(f64::NAN, ArealPair::travel_limit);
        RunError {
            code: "E0618",
            message: format!(
                "the surfaces of pair \"{pair}\" move so fast at t = {time:.9} s that even the least step, {:.3e} s, takes them farther than {limit:.3e} m: u_max, or a quarter of the target's wall",
                self.smallest_step()
            ),
            time,
            body: None,
            pair: Some(pair),
            help: "raise u_max of the law's [pcm] block, or lower h_min".to_owned(),
        }
    }

    /// E0616: surfaces have passed each other where no element of the base sees it.
    pub(super) fn failure_of_unseen(&self, unseen: Unseen) -> RunError {
        let time = self.stepper.time() + self.stepper.step();
        let (contact, what) = match unseen {
            Unseen::Overlap { contact, depth } => {
                (contact, format!("overlap by {depth:.3e} m and no element feels it"))
            }
            Unseen::Inside { contact } => (contact, "are inside each other".to_owned()),
        };
        let pair = self.pair_name(contact);
        let at = self.evaluator.motion_of(contact).position;
        let edge = self.areal_pair(contact).map_or(f64::NAN, |areal| 2.0 * areal.unfelt_limit());
        RunError {
            code: "E0616",
            message: format!(
                "the surfaces of pair \"{pair}\" {what} at t = {time:.9} s, near [{:.6}, {:.6}, {:.6}] m: its elements are too coarse to see how they meet, those with edges of up to {edge:.1e} m would",
                at.x, at.y, at.z
            ),
            time,
            body: None,
            pair: Some(pair),
            help: match self.areal_pair(contact) {
                Some(areal) if !areal.is_refined => {
                    "its accuracy is \"off\": leave the key out, or ask for some, and the base is cut finer where they meet; or give it finer triangles (facets, subdivide)"
                }
                _ => "ask for a finer accuracy on its contact line, give the base finer triangles (facets, subdivide), or choose the other base",
            }
            .to_owned(),
        }
    }

    /// E0616 where a run goes on with one surface inside another that it has not seen enter (certificates.md 2, "Inside").
    pub(super) fn check_containment(&self) -> Result<(), RunError> {
        let Some(contact) = self.evaluator.swallowed_unseen() else { return Ok(()) };
        let time = self.stepper.time();
        let pair = self.pair_name(contact);
        Err(RunError {
            code: "E0616",
            message: format!(
                "one surface of pair \"{pair}\" is inside the other at t = {time:.9} s, where the run goes on, and it has not been seen to enter"
            ),
            time,
            body: None,
            pair: Some(pair),
            help: "resume with the surfaces that the checkpoint was made with, or start anew".to_owned(),
        })
    }

    /// E0614: an areal contact is deeper than its penetration lines may be.
    fn failure_of_depth(&self, contact: usize, depth: f64) -> RunError {
        let time = self.stepper.time();
        let pair = self.pair_name(contact);
        let limit = self.areal_pair(contact).map_or(f64::NAN, |areal| areal.u_max);
        if let Some(wall) = self.areal_pair(contact).and_then(|areal| areal.wall)
            && depth <= limit
        {
            return RunError {
                code: "E0614",
                message: format!(
                    "pair \"{pair}\" penetrates {depth:.3e} m after t = {time:.9} s, more than three quarters of the target's wall of {wall:.3e} m: behind it no element is seen"
                ),
                time,
                body: None,
                pair: Some(pair),
                help: "stiffen the layer, make the wall thicker, or let the thin body be the base".to_owned(),
            };
        }
        RunError {
            code: "E0614",
            message: format!(
                "pair \"{pair}\" penetrates {depth:.3e} m after t = {time:.9} s, more than its u_max of {limit:.3e} m"
            ),
            time,
            body: None,
            pair: Some(pair),
            help: match self.find_needed_depth(contact) {
                Some((needed, energy)) => format!(
                    "u_max = \"{} mm\" in the law's [pcm] block would have been enough for the {energy:.3e} J that it had; or stiffen the layer",
                    upwards(1e3 * needed)
                ),
                None => {
                    "raise u_max of the law's [pcm] block, stiffen the layer, or set beyond_u_max = \"warn\""
                        .to_owned()
                }
            },
        }
    }

    /// E0615: the contact elements of the culprit cannot be found.
    fn failure_of_areal_search(&self) -> Option<RunError> {
        let Some(Culprit::Contact(contact)) = self.evaluator.culprit else { return None };
        let fault = self.evaluator.areal_fault(contact)?;
        let time = self.stepper.time();
        let pair = self.pair_name(contact);
        Some(RunError {
            code: "E0615",
            message: format!(
                "the contact elements of pair \"{pair}\" cannot be found after t = {time:.9} s: {fault}"
            ),
            time,
            body: None,
            pair: Some(pair),
            help: "use detect = \"penetration\", which needs no contours".to_owned(),
        })
    }

    /// Largest penetration of an areal contact that passes without a word (m).
    fn areal_pair(&self, contact: usize) -> Option<&ArealPair> {
        match &self.evaluator.table.pairs[self.evaluator.table.contacts[contact].pair].source {
            PairSource::Areal(areal) => Some(areal),
            _ => None,
        }
    }

    /// Areal contacts that came near their u_max.
    pub(super) fn warnings_of_depth(&self) -> impl Iterator<Item = Note> {
        let contacts = 0..self.evaluator.table.contacts.len();
        contacts.filter_map(|contact| {
            let u_max = self.areal_pair(contact)?.u_max;
            let deepest = self.totals[self.evaluator.table.contacts[contact].pair].peaks.penetration.value;
            (deepest > NEAR_U_MAX * u_max).then(|| {
                let message = format!(
                    "pair \"{}\": the greatest penetration, {deepest:.3e} m, is {:.0} % of u_max = {u_max:.3e} m",
                    self.pair_name(contact),
                    100.0 * deepest / u_max
                );
                Note::new("N0602", message)
            })
        })
    }

    /// Areal contacts that few elements carried at their peaks, with the accuracy that would have given enough.
    pub(super) fn warnings_of_coarse_patches(&self) -> impl Iterator<Item = Note> + '_ {
        let has_touched = |patch: &CoarsePatch| patch.elements > 0 || self.totals[patch.pair].begins > 0;
        self.evaluator.coarse_patches().filter(has_touched).map(|CoarsePatch { pair, elements, accuracy }| {
            let name = &self.evaluator.table.pair_info[pair].name;
            let carried = match elements {
                0 => "it has touched, and no element".to_owned(),
                1 => "one element".to_owned(),
                _ => format!("{elements} elements"),
            };
            // Two digits, downwards.
            let percent = f64::max((1e3 * accuracy).floor(), 1.0) / 10.0;
            let message = format!(
                "pair \"{name}\": {carried} carried the contact at its peak, too few for its force to be relied on; accuracy = \"{percent} %\" on its contact line makes enough of them"
            );
            Note::new("N0603", message)
        })
    }

    /// Keeps which body's error kept a step from passing.
    pub(super) fn remember_worst(&mut self, assessment: Assessment) {
        self.evaluator.culprit = match self.system.tolerance_owner.get(assessment.group) {
            Some(owner) => Some(Culprit::Body(owner.body)),
            // The group after the last is the ledger: the contact that loses most is to blame.
            None => self.largest_loss().map(Culprit::Contact),
        };
    }

    /// E0601 if the state or the forces were not finite, E0602 if they were.
    pub(super) fn failure_of_step_size(&self, h: f64, error: f64) -> RunError {
        if let Some(failure) = self.failure_of_search() {
            return failure;
        }
        let time = self.stepper.time();
        if let Some(Culprit::Depth { contact, depth }) = self.evaluator.culprit {
            return self.failure_of_depth(contact, depth);
        }
        if !error.is_finite() {
            return self.not_finite();
        }
        let (body, pair, name) = self.culprit_names();
        RunError {
            code: "E0602",
            message: format!(
                "step size {h:.3e} s fell under its limit {:.3e} s at t = {time:.9} s; the error of {name} does not pass ({error:.3} times the tolerance)",
                self.smallest_step()
            ),
            time,
            body,
            pair,
            help: "loosen rtol, lower h_min, or look for a law that is too stiff or jumps".to_owned(),
        }
    }

    /// E0612: Newton's method finds no solution of an implicit step.
    pub(super) fn failure_of_newton(&self, h: f64) -> RunError {
        if let Some(failure) = self.failure_of_search() {
            return failure;
        }
        let time = self.stepper.time();
        let least = self.smallest_step();
        let step = if h < least {
            format!("not even with a step of {h:.3e} s, under its limit {least:.3e} s")
        } else {
            format!("with the step of {h:.3e} s that leads to an event")
        };
        RunError {
            code: "E0612",
            message: format!("Newton's method does not converge at t = {time:.9} s, {step}"),
            time,
            body: None,
            pair: None,
            help: "look for a law that jumps or has a kink where the bodies are, or use an explicit method (ode45)"
                .to_owned(),
        }
    }

    /// E0605: the forces cannot be evaluated where a step must start.
    pub(super) fn failure_of_right_hand_side(&self) -> RunError {
        if let Some(failure) = self.failure_of_search() {
            return failure;
        }
        if let Some(Culprit::Constraint(misfit)) = self.evaluator.culprit {
            return self.failure_of_constraint(&misfit);
        }
        if let Some(Culprit::Depth { contact, depth }) = self.evaluator.culprit {
            return self.failure_of_depth(contact, depth);
        }
        let mut error = self.not_finite();
        error.code = "E0605";
        error.message = format!("forces cannot be evaluated: {}", error.message);
        error
    }

    /// E0605: the state changes so fast that no step is short enough.
    pub(super) fn failure_of_rates(&mut self) -> RunError {
        let (rates, state) = (self.stepper.rates(), self.stepper.state());
        self.remember_worst(self.system.tolerances.assess(rates, state, state));
        self.failure_of_right_hand_side()
    }

    /// E0604: too many steps.
    pub(super) fn failure_of_step_count(&self) -> RunError {
        let (body, pair, _) = self.culprit_names();
        let help = if self.regime.is_held() {
            format!(
                "stability holds the explicit method to steps of {:.3e} s: take method = \"auto\" or \"radau5\"",
                self.next_step
            )
        } else {
            "raise solver.max_steps, or loosen rtol".to_owned()
        };
        RunError {
            code: "E0604",
            message: format!(
                "limit of {} steps reached at t = {:.9} s of {} s",
                self.system.settings.max_steps,
                self.stepper.time(),
                self.system.settings.t_end
            ),
            time: self.stepper.time(),
            body,
            pair,
            help,
        }
    }

    /// E0603: events without progress.
    pub(super) fn failure_of_event_storm(&self, contact: Option<usize>, events: u64) -> RunError {
        let mut error = self.failure_of_event_count(contact);
        error.message = format!(
            "event storm: {events} events within {:.1e} s at t = {:.9} s, the last of pair \"{}\"",
            self.storm_window(),
            error.time,
            error.pair.as_deref().unwrap_or("")
        );
        error
    }

    /// E0603: more events than allowed.
    pub(super) fn failure_of_event_count(&self, contact: Option<usize>) -> RunError {
        let pair = contact.map(|c| self.pair_name(c));
        RunError {
            code: "E0603",
            message: format!(
                "limit of {} events reached at t = {:.9} s, the last of pair \"{}\"",
                self.system.settings.max_events,
                self.stepper.time(),
                pair.as_deref().unwrap_or("")
            ),
            time: self.stepper.time(),
            body: None,
            pair,
            help: "damp the contact, or raise solver.max_events".to_owned(),
        }
    }

    /// E0606: a stage or the end of a step cannot be put back onto the constraints.
    pub(super) fn failure_of_constraint(&self, misfit: &Misfit) -> RunError {
        let name = self.system.constraint_name(misfit.group);
        RunError {
            code: "E0606",
            message: format!(
                "{name} cannot be kept closed after t = {:.9} s: {:.3e} m or rad (or their rates) are missing",
                self.stepper.time(),
                misfit.violation
            ),
            time: self.stepper.time(),
            body: None,
            pair: None,
            help: "the mechanism locks or drives contradict each other; lower rtol or h_max if the motion is sound"
                .to_owned(),
        }
    }

    fn largest_loss(&self) -> Option<usize> {
        let loss = |force: &crate::contact::ContactForce| force.dissipation.iter().sum::<f64>().abs();
        let active = self.evaluator.contacts.active.iter().zip(&self.evaluator.forces);
        active.max_by(|a, b| loss(a.1).total_cmp(&loss(b.1))).map(|(&contact, _)| contact)
    }

    fn not_finite(&self) -> RunError {
        if let Some(Culprit::Constraint(misfit)) = self.evaluator.culprit {
            return self.failure_of_constraint(&misfit);
        }
        if let Some(error) = self.failure_of_areal_search() {
            return error;
        }
        let time = self.stepper.time();
        let (body, pair, name) = self.culprit_names();
        let values = match self.evaluator.culprit {
            Some(Culprit::Body(body)) => self.body_values(body),
            Some(Culprit::Contact(contact) | Culprit::Depth { contact, .. }) => {
                let memory = &self.evaluator.contacts.memory[contact];
                format!("; last good gap {:.6e} m, approach speed {:.6e} m/s", memory.gap, memory.approach)
            }
            Some(Culprit::Constraint(_)) | None => String::new(),
        };
        RunError {
            code: "E0601",
            message: format!(
                "{name} stopped being finite after t = {time:.9} s, the last good state{values}"
            ),
            time,
            body,
            pair,
            help: "look at the stiffness and damping of its contacts, and at its start values".to_owned(),
        }
    }

    fn body_values(&self, body: usize) -> String {
        let Some(link) = self.system.bodies[body].link.map(|l| &self.system.links[l]) else {
            return String::new();
        };
        let y = &self.state()[link.states()];
        if !link.is_root() {
            return format!(": joint coordinates and velocities {y:?}");
        }
        format!(
            ": centre of mass [{:.6}, {:.6}, {:.6}] m, velocity [{:.6e}, {:.6e}, {:.6e}] m/s",
            y[0], y[1], y[2], y[7], y[8], y[9]
        )
    }

    fn pair_name(&self, contact: usize) -> String {
        self.evaluator.table.pair_info[self.evaluator.table.contact_info[contact].pair].name.clone()
    }

    /// Body and pair to blame, and words for the message.
    fn culprit_names(&self) -> (Option<String>, Option<String>, String) {
        match self.evaluator.culprit {
            Some(Culprit::Body(body)) => {
                let name = self.system.info.bodies[body].clone();
                (Some(name.clone()), None, format!("state of body \"{name}\""))
            }
            Some(Culprit::Contact(contact) | Culprit::Depth { contact, .. }) => {
                let name = self.pair_name(contact);
                (None, Some(name.clone()), format!("force of pair \"{name}\""))
            }
            Some(Culprit::Constraint(misfit)) => (None, None, self.system.constraint_name(misfit.group)),
            None => (None, None, "the state".to_owned()),
        }
    }
}
