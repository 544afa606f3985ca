//! Contact searches and broad phase allocate nothing once their buffers are there. A binary of its own, since it
//! replaces the allocator.
#![allow(missing_docs)]

#[path = "polygonal/meshes.rs"]
#[allow(dead_code)]
mod meshes;

use carom_geometry::broadphase::{Ball, Candidates, Plane};
use carom_geometry::clearance::{
    ClearanceTree, ClearanceWorkspace, contained, escape, near_triangles, separation, separation_bound,
    touching,
};
use carom_geometry::convex::{
    ConvexCache, ConvexHull, ConvexShape, ConvexWorkspace, Core, Manifold, find_convex_contact, find_manifold,
};
use carom_geometry::intersection::{ClosedSurface, MeshSurface, RegionSearch, Side};
use carom_geometry::polygonal::IntersectionSearch;
use carom_geometry::polygonal::{BaseSurface, PatchSearch, PenetrationSearch, TargetSurface};
use carom_math::{Pose, Vec3};
use carom_testkit::SplitMix64;

fn shapes() -> Vec<ConvexShape> {
    let mut rng = SplitMix64::new(1);
    let points: Vec<Vec3> = (0..60).map(|_| rng.vector_in_cube(0.5)).collect();
    vec![
        ConvexShape::sharp(Core::Box { half: Vec3::new(0.5, 0.4, 0.3) }),
        ConvexShape::sharp(Core::Frustum { radius_low: 0.4, radius_high: 0.4, half_length: 0.5 }),
        ConvexShape::sharp(Core::Beam { half_length: 0.3, half_width: 0.2, half_thickness: 0.2 }),
        ConvexShape::sharp(Core::Ellipsoid { semi_axes: Vec3::new(0.5, 0.4, 0.3) }),
        ConvexShape::hull(ConvexHull::of_points(&points).unwrap(), 0.01),
    ]
}

