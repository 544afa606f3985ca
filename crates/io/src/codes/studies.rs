//! E09xx: studies of many runs.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0901",
        title: "a study file cannot be read",
        text: r#"A study names a model, the keys that vary and what is measured; the message says what is wrong with one of them.
Values carry their units as in the model file, both ends of a range the same one.

    format = 1
    model  = "bouncing-ball.toml"
    [vary]
    "params.e" = { from = 0.5, to = 0.9, count = 5 }
    [result]
    second_touch = "floor.begin[1].time""#,
    },
    Code {
        code: "E0902",
        title: "a run has killed its worker",
        text: r#"The process that made this run of a study died three times in it: out of memory, a signal, or a defect of the
program. The run is a failed row of the study, the others go on. Run it alone (its folder and its keys are in the row) to see
how it dies."#,
    },
    Code {
        code: "E0903",
        title: "the folder holds another study",
        text: r#"A study goes on in its folder where it was stopped. The one in this folder has another text, model or keys, or
files of its models have been changed since it began: give another folder with --out, or remove this one."#,
    },
];
