use carom_math::Vec3;

use super::{JointView, PairPoint, Rows, Scene};
use crate::joint::nearest_angle;
use crate::model::JointKind;

/// Rows of a joint that closes a loop: directions of M against F, then displacements along F's axes.
pub(crate) fn write_closure(scene: &Scene<'_>, joint: usize, rows: &mut Rows) {
    let (system, data) = (scene.system, &scene.system.joints[joint]);
    let pair = PairPoint::new(scene.bodies, &data.a, &data.b);
    let f = scene.bodies[data.a.body].pose.rotation * data.a.pose.rotation;
    let m = scene.bodies[data.b.body].pose.rotation * data.b.pose.rotation;
    let axis = |frame: &carom_math::Mat3, k: usize| frame.column(k).into_owned();
    let mut direction = |u: usize, w: usize| {
        pair.write_direction(system, &axis(&m, u), &axis(&f, w), 0.0, rows);
    };
    match data.kind {
        JointKind::Fixed | JointKind::Prismatic => {
            direction(0, 1);
            direction(1, 2);
            direction(2, 0);
        }
        JointKind::Revolute | JointKind::Cylindrical | JointKind::Screw { .. } | JointKind::Planar => {
            direction(0, 2);
            direction(1, 2);
        }
        JointKind::Universal { second } => {
            // The cross keeps the angle between its axes: z of F against the second axis of M.
            pair.write_direction(system, &(m * second), &axis(&f, 2), second.z, rows);
        }
        JointKind::Spherical | JointKind::Free => {}
    }
    let along: &[usize] = match data.kind {
        JointKind::Fixed | JointKind::Revolute | JointKind::Universal { .. } | JointKind::Spherical => {
            &[0, 1, 2]
        }
        JointKind::Prismatic | JointKind::Cylindrical | JointKind::Screw { .. } => &[0, 1],
        JointKind::Planar => &[2],
        JointKind::Free => &[],
    };
    for &k in along {
        let e = axis(&f, k);
        pair.write_position(system, &e, e.dot(&pair.offset), rows);
    }
    if let JointKind::Screw { lead } = data.kind {
        write_thread(scene, joint, lead, &axis(&f, 2), &pair, rows);
    }
}

/// Row z · offset = p θ of a screw.
fn write_thread(scene: &Scene<'_>, joint: usize, lead: f64, z: &Vec3, pair: &PairPoint, rows: &mut Rows) {
    let system = scene.system;
    let data = &system.joints[joint];
    let view = JointView::new(scene, joint);
    let angle = nearest_angle(
        crate::joint::coordinates(JointKind::Revolute, &view.pose, &[])[0],
        scene.angles[data.first_angle],
    );
    let turn = z * lead;
    let [a, b] = pair.arms.map(|arm| carom_math::Wrench::of_force(*z, &arm));
    rows.add(system, pair.bodies[0], -a + carom_math::Wrench::new(turn, Vec3::zeros()));
    rows.add(system, pair.bodies[1], b - carom_math::Wrench::new(turn, Vec3::zeros()));
    // θ̈ = z · (α_B − α_A − ω_A × ω).
    let twist = pair.omega_a.cross(&pair.omega);
    rows.close(z.dot(&pair.offset) - lead * angle, 0.0, -z.dot(&pair.drift) - lead * z.dot(&twist));
}
