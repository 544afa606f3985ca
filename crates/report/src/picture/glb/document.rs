//! A glTF document as it is put together: numbers in one binary chunk, and what they are in JSON.

use carom_math::{Quaternion, Vec3};
use serde_json::{Map, Value, json};

/// glTF's number of 32-bit floats.
const FLOAT: u32 = 5126;
/// glTF's number of unsigned 32-bit integers.
const UNSIGNED: u32 = 5125;
/// glTF's numbers of buffers of vertices and of indices.
const VERTICES: u32 = 34_962;
const INDICES: u32 = 34_963;
/// First word of a binary glTF file, its version, and the words of its chunks.
const MAGIC: u32 = 0x4654_6C67;
const VERSION: u32 = 2;
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BINARY_CHUNK: u32 = 0x004E_4942;

/// Place of a node in the frame of its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) translation: Vec3,
    pub(super) rotation: Quaternion,
    pub(super) scale: Vec3,
}

impl Place {
    pub(super) fn new(translation: Vec3, rotation: Quaternion) -> Self {
        Self { translation, rotation, scale: Vec3::repeat(1.0) }
    }

    /// Where a bar along z from 0 to 1 has to be to go from one point to another.
    pub(super) fn of_bar(from: Vec3, to: Vec3, radius: f64) -> Self {
        let along = to - from;
        let length = along.norm();
        let rotation = if length > 0.0 {
            Quaternion::between(&Vec3::z(), &(along / length))
        } else {
            Quaternion::IDENTITY
        };
        Self { translation: from, rotation, scale: Vec3::new(radius, radius, length) }
    }
}

/// How a value goes between two times of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Between {
    /// On the straight line, rotations on the great circle.
    Linear,
    /// As at the earlier time.
    Step,
}

