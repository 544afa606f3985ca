//! What is shown while a run goes on.

mod bar;
mod jsonl;
mod plain;
mod stall;
mod text;

use std::io::{self, IsTerminal, Write};

use carom_engine::record::Progress;
use clap::ValueEnum;

pub(crate) use stall::Stall;
pub(crate) use text::grouped;

use crate::console::Console;
use bar::Bar;
use jsonl::Lines;
use plain::Plain;

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// A bar on a terminal, else a line each 10 %
    Auto,
    /// A line each 10 %
    Plain,
    /// Nothing
    None,
    /// One JSON object a second on standard error
    Jsonl,
}

/// Shows progress.
pub(crate) enum Display {
    Bar(Bar),
    Plain(Plain),
    Jsonl(Lines),
    None,
}

impl Display {
    pub(crate) fn new(mode: Mode, console: &Console, title: &str) -> Self {
        match mode {
            Mode::Jsonl => Self::Jsonl(Lines::new()),
            Mode::Plain => Self::Plain(Plain::every()),
            Mode::None => Self::None,
            Mode::Auto if console.is_quiet() => Self::None,
            Mode::Auto if io::stderr().is_terminal() => Self::Bar(Bar::new(title)),
            Mode::Auto => Self::Plain(Plain::of_long_runs()),
        }
    }

    /// Called at accepted steps; shows something when it is time to.
    pub(crate) fn show(&mut self, progress: &Progress) {
        match self {
            Self::Bar(bar) => bar.show(progress),
            Self::Plain(plain) => plain.show(progress),
            Self::Jsonl(lines) => lines.show(progress),
            Self::None => {}
        }
    }

    /// A line beside the progress.
    pub(crate) fn line(&self, text: &str) {
        match self {
            Self::Bar(bar) => bar.line(text),
            Self::Jsonl(_) => print(&serde_json::json!({ "type": "message", "text": text }).to_string()),
            Self::Plain(_) | Self::None => print(text),
        }
    }

    /// Nothing more will come.
    pub(crate) fn clear(&self) {
        if let Self::Bar(bar) = self {
            bar.clear();
        }
    }
}

/// A line on standard error.
fn print(text: &str) {
    // Nobody is left to tell if this fails.
    let _ = writeln!(io::stderr().lock(), "{text}");
}
