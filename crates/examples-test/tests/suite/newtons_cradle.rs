//! The shares of the speed that the example expects, from the equation of a chain of Hertz's contacts.

use carom_examples_test::load;

const BALLS: usize = 5;
type State = [f64; 2 * BALLS];

/// x" = (x[k−1] − x[k])^(3/2) − (x[k] − x[k+1])^(3/2), without the terms of open contacts.
fn rates(y: &State) -> State {
    let mut rates = [0.0; 2 * BALLS];
    rates[..BALLS].copy_from_slice(&y[BALLS..]);
    for k in 0..BALLS - 1 {
        let force = (y[k] - y[k + 1]).max(0.0).powf(1.5);
        rates[BALLS + k] -= force;
        rates[BALLS + k + 1] += force;
    }
    rates
}

/// Speeds after the blow, by the classical Runge–Kutta method of order 4.
fn shares() -> Vec<f64> {
    const STEP: f64 = 1e-3;
    let mut y: State = [0.0; 2 * BALLS];
    y[BALLS] = 1.0;
    let ahead = |y: &State, k: &State, h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    for _ in 0..40_000 {
        let k1 = rates(&y);
        let k2 = rates(&ahead(&y, &k1, 0.5 * STEP));
        let k3 = rates(&ahead(&y, &k2, 0.5 * STEP));
        let k4 = rates(&ahead(&y, &k3, STEP));
        y = std::array::from_fn(|i| y[i] + STEP / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    assert!(y[..BALLS].windows(2).all(|pair| pair[1] > pair[0]), "still in contact: {y:?}");
    y[BALLS..].to_vec()
}

#[test]
fn shares_are_those_of_the_chain() {
    let shares = shares();
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "momentum {shares:?}");
    assert!((shares.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-9, "energy {shares:?}");
    let source = load("newtons-cradle", &[]).source;
    for (k, share) in shares.iter().enumerate() {
        let line = source.lines().find(|line| line.starts_with(&format!("c{k} "))).expect("a parameter");
        let stated: f64 = line.split(['=', '#']).nth(1).unwrap().trim().parse().unwrap();
        assert!((stated - share).abs() < 1e-6, "c{k}: {stated} {share}");
    }
}
