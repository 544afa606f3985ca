use crate::PivotedCholesky;

/// Changes that are looked back at.
const DEPTH: usize = 8;
/// Share of a change's growth over the smallest at which the memory is dropped.
const DIVERGENCE: f64 = 4.0;
/// Eigenvalues of the changes' products below this are faded out.
const RIDGE: f64 = 1e-14;

/// Anderson's acceleration of x ← g(x) (Walker & Ni 2011, type II): the next point is that combination of the last ones' images whose
/// changes g(x) − x cancel best.
#[derive(Default)]
pub(super) struct Anderson {
    /// g(x) and g(x) − x of the last point; their differences from one point to the next.
    image: Vec<f64>,
    change: Vec<f64>,
    image_steps: Vec<Vec<f64>>,
    change_steps: Vec<Vec<f64>>,
    factor: PivotedCholesky,
    smallest: f64,
}

impl Anderson {
    /// The next point after one with this image and this change; the image itself where nothing is known yet or the changes grow.
    pub(super) fn next(&mut self, image: Vec<f64>, change: Vec<f64>) -> Vec<f64> {
        let size = crate::dot::dot(&change, &change).sqrt();
        let mut next = image.clone();
        if self.change.len() == change.len() && size <= DIVERGENCE * self.smallest {
            if self.image_steps.len() == DEPTH {
                self.image_steps.remove(0);
                self.change_steps.remove(0);
            }
            self.image_steps.push(image.iter().zip(&self.image).map(|(a, b)| a - b).collect());
            self.change_steps.push(change.iter().zip(&self.change).map(|(a, b)| a - b).collect());
            self.smallest = self.smallest.min(size);
            for (share, step) in self.shares(&change).iter().zip(&self.image_steps) {
                next.iter_mut().zip(step).for_each(|(x, step)| *x -= share * step);
            }
        } else {
            self.image_steps.clear();
            self.change_steps.clear();
            self.smallest = size;
        }
        (self.image, self.change) = (image, change);
        next
    }

    /// Shares of the steps with which their changes leave least of this one; none where they are not finite.
    fn shares(&mut self, change: &[f64]) -> Vec<f64> {
        let steps = &self.change_steps;
        let n = steps.len();
        let products: Vec<f64> =
            (0..n * n).map(|at| crate::dot::dot(&steps[at / n], &steps[at % n])).collect();
        let right: Vec<f64> = steps.iter().map(|step| crate::dot::dot(step, change)).collect();
        let mut shares = vec![0.0; n];
        self.factor.factor(&products, n, None, RIDGE);
        self.factor.solve(&right, &mut shares);
        if shares.iter().all(|share| share.is_finite()) { shares } else { Vec::new() }
    }
}
