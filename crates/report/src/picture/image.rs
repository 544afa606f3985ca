//! A picture of pixels.

use crate::palette::Colour;

/// Pixels row by row from the top left.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Image {
    pub(super) fn new(width: usize, height: usize, colour: Colour) -> Self {
        Self { width, height, pixels: vec![colour.rgb(); width * height] }
    }

    pub(super) fn from_pixels(width: usize, height: usize, pixels: Vec<[u8; 3]>) -> Self {
        assert_eq!(pixels.len(), width * height);
        Self { width, height, pixels }
    }

    /// Pixels across.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels down.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Red, green and blue of all pixels.
    pub fn pixels(&self) -> &[[u8; 3]] {
        &self.pixels
    }

    /// A pixel; what is outside has none.
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        (x < self.width && y < self.height).then(|| self.pixels[y * self.width + x])
    }

    /// Colours a pixel if it is inside.
    pub(super) fn set(&mut self, x: i32, y: i32, colour: Colour) {
        if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y))
            && x < self.width
            && y < self.height
        {
            self.pixels[y * self.width + x] = colour.rgb();
        }
    }

    /// Colours a rectangle.
    pub(super) fn fill(&mut self, [x, y]: [i32; 2], [width, height]: [i32; 2], colour: Colour) {
        for row in y..y + height {
            (x..x + width).for_each(|column| self.set(column, row, colour));
        }
    }

    /// Puts another picture into this one, its top left pixel at (x, y). It has to fit.
    pub(super) fn paste(&mut self, other: &Self, x: usize, y: usize) {
        for row in 0..other.height {
            let from = &other.pixels[row * other.width..][..other.width];
            self.pixels[(y + row) * self.width + x..][..other.width].copy_from_slice(from);
        }
    }
}
