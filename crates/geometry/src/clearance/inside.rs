use carom_math::{Pose, Vec3};

use super::ClearanceTree;
use super::lanes::EightBoxes;
use super::tree::{Eight, Thing};
use crate::intersection::pierces;
use crate::mesh::Shell;
use crate::near::simd::LANES;

/// Numbers of the ends of a ray; vertices have lower ones.
const START: u32 = u32::MAX - 1;
const FAR: u32 = u32::MAX;

/// Rounding of boxes, relative to the farthest vertex.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Boxes that wait while a ray goes through a tree: eleven levels at most, of which each leaves seven behind.
const MOST_WAITING: usize = 96;

/// What of one surface is wholly inside the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contained {
    /// Whether it is a part of the second surface, in the first; else the other way round.
    pub is_second: bool,
    /// The first triangle of that part.
    pub triangle: u32,
}

impl ClearanceTree {
    /// Number of shells, which are triangles that hang together over edges, and how many of them are closed. Vertices at equal
    /// positions count as one; a shell is closed if each edge is walked equally often both ways once triangles that
    /// are turned against their neighbours are turned back. Two blocks with a common edge or face are one closed shell.
    pub fn count_shells(&self) -> (usize, usize) {
        (self.shells.len(), self.shells.iter().filter(|shell| shell.is_closed).count())
    }

    /// Whether all shells are closed.
    pub fn is_closed(&self) -> bool {
        self.shells.iter().all(|shell| shell.is_closed)
    }

    /// Whether a triangle is turned against the rest of its shell.
    pub fn is_turned(&self, triangle: u32) -> bool {
        self.is_flipped[triangle as usize]
    }

    /// Whether a point of the surface's frame (m) is in the solid that the closed shells bound; open shells bound nothing.
    ///
    /// The winding number w of the point is how often closed shells go around it: +1 for one with normals that point
    /// outwards, −1 for one with normals that point inwards, which is a cavity. The solid is w > 0. If a cavity is not
    /// in a solid, the solid is everything around it without end, w ≥ 0: a single sphere turned inside out is a room in rock.
    ///
    /// w is counted where a ray along x pierces triangles, by exact signs as if no four points were in one plane
    /// ([`crate::intersection::sign_of_volume`]); so no ray meets an edge. A point of the surface itself is either in or not.
    pub fn is_inside(&self, point: &Vec3) -> bool {
        self.wind(point, None) + self.everywhere() > 0
    }

    /// The first triangle of a cavity that is in no other shell, if there is one: the solid reaches to infinity around it.
    pub fn room(&self) -> Option<u32> {
        self.room
    }

    /// To be asked once, of the finished tree.
    pub(super) fn find_room(&self) -> Option<u32> {
        let mut firsts = self.shells.iter().map(|shell| shell.first);
        firsts.find(|first| self.is_cavity(*first) && self.wind_of_others(*first) <= 0)
    }

    /// Whether a triangle belongs to a closed shell that is turned inwards where nothing is solid around it: there it is no
    /// cavity, and bounds nothing.
    pub fn is_turned_inwards(&self, triangle: u32) -> bool {
        self.is_cavity(triangle) && self.wind_of_others(triangle) + self.everywhere() <= 0
    }

    /// Winding number that the solid has without end.
    fn everywhere(&self) -> i32 {
        i32::from(self.room.is_some())
    }

    fn is_cavity(&self, triangle: u32) -> bool {
        let shell = &self.shells[self.shell_of[triangle as usize] as usize];
        shell.is_closed && shell.signed_volume < 0.0
    }

    /// Winding number of the other shells at a triangle.
    fn wind_of_others(&self, triangle: u32) -> i32 {
        self.wind(&self.triangle(triangle)[0], Some(self.shell_of[triangle as usize]))
    }

