//! Rigid polyhedra that stand on each other's faces, against statics, closed forms, and the same block in a plane.

use std::sync::Arc;

use carom_engine::model::{Body, Detection, JointKind};
use carom_engine::record::EventKind;
use carom_engine::{Model, Outcome, System};
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexHull, ConvexShape};
use carom_geometry::planar::{Outline, PlanarShape, Polygon};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::by_parts::goes_on_with_the_same_bits;
use crate::mechanism::{at, joint};
use crate::rigid::{law_of, make};
use crate::scene::{Keeper, block, body, fixed, run};

const G: f64 = 9.81;

/// A plate whose top is at z = 0.
fn plate(size: Vec3) -> Body {
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, -0.5 * size.z));
    fixed("plate", Shape::Box { half: 0.5 * size }, pose)
}

fn standing(name: &str, mass: f64, size: Vec3, at: Vec3) -> Body {
    block(name, mass, size, Pose::from_translation(at + Vec3::new(0.0, 0.0, 0.5 * size.z)))
}

fn balances(outcome: &Outcome) {
    assert!(outcome.residual_relative < 1e-8, "residual {}", outcome.residual_relative);
}

/// Sum of the forces between two bodies and the place at which they act together, in the last frame.
fn pressing(model: &Model, kept: &Keeper, bodies: [usize; 2]) -> (f64, Vec3) {
    let system = System::compile(model).unwrap();
    let info = system.info();
    let pair = model.pairs.iter().position(|p| [p.a.body, p.b.body] == bodies).unwrap();
    let all = kept.frames.last().unwrap().contacts.iter();
    let own: Vec<_> = all.filter(|c| info.contacts[c.contact].pair == pair).collect();
    let sum: f64 = own.iter().map(|c| c.normal_force).sum();
    let at = own.iter().map(|c| c.position * c.normal_force).sum::<Vec3>() / sum;
    (sum, at)
}

#[test]
fn a_box_that_falls_flat_bounces_rests_and_stays() {
    let (height, e) = (0.2, 0.5);
    let size = Vec3::new(0.3, 0.2, 0.1);
    for overhang in [0.0, 0.1] {
        let plate = plate(Vec3::new(0.5, 0.25 - overhang, 0.1));
        let bodies = vec![plate, standing("box", 2.0, size, Vec3::new(0.02, 0.01, height))];
        let model = make(bodies, law_of(e, 0.4), 1.5);
        let (outcome, kept) = run(&model);
        balances(&outcome);
        let speed = (2.0 * G * height).sqrt();
        let first = kept.times(EventKind::Impact)[0];
        assert!((first - speed / G).abs() < 1e-9);
        let whole = speed / G * (1.0 + e) / (1.0 - e);
        let rest = kept.times(EventKind::Rest);
        assert!((rest[0] - whole).abs() < 1e-5, "{} for {whole}", rest[0]);
        let end = &kept.frames.last().unwrap().bodies[1];
        assert!((end.position - Vec3::new(0.02, 0.01, 0.05)).norm() < 1e-12, "{}", end.position);
        assert!(end.velocity.norm() < 1e-13 && end.angular_velocity.norm() < 1e-12);
        let (force, at) = pressing(&model, &kept, [0, 1]);
        assert!((force - 2.0 * G).abs() < 1e-9);
        assert!((at - Vec3::new(0.02, 0.01, 0.0)).norm() < 1e-9, "{at}");
    }
}

