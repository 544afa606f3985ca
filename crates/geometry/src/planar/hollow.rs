//! The second edge that a vertex may touch: in a hollow it lies on both.
//!
//! A polygon with hollows is cut into runs of edges there. A vertex is over the nearest edge, and by a second feature over the nearest of
//! the other runs: gaps that are both zero where it has slid into the corner of a hollow.

use carom_math::Vec2;

use super::Polygon;
use super::corner::Corner;
use super::edge::{Edge, Foot};
use super::held::MARGIN;
use super::placement::Planar;
use super::vertex::{AtVertex, at_vertex, beneath_next, is_faced, leads_in, on_line};

/// Which edges of the other outline a vertex is taken against, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// All, of bodies that give: it may be deep under one.
    Soft,
    /// All, of bodies that do not give.
    Rigid,
    /// All, of such bodies that steps put into each other a little: what comes under a tip on a floor that both are on is beneath the side of that.
    Stepped,
    /// Those of other runs than the nearest one's.
    Second,
    /// Those of other runs than that of an edge which has the vertex already.
    Beside(usize),
}

/// Of the other's size: a rigid vertex that is deeper has started there.
pub(super) const TOUCH: f64 = 1e-9;

/// Of the margin within which a vertex that an edge has stays on it beyond its end: what has left there does not begin there again.
const BEGIN: f64 = 0.5;

/// Over the size of its body: a vertex that is deeper beneath an edge has not come in through that.
const INSIDE: f64 = 0.25;

/// Over the size of its body: how deep a vertex is behind an edge, at most, that it cannot push and has passed.
const PASSED: f64 = 1e-5;

/// Over the size of its body: how deep time stepping leaves a vertex beneath one edge of a hollow, while it is over the other.
const STEPPED: f64 = 0.01;

/// Runs of edges between hollows, by edge; a polygon with one hollow has two, as the hollow has two sides. None without hollows.
pub(super) fn runs(corners: &[Corner]) -> Vec<u32> {
    let hollows = || (0..corners.len()).filter(|&k| corners[k].is_hollow);
    match hollows().count() {
        0 => Vec::new(),
        1 => {
            let (first, edges) = (hollows().next().unwrap_or(0), corners.len());
            (0..edges).map(|k| u32::from(2 * ((k + edges - first) % edges) >= edges)).collect()
        }
        count => {
            let mut run = 0;
            let number = |corner: &Corner| {
                run += u32::from(corner.is_hollow);
                run % count as u32
            };
            corners.iter().map(number).collect()
        }
    }
}

impl Polygon {
    /// Has it corners that a vertex can lie in, on two edges?
    pub fn has_hollows(&self) -> bool {
        !self.runs.is_empty()
    }

    /// Is a point over the other edge of the hollow at this end of an edge, or beneath that by no more than a depth (m)?
    pub(super) fn is_in_hollow(&self, edge: usize, end: usize, point: &Vec2, depth: f64) -> bool {
        if !self.corners[end].is_hollow {
            return false;
        }
        let other =
            &self.edges[if end == edge { (edge + self.edges.len() - 1) % self.edges.len() } else { end }];
        let foot = other.foot(point);
        foot.place >= 0.0 && foot.place <= other.length && foot.height >= -depth.max(TOUCH * self.size())
    }

    /// The corner between two edges that are next to each other.
    fn corner_between(&self, [first, then]: [usize; 2]) -> Option<usize> {
        let leads = |from: usize, to: usize| ((from + 1) % self.edges.len() == to).then_some(to);
        leads(first, then).or_else(|| leads(then, first))
    }

    /// Is an edge one that a vertex which another edge has may touch besides? It is of another run, and not next to it over an edge's end.
    fn is_beside(&self, having: usize, edge: usize) -> bool {
        let is_other = self.runs.get(having) != self.runs.get(edge);
        is_other && self.corner_between([having, edge]).is_none_or(|corner| self.corners[corner].is_hollow)
    }

    /// The edge beside which a vertex may touch others, at a place of it in the polygon's frame.
    fn having(&self, against: Against, point: &Vec2) -> Option<usize> {
        match against {
            Against::Soft | Against::Rigid | Against::Stepped => None,
            Against::Second => self.nearest(point).map(|nearest| nearest.edge),
            Against::Beside(edge) => Some(edge),
        }
    }

    /// Is an edge among those that a vertex is taken against, at a place of it in the polygon's frame?
    pub(super) fn filter(&self, against: Against, point: &Vec2) -> impl Fn(usize) -> bool {
        let having = self.having(against, point);
        move |edge| having.is_none_or(|having| self.is_beside(having, edge))
    }

    /// Is a second edge, of which a vertex is on the inner side, on the far side of the polygon, and not one that the vertex has passed? It has
    /// passed only what is nearest to it, or meets the edge that has it in a hollow; and nothing where it is outside, within `touch` (m).
    fn is_far_side(&self, edge: usize, (against, point): (Against, &Vec2), touch: f64) -> bool {
        let nearest = self.signed_distance(point);
        let having = || self.having(against, point);
        let between = || having().and_then(|having| self.corner_between([having, edge]));
        nearest.gap > -touch
            || nearest.edge != edge && !between().is_some_and(|corner| self.corners[corner].is_hollow)
    }
}

