//! A robot as links and joints, between the XML formats and the model file.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use carom_engine::model::Activation;
use carom_geometry::MassProperties;
use carom_geometry::convex::ConvexHull;
use carom_math::{Mat3, Pose, Quaternion, Vec3};

pub(super) use super::axis::{Axis, Motion, Servo};
use super::family::Families;
use super::load::Load;
use super::touch::{Grip, Softness, Touch};
use crate::source::Span;

/// Index of the world among the links.
pub(super) const WORLD: usize = 0;

/// A robot, or a scene of several. Link 0 is the world.
#[derive(Clone, Debug)]
pub(super) struct Robot {
    pub(super) name: String,
    /// `URDF`, `SDF` or `MJCF`.
    pub(super) format: &'static str,
    pub(super) gravity: Vec3,
    pub(super) links: Vec<Link>,
    pub(super) joints: Vec<Joint>,
    pub(super) actuators: Vec<Actuator>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) ropes: Vec<Rope>,
    pub(super) welds: Vec<Weld>,
    pub(super) holds: Vec<Hold>,
    pub(super) loads: Vec<Load>,
    /// Geoms that touch because the file says so.
    pub(super) pairings: Vec<Pairing>,
    /// Links of the file that do not touch each other, the lower first.
    pub(super) excluded: BTreeSet<(usize, usize)>,
    /// Models of SDF.
    pub(super) families: Families,
    /// The start is one that the file states, wherever the limits are.
    pub(super) has_stated_start: bool,
}

/// How a link is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// Not at all.
    Free,
    /// It does not move.
    Fixed,
    /// By its joint.
    Joint,
    /// It has become part of another link.
    Merged,
}

#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) held: Held,
    /// World pose of the link's frame; of the start, for those held by joints.
    pub(super) pose: Pose,
    /// Velocity of its origin at the start, of a free one, in world axes (m/s).
    pub(super) velocity: Vec3,
    /// Angular velocity at the start, of a free one, in world axes (rad/s).
    pub(super) angular_velocity: Vec3,
    /// Free joint that a free one hangs on in the model file, because something acts along its freedoms.
    pub(super) carrier: Option<Joint>,
    /// What has mass in it.
    pub(super) parts: Vec<Part>,
    pub(super) shapes: Vec<LinkShape>,
    /// Frames of links that were merged into this one.
    pub(super) frames: Vec<(String, Pose)>,
    /// Stands between two joints of that link and has a small fraction of its mass.
    pub(super) fraction_of: Option<usize>,
}

/// A solid of a link, in the link's frame.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) solid: MassProperties,
    pub(super) span: Span,
    /// Name of the link whose file entry it is.
    pub(super) of: String,
}

impl Link {
    pub(super) fn new(name: impl Into<String>, span: Span) -> Self {
        Self {
            name: name.into(),
            span,
            held: Held::Joint,
            pose: Pose::identity(),
            velocity: Vec3::zeros(),
            angular_velocity: Vec3::zeros(),
            carrier: None,
            parts: Vec::new(),
            shapes: Vec::new(),
            frames: Vec::new(),
            fraction_of: None,
        }
    }

    pub(super) fn has_mass(&self) -> bool {
        self.parts.iter().any(|p| p.solid.mass > 0.0)
    }
}

#[derive(Clone, Debug)]
pub(super) struct LinkShape {
    pub(super) name: String,
    pub(super) geometry: Geometry,
    pub(super) pose: Pose,
    /// What it may touch.
    pub(super) mask: Mask,
    /// How it does.
    pub(super) touch: Touch,
    /// How far from it others are pushed already (m), as by MJCF's margin.
    pub(super) margin: f64,
    /// Name of the geom in an MJCF file.
    pub(super) geom: Option<String>,
    /// Link of the file that it is on, which may have become part of another.
    pub(super) of: usize,
}

impl LinkShape {
    /// Does a margin make it a shape with round edges? Others are the same shape, only greater or higher.
    pub(super) fn is_rounded_by_margin(&self) -> bool {
        match &self.geometry {
            Geometry::Sphere { .. } | Geometry::Capsule { .. } | Geometry::HalfSpace => false,
            Geometry::Mesh { hull, .. } => hull.is_some(),
            Geometry::Box { .. }
            | Geometry::Cylinder { .. }
            | Geometry::Ellipsoid { .. }
            | Geometry::Hull { .. } => true,
        }
    }
}

/// Two geoms that touch whatever their masks say, and how: the geoms have no say in that.
#[derive(Clone, Debug)]
pub(super) struct Pairing {
    pub(super) geoms: [String; 2],
    pub(super) touch: Touch,
}

