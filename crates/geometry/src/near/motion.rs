use carom_math::Vec3;

use crate::near::{Placement, dot};

/// Balls around the two surfaces, which bound how far their points move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Centre and radius around all penetration lines, in the base's frame (m).
    pub(crate) base_centre: Vec3,
    pub(crate) base_radius: f64,
    /// Centre and radius around the target, in its frame (m).
    pub(crate) target_centre: Vec3,
    pub(crate) target_radius: f64,
}

impl Sizes {
    /// Distance between the balls (m), negative if they overlap.
    #[inline]
    pub(crate) fn gap(&self, placement: &Placement) -> f64 {
        let centre = Vec3::from(placement.take(self.base_centre.into())) - self.target_centre;
        centre.norm() - self.base_radius - self.target_radius
    }
}

/// Placement that something was found at, and by how much any line may have come nearer to any triangle until it is out
/// of date.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    pub(crate) placement: Placement,
    pub(crate) skin: f64,
}

impl Reference {
    /// Bound of the way of any point of one surface seen from the other since then (m): with X = (R, p) and
    /// x = 2 sin(θ/2) = ‖R − R₀‖_F/√2 for the rotation by θ between, the smaller of
    ///
    /// - |(X − X₀) c_B| + x ρ_B, lines as seen from the target,
    /// - |(X⁻¹ − X₀⁻¹) c_T| + x ρ_T, triangles as seen from the base.
    ///
    /// Both ends of a line move by at most that, and so does, a line being convex, the rest of it. The difference of the
    /// matrices keeps the digits of a small angle, which its cosine would lose.
    #[inline]
    pub(crate) fn motion(&self, now: &Placement, sizes: &Sizes) -> f64 {
        let before = &self.placement;
        let mut squared = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                let change = now.rows[i][j] - before.rows[i][j];
                squared += change * change;
            }
        }
        let turn = (0.5 * squared).sqrt();
        let c = sizes.base_centre.into();
        let base = Vec3::from(now.take(c)) - Vec3::from(before.take(c));
        let c = sizes.target_centre.into();
        let target = Vec3::from(take_back(now, c)) - Vec3::from(take_back(before, c));
        (base.norm() + turn * sizes.base_radius).min(target.norm() + turn * sizes.target_radius)
    }
}

/// X⁻¹ c = Rᵀ (c − p).
#[inline]
fn take_back(placement: &Placement, c: [f64; 3]) -> [f64; 3] {
    let arm = [0, 1, 2].map(|i| c[i] - placement.shift[i]);
    let column = |j: usize| [placement.rows[0][j], placement.rows[1][j], placement.rows[2][j]];
    [dot(column(0), arm), dot(column(1), arm), dot(column(2), arm)]
}
