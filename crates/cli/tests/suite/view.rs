//! `view`: one file, a server for this machine, and what either says where it cannot.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use carom_math::{Quaternion, Vec3};
use carom_report::view::{Limits, has_page, pack_run};
use carom_results::tables::Table;
use carom_results::{Array, Container, Form, RunData};

use crate::kit::{DROP, Folder, said};

fn dropped() -> Folder {
    let folder = Folder::with("drop.toml", DROP);
    folder.carom(&["run", "drop.toml", "-o", "run"]).exits(0);
    folder
}

/// Built where there was no npm, the program says so; nothing else can be tried then.
fn says_there_is_no_page(folder: &Folder) -> bool {
    if has_page() {
        return false;
    }
    let said = folder.carom(&["view", "run", "--html", "run.html"]).exits(2);
    assert!(said.err.contains("error[E0714]") && said.err.contains("Node.js"), "{}", said.err);
    true
}

#[test]
fn a_run_has_the_shapes_of_its_bodies() {
    let folder = dropped();
    let shapes = RunData::open(&folder.path("run")).unwrap().shapes().unwrap().expect("the run has shapes");
    let forms: Vec<_> =
        shapes.surfaces.iter().map(|s| (s.name.as_str(), s.body, s.form, s.touches)).collect();
    assert_eq!(forms, [("floor", 0, Form::HalfSpace, true), ("ball", 1, Form::Mesh(0), true)]);
    assert_eq!(shapes.gravity, [0.0, 0.0, -9.81]);
    let [mesh] = &shapes.meshes[..] else { panic!("one mesh") };
    assert!(mesh.vertices.iter().all(|v| (v.norm() - 0.1).abs() < 1e-15));
    // Shapes of another model in the folder are no shapes of this run.
    let foreign = Folder::with("other.toml", &DROP.replace("\"1 kg\"", "\"2 kg\""));
    foreign.carom(&["run", "other.toml", "-o", "run"]).exits(0);
    std::fs::copy(foreign.path("run/shapes.bin"), folder.path("run/shapes.bin")).unwrap();
    assert!(RunData::open(&folder.path("run")).unwrap().shapes().unwrap().is_none());
}

/// A ball that overlaps a box, hung on a hinge with limits.
const START: &str = r#"
format = 1
name   = "start"

[world]
gravity = [0, 0, "-9.81 m/s^2"]

[law.bounce]
point = { normal = "hunt-crossley", stiffness = "1e7 N/m^1.5", restitution = 0.8 }

[body.block]
fixed = true
shape = { type = "box", size = ["1 m", "1 m", "0.2 m"] }

[body.ball]
mass  = "1 kg"
inertia = "0.01 kg*m^2"
pos   = [0, 0, "0.18 m"]
shape = { type = "sphere", radius = "0.1 m" }

[body.arm]
mass  = "1 kg"
inertia = "0.01 kg*m^2"

[joint.hinge]
type  = "revolute"
axis  = "-y"
a     = { body = "world", at = [0, "2 m", "1 m"] }
b     = { body = "arm", at = ["-0.5 m", 0, 0] }
position = "30 deg"
limit = { lower = "-45 deg", upper = "60 deg" }

[contact]
rest = { a = "block", b = "ball", method = "analytic", law = "bounce" }

[solver]
t_end = "1 s"
"#;

