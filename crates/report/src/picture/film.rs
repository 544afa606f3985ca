//! Moments of a run: one, or several side by side.

use super::camera::Camera;
use super::draw::Look;
use super::text::Font;
use super::{Image, Shot, Stage, legend};
use crate::palette;

/// Longest arrow in parts of the picture's size.
const LONGEST_ARROW: f64 = 0.3;
/// How far a moment moves towards the greatest force near it, in parts of the time between moments.
const REACH: f64 = 0.35;
/// Space between the pictures of a strip (pixels).
const GAP: usize = 2;
/// Left and upper border of text (pixels).
const BORDER: i32 = 6;

impl Stage {
    /// The run at a time, with that time, its name and a legend.
    pub fn picture(&self, time: f64, shot: &Shot) -> Image {
        self.strip(&[time], shot)
    }

    /// The run at several times side by side, all seen from the same place and with the same scale of forces.
    pub fn strip(&self, times: &[f64], shot: &Shot) -> Image {
        let [width, height] = shot.size;
        let count = times.len().max(1);
        let own_width = ((width - GAP * (count - 1)) / count).max(1);
        let font = Font::of_width(own_width);
        let line_font = Font::of_width(if count > 1 { width / 2 } else { width });
        let line = legend::height(line_font).min(height - 1);
        let looks = self.looks(times, shot, [own_width, height - line]);
        let mut image = Image::new(width, height, palette::GRID);
        for (index, (time, look)) in times.iter().zip(&looks).enumerate() {
            let mut own = self.draw(*time, look);
            let label = format!("t = {} s", self.time_label(*time));
            font.write(&mut own, &label, [BORDER, BORDER], palette::INK);
            image.paste(&own, index * (own_width + GAP), 0);
        }
        if let Some(look) = looks.first() {
            image.paste(&self.legend(look, width, line_font), 0, height - line);
        }
        image
    }

    /// Cameras of pictures at these times. The longest arrow is that of the greatest force in them.
    pub(super) fn looks(&self, times: &[f64], shot: &Shot, size: [usize; 2]) -> Vec<Look> {
        let greatest = times.iter().map(|time| self.greatest_force(self.frame_at(*time))).fold(0.0, f64::max);
        let whole = self.extent();
        let look = |time: f64| {
            let extent = match shot.around {
                Some(body) => &self.extent_around(body, time),
                None => &whole,
            };
            let camera = Camera::fitting(shot.view, self.up, self.across, &extent.points, size);
            let longest = LONGEST_ARROW * extent.size * camera.scale;
            let pixels_per_newton = if greatest > 0.0 { longest / greatest } else { 0.0 };
            Look { camera, size: extent.size, pixels_per_newton }
        };
        times.iter().map(|time| look(*time)).collect()
    }

    /// Moments that show the motion: equal shares of time from the start to the end, each but these two at the output
    /// time of the greatest force near it if something happens there.
    pub fn moments(&self, count: usize) -> Vec<f64> {
        let [start, end] = self.span();
        let spacing = (end - start) / count.saturating_sub(1).max(1) as f64;
        let moment = |k: usize| {
            let even = start + k as f64 * spacing;
            if k == 0 {
                return start;
            }
            if k + 1 == count {
                return end;
            }
            let (low, high) = (even - REACH * spacing, even + REACH * spacing);
            let events = self.event_times();
            let happens = events[events.partition_point(|t| *t < low)..].first().is_some_and(|t| *t <= high);
            if !happens {
                return even;
            }
            let times = self.times();
            let near = times.partition_point(|t| *t < low)..times.partition_point(|t| *t <= high);
            let mut greatest = (0.0, even);
            for frame in near {
                let force = self.greatest_force(frame);
                if force > greatest.0 {
                    greatest = (force, times[frame]);
                }
            }
            greatest.1
        };
        (0..count).map(moment).collect()
    }

    /// A time with as many decimals as the run's length needs.
    fn time_label(&self, time: f64) -> String {
        let [start, end] = self.span();
        let size = if end > start { (end - start).log10().floor() } else { 0.0 };
        let decimals = (3.0 - size).clamp(0.0, 9.0) as usize;
        format!("{time:.decimals$}")
    }
}
