//! Where a picture is taken from. There is no perspective: equal lengths across the picture are equal.

use std::str::FromStr;

use carom_math::Vec3;

use super::canvas::Spot;

/// Share of the picture that what has to be in it takes.
const FILLED: f64 = 0.88;

/// From where the scene is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum View {
    /// Across the plane in which all bodies move, if there is one; else [`View::ISO`].
    #[default]
    Auto,
    /// By angles.
    Angles {
        /// About the upward direction (degrees): 0 sees x to the right, 90 y.
        azimuth: f64,
        /// Above the horizon (degrees).
        elevation: f64,
        /// How much larger than what fits.
        zoom: f64,
    },
}

impl View {
    /// From the front, the right and above.
    pub const ISO: Self = Self::at(30.0, 25.0);
    /// Against y: x to the right.
    pub const FRONT: Self = Self::at(0.0, 0.0);
    /// Against x: y to the right.
    pub const SIDE: Self = Self::at(90.0, 0.0);
    /// From above: x to the right, y up.
    pub const TOP: Self = Self::at(0.0, 90.0);

    const fn at(azimuth: f64, elevation: f64) -> Self {
        Self::Angles { azimuth, elevation, zoom: 1.0 }
    }
}

impl FromStr for View {
    type Err = String;

    /// `iso`, `front`, `side`, `top`, or AZ,EL[,ZOOM] with angles in degrees.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "give iso, front, side, top, or AZ,EL[,ZOOM] such as 30,25,2: degrees about the upward direction and \
             above the horizon (-90 to 90), and a factor from 0.01 to 100"
                .to_owned()
        };
        match text.trim() {
            "iso" => return Ok(Self::ISO),
            "front" => return Ok(Self::FRONT),
            "side" => return Ok(Self::SIDE),
            "top" => return Ok(Self::TOP),
            _ => {}
        }
        let numbers: Vec<f64> =
            text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
        let (azimuth, elevation, zoom) = match numbers[..] {
            [azimuth, elevation] => (azimuth, elevation, 1.0),
            [azimuth, elevation, zoom] => (azimuth, elevation, zoom),
            _ => return Err(wrong()),
        };
        if !(azimuth.is_finite() && elevation.abs() <= 90.0 && (0.01..=100.0).contains(&zoom)) {
            return Err(wrong());
        }
        Ok(Self::Angles { azimuth, elevation, zoom })
    }
}

/// A camera without perspective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Camera {
    /// To the right in the picture.
    pub(super) right: Vec3,
    /// Up in the picture.
    pub(super) up: Vec3,
    /// Towards the eye.
    pub(super) eye: Vec3,
    /// What is in the middle (m).
    pub(super) centre: Vec3,
    /// Pixels of a metre.
    pub(super) scale: f64,
    /// Pixels of the picture.
    pub(super) size: [usize; 2],
}

impl Camera {
    /// The camera that has all `points` in a picture of `size` pixels. `up` is upwards, `across` the normal of the
    /// plane of the motion, if there is one.
    pub(super) fn fitting(
        view: View,
        up: Vec3,
        across: Option<Vec3>,
        points: &[Vec3],
        size: [usize; 2],
    ) -> Self {
        let (right, eye, zoom) = directions(view, up, across);
        let mut camera = Self { right, up: eye.cross(&right), eye, centre: Vec3::zeros(), scale: 1.0, size };
        let range = |axis: &Vec3| {
            let along = || points.iter().map(|p| p.dot(axis));
            [along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)]
        };
        let [horizontal, vertical, depth] = [camera.right, camera.up, camera.eye].map(|axis| range(&axis));
        let middle = |[low, high]: [f64; 2]| 0.5 * (low + high);
        camera.centre =
            middle(horizontal) * camera.right + middle(vertical) * camera.up + middle(depth) * camera.eye;
        let room = |[low, high]: [f64; 2], pixels: usize| FILLED * pixels as f64 / (high - low);
        camera.scale = zoom * room(horizontal, size[0]).min(room(vertical, size[1]));
        camera
    }

    /// Where a point is in the picture.
    pub(super) fn spot(&self, p: &Vec3) -> Spot {
        let from = p - self.centre;
        Spot {
            x: 0.5 * self.size[0] as f64 + self.scale * from.dot(&self.right),
            y: 0.5 * self.size[1] as f64 - self.scale * from.dot(&self.up),
            near: from.dot(&self.eye),
        }
    }

    /// The point in the plane of the picture through its middle that is seen at a place (pixels).
    pub(super) fn point(&self, [x, y]: [f64; 2]) -> Vec3 {
        let [across, down] = [x - 0.5 * self.size[0] as f64, y - 0.5 * self.size[1] as f64];
        self.centre + (across * self.right - down * self.up) / self.scale
    }
}

/// To the right, towards the eye, and zoom.
fn directions(view: View, up: Vec3, across: Option<Vec3>) -> (Vec3, Vec3, f64) {
    let (azimuth, elevation, zoom) = match (view, across) {
        (View::Auto, Some(normal)) => {
            // The plane of x and z is seen against y, so that x is to the right.
            let eye = if normal.y == 1.0 { -normal } else { normal };
            return (up.cross(&eye).normalize(), eye, 1.0);
        }
        (View::Auto, None) => return directions(View::ISO, up, None),
        (View::Angles { azimuth, elevation, zoom }, _) => {
            (azimuth.to_radians(), elevation.to_radians(), zoom)
        }
    };
    let side = if up.x.abs() > 0.9 { Vec3::y() } else { Vec3::x() };
    let side = (side - up * up.dot(&side)).normalize();
    let front = side.cross(&up);
    let level = libm::cos(azimuth) * front + libm::sin(azimuth) * side;
    (up.cross(&level), libm::cos(elevation) * level + libm::sin(elevation) * up, zoom)
}
