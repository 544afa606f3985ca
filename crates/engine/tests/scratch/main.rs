#![allow(dead_code, missing_docs)]
#[path = "../suite/rigid.rs"]
mod rigid;
#[path = "../suite/scene.rs"]
mod scene;
#[test]
fn debug() {
    use rigid::*;
    let bodies = vec![scene::floor(), scene::ball("ball", 1.0, 0.1, carom_math::Vec3::new(0.0, 0.0, 1.1))];
    let (outcome, kept) = scene::run_any(&make(bodies, law_of(0.8, 0.0), 5.0));
    for e in kept.events.iter().rev().take(12).rev() {
        println!("{:.12} {:?} gap {:e} approach {:e}", e.time, e.kind, e.gap, e.approach_speed);
    }
    for s in kept.steps.iter().rev().take(6).rev() {
        println!("{:?}", s);
    }
    println!("{:?}", outcome.end);
}
#[test]
fn debug2() {
    use rigid::*;
    let mut thrown = scene::block(
        "box",
        1.0,
        carom_math::Vec3::new(0.2, 0.3, 0.4),
        carom_math::Pose::from_translation(carom_math::Vec3::new(0.0, 0.0, 0.5)),
    );
    thrown.angular_velocity = carom_math::Vec3::new(1.0, 2.0, -0.5);
    thrown.velocity = carom_math::Vec3::new(1.0, 0.0, 0.0);
    let (outcome, kept) = scene::run_any(&make(vec![scene::floor(), thrown], law_of(0.3, 0.4), 1.0));
    for e in kept.events.iter().rev().take(12).rev() {
        println!("{:.12} {:?} {} gap {:e} approach {:e}", e.time, e.kind, e.contact, e.gap, e.approach_speed);
    }
    println!("{:?} {:?}", outcome.end, outcome.statistics);
}
#[test]
fn debug3() {
    use rigid::*;
    let mut spinning = scene::ball("ball", 1.0, 0.1, carom_math::Vec3::new(0.0, 0.0, 0.1));
    spinning.velocity = carom_math::Vec3::new(2.0, 0.0, 0.0);
    spinning.angular_velocity = carom_math::Vec3::new(-30.0, 5.0, 40.0);
    let (outcome, kept) = scene::run_any(&make(vec![scene::floor(), spinning], law_of(0.0, 0.3), 2.0));
    for e in kept.events.iter().rev().take(12).rev() {
        println!("{:.12} {:?} {} gap {:e} approach {:e}", e.time, e.kind, e.contact, e.gap, e.approach_speed);
    }
    let slip = carom_math::Vec3::new(2.0 - 0.5, -3.0, 0.0);
    println!("{:?} expected {:.12}", outcome.end, 2.0 * slip.norm() / (7.0 * 0.3 * 9.81));
}
