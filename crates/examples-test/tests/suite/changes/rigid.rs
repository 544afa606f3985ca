//! Changes of the examples of rigid contact.

use super::Change;

pub(super) const CHANGES: &[Change] = &[
    ("brick-wall", "component.half.body.b.mass=2 kg", &["ground.fn @ 60 ms"]),
    (
        "brick-wall",
        r#"body.ball.vel=["0.3 m/s", "5 m/s", "up"]"#,
        &["energy.kinetic @ 60 ms", "hit.begin[0].time", "hit.begin[0].approach_speed", "ball.x final"],
    ),
    ("brick-wall", "solver.step=25 ms", &["energy.residual_relative final"]),
    ("brush", "force.spring.length=35 mm", &["slide.fn @ still"]),
    ("brush", "law.copper.mu=0", &["brush.plane.q2 @ 20 ms", "brush.plane.q2 final"]),
    ("brush", "solver.step=50 us", &["energy.residual_relative final"]),
    // Discs whose centres of mass are off their middles.
    (
        "disc-pile",
        r#"component.disc.body.disc={ mass = "3 g", inertia = "0.2 kg*mm^2", com = ["1 mm", 0], shape = { type = "circle", radius = "radius" } }"#,
        &["floor.fn final", "energy.residual_relative final"],
    ),
    ("disc-pile", "solver.t_end=0.2 s", &["energy.kinetic final"]),
    (
        "falling-chain",
        r#"world.gravity=[0, "-9 m/s^2"]"#,
        &["chain[20].link.y @ fall", "energy.mechanical @ fall"],
    ),
    ("falling-chain", "solver.rtol=1e-3", &["energy.residual_relative final"]),
    ("funnel", r#"world.gravity=[0, 0, "-9 m/s^2"]"#, &["energy.kinetic @ 0.1 s", "walls.begin[0].time"]),
    ("funnel", "solver.t_end=0.25 s", &["floor.begin count"]),
    (
        "funnel",
        r#"component.marble.body.ball.inertia=["0.2 kg*mm^2", "0.4 kg*mm^2", "0.4 kg*mm^2"]"#,
        &["energy.residual_relative final"],
    ),
    ("gear-rattle", "body.pinion.shape.backlash=0.25 mm", &["teeth.impact[0].time"]),
    (
        "gear-rattle",
        "law.steel.nonsmooth.e_n=0.5",
        &["axle.v @ t_hit + 1 ms", "energy.dissipated_impact @ t_hit + 1 ms"],
    ),
    ("gear-rattle", "solver.rtol=1e-3", &["energy.residual_relative final"]),
    ("painleve", "law.rough.nonsmooth.mu=1", &["drawn.fn @ 0 s"]),
    ("painleve", r#"world.gravity=[0, 0, "-9 m/s^2"]"#, &["pushed.z final"]),
    ("painleve", r#"body.pushed.omega=[0, "4.1 rad/s", 0]"#, &["pushed.wy final"]),
    ("painleve", "solver.rtol=1e-3", &["energy.residual_relative final"]),
    (
        "rigid-contact",
        r#"body.drop.vel=[0, 0, "-1 mm/s"]"#,
        &["drop.impact[0].time", "drop.impact[1].time", "drop.impact[9].time"],
    ),
    ("rigid-contact", "law.dull.nonsmooth.e_n=0.9", &["drop.z final", "drop.vz final"]),
    (
        "rigid-contact",
        "law.super.nonsmooth.e_t=0.9",
        &["super.vx @ 0.6 s", "super.wy @ 0.6 s", "super.vx @ 1.6 s"],
    ),
    (
        "rigid-contact",
        "law.felt.mu=0.02",
        &["slide.vx @ t_roll/2", "slide.vx final", "slide.wy final", "energy.dissipated_friction final"],
    ),
    (
        "rigid-contact",
        r#"body.block.shape.size=["width", "0.3 m", "0.79 m"]"#,
        &["block.impact[0].approach_speed", "energy.dissipated_impact @ 0.4 s"],
    ),
    (
        "rigid-contact",
        "law.stone.nonsmooth.e_n=0.1",
        &["block.impact[2].approach_speed", "block.impact[4].approach_speed"],
    ),
    ("rigid-contact", "solver.rtol=1e-3", &["energy.residual_relative final"]),
    (
        "rigid-cradle",
        r#"world.gravity=[0, 0, "-9.5 m/s^2"]"#,
        &[
            "poisson_balls.impact[0].time",
            "poisson_balls[poisson[0].ball|poisson[1].ball].impact[1].time",
            "poisson[0].ball.vx @ quarter + slow + 1 ms",
        ],
    ),
    (
        "rigid-cradle",
        "law.poisson.nonsmooth.e_n=0.9",
        &[
            "poisson[0].ball.vx @ quarter + 1 ms",
            "poisson[1].ball.vx @ quarter + 1 ms",
            "poisson[4].ball.vx @ quarter + 1 ms",
            "apart[0].ball.speed @ quarter + 1 ms",
            "apart[3].ball.speed @ quarter + 1 ms",
            "apart[4].ball.vx @ quarter + 1 ms",
            "energy.dissipated_impact final",
        ],
    ),
    (
        "rigid-cradle",
        "law.newton.nonsmooth.e_n=0.9",
        &["newton[0].ball.vx @ quarter + 1 ms", "newton[4].ball.vx @ quarter + 1 ms"],
    ),
    ("rigid-cradle", "solver.rtol=1e-3", &["energy.residual_relative final"]),
    ("woodpecker", "law.beak.nonsmooth.e_n=0.9", &["beak.impact[1].time"]),
    (
        "woodpecker",
        "joint.hinge.spring.stiffness=0.0065 N*m/rad",
        &["sleeve.impact[32].time", "sleeve.impact[33].time"],
    ),
    ("woodpecker", "solver.rtol=1e-3", &["energy.residual_relative final"]),
];
