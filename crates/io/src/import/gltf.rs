//! glTF files (`.gltf`, `.glb`), version 2.0 of the Khronos Group's specification: the triangles of what their scene places. Their metre is
//! the unit; what direction is up does not count, as in SAPIEN and Gazebo, for whose robots such files are written.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom_geometry::TriangleMesh;
use carom_geometry::mesh::weld;
use carom_math::{Mat3, Quaternion, Vec3};
use serde_json::Value;

use crate::regular_file::read_file;

/// Nodes within nodes; one that is within itself has no end.
const MAX_DEPTH: usize = 64;
/// Most nodes that are placed.
const MAX_NODES: usize = 100_000;
/// Most corners of triangles of one file.
const MAX_CORNERS: usize = 30_000_000;
/// Largest file (bytes).
const MAX_FILE_SIZE: u64 = 1 << 30;

const MAGIC: &[u8] = b"glTF";
const JSON: &[u8] = b"JSON";
const BINARY: &[u8] = b"BIN\0";

/// Required extensions that say nothing of where triangles are begin with one of these.
const HARMLESS: [&str; 4] = ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_"];

/// x ↦ A x + d.
#[derive(Clone, Copy)]
struct Affine {
    linear: Mat3,
    shift: Vec3,
}

/// All triangles in metres, or why there are none; `folder` is where other files are that it names.
pub(super) fn read(bytes: &[u8], folder: &Path) -> Result<TriangleMesh, String> {
    let (text, binary) = if bytes.starts_with(MAGIC) { chunks(bytes)? } else { (bytes, None) };
    let root: Value = serde_json::from_slice(text).map_err(|error| format!("its JSON is broken: {error}"))?;
    let version = root["asset"]["version"].as_str().unwrap_or_default();
    if !version.starts_with("2.") {
        return Err(format!("it is of version \"{version}\" of glTF, only 2 is read"));
    }
    for needed in list(&root["extensionsRequired"]).iter().filter_map(Value::as_str) {
        if !HARMLESS.iter().any(|prefix| needed.starts_with(prefix)) {
            return Err(format!("it needs the extension {needed}, which is not read"));
        }
    }
    let buffers = list(&root["buffers"])
        .iter()
        .map(|buffer| read_buffer(buffer, binary, folder))
        .collect::<Result<Vec<_>, _>>()?;
    let mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    let mut reader = Reader { root: &root, buffers, mesh, nodes: 0 };
    let scene = match list(&root["scenes"]) {
        [] => return Err("it has no scene".to_owned()),
        all => all.get(root["scene"].as_u64().unwrap_or(0) as usize).ok_or("its scene is not there")?,
    };
    let whole = Affine { linear: Mat3::identity(), shift: Vec3::zeros() };
    for node in list(&scene["nodes"]) {
        reader.place(node, &whole, 0)?;
    }
    if reader.mesh.triangles.is_empty() {
        return Err("its scene has no triangles".to_owned());
    }
    // Corners are there several times, for normals and textures that differ.
    weld(&reader.mesh, 0.0).map(|welded| welded.mesh).map_err(|fault| fault.to_string())
}

/// JSON and binary part of a `.glb`.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), String> {
    let cut = || "it ends too early".to_owned();
    let mut rest = bytes.get(12..).ok_or_else(cut)?;
    let (mut text, mut binary) = (None, None);
    while let Some((header, after)) = rest.split_at_checked(8) {
        let length = u32::from_le_bytes([header[0], header[1], header[2], header[3]]) as usize;
        let (content, next) = after.split_at_checked(length).ok_or_else(cut)?;
        // Chunks of other kinds are to be passed over.
        match &header[4..] {
            kind if kind == JSON && text.is_none() => text = Some(content),
            kind if kind == BINARY && binary.is_none() => binary = Some(content),
            _ => {}
        }
        rest = next;
    }
    Ok((text.ok_or("it has no JSON")?, binary))
}

