//! Triangle surfaces for the oracle: the distance of two by trying all pairs of triangles, of which bounding balls of
//! triangles and of groups leave out those that cannot be nearest.

use carom_geometry::TriangleMesh;
use carom_math::{Pose, Vec3};

use crate::distance::{Triangle, point_triangle, triangle_triangle};

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

    /// Bound of the distance of what two of them hold.
    fn apart(&self, other: &Self) -> f64 {
        (self.centre - other.centre).norm() - self.radius - other.radius
    }
}

/// A triangle surface in its frame.
#[derive(Clone, Debug)]
pub(crate) struct Facets {
    triangles: Vec<Triangle>,
    balls: Vec<Ball>,
    groups: Vec<Ball>,
    /// Of so many groups.
    clusters: Vec<Ball>,
    /// Lowest and highest coordinates.
    bounds: [Vec3; 2],
    /// Encloses a volume.
    pub(crate) closed: bool,
    /// Its triangles are seen from within: the solid is around it.
    pub(crate) hollow: bool,
}

impl Facets {
    pub(crate) fn new(mesh: &TriangleMesh, closed: bool) -> Self {
        let mut triangles: Vec<Triangle> = mesh.corners().collect();
        gather(&mut triangles);
        let balls = triangles.iter().map(|t| Ball::around(t)).collect();
        let groups = triangles.chunks(GROUP).map(|group| Ball::around(group.as_flattened())).collect();
        let clusters = triangles.chunks(GROUP * GROUP).map(|c| Ball::around(c.as_flattened())).collect();
        Self { triangles, balls, groups, clusters, bounds: mesh.bounds().into(), closed, hollow: false }
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
        let moved = |balls: &[Ball]| -> Vec<Ball> {
            balls.iter().map(|b| Ball { centre: x.transform_point(&b.centre), ..*b }).collect()
        };
        let (groups, clusters) = (moved(&other.groups), moved(&other.clusters));
        let range = |count: usize, cluster: usize| cluster * GROUP..count.min((cluster + 1) * GROUP);
        let mut least = f64::INFINITY;
        for (bound, i, j) in by_distance(&self.clusters, &clusters) {
            if bound >= least {
                break;
            }
            let (first, second) = (range(self.groups.len(), i), range(groups.len(), j));
            for (bound, k, m) in by_distance(&self.groups[first.clone()], &groups[second.clone()]) {
                if bound >= least {
                    break;
                }
                least = self.distance_of_groups(other, x, [first.start + k, second.start + m], least);
            }
        }
        least
    }

    fn distance_of_groups(&self, other: &Self, x: &Pose, [i, j]: [usize; 2], least: f64) -> f64 {
        let range = |count: usize, group: usize| group * GROUP..count.min((group + 1) * GROUP);
        let mut least = least;
        let all = other.groups[j];
        let all_at = x.transform_point(&all.centre);
        for k in range(self.triangles.len(), i) {
            let (s, ball) = (&self.triangles[k], &self.balls[k]);
            if point_triangle(&all_at, s) - all.radius >= least {
                continue;
            }
            for m in range(other.triangles.len(), j) {
                let centre = x.transform_point(&other.balls[m].centre);
                let radius = other.balls[m].radius;
                // The ball of the smaller one against the larger one itself.
                if (ball.centre - centre).norm() - ball.radius - radius >= least
                    || (radius < ball.radius && point_triangle(&centre, s) - radius >= least)
                {
                    continue;
                }
                let t = other.triangles[m].map(|p| x.transform_point(&p));
                if radius < ball.radius || point_triangle(&ball.centre, &t) - ball.radius < least {
                    least = least.min(triangle_triangle(s, &t));
                }
            }
        }
        least
    }

    /// Is a point in the solid that it bounds?
    pub(crate) fn holds(&self, p: &Vec3) -> bool {
        let [low, high] = &self.bounds;
        let boxed = (0..3).all(|k| low[k] < p[k] && p[k] < high[k]);
        if self.hollow {
            !boxed || self.winding(p) > -0.5
        } else {
            self.closed && boxed && self.winding(p) > 0.5
        }
    }

    /// Times that the surface winds round a point: the sum of the solid angles of its triangles over 4π (van Oosterom &
    /// Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125, eq. 8).
    fn winding(&self, p: &Vec3) -> f64 {
        let angle = |t: &Triangle| {
            let [a, b, c] = t.map(|v| v - p);
            let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
            let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
            2.0 * libm::atan2(a.dot(&b.cross(&c)), below)
        };
        self.triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }
}

/// All pairs by the bounds of their distances.
fn by_distance(first: &[Ball], second: &[Ball]) -> Vec<(f64, usize, usize)> {
    let with = |(i, a): (usize, &Ball)| {
        let a = *a;
        second.iter().enumerate().map(move |(j, b)| (a.apart(b), i, j))
    };
    let mut pairs: Vec<(f64, usize, usize)> = first.iter().enumerate().flat_map(with).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs
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
