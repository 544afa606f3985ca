use std::f64::consts::{PI, TAU};

use carom_math::{Vec2, Vec3};

use super::disc::fill_disc;
use super::loft::band;
use super::{LENGTH, MAX_TRIANGLES, check};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Dedendum over module: the root circle is this much inside the pitch circle (ISO 53).
const DEDENDUM: f64 = 1.25;

/// Dimensions of an external spur gear with involute flanks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    /// Module m: pitch diameter over number of teeth (m).
    pub module: f64,
    /// Number of teeth z.
    pub teeth: u32,
    /// Pressure angle α at the pitch circle (rad).
    pub pressure_angle: f64,
    /// Length of the teeth along the axis (m).
    pub width: f64,
    /// What each tooth is thinner at the pitch circle than half the pitch (m).
    pub backlash: f64,
    /// Points on each flank, both ends included.
    pub profile_points: u32,
    /// Layers along the axis.
    pub layers: u32,
}

impl Gear {
    /// Pitch radius m z/2 (m).
    pub fn pitch_radius(&self) -> f64 {
        0.5 * self.module * f64::from(self.teeth)
    }

    /// Base radius r cos α (m), from whose circle the involutes unwind.
    pub fn base_radius(&self) -> f64 {
        self.pitch_radius() * libm::cos(self.pressure_angle)
    }

    /// Tip radius r + m (m).
    pub fn tip_radius(&self) -> f64 {
        self.pitch_radius() + self.module
    }

    /// Root radius r − 1.25 m (m).
    pub fn root_radius(&self) -> f64 {
        self.pitch_radius() - DEDENDUM * self.module
    }

    /// Half of the angle that a tooth takes at the radius ρ ≥ base radius (rad):
    /// (π/2 − j/m)/z + inv α − inv α_ρ, with cos α_ρ = r_b/ρ and inv α = tan α − α.
    fn half_angle(&self, radius: f64) -> f64 {
        let at_pitch = (0.5 * PI - self.backlash / self.module) / f64::from(self.teeth);
        at_pitch + involute(libm::tan(self.pressure_angle)) - involute(self.roll(radius))
    }

    /// Roll angle tan α_ρ = √(ρ²/r_b² − 1) of the involute at a radius (rad).
    fn roll(&self, radius: f64) -> f64 {
        let ratio = radius / self.base_radius();
        ((ratio - 1.0) * (ratio + 1.0)).max(0.0).sqrt()
    }

    /// Radius and half angle of a tooth from its root to its tip. The involute points are equally spaced in the roll
    /// angle. Where the root circle is inside the base circle, the flank goes on radially between them.
    fn tooth(&self) -> Vec<[f64; 2]> {
        let (base, root) = (self.base_radius(), self.root_radius());
        let start = root.max(base);
        let (from, to) = (self.roll(start), self.roll(self.tip_radius()));
        let mut tooth = Vec::new();
        if root < base {
            tooth.push([root, self.half_angle(base)]);
        }
        for k in 0..self.profile_points {
            let roll = from + (to - from) * f64::from(k) / f64::from(self.profile_points - 1);
            let radius = base * libm::sqrt(1.0 + roll * roll);
            tooth.push([radius, self.half_angle(radius)]);
        }
        tooth
    }

    fn check(&self) -> Result<(), ShapeFault> {
        let teeth = f64::from(self.teeth);
        check(&[
            ("module", self.module, self.module > 0.0, LENGTH),
            ("teeth", teeth, self.teeth >= 6, "at least 6 teeth"),
            (
                "pressure_angle",
                self.pressure_angle,
                self.pressure_angle > 0.0 && self.pressure_angle < 0.25 * PI,
                "an angle between 0 and 45 deg",
            ),
            ("width", self.width, self.width > 0.0, LENGTH),
            ("backlash", self.backlash, self.backlash >= 0.0, "a length in m, zero or larger"),
            ("profile_points", f64::from(self.profile_points), self.profile_points >= 2, "at least 2 points"),
            ("layers", f64::from(self.layers), self.layers >= 1, "at least one layer"),
        ])?;
        let count = 8 * u64::from(self.teeth) * (u64::from(self.profile_points) + 2) * u64::from(self.layers);
        let gap = PI / teeth - self.half_angle(self.root_radius().max(self.base_radius()));
        let tip = self.half_angle(self.tip_radius());
        check(&[
            (
                "teeth",
                teeth,
                tip > 0.0 && gap > 0.0,
                "teeth that are blunt, with gaps between them, at this pressure angle and backlash",
            ),
            ("layers", f64::from(self.layers), count <= MAX_TRIANGLES as u64, "at most 10 000 000 triangles"),
        ])
    }
}

