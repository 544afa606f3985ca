//! A mesh in a few lines.

use std::fmt::{Display, Write};
use std::path::Path;

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::{Component, EdgeCount};
use carom_geometry::prepare::{Border, MeshSurvey};
use carom_math::Vec3;

use crate::digits::short;

/// Parts, borders and crossings that are listed.
const SHOWN: usize = 5;
/// Sizes of parts that machines are made of (m); beyond, the unit is asked about.
const USUAL_SIZES: [f64; 2] = [1e-3, 10.0];
/// Length of one millimetre (m).
const MILLIMETRE: f64 = 1e-3;

/// What speaks against the unit, by the size alone: mesh files do not say it.
pub(super) fn unit_hint(mesh: &TriangleMesh, unit: f64) -> Option<String> {
    let size = mesh.extent().amax();
    let [least, most] = USUAL_SIZES;
    let other = |unit: f64| size / unit * MILLIMETRE;
    if size > most && unit > MILLIMETRE {
        let guess = short(other(unit));
        Some(format!(
            "{} m is large for a part; if its numbers are mm it is {guess} m: --unit mm",
            short(size)
        ))
    } else if size < least && size > 0.0 && unit < 1.0 {
        let guess = short(size / unit);
        Some(format!("{} m is small for a part; if its numbers are m it is {guess} m: --unit m", short(size)))
    } else {
        None
    }
}

/// All that is known of a mesh: what it is, and then what is wrong with it, each with the first place.
pub(super) fn survey(file: &Path, mesh: &TriangleMesh, found: &MeshSurvey, unit: Option<&str>) -> String {
    let mut rows = Rows(format!("{}\n", file.display()));
    rows.add("triangles", format!("{} on {}", found.triangles, count(found.vertices, "vertex", "vertices")));
    parts(&mut rows, &found.components);
    let (low, high) = (found.topology.low, found.topology.high);
    rows.add("size", format!("{} m, from {} to {}", by(&(high - low)), place(&low), place(&high)));
    let edges = [found.topology.shortest_edge, found.median_edge, found.topology.longest_edge].map(short);
    rows.add(
        "edges",
        format!("{} m the shortest, {} m the median, {} m the longest", edges[0], edges[1], edges[2]),
    );
    rows.add("area", format!("{} m^2", short(found.area)));
    match &found.solid {
        Ok(solid) => {
            rows.add("volume", format!("{} m^3, centre at {}", short(solid.mass), place(&solid.com)));
            let i = &solid.inertia;
            let six =
                [i[(0, 0)], i[(1, 1)], i[(2, 2)], i[(0, 1)], i[(0, 2)], i[(1, 2)]].map(short).join(", ");
            rows.add(
                "inertia",
                format!("[{six}] kg m^2 at 1 kg/m^3, about the centre: xx, yy, zz, xy, xz, yz"),
            );
        }
        Err(fault) => rows.add("volume", format!("none: it {fault}")),
    }
    match &found.convexity {
        Ok(()) => rows.add("form", "convex"),
        Err(fault) if found.solid.is_ok() => rows.add("form", fault),
        Err(_) => {}
    }
    if let Some(wall) = &found.thinnest {
        rows.add("thinnest", format!("wall of {} m under triangle {}", short(wall.thickness), wall.triangle));
    }
    if let Some(unit) = unit {
        rows.add("unit?", unit);
    }
    faults(&mut rows, mesh, found);
    rows.0
}

fn parts(rows: &mut Rows, components: &[Component]) {
    let closed = components.iter().filter(|component| component.closed).count();
    let open = components.len() - closed;
    rows.add("parts", format!("{}: {closed} closed, {open} open", count(components.len(), "part", "parts")));
    if components.len() < 2 {
        return;
    }
    for component in components.iter().take(SHOWN) {
        let kind = match (component.closed, component.signed_volume < 0.0) {
            (false, _) => "open".to_owned(),
            (true, true) => format!("closed, inward, {} m^3", short(-component.signed_volume)),
            (true, false) => format!("closed, {} m^3", short(component.signed_volume)),
        };
        let triangles = count(component.triangles, "triangle", "triangles");
        rows.add("", format!("from triangle {}: {triangles}, {kind}", component.first));
    }
    rows.more(components.len());
}

