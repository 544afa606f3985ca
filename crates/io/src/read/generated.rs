//! Triangle surfaces that the program generates.

use std::sync::Arc;

use carom_geometry::shape::ShapeFault;
use carom_geometry::surface::{
    Bowl, Foot, Gear, Hawse, Peanut, Resolution, Round, SlottedPlate, Terrain, Wire, bowl, foot, funnel,
    gear, hawse, peanut, rectangle, slotted_plate, terrain, torus, wire,
};
use carom_geometry::{Shape, TriangleMesh};
use serde_json::{Value, json};

use super::shape::is_balanced;
use super::solid::{pair, read_points};
use super::{Section, unread};
use crate::quantity::Dimension;

/// Shape types that are generated.
pub(super) const GENERATED: [&str; 11] = [
    "torus",
    "plate",
    "peanut",
    "funnel",
    "foot",
    "terrain",
    "gear",
    "bowl",
    "wire",
    "slotted-plate",
    "hawse",
];

/// A generated surface with the table that generates it, in SI units.
pub(crate) type GeneratedSource = (Arc<TriangleMesh>, Value);

/// A generated surface, and whether it is the boundary of a solid; `None` after an error.
pub(super) fn read_generated(section: &Section<'_, '_>, kind: &str) -> Option<(Shape, bool)> {
    let length = |key: &str| section.required_quantity(key);
    let number = |key: &str| section.quantity_or_default(key);
    let whole = |key: &str| u32::try_from(section.whole_or_default(key)).unwrap_or(u32::MAX);
    let facets = section.whole_or_default("facets") as usize;
    let resolution = Resolution::Facets(facets);
    let (mesh, table) = match kind {
        "torus" => {
            let (ring, tube) = (length("ring"), length("tube"));
            let (ring, tube) = (ring?, tube?);
            let balanced = is_balanced(section);
            let mut mesh = torus(ring, tube, resolution);
            if let (true, Ok(mesh)) = (balanced, &mut mesh) {
                Round::Ring(ring).balance(mesh);
            }
            let mut table = json!({ "ring": ring, "tube": tube, "facets": facets });
            if balanced {
                table["balanced"] = json!(true);
            }
            (mesh, table)
        }
        "plate" => {
            let (x, y) = (length("length"), length("width"));
            let (x, y) = (x?, y?);
            let table = json!({ "length": x, "width": y, "facets": facets });
            (rectangle(0.5 * x, 0.5 * y, resolution), table)
        }
        "peanut" => {
            let [whole, radius, at, waist] = ["length", "lobe_radius", "lobe_at", "waist_radius"].map(length);
            let shape = Peanut {
                half_length: 0.5 * whole?,
                lobe_radius: radius?,
                lobe_at: at?,
                waist_radius: waist?,
            };
            let table = json!({
                "length": 2.0 * shape.half_length, "lobe_radius": shape.lobe_radius, "lobe_at": shape.lobe_at,
                "waist_radius": shape.waist_radius, "facets": facets,
            });
            (peanut(&shape, resolution), table)
        }
        "funnel" => {
            let (side, height) = (length("side"), length("height"));
            let (side, height, times) = (side?, height?, whole("subdivide"));
            (funnel(0.5 * side, height, times), json!({ "side": side, "height": height, "subdivide": times }))
        }
        "foot" => {
            let [along, width, height, chamfer] = ["length", "width", "height", "chamfer"].map(length);
            let shape = Foot { length: along?, width: width?, height: height?, chamfer: chamfer? };
            let table = json!({
                "length": shape.length, "width": shape.width, "height": shape.height, "chamfer": shape.chamfer,
                "facets": facets,
            });
            (foot(&shape, resolution), table)
        }
        "terrain" => {
            let (side, relief) = (length("side"), length("relief"));
            let shape = Terrain {
                size: side?,
                relief: relief?,
                hurst: number("hurst"),
                seed: section.whole_or_default("seed"),
                levels: whole("levels"),
            };
            let table = json!({
                "side": shape.size, "relief": shape.relief, "hurst": shape.hurst, "seed": shape.seed,
                "levels": shape.levels,
            });
            (terrain(&shape), table)
        }
        "gear" => {
            let (module, width) = (length("module"), length("width"));
            if !section.has("teeth") {
                section.report_missing("teeth");
                return None;
            }
            let teeth = section.whole("teeth").map(|n| u32::try_from(n).unwrap_or(u32::MAX));
            let shape = Gear {
                module: module?,
                teeth: teeth?,
                pressure_angle: number("pressure_angle"),
                width: width?,
                backlash: number("backlash"),
                profile_points: whole("profile_points"),
                layers: whole("layers"),
            };
            let table = json!({
                "module": shape.module, "teeth": shape.teeth,
                "pressure_angle": format!("{:?} rad", shape.pressure_angle), "width": shape.width,
                "backlash": shape.backlash, "profile_points": shape.profile_points, "layers": shape.layers,
            });
            (gear(&shape), table)
        }
        "bowl" => {
            let [radius, thickness, depth] = ["radius", "thickness", "depth"].map(length);
            let shape = Bowl { radius: radius?, thickness: thickness?, depth: depth? };
            let table = json!({
                "radius": shape.radius, "thickness": shape.thickness, "depth": shape.depth, "facets": facets,
            });
            (bowl(&shape, resolution), table)
        }
        "wire" => {
            let (radius, path) = (length("radius"), read_points(section, "path"));
            let shape = Wire { path: path?, radius: radius?, bend: number("bend") };
            let path: Vec<[f64; 3]> = shape.path.iter().map(|p| [p.x, p.y, p.z]).collect();
            let table = json!({ "path": path, "radius": shape.radius, "bend": shape.bend, "facets": facets });
            (wire(&shape, resolution), table)
        }
        "slotted-plate" => {
            let [x, y, z] = ["length", "width", "thickness"].map(length);
            let [slot_length, slot_width] = pair(section, "slot", Dimension::LENGTH)?;
            let shape = SlottedPlate { length: x?, width: y?, thickness: z?, slot_length, slot_width };
            let table = json!({
                "length": shape.length, "width": shape.width, "thickness": shape.thickness,
                "slot": [slot_length, slot_width], "facets": facets,
            });
            (slotted_plate(&shape, resolution), table)
        }
        "hawse" => {
            let [x, y, z, bore, wall, pipe] =
                ["length", "width", "thickness", "bore", "wall", "pipe"].map(length);
            let shape = Hawse {
                length: x?,
                width: y?,
                thickness: z?,
                bore: bore?,
                wall: wall?,
                pipe: pipe?,
                tilt: number("tilt"),
                lip: number("lip"),
            };
            let table = json!({
                "length": shape.length, "width": shape.width, "thickness": shape.thickness, "bore": shape.bore,
                "wall": shape.wall, "pipe": shape.pipe, "tilt": format!("{:?} rad", shape.tilt),
                "lip": shape.lip, "facets": facets,
            });
            (hawse(&shape, resolution), table)
        }
        other => unread("type", other),
    };
    let is_solid = !matches!(kind, "plate" | "funnel" | "terrain");
    let mut table = table;
    table["type"] = json!(kind);
    let mesh = share(section, mesh, table)?;
    Some((Shape::Mesh(mesh), is_solid))
}

/// Keeps what generated a surface; equal tables share one surface.
pub(super) fn share(
    section: &Section<'_, '_>,
    mesh: Result<TriangleMesh, ShapeFault>,
    table: Value,
) -> Option<Arc<TriangleMesh>> {
    let mesh = match mesh {
        Ok(mesh) => mesh,
        Err(fault) => {
            report(section, fault);
            return None;
        }
    };
    let mut known = section.context.generated.borrow_mut();
    if let Some((shared, _)) = known.iter().find(|(_, other)| *other == table) {
        return Some(Arc::clone(shared));
    }
    let shared = Arc::new(mesh);
    known.push((Arc::clone(&shared), table));
    Some(shared)
}

fn report(section: &Section<'_, '_>, fault: ShapeFault) {
    let ShapeFault { field, value, expected } = fault;
    let message = format!("{}: {field} = {value} is not {expected}", section.path);
    section.report("type", section.problem("E0314", "type", message).expected(expected));
}
