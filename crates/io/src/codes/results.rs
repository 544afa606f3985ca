//! E07xx: recorded runs.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0701",
        title: "the folder holds no run",
        text: r#"A run is a folder with run.json, as `carom run` writes it. Give the path of that folder.

    carom info runs/billiard-3f9a1c22"#,
    },
    Code {
        code: "E0702",
        title: "the run belongs to another model",
        text: r#"A run can be resumed only with the model that it was started with; its end time, output and view may
change. Start a new run, or restore the model file."#,
    },
    Code {
        code: "E0703",
        title: "nothing to resume from",
        text: r#"The run has no checkpoint: it ended before the first one was written, or the file was removed. Start it
again; `carom recover` saves the rows that were written."#,
    },
    Code {
        code: "E0704",
        title: "a file of the run is damaged",
        text: r#"A result file is missing, or is not what was written: it was changed by hand or on its way, or cut off. Each file has a
checksum, in run.json or, while the run goes on, in NAME.sums. Of a run that was killed `carom recover` saves the rows before
the damage; otherwise take the file from a copy, or run the model again."#,
    },
    Code {
        code: "E0705",
        title: "a result file cannot be written",
        text: r#"The disk is full, or the folder may not be written to. Choose another folder with --out."#,
    },
    Code {
        code: "E0706",
        title: "a result file cannot be read",
        text: r#"A file of the run is missing or may not be read. The message names it and the cause."#,
    },
    Code {
        code: "E0707",
        title: "a run has no quantity of this name",
        text: r#"Quantities are columns of the result tables: ball.x, drop.fn, energy.kinetic, with or without unit. `carom
info RUN` lists the bodies and pairs of a run."#,
    },
    Code {
        code: "E0708",
        title: "the run was written by a version with another schema",
        text: r#"The layout of the result files has changed since. Run the model again with this version; the resolved
model is stored beside the results."#,
    },
    Code {
        code: "E0709",
        title: "a run has no value where one is asked for",
        text: r#"The quantity exists, but the run recorded nothing for it at that time: no contact, no event of that
number, or the run stopped before."#,
    },
    Code {
        code: "E0710",
        title: "a CSV file is not a table of numbers",
        text: r#"The first row has the names of the columns, every other row a finite number for each of them, separated
by commas. The message names the row. Tables that `carom convert` writes are read as they are."#,
    },
    Code {
        code: "E0711",
        title: "the folder for the run holds something else",
        text: r#"A run writes into a new or empty folder, or into that of an earlier run, whose files it replaces.
This one holds other files, and --force does not change that: give another folder.

    carom run billiard.toml --out runs/billiard-soft"#,
    },
    Code {
        code: "E0712",
        title: "another run writes into the folder",
        text: r#"The file run.lock in the folder says which process on which host holds it, and since when. Wait for its
end, stop it, or give another folder with --out. The folder of a process that has died is taken over without a question,
but for one of another host: whether that still runs cannot be told from here, so --force must say that it does not."#,
    },
    Code {
        code: "E0713",
        title: "a file exists and is not replaced",
        text: r#"A file that the program did not write, or that was changed since, is replaced only with --force. Of a
run that is model.toml in its folder, if it is not the file that the run has stored there: save your changes elsewhere,
or give another folder with --out."#,
    },
    Code {
        code: "E0714",
        title: "the program was built without the viewer's page",
        text: r#"The page that shows a run in a browser is built by npm (Node.js 20 or newer) while the program is built, and there was
none, or no network for its packages. Everything else works without it. Install Node.js, then:

    cargo clean -p carom-report && cargo install --path crates/cli --locked

CAROM_VIEWER=FILE takes a page that was built elsewhere (`npm ci && npm run build` in viewer/ writes dist/index.html)."#,
    },
];
