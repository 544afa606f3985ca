//! Regions at a pose in one line, and the volume of two convex polyhedra by clipping.

use carom_geometry::TriangleMesh;
use carom_geometry::intersection::{Contours, MeshSurface, Overlap, PairSearch, Region, RegionSearch};
use carom_geometry::polygonal::SimdLevel;
use carom_math::{Pose, Quaternion, Vec3};

pub(crate) struct Pair {
    pub(crate) a: MeshSurface,
    pub(crate) b: MeshSurface,
    pub(crate) search: RegionSearch,
}

impl Pair {
    pub(crate) fn new(a: &TriangleMesh, b: &TriangleMesh) -> Self {
        let (a, b) = (MeshSurface::new(a).unwrap(), MeshSurface::new(b).unwrap());
        let search = RegionSearch::new(&a, &b);
        Self { a, b, search }
    }

    pub(crate) fn find(&mut self, x_ba: &Pose) -> Vec<Region> {
        self.search.find(&self.a, &self.b, x_ba).unwrap();
        self.search.regions().to_vec()
    }

    /// The only region.
    pub(crate) fn one(&mut self, x_ba: &Pose) -> (Region, Overlap) {
        let regions = self.find(x_ba);
        assert_eq!(regions.len(), 1, "{regions:#?}");
        (regions[0], regions[0].overlap.expect("closed"))
    }

    /// Sum of the volumes of all regions and of all contained parts.
    pub(crate) fn volume(&mut self, x_ba: &Pose) -> f64 {
        let of_regions: f64 = self.find(x_ba).iter().map(|region| region.overlap.unwrap().volume).sum();
        of_regions + self.search.contained().iter().map(|part| part.volume).sum::<f64>()
    }

    /// What a search for pairs alone finds are the pairs of the segments, whatever instructions it uses.
    pub(crate) fn assert_pairs_are_those_of(&self, contours: &Contours, x_ba: &Pose) {
        let expected: Vec<[u32; 2]> = contours.segments().iter().map(|segment| segment.triangles).collect();
        for simd in SimdLevel::all() {
            let mut search = PairSearch::new(&self.a, &self.b).with_simd(simd);
            assert_eq!(search.find(&self.a, &self.b, x_ba).unwrap(), expected);
        }
    }
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation(Vec3::new(x, y, z))
}

pub(crate) fn turned(axis: Vec3, angle: f64, translation: Vec3) -> Pose {
    Pose { rotation: Quaternion::from_axis_angle(&axis.normalize(), angle).to_matrix(), translation }
}

/// Volume of the convex polyhedron A at a pose in B cut by the half-spaces of the convex polyhedron B: polygons are clipped
/// one plane after the other, and each cut is closed by its cap.
pub(crate) fn overlap_by_clipping(a: &TriangleMesh, b: &TriangleMesh, x_ba: &Pose) -> f64 {
    let mut faces: Vec<Vec<Vec3>> =
        a.corners().map(|corners| corners.map(|p| x_ba.transform_point(&p)).to_vec()).collect();
    for (normal, offset) in planes_of(b) {
        // What lies in the plane to rounding is kept: a cap must not be cut from noise.
        let height = |x: &Vec3| normal.dot(x) - offset - 1e-14;
        let mut cap = Vec::new();
        let mut kept = Vec::new();
        for face in faces {
            let mut clipped = Vec::new();
            for k in 0..face.len() {
                let (from, to) = (face[k], face[(k + 1) % face.len()]);
                let (s, t) = (height(&from), height(&to));
                if s <= 0.0 {
                    clipped.push(from);
                }
                if (s <= 0.0) != (t <= 0.0) {
                    let point = from + s / (s - t) * (to - from);
                    clipped.push(point);
                    cap.push(point);
                }
            }
            if clipped.len() >= 3 {
                kept.push(clipped);
            }
        }
        if cap.len() >= 3 {
            // Points of a convex polygon, by angle about their middle.
            let middle: Vec3 = cap.iter().sum::<Vec3>() / cap.len() as f64;
            let (x, y) = carom_math::orthonormal_basis(&normal);
            let angle = |point: &Vec3| {
                let arm = point - middle;
                libm::atan2(y.dot(&arm), x.dot(&arm))
            };
            cap.sort_by(|m, n| angle(m).total_cmp(&angle(n)));
            kept.push(cap);
        }
        faces = kept;
    }
    let Some(origin) = faces.first().map(|face| face[0]) else { return 0.0 };
    let fan = |face: &Vec<Vec3>| {
        let arm = |k: usize| face[k] - origin;
        (1..face.len() - 1).map(|k| arm(0).dot(&arm(k).cross(&arm(k + 1))) / 6.0).sum::<f64>()
    };
    faces.iter().map(fan).sum()
}

/// One plane n·x = d for all triangles in it.
fn planes_of(mesh: &TriangleMesh) -> Vec<(Vec3, f64)> {
    let mut planes: Vec<(Vec3, f64)> = Vec::new();
    for [p, q, r] in mesh.corners() {
        let normal = (q - p).cross(&(r - p)).normalize();
        let offset = normal.dot(&p);
        if planes.iter().all(|(n, d)| (n - normal).norm() > 1e-12 || (d - offset).abs() > 1e-12) {
            planes.push((normal, offset));
        }
    }
    planes
}
