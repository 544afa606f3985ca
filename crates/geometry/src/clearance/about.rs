//! The triangles about a place on a surface.

use carom_math::Vec3;

use super::ClearanceTree;

impl ClearanceTree {
    /// Whether something holds for all triangles about a place on one of them, which is on an edge or in a corner of it, within a distance
    /// (m). False for places within faces, on borders, and where triangles do not go around once.
    pub fn all_about(
        &self,
        triangle: u32,
        place: &Vec3,
        within: f64,
        mut holds: impl FnMut(u32) -> bool,
    ) -> bool {
        let (corners, vertices) = (self.triangle(triangle), self.vertices[triangle as usize]);
        let mut at_corner = (0..3).filter(|k| (corners[*k] - place).norm() <= within);
        let mut on_edge =
            (0..3).filter(|k| distance_of_line(&corners[*k], &corners[(*k + 1) % 3], place) <= within);
        match (at_corner.next(), at_corner.next(), on_edge.next(), on_edge.next()) {
            (Some(k), None, ..) => self.go_around(vertices[k]) && self.with(vertices[k]).all(holds),
            (None, None, Some(k), None) => {
                let (from, to) = (vertices[k], vertices[(k + 1) % 3]);
                let Some(other) = self.only_across(from, to) else { return false };
                self.only_across(to, from).is_some() && holds(triangle) && holds(other)
            }
            _ => false,
        }
    }

    /// Triangles with a vertex; those with equal corners are left out.
    fn with(&self, vertex: u32) -> impl Iterator<Item = u32> {
        let has = move |[a, b, c]: &[u32; 3]| {
            (*a == vertex || *b == vertex || *c == vertex) && a != b && b != c && c != a
        };
        self.vertices.iter().zip(0..).filter(move |(corners, _)| has(corners)).map(|(_, triangle)| triangle)
    }

    /// The triangle that walks an edge backwards, if there is one only.
    fn only_across(&self, from: u32, to: u32) -> Option<u32> {
        let walks_back = |t: &u32| {
            let [a, b, c] = self.vertices[*t as usize];
            [(a, b), (b, c), (c, a)].contains(&(to, from))
        };
        let mut others = self.with(from).filter(walks_back);
        let other = others.next();
        if others.next().is_none() { other } else { None }
    }

    /// Do the triangles with a vertex go around it, once, all the same way?
    fn go_around(&self, vertex: u32) -> bool {
        let next = |t: u32| {
            let [a, b, c] = self.vertices[t as usize];
            if a == vertex {
                b
            } else if b == vertex {
                c
            } else {
                a
            }
        };
        let Some(first) = self.with(vertex).next() else { return false };
        let (mut at, mut count) = (first, 0);
        loop {
            count += 1;
            match self.only_across(vertex, next(at)) {
                Some(other) if self.only_across(next(at), vertex) == Some(at) => at = other,
                _ => return false,
            }
            if at == first || count > self.vertices.len() {
                return count == self.with(vertex).count();
            }
        }
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

    /// How many triangles there are about a place on a triangle; none where they do not go around.
    fn count_about(mesh: &TriangleMesh, triangle: u32, place: Vec3) -> usize {
        let tree = ClearanceTree::new(mesh).unwrap();
        let mut seen = Vec::new();
        let all = tree.all_about(triangle, &place, 1e-12, |t| {
            seen.push(t);
            true
        });
        assert!(!tree.all_about(triangle, &place, 1e-12, |t| Some(&t) != seen.last()));
        for t in &seen {
            let near = tree.triangle(*t).map(|p| (p - place).norm());
            assert!(near.iter().any(|d| *d < 0.8), "{t}: {near:?}");
        }
        if all { seen.len() } else { 0 }
    }

    /// Of a sheet of two by two squares of a metre, cut by diagonals.
    #[test]
    fn inner_edges_and_corners_have_triangles_all_around_and_borders_have_none() {
        let sheet = rectangle(1.0, 1.0, Resolution::Divisions(2)).unwrap();
        let tree = ClearanceTree::new(&sheet).unwrap();
        let middle = tree.vertices.iter().flatten().copied();
        let middle = middle.filter(|v| sheet.vertices[*v as usize] == Vec3::zeros()).count();
        assert!(middle == 4 || middle == 6 || middle == 8);
        for (t, corners) in sheet.corners().enumerate() {
            let t = t as u32;
            let is_border = |p: &Vec3| p.x.abs() == 1.0 || p.y.abs() == 1.0;
            for (k, corner) in corners.iter().enumerate() {
                let expected = if is_border(corner) { 0 } else { middle };
                assert_eq!(count_about(&sheet, t, *corner), expected, "{corner:?}");
                let half = 0.5 * (corner + corners[(k + 1) % 3]);
                let expected = if is_border(&half) { 0 } else { 2 };
                assert_eq!(count_about(&sheet, t, half), expected, "{half:?}");
            }
            let within = (corners[0] + corners[1] + corners[2]) / 3.0;
            assert_eq!(count_about(&sheet, t, within), 0);
        }
    }

    /// Two cones over and under one another that share a tip: about it triangles go around twice. A triangle that is turned, or stands
    /// there twice, breaks the circle.
    #[test]
    fn places_where_triangles_do_not_go_around_once_are_left_out() {
        let rim = |k: u32, z: f64| {
            let angle = f64::from(k) * (std::f64::consts::TAU / 5.0);
            Vec3::new(0.3 * libm::cos(angle), 0.3 * libm::sin(angle), z)
        };
        let mut mesh = TriangleMesh { vertices: vec![Vec3::zeros()], triangles: Vec::new() };
        mesh.vertices.extend((0..5).map(|k| rim(k, 0.5)));
        mesh.triangles.extend((0..5).map(|k| [0, 1 + k, 1 + (k + 1) % 5]));
        let half = 0.5 * mesh.vertices[1];
        assert_eq!(count_about(&mesh, 0, Vec3::zeros()), 5);
        assert_eq!(count_about(&mesh, 0, half), 2);
        let mut twice = mesh.clone();
        twice.vertices.extend((0..5).map(|k| rim(k, -0.5)));
        twice.triangles.extend((0..5).map(|k| [0, 6 + (k + 1) % 5, 6 + k]));
        assert_eq!(count_about(&twice, 0, Vec3::zeros()), 0);
        assert_eq!(count_about(&twice, 0, half), 2);
        let (mut turned, mut doubled) = (mesh.clone(), mesh.clone());
        turned.triangles[0].swap(1, 2);
        doubled.triangles.push(mesh.triangles[0]);
        for broken in [turned, doubled] {
            assert_eq!(count_about(&broken, 0, Vec3::zeros()), 0);
            assert_eq!(count_about(&broken, 0, half), 0);
        }
    }
}
