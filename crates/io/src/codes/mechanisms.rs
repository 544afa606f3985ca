//! E032x, E033x: joints, forces, constraints.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0320",
        title: "a body is joined to itself",
        text: r#"A joint, force or constraint acts between two bodies, and both ends are on the same one. What is not on
a body of the model is on "world", which needs no declaration.

    a = { body = "world", at = [0, 0, "1 m"] }
    b = { body = "arm" }"#,
    },
    Code {
        code: "E0321",
        title: "the axes of a universal joint are parallel",
        text: r#"A universal joint turns about its first axis, fixed to A, and about its second axis, fixed to B. Parallel
axes would be one axis counted twice.

    axes = ["y", "y"]          # wrong
    axes = ["y", "x"]          # pitch, then roll"#,
    },
    Code {
        code: "E0322",
        title: "as many values as the joint has coordinates",
        text: r#"Keys of a joint with one coordinate take one value or one table; those of a joint with several take a list
with one entry per coordinate, in their order: cylindrical angle and length, universal the two angles,
planar x, y and the angle. {} in a list is an element that is not there. Friction and armature of a spherical joint are along
its three angular velocities, of a free joint along x, y, z and then these.

    position = "30 deg"                                # revolute
    position = ["30 deg", "5 cm"]                      # cylindrical
    spring = [{ stiffness = "10 N*m/rad" }, {}]        # universal, first axis only
    armature = [{ inertia = 0.1 }, { inertia = 0.1 }, { inertia = 0.1 }] # spherical

A spherical joint starts at a quaternion w, x, y, z; a free joint at x, y, z and a quaternion."#,
    },
    Code {
        code: "E0323",
        title: "a limit without bounds, with bounds in the wrong order, or with two kinds of stop",
        text: r#"A limit has a lower bound, an upper bound, or both, and the lower one is below.

    limit = { lower = "45 deg", upper = "-45 deg" }    # wrong
    limit = { lower = "-45 deg", upper = "45 deg" }

Its stop gives, with a stiffness and a restitution or those of a law, or it does not, with a `nonsmooth` block alone.

    limit = { upper = "45 deg", nonsmooth = { e_n = 0.3 } }"#,
    },
    Code {
        code: "E0324",
        title: "a number of a joint, force or constraint is out of range",
        text: r#"Stiffnesses, damping and drag are 0 or more; radii, lengths of cables and rods, and regularisation
velocities are above 0; the exponent of a stop is 1 or more, its restitution from 0 to 1; the lead of a
screw is not 0 (without lead it is a revolute joint). An activation starts within its range.

    spring = { stiffness = "-10 N/m" }                 # wrong"#,
    },
    Code {
        code: "E0325",
        title: "a motor or friction that does not fit the coordinate",
        text: r#"A motor has exactly one drive: `position`, `speed`, or the torque on an angle, the force along a length.
Friction has a `torque` on an angle and a `force` along a length.

    motor = { speed = "2 rad/s" }
    motor = { force = "3 N" }                          # wrong on a revolute joint: torque"#,
    },
    Code {
        code: "E0326",
        title: "a start value contradicts the motor",
        text: r#"A motor that prescribes a position or a speed also prescribes how the joint starts. A `position` or
`velocity` beside it can only say the same or contradict it.

    position = "10 deg"
    motor = { position = "30 deg*cos(2 rad/s*t)" }     # starts at 30 deg"#,
    },
    Code {
        code: "E0327",
        title: "a bushing matrix is not symmetric",
        text: r#"Stiffness and damping of a bushing are symmetric matrices: an elastic force that is not the gradient of an
energy would drive the model for ever. Six numbers are the diagonal.

    stiffness = ["1 kN/m", "1 kN/m", "5 kN/m", "2 N*m/rad", "2 N*m/rad", "2 N*m/rad"]"#,
    },
    Code {
        code: "E0328",
        title: "a cable's path is not one",
        text: r#"A cable runs from its first to its last point; those between are eyelets, through which it slides.

    path = [{ body = "hull" }, { body = "hull", at = ["0.6 m", 0, 0], eyelet = true }, { body = "anchor" }]"#,
    },
    Code {
        code: "E0329",
        title: "the world cannot move",
        text: r#"The body "world" is what does not move, whether the model declares it or not. A model that declares it, for
example to give it a shape, writes fixed = true; a body that moves has another name.

    [body.world]
    fixed = true
    shape = { type = "half-space", normal = "+z" }"#,
    },
    Code {
        code: "E0330",
        title: "a mechanism that cannot close",
        text: r#"Joints that close loops, and constraints, must be met at the start. Newton's method moves the joints from where
the model puts them, as little as it can, and comes no closer than the message says: lengths or attachment
points do not fit, axes do not meet, or the start is too far from the closed position. Give `position` for some
joints near where they shall be; a stated coordinate is kept if that is possible."#,
    },
    Code {
        code: "E0331",
        title: "a coupling that cannot work",
        text: r#"A gear or coupling demands that a sum of factors times coordinates is constant. It needs different
coordinates, factors other than 0, and at least one coordinate that no motor prescribes.

    terms = [{ joint = "left" }, { joint = "right", factor = -2 }]"#,
    },
    Code {
        code: "E0332",
        title: "a joint has no such coordinate",
        text: r#"Gears and couplings act on scalar coordinates, angles and lengths, which count from 0. Fixed, spherical and
free joints have none; of several one must be picked.

    joints = ["wheel", "slider.q1"]                    # a gear: second coordinate of a cylindrical joint
    terms = [{ joint = "slider", axis = 1 }]           # a coupling"#,
    },
    Code {
        code: "E0333",
        title: "constraints that contradict each other",
        text: r#"Two constraints demand different velocities of the same freedom, such as motors on both sides of a gear. No motion
meets them all. Remove one, or let one be a force or torque."#,
    },
    Code {
        code: "E0334",
        title: "something leaves the plane of a planar model",
        text: r#"With plane = "xy" in [world] (or "yz", "zx") all bodies move in this plane: places and velocities are two
numbers, rotations and angular velocities one, and joints are fixed, revolute or planar about the normal, or prismatic
along the plane. Bodies that no joint ties to a fixed one hang on a planar joint by the name BODY.plane. Polygons,
rectangles, circles and points need such a model.

    [world]
    plane = "xy"
    gravity = [0, "-9.81 m/s^2"]

    [body.block]
    mass = "1 kg"
    inertia = "0.01 kg*m^2"
    pos = [0, "1 m"]
    rot = "30 deg"
    shape = { type = "rectangle", size = ["0.2 m", "0.1 m"] }"#,
    },
    Code {
        code: "E0335",
        title: "points that are no outline",
        text: r#"A polygon is one closed outline: three corners or more, counter-clockwise, that neither crosses nor touches
itself; it goes back to its first point by itself. Holes are not possible: split the shape, or cut a narrow gap to them.

    shape = { type = "polygon", points = [[0, 0], ["2 m", 0], ["2 m", "1 m"], [0, "1 m"]] }"#,
    },
    Code {
        code: "E0336",
        title: "what needs a freedom of the state",
        text: r#"Armature is inertia along a joint's coordinate, such as that of a rotor behind its gear. It needs a coordinate among
the states: a joint that closes a loop has none, and with coordinates = "body" no joint has. Let another joint of the
loop close it, or write the rotor as a body that a gear couples to the joint. Friction and actuators of a spherical or free
joint act along velocities of the state likewise.

    [joint.crank]                                      # carries its body: has the motor's rotor
    armature = { inertia = "2e-5 kg*m^2", ratio = 100 }

    [joint.rod]
    cut = true                                         # closes the loop"#,
    },
];
