//! What finds the contacts of a pair, compiled; what it answers is in `contact/finder.rs`.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use carom_geometry::convex::{ConvexShape, Facets, Grounds, Polyhedron, Rims};
use carom_geometry::planar::{Outline, count_features, feature_name, second_features};
use carom_geometry::{Curvature, PairKernel, Shape};
use carom_math::Vec3;

use super::pairing::PairRequest;
use super::{ArealPair, MeshPair, RegionPair, SurfaceData, System};
use crate::Problem;
use crate::model::{
    ContactLine, Detection, Finder, IntegratorKind, Method, Side, describe, detect, name_of_search,
};

/// What may meet.
#[derive(Clone)]
pub(crate) enum PairSource {
    Surfaces(SurfacePair),
    Convex(ConvexPair),
    Planar(PlanarPair),
    Facets(FacetPair),
    Rims(RimPair),
    Areal(Arc<ArealPair>),
    Regions(Arc<RegionPair>),
    Stop(StopData),
    /// It goes taut and slack by events of its own.
    Cable(CableSource),
}

/// A cable.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CableSource {
    /// Its force element.
    pub(crate) force: usize,
    /// Its constraint group, unless it is elastic.
    pub(crate) group: Option<usize>,
}

impl PairSource {
    /// Its two surfaces as its finder takes them, and whether the first is the model's B; nothing for stops and cables.
    pub(crate) fn surfaces(&self) -> Option<([usize; 2], bool)> {
        match self {
            Self::Surfaces(pair) => Some((pair.kernel_order, pair.swapped)),
            Self::Convex(pair) => Some((pair.surfaces, pair.swapped)),
            Self::Planar(pair) => Some((pair.surfaces, false)),
            Self::Facets(pair) => Some((pair.surfaces, pair.swapped)),
            Self::Rims(pair) => Some((pair.surfaces, pair.swapped)),
            Self::Areal(pair) => Some((pair.meshes.surfaces, false)),
            Self::Regions(pair) => Some((pair.meshes.surfaces, false)),
            Self::Stop(_) | Self::Cable(_) => None,
        }
    }

    /// Has it a coordinate of its own, and no surfaces?
    pub(crate) fn is_single(&self) -> bool {
        matches!(self, Self::Stop(_) | Self::Cable(_))
    }

    /// Its triangle surfaces, where contact is found on triangles.
    pub(crate) fn meshes(&self) -> Option<&Arc<MeshPair>> {
        match self {
            Self::Areal(pair) => Some(&pair.meshes),
            Self::Regions(pair) => Some(&pair.meshes),
            Self::Surfaces(_)
            | Self::Convex(_)
            | Self::Planar(_)
            | Self::Facets(_)
            | Self::Rims(_)
            | Self::Stop(_)
            | Self::Cable(_) => None,
        }
    }

    /// Share of a contact in the stiffness of its pair, where points share it.
    pub(crate) fn manifold_weight(&self) -> Option<fn(usize) -> f64> {
        match self {
            Self::Surfaces(surfaces) => surfaces.kernel.manifold_weight,
            Self::Convex(_)
            | Self::Planar(_)
            | Self::Facets(_)
            | Self::Rims(_)
            | Self::Areal(_)
            | Self::Regions(_)
            | Self::Stop(_)
            | Self::Cable(_) => None,
        }
    }
}

/// Two surfaces that may touch, with the kernel that serves them.
#[derive(Clone)]
pub(crate) struct SurfacePair {
    /// Index of surface A as the kernel takes it, and of B.
    pub(crate) kernel_order: [usize; 2],
    /// The kernel's A is the model's B.
    pub(crate) swapped: bool,
    pub(crate) kernel: &'static PairKernel,
}

/// Two convex solids, or one and a half-space, whose contact is searched for.
#[derive(Clone)]
pub(crate) struct ConvexPair {
    /// Surfaces as the search takes them: a half-space comes second.
    pub(crate) surfaces: [usize; 2],
    /// The search's A is the model's B.
    pub(crate) swapped: bool,
    pub(crate) detection: Detection,
    /// Each may come to stand on faces of the other: after the nearest points, feature 0, come those of its ends.
    pub(crate) stands: Arc<[Stand]>,
}

