use carom_math::Vec3;

use super::{BaseSurface, ElementHit};
use crate::TriangleMesh;
use crate::mesh::{EqualVertices, find_representatives};

/// A part of the base that is in contact, connected over vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Sum of the areas of its elements (m²).
    pub area: f64,
    /// Sum of the weights.
    pub weight: f64,
    /// Σ w x/Σ w over the barycentres x, in the base's frame (m); with areas for weights if all weights are zero.
    pub centre: Vec3,
    /// Number of elements.
    pub elements: u32,
    /// Its lowest element.
    pub first: u32,
}

/// Finds patches; a workspace for one base.
#[derive(Clone, Debug)]
pub struct PatchSearch {
    /// Corners of the triangles; vertices at equal positions have one number.
    corners: Vec<[u32; 3]>,
    /// For the elements of a refined base: corners of each of the current hits, numbered likewise among themselves.
    leaves: Vec<[u32; 3]>,
    equal: EqualVertices,
    /// For vertices of the current elements another of the same patch, with lower number, or itself.
    parent: Vec<u32>,
    /// Number of the patch, at its lowest vertex.
    number: Vec<u32>,
    sums: Vec<Sum>,
    patches: Vec<Patch>,
    patch_of: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Sum {
    by_weight: Vec3,
    by_area: Vec3,
}

const NONE: u32 = u32::MAX;

impl PatchSearch {
    /// For the mesh that the base was made from.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let same = find_representatives(&mesh.vertices, 0.0);
        let corners: Vec<_> = mesh.triangles.iter().map(|t| t.map(|v| same[v as usize])).collect();
        let (vertices, triangles) = (mesh.vertices.len(), corners.len());
        Self {
            corners,
            leaves: Vec::new(),
            equal: EqualVertices::default(),
            parent: vec![NONE; vertices],
            number: vec![NONE; vertices],
            sums: Vec::with_capacity(triangles.min(64)),
            patches: Vec::with_capacity(triangles.min(64)),
            patch_of: Vec::with_capacity(triangles),
        }
    }

    /// Patches of the active ones among `hits`, in the order of their lowest elements; elements that share a vertex belong
    /// together. `weight` ≥ 0 of a hit is for instance its force.
    pub fn find(
        &mut self,
        base: &BaseSurface,
        hits: &[ElementHit],
        weight: impl Fn(usize, &ElementHit) -> f64,
    ) -> &[Patch] {
        if base.is_refined() {
            self.number_leaves(base, hits);
        }
        let active = || hits.iter().enumerate().filter(|(_, hit)| hit.is_active());
        for (index, hit) in active() {
            for v in self.corners_of(index, hit) {
                self.parent[v as usize] = v;
            }
        }
        for (index, hit) in active() {
            let [a, b, c] = self.corners_of(index, hit);
            self.join(a, b);
            self.join(a, c);
        }
        self.patches.clear();
        self.sums.clear();
        self.patch_of.clear();
        for (index, hit) in hits.iter().enumerate() {
            let corner = self.corners_of(index, hit)[0];
            let patch = if hit.is_active() { self.add(base, hit, corner, weight(index, hit)) } else { NONE };
            self.patch_of.push(patch);
        }
        for (patch, sum) in self.patches.iter_mut().zip(&self.sums) {
            patch.centre =
                if patch.weight > 0.0 { sum.by_weight / patch.weight } else { sum.by_area / patch.area };
        }
        for (index, hit) in active() {
            for v in self.corners_of(index, hit) {
                self.parent[v as usize] = NONE;
                self.number[v as usize] = NONE;
            }
        }
        &self.patches
    }

    /// For each of the hits of the last search its patch; none for those that are not active.
    pub fn patch_of(&self, hit: usize) -> Option<u32> {
        Some(self.patch_of[hit]).filter(|&patch| patch != NONE)
    }

    /// Corners of the element of a hit, by number.
    fn corners_of(&self, index: usize, hit: &ElementHit) -> [u32; 3] {
        self.leaves.get(index).copied().unwrap_or_else(|| self.corners[hit.element as usize])
    }

    /// Numbers the corners of the elements of all hits.
    fn number_leaves(&mut self, base: &BaseSurface, hits: &[ElementHit]) {
        let corners = hits.iter().filter_map(|hit| base.leaf_corners(hit.element)).flatten();
        let same = self.equal.find(corners);
        self.leaves.clear();
        self.leaves.extend(same.chunks_exact(3).map(|three| [three[0], three[1], three[2]]));
        let vertices = self.parent.len().max(same.len());
        self.parent.resize(vertices, NONE);
        self.number.resize(vertices, NONE);
    }

    fn root(&mut self, mut vertex: u32) -> u32 {
        loop {
            let parent = self.parent[vertex as usize];
            if parent == vertex {
                return vertex;
            }
            // Halves the way for the next time.
            let grandparent = self.parent[parent as usize];
            self.parent[vertex as usize] = grandparent;
            vertex = grandparent;
        }
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn add(&mut self, base: &BaseSurface, hit: &ElementHit, corner: u32, weight: f64) -> u32 {
        let root = self.root(corner) as usize;
        if self.number[root] == NONE {
            self.number[root] = self.patches.len() as u32;
            let centre = Vec3::zeros();
            self.patches.push(Patch { area: 0.0, weight: 0.0, centre, elements: 0, first: hit.element });
            self.sums.push(Sum { by_weight: centre, by_area: centre });
        }
        let number = self.number[root] as usize;
        let element = base.element(hit.element);
        let (patch, sum) = (&mut self.patches[number], &mut self.sums[number]);
        patch.area += element.area;
        patch.weight += weight;
        patch.elements += 1;
        sum.by_weight += weight * element.barycentre;
        sum.by_area += element.area * element.barycentre;
        number as u32
    }
}
