//! Active elements that lie side by side.

use carom_math::Pose;

use super::PatchBook;
use super::begin::Located;
use super::hit::Hit;
use crate::contact::areal::{ArealWorkspace, active_with_index};
use crate::contact::meshes::between;
use crate::contact::placed::Placed;
use crate::system::{ArealPair, Cell};

/// An active element in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) cell: Cell,
    pub(super) pass: u32,
    /// Among the hits of the pass.
    pub(super) hit: u32,
    /// Force of the layer (N).
    pub(super) load: f64,
}

/// A cell that is occupied.
#[derive(Clone, Copy, Debug)]
struct Occupied {
    cell: Cell,
    load: f64,
    /// Another cell of its group before it, or itself.
    parent: u32,
    group: u32,
}

/// Elements that lie side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// Force of the layers (N).
    pub(super) load: f64,
    /// The patch that it goes on from; none if it begins.
    pub(super) patch: Option<u32>,
    /// It occupies a cell of that patch.
    is_on_it: bool,
}

/// Load of a group on elements that were of one patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    pub(super) group: u32,
    pub(super) patch: u32,
    /// Force of the layers (N).
    pub(super) load: f64,
}

/// The groups of one state, in the order of their lowest cells, and buffers.
#[derive(Default)]
pub(crate) struct PatchGroups {
    pub(super) marks: Vec<Mark>,
    /// Cells that one element occupies.
    links: Vec<[Cell; 2]>,
    cells: Vec<Occupied>,
    pub(super) groups: Vec<Group>,
    /// When in a step those begin that go on from no patch.
    pub(super) located: Vec<Located>,
    /// Which patches their elements were of, by group and then by patch.
    pub(super) flows: Vec<Flow>,
    pub(super) spare: PatchBook,
    pub(super) hits: Vec<Hit>,
}

impl PatchGroups {
    /// Groups the elements of the last evaluation by the patches that they go on from.
    pub(super) fn find(
        &mut self,
        areal: &ArealPair,
        workspace: &ArealWorkspace,
        placed: &Placed<'_>,
        book: &PatchBook,
    ) {
        self.mark(areal, workspace, placed);
        self.occupy();
        if !self.take_over(book) {
            self.join_neighbours();
            self.number();
            self.match_with(book);
        }
    }

    /// Where the very cells of the last accepted state are occupied the groups are its patches. Of most steps that is so, and it
    /// saves the look at neighbours. Not if a patch has no element yet: it may lie next to another. (Elements longer than a cell
    /// that come or go without a cell can join or part patches: that is seen when a cell comes or goes.)
    fn take_over(&mut self, book: &PatchBook) -> bool {
        let is_same = self.cells.len() == book.cells.len()
            && self.cells.iter().zip(&book.cells).all(|(one, (cell, _))| one.cell == *cell)
            && book.patches.iter().all(|patch| patch.load > 0.0);
        if is_same {
            let of_patch = |patch| Group { load: 0.0, patch: Some(patch), is_on_it: true };
            self.groups.clear();
            self.groups.extend((0..book.patches.len() as u32).map(of_patch));
            for (one, (_, patch)) in self.cells.iter_mut().zip(&book.cells) {
                one.group = *patch;
                self.groups[*patch as usize].load += one.load;
            }
        }
        is_same
    }

    fn mark(&mut self, areal: &ArealPair, workspace: &ArealWorkspace, placed: &Placed<'_>) {
        self.marks.clear();
        self.links.clear();
        let weight = 1.0 / areal.passes.len() as f64;
        for (number, (pass, workspace)) in areal.passes.iter().zip(&workspace.passes).enumerate() {
            let to_grid = to_grid(number, areal, placed);
            let cell_of =
                |place| areal.grid.cell(&to_grid.as_ref().map_or(place, |x| x.transform_point(&place)));
            let mut element_of = workspace.elements_in_order(pass);
            for (hit, found) in active_with_index(&workspace.hits) {
                let element = element_of(found.element);
                let cell = cell_of(element.barycentre);
                let load = weight * pass.law.stiffness * found.depth * element.area;
                self.marks.push(Mark { cell, pass: number as u32, hit: hit as u32, load });
                if areal.grid.is_long(number, || pass.base.place(found.element).0) {
                    let corners = pass.base.corners(&pass.mesh, found.element);
                    self.links.extend(corners.map(|corner| [cell, cell_of(corner)]));
                }
            }
        }
    }

