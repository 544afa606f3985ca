//! The pressure on a patch of areal contact, seen along its mean normal.

use std::path::Path;

use carom_results::{Error, PatchData, PatchRequest, RunData};

/// Shorter than this part of its area the sum of a patch's area vectors has no direction to speak of.
const FACES_ALL_WAYS: f64 = 1e-3;
/// Axes whose angles to a plane differ by no more than this are as near to it (rad).
const NEARLY: f64 = 0.02;
/// A component of a unit vector that is none: it lies along an axis.
const ALONG: f64 = 1e-6;

/// A patch with the plane that its picture lies in. The picture's normal, towards the one who looks at it, is the
/// mean of the normals of the elements, from A to B.
#[derive(Clone, Debug)]
pub struct PressureMap {
    /// The patch.
    pub patch: PatchData,
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
    Ok(PressureMap { patch, axes, window })
}

impl PressureMap {
    /// A point of the world in the picture, from the centre of pressure (m).
    pub fn place(&self, point: [f64; 3]) -> [f64; 2] {
        let arm = [0, 1, 2].map(|i| point[i] - self.patch.position[i]);
        [dot(self.axes[0], arm), dot(self.axes[1], arm)]
    }

    /// Lowest and greatest pressure, 0 included (Pa).
    pub fn pressures(&self) -> [f64; 2] {
        let of_elements = self.patch.elements.iter().map(|e| e.pressure);
        of_elements.fold([0.0, 0.0], |[low, high], p| [p.min(low), p.max(high)])
    }
}

/// To the right goes the axis of the world that is nearest to the plane, of equal ones the first; up, what has a
/// positive part along z, or else along y.
fn axes_of(patch: &PatchData) -> Option<[[f64; 3]; 3]> {
    let sum = patch.elements.iter().fold([0.0; 3], |sum, e| [0, 1, 2].map(|i| sum[i] + e.area * e.normal[i]));
    let length = dot(sum, sum).sqrt();
    let area: f64 = patch.elements.iter().map(|e| e.area).sum();
    if length.is_nan() || length <= FACES_ALL_WAYS * area {
        return None;
    }
    let normal = sum.map(|x| x / length);
    let least = normal.iter().fold(f64::INFINITY, |least, n| n.abs().min(least));
    let nearest = (0..3).find(|&i| normal[i].abs() <= least + NEARLY)?;
    let unit = |k: usize| [0, 1, 2].map(|i| f64::from(u8::from(i == k)));
    let across = dot(unit(nearest), normal);
    let right = [0, 1, 2].map(|i| unit(nearest)[i] - across * normal[i]);
    let length = dot(right, right).sqrt();
    let right = right.map(|x| x / length);
    let up = cross(normal, right);
    // Of z, y and x the first that up has a part of.
    let part = up.into_iter().rev().find(|c| c.abs() > NEARLY)?;
    let sign = part.signum();
    Some([right.map(|x| sign * x), up.map(|x| sign * x), normal])
}

/// A direction in words: `x`, `−y`, or its components.
pub(crate) fn direction(axis: [f64; 3]) -> String {
    for (name, value) in ["x", "y", "z"].into_iter().zip(axis) {
        if 1.0 - value.abs() < ALONG {
            return if value > 0.0 { name.to_owned() } else { format!("−{name}") };
        }
    }
    let [x, y, z] = axis.map(|v| format!("{:.2}", v + 0.0).replace('-', "−"));
    format!("({x}, {y}, {z})")
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let map = PressureMap { patch: patch(slanted), axes, window: None };
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
