//! Triangles, lines and dots as samples with a depth, several a pixel.

use super::Image;
use crate::palette::Colour;

/// Samples of a pixel across and down.
const SAMPLES: usize = 2;
/// What is behind everything.
const NOTHING: u16 = 0;
/// Share of the light that is left where one thing ends before another.
const OUTLINE: f64 = 0.55;

/// A point in the picture: pixels to the right and down from the top left corner, and metres towards the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) near: f64,
}

/// What a triangle looks like.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paint {
    pub(super) colour: Colour,
    /// Light at the three corners.
    pub(super) light: [f64; 3],
    /// What it is part of, for outlines; not 0.
    pub(super) thing: u16,
}

impl Paint {
    /// The colour as it is.
    pub(super) fn plain(colour: Colour, thing: u16) -> Self {
        Self { colour, light: [1.0; 3], thing }
    }
}

/// Samples of a picture with the nearest thing in each.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    colour: Vec<[u8; 3]>,
    near: Vec<f32>,
    thing: Vec<u16>,
}

impl Canvas {
    /// An empty canvas of so many pixels.
    pub(super) fn new(width: usize, height: usize, background: Colour) -> Self {
        let (width, height) = (SAMPLES * width, SAMPLES * height);
        let count = width * height;
        Self {
            width,
            height,
            colour: vec![background.rgb(); count],
            near: vec![f32::NEG_INFINITY; count],
            thing: vec![NOTHING; count],
        }
    }

    /// Changes the background, given the place of each sample (pixels): its new colour over the old one, and how much.
    pub(super) fn wash(&mut self, of: impl Fn([f64; 2]) -> Option<(Colour, f64)>) {
        let scale = SAMPLES as f64;
        for row in 0..self.height {
            for column in 0..self.width {
                let place = [(column as f64 + 0.5) / scale, (row as f64 + 0.5) / scale];
                if let Some((colour, share)) = of(place) {
                    let sample = &mut self.colour[row * self.width + column];
                    *sample = mixed(*sample, colour.rgb(), share);
                }
            }
        }
    }

    /// A triangle, where nothing nearer is there already.
    pub(super) fn triangle(&mut self, [a, b, c]: [Spot; 3], paint: Paint) {
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if area == 0.0 || area.is_nan() {
            return;
        }
        let low = [a.x.min(b.x).min(c.x), a.y.min(b.y).min(c.y)];
        let high = [a.x.max(b.x).max(c.x), a.y.max(b.y).max(c.y)];
        samples_in([self.width, self.height], low, high, |sample, [x, y]| {
            let u = ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area;
            let v = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area;
            let w = 1.0 - u - v;
            if u >= 0.0 && v >= 0.0 && w >= 0.0 {
                let light = w * paint.light[0] + u * paint.light[1] + v * paint.light[2];
                self.put(sample, w * a.near + u * b.near + v * c.near, paint, light);
            }
        });
    }

    /// A bar with round ends, where nothing nearer is there already; `width` in pixels.
    pub(super) fn bar(&mut self, a: Spot, b: Spot, width: f64, paint: Paint) {
        let half = 0.5 * width;
        let low = [a.x.min(b.x) - half, a.y.min(b.y) - half];
        let high = [a.x.max(b.x) + half, a.y.max(b.y) + half];
        samples_in([self.width, self.height], low, high, |sample, place| {
            let (share, distance) = on_segment(a, b, place);
            if distance <= half {
                // Round as a cylinder is, lit from the eye.
                let facing = (1.0 - (distance / half) * (distance / half)).sqrt();
                self.put(sample, a.near + share * (b.near - a.near), paint, 0.65 + 0.35 * facing);
            }
        });
    }

    /// Colours a sample if nothing nearer is there.
    fn put(&mut self, sample: usize, near: f64, paint: Paint, light: f64) {
        let near = near as f32;
        if near > self.near[sample] {
            self.near[sample] = near;
            self.colour[sample] = paint.colour.rgb().map(|c| (f64::from(c) * light).round() as u8);
            self.thing[sample] = paint.thing;
        }
    }

    /// A line over everything that has been drawn; `width` in pixels.
    pub(super) fn stroke(&mut self, a: Spot, b: Spot, width: f64, colour: Colour) {
        let half = 0.5 * width;
        let low = [a.x.min(b.x) - half, a.y.min(b.y) - half];
        let high = [a.x.max(b.x) + half, a.y.max(b.y) + half];
        samples_in([self.width, self.height], low, high, |sample, place| {
            if on_segment(a, b, place).1 <= half {
                self.colour[sample] = colour.rgb();
            }
        });
    }

