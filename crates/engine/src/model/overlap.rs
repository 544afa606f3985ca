use std::collections::BTreeSet;

use carom_geometry::{Cell, ContactPoint, find_kernel};
use carom_math::Pose;

use super::{BodyShape, Model, ShapeRef};
use crate::Problem;

/// An overlap at the start is worth a word when it is deeper than this share of the smaller shape's
/// size: a ball that rests in its own indentation is well below.
const DEEP: f64 = 0.01;

/// Most pairs of surfaces that are looked at for overlaps nobody named.
const MAX_LOOKS: usize = 5_000_000;

/// Warnings about surfaces that overlap at the start, with the bodies' frames at `poses`: in a pair (W0401) or without
/// one (W0420). Bodies that a joint connects are meant to.
pub(crate) fn find_overlaps(model: &Model, poses: &[Pose]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let jointed: BTreeSet<_> = model.joints.iter().map(|j| ordered(j.a.body, j.b.body)).collect();
    let mut named = BTreeSet::new();
    for pair in &model.pairs {
        named.insert(ordered(pair.a, pair.b));
        let Some(point) = deepest_point(model, poses, pair.a, pair.b) else { continue };
        let (a, b) = (shape_of(model, pair.a), shape_of(model, pair.b));
        let way = point.normal * -point.gap;
        let line = &model.contact_lines[pair.line].name;
        let message = format!(
            "\"{}\" and \"{}\" overlap by {} at t = 0 (pair \"{}\")",
            a.name,
            b.name,
            length(-point.gap),
            pair.name
        );
        let (mover, sign) = if model.bodies[pair.b.body].fixed { (pair.a, -1.0) } else { (pair.b, 1.0) };
        let mover = &model.bodies[mover.body].name;
        let help = format!(
            "move {mover} by [{:.4}, {:.4}, {:.4}] m, or allow W0401 if that is meant",
            sign * way.x,
            sign * way.y,
            sign * way.z
        );
        problems.push(Problem::new("W0401", format!("contact.{line}"), message).help(help));
    }
    let surfaces = movable_surfaces(model);
    if surfaces.0.len() * surfaces.1.len() > MAX_LOOKS {
        return problems;
    }
    for &a in &surfaces.0 {
        for &b in &surfaces.1 {
            let both_movable = !model.bodies[b.body].fixed;
            let joined = a.body == b.body || jointed.contains(&ordered(a.body, b.body));
            if joined || (both_movable && b < a) || named.contains(&ordered(a, b)) {
                continue;
            }
            let Some(point) = deepest_point(model, poses, a, b) else { continue };
            let (name_a, name_b) = (&shape_of(model, a).name, &shape_of(model, b).name);
            let message = format!(
                "\"{name_a}\" and \"{name_b}\" overlap by {} at t = 0, but no contact pair names them",
                length(-point.gap)
            );
            let path = format!("body.{}", model.bodies[a.body].name);
            let help =
                "they will pass through each other: add a contact line, or allow W0420 if that is meant";
            problems.push(Problem::new("W0420", path, message).help(help));
        }
    }
    problems
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

/// Deepest contact point of a pair that overlaps deeply.
fn deepest_point(model: &Model, poses: &[Pose], a: ShapeRef, b: ShapeRef) -> Option<ContactPoint> {
    let (shape_a, shape_b) = (shape_of(model, a), shape_of(model, b));
    let pose_a = poses[a.body].compose(&shape_a.pose);
    let pose_b = poses[b.body].compose(&shape_b.pose);
    let (kernel, swapped) = match find_kernel(shape_a.shape.kind(), shape_b.shape.kind()) {
        Cell::Direct(kernel) => (kernel, false),
        Cell::Swapped(kernel) => (kernel, true),
        Cell::Unsupported(_) => return None,
    };
    let (first, second) =
        if swapped { (&shape_b.shape, &shape_a.shape) } else { (&shape_a.shape, &shape_b.shape) };
    let (pose_1, pose_2) = if swapped { (&pose_b, &pose_a) } else { (&pose_a, &pose_b) };
    let deepest = (0..(kernel.features)(first, second))
        .map(|feature| (kernel.point)(first, pose_1, second, pose_2, feature))
        .min_by(|p, q| p.gap.total_cmp(&q.gap))?;
    let size = shape_a.shape.smallest_length().min(shape_b.shape.smallest_length());
    let point = if swapped { deepest.swapped() } else { deepest };
    (point.gap < -DEEP * size).then_some(point)
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
        assert_eq!(length(0.16), "160 mm");
        assert_eq!(length(1.2), "1.2 m");
        assert_eq!(length(1.25e-3), "1.25 mm");
    }
}