/// A rigid solid with ends over the faces of another one.
pub(crate) struct Stand {
    pub(crate) rims: Rims,
    pub(crate) grounds: Grounds,
    /// The solid is the second of the pair's surfaces.
    pub(crate) is_second: bool,
    /// Feature of its first point.
    pub(crate) first: usize,
    /// Faces of stands before this one.
    pub(crate) faces_before: usize,
}

impl Stand {
    /// Features of its points.
    pub(crate) fn features(&self) -> Range<usize> {
        self.first..self.first + self.rims.count()
    }
}

/// Two outlines in one plane, or one and a half-space: a contact for every vertex, or edge, that may touch.
#[derive(Clone)]
pub(crate) struct PlanarPair {
    /// Surfaces of the model's A and B.
    pub(crate) surfaces: [usize; 2],
    /// Depth (m) beyond which what is seen under one face could be seen under the one behind.
    pub(crate) skin: f64,
    /// Features of the outlines; after them come second ones of the vertices in a range, which lie in hollows with them.
    features: usize,
    seconds: Range<usize>,
}

impl PlanarPair {
    /// Is a feature the second one of a vertex?
    pub(crate) fn is_second(&self, feature: usize) -> bool {
        feature >= self.features
    }

    /// The outlines' feature that a feature is of.
    pub(crate) fn primary(&self, feature: usize) -> usize {
        if self.is_second(feature) { feature - self.features + self.seconds.start } else { feature }
    }

    /// The other feature of the same vertex.
    pub(crate) fn twin(&self, feature: usize) -> Option<usize> {
        if self.is_second(feature) {
            return Some(self.primary(feature));
        }
        self.seconds.contains(&feature).then(|| feature - self.seconds.start + self.features)
    }
}

/// Two rigid polyhedra or capsules, or one and a half-space: a contact for every vertex and every two edges that may touch.
#[derive(Clone)]
pub(crate) struct FacetPair {
    /// Surfaces as the search takes them: a half-space comes second.
    pub(crate) surfaces: [usize; 2],
    /// Its A is the model's B.
    pub(crate) swapped: bool,
    pub(crate) facets: Arc<Facets>,
}

/// A rigid cylinder, cone or frustum and a half-space: contacts for the points of its round ends.
#[derive(Clone)]
pub(crate) struct RimPair {
    /// The solid's surface and the half-space's.
    pub(crate) surfaces: [usize; 2],
    /// The solid is the model's B.
    pub(crate) swapped: bool,
    pub(crate) rims: Arc<Rims>,
}

/// Stops of a joint coordinate.
#[derive(Clone)]
pub(crate) struct StopData {
    pub(crate) joint: usize,
    pub(crate) axis: usize,
    /// Direction of the axis in F, or of its rotation.
    pub(crate) axis_in_f: Vec3,
    /// Lower and upper bound; infinite where there is none.
    pub(crate) bounds: [f64; 2],
    /// Length (m) by which the coordinate's rate is a speed, where the stop does not give: the model's of an angle, 1 of a length.
    pub(crate) arm: f64,
    /// Size of the numbers that a coordinate of this kind comes from: 1 rad, or the model's length (m). One that a coupling
    /// leads has their rounding, however near zero it is.
    pub(crate) operands: f64,
}

impl StopData {
    /// Sign of the coordinate that the stop pushes to: feature 0 is the lower bound, 1 the upper.
    pub(crate) fn direction(&self, feature: usize) -> f64 {
        if feature == 0 { 1.0 } else { -1.0 }
    }
}

/// Name of the outlines' search in the table of pairs.
const PLANAR_KERNEL: &str = "planar outlines";

/// What finds the contacts of a pair.
pub(super) struct FoundSource {
    pub(super) source: PairSource,
    pub(super) kernel: &'static str,
    /// Of each feature.
    pub(super) curvatures: Vec<Curvature>,
    /// Whether A and B are flat there whatever their other faces are, of each feature.
    pub(super) flat: Vec<[bool; 2]>,
    /// Names of the features; none where there is one.
    pub(super) feature_names: Vec<Cow<'static, str>>,
}