fn read_buffer(buffer: &Value, binary: Option<&[u8]>, folder: &Path) -> Result<Vec<u8>, String> {
    let Some(uri) = buffer["uri"].as_str() else {
        return binary.map(<[u8]>::to_vec).ok_or_else(|| "a buffer of it is nowhere".to_owned());
    };
    if let Some(data) = uri.strip_prefix("data:") {
        let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
        let bytes = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
        return bytes.ok_or_else(|| "a buffer of it is no base64".to_owned());
    }
    let name = uri.replace("%20", " ");
    read_file(&folder.join(&name), MAX_FILE_SIZE)
        .map_err(|reason| format!("its buffer \"{name}\" cannot be read: {reason}"))
}

/// Entries of a list; none where there is none.
fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn whole(value: &Value, default: usize) -> Result<usize, String> {
    match value {
        Value::Null => Ok(default),
        other => {
            let number = other.as_u64().and_then(|n| usize::try_from(n).ok());
            number.ok_or_else(|| format!("{other} stands where an index or a count is to be"))
        }
    }
}

/// Numbers of a key, of which there are to be so many; `None` where it is not there.
fn numbers<const N: usize>(value: &Value) -> Result<Option<[f64; N]>, String> {
    if value.is_null() {
        return Ok(None);
    }
    let all: Vec<f64> = list(value).iter().filter_map(Value::as_f64).collect();
    all.try_into().map(Some).map_err(|_| format!("{value} is no list of {N} numbers"))
}

struct Reader<'a> {
    root: &'a Value,
    buffers: Vec<Vec<u8>>,
    mesh: TriangleMesh,
    /// Placed so far.
    nodes: usize,
}

