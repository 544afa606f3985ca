//! Bodies that scenes are drawn from, as the engine and as the oracle know them.

use std::sync::Arc;

use carom_geometry::convex::{ConvexHull, ConvexShape, Core};
use carom_geometry::shape::{Cylinder, CylinderSide};
use carom_geometry::surface::{self, Gear, Peanut, Resolution, Terrain};
use carom_geometry::{Shape, TriangleMesh};
use carom_math::Vec3;
use carom_testkit::{SplitMix64, SupportCore, SupportSolid};

use crate::distance::point_triangle;
use crate::facets::Facets;
use crate::surface::Surface;

/// A shape of the engine beside what the oracle knows of it.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) surface: Surface,
    /// Of the ball about its origin that holds it (m); of half-spaces and cavities what they are aimed at.
    pub(crate) radius: f64,
    /// Thinnest wall (m).
    pub(crate) wall: f64,
    /// Points deep inside of it.
    pub(crate) inner: Vec<Vec3>,
    /// Of the ball about its origin in which others fly about, if it is hollow (m).
    pub(crate) room: Option<f64>,
    /// The outside, for open surfaces and half-spaces: others come from there.
    pub(crate) front: Option<Vec3>,
}

/// 10^x with x uniform between the logarithms of two numbers.
pub(crate) fn spread(rng: &mut SplitMix64, low: f64, high: f64) -> f64 {
    (rng.uniform(low.ln(), high.ln())).exp()
}

/// One of several, by weight.
pub(crate) fn pick<T: Copy>(rng: &mut SplitMix64, from: &[T]) -> T {
    from[rng.index(from.len())]
}

fn on_z(half: f64) -> Vec<Vec3> {
    (-4..=4).map(|k| Vec3::new(0.0, 0.0, half * f64::from(k) / 4.0)).collect()
}

fn grid(half: &Vec3) -> Vec<Vec3> {
    let along = [-0.8, -0.4, 0.0, 0.4, 0.8];
    let inside = |x, y, z| Vec3::new(x * half.x, y * half.y, z * half.z);
    // Points of the middle plane across the shortest edge.
    let thin = half.imin();
    let all = along.iter().flat_map(|&u| along.map(|v| (u, v)));
    all.map(|(u, v)| match thin {
        0 => inside(0.0, u, v),
        1 => inside(u, 0.0, v),
        _ => inside(u, v, 0.0),
    })
    .collect()
}

fn facets_of(shape: &TriangleMesh, closed: bool) -> Surface {
    Surface::Facets(Facets::new(shape, closed))
}

/// Eight corners, two triangles a face.
fn box_mesh(half: &Vec3) -> TriangleMesh {
    let vertices = (0..8)
        .map(|k| {
            let sign = |bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
            Vec3::new(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z)
        })
        .collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh { vertices, triangles }
}

impl Part {
    fn solid(name: String, shape: Shape, surface: Surface, wall: f64, inner: Vec<Vec3>) -> Self {
        let radius = shape.bounding_radius();
        Self { name, shape, surface, radius, wall, inner, room: None, front: None }
    }

    pub(crate) fn ball(radius: f64) -> Self {
        let shape = Shape::Sphere { radius, hollow: false };
        let name = format!("ball {radius:.2e}");
        Self::solid(name, shape, Surface::Ball(radius), 2.0 * radius, vec![Vec3::zeros()])
    }

    pub(crate) fn capsule(radius: f64, half_length: f64) -> Self {
        let shape = Shape::Capsule { radius, half_length };
        let name = format!("capsule {radius:.2e} x {half_length:.2e}");
        Self::solid(name, shape, Surface::Capsule(radius, half_length), 2.0 * radius, on_z(half_length))
    }

    pub(crate) fn cylinder(radius: f64, half_length: f64) -> Self {
        let shape = Shape::Cylinder(Cylinder { radius, half_length, side: CylinderSide::Solid });
        let name = format!("cylinder {radius:.2e} x {half_length:.2e}");
        let surface = Surface::Cylinder(radius, half_length);
        Self::solid(name, shape, surface, 2.0 * radius.min(half_length), on_z(0.8 * half_length))
    }

    pub(crate) fn block(half: Vec3) -> Self {
        let name = format!("box {:.2e} {:.2e} {:.2e}", half.x, half.y, half.z);
        let surface = facets_of(&box_mesh(&half), true);
        Self::solid(name, Shape::Box { half }, surface, 2.0 * half.min(), grid(&half))
    }

    pub(crate) fn half_space() -> Self {
        Self {
            name: "half-space".to_owned(),
            shape: Shape::HalfSpace,
            surface: Surface::HalfSpace,
            radius: 0.0,
            wall: f64::INFINITY,
            inner: Vec::new(),
            room: None,
            front: Some(Vec3::z()),
        }
    }

