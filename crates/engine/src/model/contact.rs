use crate::law::LayerSide;
use carom_geometry::convex::MprOptions;

/// How contacts of a line are found and answered. Five words, and `Auto`, which picks and reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Closed-form detection of primitives, compliant point law (Corral et al. 2021).
    Analytic,
    /// Convex shapes, compliant point law (Neumayr & Otter 2017).
    Convex,
    /// Regions of intersecting meshes, compliant point law (Dopico et al. 2010).
    Region,
    /// Areal contact of triangle surfaces (Hippmann 2023).
    Pcm,
    /// Unilateral constraints and impacts (Slavič & Boltežar 2006).
    Nonsmooth,
    /// The method that serves the pair.
    Auto,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Analytic, Self::Convex, Self::Region, Self::Pcm, Self::Nonsmooth, Self::Auto];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Analytic => "analytic",
            Self::Convex => "convex",
            Self::Region => "region",
            Self::Pcm => "pcm",
            Self::Nonsmooth => "nonsmooth",
            Self::Auto => "auto",
        }
    }
}

/// What the depth and the normal of convex solids that overlap are. Apart it is their distance for all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Detection {
    /// Those of the least translation that takes the solids apart.
    #[default]
    MinimumTranslation,
    /// Those of the surface of A − B where the line of centres leaves it, by Minkowski portal refinement (Neumayr & Otter
    /// 2017). Equal to the least translation for shallow contacts, but for the tolerance.
    Mpr(MprOptions),
}

/// A contact line of the model file.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactLine {
    /// Key of the line, such as `cushion`.
    pub name: String,
    /// Detection and response.
    pub method: Method,
    /// What a search for the contact of convex solids looks for.
    pub detection: Detection,
    /// Index into [`crate::Model::laws`].
    pub law: usize,
    /// Side whose triangles carry the areal contact.
    pub base: BaseSide,
    /// Side that carries the elastic layer, where the law gives one thickness.
    pub layer_on: LayerSide,
    /// How its contact elements are found.
    pub areal_detection: ArealDetection,
    /// What finds the contact of rigid surfaces: `Analytic`, `Convex` or `Auto`.
    pub found_by: Method,
    /// Relative error of the force, at a tenth of u_max, that triangles of the base are cut into finer elements for; none
    /// leaves them as they are.
    pub accuracy: Option<f64>,
}

impl ContactLine {
    /// The method that finds its contacts.
    pub fn finder(&self) -> Method {
        if self.method == Method::Nonsmooth { self.found_by } else { self.method }
    }
}

/// Side whose triangles are the contact elements of an areal contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BaseSide {
    /// A.
    A,
    /// B.
    B,
    /// Each in its turn, with half the forces.
    Both,
    /// The finer mesh.
    #[default]
    Finer,
}

impl BaseSide {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::Both, Self::Finer];

    /// Surfaces that may come to be a base, 0 for A.
    pub(crate) const fn candidates(self) -> &'static [usize] {
        match self {
            Self::A => &[0],
            Self::B => &[1],
            Self::Both | Self::Finer => &[0, 1],
        }
    }

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
            Self::Both => "both",
            Self::Finer => "auto",
        }
    }
}

/// How the contact elements of an areal contact are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArealDetection {
    /// By tracing penetration lines.
    #[default]
    Penetration,
    /// By constructing the intersection of both surfaces first.
    Intersection,
}

impl ArealDetection {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Penetration, Self::Intersection];

    /// Word in the model file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Penetration => "penetration",
            Self::Intersection => "intersection",
        }
    }
}

/// A surface of the model: body and shape on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShapeRef {
    /// Index into [`crate::Model::bodies`].
    pub body: usize,
    /// Index into that body's shapes.
    pub shape: usize,
}

/// Two surfaces that may touch.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPair {
    /// Result name: the line's name if the line is this one pair, else `line[a|b]`.
    pub name: String,
    /// Index into [`crate::Model::contact_lines`].
    pub line: usize,
    /// Surface A; the normal points away from it.
    pub a: ShapeRef,
    /// Surface B; reported forces act on it.
    pub b: ShapeRef,
}

/// A contact line over so many surfaces that its pairs are not listed: each comes up when its surfaces come near each
/// other. Pairs that [`crate::Model::pairs`] lists are not the line's.
#[derive(Clone, Debug, PartialEq)]
pub struct WideLine {
    /// Index into [`crate::Model::contact_lines`]; `None` keeps the surfaces from touching.
    pub line: Option<usize>,
    /// Names or patterns of the two sides, as the model file has them.
    pub patterns: [String; 2],
    /// Surfaces of A and of B, ascending.
    pub sides: [Vec<ShapeRef>; 2],
}

impl WideLine {
    /// Number of pairs, if no other line takes one and no body is fixed.
    pub fn len(&self) -> usize {
        let [a, b] = &self.sides;
        let on_both = a.iter().filter(|s| b.binary_search(s).is_ok()).count();
        a.len() * b.len() - on_both * (on_both + 1) / 2
    }

    /// Has it no pairs?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pair of two surfaces as this line orders it, if it is one of the line's: where both surfaces are on both
    /// sides the lower is A.
    pub fn order(&self, first: ShapeRef, second: ShapeRef) -> Option<(ShapeRef, ShapeRef)> {
        let on = |side: usize, s: &ShapeRef| self.sides[side].binary_search(s).is_ok();
        let (low, high) = (first.min(second), first.max(second));
        if low.body == high.body {
            None
        } else if on(0, &low) && on(1, &high) {
            Some((low, high))
        } else if on(0, &high) && on(1, &low) {
            Some((high, low))
        } else {
            None
        }
    }
}
