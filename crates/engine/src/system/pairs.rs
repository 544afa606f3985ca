//! What may touch: pairs of surfaces, stops of joints, cables; their contacts, and the names of both.

use std::borrow::Cow;
use std::sync::Arc;

use carom_geometry::TriangleMesh;
use carom_geometry::clearance::{Borders, ClearanceTree};
use carom_geometry::intersection::ClosedSurface;
use carom_geometry::polygonal::{BaseSurface, EdgeZones, TargetSurface};

use super::{ConvexPair, PairSource, PatchGrid};
use crate::law::{ArealLaw, Friction, NormalLaw, RigidLaw, RollingResistance};
use crate::record::{ContactInfo, PairInfo};

/// All pairs and contacts that are known, by index: those of the model first, then those that a run adds as bodies come
/// near each other.
#[derive(Clone, Default)]
pub(crate) struct PairTable {
    pub(crate) pairs: Vec<PairData>,
    pub(crate) contacts: Vec<ContactData>,
    /// Names, as many as pairs and contacts.
    pub(crate) pair_info: Vec<PairInfo>,
    pub(crate) contact_info: Vec<ContactInfo>,
    /// Are there convex solids whose contact is searched for, and contacts of triangle surfaces?
    pub(crate) has_searches: bool,
    pub(crate) has_meshes: bool,
}

impl PairTable {
    /// Adds a pair without contacts; returns its index.
    pub(crate) fn add_pair(&mut self, data: PairData, info: PairInfo) -> usize {
        self.has_searches |= matches!(data.source, PairSource::Convex(_));
        self.has_meshes |= data.source.meshes().is_some();
        self.pairs.push(data);
        self.pair_info.push(info);
        self.pairs.len() - 1
    }

    /// The two solids of a contact whose nearest points are searched for; none of other contacts.
    #[inline]
    pub(crate) fn searched(&self, contact: usize) -> Option<&ConvexPair> {
        let data = &self.contacts[contact];
        match &self.pairs[data.pair].source {
            PairSource::Convex(pair) if data.feature == 0 => Some(pair),
            _ => None,
        }
    }

    /// Is there anything that does not give?
    pub(crate) fn has_rigid(&self) -> bool {
        self.pairs.iter().any(|pair| pair.rigid.is_some())
    }

    /// Do the surfaces of the contact not give?
    pub(crate) fn is_rigid(&self, contact: usize) -> bool {
        self.pairs[self.contacts[contact].pair].rigid.is_some()
    }

    /// Are the surfaces of the contact outlines in a plane?
    pub(crate) fn is_in_plane(&self, contact: usize) -> bool {
        matches!(self.pairs[self.contacts[contact].pair].source, PairSource::Planar(_))
    }

    /// The law of a rigid contact.
    pub(crate) fn rigid_law(&self, contact: usize) -> &RigidLaw {
        self.pairs[self.contacts[contact].pair].rigid.as_ref().expect("a contact that is rigid has its law")
    }

    /// Adds a contact; returns its index. The name of the feature is empty if the pair has one.
    pub(crate) fn add_contact(&mut self, data: ContactData, feature_name: Cow<'static, str>) -> usize {
        self.contacts.push(data);
        self.contact_info.push(ContactInfo { pair: data.pair, feature: data.feature, feature_name });
        self.contacts.len() - 1
    }
}

/// Two triangle surfaces that may touch: what is asked about their way towards each other.
pub(crate) struct MeshPair {
    /// Those of the model's A and B.
    pub(crate) surfaces: [usize; 2],
    /// The same surfaces for questions about clearance.
    pub(crate) trees: [Arc<ClearanceTree>; 2],
    /// Distance below which they nearly touch (m): they are evaluated like ones in contact.
    pub(crate) near: f64,
    /// How far they may travel in a step while they touch, or nearly do (m).
    pub(crate) travel_limit: f64,
    /// How far they may come to overlap without a force (m).
    pub(crate) unfelt_limit: f64,
    /// Where a target is so thin that they may not travel as far.
    pub(crate) thin: Option<Thin>,
    /// Their law starts smoothly and holds no approach speed: a step need not end where they begin to touch.
    pub(crate) starts_smoothly: bool,
}

