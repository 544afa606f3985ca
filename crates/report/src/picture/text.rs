//! Text in pictures. The only file that knows the `embedded-graphics` crate, and that for its fonts.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_7X13, FONT_9X15};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::text::Baseline;
use embedded_graphics::text::renderer::TextRenderer;

use super::Image;
use crate::palette::Colour;

/// How large text is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font(&'static MonoFont<'static>);

impl Font {
    /// The font of a picture of this width (pixels).
    pub(super) fn of_width(width: usize) -> Self {
        Self(match width {
            0..200 => &FONT_6X10,
            200..700 => &FONT_7X13,
            _ => &FONT_9X15,
        })
    }

    /// Height of a line (pixels).
    pub(super) fn height(self) -> i32 {
        self.0.character_size.height as i32
    }

    /// Width of a text (pixels).
    pub(super) fn width(self, text: &str) -> i32 {
        (self.0.character_size.width * text.chars().count() as u32) as i32
    }

    /// Writes a line whose top left corner is at (x, y). Signs that the font lacks become their like, or `?`.
    pub(super) fn write(self, image: &mut Image, text: &str, [x, y]: [i32; 2], colour: Colour) {
        let plain: String = text.chars().map(plain).collect();
        let style = MonoTextStyle::new(self.0, BinaryColor::On);
        let Ok(_) = style.draw_string(&plain, Point::new(x, y), Baseline::Top, &mut Ink { image, colour });
    }
}

fn plain(sign: char) -> char {
    match sign {
        '−' | '–' => '-',
        '\u{a0}' => ' ',
        other => other,
    }
}

/// What draws the pixels that are on.
struct Ink<'a> {
    image: &'a mut Image,
    colour: Colour,
}

impl OriginDimensions for Ink<'_> {
    fn size(&self) -> Size {
        Size::new(self.image.width() as u32, self.image.height() as u32)
    }
}

impl DrawTarget for Ink<'_> {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        let on = pixels.into_iter().filter(|Pixel(_, colour)| colour.is_on());
        on.for_each(|Pixel(at, _)| self.image.set(at.x, at.y, self.colour));
        Ok(())
    }
}
