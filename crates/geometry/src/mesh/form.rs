use std::f64::consts::FRAC_PI_2;

use carom_math::Vec3;

use super::TriangleMesh;
use super::edges::{EdgeSides, Side};
use super::topology::is_flat;

/// Neighbours whose normals differ by less (rad) are one flat face: rounding of 32-bit coordinates tilts them by no more.
pub(super) const FLAT_ANGLE: f64 = 1e-3;
/// From this angle on (rad, 40°) an edge is a corner of the solid, below it what a curved surface is cut into.
const CORNER_ANGLE: f64 = 0.7;

/// A triangle as a part of the surface around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TriangleForm {
    /// m²; 0 if it is degenerate.
    pub area: f64,
    /// Squares of its edges (m²), the longest first.
    pub edges: [f64; 3],
    /// Principal curvatures outwards of the surface that it is a facet of (1/m), the larger first; 0 where that is flat or hollow.
    pub curvatures: [f64; 2],
    /// The flat face that it belongs to.
    pub face: u32,
}

/// Neighbouring triangles in one plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatFace {
    /// Number of triangles.
    pub triangles: usize,
    /// m².
    pub area: f64,
    /// Radius of gyration about the in-plane axis where it is smallest (m): s/√12 of a rectangle whose shorter edge is s.
    pub gyration: f64,
    /// Longer edge of a rectangle with its largest radius of gyration (m).
    pub length: f64,
    /// Mean angle to the neighbours along its border (rad); corners and edges without neighbour count as right angles.
    pub border_angle: f64,
    /// Whether its whole border is corners and edges without neighbours.
    pub is_cornered: bool,
}

impl FlatFace {
    /// Shorter edge of a rectangle with its radius of gyration (m).
    pub fn width(&self) -> f64 {
        12_f64.sqrt() * self.gyration
    }
}

/// What a surface is made of, as areal contact sees it: curved parts and flat faces.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceForm {
    /// By triangle of the mesh.
    pub triangles: Vec<TriangleForm>,
    /// In the order of their first triangles.
    pub faces: Vec<FlatFace>,
    /// How it turns outwards.
    pub turning: Turning,
}

/// Integral of a surface's mean curvature where it turns outwards (m): half of Σ ℓ θ over the edges of length ℓ between triangles
/// that turn by θ. A ball has 4 π R, the edges of a cube of edge a have 3 π a.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turning {
    /// At edges of less than 40°: what curved surfaces are cut into.
    pub curved: f64,
    /// At sharper ones, and at those without neighbour, which count as right angles.
    pub sharp: f64,
}

impl Turning {
    fn add(&mut self, length: f64, angle: f64) {
        let part = 0.5 * length * angle.max(0.0);
        *(if angle < CORNER_ANGLE { &mut self.curved } else { &mut self.sharp }) += part;
    }
}

impl SurfaceForm {
    /// Of a valid mesh. Vertices at equal positions count as one.
    ///
    /// Curvatures are the eigenvalues of Σ θ ℓ/(A + A′) n ⊗ n over the edges of a triangle of area A, with the area A′
    /// of the neighbour and the angle θ to it (> 0 if the edge sticks out), the edge's length ℓ and the direction n across it
    /// in the triangle's plane (Cohen-Steiner and Morvan, "Restricted Delaunay triangulations and normal cycle", Proc.
    /// Symp. Comput. Geom. 2003, 312–321, each edge shared out by area, so that slivers do not count): exact in the mean
    /// for cylinders and spheres. Corners of the solid, 40° and more, have no part in it.
    pub fn of(mesh: &TriangleMesh) -> Self {
        let corners: Vec<[Vec3; 3]> = mesh.corners().collect();
        let facets: Vec<Facet> = corners.iter().map(Facet::of).collect();
        let mut borders = vec![Border::default(); facets.len()];
        let mut bends = vec![[0.0; 3]; facets.len()];
        let mut faces = Groups::new(facets.len());
        let mut turning = Turning::default();
        let sides = EdgeSides::of(mesh);
        for [one, other] in sides.pairs() {
            let (a, b) = (&facets[one.triangle as usize], &facets[other.triangle as usize]);
            if a.area == 0.0 || b.area == 0.0 {
                continue;
            }
            let angle = angle_between(a, b, [one, other], &corners);
            if angle.abs() < FLAT_ANGLE {
                faces.join(one.triangle, other.triangle);
                continue;
            }
            let area = 0.5 * (a.area + b.area);
            turning.add(edge_of(&corners[one.triangle as usize], one).norm(), angle);
            for side in [one, other] {
                let triangle = side.triangle as usize;
                let edge = edge_of(&corners[triangle], side);
                borders[triangle].add(edge.norm(), angle);
                if angle.abs() < CORNER_ANGLE {
                    facets[triangle].bend(&mut bends[triangle], &edge, angle / area);
                }
            }
        }
        for side in sides.unpaired() {
            let edge = edge_of(&corners[side.triangle as usize], *side);
            borders[side.triangle as usize].add(edge.norm(), f64::INFINITY);
            turning.add(edge.norm(), FRAC_PI_2);
        }
        let (face_of, faces) = measure_faces(&mut faces, &corners, &facets, &borders);
        let triangles = (0..facets.len())
            .map(|k| TriangleForm {
                area: facets[k].area,
                edges: squared_edges(&corners[k]),
                curvatures: eigenvalues(bends[k]).map(|curvature| curvature.max(0.0)),
                face: face_of[k],
            })
            .collect();
        Self { triangles, faces, turning }
    }
}