/// Two triangle surfaces in areal contact.
pub(crate) struct ArealPair {
    pub(crate) meshes: Arc<MeshPair>,
    /// One, or two with half the forces each where both are bases.
    pub(crate) passes: Vec<ArealPass>,
    /// Which elements lie side by side.
    pub(crate) grid: PatchGrid,
    /// Largest penetration that is meant (m).
    pub(crate) u_max: f64,
    /// Largest one that may be: that, or more where it is warned of (m).
    pub(crate) depth_limit: f64,
    /// Is a base cut into finer elements where its triangles are too coarse?
    pub(crate) is_refined: bool,
}

/// Share of u_max below which surfaces are near: they are evaluated like ones in contact.
const NEAR_SHARE: f64 = 0.25;
/// Walls of targets count that are thinner than so many u_max.
pub(crate) const WALL_REACH: f64 = 2.0;
/// Share of a wall that surfaces may travel in a step, and how deep they may come.
const WALL_TRAVEL: f64 = 0.25;
pub(crate) const WALL_DEPTH: f64 = 0.75;
/// Share of u_max at which elements beside edges feel what they press into, and that surfaces may come to overlap unfelt.
const UNFELT_SHARE: f64 = 0.1;
/// Its largest, also where triangles are to be taken as they are: sampling that coarse was asked for.
pub(super) const LARGEST_UNFELT_SHARE: f64 = 0.5;
/// Accuracy from which on it grows with it.
const USUAL_ACCURACY: f64 = 0.05;

/// Share of u_max that surfaces may come to overlap without any element that feels it, for the accuracy of a contact line.
pub(super) fn unfelt_share(accuracy: Option<f64>) -> f64 {
    let grown = accuracy.map(|accuracy| UNFELT_SHARE * (accuracy / USUAL_ACCURACY).max(1.0));
    grown.map_or(LARGEST_UNFELT_SHARE, |share| share.min(LARGEST_UNFELT_SHARE))
}

impl MeshPair {
    /// Of surfaces in areal contact, seen on both sides up to u_max: what comes in beside a patch is not deeper than penetration
    /// lines reach.
    pub(super) fn of_areal(
        (surfaces, trees): ([usize; 2], [Arc<ClearanceTree>; 2]),
        (u_max, thin): (f64, Option<Thin>),
        accuracy: Option<f64>,
        passes: &[ArealPass],
    ) -> Self {
        Self {
            surfaces,
            trees,
            near: NEAR_SHARE * u_max,
            travel_limit: u_max,
            thin,
            unfelt_limit: u_max * unfelt_share(accuracy),
            starts_smoothly: passes.iter().all(|pass| pass.law.starts_smoothly()),
        }
    }
}

/// Walls of targets that are thinner than what may become as deep from both sides: behind one nothing is seen.
pub(crate) struct Thin {
    /// Sides of these walls, for A and B.
    pub(crate) sides: [Option<ClearanceTree>; 2],
    /// How far surfaces may travel in a step that may take them there (m).
    pub(crate) travel_limit: f64,
}

impl Thin {
    /// Of the targets of these passes between the meshes of A and B, if there are any.
    pub(super) fn of(passes: &[ArealPass], meshes: [&TriangleMesh; 2], u_max: f64) -> Option<Self> {
        let mut sides = [None, None];
        let mut thinnest = WALL_REACH * u_max;
        for pass in passes {
            let Some(walls) = &pass.walls else { continue };
            let target = usize::from(pass.base_is_a);
            let TriangleMesh { vertices, triangles } = meshes[target];
            let thin = triangles.iter().zip(&**walls).filter(|(_, wall)| **wall < WALL_REACH * u_max);
            thinnest = thin.clone().fold(thinnest, |least, (_, wall)| least.min(*wall));
            let part = TriangleMesh {
                vertices: vertices.clone(),
                triangles: thin.map(|(triangle, _)| *triangle).collect(),
            };
            sides[target] = Some(ClearanceTree::new(&part).expect("a part of a surface that has a tree"));
        }
        let is_thin = sides.iter().any(Option::is_some);
        is_thin.then_some(Self { sides, travel_limit: u_max.min(WALL_TRAVEL * thinnest) })
    }
}

