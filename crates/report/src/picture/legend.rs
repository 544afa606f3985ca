//! The line below a picture: the run's name, how long arrows are, what colours of pressure are.

use super::canvas::{Canvas, Spot};
use super::draw::{Look, round_up};
use super::text::Font;
use super::{Image, Stage};
use crate::palette::{self, Colour};
use crate::scale::quantity;

/// Space between the parts of the line (pixels).
const GAP: i32 = 14;
/// Longest arrow in the line (pixels).
const LONGEST: f64 = 60.0;
/// Length of a line (pixels).
const LINE: i32 = 24;
/// Width of a bar of colours (pixels).
pub(super) const BAR: i32 = 96;

/// Height of the line (pixels).
pub(super) fn height(font: Font) -> usize {
    (font.height() + 10) as usize
}

/// A part of the line: text behind a picture.
struct Part {
    mark: Mark,
    text: String,
}

#[derive(Clone, Copy)]
enum Mark {
    None,
    Arrow(Colour, f64),
    Line(Colour),
    Bar,
}

impl Part {
    fn width(&self, font: Font) -> i32 {
        let mark = match self.mark {
            Mark::None => 0,
            Mark::Arrow(_, length) => length as i32 + 6,
            Mark::Line(_) => LINE + 6,
            Mark::Bar => BAR + 6,
        };
        mark + font.width(&self.text) + GAP
    }
}

impl Stage {
    /// The line, as far as there is room: a part that has none is left out.
    pub(super) fn legend(&self, look: &Look, width: usize, font: Font) -> Image {
        let mut parts = vec![Part { mark: Mark::None, text: self.name.clone() }];
        if look.pixels_per_newton > 0.0 {
            let force = round_down(LONGEST / look.pixels_per_newton);
            let length = force * look.pixels_per_newton;
            let scale = quantity(force, "N");
            parts.push(Part { mark: Mark::Arrow(palette::NORMAL, length), text: format!("normal {scale}") });
            parts.push(Part {
                mark: Mark::Arrow(palette::TANGENTIAL, length),
                text: format!("friction {scale}"),
            });
        }
        if self.has_contours() {
            parts.push(Part { mark: Mark::Line(palette::CONTOUR), text: "contours of regions".to_owned() });
        }
        for (pair, greatest) in self.pairs.iter().zip(&self.greatest_pressure).filter(|(_, p)| **p > 0.0) {
            let text = format!("0 to {} {}", quantity(*greatest, "Pa"), pair.name);
            parts.push(Part { mark: Mark::Bar, text });
        }
        let mut x = 8;
        parts.retain(|part| {
            let fits = x + part.width(font) <= width as i32;
            x += if fits { part.width(font) } else { 0 };
            fits
        });
        let height = height(font);
        let mut canvas = Canvas::new(width, height, palette::PAPER);
        let middle = 0.5 * height as f64;
        let mut x = 8;
        for part in &parts {
            let spot = |along: f64| Spot { x: f64::from(x) + along, y: middle, near: 0.0 };
            match part.mark {
                Mark::Arrow(colour, length) => canvas.arrow(spot(0.0), spot(length), 1.8, colour),
                Mark::Line(colour) => canvas.stroke(spot(0.0), spot(f64::from(LINE)), 1.8, colour),
                Mark::None | Mark::Bar => {}
            }
            x += part.width(font);
        }
        let mut image = canvas.image();
        let mut x = 8;
        for part in &parts {
            let end = x + part.width(font);
            if let Mark::Bar = part.mark {
                for column in 0..BAR {
                    let colour = palette::sequential(f64::from(column) / f64::from(BAR - 1));
                    image.fill([x + column, 5], [1, font.height()], colour);
                }
            }
            font.write(&mut image, &part.text, [end - GAP - font.width(&part.text), 5], palette::INK);
            x = end;
        }
        image
    }
}

/// The next of 1, 2 and 5 times a power of ten that is not above.
fn round_down(value: f64) -> f64 {
    1.0 / round_up(1.0 / value)
}