#[test]
fn contacts_and_manifolds_allocate_nothing() {
    let shapes = shapes();
    let mut rng = SplitMix64::new(2);
    let mut workspace = ConvexWorkspace::new();
    let mut manifold = Manifold::for_shapes(&shapes);
    let info = allocation_counter::measure(|| {
        for a in &shapes {
            for b in &shapes {
                for _ in 0..100 {
                    let (x_wa, mut x_wb) = (rng.pose(0.4), rng.pose(0.4));
                    let mut cache = ConvexCache::COLD;
                    for _ in 0..3 {
                        let contact =
                            find_convex_contact(a, &x_wa, b, &x_wb, &cache, &mut workspace).unwrap();
                        find_manifold(a, &x_wa, b, &x_wb, &contact.point, &mut manifold);
                        cache = contact.cache;
                        // Close to touching, where manifolds have most points.
                        x_wb.translation -= (contact.point.gap + 1e-4) * contact.point.normal;
                    }
                }
                // Face on face.
                let x_wb = Pose::from_translation(Vec3::new(0.1, 0.05, 0.55));
                let cold = ConvexCache::COLD;
                let contact =
                    find_convex_contact(a, &Pose::identity(), b, &x_wb, &cold, &mut workspace).unwrap();
                find_manifold(a, &Pose::identity(), b, &x_wb, &contact.point, &mut manifold);
            }
        }
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn the_same_cache_gives_the_same_bits_whatever_was_tried_in_between() {
    let shapes = shapes();
    let mut rng = SplitMix64::new(3);
    for a in &shapes {
        for b in &shapes {
            let (x_wa, x_wb) = (rng.pose(0.4), rng.pose(0.4));
            let mut workspace = ConvexWorkspace::new();
            let mut find = |x_wb: &Pose, cache: &ConvexCache| {
                find_convex_contact(a, &x_wa, b, x_wb, cache, &mut workspace).unwrap()
            };
            let committed = find(&x_wb, &ConvexCache::COLD).cache;
            let step = Pose { translation: x_wb.translation + Vec3::repeat(1e-3), ..x_wb };
            let first = find(&step, &committed);
            for _ in 0..5 {
                // Stages of steps that are rejected.
                let elsewhere = rng.pose(0.4);
                find(&elsewhere, &committed);
            }
            let again = find(&step, &committed);
            assert_eq!(first.point, again.point);
            assert_eq!(first.cache, again.cache);
        }
    }
}

#[test]
fn the_broad_phase_reuses_its_buffers() {
    let mut rng = SplitMix64::new(4);
    let balls: Vec<Ball> = (0..500).map(|_| Ball { centre: rng.vector_in_cube(1.0), radius: 0.05 }).collect();
    let planes = [Plane { point: Vec3::zeros(), normal: Vec3::z() }];
    let mut candidates = Candidates::default();
    candidates.rebuild(&balls, &planes, 0.1).unwrap();
    let info = allocation_counter::measure(|| {
        for _ in 0..20 {
            candidates.rebuild(&balls, &planes, 0.1).unwrap();
            candidates.update(&balls, &planes, 0.1).unwrap();
        }
    });
    assert_eq!(info.count_total, 0);
}

/// Poses of a sphere that touches a torus all around, on one side, or not at all.
fn contacts(rng: &mut SplitMix64) -> Vec<Pose> {
    let pose = |rng: &mut SplitMix64| Pose {
        rotation: rng.rotation().to_matrix(),
        translation: Vec3::new(0.0, 0.0, 0.8) + rng.vector_in_cube(0.2),
    };
    (0..200).map(|_| pose(rng)).collect()
}

#[test]
fn areal_searches_reuse_their_buffers() {
    let (sphere, torus) = (meshes::sphere(1.0, 5), meshes::torus(1.0, 0.3, 48, 24));
    let (base, target) = (BaseSurface::new(&sphere, 0.1).unwrap(), TargetSurface::new(&torus).unwrap());
    let closed = [&sphere, &torus].map(|mesh| ClosedSurface::new(mesh).unwrap());
    let mut search = PenetrationSearch::new(&base, &target);
    let mut patches = PatchSearch::new(&sphere);
    let mut classic = IntersectionSearch::new(&closed[0], &closed[1]);
    let mut hits = Vec::new();
    let mut rng = SplitMix64::new(5);
    // Other poses than those of the warm-up, a new list for each.
    let warm: Vec<Pose> = (0..4).flat_map(|_| contacts(&mut rng)).collect();
    let measured = contacts(&mut rng);
    let mut run = |poses: &[Pose]| {
        let mut elements = 0;
        for pose in poses {
            search.search(&base, &target, pose, &mut hits).unwrap();
            elements +=
                patches.find(&base, &hits, |_, hit| hit.depth).iter().map(|p| p.elements).sum::<u32>();
            classic.search((&closed[0], &base), (&closed[1], &target), pose, &mut hits).unwrap();
        }
        (elements, search.counters().rebuilds)
    };
    let (_, before) = run(&warm);
    let info = allocation_counter::measure(|| {
        let (elements, after) = run(&measured);
        assert!(elements > 1000 && after > before + 100);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn regions_reuse_their_buffers() {
    let (sphere, torus) = (meshes::sphere(1.0, 5), meshes::torus(1.0, 0.3, 48, 24));
    let [a, b] = [&sphere, &torus].map(|mesh| MeshSurface::new(mesh).unwrap());
    let mut search = RegionSearch::new(&a, &b);
    let mut rng = SplitMix64::new(7);
    let warm: Vec<Pose> = (0..4).flat_map(|_| contacts(&mut rng)).collect();
    let measured = contacts(&mut rng);
    let mut run = |poses: &[Pose]| {
        let mut covered = 0;
        for pose in poses {
            search.find(&a, &b, pose).unwrap();
            let regions = 0..search.regions().len();
            covered += regions.map(|region| search.triangles(region, Side::A).len()).sum::<usize>();
        }
        (covered, search.counters().rebuilds)
    };
    let (_, before) = run(&warm);
    let info = allocation_counter::measure(|| {
        let (covered, after) = run(&measured);
        assert!(covered > 1000 && after > before + 100);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn clearance_reuses_its_buffers() {
    let (sphere, torus) = (meshes::sphere(1.0, 5), meshes::torus(1.0, 0.3, 48, 24));
    let [sphere, torus] = [&sphere, &torus].map(|mesh| ClearanceTree::new(mesh).unwrap());
    let mut workspace = ClearanceWorkspace::new();
    let mut pairs = Vec::new();
    let mut rng = SplitMix64::new(6);
    let (warm, measured) = (contacts(&mut rng), contacts(&mut rng));
    let mut run = |poses: &[Pose]| {
        let mut touches = 0;
        let mut hint = None;
        for pose in poses {
            let found = separation(&torus, &sphere, pose, f64::INFINITY, hint, &mut workspace);
            hint = found.nearest.map(|nearest| nearest.triangles);
            separation_bound(&torus, &sphere, pose, [0.01, f64::INFINITY], hint, &mut workspace);
            touches += usize::from(touching(&torus, &sphere, pose, hint, &mut workspace).is_some());
            near_triangles(&torus, &sphere, pose, 0.01, 10_000, &mut workspace, &mut pairs);
            contained(&torus, &sphere, pose);
            escape(&torus, &sphere, pose, &[Vec3::z()], &mut workspace);
            torus.wall(7);
        }
        touches
    };
    run(&warm);
    let info = allocation_counter::measure(|| assert!(run(&measured) > 20));
    assert_eq!(info.count_total, 0);
}
