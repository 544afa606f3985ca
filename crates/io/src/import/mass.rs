//! Mass and inertia: what the file says of each link, and what merged links have together.

use carom_engine::Problem;
use carom_geometry::convex::{ConvexShape, Core};
use carom_geometry::mass::{InertiaFault, check_inertia};
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::{MassProperties, Shape};
use carom_math::{Mat3, Pose, Vec3};

use super::context::Context;
use super::robot::{Geometry, Held, Link, Robot, WORLD};
use crate::finding::Finding;
use crate::source::Span;

/// Tensor from its elements xx, yy, zz, xy, xz, yz.
pub(super) fn tensor(v: [f64; 6]) -> Mat3 {
    Mat3::new(v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2])
}

/// A solid whose frame of inertia is posed in the link: mass at the frame's origin, the tensor in its axes. Without mass it
/// may have inertia still, as rotors do whose mass is counted elsewhere. Negative mass is an error; `None` then, and for
/// neither mass nor inertia.
pub(super) fn solid(
    mass: f64,
    inertia: Mat3,
    frame: &Pose,
    link: &str,
    span: Span,
    context: &Context<'_>,
) -> Option<MassProperties> {
    if mass < 0.0 {
        let message = format!("mass of \"{link}\" must be positive, got {mass} kg");
        context.report(
            Problem::new("E0311", "", message)
                .expected("a mass > 0")
                .help("a frame without mass has no inertial"),
            span,
        );
        return None;
    }
    (mass > 0.0 || inertia != Mat3::zeros())
        .then(|| MassProperties { mass, com: Vec3::zeros(), inertia }.transformed(frame))
}

/// Mass properties of a primitive at density 1, about its own frame; a half-space has none, and meshes are weighed in ways of their own.
pub(super) fn of_geometry(geometry: &Geometry) -> Option<MassProperties> {
    let shape = match *geometry {
        Geometry::Sphere { radius } => Shape::Sphere { radius, hollow: false },
        Geometry::Box { size } => Shape::Box { half: 0.5 * size },
        Geometry::Cylinder { radius, length } => {
            Shape::Cylinder(Cylinder { radius, half_length: 0.5 * length, side: CylinderSide::Solid })
        }
        Geometry::Capsule { radius, length } => Shape::Capsule { radius, half_length: 0.5 * length },
        Geometry::Ellipsoid { semi_axes } => Shape::Convex(ConvexShape::sharp(Core::Ellipsoid { semi_axes })),
        Geometry::HalfSpace | Geometry::Mesh { .. } | Geometry::Hull { .. } => return None,
    };
    MassProperties::of_shape(&shape, 1.0).ok()
}

/// Least distance of mass from each principal plane, on average, in an inertia that is repaired (m).
const THINNEST: f64 = 1e-3;

/// The nearest inertia that a rigid body has: of the second moments of mass along its principal axes, sᵢ = (λⱼ + λₖ − λᵢ)/2, those
/// below m (1 mm)² become that. What was wrong and what it becomes is told; one that is sound stays as it is.
pub(super) fn repaired(inertia: Mat3, mass: f64, link: &str, span: Span, context: &Context<'_>) -> Mat3 {
    let Err(fault) = check_inertia(&inertia) else { return inertia };
    let repaired = spread_at_least(&inertia, mass * THINNEST * THINNEST);
    let moments = repaired.symmetric_eigenvalues();
    let problem =
        Problem::new("W0801", "", format!("{}: it is not taken over as it stands", describe(link, &fault)))
            .expected("positive principal moments, the largest at most the sum of the others")
            .help(format!(
                "--inertia repair made its moments {}, {}, {} kg m^2",
                short(moments[0]),
                short(moments[1]),
                short(moments[2])
            ));
    context.report(problem, span);
    repaired
}

/// That of a mass which is stated without one and counts as a point, spread as one that is repaired; which is told.
pub(super) fn of_point(mass: f64, link: &str, span: Span, context: &Context<'_>) -> Mat3 {
    let problem = Problem::new("W0801", "", format!("\"{link}\" has a mass, but no inertia"))
        .expected("an <inertia> beside it")
        .help(format!("--inertia repair took the mass for a point, spread by {} mm", 1e3 * THINNEST));
    context.report(problem, span);
    spread_at_least(&Mat3::zeros(), mass * THINNEST * THINNEST)
}