/// A triangle with axes in its plane.
pub(super) struct Facet {
    pub(super) area: f64,
    pub(super) normal: Vec3,
    axes: [Vec3; 2],
}

impl Facet {
    pub(super) fn of(corners: &[Vec3; 3]) -> Self {
        let [a, b, c] = corners;
        if is_flat(corners) {
            return Self { area: 0.0, normal: Vec3::zeros(), axes: [Vec3::zeros(); 2] };
        }
        let twice = (b - a).cross(&(c - a));
        let normal = twice.normalize();
        let along = (b - a).normalize();
        Self { area: 0.5 * twice.norm(), normal, axes: [along, normal.cross(&along)] }
    }

    /// Adds an edge to the elements xx, xy, yy of the tensor of curvature, with its angle over the mean area of the
    /// neighbours (1/m²).
    fn bend(&self, tensor: &mut [f64; 3], edge: &Vec3, angle: f64) {
        let length = edge.norm();
        let across = edge.cross(&self.normal) / length;
        let [x, y] = self.axes.map(|axis| axis.dot(&across));
        let weight = 0.5 * angle * length;
        for (element, product) in tensor.iter_mut().zip([x * x, x * y, y * y]) {
            *element += weight * product;
        }
    }
}

/// Lengths of what borders a triangle to other faces.
#[derive(Clone, Copy, Default)]
struct Border {
    length: f64,
    /// Length times angle.
    turned: f64,
    /// Length that is no corner.
    smooth: f64,
}

impl Border {
    fn add(&mut self, length: f64, angle: f64) {
        let is_corner = angle.abs() >= CORNER_ANGLE;
        self.length += length;
        self.turned += length * if is_corner { FRAC_PI_2 } else { angle.abs() };
        self.smooth += if is_corner { 0.0 } else { length };
    }
}

