use carom_math::Vec3;

use super::loft::direction;
use super::pierced::{face_between, lines_between, rectangle_outline, ring_loop, rings_between};
use super::{LENGTH, LENGTH_OR_ZERO, Resolution, check, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Dimensions of a plate of a ship's bow with a hawse pipe, the pipe through which the anchor's cable runs.
///
/// The plate's outer face is in z = 0, seen from +z, about the z axis. The axis of the pipe meets it in the origin and leans from the
/// z axis towards +x outside; inside it ends square to its axis. The mouth is rounded by a ball that rolls in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hawse {
    /// Of the plate along x (m).
    pub length: f64,
    /// Of the plate along y (m).
    pub width: f64,
    /// Of the plate (m).
    pub thickness: f64,
    /// Inner radius of the pipe (m).
    pub bore: f64,
    /// Thickness of the pipe's wall (m).
    pub wall: f64,
    /// Length of the pipe from the origin to its inner end, along its axis (m).
    pub pipe: f64,
    /// Between the pipe's axis and the z axis (rad).
    pub tilt: f64,
    /// Radius of the rounding of the mouth (m).
    pub lip: f64,
}

/// Largest angle between the axes: 75°.
const MOST_TILT: f64 = 1.31;

/// Directions about the pipe: its axis outwards, and those across it.
struct Frame {
    out: Vec3,
    up: Vec3,
}

impl Frame {
    /// From the axis to the wall, at a direction around it.
    fn radial(&self, [c, s]: [f64; 2]) -> Vec3 {
        self.up * c + Vec3::y() * s
    }

    /// Where a line along the axis, so far from it in a direction, is at a height over the plate (m).
    fn at_height(&self, arm: Vec3, height: f64) -> Vec3 {
        arm + self.out * ((height - arm.z) / self.out.z)
    }
}

/// Rings that the faces end at, and the pieces between them.
struct Rings {
    outer: Vec<Vec3>,
    /// The mouth, from the plate to the bore.
    lip: Vec<Vec<Vec3>>,
    /// The pipe's inner end, inside and outside.
    end: [Vec<Vec3>; 2],
    /// Where the pipe meets the plate inside.
    back: Vec<Vec3>,
    outer_back: Vec<Vec3>,
    bore_rows: u32,
    end_rows: u32,
    pipe_rows: u32,
    side_rows: u32,
}

impl Hawse {
    fn check(&self) -> Result<(), ShapeFault> {
        let Self { length, width, thickness, bore, wall, pipe, tilt, lip } = *self;
        check(&[
            ("length", length, length > 0.0, LENGTH),
            ("width", width, width > 0.0, LENGTH),
            ("thickness", thickness, thickness > 0.0, LENGTH),
            ("bore", bore, bore > 0.0, LENGTH),
            ("wall", wall, wall > 0.0, LENGTH),
            ("pipe", pipe, pipe > 0.0, LENGTH),
            ("tilt", tilt, (0.0..=MOST_TILT).contains(&tilt), "an angle between 0 and 75 deg"),
            ("lip", lip, lip >= 0.0, LENGTH_OR_ZERO),
        ])?;
        let outside = bore + wall.max(lip);
        let lean = libm::tan(tilt);
        let reach = (outside + lip * libm::sin(tilt)) / libm::cos(tilt) + thickness * lean;
        // The deepest point of the mouth is on the wall towards which the pipe leans.
        let deep = lip * (1.0 + libm::sin(tilt));
        let inside = (thickness + (bore + wall) * libm::sin(tilt)) / libm::cos(tilt);
        check(&[
            ("lip", lip, deep < thickness, "a radius in m whose mouth is no deeper than the plate"),
            ("length", length, 0.5 * length > reach, "a length in m that leaves some plate beside the mouth"),
            ("width", width, 0.5 * width > outside, "a length in m that leaves some plate beside the mouth"),
            ("pipe", pipe, pipe > inside, "a length in m that leads through the plate"),
        ])
    }

