//! The pressure on a patch of areal contact, seen along its mean normal.

use std::path::Path;

use carom_results::{Error, PatchData, PatchRequest, RunData};

use crate::plane::{axes_facing, dot, place};
use crate::scale::quantity;

/// Shorter than this part of its area the sum of a patch's area vectors has no direction to speak of.
const FACES_ALL_WAYS: f64 = 1e-3;

/// A patch with the plane that its picture lies in. The picture's normal, towards the one who looks at it, is the
/// mean of the normals of the elements, from A to B.
#[derive(Clone, Debug)]
pub struct PressureMap {
    /// What is seen, in words: pair, patch and time.
    pub title: String,
    /// The patch, or all of a pair together.
    pub patch: PatchData,
    /// Edges of the surfaces that bound what is seen of them, in the world (m); may be empty.
    pub outline: Vec<[[f64; 3]; 2]>,
    /// Unit vectors of the picture in the world: to the right, up, towards the viewer.
    pub axes: [[f64; 3]; 3],
    /// Part that is shown: its centre, measured from the centre of pressure along the first two axes, and its width
    /// (m). `None`: all of it.
    pub window: Option<[f64; 3]>,
}

/// The picture of a recorded patch. Beside what [`RunData::patch`] says E0709 if its elements face all ways, so that
/// there is no plane to draw it in.
pub fn pressure_map(
    run_dir: &Path,
    request: &PatchRequest,
    window: Option<[f64; 3]>,
) -> Result<PressureMap, Error> {
    let patch = RunData::open(run_dir)?.patch(request)?;
    let axes = axes_of(&patch).ok_or_else(|| {
        let message = format!(
            "the elements of patch {} of pair \"{}\" face all ways: there is no plane to draw them in",
            patch.patch, patch.pair
        );
        Error::NoValue { message }
    })?;
    let title = format!("{}, patch {}, at {}", patch.pair, patch.patch, quantity(patch.time, "s"));
    Ok(PressureMap { title, patch, outline: Vec::new(), axes, window })
}

impl PressureMap {
    /// A point of the world in the picture, from the centre of pressure (m).
    pub fn place(&self, point: [f64; 3]) -> [f64; 2] {
        place(&self.axes, self.patch.position, point)
    }

    /// Lowest and greatest pressure, 0 included (Pa).
    pub fn pressures(&self) -> [f64; 2] {
        let of_elements = self.patch.elements.iter().map(|e| e.pressure);
        of_elements.fold([0.0, 0.0], |[low, high], p| [p.min(low), p.max(high)])
    }
}

/// The picture faces the mean normal of the elements; none if they face all ways.
pub(crate) fn axes_of(patch: &PatchData) -> Option<[[f64; 3]; 3]> {
    let sum = patch.elements.iter().fold([0.0; 3], |sum, e| [0, 1, 2].map(|i| sum[i] + e.area * e.normal[i]));
    let area: f64 = patch.elements.iter().map(|e| e.area).sum();
    let length = dot(sum, sum).sqrt();
    if length > FACES_ALL_WAYS * area { axes_facing(sum) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::direction;
    use carom_results::PatchElement;

    /// A patch of one right triangle in a plane.
    fn patch(normal: [f64; 3]) -> PatchData {
        let element = PatchElement {
            element: 0,
            corners: [[0.0; 3]; 3],
            area: 2.0,
            position: [0.0; 3],
            penetration: 1e-3,
            pressure: 5.0,
            normal,
            shear: [0.0; 3],
        };
        PatchData {
            pair: "drop".to_owned(),
            patch: 0,
            time: 1.0,
            area: 2.0,
            position: [1.0, 2.0, 3.0],
            force: normal.map(|n| 10.0 * n),
            torque: [0.0; 3],
            elements: vec![element],
        }
    }

    /// Right-handed, and up is up.
    #[test]
    fn pictures_are_seen_along_the_mean_normal() {
        let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let against = |v: [f64; 3]| v.map(|x: f64| -x);
        for (normal, right, up) in
            [(z, x, y), (x, y, z), (y, against(x), z), (against(z), against(x), y), (against(y), x, z)]
        {
            let [r, u, n] = axes_of(&patch(normal)).unwrap();
            assert_eq!((r, u, n), (right, up, normal));
        }
        let slanted = [0.6, 0.0, 0.8];
        let axes = axes_of(&patch(slanted)).unwrap();
        let map = PressureMap {
            title: String::new(),
            patch: patch(slanted),
            outline: Vec::new(),
            axes,
            window: None,
        };
        for (k, axis) in axes.iter().enumerate() {
            let expected = [0, 1, 2].map(|j| f64::from(u8::from(j == k)));
            assert!((0..3).all(|j| (dot(*axis, axes[j]) - expected[j]).abs() < 1e-15));
        }
        assert_eq!(map.place([1.0, 2.5, 3.0]), [0.5, 0.0]);
        assert_eq!(map.pressures(), [0.0, 5.0]);
        assert_eq!([direction(axes[0]), direction(axes[2])], ["y", "(0.60, 0.00, 0.80)"]);
    }

    #[test]
    fn a_patch_all_around_has_no_plane() {
        let mut ball = patch([0.0, 0.0, 1.0]);
        ball.elements.push(PatchElement { normal: [0.0, 0.0, -1.0], ..ball.elements[0] });
        assert!(axes_of(&ball).is_none());
    }
}
