//! Features of rounded solids and capsules, against the search for convex solids and closed forms.

use std::sync::Arc;

use carom_geometry::convex::{ConvexShape, Core, Facets, Polyhedron};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{Scene, moved_on, random_motion, random_scene};

fn facets_of(scene: &Scene) -> Facets {
    let [a, b] = [&scene.a, &scene.b].map(|shape| Arc::new(Polyhedron::of(shape).unwrap()));
    Facets::new(a, Some(b))
}

/// Near each other, apart, and overlapping by less than the radii, the least gap of the features is that of the solids, and its normal is theirs.
#[test]
fn the_least_gap_is_that_of_the_solids() {
    let mut rng = SplitMix64::new(23);
    let mut kinds = [0; 3];
    for round in 0..3000 {
        let all = ["capsule", "rounded box", "box", "hull"];
        let (a, b) = ([all[round % 2], all[rng.index(4)]], round % 3 == 0);
        let [a, b] = if b { [a[1], a[0]] } else { a };
        let gap = [-0.02, 0.0, 1e-6, 0.05][rng.index(4)];
        let scene = random_scene(a, b, &mut rng).at_gap(gap);
        let facets = facets_of(&scene);
        let wanted = scene.contact();
        let all = (0..facets.count()).map(|k| facets.contact(k, &scene.x_wa, &scene.x_wb, None).0);
        let (feature, found) = all.enumerate().min_by(|(_, p), (_, q)| p.gap.total_cmp(&q.gap)).unwrap();
        assert!((found.gap - wanted.gap).abs() < 1e-12, "{} for {}: {scene:?}", found.gap, wanted.gap);
        assert!((found.normal - wanted.normal).norm() < 1e-9, "{scene:?}");
        assert!((found.point_b - found.point_a - found.gap * found.normal).norm() < 1e-12);
        // Cores that are parallel somewhere touch along a line, which random ones are not.
        assert!((found.position() - wanted.position()).norm() < 1e-6, "{scene:?}");
        let name = facets.name(feature, ["A", "B"]);
        kinds[usize::from(name.contains(" on "))
            + 2 * usize::from(name.ends_with("of B") && !name.contains(" on "))] += 1;
    }
    assert!(kinds.iter().all(|&count| count > 200), "{kinds:?}");
}

/// Places (x along the capsule) of all contacts within rounding of zero, sorted.
fn touching(facets: &Facets, x_wa: &Pose, x_wb: &Pose) -> Vec<f64> {
    let all = (0..facets.count()).map(|k| facets.contact(k, x_wa, x_wb, None).0);
    let near = all.filter(|point| point.gap.abs() < 1e-15).collect::<Vec<_>>();
    assert!(near.iter().all(|point| (point.normal + Vec3::z()).norm() < 1e-9), "{near:?}");
    let mut places: Vec<f64> = near.iter().map(|point| point.position().x).collect();
    places.sort_by(f64::total_cmp);
    places
}

/// A capsule of half length 1 and radius 1/4 along x, so far up and aside.
fn lying(over: ConvexShape, top: f64, at: [f64; 2], turn: f64) -> (Facets, Pose, Pose) {
    let capsule = ConvexShape { core: Core::Segment { half_length: 1.0 }, radius: 0.25 };
    let along = Quaternion::from_axis_angle(&Vec3::y(), std::f64::consts::FRAC_PI_2);
    let turned = Quaternion::from_axis_angle(&Vec3::z(), turn);
    let rotation = turned.to_matrix() * along.to_matrix();
    let pose = Pose { rotation, translation: Vec3::new(at[0], at[1], top + 0.25) };
    let [a, b] = [capsule, over].map(|shape| Arc::new(Polyhedron::of(&shape).unwrap()));
    (Facets::new(a, Some(b)), pose, Pose::identity())
}

