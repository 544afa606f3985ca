use carom_engine::law::{
    ArealBlock, ArealForm, BristleKind, FrictionKind, ImpactLaw, Law, Layers, NormalKind, PointLaw,
    RigidBlock, Rolling, VolumeBlock, layer_modulus,
};
use carom_engine::model::Method;

use super::Section;
use crate::quantity::Dimension;
use crate::schema::NORMAL_SYNONYMS;

pub(crate) fn read_laws(root: &Section<'_, '_>) -> (Vec<Law>, LawBlocks) {
    let mut laws = Vec::new();
    let mut blocks = LawBlocks::default();
    for (name, section) in root.named("law") {
        blocks.point.push(section.has("point"));
        blocks.region.push(section.has("point") || section.has("volume"));
        blocks.pcm.push(section.has("pcm"));
        blocks.nonsmooth.push(section.has("nonsmooth"));
        laws.push(read_law(name, &section));
    }
    (laws, blocks)
}

/// Which blocks the laws have.
#[derive(Debug, Default)]
pub(crate) struct LawBlocks {
    pub(crate) point: Vec<bool>,
    /// One of the two that regions take.
    pub(crate) region: Vec<bool>,
    pub(crate) pcm: Vec<bool>,
    pub(crate) nonsmooth: Vec<bool>,
}

fn read_law(name: &str, section: &Section<'_, '_>) -> Law {
    Law {
        name: name.to_owned(),
        young_modulus: section.quantity("E"),
        poisson_ratio: section.quantity("nu"),
        mu: section.quantity("mu"),
        mu_static: section.quantity("mu_s"),
        mu_visc: section.quantity_or_default("mu_visc"),
        v_reg: section.quantity("v_reg"),
        rolling: Rolling {
            mu_roll: section.quantity("mu_roll"),
            mu_spin: section.quantity("mu_spin"),
            roll_arm: section.quantity("roll_arm"),
            spin_arm: section.quantity("spin_arm"),
            w_reg: section.quantity("w_reg"),
        },
        point: section.table("point").map(|point| read_point(section, &point)),
        areal: section.table("pcm").map(|pcm| read_pcm(&pcm)),
        volume: section.table("volume").map(|volume| read_volume(&volume)),
        rigid: section.table("nonsmooth").map(|block| read_nonsmooth(&block)),
    }
}

fn read_point<'a>(law: &Section<'_, 'a>, point: &Section<'_, 'a>) -> PointLaw {
    let normal = point.kind_or_default("normal", &NormalKind::ALL, NormalKind::name, NORMAL_SYNONYMS);
    let normal = normal.unwrap_or(NormalKind::Exact);
    // Kelvin–Voigt is linear by its definition.
    let exponent = match normal {
        NormalKind::Anagnostopoulos => point.quantity("exponent").unwrap_or(1.0),
        _ => point.quantity_or_default("exponent"),
    };
    if normal == NormalKind::Anagnostopoulos && exponent != 1.0 {
        let message = format!("law \"anagnostopoulos\" is linear, got exponent {exponent}");
        point.report(
            "exponent",
            point.problem("E0406", "exponent", message).expected("1").help("remove `exponent`"),
        );
    }
    PointLaw {
        normal,
        stiffness: point.quantity_in("stiffness", Dimension::stiffness(exponent)),
        exponent,
        restitution: point.quantity("restitution"),
        friction: read_friction(law, point),
        stiffness_scale: point.quantity_or_default("stiffness_scale"),
        damping_max: point.quantity_or_default("damping_max"),
        v_small: point.quantity_or_default("v_small"),
        w_small: point.quantity_or_default("w_small"),
    }
}

