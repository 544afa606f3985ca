//! Choices for robot files on the command line.

use std::fmt::Write;
use std::path::PathBuf;

use carom_io::import::{Base, Counts, FixedJoints, Import, Inertia, Meshes, NoteKind, Options, SelfContact};

/// Options of all commands that read robots.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Import of robots (URDF, SDF, MJCF)")]
pub(crate) struct ImportArgs {
    /// Hold the first link, or let it fall
    #[arg(long, value_name = "HOW", default_value = "auto")]
    base: BaseArg,
    /// Links on fixed joints as one body, or as several
    #[arg(long, value_name = "HOW", default_value = "merge")]
    fixed_joints: FixedArg,
    /// Collision meshes: drawn only, boxes around them, their convex hulls, or left out
    #[arg(long, value_name = "HOW", default_value = "hull")]
    meshes: MeshArg,
    /// Share of a mesh's extent that vertices which its hull leaves out may be beyond it; 0: none is left out
    #[arg(long, value_name = "SHARE", default_value_t = 0.005, value_parser = share)]
    hull_error: f64,
    /// Keep several joints of one MJCF body apart
    #[arg(long)]
    split_joints: bool,
    /// Take the shapes for drawing too
    #[arg(long)]
    visuals: bool,
    /// Inertias of a URDF or SDF that no rigid body has
    #[arg(long, value_name = "HOW", default_value = "refuse")]
    inertia: InertiaArg,
    /// Which links may touch each other
    #[arg(long, value_name = "WHICH", default_value = "auto")]
    self_contact: SelfContactArg,
    /// SRDF file: links of a URDF touch each other but for those that it disables
    #[arg(long, value_name = "FILE")]
    srdf: Option<PathBuf>,
    /// Start from a keyframe of an MJCF file, by name or number
    #[arg(long, value_name = "NAME")]
    keyframe: Option<String>,
    /// Servos hold the pose of the start, as far as the joints' greatest effort goes
    #[arg(long)]
    hold: bool,
    /// Add no floor
    #[arg(long)]
    no_floor: bool,
    /// Height of a free robot's lowest point above the floor, in metres
    #[arg(long, value_name = "METRES", default_value_t = 0.1, value_parser = height)]
    drop_height: f64,
    /// Folder with ROS packages, besides ROS_PACKAGE_PATH
    #[arg(long, value_name = "DIR")]
    package_path: Vec<PathBuf>,
    /// Program that expands xacro templates
    #[arg(long, value_name = "PROGRAM", default_value = "xacro")]
    xacro: PathBuf,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum BaseArg {
    /// As the file says; URDF: free unless the first link is named world
    Auto,
    /// It does not move
    Fixed,
    /// It is free
    Floating,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum FixedArg {
    /// One body
    Merge,
    /// A body each
    Keep,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum MeshArg {
    /// Drawn, without contact
    Draw,
    /// Boxes in their place
    Box,
    /// Their convex hulls in their place
    Hull,
    /// Left out
    Skip,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum InertiaArg {
    /// An error
    Refuse,
    /// The nearest that a body has; each is told
    Repair,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum SelfContactArg {
    /// MJCF: as the file says; SDF: different models, and links of one with self_collide; URDF: none, with an SRDF all that it leaves
    Auto,
    /// All that no joint connects, but for those that the files exclude
    All,
    /// None
    None,
}

fn height(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err("not a number".to_owned()),
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.0..1.0).contains(&value) => Ok(value),
        _ => Err("not a number from 0 up to 1".to_owned()),
    }
}

/// These options alone.
#[derive(Debug, clap::Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Alone {
    #[command(flatten)]
    import: ImportArgs,
}

/// Choices for robot files by the words of the command line, such as `--base=fixed`. What is wrong with them is said as the command
/// says it.
pub fn robot_options(words: &[String]) -> Result<Options, String> {
    let alone = <Alone as clap::Parser>::try_parse_from(words).map_err(|error| {
        let text = error.to_string();
        let told = text.split("Usage:").next().unwrap_or(&text);
        let told = told.split("For more information").next().unwrap_or(told);
        told.trim_start_matches("error:").split_whitespace().collect::<Vec<_>>().join(" ")
    })?;
    Ok(alone.import.options())
}

impl ImportArgs {
    pub(crate) fn options(&self) -> Options {
        let ros = std::env::var_os("ROS_PACKAGE_PATH").unwrap_or_default();
        Options {
            base: match self.base {
                BaseArg::Auto => Base::Auto,
                BaseArg::Fixed => Base::Fixed,
                BaseArg::Floating => Base::Floating,
            },
            fixed_joints: match self.fixed_joints {
                FixedArg::Merge => FixedJoints::Merge,
                FixedArg::Keep => FixedJoints::Keep,
            },
            split_joints: self.split_joints,
            visuals: self.visuals,
            meshes: match self.meshes {
                MeshArg::Draw => Meshes::Draw,
                MeshArg::Box => Meshes::Box,
                MeshArg::Hull => Meshes::Hull,
                MeshArg::Skip => Meshes::Skip,
            },
            hull_error: self.hull_error,
            inertia: match self.inertia {
                InertiaArg::Refuse => Inertia::Refuse,
                InertiaArg::Repair => Inertia::Repair,
            },
            self_contact: match self.self_contact {
                SelfContactArg::Auto => SelfContact::Auto,
                SelfContactArg::All => SelfContact::All,
                SelfContactArg::None => SelfContact::None,
            },
            srdf: self.srdf.clone(),
            keyframe: self.keyframe.clone(),
            hold: self.hold,
            floor: !self.no_floor,
            drop_height: self.drop_height,
            packages: self.package_path.iter().cloned().chain(std::env::split_paths(&ros)).collect(),
            xacro: Some(self.xacro.clone()),
            out_folder: None,
        }
    }
}

/// What was taken over, and what was chosen and left out.
pub(crate) fn describe(import: &Import) -> String {
    let Counts { bodies, fixed_bodies, merged, joints, freedoms, actuators, constraints, shapes, contacts } =
        import.counts;
    // Writing to a string cannot fail.
    let mut text = format!("{}: taken over\n", import.format);
    let _ = writeln!(
        text,
        "  {bodies} moving bodies, {fixed_bodies} fixed ones; {merged} links merged into others"
    );
    let _ = writeln!(
        text,
        "  {joints} joints, {freedoms} degrees of freedom, {actuators} actuators, {constraints} constraints"
    );
    let _ = writeln!(text, "  {shapes} shapes, {contacts} pairs that may touch");
    for (kind, title) in
        [(NoteKind::Choice, "choices"), (NoteKind::LeftOut, "not taken over, without effect on the motion")]
    {
        let mut notes = import.notes.iter().filter(|note| note.kind == kind).peekable();
        if notes.peek().is_some() {
            let _ = writeln!(text, "{title}");
        }
        for note in notes {
            let _ = writeln!(text, "  {note}");
        }
    }
    text
}
