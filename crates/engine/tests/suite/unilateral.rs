//! Systems given by matrices, with rigid contact: closed forms, conservation and the toy woodpecker.

use carom_engine::unilateral::{
    ContactLaw, ContactRows, Error, EventKind, Law, Options, Run, UnilateralSystem, run, solve_impact,
};
use carom_solvers::{DormandPrince45, DormandPrince853, Ode113, Stepper};
use carom_testkit::SplitMix64;

const G: f64 = 9.81;

fn law(friction: f64, normal: f64) -> ContactLaw {
    ContactLaw { friction, normal, tangential: 0.0, bound: 0.0 }
}

fn options(law: Law, end: f64) -> Options {
    Options { law, end, relative: 1e-10, absolute: [1e-13, 1e-11], largest_step: 0.01, rest_speed: 1e-6 }
}

fn run_from(system: &dyn UnilateralSystem, start: &[f64], options: &Options) -> Run {
    run(system, &mut DormandPrince853::new(), start, options, &mut |_, _| {}).expect("it runs")
}

/// A disc of mass 1 on a line in its plane: x along it, y above it, the angle. `slope` turns gravity.
struct Disc {
    law: [ContactLaw; 1],
    inertia: f64,
    radius: f64,
    slope: f64,
}

impl UnilateralSystem for Disc {
    fn freedom(&self) -> usize {
        3
    }
    fn mass_matrix(&self, _q: &[f64], mass: &mut [f64]) {
        mass.copy_from_slice(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, self.inertia]);
    }
    fn force(&self, _t: f64, _q: &[f64], _u: &[f64], h: &mut [f64]) {
        h.copy_from_slice(&[G * libm::sin(self.slope), -G * libm::cos(self.slope), 0.0]);
    }
    fn contacts(&self) -> &[ContactLaw] {
        &self.law
    }
    fn gap(&self, _contact: usize, q: &[f64]) -> f64 {
        q[1]
    }
    fn rows(&self, _contact: usize, _q: &[f64], _u: &[f64], rows: &mut ContactRows) {
        rows.normal.copy_from_slice(&[0.0, 1.0, 0.0]);
        rows.tangent.copy_from_slice(&[1.0, 0.0, self.radius]);
    }
    fn potential(&self, q: &[f64]) -> Option<f64> {
        Some(G * (q[1] * libm::cos(self.slope) - q[0] * libm::sin(self.slope)))
    }
}

/// Bounces at t_k = t_0 (1 + 2 Σ e^i), with the energy e² of the last; they accumulate at t_0 (1 + e)/(1 − e) and end at rest. All explicit
/// integrators agree.
#[test]
fn bouncing_ball() {
    let (e, height) = (0.5_f64, 1.0_f64);
    let disc = Disc { law: [law(0.0, e)], inertia: 0.5, radius: 1.0, slope: 0.0 };
    let first = (2.0 * height / G).sqrt();
    let makes: [fn() -> Box<dyn Stepper>; 3] = [
        || Box::new(DormandPrince45::new()),
        || Box::new(DormandPrince853::new()),
        || Box::new(Ode113::new()),
    ];
    for make in makes {
        let mut options = options(Law::Poisson, 2.0);
        options.rest_speed = 1e-4;
        let run =
            run(&disc, &mut *make(), &[0.0, height, 0.0, 0.0, 0.0, 0.0], &options, &mut |_, _| {}).unwrap();
        let mut time = first;
        for (k, event) in run.events.iter().enumerate() {
            // 16 impacts before the speed falls below that of rest: 4.43 · 2⁻¹⁶ = 6.8e-5.
            assert_eq!(event.kind, if k < 16 { EventKind::Impact } else { EventKind::Rest }, "{k}");
            assert!((event.time - time).abs() < 1e-9, "{k}: {} {time}", event.time);
            let kinetic = G * height * e.powi(2 * k as i32);
            let lost = kinetic * if k < 16 { 1.0 - e * e } else { 1.0 };
            assert!((event.lost - lost).abs() < 1e-8 * G, "{k}: {} {lost}", event.lost);
            time += 2.0 * first * e.powi(k as i32 + 1);
        }
        assert_eq!(run.events.len(), 17);
        let end = first * (1.0 + e) / (1.0 - e);
        assert!(
            (run.events[16].time - end).abs() < 3e-5
                && run.state[1].abs() < 1e-9
                && run.state[4].abs() < 1e-9
        );
        assert!(run.residual.unwrap().abs() < 1e-9, "{:?}", run.residual);
    }
}

