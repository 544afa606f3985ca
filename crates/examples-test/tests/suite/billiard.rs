//! The break at a loose tolerance is the break at a tight one, and what makes the balls hop.

use carom_engine::record::{Event, EventKind};
use carom_engine::{EndReason, System};
use carom_examples_test::{Memory, load, run};

/// The first ten collisions between balls.
fn collisions(rtol: &str) -> Vec<(String, Event)> {
    let loaded = load("billiard", &[&format!("solver.rtol={rtol}"), "solver.t_end=0.5 s"]);
    let system = System::compile(&loaded.model).expect("a sound model");
    let info = system.info();
    let mut recorder = Memory { keeps_events: true, ..Memory::default() };
    assert_eq!(run(&loaded, &mut recorder).end, EndReason::Finished);
    let pair = |event: &Event| &info.pairs[info.contacts[event.contact].pair];
    let begins = recorder.events.iter().filter(|e| e.kind == EventKind::ContactBegin);
    let between_balls = begins.filter(|e| pair(e).line == "balls");
    between_balls.take(10).map(|e| (pair(e).name.clone(), *e)).collect()
}

#[test]
fn first_ten_collisions_do_not_depend_on_the_tolerance() {
    let (loose, tight) = (collisions("1e-6"), collisions("1e-11"));
    assert_eq!((loose.len(), tight.len()), (10, 10));
    for ((loose_pair, loose), (tight_pair, tight)) in loose.iter().zip(&tight) {
        assert_eq!(loose_pair, tight_pair);
        assert!((loose.time - tight.time).abs() < 1e-6, "{loose_pair}: {} {}", loose.time, tight.time);
        assert!((loose.position - tight.position).norm() < 1e-6, "{loose_pair}: {loose:?} {tight:?}");
    }
}

/// Hops of the cue ball (m) with friction between the balls: the first one, and the highest one that is left
/// half a second after the break.
fn hops(cloth: &str, gap: &str) -> (f64, f64) {
    let loaded = load(
        "billiard",
        &[
            "params.mu_balls=0.06",
            &format!("law.cloth.point.normal={cloth}"),
            &format!("params.gap={gap}"),
            "solver.rtol=1e-6",
            "solver.t_end=1 s",
            "output.every=1 ms",
        ],
    );
    let cue = loaded.model.bodies.iter().position(|body| body.name == "cue.ball");
    let mut recorder = Memory { follows: cue, ..Memory::default() };
    assert_eq!(run(&loaded, &mut recorder).end, EndReason::Finished);
    let highest = |from: f64, to: f64| {
        let heights = recorder.heights.iter().filter(|(time, _)| (from..to).contains(time));
        heights.map(|(_, z)| z - 0.03).fold(f64::NEG_INFINITY, f64::max)
    };
    (highest(0.36, 0.385), highest(0.86, 1.0))
}

/// Fig. 14 of Corral et al. 2021: on an elastic cloth hopping never ends, more of it in a close rack; damping cures it.
#[test]
fn hopping_goes_on_only_on_an_elastic_cloth() {
    let (wide, wide_late) = hops("none", "20 mm");
    let (close, close_late) = hops("none", "0.1 mm");
    assert!(close > 1.1 * wide, "{close} {wide}");
    assert!(close_late > 1.05 * wide_late && wide_late > 0.5e-3, "{close_late} {wide_late}");

    let (wide, wide_late) = hops("elastic-response", "20 mm");
    let (close, close_late) = hops("elastic-response", "0.1 mm");
    assert!(close > 1.1 * wide, "{close} {wide}");
    assert!(close_late < 0.0 && wide_late < 0.0, "{close_late} {wide_late}");
    // One ball hit alone takes the whole speed over, v = 2.117 m/s, 7 degrees off its centre. The cue ball
    // rolls, its front going down, so that friction lifts it with a share mu of that.
    let lifted = 0.06 * 2.117 * 7.3_f64.to_radians().cos();
    let hop = lifted * lifted / (2.0 * 9.81);
    assert!((wide / hop - 1.0).abs() < 0.02, "{wide} {hop}");
}
