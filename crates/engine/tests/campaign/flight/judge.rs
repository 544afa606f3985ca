//! A flight against the oracle.

use carom_engine::model::Method;
use carom_engine::record::BodyState;
use carom_engine::{EndReason, Outcome, StateMeasure, System};
use carom_math::{Mat3, Pose, Vec3};

use super::Flight;
use crate::part::Part;
use crate::referee::{Judgement, Verdict};
use crate::surface::{Surface, distance};
use crate::touch::{Encounter, Finding, Touch};
use crate::watch::{Watch, failure, run_system};

/// Times the tolerance of positions: what is less deep, or nearer, is left out.
const CLEAR: f64 = 20.0;

/// Looks at a distance that the oracle is given, times the number of pairs of triangles.
const LOOKS: f64 = 4e7;

impl Flight {
    fn encounter(&self, clear: f64) -> Encounter<'_> {
        let [a, b] = &self.parts;
        let count = |p: &Part| match &p.surface {
            Surface::Facets(facets) => facets.triangles().len() as f64,
            _ => 1.0,
        };
        let turns = |p: &Part| if matches!(p.surface, Surface::Ball(_)) { 0.0 } else { p.radius };
        let size = 0.5 * a.wall.min(b.wall).min(b.radius);
        let looks = (LOOKS / (count(a) * count(b)).max(100.0)).max(3000.0) as u64;
        Encounter {
            surfaces: [&a.surface, &b.surface],
            motions: [&self.motions[0], &self.motions[1]],
            radii: [turns(a), turns(b)],
            size,
            t_end: self.t_end,
            clear,
            looks,
        }
    }

    pub(crate) fn judge(&self) -> Judgement {
        let (verdict, happened) = self.judged();
        Judgement { verdict, kind: self.kind.clone(), words: format!("{}: {happened}", self.describe()) }
    }

    fn judged(&self) -> (Verdict, String) {
        let compiled = System::compile(&self.model(self.t_end));
        let system = match compiled {
            Ok(system) => system,
            Err(problems) => return (Verdict::Failed, format!("does not compile: {:?}", problems[0])),
        };
        let tolerance = self.tolerance(&system);
        let clear = CLEAR * tolerance;
        let encounter = self.encounter(clear);
        let [xa, xb] = [0, 1].map(|side| self.motions[side].pose(0.0));
        let starts = distance(&self.parts[0].surface, &xa, &self.parts[1].surface, &xb);
        if starts.is_none_or(|d| d <= 3.0 * clear) {
            return (Verdict::Unclear, "too near at the start".to_owned());
        }
        match encounter.first_touch() {
            Finding::Unclear(why) => (Verdict::Unclear, why.to_owned()),
            Finding::Apart(apart) => self.judge_miss(&system, apart, tolerance),
            Finding::Touch(touch) => self.judge_touch(&encounter, &touch, tolerance),
        }
    }

    /// What a position may be wrong by in one step (m).
    fn tolerance(&self, system: &System) -> f64 {
        let finest = |measure| system.finest_tolerance(measure).unwrap_or(0.0);
        let turning = [0, 1].map(|side| {
            let (motion, part) = (&self.motions[side], &self.parts[side]);
            let shows = motion.spin.norm() > 0.0 && !matches!(part.surface, Surface::Ball(_));
            motion.arm() + if shows { part.radius } else { 0.0 }
        });
        let places = self.motions.iter().flat_map(|m| [m.pose(0.0), m.pose(self.t_end)]);
        let far = places.map(|x| x.translation.norm()).fold(0.0, f64::max);
        finest(StateMeasure::Length)
            + (turning[0] + turning[1]) * finest(StateMeasure::Angle)
            + 8.0 * f64::EPSILON * far
    }

    fn judge_miss(&self, system: &System, apart: f64, tolerance: f64) -> (Verdict, String) {
        let (outcome, watch) = run_system(system);
        if let Some(stopped) = stopped(&outcome) {
            return stopped;
        }
        match watch.begin() {
            None => (Verdict::Right, format!("apart by {apart:.2e}")),
            Some(_) if apart < allowance(&watch) * tolerance => {
                (Verdict::Unclear, "within what errors of steps add up to".to_owned())
            }
            Some(event) => {
                (Verdict::Phantom, format!("begins at {:.6e}, apart by {apart:.2e} m", event.time))
            }
        }
    }

    fn judge_touch(&self, encounter: &Encounter<'_>, touch: &Touch, tolerance: f64) -> (Verdict, String) {
        let t_end = touch.time + self.after + self.beyond;
        let mut model = self.model(t_end);
        // Denser after the touch, so that a wall that is passed is seen to be passed.
        model.output.probes =
            (1..=100).map(|k| touch.time + self.after * (f64::from(k) / 100.0).powi(2)).collect();
        let system = System::compile(&model).expect("compiled before");
        let (outcome, watch) = run_system(&system);
        let what = format!("touch at {:.9e} s with {:.3e} m/s", touch.time, touch.approach);
        if self.method == Method::Pcm
            && let Some(verdict) = self.judge_side(touch, &outcome, &watch)
        {
            let end = failure(&outcome).map_or("finished".to_owned(), |e| e.to_string());
            return (verdict, format!("{what}; {end}"));
        }
        let Some(event) = watch.begin() else {
            return match stopped(&outcome) {
                Some((verdict, words)) => (verdict, format!("{what}; {words}")),
                None => (Verdict::Unseen, format!("{what}; {} steps to {t_end:.3e}", watch.steps)),
            };
        };
        let ulp = 16.0 * f64::EPSILON * touch.time;
        let allowed = allowance(&watch) * tolerance / touch.approach + ulp;
        let off = event.time - touch.time;
        if off.abs() > allowed {
            let verdict = if off > 0.0 { Verdict::Late } else { Verdict::Early };
            let off_by = encounter.distance(event.time);
            return (
                verdict,
                format!("{what}; begins {off:.2e} s off, {allowed:.2e} allowed, distance {off_by:.2e}"),
            );
        }
        if let Some(words) = self.passed(&watch) {
            let end = failure(&outcome).map_or("finished".to_owned(), |e| e.to_string());
            return (Verdict::Passed, format!("{what}; {words}; {end}"));
        }
        match stopped(&outcome) {
            Some((Verdict::Unclear, _)) | None => (Verdict::Right, what),
            Some((verdict, words)) => (verdict, format!("{what}; {words}")),
        }
    }

    /// A first touch from behind an open surface ends the run, one from its front does not.
    fn judge_side(&self, touch: &Touch, outcome: &Outcome, watch: &Watch) -> Option<Verdict> {
        let meeting = self.meeting(touch)?;
        let is_told = failure(outcome)
            .is_some_and(|e| e.code == "E0616" && e.message.contains("from behind") && e.pair.is_some());
        match (is_told && watch.begin().is_none(), meeting.is_behind(), meeting.is_in_front()) {
            (true, true, _) => Some(Verdict::Told),
            (true, _, true) => Some(Verdict::Alarm),
            (false, true, _) => Some(Verdict::Unsaid),
            _ => None,
        }
    }

    /// Is a point deep inside of one body inside the other, or has the way of a centre led through the other?
    fn passed(&self, watch: &Watch) -> Option<String> {
        let [a, b] = &self.parts;
        let pose =
            |state: &BodyState| Pose { rotation: state.orientation.to_matrix(), translation: state.position };
        // The middle of a ring is not in it: a corner may come to lie there.
        let is_facets = matches!(b.surface, Surface::Facets(_));
        let has_middle = !is_facets || b.front.is_some() || b.surface.holds(&Vec3::zeros());
        let mut before: Option<(Vec3, Mat3)> = None;
        for (time, bodies) in &watch.probes {
            let [xa, xb] = [pose(&bodies[0]), pose(&bodies[1])];
            let in_a = |p: &Vec3| xa.inverse_transform_point(&xb.transform_point(p));
            let in_b = |p: &Vec3| xb.inverse_transform_point(&xa.transform_point(p));
            let held = b.inner.iter().any(|p| a.surface.holds(&in_a(p)))
                || a.inner.iter().any(|p| b.surface.holds(&in_b(p)));
            if held {
                return Some(format!("inside at {time:.6e} s"));
            }
            let centre = in_a(&Vec3::zeros());
            if let Some((last, _)) = before.filter(|(_, r)| has_middle && (r - xa.rotation).norm() < 0.3) {
                let on_the_way = (1..20).map(|k| last + (centre - last) * (f64::from(k) / 20.0));
                let through = a.front.is_none() && on_the_way.into_iter().any(|p| a.surface.holds(&p));
                if through || crosses(&a.surface, a.front.is_some(), &last, &centre) {
                    return Some(format!("through before {time:.6e} s"));
                }
            }
            before = Some((centre, xa.rotation));
        }
        None
    }
}