/// A block slides down above the friction angle, rests below it, and comes to rest where it is pushed.
#[test]
fn block_on_an_incline() {
    let slope = 0.3_f64;
    let accelerated = |mu: f64| G * (libm::sin(slope) - mu * libm::cos(slope));
    let block = |mu| Disc { law: [law(mu, 0.0)], inertia: 1.0, radius: 0.0, slope };
    let slides = run_from(&block(0.2), &[0.0; 6], &options(Law::Poisson, 1.0));
    assert!((slides.state[0] - 0.5 * accelerated(0.2)).abs() < 1e-9, "{:?}", slides.state);
    assert!(slides.residual.unwrap().abs() < 1e-10 && slides.friction > 0.1);
    let rests = run_from(&block(0.5), &[0.0; 6], &options(Law::Poisson, 1.0));
    assert!(rests.state.iter().all(|x| x.abs() < 1e-12) && rests.events.is_empty());
    let pushed = run_from(&block(0.5), &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], &options(Law::Poisson, 1.0));
    let stop = -1.0 / accelerated(0.5);
    assert_eq!(pushed.events[0].kind, EventKind::SlipToStick);
    assert!((pushed.events[0].time - stop).abs() < 1e-8 && (pushed.state[0] - 0.5 * stop).abs() < 1e-8);
    let reverses = run_from(&block(0.2), &[0.0, 0.0, 0.0, -1.0, 0.0, 0.0], &options(Law::Poisson, 1.0));
    let stop = 1.0 / (G * (libm::sin(slope) + 0.2 * libm::cos(slope)));
    assert_eq!(reverses.events[0].kind, EventKind::SlipReversal);
    assert!((reverses.events[0].time - stop).abs() < 1e-8);
}

/// A super ball, e_N = e_T = 1 and ν = 0, turns the velocity of its contact point round and loses nothing.
#[test]
fn super_ball() {
    let reversible = ContactLaw { friction: 5.0, normal: 1.0, tangential: 1.0, bound: 0.0 };
    let ball = Disc { law: [reversible], inertia: 0.4, radius: 1.0, slope: 0.0 };
    let run = run_from(&ball, &[0.0, 0.1, 0.0, 1.0, -1.0, 2.0], &options(Law::Poisson, 0.1));
    let event = &run.events[0];
    let speed = |u: &[f64]| u[0] + u[2];
    assert!((speed(&event.velocities[1]) + speed(&event.velocities[0])).abs() < 1e-12);
    assert!(event.lost.abs() < 1e-12 && event.kept == 1.0);
}

/// A rod of length 2 that slides on its end at the angle q₂ from the ground: friction may leave it without forces.
struct Rod {
    law: [ContactLaw; 1],
}

impl UnilateralSystem for Rod {
    fn freedom(&self) -> usize {
        3
    }
    fn mass_matrix(&self, _q: &[f64], mass: &mut [f64]) {
        mass.copy_from_slice(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 3.0]);
    }
    fn force(&self, _t: f64, _q: &[f64], _u: &[f64], h: &mut [f64]) {
        h.copy_from_slice(&[0.0, -G, 0.0]);
    }
    fn contacts(&self) -> &[ContactLaw] {
        &self.law
    }
    fn gap(&self, _contact: usize, q: &[f64]) -> f64 {
        q[1] - libm::sin(q[2])
    }
    fn rows(&self, _contact: usize, q: &[f64], u: &[f64], rows: &mut ContactRows) {
        let (s, c) = (libm::sin(q[2]), libm::cos(q[2]));
        rows.normal.copy_from_slice(&[0.0, 1.0, -c]);
        rows.tangent.copy_from_slice(&[1.0, 0.0, s]);
        rows.normal_bias = s * u[2] * u[2];
        rows.tangent_bias = c * u[2] * u[2];
    }
}

/// At 45°, G_N = 1 + 3 cos² − 3 μ sin cos = 2.5 − 1.5 μ for a slip that pushes the rod into the ground: none for μ = 2.
#[test]
fn painleves_rod_is_flagged() {
    let angle = std::f64::consts::FRAC_PI_4;
    let start = |slip: f64| [0.0, libm::sin(angle), angle, slip, 0.0, 0.0];
    let of = |mu: f64, slip: f64| {
        let rod = Rod { law: [law(mu, 0.0)] };
        run(&rod, &mut DormandPrince853::new(), &start(slip), &options(Law::Poisson, 1e-3), &mut |_, _| {})
    };
    let flagged =
        [of(2.0, 1.0), of(2.0, -1.0)].into_iter().filter(|run| matches!(run, Err(Error::Contact { .. })));
    assert_eq!(flagged.count(), 1);
    assert!(of(1.0, 1.0).is_ok() && of(1.0, -1.0).is_ok());
}

