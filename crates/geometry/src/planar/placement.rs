use carom_math::{Mat3, Pose, Vec2, Vec3};

/// Place of one planar frame in another, from their poses in the world: turned about the z axis that both have, and moved. What
/// leads out of the plane is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planar {
    /// Cosine and sine of the turn.
    turn: Vec2,
    /// Where the origin is (m).
    shift: Vec2,
}

impl Planar {
    /// Place of frame F in frame G. The difference of their places is formed first, so that the digits do not depend on
    /// where the world's origin is.
    #[inline]
    pub fn of(f: &Pose, g: &Pose) -> Self {
        let column = |r: &Mat3, k: usize| -> Vec3 { r.column(k).into() };
        let x = column(&f.rotation, 0);
        let [gx, gy] = [column(&g.rotation, 0), column(&g.rotation, 1)];
        let offset = f.translation - g.translation;
        Self { turn: Vec2::new(gx.dot(&x), gy.dot(&x)), shift: Vec2::new(gx.dot(&offset), gy.dot(&offset)) }
    }

    /// A vector of F in G's axes.
    #[inline]
    pub fn turned(&self, v: &Vec2) -> Vec2 {
        let (c, s) = (self.turn.x, self.turn.y);
        Vec2::new(c * v.x - s * v.y, s * v.x + c * v.y)
    }

    /// Where F's origin is in G (m).
    pub(super) fn shift(&self) -> Vec2 {
        self.shift
    }

    /// A point of F in G.
    #[inline]
    pub fn point(&self, p: &Vec2) -> Vec2 {
        self.shift + self.turned(p)
    }
}

/// A vector of a planar frame in world axes.
#[inline]
pub(super) fn to_world(frame: &Pose, v: &Vec2) -> Vec3 {
    frame.rotation.column(0) * v.x + frame.rotation.column(1) * v.y
}
