//! Orders in which a sparse symmetric matrix has its elements near the diagonal.

use std::collections::VecDeque;

/// Reverse Cuthill–McKee order of a graph, given by the neighbours of each node: from a node at one end of each component
/// by levels, those of fewer neighbours first, then all of it backwards (George & Liu, Computer Solution of Large Sparse
/// Positive Definite Systems, 1981, section 4.3). Ties go to the lower number.
pub fn reverse_cuthill_mckee(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(neighbours.len());
    let mut is_taken = vec![false; neighbours.len()];
    for node in 0..neighbours.len() {
        if !is_taken[node] {
            let start = far_end(neighbours, node);
            append_levels(neighbours, start, &mut is_taken, &mut order);
        }
    }
    order.reverse();
    order
}

/// Appends the component of a node by breadth first; returns how many levels it has.
fn append_levels(
    neighbours: &[Vec<usize>],
    start: usize,
    is_taken: &mut [bool],
    order: &mut Vec<usize>,
) -> usize {
    let mut queue = VecDeque::from([(start, 0)]);
    is_taken[start] = true;
    let mut levels = 0;
    while let Some((node, level)) = queue.pop_front() {
        order.push(node);
        levels = level + 1;
        let first = queue.len();
        for &next in &neighbours[node] {
            if !is_taken[next] {
                is_taken[next] = true;
                queue.push_back((next, level + 1));
            }
        }
        queue.make_contiguous()[first..].sort_by_key(|&(next, _)| (neighbours[next].len(), next));
    }
    levels
}

/// A node at an end of the longest way through a component, or near one: from end to end while that makes more levels.
fn far_end(neighbours: &[Vec<usize>], node: usize) -> usize {
    let (mut end, mut most) = (node, 0);
    loop {
        let (mut is_taken, mut order) = (vec![false; neighbours.len()], Vec::new());
        let levels = append_levels(neighbours, end, &mut is_taken, &mut order);
        let Some(&last) = order.last().filter(|_| levels > most) else { return end };
        (end, most) = (last, levels);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain whose links are numbered without order has bandwidth 1 again.
    #[test]
    fn a_shuffled_chain_is_put_in_line() {
        let n = 97;
        let name = |k: usize| (k * 35) % n;
        let mut neighbours = vec![Vec::new(); n];
        for k in 1..n {
            neighbours[name(k)].push(name(k - 1));
            neighbours[name(k - 1)].push(name(k));
        }
        let order = reverse_cuthill_mckee(&neighbours);
        let mut place = vec![n; n];
        order.iter().enumerate().for_each(|(at, &node)| place[node] = at);
        assert!(place.iter().all(|&at| at < n), "every node has one place");
        for k in 1..n {
            assert_eq!(place[name(k)].abs_diff(place[name(k - 1)]), 1);
        }
    }

    #[test]
    fn every_component_is_ordered() {
        let neighbours = vec![vec![3], vec![], vec![4], vec![0], vec![2]];
        let mut order = reverse_cuthill_mckee(&neighbours);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2, 3, 4]);
    }
}
