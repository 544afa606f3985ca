use super::block::{self, Block, Triple};
use super::halvings::Halvings;
use super::newton::Newton;

/// Most steps, and steps without half the residual after which there is no more to be had.
const STEPS: usize = 40;
const PATIENCE: usize = 3;
/// Share of the way to the border of the cones that a step goes, and the least step that still gets on.
const SHORT_OF_BORDER: f64 = 0.99;
const LEAST_STEP: f64 = 0.05;
/// How far from the border of its cone a velocity starts, in scaled units.
const INSIDE: f64 = 0.1;
/// What is left of the products where a step goes back to the middle of the cones.
const CENTERING: f64 = 0.5;

/// A contact in scaled variables: z = r/(s k), velocities s u/k with s = w^(−1/2) and k the largest scaled q. Its cones are
/// x = (μ z_N, z_T) and y = (u_N + μ|u_T|, μ u_T), both of slope 1; without friction the tangents drop out.
struct Scaled {
    /// s.
    size: f64,
    /// Factors of z_N in x and of u_T in y.
    slope: [f64; 2],
    x: Triple,
    y: Triple,
    /// By how much y is not yet that of the impulses.
    lacks: Triple,
    /// dy = J dw with the scaled velocities w.
    j: Block,
}

impl Newton<'_> {
    /// The interior-point method (Mehrotra 1992; for friction Acary, Armand & Nguyen 2023): Newton's method on x ∘ y = τ e and
    /// y = y(r), with the products τ led to zero while x and y stay inside their cones. It needs no good start, and contacts that depend
    /// on each other do not stop it; the last digits are for others. Returns how many steps, and the residual; the impulses are the best
    /// that were met.
    pub(super) fn approach(&mut self, impulses: &mut [Triple], tolerance: f64) -> (usize, f64) {
        let problem = self.problem;
        let local = |number: usize| &problem.locals[self.island[number]];
        let size: Vec<f64> = (0..self.island.len()).map(|number| 1.0 / local(number).weight.sqrt()).collect();
        let free =
            |number: usize| problem.free[self.island[number]].iter().fold(0.0_f64, |m, q| m.max(q.abs()));
        let unit = (0..size.len()).map(|number| size[number] * free(number)).fold(0.0, f64::max);
        let mut contacts: Vec<Scaled> = (0..size.len())
            .map(|number| {
                let mu = local(number).friction;
                let slope = if mu > 0.0 { [mu, mu] } else { [1.0, 0.0] };
                let [x, y, lacks] = [[slope[0], 0.0, 0.0], [0.0; 3], [0.0; 3]];
                Scaled { size: size[number], slope, x, y, lacks, j: block::ZERO }
            })
            .collect();
        let impulse = |contact: &Scaled| {
            let back = unit * contact.size;
            [back * contact.x[0] / contact.slope[0], back * contact.x[1], back * contact.x[2]]
        };
        let mut r: Vec<Triple> = contacts.iter().map(impulse).collect();
        let mut u = self.velocities(&r, impulses);
        for (contact, u) in contacts.iter_mut().zip(&u) {
            contact.start(u, unit);
        }
        let mut best = (f64::INFINITY, r.clone());
        let (mut halvings, mut steps) = (Halvings::from(f64::INFINITY), 0);
        loop {
            let residual = self.residual(&r, &u);
            if residual < best.0 {
                best = (residual, r.clone());
            }
            let since_half = halvings.note(best.0);
            if best.0 <= tolerance || since_half > PATIENCE || steps == STEPS || !residual.is_finite() {
                break;
            }
            for (contact, u) in contacts.iter_mut().zip(&u) {
                contact.linearize(u, unit);
            }
            if !self.factor_interior(&contacts) || !self.step(&mut contacts) {
                break;
            }
            steps += 1;
            r = contacts.iter().map(impulse).collect();
            u = self.velocities(&r, impulses);
        }
        self.velocities(&best.1, impulses);
        (steps, best.0)
    }

    /// Rows X J s W s + Y D, with the arrow matrices X and Y of x and y.
    fn factor_interior(&mut self, contacts: &[Scaled]) -> bool {
        self.factors.clear();
        for (number, contact) in contacts.iter().enumerate() {
            let a = block::times(&arrow(&contact.x), &contact.j);
            for (j, w) in self.problem.delassus.row(self.island[number]) {
                let other = self.number[j];
                let scale = contact.size * contacts[other].size;
                *self.factors.block_mut(number, other) = block::times(&a, &w.map(|w| scale * w));
            }
            let own = self.factors.block_mut(number, number);
            let y = arrow(&contact.y);
            (0..9).for_each(|k| own[k] += y[k] * if k % 3 == 0 { contact.slope[0] } else { 1.0 });
        }
        self.factors.factor()
    }

    /// Predictor, corrector, and where that leads straight into a border a step back to the middle. False where none gets on.
    fn step(&mut self, contacts: &mut [Scaled]) -> bool {
        let mean = |contacts: &[Scaled]| {
            contacts.iter().map(|c| dot(&c.x, &c.y)).sum::<f64>() / contacts.len() as f64
        };
        let now = mean(contacts);
        let none = vec![[0.0; 3]; contacts.len()];
        let predicted = self.direction_inside(contacts, 0.0, &none);
        let way = longest(contacts, &predicted);
        let after = contacts
            .iter()
            .zip(&predicted)
            .map(|(c, [dx, dy])| dot(&along(&c.x, dx, way), &along(&c.y, dy, way)));
        let share = (after.sum::<f64>() / contacts.len() as f64 / now).max(0.0).powi(3).min(1.0);
        let second: Vec<Triple> = predicted.iter().map(|[dx, dy]| block::product(&arrow(dx), dy)).collect();
        let mut direction = self.direction_inside(contacts, share * now, &second);
        let mut way = longest(contacts, &direction);
        if way < LEAST_STEP {
            direction = self.direction_inside(contacts, CENTERING * now, &none);
            way = longest(contacts, &direction);
        }
        for (contact, [dx, dy]) in contacts.iter_mut().zip(&direction) {
            contact.x = along(&contact.x, dx, way);
            contact.y = along(&contact.y, dy, way);
        }
        way > 0.0
    }

    /// dx and dy towards x ∘ y = target e − second.
    fn direction_inside(&mut self, contacts: &[Scaled], target: f64, second: &[Triple]) -> Vec<[Triple; 2]> {
        let right = |(contact, second): (&Scaled, &Triple)| {
            let reached = along(&contact.y, &contact.lacks, 1.0);
            let product = block::product(&arrow(&contact.x), &reached);
            [target - product[0] - second[0], -product[1] - second[1], -product[2] - second[2]]
        };
        let mut dz: Vec<Triple> = contacts.iter().zip(second).map(right).collect();
        self.factors.solve(&mut dz);
        let each = contacts.iter().enumerate().map(|(number, contact)| {
            let mut dw = [0.0; 3];
            for (j, w) in self.problem.delassus.row(self.island[number]) {
                let other = self.number[j];
                let scaled = dz[other].map(|z| contact.size * contacts[other].size * z);
                block::add_product(&mut dw, w, &scaled);
            }
            let dy = along(&contact.lacks, &block::product(&contact.j, &dw), 1.0);
            let dz = dz[number];
            [[contact.slope[0] * dz[0], dz[1], dz[2]], dy]
        });
        each.collect()
    }
}

