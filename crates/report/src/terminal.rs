//! Charts in the terminal, drawn with braille characters: two by four dots in a cell.

use crate::chart::{Chart, Panel};
use crate::decimate::decimate;
use crate::palette;
use crate::scale::{decade_label, decade_ticks, prefixed, tick_label, ticks};

/// Size and looks of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Characters across.
    pub width: usize,
    /// Lines of each panel.
    pub height: usize,
    /// Colour the curves by escape codes; else letters at their ends tell several apart.
    pub colour: bool,
}

/// Narrower or lower there is no room for axes.
const SMALLEST: (usize, usize) = (30, 8);

/// Dots of one panel.
struct Canvas {
    columns: usize,
    rows: usize,
    /// Braille dots of each cell, and the curve that set one last.
    cells: Vec<(u8, usize)>,
    /// Letters over the dots.
    letters: Vec<Option<char>>,
}

/// Bits of the dots of a braille cell, by row and column (Unicode 2800 block).
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

impl Canvas {
    fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, cells: vec![(0, 0); columns * rows], letters: vec![None; columns * rows] }
    }

    fn dot(&mut self, x: i64, y: i64, curve: usize) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x < 2 * self.columns && y < 4 * self.rows {
            let cell = &mut self.cells[y / 4 * self.columns + x / 2];
            *cell = (cell.0 | BITS[y % 4][x % 2], curve);
        }
    }

    /// A letter at a point, or in the nearest row where there is none yet.
    fn letter(&mut self, (x, y): (f64, f64), letter: char) {
        let column = ((x / 2.0).max(0.0) as usize).min(self.columns - 1);
        let row = ((y / 4.0).max(0.0) as usize).min(self.rows - 1);
        let mut rows: Vec<usize> = (0..self.rows).collect();
        rows.sort_by_key(|r| r.abs_diff(row));
        if let Some(row) = rows.into_iter().find(|r| self.letters[r * self.columns + column].is_none()) {
            self.letters[row * self.columns + column] = Some(letter);
        }
    }

    /// Straight line, a dot for every step along its longer side.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), curve: usize) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).ceil().max(1.0) as usize;
        for i in 0..=steps {
            let t = i as f64 / steps as f64;
            let at = |a: f64, b: f64| (a + (b - a) * t).round() as i64;
            self.dot(at(from.0, to.0), at(from.1, to.1), curve);
        }
    }
}

/// The chart as lines of text, each ended by a line feed.
pub fn draw(chart: &Chart, size: Terminal) -> String {
    let size = Terminal { width: size.width.max(SMALLEST.0), height: size.height.max(SMALLEST.1), ..size };
    chart.panels.iter().map(|panel| draw_panel(panel, size)).collect::<Vec<_>>().join("\n")
}

fn draw_panel(panel: &Panel, size: Terminal) -> String {
    let Some([x, y]) = panel.bounds() else { return format!("{}: no values\n", panel.title) };
    let (x, y) = (panel.x_range.map_or(opened(x), opened), opened(y));
    let (fx, x_unit) = prefixed(x[0].abs().max(x[1].abs()), panel.x.unit);
    // Legend, axis, labels of the axis.
    let rows = size.height - 3;
    let (fy, y_unit, y_ticks) = if panel.decades {
        (1.0, panel.y.unit.to_owned(), decade_ticks(y[0], y[1]))
    } else {
        let (fy, y_unit) = prefixed(y[0].abs().max(y[1].abs()), panel.y.unit);
        (fy, y_unit, ticks(y[0] * fy, y[1] * fy, (rows / 4).max(2)))
    };
    let label = |tick: &f64| if panel.decades { decade_label(*tick) } else { tick_label(*tick, &y_ticks) };
    let labels: Vec<String> = y_ticks.iter().map(label).collect();
    let margin = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0) + 1;
    let columns = size.width.saturating_sub(margin + 1).max(10);
    let mut canvas = Canvas::new(columns, rows);
    let place = |(a, b): (f64, f64)| {
        let across = (a - x[0]) / (x[1] - x[0]) * (2 * columns - 1) as f64;
        let down = (y[1] - b) / (y[1] - y[0]) * (4 * rows - 1) as f64;
        (across, down)
    };
    for (index, line) in panel.lines.iter().enumerate() {
        for run in decimate(&line.x, &line.y, 2 * columns) {
            let points: Vec<(f64, f64)> = run.into_iter().map(place).collect();
            points.windows(2).for_each(|w| canvas.line(w[0], w[1], index));
            if let [point] = points[..] {
                canvas.line(point, point, index);
            }
            if let (Some(end), Some(letter)) = (points.last(), letter(panel, index, size.colour)) {
                canvas.letter(*end, letter);
            }
        }
    }
    for dots in &panel.dots {
        for point in dots.x.iter().copied().zip(dots.y.iter().copied()) {
            if point.0.is_finite() && point.1.is_finite() {
                canvas.line(place(point), place(point), dots.line);
            }
        }
    }
    let mut text = legend(panel, &y_unit, size.colour);
    for row in 0..rows {
        let label = y_ticks.iter().zip(&labels).find(|(tick, _)| {
            let (_, down) = place((x[0], **tick / fy));
            (down / 4.0) as usize == row
        });
        let label = label.map_or("", |(_, label)| label);
        let axis = if label.is_empty() { '│' } else { '┤' };
        text.push_str(&format!("{label:>margin$}{axis}{}\n", cells(&canvas, row, size.colour)));
    }
    let marks: Vec<f64> = panel.marks.iter().map(|m| m * fx).collect();
    let name =
        if x_unit.is_empty() { panel.x.label.clone() } else { format!("{} ({x_unit})", panel.x.label) };
    text.push_str(&bottom(&name, &marks, [x[0] * fx, x[1] * fx], margin, columns));
    text
}

