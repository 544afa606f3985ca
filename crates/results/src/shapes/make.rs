//! Triangles of the shapes of a model.

use std::collections::HashSet;
use std::sync::Arc;

use carom_engine::model::{BodyShape, Method, Model};
use carom_engine::record::{AREAL_KERNEL, RunInfo};
use carom_geometry::shape::CylinderSide;
use carom_geometry::{Shape, TriangleMesh};
use carom_math::Quaternion;

use super::links::links;
use super::tube::tube;
use super::{Form, Shapes, Surface};

/// Triangles of a drawn surface: where a model has few of them, and least where it has many.
const FINE: usize = 1200;
const COARSE: usize = 200;
/// Triangles of all drawn surfaces together, about.
const ALL: usize = 100_000;
/// Triangles of a box, which is flat.
const BOX: usize = 12;
/// Divisions of the circle of a tube.
const AROUND: u32 = 64;

impl Shapes {
    /// The shapes of a model, whose run has these names.
    pub fn of(model: &Model, info: &RunInfo) -> Self {
        let touching = Touching::of(model, info);
        let count = model.bodies.iter().map(|body| body.shapes.len()).sum::<usize>().max(1);
        let drawn = (ALL / count).clamp(COARSE, FINE);
        let mut makers: Vec<BodyShape> = Vec::new();
        let mut shapes = Self {
            gravity: model.gravity.into(),
            meshes: Vec::new(),
            surfaces: Vec::new(),
            centres: model.bodies.iter().map(|body| body.com.into()).collect(),
            links: links(model),
        };
        for (body, of_body) in model.bodies.iter().enumerate() {
            for (index, shape) in of_body.shapes.iter().enumerate() {
                let areal = touching.areal.contains(shape.name.as_str());
                let mut drawn_as = shape.clone();
                if !areal {
                    (drawn_as.facets, drawn_as.balanced) = (facets_of(&shape.shape, drawn), false);
                }
                let form = if shape.shape == Shape::HalfSpace {
                    Form::HalfSpace
                } else {
                    let known = makers.iter().position(|known| is_same(known, &drawn_as));
                    let Some(mesh) = known.or_else(|| {
                        shapes.meshes.push(triangles(&drawn_as)?);
                        makers.push(drawn_as.clone());
                        Some(makers.len() - 1)
                    }) else {
                        continue;
                    };
                    Form::Mesh(mesh)
                };
                let touches = touching.named.contains(&(body, index));
                shapes.surfaces.push(surface(body, shape, form, touches, areal));
            }
        }
        shapes
    }
}

/// Surfaces that contact lines name.
struct Touching<'a> {
    /// Index of the body, and of the shape on it.
    named: HashSet<(usize, usize)>,
    /// Paths of those in areal contact.
    areal: HashSet<&'a str>,
}

impl<'a> Touching<'a> {
    fn of(model: &'a Model, info: &'a RunInfo) -> Self {
        let wide = || model.wide_lines.iter().filter(|line| line.line.is_some());
        let named = model.pairs.iter().flat_map(|pair| [pair.a, pair.b]);
        let named = named.chain(wide().flat_map(|line| line.sides.iter().flatten().copied()));
        let listed = info.pairs.iter().filter(|pair| pair.kernel == AREAL_KERNEL);
        let areal = listed.flat_map(|pair| [pair.a.as_str(), pair.b.as_str()]);
        // Pairs of a wide line come up later; what `auto` picks for primitives is never areal contact.
        let is_areal = |line: &usize| model.contact_lines[*line].method == Method::Pcm;
        let of_wide = wide().filter(|line| line.line.as_ref().is_some_and(is_areal));
        let of_wide = of_wide.flat_map(|line| line.sides.iter().flatten());
        let of_wide = of_wide.map(|at| model.bodies[at.body].shapes[at.shape].name.as_str());
        Self { named: named.map(|at| (at.body, at.shape)).collect(), areal: areal.chain(of_wide).collect() }
    }
}

fn surface(body: usize, shape: &BodyShape, form: Form, touches: bool, areal: bool) -> Surface {
    let q = Quaternion::from_matrix(&shape.pose.rotation);
    Surface {
        name: shape.name.clone(),
        body,
        position: shape.pose.translation.into(),
        orientation: [q.w, q.x, q.y, q.z],
        form,
        touches,
        areal,
    }
}

/// Triangles that a picture of a shape needs.
fn facets_of(shape: &Shape, drawn: usize) -> usize {
    if matches!(shape, Shape::Box { .. }) { BOX } else { drawn }
}

/// Do two shapes have the same triangles? Large meshes are shared, and not compared.
fn is_same(a: &BodyShape, b: &BodyShape) -> bool {
    match (&a.shape, &b.shape) {
        (Shape::Mesh(a), Shape::Mesh(b)) => Arc::ptr_eq(a, b),
        (of_a, of_b) => of_a == of_b && (a.facets, a.balanced) == (b.facets, b.balanced),
    }
}

/// Triangles of a shape; none of what cannot be drawn.
fn triangles(shape: &BodyShape) -> Option<Arc<TriangleMesh>> {
    match &shape.shape {
        Shape::Mesh(mesh) => Some(mesh.clone()),
        Shape::Cylinder(c) if c.side == (CylinderSide::Hollow { closed: false }) => {
            Some(Arc::new(tube(c.radius, c.half_length, AROUND)))
        }
        // A model that was compiled has no faults in its sizes.
        _ => shape.triangles()?.ok().map(Arc::new),
    }
}
