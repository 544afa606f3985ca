//! Contacts with friction: closed forms, cones with facets, problems drawn at random, and such that have no solution.

use carom_solvers::complementarity::{Lcp, enumerate};
use carom_solvers::friction::{BadProblem, BlockMatrix, Failure, FrictionProblem, Options, Solution, Triple};
use carom_testkit::SplitMix64;

/// Rows of contacts over the velocities of rigid bodies, and W = H M⁻¹ Hᵀ of them.
struct Scene {
    /// 1/m and 1/J of each body, a sphere.
    inverse: Vec<[f64; 2]>,
    /// Three rows of each contact, over six velocities a body.
    rows: Vec<[Vec<f64>; 3]>,
    /// Normal and tangents of each contact.
    axes: Vec<[[f64; 3]; 3]>,
    /// Bodies move along x and y and turn about z alone.
    is_planar: bool,
}

impl Scene {
    fn new(inverse: Vec<[f64; 2]>) -> Self {
        Self { inverse, rows: Vec::new(), axes: Vec::new(), is_planar: false }
    }

    /// A contact of body b with a, or with the ground, at these arms, its normal towards b.
    fn touch(&mut self, a: Option<(usize, [f64; 3])>, (b, arm): (usize, [f64; 3]), normal: [f64; 3]) {
        let axes = if self.is_planar { aslant(normal) } else { axes(normal) };
        self.axes.push(axes);
        let columns = 6 * self.inverse.len();
        self.rows.push(axes.map(|axis| {
            let mut row = vec![0.0; columns];
            let mut add = |body: usize, arm: [f64; 3], sign: f64| {
                let turning = cross(arm, axis);
                (0..3).for_each(|k| row[6 * body + k] += sign * axis[k]);
                (0..3).for_each(|k| row[6 * body + 3 + k] += sign * turning[k]);
            };
            add(b, arm, 1.0);
            if let Some((a, arm)) = a {
                add(a, arm, -1.0);
            }
            row
        }));
    }

    fn free(&self, velocity: &[f64]) -> Vec<Triple> {
        let dot = |row: &Vec<f64>| row.iter().zip(velocity).map(|(a, b)| a * b).sum();
        self.rows.iter().map(|rows| rows.each_ref().map(dot)).collect()
    }

