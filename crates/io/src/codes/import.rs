//! E08xx and W08xx: import of robot files.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0801",
        title: "a robot file is not valid XML",
        text: r#"The file cannot be read as XML: an element is not closed, a quote is missing, or it has a document type
declaration, which is refused. The place is where the reader gave up; the mistake is there or a little before."#,
    },
    Code {
        code: "E0802",
        title: "not a robot file that can be read",
        text: r#"URDF files start with <robot>, SDF files with <sdf>, MJCF files with <mujoco>. Other XML formats are not read:
convert the model to one of these first."#,
    },
    Code {
        code: "E0803",
        title: "a xacro template",
        text: r#"xacro files are programs that write URDF: macros, properties and expressions in ${…}. Where xacro is installed
(the package of ROS, or the one on PyPI) `carom` calls it; with arguments, expand them first:

    xacro robot.urdf.xacro name:=value > robot.urdf"#,
    },
    Code {
        code: "E0804",
        title: "a robot file lacks a part",
        text: r#"An element has no attribute or no child that it must have: a link without a name, a joint without <parent>,
a revolute joint without <limit>.

    <joint name="knee" type="revolute">
      <parent link="thigh"/> <child link="shank"/>
      <limit lower="-1.5" upper="0" effort="50" velocity="10"/>
    </joint>"#,
    },
    Code {
        code: "E0805",
        title: "a value in a robot file cannot be used",
        text: r#"An attribute is not the number, list of numbers or word that belongs there. Numbers are finite, with a point,
separated by blanks.

    <origin xyz="0 0,5 1"/>        <!-- wrong: 0.5 is meant -->
    <joint name="a" type="hinge"/> <!-- wrong in URDF: revolute -->"#,
    },
    Code {
        code: "E0806",
        title: "a name twice in a robot file",
        text: r#"Two links, bodies, joints, meshes, geoms, sites or collisions have the same name, so that a reference to it could mean either. Rename
one of them and the references to it."#,
    },
    Code {
        code: "E0807",
        title: "a name that a robot file does not define",
        text: r#"A joint names a link, a mimic or an actuator names a joint, or a geom names a mesh or a class that the file
does not have. The message suggests the nearest name or lists those there are."#,
    },
    Code {
        code: "E0808",
        title: "links that are no tree",
        text: r#"The links and joints of a URDF form a tree: one first link, and each other link is the child of exactly one
joint. A link with two parent joints, a link that is its own ancestor, or a second first link breaks it.

Loops can be closed in the model file: convert the tree, then add a joint with cut = true."#,
    },
    Code {
        code: "E0809",
        title: "a moving link without mass",
        text: r#"A link on a joint that moves needs mass and inertia: without them its acceleration has no value. Links on fixed joints may
be mere frames; they become part of the link that carries them. In a URDF a link without mass may carry others (it gets a
billionth of their mass), turn inertia of its own (a billionth of the mass of what carries it), or carry nothing (W0805).
MuJoCo's bodies without mass may carry others. A robot of which no link has mass is one for kinematics alone.

Give the link an <inertial>, or make its joint fixed."#,
    },
    Code {
        code: "E0810",
        title: "a range that limits nothing",
        text: r#"The lower limit of a joint, or the lower end of a range of controls, activations or forces, or of the `springlength` of a tendon,
is above the upper one; or a range is said to hold and leaves no room, or is not stated; or an actuator of MJCF inherits its range
(`inheritrange`) from a joint or tendon that has none, or has one of its own besides: a position a `ctrlrange`, an intvelocity an
`actrange`. MuJoCo refuses most of these.

    <limit lower="1" upper="-1" effort="5" velocity="1"/>    <!-- wrong -->"#,
    },
    Code {
        code: "E0811",
        title: "a free joint beside others",
        text: r#"In MJCF a body may have several joints, one after the other, but a free joint leaves nothing for others to do: it
stands alone, as in MuJoCo. Remove the others, or put them into a body of their own."#,
    },
    Code {
        code: "E0812",
        title: "a part of a robot file that cannot be left out",
        text: r#"The element makes bodies or joints, so that the robot would be another one without it: <composite>, <flexcomp>,
<attach> within one model or of a file that is no MJCF, or a mesh that bodies take their mass from. Write the bodies out; MuJoCo saves a
compiled model as plain MJCF with mj_saveLastXML."#,
    },
];

/// Warnings.
pub(super) const WARNINGS: &[Code] = &[
    Code {
        code: "W0801",
        title: "part of a robot file is not taken over",
        text: r#"An element or attribute that can change the motion has no counterpart here, or none yet: tendons over pulleys, dynamics of
actuators, fluid forces. It is named once with the number of its places. The model runs without it; whether
that matters depends on what you look at. So are links named that overlap at the start and do not touch, and inertias that
--inertia repair has changed."#,
    },
    Code {
        code: "W0802",
        title: "a mesh is left out",
        text: r#"The file is not there, is in a format that is not read (STL, OBJ and PLY are; COLLADA, glTF and MuJoCo's .msh as a hull or a box),
or, where it is drawn, is scaled differently along its axes. What it would have touched, it does not touch.

Paths of ROS packages are looked for above the robot's folder and in --package-path and ROS_PACKAGE_PATH."#,
    },
    Code {
        code: "W0803",
        title: "an inertia that no rigid body has, which can be taken as it is",
        text: r#"The link's own inertia breaks the rules of E0312, for example a point mass without inertia. Either the link is fixed to
others, and together they are a body that can exist. Or its mass is in a point or on a line, as an inertia of zeros says, off
the axes that it turns about without damping: then it has a thickness of 0.2 um, or 1e-6 of the radius of gyration if
that is more, which nothing else feels."#,
    },
    Code {
        code: "W0804",
        title: "an element or attribute that the format does not have",
        text: r#"The name resembles one of the format's and is probably a slip of the pen. What is written there has no effect.

    <link name="arm"> <inertal> … </inertal> </link>    <!-- wrong: inertial -->"#,
    },
    Code {
        code: "W0805",
        title: "a link without mass that carries none does not move",
        text: r#"The file has it on a joint that moves, but without mass and inertia there is nothing that says how. Nothing else in the
robot can tell: it is held at the coordinate nearest to 0 that the limits of its joint allow, and what follows it, with it.

    <link name="tip"/>    <!-- on <joint type="revolute"> -->

Give the link an <inertial>, or make its joint fixed."#,
    },
    Code {
        code: "W0806",
        title: "a thing starts beside where the robot file shows it, which is in something fixed",
        text: r#"The file, or the keyframe that --keyframe names, has a free robot or thing deeper in a floor, a table or anything else that does
not move than the law of its contact gives under its weight. A floor would throw it up from there, metres high, and contact with
anything else would be left out, so that it fell through. It starts where it is just outside: it was moved as it is, with all that
joints connect to it, along the normals of what it was in, by the way that is told.

Place it outside in the file, or start from another keyframe."#,
    },
    Code {
        code: "W0807",
        title: "a thing starts in something fixed",
        text: r#"As for W0806, but it could not simply be moved out: joints hold it, or something ties it to others (a weld, a tendon, a joint
that closes a loop); the way out is longer than the thing itself, leads down, or ends in something else; or there is none. It
starts where the file shows it: a floor throws it up, and contact with anything else is left out (W0801).

Place it outside in the file, or start from another keyframe."#,
    },
];
