//! A copy that resumes from state and memory makes the same bits, at any step of a run.

use carom_solvers::{Bdf, DormandPrince45, DormandPrince853, Ode113, Radau5, Rodas3, Stepper, WrongMemory};

use crate::Make;
use crate::drive::componentwise;
use crate::kepler::{Kepler, start};

/// One accepted step from `h`; the next.
fn step(stepper: &mut dyn Stepper, mut h: f64) -> f64 {
    let tolerances = componentwise(4, 1e-7, 1e-7);
    let mut ode = Kepler { evaluations: 0 };
    loop {
        let error = stepper.attempt(&mut ode, h, &tolerances).unwrap().error;
        if error <= 1.0 {
            let next = stepper.passed(error);
            stepper.accept(stepper.time() + h);
            return next;
        }
        h = stepper.failed(error);
    }
}

#[test]
fn resumed_runs_are_bit_equal() {
    let makes: [Make; 6] = [
        || Box::new(DormandPrince45::new()),
        || Box::new(DormandPrince853::new()),
        || Box::new(Ode113::new()),
        || Box::new(Radau5::new()),
        || Box::new(Bdf::new()),
        || Box::new(Rodas3::new()),
    ];
    for make in makes {
        let mut original = make();
        original.restart(&mut Kepler { evaluations: 0 }, 0.0, &start()).unwrap();
        let first =
            original.starting_step(&mut Kepler { evaluations: 0 }, &componentwise(4, 1e-7, 1e-7)).unwrap();
        let (mut h, mut copies) = (first.min(1e-3), Vec::<Box<dyn Stepper>>::new());
        for count in 0..60 {
            if count % 7 == 0 {
                let (mut copy, mut memory) = (make(), Vec::new());
                original.memory(&mut memory);
                copy.resume(1, original.time(), original.state(), &memory).unwrap();
                copies.push(copy);
            }
            let next = step(&mut *original, h);
            for copy in &mut copies {
                assert_eq!(step(&mut **copy, h).to_bits(), next.to_bits());
                assert_eq!((copy.time(), copy.state()), (original.time(), original.state()));
            }
            h = next;
        }
        assert_eq!(make().resume(1, 0.0, &start(), &[1.0; 8]), Err(WrongMemory));
    }
}
