//! E05xx: solver, output, expectations.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0501",
        title: "an integrator that is not built yet",
        text: r#"This version has ode45, dop853, ode113, radau5, bdf, rodas3 and moreau; "auto" changes between explicit ones and radau5.

    [solver]
    method = "ode45"
    t_end = "5 s""#,
    },
    Code {
        code: "E0502",
        title: "a solver setting out of range",
        text: r#"Times, steps, tolerances and penalties must be above 0, rtol below 1 and not finer than a double can resolve
(2.3e-15), limits at least 1. A run has an end up to 1e12 s, and its largest step is one that changes the time near that end:
2^-48 of it, or more.

    rtol = 1e-8
    h_max = "1 ms""#,
    },
    Code {
        code: "E0503",
        title: "the smallest step is larger than the largest",
        text: r#"h_min is a limit below which the run stops with an error, h_max one above which no step goes. h_min
must not be above h_max; mostly it is best left out."#,
    },
    Code {
        code: "E0504",
        title: "an expectation cannot be read",
        text: r#"The key names a quantity and when it is looked at; the value is exactly one condition.

    [expect]
    "ball.x @ 6 s" = { value = 0, tol = "5 mm" }
    "ball.z @ end" = { above = "0.9 m" }
    "energy.residual_relative final" = { below = 1e-6 }
    "drop.fn max" = { between = ["10 N", "20 N"] }
    "drop.begin count" = { value = 3, tol = 0.5 }
    "drop.begin[0].time" = { value = "0.45 s", tol = "1 ms" }"#,
    },
    Code {
        code: "E0505",
        title: "an expectation about an unknown quantity",
        text: r#"A quantity starts with a body, joint, force, constraint, contact line or pair, or `energy`, and ends with a
column of the results: ball.x, ball.vz, cue.ball.wx, knee.q, wrist.q1, spring.length, drop.fn,
energy.kinetic. Units may follow as in the result files (ball.x_m). Where a body has the same name write
joint.knee.q."#,
    },
    Code {
        code: "E0506",
        title: "gravity is not given",
        text: r#"Whether things fall is not left to a default.

    [world]
    gravity = [0, 0, "-9.81 m/s^2"]      # or [0, 0, 0]"#,
    },
    Code {
        code: "E0508",
        title: "an output interval out of range",
        text: r#"The time between recorded frames must be above 0, and leave at most 1e8 of them. Leave `every` out to record 200
frames.

    [output]
    every = "5 ms""#,
    },
    Code {
        code: "E0509",
        title: "a fixed step for an integrator that has none",
        text: r#"Integrators whose step needs nothing of those before take fixed steps: ode45, dop853, radau5, rodas3 and moreau, and the
formulation ali3p. The order of ode113 and bdf follows from the errors of the steps before, and auto changes integrators by the
steps that they make.

    [solver]
    method = "rodas3"
    formulation = { type = "kkt", step = "0.1 ms" }"#,
    },
    Code {
        code: "E0510",
        title: "a formulation without rigid contact or activations",
        text: r#"method = "nonsmooth" makes impacts at instants, between which contacts are constraints on accelerations. The augmented
Lagrangian formulation ali3p finds positions and multipliers of a step at once and knows no such instants. Nor does it step states
that are not positions, such as the `activation` of an actuator. Leave `formulation` out, or give the contact a compliant law, and
the actuator no activation."#,
    },
    Code {
        code: "E0511",
        title: "a model that moreau does not take",
        text: r#"moreau steps over impacts with the impulses of rigid contacts. It needs a fixed step, contacts of method nonsmooth alone,
and limits of joints whose stops do not give (nonsmooth = { e_n = 0.3 }). The message names what is in the way.

    [solver]
    method = "moreau"
    step = "1 ms""#,
    },
];
