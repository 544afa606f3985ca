//! Orders, with the order held and equal steps from exact differences.

use super::Bdf;
use super::formula::{ORDER_MAX, ROWS};
use crate::ode::bernoulli::{Bernoulli, growth, largest_errors, solution};
use crate::ode::{Fault, Ode, Stepper, ToleranceGroup, Tolerances};

/// n equal steps to t = 2: largest errors of state and quadrature at the ends and inside.
fn errors(order: usize, n: u32) -> [f64; 4] {
    let (mut ode, mut stepper) = (Bernoulli, Bdf::new());
    // For Newton's iterations.
    let group = ToleranceGroup { start: 0, len: 1, atol: 1e-14, rtol: 0.0 };
    let tolerances = Tolerances { groups: vec![group], ..Tolerances::default() };
    let h = 2.0 / f64::from(n);
    stepper.restart(&mut ode, 0.0, &[1.0]).unwrap();
    let mut points: Vec<[f64; 2]> =
        (0..ROWS).map(|i| -h * i as f64).map(|t| [solution(t), growth(t)]).collect();
    for row in 0..ROWS {
        stepper.differences[row].copy_from_slice(&points[0]);
        points = points.windows(2).map(|p| [p[0][0] - p[1][0], p[0][1] - p[1][1]]).collect();
    }
    stepper.history.order = order;
    stepper.history.step = h;
    largest_errors(&mut stepper, n, &tolerances, |stepper, ode| {
        // The attempt has not passed so tight a tolerance and knows no rates at its end.
        stepper.refresh(ode)?;
        stepper.prepare_dense(ode).map(drop)
    })
}

/// Order k gives errors h^k, and so does the polynomial through the points.
#[test]
fn orders_of_every_formula() {
    for order in 1..=ORDER_MAX {
        let (coarse, fine) = (errors(order, 40), errors(order, 80));
        for i in 0..4 {
            let slope = (coarse[i] / fine[i]).log2();
            assert!((slope - order as f64).abs() < 0.3, "order {order} {i}: {slope}");
        }
    }
}

/// After failures the method goes on from the rates alone: the error of order one falls as the square of the step, whatever the past.
#[test]
fn the_past_is_forgotten_after_failures() {
    let tolerances = Tolerances {
        groups: vec![ToleranceGroup { start: 0, len: 1, atol: 1e-12, rtol: 0.0 }],
        ..Tolerances::default()
    };
    let (mut ode, mut stepper) = (Bernoulli, Bdf::new());
    stepper.restart(&mut ode, 0.0, &[1.0]).unwrap();
    // A slope that the last step had, and the state has no more.
    stepper.differences[1].fill(0.3);
    stepper.history.step = 0.1;
    let mut error = |h: f64| {
        let error = stepper.attempt(&mut ode, h, &tolerances).unwrap().error;
        stepper.failed(error);
        error
    };
    let stale = error(1e-4) / error(1e-5);
    assert!((stale - 10.0).abs() < 0.1, "{stale}");
    error(1e-6);
    let fresh = error(1e-4) / error(1e-5);
    assert!((fresh - 100.0).abs() < 0.1, "{fresh}");
}

/// y' = cos t − λ (y − sin t), whose λ falls from 1e6 to 100 at t = 1.
struct Loosening;

impl Ode for Loosening {
    fn dimension(&self) -> usize {
        1
    }
    fn quadratures(&self) -> usize {
        0
    }
    fn rhs(&mut self, t: f64, y: &[f64], d: &mut [f64], _: &mut [f64]) -> Result<(), Fault> {
        let (sine, cosine) = libm::sincos(t);
        d[0] = cosine - if t < 1.0 { 1e6 } else { 100.0 } * (y[0] - sine);
        Ok(())
    }
}

