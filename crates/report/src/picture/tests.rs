//! Pixels that geometry foretells.

use carom_geometry::TriangleMesh;
use carom_geometry::surface::{Resolution, block, sphere};
use carom_math::Vec3;
use carom_results::{Array, Container};
use serde_json::json;

use super::draw::Look;
use super::*;
use crate::palette::{self, Colour};

const RADIUS: f64 = 0.1;
const SQUARE: Shot = Shot { size: [400, 400], view: View::FRONT, around: None };

/// A run of two output times at 0 and 1 s: bodies with a mesh each, which stand at a place and move along x by 1 m if
/// they move.
pub(super) fn container(bodies: &[(TriangleMesh, Vec3, bool)]) -> Container {
    let mut run = Container::default();
    let (mut vertices, mut triangles, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut positions, mut rows, mut surfaces) = (Vec::new(), Vec::new(), Vec::new());
    for (index, (mesh, place, moves)) in bodies.iter().enumerate() {
        meshes.push(json!({
            "vertex": vertices.len() / 3, "vertices": mesh.vertices.len(),
            "triangle": triangles.len() / 3, "triangles": mesh.triangles.len(),
        }));
        vertices.extend(mesh.vertices.iter().flat_map(|v| [v.x as f32, v.y as f32, v.z as f32]));
        triangles.extend_from_slice(mesh.triangles.as_flattened());
        rows.push(json!({ "name": format!("b{index}"), "fixed": false, "moves": moves, "pose": positions.len() / 3 }));
        for step in 0..=usize::from(*moves) {
            positions.extend([place.x as f32 + step as f32, place.y as f32, place.z as f32]);
        }
        surfaces.push(json!({
            "name": format!("b{index}"), "body": index, "mesh": index,
            "position_m": [0.0, 0.0, 0.0], "orientation": [1.0, 0.0, 0.0, 0.0],
        }));
    }
    let rotations = [32_767, 0, 0, 0].repeat(positions.len() / 3);
    let pair = json!({ "name": "pair", "a": "b0", "b": "b1", "areal": true, "surfaces": true });
    for (key, value) in [
        ("name", json!("test")),
        ("bodies", json!(rows)),
        ("surfaces", json!(surfaces)),
        ("meshes", json!(meshes)),
        ("pairs", json!([pair])),
        ("links", json!([])),
        ("centres_m", json!([])),
        ("gravity_m_s2", json!([0.0, 0.0, -9.81])),
        ("planar", json!(null)),
    ] {
        run.header.insert(key.to_owned(), value);
    }
    for (name, array) in [
        ("times", Array::F64(vec![0.0, 1.0])),
        ("vertices", Array::F32(vertices)),
        ("triangles", Array::U32(triangles)),
        ("positions", Array::F32(positions)),
        ("rotations", Array::I16(rotations)),
    ] {
        run.arrays.insert(name.to_owned(), array);
    }
    run
}

/// Gives the run one contact at the second output time.
pub(super) fn with_force(mut run: Container, point: [f32; 3], normal: f32, tangential: f32) -> Container {
    for (name, array) in [
        ("contact_start", Array::U32(vec![0, 0, 1])),
        ("contact_pair", Array::U32(vec![0])),
        ("contact_point", Array::F32(point.to_vec())),
        ("contact_normal", Array::F32(vec![0.0, 0.0, 1.0])),
        ("contact_fn", Array::F32(vec![normal])),
        ("contact_friction", Array::F32(vec![tangential, 0.0, 0.0])),
    ] {
        run.arrays.insert(name.to_owned(), array);
    }
    run
}

pub(super) fn ball() -> TriangleMesh {
    sphere(RADIUS, Resolution::Facets(20_000)).unwrap()
}

fn cube() -> TriangleMesh {
    block(Vec3::repeat(RADIUS), Resolution::Facets(12)).unwrap()
}

fn stage(run: Container) -> Stage {
    Stage::of_container(run).unwrap()
}

fn look(stage: &Stage, time: f64, shot: &Shot) -> Look {
    stage.looks(&[time], shot, shot.size)[0]
}

/// Pixels with a property.
fn places(image: &Image, is: impl Fn([u8; 3]) -> bool) -> Vec<[usize; 2]> {
    let all = (0..image.height()).flat_map(|y| (0..image.width()).map(move |x| [x, y]));
    all.filter(|[x, y]| is(image.pixel(*x, *y).unwrap())).collect()
}

