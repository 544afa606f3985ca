//! One base of an areal pair: what finds its elements, and what it has found.

use std::borrow::Cow;

use carom_geometry::clearance::NearestWorkspace;
use carom_geometry::intersection::IntersectionFault;
use carom_geometry::polygonal::{
    BaseElement, ElementHit, HitStatus, IntersectionSearch, PatchSearch, PenetrationSearch,
};
use carom_math::Pose;

use super::ArealFault;
use super::beside::{Beside, Shares};
use super::beside_lists::{BesideLists, MayBeBeside};
use super::jump::StoredElement;
use super::peak::Peak;
use crate::contact::meshes::between;
use crate::system::ArealPass;

/// What finds the elements of a pass.
pub(in crate::contact) enum Detector {
    Penetration(PenetrationSearch),
    Intersection(Box<IntersectionSearch>),
}

impl Detector {
    /// An element of the base.
    #[inline]
    fn element<'a>(&'a self, pass: &'a ArealPass, element: u32) -> Cow<'a, BaseElement> {
        match self {
            Self::Penetration(search) => search.element(&pass.base, element),
            Self::Intersection(_) => Cow::Owned(pass.base.element(element)),
        }
    }

    /// The elements of hits, asked for in their order: the leaves of a refined base are those that were made for a search, in it, too.
    /// They are hits of the last search: once a resumed run has replaced its lists, only the next search has hits to ask for.
    #[inline]
    fn elements_in_order<'a>(&'a self, pass: &'a ArealPass) -> impl FnMut(u32) -> &'a BaseElement {
        let stored = pass.base.stored_elements();
        let made = match self {
            Self::Penetration(search) => search.made_elements(),
            // Of bases that are not refined.
            Self::Intersection(_) => &[],
        };
        let mut made = made.iter();
        move |index| match stored {
            Some(elements) => &elements[index as usize],
            None => {
                let found = made.find(|(number, _)| *number == index);
                found.map(|(_, element)| element).expect("elements of hits were made")
            }
        }
    }
}

/// Searches and elements of one base.
pub(in crate::contact) struct PassWorkspace {
    pub(in crate::contact) detector: Detector,
    pub(in crate::contact) hits: Vec<ElementHit>,
    /// What counts in place of elements beside edges, in the order of the hits.
    pub(super) slanted: Vec<(u32, BaseElement)>,
    /// Of passes with edges.
    shares: Shares,
    beside: BesideLists,
    nearest: NearestWorkspace,
    /// Largest depth under the target, of passes with edges (m).
    pub(super) depth: f64,
    /// What the active elements held at the last accepted state, and at the one before.
    pub(in crate::contact) stored: Vec<StoredElement>,
    pub(in crate::contact) stored_before: Vec<StoredElement>,
    pub(in crate::contact) peak: Peak,
    /// Made when patches are recorded.
    pub(super) patches: Option<PatchSearch>,
}

impl PassWorkspace {
    pub(super) fn for_pass(pass: &ArealPass) -> Self {
        let detector = match &pass.closed {
            None => Detector::Penetration(PenetrationSearch::new(&pass.base, &pass.target)),
            Some([base, target]) => Detector::Intersection(Box::new(IntersectionSearch::new(base, target))),
        };
        // Of a refined base there is room for a part; more is made as it is needed.
        let elements = pass.base.element_count().min(pass.mesh.triangles.len());
        let beside = if pass.edges.is_some() { elements } else { 0 };
        Self {
            detector,
            hits: Vec::with_capacity(elements),
            slanted: Vec::with_capacity(beside),
            shares: Shares::with_capacity(beside),
            beside: BesideLists::with_capacity(if pass.base.is_refined() { beside } else { 0 }),
            nearest: if beside > 0 || pass.borders.is_some() {
                NearestWorkspace::with_room()
            } else {
                NearestWorkspace::default()
            },
            depth: 0.0,
            stored: Vec::with_capacity(elements),
            stored_before: Vec::with_capacity(elements),
            peak: Peak::default(),
            patches: None,
        }
    }

