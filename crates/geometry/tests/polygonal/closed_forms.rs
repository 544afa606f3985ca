//! Hits against closed forms.

use carom_geometry::TriangleMesh;
use carom_geometry::polygonal::{
    BaseSurface, Degenerate, ElementHit, HitStatus, PatchSearch, PenetrationSearch, SearchFault,
    SurfaceFault, TargetSurface, penetration_brute_force,
};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::meshes;

fn hits(base: &BaseSurface, target: &TargetSurface, pose: &Pose) -> Vec<ElementHit> {
    let mut hits = Vec::new();
    PenetrationSearch::new(base, target).search(base, target, pose, &mut hits).unwrap();
    hits
}

/// A triangle with its normal along z, much larger than anything else.
fn ground() -> TriangleMesh {
    let corners = [Vec3::new(-50.0, -40.0, 0.0), Vec3::new(60.0, -40.0, 0.0), Vec3::new(0.0, 90.0, 0.0)];
    TriangleMesh { vertices: corners.to_vec(), triangles: vec![[0, 1, 2]] }
}

/// Above the plane z = 0, at height h, a line along d meets it at u = −h/d_z if that is not negative: from inside, upwards,
/// where h < 0. A sphere whose centre is at height 0.8 goes 0.2 deep; at barycentres of height h < 0 the inward direction
/// has d_z > 0.
#[test]
fn sphere_in_the_ground() {
    let reach = 0.5;
    let base = BaseSurface::new(&meshes::sphere(1.0, 8), reach).unwrap();
    let target = TargetSurface::new(&ground()).unwrap();
    let mut rng = SplitMix64::new(31);
    for _ in 0..10 {
        let rotation = rng.rotation().to_matrix();
        let pose = Pose { rotation, translation: Vec3::new(rng.uniform(-1.0, 1.0), 0.3, 0.8) };
        let found = hits(&base, &target, &pose);
        let mut active = 0;
        let mut found = found.iter().peekable();
        for (index, element) in base.elements().enumerate() {
            let height = pose.transform_point(&element.barycentre).z;
            let rise = -(rotation * element.normal).z;
            let depth = -height / rise;
            let hit = found.next_if(|hit| hit.element == index as u32);
            assert_eq!(hit.is_some(), (0.0..=reach).contains(&depth), "element {index} at {height}");
            let Some(hit) = hit else { continue };
            // Heights are near 1, rounded to 1e-16; lines at small angles magnify that.
            assert!((hit.depth - depth).abs() < 1e-15 / rise.abs(), "{} instead of {depth}", hit.depth);
            assert_eq!(hit.is_active(), height < 0.0);
            active += usize::from(hit.is_active());
        }
        // Share of the sphere's surface below the ground: 0.2/2 of 1280 facets.
        assert!((110..146).contains(&active), "{active} active");
    }
}

/// Every element of the lower face of a plate that lies in a box is as deep as the plate, those of the other faces of the
/// plate are not met from inside, and there is one patch with the area of the face.
#[test]
fn plate_in_a_box() {
    let plate = meshes::block(Vec3::new(0.3, 0.2, 0.1), 6, 0.0);
    let base = BaseSurface::new(&plate, 0.05).unwrap();
    let target = TargetSurface::new(&meshes::block(Vec3::new(1.0, 1.0, 1.0), 1, 0.0)).unwrap();
    let depth = 0.02;
    let pose = Pose::from_translation(Vec3::new(0.1, -0.2, 1.1 - depth));
    let found = hits(&base, &target, &pose);
    let active: Vec<_> = found.iter().filter(|hit| hit.is_active()).copied().collect();
    assert_eq!(active.len(), 72);
    for hit in &active {
        assert!((hit.depth - depth).abs() < 1e-15);
        assert!((target.normal(hit.triangle) - Vec3::z()).norm() < 1e-15);
        assert!((base.element(hit.element).normal + Vec3::z()).norm() < 1e-15);
    }
    let mut patches = PatchSearch::new(&plate);
    let [patch] = patches.find(&base, &found, |_, hit| hit.depth) else { panic!("one patch") };
    assert_eq!((patch.elements, patch.first), (72, active[0].element));
    assert!((patch.area - 0.24).abs() < 1e-15);
    assert!((patch.weight - 72.0 * depth).abs() < 1e-13);
    assert!((patch.centre - Vec3::new(0.0, 0.0, -0.1)).norm() < 1e-15);
}

