//! Nxxxx: notes, which `check` and `run` say alike. Nothing is wrong; the user should know.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "N0201",
        title: "a material of the model replaces a shipped one",
        text: r#"The model has a [material] of a name that ships with the program. The model's own numbers are taken, all
of them: nothing of the shipped material is mixed in. Give it another name if that was not meant."#,
    },
    Code {
        code: "N0202",
        title: "a material pair of the model replaces shipped data",
        text: r#"Restitution and friction of two materials in contact are known to the program, and the model states its own.
The model's entry is taken as it stands; what it leaves out is not filled in from the shipped one."#,
    },
    Code {
        code: "N0301",
        title: "joint coordinates were changed to close loops",
        text: r#"The positions stated of the joints of a loop do not fit together. The nearest position in which the loops close
was taken. State fewer of them, or values that fit: carom check prints where bodies start."#,
    },
    Code {
        code: "N0302",
        title: "joints were bent to close loops",
        text: r#"From the start that follows from the stated coordinates no position was found in which the loops close; a
stretched chain does not know in which direction to fold. It was bent a little, and the position found may be one
of several. State joint coordinates to choose another."#,
    },
    Code {
        code: "N0303",
        title: "a body starts away from its stated pose",
        text: r#"The body has a pose of its own in the file and a joint that carries it, and the two do not fit. The joint wins:
position follows from the joint's ends and its coordinate. Leave out the pose, or move the ends of the joint."#,
    },
    Code {
        code: "N0304",
        title: "joint velocities were changed to fit constraints",
        text: r#"The velocities stated of joints contradict the constraints at the start. The nearest that fit, in the metric of
the mass, were taken. State the velocity of one joint of a loop only, and the others follow."#,
    },
    Code {
        code: "N0305",
        title: "constraint equations that repeat others",
        text: r#"The mechanism is overconstrained: a planar four-bar of four revolute joints has three equations more than it
needs. Its motion is unique. Reactions are not, unless the parts are elastic: those of least norm are given, with `coordinates = "body"` over all joints, else over those that close
loops, the others' follow: a door on two hinges hangs on the one that is not the cut. A spherical and a universal joint in place of two revolute ones make the reactions unique."#,
    },
    Code {
        code: "N0306",
        title: "a joint limit without stiffness",
        text: r#"A limit is a contact of one dimension. Without a stiffness of its own it gets one by
a hundredth of the size of what the joint moves, of a radian, or of what lies between the two limits, whichever is least. So deep goes what
is as fast as after a fall through that, or as the joint starts; what comes faster goes deeper. No deeper stands, at rest, what motors, servos,
springs and actuators of the joint push there with all that is stated of them: constants, tables, ranges and efforts, not expressions of time.
Several such limits are one note with the least and the greatest; each has its own in the law of its pair
(docs/model-format.md, "Limits").

    limit = { lower = "-90 deg", upper = "90 deg", stiffness = "1e5 N*m/rad^1.5" }"#,
    },
    Code {
        code: "N0307",
        title: "a motor changes its speed at once",
        text: r#"A motor of given speed jumps from one speed to another, or the position that it is given has a corner. The bodies take the
new speed in no time: an impulse, whose work is booked as the motor's and which no chart of forces shows. Give a ramp where
the force matters."#,
    },
    Code {
        code: "N0401",
        title: "the method auto",
        text: r#"Each pair of the line is served by the closed form of its two shapes if the table in docs/pairs.md has one, else by
the search for convex solids. carom check --pairs says which it is. method = "analytic" or "convex" settles it."#,
    },
    Code {
        code: "N0402",
        title: "a restitution that the law cannot deliver",
        text: r#"The damping factor of this law grows like 1/e, so that e = 0 has no law. Anything below 0.01 counts as 0.01.
"hunt-crossley" and "lankarani-nikravesh" take e = 0, but return half of the speed and more: docs/laws.md has
the table of what each law delivers."#,
    },
    Code {
        code: "N0403",
        title: "triangles that are unsuitable for areal contact",
        text: r#"Areal contact takes any triangles, but some do not do what they look like: degenerate ones take no part, those that
are there twice count twice in a base, and closed parts with normals inwards are rooms. Repair the mesh in the program that wrote it; the message names the first triangle."#,
    },
    Code {
        code: "N0404",
        title: "sharp edges of an areal target",
        text: r#"A penetration line that passes an edge of 90 degrees or more meets another face at once, and the penetration
jumps: forces make energy there, which the ledger shows as model_defect. Chamfer the edges in the mesh, or let the other
surface be the target: base = "a" or "b" in the contact line."#,
    },
    Code {
        code: "N0405",
        title: "large triangles of an areal base",
        text: r#"Contact is looked for along one line a triangle of the base, from its barycentre. Where a contact patch is smaller
than the triangles it may lie between these lines and carry nothing. Make the base finer: facets of a shape, subdivide
of a mesh; or swap base and target."#,
    },
    Code {
        code: "N0406",
        title: "a largest penetration that nothing bounds",
        text: r#"The law of an areal contact leaves u_max out, and no estimate of it is sound: a motor presses surfaces together which
cannot give way, or the energy that can reach the contact (of motion at the start, falls, springs, loads) is more than the
layer stores before the smaller body is through. State it, or make the layer stiffer or thinner:

    [law.foam]
    pcm = { layer = "10 mm", u_max = "30 mm" }"#,
    },
    Code {
        code: "N0407",
        title: "a friction law of points in areal contact",
        text: r#"Areal contact knows Coulomb's friction on each of its elements, regularised below v_reg, and friction that sticks (stick-slip,
bristle, lugre), one bristle for each patch of elements. The law has a point block with another friction law: method = "analytic", "convex"
and "region" follow that, and "pcm" takes its coefficients only. What is to stick takes

    [law.rubber]
    mu = 0.8
    point = { friction = "stick-slip" }"#,
    },
    Code {
        code: "N0408",
        title: "a mesh that touches as convex parts",
        text: r#"A shape of type "convex-parts" is a mesh that was cut by planes; each part touches as its convex hull. The parts cover the solid,
and fill dents by as much as the note says: no point of them is farther from the solid than that, measured between bounds. Where
flat cuts part the solid exactly they agree with it to rounding. More parts and a smaller error fit better:

    shape = { type = "convex-parts", file = "bracket.stl", unit = "mm", error = "0.5 mm", parts = 32 }"#,
    },
    Code {
        code: "N0409",
        title: "what keeps regions from closing",
        text: r#"Contact by regions follows contours from triangle to triangle. At one that is turned against its neighbours or is there twice a
contour may not close, and has no inside, and where two borders should be one seam and are not, it ends: the run stops there and says so
(E0615), it does not go on with another force. A mesh that the contact never reaches there runs. The message names the first
triangle, or how wide the cracks are:

    carom mesh info part.stl --unit mm
    carom mesh repair part.stl good.ply --unit mm --tolerance "5 um""#,
    },
    Code {
        code: "N0410",
        title: "areal contact of very many elements",
        text: r#"Elements beside sharp edges are small enough for an edge to be felt at a tenth of u_max. Of faces that are a thousand u_max long that makes
millions of elements a surface, and where such faces lie on each other all of those there are in contact: a tenth of a second an evaluation, minutes an impact.
Flat faces on each other need none of them: a u_max that is estimated for a flat landing is small, and a larger one has fewer, with the same
forces of face on face (but damping with a ramp that has no depth of its own: it ends at u_max/30). What is felt later are edges that come in alone, at
a tenth of u_max. With a coarser accuracy edges are felt later, too, in proportion from 5 % on: at half of u_max with 25 %. The message says how many
elements each would make, and nothing where it would not help.

    [contact]
    stack = { a = "plate", b = "block", method = "pcm", law = "rubber", accuracy = "25 %" }

A softer layer and a larger u_max make elements larger in proportion. accuracy = "off" takes triangles as they are, which `subdivide` cuts evenly."#,
    },
    Code {
        code: "N0411",
        title: "triangles that are not the round surface they stand for",
        text: r#"Contact of triangle surfaces knows the triangles. With their corners on a round surface they lie inside it: contact begins late by what they cut off, and
the force at a depth u is that of u less this, a third of it where they cut off as much as u/2. Without `facets` a round shape has so many that this is a
tenth of a tenth of u_max, up to 200 000, and they stand out as much as they cut off (`balanced = true`): then forces are right in the mean, and off
from place to place by the square of that share.

    shape = { type = "sphere", radius = "10 mm" }                                    # as many as it takes
    shape = { type = "sphere", radius = "10 mm", facets = 2000, balanced = true }    # these, with corners outside

The message says how many triangles would do for the accuracy of the contact line, with corners as they are."#,
    },
    Code {
        code: "N0501",
        title: "rows between the steps of time stepping",
        text: r#"`moreau` knows velocities at the ends of its steps. In rows between them velocities, and energies with them, are on the straight
line from one end to the other, also where an impact lies between. Leave `every` out, or make it a multiple of the step.

    [solver]
    method = "moreau"
    step = "1 ms"
    [output]
    every = "5 ms""#,
    },
    Code {
        code: "N0601",
        title: "pairs that never touched",
        text: r#"The run has ended, and these pairs of its contact lines had no contact. Where one was to touch: does the run last
long enough, do the bodies come together at all, does the line name the surfaces that are meant?
`carom plot RUN PAIR.gap` shows how near the two came."#,
    },
    Code {
        code: "N0602",
        title: "a penetration near u_max",
        text: r#"Penetration lines of areal contact are followed to 1.5 u_max, and a penetration beyond u_max ends the run. This run
came near it: a slightly harder blow would fail. State a larger u_max in the law's pcm block. Beside edges a line is longer than the surfaces are deep, and
E0614 goes by the depth: there the number may be up to 150 %, and the run goes on."#,
    },
    Code {
        code: "N0603",
        title: "a patch of few elements",
        text: r#"Areal contact samples the patch once an element. Fewer than ten of them at a contact's peak carry its load by chance. The
message has the `accuracy` of the contact line with which the base is cut fine enough, where the other surface is
near."#,
    },
    Code {
        code: "N0604",
        title: "contacts that were solved to a coarse tolerance",
        text: r#"`contact_tolerance` in [solver] lets moreau end the search for impulses, and the corrections of positions, early. The message has what
the run has left at worst: the residual of the contact problems as a share of the fastest contact of its moment, and the penetration that
corrections have left at the end of a step; what bounces leaves by itself. Energy is booked as it was exchanged, whatever the tolerance. Without the key all is solved to rounding.

    [solver]
    method = "moreau"
    step = "8 ms"
    contact_tolerance = 0.03"#,
    },
    Code {
        code: "N0801",
        title: "a choice made at the import of a robot",
        text: r#"Robot files leave out what a simulation needs: a floor, contact laws, what limits are made of. The import chose, and
says what. `carom convert robot.urdf robot.toml` writes the choices into a model file, where they can be changed;
docs/import.md has the list."#,
    },
];
