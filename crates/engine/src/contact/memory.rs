use carom_geometry::convex::ConvexCache;
use carom_math::Vec3;

use super::patches::PatchBook;
use super::regions::RegionBook;
use super::rigid::Hold;
use super::{Load, PointMotion};
use crate::record::{ContactMode, Peaks};
use crate::system::PairTable;

/// What lives with a contact over time. Changed in commits only, keyed by the contact's index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactMemory {
    pub(crate) mode: ContactMode,
    /// Approach speed δ̇⁻ that the law keeps (m/s).
    pub(crate) frozen_approach: f64,
    /// Damping coefficient that the law keeps.
    pub(crate) frozen_damping: f64,
    /// Damping c_t of its bristle (N s/m).
    pub(crate) grip_damping: f64,
    /// When this contact began (s).
    pub(crate) begin: f64,
    /// When it last ended (s).
    pub(crate) end: f64,
    /// How long it last lasted (s).
    pub(crate) lasted: f64,
    /// Bounces in a row that came too fast to resolve; of a rigid contact impacts in a row without a flight between.
    pub(crate) quick_bounces: u32,
    /// Since when a latched contact is in its present state, touching or apart (s).
    pub(crate) calm_since: f64,
    /// A latched contact touches; an elastic cable is taut.
    pub(crate) touching: bool,
    /// Normal impulse since the beginning (N s).
    pub(crate) impulse_normal: f64,
    /// Tangential impulse on B since the beginning (N s).
    pub(crate) impulse_tangential: Vec3,
    /// Approach speed at the beginning (m/s).
    pub(crate) begin_speed: f64,
    /// Greatest values since the beginning.
    pub(crate) peaks: Peaks,
    /// Load at the start of the step, and at that of the one before, so many seconds earlier; 0 if there was none
    /// since the last event.
    pub(crate) load: Load,
    pub(crate) load_before: Load,
    pub(crate) lag: f64,
    /// Energy in it at the last accepted state (J), of contacts that may store what no work accounts for.
    pub(crate) stored: f64,
    /// Gap at the last accepted state at which it was evaluated (m).
    pub(crate) gap: f64,
    /// Approach speed there (m/s).
    pub(crate) approach: f64,
    /// Normal there.
    pub(crate) normal: Vec3,
    /// Number of the accepted step at which gap, approach and normal were taken.
    pub(crate) evaluated_at: u64,
    /// It is open and evaluated all the same: areal surfaces that are near each other, or points that are to touch in this step.
    pub(crate) watched: bool,
    /// In this step its law pushes where surfaces overlap and is nothing elsewhere, whatever its mode (`clipping.rs`).
    pub(crate) clipped: bool,
    /// Triangles of an areal contact that were nearest, or touched, when it was looked at last.
    pub(crate) triangles: [u32; 2],
    /// Face that a vertex of a rigid polyhedron touches, from its begin on.
    pub(crate) face: u32,
    /// How far areal surfaces have come since elements felt it last, touching all the while (m).
    pub(crate) unfelt: f64,
    /// What a rigid contact does while it is closed.
    pub(crate) hold: Hold,
}

impl Default for ContactMemory {
    fn default() -> Self {
        Self {
            mode: ContactMode::Open,
            frozen_approach: 0.0,
            frozen_damping: 0.0,
            grip_damping: 0.0,
            begin: 0.0,
            end: f64::NEG_INFINITY,
            lasted: 0.0,
            quick_bounces: 0,
            calm_since: 0.0,
            touching: false,
            impulse_normal: 0.0,
            impulse_tangential: Vec3::zeros(),
            begin_speed: 0.0,
            peaks: Peaks::default(),
            load: Load::default(),
            load_before: Load::default(),
            lag: 0.0,
            stored: 0.0,
            gap: f64::INFINITY,
            approach: 0.0,
            normal: Vec3::zeros(),
            evaluated_at: 0,
            watched: false,
            clipped: false,
            triangles: [0; 2],
            face: 0,
            unfelt: 0.0,
            hold: Hold::default(),
        }
    }
}