    /// The occupied cells, ascending.
    fn occupy(&mut self) {
        let occupied = |cell, load| Occupied { cell, load, parent: 0, group: 0 };
        self.cells.clear();
        for mark in &self.marks {
            match self.cells.last_mut() {
                // Neighbours on a surface mostly follow each other.
                Some(last) if last.cell == mark.cell => last.load += mark.load,
                _ => self.cells.push(occupied(mark.cell, mark.load)),
            }
        }
        self.cells.extend(self.links.iter().map(|[_, cell]| occupied(*cell, 0.0)));
        self.cells.sort_unstable_by_key(|one| one.cell);
        self.cells.dedup_by(|next, kept| {
            let is_same = next.cell == kept.cell;
            kept.load += if is_same { next.load } else { 0.0 };
            is_same
        });
        self.cells.iter_mut().zip(0..).for_each(|(one, index)| one.parent = index);
    }

    fn join_neighbours(&mut self) {
        for index in 0..self.cells.len() {
            let cell = self.cells[index].cell;
            for neighbour in neighbours(&cell).filter(|neighbour| *neighbour > cell) {
                if let Some(other) = self.index_of(&neighbour) {
                    self.join(index, other);
                }
            }
        }
        for link in 0..self.links.len() {
            let [one, other] = self.links[link].map(|cell| self.index_of(&cell));
            if let (Some(one), Some(other)) = (one, other) {
                self.join(one, other);
            }
        }
    }

    fn number(&mut self) {
        self.groups.clear();
        for index in 0..self.cells.len() {
            let root = self.root(index);
            // A root is the lowest cell of its group: it has been here before.
            if root == index {
                self.cells[index].group = self.groups.len() as u32;
                self.groups.push(Group { load: 0.0, patch: None, is_on_it: false });
            }
            let group = self.cells[root].group;
            self.cells[index].group = group;
            self.groups[group as usize].load += self.cells[index].load;
        }
    }

    /// Says for each group which patch it goes on from: of those whose cells it occupies, else next to which it lies, the one that
    /// carried most. What comes first after the contact has begun belongs to its begin.
    pub(super) fn match_with(&mut self, book: &PatchBook) {
        for exact in [true, false] {
            for index in 0..self.cells.len() {
                let Occupied { cell, group, .. } = self.cells[index];
                if exact {
                    self.offer(group, book, book.patch_in(&cell));
                } else if !self.groups[group as usize].is_on_it {
                    let next_to = neighbours(&cell).filter_map(|neighbour| book.patch_in(&neighbour));
                    let greater = next_to.reduce(|a, b| greater(book, a, b));
                    self.offer(group, book, greater);
                }
            }
            self.groups.iter_mut().for_each(|group| group.is_on_it = group.patch.is_some());
        }
        let is_first = book.is_unfelt() && self.groups.iter().all(|group| group.patch.is_none());
        if let (true, Some((seed, _))) = (is_first, book.cells.first()) {
            let distance = |one: &&Occupied| (0..3).map(|k| one.cell[k].abs_diff(seed[k])).max();
            if let Some(nearest) = self.cells.iter().min_by_key(distance) {
                self.groups[nearest.group as usize].patch = Some(0);
            }
        }
    }

    fn offer(&mut self, group: u32, book: &PatchBook, patch: Option<usize>) {
        let Some(patch) = patch else { return };
        let kept = &mut self.groups[group as usize].patch;
        *kept = Some(kept.map_or(patch, |kept| greater(book, kept as usize, patch)) as u32);
    }

