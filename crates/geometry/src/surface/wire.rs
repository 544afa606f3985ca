use std::f64::consts::TAU;

use carom_math::{Quaternion, Vec3};

use super::loft::{direction, loft};
use super::{LENGTH, Resolution, check, segments};
use crate::TriangleMesh;
use crate::shape::ShapeFault;

/// Dimensions of a bent wire: a ball's way along a path, with flat ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Wire {
    /// Corners of the path, from end to end (m).
    pub path: Vec<Vec3>,
    /// Radius of the section (m).
    pub radius: f64,
    /// Radius of the path's arcs, in place of its inner corners (m).
    pub bend: f64,
}

/// A section's middle and the direction in which the path goes on.
type Station = (Vec3, Vec3);

/// An inner corner of the path, with its arc.
struct Corner {
    at: Vec3,
    along: [Vec3; 2],
    /// Between the directions (rad).
    angle: f64,
    /// From the corner to where the arc begins and ends (m).
    reach: f64,
}

impl Wire {
    fn corners(&self) -> Vec<Corner> {
        let corner = |points: &[Vec3]| {
            let along = [points[1] - points[0], points[2] - points[1]].map(|way| way.normalize());
            let angle = along[0].angle(&along[1]);
            Corner { at: points[1], along, angle, reach: self.bend * libm::tan(0.5 * angle) }
        };
        self.path.windows(3).map(corner).collect()
    }

    fn check(&self) -> Result<(), ShapeFault> {
        let lengths: Vec<f64> = self.path.windows(2).map(|ends| (ends[1] - ends[0]).norm()).collect();
        let shortest = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        check(&[
            ("radius", self.radius, self.radius > 0.0, LENGTH),
            ("path", self.path.len() as f64, self.path.len() >= 2, "two points or more"),
            ("path", shortest, shortest > 0.0, "points that are apart"),
        ])?;
        let corners = self.corners();
        if corners.is_empty() {
            return Ok(());
        }
        check(&[("bend", self.bend, self.bend > self.radius, "a length in m above the radius of the wire")])?;
        let sharpest = corners.iter().map(|corner| corner.angle).fold(0.0, f64::max);
        check(&[("path", sharpest, sharpest < 3.1, "corners that turn by less than 177 deg")])?;
        let reach = |k: usize| corners.get(k).map_or(0.0, |corner| corner.reach);
        for (k, length) in lengths.iter().enumerate() {
            let taken = if k > 0 { reach(k - 1) } else { 0.0 } + reach(k);
            check(&[("bend", self.bend, taken <= *length, "arcs that the straight pieces have room for")])?;
        }
        Ok(())
    }

    /// Sections near `spacing` apart.
    fn stations(&self, spacing: f64) -> Vec<Station> {
        let mut stations: Vec<Station> = vec![(self.path[0], (self.path[1] - self.path[0]).normalize())];
        let straight = |stations: &mut Vec<Station>, end: Vec3, along: Vec3| {
            let start = stations[stations.len() - 1].0;
            let n = segments((end - start).norm(), spacing);
            // An arc may begin where the last one has ended.
            if (end - start).norm() > 1e-9 * spacing {
                let at = |k: u32| start + (end - start) * (f64::from(k) / f64::from(n));
                stations.extend((1..=n).map(|k| (at(k), along)));
            }
        };
        for Corner { at, along: [before, after], angle, reach } in self.corners() {
            straight(&mut stations, at - before * reach, before);
            let start = stations[stations.len() - 1].0;
            let axis = before.cross(&after).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            let centre = start + axis.cross(&before) * self.bend;
            let n = segments(angle * self.bend, spacing);
            stations.extend((1..=n).map(|k| {
                let turned = angle * f64::from(k) / f64::from(n);
                let turn = Quaternion::from_rotation_vector(&(axis * turned)).to_matrix();
                (centre + turn * (start - centre), turn * before)
            }));
        }
        let last = self.path.len() - 1;
        straight(&mut stations, self.path[last], (self.path[last] - self.path[last - 1]).normalize());
        stations
    }
}

/// Surface of a bent wire.
///
/// Divisions: n ≥ 3 points around; path and ends are cut into pieces as long as an edge. The sections do not turn about the
/// path: each is the one before, turned the shortest way.
pub fn wire(wire: &Wire, resolution: Resolution) -> Result<TriangleMesh, ShapeFault> {
    wire.check()?;
    let spacing = |n: u32| TAU * wire.radius / f64::from(n);
    let on_end = |n: u32| segments(wire.radius, spacing(n));
    let rings = |n: u32| wire.stations(spacing(n)).len() + 2 * (on_end(n) as usize - 1);
    let n = resolution.divisions(3, |n| 2 * n as usize * rings(n))?;
    let stations = wire.stations(spacing(n));
    let mut along = stations[0].1;
    let (mut across, _) = carom_math::orthonormal_basis(&along);
    let mut sections: Vec<Vec<Vec3>> = Vec::with_capacity(rings(n));
    for (_, next) in &stations {
        across = Quaternion::between(&along, next).to_matrix() * across;
        along = *next;
        let other = along.cross(&across);
        let around = (0..n).map(|k| direction(k, n));
        sections.push(around.map(|[c, s]| (across * c + other * s) * wire.radius).collect());
    }
    let ring = |station: usize, share: f64| -> Vec<Vec3> {
        sections[station].iter().map(|arm| stations[station].0 + arm * share).collect()
    };
    let (last, ends) = (stations.len() - 1, on_end(n));
    let share = |k: u32| f64::from(k) / f64::from(ends);
    let mut all: Vec<Vec<Vec3>> = (1..ends).map(|k| ring(0, share(k))).collect();
    all.extend((0..=last).map(|station| ring(station, 1.0)));
    all.extend((1..ends).rev().map(|k| ring(last, share(k))));
    Ok(loft(stations[0].0, &all, stations[last].0))
}
