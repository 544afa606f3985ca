//! Random convex solids near contact.

use carom_geometry::convex::{
    ConvexCache, ConvexContact, ConvexHull, ConvexShape, ConvexWorkspace, Core, find_convex_contact,
};
use carom_geometry::{ContactPoint, RigidMotion};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

/// Two solids and where they are.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) a: ConvexShape,
    pub(crate) b: ConvexShape,
    pub(crate) x_wa: Pose,
    pub(crate) x_wb: Pose,
}

impl Scene {
    pub(crate) fn contact_from(&self, cache: &ConvexCache) -> ConvexContact {
        find_convex_contact(&self.a, &self.x_wa, &self.b, &self.x_wb, cache, &mut ConvexWorkspace::new())
            .unwrap_or_else(|fault| panic!("{fault:?}: {self:?}"))
    }

    pub(crate) fn contact(&self) -> ContactPoint {
        self.contact_from(&ConvexCache::COLD).point
    }

    /// Separation of the solids along the unit vector n of the world: min over B of n·x less max over A.
    pub(crate) fn separation(&self, n: &Vec3) -> f64 {
        let n_a = self.x_wa.rotation.tr_mul(n);
        let n_b = -self.x_wb.rotation.tr_mul(n);
        let offset = self.x_wb.translation - self.x_wa.translation;
        n.dot(&offset) - self.b.support(&n_b).dot(&n_b) - self.a.support(&n_a).dot(&n_a)
    }

    /// The same scene with B moved so that the gap, measured along the present normal, is `gap`.
    pub(crate) fn at_gap(mut self, gap: f64) -> Self {
        for _ in 0..3 {
            let contact = self.contact();
            self.x_wb.translation += (gap - contact.gap) * contact.normal;
        }
        self
    }
}

pub(crate) const POLYTOPES: [&str; 3] = ["box", "hull", "rounded box"];
pub(crate) const CURVED: [&str; 8] =
    ["cylinder", "cone", "frustum", "beam", "ellipsoid", "superellipsoid", "rounded cylinder", "capsule"];

pub(crate) fn random_shape(name: &str, rng: &mut SplitMix64) -> ConvexShape {
    let size = |rng: &mut SplitMix64| rng.uniform(0.2, 1.0);
    let three = |rng: &mut SplitMix64| Vec3::new(size(rng), size(rng), size(rng));
    let radius = if name.starts_with("rounded") { 0.05 } else { 0.0 };
    let core = match name {
        "point" => return ConvexShape { core: Core::Point, radius: size(rng) },
        "capsule" => {
            return ConvexShape { core: Core::Segment { half_length: size(rng) }, radius: 0.3 * size(rng) };
        }
        "box" | "rounded box" => Core::Box { half: three(rng) },
        "hull" => {
            let count = 5 + rng.index(40);
            let points: Vec<Vec3> =
                (0..count).map(|_| rng.unit_vector().component_mul(&Vec3::new(0.9, 0.6, 0.4))).collect();
            return ConvexShape::hull(ConvexHull::of_points(&points).unwrap(), 0.0);
        }
        "cylinder" | "rounded cylinder" => {
            let r = size(rng);
            Core::Frustum { radius_low: r, radius_high: r, half_length: size(rng) }
        }
        "cone" => Core::Frustum { radius_low: size(rng), radius_high: 0.0, half_length: size(rng) },
        "frustum" => Core::Frustum { radius_low: size(rng), radius_high: size(rng), half_length: size(rng) },
        "beam" => Core::Beam { half_length: size(rng), half_width: size(rng), half_thickness: size(rng) },
        "ellipsoid" => Core::Ellipsoid { semi_axes: three(rng) },
        "superellipsoid" => Core::Superellipsoid {
            semi_axes: three(rng),
            exponents: [rng.uniform(0.4, 1.6), rng.uniform(0.4, 1.6)],
        },
        other => panic!("no shape {other}"),
    };
    ConvexShape { core, radius }
}

pub(crate) fn random_scene(a: &str, b: &str, rng: &mut SplitMix64) -> Scene {
    Scene { a: random_shape(a, rng), b: random_shape(b, rng), x_wa: rng.pose(1.5), x_wb: rng.pose(1.5) }
}

/// A pose after a time (s) of uniform motion.
pub(crate) fn moved_on(x: &Pose, motion: &RigidMotion, time: f64) -> Pose {
    Pose {
        rotation: Quaternion::from_rotation_vector(&(motion.spin * time)).to_matrix() * x.rotation,
        translation: x.translation + motion.velocity * time,
    }
}

/// Any motion of a solid about its origin.
pub(crate) fn random_motion(x: &Pose, rng: &mut SplitMix64) -> RigidMotion {
    RigidMotion { origin: x.translation, velocity: rng.vector_in_cube(1.0), spin: rng.vector_in_cube(1.0) }
}