    /// Finds how the patches of a book flow into the groups.
    pub(super) fn find_flows(&mut self, book: &PatchBook) {
        self.flows.clear();
        if book.patches.is_empty() {
            return;
        }
        for mark in &self.marks {
            let (group, patch) = (self.group_of(&mark.cell) as u32, book.nearest(&mark.cell) as u32);
            match self.flows.binary_search_by_key(&(group, patch), |flow| (flow.group, flow.patch)) {
                Ok(at) => self.flows[at].load += mark.load,
                Err(at) => self.flows.insert(at, Flow { group, patch, load: mark.load }),
            }
        }
    }

    /// The group of an occupied cell.
    pub(super) fn group_of(&self, cell: &Cell) -> usize {
        self.index_of(cell).map_or(0, |index| self.cells[index].group as usize)
    }

    /// The groups have become the patches, in their order.
    pub(super) fn number_patches(&mut self) {
        self.groups.iter_mut().zip(0..).for_each(|(group, patch)| group.patch = Some(patch));
    }

    /// Occupied cells, ascending, with their groups.
    pub(super) fn cells(&self) -> impl Iterator<Item = (Cell, u32)> + '_ {
        self.cells.iter().map(|one| (one.cell, one.group))
    }

    /// Does a cell belong to a group or lie next to it?
    pub(super) fn is_at(&self, cell: &Cell, group: usize) -> bool {
        let is_of =
            |cell: &Cell| self.index_of(cell).is_some_and(|at| self.cells[at].group as usize == group);
        is_of(cell) || neighbours(cell).any(|neighbour| is_of(&neighbour))
    }

    fn index_of(&self, cell: &Cell) -> Option<usize> {
        self.cells.binary_search_by(|one| one.cell.cmp(cell)).ok()
    }

    fn root(&mut self, mut index: usize) -> usize {
        loop {
            let parent = self.cells[index].parent as usize;
            if parent == index {
                return index;
            }
            // Halves the way for the next time.
            let grandparent = self.cells[parent].parent;
            self.cells[index].parent = grandparent;
            index = grandparent as usize;
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.cells[a.max(b)].parent = a.min(b) as u32;
    }
}

/// Of two patches the one that carries more; of equal ones the first.
fn greater(book: &PatchBook, a: usize, b: usize) -> usize {
    let (first, second) = (a.min(b), a.max(b));
    if book.patches[second].load > book.patches[first].load { second } else { first }
}

/// The 26 cells around one.
fn neighbours(cell: &Cell) -> impl Iterator<Item = Cell> + use<> {
    let cell = *cell;
    let steps = |index: i32| [index / 9 - 1, index / 3 % 3 - 1, index % 3 - 1];
    let around = (0..27).map(steps).filter(|step| *step != [0; 3]);
    around.map(move |step| std::array::from_fn(|k| cell[k].saturating_add(step[k])))
}

/// From the axes of the base of a pass to those of the grid, the first base's; none if they are the same.
pub(super) fn to_grid(number: usize, areal: &ArealPair, placed: &Placed<'_>) -> Option<Pose> {
    if number == 0 {
        return None;
    }
    let [a, b] = placed.poses;
    // The second base is the first target.
    Some(if areal.passes[0].base_is_a { between(a, b) } else { between(b, a) })
}

#[cfg(test)]
mod tests {
    use super::super::BegunPatch;
    use super::*;

    /// Groups of cells that carry a newton each.
    fn groups(cells: &[Cell], book: &PatchBook) -> Vec<(f64, Option<u32>)> {
        let mark = |cell: &Cell| Mark { cell: *cell, pass: 0, hit: 0, load: 1.0 };
        let mut groups = PatchGroups { marks: cells.iter().map(mark).collect(), ..PatchGroups::default() };
        groups.occupy();
        let is_same = groups.take_over(book);
        let taken: Vec<_> = groups.groups.iter().map(|group| (group.load, group.patch)).collect();
        groups.join_neighbours();
        groups.number();
        groups.match_with(book);
        let found: Vec<_> = groups.groups.iter().map(|group| (group.load, group.patch)).collect();
        assert!(!is_same || taken == found, "the same either way: {taken:?} {found:?}");
        found
    }

