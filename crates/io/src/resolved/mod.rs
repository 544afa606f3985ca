//! The model as plain numbers in SI, and its hash.

mod file;
mod function;
mod mechanism;
mod planar;
mod solid;
mod toml_text;

use carom_engine::Model;
use carom_engine::law::{
    ArealBlock, ArealForm, BristleKind, ContactRadius, FrictionKind, Law, Layers, PointLaw, VolumeBlock,
};
use carom_engine::model::{
    Body, BodyShape, Condition, Expectation, Formulation, IntegratorKind, Moment, SolverSettings,
};
use carom_geometry::Shape;
use carom_geometry::shape::CylinderSide;
use carom_math::{Quaternion, Vec3};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

pub(crate) use file::to_toml;

/// Keys of the resolved model that cannot change a result, each after those it lies under.
const NOT_HASHED: [&[&str]; 3] = [&["name"], &["output"], &["expect"]];
/// When a run ends.
const END: &[&str] = &["solver", "t_end_s"];

/// Hash of the canonical JSON: keys in alphabetical order, without names for people and recording.
pub(crate) fn hash(resolved: &Value) -> String {
    let left_out = NOT_HASHED.into_iter().collect();
    blake3::hash(&canonical(resolved, left_out)).to_hex().to_string()
}

/// The same of what a run can be resumed with: its end does not count, and the order of bodies, joints and forces does, which is that of its states.
pub(crate) fn resume_hash(resolved: &Value, model: &Model) -> String {
    let mut text = canonical(resolved, NOT_HASHED.into_iter().chain([END]).collect());
    let bodies = model.bodies.iter().map(|body| &body.name);
    let names = bodies.chain(model.joints.iter().map(|joint| &joint.name));
    let names = names.chain(model.forces.iter().map(|force| &force.name));
    names.for_each(|name| text.extend(name.bytes().chain([b'\n'])));
    blake3::hash(&text).to_hex().to_string()
}

fn canonical(value: &Value, left_out: Vec<&[&str]>) -> Vec<u8> {
    serde_json::to_vec(&Canonical { value, left_out }).expect("keys are strings")
}

/// A value without some of its keys, in alphabetical order.
struct Canonical<'a> {
    value: &'a Value,
    left_out: Vec<&'a [&'a str]>,
}

impl Serialize for Canonical<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            Value::Object(map) => {
                let is_kept = |key: &str| !self.left_out.contains(&[key].as_slice());
                let mut entries: Vec<_> = map.iter().filter(|(key, _)| is_kept(key)).collect();
                entries.sort_unstable_by_key(|(key, _)| *key);
                serializer.collect_map(entries.into_iter().map(|(key, value)| {
                    let under = self.left_out.iter().filter_map(|path| path.split_first());
                    let left_out = under.filter(|(first, _)| *first == key).map(|(_, rest)| rest).collect();
                    (key, Canonical { value, left_out })
                }))
            }
            Value::Array(items) => {
                serializer.collect_seq(items.iter().map(|value| Canonical { value, left_out: Vec::new() }))
            }
            leaf => leaf.serialize(serializer),
        }
    }
}

