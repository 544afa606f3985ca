//! From what the user stated to the numbers that a pair runs with.

use carom_geometry::Curvature;

use super::friction::{BristleLaw, Coulomb, Dwelling};
use super::{
    BristleKind, ContactRadius, Damping, Exponent, Friction, FrictionKind, Law, Material, MaterialPair,
    NormalKind, NormalLaw, PointLaw, RESTITUTION_MIN, Rolling, RollingResistance, damping_factor,
    damping_ratio, effective_modulus, hertz_stiffness, needs_minimum, reduced_radius,
};
use crate::{Note, Problem};

/// What a pair of surfaces brings to its law.
pub struct Partners<'a> {
    /// Materials of A and B.
    pub materials: [Option<&'a Material>; 2],
    /// The entry for these two materials.
    pub material_pair: Option<&'a MaterialPair>,
    /// Contact radii of A and B at each feature.
    pub contact_radii: &'a [[ContactRadius; 2]],
    /// Relative curvatures of each feature.
    pub curvatures: &'a [Curvature],
    /// Default of v_reg (m/s), from the model's scale.
    pub v_reg_default: f64,
    /// Load to be expected (N): the weight of the lighter body that moves.
    pub load: f64,
    /// Effective mass of the two bodies (kg).
    pub mass: f64,
}

/// Laws of a pair.
#[derive(Clone, Debug, PartialEq)]
pub struct PairLaw {
    /// Normal law of each feature.
    pub normal: Vec<NormalLaw>,
    /// Friction.
    pub friction: Friction,
    /// Viscous friction (N s/m).
    pub mu_visc: f64,
    /// Rolling and drilling resistance.
    pub rolling: RollingResistance,
    /// The law in words and numbers.
    pub description: String,
    /// What the user should know.
    pub notes: Vec<Note>,
}

