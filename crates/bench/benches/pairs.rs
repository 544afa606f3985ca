//! One contact point of each pair, at poses that change from call to call.
#![allow(missing_docs)]

use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::{Cell, Shape, find_kernel};
use carom_math::{Pose, Quaternion, Vec3};

fn main() {
    divan::main();
}

fn shape(name: &str) -> Shape {
    let cylinder = |side| Shape::Cylinder(Cylinder { radius: 0.3, half_length: 0.4, side });
    match name {
        "sphere" => Shape::Sphere { radius: 0.2, hollow: false },
        "hollow sphere" => Shape::Sphere { radius: 1.0, hollow: true },
        "half-space" => Shape::HalfSpace,
        "box" => Shape::Box { half: Vec3::new(0.3, 0.2, 0.1) },
        "cylinder" => cylinder(CylinderSide::Solid),
        "hollow cylinder" => cylinder(CylinderSide::Hollow { closed: true }),
        _ => Shape::Capsule { radius: 0.1, half_length: 0.3 },
    }
}

const PAIRS: [&str; 11] = [
    "sphere | half-space",
    "sphere | sphere",
    "sphere | hollow sphere",
    "sphere | hollow cylinder",
    "sphere | cylinder",
    "sphere | box",
    "sphere | capsule",
    "capsule | capsule",
    "box | half-space",
    "cylinder | half-space",
    "capsule | half-space",
];

#[divan::bench(args = PAIRS)]
fn point(bencher: divan::Bencher<'_, '_>, pair: &str) {
    let (a, b) = pair.split_once(" | ").expect("two names");
    let (mut a, mut b) = (shape(a), shape(b));
    let kernel = match find_kernel(a.kind(), b.kind()) {
        Cell::Direct(kernel) => kernel,
        Cell::Swapped(kernel) => {
            std::mem::swap(&mut a, &mut b);
            kernel
        }
        Cell::Unsupported(reason) => panic!("{reason}"),
    };
    let poses: Vec<Pose> = (0..64)
        .map(|i| {
            let f = f64::from(i);
            Pose {
                rotation: Quaternion::from_roll_pitch_yaw(0.1 * f, 0.2 * f, 0.3 * f).to_matrix(),
                translation: Vec3::new(0.3, 0.01 * f, 0.2 - 0.01 * f),
            }
        })
        .collect();
    // Sixty-four points a call: read the time as such.
    bencher.bench_local(|| {
        poses.iter().map(|pose| (kernel.point)(&a, pose, &b, &poses[0], 0).unwrap().gap).sum::<f64>()
    });
}
