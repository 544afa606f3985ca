mod from;

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::templates::{TEMPLATES, Template};

#[derive(Debug, clap::Args)]
pub(crate) struct NewArgs {
    /// Model to start from
    #[arg(
        required_unless_present_any = ["list", "from"],
        conflicts_with = "from",
        hide_possible_values = true,
        value_parser = PossibleValuesParser::new(TEMPLATES.iter().map(|t| t.name))
    )]
    template: Option<String>,
    /// File or folder to write to [default: TEMPLATE.toml]
    path: Option<PathBuf>,
    /// Write a model of parts from mesh files (STL, OBJ, PLY): the first is fixed, each of the others falls onto the one before
    #[arg(long, value_name = "MESH", num_args = 2..)]
    from: Vec<PathBuf>,
    /// Unit of the lengths in the mesh files, such as mm
    #[arg(long, requires = "from")]
    unit: Option<String>,
    /// Material of the parts, such as Steel [default: Soft, a soft rubber that the model defines]
    #[arg(long, requires = "from")]
    material: Option<String>,
    /// File or folder to write the model of the parts to [default: UPPER-on-LOWER.toml]
    #[arg(short, long, value_name = "FILE.toml", requires = "from")]
    out: Option<PathBuf>,
    /// List the templates
    #[arg(long)]
    list: bool,
}

pub(crate) fn execute(args: &NewArgs, console: &Console) -> Result<u8, Failure> {
    if !args.from.is_empty() && !args.list {
        let path = from::write(args)?;
        let name = path.display();
        console.note(&format!(
            "wrote {name}; next: carom view {name} shows it, carom run {name} --view runs it\n"
        ));
        return Ok(exit::DONE);
    }
    let wanted = args.template.as_deref().filter(|_| !args.list);
    let Some(template) = TEMPLATES.iter().find(|t| Some(t.name) == wanted) else {
        console.data(&list())?;
        return Ok(exit::DONE);
    };
    let path = write(template, args.path.as_deref())?;
    console.note(&format!("wrote {0}; next: carom run {0}\n", path.display()));
    Ok(exit::DONE)
}

fn list() -> String {
    let width = TEMPLATES.iter().map(|t| t.name.len()).max().unwrap_or(0);
    TEMPLATES.iter().map(|t| format!("{:width$}  {}\n", t.name, t.title())).collect()
}

/// Writes the model and the files that it names, unless there are any.
fn write(template: &Template, path: Option<&Path>) -> Result<PathBuf, Failure> {
    let name = format!("{}.toml", template.name);
    let path = match path {
        None => PathBuf::from(name),
        Some(folder) if folder.is_dir() => folder.join(name),
        Some(file) => file.to_owned(),
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| refusal(&path, &error))?;
    }
    let named = template.files.iter().map(|&(name, bytes)| (path.with_file_name(name), bytes));
    let files: Vec<_> = [(path.clone(), template.text.as_bytes())].into_iter().chain(named).collect();
    // All or none of them.
    if let Some((path, _)) = files.iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
        return Err(refusal(path, &ErrorKind::AlreadyExists.into()));
    }
    for (path, bytes) in files {
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        file.and_then(|mut file| file.write_all(bytes)).map_err(|error| refusal(&path, &error))?;
    }
    Ok(path)
}

fn refusal(path: &Path, error: &std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::AlreadyExists => Failure::with_help(
            exit::NOT_STARTED,
            format!("\"{}\" exists and is not replaced", path.display()),
            "give another path: carom new TEMPLATE PATH",
        ),
        _ => Failure::new(exit::NOT_STARTED, format!("cannot write \"{}\": {error}", path.display())),
    }
}
