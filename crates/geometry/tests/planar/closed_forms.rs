//! Gaps and normals that are known in closed form.

use carom_geometry::planar::{
    Against, Polygon, contact, contact_against, count_features, crossed, feature_name, on_held_piece,
    piece_under, second_features,
};
use carom_geometry::{ContactPoint, Shape};
use carom_math::{Pose, Quaternion, Vec2, Vec3};
use carom_testkit::SplitMix64;

use crate::kit::{circle, polygon, pose, random_pose, shape, star};

/// Contacts of a pair that touch, by the names of their features.
fn touching(a: &Shape, x_wa: &Pose, b: &Shape, x_wb: &Pose) -> Vec<(String, ContactPoint)> {
    let point = |feature: usize| (feature_name(a, b, feature), contact(a, x_wa, b, x_wb, feature).unwrap());
    (0..count_features(a, b)).map(point).filter(|(_, point)| point.gap <= 0.0).collect()
}

fn square(side: f64) -> Shape {
    shape(Polygon::rectangle(side, side).unwrap())
}

#[test]
fn a_block_on_a_wider_one_stands_on_its_two_corners() {
    let (ground, block) = (shape(Polygon::rectangle(4.0, 1.0).unwrap()), square(1.0));
    let found = touching(&ground, &pose(0.0, 0.0, 0.0), &block, &pose(0.3, 0.999, 0.0));
    assert_eq!(found.len(), 2, "{found:?}");
    for ((name, point), (vertex, x)) in found.iter().zip([(0, -0.2), (1, 0.8)]) {
        assert_eq!(name, &format!("vertex {vertex} of B"));
        assert!((point.gap + 1e-3).abs() < 1e-15);
        assert_eq!(point.normal, Vec3::y());
        assert!((point.point_b - Vec3::new(x, 0.499, 0.0)).norm() < 1e-15);
        assert!((point.point_a - Vec3::new(x, 0.5, 0.0)).norm() < 1e-15);
    }
}

/// Of two equal blocks, one on the other, each common corner is held: neither slips down along the sides.
#[test]
fn equal_blocks_stand_on_each_other() {
    let block = square(1.0);
    for shift in [0.0, 1e-17, -1e-9, 1e-9, 1e-4, -1e-4] {
        let found = touching(&block, &pose(0.0, 0.0, 0.0), &block, &pose(shift, 0.999, 0.0));
        assert!((2..=4).contains(&found.len()), "{shift}: {found:?}");
        for (_, point) in &found {
            assert!(
                (point.gap + 1e-3).abs() < 1e-12 && (point.normal - Vec3::y()).norm() < 1e-12,
                "{point:?}"
            );
        }
        let mut sides: Vec<bool> = found.iter().map(|(_, point)| point.point_a.x > 0.0).collect();
        sides.dedup();
        assert!(sides.contains(&true) && sides.contains(&false), "{shift}: {found:?}");
    }
}

/// A square peg in a slot has a contact on either side where it is tilted, and none upright.
/// Two wedges with their base on one line, tip towards tip: apart by how far they are apart along it, and once they have passed as deep as each
/// tip is under the slope of the other. Where they meet it is the slope that a tip comes onto, not the base, whatever rounding says of the heights.
#[test]
fn tips_on_a_floor_come_onto_slopes() {
    for angle in [0.4, 0.7, 1.2] {
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        // The slope is edge 0 of the one, and edge 2 of the other.
        let left = shape(polygon(&[[0.0, 0.0], [-0.4 * cos, 0.4 * sin], [-1.0, 0.4 * sin], [-1.0, 0.0]]));
        let right = shape(polygon(&[[1.0, 0.0], [1.0, 0.4 * sin], [0.4 * cos, 0.4 * sin], [0.0, 0.0]]));
        for off in [0.0, 1e-17, -1e-17, 1e-16, -1e-16] {
            for apart in [1e-3, 1e-10, 1e-14, 0.0, -1e-14, -1e-10, -1e-6, -1e-3] {
                let (x_wa, x_wb) = (pose(0.2, 0.0, 0.0), pose(0.2 + apart, off, 0.0));
                for (feature, slope) in [(0, 2), (count_features(&left, &right) - 1, 0)] {
                    let (a, b) = ((&left, &x_wa), (&right, &x_wb));
                    let gap = contact_against(a, b, feature, Against::Rigid).unwrap().gap;
                    let known = if apart > 0.0 { apart } else { apart * sin };
                    assert!(
                        (gap - known).abs() <= 1e-15 + 1e-9 * known.abs(),
                        "{angle} {off} {apart} {feature}: {gap}"
                    );
                    if apart.abs() <= 1e-10 {
                        let piece = piece_under(a, b, feature, (Against::Rigid, &Vec3::zeros()));
                        assert_eq!(piece, slope, "{angle} {off} {apart} {feature}");
                        let point = on_held_piece(a, b, feature, piece).unwrap();
                        assert!((point.normal.x - sin).abs() < 1e-12, "{:?}", point.normal);
                    }
                }
            }
        }
    }
}

