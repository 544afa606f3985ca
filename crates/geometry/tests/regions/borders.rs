//! Surfaces with borders, with more than two triangles at an edge, with triangles turned against each other.

use carom_geometry::TriangleMesh;
use carom_geometry::intersection::{MeshSurface, RegionFault, Side, find_regions};
use carom_math::{Pose, Vec3};

use crate::kit::{Pair, at};
use crate::meshes;

/// A closed body on an open sheet, away from its border: the same region as on a block.
#[test]
fn a_sheet_is_as_good_as_a_block_where_its_border_is_away() {
    let ball = meshes::sphere(0.1, 8);
    let sheet = meshes::terrain(1.0, 5, |_, _| 0.0);
    let (on_sheet, of_sheet) = Pair::new(&ball, &sheet).one(&at(0.03, 0.02, 0.09));
    let block = meshes::block(Vec3::new(0.5, 0.5, 0.1), 5, 0.0);
    let (on_block, of_block) = Pair::new(&ball, &block).one(&at(0.03, 0.02, 0.19));
    assert!((of_sheet.volume / of_block.volume - 1.0).abs() < 1e-11);
    assert!((of_sheet.area_vector - of_block.area_vector).norm() < 1e-14);
    assert!((on_sheet.indentation - on_block.indentation).abs() < 1e-15);
    // The sheet as A, with its solid behind it.
    let (region, overlap) = Pair::new(&sheet, &ball).one(&at(-0.03, -0.02, -0.09));
    assert!((region.normal - Vec3::z()).norm() < 1e-11);
    assert!((overlap.volume / of_block.volume - 1.0).abs() < 1e-11);
}

/// Over the border of a sheet: an open chain, counted, with a plane and a depth of what is there, and nothing enclosed. The other
/// region, away from the border, is as it was.
#[test]
fn a_chain_that_ends_at_a_border_is_open_and_counted() {
    let ball = meshes::sphere(0.1, 8);
    let mut two = meshes::moved(&ball, &at(0.5, 0.03, 0.09));
    let first = two.vertices.len() as u32;
    two.vertices.extend(meshes::moved(&ball, &at(0.0, 0.02, 0.09)).vertices);
    two.triangles.extend(ball.triangles.iter().map(|t| t.map(|v| v + first)));
    let sheet = meshes::terrain(1.0, 6, |_, _| 0.0);
    let mut pair = Pair::new(&two, &sheet);
    let regions = pair.find(&Pose::identity());
    assert_eq!(regions.len(), 2);
    let open = regions.iter().find(|region| region.open_chains == 1).expect("one at the border");
    assert!(open.overlap.is_none() && open.loops == 0 && open.length > 0.0);
    assert!((open.normal + Vec3::z()).norm() < 1e-6, "{}", open.normal);
    assert_eq!(pair.search.contours().open_chains().count(), 1);
    let found = find_regions(&two, &Pose::identity(), &sheet, &Pose::identity()).unwrap();
    assert_eq!((found.contours.open_chains().count(), found.regions.len()), (1, 2));
    let closed = regions.iter().find(|region| region.open_chains == 0).expect("one away from it");
    let (_, alone) = Pair::new(&ball, &sheet).one(&at(0.0, 0.02, 0.09));
    assert!((closed.overlap.unwrap().volume / alone.volume - 1.0).abs() < 1e-12);
    assert!((closed.indentation - 0.01).abs() < 1e-3);
}

/// One block on two hills of a sheet, of which the border cuts off one: what is open there does not spread over the block to the
/// region on the other hill.
#[test]
fn an_open_chain_leaves_the_closed_region_beside_it_alone() {
    let hill = |x: f64, y: f64| 0.05 * libm::exp(-(x * x + y * y) / 0.01);
    let sheet = meshes::terrain(1.0, 81, |x, y| hill(x, y) + hill(x - 0.5, y));
    let block = meshes::block(Vec3::new(0.8, 0.8, 0.2), 20, 0.0);
    for height in [0.03, 0.04] {
        let mut pair = Pair::new(&block, &sheet);
        let regions = pair.find(&at(0.013, 0.007, 0.2 + height));
        assert_eq!(regions.len(), 2);
        let closed = regions.iter().find(|region| region.open_chains == 0).expect("one in the middle");
        let open = regions.iter().find(|region| region.open_chains == 1).expect("one at the border");
        assert!(open.overlap.is_none() && open.point.x > 0.3);
        // A cap of the bell above the height: π s (h − z (1 + ln(h/z))) with s = 0.01.
        let (top, cut) = (0.05, height);
        let exact = std::f64::consts::PI * 0.01 * (top - cut * (1.0 + libm::log(top / cut)));
        let volume = closed.overlap.expect("closed").volume;
        assert!((volume / exact - 1.0).abs() < 0.15, "{volume} {exact}");
        // None of the block's triangles beyond the border's hill is taken for inside.
        let which = regions.iter().position(|region| region.open_chains == 1).unwrap();
        let covered = pair.search.triangles(which, Side::A).len();
        assert!((1..60).contains(&covered), "{covered}");
        // The sheet is inside the block, which is closed: its top counts at the border, too.
        for region in [closed, open] {
            assert!((region.indentation / (top - cut) - 1.0).abs() < 0.15, "{}", region.indentation);
        }
    }
}

