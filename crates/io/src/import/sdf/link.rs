//! Links: inertial, collisions, and visuals if they are asked for.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use carom_engine::Problem;

use carom_math::{Mat3, Pose};

use super::super::context::Context;
use super::super::mass::{repaired, solid, tensor};
use super::super::mesh::Touching;
use super::super::options::Inertia;
use super::super::robot::{Link, LinkShape, Mask, Part, Robot};
use super::super::xml::Element;
use super::auto_inertia::Weighed;
use super::frames::{Carrier, Frames, Scope};
use super::pose::Stated;
use super::{Reader, geometry};
use crate::finding::Finding;
use crate::source::Span;

/// What touches the floor.
const TOUCHES: Mask = Mask { kind: 1, affinity: 1 };

impl Reader<'_> {
    pub(super) fn link(&mut self, element: &Element, scope: &Scope, is_static: bool, folder: &Path) {
        let context = self.context;
        element.mark();
        let Some(name) = element.required_text("name", context) else { return };
        let (key, span, of) = (scope.key(name), element.place("name"), self.robot.links.len());
        let stated = element.child("pose").and_then(|pose| Stated::read(pose, context)).unwrap_or_default();
        if !self.frames.add(
            key.clone(),
            span,
            stated.within(scope, &scope.model),
            Carrier::Link(of),
            None,
            context,
        ) {
            return element.mark_tree();
        }
        self.frames.enlist_link(&scope.models, &key);
        let own = element.child("self_collide").and_then(|own| own.content_flag(context));
        self.robot.families.add(scope.family, own.unwrap_or(scope.self_collides));
        let mut link = Link::new(self.shown(&key), span);
        if is_static {
            self.fixed.push(of);
        }
        let auto = read_inertial(element, &mut link, is_static, context);
        let mut weighed = auto.map(|inertial| Weighed::new(of, inertial, context));
        let holder = Holder { of, is_static, folder, scope, key: &key };
        let mut names: BTreeMap<&str, Span> = BTreeMap::new();
        for collision in element.all("collision") {
            let (name, span) = (collision.text("name").unwrap_or(""), collision.place("name"));
            if let Some(first) = names.insert(name, span).filter(|_| !name.is_empty()) {
                let message = format!("link \"{}\" has two collisions \"{name}\"", link.name);
                let problem = Problem::new("E0806", "", message).help("rename one");
                context.findings.push(Finding::at(problem, span).related(first, "the first"));
            }
            let shapes = self.shape(collision, TOUCHES, &mut link, &holder);
            if let Some(weighed) = &mut weighed {
                weighed.take(collision, &link, shapes, context);
            }
        }
        if context.options.visuals {
            for visual in element.all("visual") {
                self.shape(visual, Mask::NONE, &mut link, &holder);
            }
        }
        self.weighed.extend(weighed);
        let has_weight = element.child("gravity").and_then(|gravity| gravity.content_flag(context));
        if has_weight == Some(false) && !is_static {
            self.lifted.push((of, 1.0));
        }
        self.robot.links.push(link);
    }

    /// Shapes of a collision or visual, as indices of the link's.
    fn shape(&mut self, element: &Element, mask: Mask, link: &mut Link, holder: &Holder<'_>) -> Range<usize> {
        let (context, first) = (self.context, link.shapes.len());
        let stated = element.child("pose").and_then(|pose| Stated::read(pose, context)).unwrap_or_default();
        let place = stated.within(holder.scope, holder.key);
        let Some(geometry) = element.required_child("geometry", context) else { return first..first };
        let name = element.required_text("name", context).unwrap_or(&link.name).to_owned();
        let (touch, touching) =
            (geometry::touch(element, context), Touching::of_mask(mask, self.links_touch));
        let (of, is_static, folder) = (holder.of, holder.is_static, holder.folder);
        for (geometry, pose) in
            geometry::read(geometry, &place.pose, touching, &link.name, is_static, folder, context)
        {
            link.shapes.push(LinkShape {
                name: name.clone(),
                geometry,
                pose,
                mask,
                touch,
                margin: 0.0,
                geom: None,
                of,
            });
        }
        let shapes = first..link.shapes.len();
        if let Some(span) = place.span {
            self.displaced.push(Displaced { link: of, shapes: shapes.clone(), frame: place.frame, span });
        }
        shapes
    }
}