/// A vertex against some edges of another polygon.
///
/// What is rigid touches an edge only that the vertex faces, however near: where two corners pass each other, the vertex of one has come to
/// an edge of the other from its inside. Of the second edge of a hollow the gap is the height over its line before the hollow as well.
/// Infinite without an edge.
pub(super) fn at_vertex_against(
    own: &Polygon,
    vertex: usize,
    other: &Polygon,
    (place, against): (&Planar, Against),
) -> AtVertex {
    if against == Against::Soft {
        return at_vertex(own, vertex, other, place);
    }
    let point = place.point(&own.points()[vertex]);
    let is_among = other.filter(against, &point);
    let squared = |edge: usize, square: f64| if is_among(edge) { square } else { f64::INFINITY };
    let nearest = other.nearest_of(&point, |edge, foot| squared(edge, foot.square));
    let Some(nearest) = nearest.filter(|nearest| nearest.square < f64::INFINITY) else {
        return AtVertex { gap: f64::INFINITY, outward: Vec2::x(), point, edge: 0 };
    };
    let near = near_edge(other, nearest.edge, point, STEPPED * own.size());
    let touch = TOUCH * other.size();
    // What is not a number goes through.
    if near.gap > touch || near.gap.is_nan() {
        let is_stepped = matches!(against, Against::Stepped);
        // On faces of one width corners come to corners.
        let limits = (INSIDE * own.size(), |edge: &Edge| MARGIN * edge.length);
        let beneath = || beneath_next((own, vertex), (other, place), &near, limits);
        let beneath = if is_stepped { beneath() } else { None };
        return beneath.map_or(near, |edge| on_line(other, edge, point));
    }
    // What lies on an edge that it does not push, away from its ends, and leads in there, is inside beneath the edge next to it: of two tips that meet on a floor
    // neither is under the other, and what has come over a ridge is over the slope. But the higher corner of a block that a step has put into a floor is not beneath the floor's end.
    let pushed = other.pushed_at((own, vertex), (place, &point), near.edge, |edge, foot| {
        let line = &other.edges[edge];
        is_among(edge) && foot.height <= touch && line.is_over(foot, BEGIN * MARGIN * line.length)
    });
    let pushes = place.turned(&own.corners[vertex].outward);
    let faces_near = || is_faced(&own.corners[vertex], &pushes, &other.edges[near.edge]);
    let is_in_reach = |edge: &usize| {
        *edge == near.edge || on_line(other, *edge, point).gap >= -INSIDE * own.size() || !faces_near()
    };
    let pushed = pushed.filter(is_in_reach);
    let before = |gap: f64| AtVertex { gap, edge: pushed.unwrap_or(near.edge), ..near };
    let is_second = !matches!(against, Against::Rigid | Against::Stepped);
    let rounding = place.rounding(&point);
    if let Some(edge) = pushed.filter(|edge| *edge != near.edge && !is_second && near.gap >= -touch) {
        let under = on_line(other, edge, point);
        // What lies on a ridge leads in nowhere but at its end.
        let margin = BEGIN * MARGIN * other.edges[near.edge].length;
        let is_in = under.gap <= 0.0 && leads_in((own, vertex), (other, place), (near.edge, &point), margin);
        return match against {
            _ if is_in => under,
            // Where faces of one width lie on each other, impulses of others may press it on the edge that it can push.
            Against::Stepped => AtVertex { gap: under.gap.max(f64::MIN_POSITIVE), ..under },
            _ => before(near.gap.max(f64::MIN_POSITIVE)),
        };
    }
    if near.gap > rounding {
        return before(near.gap);
    }
    // What it touches it pushes: of two corners that pass each other neither touches an edge of the other that it cannot push.
    if pushed.is_none() && !is_second && near.gap >= -touch {
        return before(near.gap.max(f64::MIN_POSITIVE));
    }
    let is_over = |edge: usize, foot: &Foot| {
        is_among(edge) && (edge == near.edge || other.edges[edge].is_over(foot, rounding))
    };
    let faced = other.nearest_faced((own, vertex), (place, &point), is_over);
    // Behind an edge that it does not face it is outside, and behind those of the far side.
    let is_behind = || faced.is_none() || other.is_far_side(near.edge, (against, &point), touch);
    if is_second && near.gap < -touch && is_behind() {
        return AtVertex { gap: nearest.square.sqrt(), ..near };
    }
    // An edge that is far is on the other side: what has passed a corner is a little behind an edge beside it that it cannot push.
    let faced =
        faced.filter(|faced| near.gap < -PASSED * own.size() || faced.square.sqrt() <= INSIDE * own.size());
    match faced {
        Some(faced) if faced.square.sqrt() <= touch.max(-near.gap) => on_line(other, faced.edge, point),
        _ if near.gap >= -touch => before(near.gap.max(f64::MIN_POSITIVE)),
        None if pushed.is_none() && near.gap >= -PASSED * own.size() => before(f64::MIN_POSITIVE),
        Some(faced) => on_line(other, faced.edge, point),
        None => near,
    }
}

/// A vertex near an edge: the height over it, or over its line before a hollow, in it, to a depth (m) beneath its other edge, and beneath one; the distance of a
/// corner outwards.
fn near_edge(other: &Polygon, edge: usize, point: Vec2, depth: f64) -> AtVertex {
    let line = &other.edges[edge];
    let foot = line.foot(&point);
    let end = if foot.place < 0.0 {
        edge
    } else if foot.place > line.length {
        (edge + 1) % other.edges.len()
    } else {
        return on_line(other, edge, point);
    };
    // Under the line beyond a hollow it has come in beneath the other edge of that, on whose line it may be held.
    let is_under = foot.height < 0.0 && other.corners[end].is_hollow;
    if is_under || foot.height >= 0.0 && other.is_in_hollow(edge, end, &point, depth) {
        return on_line(other, edge, point);
    }
    let distance = foot.square.sqrt();
    let outward = if distance > 0.0 { (point - other.edges[end].start) / distance } else { line.outward };
    AtVertex { gap: distance, outward, point, edge }
}
