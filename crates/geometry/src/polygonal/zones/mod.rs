//! How much the places of a surface belong to edges and corners beside them.

mod marked;

use std::sync::Arc;

use carom_math::Vec3;

pub use marked::MarkedEdges;

/// How far from an edge its faces are in contact at a slant of 25° when it is ten times as deep as what must be felt, over that depth.
const WIDTH: f64 = 24.0;

/// Halvings of a line within which it is told how near an edge comes to it.
const HALVINGS: u32 = 8;

/// So near to where shares begin to change, in widths, rounding may show.
const UNSTEADY: f64 = 1e-6;

/// An edge, or a corner of no length.
#[derive(Clone, Copy, Debug)]
struct Zone {
    from: Vec3,
    along: Vec3,
    /// Its product with a point seen from `from` is 0 at that end, and 1 at the other.
    part: Vec3,
}

impl Zone {
    fn new([from, to]: [Vec3; 2]) -> Self {
        let along = to - from;
        let square = along.norm_squared();
        Self { from, along, part: if square > 0.0 { along / square } else { along } }
    }

    /// Squared distance of a point (m²).
    #[inline]
    fn square(&self, point: &Vec3) -> f64 {
        let from = point - self.from;
        (from - self.along * from.dot(&self.part).clamp(0.0, 1.0)).norm_squared()
    }

    /// Does a point of a line come nearer than `reach` (m)? Of what cannot be told it is said to.
    fn comes_within(&self, reach: f64, line: [Vec3; 2]) -> bool {
        self.comes_within_after(HALVINGS, reach, line)
    }

    fn comes_within_after(&self, halvings: u32, reach: f64, [from, to]: [Vec3; 2]) -> bool {
        let middle = 0.5 * (from + to);
        let distance = self.square(&middle).sqrt();
        if distance < reach || distance - 0.5 * (to - from).norm() >= reach {
            return distance < reach;
        }
        let halves = [[from, middle], [middle, to]];
        halvings == 0 || halves.into_iter().any(|half| self.comes_within_after(halvings - 1, reach, half))
    }
}

/// What of a surface is beside some of its edges and corners.
#[derive(Clone, Debug)]
pub struct EdgeZones {
    zones: Arc<[Zone]>,
    /// By triangle, one after the other: those of `zones` that may be the nearest to a place of it, the nearest to its middle first.
    known: Vec<u32>,
    /// The first of `known` of each triangle, and behind the last one their number.
    first: Vec<u32>,
    /// What is nearer is beside an edge (m).
    width: f64,
}

impl EdgeZones {
    /// Has the surface none?
    pub fn is_empty(&self) -> bool {
        self.zones.is_empty()
    }

    /// How much a point of a triangle belongs to the edges beside it: from 1 to 0 between their width and twice that. A continuous
    /// function of the place on the surface, which changes by no more than 1.5 over the width.
    pub fn share(&self, triangle: u32, point: &Vec3) -> f64 {
        self.share_around(triangle, point).share
    }

    /// The share with how far around the point it is the same.
    #[inline]
    pub fn share_around(&self, triangle: u32, point: &Vec3) -> ShareAround {
        let [from, to] = [triangle, triangle + 1].map(|k| self.first[k as usize] as usize);
        let within = self.width * self.width;
        let steady = |radius: f64| radius - UNSTEADY * self.width;
        let mut square = f64::INFINITY;
        for &zone in &self.known[from..to] {
            square = self.zones[zone as usize].square(point).min(square);
            if square <= within {
                return ShareAround { share: 1.0, radius: steady(self.width - square.sqrt()) };
            }
        }
        let distance = square.sqrt();
        let x = 2.0 - distance / self.width;
        if x <= 0.0 {
            return ShareAround { share: 0.0, radius: steady(distance - 2.0 * self.width) };
        }
        ShareAround { share: x * x * (3.0 - 2.0 * x), radius: 0.0 }
    }
}

/// A share and around which it is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShareAround {
    /// From 0 to 1.
    pub share: f64,
    /// Places of the triangle nearer than this (m) have the same share in every bit; not above 0 where it changes.
    pub radius: f64,
}