    fn delassus(&self) -> Vec<f64> {
        let n = 3 * self.rows.len();
        let row = |i: usize| &self.rows[i / 3][i % 3];
        let mut w = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let moves = |k: &usize| !(self.is_planar && (2..5).contains(&(k % 6)));
                let weighted = |k: usize| row(i)[k] * self.inverse[k / 6][(k % 6) / 3] * row(j)[k];
                w[n * i + j] = (0..row(i).len()).filter(moves).map(weighted).sum();
            }
        }
        w
    }

    fn problem(&self, velocity: &[f64], mu: f64) -> FrictionProblem {
        let n = self.rows.len();
        let delassus = BlockMatrix::from_dense(&self.delassus(), n);
        FrictionProblem::new(delassus, self.free(velocity), vec![mu; n]).expect("a sound problem")
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn axes(n: [f64; 3]) -> [[f64; 3]; 3] {
    let unit = if n[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let t = cross(n, unit);
    let length = t.iter().map(|x| x * x).sum::<f64>().sqrt();
    let t = t.map(|x| x / length);
    [n, t, cross(n, t)]
}

/// Tangents of which both are partly out of the plane (Duff et al. 2017).
fn aslant([x, y, z]: [f64; 3]) -> [[f64; 3]; 3] {
    let a = -1.0 / (1.0 + z);
    [[x, y, z], [1.0 + x * x * a, x * y * a, -x], [x * y * a, 1.0 + y * y * a, -y]]
}

fn solve(problem: &FrictionProblem) -> Solution {
    let solution = problem.solve(None, &Options::default()).expect("a solution");
    assert!(solution.residual <= 1e-10);
    check(problem, &solution);
    solution
}

/// Signorini's and Coulomb's conditions, by themselves: not by the solver's residual.
fn check(problem: &FrictionProblem, solution: &Solution) {
    let largest = problem.velocities(&vec![[0.0; 3]; problem.len()]);
    let speed = largest.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    let press = solution.impulses.iter().fold(1e-300_f64, |m, r| m.max(r[0]));
    for (r, u) in solution.impulses.iter().zip(&solution.velocities) {
        assert!(r[0] >= 0.0 && u[0] >= -1e-8 * speed, "{r:?} {u:?}");
        assert!(r[0] / press * (u[0] / speed) < 1e-7, "{r:?} {u:?}");
    }
}

/// Impulses to a coarse tolerance are in their cones and no farther from an answer than was asked for.
#[test]
fn coarse_answers_are_as_coarse_as_asked_for() {
    let mut rng = SplitMix64::new(11);
    for draw in 0..1000 {
        let (scene, velocity) = random_scene(&mut rng);
        let mu = [0.0, 0.1, 0.3, 0.6][draw % 4];
        let problem = scene.problem(&velocity, mu);
        let tolerance = [1e-4, 1e-3, 1e-2, 0.1][draw / 4 % 4];
        let options = Options { tolerance, limit: tolerance, ..Options::DEFAULT };
        let solution = problem.solve(None, &options).unwrap_or_else(|failed| panic!("draw {draw}: {failed}"));
        assert!(problem.residual(&solution.impulses) <= tolerance, "draw {draw}");
        for r in &solution.impulses {
            assert!(r[0] >= 0.0 && r[1].hypot(r[2]) <= mu * r[0] * (1.0 + 1e-12), "draw {draw}: {r:?}");
        }
    }
}

/// A block of mass m: sticking, slipping against its way, and leaving.
#[test]
fn a_block_on_a_plane() {
    let mut scene = Scene::new(vec![[0.5, 0.0]]);
    scene.touch(None, (0, [0.0; 3]), [0.0, 0.0, 1.0]);
    let of = |velocity: [f64; 3]| {
        let [x, y, z] = velocity;
        solve(&scene.problem(&[x, y, z, 0.0, 0.0, 0.0], 0.4))
    };
    let stuck = of([0.3, 0.0, -1.0]);
    assert!((stuck.impulses[0][0] - 2.0).abs() < 1e-14);
    assert!(stuck.velocities[0].iter().all(|u| u.abs() < 1e-14));
    let slipping = of([0.3, -0.4, -1.0]);
    let [n, a, b] = slipping.impulses[0];
    assert!((n - 2.0).abs() < 1e-14 && (a.hypot(b) - 0.8).abs() < 1e-14);
    let [_, ua, ub] = slipping.velocities[0];
    assert!((ua.hypot(ub) - 0.1).abs() < 1e-14 && (ua * b - ub * a).abs() < 1e-15 && ua * a + ub * b < 0.0);
    let open = of([0.3, 0.0, 1.0]);
    assert_eq!(open.impulses[0], [0.0; 3]);
}

/// A sphere of mass m that falls into a groove of two walls at 60°: without friction each wall takes m v/(2 cos 60°).
#[test]
fn a_sphere_between_walls() {
    let (mass, radius) = (3.0, 0.1);
    let mut scene = Scene::new(vec![[1.0 / mass, 1.0 / (0.4 * mass * radius * radius)]]);
    let (s, c) = (60.0_f64.to_radians().sin(), 60.0_f64.to_radians().cos());
    for side in [-1.0, 1.0] {
        scene.touch(None, (0, [-radius * side * s, 0.0, -radius * c]), [side * s, 0.0, c]);
    }
    let smooth = solve(&scene.problem(&[0.0, 0.0, -1.0, 0.0, 0.0, 0.0], 0.0));
    for r in &smooth.impulses {
        assert!((r[0] - mass / (2.0 * c)).abs() < 1e-9, "{r:?}");
    }
    // With friction that holds, both walls share the fall: 2 (r_N cos + r_T sin) = m v, and nothing moves.
    let rough = solve(&scene.problem(&[0.0, 0.0, -1.0, 0.0, 0.0, 0.0], 2.0));
    assert!(rough.velocities.iter().flatten().all(|u| u.abs() < 1e-10));
}

/// Four corners of a box are one too many: impulses are not unique, motion and sums are.
#[test]
fn a_box_on_four_corners() {
    let mut scene = Scene::new(vec![[1.0 / 7.0, 1.0 / 0.9]]);
    for [x, y] in [[-0.3, -0.2], [-0.3, 0.2], [0.3, -0.2], [0.3, 0.2]] {
        scene.touch(None, (0, [x, y, -0.25]), [0.0, 0.0, 1.0]);
    }
    let solution = solve(&scene.problem(&[0.2, 0.1, -1.0, 0.0, 0.0, 0.0], 0.5));
    let sum: f64 = solution.impulses.iter().map(|r| r[0]).sum();
    assert!((sum - 7.0).abs() < 1e-8, "{sum}");
    assert!(solution.velocities.iter().flatten().all(|u| u.abs() < 1e-9));
    // Slipping: the sum is μ times the weight's impulse, against the way.
    let slips = solve(&scene.problem(&[9.0, 0.0, -1.0, 0.0, 0.0, 0.0], 0.5));
    let [along, across] = [1, 2].map(|k| slips.impulses.iter().map(|r| r[k]).sum::<f64>());
    assert!(((along.hypot(across)) - 3.5).abs() < 1e-7, "{along} {across}");
}

/// One contact with a cone of k facets, as linear complementarity solved by trying all bases: its impulse comes to the round cone's
/// with the square of 1/k.
#[test]
fn facets_of_the_cone_refined() {
    let mut rng = SplitMix64::new(31);
    for _ in 0..40 {
        let g: Vec<f64> = (0..9).map(|_| rng.uniform(-1.0, 1.0)).collect();
        let element = |k: usize| (0..3).map(|m| g[3 * (k / 3) + m] * g[3 * (k % 3) + m]).sum::<f64>();
        let mut w: Vec<f64> = (0..9).map(element).collect();
        (0..3).for_each(|k| w[4 * k] += 0.5);
        let q: Triple = [rng.uniform(-1.0, -0.2), rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0)];
        let mu = rng.uniform(0.0, 0.5);
        let problem = FrictionProblem::new(BlockMatrix::from_dense(&w, 1), vec![q], vec![mu]);
        let round = solve(&problem.expect("a sound problem")).impulses[0];
        let mut last = f64::INFINITY;
        for facets in [4, 8, 14] {
            let edges = faceted(&w, &q, mu, facets);
            let distance = (0..3).map(|k| (edges[k] - round[k]).powi(2)).sum::<f64>().sqrt();
            let size = round.iter().map(|r| r * r).sum::<f64>().sqrt();
            // The direction of slip is off by at most half the angle between edges.
            let bound = 4.0 * mu * std::f64::consts::PI / facets as f64;
            assert!(distance <= bound * size + 1e-9, "{facets} facets: {edges:?} {round:?}");
            last = distance / size.max(1e-300);
        }
        assert!(last < 0.45 * mu + 1e-9);
    }
}

/// r with r_T = Σ β_k d_k, β ≥ 0, Σ β ≤ μ r_N (Stewart & Trinkle 1996).
fn faceted(w: &[f64], q: &Triple, mu: f64, facets: usize) -> Triple {
    let directions: Vec<[f64; 3]> = std::iter::once([1.0, 0.0, 0.0])
        .chain((0..facets).map(|k| {
            let angle = 2.0 * std::f64::consts::PI * k as f64 / facets as f64;
            [0.0, angle.cos(), angle.sin()]
        }))
        .collect();
    let n = facets + 2;
    let (mut a, mut b) = (vec![0.0; n * n], vec![0.0; n]);
    for (i, di) in directions.iter().enumerate() {
        b[i] = (0..3).map(|k| di[k] * q[k]).sum();
        for (j, dj) in directions.iter().enumerate() {
            a[n * i + j] = (0..9).map(|k| di[k / 3] * w[k] * dj[k % 3]).sum();
        }
        if i > 0 {
            a[n * i + n - 1] = 1.0;
            a[n * (n - 1) + i] = -1.0;
        }
    }
    a[n * (n - 1)] = mu;
    let solutions = enumerate(&Lcp::new(a, b).expect("a sound problem")).expect("a solution");
    let x = &solutions[0].x;
    std::array::from_fn(|k| directions.iter().zip(x).map(|(d, x)| d[k] * x).sum())
}

/// Heaps of spheres drawn at random: chains, loops and contacts that depend on each other. Normals go from centre to centre and up from the
/// ground, so that there is a way out of all contacts at once, and with it a solution (Acary, Cadoux, Lemaréchal & Malick 2011).
fn random_scene(rng: &mut SplitMix64) -> (Scene, Vec<f64>) {
    let bodies = 1 + rng.next_u64() as usize % 8;
    let centres: Vec<[f64; 3]> = (0..bodies)
        .map(|_| [rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(0.1, 1.0)])
        .collect();
    let inverse = (0..bodies).map(|_| {
        let mass = 10_f64.powf(rng.uniform(-1.0, 1.0));
        [1.0 / mass, 1.0 / (0.4 * mass * 0.01)]
    });
    let mut scene = Scene::new(inverse.collect());
    for _ in 0..1 + rng.next_u64() as usize % (3 * bodies) {
        let b = rng.next_u64() as usize % bodies;
        let a = (rng.next_u64() as usize % (bodies + 1)).checked_sub(1).filter(|&a| a != b);
        let foot = a.map_or([0.0, 0.0, -1.0], |a| centres[a]);
        let n: [f64; 3] = std::array::from_fn(|k| centres[b][k] - foot[k]);
        let length = n.iter().map(|x| x * x).sum::<f64>().sqrt();
        let n = n.map(|x| x / length);
        let arms = [n.map(|x| 0.1 * x), n.map(|x| -0.1 * x)];
        scene.touch(a.map(|a| (a, arms[0])), (b, arms[1]), n);
    }
    let velocity = (0..6 * bodies).map(|_| rng.uniform(-1.0, 1.0)).collect();
    (scene, velocity)
}

#[test]
fn problems_drawn_at_random() {
    let mut rng = SplitMix64::new(5);
    for draw in 0..3000 {
        let (scene, velocity) = random_scene(&mut rng);
        let mu = [0.0, 0.1, 0.3, 0.6][draw % 4];
        let problem = scene.problem(&velocity, mu);
        match problem.solve(None, &Options::default()) {
            Ok(solution) => {
                assert!(solution.residual <= 1e-10 && problem.residual(&solution.impulses) <= 1e-10);
                check(&problem, &solution);
                // Impulses take energy and never give it: Σ r (u + q)/2 ≤ 0.
                let gain: f64 = (0..problem.len())
                    .map(|c| {
                        let (r, u, q) =
                            (solution.impulses[c], solution.velocities[c], scene.free(&velocity)[c]);
                        (0..3).map(|k| 0.5 * r[k] * (u[k] + q[k])).sum::<f64>()
                    })
                    .sum();
                assert!(gain <= 1e-9, "draw {draw}: {gain}");
            }
            Err(failure) => panic!("draw {draw}: {failure}"),
        }
    }
}

/// Faces of bricks that rest on each other, four corners each, of which one is always too many, and joints between neighbours in a row.
fn wall(rows: usize) -> (Scene, usize) {
    let (length, depth, height, mass) = (0.2, 0.1, 0.08, 3.0);
    let place = |row: usize, k: usize| (k as f64 + if row.is_multiple_of(2) { 0.0 } else { 0.5 }) * length;
    let count = |row: usize| if row.is_multiple_of(2) { 4 } else { 3 };
    let first: Vec<usize> = (0..=rows).map(|row| (0..row).map(count).sum()).collect();
    let mut scene = Scene::new(vec![[1.0 / mass, 12.0 / (mass * 0.05)]; first[rows]]);
    for row in 0..rows {
        for k in 0..count(row) {
            let b = first[row] + k;
            let below: Vec<Option<usize>> =
                if row == 0 { vec![None] } else { (0..count(row - 1)).map(Some).collect() };
            for a in below {
                let shift = a.map_or(0.0, |a| place(row - 1, a) - place(row, k));
                if shift.abs() >= length {
                    continue;
                }
                let (low, high) =
                    ((shift - 0.5 * length).max(-0.5 * length), (shift + 0.5 * length).min(0.5 * length));
                for (x, y) in [(low, -0.5), (low, 0.5), (high, -0.5), (high, 0.5)] {
                    let arm = [x, y * depth, -0.5 * height];
                    let other = a.map(|a| (first[row - 1] + a, [x - shift, y * depth, 0.5 * height]));
                    scene.touch(other, (b, arm), [0.0, 0.0, 1.0]);
                }
            }
            if k > 0 {
                for (y, z) in [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)] {
                    let arm = |side: f64| [side * 0.5 * length, y * depth, z * height];
                    scene.touch(Some((b - 1, arm(1.0))), (b, arm(-1.0)), [1.0, 0.0, 0.0]);
                }
            }
        }
    }
    let bodies = first[rows];
    (scene, bodies)
}

