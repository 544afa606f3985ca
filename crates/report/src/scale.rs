//! Numbers for people: round ticks, metric prefixes, a sensible number of digits.

/// Values at round distances (1, 2 or 5 times a power of ten) that cover most of `low..=high`, about
/// `count` of them.
pub(crate) fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let step = tick_step(high - low, count);
    if step <= 0.0 || !step.is_finite() {
        return vec![low];
    }
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|k| k as f64 * step).collect()
}

/// Decimal logarithms of round numbers from 10^`low` to 10^`high`: powers of ten, and twice and five times such where there
/// are few.
pub(crate) fn decade_ticks(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.floor() as i64, high.ceil() as i64);
    let every = ((last - first) / 8).max(1);
    let steps: &[f64] = if high - low < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let decades = (first..=last).filter(|k| k.rem_euclid(every) == 0);
    let ticks = decades.flat_map(|k| steps.iter().map(move |step| k as f64 + step.log10()));
    ticks.filter(|tick| (low - 1e-9..=high + 1e-9).contains(tick)).collect()
}

/// The number that a tick of [`decade_ticks`] stands at.
pub(crate) fn decade_label(tick: f64) -> String {
    number(10f64.powf(tick))
}

fn tick_step(span: f64, count: usize) -> f64 {
    let raw = span / count.max(1) as f64;
    let power = 10f64.powf(raw.log10().floor());
    let fraction = raw / power;
    let round = if fraction < 1.5 {
        1.0
    } else if fraction < 3.5 {
        2.0
    } else if fraction < 7.5 {
        5.0
    } else {
        10.0
    };
    round * power
}

/// A tick's number, with as many decimals as the distance of the ticks needs.
pub(crate) fn tick_label(value: f64, ticks: &[f64]) -> String {
    let step = ticks.windows(2).map(|w| w[1] - w[0]).fold(f64::INFINITY, f64::min);
    // Sixteen digits are no label.
    if !step.is_finite() || value.abs() >= 1e15 {
        return number(value);
    }
    let decimals = (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{value:.decimals$}");
    // A rounded zero has no sign.
    minus(if text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) {
        text.trim_start_matches('-')
    } else {
        &text
    })
}

/// Factor and unit with which values up to `magnitude` read well: 1.2e-5 m becomes 12 µm.
pub(crate) fn prefixed(magnitude: f64, unit: &str) -> (f64, String) {
    if !(magnitude > 0.0 && magnitude.is_finite()) || (0.1..10_000.0).contains(&magnitude) {
        return (1.0, unit.to_owned());
    }
    let thousands = (magnitude.log10() / 3.0 + 1e-12).floor().clamp(-5.0, 4.0) as i32;
    let factor = 10f64.powi(-3 * thousands);
    let takes_prefix = ["m", "N", "J", "W", "s", "Pa", "rad"].iter().any(|base| {
        unit.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '/']))
    });
    let prefix = match thousands {
        -4 => "p",
        -3 => "n",
        -2 => "µ",
        -1 => "m",
        1 => "k",
        2 => "M",
        3 => "G",
        _ => "",
    };
    let unit = match (takes_prefix && !prefix.is_empty(), unit.is_empty()) {
        _ if thousands == 0 => unit.to_owned(),
        (true, _) => format!("{prefix}{unit}"),
        (false, true) => format!("10{}", superscript(3 * thousands)),
        (false, false) => format!("10{} {unit}", superscript(3 * thousands)),
    };
    (factor, unit)
}

fn superscript(exponent: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let sign = if exponent < 0 { "⁻" } else { "" };
    let digits = exponent.abs().to_string();
    sign.chars().chain(digits.bytes().map(|b| DIGITS[usize::from(b - b'0')])).collect()
}

