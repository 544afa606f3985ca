//! How fine the elements of a base must be for a force of stated accuracy, from static geometry alone.
//!
//! An element takes the penetration at its barycentre for the whole of it. What that makes of the force depends on how many
//! elements a contact patch has. Where the patch lies among them is chance.
//!
//! - **Curved patches.** A surface of relative curvatures κ₁ ≥ κ₂ that is δ deep makes an elliptical patch of the semi-axes
//!   a = √(2 δ/κ₁) and b = √(2 δ/κ₂). The sum over barycentres of the pressure δ (1 − x²/a² − y²/b²) is right in the mean over
//!   all places of the patch, and off from place to place by the pressure's Fourier transform at the lattice of the
//!   barycentres, for a circle 8 J₂(ka)/(ka)² of the force, which falls with a^(−5/2). Rows across an ellipse are each off by
//!   (h/a)², with the longest edge h of the elements, and independent of each other, as no element is in line with others: the
//!   standard deviation is [`PATCH_ERROR`] (h/a)² (h/b)^(1/2); the worst places have three times as much.
//! - **Ends of lines.** What is longer than the strip that touches, as a cylinder's facets are, ends it with a pressure above zero,
//!   where elements are in or out: a strip of length ℓ > 2 a is off by [`END_ERROR`] (h/a)^(1/2) h/ℓ, too, and has b = ℓ/2.
//! - **Flat faces of the base.** Their stiffness against tilting is Σ A x² in place of ∫ x² dA: it lacks Σ ∫ (x − x_c)² dA over
//!   the elements, at most about h²/24 of the area, beside r² of it for the face, with its smaller radius of gyration r. A
//!   face has [`FACE_ELEMENTS`] elements at least.
//! - **Flat faces of the target.** The pressure does not fall to zero at their borders, where elements are in or out: by chance,
//!   as no element is in line with others (`leaves/bisect`). The stiffness against tilting of a face of width w is off by
//!   less than [`BORDER_ERROR`] (h/w)^(3/2) in 99 of 100 places, the force by half of it. A third of that is the standard
//!   deviation; but a machine rests in one place, and tilts there or does not.
//!
//! Triangles are cut near the middles of their edges; h is the longest edge if all cuts were in the middle.
//!
//! Constants are those of the least favourable shape of elements among random poses (`tests/polygonal/accuracy.rs`).
//!
//! The curvatures of the target are those which no more than [`LEFT_OUT`] of its area exceeds: fillets along edges do not make
//! the whole base fine. To them come those of the base where the element lies, in the least favourable directions. Facets of a
//! curved base are no faces of their own as long as their neighbours are in contact with them.

use std::cmp::Ordering;

use crate::mesh::{FlatFace, SurfaceForm, TriangleForm};

use super::{Cell, MOST_BISECTIONS, MOST_LEAVES};

/// Error of the force of a curved patch whose semi-axes are the longest edge of the elements.
pub const PATCH_ERROR: f64 = 0.05;

/// What the ends of a strip add to the error of its force, if it is as long as the longest edge of the elements and twice as wide.
pub const END_ERROR: f64 = 0.18;

/// Error of the tilting stiffness under a flat face of the target whose width is the longest edge of the elements.
pub const BORDER_ERROR: f64 = 2.4;

/// A flat face of a refined base has at least as many elements.
pub const FACE_ELEMENTS: usize = 16;

/// Share of the target's area that may be more strongly curved than what elements are made for.
pub const LEFT_OUT: f64 = 0.02;

/// Share of a triangle that may be cut into leaves longer than is asked for: those at the point of a sliver, side by side with
/// those of its neighbours in a fan.
const LONG_SHARE: f64 = 1.0 / 16.0;

/// Triangles whose squared edges differ by less, relative to the longest, are of one shape.
const SAME_SHAPE: f64 = 0.02;

/// Shapes of leaves that are followed at once.
const MOST_SHAPES: usize = 256;

/// How a base is refined for a target, and what that is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Refinement {
    /// Bisections by triangle of the base.
    pub depths: Vec<u8>,
    /// The same with what is finer along edges and at corners ([`Self::graded`]); empty if nothing is.
    pub cells: Vec<Cell>,
    /// Number of elements.
    pub elements: usize,
    /// Longest edge of the elements away from edges and corners (m), but for a share of them.
    pub longest: f64,
    /// Estimated relative error of the force at the depth that was stated.
    pub error: f64,
}

/// What of a target's form counts for its patches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetForm {
    /// Exceeded by no more than [`LEFT_OUT`] of the area, the larger first (1/m).
    curvatures: [f64; 2],
    /// Strips of one plane are no shorter, but for [`LEFT_OUT`] of the area (m).
    length: f64,
    /// Width of the flat faces (m), infinite if it is mainly curved.
    width: f64,
}

