//! Geoms: surfaces, and the mass of bodies without <inertial>.

use std::collections::{BTreeMap, BTreeSet};

use carom_engine::Problem;
use carom_geometry::{MassProperties, Shape};
use carom_math::{Pose, Quaternion, Vec3};

use super::super::context::{Context, help_for};
use super::super::mass::of_geometry;
use super::super::mesh::Touching;
use super::super::options::Base;
use super::super::robot::{Geometry, LinkShape, Mask};
use super::compiler::{Compiler, bad_word};
use super::contact;
use super::defaults::View;
use super::mesh_asset::MeshAsset;
use super::{fit, orientation};

/// Attributes that are read, or that say nothing beside others.
pub(super) const ATTRIBUTES: &[&str] = &[
    "class",
    "type",
    "size",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "fromto",
    "mass",
    "density",
    "contype",
    "conaffinity",
    "friction",
    "condim",
    "priority",
    "solref",
    "solimp",
    "solmix",
    "margin",
    "gap",
    "mesh",
    "fitscale",
    "group",
];

/// Density where nothing else is said (kg/m³).
const DENSITY: f64 = 1000.0;

/// A geom in its body's frame.
pub(super) struct ReadGeom {
    /// `None` where there is no shape of ours, or none is wanted.
    pub(super) shape: Option<LinkShape>,
    /// Its mass, if it has any and bodies take theirs from geoms.
    pub(super) solid: Option<MassProperties>,
}

/// Where a geom is read.
pub(super) struct Place<'a> {
    pub(super) frame: &'a Pose,
    pub(super) body: &'a str,
    pub(super) link: usize,
    /// Geoms that pairs name.
    pub(super) paired: &'a BTreeSet<&'a str>,
    /// The body does not move.
    pub(super) is_static: bool,
    /// The body takes its mass from its geoms.
    pub(super) has_mass: bool,
}

/// Reads a geom. `None` after an error.
pub(super) fn read(
    view: &View<'_>,
    place: &Place<'_>,
    compiler: &Compiler,
    meshes: &BTreeMap<String, MeshAsset>,
    context: &Context<'_>,
) -> Option<ReadGeom> {
    let own = view.own();
    own.mark_attributes(ATTRIBUTES);
    let kind = view.text("type").unwrap_or("sphere");
    let bits = |key: &str| view.number(key, context).map_or(1, |x| x as u32);
    let mask = Mask { kind: bits("contype"), affinity: bits("conaffinity") };
    let mask = if mask.kind == 0 && mask.affinity == 0 { Mask::NONE } else { mask };
    let local = placed(view, compiler, context);
    let pose = place.frame.compose(&local.pose);
    let group = view.number("group", context).unwrap_or(0.0);
    let in_group = (compiler.inertia_groups.0..=compiler.inertia_groups.1).contains(&group);
    let is_paired = own.text("name").is_some_and(|name| place.paired.contains(name));
    let is_wanted = context.options.visuals || mask != Mask::NONE || is_paired;
    if kind == "mesh" {
        let touches = mask != Mask::NONE || is_paired;
        let geom = MeshGeom { view, mask, pose, in_group, is_wanted, touches };
        return mesh_geom(&geom, place, compiler, meshes, context);
    }
    let fitted = match view.text("mesh") {
        Some(name) => fitted(view, kind, name, place, compiler, meshes, context)
            .map(|(geometry, fit)| (Some(geometry), pose.compose(&fit))),
        None => geometry(view, kind, local.half_length, place, context).map(|geometry| (geometry, pose)),
    };
    let Some((geometry, pose)) = fitted else {
        // What else is wrong with it is told, too.
        let _ =
            (view.number("mass", context), view.number("density", context), contact::touch(view, context));
        return None;
    };
    let weighs = geometry.as_ref().filter(|_| place.has_mass && in_group);
    let solid = weighs.and_then(|geometry| solid_of(geometry, view, &pose, context));
    if !is_wanted {
        context.left_out("<geom> that touches nothing (--visuals takes it)", own.span);
    }
    let shape =
        geometry.filter(|_| is_wanted).map(|geometry| link_shape(view, place, geometry, pose, mask, context));
    Some(ReadGeom { shape, solid })
}

fn link_shape(
    view: &View<'_>,
    place: &Place<'_>,
    geometry: Geometry,
    pose: Pose,
    mask: Mask,
    context: &Context<'_>,
) -> LinkShape {
    let name = view.own().text("name").unwrap_or(place.body).to_owned();
    let touch = contact::touch(view, context);
    // What only pairs let touch has their margins in MuJoCo, not its own; here it has none.
    let own = contact::margin(view, context);
    let margin = if mask == Mask::NONE { 0.0 } else { own };
    let geom = view.own().text("name").map(str::to_owned);
    LinkShape { name, geometry, pose, mask, touch, margin, geom, of: place.link }
}

