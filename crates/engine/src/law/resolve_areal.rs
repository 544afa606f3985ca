//! From what the user stated of an elastic foundation to the numbers that an areal pair runs with.

use std::f64::consts::PI;

use super::LayerSide;
use super::areal::{ArealDamping, ArealLaw, layer_modulus};
use super::friction::Coulomb;
use super::resolve::{Expected, describe_bristle, resolve_friction as resolve_bristled};
use super::{
    ArealBlock, ArealForm, Friction, FrictionKind, Law, Layers, Material, MaterialPair, NormalKind,
    RESTITUTION_MIN, damping_factor,
};
use crate::{Note, Problem};

/// A ramp of damping ends at this share of u_max unless its depth is given.
const RAMP_SHARE: f64 = 1.0 / 30.0;

/// An estimate of the depth of an areal pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DepthEstimate {
    /// As the bodies move (m).
    pub(crate) depth: f64,
    /// However those that nothing holds may come to be turned, no less (m).
    pub(crate) deepest: f64,
    /// Why nothing bounds it, in words.
    pub(crate) doubt: Option<&'static str>,
}

/// What a pair of triangle surfaces brings to its law.
pub struct ArealPartners<'a> {
    /// Materials of A and B.
    pub materials: [Option<&'a Material>; 2],
    /// The entry for these two materials.
    pub material_pair: Option<&'a MaterialPair>,
    /// Which of them carries the contact elements: 0 is A.
    pub base: usize,
    /// Where a layer of one thickness is.
    pub layer_on: LayerSide,
    /// Default of v_reg (m/s), from the model's scale.
    pub v_reg_default: f64,
    /// Mass of both as if the normal met both centres of mass (kg), and load to be expected (N).
    pub press: (f64, f64),
    /// Area of the smaller of both surfaces' largest flat faces (m²), and radius of the smaller surface (m).
    pub sizes: (f64, f64),
    /// Penetration to be expected at a stiffness c_l (N/m³), for a law without u_max; `None` if the surfaces are no
    /// meshes.
    pub(crate) estimate: &'a dyn Fn(f64) -> Option<DepthEstimate>,
}

