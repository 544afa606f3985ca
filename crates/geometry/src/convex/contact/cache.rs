use carom_math::{Mat3, Pose, Vec3};

use crate::convex::core::SurfacePoint;
use crate::convex::difference::Pair;

/// Where the last search of a pair ended: plain data, to start the next one from.
///
/// The contact found is a function of shapes, poses and this; a search never changes what it is given.
/// Results agree to rounding whatever the cache, but not to the bit. So a caller that wants the same bits from
/// two runs, over rejected steps and after a restart, keeps one cache per pair, replaces it at accepted steps only,
/// and saves it with the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexCache {
    /// Surface points in the frames of A and B.
    pub(super) points: [(SurfacePoint, SurfacePoint); 4],
    pub(super) count: u8,
    /// The cores overlapped.
    pub(super) overlap: bool,
    /// Unit normal from A to B, in A's frame.
    pub(super) normal: Vec3,
    /// What the last full search for a depth proved.
    pub(super) proof: Proof,
}

/// No direction other than those near `normal` had less depth than `depth`, with B at `x_ab` in A. When the solids
/// move by no more than d against each other, depths change by no more than d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Proof {
    pub(super) depth: f64,
    /// Unit vector in A's frame.
    pub(super) normal: Vec3,
    pub(super) x_ab: Pose,
}

impl Proof {
    pub(super) const NONE: Self = Self {
        depth: f64::NEG_INFINITY,
        normal: Vec3::new(0.0, 0.0, 0.0),
        x_ab: Pose {
            rotation: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            translation: Vec3::new(0.0, 0.0, 0.0),
        },
    };

    /// Depth (m) below which a local minimum near the normal is the least of all at the present pose: the proven depth less
    /// the way of points of B within `radius` of its origin.
    ///
    /// A turn by θ moves them by 2 sin(θ/2) radius, and ‖R − R₀‖ = √2 · 2 sin(θ/2).
    #[inline]
    pub(super) fn limit(&self, x_ab: &Pose, radius: f64) -> f64 {
        let turned = (x_ab.rotation - self.x_ab.rotation).norm_squared();
        let moved = (x_ab.translation - self.x_ab.translation).norm() + (0.5 * turned).sqrt() * radius;
        self.depth - moved
    }
}

impl ConvexCache {
    /// Nothing known: the search starts along the line of centres.
    pub const COLD: Self = {
        let none = SurfacePoint { point: Vec3::new(0.0, 0.0, 0.0), branch: 0 };
        Self {
            points: [(none, none); 4],
            count: 0,
            overlap: false,
            normal: Vec3::new(0.0, 0.0, 0.0),
            proof: Proof::NONE,
        }
    };

    /// Hands out every number in it, to be saved or replaced: those of a cache make the same cache.
    pub fn visit_numbers(&mut self, visit: &mut impl FnMut(&mut f64)) {
        let whole = |value: u32, visit: &mut dyn FnMut(&mut f64)| {
            let mut number = f64::from(value);
            visit(&mut number);
            number as u32
        };
        for (a, b) in &mut self.points {
            for end in [a, b] {
                end.point.iter_mut().for_each(&mut *visit);
                end.branch = whole(end.branch, visit);
            }
        }
        // A damaged count must not lead beyond the points.
        self.count = whole(u32::from(self.count), visit).min(4) as u8;
        self.overlap = whole(u32::from(self.overlap), visit) != 0;
        self.normal.iter_mut().for_each(&mut *visit);
        visit(&mut self.proof.depth);
        self.proof.normal.iter_mut().for_each(&mut *visit);
        self.proof.x_ab.rotation.iter_mut().for_each(&mut *visit);
        self.proof.x_ab.translation.iter_mut().for_each(&mut *visit);
    }

    /// Points of A and of B that carry the contact: a fourth pair is only there for the next search.
    pub(in crate::convex) fn carriers(&self) -> ([Option<SurfacePoint>; 3], [Option<SurfacePoint>; 3]) {
        let point = |k: usize| (k < usize::from(self.count)).then(|| self.points[k]);
        let points = [point(0), point(1), point(2)];
        (points.map(|p| p.map(|(a, _)| a)), points.map(|p| p.map(|(_, b)| b)))
    }

    #[inline]
    pub(super) fn set(&mut self, pairs: &[Pair], overlap: bool, normal: Vec3) {
        self.count = pairs.len() as u8;
        self.overlap = overlap;
        self.normal = normal;
        for (point, pair) in self.points.iter_mut().zip(pairs) {
            *point = (pair.a, pair.b);
        }
    }
}

impl Default for ConvexCache {
    fn default() -> Self {
        Self::COLD
    }
}
