use super::edges::EdgeSides;
use super::{MeshFault, TriangleMesh};

/// Triangles that hang together over edges with two triangles each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// Number of triangles.
    pub triangles: usize,
    /// Index of the first of them.
    pub first: usize,
    /// Triangles that are turned against the rest of the component: those of the smaller area.
    pub flipped: usize,
    /// The first of them.
    pub first_flipped: Option<usize>,
    /// All its edges have two triangles: it encloses a volume.
    pub closed: bool,
    /// Its triangles can be turned so that all agree; a Möbius strip's cannot.
    pub orientable: bool,
    /// Enclosed volume (m³) once the flipped triangles are turned, negative if the rest is clockwise seen from outside,
    /// as that of a cavity is. Without meaning unless `closed`.
    pub signed_volume: f64,
}

impl TriangleMesh {
    /// The parts of the mesh, in the order of their first triangles. Vertices at equal positions count as one. An edge
    /// with more than two triangles joins none.
    pub fn components(&self) -> Result<Vec<Component>, MeshFault> {
        self.validate()?;
        Ok(Parts::of(self).components(self))
    }

    /// The mesh with the flipped triangles of its components turned, and closed components of negative volume turned as
    /// a whole if `outward`, which also turns cavities.
    pub fn aligned(&self, outward: bool) -> Result<Self, MeshFault> {
        let components = self.components()?;
        let is_inside_out = |component: &Component| component.closed && component.signed_volume < 0.0;
        Ok(self.aligned_and_turned(|component| outward && is_inside_out(&components[component])))
    }

    /// The mesh with the flipped triangles of its components turned, and those components as a whole that are to be. The mesh must be
    /// valid.
    pub(crate) fn aligned_and_turned(&self, is_turned: impl Fn(usize) -> bool) -> Self {
        let parts = Parts::of(self);
        let mut mesh = self.clone();
        for (triangle, corners) in mesh.triangles.iter_mut().enumerate() {
            if parts.flipped[triangle] != is_turned(parts.component[triangle]) {
                corners.swap(1, 2);
            }
        }
        mesh
    }

    /// The mesh with all triangles turned: inside becomes outside.
    pub fn flipped(&self) -> Self {
        let triangles = self.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        Self { vertices: self.vertices.clone(), triangles }
    }
}

/// Which component each triangle belongs to, and whether it is turned against it.
pub(crate) struct Parts {
    pub(crate) component: Vec<usize>,
    pub(super) flipped: Vec<bool>,
    count: usize,
    closed: Vec<bool>,
    orientable: Vec<bool>,
}

impl Parts {
    pub(crate) fn of(mesh: &TriangleMesh) -> Self {
        let sides = EdgeSides::of(mesh);
        let mut forest = Forest::new(mesh.triangles.len());
        let mut contradictions = Vec::new();
        for [one, two] in sides.pairs() {
            if !forest.join(one.triangle as usize, two.triangle as usize, one.forward == two.forward) {
                contradictions.push(one.triangle as usize);
            }
        }
        let mut number = vec![usize::MAX; mesh.triangles.len()];
        let mut parts = Self {
            component: Vec::with_capacity(mesh.triangles.len()),
            flipped: Vec::with_capacity(mesh.triangles.len()),
            count: 0,
            closed: Vec::new(),
            orientable: Vec::new(),
        };
        let mut areas: Vec<[f64; 2]> = Vec::new();
        for (triangle, [a, b, c]) in mesh.corners().enumerate() {
            let (root, turned) = forest.find(triangle);
            if number[root] == usize::MAX {
                number[root] = parts.count;
                parts.count += 1;
                areas.push([0.0; 2]);
            }
            parts.component.push(number[root]);
            parts.flipped.push(turned);
            areas[number[root]][usize::from(turned)] += (b - a).cross(&(c - a)).norm();
        }
        // `flipped` is against the root so far; the larger area is right, and the first triangle in a tie.
        let mut first_seen = vec![false; parts.count];
        let mut turned_are_right = vec![false; parts.count];
        for (triangle, &component) in parts.component.iter().enumerate() {
            if !std::mem::replace(&mut first_seen[component], true) {
                let [straight, turned] = areas[component];
                let tie = straight == turned && parts.flipped[triangle];
                turned_are_right[component] = turned > straight || tie;
            }
        }
        for (flipped, &component) in parts.flipped.iter_mut().zip(&parts.component) {
            *flipped ^= turned_are_right[component];
        }
        parts.closed = vec![true; parts.count];
        for side in sides.unpaired() {
            parts.closed[parts.component[side.triangle as usize]] = false;
        }
        parts.orientable = vec![true; parts.count];
        for triangle in contradictions {
            parts.orientable[parts.component[triangle]] = false;
        }
        parts
    }

    fn components(&self, mesh: &TriangleMesh) -> Vec<Component> {
        let (low, high) = mesh.bounds();
        let origin = 0.5 * (low + high);
        let mut components: Vec<Option<Component>> = vec![None; self.count];
        for (triangle, corners) in mesh.corners().enumerate() {
            let k = self.component[triangle];
            let component = components[k].get_or_insert(Component {
                triangles: 0,
                first: triangle,
                flipped: 0,
                first_flipped: None,
                closed: self.closed[k] && self.orientable[k],
                orientable: self.orientable[k],
                signed_volume: 0.0,
            });
            let [a, b, c] = corners.map(|corner| corner - origin);
            let volume = a.cross(&b).dot(&c) / 6.0;
            component.triangles += 1;
            if self.flipped[triangle] {
                component.flipped += 1;
                component.first_flipped.get_or_insert(triangle);
                component.signed_volume -= volume;
            } else {
                component.signed_volume += volume;
            }
        }
        components.into_iter().flatten().collect()
    }
}

/// Disjoint sets, each member with its orientation against the root (Tarjan, J. ACM 22 (1975), with a parity).
pub(crate) struct Forest {
    parent: Vec<usize>,
    turned: Vec<bool>,
}

impl Forest {
    pub(crate) fn new(members: usize) -> Self {
        Self { parent: (0..members).collect(), turned: vec![false; members] }
    }

    /// Root of a member's set, and whether the member is turned against it.
    pub(crate) fn find(&mut self, member: usize) -> (usize, bool) {
        let (mut root, mut turned) = (member, false);
        while self.parent[root] != root {
            turned ^= self.turned[root];
            root = self.parent[root];
        }
        // Everything on the way hangs on the root from now on.
        let (mut at, mut rest) = (member, turned);
        while self.parent[at] != root && at != root {
            let next = self.parent[at];
            let own = self.turned[at];
            (self.parent[at], self.turned[at]) = (root, rest);
            rest ^= own;
            at = next;
        }
        (root, turned)
    }

    /// Joins the sets of two members that are turned against each other or not; false if they are in one set already
    /// and the other way round.
    pub(crate) fn join(&mut self, one: usize, two: usize, turned: bool) -> bool {
        let ((root_one, turned_one), (root_two, turned_two)) = (self.find(one), self.find(two));
        if root_one == root_two {
            return turned_one ^ turned_two == turned;
        }
        let (low, high) = (root_one.min(root_two), root_one.max(root_two));
        self.parent[high] = low;
        self.turned[high] = turned_one ^ turned_two ^ turned;
        true
    }
}