    fn frame(&self) -> Frame {
        let (s, c) = (libm::sin(self.tilt), libm::cos(self.tilt));
        Frame { out: Vec3::new(s, 0.0, c), up: Vec3::new(c, 0.0, -s) }
    }

    fn rings(&self, n: u32) -> Rings {
        let frame = self.frame();
        let around: Vec<Vec3> = (0..n).map(|k| frame.radial(direction(k, n))).collect();
        let edge = std::f64::consts::TAU * self.bore / f64::from(n);
        let flat = |height: f64| -> Vec<Vec3> {
            let outline = rectangle_outline([0.5 * self.length, 0.5 * self.width], n);
            outline.into_iter().map(|[x, y]| Vec3::new(x, y, height)).collect()
        };
        let rows = segments(0.5 * std::f64::consts::PI * self.lip, edge);
        let lip = if self.lip > 0.0 { (0..=rows).collect::<Vec<_>>() } else { vec![0] };
        let lip = lip.into_iter().map(|row| {
            let share = f64::from(row) / f64::from(rows);
            around.iter().map(|radial| self.on_lip(&frame, radial, share)).collect()
        });
        let end = [self.bore, self.bore + self.wall].map(|radius| -> Vec<Vec3> {
            around.iter().map(|radial| radial * radius - frame.out * self.pipe).collect()
        });
        let through = |radial: &Vec3| frame.at_height(radial * (self.bore + self.wall), -self.thickness);
        Rings {
            outer: flat(0.0),
            lip: lip.collect(),
            end,
            back: around.iter().map(through).collect(),
            outer_back: flat(-self.thickness),
            bore_rows: segments(self.pipe, edge),
            end_rows: segments(self.wall, edge),
            pipe_rows: segments(self.pipe - self.thickness, edge),
            side_rows: segments(self.thickness, 2.0 * (self.length + self.width) / f64::from(n)),
        }
    }

    /// A point of the mouth at a direction across the pipe, from the plate (share 0) to the bore (1): on the ball that touches both,
    /// whose middle is as far below the plate as outside of the bore.
    fn on_lip(&self, frame: &Frame, radial: &Vec3, share: f64) -> Vec3 {
        let centre = frame.at_height(radial * (self.bore + self.lip), -self.lip);
        let (from, to) = (Vec3::z(), -radial);
        let angle = from.angle(&to);
        let across = (to - from * from.dot(&to)).normalize();
        let turned = angle * share;
        centre + (from * libm::cos(turned) + across * libm::sin(turned)) * self.lip
    }
}

/// Surface of a plate with a hawse pipe.
///
/// Divisions: n ≥ 4 points on each quarter around the pipe; all other edges are about as long.
pub fn hawse(hawse: &Hawse, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    hawse.check()?;
    let count = |n: u32| {
        let rings = hawse.rings(4 * n);
        let front = rings_between(&rings.outer, &rings.lip[0]) + 1;
        let back = rings_between(&rings.outer_back, &rings.back) + 1;
        let rows = rings.bore_rows + rings.end_rows + rings.pipe_rows + rings.side_rows;
        8 * n as usize * (rings.lip.len() - 1 + (front + back + rows) as usize)
    };
    let n = 4 * resolution.divisions(4, count)?;
    let Rings { outer, lip, end, back, outer_back, bore_rows, end_rows, pipe_rows, side_rows } =
        hawse.rings(n);
    let mut all = vec![outer.clone()];
    all.extend(face_between(&outer, &lip[0]));
    all.extend(lip.iter().cloned());
    all.extend(lines_between(&lip[lip.len() - 1], &end[0], bore_rows));
    all.push(end[0].clone());
    all.extend(lines_between(&end[0], &end[1], end_rows));
    all.push(end[1].clone());
    all.extend(lines_between(&end[1], &back, pipe_rows));
    all.push(back.clone());
    all.extend(face_between(&outer_back, &back).into_iter().rev());
    all.push(outer_back.clone());
    all.extend(lines_between(&outer_back, &outer, side_rows));
    Ok(ring_loop(&all))
}
