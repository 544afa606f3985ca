//! Makes pairs of surfaces: the kernel that serves them, the law with its numbers, the names. Pairs that the model lists
//! are made when it is compiled, those of wide lines when their surfaces come near each other.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use carom_geometry::convex::{ConvexShape, Core};
use carom_geometry::{Curvature, Shape};

use super::pressing::Presses;
use super::{ContactData, PairData, Scales, System, sources};
use crate::law::{
    ArealPairLaw, ArealPartners, ContactRadius, Law, Material, MaterialPair, NormalLaw, PairLaw, Partners,
    RigidLaw, VolumePartners, resolve, resolve_areal,
};
use crate::model::{BodyShape, ContactLine, Method, Model, ShapeRef, Solid, WideLine};
use crate::record::PairInfo;
use crate::{Note, Problem};

/// Features of rigid polyhedra that all pairs of a model may have together, and that each may have at least. The search for convex solids finds one
/// contact point of a pair that has more. Every feature takes its time and room, whether it is near or not.
const FEATURES: usize = 50_000;
const FEATURES_A_PAIR: usize = 2000;

/// What pairs are made from, beside surfaces and bodies: a run needs it for pairs that come up late.
#[derive(Clone)]
pub(crate) struct PairPartners {
    pub(crate) lines: Vec<ContactLine>,
    laws: Vec<Law>,
    materials: Vec<Material>,
    material_pairs: Vec<MaterialPair>,
    /// By surface.
    pub(super) traits: Vec<SurfaceTraits>,
    pub(crate) wide_lines: Vec<WideLine>,
    /// Most contacts that a pair of theirs has.
    pub(crate) contacts_a_pair: usize,
    /// Most features of a pair of rigid polyhedra.
    pub(crate) features_a_pair: usize,
    /// Pairs that are not the wide lines', the lower surface first.
    listed: BTreeSet<(ShapeRef, ShapeRef)>,
    v_reg_default: f64,
    /// What can press surfaces together, if a law asks for it.
    pub(super) presses: Option<Presses>,
}

/// What a surface brings to its pairs.
#[derive(Clone)]
pub(super) struct SurfaceTraits {
    surface: ShapeRef,
    pub(super) name: String,
    material: Option<usize>,
    contact_radius: ContactRadius,
    /// The contact radius is the model's word.
    has_stated_radius: bool,
}

/// Two surfaces that a contact line names.
pub(crate) struct PairRequest {
    pub(crate) line: usize,
    pub(crate) a: usize,
    pub(crate) b: usize,
}

/// A pair with its contacts, ready for the table.
#[derive(Clone)]
pub(crate) struct MadePair {
    pub(super) data: PairData,
    pub(super) info: PairInfo,
    /// Of each feature.
    pub(super) laws: Vec<NormalLaw>,
    pub(super) nominal_mass: f64,
    /// Names of the features; none where there is one.
    pub(super) feature_names: Vec<Cow<'static, str>>,
    pub(super) notes: Vec<Note>,
}

/// Pairs of rigid contact that a model may come to have.
fn rigid_pairs(model: &Model) -> usize {
    let is_rigid = |line: usize| model.contact_lines[line].method == Method::Nonsmooth;
    let listed = model.pairs.iter().filter(|pair| is_rigid(pair.line)).count();
    let wide = model.wide_lines.iter().filter(|wide| wide.line.is_some_and(is_rigid));
    listed + wide.map(WideLine::len).sum::<usize>()
}

impl PairPartners {
    /// `solids` has all surfaces in the order of their indices.
    pub(super) fn of_model(model: &Model, solids: &[Solid], scales: &Scales) -> Self {
        let traits = surfaces_of(model).zip(solids).map(|((surface, s), solid)| SurfaceTraits {
            surface,
            name: s.name.clone(),
            material: s.material,
            contact_radius: s.contact_radius.unwrap_or_else(|| own_contact_radius(&s.shape, solid)),
            has_stated_radius: s.contact_radius.is_some(),
        });
        let pairs = model.pairs.iter().map(|p| (p.a.min(p.b), p.a.max(p.b)));
        Self {
            lines: model.contact_lines.clone(),
            laws: model.laws.clone(),
            materials: model.materials.clone(),
            material_pairs: model.material_pairs.clone(),
            traits: traits.collect(),
            wide_lines: model.wide_lines.clone(),
            contacts_a_pair: 1,
            features_a_pair: (FEATURES / rigid_pairs(model).max(1)).max(FEATURES_A_PAIR),
            listed: pairs.chain(model.pairs_off.iter().copied()).collect(),
            v_reg_default: scales.v_reg,
            presses: None,
        }
    }

