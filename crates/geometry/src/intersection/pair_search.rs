use carom_math::Pose;

use super::cutting::{CutAll, CutBlock, cut_exactly};
use super::nodes::{Posed, Side};
use super::{IntersectionFault, MeshSurface};
use crate::near::simd::LANES;
use crate::near::{Descent, Found, Near, POSITION_ROUNDING, Placement, SimdLevel};

/// Searches the triangles of two surfaces that cut each other, at poses that have nothing to do with each other: nothing is
/// remembered but buffers. Who follows a motion, or wants regions, keeps a [`super::RegionSearch`].
///
/// ```
/// use carom_geometry::intersection::{MeshSurface, PairSearch};
/// use carom_geometry::surface::{Resolution, block};
/// use carom_math::{Pose, Vec3};
///
/// let cube = MeshSurface::new(&block(Vec3::repeat(0.5), Resolution::Divisions(1))?)?;
/// let mut search = PairSearch::new(&cube, &cube);
/// // One cube's top is in the other: its four sides cut the other's bottom, and its top the other's sides.
/// let pairs = search.find(&cube, &cube, &Pose::from_translation(Vec3::new(0.2, 0.25, 0.9)))?;
/// assert!(pairs.iter().all(|[a, b]| *a < 12 && *b < 12) && !pairs.is_empty());
/// let pairs = search.find(&cube, &cube, &Pose::from_translation(Vec3::new(0.2, 0.25, 1.1)))?;
/// assert!(pairs.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PairSearch {
    /// Whose triangles go down the tree of the other's, eight at a time: the finer surface's.
    base: Side,
    /// What a position may be off by (m).
    rounding: f64,
    descent: Descent,
    found: Found,
    cuts: Vec<CutBlock>,
    pairs: Vec<[u32; 2]>,
    simd: SimdLevel,
}

impl PairSearch {
    /// Workspace for these two surfaces; it must not be used with others.
    pub fn new(a: &MeshSurface, b: &MeshSurface) -> Self {
        Self {
            base: if a.mean_height < b.mean_height { Side::A } else { Side::B },
            rounding: POSITION_ROUNDING * 3.0 * (a.radius + b.radius),
            descent: Descent::default(),
            found: Found::default(),
            cuts: Vec::new(),
            pairs: Vec::new(),
            simd: SimdLevel::detect(),
        }
    }

    /// The same with other instructions.
    pub fn with_simd(self, simd: SimdLevel) -> Self {
        Self { simd, ..self }
    }

    /// Triangles of A and of B that cut each other at `x_ba`, the pose of A's frame in B's (Dopico et al. 2010, eq. 13),
    /// ascending: those of the segments of [`super::Contours`].
    ///
    /// # Errors
    /// [`IntersectionFault::Pose`] if a number of the pose is not finite.
    pub fn find(
        &mut self,
        a: &MeshSurface,
        b: &MeshSurface,
        x_ba: &Pose,
    ) -> Result<&[[u32; 2]], IntersectionFault> {
        let placement = Placement::checked(x_ba).map_err(IntersectionFault::Pose)?;
        let back = Placement::checked(&x_ba.inverse()).map_err(IntersectionFault::Pose)?;
        let posed = Posed { a, b, placement: &placement };
        self.list_near(&posed, &back);
        self.simd.run(CutAll { posed: &posed, pairs: &self.found.pairs, cuts: &mut self.cuts });
        self.pairs.clear();
        for (eight, cut) in self.found.pairs.chunks(LANES).zip(&self.cuts) {
            for lane in 0..eight.len() {
                let pair = [(eight[lane] >> 32) as u32, eight[lane] as u32];
                let is_unsure = cut.unsure >> lane & 1 == 1;
                if cut.cut >> lane & 1 == 1 || is_unsure && cut_exactly(&posed, pair) {
                    self.pairs.push(pair);
                }
            }
        }
        self.pairs.sort_unstable();
        Ok(&self.pairs)
    }

    /// Pairs that may cut each other: triangle of A · 2³² + triangle of B.
    fn list_near(&mut self, posed: &Posed<'_>, back: &Placement) {
        let (base, target) = (posed.surface(self.base), posed.surface(self.base.other()));
        Near {
            base: base.patch_tree(),
            target: &target.triangle_tree,
            triangles: &target.planes,
            placement: if self.base == Side::A { posed.placement } else { back },
            reach: 0.0,
            skin: self.rounding,
            most_pairs: usize::MAX,
            buffers: &mut self.descent,
            found: &mut self.found,
        }
        .list(self.simd);
        if self.base == Side::B {
            self.found.pairs.iter_mut().for_each(|pair| *pair = pair.rotate_left(32));
        }
    }
}