/// With the factors of the stiffer time an iteration hardly moves, which one alone looks like convergence.
#[test]
fn factors_that_do_not_fit_any_more_are_found_out() {
    let atol = 1e-4;
    let tolerances = Tolerances {
        groups: vec![ToleranceGroup { start: 0, len: 1, atol, rtol: 0.0 }],
        ..Tolerances::default()
    };
    let (mut ode, mut stepper) = (Loosening, Bdf::new());
    stepper.restart(&mut ode, 0.0, &[0.0]).unwrap();
    let (mut h, mut t, mut worst) = (1e-4, 0.0, 0.0_f64);
    while t < 10.0 {
        let error = stepper.attempt(&mut ode, h, &tolerances).map_or(f64::INFINITY, |a| a.error);
        if error > 1.0 {
            h = if error.is_finite() { stepper.failed(error) } else { 0.25 * h };
            continue;
        }
        t += h;
        worst = worst.max((stepper.trial()[0] - libm::sin(t)).abs());
        h = stepper.passed(error).min(0.05);
        stepper.accept(t);
    }
    assert!(worst < 2.0 * atol, "{worst:e}");
}

struct Spring;

/// 1/s.
const OMEGA: f64 = 600.0;

impl Ode for Spring {
    fn dimension(&self) -> usize {
        2
    }
    fn quadratures(&self) -> usize {
        0
    }
    fn rhs(&mut self, _: f64, y: &[f64], dydt: &mut [f64], _: &mut [f64]) -> Result<(), Fault> {
        (dydt[0], dydt[1]) = (y[1], -OMEGA * OMEGA * y[0]);
        Ok(())
    }
}

/// A spring that is let go where nothing pulls yet, with tolerances of velocities that mean up to 3000 of the positions' at its
/// crest: what the low orders of a start leave there does not go by them. It was 50 tolerances of positions for the slowest and
/// 1600 for the fastest.
#[test]
fn a_start_is_held_to_what_its_velocities_do_later() {
    let length = 3e-12;
    for speed in [300.0, 900.0, 1400.0, 2000.0] {
        let groups = vec![
            ToleranceGroup { start: 0, len: 1, atol: length, rtol: 0.0 },
            ToleranceGroup { start: 1, len: 1, atol: 3e-7, rtol: 3e-9 },
        ];
        let tolerances = Tolerances { groups, ..Tolerances::default() };
        let (mut ode, mut stepper) = (Spring, Bdf::new());
        stepper.restart(&mut ode, 0.0, &[0.0, speed]).unwrap();
        let mut h = stepper.starting_step(&mut ode, &tolerances).unwrap();
        let mut steps = 0;
        while stepper.time() < 2e-4 {
            let error = stepper.attempt(&mut ode, h, &tolerances).unwrap().error;
            if error > 1.0 {
                h = stepper.failed(error);
                continue;
            }
            let next = stepper.passed(error);
            stepper.accept(stepper.time() + h);
            h = next;
            steps += 1;
        }
        let ((sine, cosine), y) = ((OMEGA * stepper.time()).sin_cos(), &stepper.motion.state);
        let off = y[0] * sine + y[1] / OMEGA * cosine - speed / OMEGA;
        assert!(off.abs() < 200.0 * length && steps < 45, "{speed}: {} {steps}", off / length);
    }
}

/// Steps until `end`, and the largest error over the tolerance; without leaps if the start is to have none.
fn run_spring(end: f64, leaps: bool) -> (u32, f64) {
    let group = |start, atol| ToleranceGroup { start, len: 1, atol, rtol: 0.0 };
    let tolerances =
        Tolerances { groups: vec![group(0, 1e-6), group(1, 1e-6 * OMEGA)], ..Tolerances::default() };
    let (mut ode, mut stepper) = (Spring, Bdf::new());
    stepper.restart(&mut ode, 0.0, &[0.8, 0.6 * OMEGA]).unwrap();
    let mut h = stepper.starting_step(&mut ode, &tolerances).unwrap();
    assert!(stepper.history.leap > 0.0);
    if !leaps {
        (stepper.history.leap, h) = (0.0, stepper.history.first);
    }
    let (mut steps, mut inside, mut worst) = (0, [0.0], 0.0_f64);
    while stepper.time() < end {
        let error = stepper.attempt(&mut ode, h, &tolerances).unwrap().error;
        if error > 1.0 {
            h = stepper.failed(error);
            continue;
        }
        let next = stepper.passed(error);
        stepper.prepare_dense(&mut ode).unwrap();
        stepper.interpolate(0.4, 0..1, &mut inside);
        worst = worst.max((inside[0] - spring(stepper.time() + 0.4 * h)).abs());
        stepper.accept(stepper.time() + h);
        worst = worst.max((stepper.state()[0] - spring(stepper.time())).abs());
        (h, steps) = (next, steps + 1);
    }
    (steps, worst / 1e-6)
}

