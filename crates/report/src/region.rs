//! A contact region, seen along the normal of its plane.

use std::path::Path;

use carom_results::{Error, RegionData, RegionRequest, RunData};

use crate::plane::{axes_facing, place};

/// A region with the plane that its picture lies in, which is the region's own.
#[derive(Clone, Debug)]
pub struct RegionMap {
    /// The region.
    pub region: RegionData,
    /// Unit vectors of the picture in the world: to the right, up, towards the viewer, from A to B.
    pub axes: [[f64; 3]; 3],
}

/// The picture of a recorded region. Errors as of [`RunData::region`].
pub fn region_map(run_dir: &Path, request: &RegionRequest) -> Result<RegionMap, Error> {
    let region = RunData::open(run_dir)?.region(request)?;
    let axes = axes_facing(region.normal).ok_or_else(|| {
        let message = format!("region {} of pair \"{}\" has no normal", region.region, region.pair);
        Error::NoValue { message }
    })?;
    Ok(RegionMap { region, axes })
}

impl RegionMap {
    /// A point of the world in the picture, from the centroid (m).
    pub fn place(&self, point: [f64; 3]) -> [f64; 2] {
        place(&self.axes, self.region.position, point)
    }
}