impl ArealPair {
    /// Does its law measure against how it began?
    pub(crate) fn keeps_approach(&self) -> bool {
        self.passes.iter().any(|pass| pass.law.keeps_approach())
    }
}

/// One way to see an areal contact: elements of the base, traced onto the target.
pub(crate) struct ArealPass {
    /// The base is the model's A.
    pub(crate) base_is_a: bool,
    /// The mesh of the base.
    pub(crate) mesh: Arc<TriangleMesh>,
    pub(crate) base: Arc<BaseSurface>,
    pub(crate) target: Arc<TargetSurface>,
    pub(crate) law: ArealLaw,
    /// Base and target as closed surfaces, where contours are constructed first.
    pub(crate) closed: Option<[ClosedSurface; 2]>,
    /// None where triangles are taken as they are, and so their lines.
    pub(crate) edges: Option<PassEdges>,
    /// Estimated relative error of the force at a tenth of u_max.
    pub(crate) error: f64,
    /// Thickness of the wall that each triangle of the target is a side of (m), where any is thin.
    pub(crate) walls: Option<Arc<[f64]>>,
    /// Where what is behind the target ends, if it is open.
    pub(crate) borders: Option<Arc<Borders>>,
}

/// What of the surfaces of a pass is beside edges.
pub(crate) struct PassEdges {
    /// Sharp ones of the base.
    pub(crate) base: Arc<EdgeZones>,
    /// Of the target if it is the base of another pass.
    pub(crate) target: Option<Arc<EdgeZones>>,
    /// All at which flat faces of the target end.
    pub(crate) bends: Arc<EdgeZones>,
    /// The target, for how deep in it places beside those are.
    pub(crate) tree: Arc<ClearanceTree>,
}

/// Depth over u_max up to which what is deeper is warned of, if it may be.
const WARNED: f64 = 1.5;
/// Length of penetration lines beyond the largest depth, over u_max: what exceeds that must be seen.
const BEYOND: f64 = 0.5;

/// Largest penetration for a u_max (m), and how far penetration lines are traced (m).
pub(super) fn depth_and_reach(u_max: f64, may_exceed: bool) -> [f64; 2] {
    let most = if may_exceed { WARNED } else { 1.0 };
    [most, most + BEYOND].map(|share| share * u_max)
}

/// A pair with the law that serves it.
#[derive(Clone)]
pub(crate) struct PairData {
    pub(crate) source: PairSource,
    /// Bodies of the model's A and B.
    pub(crate) bodies: [usize; 2],
    pub(crate) friction: Friction,
    pub(crate) mu_visc: f64,
    pub(crate) rolling: RollingResistance,
    /// Surfaces that do not give: their forces are multipliers, and no law makes them.
    pub(crate) rigid: Option<RigidLaw>,
}

impl PairData {
    /// A pair that only pushes.
    pub(crate) fn frictionless(source: PairSource, bodies: [usize; 2]) -> Self {
        Self {
            source,
            bodies,
            friction: Friction::None,
            mu_visc: 0.0,
            rolling: RollingResistance::None,
            rigid: None,
        }
    }
}

/// A contact: one feature of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactData {
    pub(crate) pair: usize,
    pub(crate) feature: usize,
    pub(crate) law: NormalLaw,
    /// Effective mass of the pair for estimates, as if the contact normal met both centres of mass (kg).
    pub(crate) nominal_mass: f64,
}

/// Duration of an elastic Hertz impact over δ_m/v (Johnson, Contact Mechanics, 11.4).
const DURATION_FACTOR: f64 = 2.94;

/// Steps into a new contact: this share of its estimated duration.
const ENTRY_SHARE: f64 = 0.05;

impl ContactData {
    /// Longest step into a contact that begins at `speed` (s).
    pub(crate) fn entry_limit(&self, speed: f64) -> f64 {
        ENTRY_SHARE * self.impact_duration(speed)
    }

    /// Estimated duration of an impact at `speed` (s), undamped.
    pub(crate) fn impact_duration(&self, speed: f64) -> f64 {
        DURATION_FACTOR * self.law.impact_penetration(speed, self.nominal_mass) / speed
    }
}
