/// Which numbers the reader takes for a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// All.
    Any,
    /// Those above 0.
    Positive,
    /// Those from 0.
    NotNegative,
    /// Those from 0 to this one.
    To(f64),
    /// Those from 0 to below this one.
    Below(f64),
}

impl Range {
    /// Is the number in it?
    pub fn contains(&self, x: f64) -> bool {
        match self {
            Self::Any => true,
            Self::Positive => x > 0.0,
            Self::NotNegative => x >= 0.0,
            Self::To(high) => (0.0..=*high).contains(&x),
            Self::Below(high) => (0.0..*high).contains(&x),
        }
    }

    /// What a number must be, as the rest of a sentence.
    pub(crate) fn demand(&self) -> String {
        match self {
            Self::Any => "be a number".to_owned(),
            Self::Positive => "be positive".to_owned(),
            Self::NotNegative => "not be negative".to_owned(),
            Self::To(high) => format!("be in [0, {high}]"),
            Self::Below(high) => format!("be in [0, {high})"),
        }
    }

    /// What is expected, where that says more than the demand.
    pub(crate) fn expected(&self) -> Option<String> {
        match self {
            Self::Positive => Some("a number above 0".to_owned()),
            Self::NotNegative => Some("0 or more".to_owned()),
            Self::To(high) => Some(format!("a number from 0 to {high}")),
            Self::Any | Self::Below(_) => None,
        }
    }
}
