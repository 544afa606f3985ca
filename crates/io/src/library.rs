//! Materials that come with the program (docs/model-format.md, "Materials").

use carom_engine::law::{Material, MaterialPair};

/// Name, density (kg/m³), Young's modulus (Pa), Poisson's ratio.
const MATERIALS: [(&str, f64, f64, f64); 7] = [
    ("Steel", 8000.0, 2.0e11, 0.30),
    ("Aluminium", 2700.0, 6.9e10, 0.32),
    ("DryWood", 700.0, 1.1e10, 0.40),
    ("BilliardCushion", 700.0, 1.1e10, 0.40),
    ("BilliardTable", 700.0, 1.1e10, 0.40),
    ("BilliardBall", 1768.0, 5.4e9, 0.34),
    ("BilliardCue", 700.0, 1.1e10, 0.40),
];

/// Two materials, coefficient of restitution, dynamic friction, rolling resistance.
const PAIRS: [(&str, &str, f64, f64, f64); 8] = [
    ("Steel", "Steel", 0.7, 0.5, 0.001),
    ("DryWood", "DryWood", 0.6, 0.3, 0.001),
    ("BilliardBall", "BilliardBall", 1.0, 0.0, 0.0),
    ("BilliardBall", "BilliardTable", 0.0, 0.8, 0.01),
    ("BilliardBall", "BilliardCushion", 0.98, 0.0, 0.0),
    ("BilliardBall", "BilliardCue", 0.98, 0.0, 0.0),
    ("BilliardTable", "BilliardCue", 0.0, 0.8, 0.01),
    ("BilliardCue", "BilliardCue", 0.98, 0.0, 0.0),
];

/// The shipped materials.
pub fn shipped_materials() -> Vec<Material> {
    let material = |m: &(&str, f64, f64, f64)| Material {
        name: m.0.to_owned(),
        density: Some(m.1),
        young_modulus: Some(m.2),
        poisson_ratio: Some(m.3),
    };
    MATERIALS.iter().map(material).collect()
}

/// The shipped data of two materials in contact.
pub fn shipped_material_pairs() -> Vec<MaterialPair> {
    let pair = |p: &(&str, &str, f64, f64, f64)| MaterialPair {
        materials: [p.0.to_owned(), p.1.to_owned()],
        restitution: Some(p.2),
        mu: Some(p.3),
        mu_roll: Some(p.4),
    };
    PAIRS.iter().map(pair).collect()
}
