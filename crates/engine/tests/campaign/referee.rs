//! Compares a run with the oracle.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What came of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// As the oracle says.
    Right,
    /// Left out: too close to call, or out of the oracle's reach.
    Unclear,
    /// The run has stopped with an error that names the pair.
    Told,
    /// A touch that no event shows.
    Unseen,
    /// An event where nothing touches.
    Phantom,
    /// The first begin is after the touch.
    Late,
    /// The first begin is before the touch.
    Early,
    /// One body has got through the other, or into it.
    Passed,
    /// The run has stopped for a touch from behind an open surface, which came from its front.
    Alarm,
    /// The run has not stopped where an open surface was first touched from behind.
    Unsaid,
    /// The run has stopped with an error that names no pair, or does not compile.
    Failed,
    /// The engine has panicked.
    Panicked,
}

impl Verdict {
    pub(crate) const ALL: [Self; 12] = [
        Self::Right,
        Self::Unclear,
        Self::Told,
        Self::Unseen,
        Self::Passed,
        Self::Late,
        Self::Early,
        Self::Phantom,
        Self::Alarm,
        Self::Unsaid,
        Self::Failed,
        Self::Panicked,
    ];

    /// Does it break the promise?
    pub(crate) fn breaks_the_promise(self) -> bool {
        !matches!(self, Self::Right | Self::Unclear | Self::Told)
    }
}

/// A verdict with words.
#[derive(Clone, Debug)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    /// Group in the table of results.
    pub(crate) kind: String,
    /// The scene and what happened.
    pub(crate) words: String,
}

/// Judgements of a campaign.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    counts: BTreeMap<(String, Verdict), usize>,
    broken: Vec<String>,
    told: Vec<String>,
}

/// Number of scenes of one campaign of the suite, scaled by CAMPAIGN_ROUNDS, the number of all of them.
pub(crate) fn rounds(share: usize) -> usize {
    const ALL: usize = 300;
    let number = |name| std::env::var(name).ok().map(|n| n.parse::<usize>().expect("a number"));
    number("CAMPAIGN_ROUNDS").map_or(share, |rounds| (rounds * share).div_ceil(ALL))
}

/// Judges scenes 0 … `count` of a campaign, on all cores; CAMPAIGN_FROM leaves out those before it, CAMPAIGN_ONLY picks one. With
/// CAMPAIGN_TABLE what breaks the promise is shown as it is found: a campaign of hours may be ended.
pub(crate) fn judge(count: usize, of_scene: &(dyn Fn(u64) -> Judgement + Sync)) -> Tally {
    let seed_of = |name| std::env::var(name).ok().map(|n| n.parse::<u64>().expect("a seed"));
    let (only, from) = (seed_of("CAMPAIGN_ONLY"), seed_of("CAMPAIGN_FROM").unwrap_or(0));
    let shows = std::env::var("CAMPAIGN_TABLE").is_ok();
    let seeds: Vec<u64> = only.map_or_else(|| (from..count as u64).collect(), |seed| vec![seed]);
    let next = AtomicUsize::new(0);
    let judgements = Mutex::new(vec![None; seeds.len()]);
    let work = || {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(&seed) = seeds.get(k) else { return };
            let clock = std::time::Instant::now();
            let judged = catch_unwind(AssertUnwindSafe(|| of_scene(seed))).unwrap_or_else(|panic| {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text
                    .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
                    .unwrap_or_default();
                Judgement { verdict: Verdict::Panicked, kind: "panic".to_owned(), words: text }
            });
            if std::env::var("CAMPAIGN_SLOW")
                .is_ok_and(|limit| clock.elapsed().as_secs_f64() > limit.parse().unwrap_or(1.0))
            {
                eprintln!(
                    "seed {seed} takes {:.1} s: {}: {}",
                    clock.elapsed().as_secs_f64(),
                    judged.kind,
                    judged.words
                );
            }
            if shows && judged.verdict.breaks_the_promise() {
                eprintln!("{:?}, seed {seed}: {}: {}", judged.verdict, judged.kind, judged.words);
            }
            if shows && seed % 500 == 499 {
                eprintln!("seed {seed} is done");
            }
            judgements.lock().expect("no one panics")[k] = Some((seed, judged));
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    let everything = std::env::var("CAMPAIGN_ALL").is_ok();
    let mut tally = Tally::default();
    for (seed, judged) in judgements.into_inner().expect("no one panics").into_iter().flatten() {
        let words = format!("{:?}, seed {seed}: {}: {}", judged.verdict, judged.kind, judged.words);
        if judged.verdict.breaks_the_promise() {
            tally.broken.push(words);
        } else if judged.verdict == Verdict::Told || only.is_some() || everything {
            tally.told.push(words);
        }
        *tally.counts.entry((judged.kind, judged.verdict)).or_default() += 1;
    }
    tally
}

impl Tally {
    pub(crate) fn count(&self, verdict: Verdict) -> usize {
        self.counts.iter().filter(|((_, v), _)| *v == verdict).map(|(_, n)| n).sum()
    }

    /// No scene breaks the promise, the oracle has an opinion on most of them, and no more than a share of those stops with
    /// an error.
    pub(crate) fn assert_kept(&self, told: f64) {
        if std::env::var("CAMPAIGN_TABLE").is_ok() {
            eprintln!("{self}");
        }
        assert!(self.broken.is_empty(), "{self}");
        let all: usize = self.counts.values().sum();
        let clear = all - self.count(Verdict::Unclear);
        assert!(2 * clear >= all, "the oracle leaves out too much: {self}");
        assert!(self.count(Verdict::Told) as f64 <= told * clear as f64, "too many runs stop: {self}");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: Vec<&str> = self.counts.keys().map(|(kind, _)| kind.as_str()).collect();
        kinds.dedup();
        let mut row = |name: &str, count: &dyn Fn(Verdict) -> usize| {
            let shown = Verdict::ALL.into_iter().filter(|&v| count(v) > 0);
            let cells: Vec<String> = shown.map(|v| format!("{v:?} {}", count(v))).collect();
            writeln!(f, "  {name:<28} {}", cells.join(", "))
        };
        row("\n  all", &|v| self.count(v))?;
        for kind in kinds {
            row(kind, &|v| self.counts.get(&(kind.to_owned(), v)).copied().unwrap_or(0))?;
        }
        let show: usize = std::env::var("CAMPAIGN_SHOW").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
        self.broken.iter().take(show).try_for_each(|words| writeln!(f, "{words}"))?;
        self.told.iter().take(show).try_for_each(|words| writeln!(f, "{words}"))
    }
}
