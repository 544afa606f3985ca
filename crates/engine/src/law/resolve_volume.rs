//! From what the user stated of a law by volume to the numbers that a pair of regions runs with.

use std::f64::consts::PI;

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
    /// Width of what stands for the pair where the volume does not say (m).
    pub width: f64,
    /// One of the surfaces has no face to press flat on.
    pub is_round: bool,
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
    /// What stands for it where a law by depth is asked for: the scale of positions, and the slope that bristles go by.
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
    let (stiffness_by_depth, exponent) = by_depth(stiffness, partners);
    let normal = NormalLaw {
        stiffness: stiffness_by_depth,
        exponent,
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

/// Stiffness (N/mⁿ) and exponent of F = K δⁿ that stand for F = k V S.
///
/// Faces of the area A = b² on each other: V = A δ, S = A and F = k A² δ. Where one surface has no flat face it is a ball of
/// the radius R = b/2 on a plane: V = π R δ² and S = 2 π R δ up to shares of δ/R, and F = 2 π² k R² δ³. A column would say that a
/// ball of 10 mm sinks less than a hundredth of what it does.
fn by_depth(stiffness: f64, partners: &VolumePartners<'_>) -> (f64, Exponent) {
    let width = partners.volume.map_or(partners.width, libm::cbrt);
    let area = width * width;
    if partners.is_round {
        (0.5 * PI * PI * stiffness * area, Exponent::Other(3.0))
    } else {
        (stiffness * area * area, Exponent::Linear)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::TriangleMesh;
    use carom_geometry::intersection::{MeshSurface, RegionSearch};
    use carom_geometry::surface::{Resolution, block, rectangle, sphere};
    use carom_math::{Pose, Vec3};

    const K: f64 = 1e9;

    /// k V S of a body whose lowest point is so deep below a plane (N).
    fn pressed(body: &TriangleMesh, depth: f64) -> f64 {
        let low = body.vertices.iter().map(|v| v.z).fold(f64::INFINITY, f64::min);
        let table = rectangle(1.0, 1.0, Resolution::Divisions(3)).unwrap();
        let [body, table] = [body, &table].map(|mesh| MeshSurface::new(mesh).unwrap());
        let mut search = RegionSearch::new(&body, &table);
        let pose = Pose { translation: Vec3::new(0.01, 0.02, -low - depth), ..Pose::identity() };
        search.find(&body, &table, &pose).unwrap();
        let overlap = search.regions()[0].overlap.unwrap();
        K * overlap.volume * overlap.area_vector.norm()
    }

    fn stands_for(volume: f64, is_round: bool, depth: f64) -> f64 {
        let partners = VolumePartners {
            materials: [None; 2],
            material_pair: None,
            volume: Some(volume),
            width: 1.0,
            is_round,
            v_reg_default: 1e-3,
            press: (1.0, 1.0),
        };
        let (stiffness, exponent) = by_depth(K, &partners);
        stiffness * libm::pow(depth, exponent.value())
    }

    /// A cube is its own column. A ball of the volume V₀ has the radius 0.62 ∛V₀ where ½ ∛V₀ stands for it: 1.54 times the force,
    /// and the rest are facets and δ/R = 0.02.
    #[test]
    fn what_stands_for_the_pair_presses_like_it() {
        let depth = 2e-3;
        let cube = block(Vec3::repeat(0.1), Resolution::Divisions(2)).unwrap();
        let share = pressed(&cube, depth) / stands_for(8e-3, false, depth);
        assert!((share - 1.0).abs() < 1e-9, "{share}");
        let ball = sphere(0.1, Resolution::Divisions(60)).unwrap();
        let share = pressed(&ball, depth) / stands_for(4.0 / 3.0 * PI * 1e-3, true, depth);
        assert!((1.3..1.7).contains(&share), "{share}");
    }
}
