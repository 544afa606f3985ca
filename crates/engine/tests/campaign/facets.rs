//! Triangle surfaces for the oracle: the distance of two by trying all pairs of triangles, of which bounding balls of
//! triangles and of groups leave out those that cannot be nearest.

use carom_geometry::TriangleMesh;
use carom_math::{Pose, Vec3};

use crate::distance::{Triangle, triangle_triangle};

/// Triangles of a group.
const GROUP: usize = 8;

/// A ball around a piece of a surface.
#[derive(Clone, Copy, Debug)]
struct Ball {
    centre: Vec3,
    radius: f64,
}

impl Ball {
    fn around(points: &[Vec3]) -> Self {
        let mut centre = Vec3::zeros();
        points.iter().for_each(|p| centre += p / points.len() as f64);
        let radius = points.iter().map(|p| (p - centre).norm()).fold(0.0, f64::max);
        Self { centre, radius: radius * (1.0 + 1e-12) }
    }
}

/// A triangle surface in its frame.
#[derive(Clone, Debug)]
pub(crate) struct Facets {
    triangles: Vec<Triangle>,
    balls: Vec<Ball>,
    groups: Vec<Ball>,
    /// Encloses a volume.
    pub(crate) closed: bool,
}

impl Facets {
    pub(crate) fn new(mesh: &TriangleMesh, closed: bool) -> Self {
        let mut triangles: Vec<Triangle> = mesh.corners().collect();
        gather(&mut triangles);
        let balls = triangles.iter().map(|t| Ball::around(t)).collect();
        let groups = triangles.chunks(GROUP).map(|group| Ball::around(group.as_flattened())).collect();
        Self { triangles, balls, groups, closed }
    }

    pub(crate) fn triangles(&self) -> &[Triangle] {
        &self.triangles
    }

    pub(crate) fn corners(&self) -> impl Iterator<Item = &Vec3> {
        self.triangles.iter().flatten()
    }

    /// Least of a distance over the triangles, none of which is farther from it than `from_point` of its centre says: the
    /// distance of a point of the surface changes by no more than the way to another point.
    pub(crate) fn least(
        &self,
        from_point: &dyn Fn(&Vec3) -> f64,
        of_triangle: &dyn Fn(&Triangle) -> f64,
    ) -> f64 {
        let bound = |ball: &Ball| from_point(&ball.centre) - ball.radius;
        let mut groups: Vec<(f64, usize)> = self.groups.iter().map(bound).zip(0..).collect();
        groups.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut least = f64::INFINITY;
        for (bound_of_group, group) in groups {
            if bound_of_group >= least {
                break;
            }
            let range = group * GROUP..self.triangles.len().min((group + 1) * GROUP);
            for k in range {
                if bound(&self.balls[k]) < least {
                    least = least.min(of_triangle(&self.triangles[k]));
                }
            }
        }
        least
    }

    /// Distance to another surface in pose `x` in this one's frame; zero where they intersect.
    pub(crate) fn distance(&self, other: &Self, x: &Pose) -> f64 {
        let centres: Vec<Vec3> = other.groups.iter().map(|g| x.transform_point(&g.centre)).collect();
        let mut pairs = Vec::with_capacity(self.groups.len() * centres.len());
        for (i, a) in self.groups.iter().enumerate() {
            for (j, b) in other.groups.iter().enumerate() {
                pairs.push(((a.centre - centres[j]).norm() - a.radius - b.radius, i, j));
            }
        }
        let first = pairs.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, i, j)) = first else { return f64::INFINITY };
        let mut least = self.distance_of_groups(other, x, [i, j], f64::INFINITY);
        for &(bound, i, j) in &pairs {
            if bound < least {
                least = self.distance_of_groups(other, x, [i, j], least);
            }
        }
        least
    }

    fn distance_of_groups(&self, other: &Self, x: &Pose, [i, j]: [usize; 2], least: f64) -> f64 {
        let range = |count: usize, group: usize| group * GROUP..count.min((group + 1) * GROUP);
        let mut least = least;
        for m in range(other.triangles.len(), j) {
            let t = other.triangles[m].map(|p| x.transform_point(&p));
            let centre = x.transform_point(&other.balls[m].centre);
            for k in range(self.triangles.len(), i) {
                let bound =
                    (self.balls[k].centre - centre).norm() - self.balls[k].radius - other.balls[m].radius;
                if bound < least {
                    least = least.min(triangle_triangle(&self.triangles[k], &t));
                }
            }
        }
        least
    }

    /// Times that the surface winds round a point: the sum of the solid angles of its triangles over 4π (van Oosterom &
    /// Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125, eq. 8).
    pub(crate) fn winding(&self, p: &Vec3) -> f64 {
        let angle = |t: &Triangle| {
            let [a, b, c] = t.map(|v| v - p);
            let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * libm::atan2(a.dot(&b.cross(&c)), below)
        };
        self.triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }
}

/// Puts triangles near each other into the same group: halves at the median of the longest extent, again and again.
fn gather(triangles: &mut [Triangle]) {
    if triangles.len() <= GROUP {
        return;
    }
    let centre = |t: &Triangle| (t[0] + t[1] + t[2]) / 3.0;
    let (mut low, mut high) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    for c in triangles.iter().map(centre) {
        (low, high) = (low.inf(&c), high.sup(&c));
    }
    let axis = (high - low).imax();
    triangles.sort_by(|a, b| centre(a)[axis].total_cmp(&centre(b)[axis]));
    let half = (triangles.len() / GROUP).div_ceil(2).max(1) * GROUP;
    let (first, second) = triangles.split_at_mut(half);
    gather(first);
    gather(second);
}
