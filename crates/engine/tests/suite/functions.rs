//! Functions of time: bounds over intervals, and the times at which they go from branch to branch.

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

/// Value of an expression with the branches that it had at another time: those noted first are taken again.
fn value_on_branches(ops: &[Op], t: f64, branches: &mut Vec<f64>, known: bool) -> f64 {
    use Op::*;
    let mut stack: Vec<f64> = Vec::new();
    let mut place = 0;
    let mut branch = |now: f64| {
        if !known {
            branches.push(now);
        }
        place += 1;
        branches[place - 1]
    };
    for op in ops {
        let b = stack.pop().unwrap_or(0.0);
        let made = match op {
            Constant(_) | Time => {
                stack.push(b);
                if let Constant(c) = op { *c } else { t }
            }
            Neg => -b,
            Sqrt => b.sqrt(),
            Sin => libm::sin(b),
            Cos => libm::cos(b),
            Tan => libm::tan(b),
            Floor => branch(b.floor()),
            Abs => b * branch(if b < 0.0 { -1.0 } else { 1.0 }),
            Add | Sub | Mul | Div | Pow | Atan2 | Min | Max => {
                let a = stack.pop().unwrap();
                match op {
                    Add => a + b,
                    Sub => a - b,
                    Mul => a * b,
                    Div => a * (1.0 / b),
                    Pow => libm::pow(a, b),
                    Atan2 => libm::atan2(a, b),
                    Min => {
                        if branch(f64::from(u8::from(a <= b))) == 1.0 {
                            a
                        } else {
                            b
                        }
                    }
                    _ => {
                        if branch(f64::from(u8::from(a >= b))) == 1.0 {
                            a
                        } else {
                            b
                        }
                    }
                }
            }
        };
        stack.push(made);
    }
    stack.pop().unwrap()
}

/// From one break to the next an expression is what its branches at the first one make of it, to the bit.
#[test]
fn no_break_is_missed() {
    let mut random = SplitMix64::new(5);
    let mut found = 0;
    for round in 0..1500 {
        let mut ops = Vec::new();
        expression(&mut random, 2 + round % 4, &mut ops);
        // The first operand that pops an empty stack does not matter.
        let Some(program) = Program::new(ops.clone()) else { continue };
        let f = TimeFunction::Program(program);
        let (mut from, end) = (random.uniform(0.0, 2.0), 3.0);
        for _ in 0..40 {
            let next = f.next_break(from, end).unwrap_or_else(|fault| panic!("{f:?}: {fault:?}"));
            let until = next.unwrap_or(end);
            let mut branches = Vec::new();
            let first = from + 1e-13;
            value_on_branches(&ops, first, &mut branches, false);
            for k in 1..=100 {
                let t = (from + (until - from) * f64::from(k) / 100.0).min(until.next_down());
                if t > first {
                    let (here, there) = (f.value(t), value_on_branches(&ops, t, &mut branches, true));
                    // Where a difference touches zero, rounding may decide.
                    let same =
                        here == there || (here - there).abs() < 1e-12 * here.abs().max(1.0) || here.is_nan();
                    assert!(same, "round {round}: {f:?} from {from} to {until} at {t}: {here} {there}");
                }
            }
            let Some(next) = next else { break };
            found += 1;
            from = next;
        }
    }
    assert!(found > 1000, "{found}");
}

