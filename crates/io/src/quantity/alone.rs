use super::{Dimension, NoNames, evaluate, parse};

/// A length in m, such as `5 mm` or `1/8 in`. A number without a unit is one in m, as in model files.
///
/// # Errors
/// What it is, if not a length.
pub fn parse_length(text: &str) -> Result<f64, String> {
    parse_as(text, Dimension::LENGTH).ok_or_else(|| format!("\"{text}\" is not a length such as \"5 mm\""))
}

/// A time in s, such as `5 ms`. A number without a unit is one in s.
///
/// # Errors
/// What it is, if not a time.
pub fn parse_time(text: &str) -> Result<f64, String> {
    parse_as(text, Dimension::TIME).ok_or_else(|| format!("\"{text}\" is not a time such as \"5 ms\""))
}

/// A finite quantity of a dimension, or a plain number.
fn parse_as(text: &str, dimension: Dimension) -> Option<f64> {
    let names = NoNames;
    let value = parse(text, &names).ok().and_then(|expr| evaluate(&expr, &names).ok())?;
    let fits = value.dimension.equals(dimension) || value.dimension.equals(Dimension::NONE);
    (fits && value.value.is_finite()).then_some(value.value)
}

/// Length of one unit in m, such as 0.001 for `mm`.
///
/// # Errors
/// That it is no unit of length.
pub fn parse_length_unit(unit: &str) -> Result<f64, String> {
    let names = NoNames;
    parse(&format!("1 {unit}"), &names)
        .ok()
        .and_then(|expr| evaluate(&expr, &names).ok())
        .filter(|length| length.dimension.equals(Dimension::LENGTH))
        .map(|length| length.value)
        .ok_or_else(|| format!("\"{unit}\" is not a unit of length"))
}
