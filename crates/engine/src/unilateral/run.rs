use carom_solvers::complementarity::Failure;
use carom_solvers::{Fault, Ode, Stepper, ToleranceGroup, Tolerances, root::find_right_root};

use super::contact_problem::{Bounds, Member, Tangent};
use super::matrices::dot;
use super::motion::Motion;
use super::watch::{Watch, Watched, contact_of, kind_of};
use super::{Error, Event, EventKind, Options, UnilateralSystem, impact};

/// Places inside a step, in eighths, at which the event functions are looked at.
const LOOKS: usize = 8;
/// Gaps at or below this count as closed where another contact has an event (m).
const CLOSED: f64 = 1e-9;
/// Room for the rounding of a gap that has not opened yet (m): what falls from there is at rest.
const ROUNDING: f64 = 1e-15;
/// A gap above this has opened (m).
const OPENED: f64 = 1e-12;
/// Speeds at or below this count as zero (m/s).
const STILL: f64 = 1e-9;
/// Share of the largest force or acceleration that counts as zero.
const NOTHING: f64 = 1e-9;
/// Events in a row without time between them.
const STORM: usize = 1000;

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// In the order of time.
    pub events: Vec<Event>,
    /// Positions and velocities at the end.
    pub state: Vec<f64>,
    /// Energy that friction took between impacts (J).
    pub friction: f64,
    /// Energy that impacts took (J).
    pub impacts: f64,
    /// Change of the total energy less what was taken, with a potential (J): zero but for integration errors.
    pub residual: Option<f64>,
    /// Impacts that would have gained energy.
    pub scaled: usize,
    /// Accepted steps.
    pub steps: usize,
}

/// Runs a system from positions and velocities with an integrator; `observe` sees time and state after every step and event.
pub fn run(
    system: &dyn UnilateralSystem,
    stepper: &mut dyn Stepper,
    start: &[f64],
    options: &Options,
    observe: &mut dyn FnMut(f64, &[f64]),
) -> Result<Run, Error> {
    let positions = system.positions();
    if start.len() != positions + system.freedom() || !start.iter().all(|x| x.is_finite()) {
        return Err(Error::State { time: 0.0, state: start.to_vec() });
    }
    for (contact, law) in system.contacts().iter().enumerate() {
        if !law.is_sound() {
            return Err(Error::Law { contact });
        }
        let gap = system.gap(contact, &start[..positions]);
        if gap.is_nan() || gap < -CLOSED {
            return Err(Error::Penetration { contact, gap });
        }
    }
    let mut course = Course {
        motion: Motion::new(system),
        watched: Vec::new(),
        run: Run::default(),
        options,
        state: start.to_vec(),
        time: 0.0,
    };
    let before = course.energy()?;
    course.settle(None)?;
    observe(0.0, &course.state);
    course.advance(stepper, observe)?;
    let after = course.energy()?;
    let mut run = course.run;
    run.residual = after.zip(before).map(|(after, before)| after - before + run.friction + run.impacts);
    run.state = course.state;
    Ok(run)
}

struct Course<'a> {
    motion: Motion<'a>,
    watched: Vec<Watched>,
    run: Run,
    options: &'a Options,
    state: Vec<f64>,
    time: f64,
}