/// What finds the contact of two surfaces by a method.
pub(super) fn find(
    system: &System,
    request: &PairRequest,
    line: &ContactLine,
    path: &str,
) -> Result<FoundSource, Vec<Problem>> {
    let sides = [request.a, request.b].map(|s| Side {
        name: &system.partners.traits[s].name,
        shape: &system.surfaces[s].shape,
        solid: &system.solids[s],
    });
    match detect(line.finder(), sides) {
        Ok(Finder::Kernel { kernel, swapped }) => {
            let are_capsules = sides.iter().all(|side| matches!(side.shape, Shape::Capsule { .. }));
            let facets = are_capsules.then(|| with_facets(system, request, line, swapped)).flatten();
            let found = facets.or_else(|| with_rims(system, request, line, swapped));
            let found = found.or_else(|| with_corners_of_ends(system, request, line, swapped));
            Ok(found.unwrap_or_else(|| with_kernel(system, request, kernel, swapped)))
        }
        Ok(Finder::Planar) => with_outlines(system, request, &sides, (line, path)),
        Ok(Finder::Convex { swapped }) => {
            let facets = with_facets(system, request, line, swapped);
            let found = facets.or_else(|| with_rims(system, request, line, swapped));
            let found = found.or_else(|| with_stands(system, request, line, swapped));
            Ok(found.unwrap_or_else(|| with_search(system, request, line.detection, swapped)))
        }
        Ok(Finder::Areal | Finder::Regions) => {
            unreachable!("pairs of triangle surfaces are made on their own")
        }
        Err(refusal) => Err(vec![describe(refusal, line.finder(), sides, path)]),
    }
}

/// The surfaces of a pair in the order of its finder.
fn surfaces_of(request: &PairRequest, swapped: bool) -> [usize; 2] {
    if swapped { [request.b, request.a] } else { [request.a, request.b] }
}

fn with_kernel(
    system: &System,
    request: &PairRequest,
    kernel: &'static PairKernel,
    swapped: bool,
) -> FoundSource {
    let kernel_order = surfaces_of(request, swapped);
    let [first, second] = kernel_order.map(|s| &system.surfaces[s].shape);
    let features = (kernel.features)(first, second);
    FoundSource {
        source: PairSource::Surfaces(SurfacePair { kernel_order, swapped, kernel }),
        kernel: kernel.name,
        curvatures: (0..features).map(|f| (kernel.curvature)(first, second, f)).collect(),
        flat: (0..features)
            .map(|f| {
                let flat = (kernel.is_flat_on_b)(f);
                if swapped { [flat, false] } else { [false, flat] }
            })
            .collect(),
        feature_names: if features > 1 {
            (0..features).map(|f| (kernel.feature_name)(f).into()).collect()
        } else {
            Vec::new()
        },
    }
}

fn with_search(system: &System, request: &PairRequest, detection: Detection, swapped: bool) -> FoundSource {
    let surfaces = surfaces_of(request, swapped);
    let [first, second] = surfaces.map(|s| &system.surfaces[s].shape);
    FoundSource {
        source: PairSource::Convex(ConvexPair { surfaces, swapped, detection, stands: Arc::new([]) }),
        kernel: name_of_search(first, second),
        curvatures: vec![Curvature::Undefined],
        flat: vec![[false; 2]],
        feature_names: Vec::new(),
    }
}

/// Name of the search for features of polyhedra in the table of pairs.
const FACET_KERNEL: &str = "vertices, edges and faces";

