//! Joints that move together: pairs of coordinates in a fixed ratio, which the tree answers as one freedom.

use super::Link;

/// A row k₁ v₁ + k₂ v₂ = 0 of two freedoms, with their coefficients.
pub(crate) type Ratio = [(usize, f64); 2];

/// What a link has to do with joints that move together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Part {
    /// Nothing, but for groups that end at it.
    #[default]
    None,
    /// Its joint is of the group, and moves so many times as fast as that.
    Member { group: usize, ratio: f64 },
    /// It carries joints of the group, which ends farther in.
    Carrier { group: usize },
}

/// Joints that move together, by groups. A group ends at the link that carries all of it, or in the world: there its one freedom is taken out
/// of the articulated inertia, as that of a joint is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Couplings {
    /// By link.
    pub(super) parts: Vec<Part>,
    /// By link: is there a member beyond it whose group does not end at it?
    pub(super) is_open: Vec<bool>,
    /// By link: groups that end at it.
    pub(super) ends: Vec<Vec<usize>>,
    /// Of each group: the link that it ends at, and the body of its first member.
    pub(super) meets: Vec<Option<usize>>,
    pub(super) bodies: Vec<usize>,
    /// Rows with one freedom that no row after them has, and the other: multipliers follow one by one.
    pub(super) leaves: Vec<Leaf>,
}

/// A row, seen from the end of a chain of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) row: usize,
    pub(super) own: (usize, f64),
    pub(super) other: (usize, f64),
}

impl Couplings {
    /// Of rows between the only freedoms of joints. None if there is a ring of rows, or if a joint would be of two groups, or would carry two
    /// that end farther in, or has several freedoms and would carry one: then the inward pass has more than one freedom to take along.
    pub(crate) fn new(links: &[Link], link_of_freedom: &[usize], rows: &[Ratio]) -> Option<Self> {
        let mut couplings = Self {
            parts: vec![Part::None; links.len()],
            is_open: vec![false; links.len()],
            ends: vec![Vec::new(); links.len()],
            ..Self::default()
        };
        let mut is_used = vec![false; rows.len()];
        while let Some(first) = is_used.iter().position(|used| !used) {
            let start = rows[first][0].0.min(rows[first][1].0);
            let members = couplings.follow(rows, &mut is_used, start)?;
            couplings.take_group(links, link_of_freedom, &members)?;
        }
        // Ends of chains first.
        couplings.leaves.reverse();
        Some(couplings)
    }

    /// Freedoms that rows join to one, with the ratios of their velocities to its.
    fn follow(&mut self, rows: &[Ratio], is_used: &mut [bool], start: usize) -> Option<Vec<(usize, f64)>> {
        let mut members = vec![(start, 1.0)];
        let mut next = 0;
        while let Some(&(freedom, ratio)) = members.get(next) {
            next += 1;
            for (row, &[a, b]) in rows.iter().enumerate() {
                let (here, other) = if a.0 == freedom { (a, b) } else { (b, a) };
                if is_used[row] || here.0 != freedom {
                    continue;
                }
                is_used[row] = true;
                let factor = -here.1 / other.1;
                let is_sound = factor.is_finite() && factor != 0.0;
                if !is_sound || members.iter().any(|(known, _)| *known == other.0) {
                    return None;
                }
                members.push((other.0, ratio * factor));
                self.leaves.push(Leaf { row, own: other, other: here });
            }
        }
        Some(members)
    }

    fn take_group(
        &mut self,
        links: &[Link],
        link_of_freedom: &[usize],
        members: &[(usize, f64)],
    ) -> Option<()> {
        let group = self.meets.len();
        let carriers = |link: usize| {
            std::iter::successors(links[link].parent, |&link| links[link].parent).collect::<Vec<_>>()
        };
        let of_members: Vec<(usize, Vec<usize>)> = members
            .iter()
            .map(|(freedom, _)| (link_of_freedom[*freedom], carriers(link_of_freedom[*freedom])))
            .collect();
        let (_, of_first) = &of_members[0];
        let carries_all = |link: &&usize| of_members.iter().all(|(_, carriers)| carriers.contains(link));
        let meet = of_first.iter().find(carries_all).copied();
        for ((link, _), (_, ratio)) in of_members.iter().zip(members) {
            if links[*link].is_root() || links[*link].kind.freedoms() != 1 || self.parts[*link] != Part::None
            {
                return None;
            }
            self.parts[*link] = Part::Member { group, ratio: *ratio };
        }
        for (_, carriers) in &of_members {
            for &link in carriers.iter().take_while(|link| Some(**link) != meet) {
                match self.parts[link] {
                    Part::None if links[link].is_root() || links[link].kind.freedoms() > 1 => return None,
                    Part::None => self.parts[link] = Part::Carrier { group },
                    Part::Member { group: own, .. } | Part::Carrier { group: own } if own == group => {}
                    _ => return None,
                }
                self.is_open[link] = true;
            }
        }
        self.meets.push(meet);
        self.bodies.push(links[of_members[0].0].body);
        if let Some(meet) = meet {
            self.ends[meet].push(group);
        }
        Some(())
    }

    /// Multipliers λ, by row, of rows that push along the freedoms with `pushes`, of which what is left is rounding.
    pub(crate) fn multipliers(&self, pushes: &mut [f64], out: &mut [f64]) {
        for &Leaf { row, own, other } in &self.leaves {
            out[row] = pushes[own.0] / own.1;
            pushes[other.0] -= out[row] * other.1;
        }
    }

    pub(super) fn has_part(&self, link: usize) -> bool {
        self.parts[link] != Part::None || !self.ends[link].is_empty()
    }
}