    pub(super) fn surface_name(&self, surface: usize) -> &str {
        &self.traits[surface].name
    }

    fn material_pair(&self, materials: [Option<&Material>; 2]) -> Option<&MaterialPair> {
        let [a, b] = materials;
        let (a, b) = a.zip(b)?;
        self.material_pairs.iter().find(|p| matches_names(p, &a.name, &b.name))
    }

    pub(super) fn resolve_law(
        &self,
        request: &PairRequest,
        (curvatures, flat): (&[Curvature], &[[bool; 2]]),
        (path, name): (&str, &str),
        (mass, load): (f64, f64),
    ) -> Result<PairLaw, Vec<Problem>> {
        let traits = [request.a, request.b].map(|s| &self.traits[s]);
        let materials = traits.map(|t| t.material.map(|m| &self.materials[m]));
        let radii = |flat: &[bool; 2]| {
            let of_side = |side: usize| match traits[side] {
                t if flat[side] && !t.has_stated_radius => ContactRadius::Flat,
                t => t.contact_radius,
            };
            [of_side(0), of_side(1)]
        };
        let contact_radii: Vec<_> = flat.iter().map(radii).collect();
        let partners = Partners {
            materials,
            material_pair: self.material_pair(materials),
            contact_radii: &contact_radii,
            curvatures,
            v_reg_default: self.v_reg_default,
            load,
            mass,
        };
        resolve(self.law_of(request), &partners, path, name)
    }

    pub(super) fn law_of(&self, request: &PairRequest) -> &Law {
        &self.laws[self.lines[request.line].law]
    }

    /// What two surfaces, of which the smaller solid has a volume (m³) and the smaller surface a width (m), bring to a law by
    /// volume, with their effective mass and load.
    pub(super) fn of_volume(
        &self,
        request: &PairRequest,
        (volume, width): (Option<f64>, f64),
        press: (f64, f64),
    ) -> VolumePartners<'_> {
        let materials = [request.a, request.b].map(|s| self.traits[s].material.map(|m| &self.materials[m]));
        VolumePartners {
            materials,
            material_pair: self.material_pair(materials),
            volume,
            width,
            v_reg_default: self.v_reg_default,
            press,
        }
    }
}

impl System {
    /// The pair that a wide line makes of two surfaces, by their indices, with its name.
    pub(crate) fn wide_pair(&self, first: usize, second: usize) -> Option<(PairRequest, String)> {
        let partners = &self.partners;
        let [one, two] = [first, second].map(|s| partners.traits[s].surface);
        let held = [one, two].iter().all(|s| self.mechanics.bodies[s.body].link.is_none());
        if held || partners.listed.contains(&(one.min(two), one.max(two))) {
            return None;
        }
        let owner = |wide: &WideLine| Some((wide.line, wide.order(one, two)?.0 == one));
        let (line, in_order) = partners.wide_lines.iter().find_map(owner)?;
        let (a, b) = if in_order { (first, second) } else { (second, first) };
        let request = PairRequest { line: line?, a, b };
        let [name_a, name_b] = [a, b].map(|s| &partners.traits[s].name);
        let name = format!("{}[{name_a}|{name_b}]", partners.lines[request.line].name);
        Some((request, name))
    }

    /// Surfaces that wide lines name, ascending.
    pub(crate) fn surfaces_of_wide_lines(&self) -> Vec<usize> {
        let partners = &self.partners;
        let named: BTreeSet<&ShapeRef> =
            partners.wide_lines.iter().flat_map(|w| w.sides.iter().flatten()).collect();
        (0..partners.traits.len()).filter(|&s| named.contains(&partners.traits[s].surface)).collect()
    }

    /// Pairs of the least and the largest surfaces of every kind and material that wide lines bring together: what can be
    /// wrong with their pairs is wrong with one of these.
    pub(crate) fn sample_wide_pairs(&self) -> Vec<(PairRequest, String)> {
        let partners = &self.partners;
        let mut samples = Vec::new();
        for wide in &partners.wide_lines {
            let Some(line) = wide.line else { continue };
            let [side_a, side_b] = wide.sides.each_ref().map(|side| self.representatives(side));
            let mut seen = BTreeSet::new();
            for (&s, &t) in side_a.iter().flat_map(|s| side_b.iter().map(move |t| (s, t))) {
                let [one, two] = [s, t].map(|s| partners.traits[s].surface);
                let Some((first, _)) = wide.order(one, two) else { continue };
                let (a, b) = if first == one { (s, t) } else { (t, s) };
                if seen.insert((a, b)) {
                    samples.push((PairRequest { line, a, b }, partners.lines[line].name.clone()));
                }
            }
        }
        samples
    }

