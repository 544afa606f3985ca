//! Moments of a run: one, or several side by side.

use carom_math::Vec3;

use super::camera::Camera;
use super::draw::Look;
use super::frame::Extent;
use super::text::Font;
use super::{Image, Shot, Stage, legend};
use crate::palette;

/// Longest arrow in parts of the picture's size; less in a crowd of arrows, which has to leave the scene to be seen.
const LONGEST_ARROW: f64 = 0.25;
/// How far a moment moves towards the greatest force near it, in parts of the time between moments.
const REACH: f64 = 0.35;
/// Least and greatest length of a film (s).
const FILM: [f64; 2] = [4.0, 20.0];
/// Space between the pictures of a strip (pixels).
const GAP: usize = 2;
/// Left and upper border of text (pixels).
const BORDER: i32 = 6;

impl Stage {
    /// The run at several times, in rows of as many pictures each, all with the same scale of forces and, but around a
    /// body, from the same place; with the time of each, the run's name and a legend.
    pub fn pictures(&self, times: &[f64], rows: usize, shot: &Shot) -> Image {
        let [width, height] = shot.size;
        let rows = rows.clamp(1, times.len().max(1));
        let columns = times.len().div_ceil(rows).max(1);
        let own_width = (width - GAP * (columns - 1)) / columns;
        let font = Font::of_width(own_width);
        let line_font = Font::of_width(if columns > 1 { width / 2 } else { width });
        let line = legend::height(line_font);
        let own_height = (height - line - GAP * (rows - 1)) / rows;
        let looks = self.looks(times, shot, [own_width, own_height]);
        let mut image = Image::new(width, height, palette::GRID);
        for (index, (time, look)) in times.iter().zip(&looks).enumerate() {
            let own = self.labelled(*time, look, font);
            image.paste(&own, index % columns * (own_width + GAP), index / columns * (own_height + GAP));
        }
        if let Some(look) = looks.first() {
            image.paste(&self.legend(look, width, line_font), 0, height - line);
        }
        image
    }

    /// Pictures at several times, one after the other, as [`Self::pictures`] draws them in one.
    pub fn film(&self, times: &[f64], shot: &Shot) -> impl Iterator<Item = Image> {
        let [width, height] = shot.size;
        let font = Font::of_width(width);
        let line = legend::height(font);
        let looks = self.looks(times, shot, [width, height - line]);
        times.iter().zip(looks).map(move |(time, look)| {
            let mut image = Image::new(width, height, palette::PAPER);
            image.paste(&self.labelled(*time, &look, font), 0, 0);
            image.paste(&self.legend(&look, width, font), 0, height - line);
            image
        })
    }

    /// Times of a film with so many pictures a second (1/s): as fast as in life where that takes 4 to 20 s.
    pub fn film_times(&self, rate: u32) -> Vec<f64> {
        let [start, end] = self.span();
        let last = ((end - start).clamp(FILM[0], FILM[1]) * f64::from(rate)).round();
        (0..=last as u32).map(|k| start + (end - start) * f64::from(k) / last).collect()
    }

    /// The scene at a time, with that time.
    fn labelled(&self, time: f64, look: &Look, font: Font) -> Image {
        let mut image = self.draw(time, look);
        let label = format!("t = {} s", self.time_label(time));
        let size = [font.width(&label) + BORDER, font.height() + 2];
        image.fill([BORDER / 2, BORDER - 1], size, palette::PAPER);
        font.write(&mut image, &label, [BORDER, BORDER], palette::INK);
        image
    }

    /// Cameras of pictures at these times. The longest arrow is that of the greatest force in them.
    pub(super) fn looks(&self, times: &[f64], shot: &Shot, size: [usize; 2]) -> Vec<Look> {
        let frames = || times.iter().map(|time| self.frame_at(*time));
        let greatest = frames().map(|frame| self.greatest_force(frame)).fold(0.0, f64::max);
        let most = frames().map(|frame| self.forces(frame).count()).max().unwrap_or(0);
        let crowd = (3.0 / (most as f64).sqrt()).min(1.0);
        let newtons = |size: f64| if greatest > 0.0 { crowd * LONGEST_ARROW * size / greatest } else { 0.0 };
        let look = |extent: &Extent, points: &[Vec3]| {
            let camera = Camera::fitting(shot.view, self.up, self.across, points, size);
            Look { camera, size: extent.size, pixels_per_newton: newtons(extent.size) * camera.scale }
        };
        if let Some(body) = shot.around {
            let extents = times.iter().map(|time| self.extent_around(body, *time));
            return extents.map(|extent| look(&extent, &extent.points)).collect();
        }
        let extent = self.extent();
        let forces = frames().flat_map(|frame| self.forces(frame));
        let tips = forces.flat_map(|f| [f.normal, f.tangential].map(|v| f.point + newtons(extent.size) * v));
        let tips = tips.filter(|tip| tip.iter().all(|x| x.is_finite()));
        let points: Vec<Vec3> = extent.points.iter().copied().chain(tips).collect();
        vec![look(&extent, &points); times.len()]
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
