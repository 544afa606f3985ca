use super::part::{Part, Parts};
use crate::near::BaseNode;

/// Room for parts is not made for more than this many.
const MOST_OPENED: usize = 1 << 7;

/// What parts were cut into before, with the boxes around: lists that are made one after the other go much the same way down.
///
/// Each part has one place, which what comes to it takes over, or as long as there are few places gets twice as many.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenedParts {
    places: Vec<Opened>,
}

#[derive(Clone, Debug)]
struct Opened {
    /// The part's first leaf, and its bisections that are left: none of a place that is free.
    first: u32,
    left: u8,
    parts: Parts,
    node: BaseNode,
}

impl Opened {
    const FREE: Self = Self { first: 0, left: 0, parts: [Part::NONE; _], node: BaseNode::EMPTY };

    fn is_of(&self, part: &Part) -> bool {
        (self.first, self.left) == (part.first(), part.left())
    }
}

impl OpenedParts {
    /// What a part is cut into on the way down, with lines of the length `reach` (m), which is the same for all.
    pub(crate) fn open(&mut self, part: &Part, reach: f64) -> (&Parts, &BaseNode) {
        let is_taken = self.places.get(self.place_of(part)).is_none_or(|at| at.left > 0 && !at.is_of(part));
        if is_taken && self.places.len() < MOST_OPENED {
            // Those that were there are made again when they are asked for: there are few of them, and seldom more places.
            let count = (2 * self.places.len()).max(16);
            self.places.clear();
            self.places.resize(count, Opened::FREE);
        }
        let place = self.place_of(part);
        let opened = &mut self.places[place];
        if !opened.is_of(part) {
            let (parts, node) = part.open(reach);
            *opened = Opened { first: part.first(), left: part.left(), parts, node };
        }
        (&opened.parts, &opened.node)
    }

    /// Neighbours that are cut as often are in different places.
    fn place_of(&self, part: &Part) -> usize {
        let number = (part.first() >> part.left()) as usize + 37 * usize::from(part.left());
        number & self.places.len().saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Leaves, whole_cells};
    use super::*;
    use crate::surface::{Resolution, rectangle};

    /// Opens a part and all that it is cut into, `deep` levels.
    fn open(part: &Part, deep: u8, opened: &mut OpenedParts) {
        let (parts, node) = part.open(0.1);
        let (kept, around) = opened.open(part, 0.1);
        assert_eq!(format!("{kept:?} {around:?}"), format!("{parts:?} {node:?}"));
        if deep > 0 {
            parts.iter().filter(|part| !part.is_cluster()).for_each(|part| open(part, deep - 1, opened));
        }
    }

    /// Whatever was opened before, also where there are more parts than places.
    #[test]
    fn opened_parts_are_those_opened_anew() {
        let mesh = rectangle(0.5, 0.3, Resolution::Divisions(1)).unwrap();
        let leaves = Leaves::new(&whole_cells(&mesh, &[13, 12]), 2).unwrap();
        let (parts, _) = leaves.parts(0.1, 0.6);
        let mut opened = OpenedParts::default();
        for part in [&parts[0], &parts[0], &parts[1], &parts[0]] {
            open(part, 3, &mut opened);
        }
        assert_eq!(opened.places.len(), MOST_OPENED);
    }
}