/// Of rigid polyhedra and capsules whose contacts are events; time stepping takes all points of a face together.
fn with_facets(
    system: &System,
    request: &PairRequest,
    line: &ContactLine,
    swapped: bool,
) -> Option<FoundSource> {
    if !is_by_events(system, line) {
        return None;
    }
    let surfaces = surfaces_of(request, swapped);
    let polyhedron = |s: usize| system.solids[s].convex().and_then(Polyhedron::of).map(Arc::new);
    let first = polyhedron(surfaces[0])?;
    let facets = match system.surfaces[surfaces[1]].shape {
        Shape::HalfSpace => Facets::new(first, None),
        _ => Facets::new(first, Some(polyhedron(surfaces[1])?)),
    };
    let count = facets.count();
    let sides = if swapped { ["B", "A"] } else { ["A", "B"] };
    (count <= system.partners.features_a_pair).then(|| FoundSource {
        kernel: FACET_KERNEL,
        curvatures: vec![Curvature::Undefined; count],
        flat: vec![[false; 2]; count],
        feature_names: (0..count).map(|feature| facets.name(feature, sides).into()).collect(),
        source: PairSource::Facets(FacetPair { surfaces, swapped, facets: Arc::new(facets) }),
    })
}

/// Are the features of a line's rigid solids contacts of their own?
fn is_by_events(system: &System, line: &ContactLine) -> bool {
    line.method == Method::Nonsmooth
        && system.settings.method != IntegratorKind::Moreau
        && line.detection == Detection::MinimumTranslation
}

/// Name of the points of round ends in the table of pairs.
const RIM_KERNEL: &str = "round ends–half-space";

/// Of a rigid cylinder, cone or frustum over a half-space whose contacts are events.
fn with_rims(
    system: &System,
    request: &PairRequest,
    line: &ContactLine,
    swapped: bool,
) -> Option<FoundSource> {
    let surfaces = surfaces_of(request, swapped);
    let is_over_plane = matches!(system.surfaces[surfaces[1]].shape, Shape::HalfSpace);
    let solid = system.solids[surfaces[0]].convex().filter(|_| is_over_plane && is_by_events(system, line));
    let rims = Rims::of(solid?)?;
    let count = rims.count();
    let name = if swapped { "B" } else { "A" };
    Some(FoundSource {
        kernel: RIM_KERNEL,
        curvatures: vec![Curvature::Undefined; count],
        flat: vec![[false; 2]; count],
        feature_names: rims.names(name).map(Into::into).collect(),
        source: PairSource::Rims(RimPair { surfaces, swapped, rims: Arc::new(rims) }),
    })
}

/// Of a cylinder, cone or frustum over a half-space that time stepping keeps apart: it asks a search for corners of the end that is down, as
/// over any other solid. What is known in closed form lies on one diameter, which turns with every tilt: it would walk.
fn with_corners_of_ends(
    system: &System,
    request: &PairRequest,
    line: &ContactLine,
    swapped: bool,
) -> Option<FoundSource> {
    let [first, second] = surfaces_of(request, swapped);
    let is_stepped = line.method == Method::Nonsmooth && system.settings.method == IntegratorKind::Moreau;
    let is_over_plane = matches!(system.surfaces[second].shape, Shape::HalfSpace);
    let solid = system.solids[first].convex().filter(|_| is_stepped && is_over_plane);
    Rims::of(solid?)?;
    Some(with_search(system, request, line.detection, swapped))
}

/// Name of the nearest points of two solids, the first of a pair's contacts beside those of round ends.
const NEAREST: &str = "nearest points";

/// Of two solids, one of them a rigid cylinder, cone or frustum, whose contacts are events.
fn with_stands(
    system: &System,
    request: &PairRequest,
    line: &ContactLine,
    swapped: bool,
) -> Option<FoundSource> {
    let surfaces = surfaces_of(request, swapped);
    let [first, second] = surfaces.map(|s| system.solids[s].convex().filter(|_| is_by_events(system, line)));
    let is_round = |shape: Option<&ConvexShape>| shape.is_some_and(|shape| Rims::of(shape).is_some());
    if !is_round(first) && !is_round(second) {
        return None;
    }
    let (mut stands, mut features, mut faces) = (Vec::new(), 1, 0);
    for (solid, other, is_second) in [(first, second, false), (second, first, true)] {
        let rims = solid.and_then(|solid| Rims::of(solid).or_else(|| Rims::of_corners(solid)));
        let rims = rims.filter(|rims| rims.count() <= system.partners.features_a_pair);
        let grounds = other.and_then(|other| Grounds::of(other, system.partners.features_a_pair));
        let Some((rims, grounds)) = rims.zip(grounds) else { continue };
        let (first, faces_before) = (features, faces);
        features += rims.count();
        faces += grounds.count();
        stands.push(Stand { rims, grounds, is_second, first, faces_before });
    }
    if stands.is_empty() {
        return None;
    }
    let mut found = with_search(system, request, line.detection, swapped);
    found.curvatures.resize(features, Curvature::Undefined);
    found.flat.resize(features, [false; 2]);
    found.feature_names.push(NEAREST.into());
    for stand in &stands {
        let name = if stand.is_second != swapped { "B" } else { "A" };
        found.feature_names.extend(stand.rims.names(name).map(Into::into));
    }
    if let PairSource::Convex(pair) = &mut found.source {
        pair.stands = stands.into();
    }
    Some(found)
}