fn is(colour: Colour) -> impl Fn([u8; 3]) -> bool {
    move |pixel| pixel == colour.rgb()
}

/// Width and height of what the places span.
fn span(places: &[[usize; 2]]) -> [usize; 2] {
    [0, 1].map(|axis| {
        let along = || places.iter().map(|place| place[axis]);
        along().max().unwrap() - along().min().unwrap() + 1
    })
}

/// A sphere is a disc of its radius from everywhere. Its border is half covered pixels: one in 40 at this size, which the
/// count takes as whole; half of them is what the tolerance allows.
#[test]
fn a_sphere_covers_a_disc_of_its_radius() {
    let stage = stage(container(&[(ball(), Vec3::zeros(), false)]));
    for view in [View::ISO, View::FRONT, View::SIDE, View::TOP] {
        let look = look(&stage, 0.0, &Shot { view, ..SQUARE });
        let image = stage.draw(0.0, &look);
        let seen = places(&image, |pixel| pixel != palette::PAPER.rgb());
        let radius = RADIUS * look.camera.scale;
        let area = std::f64::consts::PI * radius * radius;
        assert!((seen.len() as f64 / area - 1.0).abs() < 0.02, "{view:?}: {} of {area}", seen.len());
        let widths = span(&seen).map(|pixels| pixels as f64 - 2.0 * radius);
        assert!(widths.iter().all(|off| off.abs() <= 2.0), "{view:?}: {widths:?}");
        assert!(radius > 100.0, "it fills the picture: {radius}");
    }
}

