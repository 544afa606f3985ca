use super::ConstraintRows;
use super::tangent::Tangent;

/// Directions at most: about as many as a mechanism has freedoms more at a singular position.
const DIRECTIONS: usize = 200;
/// What is missing counts as met at this share of what was missing at first.
const MET: f64 = 1e-13;
/// Changes x with T x + h²/4 Φ_qᵀ μ = b and Φ_q x = c, by iterations on the factors of T that each add multipliers. The
/// augmented Lagrangian adds α times what is missing, which converges with 1/(1 + α σ) and slowly near singular positions,
/// where eigenvalues σ of Φ_q W⁻¹ Φ_qᵀ vanish. These additions are taken as the directions of generalised conjugate
/// residuals instead (Eisenstat, Elman & Schultz, SIAM Journal on Numerical Analysis 20 (1983) 345–357): as many as there
/// are such eigenvalues, and a few more.
#[derive(Default)]
pub(super) struct MultiplierSolver {
    /// c − Φ_q x.
    missing: Vec<f64>,
    /// μ/α by row.
    pub(super) multipliers: Vec<f64>,
    /// By direction: change of μ, of x, and of Φ_q x, whose length is one.
    directions: Vec<Direction>,
}

#[derive(Default)]
struct Direction {
    multipliers: Vec<f64>,
    motion: Vec<f64>,
    effect: Vec<f64>,
}

impl MultiplierSolver {
    /// Replaces b by x, with the multipliers μ in units of α. Returns the largest element that is missing of c. Directions
    /// whose effect is below the share `least` of the multipliers' are those that the constraints do not know: with α
    /// they are α σ.
    pub(super) fn solve(
        &mut self,
        tangent: &mut Tangent,
        rows: &ConstraintRows,
        least: f64,
        wanted: impl Fn(usize) -> f64,
        x: &mut [f64],
    ) -> f64 {
        let m = rows.len();
        tangent.solve(x);
        self.multipliers.clear();
        self.multipliers.resize(m, 0.0);
        self.missing.clear();
        self.missing.extend((0..m).map(|row| wanted(row) - rows.product(row, x)));
        let size = norm(&self.missing);
        for k in 0..DIRECTIONS {
            let before = norm(&self.missing);
            if before <= MET * size || before == 0.0 || !before.is_finite() {
                break;
            }
            if !self.find_direction(tangent, rows, least, k) {
                break;
            }
            let direction = &self.directions[k];
            let share: f64 = direction.effect.iter().zip(&self.missing).map(|(e, r)| e * r).sum();
            x.iter_mut().zip(&direction.motion).for_each(|(x, d)| *x += share * d);
            self.missing.iter_mut().zip(&direction.effect).for_each(|(r, e)| *r -= share * e);
            self.multipliers.iter_mut().zip(&direction.multipliers).for_each(|(mu, d)| *mu += share * d);
        }
        self.missing.iter().fold(0.0, |m: f64, r| if r.abs() > m || r.is_nan() { r.abs() } else { m })
    }

    /// Makes direction k from what is missing; false if it has no effect to speak of.
    fn find_direction(&mut self, tangent: &mut Tangent, rows: &ConstraintRows, least: f64, k: usize) -> bool {
        let scale = tangent.scale();
        if self.directions.len() == k {
            self.directions.push(Direction::default());
        }
        let (earlier, rest) = self.directions.split_at_mut(k);
        let new = &mut rest[0];
        // −μ acts along the missing motion.
        new.multipliers.clear();
        new.multipliers.extend(self.missing.iter().map(|r| -r));
        new.motion.clear();
        new.motion.resize(tangent.freedoms(), 0.0);
        for (row, r) in self.missing.iter().enumerate() {
            rows.add_row(row, scale * r, &mut new.motion);
        }
        tangent.solve(&mut new.motion);
        new.effect.clear();
        new.effect.extend((0..rows.len()).map(|row| rows.product(row, &new.motion)));
        // Twice is enough against rounding.
        for _ in 0..2 {
            for old in earlier.iter() {
                let share: f64 = old.effect.iter().zip(&new.effect).map(|(a, b)| a * b).sum();
                subtract(&mut new.effect, share, &old.effect);
                subtract(&mut new.motion, share, &old.motion);
                subtract(&mut new.multipliers, share, &old.multipliers);
            }
        }
        let length = norm(&new.effect);
        // Not a number, or too small.
        if !(length > least * norm(&self.missing)) {
            return false;
        }
        for part in [&mut new.effect, &mut new.motion, &mut new.multipliers] {
            part.iter_mut().for_each(|x| *x /= length);
        }
        true
    }
}

fn subtract(x: &mut [f64], share: f64, y: &[f64]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x -= share * y);
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
