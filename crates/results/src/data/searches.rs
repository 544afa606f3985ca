//! Costs of areal contact over time, from the counters of its searches.

use std::collections::HashSet;

use super::RunData;
use crate::Error;
use crate::quantities::Quantity;
use crate::tables::Table;
use crate::tables::derived::SEARCHES;

impl RunData {
    /// `X_per_search` of pairs: their counter `X` over their searches, both since the output time before, and 0 where
    /// there was none; `triangle_tests` are those of edges and of lines. Or a counter of the last search as it is.
    /// With the times (s).
    pub(super) fn search_rate(&self, pairs: &[usize], name: &str) -> Result<(Vec<f64>, Vec<f64>), Error> {
        let Some(counter) = name.strip_suffix("_per_search") else { return self.search_sums(pairs, name) };
        let (time, tests) = match counter {
            "triangle_tests" => {
                let ((time, edges), (_, lines)) =
                    (self.search_sums(pairs, "edge_tests")?, self.search_sums(pairs, "ray_tests")?);
                (time, edges.iter().zip(&lines).map(|(edges, lines)| edges + lines).collect())
            }
            _ => self.search_sums(pairs, counter)?,
        };
        let (_, searches) = self.search_sums(pairs, "searches")?;
        let (tests, searches) = (growth(&tests), growth(&searches));
        let rates =
            tests.zip(searches).map(|(tests, searches)| if searches > 0.0 { tests / searches } else { 0.0 });
        Ok((time, rates.collect()))
    }

    /// Everything that [`Self::series`] has values of: of what searches cost only where that is recorded.
    pub fn quantities(&self) -> Vec<Quantity> {
        let is_recorded = self.floats(Table::Searches, "time").is_ok_and(|times| !times.is_empty());
        let is_cost = |name: &str| {
            name.rsplit_once('.').is_some_and(|(_, base)| SEARCHES.iter().any(|(known, ..)| *known == base))
        };
        let all = self.scene().quantities().into_iter();
        all.filter(|quantity| is_recorded || !is_cost(&quantity.name)).collect()
    }

    /// Sums of a counter over pairs, by output time.
    fn search_sums(&self, pairs: &[usize], counter: &str) -> Result<(Vec<f64>, Vec<f64>), Error> {
        let wanted: HashSet<&str> = pairs.iter().map(|&p| self.scene().pairs[p].name.as_str()).collect();
        let (mut times, mut sums): (Vec<f64>, Vec<f64>) = (Vec::new(), Vec::new());
        let rows = self.floats(Table::Searches, "time")?.iter().zip(self.floats(Table::Searches, counter)?);
        for ((&time, &count), pair) in rows.zip(self.words(Table::Searches, "pair")?) {
            if !wanted.contains(pair) {
                continue;
            }
            match sums.last_mut() {
                Some(sum) if times.last() == Some(&time) => *sum += count,
                _ => {
                    times.push(time);
                    sums.push(count);
                }
            }
        }
        if times.is_empty() {
            let message =
                "the run has not recorded what searches cost: give output.searches = true".to_owned();
            return Err(Error::NoValue { message });
        }
        Ok((times, sums))
    }
}

/// What each number is more than the one before it, and the first more than 0.
fn growth(numbers: &[f64]) -> impl Iterator<Item = f64> {
    std::iter::once(&0.0).chain(numbers).zip(numbers).map(|(before, now)| now - before)
}