/// A tower of boxes, each shifted on the one below, falls on its foot: nothing presses them together in flight, so they bounce as one ball
/// does, and stand as they stood. What rounding leaves of a landing on four corners at once must not strike one after the other: it did so
/// a thousand times in an instant, and threw the tower down.
#[test]
fn a_tower_that_falls_flat_bounces_as_one_and_stands() {
    let (height, e, size) = (0.01, 0.5, Vec3::new(0.2, 0.2, 0.1));
    let places = [0.0, 1.0, 2.0, 3.0, 4.0].map(|k| Vec3::new(0.01 * k, 0.005 * k, height + size.z * k));
    let boxes = places.iter().enumerate().map(|(k, at)| standing(&format!("box{k}"), 1.0, size, *at));
    let bodies = std::iter::once(plate(Vec3::new(1.0, 1.0, 0.1))).chain(boxes).collect();
    let mut model = make(bodies, law_of(e, 0.5), 0.5);
    model.solver.max_steps = 200;
    let (outcome, kept) = run(&model);
    balances(&outcome);
    let speed = (2.0 * G * height).sqrt();
    let whole = speed / G * (1.0 + e) / (1.0 - e);
    let last_rest = kept.times(EventKind::Rest).into_iter().fold(0.0, f64::max);
    // What the last flights would take is below the speed of rest over g.
    assert!((last_rest - whole).abs() < 2e-6, "at rest at {last_rest}, not {whole}");
    assert!((outcome.energy.dissipated_impact - 5.0 * G * height).abs() < 1e-8);
    for (body, at) in kept.frames.last().unwrap().bodies[1..].iter().zip(&places) {
        let stands = at + Vec3::z() * (0.5 * size.z - height);
        assert!((body.position - stands).norm() < 1e-10, "{} {stands}", body.position);
        assert!(body.velocity.norm() < 1e-10 && body.angular_velocity.norm() < 1e-9);
    }
}

#[test]
fn a_box_on_an_incline_sticks_below_the_angle_of_friction_and_slides_above() {
    let angle = 20.0_f64.to_radians();
    let incline = |mu: f64| {
        let size = Vec3::new(0.3, 0.2, 0.1);
        let bodies = vec![plate(Vec3::new(8.0, 1.0, 0.2)), standing("box", 2.0, size, Vec3::zeros())];
        let mut model = make(bodies, law_of(0.0, mu), 1.0);
        model.gravity = Vec3::new(G * angle.sin(), 0.0, -G * angle.cos());
        run(&model)
    };
    let (outcome, kept) = incline(1.01 * angle.tan());
    balances(&outcome);
    assert!((kept.frames.last().unwrap().bodies[1].position - Vec3::new(0.0, 0.0, 0.05)).norm() < 1e-13);
    let mu = 0.2;
    let (outcome, kept) = incline(mu);
    balances(&outcome);
    let rate = G * (angle.sin() - mu * angle.cos());
    for frame in &kept.frames {
        let (t, body) = (frame.time, &frame.bodies[1]);
        assert!((body.position.x - 0.5 * rate * t * t).abs() < 1e-9, "at {t}: {}", body.position.x);
        assert!((body.velocity.x - rate * t).abs() < 1e-9 && (body.position.z - 0.05).abs() < 1e-12);
    }
}

/// Boxes of three sizes, each shifted on the one below: every joint carries what is above it, at the foot of its centre of mass.
fn stack(shifts: [f64; 3], mu: f64, t_end: f64) -> Model {
    let sizes = [Vec3::new(0.3, 0.3, 0.1), Vec3::new(0.3, 0.3, 0.2), Vec3::new(0.2, 0.4, 0.1)];
    let (mut bodies, mut z) = (vec![plate(Vec3::new(1.0, 1.0, 0.1))], 0.0);
    for (k, (size, x)) in sizes.iter().zip(shifts).enumerate() {
        bodies.push(standing(&format!("box{k}"), 1.0 + k as f64, *size, Vec3::new(x, 0.5 * x, z)));
        z += size.z;
    }
    let mut model = make(bodies, law_of(0.0, mu), t_end);
    model.pairs.retain(|pair| pair.b.body == pair.a.body + 1);
    model
}

#[test]
fn a_stack_of_boxes_stands_by_statics() {
    for shifts in [[0.0; 3], [0.0, 0.02, -0.03], [0.05, 0.0, 0.1]] {
        let model = stack(shifts, 0.5, 1.0);
        let (outcome, kept) = run(&model);
        balances(&outcome);
        let end = kept.frames.last().unwrap();
        for (body, own) in end.bodies.iter().zip(&model.bodies) {
            assert!((body.position - own.position).norm() < 1e-12, "{} {}", body.position, own.position);
        }
        for below in 0..3 {
            let above = || model.bodies[below + 1..].iter();
            let mass: f64 = above().map(|body| body.mass).sum();
            let centre = above().map(|body| body.position * body.mass).sum::<Vec3>() / mass;
            let (force, at) = pressing(&model, &kept, [below, below + 1]);
            assert!((force - mass * G).abs() < 1e-9, "{force}");
            assert!((at.xy() - centre.xy()).norm() < 1e-9, "{at} {centre}");
        }
    }
}

