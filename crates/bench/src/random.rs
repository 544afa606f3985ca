use carom_math::{Mat3, Quaternion, Vec3};

/// SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| 2.0 * self.unit() - 1.0);
            if v.norm() > 0.1 && v.norm() < 1.0 {
                return v.normalize();
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> Mat3 {
        let angle = std::f64::consts::PI * self.unit();
        Quaternion::from_axis_angle(&self.direction(), angle).to_matrix()
    }
}