/// A range that is not empty.
fn opened([low, high]: [f64; 2]) -> [f64; 2] {
    let half = 0.5 * low.abs().max(high.abs()).max(f64::MIN_POSITIVE / f64::EPSILON);
    if high - low > 1e-9 * half { [low, high] } else { [low - half, high + half] }
}

/// What tells a curve apart without colour.
fn letter(panel: &Panel, curve: usize, colour: bool) -> Option<char> {
    let is_needed = !colour && panel.lines.len() > 1;
    is_needed.then(|| char::from(b'a' + (curve % 26) as u8))
}

fn painted(text: &str, curve: usize, colour: bool) -> String {
    let palette::Colour(r, g, b) = palette::series(curve);
    if colour { format!("\u{1b}[38;2;{r};{g};{b}m{text}\u{1b}[0m") } else { text.to_owned() }
}

fn legend(panel: &Panel, unit: &str, colour: bool) -> String {
    let names: Vec<String> = panel
        .lines
        .iter()
        .enumerate()
        .map(|(index, line)| match letter(panel, index, colour) {
            Some(letter) => format!("{letter} {}", line.name),
            None => format!("{} {}", painted("━━", index, colour), line.name),
        })
        .collect();
    let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
    format!("{}{unit}\n", names.join("  "))
}

fn cells(canvas: &Canvas, row: usize, colour: bool) -> String {
    let range = row * canvas.columns..(row + 1) * canvas.columns;
    let glyph = |((dots, curve), letter): (&(u8, usize), &Option<char>)| match (letter, dots) {
        (Some(letter), _) => (*letter, None),
        (None, 0) => (' ', None),
        (None, dots) => (char::from_u32(0x2800 + u32::from(*dots)).unwrap_or(' '), Some(*curve)),
    };
    let glyphs: Vec<(char, Option<usize>)> =
        canvas.cells[range.clone()].iter().zip(&canvas.letters[range]).map(glyph).collect();
    let mut text = String::new();
    for part in glyphs.chunk_by(|a, b| a.1 == b.1) {
        let characters: String = part.iter().map(|(c, _)| *c).collect();
        text.push_str(&match part[0].1 {
            Some(curve) => painted(&characters, curve, colour),
            None => characters,
        });
    }
    text.trim_end_matches(' ').to_owned()
}