/// The whole model as JSON.
pub(crate) fn resolve(model: &Model, expectations: &[Expectation]) -> Value {
    let mut contacts = Map::new();
    for pair in &model.pairs {
        let line = &model.contact_lines[pair.line];
        let [a, b] = [pair.a, pair.b].map(|s| model.bodies[s.body].shapes[s.shape].name.clone());
        let law = &model.laws[line.law].name;
        let mut value =
            json!({ "line": line.name, "a": a, "b": b, "method": line.method.name(), "law": law });
        file::line_options(line).into_iter().for_each(|(key, option)| value[key] = option);
        contacts.insert(pair.name.clone(), value);
    }
    for wide in &model.wide_lines {
        let Some(line) = wide.line.map(|l| &model.contact_lines[l]) else { continue };
        let ([a, b], law) = (&wide.patterns, &model.laws[line.law].name);
        let mut value =
            json!({ "line": line.name, "a": a, "b": b, "method": line.method.name(), "law": law });
        file::line_options(line).into_iter().for_each(|(key, option)| value[key] = option);
        contacts.insert(line.name.clone(), value);
    }
    // Where pairs are not listed, what keeps some of them apart is, and which line goes before which.
    let apart = (!model.wide_lines.is_empty()).then(|| {
        let line_of = |line: usize| &model.contact_lines[line].name;
        let order = model.wide_lines.iter().map(|wide| json!([wide.line.map(line_of), wide.patterns]));
        json!({ "pairs": file::pairs_off(model), "order": order.collect::<Vec<_>>() })
    });
    let named = |items: Vec<(String, Value)>| Value::Object(items.into_iter().collect());
    let materials = model.materials.iter().map(|m| {
        let value = json!({
            "density_kg_m3": number(m.density), "young_modulus_pa": number(m.young_modulus),
            "poisson_ratio": number(m.poisson_ratio),
        });
        (m.name.clone(), value)
    });
    let material_pairs = model.material_pairs.iter().map(|p| {
        let mut names = p.materials.clone();
        names.sort();
        let value =
            json!({ "restitution": number(p.restitution), "mu": number(p.mu), "mu_roll": number(p.mu_roll) });
        (names.join("|"), value)
    });
    let mut resolved = json!({
        "format": 1,
        "name": model.name,
        "plane": model.plane.map(|plane| plane.name()),
        "gravity_m_s2": vector(&model.gravity),
        "bodies": named(model.bodies.iter().map(|b| (b.name.clone(), body(b, model))).collect()),
        "joints": mechanism::tables(&model.joints, |j| &j.name, |j| mechanism::joint(j, model)),
        "forces": mechanism::tables(&model.forces, |f| &f.name, |f| mechanism::force(f, model)),
        "constraints": mechanism::tables(&model.constraints, |c| &c.name, |c| mechanism::constraint(c, model)),
        "materials": named(materials.collect()),
        "material_pairs": named(material_pairs.collect()),
        "laws": named(model.laws.iter().map(|l| (l.name.clone(), law(l))).collect()),
        "contacts": contacts,
        "solver": solver(model),
        "output": {
            "every_s": number(model.output.every), "steps": model.output.steps,
            "patches_s": number(model.output.patches), "searches": model.output.searches,
        },
        "expect": expectations.iter().map(expectation).collect::<Vec<_>>(),
    });
    if let Some(apart) = apart {
        resolved["apart"] = apart;
    }
    resolved
}

/// Zero has one sign in a hash.
fn x(value: f64) -> Value {
    json!(value + 0.0)
}

/// A stated contact radius: metres, or the word for a plane.
fn contact_radius(radius: ContactRadius) -> Value {
    match radius {
        ContactRadius::Flat => json!("flat"),
        ContactRadius::Radius(radius) | ContactRadius::Block(radius) => x(radius),
    }
}

fn number(value: Option<f64>) -> Value {
    value.map_or(Value::Null, x)
}

fn vector(v: &Vec3) -> Value {
    json!([x(v.x), x(v.y), x(v.z)])
}

fn quaternion(q: &Quaternion) -> Value {
    json!([x(q.w), x(q.x), x(q.y), x(q.z)])
}

fn body(body: &Body, model: &Model) -> Value {
    let shapes: Map<String, Value> = body.shapes.iter().map(|s| (s.name.clone(), shape(s, model))).collect();
    let mut value = json!({ "fixed": body.fixed });
    if !body.fixed {
        let i = &body.inertia;
        value["mass_kg"] = x(body.mass);
        value["com_m"] = vector(&body.com);
        value["inertia_kg_m2"] =
            json!([x(i[(0, 0)]), x(i[(1, 1)]), x(i[(2, 2)]), x(i[(0, 1)]), x(i[(0, 2)]), x(i[(1, 2)])]);
    }
    value["position_m"] = vector(&body.position);
    value["quaternion_wxyz"] = quaternion(&body.orientation);
    value["pose_stated"] = json!(body.pose_stated);
    if !body.fixed {
        value["velocity_stated"] = json!(body.velocity_stated);
        value["velocity_m_s"] = vector(&body.velocity);
        value["angular_velocity_rad_s"] = vector(&body.angular_velocity);
    }
    value["shapes"] = Value::Object(shapes);
    value
}

