//! A run as pictures show it: what the page of the viewer is told, with poses at any time.

use carom_math::{Pose, Quaternion, Vec3};
use carom_results::{Container, Error, RunData};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::solid::Solid;
use crate::palette::{self, Colour};
use crate::view::{self, Limits};

/// Output times, triangles and quantities that pictures know of a run.
const LIMITS: Limits = Limits { bytes: usize::MAX, frames: 100_000, plots: 0, triangles: 400_000 };
/// Parts of one in which components of quaternions are given.
const QUATERNION_PARTS: f64 = 32_767.0;
/// The greatest pressure of a pair, as it is stored.
const FULL_PRESSURE: f64 = 32_767.0;
/// Times that are this part of the run apart are one.
const SAME_TIME: f64 = 1e-9;

#[derive(Debug, Deserialize)]
pub(super) struct Body {
    pub(super) name: String,
    pub(super) fixed: bool,
    pub(super) moves: bool,
    /// Row of its first pose.
    pose: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct Surface {
    pub(super) name: String,
    pub(super) body: usize,
    /// Number of its mesh; none of a half-space.
    pub(super) mesh: Option<usize>,
    position_m: [f64; 3],
    orientation: [f64; 4],
}

impl Surface {
    /// Pose in the frame of its body.
    pub(super) fn pose(&self) -> Pose {
        let [w, x, y, z] = self.orientation;
        Pose { rotation: Quaternion { w, x, y, z }.to_matrix(), translation: Vec3::from(self.position_m) }
    }
}

#[derive(Debug, Deserialize)]
struct MeshPlace {
    vertex: usize,
    vertices: usize,
    triangle: usize,
    triangles: usize,
}

#[derive(Debug, Deserialize)]
pub(super) struct Pair {
    pub(super) name: String,
    a: String,
    b: String,
    areal: bool,
    /// Of surfaces, and no stop of a joint or cable.
    surfaces: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct Link {
    pub(super) kind: String,
    pub(super) axis: Option<[f64; 3]>,
    pub(super) points: Vec<LinkPoint>,
}

#[derive(Debug, Deserialize)]
pub(super) struct LinkPoint {
    pub(super) body: usize,
    pub(super) at_m: [f64; 3],
}

/// Forces of a contact on B (N) at its point (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Force {
    pub(super) point: Vec3,
    pub(super) normal: Vec3,
    pub(super) tangential: Vec3,
}

/// An element of areal contact: its corners in the frame of its body (m), and its share of the greatest pressure of its pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) body: usize,
    pub(super) corners: [Vec3; 3],
    pub(super) share: f64,
}

/// A run as pictures show it. Positions count from a point near the middle of the motion.
#[derive(Debug)]
pub struct Stage {
    pub(super) name: String,
    pub(super) bodies: Vec<Body>,
    pub(super) surfaces: Vec<Surface>,
    pub(super) solids: Vec<Solid>,
    pub(super) pairs: Vec<Pair>,
    pub(super) links: Vec<Link>,
    /// Centres of mass in the frames of the bodies (m); empty of a run without shapes.
    pub(super) centres: Vec<[f64; 3]>,
    /// Upwards.
    pub(super) up: Vec3,
    /// Normal of the one coordinate plane in which all bodies move.
    pub(super) across: Option<Vec3>,
    /// Greatest pressure of each pair (Pa).
    pub(super) greatest_pressure: Vec<f64>,
    data: Container,
}

impl Stage {
    /// The run in a folder.
    pub fn of_run(run_dir: &std::path::Path) -> Result<Self, Error> {
        Self::of(&RunData::open_for_charts(run_dir)?)
    }

    /// A run that is read already.
    pub fn of(data: &RunData) -> Result<Self, Error> {
        let contents = view::contents(data, &LIMITS);
        // A picture has no place for words: with something missing it would be taken for the whole.
        if let Some(problem) = contents.problems.into_iter().next() {
            return Err(problem);
        }
        let stage = Self::of_container(contents.container)?;
        if stage.times().is_empty() {
            let message = "the run has no output times, so that there is nothing to draw".to_owned();
            return Err(Error::NoValue { message });
        }
        Ok(stage)
    }

