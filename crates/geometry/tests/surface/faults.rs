use carom_geometry::TriangleMesh;
use carom_geometry::shape::ShapeFault;
use carom_geometry::surface::*;
use carom_math::Vec3;

use crate::bent::{BOWL, HAWSE, SLOTTED, hook};
use crate::{BUBBLE, PINION, foot_with};

#[test]
fn bad_dimensions_are_named() {
    let few = Resolution::Divisions(8);
    let field = |result: Result<TriangleMesh, ShapeFault>| result.unwrap_err().field;
    let hills = Terrain { size: 10.0, relief: 1.0, hurst: 0.8, seed: 1, levels: 3 };
    for (name, result) in [
        ("ring", torus(f64::NAN, 0.3, few)),
        ("tube", torus(1.0, 1.0, few)),
        ("divisions", torus_grid(1.0, 0.3, 64, 2)),
        ("divisions", torus_grid(1.0, 0.3, 10_000, 10_000)),
        ("radius", sphere(0.0, few)),
        ("facets", sphere(1.0, Resolution::Facets(10_000_001))),
        ("divisions", sphere(1.0, Resolution::Divisions(u32::MAX))),
        ("semi_axes.y", ellipsoid(Vec3::new(1.0, -1.0, 1.0), few)),
        ("half.z", block(Vec3::new(1.0, 1.0, f64::INFINITY), few)),
        ("half_y", rectangle(1.0, 0.0, few)),
        ("radius", cylinder(-0.1, 1.0, few)),
        ("the larger of radius_low and radius_high", frustum(0.0, 0.0, 1.0, few)),
        ("half_length", capsule(0.1, 0.0, few)),
        ("half_thickness", beam(1.0, 0.1, f64::NAN, few)),
        ("lobe_at", peanut(&Peanut { lobe_at: 0.2, ..BUBBLE }, few)),
        ("waist_radius", peanut(&Peanut { waist_radius: 0.2, ..BUBBLE }, few)),
        ("lobe_radius", peanut(&Peanut { lobe_at: 0.02, ..BUBBLE }, few)),
        ("chamfer", foot(&foot_with(0.02), few)),
        ("height", foot(&Foot { height: 0.031, ..foot_with(0.003) }, few)),
        ("chamfer", foot(&Foot { height: 0.003, ..foot_with(0.003) }, few)),
        ("height", funnel(1.0, -1.0, 0)),
        ("subdivisions", funnel(1.0, 1.0, 11)),
        ("subdivisions", funnel(1.0, 1.0, 1000)),
        ("hurst", terrain(&Terrain { hurst: 1.0, ..hills })),
        ("levels", terrain(&Terrain { levels: 12, ..hills })),
        ("teeth", gear(&Gear { teeth: 5, ..PINION })),
        ("teeth", gear(&Gear { backlash: 0.006, ..PINION })),
        ("pressure_angle", gear(&Gear { pressure_angle: 20.0, ..PINION })),
        ("profile_points", gear(&Gear { profile_points: 1, ..PINION })),
        ("layers", gear(&Gear { layers: u32::MAX, ..PINION })),
        ("thickness", bowl(&Bowl { thickness: 0.1, ..BOWL }, few)),
        ("depth", bowl(&Bowl { depth: 0.01, ..BOWL }, few)),
        ("depth", bowl(&Bowl { depth: 0.19, ..BOWL }, few)),
        ("radius", wire(&Wire { radius: 0.0, ..hook() }, few)),
        ("path", wire(&Wire { path: vec![Vec3::zeros()], ..hook() }, few)),
        ("path", wire(&Wire { path: vec![Vec3::zeros(); 2], ..hook() }, few)),
        ("path", wire(&Wire { path: vec![Vec3::zeros(), Vec3::x(), Vec3::zeros()], ..hook() }, few)),
        ("bend", wire(&Wire { bend: 0.01, ..hook() }, few)),
        ("bend", wire(&Wire { bend: 0.1, ..hook() }, few)),
        ("slot_width", slotted_plate(&SlottedPlate { slot_width: 0.2, ..SLOTTED }, few)),
        ("slot_length", slotted_plate(&SlottedPlate { slot_length: 0.03, ..SLOTTED }, few)),
        ("slot_length", slotted_plate(&SlottedPlate { slot_length: 0.3, ..SLOTTED }, few)),
        ("tilt", hawse(&Hawse { tilt: 1.4, ..HAWSE }, few)),
        ("lip", hawse(&Hawse { lip: 0.2, ..HAWSE }, few)),
        ("length", hawse(&Hawse { length: 1.5, ..HAWSE }, few)),
        ("width", hawse(&Hawse { width: 1.0, ..HAWSE }, few)),
        ("pipe", hawse(&Hawse { pipe: 0.5, ..HAWSE }, few)),
    ] {
        assert_eq!(field(result), name);
    }
}
