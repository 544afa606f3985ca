use super::*;

struct Fixed;

impl Names for Fixed {
    fn lookup(&self, name: &str) -> Lookup {
        match name {
            "d" => Lookup::Found(Quantity { value: 0.06, dimension: Dimension::LENGTH }),
            "h" => Lookup::Found(Quantity { value: 2.0, dimension: Dimension::LENGTH }),
            "knee_k" => Lookup::Found(Quantity {
                value: 35.0,
                dimension: Dimension::ENERGY.times(Dimension::ANGLE.power(-1.0)),
            }),
            "i" => Lookup::Found(Quantity::number(7.0)),
            _ => Lookup::Unknown,
        }
    }

    fn defines(&self, name: &str) -> bool {
        ["d", "h", "knee_k", "i"].contains(&name)
    }

    fn all(&self) -> Vec<String> {
        ["d", "h", "knee_k", "i"].map(str::to_owned).to_vec()
    }
}

fn eval(text: &str) -> Result<Quantity, Failure> {
    evaluate(&parse(text, &Fixed)?, &Fixed)
}

fn check(text: &str, value: f64, unit: &str) {
    let q = eval(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    assert!((q.value - value).abs() <= 1e-14 * value.abs(), "{text}: {} instead of {value}", q.value);
    assert_eq!(q.dimension.to_string(), unit, "{text}");
}

fn fails(text: &str, code: &str, start: usize) -> ExpressionError {
    match eval(text) {
        Err(Failure::Error(e)) => {
            let shown: String = text.chars().take(40).collect();
            assert_eq!((e.code, e.start), (code, start), "{shown}: {e:?}");
            e
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn units_bind_to_the_number_they_follow() {
    check("2 rad/s", 2.0, "rad/s");
    check("10 kN*s/m^3", 1e4, "N*s/m^3");
    check("2 MN/m^1.5", 2e6, "N/m^1.5");
    check("5e8 N/m^1.5", 5e8, "N/m^1.5");
    check("5.6 mN*m/rad", 5.6e-3, "N*m/rad");
    check("2 kg*m^2/s", 2.0, "kg*m^2/s");
    check("10/128 m", 10.0 / 128.0, "1/m");
    check("(10/128) m", 10.0 / 128.0, "m");
    check("30mm", 0.03, "m");
    check("2 m * d", 0.12, "m^2");
    check("1/2 m/s", 0.5, "s/m");
    check("3 m^(3/2)", 3.0, "m^1.5");
    check("1/s", 1.0, "1/s");
}

#[test]
fn expressions_of_the_examples() {
    check("sqrt((94 mm)^2 - (-75 mm)^2)", (0.094_f64 * 0.094 - 0.075 * 0.075).sqrt(), "m");
    check("+d/2", 0.03, "m");
    check("floor((sqrt(8*i + 1) - 1)/2)", 3.0, "1");
    check("2*0.1*sqrt(0.265 kg*m^2*knee_k/(1 rad))", 0.2 * (0.265_f64 * 35.0).sqrt(), "N*m*s/rad");
    check("-2^2", -4.0, "1");
    check("2^3^2", 512.0, "1");
    check("max(1 mm, 2 cm, d)", 0.06, "m");
    check("atan2(d, d)", std::f64::consts::FRAC_PI_4, "rad");
    check("30 deg + i*120 deg", (30.0 + 840.0) * std::f64::consts::PI / 180.0, "rad");
    check("pi rad", std::f64::consts::PI, "rad");
    check("30 rpm", std::f64::consts::PI, "rad/s");
    check("(2 rad * 3 m + 1 m)/(1 m)", 7.0, "rad");
    check("min(2 min, 90 s)", 90.0, "s");
}

#[test]
fn decimals_are_rounded_once() {
    assert_eq!(eval("60 mm"), Ok(Quantity { value: 0.06, dimension: Dimension::LENGTH }));
    assert_eq!(eval("0.1 mm").map(|q| q.value), Ok(0.0001));
    assert_eq!(eval("4.35 mm").map(|q| q.value), Ok(0.00435));
    assert_eq!(eval("1.1e-3 MPa").map(|q| q.value), Ok(1100.0));
}

#[test]
fn a_parameter_may_replace_a_weak_unit() {
    check("2*h", 4.0, "m");
    assert_eq!(fails("2 h", "E0103", 2).help.as_deref(), Some("write `2*h`"));
    assert!(is_strong_unit("m") && !is_strong_unit("h"));
}

#[test]
fn errors_point_at_their_cause() {
    fails("1 m + 3 s", "E0104", 0);
    fails("30 mm + 1", "E0104", 0);
    fails("30 deg + 1", "E0110", 0);
    assert_eq!(fails("2 d", "E0103", 2).help.as_deref(), Some("write `2*d`"));
    assert_eq!(fails("2 kgs", "E0108", 2).help.as_deref(), Some("did you mean `kg`?"));
    fails("2 kg m", "E0103", 5);
    fails("2*dd", "E0108", 2);
    fails("sqr(2)", "E0108", 0);
    fails("(2", "E0103", 0);
    fails("2 +", "E0103", 3);
    fails("2 ; 3", "E0103", 2);
    fails("", "E0103", 0);
    fails("1/0", "E0102", 2);
    fails("sqrt(-1)", "E0102", 0);
    fails("2^(1 m)", "E0104", 3);
    fails("sin(1 m)", "E0104", 0);
    fails("atan2(1)", "E0103", 0);
    fails("1e999", "E0102", 0);
    fails(&"(".repeat(100), "E0103", 64);
    fails(&"2^".repeat(100), "E0103", 128);
    fails(&"2+".repeat(300), "E0103", 0);
}

#[test]
fn functions_give_the_same_bits_everywhere() {
    // libm, not the platform's library: these bits are part of the contract.
    assert_eq!(eval("sin(1 rad)").map(|q| q.value.to_bits()), Ok(0x3fea_ed54_8f09_0cee));
    assert_eq!(eval("2^0.5").map(|q| q.value.to_bits()), Ok(std::f64::consts::SQRT_2.to_bits()));
}
