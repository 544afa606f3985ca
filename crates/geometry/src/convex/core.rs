use std::sync::Arc;

use carom_math::Vec3;

use super::ConvexHull;
use super::discs::Disc;
use super::superellipsoid;

/// Convex core of a [`super::ConvexShape`], in the shape's own frame. Lengths in m.
#[derive(Clone, Debug, PartialEq)]
pub enum Core {
    /// The origin; with a radius a ball.
    Point,
    /// Segment on the z axis from −half_length to half_length; with a radius a capsule.
    Segment {
        /// Half of the length.
        half_length: f64,
    },
    /// Rectangular block, centre at the origin, edges along the axes.
    Box {
        /// Half edge lengths.
        half: Vec3,
    },
    /// Frustum of a circular cone about z between z = ±half_length: equal radii make a cylinder, one radius
    /// of zero a cone with its apex there.
    Frustum {
        /// Radius of the end at −half_length.
        radius_low: f64,
        /// Radius of the end at +half_length.
        radius_high: f64,
        /// Half of the height.
        half_length: f64,
    },
    /// Beam along x: a block with half cylinders about z at its ends x = ±half_length, as wide in y as
    /// their diameter.
    Beam {
        /// Half distance of the two cylinder axes.
        half_length: f64,
        /// Radius of the half cylinders, half of the width in y.
        half_width: f64,
        /// Half thickness in z.
        half_thickness: f64,
    },
    /// Ellipsoid, axes along x, y, z.
    Ellipsoid {
        /// Semi-axes.
        semi_axes: Vec3,
    },
    /// Superellipsoid ((x/a)^(2/e₂) + (y/b)^(2/e₂))^(e₂/e₁) + (z/c)^(2/e₁) ≤ 1 (Barr 1981), convex for
    /// exponents below 2.
    Superellipsoid {
        /// Semi-axes a, b, c.
        semi_axes: Vec3,
        /// e₁, the shape of sections along z, and e₂, that of sections across z.
        exponents: [f64; 2],
    },
    /// Convex hull of points.
    Hull(Arc<ConvexHull>),
}

/// A point of a core's surface where a direction touches it, and which part of the surface it is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SurfacePoint {
    /// In the core's frame (m).
    pub(super) point: Vec3,
    /// Corner or rim: index within the core. A smooth surface has one.
    pub(super) branch: u32,
}

/// A point that moves with the normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    /// In the core's frame (m).
    pub(super) point: Vec3,
    /// Entries 11, 12, 22 of Tᵀ H T in the tangent basis T asked for (m).
    pub(super) radii: [f64; 3],
}

impl Core {
    /// The point of the core that is farthest along `d`, a vector of any length but zero. `hint` is a branch
    /// near which a hull starts its search.
    #[inline]
    pub(super) fn support(&self, d: &Vec3, hint: u32) -> SurfacePoint {
        match self {
            Self::Point => SurfacePoint { point: Vec3::zeros(), branch: 0 },
            Self::Segment { half_length } => {
                let up = d.z >= 0.0;
                let z = if up { *half_length } else { -half_length };
                SurfacePoint { point: Vec3::new(0.0, 0.0, z), branch: u32::from(up) }
            }
            Self::Box { half } => {
                let point = Vec3::new(
                    if d.x >= 0.0 { half.x } else { -half.x },
                    if d.y >= 0.0 { half.y } else { -half.y },
                    if d.z >= 0.0 { half.z } else { -half.z },
                );
                let bit = |x: f64, k: u32| u32::from(x >= 0.0) << k;
                SurfacePoint { point, branch: bit(d.x, 0) | bit(d.y, 1) | bit(d.z, 2) }
            }
            Self::Frustum { radius_low, radius_high, half_length } => {
                let across = (d.x * d.x + d.y * d.y).sqrt();
                let rise = half_length * d.z;
                let branch = u32::from(radius_high * across + rise > radius_low * across - rise);
                Disc::of_frustum(*radius_low, *radius_high, *half_length, branch).support(d, branch)
            }
            Self::Beam { half_length, half_width, half_thickness } => {
                let branch = u32::from(d.x >= 0.0) | u32::from(d.z >= 0.0) << 1;
                Disc::of_beam(*half_length, *half_width, *half_thickness, branch).support(d, branch)
            }
            Self::Ellipsoid { semi_axes } => {
                SurfacePoint { point: ellipsoid_support(semi_axes, d), branch: 0 }
            }
            Self::Superellipsoid { semi_axes, exponents } => {
                SurfacePoint { point: superellipsoid::support(semi_axes, exponents, d), branch: 0 }
            }
            Self::Hull(hull) => hull.support(d, hint),
        }
    }

