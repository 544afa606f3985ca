//! Rigid contact: no force law, but a coefficient of friction and what impacts do.

use super::{Law, MaterialPair};

/// How restitution is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImpactLaw {
    /// By impulses: Λ_NE ≥ e_N Λ_NC after a compression that ends without approach (Pfeiffer & Glocker 1996).
    #[default]
    Poisson,
    /// By speeds: ġ⁺ ≥ −e ġ⁻ along the normal and the tangents.
    Newton,
}

impl ImpactLaw {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Poisson, Self::Newton];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Poisson => "poisson",
            Self::Newton => "newton",
        }
    }
}

/// Rigid contact as a user states it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidBlock {
    /// Normal coefficient e_N of restitution.
    pub normal: f64,
    /// Tangential reversibility e_T.
    pub tangential: f64,
    /// Share ν of Coulomb's bound that holds against the reversed impulse.
    pub bound: f64,
    /// Friction coefficient μ; `None`: the law's, else the materials', else 0.
    pub mu: Option<f64>,
    /// How restitution is meant.
    pub impact: ImpactLaw,
}

/// Rigid contact of a pair: numbers only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidLaw {
    /// Friction coefficient μ, for sticking and slipping.
    pub friction: f64,
    /// Normal coefficient e_N of restitution.
    pub normal: f64,
    /// Tangential reversibility e_T; 0 for all but bodies like super balls.
    pub tangential: f64,
    /// Share ν of Coulomb's bound that holds against the reversed impulse: 1 all of it, 0 none.
    pub bound: f64,
    /// How restitution is meant.
    pub impact: ImpactLaw,
}

impl RigidLaw {
    /// Of a law with its block, for two materials.
    pub(crate) fn resolve(law: &Law, block: &RigidBlock, materials: Option<&MaterialPair>) -> Self {
        let stated = block.mu.or(law.mu).or(materials.and_then(|pair| pair.mu));
        let RigidBlock { normal, tangential, bound, impact, .. } = *block;
        Self { friction: stated.unwrap_or(0.0), normal, tangential, bound, impact }
    }

    /// Of a stop, which has no tangents.
    pub(crate) fn of_stop(restitution: f64, impact: ImpactLaw) -> Self {
        Self { friction: 0.0, normal: restitution, tangential: 0.0, bound: 0.0, impact }
    }

    /// The law in words and numbers.
    pub(crate) fn describe(&self) -> String {
        let Self { friction, tangential, bound, .. } = self;
        let reversed = match *tangential > 0.0 {
            true => format!(", e_t = {tangential}, nu = {bound}"),
            false => String::new(),
        };
        format!("{}{reversed}, mu = {friction}", self.describe_impact())
    }

    /// What impacts do along the normal.
    pub(crate) fn describe_impact(&self) -> String {
        let Self { normal, impact, .. } = self;
        format!("rigid, impacts by {}'s law, e_n = {normal}", capital(impact.name()))
    }
}

/// Rounding of an impact's energy, over the energies that its phases exchange.
const ROUNDING: f64 = 1e-12;

/// The largest share s ≤ 1 of an impact's expansion with which ΔT = `compressed` + s a + s² b gains nothing.
pub(crate) fn kept_share(compressed: f64, a: f64, b: f64) -> f64 {
    if compressed + a + b <= ROUNDING * (compressed.abs() + a.abs() + b.abs()) {
        return 1.0;
    }
    let root = (a * a - 4.0 * b * compressed).max(0.0).sqrt();
    // The root that does not cancel, of the quadratic with b > 0 and ΔT_C ≤ 0.
    let share = if a > 0.0 { -2.0 * compressed / (a + root) } else { (root - a) / (2.0 * b) };
    share.clamp(0.0, 1.0)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
