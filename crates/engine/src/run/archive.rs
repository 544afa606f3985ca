//! Flat binary image of plain numbers: one visit writes or reads, so that the two cannot disagree.

use carom_math::Vec3;

/// Little-endian words, being written or read.
pub(super) enum Archive<'a> {
    Write(Vec<u8>),
    Read { bytes: &'a [u8], at: usize, short: bool },
}

impl Archive<'_> {
    pub(super) fn u64(&mut self, value: &mut u64) {
        match self {
            Self::Write(bytes) => bytes.extend_from_slice(&value.to_le_bytes()),
            Self::Read { bytes, at, short } => match bytes.get(*at..*at + 8) {
                Some(word) => {
                    *value = u64::from_le_bytes(word.try_into().expect("eight bytes"));
                    *at += 8;
                }
                None => *short = true,
            },
        }
    }

    /// Counts an image as damaged unless what was read makes sense.
    pub(super) fn check(&mut self, sound: bool) {
        if let Self::Read { short, .. } = self {
            *short |= !sound;
        }
    }

    pub(super) fn f64(&mut self, value: &mut f64) {
        let mut bits = value.to_bits();
        self.u64(&mut bits);
        *value = f64::from_bits(bits);
    }

    pub(super) fn usize(&mut self, value: &mut usize) {
        let mut wide = *value as u64;
        self.u64(&mut wide);
        *value = wide as usize;
    }

    pub(super) fn u32(&mut self, value: &mut u32) {
        let mut wide = u64::from(*value);
        self.u64(&mut wide);
        *value = wide as u32;
    }

    pub(super) fn bool(&mut self, value: &mut bool) {
        let mut wide = u64::from(*value);
        self.u64(&mut wide);
        *value = wide != 0;
    }

    pub(super) fn vec3(&mut self, value: &mut Vec3) {
        value.iter_mut().for_each(|x| self.f64(x));
    }

    /// Numbers with their count.
    pub(super) fn numbers(&mut self, values: &mut Vec<f64>) {
        let mut len = values.len();
        self.usize(&mut len);
        if let Self::Read { bytes, at, short } = self {
            // A damaged count must not ask for more memory than the image has numbers.
            if len > (bytes.len() - *at) / 8 {
                *short = true;
                return;
            }
            values.resize(len, 0.0);
        }
        values.iter_mut().for_each(|x| self.f64(x));
    }
}