/// A hole in the sheet under the ball: the contour is closed, and what it bounds is not.
#[test]
fn a_border_inside_the_other_surface_encloses_nothing() {
    let mut sheet = meshes::terrain(1.0, 21, |_, _| 0.0);
    let middle = |t: &[u32; 3]| t.iter().map(|&v| sheet.vertices[v as usize]).sum::<Vec3>().norm() / 3.0;
    let kept: Vec<[u32; 3]> = sheet.triangles.iter().copied().filter(|t| middle(t) > 0.04).collect();
    assert!(kept.len() < sheet.triangles.len());
    sheet.triangles = kept;
    let mut pair = Pair::new(&meshes::sphere(0.2, 8), &sheet);
    let regions = pair.find(&at(0.01, 0.0, 0.1));
    assert_eq!(regions.len(), 1);
    assert!(regions[0].overlap.is_none() && regions[0].open_chains == 0 && regions[0].loops == 1);
}

/// Two blocks that share an edge are one mesh with four triangles at it.
#[test]
fn an_edge_with_four_triangles_is_passed() {
    let block = meshes::block(Vec3::repeat(0.5), 1, 0.0);
    let mut pair_of_blocks = meshes::moved(&block, &at(0.5, 0.5, 0.0));
    let first = pair_of_blocks.vertices.len() as u32;
    pair_of_blocks.vertices.extend(meshes::moved(&block, &at(-0.5, -0.5, 0.0)).vertices);
    pair_of_blocks.triangles.extend(block.triangles.iter().map(|t| t.map(|v| v + first)));
    let surface = MeshSurface::new(&pair_of_blocks).unwrap();
    assert_eq!((surface.topology().non_manifold.count, surface.is_closed()), (1, true));
    let ball = meshes::sphere(0.2, 8);
    let mut pair = Pair::new(&ball, &pair_of_blocks);
    // Centred on the common edge: two opposite quarters of the ball.
    let volume = pair.volume(&at(0.0, 0.0, 0.0));
    let whole = carom_geometry::mesh::weld(&ball, 0.0).unwrap().mesh.signed_volume();
    assert!((volume / (0.5 * whole) - 1.0).abs() < 1e-3, "{volume} {whole}");
    assert_eq!(pair.search.contours().open_chains().count(), 0);
    assert!(pair.search.regions().iter().all(|region| region.overlap.is_some()));
    let found = find_regions(&ball, &Pose::identity(), &pair_of_blocks, &Pose::identity()).unwrap();
    assert_eq!(found.non_manifold_edges, [0, 1]);
}

/// A triangle turned against its neighbours ends the contours that reach it.
#[test]
fn a_flipped_triangle_opens_contours() {
    let mut flipped = meshes::block(Vec3::new(0.5, 0.5, 0.1), 4, 0.0);
    let top = |corners: [Vec3; 3]| {
        let middle = corners.iter().sum::<Vec3>() / 3.0;
        middle.z > 0.099 && middle.xy().norm() < 0.15
    };
    let which = flipped.corners().position(top).unwrap();
    flipped.triangles[which].swap(0, 1);
    let mut pair = Pair::new(&meshes::sphere(0.2, 8), &flipped);
    let regions = pair.find(&at(0.0, 0.0, 0.25));
    assert!(!regions.is_empty() && regions.iter().any(|region| region.overlap.is_none()));
    assert!(pair.search.contours().open_chains().count() > 0);
    let total: usize =
        pair.search.contours().open_chains().chain(pair.search.contours().loops()).map(<[u32]>::len).sum();
    assert!(total >= pair.search.contours().segments().len());
}

/// A surface that cuts itself: nothing is inside or outside where it does, and no number says otherwise.
#[test]
fn a_surface_that_cuts_itself_has_regions_without_a_volume() {
    let block = meshes::block(Vec3::new(0.3, 0.3, 0.3), 3, 0.0);
    let mut crossing = block.clone();
    let first = crossing.vertices.len() as u32;
    crossing.vertices.extend(meshes::moved(&block, &at(0.25, 0.13, 0.07)).vertices);
    crossing.triangles.extend(block.triangles.iter().map(|t| t.map(|v| v + first)));
    let mut pair = Pair::new(&meshes::sphere(0.2, 8), &crossing);
    let regions = pair.find(&at(0.15, 0.3, 0.31));
    assert!(!regions.is_empty() && regions.iter().any(|region| region.overlap.is_none()), "{regions:#?}");
}

#[test]
fn what_is_no_surface_is_refused_with_its_side() {
    let ball = meshes::sphere(0.1, 2);
    let mut flat = ball.clone();
    let [a, b, _] = flat.triangles[0];
    flat.triangles.push([a, b, b]);
    let fault = find_regions(&ball, &Pose::identity(), &flat, &Pose::identity()).unwrap_err();
    assert!(matches!(fault, RegionFault::Mesh(Side::B, _)), "{fault}");
    assert!(fault.to_string().contains("degenerate"), "{fault}");
    let inward: TriangleMesh = ball.flipped();
    let fault = find_regions(&inward, &Pose::identity(), &ball, &Pose::identity()).unwrap_err();
    assert!(fault.to_string().contains("inwards"), "{fault}");
    let nowhere = at(f64::NAN, 0.0, 0.0);
    let fault = find_regions(&ball, &nowhere, &ball, &Pose::identity()).unwrap_err();
    assert!(matches!(fault, RegionFault::Pose(_)), "{fault}");
}