    /// Finds the elements at poses of base and target.
    pub(in crate::contact) fn search(
        &mut self,
        pass: &ArealPass,
        [x_wb, x_wt]: [&Pose; 2],
    ) -> Result<(), ArealFault> {
        let x_tb = between(x_wt, x_wb);
        let hits = &mut self.hits;
        match (&mut self.detector, &pass.closed) {
            (Detector::Intersection(search), Some([base, target])) => {
                search.search((base, &pass.base), (target, &pass.target), &x_tb, hits)?;
            }
            (Detector::Penetration(search), _) => {
                search.search(&pass.base, &pass.target, &x_tb, hits).map_err(IntersectionFault::Pose)?;
            }
            (Detector::Intersection(_), None) => unreachable!("contours are found on closed surfaces"),
        }
        leave_out_beside(pass, &self.detector, &x_tb, (hits, &mut self.nearest));
        self.slanted.clear();
        self.depth = 0.0;
        let Some(edges) = &pass.edges else { return Ok(()) };
        let mut may_be_beside = match &self.detector {
            Detector::Penetration(search) => self.beside.of(pass, edges, search),
            Detector::Intersection(_) => MayBeBeside::Any,
        };
        let mut element_of = self.detector.elements_in_order(pass);
        let mut beside = Beside::new(pass, edges, &x_tb, (&mut self.shares, &mut self.nearest));
        for hit in hits.iter_mut().filter(|hit| hit.is_active()) {
            if !may_be_beside.has(hit.element) {
                self.depth = self.depth.max(hit.depth);
                continue;
            }
            let (counts, depth) = beside.edge(element_of(hit.element), hit);
            self.slanted.extend(counts.map(|counts| (hit.element, counts)));
            self.depth = self.depth.max(depth);
        }
        Ok(())
    }

    /// What counts as the elements of the hits, asked for in their order.
    #[inline]
    pub(in crate::contact) fn elements_in_order<'a>(
        &'a self,
        pass: &'a ArealPass,
    ) -> impl FnMut(u32) -> &'a BaseElement {
        let mut as_found = self.detector.elements_in_order(pass);
        let mut slanted = self.slanted.iter().peekable();
        move |index| match slanted.next_if(|(number, _)| *number == index) {
            Some((_, counts)) => counts,
            None => as_found(index),
        }
    }

    /// What counts as the element of one of the hits.
    #[inline]
    pub(in crate::contact) fn element<'a>(
        &'a self,
        pass: &'a ArealPass,
        element: u32,
    ) -> Cow<'a, BaseElement> {
        match self.slanted.binary_search_by_key(&element, |(number, _)| *number) {
            Ok(index) => Cow::Borrowed(&self.slanted[index].1),
            Err(_) => self.detector.element(pass, element),
        }
    }
}

/// Lines that meet an open target from behind, but start beside it, are no contact: nothing is solid there. So a corner that comes past a
/// border without touching it feels nothing.
fn leave_out_beside(
    pass: &ArealPass,
    detector: &Detector,
    x_tb: &Pose,
    (hits, nearest): (&mut [ElementHit], &mut NearestWorkspace),
) {
    let Some(borders) = &pass.borders else { return };
    if !hits.iter().any(|hit| hit.is_active() && borders.are_near(hit.triangle)) {
        return;
    }
    // Large triangles are near borders, and what lies on them mostly not.
    let (centre, radius) = pass.base.ball();
    if !borders.come_into(&x_tb.transform_point(&centre), radius, nearest) {
        return;
    }
    let mut element_of = detector.elements_in_order(pass);
    for hit in hits.iter_mut().filter(|hit| hit.is_active() && borders.are_near(hit.triangle)) {
        let element = element_of(hit.element);
        let meets = element.barycentre - element.normal * hit.depth;
        let [from, to] = [&element.barycentre, &meets].map(|place| x_tb.transform_point(place));
        if borders.lead_in(&from, &to) {
            hit.status = HitStatus::Invalid;
        }
    }
}
