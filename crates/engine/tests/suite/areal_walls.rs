//! Targets whose walls are thinner than u_max: nothing passes them.

use std::sync::Arc;

use carom_engine::EndReason;
use carom_engine::law::{Law, VolumeBlock};
use carom_engine::model::{BaseSide, Method, Model};
use carom_geometry::surface::{self, Resolution};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::{Mat3, Pose, Vec3};

use crate::areal_restitution::bouncy;
use crate::scene;

/// A ball of 40 mm is shot at a sheet, with a u_max of 30 mm and a layer that stops it or does not: it comes back, or the run stops
/// while its centre is in front of the sheet. Which of both is a matter of energy; a step as long as u_max would take it
/// through.
#[test]
fn nothing_passes_a_thin_wall() {
    let radius = 0.02;
    let (mut back, mut stopped) = (0, 0);
    for wall in [2e-2, 5e-3, 1e-3, 1e-4] {
        for speed in [1.0, 10.0, 100.0] {
            for (base, restitution) in [
                (BaseSide::A, None),
                (BaseSide::A, Some(0.5)),
                (BaseSide::B, None),
                (BaseSide::B, Some(0.5)),
                (BaseSide::Both, Some(0.5)),
            ] {
                let half = Vec3::new(0.5, 0.5, 0.5 * wall);
                let sheet = surface::block(half, Resolution::Divisions(2)).unwrap();
                let sheet = scene::fixed("sheet", Shape::Mesh(Arc::new(sheet)), Pose::identity());
                let ball = surface::sphere(radius, Resolution::Facets(500)).unwrap();
                let pose = Pose::from_translation(Vec3::new(0.013, 0.017, 0.1));
                let mut ball =
                    scene::body("ball", 0.01, Mat3::identity() * 1e-6, Shape::Mesh(Arc::new(ball)), pose);
                ball.velocity.z = -speed;
                let mut model = scene::model(vec![sheet, ball], bouncy(0.5), 0.0, 0.4 / speed, 1e-6);
                model.laws[0].areal.as_mut().unwrap().restitution = restitution;
                model.contact_lines[0].method = Method::Pcm;
                model.contact_lines[0].base = base;
                model.contact_lines[0].accuracy = Some(0.05);
                let (outcome, _) = scene::run_any(&model);
                let ball = &outcome.bodies[1];
                let what = format!("{wall} m, {speed} m/s, {base:?}, {restitution:?}: {:?}", outcome.end);
                match &outcome.end {
                    EndReason::Failed(error) => {
                        assert_eq!(error.code, "E0614", "{what}");
                        assert!(ball.position.z > 0.0 && error.pair.is_some(), "{what}");
                        stopped += 1;
                    }
                    _ => {
                        // With a hundredth for the elements of 500 facets.
                        let e = restitution.unwrap_or(1.0);
                        assert!((ball.velocity.z / speed - e).abs() < 0.01, "{what} {:?}", ball.velocity);
                        back += 1;
                    }
                }
            }
        }
    }
    assert!(back > 15 && stopped > 15, "{back} {stopped}");
}

/// A block of 0.1 m with a flange of thickness `flange` at its foot, 0.1 m long; both are 0.1 m wide, and their lower edge is at the
/// origin.
fn block_with_flange(flange: f64) -> TriangleMesh {
    let profile = [[0.0, 0.0], [0.2, 0.0], [0.2, flange], [0.1, flange], [0.1, 0.1], [0.0, 0.1]];
    let at = |y: f64| profile.map(|[x, z]| Vec3::new(x, y, z));
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.extend([[a, b, c], [6 + a, 6 + c, 6 + b]]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.extend([[i, 6 + i, 6 + j], [i, 6 + j, j]]);
    }
    TriangleMesh { vertices: [at(0.0), at(0.1)].concat(), triangles }
}

/// What is thin elsewhere is no matter where it is thick: a ball that falls onto the block goes in deeper than the flange is thick, and
/// comes back as from a block without one, by the same steps. Beside it, on the flange, the run stops.
#[test]
fn walls_count_where_they_are() {
    let flange = 2e-3;
    let shot = |target: TriangleMesh, x: f64, height: f64| {
        let target = scene::fixed("target", Shape::Mesh(Arc::new(target)), Pose::identity());
        let ball = surface::sphere(0.02, Resolution::Facets(500)).unwrap();
        let pose = Pose::from_translation(Vec3::new(x, 0.052, height + 0.03));
        let mut ball = scene::body("ball", 0.01, Mat3::identity() * 1e-6, Shape::Mesh(Arc::new(ball)), pose);
        ball.velocity.z = -20.0;
        let mut model = scene::model(vec![target, ball], bouncy(0.5), 0.0, 4e-3, 1e-6);
        model.contact_lines[0].method = Method::Pcm;
        model.contact_lines[0].base = BaseSide::B;
        scene::run_any(&model)
    };
    let (with, _) = shot(block_with_flange(flange), 0.053, 0.1);
    assert_eq!(with.end, EndReason::Finished, "{:?}", with.end);
    let peak = with.pairs[0].peaks.penetration.value;
    assert!(peak > flange, "{peak}");
    // The block alone, as a flange as thick as it is long.
    let (alone, _) = shot(block_with_flange(0.09), 0.053, 0.1);
    assert!((with.bodies[1].velocity - alone.bodies[1].velocity).norm() < 1e-9);
    assert!(with.bodies[1].velocity.z > 5.0 && with.statistics.steps == alone.statistics.steps);
    let (on_flange, _) = shot(block_with_flange(flange), 0.153, flange);
    let EndReason::Failed(error) = on_flange.end else { panic!("it has gone on") };
    assert_eq!(error.code, "E0614");
    assert!(error.message.contains("wall of 2.000e-3 m there"), "{}", error.message);
}

