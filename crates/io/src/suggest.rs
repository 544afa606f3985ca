//! "Did you mean …?"

/// The candidate nearest to `word` by edit distance, if it is near enough to be a slip of the pen.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|c| (distance(&word.to_lowercase(), &c.to_lowercase()), c))
        .filter(|(d, _)| *d <= limit)
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Help text: the nearest candidate, else the list of all.
pub(crate) fn help<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
    if let Some(c) = nearest(word, candidates.clone()) {
        return Some(format!("did you mean \"{c}\"?"));
    }
    list(candidates).map(|all| format!("there are: {all}"))
}

/// Names joined by commas, the first twenty of them.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const SHOWN: usize = 20;
    let names: Vec<&str> = names.into_iter().collect();
    if names.is_empty() {
        return None;
    }
    let mut text = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    Some(text)
}

/// Edit distance with transposition of neighbours (restricted Damerau–Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        assert_eq!(nearest("mas", ["mass", "pos"]), Some("mass"));
        assert_eq!(nearest("raduis", ["radius", "size"]), Some("radius"));
        assert_eq!(nearest("colour", ["mass", "pos"]), None);
        assert_eq!(help("zz", ["mass", "pos"]).as_deref(), Some("there are: mass, pos"));
    }
}
