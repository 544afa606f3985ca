//! Copies of scenes of convex solids, turned, shifted and mirrored, and scenes that are their own mirror image.

use carom_engine::Model;
use carom_engine::law::NormalKind;
use carom_engine::model::{Body, IntegratorKind, Method};
use carom_engine::record::EventKind;
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion, Vec3};

use crate::scene::{self, law, point};
use crate::solids::kinds;

/// All shapes are their own images in the plane x = 0, so that the image of a body is one, turned.
#[derive(Clone, Copy)]
struct Image {
    rotation: Mat3,
    shift: Vec3,
    /// 1, or −1 for the mirror x → −x before.
    side: f64,
}

impl Image {
    fn of(&self, v: &Vec3) -> Vec3 {
        self.rotation * Vec3::new(self.side * v.x, v.y, v.z)
    }

    fn place(&self, body: &mut Body) {
        let mirror = Mat3::from_diagonal(&Vec3::new(self.side, 1.0, 1.0));
        let turned = self.rotation * mirror * body.orientation.to_matrix() * mirror;
        body.orientation = Quaternion::from_matrix(&turned);
        body.position = self.of(&body.position) + self.shift;
        body.velocity = self.of(&body.velocity);
        // An axial vector.
        body.angular_velocity = self.side * self.of(&body.angular_velocity);
    }
}

/// Force on B of two solids at the start of a run, with damping and friction.
fn force(model: &Model) -> Vec3 {
    let (_, keeper) = scene::run(model);
    let contacts = &keeper.frames[0].contacts;
    assert_eq!(contacts.len(), 1);
    contacts[0].normal_force * contacts[0].normal + contacts[0].friction_force
}

#[test]
fn copies_have_the_same_forces() {
    let turn = Quaternion::from_roll_pitch_yaw(0.4, -0.8, 2.0).to_matrix();
    let tilt = Quaternion::from_roll_pitch_yaw(0.3, 0.5, 0.7);
    // A shift that positions, multiples of 2⁻²⁰ m, take without rounding.
    let shift = Vec3::new(8.0, -16.0, 4.0);
    let plain = Image { rotation: Mat3::identity(), shift: Vec3::zeros(), side: 1.0 };
    let images = [
        Image { rotation: turn, ..plain },
        Image { shift, ..plain },
        Image { side: -1.0, ..plain },
        Image { rotation: turn, side: -1.0, ..plain },
    ];
    let kinds = kinds();
    for kind_a in &kinds {
        for kind_b in &kinds {
            let [shape_a, shape_b] = [kind_a, kind_b].map(|kind| kind.shape.clone());
            let pose = Pose { rotation: tilt.to_matrix(), translation: Vec3::zeros() };
            let a = scene::fixed("a", shape_a.clone(), pose);
            let along = Vec3::new(0.25, 0.15, 0.9).normalize();
            let mut b = scene::body("b", 1.0, Mat3::identity(), shape_b.clone(), Pose::identity());
            b.velocity = Vec3::new(0.3, -0.2, -1.0);
            b.angular_velocity = Vec3::new(1.0, 2.0, -0.5);
            // Down until it is some millimetres deep.
            let gap = |height: f64| {
                let solid = |s: &Shape| carom_geometry::convex::ConvexShape::of_shape(s).unwrap();
                let x_b = Pose::from_translation(height * along);
                carom_geometry::convex::find_convex_contact(
                    &solid(&shape_a),
                    &pose,
                    &solid(&shape_b),
                    &x_b,
                    &carom_geometry::convex::ConvexCache::COLD,
                    &mut carom_geometry::convex::ConvexWorkspace::new(),
                )
                .unwrap()
                .point
                .gap
            };
            let (mut low, mut high) = (0.0, 2.0);
            for _ in 0..40 {
                let middle = 0.5 * (low + high);
                if gap(middle) < -0.005 { low = middle } else { high = middle }
            }
            b.position = (low * along).map(|x| (x * 1048576.0).round() / 1048576.0);
            let mut l = law(NormalKind::HuntCrossley, 0.5);
            l.mu = Some(0.4);
            let mut model = scene::model(vec![a, b], l, 0.0, 1e-6, 1e-6);
            model.contact_lines[0].method = Method::Convex;
            let reference = force(&model);
            for image in images {
                let mut copy = model.clone();
                copy.bodies.iter_mut().for_each(|body| image.place(body));
                let off = (force(&copy) - image.of(&reference)).norm() / reference.norm();
                assert!(off < 1e-12, "{}, {}: {off:e}", kind_a.name, kind_b.name);
            }
        }
    }
}

/// Two solids, each the other's image in x = 0, fall tilted on a slab, and round ones toward each other. (Where sharp
/// edges meet in the plane x = 0 the least translation is one of two, images of each other.)
#[test]
fn symmetric_scenes_stay_symmetric() {
    let mirror = Image { rotation: Mat3::identity(), shift: Vec3::zeros(), side: -1.0 };
    for kind in kinds() {
        let shape = kind.shape;
        let name = kind.name;
        let slab = scene::fixed(
            "slab",
            Shape::Box { half: Vec3::new(2.0, 2.0, 0.1) },
            Pose::from_translation(Vec3::new(0.0, 0.0, -0.1)),
        );
        let rotation = Quaternion::from_roll_pitch_yaw(0.3, 0.4, 0.2).to_matrix();
        let pose = Pose { rotation, translation: Vec3::new(-0.6, 0.0, 0.6) };
        let inertia = Mat3::from_diagonal(&Vec3::new(0.03, 0.02, 0.025));
        let mut left = scene::body("left", 1.0, inertia, shape.clone(), pose);
        let is_round = matches!(shape, Shape::Sphere { .. } | Shape::Capsule { .. });
        left.velocity.x = if is_round { 0.8 } else { -0.2 };
        let mut right = Body { name: "right".to_owned(), ..left.clone() };
        mirror.place(&mut right);
        let mut l = law(NormalKind::HuntCrossley, 0.6);
        l.mu = Some(0.2);
        point(&mut l).stiffness = Some(1e6);
        let mut model = scene::model(vec![slab, left, right], l, 9.81, 1.5, 1e-8);
        model.contact_lines[0].method = Method::Convex;
        // Newton's iterations of an implicit method are symmetric to their own tolerance only.
        model.solver.method = IntegratorKind::Ode45;
        let (_, keeper) = scene::run(&model);
        // The third impact of each on the slab comes with the sixth of both.
        let begins = keeper.times(EventKind::ContactBegin);
        assert!(begins.len() >= 6, "{name}: {begins:?}");
        let until = begins[5];
        for frame in keeper.frames.iter().filter(|frame| frame.time <= until) {
            let (left, right) = (&frame.bodies[1], &frame.bodies[2]);
            let off = (mirror.of(&left.position) - right.position).norm();
            assert!(off < 1e-9, "{name} at {}: {off:e}", frame.time);
            let off = (mirror.of(&left.velocity) - right.velocity).norm();
            assert!(off < 1e-8, "{name} at {}: {off:e} m/s", frame.time);
        }
    }
}
