//! Scales of a model, by which default tolerances go: what they take for the size of a body that shows none.

use std::f64::consts::FRAC_PI_2;

use carom_engine::model::{Body, Joint, JointKind};
use carom_engine::{Model, Scales, StateMeasure, System};
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::mechanism::{at, ground, joint, mechanism, part};
use crate::scene::{ball, block, cylinder, run};

const RTOL: f64 = 1e-6;

fn shapeless(mut body: Body) -> Body {
    body.shapes.clear();
    body
}

/// A cube of this edge, and of its inertia.
fn cube(name: &str, edge: f64) -> Body {
    block(name, 1.2, Vec3::from_element(edge), Pose::identity())
}

fn free(bodies: Vec<Body>) -> Model {
    mechanism(bodies, Vec::new(), 9.81, 1.0, RTOL)
}

fn scales(model: &Model) -> Scales {
    System::compile(model).expect("a sound model").scales().clone()
}

/// The same bodies in other units of length and time, or as large and as slow.
fn in_other_units(model: &Model, length: f64, time: f64) -> Model {
    let mut model = model.clone();
    model.gravity *= length / (time * time);
    for body in &mut model.bodies {
        body.inertia *= length * length;
        body.position *= length;
        body.velocity *= length / time;
        for shape in &mut body.shapes {
            if let carom_geometry::Shape::Box { half } = &mut shape.shape {
                *half *= length;
            }
        }
    }
    model
}

/// Angular velocities have the unit of time alone, whether bodies have shapes or not, at rest and thrown. Nothing in them is a metre,
/// as long as a body is smaller than one.
#[test]
fn scales_of_turning_do_not_depend_on_the_unit_of_length() {
    let mut thrown = shapeless(cube("thrown", 0.5));
    thrown.velocity = Vec3::new(7.0, 0.0, 0.0);
    let scenes = [
        vec![shapeless(cube("a", 0.3)), shapeless(cube("b", 0.04))],
        vec![shapeless(cube("a", 0.3)), cube("b", 0.04)],
        vec![shapeless(cube("a", 0.3)), thrown.clone()],
        vec![cube("a", 0.3), thrown],
    ];
    for bodies in scenes {
        let model = free(bodies);
        let plain = scales(&model).angular_velocity;
        for (length, time) in [(0.1, 1.0), (1.0, 0.2), (0.05, 0.1), (1.3, 2.0)] {
            let other = scales(&in_other_units(&model, length, time)).angular_velocity;
            for (plain, other) in plain.iter().zip(&other) {
                assert!((other * time / plain - 1.0).abs() < 1e-12, "{length} {time}: {other} {plain}");
            }
        }
    }
}

/// Beside a small shape, which sets the speed of the model, a homogeneous body may turn as fast without its shape as with it: a cube just
/// so, a ball by √(5/3) faster, as its mass is nearer to its centre; what is longer than wide not faster, and slower by its longest over its
/// shortest edge at most. Its inertia tells how long it is, not how thin.
#[test]
fn a_body_is_as_large_without_its_shape() {
    let probe = || cube("probe", 0.01);
    // Nothing without a shape may turn faster than the smallest shape.
    let fastest = scales(&free(vec![probe(), shapeless(cube("grain", 1e-3))])).angular_velocity;
    assert_eq!(fastest[0].to_bits(), fastest[1].to_bits());
    let still = Pose::identity;
    let bodies = [
        (cube("cube", 0.1), 1.0, 1.0),
        (ball("ball", 2.0, 0.07, Vec3::zeros()), (5.0_f64 / 3.0).sqrt(), (5.0_f64 / 3.0).sqrt()),
        (block("plate", 0.7, Vec3::new(0.3, 0.2, 0.05), still()), 0.05 / 0.3, 1.0),
        (block("rod", 0.7, Vec3::new(0.03, 0.03, 0.6), still()), 0.05, 1.0),
        (cylinder("can", 0.4, 0.03, 0.09, still()), 1.0 / 3.0, 1.0),
        (cylinder("post", 0.4, 0.02, 0.5, still()), 0.02 / 0.25, 1.0),
    ];
    for (body, slowest, fastest) in bodies {
        let with = scales(&free(vec![probe(), body.clone()]));
        let without = scales(&free(vec![probe(), shapeless(body.clone())]));
        let ratio = without.angular_velocity[1] / with.angular_velocity[1];
        let rounding = 1e-12;
        let is_between = ratio >= slowest - rounding && ratio <= fastest + rounding;
        assert!(is_between, "{}: {ratio}", body.name);
        // All else goes by shapes alone.
        let alone = scales(&free(vec![probe()]));
        assert_eq!(
            [without.length, without.velocity, without.v_reg],
            [alone.length, alone.velocity, alone.v_reg]
        );
    }
}