/// A quantity with four digits and a prefix: `12.35 mm`.
pub(crate) fn quantity(value: f64, unit: &str) -> String {
    if value == 0.0 || !value.is_finite() || unit.is_empty() {
        let text = number(value);
        return if unit.is_empty() { text } else { format!("{text}\u{a0}{unit}") };
    }
    let (factor, scaled) = prefixed(value.abs(), unit);
    // Where a prefix would be a power of ten, the number has its own.
    let (factor, unit) = if scaled.starts_with("10") { (1.0, unit) } else { (factor, scaled.as_str()) };
    format!("{}\u{a0}{}", number(value * factor), unit.replace(' ', "\u{a0}"))
}

/// A number with four significant digits; very small and large ones with a power of ten.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() { "not a number".to_owned() } else { minus(&value.to_string()) };
    }
    let exponent = value.abs().log10().floor() as i32;
    if !(-3..7).contains(&exponent) {
        let text = format!("{value:.3e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent = exponent.parse().unwrap_or(0);
        return format!("{}·10{}", minus(trim_zeros(mantissa)), superscript(exponent));
    }
    let decimals = (3 - exponent).max(0) as usize;
    let text = format!("{value:.decimals$}");
    minus(if decimals > 0 { trim_zeros(&text) } else { &text })
}

fn trim_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn minus(text: &str) -> String {
    text.replace('-', "−")
}

/// A count with its thousands apart.
pub(crate) fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 2.0, 5), [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(ticks(-0.13, 0.11, 5), [-0.1, -0.05, 0.0, 0.05, 0.1]);
        for (low, high) in [(0.0, 1e-12), (-3e7, 4e9), (1.0, 1.000001), (-0.3, 0.7)] {
            let t = ticks(low, high, 6);
            assert!((2..=14).contains(&t.len()), "{low} {high}: {t:?}");
            assert!(t.iter().all(|v| *v >= low - 1e-6 * (high - low) && *v <= high + 1e-6 * (high - low)));
        }
        assert_eq!(ticks(1.0, 1.0, 5), [1.0]);
    }

    #[test]
    fn tick_labels_have_the_same_decimals() {
        let t = [-0.1, -0.05, 0.0, 0.05];
        let labels: Vec<_> = t.iter().map(|v| tick_label(*v, &t)).collect();
        assert_eq!(labels, ["−0.10", "−0.05", "0.00", "0.05"]);
        assert_eq!(tick_label(-1e-17, &[0.0, 1.0]), "0");
    }

    #[test]
    fn decades_have_round_ticks() {
        let labels = |low: f64, high: f64| {
            decade_ticks(low.log10(), high.log10()).into_iter().map(decade_label).collect::<Vec<_>>()
        };
        assert_eq!(labels(3.0, 60.0), ["5", "10", "20", "50"]);
        assert_eq!(labels(0.5, 12_000.0), ["1", "10", "100", "1000", "10000"]);
        assert_eq!(labels(1e-9, 1e15).len(), 9);
    }

    #[test]
    fn prefixes_keep_numbers_short() {
        assert_eq!(quantity(1.2346e-5, "m"), "12.35\u{a0}µm");
        assert_eq!(quantity(-0.02, "m/s"), "−20\u{a0}mm/s");
        assert_eq!(quantity(123_456.0, "N"), "123.5\u{a0}kN");
        assert_eq!(quantity(0.25, "m"), "0.25\u{a0}m");
        assert_eq!(quantity(0.0, "J"), "0\u{a0}J");
        // Below the prefixes, and of units that take none.
        assert_eq!(quantity(1.007e-27, "rad/s"), "1.007·10⁻²⁷\u{a0}rad/s");
        assert_eq!(quantity(3e-8, "kg"), "3·10⁻⁸\u{a0}kg");
        assert_eq!(prefixed(3e-8, ""), (1e9, "10⁻⁹".to_owned()));
    }

    #[test]
    fn numbers() {
        assert_eq!(number(1234.5678), "1235");
        assert_eq!(number(0.5), "0.5");
        assert_eq!(number(100.0), "100");
        assert_eq!(number(-3.0e-10), "−3·10⁻¹⁰");
        assert_eq!(number(6.02214e23), "6.022·10²³");
        assert_eq!(number(f64::NAN), "not a number");
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
    }
}