#[test]
fn tips_that_steps_leave_beneath_each_other_on_a_floor_are_beneath_their_sides() {
    let sin = libm::sin(1.2);
    let cos = libm::cos(1.2);
    let left = shape(polygon(&[[0.0, 0.0], [-0.4 * cos, 0.4 * sin], [-1.0, 0.4 * sin], [-1.0, 0.0]]));
    let right = shape(polygon(&[[1.0, 0.0], [1.0, 0.4 * sin], [0.4 * cos, 0.4 * sin], [0.0, 0.0]]));
    // Each is lower than the other by no more than corrections of positions leave: neither tip is inside of the other outline, which cut each other all the same.
    for lower in [1e-8, -1e-8] {
        for deep in [1e-6, 1e-4] {
            let (x_wa, x_wb) = (pose(0.0, 0.0, 0.0), pose(-deep, lower, 0.0));
            let gap = |feature: usize, against: Against| {
                contact_against((&left, &x_wa), (&right, &x_wb), feature, against).unwrap().gap
            };
            // The higher tip is inside in any case, the lower one by steps alone.
            let (tip_of_left, tip_of_right) = (0, count_features(&left, &right) - 1);
            let below = if lower < 0.0 { tip_of_right } else { tip_of_left };
            let stepped = gap(below, Against::Stepped);
            assert!((stepped + deep * sin).abs() < 1.1e-8, "{lower} {deep}: {stepped}");
            let exact = gap(below, Against::Rigid);
            assert!((exact - lower.abs()).abs() < 1e-15, "{lower} {deep}: {exact}");
        }
    }
}

#[test]
fn a_tilted_peg_jams_between_the_walls_of_a_slot() {
    let slot = polygon(&[
        [-2.0, -2.0],
        [2.0, -2.0],
        [2.0, 1.0],
        [0.51, 1.0],
        [0.51, -1.0],
        [-0.51, -1.0],
        [-0.51, 1.0],
        [-2.0, 1.0],
    ]);
    let (slot, peg) = (shape(slot), shape(Polygon::rectangle(1.0, 1.5).unwrap()));
    assert!(touching(&slot, &pose(0.0, 0.0, 0.0), &peg, &pose(0.0, 0.0, 0.0)).is_empty());
    let found = touching(&slot, &pose(0.0, 0.0, 0.0), &peg, &pose(0.0, 0.0, 0.02));
    let normals: Vec<f64> = found.iter().map(|(_, point)| point.normal.x).collect();
    assert_eq!(normals, [-1.0, 1.0], "{found:?}");
    // The corner at (∓½, ±¾) is at ½ cos φ + ¾ sin φ from the middle.
    let depth = 0.5 * libm::cos(0.02) + 0.75 * libm::sin(0.02) - 0.51;
    assert!(found.iter().all(|(_, point)| (point.gap + depth).abs() < 1e-15), "{found:?} {depth}");
}

/// Under the bottom of a valley a corner is nearest to the valley's own corner: its depth does not jump between the sides, at whatever
/// angle the body stands, and no wall far away has it.
#[test]
fn a_corner_in_a_valley_is_pushed_back_by_its_bottom() {
    let valley = shape(polygon(&[[-0.5, -0.6], [0.5, -0.6], [0.5, 0.2], [0.0, 0.0], [-0.5, 0.2]]));
    let slope = libm::atan2(0.2, 0.5);
    for tilt in [0.2, 0.5, 0.8, 1.1, 1.4] {
        // The square's corner at (-1/2, -1/2) of its side is lowest.
        let arm = 0.1 * std::f64::consts::FRAC_1_SQRT_2;
        let angle = tilt - 0.75 * std::f64::consts::PI;
        for k in 0..=40 {
            // Along a circle about the valley's corner, from beneath one slope to beneath the other.
            let (depth, at) = (1e-3, -0.5 * std::f64::consts::PI + (f64::from(k) - 20.0) * 0.05);
            let (x, y) = (depth * libm::cos(at), depth * libm::sin(at));
            let block = pose(x - arm * libm::cos(angle), y - arm * libm::sin(angle), tilt);
            let found = touching(&valley, &pose(0.0, 0.0, 0.0), &square(0.1), &block);
            let found = &found.iter().find(|(name, _)| name == "vertex 0 of B").unwrap().1;
            let aside = (at + 0.5 * std::f64::consts::PI).abs() - slope;
            // Beside the normals of the slopes it is under a slope.
            let expected = if aside > 0.0 { depth * libm::cos(aside) } else { depth };
            assert!(
                (found.gap + expected).abs() < 1e-15,
                "tilt {tilt}, {k}: {:e} for {expected:e}",
                found.gap
            );
        }
    }
}