/// Polar angle tan α − α of the involute at roll angle tan α, from its start on the base circle (rad).
fn involute(roll: f64) -> f64 {
    roll - libm::atan(roll)
}

/// Solid spur gear about z between z = ±width/2; the middle of a tooth is on +x. Two gears of equal module and
/// pressure angle mesh at the distance of the sum of their pitch radii.
///
/// Lands at tip and root are straight between the flanks; the ends are cut into rings inside the root circle. Below the base circle flanks are radial, without the
/// fillet and the undercut of a cut gear; involutes of a mating gear do not reach there as long as its teeth are
/// not many more (interference), which is not checked.
pub fn gear(gear: &Gear) -> Result<TriangleMesh, ShapeFault> {
    gear.check()?;
    let tooth = gear.tooth();
    let rows = tooth.len() as u32;
    let outline_points = 2 * rows * gear.teeth;
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    for layer in 0..=gear.layers {
        let z = gear.width * (f64::from(layer) / f64::from(gear.layers) - 0.5);
        for k in 0..gear.teeth {
            let middle = TAU * f64::from(k) / f64::from(gear.teeth);
            let point =
                |radius: f64, angle: f64| Vec3::new(radius * libm::cos(angle), radius * libm::sin(angle), z);
            mesh.vertices.extend(tooth.iter().map(|&[radius, half]| point(radius, middle - half)));
            mesh.vertices.extend(tooth.iter().rev().map(|&[radius, half]| point(radius, middle + half)));
        }
    }
    for layer in 0..gear.layers {
        band(&mut mesh.triangles, layer * outline_points, (layer + 1) * outline_points, outline_points);
    }
    let top = gear.layers * outline_points;
    for (first, z, upward) in [(0, -0.5 * gear.width, false), (top, 0.5 * gear.width, true)] {
        let teeth = end_triangles(first, rows, gear.teeth);
        mesh.triangles.extend(teeth.map(|[a, b, c]| if upward { [a, b, c] } else { [a, c, b] }));
        let feet: Vec<u32> = (0..gear.teeth)
            .flat_map(|tooth| [first + 2 * rows * tooth, first + 2 * rows * (tooth + 1) - 1])
            .collect();
        fill_disc(&mut mesh, &feet, z * Vec3::z(), upward);
    }
    Ok(mesh)
}

/// The outline of a gear's end, counter-clockwise; the middle of a tooth is on +x. Width and layers do not matter.
///
/// # Errors
///
/// What is wrong with the gear.
pub fn gear_outline(gear: &Gear) -> Result<Vec<Vec2>, ShapeFault> {
    gear.check()?;
    let tooth = gear.tooth();
    let mut points = Vec::with_capacity(2 * tooth.len() * gear.teeth as usize);
    for k in 0..gear.teeth {
        let middle = TAU * f64::from(k) / f64::from(gear.teeth);
        let point = |radius: f64, angle: f64| Vec2::new(radius * libm::cos(angle), radius * libm::sin(angle));
        points.extend(tooth.iter().map(|&[radius, half]| point(radius, middle - half)));
        points.extend(tooth.iter().rev().map(|&[radius, half]| point(radius, middle + half)));
    }
    Ok(points)
}

/// The teeth on one end of the gear, counter-clockwise, from flank to flank.
fn end_triangles(first: u32, rows: u32, teeth: u32) -> impl Iterator<Item = [u32; 3]> {
    let across = move |tooth: u32| {
        let (right, left) = (first + 2 * rows * tooth, first + 2 * rows * (tooth + 1) - 1);
        (0..rows - 1).flat_map(move |k| {
            [[right + k, right + k + 1, left - k - 1], [right + k, left - k - 1, left - k]]
        })
    };
    (0..teeth).flat_map(across)
}
