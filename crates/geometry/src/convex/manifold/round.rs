use carom_math::Vec3;

use super::outline::ROUNDING;

/// All points within `radius` of a segment, in a plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) centre: Vec3,
    /// Unit vectors in the plane; the segment lies along the first.
    pub(super) axes: [Vec3; 2],
    pub(super) half_length: f64,
    pub(super) radius: f64,
}

impl Round {
    /// In the plane of the face, along its axes.
    pub(super) fn coordinates(&self, p: &Vec3) -> [f64; 2] {
        self.axes.map(|axis| axis.dot(&(p - self.centre)))
    }

    /// A segment in the plane of the face.
    pub(super) fn clip(&self, p: [f64; 2], q: [f64; 2]) -> Option<[f64; 2]> {
        let on_disc = |centre: f64| clip_disc([p[0] - centre, p[1]], [q[0] - centre, q[1]], self.radius);
        if self.half_length == 0.0 {
            return on_disc(0.0);
        }
        // The face is convex: where the line lies over the discs or the block between, it lies over all between.
        let parts = [on_disc(-self.half_length), on_disc(self.half_length), self.clip_block(p, q)];
        let mut whole: Option<[f64; 2]> = None;
        for part in parts.into_iter().flatten() {
            whole = Some(whole.map_or(part, |whole| [whole[0].min(part[0]), whole[1].max(part[1])]));
        }
        whole
    }

    fn clip_block(&self, p: [f64; 2], q: [f64; 2]) -> Option<[f64; 2]> {
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (axis, half) in [(0, self.half_length), (1, self.radius)] {
            for sign in [-1.0, 1.0] {
                let (from, to) = (half - sign * p[axis], half - sign * q[axis]);
                let slack = -ROUNDING * half;
                if from < slack && to < slack {
                    return None;
                }
                if from < slack {
                    first = first.max(from / (from - to));
                } else if to < slack {
                    last = last.min(from / (from - to));
                }
            }
        }
        (first <= last).then_some([first, last])
    }
}

/// The part of a segment within a circle about the origin.
fn clip_disc(p: [f64; 2], q: [f64; 2], radius: f64) -> Option<[f64; 2]> {
    let d = [q[0] - p[0], q[1] - p[1]];
    let a = d[0] * d[0] + d[1] * d[1];
    let b = p[0] * d[0] + p[1] * d[1];
    let c = p[0] * p[0] + p[1] * p[1] - radius * radius;
    if a == 0.0 {
        return (c <= ROUNDING * radius * radius).then_some([0.0, 1.0]);
    }
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    let (first, last) = (((-b - root) / a).max(0.0), ((-b + root) / a).min(1.0));
    (first <= last).then_some([first, last])
}
