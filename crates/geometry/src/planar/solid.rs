//! Mass properties and triangles of planar shapes as prisms.

use std::f64::consts::{PI, TAU};

use carom_math::{Mat3, Vec2, Vec3};

use super::triangulate::triangulate;
use super::{Outline, PlanarShape, Polygon};
use crate::{MassFault, MassProperties, ShapeKind, TriangleMesh};

impl PlanarShape {
    /// Mass, centre and inertia about it, filled with `density` (kg/m³). With area A, thickness t, m = ρ A t and the second
    /// moments J_xx = ∫x², J_yy, J_xy of the outline about its centroid: I_zz = ρ t (J_xx + J_yy),
    /// I_xx = ρ t J_yy + m t²/12, I_yy = ρ t J_xx + m t²/12, I_xy = −ρ t J_xy.
    ///
    /// # Errors
    ///
    /// A point has no mass.
    pub fn mass_properties(&self, density: f64) -> Result<MassProperties, MassFault> {
        let (area, centre, [xx, yy, xy]) = match &self.outline {
            Outline::Polygon(polygon) => polygon.moments(),
            Outline::Circle { radius: 0.0 } => return Err(MassFault::Unbounded { kind: ShapeKind::Planar }),
            Outline::Circle { radius } => {
                let square = radius * radius;
                let moment = 0.25 * PI * square * square;
                (PI * square, Vec2::zeros(), [moment, moment, 0.0])
            }
        };
        let per_area = density * self.thickness;
        let mass = per_area * area;
        let across = mass * self.thickness * self.thickness / 12.0;
        let [xx, yy, xy] = [xx, yy, xy].map(|moment| per_area * moment);
        let inertia = Mat3::new(yy + across, -xy, 0.0, -xy, xx + across, 0.0, 0.0, 0.0, xx + yy);
        Ok(MassProperties { mass, com: Vec3::new(centre.x, centre.y, 0.0), inertia })
    }

    /// Triangles of the prism; a circle has so many sides, about. A point has none.
    pub fn prism(&self, sides: usize) -> Option<TriangleMesh> {
        match &self.outline {
            Outline::Polygon(polygon) => Some(prism_of(polygon, self.thickness)),
            Outline::Circle { radius: 0.0 } => None,
            Outline::Circle { radius } => {
                let angle = |k: usize| TAU * k as f64 / sides as f64;
                let points =
                    (0..sides).map(|k| Vec2::new(libm::cos(angle(k)), libm::sin(angle(k))) * *radius);
                Polygon::new(points.collect()).ok().map(|polygon| prism_of(&polygon, self.thickness))
            }
        }
    }
}

fn prism_of(polygon: &Polygon, thickness: f64) -> TriangleMesh {
    let n = polygon.points().len() as u32;
    let layer = |z: f64| polygon.points().iter().map(move |p| Vec3::new(p.x, p.y, z));
    let vertices = layer(-0.5 * thickness).chain(layer(0.5 * thickness)).collect();
    let ends = triangulate(polygon.points());
    let low = ends.iter().map(|&[a, b, c]| [a, c, b]);
    let high = ends.iter().map(|&[a, b, c]| [a + n, b + n, c + n]);
    let around = (0..n).flat_map(|k| {
        let next = (k + 1) % n;
        [[k, next, next + n], [k, next + n, k + n]]
    });
    TriangleMesh { vertices, triangles: low.chain(high).chain(around).collect() }
}
