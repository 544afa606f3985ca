//! Which edges each triangle must know for what is beside them.
//!
//! A triangle that knew its own edges alone would know nothing of one that is a hair beyond the diagonal of its face, and what a share
//! weighs would jump where a line crosses the cut. So each marked edge is handed on from triangle to triangle as far as it reaches, over
//! all edges but marked ones. On those shares are 1 from either side; over all others neighbours know the same edges near the one that
//! they have in common. So shares are continuous on the whole surface, however it is cut.

use std::sync::Arc;

use carom_math::Vec3;

use super::{EdgeZones, WIDTH, Zone};
use crate::TriangleMesh;
use crate::mesh::{EdgeSides, Sharpness, find_representatives};

/// Slope from which on the faces beside an edge may meet a face at a slant: two that differ by 25° in direction.
const SHARP: f64 = 0.22;

/// Edges that all triangles together may know. Where there would be more, as on a face with thousands of holes, zones are narrower.
const MOST_KNOWN: usize = 1 << 21;

/// No triangle, zone or entry.
const NONE: u32 = u32::MAX;

/// A surface with some of its edges and corners marked.
#[derive(Clone, Debug)]
pub struct MarkedEdges {
    zones: Arc<[Zone]>,
    /// Numbers of zones, in order, with triangles that they are edges or corners of.
    own: Vec<(u32, u32)>,
    /// The neighbour of each triangle over each of its edges that is not marked, if there is one.
    across: Vec<[u32; 3]>,
}

impl MarkedEdges {
    /// Sharp edges and corners of a valid mesh.
    pub fn sharp(mesh: &TriangleMesh, sharpness: &[Sharpness]) -> Self {
        let is_sharp = |steepness: f64| steepness >= SHARP;
        Self::new(mesh, |k| [sharpness[k].edges.map(is_sharp), sharpness[k].corners.map(is_sharp)])
    }

    /// All edges and corners at which flat faces of it end.
    pub fn bends(mesh: &TriangleMesh, sharpness: &[Sharpness]) -> Self {
        Self::new(mesh, |k| sharpness[k].bends)
    }

    /// With marks at edges and corners of triangles.
    fn new(mesh: &TriangleMesh, marks: impl Fn(usize) -> [[bool; 3]; 2]) -> Self {
        let (mut zones, mut own) = (Vec::new(), Vec::new());
        let mut across = vec![[NONE; 3]; mesh.triangles.len()];
        let mut mark = |ends: [u32; 2], triangles: &mut dyn Iterator<Item = u32>| {
            own.extend(triangles.map(|triangle| (zones.len() as u32, triangle)));
            zones.push(Zone::new(ends.map(|vertex| mesh.vertices[vertex as usize])));
        };
        for sides in EdgeSides::of(mesh).groups() {
            if sides.iter().any(|side| marks(side.triangle as usize)[0][usize::from(side.corner)]) {
                mark([sides[0].low, sides[0].high], &mut sides.iter().map(|side| side.triangle));
            } else if let [one, other] = sides {
                across[one.triangle as usize][usize::from(one.corner)] = other.triangle;
                across[other.triangle as usize][usize::from(other.corner)] = one.triangle;
            }
        }
        let same = find_representatives(&mesh.vertices, 0.0);
        let mut tips = Vec::new();
        for (triangle, vertices) in mesh.triangles.iter().enumerate() {
            let [edges, ends] = marks(triangle);
            // Those at marked edges are parts of them.
            let is_tip = |&at: &usize| ends[at] && !edges[at] && !edges[(at + 2) % 3];
            tips.extend((0..3).filter(is_tip).map(|at| (same[vertices[at] as usize], triangle as u32)));
        }
        tips.sort_unstable();
        for tip in tips.chunk_by(|a, b| a.0 == b.0) {
            mark([tip[0].0; 2], &mut tip.iter().map(|(_, triangle)| *triangle));
        }
        Self { zones: zones.into(), own, across }
    }

    /// What is beside them where what is `depth` deep must be felt (m); of the mesh that was marked.
    pub fn zones(&self, mesh: &TriangleMesh, depth: f64) -> EdgeZones {
        let mut width = WIDTH * depth;
        loop {
            if let Some(known) = self.hand_on(mesh, width) {
                return known.zones(self.zones.clone(), width);
            }
            width *= 0.5;
        }
    }