/// 1e5 impacts of one to three contacts: none gains energy, and with equal e_N and e_T = 0 Poisson's law is not scaled.
#[test]
fn impacts_gain_no_energy() {
    let mut rng = SplitMix64::new(7);
    let (mut newton, mut poisson, mut unsolved) = (0, 0, 0);
    for draw in 0..25_000 {
        let contacts = 1 + draw % 3;
        let size = 2 * contacts;
        let w: Vec<f64> = (0..size * 4).map(|_| rng.uniform(-1.0, 1.0)).collect();
        let delassus: Vec<f64> = (0..size * size)
            .map(|k| (0..4).map(|r| w[4 * (k / size) + r] * w[4 * (k % size) + r]).sum())
            .collect();
        // Speeds that some velocities give.
        let u: [f64; 4] = std::array::from_fn(|_| rng.uniform(-1.0, 1.0));
        let along = |row: usize| (0..4).map(|r| w[4 * row + r] * u[r]).sum::<f64>();
        let speeds: Vec<[f64; 2]> = (0..contacts).map(|k| [along(2 * k), along(2 * k + 1)]).collect();
        let equal = rng.uniform(0.0, 1.0);
        let each: Vec<ContactLaw> = (0..contacts).map(|_| law(rng.uniform(0.0, 1.0), equal)).collect();
        let various: Vec<ContactLaw> = (0..contacts)
            .map(|_| ContactLaw {
                friction: rng.uniform(0.0, 1.0),
                normal: rng.uniform(0.0, 1.0),
                tangential: rng.uniform(0.0, 1.0),
                bound: rng.uniform(0.0, 1.0),
            })
            .collect();
        for (laws, law) in
            [(&each, Law::Poisson), (&various, Law::Poisson), (&each, Law::Newton), (&various, Law::Newton)]
        {
            let Ok(impact) = solve_impact(&delassus, &speeds, laws, law) else {
                // Three contacts have six rows of four velocities, whose speeds Newton's law turns into ones that none has.
                assert!(law == Law::Newton && contacts == 3, "{draw} {law:?}");
                unsolved += 1;
                continue;
            };
            let squares: f64 = speeds.iter().flatten().map(|v| v * v).sum();
            assert!(impact.energy <= 1e-9 * squares, "{draw} {law:?}: {:e}", impact.energy);
            match law {
                Law::Poisson if laws[0] == each[0] => assert!(impact.kept == 1.0, "{draw} {impact:?}"),
                Law::Poisson => poisson += usize::from(impact.kept < 1.0),
                Law::Newton => newton += usize::from(impact.kept < 1.0),
            }
        }
    }
    // What docs/nonsmooth.md states.
    assert_eq!([poisson, newton, unsolved], [3, 1408, 299]);
}

/// A block that rocks from one corner to the other keeps 1 − 3/2 sin² α of its angular velocity (Housner 1963), with α from the side to the
/// diagonal.
#[test]
fn rocking_block() {
    let (half_width, half_height) = (0.3_f64, 1.0_f64);
    let squared = half_width * half_width + half_height * half_height;
    let inertia = squared / 3.0;
    // Rows (x, y, angle) of the normal and the tangent of the left and of the right corner.
    let corner = |x: f64| [[0.0, 1.0, x], [1.0, 0.0, half_height]];
    let rows: Vec<[f64; 3]> = [corner(-half_width), corner(half_width)].concat();
    let delassus: Vec<f64> = rows
        .iter()
        .flat_map(|a| rows.iter().map(move |b| a[0] * b[0] + a[1] * b[1] + a[2] * b[2] / inertia))
        .collect();
    // Clockwise about the left corner.
    let u = [half_height, -half_width, -1.0];
    let speed = |row: &[f64; 3]| row.iter().zip(u).map(|(w, u)| w * u).sum::<f64>();
    let speeds: Vec<[f64; 2]> = rows.chunks(2).map(|r| [speed(&r[0]), speed(&r[1])]).collect();
    let impact = solve_impact(&delassus, &speeds, &[law(10.0, 0.0); 2], Law::Poisson).expect("it rocks");
    let impulses = impact.impulses.iter().flatten();
    let after = -1.0 + rows.iter().zip(impulses).map(|(row, p)| row[2] * p / inertia).sum::<f64>();
    let housner = -(1.0 - 1.5 * half_width * half_width / squared);
    assert!((after - housner).abs() < 1e-12, "{after} {housner}");
}

#[test]
fn bad_input_is_named() {
    let disc = |law| Disc { law: [law], inertia: 1.0, radius: 1.0, slope: 0.0 };
    let of = |system: &Disc, start: &[f64]| {
        run(system, &mut DormandPrince853::new(), start, &options(Law::Poisson, 0.1), &mut |_, _| {})
            .unwrap_err()
    };
    for bad in [law(-0.1, 0.0), law(f64::NAN, 0.0), law(0.1, -0.5), law(0.1, 1.5)] {
        assert_eq!(of(&disc(bad), &[0.0; 6]), Error::Law { contact: 0 });
    }
    let good = disc(law(0.1, 0.5));
    assert!(matches!(of(&good, &[0.0, -0.1, 0.0, 0.0, 0.0, 0.0]), Error::Penetration { contact: 0, .. }));
    assert!(matches!(of(&good, &[0.0; 5]), Error::State { .. }));
    let massless = Disc { inertia: 0.0, ..good };
    assert!(matches!(of(&massless, &[0.0; 6]), Error::Mass { .. }));
}
