use carom_math::{Pose, Quaternion, Vec3};

/// Deterministic random numbers for tests: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014). The same seed
/// gives the same bits on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// Starts the sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Uniform 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// Index below `count` > 0. The bias of the remainder is below count/2⁶⁴.
    pub fn index(&mut self, count: usize) -> usize {
        (self.next_u64() % count as u64) as usize
    }

    /// Uniform in the cube [−half, half]³.
    pub fn vector_in_cube(&mut self, half: f64) -> Vec3 {
        Vec3::new(self.uniform(-half, half), self.uniform(-half, half), self.uniform(-half, half))
    }

    /// Uniform on the unit sphere.
    pub fn unit_vector(&mut self) -> Vec3 {
        loop {
            let v = self.vector_in_cube(1.0);
            let squared = v.norm_squared();
            if squared > 0.01 && squared < 1.0 {
                return v / squared.sqrt();
            }
        }
    }

    /// Uniform rotation.
    pub fn rotation(&mut self) -> Quaternion {
        loop {
            let q = Quaternion::new(
                self.uniform(-1.0, 1.0),
                self.uniform(-1.0, 1.0),
                self.uniform(-1.0, 1.0),
                self.uniform(-1.0, 1.0),
            );
            let norm = q.norm();
            if norm > 0.1 && norm < 1.0 {
                return q.normalized();
            }
        }
    }

    /// Uniform rotation, origin uniform in the cube [−half, half]³.
    pub fn pose(&mut self, half: f64) -> Pose {
        Pose { rotation: self.rotation().to_matrix(), translation: self.vector_in_cube(half) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_is_the_published_one() {
        // Reference values of the author's C code for seed 1234567.
        let mut rng = SplitMix64::new(1_234_567);
        assert_eq!(rng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(rng.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn uniform_fills_its_interval() {
        let mut rng = SplitMix64::new(3);
        let mean: f64 = (0..10_000).map(|_| rng.uniform(2.0, 4.0)).sum::<f64>() / 10_000.0;
        // Standard error 2/√(12·10⁴) = 0.006.
        assert!((mean - 3.0).abs() < 0.03);
    }
}
