//! "Did you mean …?"

/// Names beyond so many are a program's, and so are its slips: comparing each mistake with all of them would take the square
/// of their number.
pub(crate) const MOST_NAMES: usize = 1000;
/// Longest word that is compared.
const MOST_LETTERS: usize = 100;

/// What other programs call what has another name here.
const SYNONYMS: [(&str, &str); 43] = [
    ("bodies", "body"),
    ("rigid_body", "body"),
    ("link", "body"),
    ("links", "body"),
    ("interaction", "contact"),
    ("simulation", "solver"),
    ("results", "output"),
    ("half_space", "half-space"),
    ("plane", "half-space"),
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
    let limit = (letters / 3).max(1);
    let word_letters: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
    let mut letters_of_candidate = Vec::with_capacity(2 * MOST_LETTERS);
    let mut rows = Rows::default();
    let mut best = None;
    let mut least = limit;
    for candidate in candidates.into_iter().take(MOST_NAMES) {
        // What was given is no remedy for it, and what is longer or shorter by more is no slip of it.
        if candidate == word || candidate.chars().count().abs_diff(letters) > limit {
            continue;
        }
        letters_of_candidate.clear();
        letters_of_candidate.extend(candidate.chars().flat_map(char::to_lowercase));
        match rows.distance(&word_letters, &letters_of_candidate, least) {
            // Of equal ones the first.
            Some(distance) if best.is_none() || distance < least => {
                least = distance;
                best = Some(candidate);
            }
            _ => {}
        }
    }
    best
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

/// Buffers of the edit distance.
#[derive(Default)]
struct Rows([Vec<usize>; 3]);

impl Rows {
    /// Edit distance with transposition of neighbours (restricted Damerau–Levenshtein); `None` beyond a limit.
    fn distance(&mut self, a: &[char], b: &[char], limit: usize) -> Option<usize> {
        let [before, last, row] = &mut self.0;
        before.clear();
        before.resize(b.len() + 1, 0);
        last.clear();
        last.extend(0..=b.len());
        for i in 1..=a.len() {
            row.clear();
            row.resize(b.len() + 1, i);
            let mut least = i;
            for j in 1..=b.len() {
                let cost = usize::from(a[i - 1] != b[j - 1]);
                row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    row[j] = row[j].min(before[j - 2] + 1);
                }
                least = least.min(row[j]);
            }
            // A transposition reaches back over one row, at the cost of one.
            if least > limit + 1 {
                return None;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        Some(last[b.len()]).filter(|distance| *distance <= limit)
    }
}

/// `"a", "b" or "c"`.
pub(crate) fn one_of<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut quoted: Vec<String> = words.into_iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.pop() {
        Some(last) if !quoted.is_empty() => format!("{} or {last}", quoted.join(", ")),
        only => only.unwrap_or_default(),
    }
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