    /// The inside of a ball.
    pub(crate) fn cavity(radius: f64) -> Self {
        Self {
            name: format!("hollow ball {radius:.2e}"),
            shape: Shape::Sphere { radius, hollow: true },
            surface: Surface::Cavity(radius),
            radius: 0.0,
            wall: f64::INFINITY,
            inner: Vec::new(),
            room: Some(radius),
            front: None,
        }
    }

    pub(crate) fn ellipsoid(axes: Vec3) -> Self {
        let shape = Shape::Convex(ConvexShape::sharp(Core::Ellipsoid { semi_axes: axes }));
        let core = SupportCore::Ellipsoid([axes.x, axes.y, axes.z]);
        let surface = Surface::Convex(SupportSolid { core, radius: 0.0 });
        Self::solid("ellipsoid".to_owned(), shape, surface, 2.0 * axes.min(), vec![Vec3::zeros()])
    }

    pub(crate) fn frustum(low: f64, high: f64, half_length: f64) -> Self {
        let core = Core::Frustum { radius_low: low, radius_high: high, half_length };
        let shape = Shape::Convex(ConvexShape::sharp(core));
        let surface = Surface::Convex(SupportSolid {
            core: SupportCore::Frustum([low, high], half_length),
            radius: 0.0,
        });
        Self::solid("frustum".to_owned(), shape, surface, low.min(high).min(half_length), vec![Vec3::zeros()])
    }

    /// Hull of points at random; as triangles or as a solid.
    pub(crate) fn hull(rng: &mut SplitMix64, size: f64, as_mesh: bool) -> Self {
        loop {
            let points: Vec<Vec3> = (0..4 + rng.index(12)).map(|_| rng.vector_in_cube(size)).collect();
            let Ok(hull) = ConvexHull::of_points(&points) else { continue };
            let mut middle = Vec3::zeros();
            hull.vertices().iter().for_each(|v| middle += v / hull.vertices().len() as f64);
            let points: Vec<Vec3> = points.iter().map(|p| p - middle).collect();
            let Ok(hull) = ConvexHull::of_points(&points) else { continue };
            let mesh = surface::hull(&hull, 0).expect("a hull");
            let faces = mesh.corners().map(|[a, b, c]| {
                let n = (b - a).cross(&(c - a));
                n.dot(&a).abs() / n.norm()
            });
            let inscribed = faces.fold(f64::INFINITY, f64::min);
            if inscribed.is_nan() || inscribed < 0.1 * size {
                continue;
            }
            let surface = facets_of(&mesh, true);
            let name = format!("hull of {}", hull.vertices().len());
            let shape = if as_mesh {
                Shape::Mesh(Arc::new(mesh))
            } else {
                Shape::Convex(ConvexShape::hull(hull, 0.0))
            };
            return Self::solid(name, shape, surface, 2.0 * inscribed, vec![Vec3::zeros()]);
        }
    }

    pub(crate) fn mesh(name: String, mesh: TriangleMesh, wall: f64, inner: Vec<Vec3>) -> Self {
        let facets = Facets::new(&mesh, true);
        // A coarse surface may pass near a point that is deep inside of the solid it stands for.
        let is_deep = |p: &Vec3| {
            let nearest = mesh.corners().map(|t| point_triangle(p, &t)).fold(f64::INFINITY, f64::min);
            facets.holds(p) && nearest > 0.3 * wall
        };
        let inner = inner.into_iter().filter(is_deep).collect();
        let surface = Surface::Facets(facets);
        let name = format!("{name}, {} facets", mesh.triangles.len());
        Self::solid(name, Shape::Mesh(Arc::new(mesh)), surface, wall, inner)
    }

    /// An open surface with its outside towards +z.
    pub(crate) fn sheet(name: &str, mesh: TriangleMesh) -> Self {
        let surface = facets_of(&mesh, false);
        let name = format!("{name}, {} facets", mesh.triangles.len());
        let part = Self::solid(name, Shape::Mesh(Arc::new(mesh)), surface, f64::INFINITY, Vec::new());
        Self { front: Some(Vec3::z()), ..part }
    }

