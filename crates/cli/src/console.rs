//! Where text goes: data to standard output, all else to standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use carom_io::Style;

use crate::args::{Common, When};
use crate::exit;
use crate::failure::Failure;

/// The two streams and how much is said on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    quiet: u8,
    colour: bool,
    colour_data: bool,
}

impl Console {
    pub(crate) fn new(common: &Common) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let colour = |is_terminal: bool| match common.color {
            When::Auto => !no_color && is_terminal,
            When::Always => true,
            When::Never => false,
        };
        Self {
            quiet: common.quiet,
            colour: colour(io::stderr().is_terminal()),
            colour_data: colour(io::stdout().is_terminal()),
        }
    }

    /// Style of messages.
    pub(crate) fn style(&self) -> Style {
        if self.colour { Style::Colour } else { Style::Plain }
    }

    /// Colours are wanted on standard output.
    pub(crate) fn colours_data(&self) -> bool {
        self.colour_data
    }

    /// No progress and no summary is wanted.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet > 0
    }

    /// What the user asked for, on standard output. A reader that has gone is no error.
    pub(crate) fn data(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                Err(Failure::new(exit::NOT_STARTED, format!("cannot write to standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// What is good to know, on standard error.
    pub(crate) fn note(&self, text: &str) {
        if self.quiet == 0 {
            self.error(text);
        }
    }

    /// What should be known, on standard error.
    pub(crate) fn warning(&self, text: &str) {
        if self.quiet < 2 {
            self.error(text);
        }
    }

    /// What must be known, on standard error.
    pub(crate) fn error(&self, text: &str) {
        // Nobody is left to tell if this fails.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }
}