fn shape(shape: &BodyShape, model: &Model) -> Value {
    let mut value = match &shape.shape {
        Shape::Sphere { radius, hollow } => {
            json!({ "type": "sphere", "radius_m": x(*radius), "hollow": hollow })
        }
        Shape::HalfSpace => json!({ "type": "half-space" }),
        Shape::Box { half } => json!({ "type": "box", "size_m": vector(&(half * 2.0)) }),
        Shape::Cylinder(c) => {
            let (hollow, closed) = match c.side {
                CylinderSide::Solid => (false, None),
                CylinderSide::Hollow { closed } => (true, Some(closed)),
            };
            json!({ "type": "cylinder", "radius_m": x(c.radius), "length_m": x(2.0 * c.half_length), "hollow": hollow, "closed": closed })
        }
        Shape::Capsule { radius, half_length } => {
            json!({ "type": "capsule", "radius_m": x(*radius), "length_m": x(2.0 * half_length) })
        }
        Shape::Convex(solid) => solid::to_json(solid),
        Shape::Planar(planar) => planar::to_json(planar),
        Shape::Mesh(mesh) => {
            let mut hasher = blake3::Hasher::new();
            mesh.vertices.iter().flat_map(|v| v.iter()).for_each(|c| {
                hasher.update(&(c + 0.0).to_le_bytes());
            });
            mesh.triangles.iter().flatten().for_each(|i| {
                hasher.update(&i.to_le_bytes());
            });
            json!({ "type": "mesh", "vertices": mesh.vertices.len(), "triangles": mesh.triangles.len(), "hash": hasher.finalize().to_hex().to_string() })
        }
    };
    let r = &shape.pose.rotation;
    value["position_m"] = vector(&shape.pose.translation);
    value["rotation"] = json!((0..3).map(|i| vector(&r.row(i).transpose())).collect::<Vec<_>>());
    value["material"] = json!(shape.material.map(|m| &model.materials[m].name));
    value["contact_radius_m"] = json!(shape.contact_radius.map(contact_radius));
    value["facets"] = json!(shape.facets);
    if shape.balanced {
        value["balanced"] = json!(true);
    }
    value
}

fn law(law: &Law) -> Value {
    let mut value = json!({
        "young_modulus_pa": number(law.young_modulus), "poisson_ratio": number(law.poisson_ratio),
        "mu": number(law.mu), "mu_static": number(law.mu_static), "mu_visc_n_s_m": x(law.mu_visc),
        "v_reg_m_s": number(law.v_reg),
        "mu_roll": number(law.rolling.mu_roll), "mu_spin": number(law.rolling.mu_spin),
        "roll_arm_m": number(law.rolling.roll_arm), "spin_arm_m": number(law.rolling.spin_arm),
        "w_reg_rad_s": number(law.rolling.w_reg),
        "point": law.point.as_ref().map(point), "areal": law.areal.as_ref().map(areal),
    });
    if let Some(block) = &law.rigid {
        value["nonsmooth"] = file::rigid(block);
    }
    if let Some(VolumeBlock { stiffness, restitution, v_small }) = law.volume {
        value["volume"] = json!({
            "stiffness_n_m5": number(stiffness), "restitution": number(restitution), "v_small_m_s": x(v_small),
        });
    }
    value
}

fn areal(block: &ArealBlock) -> Value {
    let (layers, is_one) = match block.layers {
        Layers::One(b) => ([b, 0.0], true),
        Layers::Each(both) => (both, false),
    };
    let ramp = match block.form {
        ArealForm::Ramped(depth) => depth,
        _ => None,
    };
    json!({
        "layers_m": layers.map(x), "is_one": is_one, "young_modulus_pa": number(block.young_modulus),
        "poisson_ratio": number(block.poisson_ratio), "u_max_m": number(block.u_max),
        "may_exceed": block.may_exceed, "damping_n_s_m3": block.damping.map(x), "damping_form": block.form.name(),
        "ramp_m": number(ramp), "restitution": number(block.restitution), "v_small_m_s": x(block.v_small),
    })
}

