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
        (self.0.character_size.width * plain(text).chars().count() as u32) as i32
    }

    /// Writes a line whose top left corner is at (x, y). Signs that the font lacks become their like, or `?`.
    pub(super) fn write(self, image: &mut Image, text: &str, [x, y]: [i32; 2], colour: Colour) {
        let plain = plain(text);
        let style = MonoTextStyle::new(self.0, BinaryColor::On);
        let Ok(_) = style.draw_string(&plain, Point::new(x, y), Baseline::Top, &mut Ink { image, colour });
    }
}

/// The text in the signs of the font: it has few raised digits, and powers of ten become an `e` with their exponent.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("10") {
        let (before, power) = rest.split_at(at);
        let raised: String = power[2..].chars().map_while(lowered).collect();
        let times = before.strip_suffix('·');
        if raised.is_empty() {
            plain.extend(before.chars().chain("10".chars()).map(like));
        } else {
            plain.extend(times.unwrap_or(before).chars().map(like));
            plain.push_str(if times.is_some() { "e" } else { "1e" });
            plain.push_str(&raised);
        }
        let length: usize = power[2..].chars().take(raised.chars().count()).map(char::len_utf8).sum();
        rest = &power[2 + length..];
    }
    plain.extend(rest.chars().map(like));
    plain
}

/// A raised digit or minus on the line.
fn lowered(sign: char) -> Option<char> {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = || (0..).zip(digits).find(|(_, own)| *own == sign).and_then(|(n, _)| char::from_digit(n, 10));
    if sign == '⁻' { Some('-') } else { digit() }
}

fn like(sign: char) -> char {
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

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn powers_of_ten_are_told_in_the_signs_of_the_font() {
        for (text, wanted) in [
            ("1.007·10⁻²⁷\u{a0}N", "1.007e-27 N"),
            ("0 to 3·10⁸ Pa", "0 to 3e8 Pa"),
            ("10⁻³ N m", "1e-3 N m"),
            ("−10 kN, 100 Pa, 2.5 cm²", "-10 kN, 100 Pa, 2.5 cm²"),
            ("", ""),
        ] {
            assert_eq!(plain(text), wanted);
        }
    }
}
