//! Contact laws and materials as a user states them (docs/laws.md).

use super::RigidBlock;

/// Normal law by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalKind {
    /// Pure elastic force K δⁿ.
    None,
    /// Hunt & Crossley 1975.
    HuntCrossley,
    /// Lankarani & Nikravesh 1990.
    LankaraniNikravesh,
    /// Herbert & McWhannell 1977.
    HerbertMcWhannell,
    /// Lee & Wang 1983.
    LeeWang,
    /// Linear Kelvin–Voigt, Anagnostopoulos 1988.
    Anagnostopoulos,
    /// Gonthier et al. 2004.
    Gonthier,
    /// Zhiying & Qishao 2006.
    ZhiyingQishao,
    /// Flores et al. 2011.
    Flores,
    /// Hu & Guo 2015.
    HuGuo,
    /// The damping factor that delivers the restitution asked for.
    Exact,
    /// Law of the system in Neumayr & Otter 2017.
    ElasticResponse,
}

impl NormalKind {
    /// All laws, in the order of the documentation.
    pub const ALL: [Self; 12] = [
        Self::None,
        Self::HuntCrossley,
        Self::LankaraniNikravesh,
        Self::HerbertMcWhannell,
        Self::LeeWang,
        Self::Anagnostopoulos,
        Self::Gonthier,
        Self::ZhiyingQishao,
        Self::Flores,
        Self::HuGuo,
        Self::Exact,
        Self::ElasticResponse,
    ];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::HuntCrossley => "hunt-crossley",
            Self::LankaraniNikravesh => "lankarani-nikravesh",
            Self::HerbertMcWhannell => "herbert-mcwhannell",
            Self::LeeWang => "lee-wang",
            Self::Anagnostopoulos => "anagnostopoulos",
            Self::Gonthier => "gonthier",
            Self::ZhiyingQishao => "zhiying-qishao",
            Self::Flores => "flores",
            Self::HuGuo => "hu-guo",
            Self::Exact => "exact",
            Self::ElasticResponse => "elastic-response",
        }
    }
}

/// Friction law by name, with the parameters that only it has. Speeds in m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrictionKind {
    /// No friction force.
    None,
    /// Coulomb, regularised: tanh(v/v_reg), or the smooth step of width v_reg.
    Coulomb {
        /// Smooth step in place of tanh.
        smooth_step: bool,
        /// Stribeck velocity; needs a static coefficient.
        v_stribeck: Option<f64>,
    },
    /// Ambrósio: ramp between two speeds.
    Ambrosio {
        /// Below it there is no friction; default 0.
        v0: Option<f64>,
        /// Above it friction is full; default v_reg.
        v1: Option<f64>,
    },
    /// Threlfall 1978: exponential rise up to v_reg.
    Threlfall,
    /// Bengisu & Akay 1994: parabola to μ_s at v_reg, exponential decay to μ beyond.
    BengisuAkay {
        /// Slope ξ of the decay (s/m).
        decay: f64,
    },
    /// Bristle that holds, and friction of sliding (Dopico et al. 2010, eq. 2–5).
    StickSlip(BristleKind),
    /// Bristle, with static friction that builds up with the time of rest (Gonthier et al. 2004).
    Bristle {
        /// Its bristles.
        bristle: BristleKind,
        /// Time in which static friction builds up (s).
        dwell_time: f64,
    },
    /// LuGre (Canudas de Wit et al. 1995).
    Lugre(BristleKind),
}

/// Bristles as a user states them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BristleKind {
    /// Velocity of the change from sticking to sliding (m/s); `None`: v_reg.
    pub v_stick: Option<f64>,
    /// Tangential stiffness k_t (N/m); `None`: from the normal one under the load to be expected.
    pub stiffness: Option<f64>,
    /// Tangential damping c_t (N s/m); `None`: 2 √(k_t m).
    pub damping: Option<f64>,
}

impl FrictionKind {
    /// All laws, in the order of the documentation; parameters that a user can leave out are.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::Coulomb { smooth_step: false, v_stribeck: None },
        Self::Ambrosio { v0: None, v1: None },
        Self::Threlfall,
        Self::BengisuAkay { decay: 1.0 },
        Self::StickSlip(BristleKind::DEFAULT),
        Self::Bristle { bristle: BristleKind::DEFAULT, dwell_time: 1.0 },
        Self::Lugre(BristleKind::DEFAULT),
    ];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Coulomb { .. } => "coulomb",
            Self::Ambrosio { .. } => "ambrosio",
            Self::Threlfall => "threlfall",
            Self::BengisuAkay { .. } => "bengisu-akay",
            Self::StickSlip(_) => "stick-slip",
            Self::Bristle { .. } => "bristle",
            Self::Lugre(_) => "lugre",
        }
    }

    /// Its bristles, if it has them.
    pub const fn bristle(self) -> Option<BristleKind> {
        match self {
            Self::StickSlip(bristle) | Self::Bristle { bristle, .. } | Self::Lugre(bristle) => Some(bristle),
            _ => None,
        }
    }
}

impl BristleKind {
    /// Nothing stated.
    pub const DEFAULT: Self = Self { v_stick: None, stiffness: None, damping: None };
}