impl<'a> Reader<'a> {
    /// What an index into one of the lists names.
    fn named(&self, lists: &str, index: &Value) -> Result<&'a Value, String> {
        let found = index.as_u64().and_then(|at| list(&self.root[lists]).get(at as usize));
        found.ok_or_else(|| format!("it names number {index} of its {lists}, which is not there"))
    }

    /// Triangles of a node and of those in it.
    fn place(&mut self, index: &Value, outer: &Affine, depth: usize) -> Result<(), String> {
        self.nodes += 1;
        if depth > MAX_DEPTH || self.nodes > MAX_NODES {
            return Err(format!(
                "its nodes are nested more than {MAX_DEPTH} levels deep, or more than {MAX_NODES}"
            ));
        }
        let node = self.named("nodes", index)?;
        if !node["skin"].is_null() {
            return Err("it has a skin, which is not read".to_owned());
        }
        let own = affine(node)?;
        let here =
            Affine { linear: outer.linear * own.linear, shift: outer.linear * own.shift + outer.shift };
        if !node["mesh"].is_null() {
            let mesh = self.named("meshes", &node["mesh"])?;
            list(&mesh["primitives"]).iter().try_for_each(|primitive| self.add(primitive, &here))?;
        }
        list(&node["children"]).iter().try_for_each(|child| self.place(child, &here, depth + 1))
    }

    /// Triangles of a primitive; points and lines are passed over.
    fn add(&mut self, primitive: &Value, at: &Affine) -> Result<(), String> {
        let mode = whole(&primitive["mode"], 4)?;
        if ![4, 5, 6].contains(&mode) {
            return Ok(());
        }
        let positions = self.positions(&primitive["attributes"]["POSITION"])?;
        let corners = match &primitive["indices"] {
            Value::Null => (0..positions.len()).collect(),
            index => self.indices(index)?,
        };
        if corners.iter().any(|corner| *corner >= positions.len()) {
            return Err("a triangle of it names a corner that is not there".to_owned());
        }
        let first = self.mesh.vertices.len();
        if first + positions.len() + 3 * (self.mesh.triangles.len() + corners.len()) > MAX_CORNERS {
            return Err(format!("it has more than {MAX_CORNERS} corners"));
        }
        self.mesh.vertices.extend(positions.iter().map(|p| at.linear * p + at.shift));
        let triangles: Vec<[usize; 3]> = match mode {
            4 => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
            // Every other one of a strip runs the other way.
            5 => (0..corners.len().saturating_sub(2))
                .map(|k| [corners[k], corners[k + 1 + k % 2], corners[k + 2 - k % 2]])
                .collect(),
            _ => corners.windows(2).skip(1).map(|c| [c[0], c[1], corners[0]]).collect(),
        };
        let is_mirrored = at.linear.determinant() < 0.0;
        self.mesh.triangles.extend(triangles.into_iter().map(|[a, b, c]| {
            let [a, b, c] = if is_mirrored { [a, c, b] } else { [a, b, c] };
            [a, b, c].map(|corner| (first + corner) as u32)
        }));
        Ok(())
    }

    fn positions(&self, index: &Value) -> Result<Vec<Vec3>, String> {
        let entry = |b: &[u8]| {
            Vec3::from_fn(|k, _| {
                f64::from(f32::from_le_bytes([b[4 * k], b[4 * k + 1], b[4 * k + 2], b[4 * k + 3]]))
            })
        };
        let positions = self.read(index, "VEC3", |kind| (kind == 5126).then_some(12), |b, _| entry(b))?;
        if positions.iter().any(|p| p.iter().any(|x| !x.is_finite())) {
            return Err("it has positions that are not finite".to_owned());
        }
        Ok(positions)
    }

    fn indices(&self, index: &Value) -> Result<Vec<usize>, String> {
        let size = |kind| match kind {
            5121 => Some(1),
            5123 => Some(2),
            5125 => Some(4),
            _ => None,
        };
        let entry = |b: &[u8], size: usize| (0..size).rev().fold(0, |sum, k| sum << 8 | usize::from(b[k]));
        self.read(index, "SCALAR", size, entry)
    }

    /// Entries of an accessor; `size` says how many bytes one of a kind of numbers has.
    fn read<T>(
        &self,
        index: &Value,
        shape: &str,
        size: impl Fn(usize) -> Option<usize>,
        entry: impl Fn(&[u8], usize) -> T,
    ) -> Result<Vec<T>, String> {
        let accessor = self.named("accessors", index)?;
        if !accessor["sparse"].is_null() || accessor["bufferView"].is_null() {
            return Err("it has sparse accessors, which are not read".to_owned());
        }
        let kind = whole(&accessor["componentType"], 0)?;
        let size = size(kind).filter(|_| accessor["type"] == shape);
        let size =
            size.ok_or_else(|| format!("it has {} of type {kind} where {shape} is to be", accessor["type"]))?;
        let view = self.named("bufferViews", &accessor["bufferView"])?;
        let buffer = whole(&view["buffer"], usize::MAX)?;
        let buffer = self.buffers.get(buffer).ok_or("it names a buffer that is not there")?;
        let start = whole(&view["byteOffset"], 0)?;
        let range = start..start.saturating_add(whole(&view["byteLength"], 0)?);
        let bytes = buffer.get(range).and_then(|view| view.get(whole(&accessor["byteOffset"], 0).ok()?..));
        let (bytes, count) = (bytes.ok_or("it ends too early")?, whole(&accessor["count"], 0)?);
        let stride = whole(&view["byteStride"], size)?.max(1);
        let needed = count.saturating_sub(1).saturating_mul(stride).saturating_add(size);
        if count > 0 && needed > bytes.len() {
            return Err("it ends too early".to_owned());
        }
        Ok((0..count).map(|k| entry(&bytes[k * stride..k * stride + size], size)).collect())
    }
}