/// A box slides without friction over the end of a plate that is narrower or wider than it: level until its centre is over the end,
/// while corners leave and edges take over, and then it tips as a plane block on a point does: with the place s of the point along its
/// sole and the tilt θ, s'' + h θ'' = s θ'² + g sin θ and (J/m + s²) θ'' = g s cos θ − 2 s s' θ' − h s θ'².
#[test]
fn a_box_that_slides_off_a_plate_tips_when_its_centre_is_over_the_end() {
    for width in [0.1, 0.2, 0.5] {
        let (size, speed) = (Vec3::new(0.2, 0.2, 0.1), 0.5);
        let plate = plate(Vec3::new(1.0, width, 0.2));
        let mut sliding = standing("box", 1.0, size, Vec3::new(0.3, 0.0, 0.0));
        sliding.velocity.x = speed;
        let model = make(vec![plate, sliding], law_of(0.0, 0.0), 0.45);
        let (outcome, kept) = run(&model);
        balances(&outcome);
        let over = 0.2 / speed;
        let tilts = |t: f64| kept.frames.iter().filter(move |f| f.time <= t);
        for frame in tilts(over) {
            let body = &frame.bodies[1];
            assert!((body.position.z - 0.05).abs() < 1e-12, "at {}: {}", frame.time, body.position.z);
            assert!(body.angular_velocity.norm() < 1e-10, "at {}", frame.time);
            assert!((body.position.x - 0.3 - speed * frame.time).abs() < 1e-12);
        }
        let end = kept.frames.last().unwrap();
        let y = tipped(end.time - over, speed);
        let rate = end.bodies[1].angular_velocity.y;
        assert!((rate - y[3]).abs() < 1e-7, "{rate} for {}", y[3]);
        let [x, z] = centre_of(y);
        let found = end.bodies[1].position - Vec3::new(0.5, 0.0, 0.0);
        assert!((found - Vec3::new(x, 0.0, z)).norm() < 1e-8, "{found} for {x}, {z}");
    }
}

const HALF: f64 = 0.05;

