use super::{Dimension, NoNames, evaluate, parse};

/// A length in m, such as `5 mm` or `1/8 in`. A number without a unit is one in m, as in model files.
///
/// # Errors
/// What it is, if not a length.
pub fn parse_length(text: &str) -> Result<f64, String> {
    let failed = || format!("\"{text}\" is not a length such as \"5 mm\"");
    let names = NoNames;
    let value = parse(text, &names).ok().and_then(|expr| evaluate(&expr, &names).ok()).ok_or_else(failed)?;
    let is_length = value.dimension.equals(Dimension::LENGTH) || value.dimension.equals(Dimension::NONE);
    if is_length && value.value.is_finite() { Ok(value.value) } else { Err(failed()) }
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
