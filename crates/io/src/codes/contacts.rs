//! E04xx: contacts and laws.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0401",
        title: "a contact line without any pair",
        text: r#"A pattern matches no body and no shape, a body has no shape, or all that match are fixed or one body.
`*` stands for letters within one level and does not cross a dot, `**` crosses levels:

    "*.ball"            cue.ball, rack[3].ball
    "table.cushion_*"   table.cushion_px
    "**.foot"           foot, left.wheel.foot

A pair that is not listed does not exist, so a line that names nothing is a mistake."#,
    },
    Code {
        code: "E0402",
        title: "a pair that cannot meet",
        text: r#"Both surfaces are on one body, or both bodies are fixed. Patterns skip such pairs; written out they are
an error."#,
    },
    Code {
        code: "E0405",
        title: "a contact line without a law",
        text: r#"Each line names the law that acts between its surfaces.

    [law.steel]
    point = { normal = "exact", restitution = 0.7 }

    [contact]
    drop = { a = "floor", b = "ball", law = "steel" }

The method says which block of the law it reads: [point] for analytic, convex and auto, [pcm] for pcm."#,
    },
    Code {
        code: "E0406",
        title: "a law or material parameter out of range",
        text: r#"The message names the parameter and what is allowed: restitution from 0 to 1, friction coefficients 0 or
more, Young's modulus and regularisation speeds above 0, Poisson's ratio above -1 and at most 0.5 (below
0.5 for layers)."#,
    },
    Code {
        code: "E0407",
        title: "parameters of a law that do not fit",
        text: r#"A parameter belongs to another friction law than the one chosen, a law lacks one it needs, or two
contradict each other: mu_s below mu, v0 not below v1.

    coulomb       mu, v_reg; with Stribeck effect mu_s and v_stribeck; smooth_step
    ambrosio      mu, v0, v1
    threlfall     mu, v_reg
    bengisu-akay  mu, mu_s, v_reg, decay
    stick-slip    mu, mu_s, v_stick, k_t, c_t; so do lugre, and bristle with dwell_time

Of [pcm]: `ramp` goes with damping_form = "ramped", `v_small` with `restitution`; a layer is stated once, as one thickness
`layer`, on the body that `layer_on` of the contact line names, or as `layer_a` and `layer_b`."#,
    },
    Code {
        code: "E0408",
        title: "two contact lines name one pair",
        text: r#"Two lines without patterns name the same two surfaces, and each would apply its own law. Keep one. A line
with a pattern gives way to a more exact one by itself, and method = "off" removes pairs."#,
    },
    Code {
        code: "E0410",
        title: "a law lacks the block that the method needs",
        text: r#"Each family of methods has its own block of the law, because its parameters mean something else:
[point] for analytic, convex and region, [pcm] for pcm, [nonsmooth] for nonsmooth. Nothing is guessed
from another block.

    [law.foam]
    point = { normal = "hunt-crossley", stiffness = "2 MN/m^1.5", restitution = 0.3 }"#,
    },
    Code {
        code: "E0411",
        title: "a pair without stiffness",
        text: r#"Neither the law nor the materials of the shapes say how stiff the contact is. One of three will do:

    point = { stiffness = "2 MN/m^1.5", ... }              # of the law
    E = "200 GPa"                                          # and nu, of the law
    shape = { type = "sphere", ..., material = "Steel" }   # for both shapes"#,
    },
    Code {
        code: "E0412",
        title: "a concave shape with a method for convex ones",
        text: r#"method = "convex" looks for the distance of two convex shapes; a cavity or a mesh with dents has none.
Use method = "analytic" where the pair has a closed form.

A mesh is taken if it is convex: closed, its triangles counter-clockwise seen from outside, every vertex behind the
plane of every triangle, up to 1e-9 of its size. It is then the same solid as its hull, and the table of pairs says
so. Of another mesh the message gives the number of concave edges and how far the deepest lies below the hull, and
`carom mesh info FILE` whether anything else is wrong with it: an edge that is off by more than rounding is a dent. If
the hull may touch in its place, say it; or take convex parts, and say how far they may reach beyond the mesh:

    shape = { type = "hull", file = "rock.stl", unit = "mm" }
    shape = { type = "convex-parts", file = "rock.stl", unit = "mm", error = "1 mm" }

If not, let the triangles themselves touch: method = "pcm" takes meshes of any kind, and needs the law's pcm block.

    pcm = { layer = "10 mm" }          # of [law.NAME], with E and nu of the layer

method = "region" takes surfaces whose edges have two triangles, or one at a border, by the regions in which they cut each other:

    volume = { stiffness = "1e10 N/m^5", restitution = 0.5 }

Or build the body from several convex shapes: shape.shaft = { … }, shape.head = { … }."#,
    },
    Code {
        code: "E0413",
        title: "a pair without a coefficient of restitution",
        text: r#"The normal law dissipates according to e, and neither the law nor the two materials give one.

    point = { normal = "exact", restitution = 0.7 }

For a contact without any loss write normal = "none" or restitution = 1."#,
    },
    Code {
        code: "E0414",
        title: "rolling resistance without a radius",
        text: r#"Rolling and drilling resistance grow with the contact radius, and both surfaces are flat. Give one of the
shapes a contact_radius, or state the lengths roll_arm and spin_arm in place of mu_roll and mu_spin; these need w_reg then."#,
    },
    Code {
        code: "E0415",
        title: "the exponent does not fit the stiffness",
        text: r#"Hertz's stiffness, from E, nu and the curvatures, goes with the exponent 1.5. For another exponent give
the stiffness itself, in N/m^exponent.

    point = { stiffness = "1e6 N/m^2", exponent = 2, restitution = 0.5 }"#,
    },
    Code {
        code: "E0416",
        title: "no stiffness follows from the geometry",
        text: r#"A corner, an edge or a line is in contact, or surfaces that curve differently from place to place (an ellipsoid);
Hertz's theory is for smooth surfaces that touch in a point, and its stiffness is one number for the pair. Give law.*.point.stiffness, or use normal = "elastic-response", which works with contact radii."#,
    },
    Code {
        code: "E0417",
        title: "areal contact without an elastic layer",
        text: r#"Both surfaces of the pair are rigid: their layers are 0 m thick. The pressure of areal contact comes from the
layers, so one of them must have a thickness.

    pcm = { layer_a = "10 mm", layer_b = "5 mm" }     # one on each body
    pcm = { layer = "10 mm" }                         # one, on the base"#,
    },
    Code {
        code: "E0418",
        title: "a mesh that cannot be in areal contact",
        text: r#"Areal contact takes any triangles, open or closed, clean or not, but some of them must have an area, and
penetration lines need a length (u_max). Contact by regions follows contours: no triangle may be degenerate, and a closed part may be turned
inwards only as a cavity in another; `carom mesh repair IN OUT` mends both."#,
    },
    Code {
        code: "E0419",
        title: "a surface that detect = \"intersection\" cannot take",
        text: r#"The classic construction finds what is inside by contours, which takes closed surfaces whose edges have two
triangles each and whose normals point outwards. detect = "penetration", the default, takes any triangles and
finds the same elements on closed ones.

It takes triangles as they are, too: a base that is to be cut into finer elements for its accuracy is refused.
accuracy = "off" on the contact line keeps the triangles; facets or subdivide make finer ones."#,
    },
    Code {
        code: "E0421",
        title: "a pair of shapes that the method does not serve",
        text: r#"The method analytic has formulas for some pairs of shapes only; docs/pairs.md has the table. The method convex
serves any two convex solids, or one and a half-space; auto takes what there is. Replace one of the two by spheres or capsules, or remove the pair with method = "off"."#,
    },
];
