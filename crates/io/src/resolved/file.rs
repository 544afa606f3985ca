//! The model as a model file: plain numbers in SI, everything expanded, names as whole paths.

use std::sync::Arc;

use carom_engine::Model;
use carom_engine::law::{ArealBlock, ArealForm, FrictionKind, Law, Layers, RigidBlock, VolumeBlock};
use carom_engine::model::{
    ArealDetection, Body, BodyShape, Condition, ContactLine, Detection, Expectation, Formulation, Method,
    Moment, ShapeRef, WideLine,
};
use carom_geometry::Shape;
use carom_geometry::shape::CylinderSide;
use carom_math::Quaternion;
use serde_json::{Map, Value, json};

use super::mechanism::{angle, constraint, force, joint, put_pose};
use super::toml_text::TomlText;
use super::{contact_radius, number, quaternion, vector, x};
use super::{planar, solid};
use crate::mesh_file::Sources;
use crate::quantity::Dimension;
use crate::read::{Glob, expected_dimension};
use crate::schema::OFF;

/// Text of the model file.
pub(crate) fn to_toml(
    model: &Model,
    expectations: &[Expectation],
    allowed: &[String],
    meshes: &Sources,
) -> String {
    let mut text = TomlText::default();
    let mut top = Map::new();
    top.insert("format".to_owned(), json!(1));
    top.insert("resolved".to_owned(), json!(true));
    top.insert("name".to_owned(), json!(model.name));
    if !allowed.is_empty() {
        top.insert("allow".to_owned(), json!(allowed));
    }
    text.top(&top);
    let plane = model.plane.map(|plane| plane.name());
    text.table(&["world"], &json!({ "plane": plane, "gravity": vector(&model.gravity) }));
    for m in &model.materials {
        let table = json!({ "density": number(m.density), "E": number(m.young_modulus), "nu": number(m.poisson_ratio) });
        text.table(&["material", &m.name], &table);
    }
    for p in &model.material_pairs {
        let [a, b] = &p.materials;
        let table = json!({ "a": a, "b": b, "restitution": number(p.restitution), "mu": number(p.mu), "mu_roll": number(p.mu_roll) });
        text.table(&["material_pair", &format!("{a}|{b}")], &table);
    }
    model.laws.iter().for_each(|l| text.table(&["law", &l.name], &law(l)));
    model.bodies.iter().for_each(|b| text.table(&["body", &b.name], &body(b, model, meshes)));
    model.joints.iter().for_each(|j| text.table(&["joint", &j.name], &joint(j, model)));
    model.forces.iter().for_each(|f| text.table(&["force", &f.name], &force(f, model)));
    model.constraints.iter().for_each(|c| text.table(&["constraint", &c.name], &constraint(c, model)));
    let keeping = lines_off(model);
    let mut name = free_names(model);
    for (index, line) in model.contact_lines.iter().enumerate() {
        for (_, table) in keeping.iter().filter(|(before, _)| *before == Some(index)) {
            text.table(&["contact", &name()], table);
        }
        text.table(&["contact", &line.name], &contact(model, index));
    }
    keeping
        .iter()
        .filter(|(before, _)| before.is_none())
        .for_each(|(_, table)| text.table(&["contact", &name()], table));
    text.table(&["solver"], &solver(model));
    text.table(&["output"], &json!({ "every": number(model.output.every), "steps": model.output.steps, "patches": number(model.output.patches), "searches": model.output.searches }));
    if !expectations.is_empty() {
        let table: Map<String, Value> = expectations.iter().map(|e| expectation(e, model)).collect();
        text.table(&["expect"], &Value::Object(table));
    }
    text.finish()
}

