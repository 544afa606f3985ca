//! Names close to one that does not exist.

/// Up to three of `names` that are close to `name`, best first.
pub(super) fn similar<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    // A third of the letters may be wrong: beyond that a suggestion is noise.
    let limit = (name.chars().count() / 3).max(1);
    let mut close: Vec<(usize, &str)> = names
        .into_iter()
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, _)| (1..=limit).contains(distance))
        .collect();
    close.sort();
    close.dedup();
    close.into_iter().take(3).map(|(_, candidate)| candidate.to_owned()).collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment).
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("ball.z", "ball.z"), 0);
        assert_eq!(edit_distance("bal.z", "ball.z"), 1);
        assert_eq!(edit_distance("blal.z", "ball.z"), 1);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn the_closest_comes_first() {
        assert_eq!(similar("bal.z", ["ball.x", "ball.z", "drop.fn"]), ["ball.z"]);
        assert!(similar("zzzzzz", ["ball.x"]).is_empty());
    }
}