impl Pairing {
    /// How two shapes touch: as a pairing says, else as their surfaces do.
    pub(super) fn grip(pairing: Option<&Self>, a: &LinkShape, b: &LinkShape, gravity: f64) -> Grip {
        pairing.map_or_else(|| a.touch.with(&b.touch, gravity), |pairing| pairing.touch.alone(gravity))
    }
}

/// Two shapes may touch if a type bit of one is among the affinity bits of the other (MuJoCo's rule).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mask {
    pub(super) kind: u32,
    pub(super) affinity: u32,
}

impl Mask {
    /// Touches nothing.
    pub(super) const NONE: Self = Self { kind: 0, affinity: 0 };
    /// Touches all that touches anything.
    pub(super) const ALL: Self = Self { kind: u32::MAX, affinity: u32::MAX };

    pub(super) fn meets(self, other: Self) -> bool {
        self.kind & other.affinity != 0 || other.kind & self.affinity != 0
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Geometry {
    Sphere {
        radius: f64,
    },
    /// Full edge lengths.
    Box {
        size: Vec3,
    },
    /// Along z; `length` is the whole length.
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// Along z; `length` is the distance of the two ball centres.
    Capsule {
        radius: f64,
        length: f64,
    },
    /// Axes along x, y, z.
    Ellipsoid {
        semi_axes: Vec3,
    },
    /// Solid below z = 0.
    HalfSpace,
    /// A mesh file, or its convex hull; `corners` of its bounding box.
    Mesh {
        file: PathBuf,
        scale: f64,
        corners: (Vec3, Vec3),
        hull: Option<Arc<ConvexHull>>,
    },
    /// Convex hull of points, for a mesh that no file has as it is: scaled unequally, mirrored, of a format that model files do
    /// not read, or with vertices left out.
    Hull {
        points: Vec<Vec3>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointKind {
    Fixed,
    Revolute,
    Prismatic,
    Threaded,
    Cylindrical,
    Universal,
    Planar,
    Spherical,
    Free,
}

impl JointKind {
    /// Word in the model file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
            Self::Threaded => "screw",
            Self::Cylindrical => "cylindrical",
            Self::Universal => "universal",
            Self::Planar => "planar",
            Self::Spherical => "spherical",
            Self::Free => "free",
        }
    }
}

/// A joint from link `a` to link `b`. Both frames coincide where all coordinates are 0.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) kind: JointKind,
    pub(super) a: usize,
    pub(super) b: usize,
    /// Joint frame in link `a`.
    pub(super) frame_a: Pose,
    /// Joint frame in link `b`.
    pub(super) frame_b: Pose,
    pub(super) axes: Vec<Axis>,
    /// Of a spherical or free joint.
    pub(super) uniform: Uniform,
    /// Rotation at the start of a spherical joint.
    pub(super) start_turn: Option<Quaternion>,
    /// Angular velocity at the start of a spherical joint, in its second frame (rad/s).
    pub(super) start_spin: Option<Vec3>,
    /// Closes a loop: `b` is held by another joint.
    pub(super) cut: bool,
}

/// What acts alike along every freedom of a spherical or free joint: turning the body (kg m², N m), and shifting it (kg, N).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Uniform {
    pub(super) armature: f64,
    pub(super) friction: f64,
}

impl Uniform {
    pub(super) fn is_none(self) -> bool {
        self == Self::default()
    }
}

impl Joint {
    /// Between links `a` and `b`, whose frames it has, with nothing along it.
    pub(super) fn bare(name: String, span: Span, kind: JointKind, [a, b]: [usize; 2]) -> Self {
        Self {
            name,
            span,
            kind,
            a,
            b,
            frame_a: Pose::identity(),
            frame_b: Pose::identity(),
            axes: Vec::new(),
            uniform: Uniform::default(),
            start_turn: None,
            start_spin: None,
            cut: false,
        }
    }

    /// Pose of link `b` in link `a` at the start.
    pub(super) fn pose(&self) -> Pose {
        let turn = self.start_turn.map_or_else(Mat3::identity, |q| q.to_matrix());
        let ball = Pose { rotation: turn, translation: Vec3::zeros() };
        let motion = self.axes.iter().fold(ball, |x, axis| x.compose(&axis.pose_at(axis.start)));
        self.frame_a.compose(&motion).compose(&self.frame_b.inverse())
    }
}

/// Drive along l = Σ factor q with the effort gain · control + bias − stiffness l − damping l̇, in SI units.
#[derive(Clone, Debug)]
pub(super) struct Actuator {
    pub(super) name: String,
    pub(super) span: Span,
    /// Place among the actuators of the file; `None` for what has no control.
    pub(super) number: Option<usize>,
    pub(super) terms: Vec<Term>,
    pub(super) control: f64,
    pub(super) control_range: Option<[f64; 2]>,
    pub(super) gain: f64,
    pub(super) bias: f64,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    /// Damping as a share of the critical one, where the file states that.
    pub(super) damping_ratio: Option<f64>,
    pub(super) effort_range: Option<[f64; 2]>,
    /// State that follows the control and acts in its place.
    pub(super) activation: Option<Activation>,
}