fn body(body: &Body, model: &Model, meshes: &Sources) -> Value {
    let mut table = json!({});
    if body.fixed {
        table["fixed"] = json!(true);
    } else {
        let i = &body.inertia;
        table["mass"] = x(body.mass);
        table["inertia"] =
            json!([x(i[(0, 0)]), x(i[(1, 1)]), x(i[(2, 2)]), x(i[(0, 1)]), x(i[(0, 2)]), x(i[(1, 2)])]);
        table["com"] = vector(&body.com);
    }
    if body.pose_stated {
        table["pos"] = vector(&body.position);
        if body.orientation != Quaternion::IDENTITY {
            table["rot"] = json!({ "quat": quaternion(&body.orientation) });
        }
    }
    if body.velocity_stated && !body.fixed {
        table["vel"] = vector(&body.velocity);
        table["omega"] = vector(&body.angular_velocity);
    }
    match &body.shapes[..] {
        [] => {}
        [one] if one.name == body.name => table["shape"] = shape(one, model, meshes),
        shapes => {
            let local = |s: &BodyShape| {
                let name = s.name.strip_prefix(&body.name).unwrap_or(&s.name);
                name.trim_start_matches('.').to_owned()
            };
            let named: Map<String, Value> =
                shapes.iter().map(|s| (local(s), shape(s, model, meshes))).collect();
            table["shape"] = Value::Object(named);
        }
    }
    table
}

fn shape(shape: &BodyShape, model: &Model, meshes: &Sources) -> Value {
    let mut table = match &shape.shape {
        Shape::Sphere { radius, hollow } => {
            json!({ "type": "sphere", "radius": x(*radius), "hollow": hollow })
        }
        Shape::HalfSpace => json!({ "type": "half-space" }),
        Shape::Box { half } => json!({ "type": "box", "size": vector(&(half * 2.0)) }),
        Shape::Cylinder(c) => {
            let mut table =
                json!({ "type": "cylinder", "radius": x(c.radius), "length": x(2.0 * c.half_length) });
            if let CylinderSide::Hollow { closed } = c.side {
                table["hollow"] = json!(true);
                table["closed"] = json!(closed);
            }
            table
        }
        Shape::Capsule { radius, half_length } => {
            json!({ "type": "capsule", "radius": x(*radius), "length": x(2.0 * half_length) })
        }
        Shape::Convex(solid) => solid::to_toml(solid, &meshes.hulls),
        Shape::Planar(planar) => planar::to_toml(planar),
        Shape::Mesh(mesh) => match meshes.generated.iter().find(|(known, _)| Arc::ptr_eq(known, mesh)) {
            Some((_, table)) => table.clone(),
            None => {
                let source = meshes.meshes.iter().find(|m| Arc::ptr_eq(&m.0, mesh));
                let (file, scale) = source.map_or((String::new(), 1.0), |m| (m.1.display().to_string(), m.2));
                json!({ "type": "mesh", "file": file, "unit": "m", "scale": x(scale) })
            }
        },
    };
    put_pose(&mut table, &shape.pose);
    table["material"] = json!(shape.material.map(|m| &model.materials[m].name));
    table["contact_radius"] = json!(shape.contact_radius.map(contact_radius));
    if !matches!(shape.shape, Shape::Mesh(_) | Shape::HalfSpace) {
        table["facets"] = json!(shape.facets);
        if shape.balanced {
            table["balanced"] = json!(true);
        }
    }
    table
}

fn law(law: &Law) -> Value {
    let mut table = json!({
        "E": number(law.young_modulus), "nu": number(law.poisson_ratio), "mu": number(law.mu),
        "mu_s": number(law.mu_static), "mu_visc": x(law.mu_visc), "v_reg": number(law.v_reg),
        "mu_roll": number(law.rolling.mu_roll), "mu_spin": number(law.rolling.mu_spin),
        "roll_arm": number(law.rolling.roll_arm), "spin_arm": number(law.rolling.spin_arm),
        "w_reg": number(law.rolling.w_reg),
    });
    if let Some(block) = &law.areal {
        table["pcm"] = areal(block);
    }
    if let Some(VolumeBlock { stiffness, restitution, v_small }) = law.volume {
        table["volume"] = json!({
            "stiffness": number(stiffness), "restitution": number(restitution), "v_small": x(v_small),
        });
    }
    if let Some(block) = &law.rigid {
        table["nonsmooth"] = rigid(block);
    }
    let Some(p) = &law.point else { return table };
    let mut point = json!({
        "normal": p.normal.name(), "stiffness": number(p.stiffness), "exponent": x(p.exponent),
        "restitution": number(p.restitution), "stiffness_scale": x(p.stiffness_scale),
        "damping_max": x(p.damping_max), "v_small": x(p.v_small), "w_small": x(p.w_small),
    });
    match p.friction {
        FrictionKind::None | FrictionKind::Threlfall => {}
        FrictionKind::Coulomb { smooth_step, v_stribeck } => {
            point["smooth_step"] = json!(smooth_step);
            table["v_stribeck"] = number(v_stribeck);
        }
        FrictionKind::Ambrosio { v0, v1 } => {
            point["v0"] = number(v0);
            point["v1"] = number(v1);
        }
        FrictionKind::BengisuAkay { decay } => point["decay"] = x(decay),
        FrictionKind::Bristle { dwell_time, .. } => point["dwell_time"] = x(dwell_time),
        FrictionKind::StickSlip(_) | FrictionKind::Lugre(_) => {}
    }
    if let Some(bristle) = p.friction.bristle() {
        point["v_stick"] = number(bristle.v_stick);
        point["k_t"] = number(bristle.stiffness);
        point["c_t"] = number(bristle.damping);
    }
    point["friction"] = json!(p.friction.name());
    table["point"] = point;
    table
}

