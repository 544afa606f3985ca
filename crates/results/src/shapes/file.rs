//! `shapes.bin`: a mark, a checksum, and a [`Container`], compressed. It says which model it is of, so that shapes of
//! one run are never drawn with the motion of another.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use carom_engine::model::Model;
use carom_engine::record::RunInfo;
use carom_geometry::TriangleMesh;
use serde_json::{Value, json};

use super::{Form, Link, Shapes, Surface};
use crate::container::{Array, Container};
use crate::{Error, RunFolder, Scene, files, layout};

/// First bytes of the file.
const MARK: &[u8; 8] = b"caromsh1";
const CHECKSUM: usize = blake3::OUT_LEN;
const LEVEL: i32 = 3;
/// Largest file that is read, and largest contents (bytes).
const MOST: u64 = 1 << 30;

/// Writes the shapes of a model into the folder of its run. `hash` is that of the run.
pub fn write_shapes(folder: &RunFolder, model: &Model, info: &RunInfo, hash: &str) -> Result<(), Error> {
    let path = folder.path().join(layout::SHAPES);
    let packed = zstd::bulk::compress(&pack(&Shapes::of(model, info), hash).to_bytes(), LEVEL);
    let packed = packed.map_err(Error::write(&path))?;
    files::write_atomically(&path, &[MARK, blake3::hash(&packed).as_bytes(), &packed])
}

/// The shapes of the run in `dir`; none if it has none, or those of another model.
pub(crate) fn read(dir: &Path, scene: &Scene, hash: &str) -> Result<Option<Shapes>, Error> {
    let path = dir.join(layout::SHAPES);
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = files::read(&path, MOST)?;
    let damaged = |message: &str| Error::damaged(&path, message);
    let rest = bytes.strip_prefix(MARK).ok_or_else(|| damaged("it is not a file of shapes"))?;
    let (sum, packed) = rest.split_at_checked(CHECKSUM).ok_or_else(|| damaged("it is cut off"))?;
    if blake3::hash(packed).as_bytes() != sum {
        return Err(damaged("it has been changed after it was written"));
    }
    let mut contents = Vec::new();
    let decoder = zstd::stream::Decoder::new(packed).map_err(|e| damaged(&e.to_string()))?;
    decoder.take(MOST).read_to_end(&mut contents).map_err(|e| damaged(&e.to_string()))?;
    let container = Container::from_bytes(&contents).map_err(|message| damaged(&message))?;
    if container.header.get("model").and_then(Value::as_str) != Some(hash) {
        return Ok(None);
    }
    of_scene(&container, scene).map(Some).map_err(|message| damaged(&message))
}

/// Shapes of the model of a hash, for a run in memory.
pub(crate) fn to_bytes(shapes: &Shapes, hash: &str) -> Vec<u8> {
    pack(shapes, hash).to_bytes()
}

/// The same back, if they are those of the scene's bodies.
pub(crate) fn from_bytes(bytes: &[u8], scene: &Scene) -> Result<Shapes, String> {
    of_scene(&Container::from_bytes(bytes)?, scene)
}

fn of_scene(container: &Container, scene: &Scene) -> Result<Shapes, String> {
    let shapes = unpack(container).filter(|shapes| shapes.fits(scene));
    shapes.ok_or_else(|| "its shapes are not those of the run's bodies".to_owned())
}

