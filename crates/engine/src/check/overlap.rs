use std::collections::BTreeSet;
use std::sync::Arc;

use carom_geometry::clearance::{ClearanceTree, ClearanceWorkspace, contained, escape, touching};
use carom_geometry::convex::{ConvexCache, ConvexWorkspace, find_convex_contact, find_half_space_contact};
use carom_geometry::planar::{self, count_features};
use carom_geometry::{ContactPoint, Shape, ShapeKind};
use carom_math::{Pose, Vec3};

use crate::model::{BodyShape, ContactPair, Finder, Method, Model, ShapeRef, Side, Solid, WideLine, detect};
use crate::{Problem, System};

/// An overlap at the start is worth a word when it is deeper than this share of the smaller shape's
/// size: a ball that rests in its own indentation is well below.
const DEEP: f64 = 0.01;

/// Most pairs of surfaces that are looked at for overlaps nobody named.
const MAX_LOOKS: usize = 5_000_000;

/// Two surfaces that overlap deeply at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlap {
    /// A surface; A of the pair, if there is one.
    pub a: ShapeRef,
    /// The other one.
    pub b: ShapeRef,
    /// The pair that they are; none if no contact line names them.
    pub pair: Option<ContactPair>,
    /// Translation by which B leaves A (m, world axes); none if no straight way was found.
    pub way: Option<Vec3>,
    /// One of them that is solid without end around a closed part turned inwards, which the other lies in.
    pub rock: Option<ShapeRef>,
}

impl Overlap {
    fn new(pair: ContactPair, Way { by, rock }: Way) -> Self {
        Self { a: pair.a, b: pair.b, pair: Some(pair), way: by, rock }
    }

    /// W0401 of a pair, W0420 without one.
    pub(crate) fn problem(&self, model: &Model) -> Problem {
        if let Some(pair) = &self.pair {
            return self.problem_of_pair(model, pair);
        }
        let (name_a, name_b) = (&shape_of(model, self.a).name, &shape_of(model, self.b).name);
        let by = self.way.map_or(String::new(), |way| format!(" by {}", length(way.norm())));
        let message =
            format!("\"{name_a}\" and \"{name_b}\" overlap{by} at t = 0, but no contact pair names them");
        let path = format!("body.{}", model.bodies[self.a.body].name);
        let help = "they will pass through each other: add a contact line, or allow W0420 if that is meant";
        Problem::new("W0420", path, message).help(help)
    }

    fn problem_of_pair(&self, model: &Model, pair: &ContactPair) -> Problem {
        let line = &model.contact_lines[pair.line].name;
        let by = self.way.map_or(String::new(), |way| format!(" by {}", length(way.norm())));
        let message = format!(
            "\"{}\" and \"{}\" overlap{by} at t = 0 (pair \"{}\")",
            shape_of(model, pair.a).name,
            shape_of(model, pair.b).name,
            pair.name
        );
        let (mover, sign) = if model.bodies[pair.b.body].fixed { (pair.a, -1.0) } else { (pair.b, 1.0) };
        let mover = &model.bodies[mover.body].name;
        let help = match (self.rock, self.way.map(|way| way * sign)) {
            (Some(rock), _) => {
                let rock = &shape_of(model, rock).name;
                format!(
                    "a closed part of \"{rock}\" is turned inwards, which fills all around it: turn it in its mesh, as `carom mesh repair` does; or start {mover} in it, if it is a room"
                )
            }
            (None, Some(way)) => {
                let [x, y, z] = [way.x, way.y, way.z].map(outwards);
                format!("move {mover} by [{x}, {y}, {z}] m, or allow W0401 if that is meant")
            }
            (None, None) => {
                format!(
                    "no straight way leads {mover} out: put it elsewhere, or allow W0401 if that is meant"
                )
            }
        };
        Problem::new("W0401", format!("contact.{line}"), message).help(help)
    }
}