    /// An arrow over everything that has been drawn, from `a` to `b`; `width` of its shaft in pixels.
    pub(super) fn arrow(&mut self, a: Spot, b: Spot, width: f64, colour: Colour) {
        let (dx, dy) = (b.x - a.x, b.y - a.y);
        let length = (dx * dx + dy * dy).sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return;
        }
        let head = (5.0 * width).min(0.6 * length);
        let neck = Spot { x: b.x - head * dx / length, y: b.y - head * dy / length, near: 0.0 };
        let half = 0.42 * head;
        let side = |sign: f64| Spot {
            x: neck.x - sign * half * dy / length,
            y: neck.y + sign * half * dx / length,
            near: 0.0,
        };
        self.stroke(a, neck, width, colour);
        self.flat([b, side(1.0), side(-1.0)], colour);
    }

    /// A triangle over everything that has been drawn.
    fn flat(&mut self, [a, b, c]: [Spot; 3], colour: Colour) {
        let cross = |a: Spot, b: Spot, [x, y]: [f64; 2]| (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
        let low = [a.x.min(b.x).min(c.x), a.y.min(b.y).min(c.y)];
        let high = [a.x.max(b.x).max(c.x), a.y.max(b.y).max(c.y)];
        samples_in([self.width, self.height], low, high, |sample, place| {
            let sides = [cross(a, b, place), cross(b, c, place), cross(c, a, place)];
            if sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0) {
                self.colour[sample] = colour.rgb();
            }
        });
    }

    /// Darkens the borders between things.
    pub(super) fn outline(&mut self) {
        for row in 0..self.height {
            for column in 0..self.width {
                let at = row * self.width + column;
                let right = if column + 1 < self.width { self.thing[at + 1] } else { self.thing[at] };
                let below = if row + 1 < self.height { self.thing[at + self.width] } else { self.thing[at] };
                if right != self.thing[at] || below != self.thing[at] {
                    self.colour[at] = self.colour[at].map(|c| (f64::from(c) * OUTLINE).round() as u8);
                }
            }
        }
    }

    /// Puts what is on another canvas over this one, where it is nearer, so that this much of it is seen. What `spared`
    /// names stays as it is.
    pub(super) fn glaze(&mut self, other: &Self, share: f64, spared: u16) {
        for at in 0..self.colour.len() {
            if other.thing[at] != NOTHING && other.near[at] > self.near[at] && self.thing[at] != spared {
                self.colour[at] = mixed(self.colour[at], other.colour[at], share);
            }
        }
    }

    /// Pixels as the means of their samples.
    pub(super) fn image(&self) -> Image {
        let (width, height) = (self.width / SAMPLES, self.height / SAMPLES);
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            for x in 0..width {
                let mut sums = [0_usize; 3];
                for row in 0..SAMPLES {
                    for column in 0..SAMPLES {
                        let sample = self.colour[(SAMPLES * y + row) * self.width + SAMPLES * x + column];
                        (0..3).for_each(|c| sums[c] += usize::from(sample[c]));
                    }
                }
                let count = SAMPLES * SAMPLES;
                pixels.push(sums.map(|sum| ((sum + count / 2) / count) as u8));
            }
        }
        Image::from_pixels(width, height, pixels)
    }
}

/// Calls `see` with number and place (pixels) of each sample of a canvas whose middle is in a box (pixels).
fn samples_in(
    [width, height]: [usize; 2],
    [x0, y0]: [f64; 2],
    [x1, y1]: [f64; 2],
    mut see: impl FnMut(usize, [f64; 2]),
) {
    let scale = SAMPLES as f64;
    let range = |low: f64, high: f64, most: usize| {
        let first = (low * scale - 0.5).ceil().clamp(0.0, most as f64) as usize;
        let end = ((high * scale - 0.5).floor() + 1.0).clamp(0.0, most as f64) as usize;
        first..end
    };
    for row in range(y0, y1, height) {
        for column in range(x0, x1, width) {
            see(row * width + column, [(column as f64 + 0.5) / scale, (row as f64 + 0.5) / scale]);
        }
    }
}

/// Share of the way from a to b of the point of that segment which is nearest to a place, and its distance (pixels).
fn on_segment(a: Spot, b: Spot, [x, y]: [f64; 2]) -> (f64, f64) {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let square = dx * dx + dy * dy;
    let share = if square > 0.0 { (((x - a.x) * dx + (y - a.y) * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
    let (off_x, off_y) = (a.x + share * dx - x, a.y + share * dy - y);
    (share, (off_x * off_x + off_y * off_y).sqrt())
}

fn mixed(below: [u8; 3], above: [u8; 3], share: f64) -> [u8; 3] {
    std::array::from_fn(|c| {
        (f64::from(below[c]) + share * (f64::from(above[c]) - f64::from(below[c]))).round() as u8
    })
}
