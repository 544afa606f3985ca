//! What a surface is bounded by about a place on it.

use carom_math::Vec3;

use super::ClearanceTree;

impl ClearanceTree {
    /// Whether something holds for all outward directions about a place on a triangle, which is on an edge or in a corner of it, within a
    /// distance (m): for the normals of the triangles that meet there and, straight behind borders, of the walls in which the solid ends.
    /// False for places within faces, and where more than two triangles share an edge or two are turned against each other.
    pub fn all_about(
        &self,
        triangle: u32,
        place: &Vec3,
        within: f64,
        mut holds: impl FnMut(u32, &Vec3) -> bool,
    ) -> bool {
        let (corners, vertices) = (self.triangle(triangle), self.vertices[triangle as usize]);
        let mut at_corner = (0..3).filter(|k| (corners[*k] - place).norm() <= within);
        let mut on_edge =
            (0..3).filter(|k| distance_of_line(&corners[*k], &corners[(*k + 1) % 3], place) <= within);
        match (at_corner.next(), at_corner.next(), on_edge.next(), on_edge.next()) {
            (Some(k), None, ..) => {
                let vertex = vertices[k];
                self.with(vertex).all(|t| {
                    let at = |corner: u32| corner == vertex;
                    self.holds_of(t, |from, to| at(from) || at(to), &mut holds)
                })
            }
            (None, None, Some(k), None) => {
                let edge = [vertices[k], vertices[(k + 1) % 3]];
                self.with(edge[0]).filter(|t| self.vertices[*t as usize].contains(&edge[1])).all(|t| {
                    self.holds_of(t, |from, to| edge.contains(&from) && edge.contains(&to), &mut holds)
                })
            }
            _ => false,
        }
    }

    /// Whether something holds for the normal of any triangle that meets a triangle at a place on an edge or in a corner of it, within a distance (m).
    pub fn any_beside(
        &self,
        triangle: u32,
        place: &Vec3,
        within: f64,
        mut holds: impl FnMut(u32, &Vec3) -> bool,
    ) -> bool {
        let (corners, vertices) = (self.triangle(triangle), self.vertices[triangle as usize]);
        let mut holds_of = |t: u32| self.unit_normal(t).is_some_and(|normal| holds(t, &normal));
        (0..3).any(|k| {
            let next = (k + 1) % 3;
            let is_at_corner = (corners[k] - place).norm() <= within;
            let is_on_edge = distance_of_line(&corners[k], &corners[next], place) <= within;
            let meets = |t: &u32| is_at_corner || self.vertices[*t as usize].contains(&vertices[next]);
            (is_at_corner || is_on_edge) && self.with(vertices[k]).filter(meets).any(&mut holds_of)
        })
    }

    /// Whether it holds for the normal of a triangle and the walls behind some of its edges, which have no other triangle, or one.
    fn holds_of(
        &self,
        triangle: u32,
        is_about: impl Fn(u32, u32) -> bool,
        holds: &mut impl FnMut(u32, &Vec3) -> bool,
    ) -> bool {
        let (corners, vertices) = (self.triangle(triangle), self.vertices[triangle as usize]);
        let Some(normal) = self.unit_normal(triangle) else { return false };
        holds(triangle, &normal)
            && (0..3).map(|k| (k, (k + 1) % 3)).filter(|(i, j)| is_about(vertices[*i], vertices[*j])).all(
                |(i, j)| match self.count_along(vertices[i], vertices[j]) {
                    [1, 1] => true,
                    [1, 0] => (corners[j] - corners[i])
                        .cross(&normal)
                        .try_normalize(0.0)
                        .is_some_and(|wall| holds(triangle, &wall)),
                    _ => false,
                },
            )
    }

    /// Unit normal of a triangle as its corners go around; none of one without an area.
    fn unit_normal(&self, triangle: u32) -> Option<Vec3> {
        let [a, b, c] = self.triangle(triangle);
        (b - a).cross(&(c - a)).try_normalize(0.0)
    }

    /// Triangles with a vertex; those with equal corners are left out.
    fn with(&self, vertex: u32) -> impl Iterator<Item = u32> {
        let has = move |[a, b, c]: &[u32; 3]| {
            (*a == vertex || *b == vertex || *c == vertex) && a != b && b != c && c != a
        };
        self.vertices.iter().zip(0..).filter(move |(corners, _)| has(corners)).map(|(_, triangle)| triangle)
    }

