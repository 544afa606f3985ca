//! A mesh file as convex parts: several shapes of a body, whose mass is that of the mesh itself.

use std::sync::Arc;

use carom_engine::model::BodyShape;
use carom_geometry::Shape;
use carom_geometry::convex::{ConvexHull, ConvexShape, Core, NotConvex};
use carom_geometry::prepare::ConvexParts;

use super::Section;
use super::mesh::MeshFile;
use super::shape::ReadShape;

/// The type of such shapes.
pub(super) const CONVEX_PARTS: &str = "convex-parts";

/// Most parts of a mesh: each is a shape of its own.
const MOST: usize = 256;

/// The surface of the file, from which parts are made.
pub(super) fn read_whole(section: &Section<'_, '_>) -> Option<(Shape, bool)> {
    // Whatever else is missing is told at once.
    let error = section.required_quantity("error");
    let file = MeshFile::read(section)?;
    let read = section.context.meshes.borrow_mut().read(file.folder, &file.name, file.factor);
    let whole = read.map(|mesh| (Shape::Mesh(mesh), true)).map_err(|error| file.report(section, error)).ok();
    error.and(whole)
}

/// Parts in place of a shape that was read as a whole. The first one carries the mesh, whose mass and inertia are the body's; `None`
/// after an error.
pub(super) fn part(section: &Section<'_, '_>, whole: ReadShape, body: &str) -> Option<Vec<ReadShape>> {
    let allowed = section.required_quantity("error")?;
    let most = section.whole_or_default("parts") as usize;
    for (key, is_wrong) in
        [("error", section.outside("error", Some(allowed)).is_some()), ("parts", most == 0 || most > MOST)]
    {
        if is_wrong {
            let message = format!("{}: `{key}` is out of range", section.path);
            let wanted = if key == "error" { "a length above 0" } else { "1 to 256" };
            section.report(key, section.problem("E0314", key, message).expected(wanted));
            return None;
        }
    }
    let file = MeshFile::read(section)?;
    let found = section.context.meshes.borrow_mut().part(file.folder, &file.name, file.factor, allowed, most);
    let parts = match found {
        Ok(parts) => parts?,
        Err(fault) => {
            report_fault(section, &file.name, &fault);
            return None;
        }
    };
    tell(section, &file.name, &parts, allowed, most)?;
    let group = &whole.shape.name;
    let stem = if group == body { format!("{body}.part") } else { group.clone() };
    let shapes = parts.hulls.iter().enumerate().map(|(index, hull)| {
        let name = format!("{stem}-{}", index + 1);
        section.context.part_groups.borrow_mut().insert(name.clone(), group.clone());
        // That of its own vertices: what `check --resolved` writes is the same hull to the last bit.
        let hull = ConvexHull::of_points(hull.vertices()).unwrap_or_else(|_| hull.clone());
        let shape = Shape::Convex(ConvexShape { core: Core::Hull(Arc::new(hull)), radius: 0.0 });
        let shape = BodyShape { name, shape, ..whole.shape.clone() };
        let carries = index == 0;
        let counted = carries.then(|| whole.shape.shape.clone());
        ReadShape { shape, counted, is_solid: carries, path: whole.path.clone(), ..whole }
    });
    Some(shapes.collect())
}

/// Says what the parts are; `None` if they reach farther than they may.
fn tell(section: &Section<'_, '_>, file: &str, parts: &ConvexParts, allowed: f64, most: usize) -> Option<()> {
    let (count, path) = (parts.hulls.len(), &section.path);
    let reach = parts.reach.at_most;
    if reach > allowed {
        let message = format!(
            "{path}: the convex parts of mesh \"{file}\", {count} of them, reach up to {reach:.3e} m beyond it (at least {:.3e} m), and {allowed} m are allowed",
            parts.reach.at_least
        );
        let problem = section.problem("E0319", "error", message);
        let more = if count == most { format!("parts = {}, ", 2 * most) } else { String::new() };
        let help = format!(
            "{more}error = \"{:.2} mm\", or the triangles themselves: type = \"mesh\" with method = \"pcm\" or \"region\"",
            1.01e3 * reach
        );
        section.report("error", problem.help(help));
        return None;
    }
    let share = 100.0 * parts.excess_volume / parts.hulls.iter().map(volume).sum::<f64>();
    let beyond = if reach == 0.0 {
        "agree with it to rounding".to_owned()
    } else {
        format!(
            "reach up to {reach:.3e} m beyond it (at least {:.3e} m), with {share:.2} % of their volume",
            parts.reach.at_least
        )
    };
    let message = format!(
        "{path}: mesh \"{file}\" touches as convex parts, {count} of them, which cover it and {beyond}; mass and inertia are those of the mesh"
    );
    section.context.note("N0408", message);
    Some(())
}

fn volume(hull: &ConvexHull) -> f64 {
    hull.mass_properties(1.0).map_or(0.0, |mass| mass.mass)
}

fn report_fault(section: &Section<'_, '_>, file: &str, fault: &NotConvex) {
    let code = match fault {
        NotConvex::NoSolid(carom_geometry::MassFault::InsideOut { .. }) => "E0317",
        _ => "E0310",
    };
    let message = format!("{}: mesh \"{file}\" has no convex parts: {fault}", section.path);
    let problem = section.problem(code, "file", message).expected("a closed mesh with its normals outwards");
    let help = "`carom mesh info` says what is wrong, and `carom mesh repair` mends what needs no guess";
    section.report("file", problem.help(help));
}