pub(super) fn rigid(block: &RigidBlock) -> Value {
    let RigidBlock { normal, tangential, bound, mu, impact } = block;
    json!({
        "e_n": x(*normal), "e_t": x(*tangential), "nu": x(*bound), "mu": number(*mu), "impact": impact.name(),
    })
}

fn areal(block: &ArealBlock) -> Value {
    let mut table = json!({
        "E": number(block.young_modulus), "nu": number(block.poisson_ratio), "u_max": number(block.u_max),
        "beyond_u_max": if block.may_exceed { "warn" } else { "error" }, "damping": damping(block.damping),
    });
    match block.layers {
        Layers::One(b) => table["layer"] = x(b),
        Layers::Each([a, b]) => {
            table["layer_a"] = x(a);
            table["layer_b"] = x(b);
        }
    }
    table["damping_form"] = json!(block.form.name());
    if let ArealForm::Ramped(depth) = block.form {
        table["ramp"] = number(depth);
    }
    if let Some(restitution) = block.restitution {
        table["restitution"] = x(restitution);
        table["v_small"] = x(block.v_small);
    }
    table
}

fn damping([compression, expansion]: [f64; 2]) -> Value {
    if compression == expansion {
        return x(compression);
    }
    json!({ "compression": x(compression), "expansion": x(expansion) })
}

