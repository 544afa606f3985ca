//! Problems in which Newton's steps lead nowhere: they were met by heaps of cones and cylinders, μ = 0.8.

use carom_solvers::friction::{BlockMatrix, FrictionProblem, Options, Triple};

/// Upper triangle of W, row by row, and q of two contacts.
const MET: [([f64; 21], [Triple; 2]); 2] = [
    (
        [
            102.952, 85.1463, 21.0097, -35.5828, 33.2833, 11.2761, 185.569, -13.1589, 30.1591, 55.4944,
            -8.27290, 235.652, 1.99154, 0.0740030, 64.1634, 52.3960, 3.16510, 0.854271, 131.794, -0.0417437,
            131.937,
        ],
        [[0.427351, 2.00433, 0.126569], [-0.792497, -0.469609, 0.0333964]],
    ),
    (
        [
            104.926, -2.98042, -85.3744, -7.63197, 88.7596, -2.87750, 309.610, -2.02253, -67.4178, 76.7247,
            151.774, 251.745, -93.1005, -85.4663, -2.14453, 186.839, 87.2089, -69.1042, 251.658, 61.7230,
            288.636,
        ],
        [[-0.00955959, 0.0251287, -0.0354891], [-0.104017, -0.0854866, 0.0100687]],
    ),
];

#[test]
fn sweeps_go_on_where_newtons_steps_lead_nowhere() {
    const MU: f64 = 0.8;
    for (upper, free) in MET {
        let mut w = [0.0; 36];
        let places = (0..6).flat_map(|i| (i..6).map(move |j| (i, j)));
        for ((i, j), value) in places.zip(upper) {
            (w[6 * i + j], w[6 * j + i]) = (value, value);
        }
        let problem = FrictionProblem::new(BlockMatrix::from_dense(&w, 2), free.to_vec(), vec![MU; 2]);
        let solution = problem.expect("a sound problem").solve(None, &Options::DEFAULT).expect("a solution");
        let speed = free.iter().flatten().fold(0.0_f64, |m, q| m.max(q.abs()));
        // Signorini's and Coulomb's conditions, each to 1e-8 of what it is of.
        for (r, u) in solution.impulses.iter().zip(&solution.velocities) {
            let (held, slip) = (r[1].hypot(r[2]), u[1].hypot(u[2]));
            assert!(
                r[0] >= 0.0 && u[0] >= -1e-8 * speed && r[0] * u[0] <= 1e-8 * r[0] * speed,
                "{r:?} {u:?}"
            );
            assert!(held <= (1.0 + 1e-8) * MU * r[0], "{r:?}");
            let against = r[1] * u[1] + r[2] * u[2] + MU * r[0] * slip;
            assert!(against.abs() <= 1e-8 * MU * r[0] * speed, "{r:?} {u:?}");
        }
    }
}
