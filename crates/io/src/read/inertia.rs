use carom_engine::Problem;
use carom_geometry::mass::MassFault;
use carom_geometry::{MassProperties, Shape};
use carom_math::{Mat3, Vec3};

use super::Section;
use super::shape::ReadShape;
use crate::finding::Finding;
use crate::quantity::Dimension;

/// Properties that break no later check, for a body whose own could not be read.
pub(crate) fn placeholder() -> MassProperties {
    MassProperties { mass: 1.0, com: Vec3::zeros(), inertia: Mat3::identity() }
}

/// Where the inertia comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    Given(Mat3),
    /// All solid shapes.
    Shapes,
    /// Meshes only.
    Meshes,
}

/// Mass, centre of mass and inertia of a body that moves; `None` after an error.
pub(crate) fn read_mass(
    section: &Section<'_, '_>,
    name: &str,
    shapes: &[ReadShape],
    shapes_complete: bool,
) -> Option<MassProperties> {
    let (mass, density) = (section.quantity("mass"), section.quantity("density"));
    if section.has("mass") && section.has("density") {
        let problem =
            section.problem("E0212", "density", format!("body \"{name}\" has both mass and density"));
        section.report(
            "density",
            problem.expected("one of the two").help("remove one; the other follows from the shapes"),
        );
        return None;
    }
    if section.has("mass") && mass.is_none() || section.has("density") && density.is_none() {
        read_source(section);
        section.vector("com");
        return None;
    }
    for (key, value) in [("mass", mass), ("density", density)] {
        if let Some(value) = section.outside(key, value) {
            let unit = if key == "mass" { "kg" } else { "kg/m^3" };
            let message = format!("{key} of \"{name}\" must be positive, got {value} {unit}");
            let problem = section.problem("E0311", key, message).expected(format!("a {key} > 0"));
            section.report(key, problem.help(
                    "a moving body needs mass and inertia, also within a chain of joints; one that does not move is fixed = true",
                ));
            return None;
        }
    }
    let source = read_source(section)?;
    let is_misspelt = ["mass", "density", "inertia", "shape"].iter().any(|key| section.is_misspelt(key));
    let com = section.vector("com");
    if section.has("com") && com.is_none() || !shapes_complete || is_misspelt {
        return None;
    }
    if let (Source::Given(inertia), Some(mass)) = (source, mass) {
        return Some(MassProperties { mass, com: com.unwrap_or_else(Vec3::zeros), inertia });
    }
    let of_shapes = of_shapes(section, name, shapes, source, mass, density)?;
    if let Source::Given(inertia) = source {
        return Some(MassProperties { mass: of_shapes.mass, com: com.unwrap_or(of_shapes.com), inertia });
    }
    if let Some(com) = com {
        let size = shapes
            .iter()
            .map(|s| s.shape.shape.bounding_radius())
            .filter(|r| r.is_finite())
            .fold(0.0, f64::max);
        if (com - of_shapes.com).norm() > 1e-6 * size {
            let message = format!(
                "com of \"{name}\" is not that of its shapes, [{}, {}, {}] m, from which its inertia follows",
                of_shapes.com.x, of_shapes.com.y, of_shapes.com.z
            );
            section.report(
                "com",
                section.problem("E0212", "com", message).help("give `inertia` too, or remove `com`"),
            );
            return None;
        }
    }
    Some(of_shapes)
}

/// `None` after an error.
fn read_source(section: &Section<'_, '_>) -> Option<Source> {
    let Some(node) = section.node("inertia") else { return Some(Source::Shapes) };
    match node.as_text() {
        Some("from-shape") => return Some(Source::Shapes),
        Some("from-mesh") => return Some(Source::Meshes),
        Some(word) if word.starts_with("from") => {
            let problem =
                section.problem("E0107", "inertia", format!("inertia does not know the word \"{word}\""));
            section.report(
                "inertia",
                problem.expected("\"from-shape\" or \"from-mesh\"").help("or numbers in kg*m^2"),
            );
            return None;
        }
        _ => {}
    }
    if !matches!(node.value, crate::document::Value::Array(_)) {
        let i = section.quantity_in("inertia", Dimension::INERTIA)?;
        return Some(Source::Given(Mat3::from_diagonal_element(i)));
    }
    let v = section.quantities("inertia", Dimension::INERTIA, &[3, 6])?;
    Some(Source::Given(if v.len() == 3 {
        Mat3::from_diagonal(&Vec3::new(v[0], v[1], v[2]))
    } else {
        Mat3::new(v[0], v[3], v[4], v[3], v[1], v[5], v[4], v[5], v[2])
    }))
}

