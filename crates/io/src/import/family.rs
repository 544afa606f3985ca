//! Models of SDF: which links are of one, so that they touch each other only where the file has them collide within it.

/// By link of the file: the model that it is in, and whether it may touch others there.
#[derive(Clone, Debug, Default)]
pub(super) struct Families {
    /// The world is first.
    links: Vec<Member>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Member {
    /// Any number that all links of one family share.
    family: usize,
    /// `self_collide`, its own or that of its model.
    self_collides: bool,
}

impl Families {
    /// The next link of the file, and the place of its model among those of the file.
    pub(super) fn add(&mut self, model: usize, self_collides: bool) {
        self.links.push(Member { family: model, self_collides });
    }

    /// Models whose links a joint connects are one, as Gazebo takes them for one mechanism.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (Some(&Member { family: from, .. }), Some(&Member { family: into, .. })) =
            (self.links.get(a), self.links.get(b))
        else {
            return;
        };
        self.links.iter_mut().filter(|link| link.family == from).for_each(|link| link.family = into);
    }

    /// Two links of one model touch each other where either has `self_collide`: SDF's rule. Links of other formats have no family.
    pub(super) fn keep_apart(&self, a: usize, b: usize) -> bool {
        match (self.links.get(a), self.links.get(b)) {
            (Some(a), Some(b)) => a.family == b.family && !a.self_collides && !b.self_collides,
            _ => false,
        }
    }
}
