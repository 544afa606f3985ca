//! What the estimate of accuracy promises, against sums over the elements of refined triangles.

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::SurfaceForm;
use carom_geometry::polygonal::accuracy::{
    BORDER_ERROR, END_ERROR, PATCH_ERROR, Patches, Refinement, TargetForm,
};
use carom_geometry::polygonal::{BaseElement, BaseSurface};
use carom_geometry::surface::{self, Resolution};
use carom_math::Vec3;
use carom_testkit::SplitMix64;

use crate::meshes;

/// Elements of a parallelogram of two triangles, bisected, with their longest edge if all cuts were in the middle (m), which is
/// what the estimate takes.
fn elements(corner: [f64; 2], depth: u8) -> (Vec<BaseElement>, f64) {
    let [x, y] = corner;
    let (a, b, c) = (Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(x, y, 0.0));
    let mut mesh = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    meshes::push(&mut mesh, [a, b, c]);
    meshes::push(&mut mesh, [b, b + c, c]);
    let base = BaseSurface::refined(&mesh, &[depth; 2], 0.1).unwrap();
    let mut parts: Vec<_> = mesh.corners().collect();
    for _ in 0..depth {
        parts = parts.iter().flat_map(halves).collect();
    }
    let longest = |part: &[Vec3; 3]| edges(part).into_iter().fold(0.0, f64::max);
    (base.elements().collect(), parts.iter().map(longest).fold(0.0, f64::max))
}

fn edges([a, b, c]: &[Vec3; 3]) -> [f64; 3] {
    [(b - a).norm(), (c - b).norm(), (a - c).norm()]
}

fn halves(triangle: &[Vec3; 3]) -> [[Vec3; 3]; 2] {
    let lengths = edges(triangle);
    let longest = (0..3).max_by(|&i, &k| lengths[i].total_cmp(&lengths[k])).unwrap();
    let [a, b, c] = [0, 1, 2].map(|k| triangle[(longest + k) % 3]);
    let middle = 0.5 * (a + b);
    [[a, middle, c], [middle, b, c]]
}

/// Third corners of triangles over an edge of 1 m: equilateral, right-angled, thin, obtuse.
const CORNERS: [[f64; 2]; 5] = [[0.5, 0.866], [0.0, 1.0], [0.45, 0.55], [0.9, 0.8], [0.2, 0.4]];

/// Places well inside the parallelogram.
fn place(corner: [f64; 2], rng: &mut SplitMix64) -> Vec3 {
    let (s, t) = (rng.uniform(0.4, 0.6), rng.uniform(0.4, 0.6));
    Vec3::new(s + t * corner[0], t * corner[1], 0.0)
}