impl ContactMemory {
    /// Is it evaluated in the right-hand side?
    pub(crate) fn is_active(&self) -> bool {
        self.mode != ContactMode::Open || self.watched
    }

    /// Keeps what an open contact was seen to be at an accepted step of this number.
    pub(super) fn note(&mut self, motion: &PointMotion, step_number: u64) {
        self.gap = motion.gap;
        self.approach = motion.approach;
        self.normal = motion.normal;
        self.evaluated_at = step_number;
    }
}

/// All contacts of a run, and the list of those that the right-hand side evaluates.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactSet {
    /// By contact index.
    pub(crate) memory: Vec<ContactMemory>,
    /// By contact: an open one cannot close before the paths of its two bodies add up to this (m).
    pub(crate) certificates: Vec<f64>,
    /// Contacts that are evaluated, ascending: the frozen set between events.
    pub(crate) active: Vec<usize>,
    /// First state of each active contact among those of contacts, if it has bristles.
    pub(crate) first_state: Vec<Option<usize>>,
    /// Number of the bristles of each active contact that has some.
    pub(crate) bristles: Vec<usize>,
    /// States of all active contacts.
    pub(crate) states: usize,
    /// By pair: where the search for the contact of convex solids starts. Changed at accepted states only.
    pub(crate) caches: Vec<ConvexCache>,
    /// By pair: the patches of areal contacts. Changed at accepted states only.
    pub(crate) books: Vec<PatchBook>,
    /// By pair: the regions of contacts that have such. Changed at accepted states only.
    pub(crate) region_books: Vec<RegionBook>,
}

impl ContactSet {
    pub(crate) fn new(contacts: usize, pairs: usize) -> Self {
        Self {
            memory: vec![ContactMemory::default(); contacts],
            certificates: vec![f64::NEG_INFINITY; contacts],
            active: Vec::with_capacity(contacts),
            first_state: Vec::with_capacity(contacts),
            bristles: Vec::with_capacity(contacts),
            states: 0,
            caches: vec![ConvexCache::COLD; pairs],
            books: vec![PatchBook::default(); pairs],
            region_books: vec![RegionBook::default(); pairs],
        }
    }

    /// Makes room for contacts that have come up, all open.
    pub(crate) fn grow(&mut self, contacts: usize, pairs: usize) {
        self.caches.resize(pairs, ConvexCache::COLD);
        self.books.resize(pairs, PatchBook::default());
        self.region_books.resize(pairs, RegionBook::default());
        self.memory.resize(contacts, ContactMemory::default());
        self.certificates.resize(contacts, f64::NEG_INFINITY);
        self.active.reserve(contacts - self.active.len());
        self.first_state.reserve(contacts - self.first_state.len());
        self.bristles.reserve(contacts - self.bristles.len());
    }

    /// Rebuilds the lists after modes have changed.
    pub(super) fn rebuild_active(&mut self, table: &PairTable) {
        self.active.clear();
        self.active.extend(0..self.memory.len());
        self.keep_active(table);
    }

    /// Rebuilds the lists where none but those that were active, and others that are given ascending, can be active now.
    pub(super) fn rebuild_active_among(&mut self, others: &[usize], table: &PairTable) {
        let known = self.active.len();
        for other in others {
            if self.active[..known].binary_search(other).is_err() {
                self.active.push(*other);
            }
        }
        self.active.sort_unstable();
        self.keep_active(table);
    }

    fn keep_active(&mut self, table: &PairTable) {
        let memory = &self.memory;
        self.active.retain(|&contact| memory[contact].is_active());
        self.first_state.clear();
        self.bristles.clear();
        self.states = 0;
        for &contact in &self.active {
            let pair = table.contacts[contact].pair;
            let own = table.pairs[pair].friction.states();
            // One for each region or patch; until the first is seen, and for every other contact, one.
            let parts = self.region_books[pair].regions.len().max(self.books[pair].patches.len());
            let bristles = parts.max(1);
            self.first_state.push((own > 0).then_some(self.states));
            self.bristles.push(bristles);
            self.states += own * bristles;
        }
    }
}
