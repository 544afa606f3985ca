//! Generated surfaces: topology, exact counts, convergence to the solids' closed forms, gears, terrain, what is bent or has holes.

mod bent;
mod closed;
mod convergence;
mod convex;
mod counts;
mod diagnosis;
mod faults;
mod gear;
mod shapes;
mod terrain;

use carom_geometry::TriangleMesh;
use carom_geometry::surface::{Foot, Gear, Peanut};

/// The bubble: 0.4 m long, lobes of radius 0.1004 m at ±0.115 m, waist of radius 0.05 m.
const BUBBLE: Peanut = Peanut { half_length: 0.2, lobe_radius: 0.1004, lobe_at: 0.115, waist_radius: 0.05 };

/// A pinion whose root circle is inside its base circle.
const PINION: Gear = Gear {
    module: 0.004,
    teeth: 20,
    pressure_angle: 20.0 * std::f64::consts::PI / 180.0,
    width: 0.03,
    backlash: 0.0,
    profile_points: 12,
    layers: 4,
};

fn foot_with(chamfer: f64) -> Foot {
    Foot { chamfer, ..Foot::ROVER }
}

/// Sum of the areas of all triangles (m²).
fn area(mesh: &TriangleMesh) -> f64 {
    mesh.corners().map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
}
