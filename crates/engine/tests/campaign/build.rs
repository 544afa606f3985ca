//! Models of scenes, by the engine's interface.

use carom_engine::Model;
use carom_engine::law::{
    ArealBlock, ArealForm, FrictionKind, Law, Layers, NormalKind, PointLaw, Rolling, VolumeBlock,
    layer_modulus,
};
use carom_engine::model::{
    ArealDetection, Attachment, AxisElements, BaseSide, Body, BodyShape, ContactLine, ContactPair, Detection,
    Joint, JointKind, LayerSide, Method, OutputSettings, ShapeRef, SolverSettings,
};
use carom_geometry::Shape;
use carom_math::{Mat3, Pose, Quaternion, Vec3};

/// Elastic data of layers; only their quotient with the thickness matters.
const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;

/// A body at rest at the origin.
pub(crate) fn body(name: &str, mass: f64, inertia: Mat3, shape: Option<Shape>) -> Body {
    let of_shape = |shape: Shape| BodyShape {
        name: name.to_owned(),
        pose: Pose::identity(),
        shape,
        material: None,
        contact_radius: None,
        facets: BodyShape::FACETS,
        balanced: false,
        round: None,
    };
    Body {
        name: name.to_owned(),
        fixed: false,
        mass,
        com: Vec3::zeros(),
        inertia,
        position: Vec3::zeros(),
        orientation: Quaternion::new(1.0, 0.0, 0.0, 0.0),
        pose_stated: true,
        velocity: Vec3::zeros(),
        angular_velocity: Vec3::zeros(),
        velocity_stated: true,
        shapes: shape.into_iter().map(of_shape).collect(),
    }
}

/// A solid ball's inertia, whatever the shape.
pub(crate) fn round(name: &str, mass: f64, radius: f64, shape: Option<Shape>) -> Body {
    body(name, mass, Mat3::identity() * (0.4 * mass * radius * radius), shape)
}

/// A body that does not move.
pub(crate) fn fixed(name: &str, shape: Option<Shape>) -> Body {
    Body { fixed: true, ..round(name, 1.0, 1.0, shape) }
}

pub(crate) fn at(body: usize, pose: Pose) -> Attachment {
    Attachment { body, pose }
}

pub(crate) fn joint(name: &str, kind: JointKind, a: Attachment, b: Attachment) -> Joint {
    let elements = vec![AxisElements::default(); kind.freedoms()];
    Joint { name: name.to_owned(), kind, a, b, cut: false, position: None, velocity: None, elements }
}

/// A law without a block.
fn bare_law() -> Law {
    Law {
        name: "law".to_owned(),
        young_modulus: None,
        poisson_ratio: None,
        mu: None,
        mu_static: None,
        mu_visc: 0.0,
        v_reg: None,
        rolling: Rolling::default(),
        point: None,
        areal: None,
        volume: None,
        rigid: None,
    }
}

/// K δ^1.5, with damping for a restitution below 1.
pub(crate) fn point_law(stiffness: f64, restitution: f64) -> Law {
    let normal = if restitution < 1.0 { NormalKind::Exact } else { NormalKind::None };
    Law {
        point: Some(PointLaw {
            normal,
            stiffness: Some(stiffness),
            exponent: 1.5,
            restitution: Some(restitution),
            friction: FrictionKind::Coulomb { smooth_step: false, v_stribeck: None },
            stiffness_scale: 1.0,
            damping_max: 2000.0,
            v_small: 0.01,
            w_small: 0.01,
        }),
        ..bare_law()
    }
}

/// A foundation of stiffness `c` (N/m³) and damping (N s/m³) on the base; without a largest penetration it is left to
/// the engine.
pub(crate) fn areal_law(c: f64, damping: f64, u_max: Option<f64>) -> Law {
    Law {
        young_modulus: Some(YOUNG),
        poisson_ratio: Some(POISSON),
        areal: Some(ArealBlock {
            layers: Layers::One(layer_modulus(YOUNG, POISSON) / c),
            young_modulus: None,
            poisson_ratio: None,
            u_max,
            may_exceed: false,
            damping: [damping; 2],
            restitution: None,
            v_small: 0.01,
            form: ArealForm::Ramped(None),
        }),
        ..bare_law()
    }
}

/// ½ k V², with damping for a restitution below 1.
pub(crate) fn volume_law(stiffness: f64, restitution: f64) -> Law {
    let volume = VolumeBlock { stiffness: Some(stiffness), restitution: Some(restitution), v_small: 0.01 };
    Law { volume: Some(volume), ..bare_law() }
}

/// A contact line for all pairs.
pub(crate) fn line(method: Method) -> ContactLine {
    ContactLine {
        name: "line".to_owned(),
        method,
        law: 0,
        detection: Detection::MinimumTranslation,
        base: BaseSide::Finer,
        layer_on: LayerSide::Base,
        areal_detection: ArealDetection::Penetration,
        found_by: Method::Auto,
        accuracy: Some(0.05),
    }
}

/// Surfaces of the bodies against each other where one of them moves; everything else as by default.
pub(crate) fn model(bodies: Vec<Body>, law: Law, method: Method) -> Model {
    let mut pairs = Vec::new();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            let touch = !bodies[a].shapes.is_empty() && !bodies[b].shapes.is_empty();
            if touch && !(bodies[a].fixed && bodies[b].fixed) {
                pairs.push(ContactPair {
                    name: format!("line[{}|{}]", bodies[a].name, bodies[b].name),
                    line: 0,
                    a: ShapeRef { body: a, shape: 0 },
                    b: ShapeRef { body: b, shape: 0 },
                });
            }
        }
    }
    Model {
        name: "scene".to_owned(),
        gravity: Vec3::zeros(),
        bodies,
        joints: Vec::new(),
        forces: Vec::new(),
        constraints: Vec::new(),
        materials: Vec::new(),
        material_pairs: Vec::new(),
        laws: vec![law],
        contact_lines: vec![line(method)],
        pairs,
        wide_lines: Vec::new(),
        pairs_off: Vec::new(),
        plane: None,
        solver: SolverSettings::default(),
        output: OutputSettings {
            every: None,
            steps: true,
            patches: None,
            searches: false,
            probes: Vec::new(),
        },
    }
}
