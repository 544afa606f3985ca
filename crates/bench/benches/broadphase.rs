//! Broad phase of many balls at a volume share of 0.2, skin a tenth of the radius: rebuilt, and still valid.
#![allow(missing_docs)]

use carom_bench::random_balls;
use carom_geometry::broadphase::Candidates;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];

fn rebuild(bencher: divan::Bencher<'_, '_>, count: usize, ratio: f64) {
    let balls = random_balls(count, 0.05, ratio, 0.2);
    let mut candidates = Candidates::default();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        candidates.rebuild(&balls, &[], 0.005).expect("sound balls");
        candidates.pairs().len()
    });
}

#[divan::bench(args = COUNTS)]
fn equal(bencher: divan::Bencher<'_, '_>, count: usize) {
    rebuild(bencher, count, 1.0);
}

/// Radii over a factor of 30.
#[divan::bench(args = COUNTS)]
fn mixed(bencher: divan::Bencher<'_, '_>, count: usize) {
    rebuild(bencher, count, 30.0);
}

#[divan::bench(args = COUNTS)]
fn still_valid(bencher: divan::Bencher<'_, '_>, count: usize) {
    let balls = random_balls(count, 0.05, 1.0, 0.2);
    let mut candidates = Candidates::default();
    candidates.rebuild(&balls, &[], 0.005).expect("sound balls");
    bencher.counter(ItemsCount::new(count)).bench_local(|| candidates.are_valid(&balls, &[]));
}