/// Does the way from one point to another lead through an open surface?
fn crosses(surface: &Surface, open: bool, from: &Vec3, to: &Vec3) -> bool {
    match surface {
        Surface::Facets(facets) if open => {
            facets.triangles().iter().any(|t| crate::distance::segment_triangle(&[*from, *to], t) == 0.0)
        }
        _ => false,
    }
}

/// Times the tolerance that a run may be off at its first begin: errors of its steps add up.
pub(crate) fn allowance(watch: &Watch) -> f64 {
    100.0 + watch.steps_to_begin as f64
}

/// How a run that has not finished is judged.
pub(crate) fn stopped(outcome: &Outcome) -> Option<(Verdict, String)> {
    if outcome.end == EndReason::Interrupted {
        return Some((Verdict::Failed, format!("stalls at {:.6e} s", outcome.time)));
    }
    let error = failure(outcome)?;
    let verdict = match error.code {
        // A bound of the test's own.
        "E0604" => Verdict::Unclear,
        _ if error.pair.is_some() => Verdict::Told,
        _ => Verdict::Failed,
    };
    Some((verdict, error.to_string()))
}

/// The motion of two bodies in free flight is bounded by what the oracle takes for its bound.
#[test]
fn bounds_of_closing_speeds_hold() {
    for seed in 0..200 {
        let flight = match seed % 3 {
            0 => Flight::of_points(seed),
            1 => Flight::of_drives(seed),
            _ => Flight::of_fans(seed),
        };
        let encounter = flight.encounter(1e-9);
        let [from, to] = [0.3, 0.9].map(|s| s * flight.t_end);
        for k in 0..20 {
            let times = [k, k + 1].map(|k| from + (to - from) * f64::from(k) / 20.0);
            let [d0, d1] = times.map(|t| encounter.distance(t));
            let bound = crate::motion::closing_speed(encounter.motions, encounter.radii, times)
                * (times[1] - times[0]);
            // Distances of overlapping triangle surfaces are zero, those of others less than that.
            assert!((d1 - d0).abs() <= bound * (1.0 + 1e-9) + 1e-9, "seed {seed}: {d0} {d1} {bound}");
        }
    }
}
