/// How far lists look ahead. Only speed depends on it.
#[derive(Clone, Copy, Debug)]
pub(in crate::polygonal) struct SkinChoice {
    reach: f64,
    /// Motion per search, smoothed (m).
    pace: f64,
}

/// Cost of making a list, in evaluations of it.
const BUILD_COST: f64 = 30.0;

impl SkinChoice {
    pub(in crate::polygonal) fn new(reach: f64) -> Self {
        Self { reach, pace: 0.0 }
    }

    /// A list that served `uses` searches is replaced after a motion (m).
    pub(in crate::polygonal) fn learn(&mut self, motion: f64, uses: u64) {
        self.pace = 0.5 * (self.pace + motion / uses.max(1) as f64);
    }

    /// Skin of a list with pairs (m). Evaluation costs a + b s/ℓ per search, a list c every s/v searches; the least
    /// sum is at s = √(c v ℓ/b), with the length of the lines for ℓ. Poses that jump leave every skin: then the least.
    pub(in crate::polygonal) fn near(&self) -> f64 {
        let (least, most) = (self.reach / 30.0, self.reach / 2.0);
        if self.pace > most { least } else { (BUILD_COST * self.pace * self.reach).sqrt().clamp(least, most) }
    }
}
