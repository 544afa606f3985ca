//! What of the regions of an evaluation is recorded.

use carom_geometry::intersection::Side;

use super::{RegionBook, RegionWorkspace};
use crate::contact::Evaluator;
use crate::record::{ContactMode, ContourSample, RegionSample};

/// Rows of contacts by regions at a recorded time.
#[derive(Default)]
pub(crate) struct RegionRows {
    pub(crate) regions: Vec<RegionSample>,
    pub(crate) contours: Vec<ContourSample>,
}

impl RegionRows {
    pub(crate) fn clear(&mut self) {
        self.regions.clear();
        self.contours.clear();
    }
}

/// Regions of the contacts that touch, from the last evaluation, with their contours if they are asked for.
pub(crate) fn sample_regions(evaluator: &Evaluator<'_>, has_contours: bool, rows: &mut RegionRows) {
    rows.clear();
    for &contact in &evaluator.contacts.active {
        let pair = evaluator.table.contacts[contact].pair;
        let touches = evaluator.contacts.memory[contact].mode != ContactMode::Open;
        let Some(workspace) = evaluator.regions.get(pair).and_then(Option::as_ref).filter(|_| touches) else {
            continue;
        };
        let book = &evaluator.contacts.region_books[pair];
        let mut next = book.next;
        let first = rows.regions.len();
        for found in 0..workspace.loads.len() {
            let region = number_of(workspace, book, found, &mut next);
            rows.regions.push(sample_region(workspace, found, contact, region));
        }
        if has_contours {
            let x_wb = evaluator.table.pairs[pair].source.surfaces().map(|([_, b], _)| evaluator.surfaces[b]);
            let Some(x_wb) = x_wb else { continue };
            let contours = workspace.search.contours();
            let chains = contours.loops().map(|nodes| (nodes, true));
            let chains = chains.chain(contours.open_chains().map(|nodes| (nodes, false)));
            for (contour, (nodes, is_closed)) in chains.enumerate() {
                let found = workspace.search.region_of_node(nodes[0]);
                let region = rows.regions[first + found].region;
                rows.contours.extend(nodes.iter().zip(0..).map(|(&node, place)| ContourSample {
                    contact,
                    region,
                    contour: contour as u32,
                    is_closed,
                    place,
                    position: x_wb.transform_point(&contours.nodes()[node as usize].point),
                }));
            }
        }
    }
}

/// Number of a region: that of the heaviest it goes on from, or of those that are free the next.
fn number_of(workspace: &RegionWorkspace, book: &RegionBook, found: usize, next: &mut u32) -> u32 {
    let parents = workspace.lineage.parents(found).iter().map(|&parent| &book.regions[parent as usize]);
    match parents.reduce(|best, begun| if begun.load > best.load { begun } else { best }) {
        Some(begun) => begun.number,
        None => {
            *next += 1;
            *next - 1
        }
    }
}

fn sample_region(workspace: &RegionWorkspace, found: usize, contact: usize, region: u32) -> RegionSample {
    let load = &workspace.loads[found];
    let overlap = load.region.overlap;
    let triangles = [Side::A, Side::B].map(|side| workspace.search.triangles(found, side).len() as u32);
    RegionSample {
        contact,
        region,
        position: load.region.point,
        normal: load.region.normal,
        penetration: load.region.indentation,
        area: overlap.map(|overlap| overlap.area),
        volume: overlap.map(|overlap| overlap.volume),
        length: load.region.length,
        definiteness: load.region.definiteness,
        loops: load.region.loops,
        open_chains: load.region.open_chains,
        triangles,
        approach_speed: load.motion.approach,
        normal_force: load.normal,
        force: load.motion.normal * load.normal + load.friction,
        friction: load.friction,
        torque: load.torque,
    }
}