/// Breaks are where they are to the last bit, also thousands of them, and wherever a search begins.
#[test]
fn breaks_are_exact() {
    use Op::*;
    let steps = TimeFunction::Program(Program::new(vec![Constant(7.3), Time, Mul, Floor]).unwrap());
    let mut from = 0.0;
    for k in 1..2000 {
        let time = steps.next_break(from, 1e3).unwrap().unwrap();
        let k = f64::from(k);
        assert!(steps.value(time) == k && steps.value(time.next_down()) == k - 1.0, "{k}");
        assert!((time - k / 7.3).abs() <= 2.0 * f64::EPSILON * time);
        let start = from + 0.37 * (time - from);
        assert_eq!(steps.next_break(start, time + 0.01).unwrap(), Some(time));
        from = time;
    }
    // max(0, sin 50 t) bends at k π/50.
    let ops = vec![Constant(0.0), Constant(50.0), Time, Mul, Sin, Max];
    let half = TimeFunction::Program(Program::new(ops).unwrap());
    let mut from = 0.01;
    for k in 1..200 {
        let time = half.next_break(from, 100.0).unwrap().unwrap();
        let place = f64::from(k) * std::f64::consts::PI / 50.0;
        assert!((time - place).abs() < 4.0 * f64::EPSILON * place, "{time} {place}");
        from = time;
    }
}

/// Branches that make no difference are no breaks: two that are the same, one that touches zero, one that is not taken.
#[test]
fn branches_without_a_difference_are_no_breaks() {
    use Op::*;
    let next = |ops: &[Op], from: f64| {
        TimeFunction::Program(Program::new(ops.to_vec()).unwrap()).next_break(from, 3.0).unwrap()
    };
    // max(sin t, |sin t|) is the sine until π.
    assert_eq!(next(&[Time, Sin, Time, Sin, Abs, Max], 0.01), None);
    // |1 − cos(t − 1)|, |t² − 2 t + 1|
    assert_eq!(next(&[Constant(1.0), Time, Constant(1.0), Sub, Cos, Sub, Abs], 0.0), None);
    let square = [Time, Time, Mul, Constant(2.0), Time, Mul, Sub, Constant(1.0), Add, Abs];
    assert_eq!(next(&square, 0.0), None);
    // min(−1, |t − 1|), floor(½ + 0 t)
    assert_eq!(next(&[Constant(-1.0), Time, Constant(1.0), Sub, Abs, Min], 0.0), None);
    // max(0, t − 1)³ is smooth but in its third derivative.
    let cube = [Constant(0.0), Time, Constant(1.0), Sub, Max, Constant(3.0), Pow];
    assert_eq!(next(&cube, 0.0), Some(1.0_f64.next_up()));
}

/// A search that would take too long says how far it came: |1.5 + sin ωt + cos ωt| keeps away from zero, but bounds show that
/// only within a small part of each of very many periods.
#[test]
fn a_search_without_end_is_given_up() {
    use Op::*;
    let angle = [Constant(1e9), Time, Mul];
    let ops = [&[Constant(1.5)], &angle[..], &[Sin, Add], &angle[..], &[Cos, Add, Abs]].concat();
    let fault = TimeFunction::Program(Program::new(ops).unwrap()).next_break(0.0, 1.0).unwrap_err();
    assert!(fault.clear_to > 0.0 && fault.clear_to < 1.0, "{fault:?}");
}

/// A value that jumps is told from one that bends: t − ⌊t⌋ jumps, |t − ⌊t⌋ − ½| does not.
#[test]
fn jumps_of_the_value_are_told_from_bends() {
    use Op::*;
    let of = |ops: &[Op]| {
        TimeFunction::Program(Program::new(ops.to_vec()).unwrap()).first_jump(0.5, 30.0).unwrap()
    };
    let saw = [Time, Time, Floor, Sub];
    let jump = of(&saw).unwrap();
    assert_eq!(jump.time, 1.0);
    assert!((jump.values[0] - 1.0).abs() < 1e-15 && jump.values[1] == 0.0);
    assert_eq!(of(&[&saw[..], &[Constant(0.5), Sub, Abs]].concat()), None);
    let steep = Table::new(&[(0.0, 0.0), (1.0, 0.0), (1.0 + 1e-12, 2.0)], Interpolation::Linear).unwrap();
    assert_eq!(TimeFunction::Table(steep).first_jump(0.0, 2.0).unwrap().unwrap().values, [0.0, 2.0]);
}