/// Surfaces that overlap at the start, with the bodies' frames at `poses`. Bodies that a joint connects are meant to.
pub(crate) fn find_overlaps(
    model: &Model,
    system: Option<&System>,
    solids: &[Vec<Solid>],
    poses: &[Pose],
) -> Vec<Overlap> {
    let mut overlaps = Vec::new();
    let mut start = Start::new(model, system, solids, poses);
    let jointed: BTreeSet<_> = model.joints.iter().map(|j| ordered(j.a.body, j.b.body)).collect();
    let mut named = BTreeSet::new();
    for pair in &model.pairs {
        named.insert(ordered(pair.a, pair.b));
        let has_meshes = matches!(model.contact_lines[pair.line].method, Method::Pcm | Method::Region);
        let way = if has_meshes { start.way_out(pair.a, pair.b) } else { start.way(pair.a, pair.b) };
        overlaps.extend(way.map(|way| Overlap::new(pair.clone(), way)));
    }
    let surfaces = movable_surfaces(model);
    if surfaces.0.len() * surfaces.1.len() > MAX_LOOKS {
        return overlaps;
    }
    for &a in &surfaces.0 {
        for &b in &surfaces.1 {
            let both_movable = !model.bodies[b.body].fixed;
            let joined = a.body == b.body || jointed.contains(&ordered(a.body, b.body));
            if joined || (both_movable && b < a) || named.contains(&ordered(a, b)) {
                continue;
            }
            let Some(point) = start.deepest_point(a, b) else { continue };
            if let Some((pair, is_a)) = wide_pair(model, a, b) {
                let point = if is_a { point } else { point.swapped() };
                overlaps.push(Overlap::new(pair, Way::of(&point)));
                continue;
            }
            overlaps.push(Overlap { a, b, pair: None, way: Way::of(&point).by, rock: None });
        }
    }
    overlaps
}

/// The pair that a wide line makes of two surfaces that no pair of the model lists; and whether the first is its A.
fn wide_pair(model: &Model, first: ShapeRef, second: ShapeRef) -> Option<(ContactPair, bool)> {
    if model.pairs_off.binary_search(&ordered(first, second)).is_ok() {
        return None;
    }
    let owner = |wide: &WideLine| Some((wide.line, wide.order(first, second)?));
    let (line, (a, b)) = model.wide_lines.iter().find_map(owner)?;
    let line = line?;
    let [name_a, name_b] = [a, b].map(|s| &shape_of(model, s).name);
    let name = format!("{}[{name_a}|{name_b}]", model.contact_lines[line].name);
    Some((ContactPair { name, line, a, b }, a == first))
}

/// How B leaves A: a translation (m), none if no way was found.
struct Way {
    by: Option<Vec3>,
    rock: Option<ShapeRef>,
}

impl Way {
    fn of(point: &ContactPoint) -> Self {
        Self { by: Some(point.normal * -point.gap), rock: None }
    }
}

/// Surfaces of bodies that move, and all surfaces.
fn movable_surfaces(model: &Model) -> (Vec<ShapeRef>, Vec<ShapeRef>) {
    let all: Vec<ShapeRef> = (0..model.bodies.len())
        .flat_map(|body| (0..model.bodies[body].shapes.len()).map(move |shape| ShapeRef { body, shape }))
        .collect();
    (all.iter().copied().filter(|s| !model.bodies[s.body].fixed).collect(), all)
}

fn shape_of(model: &Model, s: ShapeRef) -> &BodyShape {
    &model.bodies[s.body].shapes[s.shape]
}

/// The model as it starts.
struct Start<'a> {
    model: &'a Model,
    solids: &'a [Vec<Solid>],
    poses: &'a [Pose],
    workspace: ConvexWorkspace,
    clearance: ClearanceWorkspace,
    /// Has the surfaces as triangles, if it compiles: what keeps it from that is told.
    system: Option<&'a System>,
}