/// A wall of bricks that a ball has hit somewhere: more than a hundred contacts that hang together, with a third more rows than motions.
/// Its bricks are slow or fly, and everything between. Where hardly anything resists an impulse, 1e-5 of the greatest velocity is what
/// time stepping takes.
#[test]
fn walls_of_bricks() {
    let mut rng = SplitMix64::new(21);
    let (scene, bodies) = wall(6);
    assert!(scene.rows.len() > 150 && 3 * scene.rows.len() > 6 * bodies);
    for draw in 0..12 {
        let mut velocity: Vec<f64> =
            (0..6 * bodies).map(|k| if k % 6 == 2 { -0.00981 } else { 0.0 }).collect();
        let hit = rng.next_u64() as usize % bodies;
        for k in 0..6 {
            velocity[6 * hit + k] += rng.uniform(-1.0, 1.0) * 10_f64.powi(draw % 3 - 1);
        }
        for v in &mut velocity {
            *v += rng.uniform(-1.0, 1.0) * [0.0, 0.01, 0.1][draw as usize % 3];
        }
        for mu in [0.1, 0.3, 0.6] {
            let problem = scene.problem(&velocity, mu);
            let options = Options { limit: 1e-5, ..Options::DEFAULT };
            let solution = problem.solve(None, &options).unwrap_or_else(|e| panic!("draw {draw}, {mu}: {e}"));
            assert!(problem.residual(&solution.impulses) <= 1e-5);
        }
    }
}

