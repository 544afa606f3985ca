//! E03xx: bodies, shapes, meshes.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0301",
        title: "a mesh file cannot be read",
        text: r#"The file is missing or may not be read. Its name is relative to the model file that states it.

    shape = { type = "mesh", file = "hull.obj", unit = "mm" }"#,
    },
    Code {
        code: "E0302",
        title: "a mesh file has errors",
        text: r#"The file is empty, cut off, or not what its ending says. STL and PLY (ASCII or binary) and OBJ are read.
Write the mesh again with the program that made it; binary STL is the safest choice."#,
    },
    Code {
        code: "E0303",
        title: "a shape is not known",
        text: r#"The type of a shape is a slip of the pen. `carom schema` lists the types.

    shape = { type = "spere", radius = "1 m" }     # wrong: sphere"#,
    },
    Code {
        code: "E0310",
        title: "a mesh is not closed",
        text: r#"Mass and inertia of a mesh are those of its interior, and this mesh has none: triangles are missing, or
neighbours disagree about the outside, or it is flat. The message says how many edges are open and where
the first is.

If the mesh is a surface on purpose, write open = true and give the body mass and inertia. Otherwise
close the mesh in the program that made it."#,
    },
    Code {
        code: "E0311",
        title: "a mass or density is not positive",
        text: r#"A body that moves needs a mass above 0.

    mass = "-10 kg"            # wrong

A body that does not move needs no mass: write fixed = true. Every other body has mass and inertia, also one
that only carries joints within a chain."#,
    },
    Code {
        code: "E0312",
        title: "an inertia that no rigid body has",
        text: r#"The principal moments I1 <= I2 <= I3 of a body satisfy I3 <= I1 + I2 (with equality for a flat plate),
and all are positive. 0 is for bodies that joints or constraints keep from turning: a point mass on a hinge at an
arm from it, a thin rod that is hinged across its axis. On a ball joint, or on a rod that is a constraint, it could
turn without resistance, and is named. Numbers from another axis system, in other units, or about another point than the
centre of mass often break this.

    inertia = ["1 kg*m^2", "1 kg*m^2", "10 kg*m^2"]    # wrong: 10 > 1 + 1

Six numbers are the tensor elements xx, yy, zz, xy, xz, yz; products of inertia with the other sign
convention must be negated. Leave the key out to derive the inertia from the solid shapes."#,
    },
    Code {
        code: "E0313",
        title: "mass or inertia cannot be found",
        text: r#"A body that moves has no mass, no density and no material with one; or no inertia and no solid shape
from which it would follow. Half-spaces, hollow shapes and open meshes are no solids.

    [body.ball]
    mass = "1 kg"
    inertia = "0.1 kg*m^2"     # needed if it has no solid shape"#,
    },
    Code {
        code: "E0314",
        title: "a size is not positive",
        text: r#"Radii, lengths, edges and scales must be above 0. To touch a sphere or cylinder from within, write
hollow = true; its radius stays positive.

    shape = { type = "sphere", radius = "-1 m" }                  # wrong
    shape = { type = "sphere", radius = "1 m", hollow = true }    # right

A rounding radius and one of the two radii of a frustum may be 0. The exponents of a superellipsoid go from 0.05
to 1.95: beyond, it is a block or an octahedron to the digits of its powers."#,
    },
    Code {
        code: "E0315",
        title: "a direction without length",
        text: r#"An axis or normal of three zeros points nowhere.

    normal = [0, 0, 0]         # wrong
    normal = "+z"              # right"#,
    },
    Code {
        code: "E0316",
        title: "points without a hull",
        text: r#"A convex hull needs four points that are not in one plane, from `points` or from the vertices of a mesh file.
The message says how flat they are. For a plate use a thin box; a hull of a flat polygon has no inside.

    shape = { type = "hull", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] }"#,
    },
    Code {
        code: "E0317",
        title: "a mesh is inside out",
        text: r#"The mesh is closed, but its triangles run clockwise seen from outside, so that its volume is negative.
`carom mesh repair` turns it round, or flip the normals in the program that made it."#,
    },
    Code {
        code: "E0318",
        title: "a model in which nothing moves",
        text: r#"All bodies are fixed, or there are none, so that there is nothing to simulate. Without fixed = true a body moves;
it then needs a mass and an inertia, or a shape with a density.

    [body.ball]
    density = "7800 kg/m^3"
    shape   = { type = "sphere", radius = "10 mm" }"#,
    },
    Code {
        code: "E0319",
        title: "convex parts that reach too far",
        text: r#"A mesh was cut into as many convex parts as `parts` allows, and their hulls still fill dents by more than `error`. The message
says how far they reach beyond the mesh. Allow more parts, or a greater error. What has to fit closely touches with its triangles:

    shape  = { type = "mesh", file = "gear.stl", unit = "mm" }
    method = "region"           # or "pcm", in the contact line"#,
    },
];
