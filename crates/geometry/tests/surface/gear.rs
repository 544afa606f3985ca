use std::f64::consts::{PI, TAU};

use carom_geometry::surface::{Gear, gear};
use carom_math::Vec3;

use crate::PINION;

/// Corners of one tooth in the plane, from the foot of its right flank over the tip to that of its left one.
fn tooth(gear: &Gear, k: usize) -> Vec<Vec3> {
    let mesh = carom_geometry::surface::gear(gear).unwrap();
    // The outline of the first layer comes first.
    let points = mesh.vertices.iter().take_while(|v| v.z == mesh.vertices[0].z).count();
    let count = points / gear.teeth as usize;
    mesh.vertices[k * count..(k + 1) * count].iter().map(|v| Vec3::new(v.x, v.y, 0.0)).collect()
}

/// A taut string that unwinds from the base circle reaches each flank point; its free length is the arc that it
/// left, so that arc length less string length is the same for the whole flank.
#[test]
fn flanks_are_involutes_of_the_base_circle() {
    for teeth in [20, 57] {
        let gear = Gear { teeth, ..PINION };
        let base = gear.base_radius();
        let corners = tooth(&gear, 3);
        let right = corners[..corners.len() / 2].iter().filter(|p| p.norm() > base * (1.0 + 1e-12));
        // Where the string leaves the circle: the foot of the tangent from the point, on the far side of it.
        let starts: Vec<f64> = right
            .map(|p| {
                let string = (p.norm_squared() - base * base).sqrt();
                let leaves = p.y.atan2(p.x) + (base / p.norm()).acos();
                leaves - string / base
            })
            .collect();
        assert!(starts.len() >= 11);
        for start in &starts {
            assert!((start - starts[0]).abs() < 1e-13, "{starts:?}");
        }
    }
}

#[test]
fn teeth_fill_half_the_pitch() {
    let gear = Gear { profile_points: 400, backlash: 1e-4, ..PINION };
    let corners = tooth(&gear, 0);
    // Width of the tooth along the pitch circle, between the points nearest to it on each flank.
    let half = corners.len() / 2;
    let pitch = gear.pitch_radius();
    let nearest = |flank: &[Vec3]| {
        *flank.iter().min_by(|a, b| (a.norm() - pitch).abs().total_cmp(&(b.norm() - pitch).abs())).unwrap()
    };
    let (right, left) = (nearest(&corners[..half]), nearest(&corners[half..]));
    let width = pitch * (left.y.atan2(left.x) - right.y.atan2(right.x));
    // 400 points over 9 mm of radius: within 12 µm of the pitch circle, where the flank leans by tan 20° twice.
    assert!((width - (0.5 * PI * gear.module - 1e-4)).abs() < 2e-5, "{width}");
    assert!((corners[half].norm() - gear.tip_radius()).abs() < 1e-15);
    assert!((corners[0].norm() - gear.root_radius()).abs() < 1e-15);
}

fn outline(gear: &Gear, angle: f64, centre: f64) -> Vec<Vec3> {
    let (s, c) = angle.sin_cos();
    let turn = |p: Vec3| Vec3::new(c * p.x - s * p.y + centre, s * p.x + c * p.y, 0.0);
    (0..gear.teeth as usize).flat_map(|k| tooth(gear, k)).map(turn).collect()
}

/// Largest depth of a point of `points` inside the polygon, or minus the smallest distance outside.
fn depth(points: &[Vec3], polygon: &[Vec3]) -> f64 {
    let edges = || polygon.iter().zip(polygon.iter().cycle().skip(1));
    let of = |p: &Vec3| {
        let near = |(a, b): (&Vec3, &Vec3)| {
            let along = b - a;
            let s = ((p - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            (p - a - s * along).norm()
        };
        let distance = edges().map(near).fold(f64::INFINITY, f64::min);
        let crossings = edges().filter(|(a, b)| {
            (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x)
        });
        if crossings.count() % 2 == 1 { distance } else { -distance }
    };
    points.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
}

/// Gears of equal base pitch without backlash touch on both flanks at every angle if they turn at the ratio of their
/// teeth: conjugate action. Chords cut the flanks' curve by less than 0.1 µm here (h²/(8 ρ), h = 0.08 mm, ρ > 8 mm).
#[test]
fn gears_of_equal_base_pitch_mesh() {
    let pinion = Gear { profile_points: 120, layers: 1, ..PINION };
    let wheel = Gear { teeth: 31, ..pinion };
    let distance = pinion.pitch_radius() + wheel.pitch_radius();
    for step in 0..7 {
        let angle = TAU / 20.0 * f64::from(step) / 7.0;
        let driver = outline(&pinion, angle, 0.0);
        // Odd numbers of teeth put a tooth on −x between two: a gap faces the driver's tooth.
        let driven = outline(&wheel, PI + PI / 31.0 - angle * 20.0 / 31.0, distance);
        let close = |points: &[Vec3]| -> Vec<Vec3> {
            let pitch = pinion.pitch_radius();
            points
                .iter()
                .filter(|p| (*p - Vec3::new(pitch, 0.0, 0.0)).norm() < 3.0 * pinion.module)
                .copied()
                .collect()
        };
        for found in [depth(&close(&driver), &driven), depth(&close(&driven), &driver)] {
            assert!(found.abs() < 2e-7, "{step}: {found}");
        }
        let apart = outline(&wheel, PI + PI / 31.0 - angle * 20.0 / 31.0 + 0.001, distance);
        // Turned by 1 mrad the wheel's flank goes 58 µm (base radius) into the other.
        let turned = depth(&close(&driver), &apart).max(depth(&close(&apart), &driver));
        assert!((turned / (0.001 * wheel.base_radius()) - 1.0).abs() < 0.05, "{turned}");
    }
}

/// Volume by layers: the area of a tooth above the base circle is ∫ 2 ψ(ρ) ρ dρ; here by the shoelace formula on
/// the outline, which is independent of the ends' triangles.
#[test]
fn volume_is_outline_times_width() {
    let outline = outline(&PINION, 0.0, 0.0);
    let next = outline.iter().cycle().skip(1);
    let twice: f64 = outline.iter().zip(next).map(|(a, b)| a.cross(b).z).sum();
    let volume = gear(&PINION).unwrap().signed_volume();
    assert!((volume / (0.5 * twice * PINION.width) - 1.0).abs() < 1e-12);
}