fn pack(shapes: &Shapes, hash: &str) -> Container {
    let mut container = Container::default();
    let (mut vertices, mut triangles, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    for mesh in &shapes.meshes {
        sizes.push(json!([mesh.vertices.len(), mesh.triangles.len()]));
        vertices.extend(mesh.vertices.iter().flat_map(|v| [v.x, v.y, v.z]));
        triangles.extend_from_slice(mesh.triangles.as_flattened());
    }
    let surfaces = shapes.surfaces.iter().map(|s| {
        let mesh = if let Form::Mesh(mesh) = s.form { json!(mesh) } else { Value::Null };
        json!({
            "name": s.name, "body": s.body, "position_m": s.position, "orientation": s.orientation,
            "mesh": mesh, "touches": s.touches, "areal": s.areal,
        })
    });
    container.header.insert("model".to_owned(), json!(hash));
    container.header.insert("gravity_m_s2".to_owned(), json!(shapes.gravity));
    container.header.insert("meshes".to_owned(), sizes.into());
    container.header.insert("surfaces".to_owned(), surfaces.collect());
    container.header.insert("centres_m".to_owned(), json!(shapes.centres));
    let links = shapes.links.iter().map(|link| {
        let (bodies, points): (Vec<_>, Vec<_>) = link.points.iter().copied().unzip();
        json!({ "name": link.name, "kind": link.kind, "bodies": bodies, "points_m": points, "axis": link.axis })
    });
    container.header.insert("links".to_owned(), links.collect());
    container.arrays.insert("vertices".to_owned(), Array::F64(vertices));
    container.arrays.insert("triangles".to_owned(), Array::U32(triangles));
    container
}

fn unpack(container: &Container) -> Option<Shapes> {
    let (mut vertices, mut triangles) = (container.f64s("vertices"), container.u32s("triangles"));
    let mut meshes = Vec::new();
    for size in container.header.get("meshes")?.as_array()? {
        let count = |index: usize| usize::try_from(size[index].as_u64()?).ok();
        let (own, rest) = vertices.split_at_checked(count(0)?.checked_mul(3)?)?;
        let (corners, others) = triangles.split_at_checked(count(1)?.checked_mul(3)?)?;
        (vertices, triangles) = (rest, others);
        let mesh = TriangleMesh {
            vertices: own.as_chunks().0.iter().map(|&[x, y, z]| [x, y, z].into()).collect(),
            triangles: corners.as_chunks().0.to_vec(),
        };
        let known = mesh.vertices.len();
        if mesh.triangles.as_flattened().iter().any(|&vertex| vertex as usize >= known) {
            return None;
        }
        meshes.push(Arc::new(mesh));
    }
    let surfaces = container.header.get("surfaces")?.as_array()?.iter();
    let surfaces = surfaces.map(|value| surface(value, meshes.len())).collect::<Option<_>>()?;
    let centres = container.header.get("centres_m")?.as_array()?.iter().map(numbers);
    let links = container.header.get("links")?.as_array()?.iter().map(link);
    Some(Shapes {
        gravity: numbers(container.header.get("gravity_m_s2")?)?,
        meshes,
        surfaces,
        centres: centres.collect::<Option<_>>()?,
        links: links.collect::<Option<_>>()?,
    })
}

fn surface(value: &Value, meshes: usize) -> Option<Surface> {
    let form = match &value["mesh"] {
        Value::Null => Form::HalfSpace,
        index => Form::Mesh(usize::try_from(index.as_u64()?).ok().filter(|index| *index < meshes)?),
    };
    Some(Surface {
        name: value["name"].as_str()?.to_owned(),
        body: usize::try_from(value["body"].as_u64()?).ok()?,
        position: numbers(&value["position_m"])?,
        orientation: numbers(&value["orientation"])?,
        form,
        touches: value["touches"].as_bool()?,
        areal: value["areal"].as_bool()?,
    })
}

fn link(value: &Value) -> Option<Link> {
    let bodies = value["bodies"].as_array()?.iter();
    let points = value["points_m"].as_array()?.iter();
    let point = |(body, at): (&Value, &Value)| Some((usize::try_from(body.as_u64()?).ok()?, numbers(at)?));
    Some(Link {
        name: value["name"].as_str()?.to_owned(),
        kind: serde_json::from_value(value["kind"].clone()).ok()?,
        points: bodies.zip(points).map(point).collect::<Option<_>>()?,
        axis: numbers(&value["axis"]),
    })
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let numbers: Vec<f64> = value.as_array()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::super::LinkKind;
    use super::*;
    use crate::SceneBody;
    use crate::fixture::{self, TempDir};

    fn sample() -> Shapes {
        let corner = |x: f64, y: f64| [x, y, 0.1].into();
        let mesh = TriangleMesh {
            vertices: vec![corner(0.1, 0.2), corner(1.0 / 3.0, 0.0), corner(0.0, 1e-300)],
            triangles: vec![[0, 1, 2], [2, 1, 0]],
        };
        let surface = |name: &str, body, form, areal| Surface {
            name: name.to_owned(),
            body,
            position: [0.1, 0.2, 0.3],
            orientation: [0.6, 0.0, 0.8, 0.0],
            form,
            touches: true,
            areal,
        };
        Shapes {
            gravity: [0.0, 0.0, -9.81],
            meshes: vec![Arc::new(mesh)],
            surfaces: vec![
                surface("floor", 0, Form::HalfSpace, false),
                surface("ball", 1, Form::Mesh(0), true),
            ],
            centres: vec![[0.0; 3], [0.1, 0.0, 0.0]],
            links: vec![Link {
                name: "hinge".to_owned(),
                kind: LinkKind::Joint,
                points: vec![(0, [0.1, 0.2, 0.3]), (1, [0.0; 3])],
                axis: Some([0.0, 0.6, 0.8]),
            }],
        }
    }

    fn scene(bodies: usize) -> Scene {
        let body = |n: usize| SceneBody { name: n.to_string(), fixed: false };
        Scene { bodies: (0..bodies).map(body).collect(), ..Scene::default() }
    }

    fn write(dir: &TempDir, shapes: &Shapes) -> Vec<u8> {
        let packed = zstd::bulk::compress(&pack(shapes, "abc").to_bytes(), LEVEL).unwrap();
        let bytes = [&MARK[..], blake3::hash(&packed).as_bytes(), &packed].concat();
        std::fs::write(dir.path().join(layout::SHAPES), &bytes).unwrap();
        bytes
    }

    #[test]
    fn shapes_come_back_with_every_bit() {
        let dir = TempDir::new("shapes");
        assert_eq!(read(dir.path(), &scene(2), "abc").unwrap(), None, "there are none");
        write(&dir, &sample());
        assert_eq!(read(dir.path(), &scene(2), "abc").unwrap(), Some(sample()));
        assert_eq!(read(dir.path(), &scene(2), "def").unwrap(), None, "of another model");
    }

    #[test]
    fn what_was_changed_or_does_not_fit_is_damage() {
        let dir = TempDir::new("shapes-damage");
        let bytes = write(&dir, &sample());
        let code = |bodies| read(dir.path(), &scene(bodies), "abc").unwrap_err().code();
        assert_eq!(code(1), "E0704", "there is no body 1");
        for at in [0, 10, 60, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            std::fs::write(dir.path().join(layout::SHAPES), &changed).unwrap();
            assert_eq!(code(2), "E0704", "byte {at}");
            std::fs::write(dir.path().join(layout::SHAPES), &bytes[..at]).unwrap();
            assert_eq!(code(2), "E0704", "cut at {at}");
        }
        let mut wrong = sample();
        Arc::make_mut(&mut wrong.meshes[0]).triangles[0][1] = 3;
        write(&dir, &wrong);
        assert_eq!(code(2), "E0704", "there is no vertex 3");
        let wrong = Shapes {
            surfaces: vec![Surface { form: Form::Mesh(7), ..sample().surfaces[1].clone() }],
            ..sample()
        };
        write(&dir, &wrong);
        assert_eq!(code(2), "E0704", "there is no mesh 7");
    }

    #[test]
    fn a_file_of_shapes_belongs_to_a_run() {
        let dir = TempDir::new("shapes-own");
        fixture::finished(dir.path(), &fixture::FakeRun::single_ball());
        write(&dir, &sample());
        fixture::folder(dir.path());
        assert!(dir.path().join(layout::SHAPES).is_file());
    }
}