/// Properties of the solid shapes together. With a mass given, densities count in proportion only.
fn of_shapes(
    section: &Section<'_, '_>,
    name: &str,
    shapes: &[ReadShape],
    source: Source,
    mass: Option<f64>,
    density: Option<f64>,
) -> Option<MassProperties> {
    let wanted = |s: &&ReadShape| match source {
        Source::Meshes => matches!(s.solid(), Shape::Mesh(_)),
        _ => s.is_solid,
    };
    let solids: Vec<&ReadShape> = shapes.iter().filter(wanted).collect();
    if solids.is_empty() {
        report_no_solid(section, name, source, mass.is_some() || density.is_some());
        return None;
    }
    let densities: Vec<Option<f64>> = solids.iter().map(|s| s.density.or(density)).collect();
    let uniform = mass.is_some() && densities.iter().all(Option::is_none);
    let mut parts = Vec::new();
    let mut complete = true;
    for (solid, own) in solids.iter().zip(&densities) {
        let Some(density) = (if uniform { Some(1.0) } else { *own }) else {
            let (message, help) = match mass {
                Some(_) => (
                    format!(
                        "{} has no density, and other shapes of \"{name}\" have: how they share its mass is not known",
                        solid.path
                    ),
                    "add a density to each of its shapes, 0 to one that weighs nothing, or to none",
                ),
                None => (
                    format!("body \"{name}\" has neither mass nor density"),
                    "add mass = \"1 kg\", density = \"1000 kg/m^3\", or fixed = true",
                ),
            };
            let problem = Problem::new("E0313", section.path_of("mass"), message)
                .expected("mass, density, or a material with a density");
            section.context.findings.push(Finding::at(problem.help(help), section.key_span));
            return None;
        };
        if density == 0.0 {
            continue;
        }
        if density < 0.0 || !solid.solid().find_faults().is_empty() {
            // Reported by the validation of the shape or material.
            complete = false;
            continue;
        }
        match MassProperties::of_shape(solid.solid(), density) {
            Ok(part) => parts.push(part.transformed(&solid.shape.pose)),
            Err(fault) => {
                report_fault(section, name, solid, fault);
                complete = false;
            }
        }
    }
    if !complete {
        return None;
    }
    if parts.is_empty() {
        let message = format!("the shapes of body \"{name}\" weigh nothing: their density is 0");
        let problem =
            section.problem("E0313", "mass", message).expected("mass and inertia, or a density > 0");
        section.report("mass", problem.help("add both, or fixed = true"));
        return None;
    }
    let sum = MassProperties::combine(&parts);
    let factor = mass.map_or(1.0, |m| m / sum.mass);
    Some(MassProperties { mass: mass.unwrap_or(sum.mass), com: sum.com, inertia: sum.inertia * factor })
}

fn report_no_solid(section: &Section<'_, '_>, name: &str, source: Source, has_mass: bool) {
    let what = if source == Source::Meshes { "mesh" } else { "solid shape" };
    let missing = match source {
        Source::Given(_) => "mass",
        _ if has_mass => "inertia",
        _ => "mass and inertia",
    };
    let message = format!("body \"{name}\" has no {missing}, and no {what} to derive it from");
    let key = if missing == "inertia" { "inertia" } else { "mass" };
    let problem = section.problem("E0313", key, message);
    let help = "a moving body needs both, also within a chain of joints: add mass = \"1 kg\" and inertia = \"0.1 kg*m^2\", a solid shape, or fixed = true";
    section.report(key, problem.help(help));
}

fn report_fault(section: &Section<'_, '_>, name: &str, solid: &ReadShape, fault: MassFault) {
    let file = match solid.solid() {
        Shape::Mesh(_) => {
            let origin = format!("{}.file", solid.path);
            section.context.text_at(&origin).unwrap_or_else(|| "mesh".to_owned())
        }
        other => other.name().to_owned(),
    };
    let place = |at: Vec3| format!("[{:.4}, {:.4}, {:.4}] m", at.x, at.y, at.z);
    let (code, message, help) = match fault {
        MassFault::Open { boundary_edges, at } => (
            "E0310",
            format!(
                "mesh {file}: {boundary_edges} boundary edges, first near {}; mass properties of \"{name}\" need a closed mesh",
                place(at)
            ),
            "open = true if it is a surface (then give mass and inertia), or close the mesh",
        ),
        MassFault::Misoriented { edges, at } => (
            "E0310",
            format!(
                "mesh {file}: {edges} edges whose triangles disagree about the outside, first near {}; mass properties of \"{name}\" need a consistent mesh",
                place(at)
            ),
            "make the normals consistent in the program that wrote the mesh",
        ),
        MassFault::InsideOut { volume } => (
            "E0317",
            format!(
                "mesh {file} of \"{name}\" is inside out: its triangles are clockwise seen from outside (volume {volume:.4e} m^3)"
            ),
            "`carom mesh repair` turns it round, or flip the normals in the program that wrote the mesh",
        ),
        MassFault::ZeroVolume { volume, .. } => (
            "E0310",
            format!("mesh {file} of \"{name}\" encloses no volume ({volume:.1e} m^3)"),
            "open = true if it is a surface (then give mass and inertia)",
        ),
        MassFault::Unbounded { kind } => (
            "E0313",
            format!("a {} of \"{name}\" has no bounds and so no mass", kind.name()),
            "give mass and inertia",
        ),
        MassFault::Rounded { radius } => (
            "E0313",
            format!("a {file} with a rounding of {radius} m, on \"{name}\", has no closed form for its mass"),
            "give mass and inertia, or leave `rounding` out; a box may have it",
        ),
        MassFault::Mesh(_) => {
            ("E0302", format!("mesh {file} of \"{name}\" is not usable"), "write the mesh again")
        }
    };
    let key = if matches!(fault, MassFault::Rounded { .. }) { "rounding" } else { "file" };
    let path = format!("{}.{key}", solid.path);
    let span = section.context.origin(&path).unwrap_or(solid.key_span);
    let problem = Problem::new(code, path, message).help(help);
    section.context.findings.push(Finding::at(problem, span));
}
