use std::collections::BTreeSet;

/// An order of elimination in which each step joins few others, with what it joins: at each place the later places that its
/// block column has blocks in.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    /// Index at each place.
    pub(super) order: Vec<usize>,
    /// Later places, ascending.
    pub(super) later: Vec<Vec<usize>>,
}

impl Elimination {
    /// Minimum degree (Tinney & Walker 1967) on a symmetric graph; the lowest index of equals. Nothing if it would take more than `limit`
    /// products of blocks.
    pub(super) fn of_least_degree(mut neighbours: Vec<Vec<usize>>, limit: usize) -> Option<Self> {
        let n = neighbours.len();
        let mut queue: BTreeSet<(usize, usize)> = neighbours.iter().map(Vec::len).zip(0..).collect();
        let mut place = vec![0; n];
        let (mut order, mut later) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut products, mut joined) = (0, Vec::new());
        while let Some((degree, index)) = queue.pop_first() {
            products += degree * degree;
            if products > limit {
                return None;
            }
            let around = std::mem::take(&mut neighbours[index]);
            for &other in &around {
                let old = &mut neighbours[other];
                queue.remove(&(old.len(), other));
                merge(old, &around, &mut joined);
                old.clear();
                old.extend(joined.iter().copied().filter(|&k| k != index && k != other));
                queue.insert((old.len(), other));
            }
            place[index] = order.len();
            order.push(index);
            later.push(around);
        }
        for places in &mut later {
            places.iter_mut().for_each(|index| *index = place[*index]);
            places.sort_unstable();
        }
        Some(Self { order, later })
    }
}

/// Writes the union of two ascending lists.
fn merge(a: &[usize], b: &[usize], out: &mut Vec<usize>) {
    out.clear();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let (x, y) = (a.get(i).copied().unwrap_or(usize::MAX), b.get(j).copied().unwrap_or(usize::MAX));
        out.push(x.min(y));
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
}
