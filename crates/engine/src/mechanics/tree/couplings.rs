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
    /// Of each group: the link that it ends at, and its first member.
    pub(super) meets: Vec<Option<usize>>,
    pub(super) leaders: Vec<usize>,
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
        self.leaders.push(of_members[0].0);
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

    /// Links whose joints follow that of another link, with the ratio.
    pub(crate) fn followers(&self) -> impl Iterator<Item = (usize, usize, f64)> {
        self.parts.iter().enumerate().filter_map(|(link, part)| match part {
            Part::Member { group, ratio } if self.leaders[*group] != link => {
                Some((link, self.leaders[*group], *ratio))
            }
            _ => None,
        })
    }

    /// By freedom: what the coordinate of a member is where that of its leader is zero, if each row's sum of coordinates is as `sum` says.
    pub(crate) fn offsets(&self, freedoms: usize, sum: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut offsets = vec![0.0; freedoms];
        for &Leaf { row, own, other } in self.leaves.iter().rev() {
            offsets[own.0] = (sum(row) - other.1 * offsets[other.0]) / own.1;
        }
        offsets
    }

    pub(super) fn has_part(&self, link: usize) -> bool {
        self.parts[link] != Part::None || !self.ends[link].is_empty()
    }
}

#[cfg(test)]
mod tests {
    use carom_math::Pose;

    use super::super::Shortcut;
    use super::*;
    use crate::model::JointKind;

    /// A link on another one, or on the ground; a free body without a kind.
    fn link(index: usize, parent: Option<usize>, kind: Option<JointKind>) -> Link {
        Link {
            body: 10 + index,
            parent_body: kind.map(|_| parent.map_or(0, |parent| 10 + parent)),
            parent,
            kind: kind.unwrap_or(JointKind::Free),
            joint: None,
            reversed: false,
            inboard: Pose::identity(),
            outboard: Pose::identity(),
            first_state: 0,
            first_freedom: 6 * index,
            lone: false,
            tree: 0,
            drive: None,
            armature: [0.0; 6],
            shortcut: Shortcut::None,
        }
    }

    /// A free palm 0 with a finger 1, 2, 3 of hinges, a thumb 4 with a ball 5 and a hinge 6 on it, and a slide 7 on the ground with a hinge 8.
    /// Freedoms are numbered by sixes.
    fn hand() -> (Vec<Link>, Vec<usize>) {
        let hinge = Some(JointKind::Revolute);
        let parents = [None, Some(0), Some(1), Some(2), Some(0), Some(4), Some(5), None, Some(7)];
        let mut kinds = [hinge; 9];
        (kinds[0], kinds[5], kinds[7]) = (None, Some(JointKind::Spherical), Some(JointKind::Prismatic));
        let links = (0..9).map(|k| link(k, parents[k], kinds[k])).collect();
        (links, (0..54).map(|freedom| freedom / 6).collect())
    }

    fn group(rows: &[[(usize, f64); 2]]) -> Option<Couplings> {
        let (links, link_of_freedom) = hand();
        let rows: Vec<Ratio> = rows.iter().map(|row| row.map(|(link, k)| (6 * link, k))).collect();
        Couplings::new(&links, &link_of_freedom, &rows)
    }

    #[test]
    fn groups_end_where_all_of_them_is_carried() {
        // v₃ = 2 v₁ by way of v₂ = −0.5 v₃; v₄ = 3 v₁ joins the thumb.
        let rows = [[(2, 2.0), (3, 1.0)], [(1, -2.0), (3, 1.0)]];
        let finger = group(&rows).expect("a finger");
        assert_eq!(finger.meets, [Some(0)]);
        assert_eq!(finger.ends[0], [0]);
        assert_eq!(finger.leaders, [2]);
        let ratio = |couplings: &Couplings, link: usize| match couplings.parts[link] {
            Part::Member { ratio, .. } => ratio,
            part => panic!("{link} is {part:?}"),
        };
        let of = [1, 2, 3].map(|link| ratio(&finger, link) / ratio(&finger, 1));
        assert_eq!(of, [1.0, -1.0, 2.0]);
        assert_eq!([1, 2, 3].map(|link| finger.is_open[link]), [true, true, false]);
        let followers: Vec<_> = finger.followers().collect();
        assert_eq!(followers, [(1, 2, -1.0), (3, 2, -2.0)]);
        // 2 q₂ + q₃ = 5 and q₃ − 2 q₁ = 7 where the leader's q₂ is 0.
        let offsets = finger.offsets(54, |row| [5.0, 7.0][row]);
        assert_eq!([1, 2, 3].map(|link| offsets[6 * link]), [-1.0, 0.0, 5.0]);
        let both = group(&[rows[0], rows[1], [(1, 3.0), (4, -1.0)]]).expect("finger and thumb");
        assert_eq!((both.meets, both.leaders), (vec![Some(0)], vec![2]));
        // Past a hinge of its own, which carries the group.
        let passing = group(&[[(1, 1.0), (3, 1.0)]]).expect("past a hinge");
        assert_eq!(passing.parts[2], Part::Carrier { group: 0 });
        // One after the other, on the ground: two groups would be one if a joint were of both.
        let slide = group(&[[(7, 1.0), (8, 1.0)]]).expect("on the ground");
        assert_eq!(slide.meets, [None]);
    }

    #[test]
    fn what_takes_more_than_one_freedom_along_is_left_to_rows() {
        let refused: [&[[(usize, f64); 2]]; 6] = [
            // A ring, and a row twice.
            &[[(1, 1.0), (2, 1.0)], [(2, 1.0), (3, 1.0)], [(3, 1.0), (1, 1.0)]],
            &[[(1, 1.0), (2, 1.0)], [(1, 2.0), (2, 2.0)]],
            // Two groups past one joint.
            &[[(1, 1.0), (3, 1.0)], [(2, 1.0), (4, 1.0)]],
            // Past a ball; of the ground's and the palm's; of no ratio.
            &[[(4, 1.0), (6, 1.0)]],
            &[[(1, 1.0), (7, 1.0)]],
            &[[(1, 0.0), (2, 1.0)]],
        ];
        for rows in refused {
            assert!(group(rows).is_none(), "{rows:?}");
        }
    }
}
