//! What finds the contact of two surfaces, and why nothing does.

use carom_geometry::convex::NotConvex;
use carom_geometry::planar::is_served;
use carom_geometry::{Cell, MassFault, PairKernel, Shape, find_kernel};

use super::{Method, Solid};
use crate::Problem;

/// What finds the contact of a pair. Swapped, it takes B before A.
#[derive(Clone, Copy)]
pub(crate) enum Finder {
    /// A closed form of the pair table.
    Kernel { kernel: &'static PairKernel, swapped: bool },
    /// The search for two convex solids, or the lowest point of one over a half-space, which comes second.
    Convex { swapped: bool },
    /// Vertices and edges of two outlines in one plane.
    Planar,
    /// Penetration lines of one triangle surface traced onto the other.
    Areal,
    /// Regions in which two triangle surfaces cut each other.
    Regions,
}

/// Why nothing does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Refusal {
    /// The pair table has no kernel, for this reason, and no other method may or can step in.
    NoKernel(&'static str),
    /// Surface A (0) or B (1) is concave.
    Concave(usize),
    /// The two are no solids that could meet.
    NoSolids,
}

/// A surface of a pair.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) name: &'a str,
    pub(crate) shape: &'a Shape,
    pub(crate) solid: &'a Solid,
}

/// What finds the contact of two surfaces by a method: `auto` takes the table's kernel if there is one, else the search for
/// convex solids.
pub(crate) fn detect(method: Method, sides: [Side<'_>; 2]) -> Result<Finder, Refusal> {
    let [a, b] = sides.map(|side| side.shape.kind());
    let solids = sides.map(|side| side.solid);
    match (method, find_kernel(a, b)) {
        (Method::Analytic | Method::Auto, Cell::Direct(kernel)) => {
            Ok(Finder::Kernel { kernel, swapped: false })
        }
        (Method::Analytic | Method::Auto, Cell::Swapped(kernel)) => {
            Ok(Finder::Kernel { kernel, swapped: true })
        }
        (Method::Analytic | Method::Auto, Cell::Unsupported(_))
            if is_served(sides[0].shape, sides[1].shape) =>
        {
            Ok(Finder::Planar)
        }
        (Method::Analytic, Cell::Unsupported(reason)) => Err(Refusal::NoKernel(reason)),
        (Method::Auto, Cell::Unsupported(reason)) => detect_convex(solids).map_err(|refusal| match refusal {
            Refusal::Concave(side) if matches!(solids[side], Solid::Concave(_)) => refusal,
            _ => Refusal::NoKernel(reason),
        }),
        (Method::Convex, _) => detect_convex(solids),
        // Whether both have triangles is found out when the pair is made.
        (Method::Pcm, _) => Ok(Finder::Areal),
        (Method::Region, _) => Ok(Finder::Regions),
        (Method::Nonsmooth, _) => unreachable!("rigid surfaces are found by another method"),
    }
}

fn detect_convex(solids: [&Solid; 2]) -> Result<Finder, Refusal> {
    match solids {
        [Solid::Cavity | Solid::Concave(_), _] => Err(Refusal::Concave(0)),
        [_, Solid::Cavity | Solid::Concave(_)] => Err(Refusal::Concave(1)),
        [Solid::Convex(_), Solid::Convex(_) | Solid::HalfSpace] => Ok(Finder::Convex { swapped: false }),
        [Solid::HalfSpace, Solid::Convex(_)] => Ok(Finder::Convex { swapped: true }),
        _ => Err(Refusal::NoSolids),
    }
}

/// Name of the search in the table of pairs, for surfaces in its order. A mesh is served by its hull.
pub(crate) fn name_of_search(first: &Shape, second: &Shape) -> &'static str {
    let is_mesh = |shape: &Shape| matches!(shape, Shape::Mesh(_));
    match (is_mesh(first), second) {
        (false, Shape::HalfSpace) => "convex–half-space",
        (true, Shape::HalfSpace) => "mesh's hull–half-space",
        (false, Shape::Mesh(_)) => "convex–mesh's hull",
        (true, Shape::Mesh(_)) => "mesh's hull–mesh's hull",
        (false, _) => "convex–convex",
        (true, _) => "mesh's hull–convex",
    }
}

/// A refusal in words; `path` is that of the contact line.
pub(crate) fn describe(refusal: Refusal, method: Method, sides: [Side<'_>; 2], path: &str) -> Problem {
    let [a, b] = sides;
    let unserved = |reason: &str| {
        let (word_a, word_b) = (a.shape.name(), b.shape.name());
        let word = if method == Method::Convex { "convex" } else { "analytic" };
        let message =
            format!("no {word} contact of {word_a} \"{}\" with {word_b} \"{}\": {reason}", a.name, b.name);
        Problem::new("E0421", path, message).help(remedy(method, sides))
    };
    match refusal {
        Refusal::NoKernel(reason) => unserved(reason),
        Refusal::NoSolids => unserved("it takes two convex solids, or one and a half-space"),
        Refusal::Concave(side) => describe_concave(sides[side], method, path),
    }
}

fn remedy(method: Method, sides: [Side<'_>; 2]) -> &'static str {
    let is_mesh = |side: &Side<'_>| matches!(side.shape, Shape::Mesh(_));
    let is_cavity = |side: &Side<'_>| matches!(side.solid, Solid::Cavity);
    if method != Method::Convex && detect_convex(sides.map(|side| side.solid)).is_ok() {
        "use method = \"convex\", or \"auto\""
    } else if sides.iter().any(is_mesh) && !sides.iter().any(is_cavity) {
        "use method = \"convex\" if the mesh is convex; else replace it by primitive shapes or hulls"
    } else {
        "replace one of them by spheres or capsules, or remove the pair with method = \"off\""
    }
}

fn describe_concave(side: Side<'_>, method: Method, path: &str) -> Problem {
    let path = format!("{path}.method");
    let Side { name, shape, solid } = side;
    let Solid::Concave(fault) = solid else {
        let word = shape.name();
        let message = format!("\"{name}\" is a {word} and not convex; method = \"convex\" cannot serve it");
        return Problem::new("E0412", path, message).help("use method = \"analytic\", or one that takes triangles: \"pcm\" with a pcm block in its law, or \"region\" with a volume block");
    };
    let word = method.name();
    let message = format!("mesh \"{name}\" {}; method = \"{word}\" takes convex solids", fault);
    let help = match fault {
        NotConvex::NoSolid(MassFault::InsideOut { .. }) => {
            "`carom mesh repair` turns it round, or flip the normals in the program that wrote it"
        }
        NotConvex::NoSolid(_) => {
            "close the mesh in the program that wrote it, or write type = \"hull\" for its hull"
        }
        _ => {
            "use method = \"pcm\" (any triangles; a law with a pcm block) or \"region\" (surfaces with two triangles an edge; a law with a volume block, or a stiffness); or write type = \"convex-parts\" with the error that you allow, or type = \"hull\" if its hull may touch in its place"
        }
    };
    Problem::new("E0412", path, message).help(help)
}