/// Discs in a plane, in a disordered pile between walls: triangles of neighbours that all touch, so that friction of one may stand for that of
/// others. Of the two tangents of a contact only one direction moves anything; where they lie is up to the frame.
fn pile_of_discs(layers: usize, width: usize, rng: &mut SplitMix64) -> (Scene, Vec<f64>, Vec<f64>) {
    let place =
        |layer: usize, k: usize| [k as f64 + 0.5 * (layer % 2) as f64, 0.75_f64.sqrt() * layer as f64];
    let count = |layer: usize| width - layer % 2;
    let first: Vec<usize> = (0..=layers).map(|layer| (0..layer).map(count).sum()).collect();
    let inverse = (0..first[layers]).map(|_| {
        let mass = rng.uniform(0.5, 2.0);
        [1.0 / mass, 1.0 / (0.5 * mass * 0.25)]
    });
    let mut scene = Scene::new(inverse.collect());
    scene.is_planar = true;
    let mut friction = Vec::new();
    let mut touch = |a: Option<usize>, b: usize, n: [f64; 2], mu: f64| {
        let n = [n[0], n[1], 0.0];
        scene.touch(a.map(|a| (a, n.map(|x| 0.5 * x))), (b, n.map(|x| -0.5 * x)), n);
        friction.push(mu);
    };
    for layer in 0..layers {
        for k in 0..count(layer) {
            let b = first[layer] + k;
            let here = place(layer, k);
            if layer == 0 {
                touch(None, b, [0.0, 1.0], 0.3);
            }
            if layer % 2 == 0 && (k == 0 || k == width - 1) {
                touch(None, b, [if k == 0 { 1.0 } else { -1.0 }, 0.0], 0.0);
            }
            for (below, others) in
                [(layer, k), (layer.wrapping_sub(1), if layer > 0 { count(layer - 1) } else { 0 })]
            {
                for other in 0..others {
                    let there = place(below, other);
                    let n = [here[0] - there[0], here[1] - there[1]];
                    if n[0].hypot(n[1]) < 1.01 {
                        touch(Some(first[below] + other), b, n, 0.3);
                    }
                }
            }
        }
    }
    let velocity = (0..6 * first[layers]).map(|k| {
        let thrown = match k % 6 {
            0 | 1 => 0.02,
            5 => 0.05,
            _ => 0.0,
        };
        thrown * rng.uniform(-1.0, 1.0) - if k % 6 == 1 { 0.04 } else { 0.0 }
    });
    let velocity = velocity.collect();
    (scene, velocity, friction)
}

