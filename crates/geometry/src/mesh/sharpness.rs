use carom_math::Vec3;

use super::form::{FLAT_ANGLE, Facet, angle_between};
use super::weld::find_representatives;
use super::{EdgeSides, TriangleMesh};

/// Nothing is sharper: a blade of 28° (its faces fall off from the edge by 76°).
const SHARPEST: f64 = 4.0;

/// How steeply a surface falls off from the edges and corners of a triangle that stick out: the tangent of the angle to the plane
/// that touches it there. An edge of a cube has 1, its corner √2, a facet of a fine sphere next to nothing; flat and hollow ones have 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sharpness {
    /// From each corner to the next.
    pub edges: [f64; 3],
    /// Of the corners.
    pub corners: [f64; 3],
    /// Which of the edges, outwards or not, end the flat face, and at which corners one does.
    pub bends: [[bool; 3]; 2],
}

impl Sharpness {
    /// By triangle of a valid mesh. Vertices at equal positions count as one, edges without neighbour as right angles.
    pub fn of(mesh: &TriangleMesh) -> Vec<Self> {
        let corners: Vec<[Vec3; 3]> = mesh.corners().collect();
        let facets: Vec<Facet> = corners.iter().map(Facet::of).collect();
        let mut sharpness = vec![Self::default(); corners.len()];
        let sides = EdgeSides::of(mesh);
        for [one, other] in sides.pairs() {
            let [a, b] = [one, other].map(|side| &facets[side.triangle as usize]);
            if a.area > 0.0 && b.area > 0.0 {
                let angle = angle_between(a, b, [one, other], &corners);
                for side in [one, other] {
                    let (own, corner) = (&mut sharpness[side.triangle as usize], usize::from(side.corner));
                    own.edges[corner] = if angle < FLAT_ANGLE { 0.0 } else { steepness(0.5 * angle) };
                    own.bends[0][corner] = angle.abs() >= FLAT_ANGLE;
                }
            }
        }
        for side in sides.unpaired() {
            let (own, corner) = (&mut sharpness[side.triangle as usize], usize::from(side.corner));
            (own.edges[corner], own.bends[0][corner]) = (1.0, true);
        }
        let same = find_representatives(&mesh.vertices, 0.0);
        let mut outward = vec![Vec3::zeros(); mesh.vertices.len()];
        let mut sharpest = vec![0.0_f64; mesh.vertices.len()];
        let mut is_bent = vec![false; mesh.vertices.len()];
        let vertex =
            |triangle: usize, corner: usize| same[mesh.triangles[triangle][corner] as usize] as usize;
        for (triangle, [a, b, c]) in corners.iter().enumerate() {
            let edges = [b - a, c - b, a - c];
            for k in 0..3 {
                // Weights by the angle at the corner: cuts through a face do not turn the mean.
                let (to, from) = (edges[k], -edges[(k + 2) % 3]);
                let angle = libm::atan2(to.cross(&from).norm(), to.dot(&from));
                outward[vertex(triangle, k)] += facets[triangle].normal * angle;
                for end in [k, (k + 1) % 3] {
                    let (own, end) = (&sharpness[triangle], vertex(triangle, end));
                    sharpest[end] = sharpest[end].max(own.edges[k]);
                    is_bent[end] |= own.bends[0][k];
                }
            }
        }
        // Where an edge ends that sticks out, the faces around may fall off more steeply than along it.
        let mut steepest = sharpest.clone();
        for (triangle, facet) in facets.iter().enumerate().filter(|(_, facet)| facet.area > 0.0) {
            for at in [0, 1, 2].map(|k| vertex(triangle, k)).into_iter().filter(|&at| sharpest[at] > 0.0) {
                let (normal, mean) = (&facet.normal, &outward[at]);
                let angle = libm::atan2(normal.cross(mean).norm(), normal.dot(mean));
                steepest[at] = steepest[at].max(steepness(angle));
            }
        }
        for (triangle, own) in sharpness.iter_mut().enumerate() {
            own.corners = [0, 1, 2].map(|k| steepest[vertex(triangle, k)]);
            own.bends[1] = [0, 1, 2].map(|k| is_bent[vertex(triangle, k)]);
        }
        sharpness
    }

    /// The steepest of its edges and corners.
    pub fn steepest(&self) -> f64 {
        self.edges.iter().chain(&self.corners).fold(0.0, |so_far, &own| f64::max(so_far, own))
    }
}

fn steepness(angle: f64) -> f64 {
    if angle < std::f64::consts::FRAC_PI_2 { libm::tan(angle).min(SHARPEST) } else { SHARPEST }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Resolution, block, rectangle, sphere};

    #[test]
    fn edges_of_a_cube_fall_off_by_half_a_right_angle() {
        let all = Sharpness::of(&block(Vec3::repeat(0.1), Resolution::Divisions(2)).unwrap());
        for own in &all {
            for value in own.edges {
                assert!(value == 0.0 || (value - 1.0).abs() < 1e-12, "{own:?}");
            }
            for value in own.corners {
                let known = [0.0, 1.0, 2.0_f64.sqrt()];
                assert!(known.iter().any(|k| (value - k).abs() < 1e-12), "{own:?}");
            }
        }
        // Two of the sides of a square on each of twelve edges; of the corners eight, by three squares or more each.
        assert_eq!(all.iter().flat_map(|own| own.edges).filter(|e| *e > 0.0).count(), 2 * 2 * 12);
        assert!(all.iter().any(|own| own.steepest() > 1.4));
    }

    #[test]
    fn hollows_are_not_sharp_and_borders_are() {
        let mut bowl = block(Vec3::repeat(0.1), Resolution::Divisions(1)).unwrap();
        bowl.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        let hollow = Sharpness::of(&bowl);
        assert!(hollow.iter().all(|own| own.steepest() == 0.0 && own.bends[1] == [true; 3]));
        assert!(hollow.iter().all(|own| own.bends[0].iter().filter(|bend| **bend).count() == 2));
        let sheet = rectangle(1.0, 1.0, Resolution::Divisions(1)).unwrap();
        for own in Sharpness::of(&sheet) {
            assert_eq!(own.edges.iter().filter(|e| **e == 1.0).count(), 2);
            assert_eq!(own.corners, [1.0; 3]);
        }
    }

    /// A chord of length h of a sphere turns by h/R from one facet to the next.
    #[test]
    fn facets_of_a_fine_sphere_are_hardly_sharp() {
        let steepest = |facets| {
            let all = Sharpness::of(&sphere(0.2, Resolution::Facets(facets)).unwrap());
            all.iter().map(Sharpness::steepest).fold(0.0, f64::max)
        };
        assert!(steepest(20_000) < 0.03 && steepest(20_000) > 0.3 * steepest(2000));
    }
}