/// A model alone shows how it starts: no run is made of it, and none is left.
#[test]
fn a_model_alone_shows_its_start() {
    let folder = Folder::with("start.toml", START);
    folder.carom(&["view", "start.toml", "--png", "start"]).exits(0);
    assert_eq!(folder.list("."), ["start.png", "start.toml"]);
    let said = folder.carom(&["view", "start.toml", "--mp4"]).exits(2);
    assert!(
        said.err.contains("only a run moves") && said.err.contains("carom run start.toml"),
        "{}",
        said.err
    );
    if !has_page() {
        return;
    }
    let said = folder.carom(&["view", "start.toml", "--html", "start.html"]).exits(0);
    assert!(said.err.contains("warning[W0401]"), "{}", said.err);
    let html = folder.read("start.html");
    let (_, rest) = html.split_once("id=\"run\">").unwrap();
    let text = rest.split_once("</script>").unwrap().0;
    let packed = base64::engine::Engine::decode(&base64::engine::general_purpose::STANDARD, text).unwrap();
    let page = unpacked(&packed);
    let start = &page.header["start"];
    assert_eq!(page.f64s("times"), [0.0]);
    let axis = &start["joints"][0]["axes"][0];
    let degrees = |key: &str| axis[key].as_f64().unwrap().to_degrees();
    for (key, wanted) in [("value", 30.0), ("lower", -45.0), ("upper", 60.0)] {
        assert!((degrees(key) - wanted).abs() < 1e-12, "{key}: {}", degrees(key));
    }
    let direction: Vec<f64> = serde_json::from_value(axis["direction"].clone()).unwrap();
    assert!((direction[1] + 1.0).abs() < 1e-15, "{direction:?}");
    // The hinge holds the arm's end: its frame is half a metre along, 30 degrees up.
    let arm = page.header["bodies"].as_array().unwrap().iter().find(|body| body["name"] == "arm").unwrap();
    let row = 3 * arm["pose"].as_u64().unwrap() as usize;
    let origin: Vec<f64> = serde_json::from_value(page.header["origin_m"].clone()).unwrap();
    let at: Vec<f64> = (0..3).map(|k| f64::from(page.f32s("positions")[row + k]) + origin[k]).collect();
    let turn = 30.0_f64.to_radians();
    let wanted = [0.5 * turn.cos(), 2.0, 1.0 + 0.5 * turn.sin()];
    assert!(at.iter().zip(wanted).all(|(a, w)| (a - w).abs() < 1e-6), "{at:?}");
    assert_eq!(start["lines"][0]["surfaces"], serde_json::json!([["block", "ball"]]));
    let overlap = &start["overlaps"][0];
    assert_eq!((overlap["a"].as_str(), overlap["pair"].as_str()), (Some("block"), Some("rest")));
    // Radius and half of the height, less the distance of the centres.
    let way: Vec<f64> = serde_json::from_value(overlap["way_m"].clone()).unwrap();
    assert!((way[2] - 0.02).abs() < 1e-12 && way[0].abs() + way[1].abs() < 1e-12, "{way:?}");
    assert!(start["warnings"][0].as_str().unwrap().starts_with("W0401"));
    assert_eq!(folder.list("."), ["start.html", "start.png", "start.toml"]);
}

/// Mistakes of a model are told as `check` tells them; `--set` changes it first.
#[test]
fn a_model_with_mistakes_is_told() {
    let folder = dropped();
    folder.write("bad.toml", &DROP.replace("\"1 kg\"", "\"-1 kg\""));
    let said = folder.carom(&["view", "bad.toml", "--png", "start"]).exits(2);
    assert!(said.err.contains("bad.toml:") && said.err.contains("mass"), "{}", said.err);
    folder.carom(&["view", "bad.toml", "--set", "body.ball.mass=1 kg", "--png", "start"]).exits(0);
    let said = folder.carom(&["view", "run", "--set", "body.ball.mass=1 kg", "--png", "start"]).exits(2);
    assert!(said.err.contains("--set changes a model"), "{}", said.err);
    let said = folder.carom(&["view", "run/states.parquet", "--png", "start"]).exits(2);
    assert!(said.err.contains("is a file of a run") && said.err.contains("carom view run"), "{}", said.err);
}

#[test]
fn one_file_has_the_run_and_is_not_replaced_unasked() {
    let folder = dropped();
    if says_there_is_no_page(&folder) {
        assert!(folder.read("run/report.html").contains("src=\"data:image/png;base64,"), "stills stand in");
        return;
    }
    folder.carom(&["view", "run", "--html", "run.html"]).exits(0);
    let first = folder.read("run.html");
    assert!(first.starts_with("<!DOCTYPE html>") && !first.contains("@CAROM-RUN@"));
    let said = folder.carom(&["view", "run", "--html", "run.html"]).exits(2);
    assert!(said.err.contains("error[E0713]"), "{}", said.err);
    assert_eq!(
        folder.carom(&["view", "run", "--html", "run.html", "--force"]).exits(0).last_line(),
        "run.html"
    );
    assert_eq!(folder.read("run.html"), first, "equal runs are equal pages");
    let report = folder.read("run/report.html");
    assert!(report.find("id=\"scene\"").unwrap() < report.find("class=\"cards\"").unwrap());
}