/// Two hundred discs and more: all are solved to the tolerance, and nothing acts out of the plane.
#[test]
fn piles_of_discs_in_a_plane() {
    let mut rng = SplitMix64::new(8);
    let mut steps = 0;
    for draw in 0..12 {
        let (scene, mut velocity, friction) = pile_of_discs(4 + draw % 4, 10, &mut rng);
        // At rest, hardly moving, and shaken.
        let share = [0.0, 1e-3, 1.0][draw % 3];
        velocity.iter_mut().enumerate().for_each(|(k, v)| {
            let falls = if k % 6 == 1 { -0.04 } else { 0.0 };
            *v = falls + share * (*v - falls);
        });
        let delassus = BlockMatrix::from_dense(&scene.delassus(), friction.len());
        let problem =
            FrictionProblem::new(delassus, scene.free(&velocity), friction).expect("a sound problem");
        let options = Options { limit: 1e-5, ..Options::DEFAULT };
        let solution = problem.solve(None, &options).unwrap_or_else(|e| panic!("draw {draw}: {e}"));
        assert!(solution.residual <= 1e-10, "draw {draw}: {}", solution.residual);
        steps += solution.newton_steps;
        check(&problem, &solution);
        let press = solution.impulses.iter().fold(0.0_f64, |m, r| m.max(r[0]));
        for (r, [_, first, second]) in solution.impulses.iter().zip(&scene.axes) {
            assert!((first[2] * r[1] + second[2] * r[2]).abs() <= 1e-9 * press, "draw {draw}: {r:?}");
        }
    }
    // Where W says nothing about impulses out of the plane it takes some 600.
    assert!(steps <= 400, "{steps} steps");
}

