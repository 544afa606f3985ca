//! Loops over rows for the vector instructions that the machine has.

use pulp::{Arch, Simd, WithSimd};

/// A function and its arguments. [`Wide::run`] and what it calls are to be inlined always: only so are they compiled anew
/// for every set of instructions.
pub trait Wide {
    /// What it returns.
    type Output;
    /// Calls it.
    fn run(self) -> Self::Output;
}

struct Job<W>(W);

impl<W: Wide> WithSimd for Job<W> {
    type Output = W::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _instructions: S) -> W::Output {
        self.0.run()
    }
}

/// Runs it as compiled for AVX-512, for AVX2 or for the target of the build, by what the machine has. The bits are the
/// same: nothing is fused, and no sum is reordered.
#[inline]
pub fn run_wide<W: Wide>(job: W) -> W::Output {
    Arch::new().dispatch(Job(job))
}