impl TargetForm {
    /// Of a surface.
    pub fn of(target: &SurfaceForm) -> Self {
        let total: f64 = target.triangles.iter().map(|t| t.area).sum();
        let least_but_for = |share: f64, of: &dyn Fn(&TriangleForm) -> f64| {
            let mut values: Vec<[f64; 2]> = target.triangles.iter().map(|t| [of(t), t.area]).collect();
            values.sort_by(|a, b| a[0].total_cmp(&b[0]));
            at_share(&values, share * total)
        };
        let face_of = |t: &TriangleForm| &target.faces[t.face as usize];
        let width_of = |t: &TriangleForm| {
            let face = face_of(t);
            if face.is_cornered { face.width() } else { f64::INFINITY }
        };
        Self {
            curvatures: [0, 1].map(|k| -least_but_for(LEFT_OUT, &|t| -t.curvatures[k])),
            length: least_but_for(LEFT_OUT, &|t| face_of(t).length),
            width: least_but_for(0.5, &width_of),
        }
    }
}

/// The patches that a target can make on a base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patches {
    target: TargetForm,
    /// Depth (m).
    depth: f64,
}

impl Patches {
    /// Of a target that is `depth` deep (m).
    pub fn new(target: TargetForm, depth: f64) -> Self {
        Self { target, depth }
    }

    /// Smaller and larger semi-axis of a patch on the base's triangle `t`, and the length of the strip that ends it (m),
    /// infinite if none does.
    fn patch(&self, t: &TriangleForm, face: &FlatFace) -> [f64; 3] {
        let ([target, along_target], [base, along_base]) = (self.target.curvatures, t.curvatures);
        // The smaller eigenvalue of a sum of symmetric matrices is at most the larger of one plus the smaller of the other.
        let [across, along] = [target + base, (target + along_base).min(base + along_target)]
            .map(|curvature| (2.0 * self.depth / curvature).sqrt());
        let strip = self.target.length.min(face.length);
        if across < 0.5 * strip && 0.5 * strip < along {
            [across, 0.5 * strip, strip]
        } else {
            [across, along.min(across.max(0.5 * strip)), f64::INFINITY]
        }
    }

    /// Error with elements of the base's triangle `t` that are as long as `length` (m).
    fn error(&self, t: &TriangleForm, face: &FlatFace, length: f64) -> f64 {
        let [across, along, strip] = self.patch(t, face);
        let ratio = length / across;
        let curved = PATCH_ERROR * ratio * ratio * (length / along).sqrt();
        let ends = END_ERROR * ratio.sqrt() * length / strip;
        let share = length / self.target.width;
        let border = BORDER_ERROR * share * share.sqrt();
        let tilting =
            if self.is_alone(face) { length * length / (24.0 * face.gyration * face.gyration) } else { 0.0 };
        curved.max(ends).max(border).max(tilting)
    }

    /// Length of elements with an error of at most `accuracy` (m).
    fn length(&self, t: &TriangleForm, face: &FlatFace, accuracy: f64) -> f64 {
        let [across, along, strip] = self.patch(t, face);
        let curved = libm::pow(accuracy / PATCH_ERROR * across * across * along.sqrt(), 0.4);
        let ends = libm::pow(accuracy / END_ERROR * across.sqrt() * strip, 2.0 / 3.0);
        let border = self.target.width * libm::pow(accuracy / BORDER_ERROR, 2.0 / 3.0);
        let tilting =
            if self.is_alone(face) { face.gyration * (24.0 * accuracy).sqrt() } else { f64::INFINITY };
        curved.min(ends).min(border).min(tilting)
    }

    /// Does a plane that lies on the face as deep as this touch little of its neighbours? They come in up to depth/angle
    /// from the border: less than a quarter of the width. Other faces are facets of curved surfaces, whose curvature counts.
    fn is_alone(&self, face: &FlatFace) -> bool {
        face.gyration > 0.0 && 4.0 * self.depth < face.border_angle * face.width()
    }
}

impl Refinement {
    /// The triangles of the mesh as they are.
    pub fn none(base: &SurfaceForm, patches: &Patches) -> Self {
        let error = |t: &TriangleForm| patches.error(t, &base.faces[t.face as usize], t.edges[0].sqrt());
        Self {
            depths: vec![0; base.triangles.len()],
            cells: Vec::new(),
            elements: base.triangles.len(),
            longest: whole(base).map(|t| t.edges[0].sqrt()).fold(0.0, f64::max),
            error: whole(base).map(error).fold(0.0, f64::max),
        }
    }

    /// So fine that the error is at most `accuracy`, or as fine as there are numbers for elements.
    pub fn to(base: &SurfaceForm, patches: &Patches, accuracy: f64) -> Self {
        let mut accuracy = accuracy;
        loop {
            if let Some(refined) = Self::try_to(base, patches, accuracy) {
                return refined;
            }
            accuracy *= 2.0;
        }
    }

