//! XML as an owned tree whose values know their places, and remember whether anyone has read them. The only
//! file that knows the crate `roxmltree`.

use std::cell::Cell;

use carom_engine::Problem;
use roxmltree::{Document, ParsingOptions};

use super::context::Context;
use super::lenient;
use crate::finding::Finding;
use crate::source::Span;
use crate::suggest;

/// Deepest nesting of elements.
const MAX_DEPTH: usize = 256;
/// Most nodes of one file.
const MAX_NODES: u32 = 4_000_000;

/// Largest number, so that products of several stay finite; robots have none like it.
const MAX_NUMBER: f64 = 1e30;
/// Longest length (m), as in model files, and the attributes that are lengths in both formats.
const MAX_LENGTH: f64 = 1e12;
const LENGTHS: [&str; 8] = ["xyz", "pos", "size", "fromto", "radius", "length", "anchor", "relpose"];

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// Name with its prefix.
    pub(super) name: String,
    /// Place of the name.
    pub(super) span: Span,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<Element>,
    /// Text before its first child.
    pub(super) content: String,
    /// Attachments by which a joint, an actuator or a keyframe of MJCF came here, the innermost first, each a path of numbers.
    pub(super) attachments: Vec<String>,
    /// What stands here has been taken over, its attributes and children apart.
    used: Cell<bool>,
}

/// An attribute.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    /// Place of the value.
    pub(super) span: Span,
    used: Cell<bool>,
}

impl Attribute {
    pub(super) fn is_used(&self) -> bool {
        self.used.get()
    }
}

/// Parses a text; an error is recorded.
pub(super) fn parse(file: usize, context: &Context<'_>) -> Option<Element> {
    let text = lenient::as_xml(&context.text(file));
    let read = |parsed: &str| match Document::parse_with_options(parsed, options()) {
        Ok(document) => Ok(convert(document.root_element(), &text, file, 0, context)),
        Err(error) => Err(error),
    };
    let mut result = read(&text);
    // Undeclared prefixes are common in robot files: the parser sees none, and names are taken from the text as it is.
    if let Err(roxmltree::Error::UnknownNamespace(..)) = result {
        result = read(&without_prefixes(&text));
    }
    result.unwrap_or_else(|error| {
        refuse(&error, &text, file, context);
        None
    })
}

fn options<'a>() -> ParsingOptions<'a> {
    ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() }
}

fn refuse(error: &roxmltree::Error, text: &str, file: usize, context: &Context<'_>) {
    let at = byte_of(text, error.pos());
    let said = error.to_string();
    // The place is shown beside the message.
    let message = said.rsplit_once(" at ").map_or(said.as_str(), |(message, _)| message);
    let problem = Problem::new("E0801", "", format!("not valid XML: {message}"));
    let problem = problem.help(match error {
        roxmltree::Error::DtdDetected => "remove the document type declaration",
        roxmltree::Error::UnexpectedCloseTag(..) => "is an element before this place not closed?",
        _ => "the mistake may be a little before this place",
    });
    context.report(problem, Span { file, start: at, end: at + 1 });
}

