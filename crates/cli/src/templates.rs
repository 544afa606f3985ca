//! The shipped examples, to start a model from.

/// A model to start from.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// Name.
    pub name: &'static str,
    /// Contents of the model file.
    pub text: &'static str,
    /// Names and contents of the files that it names.
    pub files: &'static [(&'static str, &'static [u8])],
}

/// All examples, by name.
pub const TEMPLATES: &[Template] = include!(concat!(env!("OUT_DIR"), "/templates.rs"));

impl Template {
    /// First sentence of the comment at the top of the file, up to a parenthesis.
    pub fn title(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
        let text = comment.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let end = [". ", " ("].iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
        text[..end].trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_has_a_title_that_fits_a_line() {
        assert!(!TEMPLATES.is_empty());
        for template in TEMPLATES {
            let title = template.title();
            assert!(!title.is_empty() && title.len() < 120, "{}: {title}", template.name);
        }
    }
}
