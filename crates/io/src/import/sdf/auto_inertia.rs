//! `<inertial auto="true">`: mass and inertia of links from the volumes of their collisions.

use std::ops::Range;

use carom_engine::Problem;
use carom_geometry::MassProperties;

use super::super::context::Context;
use super::super::mass::of_geometry;
use super::super::robot::{Link, Part, Robot};
use super::super::xml::Element;
use crate::source::Span;

/// Density of water, where none is stated (kg/m³).
const WATER: f64 = 1000.0;

/// A link, and which of its shapes have mass.
pub(super) struct Weighed {
    link: usize,
    span: Span,
    density: f64,
    /// What all is scaled to, if it is stated (kg).
    mass: Option<f64>,
    /// Indices of shapes with their densities.
    parts: Vec<(usize, f64)>,
    /// A shape that is not a primitive has been reported.
    is_known: bool,
}

/// Geometries that are not weighed here.
const UNWEIGHED: [&str; 5] = ["mesh", "cone", "polyline", "heightmap", "image"];

impl Weighed {
    pub(super) fn new(link: usize, inertial: &Element, context: &Context<'_>) -> Self {
        let mass = positive(inertial, "mass", context);
        let density = positive(inertial, "density", context).unwrap_or(WATER);
        // What else is there counts for nothing beside what the shapes say.
        inertial.mark_tree();
        Self { link, span: inertial.span, density, mass, parts: Vec::new(), is_known: true }
    }

    /// Counts the shapes of a collision in.
    pub(super) fn take(
        &mut self,
        collision: &Element,
        link: &Link,
        shapes: Range<usize>,
        context: &Context<'_>,
    ) {
        let density = positive(collision, "density", context).unwrap_or(self.density);
        let geometry = collision.child("geometry");
        for shape in UNWEIGHED.iter().filter_map(|name| geometry.and_then(|geometry| geometry.child(name))) {
            let message =
                format!("mass and inertia of \"{}\" are to come from a <{}>", link.name, shape.name);
            let problem = Problem::new("E0812", "", message).help("state them in <inertial>");
            context.report(problem, shape.span);
            self.is_known = false;
        }
        self.parts.extend(shapes.map(|shape| (shape, density)));
    }
}

fn positive(holder: &Element, name: &str, context: &Context<'_>) -> Option<f64> {
    let element = holder.child(name)?;
    let value = element.content_number(context)?;
    if value <= 0.0 {
        let problem = Problem::new("E0311", "", format!("<{name}> must be positive, got {value}"));
        context.report(problem.expected("more than 0"), element.span);
        return None;
    }
    Some(value)
}

/// Gives links what their shapes weigh, once these are in their places.
pub(super) fn weigh(all: &[Weighed], robot: &mut Robot, context: &Context<'_>) {
    for weighed in all.iter().filter(|weighed| weighed.is_known) {
        let link = &mut robot.links[weighed.link];
        let solid = |&(shape, density): &(usize, f64)| {
            let shape = &link.shapes[shape];
            Some(scaled(of_geometry(&shape.geometry)?, density).transformed(&shape.pose))
        };
        let whole = MassProperties::combine(&weighed.parts.iter().filter_map(solid).collect::<Vec<_>>());
        if whole.mass <= 0.0 {
            let message = format!("\"{}\" has no collision that its mass could come from", link.name);
            let problem = Problem::new("E0812", "", message).help("state mass and inertia in <inertial>");
            context.report(problem, weighed.span);
            continue;
        }
        let solid = scaled(whole, weighed.mass.map_or(1.0, |mass| mass / whole.mass));
        let of = link.name.clone();
        link.parts.push(Part { solid, span: weighed.span, of });
    }
}

fn scaled(solid: MassProperties, factor: f64) -> MassProperties {
    MassProperties { mass: factor * solid.mass, com: solid.com, inertia: solid.inertia * factor }
}
