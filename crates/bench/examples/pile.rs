//! Spheres that fall into a box, by `moreau`: `pile N STEPS [STEP]`. Prints one JSON line: processor time of a step, penetration and
//! kinetic energy.
#![allow(missing_docs, clippy::print_stdout)]

use std::fmt::Write;
use std::time::Instant;

use carom::{Overrides, Study};
use carom_engine::Simulation;
use carom_engine::record::{Frame, RecordError, Recorder};
use carom_math::Vec3;

const RADIUS: f64 = 0.05;
const SPACING: f64 = 0.102;
const MASS: f64 = 1.0;

/// Numbers evenly from 0 to 1 (Steele, Lea & Flood 2014).
struct SplitMix(u64);

impl SplitMix {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

struct Nothing;
impl Recorder for Nothing {
    fn frame(&mut self, _frame: &Frame<'_>) -> Result<(), RecordError> {
        Ok(())
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |usual: f64| arguments.next().map_or(usual, |text| text.parse().expect("a number"));
    let (count, steps, step) = (number(1000.0) as usize, number(130.0) as usize, number(1e-3));
    let (text, half) = scene(count, steps as f64 * step, step);
    let study = Study::parse("pile", &text, ".".as_ref(), &Overrides::default()).expect("a sound model");
    let mut simulation = Simulation::new(study.system());
    let mut times = Vec::new();
    let end = steps as f64 * step;
    while simulation.time() < end - 0.5 * step {
        let start = clock();
        simulation.step_toward(end, &mut Nothing).expect("it runs");
        times.push(clock() - start);
    }
    let outcome = simulation.finish(&mut Nothing).expect("it ends");
    let last = &times[2 * times.len() / 3..];
    let balls = &outcome.bodies[1..];
    let kinetic: f64 = balls.iter().map(|b| 0.5 * MASS * b.velocity.norm_squared()).sum();
    let positions: Vec<Vec3> = balls.iter().map(|b| b.position).collect();
    let floor = positions.iter().fold(0.0_f64, |m, p| m.max(RADIUS - p.z));
    let wall = positions.iter().fold(0.0_f64, |m, p| m.max(p.x.abs().max(p.y.abs()) + RADIUS - half));
    println!(
        "{{\"peer\":\"carom moreau\",\"N\":{count},\"steps\":{},\"us_per_step_all\":{:.1},\"us_per_step_last_third\":{:.1},\"ke_per_body\":{:.4e},\"max_pen_pair_mm\":{:.3e},\"max_pen_floor_mm\":{:.3e},\"max_pen_wall_mm\":{:.3e},\"energy_residual\":{:.2e},\"events\":{},\"iterations\":{}}}",
        times.len(),
        1e6 * times.iter().sum::<f64>() / times.len() as f64,
        1e6 * last.iter().sum::<f64>() / last.len() as f64,
        kinetic / count as f64,
        1e3 * deepest(&positions),
        1e3 * floor,
        1e3 * wall,
        outcome.residual_relative,
        outcome.statistics.events,
        outcome.statistics.newton_iterations,
    );
}

/// Deepest penetration of two balls (m).
fn deepest(positions: &[Vec3]) -> f64 {
    let mut order: Vec<&Vec3> = positions.iter().collect();
    order.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut deepest = 0.0_f64;
    for (i, a) in order.iter().enumerate() {
        for b in order[i + 1..].iter().take_while(|b| b.x - a.x < 2.0 * RADIUS) {
            deepest = deepest.max(2.0 * RADIUS - (*b - *a).norm());
        }
    }
    deepest
}

/// The model, and half the width of the box (m).
fn scene(count: usize, t_end: f64, step: f64) -> (String, f64) {
    let across = (count as f64).cbrt().ceil() as usize;
    let half = across as f64 * SPACING / 2.0 + 0.005;
    let mut random = SplitMix(42);
    let mut text = String::from(
        "format = 1\n[world]\ngravity = [0, 0, \"-9.81 m/s^2\"]\n[law.rigid]\nmu = 0.3\nnonsmooth = { e_n = 0.0 }\n\
         [body.box]\nfixed = true\nshape.floor = { type = \"half-space\", normal = \"+z\" }\n",
    );
    for (name, normal, at) in [
        ("px", "-x", [half, 0.0]),
        ("nx", "+x", [-half, 0.0]),
        ("py", "-y", [0.0, half]),
        ("ny", "+y", [0.0, -half]),
    ] {
        let _ = writeln!(
            text,
            "shape.{name} = {{ type = \"half-space\", normal = \"{normal}\", at = [{}, {}, 0] }}",
            at[0], at[1]
        );
    }
    for i in 0..count {
        let place = |k: usize| (k as f64 - (across as f64 - 1.0) / 2.0) * SPACING;
        let [jitter_x, jitter_y] = [(); 2].map(|()| (random.unit() - 0.5) * 0.0016);
        let x = place(i % across) + jitter_x;
        let y = place(i / across % across) + jitter_y;
        let z = 0.051 + (i / across / across) as f64 * SPACING;
        let _ = writeln!(
            text,
            "[body.b{i}]\nmass = {MASS}\ninertia = {}\npos = [{x}, {y}, {z}]\nshape = {{ type = \"sphere\", radius = {RADIUS} }}",
            0.4 * MASS * RADIUS * RADIUS
        );
    }
    let _ = write!(
        text,
        "[contact]\nbox = {{ a = \"box.*\", b = \"b*\", method = \"nonsmooth\", law = \"rigid\" }}\n\
         balls = {{ a = \"b*\", b = \"b*\", method = \"nonsmooth\", law = \"rigid\" }}\n\
         [solver]\nmethod = \"moreau\"\nstep = {step}\nt_end = {t_end}\n[output]\nevery = {t_end}\n"
    );
    (text, half)
}

/// Processor time of the thread where the system tells it, else the wall's (s).
fn clock() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let told: Option<f64> = text.split_whitespace().next().and_then(|n| n.parse().ok());
    told.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |ns| 1e-9 * ns)
}