    fn try_to(base: &SurfaceForm, patches: &Patches, accuracy: f64) -> Option<Self> {
        let face_of = |t: &TriangleForm| &base.faces[t.face as usize];
        let lengths: Vec<f64> =
            base.triangles.iter().map(|t| patches.length(t, face_of(t), accuracy)).collect();
        let mut depths = vec![0; lengths.len()];
        for (k, t) in base.triangles.iter().enumerate() {
            if t.area > 0.0 {
                depths[k] = bisections(t.edges, lengths[k])?;
            }
        }
        let mut counts = vec![0_usize; base.faces.len()];
        for (t, depth) in base.triangles.iter().zip(&depths) {
            counts[t.face as usize] += 1 << depth;
        }
        for (t, depth) in base.triangles.iter().zip(&mut depths) {
            let (face, mut count) = (face_of(t), counts[t.face as usize]);
            while t.area > 0.0 && patches.is_alone(face) && count < FACE_ELEMENTS {
                *depth += 1;
                count *= 2;
            }
        }
        let elements = depths.iter().map(|&depth| 1_usize << depth).sum();
        if elements > MOST_LEAVES {
            return None;
        }
        let (mut longest, mut error) = (0.0_f64, 0.0_f64);
        for (t, &depth) in base.triangles.iter().zip(&depths).filter(|(t, _)| t.area > 0.0) {
            let length = longest_after(t.edges, depth);
            longest = longest.max(length);
            error = error.max(patches.error(t, face_of(t), length));
        }
        Some(Self { depths, cells: Vec::new(), elements, longest, error })
    }
}

/// Triangles that are not degenerate.
fn whole(form: &SurfaceForm) -> impl Iterator<Item = &TriangleForm> {
    form.triangles.iter().filter(|t| t.area > 0.0)
}

/// The first of sorted values (each with its area) such that those up to it take at least `area`.
fn at_share(sorted: &[[f64; 2]], area: f64) -> f64 {
    let mut sum = 0.0;
    for [value, own] in sorted {
        sum += own;
        if sum >= area {
            return *value;
        }
    }
    sorted.last().map_or(0.0, |last| last[0])
}

/// Number of bisections at the longest edge after which edges are no longer than `length` (m), but for a share of the leaves;
/// none if that is too many. `edges` are squared, the longest first.
fn bisections(edges: [f64; 3], length: f64) -> Option<u8> {
    let mut shapes = Shapes::of(edges);
    for depth in 0..=MOST_BISECTIONS {
        if shapes.longest() <= length {
            return Some(depth);
        }
        shapes.halve();
    }
    None
}

/// Longest edge of the leaves (m), but for a share of them.
fn longest_after(edges: [f64; 3], depth: u8) -> f64 {
    let mut shapes = Shapes::of(edges);
    (0..depth).for_each(|_| shapes.halve());
    shapes.longest()
}

/// Shapes of the leaves of a triangle at one depth, where all have the same area, with the share of each. Halves of halves have
/// few different ones (Stynes, "On faster convergence of the bisection method for all triangles", Math. Comput. 35
/// (1980) 1195–1201); those of slivers are put together where they are alike.
struct Shapes(Vec<Shape>);

#[derive(Clone, Copy)]
struct Shape {
    /// Squares of the edges (m²), the longest first.
    edges: [f64; 3],
    share: f64,
}

impl Shapes {
    fn of(edges: [f64; 3]) -> Self {
        Self(vec![Shape { edges, share: 1.0 }])
    }

    /// Longest edge that no more than the share has exceed it (m).
    fn longest(&self) -> f64 {
        let mut sum = 0.0;
        for Shape { edges, share } in &self.0 {
            sum += share;
            if sum > LONG_SHARE {
                return edges[0].sqrt();
            }
        }
        0.0
    }

    fn halve(&mut self) {
        let mut halves = Vec::with_capacity(2 * self.0.len());
        for Shape { edges: [a, b, c], share } in &self.0 {
            // The line from the middle of the longest edge to the corner across.
            let median = 0.25 * (2.0 * b + 2.0 * c - a);
            for mut edges in [[0.25 * a, *b, median], [0.25 * a, *c, median]] {
                edges.sort_by(|x, y| y.total_cmp(x));
                halves.push(Shape { edges, share: 0.5 * share });
            }
        }
        halves.sort_by(|x, y| (0..3).fold(Ordering::Equal, |o, k| o.then(y.edges[k].total_cmp(&x.edges[k]))));
        self.0.clear();
        for half in halves {
            let is_full = self.0.len() == MOST_SHAPES;
            match self.0.last_mut() {
                Some(last) if is_full || last.is_like(&half) => last.share += half.share,
                _ => self.0.push(half),
            }
        }
    }
}

impl Shape {
    fn is_like(&self, other: &Self) -> bool {
        (0..3).all(|k| (self.edges[k] - other.edges[k]).abs() <= SAME_SHAPE * self.edges[0])
    }
}