    /// How many triangles walk an edge this way, and how many the other way.
    fn count_along(&self, from: u32, to: u32) -> [usize; 2] {
        let walk = |t: u32, from: u32, to: u32| {
            let [a, b, c] = self.vertices[t as usize];
            [(a, b), (b, c), (c, a)].contains(&(from, to))
        };
        [(from, to), (to, from)].map(|(p, q)| self.with(from).filter(|t| walk(*t, p, q)).count())
    }
}

/// Distance of a place from the line through two points (m); from the first, if they are one.
fn distance_of_line(from: &Vec3, to: &Vec3, place: &Vec3) -> f64 {
    let (along, way) = (to - from, place - from);
    along.try_normalize(0.0).map_or(way.norm(), |along| along.cross(&way).norm())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TriangleMesh;
    use crate::surface::{Resolution, rectangle};

    /// The directions about a place on a triangle, each once, in the order of their coordinates; none where they do not hold.
    fn directions_about(mesh: &TriangleMesh, triangle: u32, place: Vec3) -> Vec<[i32; 3]> {
        let tree = ClearanceTree::new(mesh).unwrap();
        let mut seen = Vec::new();
        let all = tree.all_about(triangle, &place, 1e-12, |t, direction| {
            assert!(tree.triangle(t).iter().any(|p| (p - place).norm() < 1.5), "{t}");
            seen.push([0, 1, 2].map(|k| libm::round(10.0 * direction[k]) as i32));
            true
        });
        let last = seen.last().copied();
        let is_last = |d: &Vec3| Some([0, 1, 2].map(|k| libm::round(10.0 * d[k]) as i32)) == last;
        assert!(!tree.all_about(triangle, &place, 1e-12, |_, d| !is_last(d)));
        seen.sort_unstable();
        seen.dedup();
        if all { seen } else { Vec::new() }
    }

    /// Of a sheet of two by two squares of a metre, cut by diagonals: at its border walls go straight down.
    #[test]
    fn edges_and_corners_have_normals_and_walls_about_them() {
        let sheet = rectangle(1.0, 1.0, Resolution::Divisions(2)).unwrap();
        let expected_at = |p: &Vec3| {
            let mut expected = vec![[0, 0, 10]];
            for (k, at) in [p.x, p.y].into_iter().enumerate().filter(|(_, at)| at.abs() == 1.0) {
                let mut wall = [0; 3];
                wall[k] = 10 * at as i32;
                expected.push(wall);
            }
            expected.sort_unstable();
            expected
        };
        for (t, corners) in sheet.corners().enumerate() {
            let t = t as u32;
            for (k, corner) in corners.iter().enumerate() {
                let half = 0.5 * (corner + corners[(k + 1) % 3]);
                for place in [*corner, half] {
                    assert_eq!(directions_about(&sheet, t, place), expected_at(&place), "{place:?}");
                }
            }
            let within = (corners[0] + corners[1] + corners[2]) / 3.0;
            assert!(directions_about(&sheet, t, within).is_empty());
        }
    }

    /// A cone of five triangles has five normals about its tip and two about its edges. Where a triangle is turned, or stands twice, there are
    /// none.
    #[test]
    fn places_where_triangles_disagree_are_left_out() {
        let rim = |k: u32| {
            let angle = f64::from(k) * (std::f64::consts::TAU / 5.0);
            Vec3::new(0.3 * libm::cos(angle), 0.3 * libm::sin(angle), 0.5)
        };
        let mut mesh = TriangleMesh { vertices: vec![Vec3::zeros()], triangles: Vec::new() };
        mesh.vertices.extend((0..5).map(rim));
        mesh.triangles.extend((0..5).map(|k| [0, 1 + k, 1 + (k + 1) % 5]));
        let half = 0.5 * mesh.vertices[1];
        assert_eq!(directions_about(&mesh, 0, Vec3::zeros()).len(), 5);
        assert_eq!(directions_about(&mesh, 0, half).len(), 2);
        let (mut turned, mut doubled) = (mesh.clone(), mesh.clone());
        turned.triangles[0].swap(1, 2);
        doubled.triangles.push(mesh.triangles[0]);
        for broken in [turned, doubled] {
            assert!(directions_about(&broken, 0, Vec3::zeros()).is_empty());
            assert!(directions_about(&broken, 0, half).is_empty());
        }
    }
}
