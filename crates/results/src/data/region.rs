//! One region of a contact at one time, with its contours.

use super::RunData;
use super::rows::{Rows, SAME_TIME};
use crate::Error;
use crate::tables::Table;

/// Which region.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionRequest {
    /// Name of the pair.
    pub pair: String,
    /// Number of the region; `None`: the one with the largest normal force.
    pub region: Option<u32>,
    /// A recorded time (s); `None`: the last with contours.
    pub time: Option<f64>,
}

/// A region. World axes; forces act on B.
#[derive(Clone, Debug, PartialEq)]
pub struct RegionData {
    /// Name of the pair.
    pub pair: String,
    /// Number within the contact.
    pub region: u32,
    /// Time (s).
    pub time: f64,
    /// Centroid (m).
    pub position: [f64; 3],
    /// Unit normal of its plane, from A to B.
    pub normal: [f64; 3],
    /// Greatest indentation (m).
    pub penetration: f64,
    /// Area (m²), not a number if a contour is open.
    pub area: f64,
    /// Volume that both solids share (m³), likewise.
    pub volume: f64,
    /// Normal force (N).
    pub normal_force: f64,
    /// Force on B, friction included (N).
    pub force: [f64; 3],
    /// Its contours.
    pub contours: Vec<RegionContour>,
}

/// A contour of a region.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegionContour {
    /// Does its last node join its first?
    pub is_closed: bool,
    /// Nodes in world axes (m).
    pub nodes: Vec<[f64; 3]>,
}

impl RunData {
    /// The region that is asked for. E0707 for an unknown pair, E0709 if no contours were recorded there.
    pub fn region(&self, request: &RegionRequest) -> Result<RegionData, Error> {
        let RegionRequest { pair, region, time } = request;
        let names = || self.scene().pairs.iter().map(|p| p.name.as_str());
        if !names().any(|name| name == pair) {
            return Err(self.scene().unknown(pair, names()));
        }
        let nodes = Rows::of(self.table(Table::Contours)?, pair);
        let mut times: Vec<f64> = nodes.rows.iter().map(|&row| nodes.time[row]).collect();
        times.dedup();
        let is_it =
            |t: &&f64| time.is_none_or(|time| (*t - time).abs() <= SAME_TIME * t.abs().max(time.abs()));
        let Some(time) = times.iter().rev().find(is_it).copied() else {
            return Err(no_region(pair, *time, &times));
        };
        let rows = Rows::of(self.table(Table::Regions)?, pair);
        let (numbers, forces) = (rows.counts("region")?, rows.numbers("fn")?);
        let at_time = || rows.rows.iter().copied().filter(|&row| rows.time[row] == time);
        let row = match region {
            Some(number) => at_time().find(|&row| numbers[row] == *number),
            // Of equal forces the first.
            None => at_time().reduce(|best, row| if forces[row] > forces[best] { row } else { best }),
        };
        let Some(row) = row else {
            let there: Vec<String> = at_time().map(|row| numbers[row].to_string()).collect();
            let there = there.join(", ");
            let message = format!("pair \"{pair}\" has no such region at t = {time:?} s; there are {there}");
            return Err(Error::NoValue { message });
        };
        Ok(RegionData {
            pair: pair.clone(),
            region: numbers[row],
            time,
            position: rows.vectors("p")?(row),
            normal: rows.vectors("n")?(row),
            penetration: rows.numbers("penetration")?[row],
            area: rows.numbers("area")?[row],
            volume: rows.numbers("volume")?[row],
            normal_force: forces[row],
            force: rows.vectors("f")?(row),
            contours: contours(&nodes, time, numbers[row])?,
        })
    }
}

fn contours(nodes: &Rows<'_>, time: f64, region: u32) -> Result<Vec<RegionContour>, Error> {
    let (regions, contours, closed) =
        (nodes.counts("region")?, nodes.counts("contour")?, nodes.counts("closed")?);
    let point = nodes.vectors("")?;
    let mut all: Vec<RegionContour> = Vec::new();
    let mut last = None;
    for row in nodes.rows.iter().copied().filter(|&row| nodes.time[row] == time && regions[row] == region) {
        if last != Some(contours[row]) {
            all.push(RegionContour { is_closed: closed[row] == 1, nodes: Vec::new() });
            last = Some(contours[row]);
        }
        if let Some(contour) = all.last_mut() {
            contour.nodes.push(point(row));
        }
    }
    Ok(all)
}

fn no_region(pair: &str, time: Option<f64>, times: &[f64]) -> Error {
    let what = time.map_or_else(|| "the run has none".to_owned(), |time| format!("none at t = {time:?} s"));
    let known = match times {
        [] => "; set output.patches in the model, and see that the pair is contact by regions and touches"
            .to_owned(),
        [only] => format!("; there are some at {only} s"),
        [first, .., last] => format!("; there are {} times with some, from {first} to {last} s", times.len()),
    };
    Error::NoValue { message: format!("no contours of pair \"{pair}\" are recorded: {what}{known}") }
}