fn point(point: &PointLaw) -> Value {
    let kind = point.friction.name();
    let friction = match point.friction {
        FrictionKind::None | FrictionKind::Threlfall => json!({ "kind": kind }),
        FrictionKind::Coulomb { smooth_step, v_stribeck } => {
            json!({ "kind": kind, "smooth_step": smooth_step, "v_stribeck_m_s": number(v_stribeck) })
        }
        FrictionKind::Ambrosio { v0, v1 } => {
            json!({ "kind": kind, "v0_m_s": number(v0), "v1_m_s": number(v1) })
        }
        FrictionKind::BengisuAkay { decay } => json!({ "kind": kind, "decay_s_m": x(decay) }),
        FrictionKind::StickSlip(bristle) | FrictionKind::Lugre(bristle) => {
            friction_of_bristle(kind, bristle, None)
        }
        FrictionKind::Bristle { bristle, dwell_time } => friction_of_bristle(kind, bristle, Some(dwell_time)),
    };
    json!({
        "normal": point.normal.name(), "stiffness": number(point.stiffness), "exponent": x(point.exponent),
        "restitution": number(point.restitution), "friction": friction,
        "stiffness_scale": x(point.stiffness_scale), "damping_max_s_m": x(point.damping_max),
        "v_small_m_s": x(point.v_small), "w_small_rad_s": x(point.w_small),
    })
}

fn friction_of_bristle(kind: &str, bristle: BristleKind, dwell_time: Option<f64>) -> Value {
    json!({
        "kind": kind, "v_stick_m_s": number(bristle.v_stick), "k_t_n_m": number(bristle.stiffness),
        "c_t_n_s_m": number(bristle.damping), "dwell_time_s": number(dwell_time),
    })
}

fn formulation(s: &SolverSettings) -> Value {
    let (word, step) = (s.formulation.name(), s.fixed_step());
    match s.formulation {
        Formulation::Kkt if step.is_none() => json!({ "type": word }),
        Formulation::Kkt => json!({ "type": word, "step_s": number(step) }),
        Formulation::Ali3p { penalty } => {
            json!({ "type": word, "penalty": x(penalty), "step_s": number(step) })
        }
    }
}

/// Only `moreau` has one.
fn contact_tolerance(s: &SolverSettings) -> Option<f64> {
    (s.method == IntegratorKind::Moreau).then_some(s.contact_tolerance)
}

fn solver(model: &Model) -> Value {
    let s = &model.solver;
    json!({
        "method": s.method.name(), "coordinates": s.coordinates.name(), "formulation": formulation(s), "t_end_s": x(s.t_end), "rtol": x(s.rtol),
        "atol_m": number(s.atol.length), "atol_rad": number(s.atol.angle),
        "atol_m_s": number(s.atol.velocity), "atol_rad_s": number(s.atol.angular_velocity),
        "atol_j": number(s.atol.energy),
        "h_max_s": number(s.h_max), "h_min_s": number(s.h_min), "h_first_s": number(s.h_first),
        "contact_tolerance": number(contact_tolerance(s)), "max_steps": s.max_steps, "max_events": s.max_events,
    })
}

fn expectation(e: &Expectation) -> Value {
    let condition = match e.condition {
        Condition::Near { value, tol } => json!({ "value": x(value), "tol": x(tol) }),
        Condition::Below(limit) => json!({ "below": x(limit) }),
        Condition::Above(limit) => json!({ "above": x(limit) }),
        Condition::Between(low, high) => json!({ "between": [x(low), x(high)] }),
    };
    let moment = match &e.moment {
        Moment::At(time) => json!({ "at_s": x(*time) }),
        Moment::End => json!("end"),
        Moment::Max => json!("max"),
        Moment::Min => json!("min"),
        Moment::Count => json!("count"),
        Moment::Event { index, column } => json!({ "event": index, "column": column }),
    };
    json!({ "text": e.text, "quantity": e.quantity, "moment": moment, "condition": condition })
}
