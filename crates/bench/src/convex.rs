use carom_geometry::convex::{
    ConvexCache, ConvexHull, ConvexShape, ConvexWorkspace, Core, find_convex_contact,
};
use carom_math::{Pose, Quaternion, Vec3};

use crate::random::Random;

/// Where the second solid of a convex pair is.
#[derive(Clone, Copy, Debug)]
pub struct ConvexScene {
    /// Pose of B; A is at the origin.
    pub x_wb: Pose,
    /// Where a search of this pair ended a tenth of a millimetre and of a milliradian ago.
    pub cache: ConvexCache,
}

/// `box`, `cylinder` or `hull`: a block of 1.0 × 0.7 × 0.5 m, a cylinder of 0.6 × 1.0 m, the hull of 100 points on an
/// ellipsoid with semi-axes 0.5, 0.4, 0.3 m.
///
/// # Panics
/// For another name.
pub fn convex_shape(name: &str) -> ConvexShape {
    match name {
        "box" => ConvexShape::sharp(Core::Box { half: Vec3::new(0.5, 0.35, 0.25) }),
        "cylinder" => {
            ConvexShape::sharp(Core::Frustum { radius_low: 0.3, radius_high: 0.3, half_length: 0.5 })
        }
        "hull" => {
            ConvexShape::hull(ConvexHull::of_points(&hull_points()).expect("points on an ellipsoid"), 0.0)
        }
        other => panic!("no shape {other}"),
    }
}

/// The points of the shape `hull`.
pub fn hull_points() -> Vec<Vec3> {
    let axes = Vec3::new(0.5, 0.4, 0.3);
    let mut random = Random::new(77);
    (0..100).map(|_| random.direction().component_mul(&axes)).collect()
}

/// Two hundred poses of a shape against itself with gaps in [low, high].
///
/// # Panics
/// If a search reaches its limit.
pub fn convex_scenes(shape: &ConvexShape, low: f64, high: f64) -> Vec<ConvexScene> {
    let mut random = Random::new(7);
    let mut workspace = ConvexWorkspace::new();
    let mut contact = |x_wb: &Pose| {
        find_convex_contact(shape, &Pose::identity(), shape, x_wb, &ConvexCache::COLD, &mut workspace)
            .expect("a sound pair")
    };
    let mut scenes = Vec::new();
    while scenes.len() < 200 {
        let mut x_wb = Pose { rotation: random.rotation(), translation: random.direction() };
        let wanted = low + (high - low) * random.unit();
        for _ in 0..3 {
            let point = contact(&x_wb).point;
            x_wb.translation += (wanted - point.gap) * point.normal;
        }
        let turn = Quaternion::from_axis_angle(&random.direction(), 1e-4).to_matrix();
        let before = Pose {
            rotation: turn * x_wb.rotation,
            translation: x_wb.translation + 1e-4 * random.direction(),
        };
        scenes.push(ConvexScene { x_wb, cache: contact(&before).cache });
    }
    scenes
}
