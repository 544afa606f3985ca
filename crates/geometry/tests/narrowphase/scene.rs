//! Two shapes with poses, and random ones near contact for every cell of the table.

use std::sync::Arc;

use carom_geometry::convex::{ConvexShape, Core};
use carom_geometry::planar::{Outline, PlanarShape};
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::{Cell, ContactPoint, Shape, ShapeKind, TriangleMesh, find_kernel};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

/// Rotations are quaternions, so that the high-precision oracle knows them exactly.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) a: Shape,
    pub(crate) b: Shape,
    pub(crate) rotation_a: Quaternion,
    pub(crate) rotation_b: Quaternion,
    pub(crate) position_a: Vec3,
    pub(crate) position_b: Vec3,
}

impl Scene {
    pub(crate) fn pose_a(&self) -> Pose {
        Pose { rotation: self.rotation_a.to_matrix(), translation: self.position_a }
    }

    pub(crate) fn pose_b(&self) -> Pose {
        Pose { rotation: self.rotation_b.to_matrix(), translation: self.position_b }
    }

    pub(crate) fn feature_count(&self) -> usize {
        match find_kernel(self.a.kind(), self.b.kind()) {
            Cell::Direct(kernel) => (kernel.features)(&self.a, &self.b),
            Cell::Swapped(kernel) => (kernel.features)(&self.b, &self.a),
            Cell::Unsupported(why) => panic!("{why}"),
        }
    }

    pub(crate) fn point(&self, feature: usize) -> ContactPoint {
        find_point(&self.a, &self.pose_a(), &self.b, &self.pose_b(), feature)
    }

    /// The same scene with A and B exchanged.
    pub(crate) fn swapped(&self) -> Self {
        Self {
            a: self.b.clone(),
            b: self.a.clone(),
            rotation_a: self.rotation_b,
            rotation_b: self.rotation_a,
            position_a: self.position_b,
            position_b: self.position_a,
        }
    }

    pub(crate) fn smallest_gap(&self) -> f64 {
        (0..self.feature_count()).map(|k| self.point(k).gap).fold(f64::INFINITY, f64::min)
    }
}

pub(crate) fn find_point(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose, feature: usize) -> ContactPoint {
    match find_kernel(a.kind(), b.kind()) {
        Cell::Direct(kernel) => (kernel.point)(a, x_wa, b, x_wb, feature).unwrap(),
        Cell::Swapped(kernel) => (kernel.point)(b, x_wb, a, x_wa, feature).unwrap().swapped(),
        Cell::Unsupported(why) => panic!("{why}"),
    }
}

/// Ordered pairs of kinds that have a kernel.
pub(crate) fn supported_cells() -> Vec<(ShapeKind, ShapeKind)> {
    let kinds = ShapeKind::ALL;
    let pairs = kinds.into_iter().flat_map(|a| kinds.into_iter().map(move |b| (a, b)));
    pairs.filter(|&(a, b)| !matches!(find_kernel(a, b), Cell::Unsupported(_))).collect()
}

/// A scene of the cell, within a few tenths of a metre of contact on one side or the other, often deep
/// inside: sizes 0.1 to 1 m, cavities 1 to 2 m.
pub(crate) fn random_scene(cell: (ShapeKind, ShapeKind), rng: &mut SplitMix64) -> Scene {
    let mut scene = Scene {
        a: random_shape(cell.0, rng),
        b: random_shape(cell.1, rng),
        rotation_a: rng.rotation(),
        rotation_b: rng.rotation(),
        position_a: rng.vector_in_cube(1.5),
        position_b: rng.vector_in_cube(1.5),
    };
    // Along the normal of the first feature to a gap drawn at random.
    let contact = scene.point(rng.index(scene.feature_count()));
    let wanted = rng.uniform(-0.2, 0.2);
    if rng.index(3) > 0 {
        scene.position_b += (wanted - contact.gap) * contact.normal;
    }
    scene
}

pub(crate) fn random_shape(kind: ShapeKind, rng: &mut SplitMix64) -> Shape {
    let size = |rng: &mut SplitMix64| rng.uniform(0.1, 1.0);
    match kind {
        ShapeKind::Sphere => Shape::Sphere { radius: size(rng), hollow: false },
        ShapeKind::HollowSphere => Shape::Sphere { radius: 1.0 + size(rng), hollow: true },
        ShapeKind::HalfSpace => Shape::HalfSpace,
        ShapeKind::Box => Shape::Box { half: Vec3::new(size(rng), size(rng), size(rng)) },
        ShapeKind::Cylinder => {
            Shape::Cylinder(Cylinder { radius: size(rng), half_length: size(rng), side: CylinderSide::Solid })
        }
        ShapeKind::HollowCylinder => Shape::Cylinder(Cylinder {
            radius: 1.0 + size(rng),
            half_length: 1.0 + size(rng),
            side: CylinderSide::Hollow { closed: rng.index(2) == 0 },
        }),
        ShapeKind::Capsule => Shape::Capsule { radius: size(rng), half_length: size(rng) },
        ShapeKind::Convex => {
            let semi_axes = Vec3::new(size(rng), size(rng), size(rng));
            Shape::Convex(ConvexShape::sharp(Core::Ellipsoid { semi_axes }))
        }
        ShapeKind::Mesh => Shape::Mesh(Arc::new(TriangleMesh {
            vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y()],
            triangles: vec![[0, 1, 2]],
        })),
        ShapeKind::Planar => Shape::Planar(PlanarShape {
            outline: Outline::Circle { radius: size(rng) },
            thickness: size(rng),
        }),
    }
}
