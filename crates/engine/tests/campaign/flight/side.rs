//! From which side a flight meets an open surface, by brute force.

use carom_math::Pose;

use super::Flight;
use crate::distance::{Triangle, nearest_points, point_segment, point_triangle, triangle_triangle};
use crate::surface::Surface;
use crate::touch::Touch;

/// Gap at which touching places are looked at, over the smaller body.
const GAP: f64 = 1e-6;

/// Triangles and borders so many gaps from a place are about it.
const ABOUT: f64 = 3.0;

/// Share of the velocity below which it is not told through which side it goes.
const CLEAR: f64 = 1e-6;

/// How a body meets an open surface: of its first touching place the velocity, over its size, along the outward normals of the triangles
/// there, and of the walls straight behind the borders there.
#[derive(Clone, Debug)]
pub(crate) struct Meeting {
    through: Vec<f64>,
    outwards: Vec<f64>,
}

impl Meeting {
    /// It has been straight behind everything there is about the place.
    pub(crate) fn is_behind(&self) -> bool {
        self.through.iter().chain(&self.outwards).all(|rate| *rate > CLEAR)
    }

    /// It enters a triangle there.
    pub(crate) fn is_in_front(&self) -> bool {
        self.through.iter().any(|rate| *rate < -CLEAR)
    }
}

impl Flight {
    /// How B meets A, if A is open, just before their first touch.
    pub(crate) fn meeting(&self, touch: &Touch) -> Option<Meeting> {
        let [Surface::Facets(a), Surface::Facets(b)] = [&self.parts[0].surface, &self.parts[1].surface]
        else {
            return None;
        };
        if a.closed {
            return None;
        }
        let before = GAP * self.parts[0].radius.min(self.parts[1].radius) / touch.approach;
        let at = |time: f64| -> Pose {
            let [xa, xb] = [0, 1].map(|side| self.motions[side].pose(time));
            Pose {
                rotation: xa.rotation.tr_mul(&xb.rotation),
                translation: xa.inverse_transform_point(&xb.translation),
            }
        };
        let x = at(touch.time - before);
        let others: Vec<Triangle> = b.triangles().iter().map(|t| t.map(|p| x.transform_point(&p))).collect();
        let mut nearest: Option<(f64, Triangle, Triangle)> = None;
        for s in a.triangles() {
            for t in &others {
                let bound = nearest.map_or(f64::INFINITY, |(d, ..)| d);
                if are_farther(s, t, bound) {
                    continue;
                }
                let d = triangle_triangle(s, t);
                if d < bound {
                    nearest = Some((d, *s, *t));
                }
            }
        }
        let (gap, s, t) = nearest?;
        let [p, q] = nearest_points(&s, &t);
        let then = at(touch.time).transform_point(&x.inverse_transform_point(&q));
        let way = (then - q).try_normalize(0.0)?;
        let near = |d: f64| d <= ABOUT * gap;
        let normal = |[a, b, c]: &Triangle| (b - a).cross(&(c - a)).normalize();
        let edges = |[a, b, c]: &Triangle| [[*a, *b], [*b, *c], [*c, *a]];
        let (mut through, mut outwards) = (Vec::new(), Vec::new());
        for s in a.triangles().iter().filter(|s| near(point_triangle(&p, s))) {
            through.push(normal(s).dot(&way));
            for [from, to] in edges(s).into_iter().filter(|edge| near(point_segment(&p, edge))) {
                if !a.triangles().iter().any(|s| edges(s).contains(&[to, from])) {
                    outwards.push((to - from).normalize().cross(&normal(s)).dot(&way));
                }
            }
        }
        Some(Meeting { through, outwards })
    }
}

/// Are two triangles farther from each other than this, by balls about their first corners?
fn are_farther(s: &Triangle, t: &Triangle, distance: f64) -> bool {
    let radius = |t: &Triangle| (t[1] - t[0]).norm().max((t[2] - t[0]).norm());
    (s[0] - t[0]).norm() - radius(s) - radius(t) > distance
}