fn spring(t: f64) -> f64 {
    let (sine, cosine) = (OMEGA * t).sin_cos();
    0.8 * cosine + 0.6 * sine
}

/// A leap takes the place of a dozen steps, and what follows it is as exact.
#[test]
fn a_leap_spares_the_low_orders() {
    let angle = 1.0 / OMEGA;
    let ((with, off), (without, off_without)) = (run_spring(angle, true), run_spring(angle, false));
    assert!(with + 12 <= without, "{with} {without}");
    assert!(off < 3.0 && off < off_without, "{off} {off_without}");
}

/// Inside of a leap, and a step of its length before and after it, states and quadratures go with the fifth power of its length.
#[test]
fn a_leap_leaves_a_past_of_order_four() {
    let group = ToleranceGroup { start: 0, len: 1, atol: 1e-6, rtol: 0.0 };
    let tolerances = Tolerances { groups: vec![group], ..Tolerances::default() };
    let errors = |h: f64| {
        let (mut ode, mut stepper) = (Bernoulli, Bdf::new());
        stepper.restart(&mut ode, 0.0, &[1.0]).unwrap();
        stepper.starting_step(&mut ode, &tolerances).unwrap();
        stepper.attempt(&mut ode, h, &tolerances).unwrap();
        stepper.prepare_dense(&mut ode).unwrap();
        assert_eq!((stepper.is_leap, stepper.degree()), (true, 4));
        let (mut y, mut q) = ([0.0], [0.0]);
        stepper.interpolate(0.3, 0..1, &mut y);
        stepper.quadrature(0.3, &mut q);
        let inside = [y[0] - solution(0.3 * h), q[0] - growth(0.3 * h)];
        stepper.accept(h);
        // The polynomial of the past, a step on: the sum of the differences.
        let sum = |i: usize| stepper.differences[..=4].iter().map(|row| row[i]).sum::<f64>();
        let after = [sum(0) - solution(2.0 * h), sum(1) - growth(2.0 * h) + growth(h)];
        [inside[0], inside[1], after[0], after[1]].map(f64::abs)
    };
    let (coarse, fine) = (errors(0.4), errors(0.2));
    for i in 0..4 {
        let slope = (coarse[i] / fine[i]).log2();
        assert!((slope - 5.0).abs() < 0.5, "{i}: {slope}");
    }
}

/// A spring, and beside it a state that decays at this rate (1/s).
struct Beside(f64);

impl Ode for Beside {
    fn dimension(&self) -> usize {
        3
    }
    fn quadratures(&self) -> usize {
        1
    }
    fn rhs(&mut self, t: f64, y: &[f64], dydt: &mut [f64], dqdt: &mut [f64]) -> Result<(), Fault> {
        Spring.rhs(t, y, dydt, &mut [])?;
        (dydt[2], dqdt[0]) = (-self.0 * y[2], y[1]);
        Ok(())
    }
}

/// Goes on to the end of so many steps, each accepted with what the quadrature has grown by; returns how many were leaps.
fn advance(stepper: &mut Bdf, ode: &mut Beside, (h, q): (&mut f64, &mut f64), steps: u32) -> u32 {
    let group = |start, atol| ToleranceGroup { start, len: 1, atol, rtol: 0.0 };
    let groups = vec![group(0, 1e-6), group(1, 1e-6 * OMEGA), group(2, 1e-6)];
    let tolerances = Tolerances { groups, ..Tolerances::default() };
    let (mut done, mut leaps) = (0, 0);
    while done < steps {
        if *h == 0.0 {
            *h = stepper.starting_step(ode, &tolerances).unwrap();
        }
        let error = stepper.attempt(ode, *h, &tolerances).unwrap().error;
        if error > 1.0 {
            *h = stepper.failed(error);
            continue;
        }
        let next = stepper.passed(error);
        stepper.prepare_dense(ode).unwrap();
        let mut growth = [0.0];
        stepper.quadrature(1.0, &mut growth);
        leaps += u32::from(stepper.is_leap);
        stepper.accept(stepper.time() + *h);
        (*h, *q, done) = (next, *q + growth[0], done + 1);
    }
    leaps
}

