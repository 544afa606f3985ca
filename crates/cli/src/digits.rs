//! Numbers for people.

/// Six digits, for reading.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&size) {
        // Digits before the point, of which 0.00123 has −2.
        let before = size.log10().floor() as i32 + 1;
        format!("{value:.*}", usize::try_from(6 - before).unwrap_or(0))
    } else {
        format!("{value:.5e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_digits() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1.00000"),
            (-9.81, "-9.81000"),
            (12345.678, "12345.7"),
            (0.00123, "0.00123000"),
        ] {
            assert_eq!(short(value), text);
        }
        assert_eq!(short(1.234_567_8e-9), "1.23457e-9");
    }
}