/// A capsule lies on its ends, or on the borders of what is shorter than it.
#[test]
fn a_capsule_lies_on_the_ends_of_its_overlap() {
    let block = |x: f64| ConvexShape::sharp(Core::Box { half: Vec3::new(x, 1.0, 0.5) });
    let of = |(facets, x_wa, x_wb): (Facets, Pose, Pose)| touching(&facets, &x_wa, &x_wb);
    let assert_at = |found: Vec<f64>, wanted: &[f64]| {
        assert_eq!(found.len(), wanted.len(), "{found:?} for {wanted:?}");
        assert!(found.iter().zip(wanted).all(|(x, y)| (x - y).abs() < 1e-12), "{found:?} for {wanted:?}");
    };
    assert_at(of(lying(block(2.0), 0.5, [0.1, 0.2], 0.0)), &[-0.9, 1.1]);
    assert_at(of(lying(block(0.5), 0.5, [0.1, 0.2], 0.0)), &[-0.5, 0.5]);
    assert_at(of(lying(block(1.05), 0.5, [0.1, 0.2], 0.0)), &[-0.9, 1.05]);
    // Flush with the borders, each end is one contact.
    assert_at(of(lying(block(1.0), 0.5, [0.0, 0.2], 0.0)), &[-1.0, 1.0]);
    // Along the border itself.
    assert_at(of(lying(block(0.5), 0.5, [0.1, 1.0], 0.0)), &[-0.5, 0.5]);
    // Along another one, on what both have.
    let along_x = |half: f64| {
        let rotation = Quaternion::from_axis_angle(&Vec3::y(), std::f64::consts::FRAC_PI_2).to_matrix();
        let core = Core::Segment { half_length: half };
        (ConvexShape { core, radius: 0.5 }, Pose { rotation, translation: Vec3::zeros() })
    };
    for (half, wanted) in [(2.0, [-0.9, 1.1]), (1.0, [-0.9, 1.0]), (0.5, [-0.5, 0.5])] {
        let (log, pose) = along_x(half);
        let (facets, x_wa, _) = lying(log, 0.5, [0.1, 0.0], 0.0);
        assert_at(touching(&facets, &x_wa, &pose), &wanted);
    }
    // Across each other they have one point.
    let (log, pose) = along_x(2.0);
    let (facets, x_wa, _) = lying(log, 0.5, [0.1, 0.0], 0.3);
    assert_eq!(touching(&facets, &x_wa, &pose).len(), 1);
}

/// An end that goes around an edge of a box on a path with constant gap: from face to edge to face its contact goes on, with normals that turn
/// without a jump, and over a corner of it likewise.
#[test]
fn an_end_goes_on_from_piece_to_piece() {
    let block = ConvexShape::sharp(Core::Box { half: Vec3::repeat(0.5) });
    let capsule = ConvexShape { core: Core::Segment { half_length: 1.0 }, radius: 0.25 };
    let [a, b] = [capsule, block].map(|shape| Arc::new(Polyhedron::of(&shape).unwrap()));
    let facets = Facets::new(a, Some(b));
    // The upper end of the core is away from the box.
    let end_at = |place: Vec3, up: Vec3| {
        let rotation = Quaternion::between(&Vec3::z(), &up.normalize()).to_matrix();
        Pose { rotation, translation: place + rotation * Vec3::z() }
    };
    let (corner, r) = (Vec3::repeat(0.5), 0.25);
    for (from, to, foot, pieces) in [
        // Over the edge of the faces +x and +z: three pieces.
        (Vec3::x(), Vec3::z(), Vec3::new(0.5, 0.1, 0.5), 3),
        // Over the corner from the face +x to an edge to the vertex and another edge.
        (Vec3::new(1.0, -0.2, -0.1), Vec3::new(-0.2, 1.0, 1.0), corner, 4),
    ] {
        let mut held: Option<(usize, Vec3)> = None;
        let mut seen = 1;
        for step in 0..=1000 {
            let s = f64::from(step) / 1000.0 * 1.4 - 0.2;
            let towards = from * (1.0 - s) + to * s;
            // Points at the distance r from the box around its corner.
            let beyond = towards.map(|x| x.max(0.0)).normalize() * r;
            let place = foot + beyond + towards.map(|x| 0.4 * x.min(0.0));
            let pose = end_at(place, beyond);
            let (x_wa, x_wb) = (&pose, &Pose::identity());
            let (found, piece) = facets.contact(0, x_wa, x_wb, held.map(|(piece, _)| piece));
            let Some((before, normal)) = held else {
                held = Some((piece, found.normal));
                continue;
            };
            assert!((found.normal - normal).norm() < 0.02, "{step}: {} {normal}", found.normal);
            if facets.room(0, x_wa, x_wb, before) < 0.0 {
                let next = facets.next_piece(0, x_wa, x_wb, before).unwrap();
                let beyond = facets.contact(0, x_wa, x_wb, Some(next)).0;
                // On the way over a border there is a step of 1.4e-3 of a piece held too long: its square.
                assert!((beyond.gap - found.gap).abs() < 1e-5 && beyond.gap.abs() < 1e-12, "{step}");
                assert!((beyond.normal - found.normal).norm() < 0.01);
                held = Some((next, beyond.normal));
                seen += 1;
            } else {
                assert!(found.gap.abs() < 1e-12, "{step}: {}", found.gap);
                held = Some((before, found.normal));
            }
        }
        assert_eq!(seen, pieces);
    }
}