pub(super) struct Placed {
    pub(super) pose: Pose,
    /// Of a geom between two points.
    half_length: Option<f64>,
}

/// Pose, from two points or from position and orientation.
pub(super) fn placed(view: &View<'_>, compiler: &Compiler, context: &Context<'_>) -> Placed {
    let Some(v) = view.holder("fromto").and_then(|e| e.numbers_in("fromto", 6..=6, context)) else {
        return Placed { pose: orientation::pose(view, compiler, context), half_length: None };
    };
    let (from, to) = (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]));
    let length = (to - from).norm();
    if length == 0.0 {
        let holder = view.holder("fromto").unwrap_or(view.own());
        let problem =
            Problem::new("E0314", "", format!("both points of {} are the same", view.own().title()));
        context.report(problem.expected("two points apart from each other"), holder.place("fromto"));
        return Placed { pose: Pose::identity(), half_length: Some(1.0) };
    }
    // MuJoCo turns z to the direction from the second point to the first, which shows in boxes.
    let rotation = Quaternion::between(&Vec3::z(), &((from - to) / length)).to_matrix();
    Placed { pose: Pose { rotation, translation: 0.5 * (from + to) }, half_length: Some(0.5 * length) }
}

/// `None` after an error, and inside for what is not taken over.
fn geometry(
    view: &View<'_>,
    kind: &str,
    half_length: Option<f64>,
    place: &Place<'_>,
    context: &Context<'_>,
) -> Option<Option<Geometry>> {
    let own = view.own();
    if kind == "plane" {
        if !place.is_static {
            let problem =
                Problem::new("E0812", "", format!("{} is a plane on a body that moves", own.title()))
                    .help("planes belong into <worldbody>; use a box");
            context.report(problem, own.span);
            return None;
        }
        return Some(Some(Geometry::HalfSpace));
    }
    let needed = match (kind, half_length.is_some()) {
        ("sphere", _) | ("capsule" | "cylinder" | "box" | "ellipsoid", true) => 1,
        ("capsule" | "cylinder", false) => 2,
        ("box" | "ellipsoid", false) => 3,
        ("hfield" | "sdf", _) => {
            let problem = Problem::new("W0801", "", format!("a geom of type {kind} is not taken over"))
                .help("replace it by primitive shapes");
            context.warn_once(kind, problem, own.span);
            return Some(None);
        }
        _ => {
            bad_word(own, "type", kind, "plane, sphere, capsule, ellipsoid, cylinder, box or mesh", context);
            return None;
        }
    };
    let size = view.list("size", context).unwrap_or_default();
    if size.len() < needed || size[..needed].iter().any(|s| *s <= 0.0) {
        let message = format!("{} ({kind}) has the size {size:?}", own.title());
        let holder = view.holder("size").unwrap_or(own);
        context.report(
            Problem::new("E0314", "", message).expected(format!("{needed} lengths > 0")),
            holder.place("size"),
        );
        return None;
    }
    let half = half_length.unwrap_or_else(|| size.get(1).copied().unwrap_or(0.0));
    let halves = || match half_length {
        Some(half) => Vec3::new(size[0], size[0], half),
        None => Vec3::new(size[0], size[1], size[2]),
    };
    Some(Some(match kind {
        "sphere" => Geometry::Sphere { radius: size[0] },
        "capsule" => Geometry::Capsule { radius: size[0], length: 2.0 * half },
        "cylinder" => Geometry::Cylinder { radius: size[0], length: 2.0 * half },
        "box" => Geometry::Box { size: 2.0 * halves() },
        _ => Geometry::Ellipsoid { semi_axes: halves() },
    }))
}

/// Mass properties in the body's frame; `None` without mass.
fn solid_of(
    geometry: &Geometry,
    view: &View<'_>,
    pose: &Pose,
    context: &Context<'_>,
) -> Option<MassProperties> {
    weighed(of_geometry(geometry)?, view, pose, context)
}

/// A solid of density 1 with the geom's mass or density, posed in the body.
fn weighed(
    unit: MassProperties,
    view: &View<'_>,
    pose: &Pose,
    context: &Context<'_>,
) -> Option<MassProperties> {
    let mass = view.number("mass", context);
    let density = view.number("density", context).unwrap_or(DENSITY);
    let key = if mass.is_some() { "mass" } else { "density" };
    let factor = mass.map_or(density, |m| m / unit.mass);
    if factor < 0.0 {
        let message = format!("{key} of {} must not be negative", view.own().title());
        let holder = view.holder(key).unwrap_or(view.own());
        context.report(Problem::new("E0311", "", message).expected("0 or more"), holder.place(key));
        return None;
    }
    let solid = MassProperties { mass: factor * unit.mass, com: unit.com, inertia: unit.inertia * factor };
    (solid.mass > 0.0 && solid.mass.is_finite()).then(|| solid.transformed(pose))
}