    /// Whether [`Self::moving_point`] has an answer.
    #[inline]
    pub(super) fn moves(&self, branch: u32, n: &Vec3) -> bool {
        match self {
            Self::Frustum { .. } | Self::Beam { .. } => self.disc(branch).moves(n),
            Self::Ellipsoid { .. } | Self::Superellipsoid { .. } => true,
            Self::Point | Self::Segment { .. } | Self::Box { .. } | Self::Hull(_) => false,
        }
    }

    /// Point of a branch whose normal is the unit vector `n`, and Tᵀ H T for the Hessian H of the support function
    /// there: how the point moves with the normal, dx = H dn, H n = 0; the eigenvalues are the principal radii of
    /// curvature (m). The columns of T are two unit vectors across n. `None` if the branch is a corner, which does not
    /// move, or is undefined in this direction: the rim of a cap that n points along.
    #[inline]
    pub(super) fn moving_point(&self, branch: u32, n: &Vec3, tangents: [&Vec3; 2]) -> Option<Moving> {
        match self {
            Self::Point | Self::Segment { .. } | Self::Box { .. } | Self::Hull(_) => None,
            Self::Frustum { .. } | Self::Beam { .. } => self.disc(branch).moving_point(n, tangents),
            Self::Ellipsoid { semi_axes } => {
                // h = ‖D n‖, x = D² n/h, H = (D² − x xᵀ)/h.
                let [u, v] = tangents.map(|t| semi_axes.component_mul(t));
                let [x, y] = [u, v].map(|t| t.dot(&semi_axes.component_mul(n)));
                let h = semi_axes.component_mul(n).norm();
                let point = semi_axes.component_mul(&semi_axes.component_mul(n)) / h;
                let (x, y) = (x / h, y / h);
                let radii = [(u.dot(&u) - x * x) / h, (u.dot(&v) - x * y) / h, (v.dot(&v) - y * y) / h];
                Some(Moving { point, radii })
            }
            Self::Superellipsoid { semi_axes, exponents } => {
                let (point, hessian) = superellipsoid::moving_point(semi_axes, exponents, n);
                let [u, v] = tangents.map(|t| hessian * t);
                let [t1, t2] = tangents;
                Some(Moving { point, radii: [t1.dot(&u), t1.dot(&v), t2.dot(&v)] })
            }
        }
    }

    /// Whether a point of a branch is near enough to another to be the same point at another normal: not one
    /// of several that hold a flat end.
    pub(super) fn is_near(&self, branch: u32, point: &Vec3, other: &Vec3) -> bool {
        match self {
            Self::Frustum { .. } | Self::Beam { .. } => {
                (point - other).norm() <= 0.5 * self.disc(branch).radius
            }
            _ => true,
        }
    }

    /// Whether parts of the surface are curved, so that supports are not finitely many points.
    pub(super) fn is_curved(&self) -> bool {
        matches!(
            self,
            Self::Frustum { .. } | Self::Beam { .. } | Self::Ellipsoid { .. } | Self::Superellipsoid { .. }
        )
    }

    /// A disc of those whose convex hull the core is.
    #[inline]
    pub(super) fn disc(&self, branch: u32) -> Disc {
        match *self {
            Self::Frustum { radius_low, radius_high, half_length } => {
                Disc::of_frustum(radius_low, radius_high, half_length, branch)
            }
            Self::Beam { half_length, half_width, half_thickness } => {
                Disc::of_beam(half_length, half_width, half_thickness, branch)
            }
            _ => unreachable!("only frusta and beams are hulls of discs"),
        }
    }
}

/// Length of a plane vector: the same bits everywhere, as the platform's `hypot` is not.
#[inline]
pub(super) fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

fn ellipsoid_support(semi_axes: &Vec3, d: &Vec3) -> Vec3 {
    let scaled = semi_axes.component_mul(d);
    semi_axes.component_mul(&scaled) / scaled.norm()
}
