//! E06xx: found while running.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0601",
        title: "a state stopped being finite",
        text: r#"A position, velocity or force became infinite or undefined. The run stops with the last good state kept.
Mostly a contact is far too stiff or damped for its masses, or bodies start deep inside each other. The
message names the body or the contact and its last values."#,
    },
    Code {
        code: "E0602",
        title: "the step size fell under its limit",
        text: r#"The integrator cannot meet the tolerance with any step it may take. Loosen rtol, lower solver.h_min, or
look for a law that is too stiff or jumps (anagnostopoulos jumps at touch)."#,
    },
    Code {
        code: "E0603",
        title: "too many events",
        text: r#"Contacts begin and end so often that the run makes no progress, or solver.max_events was reached. Damp
the contact that the message names (a lower restitution), or raise the limit. Rigid contacts of many points, and
of round ends on faces, are for solver.method = "moreau", which steps over such events."#,
    },
    Code {
        code: "E0604",
        title: "too many steps",
        text: r#"solver.max_steps (1e9 unless given) was reached before t_end. Raise it, loosen rtol, or soften the contact that
forces the small steps. Where stability holds an explicit method to them, the message says so: method = "auto"
or "radau5" takes longer ones."#,
    },
    Code {
        code: "E0605",
        title: "forces cannot be evaluated",
        text: r#"The right-hand side failed at a state from which a step must start. See E0601; the message names the
body or contact."#,
    },
    Code {
        code: "E0606",
        title: "a constraint cannot be kept",
        text: r#"The end of a step cannot be put back onto the constraints: the mechanism has reached a position that it cannot
leave in the direction it moves (a lock), a motor drives it there, or the steps are too long. The message names
the joint, the constraint or the rigid contact that is farthest off."#,
    },
    Code {
        code: "E0607",
        title: "no static equilibrium found",
        text: r#"From the positions of the start, no position was found in which all forces balance: the message says how
much is left and along which freedom. Either nothing carries the mechanism there (a free body, a spring
missing), or the search must start nearer to the equilibrium. An actuator whose activation integrates a control other than 0
winds up and has none. What does not give (rigid contacts, stops with `nonsmooth`) carries nothing, and no place within it counts: take it as compliant."#,
    },
    Code {
        code: "E0608",
        title: "no modes found",
        text: r#"The linearised equations of motion have entries that are not finite, or a freedom without mass or inertia,
or their eigenvalues were not found. Give every freedom mass; look at the stiffest force."#,
    },
    Code {
        code: "E0609",
        title: "a motion cannot be read",
        text: r#"Inverse dynamics takes a motion as a run of the model, or as a CSV file with the columns of the table `states`:
ascending times, coordinates and velocities of the joints, poses and velocities of bodies that no joint carries.
The message says which time or column does not fit. Velocities of joints with numbers for coordinates may be left
out: they are then derived from splines through the coordinates."#,
    },
    Code {
        code: "E0610",
        title: "states of joints cannot be read",
        text: r#"`carom analyze dynamics --states` takes JSON: {"joints": ["elbow"], "states": [{"q": {"elbow": 0.3}, "v":
{"elbow": 1.0}}]}. A joint with several coordinates has lists, such as [w, x, y, z] of a ball. Joints that are not
named stay at the start of the model, at rest; "joints" picks the rows of the answer and may be left out. Joints
that close loops have no state of their own."#,
    },
    Code {
        code: "E0611",
        title: "a driven coordinate does not exist",
        text: r#"`carom analyze inverse-dynamics --drive` takes joints, which then drive all their freedoms, or single freedoms
such as leg.displacement. Joints that close loops have no coordinates of their own: mark another joint of the
loop with `cut = true`, so that this one keeps its coordinates."#,
    },
    Code {
        code: "E0612",
        title: "Newton's method does not converge",
        text: r#"An implicit integrator (radau5, bdf, rodas3) finds no solution of its step, however small. Look for a law that jumps
or has a kink where the bodies are; an explicit integrator may pass it. A step that is fixed is not made shorter: choose a shorter one,
or leave `step` out.

    [solver]
    method = "ode45""#,
    },
    Code {
        code: "E0613",
        title: "a search between convex solids does not end",
        text: r#"The distance or the depth of two convex solids is searched for, and the search has a limit. It is reached by
shapes of extreme proportions or exponents. Round them a little, or build them from several simpler shapes."#,
    },
    Code {
        code: "E0614",
        title: "an areal contact deeper than its u_max",
        text: r#"Penetration lines are as long as the contact may become deep; beyond 1.5 u_max contact elements would be
missed in silence, so the run stops before, and likewise, whatever beyond_u_max says, three quarters through a wall of the target that is thinner than two u_max at that place: elements behind it are not seen. The message says which u_max does for
the energy that the bodies had, with a tenth of reserve and without what damping takes, if the contact goes on as it has come. What turns onto an
edge or a corner meanwhile goes deeper, and says so again. State it, stiffen the layer, or let a deeper one pass up to there:

    [law.foam]
    pcm = { layer = "10 mm", u_max = "30 mm", beyond_u_max = "warn" }"#,
    },
    Code {
        code: "E0615",
        title: "the elements or regions of a contact of triangle surfaces cannot be found",
        text: r#"By regions: one does not close, as the border of an open surface is inside the other, or a surface cuts itself. Such a
region has no volume, and no depth that can be trusted. Make the surface larger than what it meets, or close it; `carom mesh info
FILE` lists borders and what cuts itself.

Areal contact: with detect = "intersection" the contact has no contour: one surface lies wholly inside the other, or cuts
itself. detect = "penetration" needs no contours."#,
    },
    Code {
        code: "E0616",
        title: "surfaces pass each other where no contact element sees it",
        text: r#"Areal contact looks from the middle of each triangle of the base into the target. Where the triangles of both are
coarse, two edges can cross and a corner can come in beside every middle: the surfaces touch, and nothing pushes. What they
come deeper by then is summed; at a tenth of u_max, or up to half of it with a coarser accuracy than 5 % or "off", the run stops before that becomes a
passage, unless a move by that much would part them, and names the pair, the place and the time. Elements are made for u_max: one that
is far too small for what comes down makes them finer than there can be, and the help says which u_max does. Else let both sides be the base
(`base = "both"`): each feels what its own corners go into. Ask for a finer `accuracy` on the contact line, or make the base finer there
(`facets`, `subdivide`). An open surface that is met from behind its triangles (first touched on the back of
one, or on an edge or corner from straight behind it, or felt from there while nothing touches), triangles that are turned against their neighbours (W0403), and closed
parts that are turned inwards (N0403) are told as that: there no element sees anything, however fine it is.
A run that goes on from a checkpoint with one surface inside the other, which it has
not seen enter, stops likewise: the surfaces are not those that it was made with."#,
    },
    Code {
        code: "E0617",
        title: "it cannot be told whether two surfaces touch",
        text: r#"Every pair that is open during a step is proven apart, or its first touch is located. Here no step above the least
one is short enough for the proof: the surfaces stay within rounding of each other, or a body turns faster than the
step shows. Lower `h_min`, or start the surfaces farther apart or in contact."#,
    },
    Code {
        code: "E0618",
        title: "surfaces are too fast for their areal contact",
        text: r#"While surfaces in areal contact touch, or nearly do, they travel no farther in a step than u_max, so that whatever comes
in is seen before it is deeper than penetration lines reach, nor than a quarter of a target's thin wall. At this speed even the least step is longer. Raise u_max,
or lower `h_min`."#,
    },
    Code {
        code: "E0619",
        title: "a function of time that steps cannot follow",
        text: r#"Steps end where a function of time goes from one branch to another (floor, min, max, abs, atan2), and are short
where it varies fast. This one changes its branch, or varies, within the shortest step: sin(1/t) near 0, a pole,
or a `min` or `max` of two expressions that are the same but for rounding. The message names the motor or force and
the time. Write the function without it, or as a table."#,
    },
    Code {
        code: "E0620",
        title: "a fixed step whose error is as large as the state",
        text: r#"Fixed steps are not shortened where their error estimate is beyond the tolerances; such steps are counted and told
(W0511). Here the estimate is 1/rtol times the tolerance: what the step computes has nothing to do with the motion.
An explicit method is beyond its limit of stability, or a contact was entered faster than the step shows. Choose
a shorter step, an implicit integrator, or leave `step` out:

    [solver]
    method = "auto""#,
    },
    Code {
        code: "E0621",
        title: "rigid surfaces that overlap at the start",
        text: r#"Surfaces with method = "nonsmooth" do not give: they may be apart or touch, and a start inside each other has no meaning.
What overlaps by less than 1e-9 of the smallest shape is put right. Move the body by the depth that the message tells, along the
normal of the pair (`carom check` lists pairs that overlap)."#,
    },
    Code {
        code: "E0622",
        title: "rigid contacts without forces or impulses",
        text: r#"At this state no forces, or no impulses, meet the conditions of all closed rigid contacts: no surface enters another, none
pulls, friction is within mu times the normal force. With much friction there may be none (Painleve's paradox: a rod that is
pushed along a rough plane jams), and where there are several none is taken for granted. Or a force grows without bound, as a
slip draws its contact nearer almost as much as the force pushes apart. The message names the contacts, the time
and the state. Lower mu, or give the pair a compliant law, which tells what the rigid one leaves open."#,
    },
    Code {
        code: "E0630",
        title: "contact impulses that were not found",
        text: r#"moreau solves for the impulses of all contacts of a step at once: Signorini's condition along the normals, Coulomb's cone along
the tangents. Sweeps and Newton's method did not lead to a residual of 1e-5 of the step's velocities, nor did they where the step was
halved, up to six times. Bodies that given motions
press together have no impulses at all; large friction with long levers may have several or none (Painlevé). The
message names the pair with the largest residual. Shorten the step, or lower the friction."#,
    },
    Code {
        code: "E0631",
        title: "bodies too fast for any step",
        text: r#"Steps of moreau are shortened where surfaces would move by more than half of the smaller body against each other:
they could pass. Even the least step does not keep these apart. The message names the pair. Look for what makes them so fast, or
lower `h_min`."#,
    },
    Code {
        code: "E0632",
        title: "penetration that no motion takes away",
        text: r#"At the end of a step of moreau what penetrates is moved apart, by as little as possible. Here there is no room: bodies
overlapped from the start, or given motions press them together, and halving the step up to six times did not help. What stays
below 1e-6 of the smallest shape does not end the run and is told (W0518). The message names the deepest pair."#,
    },
    Code {
        code: "E0633",
        title: "a contact of two bodies that cannot give way",
        text: r#"Neither body of this contact can move along its normal: each is fixed, or a motor's given motion holds it. Rigid contact has
no impulse there, event-driven or by moreau. Remove the pair with method = "off", or let a body give way. Or a lever stands so nearly
in line with a motor's push (a strut, a toggle) that it could only be thrown out of the way 1e5 times faster than anything moves:
let the motor give way, by a force or a servo in place of a given motion, or move the lever."#,
    },
    Code {
        code: "E0634",
        title: "a rigid solid that lies over the border of a face",
        text: r#"By events, a cylinder, cone or frustum stands on a face of a box or hull, or on the flat end of another one, with four points of its end,
or lies on it with the lowest points of both ends, as on a half-space; so does a box, hull or capsule, by its corners, on a flat round end. An
end that is flat may reach over the border, and a sharp face over a round end: what both have in common carries them. A cylinder may lie across
straight borders, which its side touches then, and a sharp edge across a round one. Here two rims tip where they cross, or a flat end is rounded,
or hardly on the face; or the side of a cone is over the border, or a round side over a round one. What carries it there events do not
follow. Step over it by moreau, make the face larger, or take a half-space where nothing is to fall off. What tips and tumbles over a border, and
what rolls over one that it lies along, goes on with the nearest points of both solids; so does what joints hold to the world."#,
    },
    Code {
        code: "E0635",
        title: "velocities of a step of moreau were not found",
        text: r#"A step takes forces at the mean of the velocities before and after it, without contacts. Those of dampers, servos, actuators and friction along
joints that carry bodies are found by Newton's method, however strong they are; others by iteration, which ends where they change a
velocity within half a step by more than that: dampers between bodies, bushings, drag, and all dampers in coordinates = "body" and at joints that
close a loop. Halves of the step were tried. Shorten the step, or damp less."#,
    },
];
