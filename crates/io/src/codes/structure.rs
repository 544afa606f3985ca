//! E02xx: names and structure.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0201",
        title: "a key is not known",
        text: r#"The table has no such key: mostly a slip of the pen, sometimes a key of another table or of another
type of shape. `carom schema` lists all keys.

    [body.ball]
    mas = "1 kg"               # wrong: mass"#,
    },
    Code {
        code: "E0202",
        title: "a required key is missing",
        text: r#"The table lacks a key that has no default.

    shape = { type = "sphere" }                    # wrong: radius
    shape = { type = "sphere", radius = "1 m" }    # right"#,
    },
    Code {
        code: "E0203",
        title: "a name does not exist",
        text: r#"A key names a body, joint, shape, law, material, component or parameter that the model does not define.
The message suggests the nearest name, or lists those there are. Bodies of components have paths: the body
`ball` of [use.cue] is "cue.ball", of the fourth instance of [use.rack] "rack[3].ball". Within a component
names are local: its joints say "ball", and see nothing outside but "world"."#,
    },
    Code {
        code: "E0204",
        title: "a file cannot be read",
        text: r#"The model file, or a file that it includes or extends, is missing, is a folder, is not UTF-8 text, or
may not be read. Names of included files are relative to the file that names them.

    include = ["laws.toml"]"#,
    },
    Code {
        code: "E0205",
        title: "files include each other",
        text: r#"A file includes or extends itself, directly or through others. Move what both files need into a third
one, which both include."#,
    },
    Code {
        code: "E0206",
        title: "a second definition",
        text: r#"Two files of a model define the same entry, or two entries are about the same two materials. What wins
would depend on the order, so it is an error. Rename one, remove one, or, where one file is meant to vary
another, write extends = "base.toml" in place of include."#,
    },
    Code {
        code: "E0207",
        title: "a key is given twice",
        text: r#"TOML allows each key of a table once.

    [body.ball]
    mass = "1 kg"
    mass = "2 kg"              # wrong

The same holds for a [header] that is written twice."#,
    },
    Code {
        code: "E0208",
        title: "--set names a path that does not exist",
        text: r#"The path of --set follows the model file: tables, names and keys, joined by dots; elements of lists by
[index] from 0.

    --set params.d="50 mm"
    --set contact.drop.method=analytic
    --set body.ball.pos[2]="1 m"
    --set component.ball.body.ball.mass="0.2 kg"

Named tables must exist; keys that the schema knows are made if they are missing."#,
    },
    Code {
        code: "E0209",
        title: "components contain each other",
        text: r#"A component uses itself, directly or through others, and would never end. Build the repetition with
`count` in [use.*] instead."#,
    },
    Code {
        code: "E0210",
        title: "a part of the format that is not built yet",
        text: r#"The file is right, but this version cannot run it: planar models, some shapes and methods come
later. The message says what there is instead."#,
    },
    Code {
        code: "E0211",
        title: "a name has characters that are not allowed",
        text: r#"Names are parts of paths such as rack[3].ball and of patterns such as table.cushion_*. They consist of
letters, digits, `_` and `-`; names of parameters of letters, digits and `_`, since `-` subtracts.

    ["body"."a.b"]             # wrong
    [body.a_b]                 # right"#,
    },
    Code {
        code: "E0212",
        title: "keys that exclude each other",
        text: r#"Two keys say the same thing in two ways, or contradict each other: mass and density, axis and quat, a
fixed body with a velocity, a centre of mass that the shapes do not have. Keep one."#,
    },
];
