use carom_math::Vec3;

use super::MeshSurface;
use super::meeting::meet;
use super::predicates::sign_of_volume;
use crate::near::{Placement, dot};

/// One of two surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The first, which is moved.
    A,
    /// The second, in whose frame contours are.
    B,
}

/// An edge of one surface that pierces a triangle of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Whose edge.
    pub side: Side,
    /// The edge.
    pub edge: u32,
    /// Triangle of the other surface.
    pub triangle: u32,
    /// Whether the edge's end with the lower number is behind the triangle, on its inner side.
    pub is_low_inside: bool,
    /// Where, in B's frame (m).
    pub point: Vec3,
}

/// Two surfaces with the pose of A in B. A's vertices are moved when they are needed: the same bits every time.
#[derive(Clone, Copy)]
pub(super) struct Posed<'a> {
    pub(super) a: &'a MeshSurface,
    pub(super) b: &'a MeshSurface,
    pub(super) placement: &'a Placement,
}

impl Posed<'_> {
    pub(super) fn surface(&self, side: Side) -> &MeshSurface {
        match side {
            Side::A => self.a,
            Side::B => self.b,
        }
    }

    /// A vertex in B's frame (m), with a number that is its own among both surfaces.
    #[inline]
    pub(super) fn vertex(&self, side: Side, vertex: u32) -> (u32, Vec3) {
        match side {
            Side::A => (vertex, self.placement.take(self.a.vertices[vertex as usize].into()).into()),
            Side::B => (self.a.vertices.len() as u32 + vertex, self.b.vertices[vertex as usize]),
        }
    }

    /// Centre, in B's frame, and radius of a ball around a surface (m).
    pub(super) fn ball(&self, side: Side) -> (Vec3, f64) {
        let tree = &self.surface(side).triangle_tree;
        match side {
            Side::A => (self.placement.take(tree.centre.into()).into(), tree.radius),
            Side::B => (tree.centre, tree.radius),
        }
    }

    pub(super) fn corners(&self, side: Side, triangle: u32) -> [(u32, Vec3); 3] {
        self.surface(side).triangles[triangle as usize].map(|v| self.vertex(side, v))
    }

    /// Plane n·x = h of a triangle in B's frame: its outward unit normal and the offset (m).
    pub(super) fn plane(&self, side: Side, triangle: u32) -> (Vec3, f64) {
        let plane = &self.surface(side).planes[triangle as usize].plane;
        match side {
            Side::A => {
                let normal = self.placement.turn(plane.normal);
                (normal.into(), plane.offset + dot(normal, self.placement.shift))
            }
            Side::B => (plane.normal.into(), plane.offset),
        }
    }

    /// Whether an edge of `side` goes through a triangle of the other surface, and if so, whether its lower end is behind it.
    pub(super) fn pierces(&self, side: Side, edge: u32, triangle: u32) -> Option<bool> {
        let [low, high] = self.surface(side).edges[edge as usize].ends.map(|v| self.vertex(side, v));
        pierces(low, high, self.corners(side.other(), triangle))
    }

    /// The node of an edge of `side` and a triangle of the other surface, if there is one.
    pub(super) fn find_node(&self, side: Side, edge: u32, triangle: u32) -> Option<Node> {
        let is_low_inside = self.pierces(side, edge, triangle)?;
        let [low, high] = self.surface(side).edges[edge as usize].ends.map(|v| self.vertex(side, v).1);
        let point = piercing_point(&low, &high, &self.corners(side.other(), triangle).map(|(_, p)| p));
        Some(Node { side, edge, triangle, is_low_inside, point })
    }
}

impl Node {
    /// All but the point.
    pub(super) fn key(&self) -> (Side, u32, u32, bool) {
        (self.side, self.edge, self.triangle, self.is_low_inside)
    }
}

impl Side {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// Whether the segment from `low` to `high` goes through the triangle, and if so, whether `low` is behind it: the ends are
/// on different sides of the plane, and the edges of the triangle turn the same way around the segment.
pub(crate) fn pierces(low: (u32, Vec3), high: (u32, Vec3), [p, q, r]: [(u32, Vec3); 3]) -> Option<bool> {
    let is_low_inside = sign_of_volume([p, q, r, low]);
    if sign_of_volume([p, q, r, high]) == is_low_inside {
        return None;
    }
    let turn = sign_of_volume([low, high, p, q]);
    let is_through = sign_of_volume([low, high, q, r]) == turn && sign_of_volume([low, high, r, p]) == turn;
    is_through.then_some(is_low_inside)
}

/// Where an edge meets the plane of a triangle; on the edge whatever is rounded.
pub(super) fn piercing_point(low: &Vec3, high: &Vec3, corners: &[Vec3; 3]) -> Vec3 {
    meet((*low).into(), (*high).into(), corners.map(Into::into)).point.into()
}
