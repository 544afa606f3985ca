//! Rapier's side of `spheres.py`: `spheres_rapier H STEPS HALF FILE` reads positions, a line each, from FILE, steps them and writes
//! positions, velocities and angular velocities there. Prints the processor time of all steps (s).

use rapier3d_f64::prelude::*;

const RADIUS: f64 = 0.05;
const FRICTION: f64 = 0.3;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize| arguments[k].parse::<f64>().expect("a number");
    let (step, steps, half, file) = (number(0), number(1) as usize, number(2), &arguments[3]);
    let mut world = PhysicsWorld::default();
    world.gravity = Vector::new(0.0, 0.0, -9.81);
    world.integration_parameters.dt = step;
    // Half-spaces as thick boxes.
    let (thick, tall) = (0.1, 5.0);
    let wide = half + 2.0 * thick;
    let mut wall = |place: [f64; 3], size: [f64; 3]| {
        let body = RigidBodyBuilder::fixed().translation(Vector::new(place[0], place[1], place[2]));
        world.insert(body, ColliderBuilder::cuboid(size[0], size[1], size[2]).friction(FRICTION).restitution(0.0));
    };
    wall([0.0, 0.0, -thick], [wide, wide, thick]);
    for side in [-1.0, 1.0] {
        wall([side * (half + thick), 0.0, tall], [thick, wide, tall]);
        wall([0.0, side * (half + thick), tall], [wide, thick, tall]);
    }
    let density = 1.0 / (4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3));
    let text = std::fs::read_to_string(file).expect("positions");
    let balls: Vec<_> = text
        .lines()
        .map(|line| {
            let at: Vec<f64> = line.split_whitespace().map(|x| x.parse().expect("a number")).collect();
            let body = RigidBodyBuilder::dynamic().translation(Vector::new(at[0], at[1], at[2])).can_sleep(false);
            let ball = ColliderBuilder::ball(RADIUS).density(density).friction(FRICTION).restitution(0.0);
            world.insert(body, ball).0
        })
        .collect();
    let start = processor_time();
    (0..steps).for_each(|_| world.step());
    let spent = processor_time() - start;
    let lines = balls.iter().map(|ball| {
        let body = &world.bodies[*ball];
        let (p, v, w) = (body.translation(), body.linvel(), body.angvel());
        format!("{:e} {:e} {:e} {:e} {:e} {:e} {:e} {:e} {:e}\n", p.x, p.y, p.z, v.x, v.y, v.z, w.x, w.y, w.z)
    });
    std::fs::write(file, lines.collect::<String>()).expect("a file");
    println!("{spent}");
}

/// Of the process (s).
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    1e-9 * text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok()).expect("a number")
}