    pub(super) fn of_container(data: Container) -> Result<Self, Error> {
        let header = &data.header;
        let meshes: Vec<MeshPlace> = read(&data, "meshes")?;
        let planar: Option<String> = read(&data, "planar")?;
        let across = planar.map(|axis| match axis.as_str() {
            "x" => Vec3::x(),
            "y" => Vec3::y(),
            _ => Vec3::z(),
        });
        let gravity: [f64; 3] = read(&data, "gravity_m_s2")?;
        let greatest_pressure = if header.contains_key("pressure_scale_pa") {
            read(&data, "pressure_scale_pa")?
        } else {
            Vec::new()
        };
        Ok(Self {
            name: read(&data, "name")?,
            bodies: read(&data, "bodies")?,
            surfaces: read(&data, "surfaces")?,
            solids: meshes.iter().map(|place| solid(&data, place)).collect(),
            pairs: read(&data, "pairs")?,
            links: read(&data, "links")?,
            centres: read(&data, "centres_m")?,
            up: upward(Vec3::from(gravity), across),
            across,
            greatest_pressure,
            data,
        })
    }

    /// Names of the bodies.
    pub fn body_names(&self) -> impl Iterator<Item = &str> {
        self.bodies.iter().map(|body| body.name.as_str())
    }

    /// First and last output time (s).
    pub fn span(&self) -> [f64; 2] {
        let times = self.times();
        [times.first(), times.last()].map(|time| time.copied().unwrap_or(0.0))
    }

    /// Output times (s).
    pub(super) fn times(&self) -> &[f64] {
        self.data.f64s("times")
    }

    /// Times of events (s), ascending.
    pub(super) fn event_times(&self) -> &[f64] {
        self.data.f64s("event_time")
    }

    /// Number of the last output time at or before a time; one that was rounded is the output time it was.
    pub(super) fn frame_at(&self, time: f64) -> usize {
        let [start, end] = self.span();
        let time = time + SAME_TIME * (end - start);
        self.times().partition_point(|t| *t <= time).saturating_sub(1)
    }

    /// Pose of a body at a time, between two output times by interpolation; none of a body that is nowhere.
    pub(super) fn pose(&self, body: usize, time: f64) -> Option<Pose> {
        let Body { moves, pose, .. } = self.bodies[body];
        if !moves {
            return self.pose_in_row(pose, pose, 0.0);
        }
        let times = self.times();
        let frame = self.frame_at(time);
        let next = (frame + 1).min(times.len() - 1);
        let span = times[next] - times[frame];
        let share = if span > 0.0 { ((time - times[frame]) / span).clamp(0.0, 1.0) } else { 0.0 };
        self.pose_in_row(pose + frame, pose + next, share)
    }

    fn pose_in_row(&self, row: usize, next: usize, share: f64) -> Option<Pose> {
        let position = |row: usize| triple(self.data.f32s("positions"), row);
        let rotation = |row: usize| -> [f64; 4] {
            let rotations = self.data.i16s("rotations");
            std::array::from_fn(|k| f64::from(rotations[4 * row + k]) / QUATERNION_PARTS)
        };
        let (p, a) = (position(row), rotation(row));
        let (p, q) = if share == 0.0 {
            (p, a)
        } else {
            let b = rotation(next);
            // Both signs are the same rotation; the nearer one is meant.
            let sign = (0..4).map(|k| a[k] * b[k]).sum::<f64>().signum();
            (p + share * (position(next) - p), std::array::from_fn(|k| a[k] + share * (sign * b[k] - a[k])))
        };
        let [w, x, y, z] = q;
        p.iter()
            .all(|x| x.is_finite())
            .then(|| Pose { rotation: Quaternion { w, x, y, z }.normalized().to_matrix(), translation: p })
    }