/// Colons in names of elements and attributes become underscores; all places stay where they are.
fn without_prefixes(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let (mut in_tag, mut quote) = (false, None);
    let mut k = 0;
    while k < bytes.len() {
        let c = bytes[k];
        if !in_tag && bytes[k..].starts_with(b"<!--") {
            k = text[k..].find("-->").map_or(bytes.len(), |n| k + n + 3);
            continue;
        }
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (None, b'"' | b'\'') if in_tag => quote = Some(c),
            (None, b'<') => in_tag = true,
            (None, b'>') => in_tag = false,
            (None, b':') if in_tag => bytes[k] = b'_',
            _ => {}
        }
        k += 1;
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn byte_of(text: &str, pos: roxmltree::TextPos) -> usize {
    let before: usize = text.split_inclusive('\n').take(pos.row as usize - 1).map(str::len).sum();
    let line = &text[before.min(text.len())..];
    before + line.char_indices().nth((pos.col as usize).saturating_sub(1)).map_or(0, |(k, _)| k)
}

fn convert(
    node: roxmltree::Node<'_, '_>,
    text: &str,
    file: usize,
    depth: usize,
    context: &Context<'_>,
) -> Option<Element> {
    let start = node.range().start + 1;
    let name: String =
        text[start..].chars().take_while(|c| !c.is_whitespace() && *c != '/' && *c != '>').collect();
    let span = Span { file, start, end: start + name.len() };
    if depth >= MAX_DEPTH {
        let message = format!("elements are nested more than {MAX_DEPTH} levels deep");
        context
            .findings
            .push(Finding::at(Problem::new("E0801", "", message).help("no robot is that deep"), span));
        return None;
    }
    let attributes = node
        .attributes()
        .map(|a| {
            let (value, range) = (a.value().to_owned(), a.range_value());
            let span = Span { file, start: range.start, end: range.end };
            Attribute { name: a.name().to_owned(), value, span, used: Cell::new(false) }
        })
        .collect();
    let children: Option<Vec<Element>> = node
        .children()
        .filter(roxmltree::Node::is_element)
        .map(|child| convert(child, text, file, depth + 1, context))
        .collect();
    let content = node.text().unwrap_or_default().to_owned();
    Some(Element {
        name,
        span,
        attributes,
        children: children?,
        content,
        attachments: Vec::new(),
        used: Cell::new(false),
    })
}

impl Element {
    /// An element that stands for one of the file.
    pub(super) fn made(
        name: &str,
        span: Span,
        attributes: &[(&str, String)],
        children: Vec<Element>,
    ) -> Self {
        let attribute = |(name, value): &(&str, String)| Attribute {
            name: (*name).to_owned(),
            value: value.clone(),
            span,
            used: Cell::new(false),
        };
        let attributes = attributes.iter().map(attribute).collect();
        Self {
            name: name.to_owned(),
            span,
            attributes,
            children,
            content: String::new(),
            attachments: Vec::new(),
            used: Cell::new(false),
        }
    }

    /// Adds an attribute that stands for one of the file.
    pub(super) fn state(&mut self, name: &str, value: &str) {
        let (name, value) = (name.to_owned(), value.to_owned());
        self.attributes.push(Attribute { name, value, span: self.span, used: Cell::new(false) });
    }

    /// Says that the element is taken over.
    pub(super) fn mark(&self) {
        self.used.set(true);
    }

    /// Says that the element and its attributes have been dealt with.
    pub(super) fn mark_all(&self) {
        self.mark();
        self.attributes.iter().for_each(|a| a.used.set(true));
    }

    /// The same of all that is in it.
    pub(super) fn mark_tree(&self) {
        self.mark_all();
        self.children.iter().for_each(Element::mark_tree);
    }

    /// The same of some attributes.
    pub(super) fn mark_attributes(&self, names: &[&str]) {
        self.attributes.iter().filter(|a| names.contains(&a.name.as_str())).for_each(|a| a.used.set(true));
    }

    pub(super) fn is_used(&self) -> bool {
        self.used.get()
    }

    /// First child of a name, which is taken over.
    pub(super) fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name).inspect(|c| c.mark())
    }

    /// Children of a name, which are taken over.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.name == name).inspect(|c| c.mark())
    }

    /// An attribute, which is taken over.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name).inspect(|a| a.used.set(true))
    }

    /// Value of an attribute.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.trim())
    }

    /// Place of an attribute's value, else of the element.
    pub(super) fn place(&self, name: &str) -> Span {
        self.attributes.iter().find(|a| a.name == name).map_or(self.span, |a| a.span)
    }

    /// Its name attribute, or the kind of element, for messages.
    pub(super) fn title(&self) -> String {
        match self.text("name") {
            Some(name) => format!("{} \"{name}\"", self.name),
            None => format!("<{}>", self.name),
        }
    }

    /// Value of an attribute that must be there.
    pub(super) fn required_text(&self, name: &str, context: &Context<'_>) -> Option<&str> {
        let value = self.text(name);
        if value.is_none() {
            let message = format!("{} has no attribute `{name}`", self.title());
            let mut problem = Problem::new("E0804", name, message);
            problem.help = suggest::nearest(name, self.attributes.iter().map(|a| a.name.as_str()))
                .map(|near| format!("is `{near}` a slip of the pen?"));
            let problem = problem.expected(format!("<{} {name}=\"…\">", self.name));
            context.findings.push(Finding::at(problem, self.span));
        }
        value
    }

    /// A child that must be there.
    pub(super) fn required_child(&self, name: &str, context: &Context<'_>) -> Option<&Element> {
        let child = self.child(name);
        if child.is_none() {
            let message = format!("{} has no <{name}>", self.title());
            let problem =
                Problem::new("E0804", name, message).expected(format!("<{name} …/> in <{}>", self.name));
            context.findings.push(Finding::at(problem, self.span));
        }
        child
    }

    /// The numbers of an attribute. `None` if it is not there, or after an error.
    pub(super) fn numbers(&self, name: &str, context: &Context<'_>) -> Option<Vec<f64>> {
        let attribute = self.attribute(name)?;
        let most = if LENGTHS.contains(&name) { MAX_LENGTH } else { MAX_NUMBER };
        match numbers_of(&attribute.value, most) {
            Ok(numbers) => Some(numbers),
            Err((found, expected)) => {
                let message = format!("`{name}` of {} has {found}", self.title());
                self.bad_value(name, message, &expected, context);
                None
            }
        }
    }

    /// The numbers that are its text, as many as `range` says. `None` after an error.
    pub(super) fn content_numbers(
        &self,
        range: std::ops::RangeInclusive<usize>,
        context: &Context<'_>,
    ) -> Option<Vec<f64>> {
        let most = if LENGTHS.contains(&self.name.as_str()) { MAX_LENGTH } else { MAX_NUMBER };
        let (found, expected) = match numbers_of(&self.content, most) {
            Ok(numbers) if range.contains(&numbers.len()) => return Some(numbers),
            Ok(numbers) => (format!("{} numbers", numbers.len()), count_of(&range)),
            Err(wrong) => wrong,
        };
        let problem = Problem::new("E0805", "", format!("<{}> has {found}", self.name)).expected(expected);
        context.findings.push(Finding::at(problem, self.span));
        None
    }

    /// The number that is its text.
    pub(super) fn content_number(&self, context: &Context<'_>) -> Option<f64> {
        self.content_numbers(1..=1, context).map(|v| v[0])
    }

    /// The three numbers that are its text.
    pub(super) fn content_vector(&self, context: &Context<'_>) -> Option<carom_math::Vec3> {
        self.content_numbers(3..=3, context).map(|v| carom_math::Vec3::new(v[0], v[1], v[2]))
    }

    /// Is its text `true` or `false`, also as 1 and 0?
    pub(super) fn content_flag(&self, context: &Context<'_>) -> Option<bool> {
        let found = flag_of(self.content.trim());
        if found.is_none() {
            let message = format!("<{}> is \"{}\"", self.name, self.content.trim());
            let problem = Problem::new("E0805", "", message).expected("true or false");
            context.findings.push(Finding::at(problem, self.span));
        }
        found
    }

    /// The numbers of an attribute, as many as `range` says.
    pub(super) fn numbers_in(
        &self,
        name: &str,
        range: std::ops::RangeInclusive<usize>,
        context: &Context<'_>,
    ) -> Option<Vec<f64>> {
        let numbers = self.numbers(name, context)?;
        if !range.contains(&numbers.len()) {
            let message = format!("`{name}` of {} has {} numbers", self.title(), numbers.len());
            self.bad_value(name, message, &count_of(&range), context);
            return None;
        }
        Some(numbers)
    }

    /// One number.
    pub(super) fn number(&self, name: &str, context: &Context<'_>) -> Option<f64> {
        self.numbers_in(name, 1..=1, context).map(|v| v[0])
    }

    /// One number, which must be there.
    pub(super) fn required_number(&self, name: &str, context: &Context<'_>) -> Option<f64> {
        self.required_text(name, context)?;
        self.number(name, context)
    }

    /// Three numbers.
    pub(super) fn vector(&self, name: &str, context: &Context<'_>) -> Option<carom_math::Vec3> {
        self.numbers_in(name, 3..=3, context).map(|v| carom_math::Vec3::new(v[0], v[1], v[2]))
    }

    /// `true` or `false`, also as 1 and 0.
    pub(super) fn flag(&self, name: &str, context: &Context<'_>) -> Option<bool> {
        let text = self.text(name)?;
        let found = flag_of(text);
        if found.is_none() {
            let message = format!("`{name}` of {} is \"{text}\"", self.title());
            self.bad_value(name, message, "true or false", context);
        }
        found
    }

    /// A value that cannot be used.
    pub(super) fn bad_value(&self, name: &str, message: String, expected: &str, context: &Context<'_>) {
        let problem = Problem::new("E0805", "", message).expected(expected);
        context.findings.push(Finding::at(problem, self.place(name)));
    }
}

