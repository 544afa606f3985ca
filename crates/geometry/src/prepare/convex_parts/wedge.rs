//! Convex hulls as wedges about a point in them, which halve without becoming slender.

use std::rc::Rc;

use carom_math::Vec3;

/// Triangles of a hull that are near each other.
pub(super) struct Patch {
    /// A point of the hull, and the greatest distance of a corner from it (m).
    centre: Vec3,
    radius: f64,
    content: Content,
}

enum Content {
    One([Vec3; 3]),
    Halves([Rc<Patch>; 2]),
}

impl Patch {
    /// Of one triangle or more.
    pub(super) fn of(mut triangles: Vec<[Vec3; 3]>) -> Rc<Self> {
        let middle = |t: &[Vec3; 3]| (t[0] + t[1] + t[2]) / 3.0;
        let centre = triangles.iter().map(middle).sum::<Vec3>() / triangles.len() as f64;
        let distances = triangles.iter().flatten().map(|corner| (corner - centre).norm());
        let radius = distances.fold(0.0, f64::max);
        if let &[only] = &triangles[..] {
            return Rc::new(Self { centre, radius, content: Content::One(only) });
        }
        let extent =
            triangles.iter().map(|t| (middle(t) - centre).abs()).fold(Vec3::zeros(), |a, b| a.sup(&b));
        let axis = extent.imax();
        triangles.sort_by(|a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
        let second = triangles.split_off(triangles.len() / 2);
        Rc::new(Self { centre, radius, content: Content::Halves([Self::of(triangles), Self::of(second)]) })
    }

    fn halves(&self) -> [Rc<Self>; 2] {
        match &self.content {
            Content::Halves(halves) => halves.clone(),
            Content::One(corners) => {
                let length = |k: usize| (corners[(k + 1) % 3] - corners[k]).norm_squared();
                let longest = (0..3).fold(0, |best, k| if length(k) > length(best) { k } else { best });
                let [a, b, c] = [0, 1, 2].map(|k| corners[(longest + k) % 3]);
                let between = 0.5 * (a + b);
                [[a, between, c], [between, b, c]].map(|half| Self::of(vec![half]))
            }
        }
    }
}

/// The points m + s (x − m) about a point m, of the points x of a patch and shares s of the way to them.
pub(super) struct Wedge {
    pub(super) patch: Rc<Patch>,
    pub(super) shares: [f64; 2],
}

impl Wedge {
    /// A ball that has it, about a point of the hull: |m + s (x − m) − (m + s̄ (b − m))| ≤ s |x − b| + |s − s̄| |b − m|.
    pub(super) fn ball(&self, m: &Vec3) -> (Vec3, f64) {
        let [from, to] = self.shares;
        let way = self.patch.centre - m;
        (m + 0.5 * (from + to) * way, to * self.patch.radius + 0.5 * (to - from) * way.norm())
    }

    /// Across its way or its patch, whichever the ball is greater by.
    pub(super) fn halves(&self, m: &Vec3) -> [Self; 2] {
        let [from, to] = self.shares;
        if 0.5 * (to - from) * (self.patch.centre - m).norm() >= to * self.patch.radius {
            let between = 0.5 * (from + to);
            return [[from, between], [between, to]]
                .map(|shares| Self { patch: Rc::clone(&self.patch), shares });
        }
        self.patch.halves().map(|patch| Self { patch, shares: self.shares })
    }
}
