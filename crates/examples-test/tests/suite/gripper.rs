//! Where friction no longer holds the ball.

use carom_engine::EndReason;
use carom_examples_test::{Memory, load, run};

/// Speed of the ball (m/s) against the hand, towards the end of the time in which the hand speeds up.
fn slip(squeeze: f64) -> f64 {
    let squeeze = format!("params.squeeze={squeeze} N");
    let loaded = load("gripper", &[&squeeze, "solver.t_end=0.59 s", "expect={}"]);
    let outcome = run(&loaded, &mut Memory::default());
    assert_eq!(outcome.end, EndReason::Finished);
    let speed = |name: &str| {
        let body = loaded.model.bodies.iter().position(|body| body.name == name).expect("it is there");
        outcome.bodies[body].velocity.z
    };
    speed("hand") - speed("ball")
}

/// 2 μ N = m (g + a) with μ = 0.25, m = 0.2 kg, a = 2 m/s².
#[test]
fn the_ball_slips_below_the_closed_form() {
    let least = 0.2 * (9.81 + 2.0) / (2.0 * 0.25);
    let held = slip(1.001 * least);
    assert!((0.0..1e-4).contains(&held), "{held}");
    // What friction lacks is the ball's acceleration against the hand, for 0.29 s.
    for share in [0.99, 0.97] {
        let (slipping, wanted) = (slip(share * least), (1.0 - share) * (9.81 + 2.0) * 0.29);
        assert!((slipping / wanted - 1.0).abs() < 0.01, "{slipping} {wanted}");
    }
}
