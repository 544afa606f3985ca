use carom_math::Vec3;

/// Slack of the barycentric coordinates: a line through an edge meets both neighbours.
const EDGE_SLACK: f64 = 1e-11;

/// Greatest slack, which slivers at the limit of rounding have.
const GREATEST_EDGE_SLACK: f64 = 1e-6;

/// Rounding errors of a barycentric coordinate, in units of rounding of the operands.
const ROUNDINGS: f64 = 16.0;

/// Growth of a triangle by the slack of its edges, relative to its size: (1 + 3 e) about its centroid, which is no
/// farther from a corner than 1.2 times the longest edge of its box.
pub(crate) const GROWTH: f64 = 4.0 * GREATEST_EDGE_SLACK;

/// A triangle as its plane m·x = `offset` and two barycentric coordinates β = g₁·x − c₁, γ = g₂·x − c₂, in the
/// target's frame. The constants c contain the slack e, so that the triangle is β ≥ 0, γ ≥ 0, β + γ ≤ `limit`
/// = 1 + 3e.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrianglePlane {
    pub(crate) normal: [f64; 3],
    pub(crate) offset: f64,
    pub(crate) g1: [f64; 3],
    pub(crate) c1: f64,
    pub(crate) g2: [f64; 3],
    pub(crate) c2: f64,
    pub(crate) limit: f64,
}

impl TrianglePlane {
    /// Of a degenerate triangle: comparisons with it fail.
    pub(crate) const NOWHERE: Self = Self {
        normal: [f64::NAN; 3],
        offset: f64::NAN,
        g1: [f64::NAN; 3],
        c1: f64::NAN,
        g2: [f64::NAN; 3],
        c2: f64::NAN,
        limit: f64::NAN,
    };

    /// With n = e₁ × e₂: g₁ = e₂ × n/|n|², g₂ = n × e₁/|n|². The slack is 1e-11, or more for triangles so thin
    /// that coordinates as large as `radius` (m), the farthest of the surface, are rounded by more than that.
    pub(crate) fn new([v0, v1, v2]: &[Vec3; 3], radius: f64) -> Self {
        let (e1, e2) = (v1 - v0, v2 - v0);
        let n = e1.cross(&e2);
        let squared = n.norm_squared();
        let (g1, g2) = (e2.cross(&n) / squared, n.cross(&e1) / squared);
        let normal = n / squared.sqrt();
        let rounding = ROUNDINGS * f64::EPSILON * radius * (g1.norm() + g2.norm());
        let slack = rounding.clamp(EDGE_SLACK, GREATEST_EDGE_SLACK);
        Self {
            normal: normal.into(),
            offset: normal.dot(v0),
            g1: g1.into(),
            c1: g1.dot(v0) - slack,
            g2: g2.into(),
            c2: g2.dot(v0) - slack,
            limit: 1.0 + 3.0 * slack,
        }
    }
}

/// What the exact test needs, and how much its coordinates β, γ and β + γ grow per metre (1/m), for tests with a skin.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct TargetTriangle {
    pub(crate) plane: TrianglePlane,
    pub(crate) growth: [f64; 3],
}

impl TargetTriangle {
    pub(crate) fn new(corners: &[Vec3; 3], radius: f64) -> Self {
        let plane = TrianglePlane::new(corners, radius);
        let (g1, g2) = (Vec3::from(plane.g1), Vec3::from(plane.g2));
        Self { plane, growth: [g1.norm(), g2.norm(), (g1 + g2).norm()] }
    }

    pub(crate) const NOWHERE: Self = Self { plane: TrianglePlane::NOWHERE, growth: [0.0; 3] };
}