/// Root of the mean square.
fn deviation(errors: &[f64]) -> f64 {
    (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt()
}

/// Of all shapes of elements and sizes of patches the least favourable is as the estimate says.
#[test]
fn forces_of_curved_patches_scatter_as_estimated() {
    let mut rng = SplitMix64::new(1);
    let mut worst = 0.0_f64;
    for corner in CORNERS {
        let (elements, length) = elements(corner, 11);
        for ratio in [0.4, 0.6, 0.8, 1.0, 1.2, 1.6] {
            let radius = length / ratio;
            let mut errors = Vec::new();
            for _ in 0..200 {
                let centre = place(corner, &mut rng);
                // Of the pressure 1 − r²/a²: half of π a².
                let pressure =
                    |e: &BaseElement| 1.0 - (e.barycentre - centre).norm_squared() / (radius * radius);
                let force: f64 = elements.iter().map(|e| e.area * pressure(e).max(0.0)).sum();
                errors.push(force / (0.5 * std::f64::consts::PI * radius * radius) - 1.0);
            }
            worst = worst.max(deviation(&errors) / (PATCH_ERROR * ratio.powf(2.5)));
        }
    }
    assert!((0.8..1.0).contains(&worst), "{worst}");
}

/// Ellipses, and strips that end with a pressure above zero, up to eight times as long as they are wide; half of them along the
/// edges that the elements are cut from.
#[test]
fn forces_of_long_patches_scatter_as_estimated() {
    let mut rng = SplitMix64::new(3);
    let mut worst = [0.0_f64; 2];
    for corner in CORNERS {
        let (elements, length) = elements(corner, 13);
        for (ratio, slender) in
            [0.3, 0.8, 1.5, 2.0].into_iter().flat_map(|r| [1.0, 2.0, 4.0, 8.0].map(|s| (r, s)))
        {
            let a = length / ratio;
            let b = a * slender;
            if a.hypot(b) > 0.15 {
                continue;
            }
            let mut errors = [(); 2].map(|()| Vec::new());
            for k in 0..200 {
                let centre = place(corner, &mut rng);
                let angle = if k % 2 == 0 { 0.0_f64 } else { rng.uniform(0.0, 6.3) };
                let (sine, cosine) = angle.sin_cos();
                let [mut ellipse, mut strip] = [0.0; 2];
                for e in &elements {
                    let from = e.barycentre - centre;
                    let (x, y) =
                        ((cosine * from.x + sine * from.y) / a, (cosine * from.y - sine * from.x) / b);
                    ellipse += e.area * (1.0 - x * x - y * y).max(0.0);
                    strip += if y.abs() < 1.0 { e.area * (1.0 - x * x).max(0.0) } else { 0.0 };
                }
                errors[0].push(ellipse / (0.5 * std::f64::consts::PI * a * b) - 1.0);
                errors[1].push(strip / (8.0 / 3.0 * a * b) - 1.0);
            }
            let rows = PATCH_ERROR * ratio * ratio * (length / b).sqrt();
            let ends = END_ERROR * ratio.sqrt() * length / (2.0 * b);
            worst[0] = worst[0].max(deviation(&errors[0]) / rows);
            worst[1] = worst[1].max(deviation(&errors[1]) / rows.max(ends));
        }
    }
    assert!(worst.iter().all(|worst| (0.8..1.0).contains(worst)), "{worst:?}");
}

/// A cylinder on a plate, of chords as a CAD program writes them: the elements that its length allows carry the force of the
/// closed form as exactly as asked, and are longer than those of a ball of its radius.
#[test]
fn a_cylinder_is_given_elements_of_its_line() {
    let (radius, half, depth) = (0.02, 0.01, 1e-4);
    let rod = TargetForm::of(&SurfaceForm::of(
        &surface::cylinder(radius, half, Resolution::Divisions(128)).unwrap(),
    ));
    let ball = TargetForm::of(&SurfaceForm::of(&surface::sphere(radius, Resolution::Facets(4000)).unwrap()));
    let plate = surface::rectangle(0.05, 0.05, Resolution::Divisions(1)).unwrap();
    let form = SurfaceForm::of(&plate);
    let [of_rod, of_ball] = [rod, ball].map(|t| Refinement::to(&form, &Patches::new(t, depth), 0.05));
    assert!(of_rod.depths[0] < of_ball.depths[0], "{of_rod:?} {of_ball:?}");
    let base = BaseSurface::refined(&plate, &of_rod.depths, 0.1).unwrap();
    let elements: Vec<BaseElement> = base.elements().collect();
    let mut rng = SplitMix64::new(4);
    let errors: Vec<f64> = (0..400)
        .map(|_| {
            let (x, y, angle) = (rng.uniform(-0.02, 0.02), rng.uniform(-0.02, 0.02), rng.uniform(0.0, 6.3));
            let (sine, cosine) = angle.sin_cos();
            let pressed = |e: &BaseElement| {
                let (x, y) = (e.barycentre.x - x, e.barycentre.y - y);
                let (across, along) = (cosine * x + sine * y, cosine * y - sine * x);
                let under = (radius * radius - across * across).max(0.0).sqrt() - (radius - depth);
                if along.abs() < half { e.area * under.max(0.0) } else { 0.0 }
            };
            let turned = (1.0 - depth / radius).acos();
            let exact = 2.0 * half * radius * radius * (turned - turned.sin() * turned.cos());
            elements.iter().map(pressed).sum::<f64>() / exact - 1.0
        })
        .collect();
    let found = deviation(&errors);
    assert!(found < of_rod.error && of_rod.error < 0.05, "{found} {}", of_rod.error);
    assert!(found > 0.3 * of_rod.error, "{found} {}", of_rod.error);
}

/// Half of the faces is aligned with the edges that the elements are cut from. 99 of 100 places of the least
/// favourable shape of elements and width are as the estimate says.
#[test]
fn faces_of_the_target_tilt_as_stiffly_as_estimated() {
    let mut rng = SplitMix64::new(2);
    let mut worst = 0.0_f64;
    for corner in CORNERS {
        let (elements, length) = elements(corner, 15);
        for step in 0..12 {
            let ratio = 0.07 * 2_f64.powf(f64::from(step) / 12.0);
            let width = length / ratio;
            let mut errors = Vec::new();
            for k in 0..100 {
                let centre = place(corner, &mut rng);
                let angle = if k % 2 == 0 { 0.0_f64 } else { rng.uniform(0.0, 6.3) };
                let (s, c) = (angle.sin(), angle.cos());
                let stiffness = |e: &BaseElement| {
                    let x = e.barycentre - centre;
                    let (x, y) = (c * x.x + s * x.y, c * x.y - s * x.x);
                    if x.abs().max(y.abs()) < 0.5 * width { e.area * x * x } else { 0.0 }
                };
                let found: f64 = elements.iter().map(stiffness).sum();
                errors.push((found / (width.powi(4) / 12.0) - 1.0).abs());
            }
            errors.sort_by(f64::total_cmp);
            worst = worst.max(errors[98] / (BORDER_ERROR * ratio * ratio.sqrt()));
        }
    }
    assert!((0.8..1.0).contains(&worst), "{worst}");
}

/// Depths of the triangles of a plate for a ball, from its size, the accuracy, and the depth of the contact.
#[test]
fn coarse_triangles_are_cut_for_the_patch_and_fine_ones_are_not() {
    let ball = SurfaceForm::of(&surface::sphere(0.1, Resolution::Facets(2000)).unwrap());
    let patches = Patches::new(TargetForm::of(&ball), 1e-3);
    let plate = |cells| SurfaceForm::of(&surface::rectangle(0.5, 0.5, Resolution::Divisions(cells)).unwrap());
    // Patches of 14 mm: edges of a plate of 1 m are bisected twelve times or thirteen, every second time halves them.
    let coarse = Refinement::to(&plate(1), &patches, 0.05);
    assert!(coarse.depths.iter().all(|depth| (12..=14).contains(depth)), "{coarse:?}");
    assert!(coarse.error <= 0.05 && coarse.error > 0.05 / 6.0, "{coarse:?}");
    assert!(Refinement::none(&plate(1), &patches).error > 100.0);
    // Cells of 6 mm.
    let fine = Refinement::to(&plate(160), &patches, 0.05);
    assert!(fine.depths.iter().all(|&depth| depth == 0) && fine.error < 0.05, "{}", fine.error);
    // Four times the accuracy: edges shorter by 4^(2/5), less than two bisections more.
    let better = Refinement::to(&plate(1), &patches, 0.05 / 4.0);
    assert!((1..=2).contains(&(better.depths[0] - coarse.depths[0])), "{better:?}");
}

/// A flat face on a plane: its own width counts, at least sixteen elements.
#[test]
fn flat_faces_are_cut_for_tilting() {
    let plane = SurfaceForm::of(&surface::rectangle(5.0, 5.0, Resolution::Divisions(1)).unwrap());
    let patches = Patches::new(TargetForm::of(&plane), 1e-4);
    let half = Vec3::new(0.2, 0.2, 0.2);
    let cube = SurfaceForm::of(&surface::block(half, Resolution::Divisions(1)).unwrap());
    let refined = Refinement::to(&cube, &patches, 0.05);
    assert_eq!(refined.depths, [5; 12]);
    // Whatever is allowed.
    assert_eq!(Refinement::to(&cube, &patches, 1.0).depths, [3; 12]);
    // A strip of 1 m by 10 mm as two slivers. Halving makes both ends of a sliver thinner: two bisections for each halving of
    // its length down to 3 mm.
    let mut strip = TriangleMesh { vertices: Vec::new(), triangles: Vec::new() };
    meshes::push(&mut strip, [Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.0, 0.01, 0.0)]);
    meshes::push(&mut strip, [Vec3::zeros(), Vec3::new(1.0, 0.01, 0.0), Vec3::new(0.0, 0.01, 0.0)]);
    let refined = Refinement::to(&SurfaceForm::of(&strip), &patches, 0.05);
    assert!(refined.depths.iter().all(|&depth| depth <= 16) && refined.error <= 0.05, "{refined:?}");
}

/// More than can be numbered is not asked for: the estimate says what comes out.
#[test]
fn what_cannot_be_numbered_is_told_by_the_estimate() {
    let needle = SurfaceForm::of(&surface::sphere(1e-5, Resolution::Facets(500)).unwrap());
    let patches = Patches::new(TargetForm::of(&needle), 1e-9);
    let plate = SurfaceForm::of(&surface::rectangle(5.0, 5.0, Resolution::Divisions(1)).unwrap());
    let refined = Refinement::to(&plate, &patches, 0.01);
    assert!(refined.error > 0.01 && refined.elements <= 1 << 30, "{refined:?}");
}
