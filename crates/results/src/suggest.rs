//! Names close to one that does not exist.

use strsim::osa_distance;

/// Up to three of `names` that are close to `name`, best first.
pub(super) fn similar<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    // A third of the letters may be wrong: beyond that a suggestion is noise.
    let limit = (name.chars().count() / 3).max(1);
    let mut close: Vec<(usize, &str)> = names
        .into_iter()
        .map(|candidate| (osa_distance(name, candidate), candidate))
        .filter(|(distance, _)| (1..=limit).contains(distance))
        .collect();
    close.sort();
    close.dedup();
    close.into_iter().take(3).map(|(_, candidate)| candidate.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_comes_first() {
        assert_eq!(similar("bal.z", ["ball.x", "ball.z", "drop.fn"]), ["ball.z"]);
        // A swap of neighbours is one slip.
        assert_eq!(similar("blal", ["bolt", "ball"]), ["ball"]);
        assert!(similar("zzzzzz", ["ball.x"]).is_empty());
    }
}
