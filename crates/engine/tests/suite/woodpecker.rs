//! The toy woodpecker with three degrees of freedom (Slavič & Boltežar, Table 1; data of the paper).

use carom_engine::unilateral::{
    ContactLaw, ContactRows, EventKind, Law, Options, Run, UnilateralSystem, run,
};
use carom_solvers::DormandPrince853;

const SLEEVE_MASS: f64 = 0.0003;
const SLEEVE_INERTIA: f64 = 5.0e-9;
const BIRD_MASS: f64 = 0.0045;
const BIRD_INERTIA: f64 = 7.0e-7;
const G: f64 = 9.81;
const SPRING: f64 = 0.0056;
const POLE: f64 = 0.0025;
const SLEEVE: f64 = 0.0031;
const HALF_HEIGHT: f64 = 0.0058;
const TO_HINGE: f64 = 0.010;
const TO_CENTRE: f64 = 0.015;
const BEAK_HEIGHT: f64 = 0.020;
const BEAK: f64 = 0.0201;

/// Contacts of the beak, of the sleeve's lower and of its upper edge; q = (y, φ_M, φ_S).
struct Woodpecker {
    laws: [ContactLaw; 3],
}

impl UnilateralSystem for Woodpecker {
    fn freedom(&self) -> usize {
        3
    }
    /// Eq. 39.
    fn mass_matrix(&self, _q: &[f64], mass: &mut [f64]) {
        let (m, hinge, centre) = (BIRD_MASS, TO_HINGE, TO_CENTRE);
        mass.copy_from_slice(&[
            SLEEVE_MASS + m,
            hinge * m,
            centre * m,
            hinge * m,
            SLEEVE_INERTIA + hinge * hinge * m,
            hinge * centre * m,
            centre * m,
            hinge * centre * m,
            BIRD_INERTIA + centre * centre * m,
        ]);
    }
    /// Eq. 40.
    fn force(&self, _t: f64, q: &[f64], _u: &[f64], h: &mut [f64]) {
        let spring = SPRING * (q[2] - q[1]);
        h[0] = -G * (SLEEVE_MASS + BIRD_MASS);
        h[1] = -G * TO_HINGE * BIRD_MASS + spring;
        h[2] = -G * TO_CENTRE * BIRD_MASS - spring;
    }
    fn contacts(&self) -> &[ContactLaw] {
        &self.laws
    }
    fn gap(&self, contact: usize, q: &[f64]) -> f64 {
        match contact {
            0 => TO_HINGE + TO_CENTRE - BEAK - POLE - BEAK_HEIGHT * q[2],
            1 => SLEEVE - POLE + HALF_HEIGHT * q[1],
            _ => SLEEVE - POLE - HALF_HEIGHT * q[1],
        }
    }
    /// Eq. 41 to 43.
    fn rows(&self, contact: usize, _q: &[f64], _u: &[f64], rows: &mut ContactRows) {
        let (normal, tangent) = match contact {
            0 => ([0.0, 0.0, -BEAK_HEIGHT], [1.0, TO_HINGE, TO_CENTRE - BEAK]),
            1 => ([0.0, HALF_HEIGHT, 0.0], [1.0, SLEEVE, 0.0]),
            _ => ([0.0, -HALF_HEIGHT, 0.0], [1.0, SLEEVE, 0.0]),
        };
        rows.normal.copy_from_slice(&normal);
        rows.tangent.copy_from_slice(&tangent);
    }
    fn potential(&self, q: &[f64]) -> Option<f64> {
        let weight = (SLEEVE_MASS + BIRD_MASS) * q[0] + BIRD_MASS * (TO_HINGE * q[1] + TO_CENTRE * q[2]);
        Some(G * weight + 0.5 * SPRING * (q[2] - q[1]) * (q[2] - q[1]))
    }
}

fn fly(law: Law, end: f64, relative: f64) -> Run {
    let of = |normal| ContactLaw { friction: 0.3, normal, tangential: 0.0, bound: 0.0 };
    let toy = Woodpecker { laws: [of(0.5), of(0.0), of(0.0)] };
    let absolute = [1e-3 * relative, relative];
    let options = Options { law, end, relative, absolute, largest_step: 5e-3, rest_speed: 1e-6 };
    let start = [0.0, -(SLEEVE - POLE) / HALF_HEIGHT, -0.2788, -0.3411, 0.0, -7.4583];
    run(&toy, &mut DormandPrince853::new(), &start, &options, &mut |_, _| {}).expect("it pecks")
}

/// Events of the last cycle that is complete, from the impact of the sleeve's lower edge that follows a detachment of the upper one,
/// to the next such impact.
fn last_cycle(run: &Run) -> &[carom_engine::unilateral::Event] {
    let follows = |k: &usize| {
        let [before, event] = [&run.events[k - 1], &run.events[*k]];
        (before.kind, before.contact, event.kind, event.contact)
            == (EventKind::Detachment, 2, EventKind::Impact, 1)
    };
    let starts: Vec<usize> = (1..run.events.len()).filter(follows).collect();
    &run.events[starts[starts.len() - 2]..=starts[starts.len() - 1]]
}

/// The rows of Table 1 in their order, within 4 ms of its times; the energy adds up; the impact law does not matter.
#[test]
fn rows_of_the_table_occur_in_order() {
    use EventKind::{Detachment, Impact, SlipToStick, StickToSlip};
    let table = [
        (Impact, 1, 0.0),
        (SlipToStick, 1, 51.4),
        (StickToSlip, 1, 90.6),
        (Detachment, 1, 96.2),
        (Impact, 2, 106.4),
        (Impact, 0, 110.0),
        (Impact, 2, 110.8),
        (Detachment, 2, 114.0),
        (Impact, 1, 149.4),
    ];
    let [poisson, newton] = [Law::Poisson, Law::Newton].map(|law| fly(law, 3.0, 1e-10));
    let cycle = last_cycle(&poisson);
    let mut rest = cycle.iter();
    for (kind, contact, time) in table {
        let event = rest
            .find(|e| (e.kind, e.contact) == (kind, contact))
            .unwrap_or_else(|| panic!("{kind:?} {contact}"));
        let ours = 1e3 * (event.time - cycle[0].time);
        assert!((ours - time).abs() < 4.0, "{kind:?} {contact}: {ours} ms");
    }
    // One impact more than in the table: the lower edge strikes twice.
    assert_eq!(cycle.len(), table.len() + 1);
    for run in [&poisson, &newton] {
        assert!(run.residual.unwrap().abs() < 1e-11 * (run.friction + run.impacts), "{:?}", run.residual);
        assert_eq!(run.scaled, 0);
    }
    assert_eq!(poisson.events.len(), newton.events.len());
    let apart = |(a, b): (&carom_engine::unilateral::Event, &carom_engine::unilateral::Event)| {
        (a.time - b.time).abs()
    };
    assert!(poisson.events.iter().zip(&newton.events).map(apart).fold(0.0, f64::max) < 1e-9);
}

/// Period and drop of the limit cycle to six digits and more: they are the same at a hundredth of the tolerance and cycle after cycle.
#[test]
fn limit_cycle() {
    for relative in [1e-9, 1e-11] {
        let run = fly(Law::Poisson, 15.0, relative);
        let cycle = last_cycle(&run);
        let (first, last) = (&cycle[0], &cycle[cycle.len() - 1]);
        assert!((last.time - first.time - 0.145_976_065).abs() < 1e-9, "{}", last.time - first.time);
        let drop = first.positions[0] - last.positions[0];
        assert!((drop - 0.019_445_379).abs() < 1e-9, "{drop}");
    }
}
