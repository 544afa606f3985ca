//! How far a convex part reaches beyond the solid that it stands for.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use carom_math::Vec3;

use super::wedge::{Patch, Wedge};
use crate::clearance::{ClearanceTree, NearestWorkspace};
use crate::convex::ConvexHull;

/// Cells that are looked at in a hull.
const MOST_CELLS: usize = 30_000;
/// Shares of the reach that bounds may be apart, one after the other: most parts are known not to reach farthest by wide ones.
const SHARES: [f64; 6] = [2.0, 1.0, 0.5, 0.2, 0.08, 0.02];

/// Greatest distance from a solid of a point outside of it (m), between bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// A point is so far from the solid.
    pub at_least: f64,
    /// None is farther.
    pub at_most: f64,
}

/// Part of a hull, which bounds the distance that one of its points can have.
struct Cell {
    wedge: Wedge,
    bound: f64,
    sample: Sample,
}

/// A point, and its distance from the solid's surface (m), below 0 inside.
#[derive(Clone, Copy)]
struct Sample {
    point: Vec3,
    distance: f64,
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cell {}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cell {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

/// Share by which rounding may make distances too small.
const ROUNDING: f64 = 1e-9;

/// Search among the points of a hull. From place to place the distance grows by no more than the way: the cell that may have the farthest
/// point is halved, until bounds agree or so many have been looked at.
pub(super) struct ReachSearch<'a> {
    solid: &'a ClearanceTree,
    /// A point of the hull, from which wedges go out.
    middle: Vec3,
    cells: BinaryHeap<Cell>,
    looked: usize,
    reach: Reach,
    /// Of [`SHARES`], how many are done with.
    done: usize,
    workspace: NearestWorkspace,
}

impl<'a> ReachSearch<'a> {
    /// With wide bounds.
    pub(super) fn new(hull: &ConvexHull, solid: &'a ClearanceTree) -> Self {
        let vertices = hull.vertices();
        let middle = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
        let triangles = hull.triangles().iter().map(|triangle| triangle.map(|v| vertices[v as usize]));
        let mut search = Self::none(solid);
        search.middle = middle;
        search.done = 0;
        let near = search.sample(middle, None);
        search.add(Wedge { patch: Patch::of(triangles.collect()), shares: [0.0, 1.0] }, &near);
        search.narrow();
        search
    }

    /// Of a hull that has nothing beyond its part.
    pub(super) fn none(solid: &'a ClearanceTree) -> Self {
        let workspace = NearestWorkspace::with_room();
        let (middle, cells, reach) = (Vec3::zeros(), BinaryHeap::new(), Reach::default());
        Self { solid, middle, cells, looked: 0, reach, done: SHARES.len(), workspace }
    }

    pub(super) fn reach(&self) -> Reach {
        self.reach
    }

    /// Are the bounds as near to each other as they will be?
    pub(super) fn is_narrow(&self) -> bool {
        self.done == SHARES.len()
    }

    pub(super) fn narrow(&mut self) {
        let share = SHARES[self.done];
        self.done += 1;
        while let Some(cell) = self.cells.pop() {
            if cell.bound <= self.reach.at_least * (1.0 + share) || self.looked == MOST_CELLS {
                self.reach.at_most = cell.bound.max(self.reach.at_least);
                self.cells.push(cell);
                return;
            }
            self.looked += 1;
            for half in cell.wedge.halves(&self.middle) {
                self.add(half, &cell.sample);
            }
        }
        self.reach.at_most = self.reach.at_least;
    }

    /// From a sample that is near, the distance is known to the way between both, and the side to a way that is less than its distance.
    fn sample(&mut self, point: Vec3, near: Option<&Sample>) -> Sample {
        let way = near.map(|near| (point - near.point).norm() * (1.0 + ROUNDING));
        let most = near.zip(way).map(|(near, way)| (near.distance.abs() + way) * (1.0 + ROUNDING));
        let most = most.unwrap_or(f64::INFINITY);
        let distance = self.solid.distance_within(&point, most, &mut self.workspace);
        let same_side = near.zip(way).filter(|(near, way)| *way < near.distance.abs() * (1.0 - ROUNDING));
        let is_inside = same_side.map(|(near, _)| near.distance < 0.0);
        let is_inside = is_inside.unwrap_or_else(|| self.solid.is_inside(&point));
        Sample { point, distance: if is_inside { -distance } else { distance } }
    }

    fn add(&mut self, wedge: Wedge, near: &Sample) {
        let (centre, radius) = wedge.ball(&self.middle);
        // What cannot be farther than the farthest so far need not be looked at.
        if (near.distance + (centre - near.point).norm() + radius) * (1.0 + ROUNDING) <= self.reach.at_least {
            return;
        }
        let sample = self.sample(centre, Some(near));
        self.reach.at_least = self.reach.at_least.max(sample.distance);
        let bound = sample.distance + radius;
        if bound > self.reach.at_least {
            self.cells.push(Cell { wedge, bound, sample });
        }
    }
}
