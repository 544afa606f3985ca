//! What another program reads in the file.

use carom_math::{Quaternion, Vec3};
use gltf::animation::util::{ReadOutputs, Rotations};

use super::super::tests::{ball, container, with_force};
use super::*;

/// A ball of 0.1 m that moves by 1 m along x, and one that stands; a force at the second output time.
fn stage() -> Stage {
    let bodies = [(ball(), Vec3::zeros(), true), (ball(), Vec3::new(0.0, 0.5, 0.0), false)];
    Stage::of_container(with_force(container(&bodies), [0.0, 0.5, 0.1], 7.0, 2.0)).unwrap()
}

fn read(bytes: &[u8]) -> (gltf::Document, Vec<u8>) {
    let file = gltf::Gltf::from_slice(bytes).unwrap();
    (file.document, file.blob.unwrap())
}

fn vector([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(f64::from(x), f64::from(y), f64::from(z))
}

/// Translations and scales of a node in its animation.
fn motion(document: &gltf::Document, blob: &[u8], name: &str) -> (Vec<f32>, Vec<Vec3>, Vec<Vec3>) {
    let nodes: Vec<usize> =
        document.nodes().filter(|node| node.name() == Some(name)).map(|node| node.index()).collect();
    let (mut times, mut translations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
    let channels = document.animations().flat_map(|animation| animation.channels().collect::<Vec<_>>());
    for channel in channels.filter(|channel| nodes.contains(&channel.target().node().index())) {
        let reader = channel.reader(|_| Some(blob));
        times = reader.read_inputs().unwrap().collect();
        match reader.read_outputs().unwrap() {
            ReadOutputs::Translations(values) => translations = values.map(vector).collect(),
            ReadOutputs::Scales(values) => scales = values.map(vector).collect(),
            ReadOutputs::Rotations(Rotations::F32(values)) => {
                assert!(
                    values.into_iter().all(|q| (q.iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-6)
                );
            }
            _ => panic!("no other outputs were written"),
        }
    }
    (times, translations, scales)
}

#[test]
fn bodies_are_nodes_that_move_as_they_did() {
    let (bytes, _) = glb(&stage());
    let (document, blob) = read(&bytes);
    let (times, places, _) = motion(&document, &blob, "b0");
    assert_eq!(times, [0.0, 1.0]);
    assert!((places[1] - places[0] - Vec3::x()).norm() < 1e-6, "{places:?}");
    assert!(motion(&document, &blob, "b1").1.is_empty());
    // Both are one mesh of a sphere, in a colour each.
    for name in ["b0", "b1"] {
        let body = document.nodes().find(|node| node.name() == Some(name) && node.mesh().is_none()).unwrap();
        let mesh = body.children().next().unwrap().mesh().unwrap();
        let primitive = mesh.primitives().next().unwrap();
        let reader = primitive.reader(|_| Some(&blob));
        let vertices: Vec<Vec3> = reader.read_positions().unwrap().map(vector).collect();
        let normals: Vec<Vec3> = reader.read_normals().unwrap().map(vector).collect();
        assert!(vertices.iter().zip(&normals).all(|(p, n)| (p.norm() - 0.1).abs() < 1e-6 && n.dot(p) > 0.09));
        let corners: Vec<u32> = reader.read_indices().unwrap().into_u32().collect();
        let volume: f64 = corners
            .as_chunks::<3>()
            .0
            .iter()
            .map(|c| {
                let [a, b, c] = c.map(|k| vertices[k as usize]);
                a.dot(&b.cross(&c)) / 6.0
            })
            .sum();
        let sphere = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
        assert!((0.9..1.0).contains(&(volume / sphere)), "{volume}");
    }
}

/// The world's z axis, against gravity, is glTF's y.
#[test]
fn what_is_up_is_up() {
    let (bytes, _) = glb(&stage());
    let (document, _) = read(&bytes);
    let root = document.scenes().next().unwrap().nodes().next().unwrap();
    let (_, [x, y, z, w], _) = root.transform().decomposed();
    let turn = Quaternion::new(w.into(), x.into(), y.into(), z.into()).to_matrix();
    assert!((turn * Vec3::z() - Vec3::y()).norm() < 1e-6);
    assert!(turn.determinant() > 0.999);
}

#[test]
fn forces_are_arrows_while_they_act() {
    let (bytes, notes) = glb(&stage());
    let (document, blob) = read(&bytes);
    let (_, places, normal) = motion(&document, &blob, "normal force");
    let (_, _, friction) = motion(&document, &blob, "friction");
    assert_eq!((normal[0].z, friction[0].z), (0.0, 0.0));
    assert!(normal[1].z > 0.0 && (friction[1].z / normal[1].z - 2.0 / 7.0).abs() < 1e-5);
    assert!((places[1] - Vec3::new(0.0, 0.5, 0.1)).norm() < 1e-6);
    assert_eq!(notes, ["The longest arrow is a force of 7.000e0 N."]);
    assert_eq!(bytes, glb(&stage()).0, "equal runs are equal bytes");
}
