use carom_geometry::convex::{ConvexFault, MprFault};

use crate::outcome::RunError;

/// Why a search for the contact of convex solids has found none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchFault {
    Convex(ConvexFault),
    Mpr(MprFault),
}

impl SearchFault {
    /// E0613: the search of a pair has reached its limit.
    pub(crate) fn failure(self, pair: String, time: f64) -> RunError {
        let round = "round the shapes a little, or use shapes of less extreme proportions";
        let (what, help) = match self {
            Self::Convex(ConvexFault::Distance) => ("distance".to_owned(), round),
            Self::Convex(ConvexFault::Depth) => ("depth".to_owned(), round),
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
