//! The one table of pair kernels.

use super::PairKernel;
use super::pair::{
    box_half_space, capsule_capsule, capsule_half_space, cylinder_half_space, sphere_box, sphere_capsule,
    sphere_cylinder, sphere_half_space, sphere_hollow_cylinder, sphere_hollow_sphere, sphere_sphere,
};
use crate::ShapeKind;

/// Entry of the pair table.
#[derive(Clone, Copy)]
pub enum Cell {
    /// The kernel takes the shapes in this order.
    Direct(&'static PairKernel),
    /// The kernel takes them exchanged; swap the shapes, then the contact point.
    Swapped(&'static PairKernel),
    /// No analytic kernel; the reason, for the message.
    Unsupported(&'static str),
}

use Cell::{Direct as D, Swapped as S, Unsupported as U};

const CONVEX: &str = "these two have no closed form: build one of them from spheres or capsules";
const SOLID: &str = "cones, beams, ellipsoids, hulls and rounded solids have no closed form";
const INSIDE: &str = "only a sphere has a closed form inside a cavity: build the inner body from spheres";
const CAVITIES: &str = "two cavities face each other with their solid sides, which overlap everywhere";
const ENDLESS: &str = "both are solid without end, so that they overlap or never meet";
const MESH: &str = "a mesh has no closed form";
const PLANAR: &str = "planar shapes meet planar shapes, and half-spaces along the plane";

/// Row: kind of A. Column: kind of B. Both in the order of [`ShapeKind::ALL`].
#[rustfmt::skip]
static TABLE: [[Cell; 10]; 10] = {
    let ss  = &sphere_sphere::KERNEL;
    let shs = &sphere_hollow_sphere::KERNEL;
    let sp  = &sphere_half_space::KERNEL;
    let sb  = &sphere_box::KERNEL;
    let sc  = &sphere_cylinder::KERNEL;
    let shc = &sphere_hollow_cylinder::KERNEL;
    let sk  = &sphere_capsule::KERNEL;
    let bp  = &box_half_space::KERNEL;
    let cp  = &cylinder_half_space::KERNEL;
    let kp  = &capsule_half_space::KERNEL;
    let kk  = &capsule_capsule::KERNEL;
    [
        // A ＼ B              sphere  hollow sphere  half-space   box        cylinder   hollow cyl.  capsule    convex     mesh     planar
        /* sphere          */ [D(ss),  D(shs),        D(sp),       D(sb),     D(sc),     D(shc),      D(sk),     U(SOLID),  U(MESH),   U(PLANAR)],
        /* hollow sphere   */ [S(shs), U(CAVITIES),   U(ENDLESS),  U(INSIDE), U(INSIDE), U(CAVITIES), U(INSIDE), U(INSIDE), U(MESH),   U(PLANAR)],
        /* half-space      */ [S(sp),  U(ENDLESS),    U(ENDLESS),  S(bp),     S(cp),     U(ENDLESS),  S(kp),     U(SOLID),  U(MESH),   U(PLANAR)],
        /* box             */ [S(sb),  U(INSIDE),     D(bp),       U(CONVEX), U(CONVEX), U(INSIDE),   U(CONVEX), U(SOLID),  U(MESH),   U(PLANAR)],
        /* cylinder        */ [S(sc),  U(INSIDE),     D(cp),       U(CONVEX), U(CONVEX), U(INSIDE),   U(CONVEX), U(SOLID),  U(MESH),   U(PLANAR)],
        /* hollow cylinder */ [S(shc), U(CAVITIES),   U(ENDLESS),  U(INSIDE), U(INSIDE), U(CAVITIES), U(INSIDE), U(INSIDE), U(MESH),   U(PLANAR)],
        /* capsule         */ [S(sk),  U(INSIDE),     D(kp),       U(CONVEX), U(CONVEX), U(INSIDE),   D(kk),     U(SOLID),  U(MESH),   U(PLANAR)],
        /* convex          */ [U(SOLID), U(INSIDE),     U(SOLID),    U(SOLID),  U(SOLID),  U(INSIDE),   U(SOLID),  U(SOLID),  U(MESH),   U(PLANAR)],
        /* mesh            */ [U(MESH), U(MESH),       U(MESH),     U(MESH),   U(MESH),   U(MESH),     U(MESH),   U(MESH),   U(MESH),   U(PLANAR)],
        /* planar          */ [U(PLANAR), U(PLANAR),    U(PLANAR),   U(PLANAR), U(PLANAR), U(PLANAR),   U(PLANAR), U(PLANAR), U(PLANAR), U(PLANAR)],
    ]
};

/// Kernel of an ordered pair of kinds.
pub fn find_kernel(a: ShapeKind, b: ShapeKind) -> Cell {
    TABLE[a as usize][b as usize]
}
