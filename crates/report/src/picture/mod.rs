//! Pictures of a run without a browser and without a graphics card: the scene that the page of the viewer shows, drawn
//! triangle by triangle. Equal runs are equal pixels.

mod camera;
mod canvas;
mod draw;
mod film;
mod frame;
mod glb;
mod image;
mod legend;
mod png;
mod solid;
mod stage;
#[cfg(test)]
mod tests;
mod text;

pub use camera::View;
pub use glb::glb;
pub use image::Image;
pub use png::{animated_png, png};
pub use stage::Stage;

/// How pictures are taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shot {
    /// Pixels across and down, all of it; see [`Shot::check_size`].
    pub size: [usize; 2],
    /// From where.
    pub view: View,
    /// Number of a body that is in the middle of each picture.
    pub around: Option<usize>,
}

impl Shot {
    /// Least pixels across and down.
    pub const LEAST: usize = 64;
    /// Most pixels across and down.
    pub const MOST: usize = 8192;
    /// Most pixels.
    pub const MOST_PIXELS: usize = 8_300_000;

    /// Can there be a picture of this size? If not, why.
    pub fn check_size(size: [usize; 2]) -> Result<(), String> {
        let (least, most) = (Self::LEAST, Self::MOST);
        if size.iter().any(|side| !(least..=most).contains(side)) {
            return Err(format!("a picture has {least} to {most} pixels each way"));
        }
        if size[0] * size[1] > Self::MOST_PIXELS {
            return Err("a picture has at most 8.3 million pixels, such as 3840x2160".to_owned());
        }
        Ok(())
    }
}
