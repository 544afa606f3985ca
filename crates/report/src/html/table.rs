//! Tables of the page.

use crate::escape::escape;

/// A cell: safe HTML and its class.
pub(super) struct Cell {
    html: String,
    class: &'static str,
}

impl Cell {
    pub(super) fn text(text: &str) -> Self {
        Self { html: escape(text), class: "" }
    }

    pub(super) fn code(text: &str) -> Self {
        // Long names break at their joints.
        Self { html: format!("<code>{}</code>", escape(text).replace('|', "|<wbr>")), class: "" }
    }

    /// Words that need room: a column of them is wide, and scrolls with its table.
    pub(super) fn long(text: &str) -> Self {
        Self { html: escape(text), class: "long" }
    }

    pub(super) fn number(text: String) -> Self {
        Self { html: escape(&text), class: "num" }
    }

    pub(super) fn badge(text: &str, class: &str) -> Self {
        Self { html: format!("<span class=\"badge {class}\">{}</span>", escape(text)), class: "" }
    }

    /// A number that leads somewhere.
    pub(super) fn link(text: &str, to: &str) -> Self {
        Self { html: format!("<a href=\"{}\">{}</a>", escape(to), escape(text)), class: "num" }
    }
}

/// A table; heads that begin with `#` stand over numbers.
pub(super) fn table(heads: &[&str], rows: impl IntoIterator<Item = Vec<Cell>>) -> String {
    named_rows(heads, rows.into_iter().map(|cells| (String::new(), cells)))
}

/// The same with attributes of the rows, such as ` data-run="3"`.
pub(super) fn named_rows(heads: &[&str], rows: impl IntoIterator<Item = (String, Vec<Cell>)>) -> String {
    let head: String = heads
        .iter()
        .map(|head| match head.strip_prefix('#') {
            Some(head) => format!("<th class=\"num\">{}</th>", escape(head)),
            None => format!("<th>{}</th>", escape(head)),
        })
        .collect();
    let body: String = rows.into_iter().map(|(attributes, cells)| row(&attributes, &cells)).collect();
    format!(
        "<div class=\"scroll\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n"
    )
}

fn row(attributes: &str, cells: &[Cell]) -> String {
    let cells: String = cells
        .iter()
        .map(|cell| match cell.class {
            "" => format!("<td>{}</td>", cell.html),
            class => format!("<td class=\"{class}\">{}</td>", cell.html),
        })
        .collect();
    format!("<tr{attributes}>{cells}</tr>\n")
}
