//! `carom new`.

use carom_math::Vec3;
use carom_results::RunData;
use carom_results::tables::Table;

use crate::kit::Folder;

#[test]
fn every_template_passes_check() {
    let folder = Folder::new();
    let list = folder.carom(&["new", "--list"]).exits(0).out;
    assert!(list.lines().count() >= 6, "{list}");
    for name in list.lines().filter_map(|line| line.split_whitespace().next()) {
        folder.carom(&["new", name]).exits(0);
        folder.carom(&["check", &format!("{name}.toml")]).exits(0);
    }
}

/// A template brings the meshes that it names, and replaces none.
#[test]
fn meshes_come_along() {
    let folder = Folder::new();
    folder.carom(&["new", "dirty-mesh", "mine.toml"]).exits(0);
    assert!(folder.read("dirty-ball.obj").starts_with("# A ball"));
    let said = folder.carom(&["new", "dirty-mesh", "second.toml"]).exits(2);
    assert!(said.err.contains("dirty-ball.obj\" exists and is not replaced"), "{}", said.err);
}

#[test]
fn a_file_is_not_replaced() {
    let folder = Folder::with("mine.toml", "mine");
    let said = folder.carom(&["new", "bouncing-ball", "mine.toml"]).exits(2);
    assert!(said.err.contains("\"mine.toml\" exists and is not replaced"), "{}", said.err);
    assert_eq!(folder.read("mine.toml"), "mine");
    folder.carom(&["new", "bouncing-ball", "deeper/still/ball.toml"]).exits(0);
    assert!(folder.path("deeper/still/ball.toml").is_file());
    folder.carom(&["new", "bouncing-ball", "deeper"]).exits(0);
    assert!(folder.path("deeper/bouncing-ball.toml").is_file());
}

#[test]
fn an_unknown_template_lists_the_known_ones() {
    let said = Folder::new().carom(&["new", "bouncing-bal"]).exits(2);
    assert!(said.err.contains("bouncing-ball"), "{}", said.err);
    Folder::new().carom(&["new"]).exits(2);
}