/// Where a Jacobian of before says that no fast mode is there, leaps go on, as exact as the first; a fast decay, even one that has died
/// out, leaves one leap to the start. What a resumed run does is the same to the bit.
#[test]
fn leaps_go_on_where_the_error_alone_holds_them() {
    let steps = 20;
    for (rate, want) in [(1.0, steps), (1e5, 1)] {
        let (mut ode, mut stepper) = (Beside(rate), Bdf::new());
        stepper.restart(&mut ode, 0.0, &[0.8, 0.6 * OMEGA, 0.0]).unwrap();
        let (mut h, mut q) = (1e-7, 0.0);
        // A step that makes a Jacobian; without one the next start would know of no mode.
        assert_eq!(advance(&mut stepper, &mut ode, (&mut h, &mut q), 1), 0);
        let y = stepper.state().to_vec();
        stepper.restart(&mut ode, 0.0, &[0.8, 0.6 * OMEGA, y[2]]).unwrap();
        (h, q) = (0.0, 0.0);
        let mut leaps = advance(&mut stepper, &mut ode, (&mut h, &mut q), 5);
        let mut memory = Vec::new();
        stepper.memory(&mut memory);
        let mut other = Bdf::new();
        other.resume(1, stepper.time(), stepper.state(), &memory).unwrap();
        let (mut other_h, mut other_q) = (h, q);
        leaps += advance(&mut stepper, &mut ode, (&mut h, &mut q), steps - 5);
        advance(&mut other, &mut ode, (&mut other_h, &mut other_q), steps - 5);
        assert_eq!((h, q, stepper.time(), stepper.state()), (other_h, other_q, other.time(), other.state()));
        assert_eq!(leaps, want, "{rate}");
        let end = stepper.time();
        let off = [stepper.state()[0] - spring(end), q - spring(end) + 0.8];
        // Steps of a quarter of a radian, each held to 1e-6.
        assert!(off.iter().all(|off| off.abs() < 1e-5), "{rate}: {off:?}");
        assert!(rate > 1.0 || end * OMEGA > 4.0, "{}", end * OMEGA);
    }
}

/// An attempt that is cut short, and taken without its error having been asked for, leaves a past of its own: no other leap has been
/// promised from its end.
#[test]
fn a_leap_that_is_cut_short_is_the_last() {
    let group = |start, atol| ToleranceGroup { start, len: 1, atol, rtol: 0.0 };
    let groups = vec![group(0, 1e-6), group(1, 1e-6 * OMEGA), group(2, 1e-6)];
    let tolerances = Tolerances { groups, ..Tolerances::default() };
    let (mut ode, mut stepper) = (Beside(1.0), Bdf::new());
    stepper.restart(&mut ode, 0.0, &[0.8, 0.6 * OMEGA, 0.0]).unwrap();
    let (mut h, mut q) = (1e-7, 0.0);
    advance(&mut stepper, &mut ode, (&mut h, &mut q), 1);
    let y = stepper.state().to_vec();
    stepper.restart(&mut ode, 0.0, &y).unwrap();
    let h = stepper.starting_step(&mut ode, &tolerances).unwrap();
    let error = stepper.attempt(&mut ode, h, &tolerances).unwrap().error;
    stepper.passed(error);
    assert!(stepper.is_explicit_step() && stepper.next_leap > 0.0);
    stepper.attempt(&mut ode, 0.5 * h, &tolerances).unwrap();
    stepper.accept(0.5 * h);
    assert_eq!((stepper.history.order, stepper.history.leap), (4, 0.0));
    assert!(stepper.differences[2][0] != 0.0);
}