    /// A closed triangle surface of about a size.
    pub(crate) fn closed_mesh(rng: &mut SplitMix64, size: f64) -> Self {
        let facets = Resolution::Facets(spread(rng, 20.0, 600.0) as usize);
        let coarse = Resolution::Divisions(pick(rng, &[1, 1, 2, 6]));
        match rng.index(9) {
            0 => {
                let mesh = surface::sphere(size, facets).expect("a sphere");
                Self::mesh("sphere".to_owned(), mesh, 2.0 * size, vec![Vec3::zeros()])
            }
            1 => {
                let half = Vec3::new(size, size * rng.uniform(0.3, 1.0), size * rng.uniform(0.3, 1.0));
                let mesh = surface::block(half, coarse).expect("a block");
                Self::mesh("block".to_owned(), mesh, 2.0 * half.min(), grid(&half))
            }
            2 => {
                let half = Vec3::new(size, size * rng.uniform(0.3, 1.0), size * spread(rng, 0.01, 0.1));
                let mesh = if rng.index(2) == 0 {
                    box_mesh(&half)
                } else {
                    surface::block(half, coarse).expect("a plate")
                };
                Self::mesh("plate".to_owned(), mesh, 2.0 * half.min(), grid(&half))
            }
            3 => {
                let half = Vec3::new(size * spread(rng, 0.03, 0.2), size * spread(rng, 0.03, 0.2), size);
                let mesh = if rng.index(2) == 0 {
                    box_mesh(&half)
                } else {
                    surface::block(half, coarse).expect("a bar")
                };
                Self::mesh("bar".to_owned(), mesh, 2.0 * half.min(), on_z(0.9 * size))
            }
            4 => {
                let (ring, tube) = (0.7 * size, size * rng.uniform(0.1, 0.3));
                let mesh = surface::torus(ring, tube, facets).expect("a torus");
                let around = (0..16).map(|k| {
                    let (sine, cosine) = libm::sincos(std::f64::consts::TAU * f64::from(k) / 16.0);
                    Vec3::new(ring * cosine, ring * sine, 0.0)
                });
                Self::mesh("torus".to_owned(), mesh, 2.0 * tube, around.collect())
            }
            5 => {
                let teeth = 12 + rng.index(10) as u32;
                let module = 2.0 * size / f64::from(teeth + 2);
                let width = size * rng.uniform(0.2, 1.0);
                let gear = Gear {
                    module,
                    teeth,
                    pressure_angle: 20.0_f64.to_radians(),
                    width,
                    backlash: 0.02 * module,
                    profile_points: 3,
                    layers: 1,
                };
                let mesh = surface::gear(&gear).expect("a gear");
                Self::mesh("gear".to_owned(), mesh, width.min(module), on_z(0.4 * width))
            }
            6 => {
                let mesh = surface::capsule(0.4 * size, 0.6 * size, facets).expect("a capsule");
                Self::mesh("capsule".to_owned(), mesh, 0.8 * size, on_z(0.6 * size))
            }
            7 => {
                let peanut = Peanut {
                    half_length: size,
                    lobe_radius: 0.5 * size,
                    lobe_at: 0.575 * size,
                    waist_radius: 0.25 * size,
                };
                let mesh = surface::peanut(&peanut, facets).expect("a peanut");
                Self::mesh("peanut".to_owned(), mesh, 0.5 * size, on_z(0.5 * size))
            }
            _ => Self::hull(rng, size, true),
        }
    }

    /// The inside of a ball or block of triangles.
    pub(crate) fn hollow_mesh(rng: &mut SplitMix64, size: f64) -> Self {
        let (name, mut mesh) = if rng.index(2) == 0 {
            let facets = Resolution::Facets(spread(rng, 80.0, 600.0) as usize);
            ("hollow sphere", surface::sphere(size, facets).expect("a sphere"))
        } else {
            let half = Vec3::new(size, size * rng.uniform(0.8, 1.2), size * rng.uniform(0.8, 1.2));
            ("hollow block", box_mesh(&half))
        };
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        let mut facets = Facets::new(&mesh, true);
        facets.hollow = true;
        let name = format!("{name}, {} facets", mesh.triangles.len());
        let shape = Shape::Mesh(Arc::new(mesh));
        let part = Self::solid(name, shape, Surface::Facets(facets), f64::INFINITY, Vec::new());
        Self { room: Some(0.75 * size), radius: 0.0, ..part }
    }

    /// An open triangle surface of about a size.
    pub(crate) fn open_mesh(rng: &mut SplitMix64, size: f64) -> Self {
        match rng.index(3) {
            0 => {
                let divisions = Resolution::Divisions(pick(rng, &[1, 1, 4, 10]));
                Self::sheet(
                    "rectangle",
                    surface::rectangle(size, size * rng.uniform(0.3, 1.0), divisions).expect("a sheet"),
                )
            }
            1 => {
                let terrain =
                    Terrain { size, relief: 0.1 * size, hurst: 0.8, seed: rng.next_u64(), levels: 3 };
                let mut mesh = surface::terrain(&terrain).expect("a terrain");
                mesh.vertices.iter_mut().for_each(|v| *v -= Vec3::new(0.5 * size, 0.5 * size, 0.05 * size));
                Self::sheet("terrain", mesh)
            }
            _ => {
                let times = rng.index(3) as u32;
                Self::sheet("funnel", surface::funnel(size, 0.5 * size, times).expect("a funnel"))
            }
        }
    }
}
