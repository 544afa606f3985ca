//! Triangles of areal surfaces that look the wrong way.

use std::collections::BTreeSet;

use super::wide_samples;
use crate::system::PairSource;
use crate::{Problem, System};

/// W0403 for each surface in areal contact that has triangles turned against their neighbours: what comes from their front is behind them.
pub(super) fn warn_of_turned_triangles(system: &System, problems: &mut Vec<Problem>) {
    let mut told = BTreeSet::new();
    for table in [&system.table, &wide_samples(system)] {
        for (pair, info) in table.pairs.iter().zip(&table.pair_info) {
            let PairSource::Areal(areal) = &pair.source else { continue };
            for surface in areal.meshes.surfaces {
                let Some((name, turned)) = system.turned_triangles(surface) else { continue };
                let Some(first) = turned.first.filter(|_| told.insert(surface)) else { continue };
                let message = format!(
                    "\"{name}\" has {} triangles turned against their neighbours, the first is triangle {first} (pair \"{}\"): they see contact from the wrong side, and what is on them may go through",
                    turned.count, info.name
                );
                let help = "`carom mesh repair` turns them the way of their neighbours; or allow W0403 if that is meant";
                problems.push(Problem::new("W0403", format!("contact.{}", info.line), message).help(help));
            }
        }
    }
}