impl Actuator {
    /// Spring and damper of a tendon, which nothing controls.
    pub(super) fn is_passive(&self) -> bool {
        self.number.is_none()
    }
}

/// A bushing that holds link `b` to link `a`.
#[derive(Clone, Debug)]
pub(super) struct Hold {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) a: (usize, Pose),
    pub(super) b: (usize, Pose),
    /// Along and about the axes (N/m, N m/rad).
    pub(super) stiffness: [f64; 2],
    /// Likewise (N s/m, N m s/rad).
    pub(super) damping: [f64; 2],
}

/// What the file says of a weld beside its joint, which has the same place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weld {
    pub(super) span: Span,
    pub(super) softness: Softness,
    /// The file shows its frames apart: it pulls.
    pub(super) is_open: bool,
}

/// What runs over points of links.
#[derive(Clone, Debug)]
pub(super) struct Rope {
    pub(super) name: String,
    pub(super) span: Span,
    /// Links, and points in their frames.
    pub(super) path: Vec<(usize, Vec3)>,
    /// At rest, or the greatest (m).
    pub(super) length: f64,
    pub(super) pull: Pull,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Pull {
    /// It is never longer.
    Limit,
    /// Beyond its length.
    Elastic { stiffness: f64, damping: f64 },
    /// It pushes, too, between two points.
    Spring { stiffness: f64, damping: f64 },
}

#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) name: String,
    pub(super) kind: ConstraintKind,
}

#[derive(Clone, Debug)]
pub(super) enum ConstraintKind {
    /// Σ factorₖ qₖ = offset, in SI units.
    Coupling { terms: Vec<Term>, offset: f64 },
    /// Two points coincide.
    Point { a: (usize, Vec3), b: (usize, Vec3) },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) joint: usize,
    /// Of what an actuator acts along, the place among the velocities.
    pub(super) axis: usize,
    pub(super) factor: f64,
}

impl Robot {
    pub(super) fn new(name: impl Into<String>, format: &'static str, span: Span) -> Self {
        let mut world = Link::new("world", span);
        world.held = Held::Fixed;
        Self {
            name: name.into(),
            format,
            gravity: Vec3::new(0.0, 0.0, -9.81),
            links: vec![world],
            joints: Vec::new(),
            actuators: Vec::new(),
            constraints: Vec::new(),
            ropes: Vec::new(),
            welds: Vec::new(),
            holds: Vec::new(),
            loads: Vec::new(),
            pairings: Vec::new(),
            excluded: BTreeSet::new(),
            families: Families::default(),
            has_stated_start: false,
        }
    }

    /// Its gravity, or that of the earth where there is none (m/s²).
    pub(super) fn gravity_or_earths(&self) -> f64 {
        Some(self.gravity.norm()).filter(|g| *g > 0.0).unwrap_or(9.81)
    }

    /// The pairing of two shapes, if the file has one.
    pub(super) fn pairing(&self, a: &LinkShape, b: &LinkShape) -> Option<&Pairing> {
        let (a, b) = (a.geom.as_deref()?, b.geom.as_deref()?);
        self.pairings.iter().find(|p| p.geoms == [a, b] || p.geoms == [b, a])
    }

    /// Does the file keep the links of two shapes from touching?
    pub(super) fn is_excluded(&self, a: &LinkShape, b: &LinkShape) -> bool {
        self.excluded.contains(&(a.of.min(b.of), a.of.max(b.of)))
    }

    /// The joint that holds a link.
    pub(super) fn holder(&self, link: usize) -> Option<&Joint> {
        self.joints.iter().find(|j| j.b == link && !j.cut)
    }

    /// Joints that hold links, those of the links nearer to the world first.
    pub(super) fn tree_order(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut open: Vec<usize> = (0..self.links.len())
            .rev()
            .filter(|&k| self.links[k].held != Held::Merged && self.holder(k).is_none())
            .collect();
        let mut children = vec![Vec::new(); self.links.len()];
        for (k, joint) in self.joints.iter().enumerate().filter(|(_, j)| !j.cut) {
            children[joint.a].push(k);
        }
        while let Some(link) = open.pop() {
            order.extend(&children[link]);
            open.extend(children[link].iter().rev().map(|&k| self.joints[k].b));
        }
        order
    }

    /// Carries the poses of the links along the joints.
    pub(super) fn update_poses(&mut self) {
        for k in self.tree_order() {
            let joint = &self.joints[k];
            self.links[joint.b].pose = self.links[joint.a].pose.compose(&joint.pose());
        }
    }
}