    fn book(patches: &[(f64, &[Cell])]) -> PatchBook {
        let mut book = PatchBook::default();
        for (index, (load, cells)) in patches.iter().enumerate() {
            book.patches.push(BegunPatch { load: *load, ..BegunPatch::default() });
            book.cells.extend(cells.iter().map(|cell| (*cell, index as u32)));
        }
        book.cells.sort_unstable();
        book
    }

    const LEFT: Cell = [0, 0, 0];
    const RIGHT: Cell = [9, 0, 0];

    #[test]
    fn elements_in_neighbouring_cells_are_one_group() {
        let known = book(&[(1.0, &[LEFT])]);
        let found = groups(&[LEFT, [1, 1, -1], [1, 1, -1], RIGHT, [-1, 0, 0]], &known);
        assert_eq!(found, [(4.0, Some(0)), (1.0, None)]);
        // A long element reaches from one to the other.
        let mut of_bar = PatchGroups::default();
        let mark = |cell: Cell| Mark { cell, pass: 0, hit: 0, load: 1.0 };
        of_bar.marks.extend([mark(LEFT), mark(RIGHT)]);
        of_bar.links.extend([[LEFT, [4, 0, 0]], [LEFT, [8, 0, 0]]]);
        of_bar.occupy();
        of_bar.join_neighbours();
        of_bar.number();
        assert_eq!(of_bar.groups.len(), 1);
        assert_eq!(of_bar.groups[0].load, 2.0);
    }

    #[test]
    fn what_grows_moves_on_or_splits_keeps_its_begin() {
        let known = book(&[(1.0, &[LEFT]), (5.0, &[RIGHT])]);
        assert_eq!(groups(&[[1, 1, 1]], &known), [(1.0, Some(0))]);
        assert_eq!(
            groups(&[[8, 0, 0], [10, 0, 0], [12, 0, 0]], &known),
            [(1.0, Some(1)), (1.0, Some(1)), (1.0, None)]
        );
    }

    #[test]
    fn the_same_cells_are_the_same_patches_without_a_look_at_neighbours() {
        let known = book(&[(3.0, &[LEFT, [1, 0, 0]]), (5.0, &[RIGHT])]);
        // `groups` holds both ways against each other.
        let found = groups(&[RIGHT, LEFT, LEFT, [1, 0, 0]], &known);
        assert_eq!(found, [(3.0, Some(0)), (1.0, Some(1))]);
        let mut workspace = PatchGroups::default();
        assert!(workspace.take_over(&PatchBook::default()) && workspace.groups.is_empty());
        // A patch that waits for its first element may belong to another.
        assert!(!workspace.take_over(&book(&[(0.0, &[LEFT])])));
    }

    #[test]
    fn of_patches_that_merge_the_greater_goes_on() {
        let all: Vec<Cell> = (0..10).map(|x| [x, 0, 0]).collect();
        for (loads, goes_on) in [([1.0, 5.0], 1), ([5.0, 1.0], 0), ([2.0, 2.0], 0)] {
            let known = book(&[(loads[0], &[LEFT]), (loads[1], &[RIGHT])]);
            assert_eq!(groups(&all, &known), [(10.0, Some(goes_on))]);
            // Between them, on neither.
            let known = book(&[(loads[0], &[LEFT]), (loads[1], &[[2, 0, 0]])]);
            assert_eq!(groups(&[[1, 0, 0]], &known), [(1.0, Some(goes_on))]);
        }
    }

    #[test]
    fn what_comes_first_belongs_to_the_begin_of_the_contact() {
        let known = book(&[(0.0, &[LEFT])]);
        assert_eq!(groups(&[[4, 0, 0], [9, 9, 9]], &known), [(1.0, Some(0)), (1.0, None)]);
        // Not what comes beside it.
        assert_eq!(groups(&[[1, 0, 0], [9, 9, 9]], &known), [(1.0, Some(0)), (1.0, None)]);
        let known = book(&[(1.0, &[LEFT])]);
        assert_eq!(groups(&[[4, 0, 0]], &known), [(1.0, None)]);
    }
}
