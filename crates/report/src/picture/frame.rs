//! What has to be in a picture: whatever moves, wherever it goes, and what stands near it.

use carom_math::Vec3;

use super::Stage;
use super::solid::corners_of_box;

/// Output times at which one looks where things are.
const LOOKS: usize = 100;
/// How far around what moves a picture begins, in parts of its size.
const NEAR: f64 = 0.35;
/// How far one sees around a body, in parts of its reach.
const AROUND: f64 = 1.6;

/// Points between which the picture is, and how far they are apart.
#[derive(Clone, Debug)]
pub(super) struct Extent {
    pub(super) points: Vec<Vec3>,
    /// How large things are: the diagonal of their box, or less (m).
    pub(super) size: f64,
}

impl Extent {
    fn of(points: Vec<Vec3>) -> Self {
        let size = bounds(&points).map_or(0.0, |(low, high)| (high - low).norm());
        if size > 0.0 {
            return Self { points, size };
        }
        let middle = points.first().copied().unwrap_or_else(Vec3::zeros);
        let around = corners_of_box(middle - Vec3::repeat(0.5), middle + Vec3::repeat(0.5));
        Self { points: around.to_vec(), size: 3.0_f64.sqrt() }
    }
}

impl Stage {
    /// Of the whole motion; of all that stands if nothing moves.
    pub(super) fn extent(&self) -> Extent {
        let own: Vec<Vec<Vec3>> = (0..self.bodies.len()).map(|body| self.outer_points(body)).collect();
        let times = self.times();
        let placed = |body: usize, time: f64| {
            let pose = self.pose(body, time);
            own[body].iter().filter_map(move |p| pose.map(|pose| pose.transform_point(p)))
        };
        let step = times.len().div_ceil(LOOKS).max(1);
        let moving = || (0..self.bodies.len()).filter(|body| self.bodies[*body].moves);
        let looks = || times.iter().step_by(step).chain(times.last());
        let mut points: Vec<Vec3> = moving()
            .flat_map(|body| looks().flat_map(move |time| placed(body, *time)).collect::<Vec<_>>())
            .collect();
        let standing = (0..self.bodies.len()).filter(|body| !self.bodies[*body].moves);
        let Some((low, high)) = bounds(&points) else {
            return Extent::of(standing.flat_map(|body| placed(body, times[0])).collect());
        };
        let around = Vec3::repeat(NEAR * (high - low).norm());
        for body in standing {
            let Some((own_low, own_high)) = bounds(&placed(body, times[0]).collect::<Vec<_>>()) else {
                continue;
            };
            let (low, high) = (own_low.sup(&(low - around)), own_high.inf(&(high + around)));
            if (0..3).all(|axis| low[axis] <= high[axis]) {
                points.extend(corners_of_box(low, high));
            }
        }
        Extent::of(points)
    }

    /// Of the surroundings of a body where it is at a time.
    pub(super) fn extent_around(&self, body: usize, time: f64) -> Extent {
        let reach = self.outer_points(body).iter().map(Vec3::norm).fold(0.0, f64::max);
        let reach = AROUND * if reach > 0.0 { reach } else { 0.1 * self.extent().size };
        let middle = self.pose(body, time).map_or_else(Vec3::zeros, |pose| pose.translation);
        let points = corners_of_box(middle - Vec3::repeat(reach), middle + Vec3::repeat(reach)).to_vec();
        // Arrows from the middle then end inside.
        Extent { points, size: 2.0 * reach }
    }

    /// Corners of the boxes of a body's surfaces; else where something takes hold of it, and its centre of mass (m, in
    /// its frame). Nothing of half-spaces.
    fn outer_points(&self, body: usize) -> Vec<Vec3> {
        let mut points = Vec::new();
        let own = self.surfaces.iter().filter(|surface| surface.body == body);
        for (pose, mesh) in own.filter_map(|surface| Some((surface.pose(), surface.mesh?))) {
            points.extend(self.solids[mesh].box_corners.map(|corner| pose.transform_point(&corner)));
        }
        if points.is_empty() && !self.surfaces.iter().any(|surface| surface.body == body) {
            points.extend(self.attachments(body));
            if !self.bodies[body].fixed {
                points.extend(self.centres.get(body).map(|centre| Vec3::from(*centre)));
            }
        }
        points
    }
}

fn bounds(points: &[Vec3]) -> Option<(Vec3, Vec3)> {
    let (first, rest) = points.split_first()?;
    Some(rest.iter().fold((*first, *first), |(low, high), p| (low.inf(p), high.sup(p))))
}
