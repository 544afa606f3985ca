//! What finding the elements of areal contacts has cost, and what of that and of searches of regions a checkpoint keeps.

use carom_geometry::polygonal::IntersectionSearch;
use carom_geometry::polygonal::PenetrationSearch;

use super::super::evaluate::Evaluator;
use super::{ArealWorkspace, Detector};
use crate::record::SearchSample;
use crate::system::{ArealPair, PairSource};

impl ArealWorkspace {
    /// Sums over the passes since the start of the run.
    fn work(&self, contact: usize) -> SearchSample {
        let mut sum = SearchSample { contact, ..SearchSample::default() };
        for pass in &self.passes {
            match &pass.detector {
                Detector::Penetration(search) => add_penetration(&mut sum, search),
                Detector::Intersection(search) => add_intersection(&mut sum, search),
            }
        }
        sum
    }

    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut f64)) {
        for pass in &mut self.passes {
            match &mut pass.detector {
                Detector::Penetration(search) => search.visit_numbers(visit),
                Detector::Intersection(search) => search.visit_numbers(visit),
            }
            pass.peak.visit_numbers(visit);
        }
    }

    fn restore_lists(&mut self, areal: &ArealPair) -> bool {
        areal.passes.iter().zip(&mut self.passes).all(|(pass, workspace)| match &mut workspace.detector {
            Detector::Penetration(search) => search.restore_lists(&pass.base, &pass.target),
            Detector::Intersection(_) => true,
        })
    }
}

fn add_penetration(sum: &mut SearchSample, search: &PenetrationSearch) {
    let counters = search.counters();
    sum.searches += counters.searches;
    sum.rebuilds += counters.rebuilds;
    sum.box_tests += counters.box_tests;
    sum.ray_tests += counters.ray_tests;
    sum.listed_pairs += counters.listed_pairs;
}

fn add_intersection(sum: &mut SearchSample, search: &IntersectionSearch) {
    let counters = search.counters();
    sum.searches += counters.searches;
    sum.rebuilds += counters.searches;
    sum.box_tests += counters.box_tests;
    sum.edge_tests += counters.edge_tests;
    sum.ray_tests += counters.ray_tests;
    sum.listed_pairs += counters.active_base * counters.active_target;
}

/// Work of the areal contacts, by increasing contact index.
pub(crate) fn sample_searches(evaluator: &Evaluator<'_>, rows: &mut Vec<SearchSample>) {
    rows.clear();
    for (contact, data) in evaluator.table.contacts.iter().enumerate() {
        let workspace = evaluator.areal.get(data.pair).and_then(Option::as_ref);
        rows.extend(workspace.map(|workspace| workspace.work(contact)));
    }
}

/// All numbers that the work of contacts of triangle surfaces to come, and its counters, depend on.
pub(crate) fn search_numbers(evaluator: &mut Evaluator<'_>) -> Vec<f64> {
    let mut numbers = Vec::new();
    for workspace in evaluator.areal.iter_mut().flatten() {
        workspace.visit_numbers(&mut |number| numbers.push(*number));
    }
    for workspace in evaluator.regions.iter_mut().flatten() {
        workspace.search.visit_numbers(&mut |number| numbers.push(*number));
    }
    numbers
}

/// Brings the searches to where those numbers were taken; false if they are of others.
pub(crate) fn recall_searches(evaluator: &mut Evaluator<'_>, numbers: &[f64]) -> bool {
    let mut saved = numbers.iter();
    let mut is_short = false;
    for (workspace, pair) in evaluator.areal.iter_mut().zip(&evaluator.table.pairs) {
        let (Some(workspace), PairSource::Areal(areal)) = (workspace, &pair.source) else { continue };
        workspace.visit_numbers(&mut |number| match saved.next() {
            Some(value) => *number = *value,
            None => is_short = true,
        });
        if is_short || !workspace.restore_lists(areal) {
            return false;
        }
    }
    for (workspace, pair) in evaluator.regions.iter_mut().zip(&evaluator.table.pairs) {
        let (Some(workspace), PairSource::Regions(regions)) = (workspace, &pair.source) else { continue };
        workspace.search.visit_numbers(&mut |number| match saved.next() {
            Some(value) => *number = *value,
            None => is_short = true,
        });
        let [a, b] = &regions.surfaces;
        if is_short || !workspace.search.restore_lists(a, b) {
            return false;
        }
    }
    saved.next().is_none()
}
