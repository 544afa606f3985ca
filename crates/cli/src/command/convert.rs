use std::path::{Path, PathBuf};

use carom_io::import::{self, Options, is_robot_file};
use carom_io::{Report, render};
use carom_report::picture::{Stage, glb};
use carom_results::tables::Table;
use carom_results::{convert_table_to_csv, convert_to_csv, convert_to_vtk, write_result};

use crate::console::Console;
use crate::exit;
use crate::failure::Failure;
use crate::import::{ImportArgs, describe};
use crate::model::long_import;
use crate::patience::patiently;

#[derive(Debug, clap::Args)]
pub(crate) struct ConvertArgs {
    /// Run folder, or robot file (URDF, SDF, MJCF)
    #[arg(value_name = "IN")]
    run: PathBuf,
    /// FILE.csv for one table, a folder for all of them, FILE.glb (glTF) or FILE.pvd (VTK) for the motion, or FILE.toml for a robot
    out: PathBuf,
    /// Table for FILE.csv
    #[arg(long, default_value = "states", value_parser = table_of)]
    table: Table,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    import: ImportArgs,
}

fn table_of(name: &str) -> Result<Table, String> {
    let names = || Table::ALL.iter().map(|t| t.name()).collect::<Vec<_>>().join(", ");
    Table::ALL.into_iter().find(|t| t.name() == name).ok_or_else(|| format!("there are: {}", names()))
}

pub(crate) fn execute(args: &ConvertArgs, console: &Console) -> Result<u8, Failure> {
    if is_robot_file(&args.run) && !args.run.is_dir() {
        return import_robot(args, console);
    }
    let files = match args.out.extension() {
        Some(extension) if extension == "csv" => {
            convert_table_to_csv(&args.run, args.table, &args.out, args.force)?;
            vec![args.out.clone()]
        }
        Some(extension) if extension == "glb" => {
            let (bytes, notes) = glb(&Stage::of_run(&args.run)?);
            write_result(&args.out, &bytes, args.force)?;
            notes.iter().for_each(|note| console.note(&format!("{note}\n")));
            vec![args.out.clone()]
        }
        Some(extension) if extension == "pvd" => {
            let (folder, files) = convert_to_vtk(&args.run, &args.out, args.force)?;
            console.note(&format!("{files} files that it names are in {}\n", folder.display()));
            vec![args.out.clone()]
        }
        Some(extension) if !args.out.is_dir() && is_of_files(&extension.to_string_lossy()) => {
            return Err(Failure::with_help(
                exit::NOT_STARTED,
                format!("runs cannot be converted to .{} files", extension.to_string_lossy()),
                "give FILE.csv, a folder for all tables, FILE.glb (glTF) or FILE.pvd (VTK)",
            ));
        }
        _ => convert_to_csv(&args.run, &args.out, args.force)?,
    };
    console.data(&files.iter().map(|file| format!("{}\n", file.display())).collect::<String>())?;
    Ok(exit::DONE)
}

/// Is this what names of files end with? Anything else behind a dot is part of a folder's name.
fn is_of_files(extension: &str) -> bool {
    const KNOWN: [&str; 15] = [
        "npz", "npy", "h5", "hdf5", "gltf", "vtk", "vtkhdf", "rrd", "mcap", "parquet", "json", "xlsx", "txt",
        "mat", "toml",
    ];
    KNOWN.contains(&extension.to_lowercase().as_str())
}

/// A robot file as a model file.
fn import_robot(args: &ConvertArgs, console: &Console) -> Result<u8, Failure> {
    if args.out.extension().is_none_or(|extension| extension != "toml") {
        let message = format!("robots cannot be converted to \"{}\"", args.out.display());
        return Err(Failure::with_help(exit::NOT_STARTED, message, "give FILE.toml"));
    }
    let folder = args.out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let options = Options { out_folder: Some(folder.to_owned()), ..args.import.options() };
    let read = || import::robot_file(&args.run, &options);
    let robot = patiently(&long_import(&args.run), console, read).map_err(Failure::Model)?;
    if robot.has_errors() {
        return Err(Failure::Model(Report { diagnostics: robot.problems, unreadable: false }));
    }
    for warning in &robot.problems {
        console.warning(&format!("{}\n", render(warning, console.style())));
    }
    write_result(&args.out, robot.toml.as_bytes(), args.force)?;
    console.note(&describe(&robot));
    console.data(&format!("{}\n", args.out.display()))?;
    Ok(exit::DONE)
}
