use carom_math::Vec3;

use super::outline::{Form, Outline};
use super::round::Round;
use crate::convex::core::length;

/// Sine of the angle below which two edge lines lie along each other.
const PARALLEL: f64 = 1e-8;

/// Corners of the overlap of two outlines, in order around it, and the gaps there (m). Empty where one of them
/// is a point, or two lines cross.
pub(super) fn collect_overlap(a: &Outline, b: &Outline, overlap: &mut Vec<[f64; 2]>, gaps: &mut Vec<f64>) {
    overlap.clear();
    gaps.clear();
    match (a.form, b.form) {
        (Form::Point, _) | (_, Form::Point) => {}
        (Form::Polygon, Form::Endless) => overlap.extend(a.corners.iter().map(|p| [p.x, p.y])),
        (Form::Segment, Form::Segment) => clip_parallel(&a.corners, &b.corners, overlap),
        (Form::Segment, _) => clip_sides(a, b, overlap),
        (_, Form::Segment) => clip_sides(b, a, overlap),
        _ => {
            clip_sides(a, b, overlap);
            clip_sides(b, a, overlap);
            sample_arcs(a, b, overlap);
            sample_arcs(b, a, overlap);
            if let (Form::Round(p), Form::Round(q)) = (a.form, b.form) {
                cross_arcs(&p, b, &q, overlap);
            }
            sort_around(overlap);
            merge_equal(overlap);
        }
    }
    gaps.extend(overlap.iter().map(|&[x, y]| b.height(x, y) - a.height(x, y)));
}

/// Ends of what the other outline covers of each straight side: with both outlines' sides these are all corners
/// of the overlap, corners of either and crossings, some of them twice.
fn clip_sides(a: &Outline, b: &Outline, overlap: &mut Vec<[f64; 2]>) {
    let mut clip = |p: &Vec3, q: &Vec3| {
        for t in b.clip(p, q).into_iter().flatten() {
            overlap.push([p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)]);
        }
    };
    match a.form {
        Form::Polygon => {
            for (k, corner) in a.corners.iter().enumerate() {
                clip(corner, &a.corners[(k + 1) % a.corners.len()]);
            }
        }
        Form::Segment | Form::Round(_) => {
            for side in a.corners.chunks_exact(2) {
                clip(&side[0], &side[1]);
            }
        }
        Form::Point | Form::Endless => {}
    }
}

/// Both ends of the common stretch of two lines that lie along each other.
fn clip_parallel(a: &[Vec3], b: &[Vec3], overlap: &mut Vec<[f64; 2]>) {
    let (u, v) = (a[1] - a[0], b[1] - b[0]);
    let squared = u.x * u.x + u.y * u.y;
    let cross = u.x * v.y - u.y * v.x;
    if squared == 0.0 || cross.abs() > PARALLEL * (squared * (v.x * v.x + v.y * v.y)).sqrt() {
        return;
    }
    let along = |p: &Vec3| ((p.x - a[0].x) * u.x + (p.y - a[0].y) * u.y) / squared;
    let (s, t) = (along(&b[0]), along(&b[1]));
    let (first, last) = (s.min(t).max(0.0), s.max(t).min(1.0));
    if first < last {
        overlap.extend([first, last].map(|t| [a[0].x + t * u.x, a[0].y + t * u.y]));
    }
}

/// Of each round end of `a` over `b` four points: the deepest and those at right angles to it. On a whole disc
/// they stand for its pressure to the second order in the tilt, whichever way it is turned.
fn sample_arcs(a: &Outline, b: &Outline, overlap: &mut Vec<[f64; 2]>) {
    let Form::Round(round) = a.form else { return };
    let slope = |axis: &Vec3| (b.plane[1] - a.plane[1]) * axis.x + (b.plane[2] - a.plane[2]) * axis.y;
    // The heights' difference falls the same way whichever of the two is A: up to the sign, and the four points
    // do not know signs.
    let steep = round.axes.map(|axis| slope(&axis));
    let steepest = length(steep[0], steep[1]);
    let [x, y] = if steepest < FLAT { [1.0, 0.0] } else { [steep[0] / steepest, steep[1] / steepest] };
    let ends: &[f64] = if round.half_length > 0.0 { &[-1.0, 1.0] } else { &[0.0] };
    for &end in ends {
        for [x, y] in [[x, y], [-y, x], [-x, -y], [y, -x]] {
            if x * end < 0.0 {
                continue;
            }
            let flat = (end * round.half_length + round.radius * x) * round.axes[0]
                + round.radius * y * round.axes[1];
            let point = round.centre + flat;
            if b.clip(&point, &point).is_some() {
                overlap.push([point.x, point.y]);
            }
        }
    }
}

/// Slope below which a face is level and the first axis of its core serves as direction.
const FLAT: f64 = 1e-14;

