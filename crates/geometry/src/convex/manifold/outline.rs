use carom_math::Vec3;

use super::round::Round;
use crate::convex::Core;
use crate::convex::core::length;
use crate::convex::discs::Disc;

/// A face seen at a steeper angle than this cosine is no face to share a contact with.
const STEEPEST: f64 = 0.1;

/// Part of a point's distance that a border takes to hold it, for rounding.
pub(super) const ROUNDING: f64 = 1e-12;

/// What of a core faces a direction most squarely, in the frame of the contact: z along the normal.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) form: Form,
    /// Ends of a segment; corners of a polygon, counter-clockwise seen from +z; starts and ends of the
    /// straight sides of a round face, two by two.
    pub(super) corners: Vec<Vec3>,
    /// Height of the face over (0, 0), and its slopes along x and y.
    pub(super) plane: [f64; 3],
}

/// Kinds of outlines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Form {
    /// A point: of a smooth surface, or a corner.
    #[default]
    Point,
    /// An edge line.
    Segment,
    /// A flat face with straight sides.
    Polygon,
    /// A plane without end.
    Endless,
    /// A flat face with round ends: a disc, or two half discs and what is between them.
    Round(Round),
}

impl Outline {
    pub(super) fn with_capacity(corners: usize) -> Self {
        Self { corners: Vec::with_capacity(corners), ..Self::default() }
    }