/// A thin plate is left through the face that was entered, however deep.
#[test]
fn a_corner_past_the_middle_of_a_plate_is_pushed_back() {
    let plate = shape(Polygon::rectangle(4.0, 0.1).unwrap());
    for depth in [0.01, 0.049, 0.06, 0.09] {
        let block = pose(0.0, 0.05 + 0.5 - depth, 0.0);
        let found = touching(&plate, &pose(0.0, 0.0, 0.0), &square(1.0), &block);
        assert_eq!(found.len(), 2);
        assert!(
            found.iter().all(|(_, p)| (p.gap + depth).abs() < 1e-15 && p.normal == Vec3::y()),
            "{found:?}"
        );
    }
}

/// A disc in a groove touches both flanks; on a ridge it touches the corner, along the line to its centre.
#[test]
fn a_disc_touches_both_flanks_of_a_groove_and_the_edge_of_a_ridge() {
    let groove =
        polygon(&[[-2.0, -1.0], [2.0, -1.0], [2.0, 1.0], [1.0, 1.0], [0.0, 0.0], [-1.0, 1.0], [-2.0, 1.0]]);
    let (groove, disc) = (shape(groove), circle(0.3));
    let height = 0.3 * 2.0_f64.sqrt();
    let found = touching(&groove, &pose(0.0, 0.0, 0.0), &disc, &pose(0.0, height - 1e-3, 0.0));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|(_, p)| (p.gap + 1e-3 / 2.0_f64.sqrt()).abs() < 1e-15));
    assert!((found[0].1.normal.x + found[1].1.normal.x).abs() < 1e-15);
    let ridge = shape(polygon(&[[-1.0, -1.0], [1.0, -1.0], [0.0, 0.0]]));
    for (x, y) in [(0.0, 0.299), (0.1, 0.28), (-0.15, 0.25)] {
        let found = touching(&ridge, &pose(0.0, 0.0, 0.0), &disc, &pose(x, y, 0.0));
        assert_eq!(found.len(), 1, "{found:?}");
        let distance = x.hypot(y);
        assert!((found[0].1.gap - (distance - 0.3)).abs() < 1e-15);
        assert!((found[0].1.normal - Vec3::new(x, y, 0.0) / distance).norm() < 1e-14);
    }
}

/// Rolling over the corners of an outline, a disc has one contact at a time, whose gap goes on where the next edge takes it over.
#[test]
fn a_disc_is_handed_on_from_edge_to_edge() {
    let ground = shape(polygon(&[[-3.0, -2.0], [3.0, -2.0], [1.0, 0.0], [0.0, 0.2], [-1.0, 0.0]]));
    let disc = circle(0.5);
    let mut last: Option<f64> = None;
    for k in 0..=4000 {
        let x = -1.5 + 3.0 * f64::from(k) / 4000.0;
        let found = touching(&ground, &pose(0.0, 0.0, 0.0), &disc, &pose(x, 0.45, 0.0));
        assert!(found.len() <= 1, "{x}: {found:?}");
        let gap = found.first().map_or(0.0, |(_, point)| point.gap);
        if let Some(last) = last {
            assert!((gap - last).abs() < 1e-3, "{x}: {gap} after {last}");
        }
        last = Some(gap);
    }
}

#[test]
fn a_point_is_a_circle_of_radius_zero() {
    let (pole, beak) = (shape(Polygon::rectangle(0.005, 1.0).unwrap()), circle(0.0));
    let found = |x: f64| touching(&pole, &pose(0.0, 0.0, 0.0), &beak, &pose(x, 0.1, 1.0));
    assert!(found(0.0026).is_empty());
    let inside = found(0.0024);
    assert_eq!(inside.len(), 1, "{inside:?}");
    assert!((inside[0].1.gap + 1e-4).abs() < 1e-16);
    assert_eq!(inside[0].1.normal, Vec3::x());
}