/// The horizontal axis with ticks below it and events above, its labels and its name.
fn bottom(name: &str, marks: &[f64], x: [f64; 2], margin: usize, columns: usize) -> String {
    let column =
        |v: f64| (((v - x[0]) / (x[1] - x[0]) * (columns - 1) as f64).round() as usize).min(columns - 1);
    let ticks_at = ticks(x[0], x[1], (columns / 12).clamp(2, 10));
    let mut axis: Vec<char> = vec!['─'; columns];
    for mark in marks.iter().filter(|m| (x[0]..=x[1]).contains(m)) {
        axis[column(*mark)] = '┴';
    }
    for tick in &ticks_at {
        let cell = &mut axis[column(*tick)];
        *cell = if *cell == '┴' { '┼' } else { '┬' };
    }
    let mut labels: Vec<char> = vec![' '; margin + 1 + columns];
    let letters = name.chars().count();
    let room = labels.len().saturating_sub(letters + 1);
    for tick in &ticks_at {
        let label = tick_label(*tick, &ticks_at);
        let start = (margin + 1 + column(*tick)).saturating_sub(label.chars().count() / 2);
        if start + label.chars().count() <= room && labels[start.saturating_sub(1)] == ' ' {
            labels[start..].iter_mut().zip(label.chars()).for_each(|(cell, c)| *cell = c);
        }
    }
    let start = labels.len().saturating_sub(letters);
    labels[start..].iter_mut().zip(name.chars()).for_each(|(cell, c)| *cell = c);
    let axis: String = axis.into_iter().collect();
    let labels: String = labels.into_iter().collect();
    format!("{:>margin$}└{axis}\n{}\n", "", labels.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Line};

    const SIZE: Terminal = Terminal { width: 60, height: 14, colour: false };

    fn chart(lines: &[fn(f64) -> f64]) -> Chart {
        let x: Vec<f64> = (0..=200).map(|i| 0.01 * f64::from(i)).collect();
        let line = |(i, f): (usize, &fn(f64) -> f64)| Line {
            name: format!("ball{i}.z"),
            x: x.clone(),
            y: x.iter().map(|t| f(*t)).collect(),
        };
        let panel = Panel {
            title: "z".into(),
            x: Axis::new("time", "s"),
            y: Axis::new("", "m"),
            lines: lines.iter().enumerate().map(line).collect(),
            marks: vec![0.77],
            ..Panel::default()
        };
        Chart { panels: vec![panel] }
    }

    #[test]
    fn it_has_the_size_asked_for() {
        let text = draw(&chart(&[f64::sin, |t| 0.4 * t]), SIZE);
        assert_eq!(text.lines().count(), 14);
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        let small = draw(&chart(&[f64::sin]), Terminal { width: 1, height: 1, colour: false });
        assert_eq!(small.lines().count(), SMALLEST.1);
    }

    #[test]
    fn it_names_curves_axes_and_events() {
        let text = draw(&chart(&[f64::sin, |t| 0.4 * t]), SIZE);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "a ball0.z  b ball1.z (m)");
        assert!(lines[12].contains('┴') && lines[13].ends_with("time (s)") && lines[13].contains("0.5"));
        assert!(text.contains('┤') && !text.contains('\u{1b}'));
        let drawn = &lines[1..12];
        assert!(drawn.iter().any(|l| l.ends_with('a')) && drawn.iter().any(|l| l.ends_with('b')));
    }

    #[test]
    fn colours_only_when_asked_for() {
        let text = draw(&chart(&[f64::sin]), Terminal { colour: true, ..SIZE });
        assert!(text.contains("\u{1b}[38;2;0;114;178m") && text.contains("\u{1b}[0m"));
    }

    #[test]
    fn a_rising_line_goes_from_bottom_left_to_top_right() {
        let text = draw(&chart(&[|t| t]), SIZE);
        let drawn: Vec<&str> = text.lines().skip(1).take(11).collect();
        let first_dot = |line: &str| line.chars().position(|c| ('\u{2801}'..='\u{28ff}').contains(&c));
        let starts: Vec<usize> = drawn.iter().filter_map(|line| first_dot(line)).collect();
        assert_eq!(starts.len(), 11);
        assert!(starts.is_sorted_by(|a, b| a > b), "{text}");
    }

    #[test]
    fn odd_data_is_drawn_or_named() {
        for f in [(|_| 0.0) as fn(f64) -> f64, |_| 5.0, |t| if t > 1.0 { f64::NAN } else { t }, |t| 1e-12 * t]
        {
            assert_eq!(draw(&chart(&[f]), SIZE).lines().count(), 14);
        }
        assert_eq!(draw(&chart(&[|_| f64::NAN]), SIZE), "z: no values\n");
        assert_eq!(draw(&Chart::default(), SIZE), "");
    }
}
