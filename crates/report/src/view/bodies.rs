//! Bodies, their surfaces and their poses.

use carom_math::{Pose, Quaternion, Vec3};
use carom_results::{Array, Error, Form, RunData, Shapes};
use serde_json::{Value, json};

use super::Output;
use super::coarsen::coarsen;
use super::frames::Frames;

/// Components of quaternions are given in these parts of one.
const QUATERNION_PARTS: f64 = 32_767.0;
/// Motion below this part of the widest is none.
const STILL: f64 = 1e-7;
/// Triangles below which no mesh is made coarser.
const LEAST_TRIANGLES: usize = 500;

/// Poses of all bodies at the output times of a page.
pub(super) struct Poses {
    /// Where positions count from (m).
    pub(super) origin: [f64; 3],
    /// Body by body, output time by output time.
    poses: Vec<Vec<(Vec3, Quaternion)>>,
}

impl Poses {
    /// In the world.
    pub(super) fn read(data: &RunData, frames: &Frames) -> Result<Self, Error> {
        Ok(Self { origin: [0.0; 3], poses: read(data, frames)? })
    }

    /// `X_WB` of a body at an output time of the page; none where motion is missing.
    pub(super) fn pose(&self, body: usize, frame: usize) -> Option<Pose> {
        let (translation, q) = *self.poses[body].get(frame)?;
        Some(Pose { rotation: q.to_matrix(), translation })
    }
}

/// Reads the poses and puts bodies; positions count from `origin`, or from the middle of all.
pub(super) fn put_poses(
    out: &mut Output,
    data: &RunData,
    frames: &Frames,
    origin: Option<[f64; 3]>,
) -> Poses {
    let nowhere = || vec![Vec::new(); data.scene().bodies.len()];
    let poses = if frames.rows.is_empty() { Ok(nowhere()) } else { read(data, frames) };
    let poses = out.or_without("Motion is", poses).unwrap_or_else(nowhere);
    let poses = Poses { origin: origin.unwrap_or_else(|| middle(&poses)), poses };
    let origin = poses.origin;
    let (mut positions, mut rotations) = (Vec::new(), Vec::new());
    let mut bodies = Vec::new();
    let (mut moving, mut lost) = (0, Vec::new());
    for (body, own) in data.scene().bodies.iter().zip(&poses.poses) {
        // A body that does not move has one pose.
        let moves = own.iter().any(|pose| *pose != own[0]);
        let kept = if moves { &own[..] } else { &own[..own.len().min(1)] };
        bodies.push(
            json!({ "name": body.name, "fixed": body.fixed, "moves": moves, "pose": positions.len() / 3 }),
        );
        moving += usize::from(moves);
        let is_somewhere = |(p, q): &(Vec3, Quaternion)| {
            p.iter().chain(&[q.w, q.x, q.y, q.z]).all(|number| number.is_finite())
        };
        if !kept.iter().all(is_somewhere) {
            lost.push(body.name.as_str());
        }
        for pose in kept {
            let (mut p, q) = *pose;
            if !is_somewhere(pose) {
                // It is drawn nowhere, and not somewhere else.
                p.fill(f64::NAN);
            }
            positions.extend((0..3).map(|axis| (p[axis] - origin[axis]) as f32));
            rotations.extend([q.w, q.x, q.y, q.z].map(|c| (c * QUATERNION_PARTS).round() as i16));
        }
    }
    if let [first, others @ ..] = &lost[..] {
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        out.tell(format!(
            "The states of \"{first}\"{more} have numbers that are not finite: it is not drawn then."
        ));
    }
    out.set("bodies", bodies);
    out.set("moving", moving);
    out.set("origin_m", json!(origin));
    out.set("planar", plane(&poses).map(|axis| ["x", "y", "z"][axis]));
    out.array("positions", Array::F32(positions));
    out.array("rotations", Array::I16(rotations));
    poses
}

/// Poses body by body, output time by output time.
fn read(data: &RunData, frames: &Frames) -> Result<Vec<Vec<(Vec3, Quaternion)>>, Error> {
    let mut poses = Vec::new();
    for body in &data.scene().bodies {
        let column = |base: &str| {
            let name = format!("{}.{base}", body.name);
            let missing = || Error::NoValue { message: format!("states has no column {name}") };
            let (_, values) = data.state(&name)?.ok_or_else(missing)?;
            Ok::<Vec<f64>, Error>(frames.of(&values).collect())
        };
        let p = [column("x")?, column("y")?, column("z")?];
        let q = [column("qw")?, column("qx")?, column("qy")?, column("qz")?];
        let of_body = (0..frames.rows.len()).map(|k| {
            (
                Vec3::new(p[0][k], p[1][k], p[2][k]),
                Quaternion { w: q[0][k], x: q[1][k], y: q[2][k], z: q[3][k] },
            )
        });
        poses.push(of_body.collect());
    }
    Ok(poses)
}

