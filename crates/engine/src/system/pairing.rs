//! Makes pairs of surfaces: the kernel that serves them, the law with its numbers, the names.

use carom_geometry::{Cell, Curvature, find_kernel};

use super::{BodyData, ContactData, PairData, PairSource, SurfacePair, System};
use crate::Problem;
use crate::law::{Law, Material, MaterialPair, PairLaw, Partners, resolve};
use crate::model::{ContactLine, Method, Model};
use crate::record::PairInfo;

/// What pairs are made from, beside surfaces and bodies: a run needs it for pairs that come up late.
#[derive(Clone)]
pub(crate) struct PairPartners {
    lines: Vec<ContactLine>,
    laws: Vec<Law>,
    materials: Vec<Material>,
    material_pairs: Vec<MaterialPair>,
    /// By surface.
    traits: Vec<SurfaceTraits>,
    v_reg_default: f64,
}

/// What a surface brings to its pairs.
#[derive(Clone)]
struct SurfaceTraits {
    name: String,
    material: Option<usize>,
    contact_radius: Option<f64>,
}

/// Two surfaces that a contact line names.
pub(crate) struct PairRequest {
    pub(crate) line: usize,
    pub(crate) a: usize,
    pub(crate) b: usize,
}

/// A pair with its contacts, ready for the table.
pub(crate) struct MadePair {
    data: PairData,
    info: PairInfo,
    laws: Vec<crate::law::NormalLaw>,
    nominal_mass: f64,
    feature_name: Option<fn(usize) -> &'static str>,
    notes: Vec<String>,
}

impl PairPartners {
    pub(super) fn of_model(model: &Model, v_reg_default: f64) -> Self {
        let shapes = model.bodies.iter().flat_map(|body| &body.shapes);
        let traits = shapes.map(|s| SurfaceTraits {
            name: s.name.clone(),
            material: s.material,
            contact_radius: s.contact_radius.or(s.shape.contact_radius()),
        });
        Self {
            lines: model.contact_lines.clone(),
            laws: model.laws.clone(),
            materials: model.materials.clone(),
            material_pairs: model.material_pairs.clone(),
            traits: traits.collect(),
            v_reg_default,
        }
    }

    fn resolve_law(
        &self,
        request: &PairRequest,
        curvatures: &[Curvature],
        path: &str,
        name: &str,
    ) -> Result<PairLaw, Vec<Problem>> {
        let traits = [request.a, request.b].map(|s| &self.traits[s]);
        let materials = traits.map(|t| t.material.map(|m| &self.materials[m]));
        let material_pair = match materials {
            [Some(a), Some(b)] => self.material_pairs.iter().find(|p| matches_names(p, &a.name, &b.name)),
            _ => None,
        };
        let partners = Partners {
            materials,
            material_pair,
            contact_radii: traits.map(|t| t.contact_radius),
            curvatures,
            v_reg_default: self.v_reg_default,
        };
        resolve(&self.laws[self.lines[request.line].law], &partners, path, name)
    }
}

impl System {
    /// The pair of two surfaces, or why they cannot be one.
    pub(crate) fn make_pair(&self, request: &PairRequest, name: &str) -> Result<MadePair, Vec<Problem>> {
        let partners = &self.partners;
        let line = &partners.lines[request.line];
        let path = format!("contact.{}", line.name);
        if !matches!(line.method, Method::Analytic | Method::Auto) {
            let message = format!("method \"{}\" is not built yet", line.method.name());
            return Err(vec![
                Problem::new("E0430", format!("{path}.method"), message).help("use method = \"analytic\""),
            ]);
        }
        let (a, b) = (&self.surfaces[request.a], &self.surfaces[request.b]);
        let [name_a, name_b] = [request.a, request.b].map(|s| partners.traits[s].name.clone());
        let (kernel, swapped) = match find_kernel(a.shape.kind(), b.shape.kind()) {
            Cell::Direct(kernel) => (kernel, false),
            Cell::Swapped(kernel) => (kernel, true),
            Cell::Unsupported(reason) => {
                let message = format!(
                    "pair \"{name}\": no analytic contact of {} \"{name_a}\" with {} \"{name_b}\": {reason}",
                    a.shape.kind().name(),
                    b.shape.kind().name(),
                );
                return Err(vec![
                    Problem::new("E0421", path, message)
                        .help("docs/pairs.md lists the pairs that the method serves"),
                ]);
            }
        };
        let [first, second] = if swapped { [b, a] } else { [a, b] };
        let features = (kernel.features)(&first.shape, &second.shape);
        let curvatures: Vec<Curvature> =
            (0..features).map(|f| (kernel.curvature)(&first.shape, &second.shape, f)).collect();
        let law = partners.resolve_law(request, &curvatures, &path, name)?;
        let kernel_order = if swapped { [request.b, request.a] } else { [request.a, request.b] };
        Ok(MadePair {
            data: PairData {
                source: PairSource::Surfaces(SurfacePair { kernel_order, swapped, kernel }),
                bodies: [a.body, b.body],
                friction: law.friction,
                mu_visc: law.mu_visc,
                rolling: law.rolling,
            },
            info: PairInfo {
                name: name.to_owned(),
                line: line.name.clone(),
                a: name_a,
                b: name_b,
                kernel: kernel.name,
                law: law.description,
            },
            laws: law.normal,
            nominal_mass: nominal_mass(&self.bodies, [a.body, b.body]),
            feature_name: (features > 1).then_some(kernel.feature_name),
            notes: law.notes,
        })
    }

    /// Puts a pair into the table.
    pub(super) fn take_pair(&mut self, made: MadePair) {
        for note in &made.notes {
            if !self.notes.contains(note) {
                self.notes.push(note.clone());
            }
        }
        made.put_into(&mut self.table);
    }
}

impl MadePair {
    /// Adds the pair and its contacts to a table.
    pub(crate) fn put_into(self, table: &mut super::PairTable) {
        let pair = table.add_pair(self.data, self.info);
        for (feature, &law) in self.laws.iter().enumerate() {
            let name = self.feature_name.map_or("", |name| name(feature));
            table.add_contact(ContactData { pair, feature, law, nominal_mass: self.nominal_mass }, name);
        }
    }
}

fn matches_names(pair: &MaterialPair, a: &str, b: &str) -> bool {
    let [first, second] = &pair.materials;
    (first == a && second == b) || (first == b && second == a)
}

fn nominal_mass(bodies: &[BodyData], pair: [usize; 2]) -> f64 {
    let inverse = |body: usize| if bodies[body].link.is_some() { 1.0 / bodies[body].mass } else { 0.0 };
    1.0 / (inverse(pair[0]) + inverse(pair[1]))
}