/// Crossings of the borders of two round faces. Seen along the normal they are ellipses when the solids lean; as
/// circles they give a start for Newton's method, along the rim of the first to the rim of the second.
fn cross_arcs(p: &Round, b: &Outline, q: &Round, overlap: &mut Vec<[f64; 2]>) {
    let ends: [f64; 2] = [-1.0, 1.0];
    let count = |round: &Round| if round.half_length > 0.0 { 2 } else { 1 };
    for end_p in &ends[..count(p)] {
        for end_q in &ends[..count(q)] {
            let centre_p = p.centre + end_p * p.half_length * p.axes[0];
            let centre_q = q.centre + end_q * q.half_length * q.axes[0];
            let across = centre_q - centre_p;
            let distance = length(across.x, across.y);
            let along = (distance * distance + p.radius * p.radius - q.radius * q.radius) / (2.0 * distance);
            let squared = p.radius * p.radius - along * along;
            if distance == 0.0 || squared < 0.0 {
                continue;
            }
            for side in [-squared.sqrt(), squared.sqrt()] {
                let start = (along * across + side * Vec3::new(-across.y, across.x, 0.0)) / distance;
                let Some(direction) = cross_rims(p, &centre_p, b, q, &centre_q, &start) else { continue };
                let point = centre_p + p.radius * (direction[0] * p.axes[0] + direction[1] * p.axes[1]);
                let on_p = p.half_length == 0.0 || direction[0] * end_p >= 0.0;
                let along_q =
                    q.coordinates(&Vec3::new(point.x, point.y, b.height(point.x, point.y)))[0] * end_q;
                if on_p && (q.half_length == 0.0 || along_q >= q.half_length) {
                    overlap.push([point.x, point.y]);
                }
            }
        }
    }
}

/// Direction in the plane of `p`, from the centre of one of its ends, in which its rim crosses that of an end of `q`.
fn cross_rims(
    p: &Round,
    centre_p: &Vec3,
    b: &Outline,
    q: &Round,
    centre_q: &Vec3,
    start: &Vec3,
) -> Option<[f64; 2]> {
    let (mut c, mut s) = (start.dot(&p.axes[0]), start.dot(&p.axes[1]));
    for _ in 0..LIMIT {
        let size = length(c, s);
        (c, s) = (c / size, s / size);
        let point = centre_p + p.radius * (c * p.axes[0] + s * p.axes[1]);
        let tangent = p.radius * (c * p.axes[1] - s * p.axes[0]);
        // Straight up or down to the plane of q.
        let rise = b.plane[1] * tangent.x + b.plane[2] * tangent.y;
        let foot = Vec3::new(point.x, point.y, b.height(point.x, point.y)) - centre_q;
        let slide = Vec3::new(tangent.x, tangent.y, rise);
        let [u, v] = q.axes.map(|axis| axis.dot(&foot));
        let [du, dv] = q.axes.map(|axis| axis.dot(&slide));
        let excess = u * u + v * v - q.radius * q.radius;
        if excess.abs() <= CROSSED * q.radius * q.radius {
            return Some([c, s]);
        }
        let step = (-excess / (2.0 * (u * du + v * dv))).clamp(-0.5, 0.5);
        (c, s) = (c - step * s, s + step * c);
    }
    None
}

/// Newton steps to a crossing of two rims; those that only touch are left to the points at right angles.
const LIMIT: usize = 12;

/// Relative error of the squared radius at a crossing.
const CROSSED: f64 = 1e-13;

/// Distance of two corners, relative to the largest coordinate, below which they are one.
const EQUAL: f64 = 1e-12;

/// Keeps one of corners at the same place: each comes from both of its sides.
fn merge_equal(points: &mut Vec<[f64; 2]>) {
    let largest = points.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let is_same =
        |p: &[f64; 2], q: &[f64; 2]| (p[0] - q[0]).abs().max((p[1] - q[1]).abs()) <= EQUAL * largest;
    points.dedup_by(|p, q| is_same(p, q));
    while points.len() > 1 && is_same(&points[0], &points[points.len() - 1]) {
        points.pop();
    }
}

/// Sorts the corners of a convex polygon around their mean, which is inside.
fn sort_around(points: &mut [[f64; 2]]) {
    let count = points.len() as f64;
    let mean = points.iter().fold([0.0, 0.0], |sum, p| [sum[0] + p[0] / count, sum[1] + p[1] / count]);
    // Grows with the angle from the −x axis: from −2 to 2.
    let turn = |p: &[f64; 2]| {
        let (x, y) = (p[0] - mean[0], p[1] - mean[1]);
        let size = x.abs() + y.abs();
        let share = if size > 0.0 { x / size } else { 0.0 };
        if y < 0.0 { -1.0 + share } else { 1.0 - share }
    };
    points.sort_unstable_by(|p, q| {
        turn(p).total_cmp(&turn(q)).then(p[0].total_cmp(&q[0])).then(p[1].total_cmp(&q[1]))
    });
}