#[test]
fn a_page_is_as_small_as_asked() {
    let folder = Folder::with("drop.toml", &DROP.replace("every = \"10 ms\"", "every = \"0.1 ms\""));
    folder.carom(&["run", "drop.toml", "-o", "run", "--no-report"]).exits(0);
    if says_there_is_no_page(&folder) {
        return;
    }
    folder.carom(&["view", "run", "--html", "large.html"]).exits(0);
    let large = folder.read("large.html").len();
    let said = folder.carom(&["view", "run", "--html", "small.html", "--size", "900kB"]).exits(0);
    assert!(said.err.contains("of 10001 output times are shown"), "{}", said.err);
    let small = folder.read("small.html").len();
    assert!(large > 1_000_000 && small <= 900_000 && small > 680_000, "{large} and {small} bytes");
    folder.carom(&["view", "run", "--html", "x.html", "--size", "tiny"]).exits(2);
    folder.carom(&["view", "run", "--port", "0", "--html", "x.html"]).exits(2);
}

/// A server that goes away with its test.
struct Server(Child, u16);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    fn start(folder: &Folder) -> Self {
        let mut command = folder.command(&["view", "run", "--no-open"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().trim_end_matches('/').rsplit_once(':').unwrap().1.parse().unwrap();
        Self(child, port)
    }

    /// Status and whole answer to a request as it stands.
    fn ask(&self, request: &str, host: &str) -> (u16, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.1)).unwrap();
        write!(stream, "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let status = String::from_utf8_lossy(&answer[9..12]).parse().unwrap();
        (status, answer)
    }
}

#[test]
fn the_server_has_the_page_and_the_run_and_nothing_else() {
    let folder = dropped();
    if says_there_is_no_page(&folder) {
        return;
    }
    let server = Server::start(&folder);
    let host = format!("127.0.0.1:{}", server.1);
    let (status, page) = server.ask("GET /", &host);
    assert!(status == 200 && String::from_utf8_lossy(&page).contains("text/html; charset=utf-8"));
    let (status, data) = server.ask("GET /run.bin?x", &host);
    // The answer ends with what gzip begins with somewhere behind the headers.
    assert!(status == 200 && data.windows(2).any(|two| two == [0x1f, 0x8b]));
    for path in [
        "/run.json",
        "/../run/run.json",
        "/%2e%2e/run/run.json",
        "//run.json",
        "/run/model.toml",
        "/favicon.ico",
    ] {
        assert_eq!(server.ask(&format!("GET {path}"), &host).0, 404, "{path}");
    }
    assert_eq!(server.ask("POST /", &host).0, 405);
    // Another name that leads to this address is not asked by this user.
    assert_eq!(server.ask("GET /run.bin", "evil.example").0, 403);
    assert_eq!(server.ask("GET /run.bin", &format!("localhost:{}", server.1)).0, 200);
}

/// Folders of runs that are not whole, of other programs or of other versions: never a panic; what is there is shown.
#[test]
fn runs_that_are_not_whole_are_shown_as_far_as_they_go() {
    let folder = dropped();
    if says_there_is_no_page(&folder) {
        return;
    }
    let view = ["view", "run", "--html", "run.html", "--force"];
    let shown = |what: &str| {
        let said = folder.carom(&view).exits(0);
        assert!(said.err.contains(what), "{what}: {}", said.err);
    };
    let bytes = |file: &str| std::fs::read(folder.path(file)).unwrap();
    let whole = |file: &str, bytes: &[u8]| std::fs::write(folder.path(file), bytes).unwrap();
    let shapes = bytes("run/shapes.bin");
    whole("run/shapes.bin", &shapes[..shapes.len() / 2]);
    shown("Shapes are missing");
    std::fs::remove_file(folder.path("run/shapes.bin")).unwrap();
    shown("no shapes of this run");
    whole("run/shapes.bin", &shapes);
    let states = bytes("run/states.parquet");
    whole("run/states.parquet", b"PAR1");
    shown("Motion is missing");
    std::fs::remove_file(folder.path("run/states.parquet")).unwrap();
    shown("Motion is missing");
    whole("run/states.parquet", &states);
    let manifest = folder.read("run/run.json");
    let refused = |what: &str| {
        let said = folder.carom(&view).exits(2);
        assert!(said.err.contains("error[E07") && said.err.contains(what), "{}", said.err);
    };
    folder.write("run/run.json", &manifest[..manifest.len() / 2]);
    refused("run.json");
    folder.write("run/run.json", "{}");
    refused("schema 0");
    // Nobody has changed its version but by hand, which is noticed first.
    folder.write("run/run.json", &manifest.replacen("\"schema\": 3", "\"schema\": 99", 1));
    refused("changed after it was written");
    folder.write("run/run.json", &manifest);
    folder.carom(&view).exits(0);
}