fn faults(rows: &mut Rows, mesh: &TriangleMesh, found: &MeshSurvey) {
    let before = rows.0.len();
    borders(rows, mesh, &found.borders);
    if let Some(cracks) = &found.diagnosis.cracks {
        let vertices = count(cracks.corners, "vertex of a border lies", "vertices of borders lie");
        let width = short(cracks.width);
        rows.add(
            "cracks",
            format!("{vertices} within {width} m of another border, which should be one with it"),
        );
    }
    let edges = |rows: &mut Rows, label: &str, what: &str, edges: &EdgeCount| {
        if let Some(first) = &edges.first {
            rows.add(
                label,
                format!("{} {what}, the first near {}", count(edges.count, "edge", "edges"), place(first)),
            );
        }
    };
    edges(rows, "manifold", "with more than two triangles", &found.topology.non_manifold);
    if let Some(first) = found.pinched.first {
        let vertices = count(found.pinched.count, "vertex", "vertices");
        let at = place(&mesh.vertices[first as usize]);
        rows.add("manifold", format!("{vertices} at which it hangs together in a point, the first at {at}"));
    }
    let diagnosis = &found.diagnosis;
    let mut triangles = |label: &str, number: usize, what: &str, first: Option<usize>| {
        if let Some(first) = first {
            let triangles = count(number, "triangle", "triangles");
            rows.add(label, format!("{triangles} {what}, the first is {first}"));
        }
    };
    triangles("turned", diagnosis.flipped.count, "against their neighbours", diagnosis.flipped.first);
    let degenerate = &found.topology;
    triangles("flat", degenerate.degenerate_triangles, "without a normal", degenerate.first_degenerate);
    triangles("copies", diagnosis.duplicate.count, "with the corners of another", diagnosis.duplicate.first);
    triangles("slivers", found.slivers.count, "lower than 1 % of their longest edge", found.slivers.first);
    let inward = found.components.iter().filter(|c| c.closed && c.signed_volume < 0.0).count();
    if inward > 0 {
        let parts = count(inward, "closed part", "closed parts");
        rows.add("inward", format!("{parts} with normals inwards: inside out, or cavities"));
    }
    let twisted = found.components.iter().filter(|component| !component.orientable).count();
    if twisted > 0 {
        let parts = count(twisted, "part", "parts");
        rows.add(
            "twisted",
            format!("{parts} whose triangles cannot be turned to agree, as on a Möbius strip"),
        );
    }
    crossings(rows, found);
    if found.topology.duplicate_vertices > 0 {
        let vertices = count(found.topology.duplicate_vertices, "vertex", "vertices");
        rows.add("double", format!("{vertices} at the place of another, which count as one"));
    }
    if rows.0.len() == before {
        rows.add("faults", "none");
    } else if !found.is_sound() {
        let cracks = found.diagnosis.cracks.map_or(0.0, |cracks| cracks.tolerance());
        let wide = if cracks > 0.0 { format!(" --tolerance \"{cracks:.0e} m\"") } else { String::new() };
        rows.add("next", format!("carom mesh repair IN OUT{wide} mends what can be mended without a guess"));
    }
}

fn borders(rows: &mut Rows, mesh: &TriangleMesh, borders: &[Border]) {
    if borders.is_empty() {
        return;
    }
    let ends = borders.iter().filter(|border| !border.is_loop).count();
    let ends = if ends > 0 { format!(", {ends} of them no loops") } else { String::new() };
    let length: f64 = borders.iter().map(|border| border.length).sum();
    let all = count(borders.len(), "border", "borders");
    rows.add("open", format!("{all}, {} m long{ends}", short(length)));
    for border in borders.iter().take(SHOWN) {
        let edges = border.vertices.len() - usize::from(!border.is_loop);
        let at = place(&border.place(mesh));
        rows.add(
            "",
            format!("{}, {} m long, from {at}", count(edges, "edge", "edges"), short(border.length)),
        );
    }
    rows.more(borders.len());
}

fn crossings(rows: &mut Rows, found: &MeshSurvey) {
    let Some(crossings) = &found.crossings else {
        rows.add("crosses", "not looked for: too many triangles lie on top of each other");
        return;
    };
    if crossings.count == 0 {
        return;
    }
    let pairs = count(crossings.count, "pair", "pairs");
    rows.add("crosses", format!("{pairs} of triangles cross or touch that are no neighbours"));
    for crossing in crossings.first.iter().take(SHOWN) {
        let [one, two] = crossing.triangles;
        rows.add("", format!("triangles {one} and {two} near {}", place(&crossing.place)));
    }
    rows.more(crossings.count);
}

struct Rows(String);

impl Rows {
    fn add(&mut self, label: &str, value: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "  {label:<9} {value}");
    }

    /// What is not listed.
    fn more(&mut self, all: usize) {
        if all > SHOWN {
            self.add("", format!("and {} more", all - SHOWN));
        }
    }
}

pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn place(p: &Vec3) -> String {
    format!("[{}, {}, {}] m", short(p.x), short(p.y), short(p.z))
}

fn by(size: &Vec3) -> String {
    [size.x, size.y, size.z].map(short).join(" by ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_is_asked_about_where_sizes_are_odd() {
        let bar = |length: f64| TriangleMesh {
            vertices: vec![Vec3::zeros(), length * Vec3::x(), 0.1 * length * Vec3::y()],
            triangles: vec![[0, 1, 2]],
        };
        let said = unit_hint(&bar(25.0), 1.0).unwrap();
        assert!(said.contains("25.0000 m") && said.contains("0.0250000 m: --unit mm"), "{said}");
        let said = unit_hint(&bar(5e-4), 1e-3).unwrap();
        assert!(said.contains("0.500000 m: --unit m"), "{said}");
        assert_eq!((unit_hint(&bar(0.3), 1.0), unit_hint(&bar(25.0), 1e-3)), (None, None));
    }
}