/// Finest tolerance of the angular velocities of a small foot and of the link that carries it, whose hip and ankle are where they are
/// told on the link.
fn finest_of_leg(link: Body, [hip, ankle]: [f64; 2]) -> f64 {
    let mut foot = cube("foot", 0.02);
    foot.pose_stated = false;
    let hinges = [
        joint("hip", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(1, 0.0, hip, 0.0)),
        joint("ankle", JointKind::Revolute, at(1, 0.0, 0.0, ankle), at(2, 0.0, 0.0, 0.1)),
    ];
    let mut model = mechanism(vec![ground(), link, foot], hinges.to_vec(), 9.81, 1.0, RTOL);
    for body in &mut model.bodies {
        body.velocity_stated = false;
    }
    let system = System::compile(&model).expect("a sound model");
    system.finest_tolerance(StateMeasure::AngularVelocity).expect("hinges")
}

fn link(mass: f64, inertia: f64) -> Body {
    part("link", mass, Vec3::from_element(inertia))
}

/// With the inertia of a rod of this length about all axes: √(L²/12).
fn rod(length: f64) -> Body {
    link(1.0, length * length / 18.0)
}

/// A link of 10 cm on a robot with a small foot is not held to what a link of 1 m is; a point mass, and a rotor whose inertia
/// is that of its gears on a billionth of its mass, are; and a pivot smaller than the foot is held to what the foot is.
#[test]
fn a_short_link_is_not_held_to_the_tolerance_of_a_long_one() {
    // Off its centre, or a point mass would not resist.
    let finest = |link: Body| finest_of_leg(link, [5e-3, 0.0]);
    let (foot, long) = (finest(cube("link", 0.02)), finest(rod(12.0)));
    assert!((foot / long / 100.0 - 1.0).abs() < 1e-12, "{foot:e} {long:e}");
    let short = finest(rod(0.1));
    assert!((short / long - 12.0_f64.sqrt() / 0.1).abs() < 1e-9 * short / long, "{short:e} {long:e}");
    for (mass, inertia) in [(1.0, 0.0), (1e-9, 0.02), (1.0, 40.0)] {
        assert_eq!(finest(link(mass, inertia)).to_bits(), long.to_bits(), "{mass} {inertia}");
    }
    assert_eq!(finest(link(1.0, 1e-9)).to_bits(), foot.to_bits());
}

/// What turns a link moves its mass, and what hangs on it, by how far they are from each other: a link of 10 cm that is carried, or
/// carries, 40 cm from its centre of mass is held to what is 40 cm large, wherever its frame is, and none to more than 1 m.
#[test]
fn a_link_is_as_large_as_its_joints_are_far_from_its_mass() {
    let long = finest_of_leg(rod(12.0), [0.0, 0.0]);
    let expect = |link: Body, joints: [f64; 2], size: f64| {
        let ratio = finest_of_leg(link, joints) * size / long;
        assert!((ratio - 1.0).abs() < 1e-12, "{joints:?}: {ratio} of that of {size} m");
    };
    expect(rod(0.1), [0.4, 0.0], 0.4);
    expect(rod(0.1), [0.0, 0.4], 0.4);
    expect(rod(0.1), [-0.2, 0.4], 0.4);
    expect(rod(0.1), [0.02, 0.01], 0.1 / 12.0_f64.sqrt());
    expect(rod(0.1), [7.0, 0.0], 1.0);
    let mut aside = rod(0.1);
    aside.com = Vec3::new(0.0, 0.4, 0.0);
    expect(aside, [0.4, 0.3], 0.5);
}

/// A body that moves freely is held to what is fixed to it or hangs on it, as a joint is: a base of 1.2 cm with a long rod on it to what the
/// rod is, which is 1 m at most.
#[test]
fn a_free_base_is_held_to_what_hangs_on_it() {
    let finest = |kind: JointKind| {
        let on_top = joint("mount", kind, at(0, 0.0, 0.0, 0.0), at(1, 0.0, 0.0, 0.0));
        let mut bodies = vec![link(1e-3, 1e-7), rod(12.0), cube("probe", 0.02)];
        (bodies[1].pose_stated, bodies[1].velocity_stated) = (false, false);
        bodies[2].position = Vec3::new(3.0, 0.0, 0.0);
        let system =
            System::compile(&mechanism(bodies, vec![on_top], 9.81, 1.0, RTOL)).expect("a sound model");
        system.finest_tolerance(StateMeasure::AngularVelocity).expect("free bodies")
    };
    // The speed of the model is that of a fall through half an edge of the probe, a joint is held to 0.3 of it.
    let expected = RTOL * (9.81_f64 * 0.01).sqrt();
    for (kind, share) in [(JointKind::Fixed, 1.0), (JointKind::Prismatic, 1.0), (JointKind::Revolute, 0.3)] {
        let ratio = finest(kind) / (share * expected);
        assert!((ratio - 1.0).abs() < 1e-12, "{kind:?}: {ratio}");
    }
}

