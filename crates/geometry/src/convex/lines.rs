//! Two straight lines that pass each other, such as an edge of each of two solids, or the axis of a cylinder and an edge.

use carom_math::Vec3;

use crate::rates::{ContactRates, RigidMotion};

/// Sine of the angle below which two lines are parallel.
const PARALLEL: f64 = 1e-7;

/// A line of A and one of B, and where the normal to both meets them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PassingLines {
    /// Unit vectors along them.
    pub(super) along: [Vec3; 2],
    /// Unit normal to both, from A to B or, with the sign of the lines' cross product, the other way.
    pub(super) normal: Vec3,
    /// Where it meets them (m).
    pub(super) points: [Vec3; 2],
    /// How far that is from where each line was said to begin (m).
    pub(super) places: [f64; 2],
    /// Sine of the angle between them.
    pub(super) sine: f64,
}

impl PassingLines {
    /// From a point of each and the unit vector along it; none where they are parallel. The normal is that of A's vector × B's.
    pub(super) fn of([p, q]: [Vec3; 2], [u, v]: [Vec3; 2]) -> Option<Self> {
        let across = u.cross(&v);
        let sine = across.norm();
        if sine < PARALLEL {
            return None;
        }
        let offset = q - p;
        let (s, t) =
            (offset.dot(&v.cross(&across)) / (sine * sine), offset.dot(&u.cross(&across)) / (sine * sine));
        Some(Self {
            along: [u, v],
            normal: across / sine,
            points: [p + s * u, q + t * v],
            places: [s, t],
            sine,
        })
    }

    /// The same with the normal that does not go along a direction.
    pub(super) fn against(self, direction: &Vec3) -> Self {
        if self.normal.dot(direction) > 0.0 { Self { normal: -self.normal, ..self } } else { self }
    }

    /// Signed distance along the normal (m).
    pub(super) fn gap(&self) -> f64 {
        self.normal.dot(&(self.points[1] - self.points[0]))
    }

    /// Rates of the contact of solids of which A is rounded by a radius about its line, and both together by `reach` (m), as they move.
    ///
    /// With a, b along the lines and their nearest points g n apart: ṅ = ±(1 − n nᵀ)(ȧ × b + a × ḃ)/|a × b|, and these points slide along
    /// the lines so that what is between them goes on being along n.
    pub(super) fn rates(&self, [radius, reach]: [f64; 2], motions: [&RigidMotion; 2]) -> ContactRates {
        let ([u, v], [p, q], normal, sine) = (self.along, self.points, self.normal, self.sine);
        let across = u.cross(&v);
        let turned = motions[0].spin.cross(&u).cross(&v) + u.cross(&motions[1].spin.cross(&v));
        let turned = (turned - normal * normal.dot(&turned)) * (across.dot(&normal).signum() / sine);
        let gap = self.gap();
        let between = motions[1].at(&q) - motions[0].at(&p) - gap * turned;
        let cosine = u.dot(&v);
        let along_a = (between.dot(&u) - cosine * between.dot(&v)) / (sine * sine);
        let depth = radius + 0.5 * (gap - reach);
        let position = motions[0].at(&p) + along_a * u + depth * turned + 0.5 * normal.dot(&between) * normal;
        ContactRates { position, normal: turned }
    }
}