/// s, θ and their rates so long after the centre of a box of 0.2 m by 0.1 m has come over the end at a speed.
fn tipped(time: f64, speed: f64) -> [f64; 4] {
    let inertia = (0.2_f64.powi(2) + 0.1_f64.powi(2)) / 12.0;
    let rates = |[s, theta, ds, dt]: [f64; 4]| {
        let turning = (G * s * theta.cos() - 2.0 * s * ds * dt - HALF * s * dt * dt) / (inertia + s * s);
        [ds, dt, s * dt * dt + G * theta.sin() - HALF * turning, turning]
    };
    let steps = 1000;
    let step = time / f64::from(steps);
    let mut y = [0.0, 0.0, speed, 0.0];
    for _ in 0..steps {
        let at = |k: [f64; 4], by: f64| std::array::from_fn(|i| y[i] + by * step * k[i]);
        let k1 = rates(y);
        let k2 = rates(at(k1, 0.5));
        let k3 = rates(at(k2, 0.5));
        let k4 = rates(at(k3, 1.0));
        y = std::array::from_fn(|i| y[i] + step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    y
}

/// Where the centre is from the end, along the plate and over it.
fn centre_of([s, theta, ..]: [f64; 4]) -> [f64; 2] {
    [s * theta.cos() + HALF * theta.sin(), HALF * theta.cos() - s * theta.sin()]
}

/// A rectangle of a plane model.
fn rectangle(width: f64, height: f64) -> Shape {
    let outline = Outline::Polygon(Arc::new(Polygon::rectangle(width, height).unwrap()));
    Shape::Planar(PlanarShape { outline, thickness: 0.2 })
}

/// A block of 0.2 m by 0.1 m and 1 kg that slides at a speed along a plate of 1 m whose top is at y = 0.
fn plane_block(x: f64, speed: f64, mu: f64, t_end: f64) -> Model {
    let place = |x: f64, y: f64| Pose::from_translation(Vec3::new(x, y, 0.0));
    let inertia = Mat3::identity() * ((0.2_f64.powi(2) + 0.1_f64.powi(2)) / 12.0);
    let mut block = body("block", 1.0, inertia, rectangle(0.2, 0.1), place(x, HALF));
    block.velocity.x = speed;
    let plate = fixed("plate", rectangle(1.0, 0.2), place(0.0, -0.1));
    let mut model = make(vec![plate, block], law_of(0.0, mu), t_end);
    model.gravity = Vec3::new(0.0, -G, 0.0);
    model
}

/// The same in a plane: a vertex leaves its edge where the plate ends, and the plate's corner takes over under the block.
#[test]
fn a_plane_block_that_slides_off_a_plate_tips_alike() {
    let speed = 0.5;
    let (outcome, kept) = run(&plane_block(0.3, speed, 0.0, 0.45));
    balances(&outcome);
    let end = kept.frames.last().unwrap();
    let y = tipped(end.time - 0.2 / speed, speed);
    let [x, height] = centre_of(y);
    let found = end.bodies[1].position - Vec3::new(0.5, 0.0, 0.0);
    assert!((found - Vec3::new(x, height, 0.0)).norm() < 1e-8, "{found} for {x}, {height}");
    let rate = end.bodies[1].angular_velocity;
    assert!((rate + Vec3::z() * y[3]).norm() < 1e-7, "{rate} for {}", y[3]);
}

/// A block that a plane joint holds in its plane slides out over the end and comes to rest there, after v²/(2 μ g): what rounding
/// leaves of the mobility across the plane made friction of kilonewtons there, by which it never rested.
#[test]
fn a_plane_block_rests_over_the_end_without_forces_across_its_plane() {
    let (x, speed, mu) = (0.3, 1.0, 0.4);
    let mut model = plane_block(x, speed, mu, 0.6);
    model.joints = vec![joint("plane", JointKind::Planar, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0))];
    model.solver.max_steps = 10_000;
    let (outcome, kept) = run(&model);
    balances(&outcome);
    let rests = x + speed * speed / (2.0 * mu * G);
    assert!(rests > 0.4 && rests < 0.5, "over the end, not beyond it");
    let end = kept.frames.last().unwrap();
    let place = end.bodies[1].position;
    assert!((place - Vec3::new(rests, HALF, 0.0)).norm() < 1e-8, "{place} for {rests}");
    assert!(end.bodies[1].velocity.norm() < 1e-12);
    let across =
        kept.frames.iter().flat_map(|f| &f.contacts).map(|c| c.friction_force.z.abs()).fold(0.0, f64::max);
    assert!(across < 1e-9, "{across}");
    let carried: f64 = end.contacts.iter().map(|c| c.normal_force).sum();
    assert!((carried - G).abs() < 1e-8, "{carried}");
}

/// A slender block that rocks about its edges: Housner's ratio of the rates at its impacts, and the times of the same block on a
/// half-space, whose corners are a closed form.
#[test]
fn a_block_rocks_on_a_plate_as_on_a_plane() {
    let (width, depth, height): (f64, f64, f64) = (0.2, 0.3, 0.8);
    let tilt: f64 = 0.05;
    let turn = Quaternion::from_axis_angle(&Vec3::y(), tilt).to_matrix();
    let corner = turn * Vec3::new(0.5 * width, 0.0, -0.5 * height);
    let pose = Pose { rotation: turn, translation: Vec3::new(0.0, 0.0, -corner.z) };
    let rocking = |ground: Body| {
        let block = block("block", 1.0, Vec3::new(width, depth, height), pose);
        let (outcome, kept) = run(&make(vec![ground, block], law_of(0.0, 5.0), 1.2));
        balances(&outcome);
        kept
    };
    let on_plane = rocking(crate::scene::floor());
    let strikes = |kept: &Keeper| {
        let mut times: Vec<f64> = Vec::new();
        for time in kept.events.iter().filter(|e| e.impact.is_some()).map(|e| e.time) {
            if times.last().is_none_or(|last| time > last + 1e-9) {
                times.push(time);
            }
        }
        times
    };
    for plate in
        [plate(Vec3::new(1.0, 1.0, 0.1)), plate(Vec3::new(1.0, depth, 0.1)), plate(Vec3::new(1.0, 0.1, 0.1))]
    {
        let kept = rocking(plate);
        let (here, there) = (strikes(&kept), strikes(&on_plane));
        assert!(here.len() >= 3 && here.len() == there.len(), "{here:?} {there:?}");
        for (a, b) in here.iter().zip(&there) {
            assert!((a - b).abs() < 1e-7, "{here:?} {there:?}");
        }
        // Energies of rest to rest between impacts go with the squares of Housner's ratio.
        let energy = |from: f64, to: f64| {
            let frame = kept.frames.iter().find(|f| f.time > from && f.time < to).unwrap();
            let body = &frame.bodies[1];
            let moment = (width * width + height * height) / 12.0;
            0.5 * body.velocity.norm_squared()
                + 0.5 * moment * body.angular_velocity.norm_squared()
                + G * (body.position.z - 0.5 * height)
        };
        let alpha = (width / height).atan();
        let housner = (1.0 - 1.5 * alpha.sin().powi(2)).powi(2);
        let ratio = energy(here[0], here[1]) / energy(0.0, here[0]);
        assert!((ratio - housner).abs() < 1e-7, "{ratio} for {housner}");
    }
}

/// The uppermost box slides on the one below, where corners leave and edges take over, and comes to rest: from each part on the rest
/// has the same bits.
#[test]
fn a_checkpoint_has_what_faces_hold() {
    let mut model = stack([0.0, 0.02, -0.03], 0.3, 0.3);
    model.bodies[3].velocity = Vec3::new(0.7, 0.4, 0.0);
    let kept = goes_on_with_the_same_bits(&model, &[0.0, 1e-3, 0.1, 0.28], 0.3);
    assert_eq!(kept.times(EventKind::Stick).len(), 12);
    // Friction has taken v² + w² = 0.65 over 2 μ g.
    let end = kept.frames.last().unwrap().bodies[3].position - model.bodies[3].position;
    let way = 0.65 / (2.0 * 0.3 * G);
    assert!((end.norm() - way).abs() < 1e-9 && (end.y / end.x - 4.0 / 7.0).abs() < 1e-9, "{end} {way}");
}

/// A hull on a half-space, found as a convex solid, stands on its corners: three forces by their lever arms.
#[test]
fn a_hull_stands_on_its_corners() {
    let feet = [Vec3::new(0.2, 0.0, 0.0), Vec3::new(-0.1, 0.15, 0.0), Vec3::new(-0.1, -0.2, 0.0)];
    let top = Vec3::new(0.01, 0.02, 0.3);
    let hull = ConvexHull::of_points(&[feet[0], feet[1], feet[2], top]).unwrap();
    let mut body = block("hull", 1.5, Vec3::repeat(0.2), Pose::identity());
    body.shapes[0].shape = Shape::Convex(ConvexShape::hull(hull, 0.0));
    body.com = Vec3::new(0.01, -0.02, 0.1);
    let model = make(vec![crate::scene::floor(), body], law_of(0.0, 0.3), 0.5);
    assert_eq!(model.contact_lines[0].detection, Detection::MinimumTranslation);
    let (outcome, kept) = run(&model);
    balances(&outcome);
    let contacts = &kept.frames.last().unwrap().contacts;
    assert_eq!(contacts.len(), 3);
    let area = |a: Vec3, b: Vec3| a.x * b.y - a.y * b.x;
    let com = Vec3::new(0.01, -0.02, 0.0);
    for contact in contacts {
        let k = (0..3).find(|&k| (contact.position - feet[k]).norm() < 1e-9).unwrap();
        let (p, q) = (feet[(k + 1) % 3], feet[(k + 2) % 3]);
        let share = area(p - com, q - com) / area(p - feet[k], q - feet[k]);
        assert!((contact.normal_force - 1.5 * G * share).abs() < 1e-9, "{} {share}", contact.normal_force);
    }
}