/// A ball that falls onto an open sheet from where its triangles look bounces; where they look away nothing is felt, and the run stops
/// and says that it is the side, not the elements.
#[test]
fn an_open_sheet_that_is_met_from_behind_is_told() {
    let sheet = surface::rectangle(0.5, 0.5, Resolution::Divisions(2)).unwrap();
    let faces_down = sheet.flipped();
    let [up, down] = [sheet, faces_down].map(|sheet| {
        let sheet = scene::fixed("sheet", Shape::Mesh(Arc::new(sheet)), Pose::identity());
        let ball = surface::sphere(0.02, Resolution::Facets(500)).unwrap();
        let pose = Pose::from_translation(Vec3::new(0.013, 0.017, 0.05));
        let mut ball = scene::body("ball", 0.01, Mat3::identity() * 1e-6, Shape::Mesh(Arc::new(ball)), pose);
        ball.velocity.z = -2.0;
        let mut model = scene::model(vec![sheet, ball], bouncy(0.5), 0.0, 0.04, 1e-6);
        model.contact_lines[0].method = Method::Pcm;
        scene::run_any(&model).0
    });
    assert!(up.end == EndReason::Finished && up.bodies[1].velocity.z > 0.5, "{:?}", up.end);
    let EndReason::Failed(error) = down.end else { panic!("it has gone on") };
    assert!(error.code == "E0616" && error.message.contains("meet from behind"), "{}", error.message);
    assert!(error.help.contains("turn the triangles"), "{}", error.help);
}

/// The message says that it is the wall, not u_max, that is too little.
#[test]
fn a_wall_that_is_too_thin_is_told() {
    let sheet = surface::block(Vec3::new(0.5, 0.5, 1e-3), Resolution::Divisions(2)).unwrap();
    let sheet = scene::fixed("sheet", Shape::Mesh(Arc::new(sheet)), Pose::identity());
    let ball = surface::sphere(0.02, Resolution::Facets(500)).unwrap();
    let pose = Pose::from_translation(Vec3::new(0.013, 0.017, 0.1));
    let mut ball = scene::body("ball", 0.01, Mat3::identity() * 1e-6, Shape::Mesh(Arc::new(ball)), pose);
    ball.velocity.z = -100.0;
    let mut model = scene::model(vec![sheet, ball], bouncy(0.5), 0.0, 0.01, 1e-6);
    model.contact_lines[0].method = Method::Pcm;
    model.contact_lines[0].base = BaseSide::B;
    let EndReason::Failed(error) = scene::run_any(&model).0.end else { panic!("it has gone on") };
    assert_eq!(error.code, "E0614");
    assert!(error.message.contains("three quarters of the target's wall of 2.000e-3 m"), "{}", error.message);
    // What may be deeper than u_max passes no wall for that.
    model.laws[0].areal.as_mut().unwrap().may_exceed = true;
    let EndReason::Failed(error) = scene::run_any(&model).0.end else { panic!("it has gone on") };
    assert_eq!(error.code, "E0614");
    assert!(error.message.contains("three quarters of the target's wall of 2.000e-3 m"), "{}", error.message);
}

/// A ball that falls onto a thick plate of which the upper triangles are turned: each surface as the base, it is felt nowhere, and the
/// run says which triangle is wrong, not that elements are too coarse. As it should be it bounces.
#[test]
fn turned_triangles_are_told_where_they_are_met() {
    let plate = surface::block(Vec3::new(0.1, 0.1, 0.05), Resolution::Divisions(2)).unwrap();
    let mut turned = plate.clone();
    let top = |triangle: &[u32; 3]| triangle.iter().all(|k| plate.vertices[*k as usize].z > 0.04);
    turned.triangles.iter_mut().filter(|triangle| top(triangle)).for_each(|triangle| triangle.swap(1, 2));
    let first = turned.triangles.iter().position(top).unwrap();
    for base in [BaseSide::A, BaseSide::B] {
        let drop = |plate: &TriangleMesh| {
            let plate = scene::fixed("plate", Shape::Mesh(Arc::new(plate.clone())), Pose::identity());
            let ball = surface::sphere(0.02, Resolution::Facets(500)).unwrap();
            let pose = Pose::from_translation(Vec3::new(-0.037, -0.041, 0.075));
            let mut ball =
                scene::body("ball", 0.01, Mat3::identity() * 1e-6, Shape::Mesh(Arc::new(ball)), pose);
            ball.velocity.z = -2.0;
            let mut model = scene::model(vec![plate, ball], bouncy(0.5), 0.0, 0.04, 1e-6);
            model.contact_lines[0].method = Method::Pcm;
            (model.contact_lines[0].base, model.contact_lines[0].accuracy) = (base, Some(0.05));
            scene::run_any(&model).0
        };
        let right = drop(&plate);
        assert!(right.end == EndReason::Finished && right.bodies[1].velocity.z > 0.5, "{:?}", right.end);
        let EndReason::Failed(error) = drop(&turned).end else { panic!("it has gone on") };
        let says = format!("at triangle {first} of \"plate\", which is turned against its neighbours");
        assert!(error.code == "E0616" && error.message.contains(&says), "{}", error.message);
        assert!(error.help.contains("carom mesh repair"), "{}", error.help);
    }
}