/// Middle of all positions, rounded so that it reads well and is the same for runs that differ little.
fn middle(poses: &[Vec<(Vec3, Quaternion)>]) -> [f64; 3] {
    let all = || poses.iter().flatten().map(|(p, _)| p).filter(|p| p.iter().all(|x| x.is_finite()));
    std::array::from_fn(|axis| {
        let low = all().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
        let high = all().map(|p| p[axis]).fold(f64::NEG_INFINITY, f64::max);
        let middle = (0.5 * (low + high)).round();
        if middle.is_finite() { middle } else { 0.0 }
    })
}

/// Normal of the one coordinate plane in which all bodies move: nothing moves along it, and all turn about it.
fn plane(poses: &Poses) -> Option<usize> {
    let mut travel = [0.0_f64; 3];
    let mut turn = [0.0_f64; 3];
    for own in &poses.poses {
        let Some((p0, q0)) = own.first() else { continue };
        for (p, q) in own {
            let turned = q.multiply(&q0.conjugate());
            for (axis, part) in [turned.x, turned.y, turned.z].into_iter().enumerate() {
                travel[axis] = travel[axis].max((p[axis] - p0[axis]).abs());
                turn[axis] = turn[axis].max(part.abs());
            }
        }
    }
    let widest = travel.into_iter().fold(0.0, f64::max);
    let stays = |axis: usize| {
        let others = (0..3).filter(|other| *other != axis);
        travel[axis] <= STILL * widest && others.clone().all(|other| turn[other] <= STILL)
    };
    let mut planes = (0..3).filter(|axis| stays(*axis));
    planes.next().filter(|_| planes.next().is_none())
}

/// Puts surfaces, links, and meshes of about so many triangles at most.
pub(super) fn put_surfaces(out: &mut Output, shapes: Option<&Shapes>, most: usize) {
    out.set("gravity_m_s2", json!(shapes.map_or([0.0; 3], |shapes| shapes.gravity)));
    let (mut vertices, mut triangles, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
    let mut coarser = 0;
    for mesh in shapes.map_or(&[][..], |shapes| &shapes.meshes) {
        let share = (most / shapes.map_or(1, |shapes| shapes.surfaces.len()).max(1)).max(LEAST_TRIANGLES);
        let drawn = coarsen(mesh, share);
        coarser += usize::from(drawn.triangles.len() < mesh.triangles.len());
        meshes.push(json!({
            "vertex": vertices.len() / 3, "vertices": drawn.vertices.len(),
            "triangle": triangles.len() / 3, "triangles": drawn.triangles.len(), "of": mesh.triangles.len(),
        }));
        vertices.extend(drawn.vertices.iter().flat_map(|v| [v.x as f32, v.y as f32, v.z as f32]));
        triangles.extend_from_slice(drawn.triangles.as_flattened());
    }
    let surfaces = shapes.map_or(&[][..], |shapes| &shapes.surfaces).iter().map(|s| {
        let mesh = if let Form::Mesh(mesh) = s.form { json!(mesh) } else { Value::Null };
        json!({
            "name": s.name, "body": s.body, "mesh": mesh, "touches": s.touches,
            "position_m": s.position, "orientation": s.orientation,
        })
    });
    let links = shapes.map_or(&[][..], |shapes| &shapes.links).iter().map(|link| {
        let points = link.points.iter().map(|(body, at)| json!({ "body": body, "at_m": at }));
        json!({ "name": link.name, "kind": link.kind, "axis": link.axis, "points": points.collect::<Vec<_>>() })
    });
    out.set("links", links.collect::<Vec<Value>>());
    out.set("centres_m", json!(shapes.map_or(&[][..], |shapes| &shapes.centres)));
    out.set("surfaces", surfaces.collect::<Vec<Value>>());
    out.set("meshes", meshes);
    out.array("vertices", Array::F32(vertices));
    out.array("triangles", Array::U32(triangles));
    if coarser > 0 {
        let shapes = if coarser == 1 { "1 shape has".to_owned() } else { format!("{coarser} shapes have") };
        out.notes.push(format!("{shapes} fewer triangles here than in the model."));
    }
}