impl Scaled {
    /// w = s u/k.
    fn velocity(&self, u: &Triple, unit: f64) -> Triple {
        u.map(|u| self.size * u / unit)
    }

    /// y of the velocities, moved into its cone.
    fn start(&mut self, u: &Triple, unit: f64) {
        let w = self.velocity(u, unit);
        let y = [self.slope[1] * w[1], self.slope[1] * w[2]];
        let length = libm::hypot(y[0], y[1]);
        self.y = [w[0].max(length + INSIDE), y[0], y[1]];
    }

    /// What y lacks, and J, where the impulses are.
    fn linearize(&mut self, u: &Triple, unit: f64) {
        let (w, slope, length) = (self.velocity(u, unit), self.slope[1], libm::hypot(self.y[1], self.y[2]));
        self.lacks = [w[0] + length - self.y[0], slope * w[1] - self.y[1], slope * w[2] - self.y[2]];
        let d = if length > 0.0 { [self.y[1] / length, self.y[2] / length] } else { [0.0; 2] };
        // y_N = w_N + |y_T| lacks what the tangents lack as well.
        self.lacks[0] += d[0] * self.lacks[1] + d[1] * self.lacks[2];
        self.j = [1.0, slope * d[0], slope * d[1], 0.0, slope, 0.0, 0.0, 0.0, slope];
    }
}

