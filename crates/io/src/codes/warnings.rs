//! Warnings: the model runs; the user should know.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "W0302",
        title: "a body that falls for ever",
        text: r#"Gravity acts, and neither the body nor anything that joints, forces or constraints join it to is fixed or
in a contact pair: nothing can hold it. Name it in a contact line, join it to something fixed, or write
allow = ["W0302"] if the fall is what you want to see."#,
    },
    Code {
        code: "W0303",
        title: "a joint, force or constraint between fixed bodies",
        text: r#"None of the bodies it acts on can move: it has no effect. Let one of them move, remove the entry, or write
allow = ["W0303"], for example in a model whose parts are fixed one at a time."#,
    },
    Code {
        code: "W0304",
        title: "a joint starts beyond its limit",
        text: r#"The start position is past a stop, whose stored energy will throw the joint back. Start within the limits,
or write allow = ["W0304"]."#,
    },
    Code {
        code: "W0306",
        title: "a loop that hardly fits its joints",
        text: r#"A constraint equation of a loop acts along a direction in which the joints let its bodies move by a hair. Mostly it is one that the joints
were meant to meet by themselves: the axes of a plane four-bar are parallel to the six digits of an angle of 1.5708, and strictly taken such a frame is
rigid. State such angles with all digits (1.5707963267948966, "90 deg", or axis vectors), close the loop by a joint that asks for less (spherical or cylindrical
at one of its hinges), or ignore this where a fine screw or gear is meant."#,
    },
    Code {
        code: "W0307",
        title: "a stated velocity that joints contradict",
        text: r#"A body on a joint states `vel` or `omega` and starts with another one. Joints take their velocity from `omega` about their axes and from `vel` along them: `vel` alone on a hinge
is no rate of it, and what a joint does not allow is left out.

    [joint.hinge]
    velocity = "5 rad/s"

States the rate itself. `vel` of the body can go then."#,
    },
    Code {
        code: "W0401",
        title: "a pair overlaps at the start",
        text: r#"The two surfaces of a pair overlap by more than a hundredth of the smaller shape's size when the run
starts. The stored energy of that indentation will throw them apart. Move one of them as the message
says, or write allow = ["W0401"].

A closed part of a mesh that is turned inwards and in no other is a room: all around it is solid, and what starts there overlaps. If it is
none, `carom mesh repair IN OUT` turns it."#,
    },
    Code {
        code: "W0403",
        title: "triangles turned against their neighbours",
        text: r#"Areal contact sees a triangle from its front. One that is turned against its neighbours looks into the solid: what comes to it from outside is behind
it, is felt late or not at all, and may go through; what it gains on the way out is W0522.

    carom mesh repair part.stl good.stl --unit mm

turns triangles the way of their neighbours. Write allow = ["W0403"] if the mesh is meant to be as it is."#,
    },
    Code {
        code: "W0420",
        title: "an overlap that no pair names",
        text: r#"Two surfaces overlap at the start, but no contact line names them, so they will pass through each other.
Contact is never implicit: add a line, or write allow = ["W0420"] if they are meant to."#,
    },
    Code {
        code: "W0501",
        title: "an explicit integrator for a stiff contact",
        text: r#"The model names an explicit integrator, and while one of its contacts lasts, stability will hold the steps so
short that more than a million of them fill the run. The estimate is for a body that rests on the contact:
its oscillation, its damping, and 7/2 mu g/v_reg of the regularised friction of a rolling ball.

    [solver]
    method = "auto"      # or "radau5"

Or regularise the friction more, with a larger v_reg. allow = ["W0501"] accepts the steps."#,
    },
    Code {
        code: "W0502",
        title: "forces that jump without events under ode113",
        text: r#"The model names ode113, a method of many steps, and the damping of an areal law begins at once on each
contact element that comes to touch. No event is located there, since thousands of elements come and go; the method
finds the jumps by rejecting steps, and goes on with short ones of low order.

    [law.rubber]
    pcm = { layer = "1 mm", damping = "10 kN*s/m^3", damping_form = "ramped" }

Ramped damping, the default, grows smoothly with the depth. Methods of one step, such as ode45 or radau5, take jumps better.
allow = ["W0502"] accepts the steps."#,
    },
    Code {
        code: "W0503",
        title: "friction that sticks below the tolerance of velocities",
        text: r#"A law regularises its friction within v_reg, below the absolute tolerance of velocities of the bodies that
touch. Errors as large as the tolerance allows are slip to such a law: contacts that should stick drag and
dissipate, steps get short and the energy residual grows.

    [solver]
    rtol = 1e-7                       # from it comes the tolerance of velocities,
    atol = { velocity = "1 um/s" }    # unless it is stated

Or let v_reg be as large as the model bears. allow = ["W0503"] accepts the errors."#,
    },
    Code {
        code: "W0504",
        title: "a tolerance below the rounding of the states",
        text: r#"The absolute tolerance of positions, stated or derived from rtol and the indentation that contacts are expected
to have, is less than a unit in the last place of the largest coordinate, or of 1 rad. Errors of that size are rounding,
which no step is short enough for: steps get short and many, and the result no better. The floor is taken in
its place.

    [solver]
    rtol = 1e-11      # from it come the absolute tolerances, unless they are stated

Place the model near the origin, or accept the floor with allow = ["W0504"]."#,
    },
    Code {
        code: "W0505",
        title: "friction that rigid contact does not have",
        text: r#"Points of `method = "nonsmooth"` have Coulomb's friction of `mu` against sliding, at rest and in motion. A higher friction at rest (`mu_s`), viscous friction (`mu_visc`)
and resistance to rolling (`mu_roll`, `roll_arm`) and drilling (`mu_spin`, `spin_arm`) that the law states are not there: a ball rolls on for ever, and a top is braked by
what it stands on with several points only.

    [contact]
    floor = { a = "ball", b = "ground", law = "felt" }                 # a compliant point law has them

    [joint.axle]
    friction = { torque = "2 mN*m" }                                   # or where it turns about

allow = ["W0505"] where the law also serves compliant contacts."#,
    },
    Code {
        code: "W0510",
        title: "a fixed step that had to shrink",
        text: r#"With formulation = { type = "ali3p", step = … } every step has that length. In a step that is too long for what
happens in it, such as an impact on stiff contact or sticking that begins, Newton's method finds no solution. Then
the step is repeated with a tenth of its length, as often as it takes, and the next one is whole again. Results are valid,
but the cost and the error of such a run are not those of its fixed step.

    formulation = { type = "ali3p", step = "0.1 ms" }    # shorter
    formulation = "ali3p"                                # by the tolerances"#,
    },
    Code {
        code: "W0511",
        title: "fixed steps beyond the tolerances",
        text: r#"With formulation = { type = "kkt", step = … } every step is made with that length. Its error is estimated all the same,
and steps whose estimate is beyond the tolerances are counted. A few at impacts may be what you want; an explicit method in stiff
contact with steps that are too long is unstable, and its results are worth nothing.

    formulation = { type = "kkt", step = "10 us" }    # shorter
    formulation = "kkt"                               # by the tolerances"#,
    },
    Code {
        code: "W0512",
        title: "steps of moreau that were shortened",
        text: r#"Surfaces may move by half of the smaller body against each other in a step, so that nothing passes. Where they would have moved
farther the step was halved. So it was where the impulses of the whole step were not found; the warning says how often. The results
hold; a shorter `step` makes all alike."#,
    },
    Code {
        code: "W0513",
        title: "contact problems that were not solved to the tolerance",
        text: r#"moreau solves for the impulses of a step to a residual of `contact_tolerance`, 1e-10 where it is not stated, of its velocities. Contacts that depend on each other and hardly
slip may take forever to get there; what is below 1e-5 after some hundred sweeps is taken, and counted. Peers stop a hundred times
earlier. Less friction, or a shorter step, helps."#,
    },
    Code {
        code: "W0514",
        title: "rigid contact with several answers",
        text: r#"Where a contact slides and its own force would draw it nearer, because friction turns the bodies more than the force parts them, it
may stay or leave: both meet all conditions of rigid contact (Painleve 1895). The run goes on with the answer whose forces are nearest to
those before, which is one of several motions. The warning has the first time, the contacts and the state. Less friction, or a compliant
law, makes the answer one."#,
    },
    Code {
        code: "W0515",
        title: "an expectation beyond the end of a shortened run",
        text: r#"The end that --t-end, --set or a call has given comes before the time at which the expectation looks. The run goes on without it:
neither met nor failed. In the model's own file such a time is an error (E0504)."#,
    },
    Code {
        code: "W0516",
        title: "a joint faster than it is rated for",
        text: r#"The `rating` of a joint, which imports take from the velocity limits of URDF and SDF, says how fast its drive can move it. Nothing in
the joint brakes there, and the run is right for what acts on it; the drive could not have moved like this. The speed is the greatest,
inside steps too; of joints that close a loop it is that at the ends of steps. A controller that clips what it asks for, a damper or a stronger drive keeps it below.

    [joint.elbow]
    rating = { speed = "180 deg/s" }"#,
    },
    Code {
        code: "W0517",
        title: "a rigid solid that may come to lie with one point of contact",
        text: r#"On a half-space, and on a face of a box or hull or the flat end of a cylinder, cone or frustum that is large enough for it, each point of
a round end, and each corner of what has some, is a contact of its own. On one that has no room a cylinder, cone or
frustum touches at the lowest point of the rim of its end. Where it comes down tilted and its contacts are rigid, with events that are located,
it strikes with that point, turns over it and strikes again with the next: as the end comes to lie flat the point runs around the rim, impacts
follow each other in ever shorter times, and the run does not get on. What comes to lie along the round side of a cylinder with its own, or as a
capsule, touches with one of its ends at a time, and rattles likewise; on boxes, hulls and half-spaces, and of two capsules, both have contacts of
their own. Of polyhedra vertices and crossing edges are contacts of their own, up to 50 000 of them in all, shared by the pairs that may meet, but 2000 a
pair at least; those of a pair that has more touch at one point, too. A mesh of fewer facets mends that. A beam touches at one point, whatever of it lies on
something flat.
Time stepping takes all points of an end together, and no event is located:

    [solver]
    method = "moreau"
    step = "0.1 ms"

allow = ["W0517"] accepts it where nothing lands so."#,
    },
    Code {
        code: "W0518",
        title: "penetration that stays after a step of moreau",
        text: r#"At the end of a step what penetrates is moved apart down to 1e-9 of the smallest shape, or half of `contact_tolerance` where that is more. Where bodies hardly have room, wedged between
others or in a gap that is too narrow by a hair, corrections may not lead there: what has come below 1e-6 of the smallest shape stays as
it is, and is counted. Beyond that the run ends (E0632). Give the bodies room, or shorten the step."#,
    },
    Code {
        code: "W0519",
        title: "restitution that was lessened in steps of moreau",
        text: r#"Newton's law of restitution with friction, or at several contacts at once, can add energy (Kane & Levinson 1985). Where the impulses of
a step would, the contacts of bodies that hang together keep the share of their restitution that adds none: what they part with is less than
the law asks for. With less e_n or mu in law.NAME it asks for less; nonsmooth contact by events has Poisson's law, which adds none where
contacts have one e_n and no e_t."#,
    },
    Code {
        code: "W0520",
        title: "corrections of rigid contacts that show in the energy",
        text: r#"Between events closed rigid contacts are held by forces, and what integrators leave is corrected after each step: some 1e-8 of the energy.
Here it was more than 1e-3 of what was moved. The place that a contact holds has jumped: a can that lies along a can, or along a capsule, touches along a line and has
one point of contact there, which runs from end to end. Such pairs are for time stepping, which takes all points of a line together:

    [solver]
    method = "moreau"
    step = "0.1 ms"

The energy table has the account by row, `projection`."#,
    },
    Code {
        code: "W0521",
        title: "bodies that can have passed through each other",
        text: r#"A point contact pushes the way out that is nearest. As deep as both bodies are thick, from their middles to their surfaces, that is the
one on the far side, which is told from nine tenths of that on: a fast ball goes into a thin plate, past its middle, and is thrown out behind. The message has the greatest depth and its
time; what the run shows after it is not what solids do. A stiffness that fits the speeds keeps depths small,

    [law.NAME]
    point = { stiffness = "1e12 N/m^1.5", restitution = 0.5 }

and rigid contact (method = "nonsmooth") has none."#,
    },
    Code {
        code: "W0522",
        title: "energy that a contact has from nowhere",
        text: r#"Forces of contacts are the slopes of the energy that they store. What is stored beyond the work on it is the model defect, and here it is more
than a twentieth of all that the pair ever stored (of areal contact; else of the energy that moved in the run): bodies leave faster than they came.

- In areal contact an edge of the base that presses into a round body does: its lines are slanted to what they meet. `base = "auto"` takes the round body, where one of
  the two is; if not, state `base = "NAME"` of the contact line for the one that is met on its faces. Where edges meet edges no base is right: `method = "region"` with
  a law by `volume` keeps the energy whatever meets.
- Regions by depth (`point`) and convex solids have one force for a region whose form changes: a law by `volume` keeps the energy there, too.
- Outlines in a plane have a contact for every vertex; where corners pass each other while they are pressed in, one ends and another begins at another depth, and energy is
  lost there as well. A stiffer law makes contacts shallower; `method = "nonsmooth"` has no depths.
- Surfaces do that are seen from the wrong side, as triangles turned against their neighbours are (W0403, N0406), or depths that jump by about as much as they are, over
  sharp edges with `accuracy = "off"`.

    carom mesh repair part.stl good.stl --unit mm

turns triangles the way of their neighbours; `carom info RUN` has the defect by pair, with the step and the triangle of its largest jump."#,
    },
    Code {
        code: "W0523",
        title: "accounts of the energy that do not balance",
        text: r#"What bodies, springs and contacts gained differs from the work and the losses by more than a hundredth of what was moved: the motion is that much in doubt. A method
that controls its errors takes a smaller `rtol`, one with fixed steps a shorter step.

`moreau` takes forces in the middle of its steps. Springs whose forces change much within one are resolved badly: one of k at an inertia I
swings with sqrt(k/I), and a step above 1/sqrt(k/I) is too long for it. So is dry friction of joints that comes to rest. Servos take the same steps, but their work is that of a motor, which balances whatever it is.

    [solver]
    method = "moreau"
    step = "0.2 ms"                      # instead of 1 ms"#,
    },
    Code {
        code: "W0524",
        title: "forces that depend on velocities have not settled in a step",
        text: r#"`moreau` takes dampers between bodies, drag and the inertia of what turns at the mean velocity of a step with its contacts, which it finds in
turn with their impulses, in twelve rounds at most. A damper of 2 m/h at a body of mass m that a contact holds, and any stronger one, takes more: what
was left is in the ledger of the energy, and contact forces of such steps are that much off.

    [solver]
    method = "moreau"
    step = "0.2 ms"                      # instead of 1 ms

helps, and so does the damper along a joint (`spring = { stiffness = ..., damping = ... }`), where it may be as strong as it likes."#,
    },
    Code {
        code: "W0525",
        title: "a bushing past half a turn",
        text: r#"The moment of a bushing is that of the rotation vector from A's frame to B's, the shortest way from one to the other. Past half a turn that is the way on the other
side: the moment turns round, while the energy that it stores goes on. A rubber bushing does not turn so far, and what winds up is a torsion spring, which counts turns:

    [force.winding]
    type = "torsion-spring"
    a = { body = "frame" }
    b = { body = "rotor" }
    axis = "z"
    stiffness = "2 N*m/rad""#,
    },
];
