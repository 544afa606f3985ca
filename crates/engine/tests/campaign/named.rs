//! Scenes that a new user has tried, by name: each was wrong once.

mod areal;
mod guided;
mod points;

use carom_engine::law::Law;
use carom_engine::model::{IntegratorKind, Method};
use carom_math::{Pose, Vec3};

use crate::flight::Flight;
use crate::motion::Motion;
use crate::part::Part;
use crate::referee::Verdict;

/// Two bodies of a kilogram, A at rest at the origin and fixed, B at rest somewhere; every default.
fn flight(name: &str, parts: [Part; 2], b_at: Pose, method: Method, law: Law) -> Flight {
    Flight {
        kind: name.to_owned(),
        parts,
        motions: [Motion::rest(&Pose::identity()), Motion::rest(&b_at)],
        method,
        law,
        integrator: IntegratorKind::Auto,
        rtol: 1e-6,
        masses: [1.0, 1.0],
        t_end: 1.0,
        after: 0.1,
        beyond: 0.0,
        wide: false,
    }
}

/// Downwards.
fn gravity() -> Vec3 {
    Vec3::new(0.0, 0.0, -9.81)
}

/// All of them are seen when they touch, and nothing passes; with how many that makes.
fn assert_right(flights: impl IntoIterator<Item = Flight>) {
    let mut count = 0;
    let mut wrong = Vec::new();
    for flight in flights {
        let judged = flight.judge();
        count += 1;
        if judged.verdict != Verdict::Right {
            wrong.push(format!("{:?}: {}", judged.verdict, judged.words));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}