#[test]
fn circles_and_half_spaces_have_their_distances() {
    let found = touching(&circle(0.5), &pose(0.0, 0.0, 0.3), &circle(0.25), &pose(0.3, 0.4, 2.0));
    assert!((found[0].1.gap + 0.25).abs() < 1e-15);
    assert!((found[0].1.normal - Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-15);
    // The half-space below a slope of 30 degrees.
    let slope = Pose {
        rotation: Quaternion::between(&Vec3::z(), &Vec3::new(-0.5, 0.75_f64.sqrt(), 0.0)).to_matrix(),
        translation: Vec3::zeros(),
    };
    let normal = slope.z_axis();
    let at = normal * 0.49;
    let disc = touching(&Shape::HalfSpace, &slope, &circle(0.5), &pose(at.x, at.y, 0.7));
    assert!((disc[0].1.gap + 0.01).abs() < 1e-15 && (disc[0].1.normal - normal).norm() < 1e-15);
    let block =
        touching(&Shape::HalfSpace, &slope, &square(1.0), &pose(at.x, at.y, std::f64::consts::PI / 6.0));
    assert_eq!(block.len(), 2);
    assert!(block.iter().all(|(_, point)| (point.gap + 0.01).abs() < 1e-15));
}

/// Twice the signed area of the triangle of an edge and a point: of which side of the edge's line it is.
fn side(from: &Vec2, to: &Vec2, point: &Vec2) -> f64 {
    (to - from).perp(&(point - from))
}

/// Distance of a point outside of an outline, none of one inside: by the parity of the edges that a ray crosses.
fn distance_outside(outline: &Polygon, point: &Vec2) -> Option<f64> {
    let points = outline.points();
    let edges = || (0..points.len()).map(|k| (points[k], points[(k + 1) % points.len()]));
    let is_crossed = |(from, to): &(Vec2, Vec2)| {
        (from.y > point.y) != (to.y > point.y) && (side(from, to, point) > 0.0) == (to.y > from.y)
    };
    let distance = |(from, to): (Vec2, Vec2)| {
        let along = to - from;
        let share = ((point - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
        (point - (from + share * along)).norm()
    };
    let is_outside = edges().filter(is_crossed).count() % 2 == 0;
    is_outside.then(|| edges().map(distance).fold(f64::INFINITY, f64::min))
}

/// A vertex outside touches no second edge, whichever way it points: not even the far side of a plate that it is over, behind which it is.
#[test]
fn what_is_outside_touches_no_second_edge() {
    let mut rng = SplitMix64::new(71);
    let (origin, block) = (pose(0.0, 0.0, 0.0), Polygon::rectangle(0.1, 0.06).unwrap());
    let ramp = polygon(&[[-2.0, -0.1], [2.0, -0.1], [2.0, 0.0], [-1.0, 0.0], [-2.0, 0.6]]);
    let mut outside = 0;
    for round in 0..4000 {
        let outline = if round % 2 == 0 { ramp.clone() } else { star(&mut rng, 9) };
        let x_wb = random_pose(&mut rng, 1.2);
        let (a, b) = (shape(outline.clone()), shape(block.clone()));
        for feature in second_features(&a, &b).filter(|feature| *feature >= outline.convex_points().len()) {
            let corner = block.points()[feature - outline.convex_points().len()];
            let place = x_wb.transform_point(&Vec3::new(corner.x, corner.y, 0.0)).xy();
            let Some(distance) = distance_outside(&outline, &place) else { continue };
            outside += 1;
            let nearest = outline.nearest_by_all(&place).unwrap().edge;
            for against in [Against::Second, Against::Beside(nearest)] {
                let gap = contact_against((&a, &origin), (&b, &x_wb), feature, against).unwrap().gap;
                assert!(gap >= distance - 1e-12, "{round}, {feature}, {against:?}: {gap:e} for {distance:e}");
            }
        }
    }
    assert!(outside > 8000, "{outside}");
}

/// A block that a step has put into a floor with one corner, tilted, touches with the other where that is: the end of the floor, far away, has neither.
#[test]
fn the_higher_corner_of_a_block_in_a_floor_is_on_the_floor() {
    let (floor, origin) =
        (polygon(&[[-2.0, -0.1], [2.0, -0.1], [2.0, 0.0], [-2.0, 0.0]]), pose(0.0, 0.0, 0.0));
    let (half, block) = ([0.086, 0.024], Polygon::rectangle(0.172, 0.048).unwrap());
    let (a, b) = (shape(floor.clone()), shape(block.clone()));
    for tilt in [1.1e-3, 3.8e-3, 0.02, 0.1, 0.4] {
        for (x, right) in [(-1.5, true), (-0.2, false), (0.43, true), (1.7, false)] {
            for height in [-1e-12, 0.0, 1e-12] {
                // The corner at this end is the higher one.
                let (angle, arm) = if right { (tilt, half[0]) } else { (-tilt, -half[0]) };
                let (sine, cosine) = libm::sincos(angle);
                let corner = Vec2::new(arm * cosine + half[1] * sine, arm * sine - half[1] * cosine);
                let x_wb = pose(x, height - corner.y, angle);
                let is_it = |k: &usize| block.points()[*k].x * arm > 0.0 && block.points()[*k].y < 0.0;
                let feature = floor.convex_points().len() + (0..4).find(is_it).unwrap();
                let found = contact_against((&a, &origin), (&b, &x_wb), feature, Against::Rigid).unwrap();
                // What touches within a billionth of the floor is on it.
                let what = format!("tilt {tilt}, x {x}, height {height:e}: {found:?}");
                assert!((found.gap - height).abs() < 4e-9, "{what}");
                assert!((found.normal.y.abs() - 1.0).abs() < 1e-12, "{what}");
            }
        }
    }
}

/// A plank of width w through a square of side d has no corner in it, nor the square in the plank: turned by α it leaves across itself, by
/// d/2 (cos α + sin α) + w/2.
#[test]
fn outlines_that_cross_have_a_way_out() {
    let (d, w) = (0.1, 0.02);
    let plank = shape(Polygon::rectangle(0.3, w).unwrap());
    for angle in [0.1, 0.3, 0.7, -0.5, 2.0] {
        let far = pose(30.0, -20.0, 0.4);
        let poses = [pose(0.0, 0.0, 0.0), pose(0.0, 0.0, angle)].map(|x| far.compose(&x));
        let found = crossed(&square(d), &poses[0], &plank, &poses[1]).expect("it crosses");
        let wanted = 0.5 * d * (angle.cos().abs() + angle.sin().abs()) + 0.5 * w;
        assert!((found.gap + wanted).abs() < 1e-12, "{angle}: {} {wanted}", found.gap);
        let moved = Pose { translation: poses[1].translation - found.gap * 1.001 * found.normal, ..poses[1] };
        assert_eq!(crossed(&square(d), &poses[0], &plank, &moved), None, "{angle}");
        assert!(touching(&square(d), &poses[0], &plank, &moved).is_empty(), "{angle}");
    }
}

/// What lies flush in a slot touches its walls, to rounding, and crosses nothing, though it could not leave sideways.
#[test]
fn what_fits_a_slot_does_not_cross_it() {
    let corners = [
        [-2.0, -1.0],
        [2.0, -1.0],
        [2.0, 1.0],
        [0.5, 1.0],
        [0.5, 0.0],
        [-0.5, 0.0],
        [-0.5, 1.0],
        [-2.0, 1.0],
    ];
    let slot = shape(polygon(&corners));
    for k in 0..200 {
        let far = pose(3.0, 2.0 * f64::from(k), 0.1 * f64::from(k));
        let block = far.compose(&pose(0.0, 0.5, 0.0));
        assert_eq!(crossed(&slot, &far, &square(1.0), &block), None, "{k}");
    }
}

/// The middle of a disc that goes over the end of a side, by shares of it as small as rounding: what takes it over from there, about the corner, is no
/// farther from it than it has still to go.
#[test]
fn the_next_piece_of_an_outline_is_near_where_a_disc_comes_to_it() {
    let (side, radius) = (0.7, 0.04);
    let (plank, disc) = (shape(Polygon::rectangle(side, 0.02).unwrap()), circle(radius));
    for exponent in 6..15 {
        for sign in [-1.0, 1.0] {
            let beyond = sign * side * 10.0_f64.powi(-exponent);
            let place = pose(-0.5 * side - beyond, 0.01 + radius - 1e-5, 0.0);
            let gap = |feature| contact(&plank, &pose(0.0, 0.0, 0.0), &disc, &place, feature).unwrap().gap;
            // Edge 3 is the end, with the corner between it and the top.
            let most = (-beyond).max(0.0) + 1e-9 * side;
            assert!(gap(3) <= most, "{beyond:e}: {:e}", gap(3));
        }
    }
}