fn read_friction<'a>(law: &Section<'_, 'a>, point: &Section<'_, 'a>) -> FrictionKind {
    let kind = point.kind_or_default("friction", &FrictionKind::ALL, FrictionKind::name, &[]);
    let Some(kind) = kind else { return FrictionKind::None };
    let word = kind.name();
    for (owner, section, key) in [
        ("ambrosio", point, "v0"),
        ("ambrosio", point, "v1"),
        ("bengisu-akay", point, "decay"),
        ("coulomb", point, "smooth_step"),
        ("coulomb", law, "v_stribeck"),
        ("bristle", point, "dwell_time"),
        ("stick-slip", point, "v_stick"),
        ("stick-slip", point, "k_t"),
        ("stick-slip", point, "c_t"),
    ] {
        let shared = owner == "stick-slip" && kind.bristle().is_some();
        if section.has(key) && owner != word && !shared {
            let message = format!("`{key}` belongs to friction = \"{owner}\", the law has \"{word}\"");
            let problem = section.problem("E0407", key, message);
            section.report(key, problem.help(format!("remove `{key}`, or set friction = \"{owner}\"")));
        }
    }
    let needs_static = |key: &str, section: &Section<'_, '_>| {
        if !law.has("mu_s") {
            let message = format!("`{key}` needs the static coefficient `mu_s`");
            section.report(
                key,
                section.problem("E0407", key, message).help(format!("add mu_s to {}", law.path)),
            );
        }
    };
    match kind {
        FrictionKind::Coulomb { .. } => {
            let v_stribeck = law.quantity("v_stribeck");
            if law.has("v_stribeck") {
                needs_static("v_stribeck", law);
            }
            FrictionKind::Coulomb { smooth_step: point.flag_or_default("smooth_step"), v_stribeck }
        }
        FrictionKind::Ambrosio { .. } => {
            let (v0, v1) = (point.quantity("v0"), point.quantity("v1"));
            if let (Some(low), Some(high)) = (v0, v1.or_else(|| law.quantity("v_reg")))
                && low >= high
            {
                let message = format!(
                    "friction must start below the speed where it is full: v0 = {low} m/s, v1 = {high} m/s"
                );
                point.report("v0", point.problem("E0407", "v0", message).expected("v0 < v1"));
            }
            FrictionKind::Ambrosio { v0, v1 }
        }
        FrictionKind::BengisuAkay { decay } => {
            needs_static("friction", point);
            FrictionKind::BengisuAkay { decay: point.required_quantity("decay").unwrap_or(decay) }
        }
        FrictionKind::StickSlip(_) => FrictionKind::StickSlip(read_bristle(point)),
        FrictionKind::Lugre(_) => FrictionKind::Lugre(read_bristle(point)),
        FrictionKind::Bristle { dwell_time, .. } => FrictionKind::Bristle {
            bristle: read_bristle(point),
            dwell_time: point.required_quantity("dwell_time").unwrap_or(dwell_time),
        },
        FrictionKind::None | FrictionKind::Threlfall => kind,
    }
}

fn read_bristle(point: &Section<'_, '_>) -> BristleKind {
    BristleKind {
        v_stick: point.quantity("v_stick"),
        stiffness: point.quantity("k_t"),
        damping: point.quantity("c_t"),
    }
}

fn read_pcm(pcm: &Section<'_, '_>) -> ArealBlock {
    let in_range = |key: &str| {
        let value = pcm.quantity(key);
        pcm.check_range(key, value);
        value
    };
    let poisson_ratio = pcm.quantity("nu");
    if let Some(nu) = pcm.outside("nu", poisson_ratio) {
        let demand = pcm.row("nu").range.demand();
        let problem =
            pcm.problem("E0406", "nu", format!("Poisson's ratio of a layer must {demand}, got {nu}"));
        pcm.report(
            "nu",
            problem.help("0.45 is usual for rubber; a layer that keeps its volume has no finite stiffness"),
        );
    }
    let damping = read_damping(pcm);
    if pcm.has("v_small") && !pcm.has("restitution") {
        let problem = pcm.problem("E0407", "v_small", "`v_small` belongs to `restitution`".to_owned());
        pcm.report("v_small", problem.help("remove `v_small`, or add a restitution"));
    }
    let ramp = in_range("ramp");
    let form = match pcm.kind_or_default("damping_form", &ArealForm::ALL, ArealForm::name, &[]) {
        Some(ArealForm::Ramped(_)) | None => ArealForm::Ramped(ramp),
        Some(form) => form,
    };
    if pcm.has("ramp") && !matches!(form, ArealForm::Ramped(_)) {
        let problem = pcm.problem("E0407", "ramp", "`ramp` belongs to damping_form = \"ramped\"".to_owned());
        pcm.report("ramp", problem.help("remove `ramp`"));
    }
    ArealBlock {
        layers: read_layers(pcm),
        young_modulus: in_range("E"),
        poisson_ratio,
        // Lines of no length have no elements to go on with.
        u_max: in_range("u_max").filter(|u_max| *u_max > 0.0),
        may_exceed: pcm.word_or_default("beyond_u_max") == Some("warn"),
        damping,
        form,
        restitution: pcm.quantity("restitution"),
        v_small: pcm.quantity_or_default("v_small"),
    }
}

/// In compression and in expansion.
fn read_damping(pcm: &Section<'_, '_>) -> [f64; 2] {
    if pcm.node("damping").is_none_or(|node| node.as_table().is_none()) {
        let damping = pcm.quantity_or_default("damping");
        pcm.check_range("damping", Some(damping));
        return [damping; 2];
    }
    let Some(each) = pcm.table("damping") else { return [0.0; 2] };
    ["compression", "expansion"].map(|key| {
        let damping = each.required_quantity(key);
        each.check_range(key, damping);
        damping.unwrap_or(0.0)
    })
}