/// Where a node is in the one around it.
fn affine(node: &Value) -> Result<Affine, String> {
    if let Some(m) = numbers::<16>(&node["matrix"])? {
        // By columns.
        let linear = Mat3::from_fn(|row, column| m[4 * column + row]);
        return Ok(Affine { linear, shift: Vec3::new(m[12], m[13], m[14]) });
    }
    let [x, y, z, w] = numbers(&node["rotation"])?.unwrap_or([0.0, 0.0, 0.0, 1.0]);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if length.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) {
        return Err("a rotation of it is no quaternion".to_owned());
    }
    let rotation = Quaternion::new(w / length, x / length, y / length, z / length).to_matrix();
    let scale = Vec3::from(numbers(&node["scale"])?.unwrap_or([1.0; 3]));
    let shift = Vec3::from(numbers(&node["translation"])?.unwrap_or([0.0; 3]));
    Ok(Affine { linear: rotation * Mat3::from_diagonal(&scale), shift })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners of a tetrahedron with edges of 1 along x, y and z; triangles as a list, a strip and a fan of the same four.
    const CORNERS: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    fn json(node: &str, primitive: &str, buffer: &str) -> String {
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
            "nodes":[{{"children":[1],"translation":[0,0,2]}},{{"mesh":0,{node}}}],
            "meshes":[{{"primitives":[{{"mode":0,"attributes":{{"POSITION":0}}}},{primitive}]}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"type":"VEC3","count":4}},
              {{"bufferView":1,"componentType":5121,"type":"SCALAR","count":12}},
              {{"bufferView":1,"byteOffset":12,"componentType":5123,"type":"SCALAR","count":6}},
              {{"bufferView":1,"byteOffset":24,"componentType":5125,"type":"SCALAR","count":4}}],
            "bufferViews":[{{"buffer":0,"byteLength":64,"byteStride":16}},{{"buffer":0,"byteOffset":64,"byteLength":40}}],
            "buffers":[{{"byteLength":104{buffer}}}]}}"#
        )
    }

    fn data() -> Vec<u8> {
        let mut bytes = Vec::new();
        for corner in CORNERS {
            corner.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
            bytes.extend([7; 4]);
        }
        bytes.extend([0_u8, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
        [1_u16, 0, 2, 3, 1, 0].iter().for_each(|k| bytes.extend(k.to_le_bytes()));
        [0_u32, 1, 3, 2].iter().for_each(|k| bytes.extend(k.to_le_bytes()));
        bytes
    }

    fn glb(text: &str) -> Vec<u8> {
        let binary = data();
        let mut bytes = [MAGIC, &2_u32.to_le_bytes(), &0_u32.to_le_bytes()].concat();
        for (kind, content) in [(JSON, text.as_bytes()), (b"MORE", b"over"), (BINARY, &binary)] {
            bytes.extend((content.len() as u32).to_le_bytes());
            bytes.extend(kind);
            bytes.extend(content);
        }
        bytes
    }

    const LIST: &str = r#"{"attributes":{"POSITION":0},"indices":1}"#;

    #[test]
    fn nodes_are_placed_and_scaled() {
        // A third of a turn about (1, 1, 1) takes x to y, y to z and z to x.
        let turned = r#""rotation":[0.5,0.5,0.5,0.5],"scale":[2,3,4],"translation":[5,0,0]"#;
        let mesh = read(&glb(&json(turned, LIST, "")), Path::new("")).unwrap();
        assert!((mesh.signed_volume() - 4.0).abs() < 1e-12 && mesh.topology().unwrap().closed);
        let (low, high) = mesh.bounds();
        assert!((low - Vec3::new(5.0, 0.0, 2.0)).norm() < 1e-12, "{low}");
        assert!((high - Vec3::new(9.0, 2.0, 5.0)).norm() < 1e-12, "{high}");
        // The same by a matrix, its columns one after another; mirrored, the triangles still look outwards.
        let mirrored = r#""matrix":[0,-2,0,0, 0,0,3,0, 4,0,0,0, 5,0,0,1]"#;
        let mesh = read(&glb(&json(mirrored, LIST, "")), Path::new("")).unwrap();
        assert!((mesh.signed_volume() - 4.0).abs() < 1e-12, "{}", mesh.signed_volume());
    }

    /// Strips, fans and corners without indices; all are triangles of the tetrahedron, turned as the standard has it.
    #[test]
    fn all_modes_are_triangles() {
        let area = |primitive: &str| {
            let mesh = read(&glb(&json("\"name\":\"n\"", primitive, "")), Path::new("")).unwrap();
            let sum =
                mesh.corners().fold(Vec3::zeros(), |sum, [a, b, c]| sum + (b - a).cross(&(c - a)) * 0.5);
            (mesh.triangles.len(), [sum.x, sum.y, sum.z])
        };
        // (1, 0, 2), (2, 0, 3), (2, 3, 1), (1, 3, 0): closed, its areas add up to nothing.
        assert_eq!(area(r#"{"mode":5,"attributes":{"POSITION":0},"indices":2}"#), (4, [0.0; 3]));
        // (0, 1, 3) and (0, 3, 2).
        assert_eq!(area(r#"{"mode":6,"attributes":{"POSITION":0},"indices":3}"#), (2, [-0.5, -0.5, 0.0]));
        // Of four corners one triangle, and one that is left.
        assert_eq!(area(r#"{"attributes":{"POSITION":0}}"#), (1, [0.0, 0.0, 0.5]));
    }

    #[test]
    fn buffers_are_in_the_file_or_beside_it() {
        let folder = std::env::temp_dir().join(format!("carom-io-gltf-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a b.bin"), data()).unwrap();
        let beside = json("\"name\":\"n\"", LIST, ",\"uri\":\"a%20b.bin\"");
        let mesh = read(beside.as_bytes(), &folder).unwrap();
        assert!((mesh.signed_volume() - 1.0 / 6.0).abs() < 1e-15);
        std::fs::remove_dir_all(&folder).unwrap();
        let error = read(beside.as_bytes(), &folder).unwrap_err();
        assert!(error.contains("its buffer \"a b.bin\" cannot be read"), "{error}");
        // Three corners, of zeros, x and y.
        let within = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
            "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],"bufferViews":[{"buffer":0,"byteLength":36}],
            "buffers":[{"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;
        assert_eq!(read(within.as_bytes(), Path::new("")).unwrap().bounds().1, Vec3::new(1.0, 1.0, 0.0));
    }

    #[test]
    fn what_is_not_read_or_broken_is_named() {
        let good = json("\"name\":\"n\"", LIST, "");
        let extended = |name: &str| good.replacen('{', &format!("{{\"extensionsRequired\":[\"{name}\"],"), 1);
        assert!(read(&glb(&extended("KHR_materials_unlit")), Path::new("")).is_ok());
        let cases = [
            (extended("KHR_draco_mesh_compression"), "KHR_draco_mesh_compression, which is not read"),
            (good.replace("2.0", "1.0"), "version \"1.0\""),
            (good.replace("\"name\":\"n\"", "\"skin\":0"), "a skin"),
            (good.replace("\"name\":\"n\"", "\"children\":[0]"), "nested more than 64"),
            (good.replace("\"name\":\"n\"", "\"children\":[9]"), "number 9 of its nodes"),
            (good.replace("\"name\":\"n\"", "\"matrix\":[1,0]"), "no list of 16 numbers"),
            (good.replace("\"name\":\"n\"", "\"rotation\":[0,0,0,0]"), "no quaternion"),
            (good.replace("\"count\":12", "\"count\":200"), "ends too early"),
            (good.replace("\"count\":12", "\"count\":-1"), "-1 stands where"),
            (good.replace("\"count\":4", "\"count\":3"), "a corner that is not there"),
            (good.replace("\"VEC3\"", "\"VEC2\""), "where VEC3 is to be"),
            (good.replace("\"bufferView\":0,", "\"sparse\":{},"), "sparse accessors"),
            (good.replace("\"indices\":1", "\"mode\":1"), "no triangles"),
            (good.replace("\"scenes\"", "\"none\""), "no scene"),
            (good.replace("}]}]", ""), "JSON is broken"),
            (good.replace("\"byteLength\":104", "\"uri\":\"data:;base64,?\""), "no base64"),
        ];
        for (text, wanted) in cases {
            let error = read(&glb(&text), Path::new("")).unwrap_err();
            assert!(error.contains(wanted), "{wanted}: {error}");
        }
        let whole = glb(&good);
        for length in 4..whole.len() {
            assert!(read(&whole[..length], Path::new("")).is_err(), "{length}");
        }
    }
}
