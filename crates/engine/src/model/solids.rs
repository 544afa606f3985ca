//! Surfaces as convex solids.

use std::sync::Arc;

use carom_geometry::convex::{ConvexShape, NotConvex};
use carom_geometry::{Shape, TriangleMesh};

use super::{BodyShape, Method, Model, ShapeRef};

/// A surface as the method `convex` sees it.
#[derive(Clone, Debug)]
pub(crate) enum Solid {
    /// A convex solid; of a convex mesh, its hull.
    Convex(ConvexShape),
    /// A half-space, which a convex solid may touch.
    HalfSpace,
    /// The surroundings of a cavity.
    Cavity,
    /// A mesh that is no convex solid.
    Concave(NotConvex),
    /// A mesh that no contact line needs as a solid; an outline, which is none.
    NotAsked,
}

impl Solid {
    /// The convex solid, if it is one.
    pub(crate) fn convex(&self) -> Option<&ConvexShape> {
        match self {
            Self::Convex(solid) => Some(solid),
            Self::HalfSpace | Self::Cavity | Self::Concave(_) | Self::NotAsked => None,
        }
    }
}

/// All surfaces of a model as solids, by body. Whether a mesh is convex takes a while to find out, so that it is only asked
/// for those that contact lines bring to the search, and once for all surfaces that share a mesh.
pub(crate) fn find_solids(model: &Model) -> Vec<Vec<Solid>> {
    let asked = surfaces_to_search(model);
    let mut meshes = Meshes::default();
    let mut of_body = |body: usize| {
        let surfaces = model.bodies[body].shapes.iter().enumerate();
        let solid_of = |(shape, surface): (usize, &'_ BodyShape)| match &surface.shape {
            Shape::HalfSpace => Solid::HalfSpace,
            Shape::Mesh(mesh) if asked.binary_search(&ShapeRef { body, shape }).is_ok() => meshes.find(mesh),
            Shape::Mesh(_) | Shape::Planar(_) => Solid::NotAsked,
            other => ConvexShape::of_shape(other).map_or(Solid::Cavity, Solid::Convex),
        };
        surfaces.map(solid_of).collect()
    };
    (0..model.bodies.len()).map(&mut of_body).collect()
}

/// Meshes that were asked.
#[derive(Default)]
struct Meshes(Vec<(Arc<TriangleMesh>, Solid)>);

impl Meshes {
    fn find(&mut self, mesh: &Arc<TriangleMesh>) -> Solid {
        if let Some((_, solid)) = self.0.iter().find(|(other, _)| Arc::ptr_eq(other, mesh)) {
            return solid.clone();
        }
        let solid = ConvexShape::of_mesh(mesh).map_or_else(Solid::Concave, Solid::Convex);
        self.0.push((Arc::clone(mesh), solid.clone()));
        solid
    }
}

/// Surfaces in pairs whose contacts may be searched for, ascending.
fn surfaces_to_search(model: &Model) -> Vec<ShapeRef> {
    let searches = |line: usize| {
        let method = model.contact_lines.get(line).map(|l| l.finder());
        matches!(method, Some(Method::Convex | Method::Auto))
    };
    let pairs = model.pairs.iter().filter(|p| searches(p.line)).flat_map(|p| [p.a, p.b]);
    let wide = model.wide_lines.iter().filter(|w| w.line.is_some_and(searches));
    let mut surfaces: Vec<ShapeRef> =
        pairs.chain(wide.flat_map(|w| w.sides.iter().flatten().copied())).collect();
    surfaces.sort_unstable();
    surfaces.dedup();
    surfaces
}