/// X with x ∘ y = X y.
fn arrow(x: &Triple) -> Block {
    [x[0], x[1], x[2], x[1], x[0], 0.0, x[2], 0.0, x[0]]
}

fn dot(a: &Triple, b: &Triple) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn along(a: &Triple, d: &Triple, way: f64) -> Triple {
    std::array::from_fn(|k| a[k] + way * d[k])
}

/// The step that stays inside all cones, at most 1.
fn longest(contacts: &[Scaled], direction: &[[Triple; 2]]) -> f64 {
    let each = contacts.iter().zip(direction);
    let nearest = each
        .map(|(contact, [dx, dy])| to_border(&contact.x, dx).min(to_border(&contact.y, dy)))
        .fold(f64::INFINITY, f64::min);
    (SHORT_OF_BORDER * nearest).min(1.0)
}

/// How many times d leads from x to the border of its cone.
fn to_border(x: &Triple, d: &Triple) -> f64 {
    let form = |a: &Triple, b: &Triple| a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    let (a, b, c) = (form(d, d), form(x, d), form(x, x));
    let under = b * b - a * c;
    if b < 0.0 && under >= 0.0 {
        c.max(0.0) / (under.sqrt() - b)
    } else if a < 0.0 {
        (b + under.max(0.0).sqrt()) / -a
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::{BlockMatrix, FrictionProblem};

    /// A box of 1 kg, as wide as high, on a plane with nine points of contact: 27 rows for 6 freedoms, so that impulses are open. It slides,
    /// tips or stays; the method gets near an answer from nothing, whatever the load.
    #[test]
    fn contacts_that_depend_on_each_other_do_not_stop_it() {
        let place = |k: usize| [(k % 3) as f64 - 1.0, (k / 3) as f64 - 1.0, -1.0];
        let inertia = 1.5;
        // Along z, x and y, of each the row (direction, moment).
        let rows: Vec<[f64; 6]> = (0..27)
            .map(|row| {
                let [x, y, z] = place(row / 3);
                match row % 3 {
                    0 => [0.0, 0.0, 1.0, y, -x, 0.0],
                    1 => [1.0, 0.0, 0.0, 0.0, z, -y],
                    _ => [0.0, 1.0, 0.0, -z, 0.0, x],
                }
            })
            .collect();
        let inverse = [1.0, 1.0, 1.0, 1.0 / inertia, 1.0 / inertia, 1.0 / inertia];
        let entry = |a: &[f64; 6], b: &[f64; 6]| (0..6).map(|k| a[k] * inverse[k] * b[k]).sum::<f64>();
        let matrix: Vec<f64> = rows.iter().flat_map(|a| rows.iter().map(move |b| entry(a, b))).collect();
        for load in 0..40 {
            let angle = 0.7 * f64::from(load);
            let motion = [
                angle.sin(),
                0.5 * (2.0 * angle).cos(),
                -1.0,
                0.3 * (3.0 * angle).sin(),
                0.2 * angle.cos(),
                0.4 * (1.3 * angle).sin(),
            ];
            let velocity = |row: &[f64; 6]| (0..6).map(|k| row[k] * motion[k]).sum::<f64>();
            let free: Vec<Triple> =
                rows.chunks(3).map(|rows| std::array::from_fn(|k| velocity(&rows[k]))).collect();
            let mu = [0.2, 0.5, 0.0][load as usize % 3];
            let problem =
                FrictionProblem::new(BlockMatrix::from_dense(&matrix, 9), free, vec![mu; 9]).expect("sound");
            let island: Vec<usize> = (0..9).collect();
            let mut impulses = vec![[0.0; 3]; 9];
            let mut newton = Newton::new(&problem, &island, &island, usize::MAX).expect("no limit");
            let (steps, residual) = newton.approach(&mut impulses, 1e-8);
            assert!(residual <= 1e-8 && steps <= 30, "load {load}: {residual:e} after {steps}");
            assert_eq!(problem.residual(&impulses).to_bits(), residual.to_bits());
        }
    }
}
