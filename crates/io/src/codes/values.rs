//! E01xx: values, units, syntax.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0101",
        title: "the file is not valid TOML",
        text: r#"The text breaks the rules of TOML: a missing quote, bracket or equals sign, or a value that is none.
The place is where the reader gave up; the mistake may be a little before it.

    mass = 10 kg        # wrong: a value with a unit is a string
    mass = "10 kg"      # right

Tables start with [name], strings stand in quotes, lists in square brackets, comments after #."#,
    },
    Code {
        code: "E0102",
        title: "a value is not finite",
        text: r#"A number is nan or inf, or an expression divides by zero, takes the root of a negative number or
overflows. No quantity of a model may be infinite or undefined.

    pos = [0, 0, nan]              # wrong
    rate = "1 m/(t0 - t0)"         # wrong: division by zero

Write a finite number. Where a limit is to be switched off, leave the key out."#,
    },
    Code {
        code: "E0103",
        title: "an expression cannot be read",
        text: r#"Expressions have numbers, units, names, + - * / ^, parentheses and the functions sqrt, sin, cos, tan,
atan2, floor, min, max and abs. A unit follows its number; products are written with `*`.

    "2 d"            # wrong: write "2*d"
    "0.5 kg m^2"     # wrong: write "0.5 kg*m^2"
    "(1 + 2"         # wrong: the parenthesis is not closed"#,
    },
    Code {
        code: "E0104",
        title: "a quantity has the wrong dimension",
        text: r#"Every key has a dimension, and so has every term of a sum.

    radius = "2 s"        # wrong: a length is expected
    "1 m + 3 s"           # wrong: cannot be added
    "30 mm + 1"           # wrong: 1 has no unit

A unit binds to the number it follows: "10/128 m" is 10/(128 m) and has the dimension 1/m. Write
"(10/128) m" for a fraction of a metre. A plain number outside a string is in SI units."#,
    },
    Code {
        code: "E0105",
        title: "a quaternion is not of unit length",
        text: r#"The four numbers w, x, y, z of a rotation must have length 1, within 1e-6.

    rot = { quat = [1, 1, 0, 0] }                  # wrong: length 1.4142
    rot = { quat = [0.7071068, 0.7071068, 0, 0] }  # right

The message gives the direction scaled to unit length. Check the order too: w comes first."#,
    },
    Code {
        code: "E0106",
        title: "a value is of the wrong type",
        text: r#"The key takes another kind of value: a table, a list of three numbers, a string, true or false.

    pos = 1                    # wrong: three numbers
    pos = [0, 0, "1 m"]        # right
    rot = "12 deg"             # wrong: rot = { axis = "y", angle = "12 deg" }"#,
    },
    Code {
        code: "E0107",
        title: "a word is not known",
        text: r#"The key takes one of a few words, which the message lists.

    method = "analytical"      # wrong
    method = "analytic"        # right"#,
    },
    Code {
        code: "E0108",
        title: "an expression uses an unknown name or unit",
        text: r#"A word of an expression is neither a parameter nor a unit nor a function. Parameters come from [params],
in a component also from its own params; in [use.*] there are `let` names and the index i.

    radius = "2*dd"            # wrong if the parameter is d
    mass = "2 kgs"             # wrong: the unit is kg"#,
    },
    Code {
        code: "E0109",
        title: "parameters need each other",
        text: r#"The value of a parameter depends on itself, directly or through others.

    [params]
    a = "2*b"
    b = "a/2"                  # wrong: a -> b -> a

Give one of the chain a value of its own."#,
    },
    Code {
        code: "E0110",
        title: "a bare number where an angle is expected",
        text: r#"90 could be degrees or radians; a model must say. Only 0 needs no unit.

    rot = { axis = "y", angle = 90 }          # wrong
    rot = { axis = "y", angle = "90 deg" }    # right
    rot = { axis = "y", angle = "1.57 rad" }  # right"#,
    },
    Code {
        code: "E0111",
        title: "a parameter has a reserved name",
        text: r#""2 m" would be ambiguous if m were a parameter, so names of units are not allowed for parameters; nor
are i, the index of instances, and pi. The letters h, t, J and W are allowed: they then stand for the
parameter only.

    [params]
    m = "2 kg"                 # wrong
    mass = "2 kg"              # right"#,
    },
    Code {
        code: "E0112",
        title: "the format of the file is missing or not known",
        text: r#"The first line of a model file says which version of the format it is written in, so that a later
program can still read it.

    format = 1"#,
    },
    Code {
        code: "E0113",
        title: "the file uses syntax of TOML 1.1",
        text: r#"Model files stay within TOML 1.0, so that every reader understands them, Python's included. There an
inline table stands on one line and has no comma before its closing brace.

    shape = { type = "sphere",
              radius = "1 m" }             # wrong

    [body.ball.shape]                      # right
    type = "sphere"
    radius = "1 m""#,
    },
    Code {
        code: "E0114",
        title: "a number is out of range",
        text: r#"A count is negative, not whole, or larger than the program's limit; or an integer does not fit into
64 bits.

    count = 2.5                # wrong
    count = 15                 # right"#,
    },
    Code {
        code: "E0115",
        title: "a table of times that is none",
        text: r#"A function of time as a table has two points or more, and their times increase. Before the first point
and after the last the function is constant.

    rate = { table = [["0 s", 0], ["1 s", "-0.1 m/s"], ["40 s", "-0.1 m/s"]] }

A jump is two points whose times differ by a little."#,
    },
    Code {
        code: "E0116",
        title: "an expression of time that cannot be computed",
        text: r#"Expressions of time know + - * /, powers with a constant exponent and the functions of every expression.
An exponent that depends on `t` is not among them, and nesting is limited to 32 values kept at once.

    force = "2 N*sin(3 rad/s*t)"
    force = "1 N*2^(t/(1 s))"                          # wrong: write a table"#,
    },
    Code {
        code: "E0117",
        title: "a function of time without a value",
        text: r#"The function, or a derivative that a motor needs, is not a finite number at the begin or at the end of the
run. A prescribed position needs two derivatives, a prescribed speed one: sqrt(t) has none at 0.

    motor = { position = "1 m*sqrt(t/(1 s))" }         # wrong
    motor = { position = "1 m*(t/(1 s))^2" }"#,
    },
    Code {
        code: "E0118",
        title: "a prescribed position that jumps",
        text: r#"A motor of given position moves its joint from one place to another in no time: `floor`, a sign, the cut of
`atan2`, or a table with two points next to each other. No force does that, and what stands between the places
would not be touched. Give a ramp, or prescribe the velocity, which may jump: that is an impulse.

    motor = { position = "1 cm*floor(t/(1 s))" }       # wrong
    motor = { position = { table = [["0 s", 0], ["1 s", 0], ["1.01 s", "1 cm"]], interpolation = "linear" } }"#,
    },
    Code {
        code: "E0119",
        title: "a length beyond all places",
        text: r#"Lengths go up to 1e12 m, seven times the way to the sun: there places are rounded to a tenth of a millimetre,
and surfaces cannot be told from what is beside them.

    pos = [0, 0, "1e300 m"]        # wrong

Look for a slip in an exponent or a unit. What is far from everything else can be left out."#,
    },
];
