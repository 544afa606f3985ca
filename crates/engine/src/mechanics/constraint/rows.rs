use carom_math::{Twist, Vec3, Wrench};

use crate::mechanics::kinematics::BodyKinematics;
use crate::mechanics::{Anchor, Mechanics};

/// What a constraint row takes from one body: its dual, about the body's centre of mass in world axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyTerm {
    pub(crate) link: usize,
    pub(crate) dual: Wrench,
}

/// One scalar constraint: G v = speed, G v̇ = acceleration, φ = 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    terms: [usize; 2],
    freedoms: [usize; 2],
    /// φ; 0 for a row on velocities only.
    pub(crate) violation: f64,
    /// Demanded G v.
    pub(crate) speed: f64,
    /// Demanded G v̇, with v̇ the accelerations of the centres of mass and of the freedoms.
    pub(crate) acceleration: f64,
    /// Index of the group it belongs to.
    pub(crate) group: usize,
}

/// Constraint rows in flat arrays, written anew at every state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    terms: Vec<BodyTerm>,
    freedoms: Vec<(usize, f64)>,
    open: Row,
    /// Group of the rows that are being written.
    pub(crate) group: usize,
}

impl Rows {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.terms.clear();
        self.freedoms.clear();
        self.open = Row::default();
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Adds to the open row what it takes from a body; fixed bodies have nothing to give.
    pub(crate) fn add(&mut self, mechanics: &Mechanics, body: usize, dual: Wrench) {
        if let Some(link) = mechanics.bodies[body].link {
            self.terms.push(BodyTerm { link, dual });
        }
    }

    /// Adds a freedom to the open row.
    pub(crate) fn add_freedom(&mut self, freedom: usize, coefficient: f64) {
        self.freedoms.push((freedom, coefficient));
    }

    /// Ends the open row.
    pub(crate) fn close(&mut self, violation: f64, speed: f64, acceleration: f64) {
        let row = Row {
            terms: [self.open.terms[0], self.terms.len()],
            freedoms: [self.open.freedoms[0], self.freedoms.len()],
            violation,
            speed,
            acceleration,
            group: self.group,
        };
        self.rows.push(row);
        self.open.terms[0] = row.terms[1];
        self.open.freedoms[0] = row.freedoms[1];
    }

    pub(crate) fn terms(&self, row: usize) -> &[BodyTerm] {
        let [start, end] = self.rows[row].terms;
        &self.terms[start..end]
    }

    pub(crate) fn freedoms(&self, row: usize) -> &[(usize, f64)] {
        let [start, end] = self.rows[row].freedoms;
        &self.freedoms[start..end]
    }

    /// Links that a row acts on; of one that it acts on twice, twice.
    pub(crate) fn links(&self, row: usize, mechanics: &Mechanics) -> impl Iterator<Item = usize> {
        let of_freedom = |&(freedom, _): &(usize, f64)| mechanics.link_of_freedom[freedom];
        self.terms(row).iter().map(|term| term.link).chain(self.freedoms(row).iter().map(of_freedom))
    }

    /// G x for motions of the links and rates of the freedoms.
    pub(crate) fn product(&self, row: usize, links: &[Twist], freedoms: &[f64]) -> f64 {
        let bodies: f64 = self.terms(row).iter().map(|t| t.dual.dot(&links[t.link])).sum();
        let own: f64 = self.freedoms(row).iter().map(|(f, k)| k * freedoms[*f]).sum();
        bodies + own
    }
}

/// Points of two bodies that a constraint relates, with what its rows need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairPoint {
    pub(crate) bodies: [usize; 2],
    /// From each centre of mass to the point on B, also for A: its material point there.
    pub(crate) arms: [Vec3; 2],
    /// From A's point to B's (m).
    pub(crate) offset: Vec3,
    /// Velocity of B's point against A's material there.
    pub(crate) relative: Vec3,
    /// Relative acceleration without the bodies' accelerations, as seen on A.
    pub(crate) drift: Vec3,
    /// Angular velocity of A.
    pub(crate) omega_a: Vec3,
    /// Angular velocity of B against A.
    pub(crate) omega: Vec3,
}

impl PairPoint {
    /// For the origins of two anchors.
    pub(crate) fn new(bodies: &[BodyKinematics], a: &Anchor, b: &Anchor) -> Self {
        Self::between([&bodies[a.body], &bodies[b.body]], a, b)
    }

    /// The same from the motion of both bodies.
    pub(crate) fn between([body_a, body_b]: [&BodyKinematics; 2], a: &Anchor, b: &Anchor) -> Self {
        let at_a = body_a.pose.transform_point(&a.pose.translation);
        let arm_b = body_b.pose.rotation * b.pose.translation;
        let at_b = body_b.pose.translation + arm_b;
        let arm_a = at_b - body_a.pose.translation;
        let (wa, wb) = (body_a.angular_velocity, body_b.angular_velocity);
        let relative = body_b.velocity + wb.cross(&arm_b) - body_a.velocity - wa.cross(&arm_a);
        Self {
            bodies: [a.body, b.body],
            arms: [arm_a, arm_b],
            offset: at_b - at_a,
            relative,
            drift: wb.cross(&wb.cross(&arm_b)) - wa.cross(&wa.cross(&arm_a)) - wa.cross(&relative) * 2.0,
            omega_a: wa,
            omega: wb - wa,
        }
    }

    /// Row e · offset = c for a direction e fixed on A: the force e on B at its point, −e on A there.
    pub(crate) fn write_position(&self, mechanics: &Mechanics, e: &Vec3, violation: f64, rows: &mut Rows) {
        rows.add(mechanics, self.bodies[0], -Wrench::of_force(*e, &self.arms[0]));
        rows.add(mechanics, self.bodies[1], Wrench::of_force(*e, &self.arms[1]));
        rows.close(violation, 0.0, -e.dot(&self.drift));
    }

    /// Row u · w = c for u fixed on B, w fixed on A: the torque u × w on B, its opposite on A.
    pub(crate) fn write_direction(
        &self,
        mechanics: &Mechanics,
        u: &Vec3,
        w: &Vec3,
        value: f64,
        rows: &mut Rows,
    ) {
        let torque = u.cross(w);
        rows.add(mechanics, self.bodies[0], Wrench::new(-torque, Vec3::zeros()));
        rows.add(mechanics, self.bodies[1], Wrench::new(torque, Vec3::zeros()));
        let omega_b = self.omega_a + self.omega;
        let turning = omega_b.cross(u).cross(w) + u.cross(&self.omega_a.cross(w));
        rows.close(u.dot(w) - value, 0.0, -self.omega.dot(&turning));
    }
}
