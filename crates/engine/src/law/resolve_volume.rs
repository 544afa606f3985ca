//! From what the user stated of a law by volume to the numbers that a pair of regions runs with.

use super::resolve::{Expected, resolve_friction};
use super::volume::VolumeLaw;
use super::{
    Damping, Exponent, Friction, FrictionKind, Law, Material, MaterialPair, NormalKind, NormalLaw, PointLaw,
    RESTITUTION_MIN, VolumeBlock, damping_factor, effective_modulus,
};
use crate::{Note, Problem};

/// What a pair of closed surfaces brings to its law.
pub struct VolumePartners<'a> {
    /// Materials of A and B.
    pub materials: [Option<&'a Material>; 2],
    /// The entry for these two materials.
    pub material_pair: Option<&'a MaterialPair>,
    /// Volume of the smaller solid (m³); none if both surfaces are open.
    pub volume: Option<f64>,
    /// Width of a column that stands for the pair where the volume does not say (m).
    pub width: f64,
    /// Default of v_reg (m/s), from the model's scale.
    pub v_reg_default: f64,
    /// Effective mass of the pair (kg), and the load to be expected of it (N).
    pub press: (f64, f64),
}

/// Laws of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumePairLaw {
    /// Pressure.
    pub law: VolumeLaw,
    /// What stands for it where a law by depth is asked for: the column that the default stiffness is of, pressed on its whole
    /// face.
    pub normal: NormalLaw,
    /// Friction.
    pub friction: Friction,
    /// The law in words and numbers.
    pub description: String,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// Resolves the block by volume of a law for a pair. Without a stiffness it is k = E*/V₀ with Hertz's modulus E* of both materials
/// and the volume V₀ of the smaller solid: that of a column pressed on its whole face, F = E* A δ/b = k V A.
///
/// # Errors
/// E0411 without a stiffness and without the materials for one.
pub fn resolve_volume(
    law: &Law,
    block: &VolumeBlock,
    partners: &VolumePartners<'_>,
    path: &str,
    pair: &str,
) -> Result<VolumePairLaw, Vec<Problem>> {
    let elastic = |material: Option<&Material>| {
        let e = law.young_modulus.or(material.and_then(|m| m.young_modulus))?;
        let nu = law.poisson_ratio.or(material.and_then(|m| m.poisson_ratio))?;
        Some((e, nu))
    };
    let of_materials = || {
        let [a, b] = partners.materials.map(elastic);
        Some(effective_modulus(a?, b?) / partners.volume?)
    };
    let Some(stiffness) = block.stiffness.or_else(of_materials) else {
        let name = &law.name;
        let message = format!(
            "pair \"{pair}\" has no stiffness: law \"{name}\" gives none, nor E and nu, and the shapes' materials do not either"
        );
        let help = format!(
            "give law.{name}.volume.stiffness in N/m^5, or law.{name}.E and nu, or a material to both shapes"
        );
        return Err(vec![Problem::new("E0411", path, message).help(help)]);
    };
    let restitution = block.restitution.or(partners.material_pair.and_then(|p| p.restitution)).unwrap_or(1.0);
    let chi = damping_factor(NormalKind::Exact, restitution).unwrap_or(0.0);
    let mu = law.mu.or(partners.material_pair.and_then(|p| p.mu)).unwrap_or(0.0);
    let point = law.point.unwrap_or(FRICTION_ALONE);
    let width = partners.volume.map_or(partners.width, libm::cbrt);
    let area = width * width;
    let normal = NormalLaw {
        stiffness: stiffness * area * area,
        exponent: Exponent::Linear,
        damping: Damping::Factor { chi },
        v_small: block.v_small,
    };
    let v_reg = law.v_reg.unwrap_or(partners.v_reg_default);
    let expected = Expected::new(&[normal], partners.press);
    let friction = resolve_friction(law, &point, mu, v_reg, &expected);
    let mut description = format!("by volume, k = {stiffness:.6e} N/m^5, e = {restitution}");
    if friction != Friction::None {
        description.push_str(&format!(", friction with mu = {mu}"));
    }
    let notes = (restitution < RESTITUTION_MIN).then(|| {
        let message = format!("pair \"{pair}\": restitution {restitution} is below {RESTITUTION_MIN}, the smallest that a compliant law delivers; {RESTITUTION_MIN} is used");
        Note::new("N0402", message)
    });
    let law = VolumeLaw { stiffness, chi, v_small: block.v_small };
    Ok(VolumePairLaw { law, normal, friction, description, notes: notes.into_iter().collect() })
}

/// The point block of a law that has none: its friction is Coulomb's.
const FRICTION_ALONE: PointLaw = PointLaw {
    normal: NormalKind::Exact,
    stiffness: None,
    exponent: 1.5,
    restitution: None,
    friction: FrictionKind::Coulomb { smooth_step: true, v_stribeck: None },
    stiffness_scale: 1.0,
    damping_max: 0.0,
    v_small: 0.0,
    w_small: 0.0,
};