/// A dumbbell of two boxes on the ground has two patches; weights move the centre, areas where there are none.
#[test]
fn patches_are_connected_parts() {
    let foot = meshes::block(Vec3::new(0.1, 0.1, 0.1), 2, 0.0);
    let mut feet = meshes::moved(&foot, &Pose::from_translation(Vec3::new(1.0, 0.0, 0.0)));
    let first = feet.vertices.len() as u32;
    feet.vertices.extend(&foot.vertices);
    feet.triangles.extend(foot.triangles.iter().map(|t| t.map(|v| v + first)));
    // Corners of their own: connection is by position.
    let mut soup = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    feet.corners().for_each(|corners| meshes::push(&mut soup, corners));
    let base = BaseSurface::new(&soup, 0.05).unwrap();
    let target = TargetSurface::new(&ground()).unwrap();
    let found = hits(&base, &target, &Pose::from_translation(Vec3::new(0.0, 0.0, 0.09)));
    let mut search = PatchSearch::new(&soup);
    let weight = |_: usize, hit: &ElementHit| base.element(hit.element).barycentre.x.max(0.0);
    let patches = search.find(&base, &found, weight).to_vec();
    assert_eq!(patches.len(), 2);
    assert!(patches.iter().all(|patch| patch.elements == 8 && (patch.area - 0.04).abs() < 1e-15));
    // Σ x²/Σ x over columns of barycentres at 1 + (±1 ± 2)/30 or so: the heavier side draws the centre.
    let xs = || found.iter().filter(|h| h.is_active()).map(|h| base.element(h.element).barycentre.x);
    let expected =
        xs().filter(|x| *x > 0.5).map(|x| x * x).sum::<f64>() / xs().filter(|x| *x > 0.5).sum::<f64>();
    assert!((patches[0].centre.x - expected).abs() < 1e-14);
    assert!(patches[0].centre.x > 1.0 + 1e-4);
    let numbers: Vec<_> = (0..found.len()).filter_map(|k| search.patch_of(k)).collect();
    assert_eq!(numbers.iter().filter(|&&n| n == 1).count(), 8);
    let patches = search.find(&base, &found, |_, _| 0.0);
    assert!((patches[0].centre - Vec3::new(1.0, 0.0, -0.1)).norm() < 1e-14);
}

/// Lines through the edges and the corners of the target hit one neighbour at least.
#[test]
fn no_line_slips_between_triangles() {
    let mut rng = SplitMix64::new(32);
    for target in [meshes::sphere(1.0, 4), meshes::torus(1.0, 0.3, 48, 4), slivers()] {
        let surface = TargetSurface::new(&target).unwrap();
        let mut aims = Vec::new();
        for corners in target.corners() {
            for k in 0..3 {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                aims.push((
                    a + rng.uniform(0.0, 1.0) * (b - a),
                    (corners[1] - corners[0]).cross(&(corners[2] - corners[0])),
                ));
                aims.push((a, aims[aims.len() - 1].1));
            }
        }
        // A small triangle under every aim, whose line goes through it from inside.
        let mut soup = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
        for (aim, normal) in &aims {
            let d = (normal.normalize() + 0.3 * rng.unit_vector()).normalize();
            let (u, v) = carom_math::orthonormal_basis(&-d);
            let start = aim - 0.05 * d;
            let corner = |k: f64| start + 0.01 * (libm::cos(k) * u + libm::sin(k) * v);
            meshes::push(
                &mut soup,
                [
                    corner(0.0),
                    corner(2.0 * std::f64::consts::FRAC_PI_3),
                    corner(4.0 * std::f64::consts::FRAC_PI_3),
                ],
            );
        }
        let base = BaseSurface::new(&soup, 0.1).unwrap();
        let found = penetration_brute_force(&base, &surface, &Pose::identity()).unwrap();
        assert_eq!(found.len(), aims.len());
        // Borders of the open strip and folds may be met twice, but never beyond the aim.
        assert!(found.iter().all(|hit| hit.depth < 0.05 + 1e-12));
    }
}

/// A strip of triangles a thousand times longer than wide, far from the origin.
fn slivers() -> TriangleMesh {
    let vertices = (0..60).map(|k| Vec3::new(300.0 + 1e-3 * f64::from(k), f64::from(k % 2), 200.0)).collect();
    let triangles = (0..58).map(|k| if k % 2 == 0 { [k, k + 2, k + 1] } else { [k, k + 1, k + 2] }).collect();
    TriangleMesh { vertices, triangles }
}

