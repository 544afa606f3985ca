use carom_math::Vec3;

use super::{JointView, PairPoint, Rows};
use crate::mechanics::Configuration;
use crate::mechanics::joint::nearest_angle;
use crate::model::{JointKind, Sliding, Turning};

/// Rows of a joint that closes a loop: directions of M against F, then displacements along F's axes.
pub(crate) fn write_closure(here: &Configuration<'_>, joint: usize, rows: &mut Rows) {
    let (mechanics, data) = (here.mechanics, &here.mechanics.joints[joint]);
    let pair = PairPoint::new(here.bodies, &data.a, &data.b);
    let f = here.bodies[data.a.body].pose.rotation * data.a.pose.rotation;
    let m = here.bodies[data.b.body].pose.rotation * data.b.pose.rotation;
    let axis = |frame: &carom_math::Mat3, k: usize| frame.column(k).into_owned();
    let mut direction = |u: usize, w: usize| {
        pair.write_direction(mechanics, &axis(&m, u), &axis(&f, w), 0.0, rows);
    };
    match data.kind.turning() {
        Turning::None => {
            direction(0, 1);
            direction(1, 2);
            direction(2, 0);
        }
        Turning::AboutZ { .. } => {
            direction(0, 2);
            direction(1, 2);
        }
        Turning::Cardan { second } => {
            // The cross keeps the angle between its axes: z of F against the second axis of M.
            pair.write_direction(mechanics, &(m * second), &axis(&f, 2), second.z, rows);
        }
        Turning::Ball { .. } => {}
    }
    let sliding = data.kind.sliding();
    let slides = |k: usize| match sliding {
        Sliding::None => false,
        Sliding::Along { axes, .. } => axes.contains(&k),
        Sliding::Thread { .. } => k == 2,
    };
    for k in (0..3).filter(|&k| !slides(k)) {
        let e = axis(&f, k);
        pair.write_position(mechanics, &e, e.dot(&pair.offset), rows);
    }
    if let Sliding::Thread { lead } = sliding {
        write_thread(here, joint, lead, &axis(&f, 2), &pair, rows);
    }
}

/// Row z · offset = p θ of a screw.
fn write_thread(
    here: &Configuration<'_>,
    joint: usize,
    lead: f64,
    z: &Vec3,
    pair: &PairPoint,
    rows: &mut Rows,
) {
    let mechanics = here.mechanics;
    let data = &mechanics.joints[joint];
    let view = JointView::new(here, joint);
    let angle = nearest_angle(
        crate::mechanics::joint::coordinates(JointKind::Revolute, &view.pose, &[])[0],
        here.angles[data.first_angle],
    );
    let turn = z * lead;
    let [a, b] = pair.arms.map(|arm| carom_math::Wrench::of_force(*z, &arm));
    rows.add(mechanics, pair.bodies[0], -a + carom_math::Wrench::new(turn, Vec3::zeros()));
    rows.add(mechanics, pair.bodies[1], b - carom_math::Wrench::new(turn, Vec3::zeros()));
    // θ̈ = z · (α_B − α_A − ω_A × ω).
    let twist = pair.omega_a.cross(&pair.omega);
    rows.close(z.dot(&pair.offset) - lead * angle, 0.0, -z.dot(&pair.drift) - lead * z.dot(&twist));
}
