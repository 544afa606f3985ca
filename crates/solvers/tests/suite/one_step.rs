//! Orders of the one-step methods that do not iterate and of their dense output, with fixed steps. Those of the others are tested
//! where they live: only there a single order can be held, and iterations be driven to rounding.

use carom_solvers::{DormandPrince45, DormandPrince853, Fault, Ode, Rodas3, Stepper, Tolerances};

use crate::kepler::{Kepler, distance, radial_growth, start};

/// Fixed steps over [0, 4]: errors of the end, of the dense output, of the quadrature at the end and inside.
fn fixed(stepper: &mut dyn Stepper, n: u32) -> [f64; 4] {
    let h = 4.0 / f64::from(n);
    let mut ode = Kepler { evaluations: 0 };
    stepper.restart(&mut ode, 0.0, &start()).unwrap();
    let (mut dense, mut inside, mut q) = (0.0_f64, 0.0_f64, 0.0);
    for i in 0..n {
        stepper.attempt(&mut ode, h, &Tolerances::default()).unwrap();
        stepper.prepare_dense(&mut ode).unwrap();
        let mut growth = [0.0];
        for theta in [0.0, 0.1, 0.3, 0.5, 0.8, 1.0] {
            let (mut y, t) = ([0.0; 4], (f64::from(i) + theta) * h);
            stepper.interpolate(theta, 0..4, &mut y);
            dense = dense.max(distance(&y, t));
            stepper.quadrature(theta, &mut growth);
            inside = inside.max((q + growth[0] - radial_growth(t)).abs());
        }
        q += growth[0];
        stepper.accept(stepper.time() + h);
    }
    [distance(stepper.state(), 4.0), dense, (q - radial_growth(4.0)).abs(), inside]
}

/// Observed orders between n and 2n steps.
fn orders(make: crate::Make, n: u32) -> [f64; 4] {
    let coarse = fixed(&mut *make(), n);
    let fine = fixed(&mut *make(), 2 * n);
    [0, 1, 2, 3].map(|i| (coarse[i] / fine[i]).log2())
}

fn assert_orders(orders: [f64; 4], want: [f64; 4]) {
    for (what, (order, want)) in ["end", "dense", "quadrature", "inside"].iter().zip(orders.iter().zip(want))
    {
        assert!((order - want).abs() < 0.4, "{what}: {order}");
    }
}

/// Halving the step divides the end error by 2⁵ and the dense error, whose local term h⁵ adds to the global
/// one, by 2⁵ too; 0.4 allows for the next order's term at these step sizes.
#[test]
fn orders_of_ode45() {
    assert_orders(orders(|| Box::new(DormandPrince45::new()), 160), [5.0; 4]);
}

/// Order 8, with a dense output whose local term is h⁸.
#[test]
fn orders_of_dop853() {
    assert_orders(orders(|| Box::new(DormandPrince853::new()), 48), [8.0; 4]);
}

/// Order 3, with a dense output and a parabola of rates whose local terms are h³ and h⁴.
#[test]
fn orders_of_rodas3() {
    assert_orders(orders(|| Box::new(Rodas3::new()), 320), [3.0; 4]);
}

/// y' = y cos t: y = exp(sin t).
struct Swing;

impl Ode for Swing {
    fn dimension(&self) -> usize {
        1
    }
    fn quadratures(&self) -> usize {
        0
    }
    fn rhs(&mut self, t: f64, y: &[f64], d: &mut [f64], _q: &mut [f64]) -> Result<(), Fault> {
        d[0] = y[0] * libm::cos(t);
        Ok(())
    }
}

/// What depends on time takes part with ∂f/∂t: without it the order is one.
#[test]
fn order_of_rodas3_where_rates_depend_on_time() {
    let error = |n: u32| {
        let mut stepper = Rodas3::new();
        stepper.restart(&mut Swing, 0.0, &[1.0]).unwrap();
        for _ in 0..n {
            let h = 3.0 / f64::from(n);
            stepper.attempt(&mut Swing, h, &Tolerances::default()).unwrap();
            stepper.accept(stepper.time() + h);
        }
        (stepper.state()[0] - libm::exp(libm::sin(3.0))).abs()
    };
    let order = (error(320) / error(640)).log2();
    assert!((order - 3.0).abs() < 0.3, "{order}");
}
