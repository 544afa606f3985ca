//! Links: inertial, collisions, and visuals if they are asked for.

use std::path::Path;

use carom_math::{Mat3, Pose};

use super::super::context::Context;
use super::super::mass::{repaired, solid, tensor};
use super::super::options::Inertia;
use super::super::robot::{Link, LinkShape, Mask, Part};
use super::super::xml::Element;
use super::frames::{Carrier, Scope};
use super::pose::Stated;
use super::{Reader, geometry};
use carom_engine::Problem;

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
        let mut link = Link::new(self.shown(&key), span);
        if is_static {
            self.fixed.push(of);
        }
        read_inertial(element, &mut link, is_static, context);
        for collision in element.all("collision") {
            read_shape(collision, TOUCHES, &mut link, (of, is_static, folder), context);
        }
        if context.options.visuals {
            for visual in element.all("visual") {
                read_shape(visual, Mask::NONE, &mut link, (of, is_static, folder), context);
            }
        }
        self.robot.links.push(link);
    }
}

/// Mass 1 kg and moments 1 kg m² are what the format takes for what is not there.
fn read_inertial(element: &Element, link: &mut Link, is_static: bool, context: &Context<'_>) {
    let inertial = element.child("inertial");
    if is_static {
        inertial.inspect(|i| i.mark_tree());
        return;
    }
    let frame = inertial.map_or_else(Pose::identity, |i| local_pose(i, context));
    if let Some(auto) = inertial.filter(|i| i.text("auto") == Some("true")) {
        let problem = Problem::new(
            "E0812",
            "",
            format!("mass and inertia of \"{}\" are to come from its collisions", link.name),
        )
        .help("state them: <inertial auto=\"true\"> is not read");
        return context.report(problem, auto.place("auto"));
    }
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
}

/// A pose within a link; one in another frame is an error.
pub(super) fn local_pose(element: &Element, context: &Context<'_>) -> Pose {
    let Some(pose) = element.child("pose") else { return Pose::identity() };
    if let Some(frame) = pose.text("relative_to").filter(|frame| !frame.is_empty()) {
        let problem =
            Problem::new("E0812", "", format!("the pose of {} is relative to \"{frame}\"", element.title()))
                .expected("a pose in its link")
                .help("poses of inertials, collisions and visuals are read in the link's frame alone");
        context.report(problem, pose.place("relative_to"));
    }
    let scope = Scope::world();
    Stated::read(pose, context).map_or_else(Pose::identity, |stated| stated.within(&scope, "").pose)
}

fn read_shape(
    element: &Element,
    mask: Mask,
    link: &mut Link,
    (of, is_static, folder): (usize, bool, &Path),
    context: &Context<'_>,
) {
    let pose = local_pose(element, context);
    let Some(holder) = element.required_child("geometry", context) else { return };
    let name = element.required_text("name", context).unwrap_or(&link.name).to_owned();
    let touch = geometry::touch(element, context);
    for (geometry, pose) in geometry::read(holder, &pose, mask, &link.name, is_static, folder, context) {
        link.shapes.push(LinkShape { name: name.clone(), geometry, pose, mask, touch, geom: None, of });
    }
}
