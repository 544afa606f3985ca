//! As the ball grows stiffer, its bounces become the rigid ball's.

use carom_engine::record::EventKind;
use carom_examples_test::{Memory, load, run};

/// Times at which contacts begin.
fn begins(stiffness: &str) -> Vec<f64> {
    let loaded = load("bouncing-ball", &[&format!("params.K={stiffness} N/m^1.5")]);
    let mut recorder = Memory { keeps_events: true, ..Memory::default() };
    run(&loaded, &mut recorder);
    let begins = recorder.events.iter().filter(|e| e.kind == EventKind::ContactBegin);
    begins.map(|e| e.time).collect()
}

/// Contact takes 2.94 d/v for a penetration d that goes like K^(-2/5), and so does the delay.
#[test]
fn bounces_converge_to_the_rigid_ball() {
    let (drop, e, gravity) = (1.0_f64, 0.8_f64, 9.81);
    let fall = (2.0 * drop / gravity).sqrt();
    for bounce in 1..5 {
        let rigid = fall * (1.0 + 2.0 * (1..=bounce).map(|k| e.powi(k)).sum::<f64>());
        let errors = ["1e7", "1e9", "1e11", "1e13"].map(|k| (begins(k)[bounce as usize] - rigid).abs());
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log10() / 2.0;
            // Terms of higher order: the second penetration, K^(-4/5), at K = 1e7.
            assert!((order - 0.4).abs() < 0.02, "bounce {bounce}: order {order}, {errors:?}");
        }
        assert!(errors[3] < 1e-4, "{errors:?}");
    }
}
