//! Outlines in text files: a corner a line, x and y, with commas, semicolons or blanks between them. Lines that start with # are
//! notes; the first other line may name the columns.

use carom_math::Vec2;

use super::ReadError;

/// Corners in the file's own unit.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Vec2>, ReadError> {
    let content = |reason: String| ReadError {
        code: "E0302",
        reason,
        help: Some("write a corner a line: x, y".to_owned()),
    };
    let text = std::str::from_utf8(bytes).map_err(|_| content("it is no text in UTF-8".to_owned()))?;
    let mut points = Vec::new();
    let mut may_name = true;
    let mut has_ended = false;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        if line.is_empty() {
            has_ended = !points.is_empty();
            continue;
        }
        if has_ended {
            let reason =
                format!("line {} begins a second outline; a polygon has one, without holes", index + 1);
            return Err(content(reason));
        }
        let fields: Vec<&str> = line
            .split(|c: char| c == ',' || c == ';' || c.is_whitespace())
            .filter(|field| !field.is_empty())
            .collect();
        let numbers: Option<Vec<f64>> = fields.iter().map(|field| field.parse().ok()).collect();
        match numbers.as_deref() {
            Some([x, y]) => points.push(Vec2::new(*x, *y)),
            None if may_name => {}
            _ => return Err(content(format!("line {} is not two numbers: `{line}`", index + 1))),
        }
        may_name = false;
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_notes_and_names_are_read() {
        for text in ["x,y\n0,0\n1, 0\n1;2\n", "# mm\n0 0\n1\t0\n1 2\n\n\n", "0,0\r\n1,0\r\n1,2\r\n"] {
            let points = parse(text.as_bytes()).unwrap();
            assert_eq!(points, [Vec2::zeros(), Vec2::new(1.0, 0.0), Vec2::new(1.0, 2.0)]);
        }
    }

    #[test]
    fn what_is_no_outline_is_told_with_its_line() {
        for (text, part) in
            [("0,0\n1,x\n", "line 2"), ("0,0,0\n", "line 1"), ("0,0\n1,0\n\n2,0\n", "second outline")]
        {
            let reason = parse(text.as_bytes()).unwrap_err().reason;
            assert!(reason.contains(part), "{reason}");
        }
    }
}
