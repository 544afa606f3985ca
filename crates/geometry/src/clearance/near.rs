use carom_math::{Pose, Vec3};

use super::ClearanceTree;
use super::descent::{ClearanceWorkspace, Posed, Visit, descend};
use super::intersect::intersects;

/// Replaces `pairs` by all pairs of triangles of A and B that can be nearer than `reach` (m), in the order of their indices;
/// some may be a little farther. False, and of no use, if they are more than `limit`, or if the pose is not finite.
pub fn near_triangles(
    a: &ClearanceTree,
    b: &ClearanceTree,
    x_ab: &Pose,
    reach: f64,
    limit: usize,
    workspace: &mut ClearanceWorkspace,
    pairs: &mut Vec<[u32; 2]>,
) -> bool {
    pairs.clear();
    let posed = Posed { a, b, x_ab };
    if !posed.is_finite() {
        return false;
    }
    let mut collect = Collect { reach, limit, pairs, is_over: false };
    descend(&posed, workspace, &mut collect);
    let is_complete = !collect.is_over;
    if is_complete {
        pairs.sort_unstable();
    }
    is_complete
}

struct Collect<'a> {
    reach: f64,
    limit: usize,
    pairs: &'a mut Vec<[u32; 2]>,
    is_over: bool,
}

impl Visit for Collect<'_> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.reach
    }

    #[inline(always)]
    fn direction(&self) -> Option<Vec3> {
        None
    }

    #[inline(always)]
    fn pass(&mut self, _: f64) {}

    fn visit(&mut self, triangles: [u32; 2]) -> bool {
        self.is_over = self.pairs.len() >= self.limit;
        if !self.is_over {
            self.pairs.push(triangles);
        }
        !self.is_over
    }
}

/// A pair of triangles of A and B that have a point in common, if there is one: by exact signs ([`intersects`]) of
/// coordinates in A's frame, those of B rounded once. It is `hint` if that is one, and else always the same for the same
/// surfaces and pose. None if the pose is not finite.
pub fn touching(
    a: &ClearanceTree,
    b: &ClearanceTree,
    x_ab: &Pose,
    hint: Option<[u32; 2]>,
    workspace: &mut ClearanceWorkspace,
) -> Option<[u32; 2]> {
    let posed = Posed { a, b, x_ab };
    if !posed.is_finite() {
        return None;
    }
    let mut touch = Touch { posed, found: None };
    let hint = hint.filter(|hint| posed.has(*hint));
    if hint.is_none_or(|hint| touch.visit(hint)) {
        descend(&posed, workspace, &mut touch);
    }
    touch.found
}

struct Touch<'a> {
    posed: Posed<'a>,
    found: Option<[u32; 2]>,
}

impl Visit for Touch<'_> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn direction(&self) -> Option<Vec3> {
        None
    }

    #[inline(always)]
    fn pass(&mut self, _: f64) {}

    fn visit(&mut self, triangles: [u32; 2]) -> bool {
        let [a, b] = self.posed.corners(triangles);
        self.found = intersects(&a, &b).then_some(triangles);
        self.found.is_none()
    }
}