/// Groups of triangles that are joined.
struct Groups(Vec<u32>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn root(&mut self, mut index: u32) -> u32 {
        while self.0[index as usize] != index {
            let above = self.0[self.0[index as usize] as usize];
            self.0[index as usize] = above;
            index = above;
        }
        index
    }

    /// The lower one is the root.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// Angle between the outward normals of two neighbours (rad), > 0 if their edge sticks out. Turned against each other, as
/// their corners go, they are taken for neighbours that are not.
pub(super) fn angle_between(a: &Facet, b: &Facet, [one, other]: [Side; 2], corners: &[[Vec3; 3]]) -> f64 {
    let turn = if one.forward == other.forward { -1.0 } else { 1.0 };
    let m = b.normal * turn;
    let angle = libm::atan2(a.normal.cross(&m).norm(), a.normal.dot(&m));
    let from = corners[one.triangle as usize][usize::from(one.corner)];
    let beyond = corners[other.triangle as usize][(usize::from(other.corner) + 2) % 3];
    if a.normal.dot(&(beyond - from)) < 0.0 { angle } else { -angle }
}

fn edge_of(corners: &[Vec3; 3], side: Side) -> Vec3 {
    let at = usize::from(side.corner);
    corners[(at + 1) % 3] - corners[at]
}

fn squared_edges([a, b, c]: &[Vec3; 3]) -> [f64; 3] {
    let mut edges = [b - a, c - b, a - c].map(|edge| edge.norm_squared());
    edges.sort_by(|x, y| y.total_cmp(x));
    edges
}

/// Of the symmetric matrix (xx, xy; xy, yy), the larger first.
fn eigenvalues([xx, xy, yy]: [f64; 3]) -> [f64; 2] {
    let (middle, half) = (0.5 * (xx + yy), libm::hypot(0.5 * (xx - yy), xy));
    [middle + half, middle - half]
}

/// For each triangle its face, and the faces.
fn measure_faces(
    groups: &mut Groups,
    corners: &[[Vec3; 3]],
    facets: &[Facet],
    borders: &[Border],
) -> (Vec<u32>, Vec<FlatFace>) {
    let mut face_of = Vec::with_capacity(facets.len());
    let mut members: Vec<Vec<u32>> = Vec::new();
    let mut number = vec![0; facets.len()];
    for triangle in 0..facets.len() as u32 {
        let root = groups.root(triangle) as usize;
        // Roots are the lowest of their groups.
        if root == triangle as usize {
            number[root] = members.len() as u32;
            members.push(Vec::new());
        }
        face_of.push(number[root]);
        members[number[root] as usize].push(triangle);
    }
    let measure = |members: &Vec<u32>| measure_face(members, corners, facets, borders);
    (face_of, members.iter().map(measure).collect())
}

fn measure_face(members: &[u32], corners: &[[Vec3; 3]], facets: &[Facet], borders: &[Border]) -> FlatFace {
    let all = || members.iter().map(|&k| (&facets[k as usize], &corners[k as usize]));
    let middle = |[a, b, c]: &[Vec3; 3]| (a + b + c) / 3.0;
    let area: f64 = all().map(|(facet, _)| facet.area).sum();
    let mut border = Border::default();
    for &k in members {
        let Border { length, turned, smooth } = borders[k as usize];
        border.length += length;
        border.turned += turned;
        border.smooth += smooth;
    }
    let largest = all().max_by(|(a, _), (b, _)| a.area.total_cmp(&b.area));
    let mut spread = [0.0; 3];
    if let (Some((Facet { axes, .. }, _)), true) = (largest, area > 0.0) {
        let centre = all().map(|(facet, corners)| middle(corners) * facet.area).sum::<Vec3>() / area;
        for (facet, corners) in all() {
            // ∫ x xᵀ dA = A/12 (Σ v vᵀ + 9 c cᵀ) over the corners v and their mean c, all about the centre.
            let place = |v: &Vec3| axes.map(|axis| axis.dot(&(v - centre)));
            let points = corners.iter().map(|v| (place(v), 1.0));
            for ([x, y], weight) in points.chain([(place(&middle(corners)), 9.0)]) {
                let share = weight * facet.area / (12.0 * area);
                for (sum, product) in spread.iter_mut().zip([x * x, x * y, y * y]) {
                    *sum += share * product;
                }
            }
        }
    }
    let [along, across] = eigenvalues(spread).map(|squared| squared.max(0.0).sqrt());
    FlatFace {
        triangles: members.len(),
        area,
        gyration: across,
        length: 12_f64.sqrt() * along,
        border_angle: if border.length > 0.0 { border.turned / border.length } else { 0.0 },
        is_cornered: border.smooth == 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Resolution, block, cylinder, sphere};

    fn mean_curvature(form: &SurfaceForm, keep: impl Fn(&TriangleForm) -> bool) -> f64 {
        let kept = || form.triangles.iter().filter(|t| keep(t));
        kept().map(|t| t.area * t.curvatures[0]).sum::<f64>() / kept().map(|t| t.area).sum::<f64>()
    }

    /// Chords turn by what arcs do; the larger of two equal curvatures takes the scatter of the facets, 5 % here.
    #[test]
    fn curvatures_of_cylinders_and_spheres() {
        let ball = SurfaceForm::of(&sphere(0.2, Resolution::Facets(2000)).unwrap());
        let curvature = mean_curvature(&ball, |_| true);
        assert!((curvature * 0.2 - 1.0).abs() < 0.06, "{curvature}");
        let rod = SurfaceForm::of(&cylinder(0.2, 0.5, Resolution::Divisions(64)).unwrap());
        let curvature = mean_curvature(&rod, |t| t.curvatures[0] > 0.0);
        assert!((curvature * 0.2 - 1.0).abs() < 0.01, "{curvature}");
        // Its ends are flat and cornered, its side is neither.
        assert_eq!(rod.faces.iter().filter(|face| face.is_cornered).count(), 2);
    }

    #[test]
    fn faces_of_a_block() {
        let form = SurfaceForm::of(&block(Vec3::new(0.5, 0.3, 0.2), Resolution::Divisions(3)).unwrap());
        assert_eq!(form.faces.len(), 6);
        let mut widths: Vec<f64> = form.faces.iter().map(FlatFace::width).collect();
        widths.sort_by(f64::total_cmp);
        for (width, expected) in widths.iter().zip([0.4, 0.4, 0.4, 0.4, 0.6, 0.6]) {
            assert!((width / expected - 1.0).abs() < 1e-12, "{widths:?}");
        }
        assert!(form.faces.iter().all(|face| face.is_cornered && face.border_angle > 1.5));
        assert!(form.triangles.iter().all(|t| t.curvatures == [0.0; 2]));
    }

    /// A hollow is no reason for small patches: seen from inside the sphere has no curvature outwards.
    #[test]
    fn hollows_have_no_curvature() {
        let mut bowl = sphere(0.2, Resolution::Facets(2000)).unwrap();
        bowl.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        assert!(SurfaceForm::of(&bowl).triangles.iter().all(|t| t.curvatures == [0.0; 2]));
    }
}
