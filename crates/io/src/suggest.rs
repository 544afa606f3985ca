//! "Did you mean …?"

/// Names beyond so many are a program's, and so are its slips: comparing each mistake with all of them would take the square
/// of their number.
const MOST_NAMES: usize = 1000;
/// Longest word that is compared.
const MOST_LETTERS: usize = 100;

/// What other programs call what has another name here.
const SYNONYMS: [(&str, &str); 34] = [
    ("hinge", "revolute"),
    ("pin", "revolute"),
    ("slider", "prismatic"),
    ("slide", "prismatic"),
    ("ball", "spherical"),
    ("ball", "sphere"),
    ("weld", "fixed"),
    ("cube", "box"),
    ("cuboid", "box"),
    ("rod", "cylinder"),
    ("position", "pos"),
    ("translation", "pos"),
    ("origin", "pos"),
    ("xyz", "pos"),
    ("orientation", "rot"),
    ("rotation", "rot"),
    ("attitude", "rot"),
    ("quaternion", "quat"),
    ("velocity", "vel"),
    ("speed", "vel"),
    ("angular_velocity", "omega"),
    ("parent", "a"),
    ("child", "b"),
    ("friction", "mu"),
    ("restitution", "e"),
    ("youngs_modulus", "E"),
    ("young_modulus", "E"),
    ("poisson_ratio", "nu"),
    ("geometry", "shape"),
    ("duration", "t_end"),
    ("end_time", "t_end"),
    ("tolerance", "rtol"),
    ("integrator", "method"),
    ("timestep", "h_max"),
];

/// The candidate nearest to `word` by edit distance, if it is near enough to be a slip of the pen.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates = candidates.into_iter().collect::<Vec<_>>();
    if let Some(meant) = SYNONYMS
        .iter()
        .filter(|(other, _)| *other == word)
        .find_map(|(_, meant)| candidates.iter().find(|c| *c == meant))
    {
        return Some(meant);
    }
    let letters = word.chars().count();
    if letters > MOST_LETTERS {
        return None;
    }
    let (limit, lower) = ((letters / 3).max(1), word.to_lowercase());
    candidates
        .into_iter()
        .take(MOST_NAMES)
        // What was given is no remedy for it, and what is longer or shorter by more is no slip of it.
        .filter(|c| *c != word && c.chars().count().abs_diff(letters) <= limit)
        .map(|c| (distance(&lower, &c.to_lowercase()), c))
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
    let names: Vec<&str> = names.into_iter().take(MOST_NAMES + 1).collect();
    if names.is_empty() {
        return None;
    }
    let mut text = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if names.len() > MOST_NAMES {
        text.push_str(" and many more");
    } else if names.len() > SHOWN {
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
        assert_eq!(nearest("mass", ["mass", "mas"]), Some("mas"), "not what was given");
        assert_eq!(nearest("position", ["mass", "pos", "positions"]), Some("pos"));
        assert_eq!(nearest("hinge", ["fixed", "revolute"]), Some("revolute"));
        assert_eq!(help("zz", ["mass", "pos"]).as_deref(), Some("there are: mass, pos"));
    }
}