/// Resolves a law for a pair: the law's own numbers win, then the material pair, then the materials.
/// `path` is the model path of the contact line, for messages.
pub fn resolve(law: &Law, partners: &Partners<'_>, path: &str, pair: &str) -> Result<PairLaw, Vec<Problem>> {
    let mut problems = Vec::new();
    let Some(point) = &law.point else {
        return Err(vec![
            Problem::new(
                "E0410",
                path,
                format!("law \"{}\" has no [point] block, needed by pair \"{pair}\"", law.name),
            )
            .help(format!("add to law.{}: point = {{ normal = \"exact\", restitution = 0.5 }}", law.name)),
        ]);
    };
    let mut notes = Vec::new();
    let restitution = resolve_restitution(law, point, partners, path, pair, &mut problems);
    if restitution < RESTITUTION_MIN && needs_minimum(point.normal) {
        let message = format!(
            "pair \"{pair}\": restitution {restitution} is below {RESTITUTION_MIN}, the smallest that law \"{}\" can deliver; {RESTITUTION_MIN} is used",
            point.normal.name()
        );
        notes.push(Note::new("N0402", message));
    }
    let stiffness = resolve_stiffness(law, point, partners, path, pair, &mut problems);
    let exponent = match point.normal {
        NormalKind::Anagnostopoulos => Exponent::Linear,
        _ => Exponent::new(point.exponent),
    };
    let damping = match (point.normal, damping_factor(point.normal, restitution)) {
        (_, Some(chi)) => Damping::Factor { chi },
        (NormalKind::Anagnostopoulos, None) => Damping::Additive { ratio: damping_ratio(restitution) },
        (_, None) => Damping::Response { restitution, damping_max: point.damping_max },
    };
    let normal: Vec<NormalLaw> = stiffness
        .iter()
        .map(|&k| NormalLaw { stiffness: k, exponent, damping, v_small: point.v_small })
        .collect();
    let mu = law.mu.or(partners.material_pair.and_then(|p| p.mu)).unwrap_or(0.0);
    let v_reg = law.v_reg.unwrap_or(partners.v_reg_default);
    let friction =
        resolve_friction(law, point, mu, v_reg, &Expected::new(&normal, (partners.mass, partners.load)));
    let radius = partners.contact_radii.first().and_then(|radii| reduced_radius(*radii));
    let rolling = resolve_rolling(law, point, partners, v_reg, radius);
    let is_some = |value: Option<f64>| value.is_some_and(|x| x > 0.0);
    let by_radius = is_some(law.rolling.mu_roll) || is_some(law.rolling.mu_spin);
    let by_arms = is_some(law.rolling.roll_arm) || is_some(law.rolling.spin_arm);
    if radius.is_none() && (by_radius || by_arms && law.rolling.w_reg.is_none()) {
        let message =
            format!("pair \"{pair}\" has rolling resistance but no contact radius: both surfaces are flat");
        let help = if by_radius {
            "give one of the shapes a contact_radius, or state roll_arm and spin_arm in place of mu_roll and mu_spin"
        } else {
            "state w_reg, which is v_reg over the radius where there is one"
        };
        problems.push(Problem::new("E0414", path, message).help(help));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let description = describe(point, &normal, restitution, &friction, mu);
    Ok(PairLaw { normal, friction, mu_visc: law.mu_visc, rolling, description, notes })
}

fn resolve_restitution(
    law: &Law,
    point: &PointLaw,
    partners: &Partners<'_>,
    path: &str,
    pair: &str,
    problems: &mut Vec<Problem>,
) -> f64 {
    if point.normal == NormalKind::None {
        return 1.0;
    }
    let given = point.restitution.or(partners.material_pair.and_then(|p| p.restitution));
    given.unwrap_or_else(|| {
        problems.push(
            Problem::new(
                "E0413",
                path,
                format!("pair \"{pair}\" has no coefficient of restitution for law \"{}\"", law.name),
            )
            .expected("a number from 0 to 1")
            .help(format!(
                "give law.{}.point.restitution, or a material_pair of the two materials",
                law.name
            )),
        );
        1.0
    })
}

/// Stiffness of each feature.
fn resolve_stiffness(
    law: &Law,
    point: &PointLaw,
    partners: &Partners<'_>,
    path: &str,
    pair: &str,
    problems: &mut Vec<Problem>,
) -> Vec<f64> {
    if let Some(k) = point.stiffness {
        return vec![k * scale_of(point); partners.curvatures.len()];
    }
    let elastic = |material: Option<&Material>| {
        let e = law.young_modulus.or(material.and_then(|m| m.young_modulus))?;
        let nu = law.poisson_ratio.or(material.and_then(|m| m.poisson_ratio))?;
        Some((e, nu))
    };
    let [Some(a), Some(b)] = partners.materials.map(elastic) else {
        problems.push(
            Problem::new("E0411", path, format!("pair \"{pair}\" has no stiffness: law \"{}\" gives none, nor E and nu, and the shapes' materials do not either", law.name))
                .help(format!("give law.{0}.point.stiffness, or law.{0}.E and nu, or a material to both shapes", law.name)),
        );
        return vec![1.0; partners.curvatures.len()];
    };
    let modulus = effective_modulus(a, b);
    if point.normal != NormalKind::ElasticResponse && point.exponent != 1.5 {
        problems.push(
            Problem::new("E0415", path, format!("pair \"{pair}\" takes its stiffness from E and nu, which is Hertz's with exponent 1.5, but law \"{}\" asks for exponent {}", law.name, point.exponent))
                .help(format!("give law.{}.point.stiffness in N/m^{}", law.name, point.exponent)),
        );
    }
    let of_feature = |curvature: &Curvature, radii: &[ContactRadius; 2]| {
        if point.normal == NormalKind::ElasticResponse {
            let radius = reduced_radius(*radii)?;
            return Some(4.0 / 3.0 * modulus * radius.sqrt() * scale_of(point));
        }
        hertz_stiffness(*curvature, modulus)
    };
    partners
        .curvatures
        .iter()
        .zip(partners.contact_radii)
        .map(|(curvature, radii)| {
            of_feature(curvature, radii).unwrap_or_else(|| {
                if !problems.iter().any(|p| p.code == "E0416") {
                    problems.push(
                        Problem::new("E0416", path, format!("pair \"{pair}\" has no one curvature at its contact (a corner, an edge, a line, or surfaces that curve differently from place to place): Hertz's theory gives no stiffness for it"))
                            .help(format!("give law.{}.point.stiffness, or use normal = \"elastic-response\", which works with contact radii", law.name)),
                    );
                }
                1.0
            })
        })
        .collect()
}

fn scale_of(point: &PointLaw) -> f64 {
    if point.normal == NormalKind::ElasticResponse { point.stiffness_scale } else { 1.0 }
}

/// What is to be expected of the first feature of a pair: its normal force (N), and the slope of it (N/m).
pub(super) struct Expected {
    force: f64,
    stiffness: f64,
}

impl Expected {
    /// Of a normal force (N) with a slope (N/m).
    pub(super) fn of_slope(force: f64, stiffness: f64) -> Self {
        Self { force, stiffness }
    }

    pub(super) fn new(normal: &[NormalLaw], (mass, load): (f64, f64)) -> Self {
        let Some(law) = normal.first() else { return Self { force: 0.0, stiffness: 1.0 } };
        let depth = law.expected_penetration(load, mass);
        Self { force: law.force(depth, 0.0, 0.0).total, stiffness: law.slopes(depth, 0.0, 0.0)[0] }
    }
}

/// Tangential over normal stiffness of two elastic bodies that stick, 2(1−ν)/(2−ν) (Mindlin, J. Appl. Mech. 16 (1949),
/// 259–268), with ν = 0.3.
const MINDLIN: f64 = 14.0 / 17.0;

pub(super) fn resolve_friction(
    law: &Law,
    point: &PointLaw,
    mu: f64,
    v_reg: f64,
    expected: &Expected,
) -> Friction {
    let mu_static = law.mu_static.unwrap_or(mu);
    if mu == 0.0 && mu_static == 0.0 {
        return Friction::None;
    }
    match point.friction {
        FrictionKind::None => Friction::None,
        FrictionKind::Coulomb { .. }
            if point.normal == NormalKind::ElasticResponse && law.mu_static.is_none() =>
        {
            Friction::Response { mu, v_small: law.v_reg.unwrap_or(point.v_small) }
        }
        FrictionKind::Coulomb { smooth_step, v_stribeck } => Friction::Coulomb(Coulomb {
            mu,
            mu_static,
            // A few regularisation widths: the static coefficient must be reached before it decays.
            v_stribeck: v_stribeck.unwrap_or(10.0 * v_reg),
            v_reg,
            smooth_step,
        }),
        FrictionKind::Ambrosio { v0, v1 } => {
            Friction::Ambrosio { mu, v0: v0.unwrap_or(0.0), v1: v1.unwrap_or(v_reg) }
        }
        FrictionKind::Threlfall => Friction::Threlfall { mu, v_reg },
        FrictionKind::BengisuAkay { decay } => {
            Friction::BengisuAkay { mu_s: mu_static, mu_k: mu, v_reg, decay }
        }
        FrictionKind::StickSlip(kind) => {
            Friction::StickSlip(resolve_bristle(&kind, [mu, mu_static], v_reg, expected))
        }
        FrictionKind::Lugre(kind) => {
            Friction::Lugre(resolve_bristle(&kind, [mu, mu_static], v_reg, expected))
        }
        FrictionKind::Bristle { bristle, dwell_time } => Friction::Dwelling(Dwelling {
            bristle: resolve_bristle(&bristle, [mu, mu_static], v_reg, expected),
            dwell_time,
        }),
    }
}

fn resolve_bristle(
    kind: &BristleKind,
    [mu, mu_static]: [f64; 2],
    v_reg: f64,
    expected: &Expected,
) -> BristleLaw {
    let stiffness = kind.stiffness.unwrap_or(MINDLIN * expected.stiffness);
    BristleLaw {
        mu,
        mu_static,
        v_stick: kind.v_stick.unwrap_or(v_reg),
        stiffness,
        damping: kind.damping,
        scale: mu_static * expected.force / stiffness,
    }
}

fn resolve_rolling(
    law: &Law,
    point: &PointLaw,
    partners: &Partners<'_>,
    v_reg: f64,
    radius: Option<f64>,
) -> RollingResistance {
    let mu_roll = law.rolling.mu_roll.or(partners.material_pair.and_then(|p| p.mu_roll)).unwrap_or(0.0);
    let Rolling { mu_spin, roll_arm, spin_arm, w_reg, .. } = law.rolling;
    let [roll_arm, spin_arm] = [roll_arm, spin_arm].map(|arm| arm.unwrap_or(0.0));
    let has_arms = roll_arm + spin_arm > 0.0;
    let radius = match radius {
        Some(radius) => radius,
        None if has_arms => 0.0,
        None => return RollingResistance::None,
    };
    if mu_roll == 0.0 && mu_spin.unwrap_or(0.0) == 0.0 && !has_arms {
        return RollingResistance::None;
    }
    if point.normal == NormalKind::ElasticResponse && mu_spin.is_none() && !has_arms {
        return RollingResistance::Response { mu_roll, radius, w_small: w_reg.unwrap_or(point.w_small) };
    }
    RollingResistance::Separate {
        roll: mu_roll * radius + roll_arm,
        spin: spin_arm,
        mu_spin: mu_spin.unwrap_or(0.0),
        radius,
        w_reg: w_reg.unwrap_or(v_reg / radius),
    }
}

fn describe(
    point: &PointLaw,
    normal: &[NormalLaw],
    restitution: f64,
    friction: &Friction,
    mu: f64,
) -> String {
    let (low, high) =
        normal.iter().fold((f64::INFINITY, 0.0_f64), |(l, h), n| (l.min(n.stiffness), h.max(n.stiffness)));
    let n = normal.first().map_or(point.exponent, |n| n.exponent.value());
    let stiffness = if low == high { format!("{low:.6e}") } else { format!("{low:.6e} to {high:.6e}") };
    let mut text = format!("{}, K = {stiffness} N/m^{n}", point.normal.name());
    if point.normal != NormalKind::None {
        let delivered = normal.first().map_or(1.0, |law| law.delivered(1.0));
        text.push_str(&format!(", e = {restitution} (delivers {delivered:.3} at 1 m/s)"));
    }
    match (friction, friction.bristle()) {
        (Friction::None, _) => text.push_str(", no friction"),
        (_, Some(law)) => text.push_str(&describe_bristle(friction, law)),
        _ => text.push_str(&format!(", friction {} with mu = {mu}", friction_name(friction))),
    }
    text
}

fn friction_name(friction: &Friction) -> &'static str {
    match friction {
        Friction::None => "none",
        Friction::Coulomb(_) => "coulomb",
        Friction::Ambrosio { .. } => "ambrosio",
        Friction::Threlfall { .. } => "threlfall",
        Friction::BengisuAkay { .. } => "bengisu-akay",
        Friction::Response { .. } => "elastic-response",
        Friction::StickSlip(_) => "stick-slip",
        Friction::Dwelling(_) => "bristle",
        Friction::Lugre(_) => "lugre",
    }
}

pub(super) fn describe_bristle(friction: &Friction, law: &BristleLaw) -> String {
    let damping = match law.damping {
        Some(damping) => format!("c_t = {damping:.6e} N s/m"),
        None => "c_t = 2 sqrt(k_t m)".to_owned(),
    };
    format!(
        ", friction {} with mu = {}, mu_s = {}, v_stick = {:.3e} m/s, k_t = {:.6e} N/m, {damping}",
        friction_name(friction),
        law.mu,
        law.mu_static,
        law.v_stick,
        law.stiffness
    )
}