impl Course<'_> {
    /// Why the system has no accelerations where it was asked for them last.
    fn system_error(&self) -> Error {
        let (time, state) = (self.time, self.state.clone());
        if self.motion.is_dependent {
            return Error::Dependent { time, contacts: self.motion.closed.clone(), state };
        }
        Error::Mass { time, state }
    }

    fn energy(&mut self) -> Result<Option<f64>, Error> {
        let system = self.motion.system;
        let (q, u) = self.state.split_at(system.positions());
        if !self.motion.matrices.update(system, self.time, [q, u], &[]) {
            return Err(self.system_error());
        }
        Ok(system.potential(q).map(|potential| potential + self.motion.matrices.kinetic(u)))
    }

    /// Steps to the end, from event to event.
    fn advance(
        &mut self,
        stepper: &mut dyn Stepper,
        observe: &mut dyn FnMut(f64, &[f64]),
    ) -> Result<(), Error> {
        let n = self.motion.system.positions();
        let group = |start, len, atol| ToleranceGroup { start, len, atol, rtol: self.options.relative };
        let freedom = self.motion.system.freedom();
        let [of_q, of_u] = self.options.absolute;
        let each = (0..n).map(|i| group(i, 1, of_q)).chain((n..n + freedom).map(|i| group(i, 1, of_u)));
        let tolerances =
            Tolerances { groups: each.collect(), relative: self.options.relative, ..Tolerances::default() };
        stepper.reserve(1);
        let no_step = |time: f64, state: &[f64]| Error::Step { time, state: state.to_vec() };
        let restart = |stepper: &mut dyn Stepper, course: &mut Self| -> Result<f64, Error> {
            let started = stepper.restart(&mut course.motion, course.time, &course.state);
            started
                .and_then(|()| stepper.starting_step(&mut course.motion, &tolerances))
                .map_err(|_| no_step(course.time, &course.state))
        };
        let mut h = self.options.largest_step.min(restart(stepper, self)?);
        let (mut trial, mut lost) = (vec![0.0; n + freedom], [0.0]);
        let mut storm = (f64::NEG_INFINITY, 0);
        while self.time < self.options.end {
            h = h.min(self.options.largest_step);
            let last = h >= self.options.end - self.time;
            if last {
                h = self.options.end - self.time;
            }
            if (h.is_nan() || h <= 1e-15 * (1.0 + self.time)) && !last {
                return Err(no_step(self.time, &self.state));
            }
            let error = match stepper.attempt(&mut self.motion, h, &tolerances) {
                Ok(assessment) => assessment.error,
                Err(Fault::Fatal) => return Err(no_step(self.time, &self.state)),
                Err(_) => f64::NAN,
            };
            if error.is_nan() || error > 1.0 {
                h = stepper.failed(error);
                continue;
            }
            let next = stepper.passed(error);
            stepper.prepare_dense(&mut self.motion).map_err(|_| no_step(self.time, &self.state))?;
            let found = self.first_event(stepper, &mut trial)?;
            let mut end = if last { self.options.end } else { self.time + h };
            if let Some((theta, _)) = found
                && theta < 1.0
            {
                stepper
                    .attempt(&mut self.motion, theta * h, &tolerances)
                    .map_err(|_| no_step(self.time, &self.state))?;
                stepper.prepare_dense(&mut self.motion).map_err(|_| no_step(self.time, &self.state))?;
                end = self.time + theta * h;
            }
            stepper.quadrature(1.0, &mut lost);
            self.run.friction += lost[0];
            self.run.steps += 1;
            stepper.accept(end);
            self.time = end;
            self.state.copy_from_slice(stepper.state());
            if !self.state.iter().all(|x| x.is_finite()) {
                return Err(Error::State { time: self.time, state: self.state.clone() });
            }
            observe(self.time, &self.state);
            h = next;
            if let Some((_, watch)) = found {
                storm = if self.time - storm.0 <= 1e-13 * (1.0 + self.time) {
                    (storm.0, storm.1 + 1)
                } else {
                    (self.time, 0)
                };
                let contact = contact_of(watch);
                if storm.1 > STORM {
                    return Err(Error::Storm { time: self.time, contact, state: self.state.clone() });
                }
                self.settle(Some(watch))?;
                observe(self.time, &self.state);
                h = next.min(restart(stepper, self)?).min(self.shortest_climb()?);
            }
        }
        Ok(())
    }

    /// Time to the crest of the lowest flight that has just begun (s): a step over all of it would not see it.
    fn shortest_climb(&mut self) -> Result<f64, Error> {
        let system = self.motion.system;
        let n = system.positions();
        let state = self.state.clone();
        let (mut rates, mut lost) = (vec![0.0; state.len()], [0.0]);
        let fresh = |w: &Watched| matches!(w.watch, Watch::Gap(_)) && w.slack > 0.0;
        let flying: Vec<usize> =
            self.watched.iter().filter(|w| fresh(w)).map(|w| contact_of(w.watch)).collect();
        let closed = self.motion.closed.clone();
        self.motion.closed.extend(&flying);
        let known = self.motion.rhs(self.time, &state, &mut rates, &mut lost);
        self.motion.closed = closed;
        known.map_err(|_| self.system_error())?;
        let climb = |&contact: &usize| {
            let rows = &self.motion.matrices.rows[contact];
            let fall = -(dot(&rows.normal, &rates[n..]) + rows.normal_bias);
            let speed = self.motion.matrices.speeds(contact, &state[n..])[0];
            if speed > STILL && fall > 0.0 { speed / fall } else { f64::INFINITY }
        };
        Ok(flying.iter().map(climb).fold(f64::INFINITY, f64::min))
    }

    /// Value of a watch at a state; those of the basis need the right-hand side there first.
    fn value(&mut self, watch: Watch, state: &[f64]) -> f64 {
        let system = self.motion.system;
        let (q, u) = state.split_at(system.positions());
        match watch {
            Watch::Gap(contact) => system.gap(contact, q),
            Watch::Slip(contact, sign) => sign * self.motion.matrices.speeds(contact, u)[1],
            Watch::Basis(k, _) => {
                if self.motion.active[k] {
                    self.motion.x[k]
                } else {
                    self.motion.y[k]
                }
            }
        }
    }

    /// Brings what the watches read to a state.
    fn look(&mut self, time: f64, state: &[f64]) -> Result<(), Error> {
        if self.motion.closed.is_empty() {
            return Ok(());
        }
        let (mut rates, mut lost) = (vec![0.0; state.len()], [0.0]);
        self.motion.rhs(time, state, &mut rates, &mut lost).map_err(|_| self.system_error())
    }

    /// First place in the last attempt at which a watched function has fallen below zero.
    fn first_event(
        &mut self,
        stepper: &dyn Stepper,
        trial: &mut [f64],
    ) -> Result<Option<(f64, Watch)>, Error> {
        let size = trial.len();
        for look in 1..=LOOKS {
            let theta = look as f64 / LOOKS as f64;
            let before = theta - 1.0 / LOOKS as f64;
            self.at(stepper, theta, trial)?;
            let mut first: Option<(f64, Watch)> = None;
            for k in 0..self.watched.len() {
                let Watched { watch, slack } = self.watched[k];
                let value = self.value(watch, trial) + slack;
                if value < 0.0 {
                    let mut failed = None;
                    let mut state = vec![0.0; size];
                    let f = |theta: f64| match self.at(stepper, theta, &mut state) {
                        Ok(()) => self.value(watch, &state) + slack,
                        Err(error) => {
                            failed = Some(error);
                            value
                        }
                    };
                    let root = find_right_root(f, before, theta, value, true);
                    if let Some(error) = failed {
                        return Err(error);
                    }
                    if first.is_none_or(|(theta, _)| root < theta) {
                        first = Some((root, watch));
                    }
                    self.at(stepper, theta, trial)?;
                }
            }
            if first.is_some() {
                return Ok(first);
            }
            // What has left zero meanwhile has no slack any more.
            for k in 0..self.watched.len() {
                let Watched { watch, slack } = self.watched[k];
                let left = match watch {
                    Watch::Gap(_) => slack + OPENED,
                    Watch::Slip(..) => 2.0 * slack,
                    Watch::Basis(..) => f64::INFINITY,
                };
                if self.value(watch, trial) > left {
                    self.watched[k].slack = 0.0;
                }
            }
        }
        Ok(None)
    }

    fn at(&mut self, stepper: &dyn Stepper, theta: f64, state: &mut [f64]) -> Result<(), Error> {
        let size = state.len();
        if theta < 1.0 {
            stepper.interpolate(theta, 0..size, state)
        } else {
            state.copy_from_slice(stepper.trial())
        }
        self.look(stepper.time() + theta * stepper.step(), state)
    }

    /// Impacts, if there are any, then accelerations and the sets of contacts.
    fn settle(&mut self, cause: Option<Watch>) -> Result<(), Error> {
        let system = self.motion.system;
        let laws = system.contacts();
        let n = system.positions();
        let was_closed = std::mem::take(&mut self.motion.closed);
        let located = cause.map(contact_of);
        let closed: Vec<usize> = (0..laws.len())
            .filter(|&k| {
                was_closed.contains(&k) || located == Some(k) || system.gap(k, &self.state[..n]) <= CLOSED
            })
            .collect();
        let (q, u) = self.state.split_at(n);
        if !self.motion.matrices.update(system, self.time, [q, u], &closed) {
            return Err(self.system_error());
        }
        let no_forces = |course: &Self, failure| Error::Contact {
            time: course.time,
            contacts: closed.clone(),
            state: course.state.clone(),
            failure,
        };
        let mut event = Event {
            time: self.time,
            kind: EventKind::Redistribution,
            contact: located.unwrap_or_default(),
            positions: q.to_vec(),
            velocities: [u.to_vec(), Vec::new()],
            impulses: Vec::new(),
            lost: 0.0,
            kept: 1.0,
            pivots: 0,
        };
        let speeds: Vec<[f64; 2]> = closed.iter().map(|&k| self.motion.matrices.speeds(k, u)).collect();
        let fastest = (0..closed.len()).min_by(|&a, &b| speeds[a][0].total_cmp(&speeds[b][0]));
        let struck = fastest.filter(|&k| speeds[k][0] < -STILL);
        let rests_at = |k: usize| speeds[k][0] > -self.options.rest_speed;
        if let Some(fastest) = struck {
            let rests = rests_at;
            let members: Vec<_> = closed
                .iter()
                .enumerate()
                .map(|(k, &contact)| {
                    let law = laws[contact];
                    (
                        contact,
                        if rests(k) {
                            super::ContactLaw { normal: 0.0, tangential: 0.0, ..law }
                        } else {
                            law
                        },
                    )
                })
                .collect();
            let impact = impact::solve(&self.motion.matrices, &members, &speeds, self.options.law)
                .map_err(|failure| no_forces(self, failure))?;
            for (&contact, impulse) in closed.iter().zip(&impact.impulses) {
                for (p, response) in impulse.iter().zip(&self.motion.matrices.responses[contact]) {
                    self.state[n..].iter_mut().zip(response).for_each(|(u, r)| *u += p * r);
                }
            }
            event.kind = if rests(fastest) { EventKind::Rest } else { EventKind::Impact };
            event.contact = closed[fastest];
            event.impulses = closed.iter().copied().zip(impact.impulses).collect();
            (event.lost, event.kept, event.pivots) = (-impact.energy, impact.kept, impact.pivots);
            self.run.impacts -= impact.energy;
            self.run.scaled += usize::from(impact.kept < 1.0);
        }
        let mut slowest = STILL;
        if struck.is_some_and(rests_at) {
            slowest = slowest.max(self.options.rest_speed);
        }
        let u = &mut self.state[n..];
        // What an impact that comes to rest parts slower than that stays: a pair of contacts would rattle for ever.
        let stays = |&k: &usize| self.motion.matrices.speeds(k, u)[0] <= slowest;
        self.motion.closed = closed.iter().copied().filter(stays).collect();
        if slowest > STILL {
            let taken = self.motion.matrices.stop(&self.motion.closed, u);
            self.run.impacts += taken;
            event.lost += taken;
        }
        self.freeze(&mut event).map_err(|failure| match failure {
            Some(failure) => no_forces(self, failure),
            None => self.system_error(),
        })?;
        event.velocities[1] = self.state[n..].to_vec();
        if struck.is_none() {
            let of = |m: &&Member| cause.is_some_and(|watch| m.contact == contact_of(watch));
            let now = self.motion.problem.members.iter().find(of).map(|m| m.tangent);
            event.kind = cause.map_or(EventKind::Redistribution, |watch| kind_of(watch, now));
        }
        if cause.is_some() || struck.is_some() {
            self.run.events.push(event);
        }
        Ok(())
    }

    /// Solves for accelerations of the contacts that stay closed, and freezes what they do.
    fn freeze(&mut self, event: &mut Event) -> Result<(), Option<Failure>> {
        let system = self.motion.system;
        let laws = system.contacts();
        let n = system.positions();
        let (state, time) = (self.state.clone(), self.time);
        let speeds = |motion: &Motion<'_>, contact: usize| motion.matrices.speeds(contact, &state[n..]);
        let member = |contact: usize, tangent| Member {
            contact,
            tangent,
            bounds: Bounds::coulomb(laws[contact].friction),
            friction: laws[contact].friction,
        };
        let members: Vec<Member> = self
            .motion
            .closed
            .iter()
            .map(|&contact| {
                let slip = speeds(&self.motion, contact)[1];
                member(
                    contact,
                    if slip.abs() <= STILL { Tangent::Open } else { Tangent::Slides(slip.signum()) },
                )
            })
            .collect();
        self.motion.problem.set(members.iter().copied());
        if !self.motion.update_problem(time, &state) {
            return Err(None);
        }
        let solution = self.motion.problem.solve()?;
        event.pivots += solution.iterations;
        let (count, open) = (members.len(), self.motion.problem.open.clone());
        let (x, y) = (&solution.x, &solution.y);
        let largest =
            |values: &mut dyn Iterator<Item = f64>| NOTHING * values.fold(0.0_f64, |m, v| m.max(v.abs()));
        let force = largest(&mut x[..count + open.len()].iter().copied());
        let acceleration = largest(&mut self.motion.problem.offset[..count].iter().copied());
        // Kept contacts, with what a sticking one's three unknowns do in the basis.
        let (mut kept, mut sticks, mut normals) = (Vec::new(), Vec::new(), Vec::new());
        for (k, of) in members.iter().enumerate() {
            if x[k] <= force && y[k] > acceleration {
                continue;
            }
            normals.push(x[k]);
            let Some(place) = open.iter().position(|&o| o == k) else {
                kept.push(*of);
                continue;
            };
            let (right, left) = (count + place, count + open.len() + place);
            if y[right] > acceleration {
                kept.push(member(of.contact, Tangent::Slides(1.0)));
            } else if x[left] > acceleration {
                kept.push(member(of.contact, Tangent::Slides(-1.0)));
            } else {
                kept.push(*of);
                sticks.push([x[right], x[left]]);
            }
        }
        self.motion.closed = kept.iter().map(|m| m.contact).collect();
        let tangents = sticks.iter().map(|s| s[0]).chain(sticks.iter().map(|s| s[1]));
        let anchor: Vec<f64> = normals.into_iter().chain(tangents).collect();
        let active: Vec<bool> = anchor.iter().enumerate().map(|(k, x)| k < kept.len() || *x > 0.0).collect();
        self.motion.problem.set(kept.iter().copied());
        self.watched.clear();
        for contact in (0..laws.len()).filter(|k| !self.motion.closed.contains(k)) {
            let gap = system.gap(contact, &state[..n]);
            let slack = if gap > OPENED { 0.0 } else { ROUNDING - gap.min(0.0) };
            self.watched.push(Watched { watch: Watch::Gap(contact), slack });
        }
        for of in &kept {
            if let Tangent::Slides(sign) = of.tangent {
                let slow = sign * speeds(&self.motion, of.contact)[1] <= 2.0 * STILL;
                self.watched.push(Watched {
                    watch: Watch::Slip(of.contact, sign),
                    slack: if slow { STILL } else { 0.0 },
                });
            }
        }
        let (count, open) = (kept.len(), self.motion.problem.open.clone());
        for (k, of) in kept.iter().enumerate() {
            self.watched.push(Watched { watch: Watch::Basis(k, of.contact), slack: force });
        }
        for (place, &k) in open.iter().enumerate() {
            let contact = kept[k].contact;
            let (right, left) = (count + place, count + open.len() + place);
            let of_force = |is_force: bool| if is_force { force } else { acceleration };
            self.watched
                .push(Watched { watch: Watch::Basis(right, contact), slack: of_force(active[right]) });
            self.watched.push(Watched { watch: Watch::Basis(left, contact), slack: of_force(!active[left]) });
        }
        self.motion.freeze(active, anchor);
        if self.motion.update_problem(time, &state) { Ok(()) } else { Err(None) }
    }
}
