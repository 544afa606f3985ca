//! Features of polyhedra that touch on their own, against the search for convex solids and closed forms.

use std::cell::Cell;
use std::sync::Arc;

use carom_geometry::convex::{ConvexShape, Core, FacetLooks, Facets, Polyhedron};
use carom_math::{Pose, Quaternion, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{Scene, random_scene};

fn polyhedron(shape: &ConvexShape) -> Arc<Polyhedron> {
    Arc::new(Polyhedron::of(shape).unwrap())
}

fn facets_of(scene: &Scene) -> Facets {
    Facets::new(polyhedron(&scene.a), Some(polyhedron(&scene.b)))
}

/// Gaps of all features, as open contacts have them.
fn gaps(facets: &Facets, x_wa: &Pose, x_wb: &Pose) -> Vec<f64> {
    (0..facets.count()).map(|k| facets.contact(k, x_wa, x_wb, None).0.gap).collect()
}

fn least(facets: &Facets, scene: &Scene) -> f64 {
    gaps(facets, &scene.x_wa, &scene.x_wb).into_iter().fold(f64::INFINITY, f64::min)
}

/// B brought nearer along the line of centres until they touch: vertex on face, or edge on edge. None of what overlaps.
fn swept_to_touch(mut scene: Scene) -> Option<Scene> {
    let way = (scene.x_wa.translation - scene.x_wb.translation).normalize();
    for _ in 0..200 {
        let contact = scene.contact();
        if contact.gap <= 1e-15 {
            return (contact.gap.abs() <= 1e-14).then_some(scene);
        }
        scene.x_wb.translation += way * (contact.gap / -contact.normal.dot(&way));
    }
    None
}

#[test]
fn two_solids_touch_where_a_feature_does() {
    let mut rng = SplitMix64::new(17);
    let mut by_edges = 0;
    for _ in 0..2000 {
        let [a, b] = [0, 1].map(|_| ["box", "hull"][rng.index(2)]);
        let scene = random_scene(a, b, &mut rng);
        let Some(touching) = swept_to_touch(scene) else { continue };
        let facets = facets_of(&touching);
        let way = (touching.x_wa.translation - touching.x_wb.translation).normalize();
        let at_touch = least(&facets, &touching);
        assert!(at_touch.abs() < 1e-12, "{at_touch} {touching:?}");
        // Where they touch the search does not know the direction.
        let moved = |by: f64| {
            let mut scene = touching.clone();
            scene.x_wb.translation += by * way;
            scene
        };
        let apart = moved(-1e-7);
        let (normal, distance) = (apart.contact().normal, apart.contact().gap);
        for (k, gap) in gaps(&facets, &touching.x_wa, &touching.x_wb).into_iter().enumerate() {
            if gap.abs() < 1e-12 {
                let (point, _) = facets.contact(k, &touching.x_wa, &touching.x_wb, None);
                assert!((point.normal - normal).norm() < 1e-6, "{} {normal}", point.normal);
                by_edges += usize::from(facets.name(k, ["A", "B"]).starts_with("edge"));
            }
        }
        let gap = least(&facets, &apart);
        assert!(gap > 0.0 && gap <= distance * 1.000_001, "{gap} {distance}");
        let gap = least(&facets, &moved(1e-7));
        assert!((gap + distance).abs() < 1e-3 * distance, "{gap} for -{distance}");
    }
    assert!(by_edges > 100, "{by_edges}");
}

/// A cube of edge 2 on another, turned about the upright axis and shifted.
fn stacked(turn: f64, shift: Vec3) -> (Facets, Pose, Pose) {
    let cube = polyhedron(&ConvexShape::sharp(Core::Box { half: Vec3::repeat(1.0) }));
    let rotation = Quaternion::from_axis_angle(&Vec3::z(), turn).to_matrix();
    let upper = Pose { rotation, translation: shift + Vec3::new(0.0, 0.0, 2.0) };
    (Facets::new(Arc::clone(&cube), Some(cube)), upper, Pose::identity())
}

#[test]
fn faces_rest_on_the_corners_of_their_overlap() {
    let touching = |(facets, x_wa, x_wb): &(Facets, Pose, Pose)| {
        let all = (0..facets.count()).map(|k| facets.contact(k, x_wa, x_wb, None).0);
        let near = all.filter(|point| point.gap.abs() < 1e-14).collect::<Vec<_>>();
        assert!(near.iter().all(|point| (point.normal + Vec3::z()).norm() < 1e-9), "{near:?}");
        let mut places: Vec<[f64; 2]> = near.iter().map(|p| [p.position().x, p.position().y]).collect();
        places.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        places
    };
    let assert_places = |found: Vec<[f64; 2]>, mut wanted: Vec<[f64; 2]>| {
        wanted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
        assert_eq!(found.len(), wanted.len(), "{found:?}");
        for (found, wanted) in found.iter().zip(&wanted) {
            assert!((found[0] - wanted[0]).hypot(found[1] - wanted[1]) < 1e-6, "{found:?} {wanted:?}");
        }
    };
    let square = |x: [f64; 2], y: [f64; 2]| x.into_iter().flat_map(|x| y.map(|y| [x, y])).collect::<Vec<_>>();
    // Flush: four corners that both have, counted once.
    assert_places(touching(&stacked(0.0, Vec3::zeros())), square([-1.0, 1.0], [-1.0, 1.0]));
    // Shifted along an edge, and along both: corners of either, and edges that cross.
    assert_places(touching(&stacked(0.0, Vec3::x() * 0.5)), square([-0.5, 1.0], [-1.0, 1.0]));
    assert_places(touching(&stacked(0.0, Vec3::new(0.5, 0.25, 0.0))), square([-0.5, 1.0], [-0.75, 1.0]));
    // Turned: the eight crossings of the sides.
    for turn in [0.3_f64, 1e-3] {
        let (near, far) = ((0.5 * turn).tan(), (0.25 * std::f64::consts::PI - 0.5 * turn).tan());
        let octagon = (0..4).flat_map(|k| {
            let along = [[1.0, near], [1.0, -far]];
            let turned = move |[x, y]: [f64; 2]| [[x, y], [-y, x], [-x, -y], [y, -x]][k];
            along.map(turned)
        });
        assert_places(touching(&stacked(turn, Vec3::zeros())), octagon.collect());
    }
    // As little as rounding may leave, or a margin: four corners hold at every turn.
    for exponent in 1..16 {
        let found = touching(&stacked(10.0_f64.powi(-exponent), Vec3::zeros()));
        for [x, y] in square([-1.0, 1.0], [-1.0, 1.0]) {
            let reach = 1.5 * 10.0_f64.powi(-exponent) + 1e-6;
            assert!(found.iter().any(|p| (p[0] - x).hypot(p[1] - y) < reach), "{exponent}: {found:?}");
        }
    }
}

#[test]
fn a_contact_that_is_held_leaves_at_the_border_of_its_face() {
    let (facets, mut x_wa, x_wb) = stacked(0.0, Vec3::zeros());
    let corner = (0..8)
        .find(|&k| {
            (facets.contact(k, &x_wa, &x_wb, None).0.position() - Vec3::new(1.0, 1.0, 1.0)).norm() < 1e-9
        })
        .unwrap();
    let (_, face) = facets.contact(corner, &x_wa, &x_wb, None);
    let room = |x_wa: &Pose| facets.room(corner, x_wa, &x_wb, face);
    x_wa.translation.x = -0.25;
    assert!((room(&x_wa) - 0.0).abs() < 1e-6);
    x_wa.translation.y = -0.5;
    assert!((room(&x_wa) - 0.25).abs() < 1e-6);
    x_wa.translation.x = 0.1;
    assert!((room(&x_wa) + 0.1).abs() < 1e-6);
    // Held, it stays on the plane of its face; open, it is beside the solid.
    let held = facets.contact(corner, &x_wa, &x_wb, Some(face)).0;
    assert!(held.gap.abs() < 1e-15 && (held.normal + Vec3::z()).norm() < 1e-15);
    assert!((facets.contact(corner, &x_wa, &x_wb, None).0.gap - 0.1).abs() < 1e-12);
}

/// A block on a face of another, both turning together: no direction that stays tells its corners apart from the face, one that turns
/// with either does.
#[test]
fn solids_that_touch_and_turn_together_are_clear() {
    let (facets, upper, lower) = stacked(0.3, Vec3::new(0.4, 0.1, 0.0));
    let turned = |angle: f64| {
        let turn = Quaternion::from_axis_angle(&Vec3::new(1.0, 2.0, 0.5).normalize(), angle).to_matrix();
        let by = Pose { rotation: turn, translation: Vec3::new(angle, 0.0, 0.2 * angle) };
        [by.compose(&upper), by.compose(&lower)]
    };
    let (first, last) = (turned(0.0), turned(0.01));
    let mut clear = 0;
    for feature in 0..facets.count() {
        let [a, b] = [&first, &last].map(|[x_wa, x_wb]| facets.contact(feature, x_wa, x_wb, None).0);
        if a.gap.abs() > 1e-12 || facets.name(feature, ["A", "B"]).starts_with("edge") {
            continue;
        }
        let looks = FacetLooks {
            poses: [&first, &last].map(|[x_wa, x_wb]| [x_wa, x_wb]),
            normals: [a.normal, b.normal],
            gaps: [a.gap, b.gap],
            slack: 1e-14,
            travel: 0.1,
            turn: 0.0,
            acceleration: 0.0,
        };
        let least = |seen: bool| {
            let of_seen = |_: usize, x: f64, y: f64| if seen { x.min(y) } else { f64::NEG_INFINITY };
            facets.least_gap(feature, &looks, |_, [x, y], _| x.min(y), of_seen)
        };
        assert!(least(false) < -1e-3 && least(true) > 0.0, "{feature}: {} {}", least(false), least(true));
        clear += 1;
    }
    assert!(clear >= 2, "{clear}");
}

/// A cube comes down on another, corner on corner, and a little into it: each vertex of the lower one is where one of the upper one is the
/// contact, which alone says when they touch. No bound tells such a vertex from a contact: searches halved to rounding for each.
#[test]
fn vertices_under_vertices_let_those_touch() {
    let (facets, upper, lower) = stacked(0.0, Vec3::zeros());
    let raised = |by: f64| Pose { translation: upper.translation + by * Vec3::z(), ..upper };
    let least = |feature: usize, [first, last]: [Pose; 2]| {
        let [a, b] = [&first, &last].map(|x_wa| facets.contact(feature, x_wa, &lower, None).0);
        let looks = FacetLooks {
            poses: [[&first, &lower], [&last, &lower]],
            normals: [a.normal, b.normal],
            gaps: [a.gap, b.gap],
            slack: 0.0,
            travel: 1e-8,
            turn: 0.0,
            acceleration: 0.0,
        };
        let chord = |[x, y]: [f64; 2]| x.min(y);
        facets.least_gap(feature, &looks, |_, ends, _| chord(ends), |_, x, y| chord([x, y]))
    };
    let names = |k: &usize| facets.name(*k, ["A", "B"]);
    let at_rest = |k: &usize| facets.contact(*k, &upper, &lower, None).0.gap.abs() < 1e-12;
    let meeting: Vec<usize> = (0..facets.count()).filter(at_rest).collect();
    let (of_a, of_b): (Vec<usize>, Vec<usize>) =
        meeting.into_iter().filter(|k| names(k).starts_with("vertex")).partition(|k| names(k).ends_with('A'));
    assert_eq!([of_a.len(), of_b.len()], [4, 4]);
    let falls = [raised(1e-9), raised(-1e-9)];
    assert!(of_b.iter().all(|&k| least(k, falls) > 0.0 && !facets.is_alone(k, &upper, &lower)));
    assert!(of_a.iter().all(|&k| least(k, falls) < 0.0 && facets.is_alone(k, &upper, &lower)));
    // Where the vertices are not over each other each is a contact of its own.
    let beside = Vec3::new(0.1, 0.05, 0.0);
    let [above, below] = falls.map(|pose| Pose { translation: pose.translation + beside, ..pose });
    assert!(of_b.iter().any(|&k| least(k, [above, below]) < 0.0 && facets.is_alone(k, &below, &lower)));
}

/// A wedge whose edge is as long as a plate is wide enters its top: the corners, which lie in the planes of its sides, are in it.
#[test]
fn a_corner_in_the_plane_of_a_side_is_as_deep_as_it_is() {
    let cube = polyhedron(&ConvexShape::sharp(Core::Box { half: Vec3::repeat(1.0) }));
    let facets = Facets::new(Arc::clone(&cube), Some(cube));
    let rotation = Quaternion::from_axis_angle(&Vec3::y(), std::f64::consts::FRAC_PI_4).to_matrix();
    let at = |height: f64, beside: f64| {
        let translation = Vec3::new(0.1, beside, 1.0 + 2.0_f64.sqrt() + height);
        gaps(&facets, &Pose { rotation, translation }, &Pose::identity())
    };
    let least = |gaps: Vec<f64>| gaps.into_iter().fold(f64::INFINITY, f64::min);
    for beside in [0.0, 1e-16, -1e-16, 1e-9, -1e-9] {
        for height in [0.3, 1e-3, 0.0, -1e-12, -1e-6, -0.01, -0.3] {
            let gap = least(at(height, beside));
            assert!((gap - height).abs() < 1e-9, "{gap} for {height} at {beside}");
        }
    }
    // Beside it they are beside it.
    assert!((least(at(-0.3, 2.25)) - 0.25).abs() < 1e-9);
}

/// Edges that cross, a little apart, while their solids move and turn: what the distance of their lines clears is clear, at the middle they are
/// not farther below the chord than its bending allows, and a hover over which the edges' ends come down is cleared by that alone.
#[test]
fn crossed_edges_that_hover_are_clear() {
    let half = Vec3::new(1.0, 0.5, 0.25);
    let block = polyhedron(&ConvexShape::sharp(Core::Box { half }));
    let facets = Facets::new(Arc::clone(&block), Some(block));
    let reach = half.norm();
    let mut rng = SplitMix64::new(31);
    let (mut by_lines, mut hovering) = (0, 0);
    for _ in 0..3000 {
        let mut vector = |size: f64| rng.vector_in_cube(size);
        // One on the other, turned about the normal, a little tilted.
        let (place, tilt, spins, shift) = (vector(0.3), vector(0.2), [vector(2.0), vector(2.0)], vector(1.0));
        // Where they turn slowly and slide fast, what bends most is that the normal turns.
        let slowness = libm::exp2(rng.uniform(-7.0, 0.0));
        let spins = spins.map(|spin| slowness * spin);
        let interval = libm::exp2(rng.uniform(-30.0, 0.0));
        let height = interval * libm::exp2(rng.uniform(-20.0, 0.0));
        let turned = |angle: &Vec3| Quaternion::from_rotation_vector(angle).to_matrix();
        let rotation = turned(&tilt) * turned(&Vec3::new(0.0, 0.0, rng.uniform(0.3, 1.3)));
        let mut upper = Pose { rotation, translation: Vec3::new(place.x, place.y, 1.0) };
        let touching = gaps(&facets, &upper, &Pose::identity());
        let Some(feature) = (16..facets.count()).min_by(|&i, &j| touching[i].total_cmp(&touching[j])) else {
            continue;
        };
        for _ in 0..20 {
            let contact = facets.contact(feature, &upper, &Pose::identity(), None).0;
            upper.translation += (contact.gap - height) * contact.normal;
        }
        let at = |t: f64| {
            let placed = |pose: &Pose, spin: &Vec3, shift: Vec3| Pose {
                rotation: turned(&(spin * (t * interval))) * pose.rotation,
                translation: pose.translation + shift * (t * interval),
            };
            [placed(&upper, &spins[0], shift), placed(&Pose::identity(), &spins[1], Vec3::zeros())]
        };
        let seen = |[x_wa, x_wb]: &[Pose; 2]| facets.contact(feature, x_wa, x_wb, None).0;
        let (first, last) = (at(0.0), at(1.0));
        let rates = spins.map(|spin| spin.norm());
        let centripetal = rates.iter().map(|rate| rate * rate * reach).sum::<f64>() * interval * interval;
        let looks = FacetLooks {
            poses: [&first, &last].map(|[x_wa, x_wb]| [x_wa, x_wb]),
            normals: [&first, &last].map(|poses| seen(poses).normal),
            gaps: [&first, &last].map(|poses| seen(poses).gap),
            slack: 0.0,
            travel: (shift.norm() + rates.iter().sum::<f64>() * reach) * interval,
            turn: rates.iter().sum::<f64>() * interval,
            acceleration: centripetal,
        };
        let above = |[x, y]: [f64; 2], bending: f64| x.min(y) - 0.125 * bending;
        let of_lines = Cell::new(None);
        let by = |lines: bool| {
            let chord = |_: &Vec3, ends: [f64; 2], beside: f64| {
                if beside > 0.0 {
                    of_lines.set(Some((ends, centripetal + beside)));
                }
                if (beside > 0.0) == lines { above(ends, centripetal + beside) } else { f64::NEG_INFINITY }
            };
            facets.least_gap(feature, &looks, chord, |_, _, _| f64::NEG_INFINITY)
        };
        let least = by(true);
        let lowest = (0..=100).map(|k| seen(&at(0.01 * f64::from(k))).gap).fold(f64::INFINITY, f64::min);
        assert!(least <= lowest + 1e-15, "{least} {lowest}");
        if let Some(([start, end], bending)) = of_lines.get() {
            let middle = seen(&at(0.5)).gap;
            assert!(
                middle >= 0.5 * (start + end) - 0.125 * bending - 1e-14,
                "{middle} {start} {end} {bending}"
            );
        }
        by_lines += u32::from(least > 0.0);
        hovering += u32::from(least > 0.0 && by(false) <= 0.0);
    }
    assert!(by_lines > 1000 && hovering > 100, "{by_lines} {hovering}");
}