/// The link whose shapes are read.
struct Holder<'a> {
    of: usize,
    is_static: bool,
    folder: &'a Path,
    scope: &'a Scope,
    /// Its whole name.
    key: &'a str,
}

/// Shapes with poses in a frame of that whole name.
pub(super) struct Displaced {
    link: usize,
    shapes: Range<usize>,
    frame: String,
    span: Span,
}

/// Takes shapes from the frames that their poses are in to their links.
pub(super) fn place_shapes(all: &[Displaced], robot: &mut Robot, frames: &Frames, context: &Context<'_>) {
    for Displaced { link, shapes, frame, span } in all {
        let Some(frame) = frames.pose(frame, *span, context) else { continue };
        let link = &mut robot.links[*link];
        let x = link.pose.inverse().compose(&frame);
        link.shapes[shapes.clone()].iter_mut().for_each(|shape| shape.pose = x.compose(&shape.pose));
    }
}

/// Mass 1 kg and moments 1 kg m² are what the format takes for what is not there. The element is given back where mass and inertia are to come
/// from the collisions.
fn read_inertial<'e>(
    element: &'e Element,
    link: &mut Link,
    is_static: bool,
    context: &Context<'_>,
) -> Option<&'e Element> {
    let inertial = element.child("inertial");
    if is_static {
        inertial.inspect(|i| i.mark_tree());
        return None;
    }
    if let Some(auto) = inertial.filter(|i| i.flag("auto", context) == Some(true)) {
        return Some(auto);
    }
    let frame = inertial.map_or_else(Pose::identity, |i| own_pose(i, context));
    let stated = |holder: Option<&Element>, name: &str| {
        let child = holder.and_then(|h| h.child(name));
        (child.and_then(|c| c.content_number(context)), child.map(|c| c.span))
    };
    let (mass, mass_span) = stated(inertial, "mass");
    let tensor_element = inertial.and_then(|i| i.child("inertia"));
    let moments = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
    let v: [f64; 6] = std::array::from_fn(|k| {
        stated(tensor_element, moments[k]).0.unwrap_or(if k < 3 { 1.0 } else { 0.0 })
    });
    if mass.is_none() || tensor_element.is_none() {
        let text = "a link without stated mass or inertia has those that SDF gives it: 1 kg and 1 kg m² about each axis";
        context.choice(text, Some(link.span));
    }
    let (mass, inertia) = (mass.unwrap_or(1.0), tensor(v));
    let span = mass_span.unwrap_or(element.span);
    let repairs = context.options.inertia == Inertia::Repair && mass > 0.0;
    let inertia: Mat3 = if repairs { repaired(inertia, mass, &link.name, span, context) } else { inertia };
    let of = link.name.clone();
    // A wrong mass is told; the link counts as one with mass after that.
    if mass < 0.0 {
        solid(mass, inertia, &frame, &of, span, context);
    }
    let read = solid(mass.abs(), inertia, &frame, &of, span, context);
    let span = tensor_element.map_or(span, |t| t.span);
    link.parts.extend(read.map(|solid| Part { solid, span, of }));
    None
}

/// The pose of an inertial; the format has it in its link alone.
fn own_pose(element: &Element, context: &Context<'_>) -> Pose {
    let Some(pose) = element.child("pose") else { return Pose::identity() };
    if let Some(frame) = pose.text("relative_to").filter(|frame| !frame.is_empty()) {
        let problem =
            Problem::new("E0812", "", format!("the pose of {} is relative to \"{frame}\"", element.title()))
                .expected("a pose in its link")
                .help("the pose of an inertial is always in its link's frame");
        context.report(problem, pose.place("relative_to"));
    }
    let scope = Scope::world();
    Stated::read(pose, context).map_or_else(Pose::identity, |stated| stated.within(&scope, "").pose)
}