    /// Of every kind and material on a side the two least and the two largest surfaces, each two on different bodies, so that
    /// a kind can meet itself. Meshes that are convex and those that are not count as two kinds.
    fn representatives(&self, side: &[ShapeRef]) -> Vec<usize> {
        let traits = &self.partners.traits;
        let index = |s: &ShapeRef| traits.partition_point(|t| t.surface < *s);
        let mut kinds: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for surface in side.iter().map(index) {
            let own = &traits[surface];
            let (kind, is_solid) =
                (self.surfaces[surface].shape.kind(), self.solids[surface].convex().is_some());
            let key = (kind, is_solid, own.material, own.contact_radius != ContactRadius::Flat);
            kinds.entry(key).or_default().push(surface);
        }
        let size = |s: usize| self.surfaces[s].shape.smallest_length();
        let body = |s: usize| self.surfaces[s].body;
        let mut chosen = Vec::new();
        for members in kinds.values_mut() {
            members.sort_by(|&s, &t| size(s).total_cmp(&size(t)));
            chosen.extend(two_of(&body, members.iter().copied()));
            chosen.extend(two_of(&body, members.iter().rev().copied()));
        }
        chosen
    }

    /// The pair of two surfaces, or why they cannot be one.
    pub(crate) fn make_pair(&self, request: &PairRequest, name: &str) -> Result<MadePair, Vec<Problem>> {
        let partners = &self.partners;
        let line = &partners.lines[request.line];
        match line.method {
            Method::Pcm => return self.make_areal_pair(request, name),
            Method::Region => return self.make_region_pair(request, name),
            _ => {}
        }
        let path = format!("contact.{}", line.name);
        let found = sources::find(self, request, line, &path)?;
        let bodies = [request.a, request.b].map(|s| self.surfaces[s].body);
        let press = (self.nominal_mass(bodies), self.nominal_load(bodies));
        if line.method == Method::Nonsmooth {
            return self.make_rigid_pair(request, name, found, &path);
        }
        let law = partners.resolve_law(request, (&found.curvatures, &found.flat), (&path, name), press)?;
        let data = PairData {
            source: found.source,
            bodies,
            friction: law.friction,
            mu_visc: law.mu_visc,
            rolling: law.rolling,
            rigid: None,
        };
        Ok(MadePair {
            nominal_mass: press.0,
            data,
            info: self.pair_info(request, name, found.kernel, law.description),
            laws: law.normal,
            feature_names: found.feature_names,
            notes: law.notes,
        })
    }

    /// The pair of two surfaces that do not give.
    fn make_rigid_pair(
        &self,
        request: &PairRequest,
        name: &str,
        found: sources::FoundSource,
        path: &str,
    ) -> Result<MadePair, Vec<Problem>> {
        let partners = &self.partners;
        let stated = partners.law_of(request);
        let Some(block) = &stated.rigid else {
            let message =
                format!("law \"{}\" has no [nonsmooth] block, needed by pair \"{name}\"", stated.name);
            let help = format!("add to law.{}: nonsmooth = {{ e_n = 0.5 }}", stated.name);
            return Err(vec![Problem::new("E0410", path, message).help(help)]);
        };
        let materials =
            [request.a, request.b].map(|s| partners.traits[s].material.map(|m| &partners.materials[m]));
        let law = RigidLaw::resolve(stated, block, partners.material_pair(materials));
        let bodies = [request.a, request.b].map(|s| self.surfaces[s].body);
        let data = PairData { rigid: Some(law), ..PairData::frictionless(found.source, bodies) };
        Ok(MadePair {
            nominal_mass: self.nominal_mass(bodies),
            data,
            info: self.pair_info(request, name, found.kernel, law.describe()),
            laws: vec![NormalLaw::NONE; found.curvatures.len()],
            feature_names: found.feature_names,
            notes: Vec::new(),
        })
    }

    /// The names of a pair.
    pub(super) fn pair_info(
        &self,
        request: &PairRequest,
        name: &str,
        kernel: &'static str,
        law: String,
    ) -> PairInfo {
        let partners = &self.partners;
        let [a, b] = [request.a, request.b].map(|s| partners.traits[s].name.clone());
        PairInfo { name: name.to_owned(), line: partners.lines[request.line].name.clone(), a, b, kernel, law }
    }

    /// Mass of two bodies that meet as if the normal met both centres of mass (kg).
    pub(super) fn nominal_mass(&self, pair: [usize; 2]) -> f64 {
        let bodies = &self.mechanics.bodies;
        let inverse = |body: usize| if bodies[body].link.is_some() { 1.0 / bodies[body].mass } else { 0.0 };
        1.0 / (inverse(pair[0]) + inverse(pair[1]))
    }

