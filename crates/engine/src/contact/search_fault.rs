use carom_geometry::convex::{ConvexFault, MprFault};

use super::Evaluator;
use super::areal::ArealFault;
use crate::outcome::RunError;

/// Why a search for the contact of convex solids or outlines has found none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SearchFault {
    Convex(ConvexFault),
    Mpr(MprFault),
    /// Outlines are deeper in each other than this (m).
    Skin {
        deepest: f64,
    },
}

impl SearchFault {
    /// E0613: the search of a pair has reached its limit.
    pub(crate) fn failure(self, pair: String, time: f64) -> RunError {
        if let Self::Skin { deepest } = self {
            return RunError {
                code: "E0613",
                message: format!(
                    "the outlines of pair \"{pair}\" are deeper in each other than {deepest:.3e} m at t = {time:.9} s: beyond that nobody can tell through which face they came"
                ),
                time,
                body: None,
                pair: Some(pair),
                help: "take a stiffer law, or a thicker shape".to_owned(),
            };
        }
        let round = "round the shapes a little, or use shapes of less extreme proportions";
        let (what, help) = match self {
            Self::Convex(ConvexFault::Distance) => ("distance".to_owned(), round),
            Self::Convex(ConvexFault::Depth) => ("depth".to_owned(), round),
            Self::Skin { .. } => ("depth".to_owned(), round),
            Self::Mpr(MprFault { iterations }) => (
                format!("portal ({iterations} iterations)"),
                "loosen the tolerance of the portal or raise its limit, or take the minimum translation",
            ),
        };
        RunError {
            code: "E0613",
            message: format!(
                "the search for the {what} of pair \"{pair}\" reached its limit at t = {time:.9} s"
            ),
            time,
            body: None,
            pair: Some(pair),
            help: help.to_owned(),
        }
    }
}

/// Why the elements of an areal contact were not found, if they were not in the last evaluation.
pub(crate) fn areal_fault(evaluator: &Evaluator<'_>, contact: usize) -> Option<ArealFault> {
    evaluator.areal.get(evaluator.table.contacts[contact].pair)?.as_ref()?.fault
}
