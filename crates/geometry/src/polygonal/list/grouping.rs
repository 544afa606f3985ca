/// Bits of a word.
const WORD: usize = 64;

/// Puts pairs (element · 2³² + triangle) in the order of their elements. By counting, since a list has about as many
/// elements as pairs: a sort by comparison would guess wrong at every other one.
#[derive(Clone, Debug)]
pub(crate) struct Grouping {
    /// A bit for each element that has pairs; none between two calls.
    present: Vec<u64>,
    /// For those elements the number of their pairs, then the place of their next one.
    place: Vec<u32>,
    grouped: Vec<u64>,
}

impl Grouping {
    /// For elements below this number, with room for so many pairs.
    pub(crate) fn new(elements: usize, pairs: usize) -> Self {
        let present = vec![0; elements.div_ceil(WORD)];
        Self { present, place: vec![0; elements], grouped: Vec::with_capacity(pairs) }
    }

    /// For elements that are too many for counts of each: pairs are sorted.
    pub(crate) fn sorting(pairs: usize) -> Self {
        Self { present: Vec::new(), place: Vec::new(), grouped: Vec::with_capacity(pairs) }
    }

    /// The same pairs by element; those of one element in the order that they had, or sorted.
    pub(crate) fn by_element(&mut self, pairs: &[u64]) -> &[u64] {
        if self.place.is_empty() {
            self.grouped.clear();
            self.grouped.extend_from_slice(pairs);
            self.grouped.sort_unstable();
            return &self.grouped;
        }
        for &pair in pairs {
            let element = element_of(pair);
            let (word, bit) = (&mut self.present[element / WORD], 1 << (element % WORD));
            let before = if *word & bit == 0 { 0 } else { self.place[element] };
            *word |= bit;
            self.place[element] = before + 1;
        }
        let mut next = 0;
        for (index, word) in self.present.iter_mut().enumerate() {
            while *word != 0 {
                let place = &mut self.place[index * WORD + word.trailing_zeros() as usize];
                *word &= *word - 1;
                (*place, next) = (next, next + *place);
            }
        }
        self.grouped.resize(pairs.len(), 0);
        for &pair in pairs {
            let place = &mut self.place[element_of(pair)];
            self.grouped[*place as usize] = pair;
            *place += 1;
        }
        &self.grouped
    }
}

fn element_of(pair: u64) -> usize {
    (pair >> 32) as usize
}