    /// Weight of the lighter of two bodies that move (N): what presses their surfaces together, as far as nothing more is known.
    pub(super) fn nominal_load(&self, pair: [usize; 2]) -> f64 {
        let bodies = pair.map(|body| &self.mechanics.bodies[body]);
        let masses = bodies.iter().filter(|body| body.link.is_some()).map(|body| body.mass);
        self.mechanics.gravity.norm() * masses.reduce(f64::min).unwrap_or(0.0)
    }

    /// Area of the smaller of both surfaces' largest flat faces (m²): what presses, as far as nothing more is known. Round
    /// surfaces have their facets.
    fn nominal_face(&self, surfaces: [usize; 2]) -> f64 {
        let face = |surface: usize| {
            let surface = &self.areal_surfaces[surface];
            let form = surface.mesh().and_then(Result::ok).and_then(|mesh| surface.form(&mesh));
            form.map_or(0.0, |form| form.faces.iter().map(|face| face.area).fold(0.0, f64::max))
        };
        surfaces.map(face).into_iter().fold(f64::INFINITY, f64::min)
    }

    /// Half of the largest extent of the smaller of two triangle surfaces (m).
    fn nominal_radius(&self, surfaces: [usize; 2]) -> f64 {
        let meshes = surfaces.into_iter().filter_map(|s| self.areal_surfaces[s].mesh()?.ok());
        meshes.map(|mesh| 0.5 * mesh.extent().max()).fold(f64::INFINITY, f64::min)
    }

    /// The law of an areal pair, side `base` (0 is A) being the base.
    pub(super) fn resolve_areal_law(
        &self,
        request: &PairRequest,
        base: usize,
        path: &str,
        name: &str,
    ) -> Result<ArealPairLaw, Vec<Problem>> {
        let partners = &self.partners;
        let surfaces = [request.a, request.b];
        let materials = surfaces.map(|s| partners.traits[s].material.map(|m| &partners.materials[m]));
        let bodies = surfaces.map(|s| self.surfaces[s].body);
        let areal = ArealPartners {
            materials,
            material_pair: partners.material_pair(materials),
            base,
            layer_on: partners.lines[request.line].layer_on,
            v_reg_default: partners.v_reg_default,
            press: (self.nominal_mass(bodies), self.nominal_load(bodies)),
            sizes: (self.nominal_face(surfaces), self.nominal_radius(surfaces)),
            estimate: &|stiffness| self.estimate_depth(request, stiffness),
        };
        resolve_areal(partners.law_of(request), &areal, path, name)
    }
}

impl MadePair {
    /// Is it one of triangle surfaces?
    pub(super) fn has_meshes(&self) -> bool {
        self.data.source.meshes().is_some()
    }

    /// Adds the pair and its contacts to a table.
    pub(crate) fn put_into(self, table: &mut super::PairTable) {
        let pair = table.add_pair(self.data, self.info);
        let mut names = self.feature_names.into_iter();
        for (feature, &law) in self.laws.iter().enumerate() {
            let name = names.next().unwrap_or_default();
            table.add_contact(ContactData { pair, feature, law, nominal_mass: self.nominal_mass }, name);
        }
    }
}

/// All surfaces, in the order of their indices.
fn surfaces_of(model: &Model) -> impl Iterator<Item = (ShapeRef, &BodyShape)> {
    let bodies = model.bodies.iter().enumerate();
    bodies.flat_map(|(body, b)| {
        b.shapes.iter().enumerate().map(move |(shape, s)| (ShapeRef { body, shape }, s))
    })
}

/// Contact radius of a shape for which the model states none.
fn own_contact_radius(shape: &Shape, solid: &Solid) -> ContactRadius {
    let radius = shape.contact_radius().or(solid.convex().map(ConvexShape::contact_radius));
    let is_block =
        matches!(shape, Shape::Box { .. } | Shape::Convex(ConvexShape { core: Core::Box { .. }, .. }));
    match radius {
        Some(radius) if is_block => ContactRadius::Block(radius),
        Some(radius) => ContactRadius::Radius(radius),
        None => ContactRadius::Flat,
    }
}

fn matches_names(pair: &MaterialPair, a: &str, b: &str) -> bool {
    let [first, second] = &pair.materials;
    (first == a && second == b) || (first == b && second == a)
}

/// The first surface, and the first one on another body.
fn two_of(
    body: &impl Fn(usize) -> usize,
    mut surfaces: impl Iterator<Item = usize>,
) -> impl Iterator<Item = usize> {
    let first = surfaces.next();
    let second = first.and_then(|f| surfaces.find(|&s| body(s) != body(f)));
    first.into_iter().chain(second)
}
