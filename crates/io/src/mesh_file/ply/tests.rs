//! Files in all three formats against the mesh they were written from, and files with one mistake each.

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

use super::parse;

const TETRAHEDRON: &str = "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 4\nproperty float x\n\
    property float y\nproperty double z\nproperty uchar red\nelement face 4\nproperty list uchar int vertex_indices\n\
    end_header\n0 0 0 255\n1 0 0 255\n0 1 0 0\n0 0 1 0\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

fn tetrahedron() -> TriangleMesh {
    TriangleMesh {
        vertices: vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    }
}

/// A binary file with another element first, normals, a list in the vertices and short indices.
fn binary(mesh: &TriangleMesh, big: bool) -> Vec<u8> {
    let name = if big { "binary_big_endian" } else { "binary_little_endian" };
    let mut file = format!(
        "ply\r\nformat {name} 1.0\r\nobj_info test\r\nelement camera 1\r\nproperty short id\r\nproperty uint size\r\n\
         element vertex {}\r\nproperty double x\r\nproperty double y\r\nproperty float nx\r\nproperty double z\r\n\
         property list ushort uchar tags\r\nelement face {}\r\nproperty char flag\r\n\
         property list int ushort vertex_index\r\nend_header\r\n",
        mesh.vertices.len(),
        mesh.triangles.len()
    )
    .into_bytes();
    let mut put = |little: &[u8]| {
        if big { file.extend(little.iter().rev()) } else { file.extend(little) }
    };
    put(&(-2_i16).to_le_bytes());
    put(&7_u32.to_le_bytes());
    for v in &mesh.vertices {
        put(&v.x.to_le_bytes());
        put(&v.y.to_le_bytes());
        put(&0.5_f32.to_le_bytes());
        put(&v.z.to_le_bytes());
        put(&2_u16.to_le_bytes());
        put(&[10]);
        put(&[13]);
    }
    for triangle in &mesh.triangles {
        put(&[255]);
        put(&3_i32.to_le_bytes());
        triangle.iter().for_each(|k| put(&(*k as u16).to_le_bytes()));
    }
    file
}

#[test]
fn all_three_formats_give_the_mesh_to_the_bit() {
    assert_eq!(parse(TETRAHEDRON.as_bytes()).unwrap(), tetrahedron());
    let mut mesh = carom_geometry::surface::torus_grid(1.0, 0.3, 20, 10).unwrap();
    mesh.vertices[3].x = -1.0 / 3.0;
    for big in [false, true] {
        assert_eq!(parse(&binary(&mesh, big)).unwrap(), mesh);
    }
}

#[test]
fn polygons_are_fans() {
    let file = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n\
        element face 1\nproperty list uchar uint vertex_indices\nend_header\n\
        0 0 0  1 0 0  2 1 0  1 2 0  0 1 0\n5 0 1 2 3 4\n";
    assert_eq!(parse(file.as_bytes()).unwrap().triangles, [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
}

/// Each mistake with what its message must name.
#[test]
fn mistakes_are_named() {
    let change = |from: &str, to: &str| {
        assert!(TETRAHEDRON.contains(from), "{from}");
        TETRAHEDRON.replacen(from, to, 1)
    };
    for (file, named) in [
        ("plywood\n".to_owned(), "line 1 of its header is \"plywood\""),
        ("ply\nformat ascii 1.0\n".to_owned(), "no line \"end_header\" in 21 bytes"),
        (change("format ascii 1.0\n", ""), "no line \"format\""),
        (change("ascii 1.0", "ascii 2.0"), "line 2 of its header is \"format ascii 2.0\""),
        (change("float x", "real x"), "line 5 of its header is \"property real x\""),
        (change("float y", "float x"), "line 6"),
        (change("element face", "element vertex"), "line 9"),
        (change("list uchar", "list float"), "line 10"),
        (change("vertex 4", "vertex -4"), "line 4"),
        (change("element vertex 4\n", ""), "line 4"),
        (change("float y", "float v"), "no number \"y\""),
        (change("vertex_indices", "corners"), "no list \"vertex_indices\""),
        (change("uchar int", "uchar float"), "not of an integer type"),
        (change("vertex 4", "vertex 5"), "face 3 of 4: the file ends here"),
        (change("vertex 4", "vertex 3"), "face 0 has 0 corners"),
        (change("face 4", "face 3"), "7 bytes follow"),
        (
            change("vertex 4", "vertex 4000000000"),
            "4000000000 items \"vertex\" need at least 32000000000 bytes",
        ),
        (change("vertex 4", "vertex 18446744073709551615"), "items \"vertex\" need at least"),
        (change("3 0 2 1", "2 0 2"), "face 0 has 2 corners"),
        (change("3 0 2 1", "3 0 2 -1"), "face 0 asks for vertex -1"),
        (change("3 0 2 1", "3 0 2 1.5"), "face 0 asks for vertex 1.5"),
        (change("3 0 2 1", "3 0 nan 1"), "face 0 asks for vertex NaN"),
        (change("3 0 2 1", "1e9 0 2 1"), "face 0 of 4: a list of 1000000000 numbers"),
        (change("1 0 0 255", "1 O 0 255"), "vertex 1 of 4: \"O\" is not a number"),
    ] {
        let error = parse(file.as_bytes()).unwrap_err();
        assert!(error.code == "E0302" && error.reason.contains(named), "{named}: {}", error.reason);
    }
    let whole = binary(&tetrahedron(), false);
    let cut = parse(&whole[..whole.len() - 1]).unwrap_err();
    assert!(cut.reason.contains("face 3 of 4: the file ends here"), "{}", cut.reason);
    let shorter = parse(&whole[..whole.len() - 40]).unwrap_err();
    assert!(
        shorter.reason.contains("4 items \"face\" need at least 20 bytes, 4 are left"),
        "{}",
        shorter.reason
    );
}

/// Bytes changed, removed and put in at random: a mesh or an error, never a panic, and no more memory than the file
/// can fill.
#[test]
fn mutations_do_not_panic() {
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        // Knuth's MMIX generator.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let files =
        [TETRAHEDRON.as_bytes().to_vec(), binary(&tetrahedron(), false), binary(&tetrahedron(), true)];
    let mut read = 0;
    for round in 0..30_000 {
        let mut file = files[round % 3].clone();
        for _ in 0..=random(4) {
            let at = random(file.len());
            match random(4) {
                0 => file[at] = random(256) as u8,
                1 => file[at] ^= 1 << random(8),
                2 => file.insert(at, b"0129 -.e\nnf\x00\xff"[random(13)]),
                _ => drop(file.remove(at)),
            }
        }
        if let Ok(mesh) = parse(&file) {
            read += 1;
            assert!(mesh.vertices.len() + mesh.triangles.len() < file.len());
        }
    }
    assert!(read > 1000, "{read}: mutations are too strong to reach the numbers");
}
