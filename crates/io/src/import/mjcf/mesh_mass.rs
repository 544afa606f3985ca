//! Mass of meshes, in the ways of MuJoCo's compiler (`inertia` of `<mesh>`).

use carom_geometry::convex::ConvexHull;
use carom_geometry::{MassProperties, TriangleMesh};
use carom_math::{Mat3, Vec3};

use super::super::context::Context;
use super::super::xml::Element;
use super::compiler::bad_word;

/// What of a mesh has mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeshInertia {
    /// Cones from the middle of the surface to each triangle, all counted positive. The mesh need not be closed; folds of one
    /// that is not convex count twice.
    Legacy,
    /// The volume that the mesh encloses.
    Exact,
    /// That of its convex hull.
    Convex,
    /// The surface: densities are per area.
    Shell,
}

impl MeshInertia {
    const ALL: [(&'static str, Self); 4] =
        [("legacy", Self::Legacy), ("exact", Self::Exact), ("convex", Self::Convex), ("shell", Self::Shell)];

    /// MuJoCo's default where there is no word.
    pub(super) fn read(word: Option<&str>, element: &Element, context: &Context<'_>) -> Self {
        let Some(word) = word else { return Self::Legacy };
        let found = Self::ALL.iter().find(|(name, _)| *name == word);
        if found.is_none() {
            bad_word(element, "inertia", word, "legacy, exact, convex or shell", context);
        }
        found.map_or(Self::Legacy, |(_, kind)| *kind)
    }

    /// Mass properties at density 1 of a mesh that is scaled, and mirrored where scales are negative. `None` without volume.
    pub(super) fn weigh(self, mesh: &TriangleMesh, scale: &Vec3) -> Option<MassProperties> {
        let mut corners: Vec<[Vec3; 3]> =
            mesh.corners().map(|corners| corners.map(|c| c.component_mul(scale))).collect();
        if scale.product() < 0.0 {
            corners.iter_mut().for_each(|c| c.swap(1, 2));
        }
        match self {
            Self::Legacy => legacy(&corners),
            Self::Exact => {
                // Closed, and its triangles turned outwards.
                MassProperties::of_mesh(mesh, 1.0).ok()?;
                let middle = middle_of_surface(&corners)?;
                sum(&corners, &middle, |[a, b, c]| a.cross(b).dot(c) / 6.0, [4.0, 20.0])
            }
            Self::Convex => ConvexHull::of_points(corners.as_flattened()).ok()?.mass_properties(1.0).ok(),
            Self::Shell => sum(&corners, &middle_of_surface(&corners)?, area_of, [3.0, 12.0]),
        }
    }
}

fn area_of([a, b, c]: &[Vec3; 3]) -> f64 {
    0.5 * (b - a).cross(&(c - a)).norm()
}

/// Mean of the triangles' centres by their areas.
fn middle_of_surface(corners: &[[Vec3; 3]]) -> Option<Vec3> {
    let (mut area, mut moment) = (0.0, Vec3::zeros());
    for triangle in corners {
        let own = area_of(triangle);
        area += own;
        moment += own / 3.0 * (triangle[0] + triangle[1] + triangle[2]);
    }
    (area > 0.0).then(|| moment / area)
}

/// Cones counted positive: the centre of mass of those from the middle of the surface, mass and inertia of those from there.
fn legacy(corners: &[[Vec3; 3]]) -> Option<MassProperties> {
    let volume = |[a, b, c]: &[Vec3; 3]| (a.cross(b).dot(c) / 6.0).abs();
    let from_middle = sum(corners, &middle_of_surface(corners)?, volume, [4.0, 20.0])?;
    let (mass, _, second) = moments(corners, &from_middle.com, volume, [4.0, 20.0]);
    Some(MassProperties { mass, com: from_middle.com, inertia: of_second_moment(&second) })
}

/// Weight w of each triangle a, b, c taken from `origin`, with first moment w s/k and second moment w (a aᵀ + b bᵀ + c cᵀ +
/// s sᵀ)/l, s = a + b + c: k = 4, l = 20 for a cone from the origin, 3 and 12 for the triangle itself.
fn moments(
    corners: &[[Vec3; 3]],
    origin: &Vec3,
    weight: impl Fn(&[Vec3; 3]) -> f64,
    [k, l]: [f64; 2],
) -> (f64, Vec3, Mat3) {
    let (mut total, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for triangle in corners {
        let triangle = triangle.map(|corner| corner - origin);
        let own = weight(&triangle);
        let s = triangle[0] + triangle[1] + triangle[2];
        total += own;
        first += own / k * s;
        let squares: Mat3 = triangle.iter().fold(Mat3::zeros(), |sum, c| sum + c * c.transpose());
        second += own / l * (squares + s * s.transpose());
    }
    (total, first, second)
}

/// Mass, centre of mass and inertia about it of the sum of all triangles.
fn sum(
    corners: &[[Vec3; 3]],
    origin: &Vec3,
    weight: impl Fn(&[Vec3; 3]) -> f64,
    factors: [f64; 2],
) -> Option<MassProperties> {
    let (mass, first, second) = moments(corners, origin, weight, factors);
    let arm = first / mass;
    let inertia = of_second_moment(&(second - mass * arm * arm.transpose()));
    (mass > 0.0 && inertia.iter().all(|x| x.is_finite())).then(|| MassProperties {
        mass,
        com: origin + arm,
        inertia,
    })
}

/// I = tr(C) 1 − C.
fn of_second_moment(second: &Mat3) -> Mat3 {
    Mat3::from_diagonal_element(second.trace()) - second
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube of edge 1 about the origin, without its last face if `is_open`.
    fn cube(is_open: bool) -> TriangleMesh {
        let vertices = (0..8)
            .map(|k| {
                Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) - Vec3::repeat(0.5)
            })
            .collect();
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let taken = if is_open { &faces[..5] } else { &faces[..] };
        let triangles = taken.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        TriangleMesh { vertices, triangles }
    }

    fn assert_is(found: &MassProperties, mass: f64, moments: [f64; 3]) {
        assert!((found.mass - mass).abs() < 1e-14 * mass, "{found:?}");
        let want = Mat3::from_diagonal(&Vec3::from(moments));
        assert!((found.inertia - want).amax() < 1e-14 * want.amax(), "{found:?}");
    }

    /// A convex solid is the same in three ways, whatever its scale and if it is mirrored: m/12 (b² + c²) and so on.
    #[test]
    fn a_block_weighs_what_it_is() {
        for kind in [MeshInertia::Legacy, MeshInertia::Exact, MeshInertia::Convex] {
            for scale in [Vec3::new(1.0, 2.0, 3.0), Vec3::new(-1.0, 2.0, 3.0), Vec3::new(1.0, -2.0, -3.0)] {
                let found = kind.weigh(&cube(false), &scale).expect("a solid");
                assert_is(&found, 6.0, [6.5, 5.0, 2.5]);
            }
        }
    }

    /// Six plates of mass 1: two lie across an axis with 1/6 + 0, four along it with 1/12 + 1/4.
    #[test]
    fn a_shell_has_its_mass_in_its_faces() {
        let found = MeshInertia::Shell.weigh(&cube(false), &Vec3::repeat(1.0)).expect("a surface");
        assert_is(&found, 6.0, [5.0 / 3.0; 3]);
    }

    /// Without a face the cones to the others are there still, from the middle of what is left: five of height 1/2 or less.
    #[test]
    fn an_open_mesh_has_cones_but_no_volume() {
        let open = cube(true);
        assert_eq!(MeshInertia::Exact.weigh(&open, &Vec3::repeat(1.0)), None);
        let found = MeshInertia::Legacy.weigh(&open, &Vec3::repeat(1.0)).expect("cones");
        // The middle is at x = -0.1; from there the sides have 4/6, the face at x = -1/2 has 0.4/3. What is missing lies towards x.
        assert!(found.com.x < -0.05 && found.com.yz().norm() < 1e-15, "{found:?}");
        let height = found.com.x + 0.5;
        assert!((found.mass - (4.0 / 6.0 + height / 3.0)).abs() < 1e-14, "{found:?}");
    }
}