fn read_layers(pcm: &Section<'_, '_>) -> Layers {
    if !pcm.has("layer_a") && !pcm.has("layer_b") {
        let layer = pcm.required_quantity("layer");
        pcm.check_range("layer", layer);
        return Layers::One(layer.unwrap_or(1.0));
    }
    if pcm.has("layer") {
        let message = format!("{} has `layer` and layers of A and B", pcm.path);
        let problem = pcm.problem("E0407", "layer", message);
        pcm.report(
            "layer",
            problem.help("remove `layer`, which is one thickness where the contact line says"),
        );
    }
    Layers::Each(["layer_a", "layer_b"].map(|key| {
        let thickness = pcm.quantity_or_default(key);
        pcm.check_range(key, Some(thickness));
        thickness
    }))
}

fn read_volume(volume: &Section<'_, '_>) -> VolumeBlock {
    let in_range = |key: &str| {
        let value = volume.quantity(key);
        volume.check_range(key, value);
        value
    };
    let v_small = volume.quantity_or_default("v_small");
    volume.check_range("v_small", Some(v_small));
    VolumeBlock { stiffness: in_range("stiffness"), restitution: in_range("restitution"), v_small }
}

fn read_nonsmooth(block: &Section<'_, '_>) -> RigidBlock {
    let normal = block.required_quantity("e_n");
    block.check_range("e_n", normal);
    let mu = block.quantity("mu");
    block.check_range("mu", mu);
    let [tangential, bound] = ["e_t", "nu"].map(|key| {
        let value = block.quantity_or_default(key);
        block.check_range(key, Some(value));
        value
    });
    let impact = block.kind_or_default("impact", &ImpactLaw::ALL, ImpactLaw::name, &[]).unwrap_or_default();
    RigidBlock { normal: normal.unwrap_or(0.0), tangential, bound, mu, impact }
}

/// The block of a law that a method reads, as messages name it, and which laws have it.
pub(super) fn block_of(method: Method, blocks: &LawBlocks) -> (&'static str, &[bool]) {
    match method {
        Method::Pcm => ("[pcm]", &blocks.pcm),
        Method::Nonsmooth => ("[nonsmooth]", &blocks.nonsmooth),
        Method::Region => ("[point] or [volume]", &blocks.region),
        _ => ("[point]", &blocks.point),
    }
}

/// Thickness of the layer in the example of a pcm block (m), and the impact whose damping is told: its depth (m), at 1 m/s.
const EXAMPLE_LAYER: f64 = 0.01;
const EXAMPLE_DEPTH: f64 = 1e-3;

/// A block that could be added to a law.
///
/// The damping told of an areal law is d = 0.4 c u/v: contact of one area A is a linear spring and damper, m ü = −A (c u + d u̇),
/// whose impact at v goes u = v √(m/(c A)) deep, so that d = 2 ζ c u/v, and e = exp(−π ζ/√(1 − ζ²)) is a half at ζ = 0.2.
pub(super) fn example_of(block: &str, law: Option<&Law>) -> String {
    match (block, law.and_then(|law| law.young_modulus.zip(law.poisson_ratio))) {
        ("[pcm]", Some((modulus, poisson))) if poisson > -1.0 && poisson < 0.5 => {
            let damping = 0.4 * layer_modulus(modulus, poisson) / EXAMPLE_LAYER * EXAMPLE_DEPTH;
            format!(
                "pcm = {{ layer = \"10 mm\", damping = \"{damping:.1e} N*s/m^3\" }}; with E and nu of the law such a damping takes about \
                 half of the speed of an impact at 1 m/s that goes 1 mm deep"
            )
        }
        ("[pcm]", _) => "pcm = { layer = \"10 mm\" }, E and nu".to_owned(),
        ("[nonsmooth]", _) => rigid_example(law),
        ("[point] or [volume]", _) => "volume = { stiffness = \"1e10 N/m^5\", restitution = 0.5 }".to_owned(),
        _ => "point = { normal = \"exact\", restitution = 0.5 }".to_owned(),
    }
}

/// A block of rigid contact that does what the law's point block does: as much restitution, and its friction.
fn rigid_example(law: Option<&Law>) -> String {
    let point = law.and_then(|law| law.point);
    let restitution = point.map_or(0.5, |point| point.restitution.unwrap_or(1.0));
    let slips = point.is_some_and(|point| point.friction == FrictionKind::None);
    match law.and_then(|law| law.mu) {
        Some(mu) if !slips => format!("nonsmooth = {{ e_n = {restitution}, mu = {mu} }}"),
        _ => format!("nonsmooth = {{ e_n = {restitution} }}"),
    }
}