/// Triangles as a binary STL file.
fn stl(triangles: &[[Vec3; 3]]) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((triangles.len() as u32).to_le_bytes());
    for triangle in triangles {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flat_map(|p| [p.x, p.y, p.z]).flat_map(|x| (x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

/// Eight faces with corners at `radius`, each cut into four `times` times and blown up to the sphere.
fn ball(radius: f64, times: u32) -> Vec<[Vec3; 3]> {
    let mut faces = Vec::new();
    for octant in 0..8 {
        let sign = |bit: u32| if octant >> bit & 1 == 0 { radius } else { -radius };
        let [x, y, z] = [Vec3::x() * sign(0), Vec3::y() * sign(1), Vec3::z() * sign(2)];
        faces.push(if u32::count_ones(octant).is_multiple_of(2) { [x, y, z] } else { [x, z, y] });
    }
    for _ in 0..times {
        let four = |[a, b, c]: [Vec3; 3]| {
            let middle = |p: Vec3, q: Vec3| (p + q).normalize() * radius;
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        faces = faces.into_iter().flat_map(four).collect();
    }
    faces
}

/// What a mesh holds: the sum of the tetrahedra over its faces.
fn volume(faces: &[[Vec3; 3]]) -> f64 {
    faces.iter().map(|[a, b, c]| a.dot(&b.cross(c)) / 6.0).sum()
}

/// Two STL files to a picture with pressure: three commands.
#[test]
fn two_mesh_files_make_a_model_that_runs_and_is_seen() {
    let folder = Folder::new();
    // In millimetres, and the upper one beside the origin: it is put above the middle of the lower one.
    let upper: Vec<_> =
        ball(30.0, 4).into_iter().map(|face| face.map(|p| p + Vec3::new(7.0, 0.0, -50.0))).collect();
    std::fs::write(folder.path("lower.stl"), stl(&ball(50.0, 4))).unwrap();
    std::fs::write(folder.path("Upper part.stl"), stl(&upper)).unwrap();
    let said = folder.carom(&["new", "--from", "lower.stl", "Upper part.stl", "--unit", "mm"]).exits(0);
    let file = "upper_part-on-lower.toml";
    assert!(said.err.contains(&format!("wrote {file}; next: carom view {file}")), "{}", said.err);
    let checked = folder.carom(&["check", file, "--json"]).exits(0).json();
    assert_eq!(checked["warnings"], 0, "{checked}");
    let resolved = folder.carom(&["check", file, "--resolved"]).exits(0).out;
    let masses = resolved.lines().filter_map(|line| line.strip_prefix("mass = "));
    let mass: f64 = masses.filter_map(|value| value.trim().parse().ok()).next_back().expect("a mass");
    // 1000 kg/m^3; corners are singles.
    let wanted = 1000.0 * 1e-9 * volume(&upper);
    assert!((mass - wanted).abs() < 1e-5 * wanted, "{mass} and {wanted}");
    let run = folder.carom(&["run", file, "-o", "run", "--no-report", "--json"]).exits(0).json();
    assert_eq!(run["end"]["reason"], "finished");
    let data = RunData::open(&folder.path("run")).unwrap();
    // The gap is two hundredths of the smaller size, 1.2 mm, as a round number: 1 mm. Singles have it to 1e-8 m.
    let first = data.begins(0.0).unwrap()[0];
    assert!((first / (2e-3_f64 / 9.81).sqrt() - 1.0).abs() < 1e-3, "{first}");
    assert!(data.table(Table::Elements).unwrap().rows() > 0, "pressures");
    folder.carom(&["view", "run", "--png", "end", "-o", "end.png"]).exits(0);
    if carom_report::view::has_page() {
        folder.carom(&["view", "run", "--html", "run.html"]).exits(0);
    }
}

/// Nothing is guessed of a unit, no file is replaced, and all that cannot be read is told.
#[test]
fn parts_need_their_unit() {
    let folder = Folder::new();
    std::fs::write(folder.path("a.stl"), stl(&ball(50.0, 0))).unwrap();
    std::fs::write(folder.path("b.stl"), stl(&ball(30.0, 0))).unwrap();
    let says = |args: &[&str], parts: &[&str]| {
        let said = folder.carom(&[&["new", "--from"], args].concat()).exits(2);
        parts.iter().for_each(|part| assert!(said.err.contains(part), "{args:?}: {}", said.err));
    };
    says(&["a.stl", "b.stl"], &["do not say their unit", "\"a.stl\" is 100.000 across", "--unit mm"]);
    says(&["a.stl", "b.stl", "--unit", "kg"], &["\"kg\" is not a unit of length"]);
    says(&["a.stl", "c.stl", "d.stl", "--unit", "mm"], &["c.stl", "d.stl"]);
    says(&["a.stl"], &["--from"]);
    // Of the lower part, which stands, no mass is made that would tell.
    let turned: Vec<_> = ball(50.0, 0).into_iter().map(|[a, b, c]| [a, c, b]).collect();
    std::fs::write(folder.path("c.stl"), stl(&turned)).unwrap();
    says(&["c.stl", "b.stl", "--unit", "mm"], &["\"c.stl\" is inside out", "carom mesh repair c.stl"]);
    folder.carom(&["mesh", "repair", "c.stl", "d.stl", "--unit", "mm"]).exits(0);
    folder.carom(&["new", "--from", "d.stl", "b.stl", "--unit", "mm", "-o", "mended.toml"]).exits(0);
    for file in ["c.stl", "d.stl", "mended.toml"] {
        std::fs::remove_file(folder.path(file)).unwrap();
    }
    says(&["a.stl", "b.stl", "--unit", "mm", "--material", "Cheese"], &["Cheese", "Soft, Steel"]);
    assert_eq!(folder.list("."), ["a.stl", "b.stl"]);
    folder
        .carom(&[
            "new",
            "--from",
            "a.stl",
            "a.stl",
            "--unit",
            "cm",
            "--material",
            "Steel",
            "-o",
            "sub/two.toml",
        ])
        .exits(0);
    let text = folder.read("sub/two.toml");
    assert!(text.contains("../a.stl") && text.contains("[body.a_2]"), "{text}");
    folder.carom(&["check", "sub/two.toml"]).exits(0);
    says(&["a.stl", "a.stl", "--unit", "cm", "-o", "sub/two.toml"], &["exists and is not replaced"]);
}