/// Two blocks in one mesh of which one is turned inwards: that is a room, which fills all around it. A ball that falls onto either of
/// them is told so at the start and by the run, and contact by regions refuses the mesh. A cavity, and a ball in a room, are right.
#[test]
fn closed_parts_that_are_turned_inwards_are_told() {
    let block = |x: f64, half: f64| {
        let block = surface::block(Vec3::repeat(half), Resolution::Divisions(2)).unwrap();
        scene::moved(block, Vec3::new(x, 0.0, 0.0))
    };
    let model = |plate: &TriangleMesh, at: Vec3, method: Method| {
        let plate = scene::fixed("plate", Shape::Mesh(Arc::new(plate.clone())), Pose::identity());
        let ball = Shape::Mesh(Arc::new(surface::sphere(0.02, Resolution::Facets(500)).unwrap()));
        let mut ball = scene::body("ball", 0.01, Mat3::identity() * 1e-6, ball, Pose::from_translation(at));
        ball.velocity.z = -2.0;
        let volume = Some(VolumeBlock { stiffness: Some(1e9), restitution: Some(0.5), v_small: 0.01 });
        let mut model = scene::model(vec![plate, ball], Law { volume, ..bouncy(0.5) }, 0.0, 0.04, 1e-6);
        model.contact_lines[0].method = method;
        model
    };
    let drop = |model: &Model| scene::run_any(model).0;
    let beside = scene::both(block(-0.2, 0.11), &block(0.2, 0.1).flipped());
    for x in [-0.23, 0.23] {
        let pcm = model(&beside, Vec3::new(x, 0.013, 0.15), Method::Pcm);
        let warnings = pcm.validate();
        let told = |words: &str| {
            warnings.iter().any(|w| w.code == "W0401" && w.help.as_ref().unwrap().contains(words))
        };
        assert!(told("part of \"plate\" is turned inwards") && told("carom mesh repair"), "{warnings:?}");
        let EndReason::Failed(error) = drop(&pcm).end else { panic!("it has gone on") };
        let says = "the closed part of \"plate\" from triangle 48 on is turned inwards";
        assert!(error.code == "E0616" && error.message.contains(says), "{}", error.message);
        assert!(error.help.contains("carom mesh repair"), "{}", error.help);
        let refused = model(&beside, Vec3::new(x, 0.013, 0.15), Method::Region).examine().1.unwrap();
        let refused = refused.expect_err("it compiles");
        assert!(
            refused[0].code == "E0418" && refused[0].message.contains("from triangle 48 on"),
            "{refused:?}"
        );
    }
    let right = [
        (scene::both(block(-0.2, 0.1), &block(0.2, 0.1)), Vec3::new(0.23, 0.013, 0.15)),
        (scene::both(block(0.0, 0.1), &block(0.0, 0.05).flipped()), Vec3::new(0.03, 0.013, 0.15)),
        (scene::both(block(0.0, 0.1), &block(0.0, 0.05).flipped()), Vec3::new(0.01, 0.013, 0.0)),
        (block(0.0, 0.1).flipped(), Vec3::new(0.03, 0.013, -0.05)),
    ];
    for (plate, at) in right {
        let model = model(&plate, at, Method::Pcm);
        assert!(model.validate().iter().all(|w| w.code != "W0401"));
        let outcome = drop(&model);
        assert!(
            outcome.end == EndReason::Finished && outcome.bodies[1].velocity.z > 0.5,
            "{:?}",
            outcome.end
        );
    }
    // Both shells of a hollow block turned inwards: a ball between them meets the inner one from behind.
    let inside_out = scene::both(block(0.0, 0.1).flipped(), &block(0.0, 0.03).flipped());
    let EndReason::Failed(error) = drop(&model(&inside_out, Vec3::new(0.01, 0.013, 0.06), Method::Pcm)).end
    else {
        panic!("it has gone on")
    };
    assert!(
        error.code == "E0616" && error.message.contains("turned inwards, in no other"),
        "{}",
        error.message
    );
}