/// Compliant law of a point contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointLaw {
    /// Normal law; default `exact`.
    pub normal: NormalKind,
    /// Stiffness K (N/mⁿ); `None`: Hertz from E, ν and the curvatures.
    pub stiffness: Option<f64>,
    /// Exponent n of the penetration.
    pub exponent: f64,
    /// Coefficient of restitution e; `None`: from the materials, else 1.
    pub restitution: Option<f64>,
    /// Friction law.
    pub friction: FrictionKind,
    /// Scale k_red ∈ (0, 1] of the stiffness of `elastic-response`.
    pub stiffness_scale: f64,
    /// Limit d_max (s/m) of the damping of `elastic-response`.
    pub damping_max: f64,
    /// Lower limit of the approach speed at the start of a contact (m/s), and regularisation speed of `elastic-response`.
    pub v_small: f64,
    /// Regularisation angular velocity of `elastic-response` (rad/s).
    pub w_small: f64,
}

/// How thick the elastic layers of an areal contact are (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layers {
    /// One thickness, on the side or sides that the contact line names ([`LayerSide`]).
    One(f64),
    /// On A and on B; 0 is rigid.
    Each([f64; 2]),
}

/// Elastic foundation of areal contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArealBlock {
    /// Thicknesses.
    pub layers: Layers,
    /// Young's modulus of the layers (Pa); `None`: the law's, else the materials'.
    pub young_modulus: Option<f64>,
    /// Poisson's ratio of the layers; `None`: the law's, else the materials'.
    pub poisson_ratio: Option<f64>,
    /// Largest penetration that is looked for (m); `None`: from sizes, masses and stiffness.
    pub u_max: Option<f64>,
    /// A deeper penetration is a warning, up to 1.5 u_max, and no error.
    pub may_exceed: bool,
    /// d_l (N s/m³) of surfaces that approach each other, and of ones that part.
    pub damping: [f64; 2],
    /// Its form; a ramp without a depth ends at u_max/30.
    pub form: ArealForm,
    /// Coefficient of restitution e that a central impact delivers, beside the damping; `None`: no such damping.
    pub restitution: Option<f64>,
    /// Least approach speed that restitution is measured against (m/s).
    pub v_small: f64,
}

/// Compliant law of contact regions by the volume that both solids share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeBlock {
    /// Stiffness k (N/m⁵); `None`: E*/V₀ of the materials and the smaller solid.
    pub stiffness: Option<f64>,
    /// Coefficient of restitution e; `None`: from the materials, else 1.
    pub restitution: Option<f64>,
    /// Least approach speed that restitution is measured against (m/s).
    pub v_small: f64,
}

/// Form of areal damping as a user states it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArealForm {
    /// Jumps and pulls.
    Plain,
    /// Does not pull.
    NoTension,
    /// Does not pull, and grows smoothly with the depth.
    Ramped(Option<f64>),
}

impl ArealForm {
    /// All forms; the depth of the ramp is left out.
    pub const ALL: [Self; 3] = [Self::Plain, Self::NoTension, Self::Ramped(None)];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::NoTension => "no-tension",
            Self::Ramped(_) => "ramped",
        }
    }
}

/// Resistance to rolling and drilling of a point contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rolling {
    /// Rolling resistance μ_r; `None`: from the materials, else 0.
    pub mu_roll: Option<f64>,
    /// Drilling (torsional) resistance μ_spin; 0 unless given.
    pub mu_spin: Option<f64>,
    /// Arm of rolling resistance b_r (m): a torque b_r N in addition; 0 unless given.
    pub roll_arm: Option<f64>,
    /// Arm of drilling resistance b_s (m), likewise.
    pub spin_arm: Option<f64>,
    /// Regularisation angular velocity (rad/s); `None`: v_reg / R.
    pub w_reg: Option<f64>,
}

/// A contact law: physical data first, then the block of each family of methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// Key in the model file.
    pub name: String,
    /// Young's modulus E of both partners (Pa); `None`: from the materials.
    pub young_modulus: Option<f64>,
    /// Poisson's ratio ν of both partners; `None`: from the materials.
    pub poisson_ratio: Option<f64>,
    /// Friction coefficient μ (dynamic); `None`: from the materials, else 0.
    pub mu: Option<f64>,
    /// Static friction coefficient μ_s; `None`: μ.
    pub mu_static: Option<f64>,
    /// Viscous friction (N s/m).
    pub mu_visc: f64,
    /// Regularisation velocity of friction (m/s); `None`: from the model's scale.
    pub v_reg: Option<f64>,
    /// Rolling and drilling resistance.
    pub rolling: Rolling,
    /// Block of the methods `analytic`, `convex` and `region`.
    pub point: Option<PointLaw>,
    /// Block of the method `pcm`.
    pub areal: Option<ArealBlock>,
    /// Block of the method `region`, which it takes in place of `point`.
    pub volume: Option<VolumeBlock>,
    /// Block of the method `nonsmooth`.
    pub rigid: Option<RigidBlock>,
}

/// A solid material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name, such as `Steel`.
    pub name: String,
    /// Density (kg/m³).
    pub density: Option<f64>,
    /// Young's modulus E (Pa).
    pub young_modulus: Option<f64>,
    /// Poisson's ratio ν.
    pub poisson_ratio: Option<f64>,
}

/// Data of two materials in contact.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialPair {
    /// Names of the two materials, in any order.
    pub materials: [String; 2],
    /// Coefficient of restitution e.
    pub restitution: Option<f64>,
    /// Dynamic friction coefficient μ_k.
    pub mu: Option<f64>,
    /// Rolling resistance μ_r.
    pub mu_roll: Option<f64>,
}

/// Side that carries an elastic layer of areal contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerSide {
    /// The base, whichever that is.
    #[default]
    Base,
    /// A; B is rigid.
    A,
    /// B; A is rigid.
    B,
    /// Each.
    Both,
}

impl LayerSide {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Base, Self::A, Self::B, Self::Both];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::A => "a",
            Self::B => "b",
            Self::Both => "both",
        }
    }
}