/// Options of an areal contact.
fn areal_options(line: &ContactLine) -> [(&'static str, Value); 4] {
    let accuracy = line.accuracy.map_or_else(|| json!(OFF), |share| json!(share));
    [
        ("base", json!(line.base.name())),
        ("layer_on", json!(line.layer_on.name())),
        ("detect", json!(line.areal_detection.name())),
        ("accuracy", accuracy),
    ]
}

/// How a line finds its contacts, as keys of the model file.
pub(super) fn line_options(line: &ContactLine) -> Vec<(&'static str, Value)> {
    let mut options = match line.method {
        Method::Pcm => areal_options(line).to_vec(),
        Method::Nonsmooth => vec![("detect", json!(line.found_by.name()))],
        _ if line.areal_detection != ArealDetection::default() => {
            vec![("detect", json!(line.areal_detection.name()))]
        }
        _ => Vec::new(),
    };
    if let Detection::Mpr(mpr) = line.detection {
        options.retain(|(key, _)| *key != "detect");
        options.extend([
            ("detect", json!("mpr")),
            ("mpr_tolerance", json!(mpr.relative_tolerance)),
            ("mpr_iterations", json!(mpr.iterations)),
        ]);
    }
    options
}

/// A line as the pairs it owns.
fn contact(model: &Model, index: usize) -> Value {
    let line = &model.contact_lines[index];
    let shape = |s: ShapeRef| &model.bodies[s.body].shapes[s.shape].name;
    let pairs: Vec<_> = model.pairs.iter().filter(|p| p.line == index).collect();
    let mut table = json!({ "method": line.method.name(), "law": model.laws[line.law].name });
    line_options(line).into_iter().for_each(|(key, value)| table[key] = value);
    if let Some(wide) = model.wide_lines.iter().find(|wide| wide.line == Some(index)) {
        let [a, b] = &wide.patterns;
        table["a"] = json!(a);
        table["b"] = json!(b);
        return table;
    }
    match pairs[..] {
        [pair] if pair.name == line.name => {
            table["a"] = json!(shape(pair.a));
            table["b"] = json!(shape(pair.b));
        }
        _ => table["pairs"] = pairs.iter().map(|p| json!([shape(p.a), shape(p.b)])).collect(),
    }
    table
}

/// Names of surfaces that lines whose pairs are not listed keep apart.
pub(super) fn pairs_off(model: &Model) -> Vec<[&str; 2]> {
    let name = |s: ShapeRef| model.bodies[s.body].shapes[s.shape].name.as_str();
    model.pairs_off.iter().map(|&(a, b)| [name(a), name(b)]).collect()
}

/// Lines that keep surfaces apart, where there are lines whose pairs are not listed, each with the line before which it stands; the others come last. Of two
/// that are as exact the later one counts.
fn lines_off(model: &Model) -> Vec<(Option<usize>, Value)> {
    if model.wide_lines.is_empty() {
        return Vec::new();
    }
    let plain =
        |wide: &WideLine| wide.patterns.iter().filter(|pattern| Glob::new(pattern).is_plain()).count();
    let rising: Vec<&WideLine> = model.wide_lines.iter().rev().collect();
    let mut lines = Vec::new();
    for (place, wide) in rising.iter().enumerate().filter(|(_, wide)| wide.line.is_none()) {
        let later = rising[place..].iter().filter(|later| plain(later) == plain(wide));
        let [a, b] = &wide.patterns;
        let table = json!({ "method": OFF, "a": a, "b": b });
        lines.push((later.filter_map(|later| later.line).next(), table));
    }
    let pairs = pairs_off(model);
    if !pairs.is_empty() {
        lines.push((None, json!({ "method": OFF, "pairs": pairs })));
    }
    lines
}

/// Names for lines that no line of the model has.
fn free_names(model: &Model) -> impl FnMut() -> String {
    let mut count = 0;
    move || loop {
        count += 1;
        let name = format!("{OFF}_{count}");
        if model.contact_lines.iter().all(|line| line.name != name) {
            return name;
        }
    }
}

fn solver(model: &Model) -> Value {
    let s = &model.solver;
    let formulation = match s.formulation {
        Formulation::Kkt if s.fixed_step().is_none() => json!(s.formulation.name()),
        Formulation::Kkt => json!({ "type": s.formulation.name(), "step": number(s.fixed_step()) }),
        Formulation::Ali3p { penalty } => {
            json!({ "type": s.formulation.name(), "penalty": x(penalty), "step": number(s.fixed_step()) })
        }
    };
    json!({
        "method": s.method.name(), "coordinates": s.coordinates.name(), "formulation": formulation,
        "t_end": x(s.t_end), "rtol": x(s.rtol),
        "atol": {
            "length": number(s.atol.length), "angle": s.atol.angle.map(angle),
            "velocity": number(s.atol.velocity), "angular_velocity": number(s.atol.angular_velocity),
            "energy": number(s.atol.energy),
        },
        "h_max": number(s.h_max), "h_min": number(s.h_min), "h_first": number(s.h_first),
        "contact_tolerance": number(super::contact_tolerance(s)), "max_steps": s.max_steps, "max_events": s.max_events,
    })
}

fn expectation(e: &Expectation, model: &Model) -> (String, Value) {
    let quantity = &e.quantity;
    let key = match &e.moment {
        Moment::At(time) => format!("{quantity} @ {time:?} s"),
        Moment::End => format!("{quantity} @ end"),
        Moment::Max => format!("{quantity} max"),
        Moment::Min => format!("{quantity} min"),
        Moment::Count => format!("{quantity} count"),
        Moment::Event { index, column } => format!("{quantity}[{index}].{column}"),
    };
    let dimension = expected_dimension(&e.moment, quantity, model);
    let value = if dimension.is_some_and(|d| d.equals(Dimension::ANGLE)) { angle } else { x };
    let condition = match e.condition {
        Condition::Near { value: v, tol } => json!({ "value": value(v), "tol": value(tol) }),
        Condition::Below(limit) => json!({ "below": value(limit) }),
        Condition::Above(limit) => json!({ "above": value(limit) }),
        Condition::Between(low, high) => json!({ "between": [value(low), value(high)] }),
    };
    (key, condition)
}
