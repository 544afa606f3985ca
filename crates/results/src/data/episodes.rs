//! Contact episodes: from a begin to its end, with the restitution that came out and the located peaks.

use std::collections::HashMap;

use super::{RunData, floats_of, words_of};
use crate::Error;
use crate::tables::{Columns, Table};

/// A greatest value and its time (s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PeakAt {
    /// Value.
    pub value: f64,
    /// Time (s).
    pub time: f64,
}

/// One contact from touch to parting.
#[derive(Clone, Debug, PartialEq)]
pub struct Episode {
    /// Pair.
    pub pair: String,
    /// Feature of the pair; empty if it has one.
    pub feature: String,
    /// Time of touch (s).
    pub begin: f64,
    /// Time of parting (s); `None` if the contact still held at the end.
    pub end: Option<f64>,
    /// Approach speed at touch (m/s).
    pub approach_speed: f64,
    /// Separation speed over approach speed; `None` while it holds, or if it began without any speed.
    pub restitution: Option<f64>,
    /// Normal impulse (N s).
    pub impulse: f64,
    /// Greatest penetration (m).
    pub penetration: PeakAt,
    /// Greatest normal force (N).
    pub force: PeakAt,
    /// Greatest pressure (Pa); 0 if the contact is not areal.
    pub pressure: PeakAt,
}

impl RunData {
    /// All episodes, in the order of their begin. Those that hold in a run that has not ended are not known yet.
    pub fn episodes(&self) -> Result<Vec<Episode>, Error> {
        let mut episodes: Vec<Episode> = Vec::new();
        self.for_each_episode(&mut |episode| episodes.push(episode))?;
        episodes.sort_by(|a, b| a.begin.total_cmp(&b.begin));
        Ok(episodes)
    }

    /// Episodes in the order in which they were closed, in memory that does not grow with their number.
    pub fn for_each_episode(&self, each: &mut dyn FnMut(Episode)) -> Result<(), Error> {
        self.scan(Table::Episodes, &mut |batch| {
            rows(batch)?.for_each(&mut *each);
            Ok(())
        })
    }

    /// Smallest and greatest restitution of the episodes of each pair that had any.
    pub fn restitutions(&self) -> Result<HashMap<String, [f64; 2]>, Error> {
        let mut ranges: HashMap<String, [f64; 2]> = HashMap::new();
        self.for_each_episode(&mut |episode| {
            if let Some(e) = episode.restitution {
                let [low, high] = ranges.entry(episode.pair).or_insert([e, e]);
                (*low, *high) = (low.min(e), high.max(e));
            }
        })?;
        Ok(ranges)
    }
}

fn rows(batch: &Columns) -> Result<impl Iterator<Item = Episode>, Error> {
    let float = |name: &str| floats_of(batch, Table::Episodes, name);
    let (begin, end, impulse) = (float("time")?, float("end")?, float("impulse_normal")?);
    let (approach, separation) = (float("approach_speed")?, float("separation_speed")?);
    let peak = |name: &str| -> Result<_, Error> {
        let (values, times) = (float(name)?, float(&format!("{name}_time"))?);
        Ok(move |i: usize| PeakAt { value: values[i], time: times[i] })
    };
    let (penetration, force) = (peak("max_penetration")?, peak("max_fn")?);
    let pressure = peak("max_pressure")?;
    let words = words_of(batch, Table::Episodes, "pair")?
        .zip(words_of(batch, Table::Episodes, "feature")?)
        .enumerate();
    Ok(words.map(move |(i, (pair, feature))| Episode {
        pair: pair.to_owned(),
        feature: feature.to_owned(),
        begin: begin[i],
        end: Some(end[i]).filter(|end| end.is_finite()),
        approach_speed: approach[i],
        restitution: Some(separation[i] / approach[i]).filter(|e| e.is_finite()),
        impulse: impulse[i],
        penetration: penetration(i),
        force: force(i),
        pressure: pressure(i),
    }))
}
