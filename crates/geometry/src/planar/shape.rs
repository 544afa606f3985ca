use std::sync::Arc;

use super::Polygon;
use crate::shape::ShapeFault;

/// An outline in the xy plane of its frame, as thick along z as it says: what it weighs and how it is drawn depends on
/// the thickness, what it touches does not.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanarShape {
    /// What touches.
    pub outline: Outline,
    /// Thickness along z, half of it on either side (m).
    pub thickness: f64,
}

/// An outline.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// Straight edges.
    Polygon(Arc<Polygon>),
    /// A circle about the origin.
    Circle {
        /// Radius (m); 0 is a point.
        radius: f64,
    },
}

impl PlanarShape {
    /// What it is, for messages.
    pub fn name(&self) -> &'static str {
        match self.outline {
            Outline::Polygon(_) => "polygon",
            Outline::Circle { radius: 0.0 } => "point",
            Outline::Circle { .. } => "circle",
        }
    }

    /// What is wrong with its numbers; a polygon has been checked when it was made.
    pub(crate) fn find_faults(&self) -> Vec<ShapeFault> {
        let radius = match self.outline {
            Outline::Circle { radius } if !(radius.is_finite() && radius >= 0.0) => Some(radius),
            _ => None,
        };
        let radius = radius.map(|value| ShapeFault {
            field: "radius",
            value,
            expected: "a positive, finite length in m",
        });
        let value = self.thickness;
        let thickness = (!(value.is_finite() && value > 0.0)).then_some(ShapeFault {
            field: "thickness",
            value,
            expected: "a positive, finite length in m",
        });
        radius.into_iter().chain(thickness).collect()
    }

    /// Radius of the circle about the origin that holds it (m).
    pub fn bounding_radius(&self) -> f64 {
        match &self.outline {
            Outline::Polygon(polygon) => polygon.points().iter().map(|p| p.norm()).fold(0.0, f64::max),
            Outline::Circle { radius } => *radius,
        }
    }

    /// Radius, or half of the smaller side of the box that holds the polygon; infinite of a point, which has no size (m).
    pub fn smallest_length(&self) -> f64 {
        match &self.outline {
            Outline::Polygon(polygon) => {
                let [low, high] = polygon.bounds();
                0.5 * (high - low).min()
            }
            Outline::Circle { radius: 0.0 } => f64::INFINITY,
            Outline::Circle { radius } => *radius,
        }
    }
}
