//! Room on the disk that a run takes at its start, and gives back when the disk is full: for a checkpoint with which
//! it can go on after space was made.

use std::fs::File;
use std::path::{Path, PathBuf};

use crate::{Error, Scene, files, layout};

/// Bytes for the rows that wait to be written.
const FOR_ROWS: u64 = 4 << 20;
/// What a first checkpoint may take for each body and for each pair, compressed (bytes): a thousand spheres with
/// 186 440 pairs have one of 7.2 MB.
const OF_A_BODY: u64 = 1024;
const OF_A_PAIR: u64 = 64;
/// Bytes written at once.
const PART: usize = 1 << 16;

/// A file that holds nothing but its place.
pub(super) struct Reserve {
    path: PathBuf,
    file: Option<File>,
    size: u64,
}

impl Reserve {
    /// Takes the room that every run needs.
    pub(super) fn take(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(layout::RESERVE);
        let file = Some(files::create_anew(&path)?);
        let mut reserve = Self { path, file, size: 0 };
        reserve.grow(FOR_ROWS)?;
        Ok(reserve)
    }

    /// Takes as much as the first checkpoint of this scene may need, which grows with the pairs that come up.
    pub(super) fn fit_scene(&mut self, scene: &Scene) -> Result<(), Error> {
        self.fit(OF_A_BODY * scene.bodies.len() as u64 + OF_A_PAIR * scene.pairs.len() as u64)
    }

    /// Takes as much as the next checkpoint may need, if the last had this size. The old one is there until the new
    /// one is.
    pub(super) fn fit(&mut self, checkpoint: u64) -> Result<(), Error> {
        // Checkpoints grow with the pairs that come up: not at each one.
        let is_short = self.size < FOR_ROWS + checkpoint + checkpoint / 2;
        if is_short { self.grow(FOR_ROWS + 2 * checkpoint) } else { Ok(()) }
    }

    fn grow(&mut self, size: u64) -> Result<(), Error> {
        let Some(file) = &mut self.file else { return Ok(()) };
        // Numbers of a shift register (Marsaglia 2003, "Xorshift RNGs"), each part with bits of its own turned over: a file
        // system that compresses finds nothing in them.
        let mut state = 0x9e37_79b9_7f4a_7c15 ^ self.size;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        };
        let mut part = [[0; 8]; PART / 8];
        part.fill_with(&mut next);
        while self.size < size {
            files::write_all(file, part.as_flattened()).map_err(Error::write(&self.path))?;
            self.size += PART as u64;
            let turned = u64::from_le_bytes(next());
            for word in &mut part {
                *word = (u64::from_le_bytes(*word) ^ turned).to_le_bytes();
            }
        }
        Ok(())
    }

    /// Gives the room back; false if that was done before.
    pub(super) fn give_back(&mut self) -> bool {
        let was_held = self.file.take().is_some();
        if was_held {
            // What cannot be removed gives no room, and the next write says so.
            let _ = files::remove_if_present(&self.path);
        }
        was_held
    }
}

impl Drop for Reserve {
    fn drop(&mut self) {
        self.give_back();
    }
}