/// A rod of 1 m and 5 kg along z, welded of as many pieces, of which this is the number of the first: every other one has its frame elsewhere
/// than in its middle and turned, and names itself first in its weld.
fn in_pieces(pieces: usize, first: usize) -> (Vec<Body>, Vec<Joint>) {
    let (mass, length) = (5.0 / pieces as f64, 1.0 / pieces as f64);
    let mut rod: Vec<Body> = Vec::new();
    let mut welds: Vec<Joint> = Vec::new();
    for index in 0..pieces {
        let moment = mass * length * length / 12.0;
        let is_turned = index % 2 == 1;
        let mut piece = part(&format!("piece {index}"), mass, Vec3::new(moment, moment, 1e-3 * mass));
        let mut top = at(first + index, 0.0, 0.0, 0.5 * length);
        if is_turned {
            // Along its own x, from its upper end.
            piece.inertia = Mat3::from_diagonal(&Vec3::new(1e-3 * mass, moment, moment));
            piece.com = Vec3::new(-0.5 * length, 0.0, 0.0);
            top.pose = Pose::identity();
            top.pose.rotation = Quaternion::from_axis_angle(&Vec3::y(), FRAC_PI_2).to_matrix();
        }
        if index > 0 {
            // Above an odd piece is an even one, and the other way round.
            let mut bottom = at(first + index - 1, 0.0, 0.0, -0.5 * length);
            if !is_turned {
                bottom.pose = Pose::from_translation(Vec3::new(-length, 0.0, 0.0));
                bottom.pose.rotation = Quaternion::from_axis_angle(&Vec3::y(), FRAC_PI_2).to_matrix();
            }
            let [a, b] = if is_turned { [top, bottom] } else { [bottom, top] };
            welds.push(joint(&format!("weld {index}"), JointKind::Fixed, a, b));
        }
        rod.push(piece);
    }
    (rod, welds)
}

/// A rigid body is held to what it is, not to the pieces of which it is welded: a rod that turns on one end and carries a foot on the other,
/// whole and in ten pieces.
#[test]
fn a_welded_body_is_as_large_as_if_it_were_whole() {
    let spins = |pieces: usize| {
        let (rod, welds) = in_pieces(pieces, 2);
        let mut foot = cube("foot", 0.02);
        (foot.pose_stated, foot.velocity_stated) = (false, false);
        let half = 0.5 / pieces as f64;
        let end = if pieces > 1 { at(1 + pieces, -2.0 * half, 0.0, 0.0) } else { at(2, 0.0, 0.0, -half) };
        let mut joints = vec![
            joint("hip", JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(2, 0.1, 0.0, half)),
            joint("ankle", JointKind::Revolute, end, at(1, 0.0, 0.0, 0.0)),
        ];
        joints.extend(welds);
        let mut bodies = vec![ground(), foot];
        bodies.extend(rod);
        scales(&mechanism(bodies, joints, 9.81, 1.0, RTOL)).angular_velocity.split_off(2)
    };
    let whole = spins(1)[0];
    // Its upper end is the farthest of its joints, a little aside.
    let expected = (9.81_f64 * 0.01).sqrt() / 0.26_f64.sqrt();
    assert!((whole / expected - 1.0).abs() < 1e-12, "{whole} {expected}");
    for piece in spins(10) {
        assert!((piece / whole - 1.0).abs() < 1e-12, "{piece} {whole}");
    }
}