/// Limits beyond these are none: files write inf, 1e16 or 1.79769e+308 for that.
pub(super) const NO_LIMIT: f64 = 1e15;

/// Does a text stand for no limit?
pub(super) fn is_no_limit(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok_and(|x| x.abs() >= NO_LIMIT)
}

/// The number that a text is; else what is there, and what should be.
pub(super) fn number_of(text: &str) -> Result<f64, (String, String)> {
    match numbers_of(text, MAX_NUMBER)?[..] {
        [number] => Ok(number),
        ref numbers => Err((format!("{} numbers", numbers.len()), "one number".to_owned())),
    }
}

/// Is there a comma that may be meant as a decimal point: one that no blank follows, but in a list that commas alone separate?
fn has_decimal_comma(text: &str) -> bool {
    let text = text.trim();
    let is_list = !text.contains(char::is_whitespace) && text.matches(',').count() > 1;
    let mut after = text.split(',').skip(1);
    !is_list && after.any(|rest| rest.starts_with(|c: char| !c.is_whitespace()))
}

/// Numbers between blanks or commas; else what is there, and what should be.
fn numbers_of(text: &str, most: f64) -> Result<Vec<f64>, (String, String)> {
    if has_decimal_comma(text) {
        let found = format!("\"{}\", with a comma that may be a decimal point", text.trim());
        return Err((found, "numbers with a point, separated by blanks".to_owned()));
    }
    let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let read = |word: &str| match word.parse::<f64>() {
        Ok(x) if x.abs() <= most => Ok(x),
        Ok(x) if x.is_finite() => Err((format!("{x:e}"), format!("numbers up to {most:e}"))),
        _ => Err((format!("\"{word}\", not a number"), "finite numbers, separated by blanks".to_owned())),
    };
    words.map(read).collect()
}

fn count_of(range: &std::ops::RangeInclusive<usize>) -> String {
    if range.start() == range.end() {
        format!("{} numbers", range.start())
    } else {
        format!("{} to {} numbers", range.start(), range.end())
    }
}

fn flag_of(text: &str) -> Option<bool> {
    match text {
        "true" | "1" | "True" => Some(true),
        "false" | "0" | "False" => Some(false),
        _ => None,
    }
}