/// Laws of an areal pair.
#[derive(Clone, Debug, PartialEq)]
pub struct ArealPairLaw {
    /// Pressure.
    pub law: ArealLaw,
    /// Largest penetration that is looked for (m).
    pub u_max: f64,
    /// A tenth of it is a depth for which the force ought to be right (m): u_max, or less if that has room for landings on edges and corners.
    pub usual: f64,
    /// A deeper penetration is a warning and no error.
    pub may_exceed: bool,
    /// Friction.
    pub friction: Friction,
    /// The law in words and numbers.
    pub description: String,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// Reserve of a u_max that is estimated.
pub(crate) const RESERVE: f64 = 1.5;

/// Resolves a law for an areal pair: the block's own numbers win, then the law's, then the materials'.
/// `path` is the model path of the contact line, for messages.
pub fn resolve_areal(
    law: &Law,
    partners: &ArealPartners<'_>,
    path: &str,
    pair: &str,
) -> Result<ArealPairLaw, Vec<Problem>> {
    let Some(block) = &law.areal else {
        let message = format!("law \"{}\" has no [pcm] block, needed by pair \"{pair}\"", law.name);
        let help =
            format!("add to law.{}: pcm = {{ layer = \"10 mm\", damping = \"10 kN*s/m^3\" }}", law.name);
        return Err(vec![Problem::new("E0410", path, message).help(help)]);
    };
    let mut problems = Vec::new();
    let compliances = compliances(law, block, partners, path, pair, &mut problems);
    if law.mu_visc != 0.0 {
        let message =
            format!("law \"{}\" has viscous friction, which areal pair \"{pair}\" does not know", law.name);
        problems.push(Problem::new("E0407", path, message).help(format!("remove law.{}.mu_visc", law.name)));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let compliance = compliances[0] + compliances[1];
    let stiffness = 1.0 / compliance;
    let estimate = if block.u_max.is_none() { (partners.estimate)(stiffness) } else { None };
    // Surfaces that are no meshes are refused later.
    let or_estimate =
        |of: fn(DepthEstimate) -> f64| block.u_max.unwrap_or(RESERVE * estimate.map_or(1.0, of));
    let [u_max, usual] = [or_estimate(|found| found.deepest), or_estimate(|found| found.depth)];
    let doubt = estimate.and_then(|found| found.doubt);
    let doubt = doubt.map(|why| note_of_doubt(why, u_max, &law.name, pair));
    let form = match block.form {
        ArealForm::Plain => ArealDamping::Plain,
        ArealForm::NoTension => ArealDamping::NoTension,
        ArealForm::Ramped(depth) => ArealDamping::Ramped { depth: depth.unwrap_or(RAMP_SHARE * usual) },
    };
    let friction = resolve_friction(law, partners, (stiffness, block.v_small));
    let chi = block.restitution.and_then(|e| damping_factor(NormalKind::Exact, e));
    let too_low = block.restitution.filter(|e| *e < RESTITUTION_MIN);
    let replaced =
        law.point.filter(|_| friction != Friction::None).and_then(|p| replaced_friction(&p.friction));
    let notes =
        [doubt, too_low.map(|e| note_of_restitution(e, pair)), replaced.map(|f| note_of_friction(f, pair))];
    let notes = notes.into_iter().flatten().collect();
    let areal = ArealLaw {
        stiffness,
        base_share: compliances[partners.base] / compliance,
        damping: block.damping,
        form,
        chi: chi.unwrap_or(0.0),
        v_small: block.v_small,
    };
    let mut description = describe_layers(compliances);
    describe(&areal, block, (u_max, usual), &friction, &mut description);
    Ok(ArealPairLaw { law: areal, u_max, usual, may_exceed: block.may_exceed, friction, description, notes })
}

/// N0406: no sound estimate.
fn note_of_doubt(why: &str, u_max: f64, law: &str, pair: &str) -> Note {
    let message = format!(
        "pair \"{pair}\": nothing bounds its penetration, as {why}; it is looked for up to {u_max:.3e} m: state u_max in law.{law}.pcm, or a stiffer layer"
    );
    Note::new("N0406", message)
}

/// The word of a friction law of points that areal contact does not know.
fn replaced_friction(friction: &FrictionKind) -> Option<&'static str> {
    match friction {
        FrictionKind::None | FrictionKind::Coulomb { .. } => None,
        bristled if bristled.bristle().is_some() => None,
        other => Some(other.name()),
    }
}

/// N0407: another friction than the law names.
fn note_of_friction(friction: &str, pair: &str) -> Note {
    let message = format!(
        "pair \"{pair}\": friction = \"{friction}\" is for points; areal contact takes its coefficients as Coulomb's on every element, smooth below v_reg"
    );
    Note::new("N0407", message)
}

/// N0402: less than can be delivered.
fn note_of_restitution(restitution: f64, pair: &str) -> Note {
    let message = format!(
        "pair \"{pair}\": restitution {restitution} is below {RESTITUTION_MIN}, the smallest that areal contact can deliver; {RESTITUTION_MIN} is used"
    );
    Note::new("N0402", message)
}

/// b/K of A and of B (m³/N).
fn compliances(
    law: &Law,
    block: &ArealBlock,
    partners: &ArealPartners<'_>,
    path: &str,
    pair: &str,
    problems: &mut Vec<Problem>,
) -> [f64; 2] {
    let thickness = match (block.layers, partners.layer_on) {
        (Layers::One(b), LayerSide::A) => [b, 0.0],
        (Layers::One(b), LayerSide::B) => [0.0, b],
        (Layers::One(b), LayerSide::Both) => [b, b],
        (Layers::One(b), LayerSide::Base) if partners.base == 0 => [b, 0.0],
        (Layers::One(b), LayerSide::Base) => [0.0, b],
        (Layers::Each(both), LayerSide::Base) => both,
        (Layers::Each(both), _) => {
            let message = format!(
                "pair \"{pair}\" says which body carries the layer, and law \"{}\" gives A and B thicknesses of their own",
                law.name
            );
            let help = format!("remove `layer_on`, or give law.{0}.pcm one thickness `layer`", law.name);
            problems.push(Problem::new("E0407", format!("{path}.layer_on"), message).help(help));
            both
        }
    };
    if thickness == [0.0, 0.0] {
        let message = format!(
            "pair \"{pair}\" has no elastic layer: those of law \"{}\" are 0 m thick on both sides",
            law.name
        );
        problems.push(Problem::new("E0417", path, message).help("give one of the two a thickness"));
        return [1.0, 0.0];
    }
    [0, 1].map(|side| {
        if thickness[side] == 0.0 {
            return 0.0;
        }
        let material = partners.materials[side];
        let modulus = block.young_modulus.or(law.young_modulus).or(material.and_then(|m| m.young_modulus));
        let poisson = block.poisson_ratio.or(law.poisson_ratio).or(material.and_then(|m| m.poisson_ratio));
        let (Some(modulus), Some(poisson)) = (modulus, poisson) else {
            if !problems.iter().any(|p| p.code == "E0411") {
                let message = format!("pair \"{pair}\" has no stiffness: neither law \"{}\" nor the material of its layer gives E and nu", law.name);
                let help = format!("give law.{0}.E and law.{0}.nu, or a material to the shape", law.name);
                problems.push(Problem::new("E0411", path, message).help(help));
            }
            return 1.0;
        };
        if !(-1.0 < poisson && poisson < 0.5) {
            let message = format!("pair \"{pair}\": a layer with Poisson's ratio {poisson} has no finite stiffness");
            problems.push(Problem::new("E0406", path, message).expected("-1 < nu < 0.5"));
            return 1.0;
        }
        thickness[side] / layer_modulus(modulus, poisson)
    })
}

/// Coulomb's law with a smooth step, which costs no transcendental function an element; or a bristle, one for the whole contact.
fn resolve_friction(law: &Law, partners: &ArealPartners<'_>, (stiffness, v_small): (f64, f64)) -> Friction {
    let mu = law.mu.or(partners.material_pair.and_then(|p| p.mu)).unwrap_or(0.0);
    let mu_static = law.mu_static.unwrap_or(mu);
    if mu == 0.0 && mu_static == 0.0 {
        return Friction::None;
    }
    let v_reg = law.v_reg.unwrap_or(partners.v_reg_default);
    if let Some(point) = law.point.filter(|point| point.friction.bristle().is_some()) {
        return resolve_bristled(law, &point, mu, v_reg, &expect(partners, stiffness, v_small));
    }
    let stribeck = law.point.and_then(|p| match p.friction {
        FrictionKind::Coulomb { v_stribeck, .. } => v_stribeck,
        _ => None,
    });
    Friction::Coulomb(Coulomb {
        mu,
        mu_static,
        v_stribeck: stribeck.unwrap_or(10.0 * v_reg),
        v_reg,
        smooth_step: true,
    })
}

/// Faces on each other, F = c A u, or a ball on a plane, F = π R c u²: whichever is stiffer under the load to be expected; where nothing weighs, in
/// an impact at v_small, ½ m v² = F²/(2 c A), or π R c u³/3.
fn expect(partners: &ArealPartners<'_>, stiffness: f64, v_small: f64) -> Expected {
    let ((face, radius), (mass, load)) = (partners.sizes, partners.press);
    let (of_face, of_ball) = (stiffness * face, PI * radius * stiffness);
    let depth = libm::cbrt(1.5 * mass * v_small * v_small / of_ball);
    let hit = (v_small * (mass * of_face).sqrt()).max(of_ball * depth * depth);
    let force = if load > 0.0 { load } else { hit };
    Expected::of_slope(force, of_face.max(2.0 * (of_ball * force).sqrt()))
}

/// Which body is soft: its layer takes the penetration.
fn describe_layers(compliances: [f64; 2]) -> String {
    let on = match compliances.map(|c| c > 0.0) {
        [true, true] => "layers on A and B",
        [true, false] => "layer on A",
        _ => "layer on B",
    };
    format!("elastic foundation, {on}")
}

fn describe(
    law: &ArealLaw,
    block: &ArealBlock,
    (u_max, usual): (f64, f64),
    friction: &Friction,
    text: &mut String,
) {
    let origin = match block.u_max {
        None if usual < u_max => {
            format!(" (estimated, for landing on an edge or a corner; {usual:.3e} m as it starts)")
        }
        None => " (estimated)".to_owned(),
        Some(_) => String::new(),
    };
    text.push_str(&format!(", c = {:.6e} N/m^3, u_max = {u_max:.6e} m{origin}", law.stiffness));
    let form = law.form.name();
    let ramp = match law.form {
        ArealDamping::Ramped { depth } => format!(" to whole at {depth:.3e} m"),
        ArealDamping::Plain | ArealDamping::NoTension => String::new(),
    };
    match law.damping {
        [0.0, 0.0] => {}
        [one, other] if one == other => {
            text.push_str(&format!(", damping {form}{ramp} {one:.6e} N s/m^3"));
        }
        [compression, expansion] => text.push_str(&format!(
            ", damping {form}{ramp} {compression:.6e} N s/m^3 in compression and {expansion:.6e} in expansion"
        )),
    }
    if let Some(restitution) = block.restitution {
        let delivered = restitution.max(RESTITUTION_MIN);
        text.push_str(&format!(", restitution {delivered} (chi = {:.6})", law.chi));
        if law.damping != [0.0; 2] {
            text.push_str(" less what the damping takes");
        }
    }
    match (friction, friction.bristle()) {
        (_, Some(bristle)) => text.push_str(&describe_bristle(friction, bristle)),
        (Friction::Coulomb(coulomb), _) => {
            text.push_str(&format!(", friction coulomb with mu = {}", coulomb.mu));
        }
        _ => text.push_str(", no friction"),
    }
}