/// A rod of 20 cm that swings about its end from the horizontal, without a shape, beside another pendulum with a small one: after 20
/// periods 4 √(J/(m g s)) K(½) it is where it was, and at its time, to twice rtol a period, as these errors add up.
#[test]
fn a_link_without_a_shape_keeps_its_period() {
    const PERIODS: f64 = 20.0;
    let (mass, length) = (0.8_f64, 0.2);
    let moment = mass * length * length / 12.0;
    let about = 4.0 * moment;
    let period = 4.0 * (about / (mass * 9.81 * 0.5 * length)).sqrt() * carom_math::elliptic_k(0.5);
    let y_axis = Quaternion::from_axis_angle(&Vec3::x(), -FRAC_PI_2).to_matrix();
    let hinge = |name: &str, body: usize, arm: f64| {
        let mut hinge = joint(name, JointKind::Revolute, at(0, 0.0, 0.0, 0.0), at(body, 0.0, 0.0, arm));
        for attachment in [&mut hinge.a, &mut hinge.b] {
            attachment.pose.rotation = y_axis;
        }
        hinge.position = Some(vec![FRAC_PI_2]);
        hinge
    };
    let mut rod = part("rod", mass, Vec3::zeros());
    rod.inertia = Mat3::from_diagonal(&Vec3::new(moment, moment, 1e-3 * moment));
    let mut bob = cube("bob", 0.01);
    (bob.pose_stated, bob.velocity_stated) = (false, false);
    let hinges = vec![hinge("hinge", 1, 0.5 * length), hinge("other", 2, 0.5)];
    for rtol in [1e-4, 1e-6, 1e-9] {
        let mut model =
            mechanism(vec![ground(), rod.clone(), bob.clone()], hinges.clone(), 9.81, PERIODS * period, rtol);
        model.output.every = Some(PERIODS * period);
        let (outcome, keeper) = run(&model);
        let (first, last) = (&keeper.frames[0].bodies[1], &outcome.bodies[1]);
        // Released from rest, it comes back to rest: the speed tells the time by which it is off.
        let late = last.velocity.norm() / (0.5 * length) / (mass * 9.81 * 0.5 * length / about);
        let off = (last.position - first.position).norm() / (0.5 * length);
        assert!(off <= 2.0 * rtol * PERIODS, "{rtol:e}: off by {off:e} rad");
        assert!(late / period <= 2.0 * rtol * PERIODS, "{rtol:e}: late by {:e} periods", late / period);
    }
}

/// A rod of 1 m on two pivots of next to no mass, each of which turns about an axis of its own, beside a small bob: the pivots turn the rod,
/// and are held to what it is, not to their own size, be it of one piece or welded of ten. Nothing damps it, so that errors add up, but by no more than rtol of its length in
/// 5 s, and its angular velocity, up to about 10 rad/s, is as exact. By the size of the pivots, 1.2 cm, it was off by 12 to
/// 48 rtol after 20 s.
#[test]
fn pivots_are_held_to_what_hangs_on_them() {
    let chain = |rtol: f64, pieces: usize| {
        let pivot = |name: &str| part(name, 1e-3, Vec3::from_element(1e-7));
        let mut bob = cube("bob", 0.004);
        (bob.pose_stated, bob.velocity_stated) = (false, false);
        let hinge = |name: &str, axis: Option<Vec3>, a: usize, b: usize, arm: f64| {
            let mut hinge = joint(name, JointKind::Revolute, at(a, 0.0, 0.0, 0.0), at(b, 0.0, 0.0, arm));
            for attachment in [&mut hinge.a, &mut hinge.b] {
                if let Some(across) = axis {
                    attachment.pose.rotation = Quaternion::from_axis_angle(&across, FRAC_PI_2).to_matrix();
                }
            }
            hinge
        };
        let mut hinges = vec![
            hinge("x", Some(Vec3::y()), 0, 1, 0.0),
            hinge("y", Some(-Vec3::x()), 1, 2, 0.0),
            hinge("z", None, 2, 4, 0.5 / pieces as f64),
            // Level: the bob stays where it is.
            Joint { kind: JointKind::Prismatic, ..hinge("guide", Some(Vec3::y()), 0, 3, 0.0) },
        ];
        (hinges[0].position, hinges[1].position) = (Some(vec![1.4]), Some(vec![0.7]));
        hinges[2].velocity = Some(vec![2.0]);
        let (rod, welds) = in_pieces(pieces, 4);
        hinges.extend(welds);
        let mut bodies = vec![ground(), pivot("first"), pivot("second"), bob];
        bodies.extend(rod);
        let mut model = mechanism(bodies, hinges, 9.81, 20.0, rtol);
        model.output.every = None;
        run(&model).0
    };
    for pieces in [1, 10] {
        let last = |rtol: f64| chain(rtol, pieces).bodies.pop().expect("a rod");
        let exact = last(1e-12);
        for rtol in [1e-4, 1e-6, 1e-8] {
            let rod = last(rtol);
            let off = (rod.position - exact.position).norm();
            let turns = 0.1 * (rod.angular_velocity - exact.angular_velocity).norm();
            assert!(
                off.max(turns) <= 4.0 * rtol,
                "{pieces}, {rtol:e}: off by {off:e} m, {turns:e} of 10 rad/s"
            );
        }
    }
}