/// What has been put so far. Each function that puts something returns its index.
#[derive(Debug, Default)]
pub(super) struct Document {
    binary: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    materials: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Document {
    /// Matt colour of both sides; one that is not opaque is looked through. Colours are given as sRGB, stored linear.
    pub(super) fn material(&mut self, name: &str, srgb: [u8; 3], opacity: f64) -> usize {
        let [r, g, b] = srgb.map(|c| linear(f64::from(c) / 255.0));
        let mut material = json!({
            "name": name,
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, opacity], "metallicFactor": 0.0, "roughnessFactor": 0.8,
            },
            "doubleSided": true,
        });
        if opacity < 1.0 {
            material["alphaMode"] = json!("BLEND");
        }
        push(&mut self.materials, material)
    }

    /// Triangles, with a normal at each vertex.
    pub(super) fn mesh(
        &mut self,
        vertices: &[Vec3],
        normals: &[Vec3],
        triangles: &[[u32; 3]],
        material: usize,
    ) -> usize {
        let position = self.vectors(vertices, Some(VERTICES), true);
        let normal = self.vectors(normals, Some(VERTICES), false);
        let view = self.view(triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes()), Some(INDICES));
        let indices = push(
            &mut self.accessors,
            json!({
                "bufferView": view, "componentType": UNSIGNED, "count": 3 * triangles.len(), "type": "SCALAR",
            }),
        );
        let attributes = json!({ "POSITION": position, "NORMAL": normal });
        let primitive = json!({ "attributes": attributes, "indices": indices, "material": material });
        push(&mut self.meshes, json!({ "primitives": [primitive] }))
    }

    /// A node with what hangs on it.
    pub(super) fn node(
        &mut self,
        name: &str,
        place: Place,
        mesh: Option<usize>,
        children: Vec<usize>,
    ) -> usize {
        let Place { translation: t, rotation: q, scale: s } = place;
        let mut node = Map::new();
        node.insert("name".to_owned(), json!(name));
        let [x, y, z, w] = [q.x, q.y, q.z, q.w].map(|c| c as f32);
        for (key, value) in [
            ("translation", json!([t.x as f32, t.y as f32, t.z as f32])),
            ("rotation", json!([x, y, z, w])),
            ("scale", json!([s.x as f32, s.y as f32, s.z as f32])),
        ] {
            node.insert(key.to_owned(), value);
        }
        if let Some(mesh) = mesh {
            node.insert("mesh".to_owned(), json!(mesh));
        }
        if !children.is_empty() {
            node.insert("children".to_owned(), json!(children));
        }
        push(&mut self.nodes, Value::Object(node))
    }

    /// Times of an animation (s), ascending.
    pub(super) fn times(&mut self, times: &[f64]) -> usize {
        let view = self.view(times.iter().flat_map(|t| (*t as f32).to_le_bytes()), None);
        let bound = |t: Option<&f64>| [t.map_or(0.0, |t| *t as f32)];
        push(
            &mut self.accessors,
            json!({
                "bufferView": view, "componentType": FLOAT, "count": times.len(), "type": "SCALAR",
                "min": bound(times.first()), "max": bound(times.last()),
            }),
        )
    }

    /// Moves a node through places, one for each of the times; its scale only where asked for.
    pub(super) fn animate(
        &mut self,
        node: usize,
        times: usize,
        places: &[Place],
        how: Between,
        scaled: bool,
    ) {
        let how = match how {
            Between::Linear => "LINEAR",
            Between::Step => "STEP",
        };
        let translations: Vec<Vec3> = places.iter().map(|place| place.translation).collect();
        let translation = self.vectors(&translations, None, false);
        let rotation = self.rotations(places);
        let mut outputs = vec![("translation", translation), ("rotation", rotation)];
        if scaled {
            let scales: Vec<Vec3> = places.iter().map(|place| place.scale).collect();
            outputs.push(("scale", self.vectors(&scales, None, false)));
        }
        for (path, output) in outputs {
            let sampler = json!({ "input": times, "output": output, "interpolation": how });
            let sampler = push(&mut self.samplers, sampler);
            self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
        }
    }

    /// The file, with this node as its scene.
    pub(super) fn into_bytes(mut self, name: &str, root: usize) -> Vec<u8> {
        pad(&mut self.binary, 0);
        let mut document = json!({
            "asset": { "version": "2.0", "generator": "Carom" },
            "scene": 0,
            "scenes": [{ "name": name, "nodes": [root] }],
            "nodes": self.nodes,
        });
        if !self.binary.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.binary.len() }]);
        }
        // glTF forbids empty lists.
        for (key, list) in [
            ("bufferViews", self.views),
            ("accessors", self.accessors),
            ("materials", self.materials),
            ("meshes", self.meshes),
        ] {
            if !list.is_empty() {
                document[key] = Value::Array(list);
            }
        }
        if !self.channels.is_empty() {
            document["animations"] =
                json!([{ "name": "run", "samplers": self.samplers, "channels": self.channels }]);
        }
        let mut text = document.to_string().into_bytes();
        pad(&mut text, b' ');
        let length = 12 + 8 + text.len() + 8 + self.binary.len();
        let mut bytes = Vec::with_capacity(length);
        for word in [MAGIC, VERSION, length as u32, text.len() as u32, JSON_CHUNK] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(text);
        for word in [self.binary.len() as u32, BINARY_CHUNK] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(self.binary);
        bytes
    }

    fn vectors(&mut self, vectors: &[Vec3], target: Option<u32>, bounded: bool) -> usize {
        let singles = || vectors.iter().map(|v| [v.x as f32, v.y as f32, v.z as f32]);
        let view = self.view(singles().flatten().flat_map(f32::to_le_bytes), target);
        let mut accessor = json!({
            "bufferView": view, "componentType": FLOAT, "count": vectors.len(), "type": "VEC3",
        });
        if bounded {
            let all = |axis: usize| singles().map(move |v| v[axis]);
            accessor["min"] = json!([0, 1, 2].map(|axis| all(axis).fold(f32::INFINITY, f32::min)));
            accessor["max"] = json!([0, 1, 2].map(|axis| all(axis).fold(f32::NEG_INFINITY, f32::max)));
        }
        push(&mut self.accessors, accessor)
    }

    /// Each with the sign that is nearer to the one before: both signs are the same rotation.
    fn rotations(&mut self, places: &[Place]) -> usize {
        let mut last = [0.0, 0.0, 0.0, 1.0];
        let mut singles = Vec::with_capacity(4 * places.len());
        for Place { rotation: q, .. } in places {
            let components = [q.x, q.y, q.z, q.w];
            let sign = if dot(components, last) < 0.0 { -1.0 } else { 1.0 };
            last = components.map(|c| sign * c);
            singles.extend(last.map(|c| c as f32));
        }
        let view = self.view(singles.iter().flat_map(|c| c.to_le_bytes()), None);
        push(
            &mut self.accessors,
            json!({ "bufferView": view, "componentType": FLOAT, "count": places.len(), "type": "VEC4" }),
        )
    }

    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>) -> usize {
        let start = self.binary.len();
        self.binary.extend(bytes);
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.binary.len() - start });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        push(&mut self.views, view)
    }
}

fn push(list: &mut Vec<Value>, value: Value) -> usize {
    list.push(value);
    list.len() - 1
}

/// Up to a multiple of four bytes.
fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(4), with);
}

fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// sRGB to linear light (IEC 61966-2-1).
fn linear(c: f64) -> f64 {
    if c <= 0.040_45 { c / 12.92 } else { libm::pow((c + 0.055) / 1.055, 2.4) }
}
