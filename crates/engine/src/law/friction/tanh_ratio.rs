use libm::tanh;

/// tanh(v/s)/v: the rise of a force that saturates, over its speed; 1/s at rest.
#[inline]
pub(in crate::law) fn tanh_ratio(speed: f64, scale: f64) -> f64 {
    let x = speed / scale;
    // tanh(x)/x = 1 − x²/3: one to rounding.
    if x < 1e-5 { 1.0 / scale } else { tanh(x) / speed }
}

/// Derivative of [`tanh_ratio`] by the speed.
#[inline]
pub(in crate::law) fn tanh_ratio_slope(speed: f64, scale: f64) -> f64 {
    let x = speed / scale;
    // (x sech²x − tanh x)/x², by its series where that cancels.
    let shape = if x < 1e-2 {
        let s = x * x;
        x * (-2.0 / 3.0 + s * (8.0 / 15.0 - s * 34.0 / 105.0))
    } else {
        let t = tanh(x);
        (x * (1.0 - t * t) - t) / (x * x)
    };
    shape / (scale * scale)
}