/// The nearest inertia whose second moments of mass along the principal axes are not below `least`.
pub(super) fn spread_at_least(inertia: &Mat3, least: f64) -> Mat3 {
    let eigen = inertia.symmetric_eigen();
    let half = 0.5 * eigen.eigenvalues.sum();
    let spread = eigen.eigenvalues.map(|moment| (half - moment).max(least));
    let moments = spread.map(|own| spread.sum() - own);
    eigen.eigenvectors * Mat3::from_diagonal(&moments) * eigen.eigenvectors.transpose()
}

/// All parts of a link together.
pub(super) fn total(link: &Link) -> MassProperties {
    MassProperties::combine(&link.parts.iter().map(|p| p.solid).collect::<Vec<_>>())
}

/// Holds every moving link against what a rigid body can have.
pub(super) fn check(robot: &Robot, context: &Context<'_>) {
    for link in robot.links.iter().filter(|l| matches!(l.held, Held::Free | Held::Joint)) {
        if !link.has_mass() {
            continue;
        }
        let faulty = || link.parts.iter().find_map(|p| Some((p, check_inertia(&p.solid.inertia).err()?)));
        match (check_inertia(&total(link).inertia), faulty()) {
            (Err(fault), part) => {
                let (span, of, fault) = match &part {
                    Some((part, own)) if link.parts.len() == 1 => (part.span, &part.of, own),
                    Some((part, _)) => (part.span, &link.name, &fault),
                    None => (link.span, &link.name, &fault),
                };
                let problem = Problem::new("E0312", "", describe(of, fault)).expected(
                    "positive principal moments about the centre of mass, the largest at most the sum of the others",
                );
                let help = match robot.format {
                    "MJCF" => "correct the inertia, or set `balanceinertia` of <compiler>, as for MuJoCo",
                    _ => {
                        "correct the inertia, or import with --inertia repair, which takes the nearest one that a body has"
                    }
                };
                context.report(problem.help(help), span);
            }
            (Ok(_), Some((part, fault))) => {
                let message =
                    format!("{}; together with the links it is fixed to it is", describe(&part.of, &fault));
                let problem =
                    Problem::new("W0803", "", message).help("correct the inertia in the robot file");
                context.report(problem, part.span);
            }
            (Ok(_), None) => {}
        }
    }
}

fn describe(link: &str, fault: &InertiaFault) -> String {
    let why = match fault {
        InertiaFault::NotFinite { value, .. } => format!("an element is {value}"),
        InertiaFault::NotSymmetric { upper, lower, .. } => format!("{upper} and {lower} across the diagonal"),
        InertiaFault::NotPositive { moments: m } => {
            format!(
                "principal moments {}, {}, {} kg m^2 are not all positive",
                short(m[0]),
                short(m[1]),
                short(m[2])
            )
        }
        InertiaFault::Triangle { moments: m } => format!(
            "principal moments {}, {}, {} kg m^2: {} > {} + {}",
            short(m[0]),
            short(m[1]),
            short(m[2]),
            short(m[2]),
            short(m[0]),
            short(m[1])
        ),
    };
    format!("inertia of \"{link}\" is not that of a rigid body: {why}")
}

/// Six digits.
fn short(x: f64) -> String {
    format!("{x:.5e}").parse::<f64>().map_or_else(|_| x.to_string(), |x| format!("{x:?}"))
}

/// Moving links must have mass: the joint's motion is not determined otherwise.
pub(super) fn refuse_massless(robot: &Robot, context: &Context<'_>) {
    if robot.format != "MJCF"
        && !robot.joints.is_empty()
        && robot.links.iter().all(|link| link.parts.is_empty())
    {
        let message = format!("none of the {} links of \"{}\" has mass", robot.links.len() - 1, robot.name);
        let problem = Problem::new("E0809", "", message)
            .expected("links with an inertial")
            .help("the file is one for kinematics alone: its motion is not determined");
        return context.report(problem, robot.links[WORLD].span);
    }
    for (k, link) in robot.links.iter().enumerate() {
        if link.has_mass() || !matches!(link.held, Held::Free | Held::Joint) {
            continue;
        }
        let message = match robot.holder(k) {
            Some(joint) => format!(
                "\"{}\" moves on the {} joint \"{}\" but has no mass",
                link.name,
                joint.kind.name(),
                joint.name
            ),
            None => format!("\"{}\" is free but has no mass", link.name),
        };
        let problem = Problem::new("E0809", "", message)
            .expected("a link with an inertial, or fixed to one that has it")
            .help("give it mass and inertia, or make its joint fixed");
        let finding = Finding::at(problem, link.span);
        context.findings.push(match robot.holder(k) {
            Some(joint) => finding.related(joint.span, "its joint"),
            None => finding,
        });
    }
}