    /// Forces between surfaces that are recorded at an output time: of regions their own, else of contacts.
    pub(super) fn forces(&self, frame: usize) -> impl Iterator<Item = Force> + '_ {
        let (pairs, of_regions) = (self.data.u32s("contact_pair"), self.data.u32s("region_pair"));
        let own = self.rows("region_start", frame);
        let has_regions = {
            let own = own.clone();
            move |pair: u32| own.clone().any(|row| of_regions[row] == pair)
        };
        let is_alone =
            move |row: &usize| self.pairs[pairs[*row] as usize].surfaces && !has_regions(pairs[*row]);
        let contacts = self.rows("contact_start", frame).filter(is_alone).map(|row| Force {
            point: triple(self.data.f32s("contact_point"), row),
            normal: triple(self.data.f32s("contact_normal"), row)
                * f64::from(self.data.f32s("contact_fn")[row]),
            tangential: triple(self.data.f32s("contact_friction"), row),
        });
        contacts.chain(own.map(|row| {
            let friction = triple(self.data.f32s("region_friction"), row);
            Force {
                point: triple(self.data.f32s("region_point"), row),
                normal: triple(self.data.f32s("region_force"), row) - friction,
                tangential: friction,
            }
        }))
    }

    /// Are contours of regions recorded?
    pub(super) fn has_contours(&self) -> bool {
        !self.data.f32s("contour_ends").is_empty()
    }

    /// Segments of the contours of regions at an output time.
    pub(super) fn contours(&self, frame: usize) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let ends = self.data.f32s("contour_ends");
        self.rows("contour_start", frame).map(move |row| [2 * row, 2 * row + 1].map(|end| triple(ends, end)))
    }

    /// Elements with pressure at an output time.
    pub(super) fn elements(&self, frame: usize) -> impl Iterator<Item = Element> + '_ {
        self.rows("pressure_start", frame).map(|row| {
            let element = self.data.u32s("pressure_element")[row] as usize;
            Element {
                body: self.data.u32s("element_body")[element] as usize,
                corners: [0, 1, 2].map(|k| triple(self.data.f32s("element_corners"), 3 * element + k)),
                share: f64::from(self.data.i16s("pressure")[row]) / FULL_PRESSURE,
            }
        })
    }

    fn rows(&self, start: &str, frame: usize) -> std::ops::Range<usize> {
        let start = self.data.u32s(start);
        let at = |frame: usize| start.get(frame).map_or(0, |row| *row as usize);
        at(frame)..at(frame + 1)
    }

    /// Points of a body at which joints and lines take hold (m, in its frame).
    pub(super) fn attachments(&self, body: usize) -> impl Iterator<Item = Vec3> + '_ {
        let points = self.links.iter().flat_map(|link| &link.points);
        points.filter(move |point| point.body == body).map(|point| Vec3::from(point.at_m))
    }

    /// Colour of a body: those that can move have one after the other.
    pub(super) fn colour(&self, body: usize) -> Colour {
        if self.bodies[body].fixed {
            return palette::FIXED;
        }
        let before = self.bodies[..body].iter().filter(|body| !body.fixed).count();
        palette::BODIES[before % palette::BODIES.len()]
    }

    /// Centre of mass of a body in its frame (m).
    pub(super) fn centre(&self, body: usize) -> Vec3 {
        self.centres.get(body).map_or_else(Vec3::zeros, |centre| Vec3::from(*centre))
    }

    /// Is a body to be looked through? Cavities are, and what lies on recorded pressures.
    pub(super) fn is_clear(&self, body: usize) -> bool {
        let mut own = self.surfaces.iter().filter(|surface| surface.body == body);
        own.any(|surface| surface.mesh.is_some_and(|mesh| self.solids[mesh].is_cavity())) || self.covers(body)
    }

    /// Does a body lie on elements that are to be seen? Where both of a pair have some, the one that may move does, and of
    /// two that may the second.
    fn covers(&self, body: usize) -> bool {
        let bases = self.data.u32s("element_body");
        let is_base = |body: usize| bases.contains(&(body as u32));
        let body_of = |name: &str| Some(self.surfaces.iter().find(|surface| surface.name == name)?.body);
        !bases.is_empty()
            && self.pairs.iter().filter(|pair| pair.areal).any(|pair| {
                let (Some(a), Some(b)) = (body_of(&pair.a), body_of(&pair.b)) else { return false };
                let other = if a == body { b } else { a };
                let gives_way = !self.bodies[body].fixed && (b == body || self.bodies[other].fixed);
                (a == body || b == body) && (!is_base(body) || is_base(other) && gives_way)
            })
    }
}

fn read<T: DeserializeOwned>(data: &Container, key: &str) -> Result<T, Error> {
    let value = data.header.get(key).cloned().unwrap_or_default();
    serde_json::from_value(value)
        .map_err(|error| Error::NoValue { message: format!("the scene has no {key}: {error}") })
}

fn triple(values: &[f32], row: usize) -> Vec3 {
    Vec3::from(std::array::from_fn(|axis| f64::from(values[3 * row + axis])))
}

fn solid(data: &Container, place: &MeshPlace) -> Solid {
    let vertices =
        (place.vertex..place.vertex + place.vertices).map(|row| triple(data.f32s("vertices"), row));
    let triangles = &data.u32s("triangles")[3 * place.triangle..3 * (place.triangle + place.triangles)];
    Solid::new(vertices.collect(), triangles.as_chunks().0.to_vec())
}

/// Against gravity; without any, z, and y where all move in the plane of x and y.
fn upward(gravity: Vec3, across: Option<Vec3>) -> Vec3 {
    let up = if gravity.norm() > 0.0 { -gravity.normalize() } else { Vec3::z() };
    match across {
        Some(normal) if up.dot(&normal).abs() > 0.9 => {
            if normal == Vec3::z() {
                Vec3::y()
            } else {
                Vec3::z()
            }
        }
        _ => up,
    }
}
