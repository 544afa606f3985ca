//! A column of a table: its name, unit, frame and meaning.

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// f64.
    Float,
    /// A word from a small set, stored once and numbered.
    Word,
    /// A text that differs from row to row.
    Text,
    /// u32.
    Count,
    /// u16; in memory a count.
    Index,
}

/// Description of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name without unit, such as `ball.vx`.
    pub base: String,
    /// Unit as it is written, such as `m/s`; empty for words and pure numbers.
    pub unit: &'static str,
    /// Axes in which a component is given; empty for scalars.
    pub frame: &'static str,
    /// What the number says.
    pub meaning: &'static str,
    /// Type.
    pub kind: Kind,
}

impl Column {
    /// A column of f64.
    pub fn float(base: impl Into<String>, unit: &'static str, meaning: &'static str) -> Self {
        Self { base: base.into(), unit, frame: "", meaning, kind: Kind::Float }
    }

    /// A component of a vector in world axes.
    pub fn world(base: impl Into<String>, unit: &'static str, meaning: &'static str) -> Self {
        Self { frame: "world", ..Self::float(base, unit, meaning) }
    }

    /// A column of words.
    pub fn word(base: impl Into<String>, meaning: &'static str) -> Self {
        Self { kind: Kind::Word, ..Self::float(base, "", meaning) }
    }

    /// A column of texts.
    pub fn text(base: impl Into<String>, meaning: &'static str) -> Self {
        Self { kind: Kind::Text, ..Self::float(base, "", meaning) }
    }

    /// A column of indices below `count`.
    pub fn index(base: impl Into<String>, count: usize, meaning: &'static str) -> Self {
        let kind = if count <= 1 << 16 { Kind::Index } else { Kind::Count };
        Self { kind, ..Self::float(base, "", meaning) }
    }

    /// A column of counts.
    pub fn count(base: impl Into<String>, meaning: &'static str) -> Self {
        Self { kind: Kind::Count, ..Self::float(base, "", meaning) }
    }

    /// Name with the unit last, such as `ball.vx_m_s`.
    pub fn name(&self) -> String {
        with_unit(&self.base, self.unit)
    }

    /// Does a user mean this column by `name`, with or without unit?
    pub fn answers_to(&self, name: &str) -> bool {
        match name.strip_prefix(self.base.as_str()) {
            Some("") => true,
            Some(rest) => rest.strip_prefix('_').is_some_and(|end| end == unit_suffix(self.unit)),
            None => false,
        }
    }
}

/// Name with its unit last: `vx`, `m/s` gives `vx_m_s`.
pub fn with_unit(base: &str, unit: &str) -> String {
    if unit.is_empty() { base.to_owned() } else { format!("{base}_{}", unit_suffix(unit)) }
}

fn unit_suffix(unit: &str) -> String {
    unit.to_lowercase().replace([' ', '/'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_stands_last() {
        assert_eq!(Column::float("ball.vx", "m/s", "").name(), "ball.vx_m_s");
        assert_eq!(Column::float("impulse_normal", "N s", "").name(), "impulse_normal_n_s");
        assert_eq!(Column::float("ball.qw", "", "").name(), "ball.qw");
    }

    #[test]
    fn a_column_answers_with_and_without_unit() {
        let column = Column::float("ball.vx", "m/s", "");
        assert!(column.answers_to("ball.vx") && column.answers_to("ball.vx_m_s"));
        assert!(
            !column.answers_to("ball.vx_m") && !column.answers_to("ball.v") && !column.answers_to("ball.vx_")
        );
    }
}