/// The mesh that a geom names.
fn asset_of<'m>(
    view: &View<'_>,
    name: &str,
    meshes: &'m BTreeMap<String, MeshAsset>,
    context: &Context<'_>,
) -> Option<&'m MeshAsset> {
    let found = meshes.get(name);
    if found.is_none() {
        let own = view.own();
        let mut problem =
            Problem::new("E0807", "", format!("{} has the mesh \"{name}\", which is not there", own.title()));
        problem.help = help_for(name, meshes.keys().map(String::as_str));
        context.report(problem, view.holder("mesh").unwrap_or(own).place("mesh"));
    }
    found
}

/// A primitive as large as a mesh. `None` after an error.
fn fitted(
    view: &View<'_>,
    kind: &str,
    name: &str,
    place: &Place<'_>,
    compiler: &Compiler,
    meshes: &BTreeMap<String, MeshAsset>,
    context: &Context<'_>,
) -> Option<(Geometry, Pose)> {
    let asset = asset_of(view, name, meshes, context)?;
    let mut mesh = asset.reference(name, compiler, context)?.read(place.body, context);
    let solid = mesh.as_ref().and_then(|mesh| asset.inertia.weigh(mesh, &asset.scale));
    mesh.iter_mut().flat_map(|mesh| &mut mesh.vertices).for_each(|v| v.component_mul_assign(&asset.scale));
    let scale = view.number("fitscale", context).unwrap_or(1.0);
    let bounds = mesh.as_ref().filter(|_| compiler.fit_bounds).map(|mesh| &mesh.vertices[..]);
    let fit = solid.and_then(|solid| fit::to_mesh(kind, &solid, bounds, scale));
    if fit.is_none() {
        let own = view.own();
        let message = format!("{} is no {kind} as large as the mesh \"{name}\"", own.title());
        let problem = Problem::new("E0812", "", message)
            .expected("a sphere, capsule, cylinder, ellipsoid or box, and a mesh that encloses a volume");
        context.report(problem.help("give its size and pose in place of the mesh"), own.place("mesh"));
    }
    fit
}

/// A mesh geom's own part in the reading of geoms.
struct MeshGeom<'v, 'a> {
    view: &'v View<'a>,
    mask: Mask,
    pose: Pose,
    /// Its group counts for the mass of bodies.
    in_group: bool,
    is_wanted: bool,
    touches: bool,
}

/// A mesh: its surface as the options say, its mass from its volume.
fn mesh_geom(
    geom: &MeshGeom<'_, '_>,
    place: &Place<'_>,
    compiler: &Compiler,
    meshes: &BTreeMap<String, MeshAsset>,
    context: &Context<'_>,
) -> Option<ReadGeom> {
    let MeshGeom { view, mask, pose, in_group, is_wanted, touches } = geom;
    let (mask, in_group, is_wanted) = (*mask, *in_group, *is_wanted);
    let own = view.own();
    let name = view.text("mesh").unwrap_or("");
    let holder = view.holder("mesh").unwrap_or(own);
    let asset = asset_of(view, name, meshes, context)?;
    let reference = || asset.reference(name, compiler, context);
    let is_held = place.is_static && context.options.base != Base::Floating;
    let mut solid = None;
    let is_weightless = match view.number("mass", context) {
        Some(mass) => mass == 0.0,
        None => view.number("density", context) == Some(0.0),
    };
    // What does not move may weigh what it likes.
    if place.has_mass && in_group && !is_held && !is_weightless {
        let weighs =
            reference()?.read(place.body, context).and_then(|mesh| asset.inertia.weigh(&mesh, &asset.scale));
        if weighs.is_none() {
            let message = format!(
                "the mass of body \"{}\" is that of the mesh \"{name}\", which encloses no volume that can be read",
                place.body
            );
            let problem = Problem::new("E0812", "", message)
                .expected("a mesh as STL, OBJ or PLY, closed if inertia=\"exact\"");
            context.report(problem.help("give the body an <inertial>"), holder.place("mesh"));
        }
        // A unit ball stands in, so that no more is said about it.
        let ball = Shape::Sphere { radius: 1.0, hollow: false };
        let weighs = weighs.or_else(|| MassProperties::of_shape(&ball, 1.0).ok());
        solid = weighs.and_then(|unit| weighed(unit, view, pose, context));
    }
    if !is_wanted {
        context.left_out("<geom> that touches nothing (--visuals takes it)", own.span);
        return Some(ReadGeom { shape: None, solid });
    }
    // A geom touches as its hull does: MuJoCo's rule.
    let touching = if *touches { Touching::ByHull } else { Touching::Not };
    let shape = reference()?.into_shapes(touching, place.body, pose, context).pop();
    let shape = shape.map(|(geometry, pose)| link_shape(view, place, geometry, pose, mask, context));
    Some(ReadGeom { shape, solid })
}