    /// Outline of the core toward the unit vector `n` of its frame, of a hull that of a face; `place` takes points to the frame
    /// of the contact, `mirrored` says that `n` is −z there.
    pub(super) fn find(
        &mut self,
        core: &Core,
        face: usize,
        n: &Vec3,
        mirrored: bool,
        place: &dyn Fn(&Vec3) -> Vec3,
    ) {
        self.corners.clear();
        self.form = Form::Point;
        match core {
            Core::Point | Core::Ellipsoid { .. } | Core::Superellipsoid { .. } => {}
            Core::Segment { half_length } => {
                let end = |z: f64| place(&Vec3::new(0.0, 0.0, z));
                self.set_segment([end(-half_length), end(*half_length)]);
            }
            Core::Box { half } => {
                let i = n.iamax();
                let sign = 1.0_f64.copysign(n[i]);
                for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    let mut corner = sign * half;
                    corner[(i + 1) % 3] = u * half[(i + 1) % 3];
                    corner[(i + 2) % 3] = v * sign * half[(i + 2) % 3];
                    self.corners.push(place(&corner));
                }
                self.set_polygon(mirrored);
            }
            Core::Frustum { .. } => self.set_frustum([core.disc(0), core.disc(1)], n, place),
            Core::Beam { half_length, half_width, half_thickness } => {
                let across = length(n.x, n.y);
                if n.z.abs() > across {
                    let z = half_thickness.copysign(n.z);
                    self.set_round(place, Vec3::new(0.0, 0.0, z), *half_length, *half_width);
                } else {
                    // The wall's line at either end; on a flat side the two span a face.
                    let (x, y) = (half_width * n.x / across, half_width * n.y / across);
                    let (l, t) = (*half_length, *half_thickness);
                    if n.x.abs() > n.y.abs() {
                        let x = x + l.copysign(n.x);
                        self.set_segment([-t, t].map(|z| place(&Vec3::new(x, y, z))));
                        return;
                    }
                    let l = l.copysign(n.y);
                    for (u, z) in [(l, -t), (-l, -t), (-l, t), (l, t)] {
                        self.corners.push(place(&Vec3::new(x + u, y, z)));
                    }
                    self.set_polygon(mirrored);
                }
            }
            Core::Hull(hull) => {
                let corners = &hull.faces()[face].corners;
                self.corners.extend(corners.iter().map(|&k| place(&hull.vertices()[k as usize])));
                self.set_polygon(mirrored);
            }
        }
    }

    /// A plane without end across the normal, at a height.
    pub(super) fn set_endless(&mut self, height: f64) {
        self.corners.clear();
        self.plane = [height, 0.0, 0.0];
        self.form = Form::Endless;
    }

    /// A cap, or the line of the wall.
    fn set_frustum(&mut self, [low, high]: [Disc; 2], n: &Vec3, place: &dyn Fn(&Vec3) -> Vec3) {
        let across = length(n.x, n.y);
        // The wall's normal is (cos, sin) of its slope across and along the axis.
        let (drop, height) = (low.radius - high.radius, high.centre.z - low.centre.z);
        let facing_wall = (height * across + drop * n.z) / length(height, drop);
        let cap = if n.z > 0.0 { high } else { low };
        if n.z.abs() > facing_wall && cap.radius > 0.0 {
            self.set_round(place, cap.centre, 0.0, cap.radius);
        } else if across > 0.0 {
            let rim = |disc: Disc| place(&(disc.centre + disc.radius / across * Vec3::new(n.x, n.y, 0.0)));
            self.set_segment([rim(low), rim(high)]);
        }
    }

    fn set_segment(&mut self, ends: [Vec3; 2]) {
        self.corners.extend_from_slice(&ends);
        self.form = Form::Segment;
    }

    fn set_polygon(&mut self, mirrored: bool) {
        if mirrored {
            self.corners.reverse();
        }
        let origin = self.corners[0];
        let area = self.corners[1..]
            .windows(2)
            .fold(Vec3::zeros(), |sum, side| sum + (side[0] - origin).cross(&(side[1] - origin)));
        self.set_plane(&origin, &area, Form::Polygon);
    }

    fn set_round(&mut self, place: &dyn Fn(&Vec3) -> Vec3, centre: Vec3, half_length: f64, radius: f64) {
        let at = place(&centre);
        let axes = [Vec3::x(), Vec3::y()].map(|axis| place(&(centre + axis)) - at);
        let normal = axes[0].cross(&axes[1]);
        if half_length > 0.0 {
            for side in [-radius, radius] {
                for end in [-half_length, half_length] {
                    self.corners.push(at + end * axes[0] + side * axes[1]);
                }
            }
        }
        self.set_plane(&at, &normal, Form::Round(Round { centre: at, axes, half_length, radius }));
    }

    /// The plane through a point across `normal`, any length and sign; a steep one leaves a point.
    fn set_plane(&mut self, through: &Vec3, normal: &Vec3, form: Form) {
        if normal.z.abs() < STEEPEST * normal.norm() {
            return;
        }
        let (sx, sy) = (-normal.x / normal.z, -normal.y / normal.z);
        self.plane = [through.z - sx * through.x - sy * through.y, sx, sy];
        self.form = form;
    }

    /// Height of the face over a point; for a segment that of the nearest point of its line.
    pub(super) fn height(&self, x: f64, y: f64) -> f64 {
        if let (Form::Segment, [p, q]) = (self.form, &self.corners[..]) {
            let d = q - p;
            let squared = d.x * d.x + d.y * d.y;
            let t = if squared > 0.0 { ((x - p.x) * d.x + (y - p.y) * d.y) / squared } else { 0.0 };
            return p.z + t.clamp(0.0, 1.0) * d.z;
        }
        self.plane[0] + self.plane[1] * x + self.plane[2] * y
    }

    /// The part [t₀, t₁] of the line from p to q, 0 ≤ t ≤ 1, that lies over the face.
    pub(super) fn clip(&self, p: &Vec3, q: &Vec3) -> Option<[f64; 2]> {
        match &self.form {
            Form::Polygon => self.clip_polygon(p, q),
            Form::Round(round) => {
                let flat = |r: &Vec3| round.coordinates(&Vec3::new(r.x, r.y, self.height(r.x, r.y)));
                round.clip(flat(p), flat(q))
            }
            Form::Endless => Some([0.0, 1.0]),
            Form::Point | Form::Segment => None,
        }
    }

    fn clip_polygon(&self, p: &Vec3, q: &Vec3) -> Option<[f64; 2]> {
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (k, corner) in self.corners.iter().enumerate() {
            let side = self.corners[(k + 1) % self.corners.len()] - corner;
            let inward = |r: &Vec3| side.x * (r.y - corner.y) - side.y * (r.x - corner.x);
            let (from, to) = (inward(p), inward(q));
            let slack = -ROUNDING * (side.x * side.x + side.y * side.y);
            if from < slack && to < slack {
                return None;
            }
            if from < slack {
                first = first.max(from / (from - to));
            } else if to < slack {
                last = last.min(from / (from - to));
            }
        }
        (first <= last).then_some([first, last])
    }
}
