//! The rigid rattleback that rolls without sliding, from its own equations.

use carom_examples_test::load;

type Vec3 = [f64; 3];

const SEMI_AXES: Vec3 = [0.2, 0.03, 0.02];
/// From the centre of the ellipsoid down to the centre of mass.
const LOW: f64 = 0.01;
const GRAVITY: f64 = 9.81;
/// Moments xx, yy, zz and product xy about the centre of mass, per mass.
const INERTIA: [f64; 4] = [2e-4, 16e-4, 17e-4, -2e-5];

fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a + s b
fn add(a: Vec3, s: f64, b: Vec3) -> Vec3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// The solution of the equations with the given rows, by Cramer's rule.
fn solve(rows: [Vec3; 3], right: Vec3) -> Vec3 {
    let sums = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])];
    let determinant = dot(rows[0], sums[0]);
    [0, 1, 2].map(|i| (0..3).map(|k| right[k] * sums[k][i]).sum::<f64>() / determinant)
}

/// Rates of the vertical u and the angular velocity w, all in the stone's axes and per mass.
///
/// With p from the centre of mass to the contact, v = −w × p, and the floor's force is v̇ + w × v + g u with the moment
/// p × force.
fn rates(u: Vec3, w: Vec3) -> (Vec3, Vec3) {
    let scaled = |x: Vec3| [0, 1, 2].map(|i| SEMI_AXES[i] * SEMI_AXES[i] * x[i]);
    let u_rate = cross(u, w);
    let h = dot(u, scaled(u)).sqrt();
    let h_rate = dot(u, scaled(u_rate)) / h;
    let p = add([0.0, 0.0, LOW], -1.0 / h, scaled(u));
    let p_rate = add(scaled(u).map(|x| x * h_rate / (h * h)), -1.0 / h, scaled(u_rate));
    let v = cross(p, w);
    let [xx, yy, zz, xy] = INERTIA;
    let momentum = [xx * w[0] + xy * w[1], xy * w[0] + yy * w[1], zz * w[2]];
    // The force without the share of the angular acceleration, which is on the left as p × (ẇ × p).
    let force = add(add(cross(p_rate, w), 1.0, cross(w, v)), GRAVITY, u);
    let right = add(cross(momentum, w), 1.0, cross(p, force));
    let tensor = [[xx, xy, 0.0], [xy, yy, 0.0], [0.0, 0.0, zz]];
    let rows = [0, 1, 2].map(|i| {
        let mut row = add(tensor[i], -p[i], p);
        row[i] += dot(p, p);
        row
    });
    (u_rate, solve(rows, right))
}

/// Angular velocity about the vertical at a time, by the classical Runge–Kutta method.
fn spin_at(time: f64) -> f64 {
    let (roll, pitch) = (0.5_f64.to_radians(), 0.5_f64.to_radians());
    let mut u = [-pitch.sin(), roll.sin() * pitch.cos(), roll.cos() * pitch.cos()];
    let mut w = u.map(|x| -5.0 * x);
    let steps = (time / 1e-4).round() as usize;
    let step = time / steps as f64;
    for _ in 0..steps {
        let (a, b) = rates(u, w);
        let (c, d) = rates(add(u, step / 2.0, a), add(w, step / 2.0, b));
        let (e, f) = rates(add(u, step / 2.0, c), add(w, step / 2.0, d));
        let (g, h) = rates(add(u, step, e), add(w, step, f));
        u = add(add(u, step / 6.0, add(a, 1.0, g)), step / 3.0, add(c, 1.0, e));
        w = add(add(w, step / 6.0, add(b, 1.0, h)), step / 3.0, add(d, 1.0, f));
    }
    dot(u, w)
}

#[test]
fn stated_spins_are_those_of_rolling() {
    let source = load("rattleback", &[]).source;
    for (moment, time) in [("0.5 s", 0.5), ("1 s", 1.0), ("2 s", 2.0)] {
        let key = format!("\"stone.wz @ {moment}\"");
        let line = source.lines().find(|line| line.starts_with(&key)).expect("an expectation");
        let stated: f64 = line.split('"').nth(3).unwrap().trim_end_matches(" rad/s").parse().unwrap();
        assert!((stated - spin_at(time)).abs() < 1e-4, "{moment}: {stated} {}", spin_at(time));
    }
}
