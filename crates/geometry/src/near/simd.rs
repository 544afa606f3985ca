//! The kernels of detection, compiled for several instruction sets.
//!
//! Kernels are plain loops over arrays of eight numbers without branches. [`SimdLevel::run`] compiles them for AVX-512,
//! for AVX2 and for the target of the build, and picks at run time what the machine has. The bits are the same:
//! nothing is fused, and lanes never meet.

use pulp::{Arch, Simd, WithSimd};

/// Lanes of a block.
pub(crate) const LANES: usize = 8;

/// Bits of the first lanes.
#[inline(always)]
pub(crate) fn filled(lanes: usize) -> u8 {
    (u16::MAX >> (16 - lanes)) as u8
}

/// Bits of eight lanes, each of which has its own or none.
#[inline(always)]
pub(crate) fn any_of(lanes: [u32; LANES]) -> u8 {
    let mut bits = 0;
    for k in 0..LANES {
        bits |= lanes[k];
    }
    bits as u8
}

/// One of eight vectors.
#[inline(always)]
pub(crate) fn lane(v: &[[f64; LANES]; 3], k: usize) -> [f64; 3] {
    [v[0][k], v[1][k], v[2][k]]
}

/// Instructions that kernels may use. No influence on results.
#[derive(Clone, Copy, Debug)]
pub struct SimdLevel(Arch);

impl SimdLevel {
    /// What this machine has.
    pub fn detect() -> Self {
        Self(Arch::new())
    }

    /// What every machine of the build's target has.
    pub fn plain() -> Self {
        Self(Arch::Scalar)
    }

    /// Every level that this machine can run, for comparisons.
    pub fn all() -> Vec<Self> {
        let mut levels = vec![Self::plain()];
        #[cfg(target_arch = "x86_64")]
        levels.extend(pulp::x86::V3::try_new().map(|avx2| Self(Arch::V3(avx2))));
        levels.push(Self::detect());
        levels
    }

    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        self.0.dispatch(Job(kernel))
    }
}

/// A function with its arguments. `run` and all it calls must be `#[inline(always)]`: what is called is compiled for the
/// build's target only.
pub(crate) trait Kernel {
    type Output;
    fn run(self) -> Self::Output;
}

struct Job<K>(K);

impl<K: Kernel> WithSimd for Job<K> {
    type Output = K::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> K::Output {
        self.0.run()
    }
}