impl<'a> Start<'a> {
    fn new(
        model: &'a Model,
        system: Option<&'a System>,
        solids: &'a [Vec<Solid>],
        poses: &'a [Pose],
    ) -> Self {
        let (workspace, clearance) = (ConvexWorkspace::new(), ClearanceWorkspace::new());
        Self { model, solids, poses, workspace, clearance, system }
    }

    fn pose(&self, s: ShapeRef) -> Pose {
        self.poses[s.body].compose(&shape_of(self.model, s).pose)
    }

    fn tree(&self, s: ShapeRef) -> Option<Arc<ClearanceTree>> {
        let before: usize = self.model.bodies[..s.body].iter().map(|body| body.shapes.len()).sum();
        self.system?.triangle_tree(before + s.shape)
    }

    /// How B leaves A, if two points of them overlap deeply.
    fn way(&mut self, a: ShapeRef, b: ShapeRef) -> Option<Way> {
        self.deepest_point(a, b).map(|point| Way::of(&point))
    }

    /// How B leaves A by the shortest way along one of the axes of both and those between them, if their triangles
    /// overlap deeply or one is inside the other.
    fn way_out(&mut self, a: ShapeRef, b: ShapeRef) -> Option<Way> {
        let (pose_a, pose_b) = (self.pose(a), self.pose(b));
        let (tree_a, tree_b) = (self.tree(a)?, self.tree(b)?);
        let x_ab = pose_a.inverse().compose(&pose_b);
        let touches = touching(&tree_a, &tree_b, &x_ab, None, &mut self.clearance).is_some();
        if !touches {
            let inner = contained(&tree_a, &tree_b, &x_ab)?;
            let (tree, outer) = if inner.is_second { (&tree_a, a) } else { (&tree_b, b) };
            if tree.room().is_some() {
                return Some(Way { by: None, rock: Some(outer) });
            }
        }
        let directions = ways(&pose_a, &pose_b);
        let shortest = escape(&tree_a, &tree_b, &x_ab, &directions, &mut self.clearance);
        let Some((direction, distance)) = shortest else { return Some(Way { by: None, rock: None }) };
        let size = [a, b].map(|s| shape_of(self.model, s).shape.smallest_length());
        let is_deep = distance > DEEP * LONGER * size[0].min(size[1]);
        is_deep.then(|| Way { by: Some(pose_a.rotation * direction * distance), rock: None })
    }
    /// Deepest contact point of a pair that overlaps deeply. Meshes that no contact line brings to a search are not
    /// looked at.
    fn deepest_point(&mut self, a: ShapeRef, b: ShapeRef) -> Option<ContactPoint> {
        let (pose_a, pose_b) = (self.pose(a), self.pose(b));
        let [shape_a, shape_b] = [a, b].map(|s| &shape_of(self.model, s).shape);
        let reach = shape_a.bounding_radius() + shape_b.bounding_radius();
        let is_far = (pose_a.translation - pose_b.translation).norm() > reach;
        if is_far && !is_cavity(shape_a) && !is_cavity(shape_b) {
            return None;
        }
        let side = |s: ShapeRef| {
            let BodyShape { name, shape, .. } = shape_of(self.model, s);
            Side { name, shape, solid: &self.solids[s.body][s.shape] }
        };
        let detection = detect(Method::Auto, [side(a), side(b)]).ok()?;
        let swapped = match detection {
            Finder::Kernel { swapped, .. } | Finder::Convex { swapped } => swapped,
            Finder::Planar => false,
            // `auto` takes no other.
            _ => return None,
        };
        let (first, second) = if swapped { (b, a) } else { (a, b) };
        let (pose_1, pose_2) = if swapped { (&pose_b, &pose_a) } else { (&pose_a, &pose_b) };
        let [shape_1, shape_2] = [first, second].map(|s| &shape_of(self.model, s).shape);
        let deepest = match detection {
            Finder::Kernel { kernel, .. } => (0..(kernel.features)(shape_1, shape_2))
                .filter_map(|feature| (kernel.point)(shape_1, pose_1, shape_2, pose_2, feature).ok())
                .min_by(|p, q| p.gap.total_cmp(&q.gap))?,
            Finder::Planar => (0..count_features(shape_1, shape_2))
                .filter_map(|feature| planar::contact(shape_1, pose_1, shape_2, pose_2, feature))
                .min_by(|p, q| p.gap.total_cmp(&q.gap))
                .filter(|point| point.gap <= 0.0)
                .or_else(|| planar::crossed(shape_1, pose_1, shape_2, pose_2))?,
            Finder::Convex { .. } => {
                let [solid_1, solid_2] = [first, second].map(|s| self.solids[s.body][s.shape].convex());
                match solid_2 {
                    None => find_half_space_contact(solid_1?, pose_1, pose_2),
                    // A search that fails here fails in the run, which says so.
                    Some(solid_2) => {
                        let cache = ConvexCache::COLD;
                        let workspace = &mut self.workspace;
                        find_convex_contact(solid_1?, pose_1, solid_2, pose_2, &cache, workspace).ok()?.point
                    }
                }
            }
            _ => return None,
        };
        let size = shape_a.smallest_length().min(shape_b.smallest_length());
        let point = if swapped { deepest.swapped() } else { deepest };
        (point.gap < -DEEP * size).then_some(point)
    }
}

