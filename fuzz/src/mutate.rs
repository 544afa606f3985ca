//! Changes of texts and bytes.

use carom_testkit::{PIECES, SplitMix64};

/// A seed, changed a few times.
pub(crate) fn pick(seeds: &[(String, Vec<u8>)], random: &mut SplitMix64) -> (String, Vec<u8>) {
    let (name, bytes) = &seeds[below(random, seeds.len())];
    let mut bytes = bytes.clone();
    for _ in 0..1 + below(random, 4) {
        change(&mut bytes, seeds, random);
    }
    (name.clone(), bytes)
}

fn below(random: &mut SplitMix64, n: usize) -> usize {
    (random.next_u64() % n.max(1) as u64) as usize
}

fn change(bytes: &mut Vec<u8>, seeds: &[(String, Vec<u8>)], random: &mut SplitMix64) {
    let at = below(random, bytes.len() + 1);
    let end = (at + below(random, 12)).min(bytes.len());
    match below(random, 9) {
        0 if !bytes.is_empty() => {
            let at = at.min(bytes.len() - 1);
            bytes[at] ^= 1 << below(random, 8);
        }
        1 => {
            bytes.splice(at..end, PIECES[below(random, PIECES.len())].bytes());
        }
        2 => bytes.truncate(at),
        3 => {
            bytes.splice(at..end, random.next_u64().to_le_bytes());
        }
        4 => swap_lines(bytes, random),
        5 => repeat_line(bytes, random),
        6 => change_number(bytes, at, random),
        7 => {
            // A part of another seed.
            let other = &seeds[below(random, seeds.len())].1;
            let from = below(random, other.len() + 1);
            let to = (from + below(random, 200)).min(other.len());
            bytes.splice(at..end, other[from..to].iter().copied());
        }
        _ => {
            bytes.drain(at..end);
        }
    }
}

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect()
}

fn swap_lines(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    let mut all = lines(bytes);
    let (a, b) = (below(random, all.len()), below(random, all.len()));
    all.swap(a, b);
    *bytes = all.join(&b'\n');
}

fn repeat_line(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    let mut all = lines(bytes);
    let line = all[below(random, all.len())].clone();
    let at = below(random, all.len());
    for _ in 0..1 + below(random, 3) {
        all.insert(at, line.clone());
    }
    *bytes = all.join(&b'\n');
}

/// Puts another number in the place of the next one.
fn change_number(bytes: &mut Vec<u8>, from: usize, random: &mut SplitMix64) {
    const NUMBERS: [&str; 12] =
        ["0", "-1", "1e300", "1e-300", "1e9", "-1e-9", "nan", "0.1", "2", "1e16", "4294967296", "1e308"];
    let is_digit = |b: &u8| b.is_ascii_digit() || *b == b'.';
    let Some(start) = bytes.iter().skip(from).position(is_digit).map(|k| k + from) else { return };
    let end = bytes[start..].iter().position(|b| !is_digit(b)).map_or(bytes.len(), |k| k + start);
    bytes.splice(start..end, NUMBERS[below(random, NUMBERS.len())].bytes());
}