/// What rolls off the end of an edge is one of its vertices' from there on: the contact of the edges ends, and that of the end is at the same
/// place.
#[test]
fn of_a_side_that_leaves_by_its_end_the_end_goes_on() {
    let block = ConvexShape::sharp(Core::Box { half: Vec3::new(0.5, 2.0, 0.5) });
    // Across the edge at x = y = 0.5 of the top, the capsule tilted about y.
    let tilted = |s: f64| {
        let (facets, mut pose, x_wb) = lying(block.clone(), 0.5, [0.0, 0.0], 0.0);
        let tilt = Quaternion::from_axis_angle(&Vec3::y(), 0.3).to_matrix();
        pose.rotation = tilt * pose.rotation;
        let normal = tilt * Vec3::z();
        pose.translation = Vec3::new(0.5, 0.0, 0.5) + 0.25 * normal + s * (tilt * Vec3::x());
        (facets, pose, x_wb)
    };
    let named = |facets: &Facets, pose: &Pose, x_wb: &Pose| {
        let all = (0..facets.count()).filter(|&k| facets.contact(k, pose, x_wb, None).0.gap < 2e-15);
        all.map(|k| facets.name(k, ["A", "B"])).collect::<Vec<_>>()
    };
    let (facets, pose, x_wb) = tilted(0.9);
    let names = named(&facets, &pose, &x_wb);
    assert!(names.len() == 1 && names[0].starts_with("side of A on edge"), "{names:?}");
    let (facets, pose, x_wb) = tilted(1.0 + 1e-9);
    let names = named(&facets, &pose, &x_wb);
    assert!(names.len() == 1 && names[0].starts_with("end"), "{names:?}");
}

/// Rates of contacts that are held, against differences of the contacts themselves as their solids move on: of every feature that has one,
/// sharp ones and those over half-spaces, too.
#[test]
fn rates_are_those_of_the_contacts() {
    let mut rng = SplitMix64::new(41);
    let mut pieces = [0; 4];
    for round in 0..4000 {
        let kinds = ["capsule", "rounded box", "box"];
        let scene = random_scene(kinds[round % 3], kinds[rng.index(3)], &mut rng).at_gap(1e-3);
        let [a, b] = [&scene.a, &scene.b].map(|shape| Arc::new(Polyhedron::of(shape).unwrap()));
        let over_plane = round % 7 == 0;
        let facets = Facets::new(a, (!over_plane).then_some(b));
        let feature = rng.index(facets.count());
        let (_, piece) = facets.contact(feature, &scene.x_wa, &scene.x_wb, None);
        let motions = [&scene.x_wa, &scene.x_wb].map(|x| random_motion(x, &mut rng));
        let at = |t: f64| {
            let poses = [moved_on(&scene.x_wa, &motions[0], t), moved_on(&scene.x_wb, &motions[1], t)];
            let found = facets.contact(feature, &poses[0], &poses[1], Some(piece)).0;
            (found.position(), found.normal)
        };
        let rates = facets.rates(feature, piece, [&scene.x_wa, &scene.x_wb], [&motions[0], &motions[1]]);
        let h = 1e-5;
        let (ahead, behind) = (at(h), at(-h));
        let [position, normal] = [ahead.0 - behind.0, ahead.1 - behind.1].map(|change| change / (2.0 * h));
        // Lines that are nearly parallel cross far away, and differences are off there.
        let scale = 1.0 + rates.position.norm() + rates.normal.norm();
        if scale > 20.0 {
            continue;
        }
        assert!((position - rates.position).norm() < 1e-5 * scale * scale, "{round}: {position} {rates:?}");
        assert!((normal - rates.normal).norm() < 1e-5 * scale * scale, "{round}: {normal} {rates:?}");
        let is_edge = facets.name(feature, ["A", "B"]).contains(" on ");
        pieces[usize::from(is_edge) + 2 * usize::from(over_plane)] += 1;
    }
    assert!(pieces[0] > 300 && pieces[1] > 300 && pieces[2] > 300, "{pieces:?}");
}