    /// What each triangle knows where all that is nearer than twice the width is handed on; none if that is too much.
    fn hand_on(&self, mesh: &TriangleMesh, width: f64) -> Option<Known<'_>> {
        let mut known = Known::of(mesh, &self.zones);
        // Those that are nearest come first, so that little is handed on for nothing.
        for &(number, triangle) in &self.own {
            known.learn(triangle, number);
        }
        let most = known.entries.len().max(MOST_KNOWN);
        // The last zone that has come by.
        let mut seen = vec![NONE; mesh.triangles.len()];
        let mut open = Vec::new();
        for own in self.own.chunk_by(|a, b| a.0 == b.0) {
            let number = own[0].0;
            open.extend(own.iter().map(|(_, triangle)| *triangle));
            open.iter().for_each(|&triangle| seen[triangle as usize] = number);
            while let Some(triangle) = open.pop() {
                for at in 0..3 {
                    let beyond = self.across[triangle as usize][at];
                    if beyond == NONE || seen[beyond as usize] == number {
                        continue;
                    }
                    let corners = &known.places[triangle as usize].corners;
                    let edge = [corners[at], corners[(at + 1) % 3]];
                    if self.zones[number as usize].comes_within(2.0 * width, edge) {
                        seen[beyond as usize] = number;
                        open.extend(known.learn(beyond, number).then_some(beyond));
                    }
                }
            }
            if known.entries.len() > most {
                return None;
            }
        }
        Some(known)
    }
}

/// What triangles know.
struct Known<'a> {
    zones: &'a [Zone],
    places: Vec<Place>,
    entries: Vec<Entry>,
}

/// A triangle.
struct Place {
    corners: [Vec3; 3],
    middle: Vec3,
    /// Distance of the farthest corner from the middle (m).
    radius: f64,
    /// No place of it is farther from the nearest of the zones that it knows (m).
    farthest: f64,
    /// The last of its entries.
    last: u32,
}

/// A zone that a triangle knows.
#[derive(Clone, Copy)]
struct Entry {
    zone: u32,
    /// Its entry before.
    before: u32,
    /// From the triangle's middle (m).
    distance: f64,
}

impl<'a> Known<'a> {
    /// Nothing yet.
    fn of(mesh: &TriangleMesh, zones: &'a [Zone]) -> Self {
        let place = |corners: [Vec3; 3]| {
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let radius = corners.iter().map(|p| (p - middle).norm()).fold(0.0, f64::max);
            Place { corners, middle, radius, farthest: f64::INFINITY, last: NONE }
        };
        Self { zones, places: mesh.corners().map(place).collect(), entries: Vec::new() }
    }

    /// A triangle comes to know a zone, unless it knows one that is nearer everywhere on it: that one is handed on in its stead.
    fn learn(&mut self, triangle: u32, number: u32) -> bool {
        let (place, zone) = (&mut self.places[triangle as usize], &self.zones[number as usize]);
        let distance = zone.square(&place.middle).sqrt();
        if distance - place.radius > place.farthest {
            return false;
        }
        // Distances from a line are largest at a corner.
        let farthest = place.corners.iter().map(|p| zone.square(p)).fold(0.0, f64::max).sqrt();
        place.farthest = place.farthest.min(farthest);
        self.entries.push(Entry { zone: number, before: place.last, distance });
        place.last = self.entries.len() as u32 - 1;
        true
    }

    fn zones(&self, zones: Arc<[Zone]>, width: f64) -> EdgeZones {
        let (mut known, mut first) = (Vec::new(), vec![0]);
        let mut own = Vec::new();
        for place in &self.places {
            let mut next = place.last;
            while next != NONE {
                let entry = self.entries[next as usize];
                own.extend((entry.distance - place.radius <= place.farthest).then_some(entry));
                next = entry.before;
            }
            own.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.zone.cmp(&b.zone)));
            known.extend(own.drain(..).map(|entry| entry.zone));
            first.push(known.len() as u32);
        }
        EdgeZones { zones, known, first, width }
    }
}