/// Of two cubes one behind the other the nearer one is seen, from both sides.
#[test]
fn the_nearer_one_hides_the_other() {
    let near = [Vec3::new(0.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
    let stage = stage(container(&near.map(|place| (cube(), place, false))));
    for (azimuth, body) in [(0.0, 0), (180.0, 1)] {
        let view = View::Angles { azimuth, elevation: 0.0, zoom: 1.0 };
        let [r, g, b] =
            stage.draw(0.0, &look(&stage, 0.0, &Shot { view, ..SQUARE })).pixel(200, 200).unwrap();
        // Light changes how bright a colour is, not which of its parts is the greatest.
        let own = palette::BODIES[body].rgb();
        assert_eq!((r > b, g > b), (own[0] > own[2], own[1] > own[2]), "from {azimuth} degrees: {r} {g} {b}");
    }
}

/// Arrows are as long as their forces on the picture's scale, and the longest of a picture has a set length.
#[test]
fn arrows_are_as_long_as_forces() {
    let run = with_force(
        container(&[(cube(), Vec3::zeros(), true), (cube(), Vec3::z(), false)]),
        [0.5, 0.0, 0.0],
        20.0,
        10.0,
    );
    let stage = stage(run);
    let look = look(&stage, 1.0, &SQUARE);
    let image = stage.draw(1.0, &look);
    // Shafts are thinner than two pixels, so that these are mixed with what is behind.
    let is_green = |[r, g, b]: [u8; 3]| g > b && g > r.saturating_add(40);
    let is_red = |[r, g, b]: [u8; 3]| r > g.saturating_add(40) && g.abs_diff(b) < 30;
    // A pixel at each end may be half covered.
    let [_, up] = span(&places(&image, is_green));
    assert!((up as f64 - 20.0 * look.pixels_per_newton).abs() < 3.0, "{up} pixels");
    let [across, _] = span(&places(&image, is_red));
    assert!((across as f64 - 10.0 * look.pixels_per_newton).abs() < 3.0, "{across} pixels");
    assert!((20.0 * look.pixels_per_newton / look.camera.scale - 0.25 * look.size).abs() < 1e-12);
    let tip = look.camera.spot(&Vec3::new(0.5, 0.0, 0.25 * look.size));
    assert!((0.0..400.0).contains(&tip.y), "it ends in the picture: {tip:?}");
    // There is no force at the first output time, so that nothing is drawn of it.
    let before = stage.draw(0.0, &look);
    assert!(places(&before, is_green).is_empty());
}

/// The greatest pressure has the last colour of the bar, none the first, and the legend shows that bar.
#[test]
fn the_greatest_pressure_has_the_last_colour() {
    for (part, share) in [(32_767, 1.0), (16_384, 0.5), (0, 0.0)] {
        let mut run = container(&[(cube(), Vec3::zeros(), false)]);
        run.header.insert("pressure_scale_pa".to_owned(), json!([2e6]));
        for (name, array) in [
            ("pressure_start", Array::U32(vec![0, 1, 1])),
            ("pressure_element", Array::U32(vec![0])),
            ("pressure", Array::I16(vec![part])),
            ("element_body", Array::U32(vec![0])),
            ("element_pair", Array::U32(vec![0])),
            ("element_corners", Array::F32(vec![-0.1, -0.1, -0.1, 0.1, -0.1, -0.1, 0.0, -0.1, 0.1])),
        ] {
            run.arrays.insert(name.to_owned(), array);
        }
        let stage = stage(run);
        let look = look(&stage, 0.0, &SQUARE);
        let image = stage.draw(0.0, &look);
        assert_eq!(image.pixel(200, 200), Some(palette::sequential(share).rgb()));
        let line = stage.legend(&look, 400, text::Font::of_width(400));
        for colour in [palette::sequential(0.0), palette::sequential(1.0)] {
            assert!(!places(&line, is(colour)).is_empty());
        }
    }
}

/// Which way is right and up from each side: a body beside the one in the middle is where its axis says.
#[test]
fn cameras_see_the_axes_where_they_are_said_to_be() {
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    let stage = stage(container(&[(cube(), Vec3::zeros(), false)]));
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-12;
    for (view, right, up) in [
        ("front", 0, 2),
        ("side", 1, 2),
        ("top", 0, 1),
        ("0,0", 0, 2),
        (" 90, 0, 2", 1, 2),
        ("-270,0,0.5", 1, 2),
    ] {
        let camera = look(&stage, 0.0, &Shot { view: view.parse().unwrap(), ..SQUARE }).camera;
        assert!(
            is_near(camera.right.dot(&axes[right]), 1.0) && is_near(camera.up.dot(&axes[up]), 1.0),
            "{view}"
        );
        assert!(is_near(camera.right.cross(&camera.up).dot(&camera.eye), 1.0), "{view} is right-handed");
    }
    let scale = |view: &str| look(&stage, 0.0, &Shot { view: view.parse().unwrap(), ..SQUARE }).camera.scale;
    assert!(is_near(scale("30,25,2") / scale("iso"), 2.0));
    for wrong in ["", "left", "30", "0,91", "0,0,0", "0,0,1,2", "nan,0", "0;0"] {
        let said = wrong.parse::<View>().unwrap_err();
        assert!(said.contains("AZ,EL[,ZOOM]"), "{wrong}: {said}");
    }
}

#[test]
fn a_plane_motion_is_seen_across_its_plane() {
    let shot = Shot { view: View::Auto, ..SQUARE };
    for (planar, right, up) in
        [("y", Vec3::x(), Vec3::z()), ("x", Vec3::y(), Vec3::z()), ("z", Vec3::x(), Vec3::y())]
    {
        let mut run = container(&[(cube(), Vec3::zeros(), true)]);
        run.header.insert("planar".to_owned(), json!(planar));
        let camera = look(&stage(run), 0.0, &shot).camera;
        assert!(
            (camera.right - right).norm() < 1e-12 && (camera.up - up).norm() < 1e-12,
            "{planar}: {camera:?}"
        );
    }
    let run = container(&[(cube(), Vec3::zeros(), true)]);
    let stage = stage(run);
    assert_eq!(look(&stage, 0.0, &shot), look(&stage, 0.0, &Shot { view: View::ISO, ..SQUARE }));
}

/// All of a body is in the picture wherever it goes; what goes on elsewhere does not make it small.
#[test]
fn the_whole_motion_is_in_the_picture() {
    let far = (
        block(Vec3::new(50.0, 50.0, 0.1), Resolution::Facets(12)).unwrap(),
        Vec3::new(0.0, 0.0, -0.2),
        false,
    );
    let stage = stage(container(&[(cube(), Vec3::zeros(), true), far]));
    for view in [View::ISO, View::FRONT, View::SIDE, View::TOP] {
        let camera = look(&stage, 0.0, &Shot { view, size: [600, 300], ..SQUARE }).camera;
        for x in [-RADIUS, 1.0 + RADIUS] {
            let spot = camera.spot(&Vec3::new(x, RADIUS, -RADIUS));
            assert!((0.0..600.0).contains(&spot.x) && (0.0..300.0).contains(&spot.y), "{view:?}: {spot:?}");
        }
        assert!(1.2 * camera.scale > 100.0, "{view:?}: a picture of 1.2 m, not of 100 m");
    }
}

/// Between two output times a body is on the way, and the one asked for stays in the middle.
#[test]
fn a_body_stays_in_the_middle() {
    let stage = stage(container(&[(ball(), Vec3::zeros(), true), (cube(), Vec3::new(0.0, 0.0, 3.0), false)]));
    for time in [0.0, 0.25, 1.0] {
        let camera = look(&stage, time, &Shot { around: Some(0), ..SQUARE }).camera;
        let spot = camera.spot(&Vec3::new(time, 0.0, 0.0));
        assert!((spot.x - 200.0).abs() < 1e-6 && (spot.y - 200.0).abs() < 1e-6, "{time}: {spot:?}");
    }
}

#[test]
fn moments_are_even_but_for_what_happens_near_them() {
    let mut run = container(&[(cube(), Vec3::zeros(), false)]);
    let times: Vec<f64> = (0..=100).map(|k| f64::from(k) * 0.01).collect();
    run.arrays.insert("times".to_owned(), Array::F64(times));
    assert_eq!(stage(run.clone()).moments(5), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(stage(run.clone()).moments(1), [0.0]);
    // A force at 0.54 s alone.
    let mut run = with_force(run, [0.0; 3], 5.0, 0.0);
    let start = (0..=101).map(|frame| u32::from(frame > 54)).collect();
    run.arrays.insert("contact_start".to_owned(), Array::U32(start));
    run.arrays.insert("event_time".to_owned(), Array::F64(vec![0.5399]));
    assert_eq!(stage(run).moments(5), [0.0, 0.25, 0.54, 0.75, 1.0]);
}

/// Equal runs are equal files, text and all; the strip has each moment's picture beside the next.
#[test]
fn equal_runs_are_equal_bytes() {
    let run = || {
        let bodies = [(cube(), Vec3::zeros(), true), (ball(), Vec3::new(0.5, 0.3, 0.1), false)];
        stage(with_force(container(&bodies), [0.5, 0.0, 0.0], 20.0, 10.0))
    };
    let shot = Shot { size: [600, 200], view: View::Auto, around: None };
    let strip = |stage: &Stage| stage.pictures(&[0.0, 0.5, 1.0], 1, &shot);
    let first = strip(&run());
    assert_eq!(png(&first), png(&strip(&run())));
    assert_eq!((first.width(), first.height()), (600, 200));
    assert!(places(&first, is(palette::GRID)).len() >= 2 * 2 * 150, "two gaps between three pictures");
    let rows = run().pictures(&[0.0, 0.5, 1.0], 3, &shot);
    assert_eq!((rows.width(), rows.height()), (600, 200));
    assert_ne!(png(&first), png(&run().pictures(&[0.0, 0.5, 0.9], 1, &shot)));
}

#[test]
fn sizes_have_limits() {
    for size in [[64, 64], [3840, 2160], [8192, 1000]] {
        assert_eq!(Shot::check_size(size), Ok(()));
    }
    for size in [[63, 100], [100, 0], [8193, 64], [4000, 4000]] {
        assert!(Shot::check_size(size).is_err(), "{size:?}");
    }
}

#[test]
fn a_file_has_the_pixels_of_the_picture() {
    let image = stage(container(&[(ball(), Vec3::zeros(), false)])).pictures(&[0.0], 1, &SQUARE);
    let (size, pixels) = png::tests::read(&png(&image));
    assert_eq!(size, [400, 400]);
    assert_eq!(pixels, image.pixels().as_flattened());
}

/// A film of a second lasts four, begins with the start and ends with the end; as a file it has all its pictures.
#[test]
fn a_film_is_pictures_one_after_the_other() {
    let stage = stage(with_force(container(&[(cube(), Vec3::zeros(), true)]), [0.5, 0.0, 0.0], 20.0, 10.0));
    let times = stage.film_times(5);
    assert_eq!((times.len(), times[0], times[10], times[20]), (21, 0.0, 0.5, 1.0));
    let shot = Shot { size: [96, 64], ..SQUARE };
    let images: Vec<Image> = stage.film(&times, &shot).collect();
    assert_eq!(images.len(), 21);
    assert!(images.windows(2).all(|two| two[0] != two[1]), "it moves");
    let file = animated_png(shot.size, images.len(), 5, images.iter().cloned());
    assert_eq!(png::tests::frames(&file), 21);
    let (size, first) = png::tests::read(&file);
    assert_eq!((size, &first[..]), ([96, 64], images[0].pixels().as_flattened()));
}
