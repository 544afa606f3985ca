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
    /// Word in the model file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Analytic => "analytic",
            Self::Convex => "convex",
            Self::Region => "region",
            Self::Pcm => "pcm",
            Self::Nonsmooth => "nonsmooth",
            Self::Auto => "auto",
        }
    }

    /// Can this version run it?
    pub fn is_built(self) -> bool {
        matches!(self, Self::Analytic | Self::Auto)
    }
}

/// A contact line of the model file.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactLine {
    /// Key of the line, such as `cushion`.
    pub name: String,
    /// Detection and response.
    pub method: Method,
    /// Index into [`crate::Model::laws`].
    pub law: usize,
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