#[test]
fn what_is_no_run_is_refused() {
    let folder = Folder::with("drop.toml", DROP);
    let said = folder.carom(&["view", "nothing", "--html", "x.html"]).exits(2);
    assert!(said.err.contains(if has_page() { "error[E0701]" } else { "error[E0714]" }), "{}", said.err);
    assert!(!folder.path("x.html").exists());
}

/// Two runs are in one page; a model and a run, or what is no run, are told, and so is a picture of two.
#[test]
fn two_runs_share_a_page() {
    let folder = dropped();
    if says_there_is_no_page(&folder) {
        return;
    }
    folder.carom(&["view", "run", "--html", "one.html"]).exits(0);
    folder.carom(&["view", "run", "run", "--html", "two.html"]).exits(0);
    let data =
        folder.read("one.html").split("id=\"run\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let page = folder.read("two.html");
    assert_eq!(page.matches(&data).count(), 2);
    assert!(page.contains(&format!("id=\"other\">{data}<")));
    let said = folder.carom(&["view", "run", "drop.toml", "--html", "x.html"]).exits(2);
    assert!(said.err.contains("drop.toml") && said.err.contains("only runs are compared"), "{}", said.err);
    assert!(folder.carom(&["view", "run", "nothing", "--html", "x.html"]).exits(2).err.contains("E0701"));
    assert!(
        folder.carom(&["view", "run", "run", "--png", "end"]).exits(2).err.contains("cannot be used with")
    );
}

/// A ball sinks into a plate: all elements at all output times.
const AREAL: &str = r#"
format = 1
name   = "sink"

[world]
gravity = [0, 0, "-9.81 m/s^2"]

[law.foam]
E = "1 MPa"
nu = 0.3
pcm = { layer = "10 mm" }

[body.plate]
fixed = true
pos   = [0, 0, "-50 mm"]
shape = { type = "box", size = ["1 m", "1 m", "100 mm"] }

[body.ball]
mass  = "1 kg"
pos   = ["13 mm", "7 mm", "99.5 mm"]
omega = ["1 rad/s", "2 rad/s", "3 rad/s"]
shape = { type = "sphere", radius = "0.1 m", facets = 20000 }

[contact]
drop = { a = "plate", b = "ball", method = "pcm", law = "foam", base = "b", accuracy = "off" }

[solver]
t_end = "0.05 s"

[output]
every   = "5 ms"
patches = "5 ms"
"#;

/// `element` of the tables is the number of a triangle of the shape; what a page has of them adds up to the force.
#[test]
fn elements_are_triangles_of_the_shapes_and_carry_the_force() {
    let folder = Folder::with("sink.toml", AREAL);
    folder.carom(&["run", "sink.toml", "-o", "run", "--no-report"]).exits(0);
    let data = RunData::open(&folder.path("run")).unwrap();
    let shapes = data.shapes().unwrap().expect("the run has shapes");
    let ball = shapes.surfaces.iter().find(|surface| surface.name == "ball").unwrap();
    let Form::Mesh(mesh) = ball.form else { panic!("a ball has triangles") };
    assert!(ball.areal && shapes.meshes[mesh].triangles.len() > 10_000);
    let rows = data.table(Table::Elements).unwrap();
    let float = |name: &str| rows.floats(name).unwrap();
    let (times, numbers) = (float("time"), rows.counts("element").unwrap());
    let frame_times = data.times().unwrap();
    let mut checked = 0;
    for row in (0..rows.rows()).step_by(7) {
        let Some(frame) = frame_times.iter().position(|time| *time == times[row]) else { continue };
        let state = |base: &str| data.state(&format!("ball.{base}")).unwrap().unwrap().1[frame];
        let turn = Quaternion::new(state("qw"), state("qx"), state("qy"), state("qz")).to_matrix();
        let place = Vec3::new(state("x"), state("y"), state("z"));
        for (corner, vertex) in shapes.meshes[mesh].triangle(numbers[row]).into_iter().enumerate() {
            let recorded = Vec3::from(["x", "y", "z"].map(|axis| float(&format!("{axis}{corner}"))[row]));
            assert!((turn * vertex + place - recorded).norm() < 1e-12, "row {row}, corner {corner}");
        }
        checked += 1;
    }
    assert!(checked > 100, "{checked} elements");

    let page = unpacked(&pack_run(&folder.path("run"), &Limits::of_file(usize::MAX)).unwrap().bytes);
    let (Array::I16(parts), Array::U32(of)) = (&page.arrays["pressure"], &page.arrays["pressure_element"])
    else {
        panic!("parts of the greatest pressure, and numbers of elements")
    };
    let scale = page.header["pressure_scale_pa"][0].as_f64().unwrap();
    let corners = page.f32s("element_corners");
    let force = data.series("drop.fn").unwrap().values;
    for (frame, force) in force.iter().enumerate() {
        let span =
            page.u32s("pressure_start")[frame] as usize..page.u32s("pressure_start")[frame + 1] as usize;
        let mut sum = Vec3::zeros();
        for row in span {
            let own = &corners[9 * of[row] as usize..][..9];
            let [a, b, c] = [0, 3, 6].map(|k| Vec3::new(own[k].into(), own[k + 1].into(), own[k + 2].into()));
            sum += (b - a).cross(&(c - a)) * (0.5 * f64::from(parts[row]) / 32_767.0 * scale);
        }
        // Pressures have 15 bits; corners are singles, of triangles a hundred times smaller than the ball.
        assert!((sum.norm() - force).abs() <= 1e-4 * force, "{} and {force} at frame {frame}", sum.norm());
    }
    assert!(force.iter().any(|force| *force > 1.0));
}

fn unpacked(bytes: &[u8]) -> Container {
    let mut contents = Vec::new();
    flate2::read::GzDecoder::new(bytes).read_to_end(&mut contents).unwrap();
    Container::from_bytes(&contents).unwrap()
}

/// Pixels across and down that a PNG file says it has.
fn pixels_of(file: &[u8]) -> [u32; 2] {
    assert_eq!(&file[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()))
}

/// Pictures need no page. One is as large as asked for, the same each time, and not replaced unasked.
#[test]
fn a_picture_is_drawn_without_a_browser() {
    let folder = dropped();
    let bytes = |file: &str| std::fs::read(folder.path(file)).unwrap();
    assert_eq!(folder.carom(&["view", "run", "--png", "t=0.45s"]).exits(0).last_line(), "run.png");
    assert_eq!(pixels_of(&bytes("run.png")), [1200, 800]);
    let small = ["view", "run", "--png", "450ms", "--size", "320x240", "-o", "small.png"];
    assert_eq!(folder.carom(&small).exits(0).last_line(), "small.png");
    let first = bytes("small.png");
    assert_eq!(pixels_of(&first), [320, 240]);
    let said = folder.carom(&small).exits(2);
    assert!(said.err.contains("error[E0713]") && said.err.contains("--force"), "{}", said.err);
    folder.carom(&[&small[..], &["--force"]].concat()).exits(0);
    assert_eq!(bytes("small.png"), first, "equal runs are equal pictures");
    folder.carom(&[&small[..], &["--force", "--camera", "-30,60,1.5", "--around", "ball"]].concat()).exits(0);
    assert_ne!(bytes("small.png"), first);
    folder.carom(&["view", "run", "--filmstrip", "4", "-o", "strip.png"]).exits(0);
    assert_eq!(pixels_of(&bytes("strip.png")), [1200, 260]);
    for moment in ["start", "end", "0"] {
        folder.carom(&["view", "run", "--png", moment, "--size", "64x64", "--force"]).exits(0);
    }
}

/// What cannot be drawn is named, with what to do, and leaves no file.
#[test]
fn a_picture_that_cannot_be_is_told() {
    let folder = dropped();
    let says = |args: &[&str], parts: &[&str]| {
        let said = folder.carom(&[&["view", "run"], args].concat()).exits(2);
        parts.iter().for_each(|part| assert!(said.err.contains(part), "{args:?}: {}", said.err));
    };
    let at = ["--png", "0.5"];
    says(&["--png", "9"], &["from 0 s to 1 s", "9 s is outside", "start"]);
    says(&["--png", "t=-1ms"], &["-0.001 s is outside"]);
    says(&["--png", "noon"], &["t=4.5s"]);
    says(&[&at[..], &["--around", "bal"]].concat(), &["no body \"bal\"", "floor, ball"]);
    says(&[&at[..], &["--camera", "below"]].concat(), &["AZ,EL[,ZOOM]"]);
    says(&[&at[..], &["--size", "1200"]].concat(), &["in pixels", "1200x800"]);
    says(&[&at[..], &["--size", "10x10"]].concat(), &["64 to 8192 pixels"]);
    says(&[&at[..], &["--size", "8000x8000"]].concat(), &["3840x2160"]);
    says(&["--filmstrip", "0"], &["1 to 24"]);
    says(&["--filmstrip", "10", "--size", "320x240"], &["10 pictures", "640 pixels"]);
    says(&["--filmstrip", "4", "--png", "0"], &["cannot be used with"]);
    says(&["--camera", "iso"], &["--camera", "--png TIME"]);
    says(&["--html", "x.html", "--camera", "iso"], &["cannot be used with"]);
    assert_eq!(folder.list("."), ["drop.toml", "run"]);
    folder.carom(&["view", "nothing", "--png", "0"]).exits(2);
}

/// Without ffmpeg a film is an animated PNG, and the program says so.
#[test]
fn a_film_without_ffmpeg_is_an_animated_picture() {
    let folder = dropped();
    let film = |args: &[&str]| {
        said(
            folder
                .command(&[&["view", "run", "--size", "96x65"], args].concat())
                .env("PATH", folder.path("none")),
        )
    };
    let told = film(&["--mp4"]).exits(0);
    assert_eq!(told.last_line(), "run.png");
    assert!(told.err.contains("ffmpeg is not installed"), "{}", told.err);
    let bytes = std::fs::read(folder.path("run.png")).unwrap();
    assert_eq!(pixels_of(&bytes), [96, 66], "even sides");
    let at = bytes.windows(4).position(|word| word == b"acTL").expect("it is animated");
    assert_eq!(bytes[at + 4..at + 8], 41_u32.to_be_bytes(), "four seconds of ten pictures, and the last");
    let again = film(&["--mp4"]).exits(2);
    assert!(again.err.contains("error[E0713]"), "{}", again.err);
    assert!(film(&["--mp4", "x.mp4", "-o", "y.png"]).exits(2).err.contains("cannot be used with"));
}

/// ffmpeg gets every pixel of every picture; what it says where it fails is told.
#[cfg(unix)]
#[test]
fn ffmpeg_gets_all_pictures() {
    use std::os::unix::fs::PermissionsExt;
    let folder = dropped();
    let film = |script: &str, args: &[&str]| {
        folder.write("ffmpeg", script);
        std::fs::set_permissions(folder.path("ffmpeg"), std::fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:/usr/bin:/bin", folder.path(".").display());
        said(folder.command(&[&["view", "run", "--size", "96x64", "--mp4"], args].concat()).env("PATH", path))
    };
    let takes_all = "#!/bin/sh\nfor last; do :; done\necho \"$@\" > args\ncat > \"$last\"\n";
    assert_eq!(film(takes_all, &["drop.mp4"]).exits(0).last_line(), "drop.mp4");
    // Four seconds of 25 pictures, and the last.
    assert_eq!(std::fs::metadata(folder.path("drop.mp4")).unwrap().len(), 101 * 96 * 64 * 3);
    assert!(folder.read("args").contains("-s 96x64 -r 25"), "{}", folder.read("args"));
    assert!(film(takes_all, &["drop.mp4"]).exits(2).err.contains("error[E0713]"));
    let fails = film("#!/bin/sh\necho no such encoder >&2\nexit 1\n", &["drop.mp4", "--force"]).exits(2);
    assert!(fails.err.contains("no such encoder") && fails.err.contains(".mp4"), "{}", fails.err);
}
