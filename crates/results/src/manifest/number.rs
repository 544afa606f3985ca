//! Numbers that JSON cannot hold: NaN and infinities are written as null and come back as NaN.

use serde::{Deserialize, Deserializer};

pub(super) fn one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

pub(super) fn several<'de, D: Deserializer<'de>, const N: usize>(
    deserializer: D,
) -> Result<[f64; N], D::Error>
where
    [Option<f64>; N]: Deserialize<'de>,
{
    Ok(<[Option<f64>; N]>::deserialize(deserializer)?.map(|v| v.unwrap_or(f64::NAN)))
}

pub(super) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    Ok(Vec::<Option<f64>>::deserialize(deserializer)?.into_iter().map(|v| v.unwrap_or(f64::NAN)).collect())
}