/// Directions in A's frame in which ways out are looked for: the axes of A and of B, the line of the centres, and the
/// middles between the axes of A.
fn ways(pose_a: &Pose, pose_b: &Pose) -> Vec<Vec3> {
    let into_a = pose_a.rotation.transpose();
    let turned = into_a * pose_b.rotation;
    let mut ways = Vec::new();
    for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
        ways.extend([axis, -axis, turned * axis, turned * -axis]);
    }
    let centres = into_a * (pose_b.translation - pose_a.translation);
    ways.extend(centres.try_normalize(0.0));
    for [x, y] in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
        ways.extend(
            [Vec3::new(x, y, 0.0), Vec3::new(x, 0.0, y), Vec3::new(0.0, x, y)].map(|v| v.normalize()),
        );
    }
    ways
}

/// What a way out is longer than need be, in units of its last digit, so that surfaces do not just touch.
const ROUNDED: f64 = 0.01;

/// The same as a factor: what is just as deep as is allowed passes.
const LONGER: f64 = 1.001;

/// A length (m) with four digits after the point, or more for short ones, rounded away from zero, so that it is
/// enough.
fn outwards(x: f64) -> f64 {
    let unit = if x.abs() < 1e-2 { 1e6 } else { 1e4 };
    (x.abs() * unit - ROUNDED).ceil().max(0.0).copysign(x) / unit + 0.0
}

/// Everything around a cavity is solid.
fn is_cavity(shape: &Shape) -> bool {
    matches!(shape.kind(), ShapeKind::HollowSphere | ShapeKind::HollowCylinder)
}

fn ordered<T: Ord + Copy>(a: T, b: T) -> (T, T) {
    (a.min(b), a.max(b))
}

/// Length for people: 160 mm, 1.2 m.
fn length(metres: f64) -> String {
    let rounded = |x: f64| format!("{x:.4}").trim_end_matches('0').trim_end_matches('.').to_owned();
    if metres < 1.0 { format!("{} mm", rounded(metres * 1e3)) } else { format!("{} m", rounded(metres)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_readable() {
        assert_eq!(
            [outwards(0.16), outwards(-0.123_41), outwards(3e-5), outwards(0.0)],
            [0.16, -0.1235, 3e-5, 0.0]
        );
        assert_eq!(length(0.16), "160 mm");
        assert_eq!(length(1.2), "1.2 m");
        assert_eq!(length(1.25e-3), "1.25 mm");
    }
}