/// Sine of the angle between two planes below which they are one.
const ONE_PLANE: f64 = 1e-9;

fn with_outlines(
    system: &System,
    request: &PairRequest,
    sides: &[Side<'_>; 2],
    (line, path): (&ContactLine, &str),
) -> Result<FoundSource, Vec<Problem>> {
    let surfaces = [request.a, request.b];
    let [a, b] = surfaces.map(|s| &system.surfaces[s]);
    let bodies = system.bodies_at_start();
    let normal = |surface: &SurfaceData| bodies[surface.body].orientation.to_matrix() * surface.pose.z_axis();
    let [na, nb] = [a, b].map(normal);
    let has_half_space = [a, b].iter().any(|s| matches!(s.shape, Shape::HalfSpace));
    let off = if has_half_space { na.dot(&nb).abs() } else { na.cross(&nb).norm() };
    if off > ONE_PLANE {
        let message = format!(
            "\"{}\" and \"{}\" do not lie in one plane: planar shapes touch in theirs only",
            sides[0].name, sides[1].name
        );
        let help = "give all of them the plane of [world], and half-spaces a normal in it";
        return Err(vec![Problem::new("E0421", path, message).help(help)]);
    }
    let features = count_features(&a.shape, &b.shape);
    let is_rigid = line.method == Method::Nonsmooth;
    let seconds = if is_rigid { second_features(&a.shape, &b.shape) } else { 0..0 };
    let name = |feature: usize| feature_name(&a.shape, &b.shape, feature);
    let mut names: Vec<Cow<'static, str>> = (0..features).map(|f| name(f).into()).collect();
    names.extend(seconds.clone().map(|f| Cow::Owned(format!("{}, second edge", name(f)))));
    if features == 1 {
        names.clear();
    }
    let count = features + seconds.len();
    Ok(FoundSource {
        source: PairSource::Planar(PlanarPair {
            surfaces,
            skin: find_skin(&a.shape, &b.shape),
            features,
            seconds,
        }),
        kernel: PLANAR_KERNEL,
        curvatures: vec![Curvature::Undefined; count],
        flat: vec![[false; 2]; count],
        feature_names: names,
    })
}

/// Share of the thickness of an outline, or of half of it for a circle, that may be entered.
const SKIN_SHARE: f64 = 0.9;

/// Depth of the skin of two outlines (m): a vertex may not come through the thinner one, nor the centre of a circle past its
/// middle. Thinner parts of concave outlines are not looked for. A half-space has no other side.
fn find_skin(a: &Shape, b: &Shape) -> f64 {
    let outlines = [a, b].map(|shape| match shape {
        Shape::Planar(planar) => Some(&planar.outline),
        _ => None,
    });
    match outlines {
        [Some(Outline::Polygon(_)), Some(Outline::Polygon(_))] => {
            2.0 * SKIN_SHARE * a.smallest_length().min(b.smallest_length())
        }
        [Some(Outline::Circle { radius }), Some(Outline::Polygon(_))] => {
            radius + SKIN_SHARE * b.smallest_length()
        }
        [Some(Outline::Polygon(_)), Some(Outline::Circle { radius })] => {
            radius + SKIN_SHARE * a.smallest_length()
        }
        [Some(Outline::Circle { radius: a }), Some(Outline::Circle { radius: b })] => SKIN_SHARE * (a + b),
        _ => f64::INFINITY,
    }
}
