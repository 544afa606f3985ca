//! What the inputs do to the results, as tables with bars.

use super::{Influence, ResultInfluences, StudyPage};
use crate::escape::escape;
use crate::scale::number;

/// The section; empty where no result tells anything.
pub(super) fn section(page: &StudyPage) -> String {
    let tables: String = page
        .results
        .iter()
        .zip(&page.influences)
        .filter(|(_, told)| told.inputs.iter().any(|i| *i != Influence::default()))
        .map(|(result, told)| table(page, &result.name, told))
        .collect();
    if tables.is_empty() {
        return tables;
    }
    format!(
        "<p class=\"dim\">Regression: standardised coefficients of a linear fit, whose share of the variance is R². Rank: \
         Spearman's correlation, for what grows or falls without being a line. First order: the share of the variance that goes \
         with an input alone; what the shares lack to 1 is in inputs together. A dash: these runs do not tell.</p>\n<div class=\"grid\">\n{tables}</div>\n"
    )
}

fn table(page: &StudyPage, result: &str, told: &ResultInfluences) -> String {
    let explained = told.explained.map_or(String::new(), |share| format!(", R² {}", number(share)));
    let rows: String = page
        .inputs
        .iter()
        .zip(&told.inputs)
        .map(|(input, i)| {
            let cells: String = [i.regression, i.rank, i.first_order].into_iter().map(cell).collect();
            format!("<tr><td>{}</td>{cells}</tr>\n", escape(&input.name))
        })
        .collect();
    format!(
        "<figure><figcaption><b>{}</b><span class=\"key\">{} runs{explained}</span></figcaption>\n\
         <table class=\"influence\"><thead><tr><th>input</th><th>regression</th><th>rank</th><th>first order</th></tr></thead>\n\
         <tbody>{rows}</tbody></table></figure>\n",
        escape(result),
        told.runs,
    )
}

/// A number from −1 to 1 over a bar from the middle.
fn cell(value: Option<f64>) -> String {
    let Some(value) = value else { return "<td class=\"dim\">–</td>".to_owned() };
    let width = 50.0 * value.abs().min(1.0);
    let (left, class) = if value < 0.0 { (50.0 - width, "down") } else { (50.0, "up") };
    format!(
        "<td><span class=\"bar\"><i class=\"{class}\" style=\"left:{left:.1}%;width:{width:.1}%\"></i></span>{}</td>",
        number((value * 1000.0).round() / 1000.0)
    )
}