    /// Winding number of all closed shells but one.
    fn wind(&self, point: &Vec3, except: Option<u32>) -> i32 {
        if !self.shells.iter().any(|shell| shell.is_closed) {
            return 0;
        }
        let far = Vec3::new(point.x.abs() + 4.0 * self.radius() + 1.0, point.y, point.z);
        let rounding = ROUNDING * (self.radius() + point.norm());
        let mut waiting = [self.whole(); MOST_WAITING];
        let mut count = 1;
        let mut turns = 0;
        while count > 0 {
            count -= 1;
            let (opened, lanes, eight) = self.open(waiting[count]);
            let Eight::Boxes(boxes) = eight else {
                for lane in 0..lanes {
                    turns += self.cross(ClearanceTree::child(opened, lane), point, &far, except);
                }
                continue;
            };
            let is_met = meets_ray(boxes, point, rounding);
            for lane in (0..lanes).filter(|lane| is_met[*lane]) {
                waiting[count] = ClearanceTree::child(opened, lane);
                count += 1;
            }
        }
        turns
    }

    /// 1 if the ray leaves through the triangle, −1 if it enters, 0 if it passes by.
    fn cross(&self, triangle: Thing, start: &Vec3, far: &Vec3, except: Option<u32>) -> i32 {
        let index = self.index(triangle);
        let shell = self.shell_of[index as usize];
        if Some(shell) == except || !self.shells[shell as usize].is_closed {
            return 0;
        }
        let corners = self.triangle(index);
        let [p, q, r] = corners.map(|p| p - start);
        let is_beside = |i: usize| p[i].min(q[i]).min(r[i]) > 0.0 || p[i].max(q[i]).max(r[i]) < 0.0;
        if is_beside(1) || is_beside(2) || p.x.max(q.x).max(r.x) < 0.0 {
            return 0;
        }
        let numbers = self.vertices[index as usize];
        let numbered = [0, 1, 2].map(|k| (numbers[k], corners[k]));
        match pierces((START, *start), (FAR, *far), numbered) {
            Some(is_start_behind) => {
                if is_start_behind != self.is_flipped[index as usize] {
                    1
                } else {
                    -1
                }
            }
            None => 0,
        }
    }

    pub(super) fn shells(&self) -> &[Shell] {
        &self.shells
    }
}

/// Which boxes around the boxes, along the axes of the frame, a ray along x meets.
fn meets_ray(boxes: &EightBoxes, start: &Vec3, rounding: f64) -> [bool; LANES] {
    let mut is_met = [false; LANES];
    for k in 0..LANES {
        let reach = |i: usize| boxes.half.iter().map(|h| h[i][k].abs()).sum::<f64>() + rounding;
        let from = |i: usize| boxes.centre[i][k] - start[i];
        is_met[k] = (from(1).abs() <= reach(1)) & (from(2).abs() <= reach(2)) & (from(0) >= -reach(0));
    }
    is_met
}

/// A shell, open or closed, of one surface that has its first corner in the solid of the other, `x_ab` being the pose
/// of B in A. Where the surfaces do not touch ([`super::touching`]) the whole shell is inside then, and without one
/// neither is in the other. None if the pose is not finite.
pub fn contained(a: &ClearanceTree, b: &ClearanceTree, x_ab: &Pose) -> Option<Contained> {
    let find = |of: &ClearanceTree, within: &ClearanceTree, place: &dyn Fn(&Vec3) -> Vec3| {
        let is_inside = |shell: &&Shell| {
            let point = place(&of.triangle(shell.first)[0]);
            point.iter().all(|x| x.is_finite()) && within.is_inside(&point)
        };
        of.shells().iter().find(is_inside).map(|shell| shell.first)
    };
    let of_b = find(b, a, &|p| x_ab.transform_point(p));
    if let Some(triangle) = of_b {
        return Some(Contained { is_second: true, triangle });
    }
    let of_a = find(a, b, &|p| x_ab.inverse_transform_point(p));
    of_a.map(|triangle| Contained { is_second: false, triangle })
}
