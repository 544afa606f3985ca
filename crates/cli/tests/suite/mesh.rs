//! `carom mesh`: what it tells of a file, and what it writes.

use carom_geometry::TriangleMesh;
use carom_geometry::surface::{Resolution, sphere};
use carom_io::read_mesh_file;

use crate::kit::Folder;

/// A box of 2 by 3 by 4 (in whatever unit) with outward triangles; the last two are its upper face.
const BOX: &str = "v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nv 0 0 4\nv 2 0 4\nv 2 3 4\nv 0 3 4\n\
    f 1 3 2\nf 1 4 3\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\nf 5 6 7\nf 5 7 8\n";

/// The upper face is missing, a triangle is turned and one is there twice.
fn broken() -> String {
    let whole = BOX.replace("f 5 6 7\nf 5 7 8\n", "").replace("f 3 4 8", "f 3 8 4");
    format!("{whole}f 1 3 2\n")
}

fn read(folder: &Folder, file: &str) -> TriangleMesh {
    read_mesh_file(&folder.path(file)).unwrap()
}

#[test]
fn info_tells_what_a_solid_is() {
    let folder = Folder::with("box.obj", BOX);
    let said = folder.carom(&["mesh", "info", "box.obj", "--unit", "cm"]).exits(0).out;
    for part in [
        "triangles 12 on 8 vertices",
        "parts     1 part: 1 closed, 0 open",
        "volume    2.40000e-5 m^3, centre at [0.0100000, 0.0150000, 0.0200000] m",
        "form      convex",
        "faults    none",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let object = folder.carom(&["mesh", "info", "box.obj", "--unit", "cm", "--json"]).exits(0).json();
    assert!((object["solid"]["volume_m3"].as_f64().unwrap() - 24e-6).abs() < 1e-18);
    // ρ V (b² + c²)/12 with ρ = 1 kg/m³.
    let inertia = object["solid"]["inertia_kg_m2"][0].as_f64().unwrap();
    assert!((inertia - 24e-6 * 25e-4 / 12.0).abs() < 1e-20, "{inertia}");
    assert_eq!((object["closed"].as_bool(), object["unit_hint"].is_null()), (Some(true), true));
}

#[test]
fn info_finds_what_is_broken_and_asks_about_the_unit() {
    let folder = Folder::with("bad.obj", &broken().replace("v 0 3 4", "v 0 30 4"));
    let said = folder.carom(&["mesh", "info", "bad.obj"]).exits(0).out;
    for part in ["1 border", "4 edges", "turned", "copies", "unit?", "--unit mm", "carom mesh repair"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let object = folder.carom(&["mesh", "info", "bad.obj", "--json"]).exits(0).json();
    assert_eq!(object["duplicate_triangles"]["count"], 1);
    assert_eq!(object["borders"][0]["edges"], 4);
    assert!(object["solid"].is_null() && object["no_solid"].as_str().unwrap().contains("not closed"));
}

#[test]
fn repair_counts_what_it_does() {
    let folder = Folder::with("bad.obj", &broken());
    let left = folder.carom(&["mesh", "repair", "bad.obj", "left.stl"]).exits(0);
    assert!(left.err.contains("1 border left") && left.err.contains("it is not closed"), "{}", left.err);
    assert_eq!(left.out, "left.stl\n");
    let args = ["mesh", "repair", "bad.obj", "good.ply", "--fill-holes", "4", "--json"];
    let done = folder.carom(&args).exits(0).json();
    for (key, count) in
        [("flipped_triangles", 1), ("dropped_copies", 1), ("filled_holes", 1), ("filling_triangles", 2)]
    {
        assert_eq!(done[key], count, "{key}");
    }
    assert_eq!(done["closed"], true);
    assert!((read(&folder, "good.ply").signed_volume() - 24.0).abs() < 1e-12);
    let again = folder.carom(&["mesh", "repair", "good.ply", "again.obj"]).exits(0);
    assert!(again.err.contains("nothing to repair"), "{}", again.err);
    assert_eq!(read(&folder, "again.obj"), read(&folder, "good.ply"));
}

#[test]
fn lengths_have_units_and_surfaces_stay() {
    let folder = Folder::with("box.obj", BOX);
    folder.carom(&["mesh", "subdivide", "box.obj", "fine.stl", "--unit", "mm", "--to", "0.3 mm"]).exits(0);
    let fine = read(&folder, "fine.stl");
    assert!(fine.topology().unwrap().longest_edge <= 0.3 && (fine.signed_volume() - 24.0).abs() < 1e-5);
    let args = ["mesh", "simplify", "fine.stl", "coarse.ply", "--unit", "mm", "--within", "1 um", "--json"];
    let done = folder.carom(&args).exits(0).json();
    assert!(done["deviation_at_most_m"].as_f64().unwrap() <= 1e-6);
    assert_eq!(done["triangles"].as_u64(), Some(12));
    folder.carom(&["mesh", "simplify", "fine.stl", "few.obj", "--to", "100"]).exits(0);
    assert!(read(&folder, "few.obj").triangles.len() <= 100);
}

/// A ball with a wall of 2 mm.
#[test]
fn what_would_cross_itself_is_not_written() {
    let shell = |radius: f64, is_inner: bool, first: usize| {
        let ball = sphere(radius, Resolution::Facets(1000)).unwrap();
        let vertices = ball.vertices.iter().map(|v| format!("v {} {} {}\n", v.x, v.y, v.z));
        let triangles = ball.triangles.iter().map(|t| {
            let [a, b, c] = t.map(|v| v as usize + first);
            if is_inner { format!("f {a} {c} {b}\n") } else { format!("f {a} {b} {c}\n") }
        });
        (vertices.chain(triangles).collect::<String>(), ball.vertices.len())
    };
    let (outer, vertices) = shell(1.0, false, 1);
    let (inner, _) = shell(0.998, true, vertices + 1);
    let folder = Folder::with("shell.obj", &(outer + &inner));
    let said = folder.carom(&["mesh", "simplify", "shell.obj", "few.stl", "--to", "200"]).exits(2);
    for part in ["E0302", "shell.obj", "it would cross itself", "--within"] {
        assert!(said.err.contains(part), "{part} in {}", said.err);
    }
    assert_eq!(folder.list("."), ["shell.obj"]);
    folder.carom(&["mesh", "simplify", "shell.obj", "few.stl", "--within", "20 mm"]).exits(0);
}

#[test]
fn mistakes_name_the_file_and_what_helps() {
    let folder = Folder::with("box.obj", BOX);
    let says = |args: &[&str], parts: &[&str]| {
        let said = folder.carom(args).exits(2);
        for part in parts {
            assert!(said.err.contains(part), "{part} in {}", said.err);
        }
    };
    says(&["mesh", "info", "bax.obj"], &["E0301", "bax.obj", "did you mean \"box.obj\"?"]);
    says(&["mesh", "repair", "box.obj", "box.step"], &["E0302", "box.step", ".stl, .obj or .ply"]);
    says(&["mesh", "repair", "box.obj", "box.obj"], &["E0713", "box.obj", "--force"]);
    says(
        &["mesh", "repair", "box.obj", "o.stl", "--tolerance", "1 km"],
        &["box.obj", "it has no triangle", "--tolerance"],
    );
    says(&["mesh", "subdivide", "box.obj", "o.stl", "--to", "1 um"], &["10000000 triangles", "--unit mm"]);
    says(&["mesh", "subdivide", "box.obj", "o.stl", "--to", "3 kg"], &["is not a length"]);
    says(&["mesh", "simplify", "box.obj", "o.stl"], &["--to", "--within"]);
    says(&["mesh", "info", "box.obj", "--unit", "kg"], &["\"kg\" is not a unit of length"]);
    assert_eq!(folder.list("."), ["box.obj"]);
    folder.carom(&["mesh", "repair", "box.obj", "box.obj", "--force"]).exits(0);
    assert_eq!(read(&folder, "box.obj").triangles.len(), 12);
}
