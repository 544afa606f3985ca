//! Functions of time: bounds over intervals.

use carom_engine::function::{Interpolation, JetRange, Op, Program, Table, TimeFunction};
use carom_testkit::SplitMix64;

/// A random expression of every operation, in postfix order. Powers and roots get operands they are defined for.
fn expression(random: &mut SplitMix64, depth: usize, ops: &mut Vec<Op>) {
    use Op::*;
    if depth == 0 {
        let constant = Constant(random.uniform(-3.0, 3.0));
        ops.extend(if random.uniform(0.0, 1.0) < 0.6 { vec![Time] } else { vec![constant] });
        return;
    }
    let operand = |random: &mut SplitMix64, ops: &mut Vec<Op>| expression(random, depth - 1, ops);
    match random.uniform(0.0, 16.0) as usize {
        0..=2 => {
            operand(random, ops);
            operand(random, ops);
            ops.push([Add, Sub, Mul][random.uniform(0.0, 3.0) as usize]);
        }
        3 => {
            // a/(2 + sin b) has no pole.
            operand(random, ops);
            ops.push(Constant(2.0));
            operand(random, ops);
            ops.extend([Sin, Add, Div]);
        }
        4 => {
            operand(random, ops);
            ops.extend([Constant([0.0, 1.0, 2.0, 3.0, 4.0][random.uniform(0.0, 5.0) as usize]), Pow]);
        }
        5 => {
            // (a² + 0.1)ⁿ
            operand(random, ops);
            let n = random.uniform(-2.5, 2.5);
            ops.extend([Constant(2.0), Pow, Constant(0.1), Add, Constant(n), Pow]);
        }
        6 => {
            operand(random, ops);
            ops.extend([Abs, Constant(0.05), Add, Sqrt]);
        }
        7 => {
            operand(random, ops);
            ops.push(Neg);
        }
        8 => {
            operand(random, ops);
            ops.push(Sin);
        }
        9 => {
            operand(random, ops);
            ops.push(Cos);
        }
        10 => {
            // tan(sin a)
            operand(random, ops);
            ops.extend([Sin, Tan]);
        }
        11 => {
            operand(random, ops);
            operand(random, ops);
            ops.push(Atan2);
        }
        12 => {
            operand(random, ops);
            ops.push(Floor);
        }
        13 | 14 => {
            operand(random, ops);
            operand(random, ops);
            ops.push([Min, Max][random.uniform(0.0, 2.0) as usize]);
        }
        _ => {
            operand(random, ops);
            ops.push(Abs);
        }
    }
}

fn random_table(random: &mut SplitMix64) -> Table {
    let n = 2 + random.uniform(0.0, 10.0) as usize;
    let mut time = random.uniform(-2.0, 2.0);
    let points: Vec<(f64, f64)> = (0..n)
        .map(|_| {
            time += random.uniform(0.01, 0.7);
            (time, random.uniform(-5.0, 5.0))
        })
        .collect();
    let between = if random.uniform(0.0, 1.0) < 0.5 { Interpolation::Linear } else { Interpolation::Cubic };
    Table::new(&points, between).unwrap()
}

fn holds(f: &TimeFunction, range: &JetRange, t: f64) -> bool {
    let jet = f.jet(t);
    let inside = |[lo, hi]: [f64; 2], x: f64| !x.is_finite() || (lo <= x && x <= hi);
    inside(range.value, jet.value)
        && inside(range.rate, jet.rate)
        && inside(range.acceleration, jet.acceleration)
}

/// No sample of a function or of a derivative is outside the bounds.
#[test]
fn ranges_hold_all_samples() {
    let mut random = SplitMix64::new(11);
    for round in 0..4000 {
        let f = if round % 4 == 0 {
            TimeFunction::Table(random_table(&mut random))
        } else {
            let mut ops = Vec::new();
            let depth = 1 + round % 5;
            expression(&mut random, depth, &mut ops);
            match Program::new(ops) {
                Some(program) => TimeFunction::Program(program),
                None => continue,
            }
        };
        let t0 = random.uniform(-3.0, 3.0);
        let t1 = t0 + 10.0_f64.powf(random.uniform(-6.0, 0.7));
        let range = f.range(t0, t1);
        for k in 0..=200 {
            let t = (t0 + (t1 - t0) * f64::from(k) / 200.0).min(t1);
            assert!(
                holds(&f, &range, t),
                "round {round}: {f:?} in [{t0}, {t1}] at {t}: {:?} not in {range:?}",
                f.jet(t)
            );
        }
    }
}

/// Bounds close in on the value with the square of the interval where a function is smooth.
#[test]
fn ranges_shrink_with_the_square_of_the_interval() {
    use Op::*;
    // t² − 2 t + 1 + sin(5 t)·cos(3 t), whose terms know nothing of each other.
    let ops = vec![
        Time,
        Constant(2.0),
        Pow,
        Constant(2.0),
        Time,
        Mul,
        Sub,
        Constant(1.0),
        Add,
        Constant(5.0),
        Time,
        Mul,
        Sin,
        Constant(3.0),
        Time,
        Mul,
        Cos,
        Mul,
        Add,
    ];
    let f = TimeFunction::Program(Program::new(ops).unwrap());
    for t in [0.3, 1.1, 2.7] {
        let excess = |w: f64| {
            let range = f.range(t - w, t + w);
            let samples = (0..=1000).map(|k| f.value(t + w * (f64::from(k) / 500.0 - 1.0)));
            let (lo, hi) = samples.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
            (range.value[1] - hi).max(lo - range.value[0])
        };
        // |f̈| is at most 70 or so; twice the chord's bound of (2 w)²/8.
        for w in [1e-1, 1e-2, 1e-3, 1e-4] {
            assert!(excess(w) <= 70.0 * w * w + 1e-14, "{t} ± {w}: {:.1e}", excess(w));
        }
        let rate = f.range(t - 1e-4, t + 1e-4).rate;
        assert!(rate[1] - rate[0] < 0.02, "{rate:?}");
    }
}

/// Waves and splines are bounded by their turning points themselves.
#[test]
fn turning_points_are_exact() {
    use Op::*;
    let wave = TimeFunction::Program(Program::new(vec![Constant(7.0), Time, Mul, Sin]).unwrap());
    let [lo, hi] = wave.range(0.1, 0.6).value;
    assert!(hi == 1.0 && (lo - libm::sin(4.2)).abs() < 1e-14, "{lo} {hi}");
    let points = [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)];
    let spline = TimeFunction::Table(Table::new(&points, Interpolation::Cubic).unwrap());
    // 1.5 s − 0.5 s³ rises to its greatest value, 1, at the middle point.
    let range = spline.range(0.2, 1.7);
    assert!((range.value[1] - 1.0).abs() < 3e-14, "{range:?}");
    let overshoot = [(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 0.0)];
    let spline = TimeFunction::Table(Table::new(&overshoot, Interpolation::Cubic).unwrap());
    let largest = spline.range(0.0, 3.0).value[1];
    let sampled = (0..=3000).map(|k| spline.value(f64::from(k) / 1000.0)).fold(0.0, f64::max);
    assert!(sampled > 1.05 && (largest - sampled).abs() < 1e-6, "{sampled} {largest}");
}