/// Depths depend on where the surfaces are to each other only, not on where they are.
#[test]
fn depths_do_not_depend_on_frames() {
    let mut rng = SplitMix64::new(33);
    let (torus, sphere) = (meshes::torus(1.0, 0.3, 48, 24), meshes::sphere(1.0, 5));
    let pose = Pose {
        rotation: Quaternion::from_roll_pitch_yaw(0.3, 0.2, 0.1).to_matrix(),
        translation: Vec3::new(0.02, 0.01, -0.8),
    };
    let search = |base: &TriangleMesh, target: &TriangleMesh, pose: &Pose| {
        let (base, target) = (BaseSurface::new(base, 0.05).unwrap(), TargetSurface::new(target).unwrap());
        hits(&base, &target, pose)
    };
    let expected = search(&torus, &sphere, &pose);
    assert!(expected.len() > 30);
    for distance in [1.0, 1e3] {
        let (x_b, x_t) = (rng.pose(distance), rng.pose(distance));
        let moved = x_t.compose(&pose).compose(&x_b.inverse());
        let found = search(&meshes::moved(&torus, &x_b), &meshes::moved(&sphere, &x_t), &moved);
        assert_eq!(found.len(), expected.len());
        for (f, e) in found.iter().zip(&expected) {
            assert_eq!((f.element, f.triangle, f.status), (e.element, e.triangle, e.status));
            // Rounding of coordinates, magnified by lines at an angle to the surface.
            assert!((f.depth - e.depth).abs() < 2e-14 * (1.0 + distance), "{} {}", f.depth, e.depth);
        }
    }
}

/// Of triangles at equal depth the lowest counts; a face met from outside before hides one behind it.
#[test]
fn ties_and_hidden_faces() {
    let mut target = ground();
    target.triangles = vec![[0, 2, 1], [0, 1, 2], [0, 1, 2]];
    let base = BaseSurface::new(&meshes::block(Vec3::new(0.1, 0.1, 0.1), 1, 0.0), 0.15).unwrap();
    let below = Pose::from_translation(Vec3::new(0.0, 0.0, 0.05));
    let status = |target: &TriangleMesh| {
        let target = TargetSurface::new(target).unwrap();
        let found = hits(&base, &target, &below);
        let down = |hit: &&ElementHit| base.element(hit.element).normal.z < 0.0;
        let lower: Vec<_> = found.iter().filter(down).map(|hit| (hit.triangle, hit.status)).collect();
        assert_eq!(lower.len(), 2);
        lower[0]
    };
    assert_eq!(status(&target), (0, HitStatus::Invalid));
    target.triangles.swap(0, 2);
    assert_eq!(status(&target), (0, HitStatus::Active));
}

#[test]
fn bad_input_is_named() {
    let sphere = meshes::sphere(1.0, 2);
    for reach in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(BaseSurface::new(&sphere, reach), Err(SurfaceFault::Reach { .. })));
    }
    let mut broken = sphere.clone();
    broken.vertices[5].y = f64::NAN;
    assert!(matches!(TargetSurface::new(&broken), Err(SurfaceFault::Mesh(_))));
    assert!(matches!(BaseSurface::new(&broken, 0.1), Err(SurfaceFault::Mesh(_))));
    let mut vast = sphere.clone();
    vast.vertices[5] *= 1e40;
    assert!(matches!(TargetSurface::new(&vast), Err(SurfaceFault::TooLarge { .. })));
    let flat = TriangleMesh {
        vertices: vec![Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x()],
        triangles: vec![[0, 1, 2], [0, 1, 0]],
    };
    assert_eq!(TargetSurface::new(&flat).unwrap_err(), SurfaceFault::NothingLeft { triangles: 2 });
    let mut some = sphere.clone();
    some.triangles.insert(7, [1, 2, 1]);
    let degenerate = Degenerate { count: 1, first: Some(7) };
    assert_eq!(TargetSurface::new(&some).unwrap().degenerate(), degenerate);
    let base = BaseSurface::new(&some, 0.1).unwrap();
    assert_eq!((base.degenerate(), base.element(7).area), (degenerate, 0.0));
    let target = TargetSurface::new(&sphere).unwrap();
    let mut search = PenetrationSearch::new(&base, &target);
    let mut pose = Pose::identity();
    pose.rotation[(1, 2)] = f64::NAN;
    assert_eq!(search.search(&base, &target, &pose, &mut Vec::new()), Err(SearchFault::PoseNotFinite));
}
