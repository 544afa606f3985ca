use carom_engine::law::{Material, MaterialPair};
use carom_engine::model::Body;

use super::Section;
use crate::library::{shipped_material_pairs, shipped_materials};
use crate::suggest;

/// Shipped and own materials with the data of their pairs. An own definition replaces a shipped one, and
/// `check` says so.
pub(crate) fn read_materials(root: &Section<'_, '_>) -> (Vec<Material>, Vec<MaterialPair>) {
    let mut materials = shipped_materials();
    for (name, section) in root.named("material") {
        let own = Material {
            name: name.to_owned(),
            density: section.quantity("density"),
            young_modulus: section.quantity("E"),
            poisson_ratio: section.quantity("nu"),
        };
        match materials.iter_mut().find(|m| m.name == name) {
            Some(shipped) => {
                root.context
                    .note("N0201", format!("material \"{name}\" of the model replaces the shipped one"));
                *shipped = own;
            }
            None => materials.push(own),
        }
    }
    let mut pairs = shipped_material_pairs();
    let mut own: Vec<[String; 2]> = Vec::new();
    for (key, section) in root.named("material_pair") {
        let a = material_name(&section, "a", &materials);
        let b = material_name(&section, "b", &materials);
        let pair = MaterialPair {
            materials: [a.clone().unwrap_or_default(), b.clone().unwrap_or_default()],
            restitution: section.quantity("restitution"),
            mu: section.quantity("mu"),
            mu_roll: section.quantity("mu_roll"),
        };
        let (Some(a), Some(b)) = (a, b) else { continue };
        let same = |m: &[String; 2]| (m[0] == a && m[1] == b) || (m[0] == b && m[1] == a);
        if own.iter().any(same) {
            let message = format!("material_pair.{key} is a second entry for \"{a}\" and \"{b}\"");
            section.report("a", section.problem("E0206", "a", message).help("remove one of the two"));
            continue;
        }
        for property in ["restitution", "mu", "mu_roll"] {
            // Validation knows a pair by its two materials.
            root.context
                .record_origin(&format!("material_pair.{a}|{b}.{property}"), section.span_of(property));
        }
        own.push([a.clone(), b.clone()]);
        match pairs.iter_mut().find(|p| same(&p.materials)) {
            Some(shipped) => {
                root.context.note(
                    "N0202",
                    format!("material_pair.{key} replaces the shipped data of \"{a}\" and \"{b}\""),
                );
                *shipped = pair;
            }
            None => pairs.push(pair),
        }
    }
    (materials, pairs)
}

fn material_name(section: &Section<'_, '_>, key: &str, materials: &[Material]) -> Option<String> {
    let name = section.required_text(key)?;
    find_material(section, key, &name, materials)?;
    Some(name)
}

/// Index of the material that a key names.
pub(crate) fn find_material(
    section: &Section<'_, '_>,
    key: &str,
    name: &str,
    materials: &[Material],
) -> Option<usize> {
    let found = materials.iter().position(|m| m.name == name);
    if found.is_none() {
        let mut problem = section.problem("E0203", key, format!("there is no material \"{name}\""));
        problem.help = suggest::help(name, materials.iter().map(|m| m.name.as_str()));
        section.report(key, problem);
    }
    found
}

/// Leaves only materials that shapes name, and the pairs of those.
pub(crate) fn keep_used(materials: &mut Vec<Material>, pairs: &mut Vec<MaterialPair>, bodies: &mut [Body]) {
    let shapes = || bodies.iter().flat_map(|b| &b.shapes);
    let used: Vec<bool> = (0..materials.len()).map(|m| shapes().any(|s| s.material == Some(m))).collect();
    let new_index: Vec<usize> = (0..used.len()).map(|m| used[..m].iter().filter(|u| **u).count()).collect();
    for shape in bodies.iter_mut().flat_map(|b| &mut b.shapes) {
        shape.material = shape.material.map(|m| new_index[m]);
    }
    let mut keep = used.iter();
    materials.retain(|_| keep.next() == Some(&true));
    pairs.retain(|p| p.materials.iter().all(|name| materials.iter().any(|m| m.name == *name)));
}