/// Velocities do not depend on the order of the contacts.
#[test]
fn the_order_does_not_matter() {
    let mut rng = SplitMix64::new(77);
    for _ in 0..300 {
        let (scene, velocity) = random_scene(&mut rng);
        let problem = scene.problem(&velocity, 0.3);
        let forth = solve(&problem).velocities;
        let back =
            Scene { rows: scene.rows.iter().rev().cloned().collect(), ..Scene::new(scene.inverse.clone()) };
        let mut back = solve(&back.problem(&velocity, 0.3)).velocities;
        back.reverse();
        for (a, b) in forth.iter().flatten().zip(back.iter().flatten()) {
            assert!((a - b).abs() < 1e-6, "{forth:?} {back:?}");
        }
    }
}

/// From its own solution nothing is left to do.
#[test]
fn a_warm_start_ends_at_once() {
    let mut rng = SplitMix64::new(9);
    for _ in 0..100 {
        let (scene, velocity) = random_scene(&mut rng);
        let problem = scene.problem(&velocity, 0.3);
        let first = solve(&problem);
        let again = problem.solve(Some(&first.impulses), &Options::default()).expect("the same");
        assert_eq!((again.sweeps, again.newton_steps), (0, 0));
        assert_eq!(again.impulses, first.impulses);
    }
}

/// A sphere between two walls that close in, whatever it does: there are no impulses, and the failure says so in numbers.
#[test]
fn what_has_no_solution_is_a_failure() {
    let mut w = vec![0.0; 36];
    for (k, sign) in [1.0, -1.0].into_iter().enumerate() {
        w[18 * k] = sign;
        w[18 * k + 3] = -sign;
        for t in [1, 2] {
            w[(18 + 3) * k + 6 * t + t] = 1.0;
        }
    }
    let free = vec![[-1.0, 0.0, 0.0]; 2];
    let problem = FrictionProblem::new(BlockMatrix::from_dense(&w, 2), free, vec![0.0; 2]);
    let failed = problem.expect("a sound problem").solve(None, &Options { sweeps: 50, ..Options::DEFAULT });
    let Err(Failure { residual, contacts: 2, .. }) = failed else { panic!("{failed:?}") };
    assert!(residual > 0.1);
}

#[test]
fn what_is_no_problem_is_said() {
    let identity: Vec<f64> = (0..9).map(|k| if k % 4 == 0 { 1.0 } else { 0.0 }).collect();
    let one = |w: &[f64], q: Triple, mu: f64| {
        FrictionProblem::new(BlockMatrix::from_dense(w, 1), vec![q], vec![mu]).map(|_| ())
    };
    assert_eq!(one(&identity, [0.0; 3], -0.1), Err(BadProblem::NegativeFriction { contact: 0 }));
    assert_eq!(one(&identity, [f64::NAN, 0.0, 0.0], 0.1), Err(BadProblem::NotFinite));
    assert_eq!(one(&identity, [0.0; 3], f64::INFINITY), Err(BadProblem::NotFinite));
    assert_eq!(one(&[0.0; 9], [-1.0, 0.0, 0.0], 0.1), Err(BadProblem::Immovable { contact: 0 }));
    let few = FrictionProblem::new(BlockMatrix::from_dense(&identity, 1), Vec::new(), vec![0.1]);
    assert_eq!(few.map(|_| ()), Err(BadProblem::Size));
}
