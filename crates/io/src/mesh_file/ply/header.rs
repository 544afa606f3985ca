use super::{ReadError, fault};

/// Longest header that is read (bytes).
const MAX_HEADER: usize = 1 << 16;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// Type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Number {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    /// Bytes of a binary number.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    pub(super) fn is_integer(self) -> bool {
        !matches!(self, Self::F32 | Self::F64)
    }
}

/// A number that each item of an element has, or a list of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Property {
    pub(super) name: String,
    /// Type of the number before a list that tells its length.
    pub(super) counted_by: Option<Number>,
    pub(super) number: Number,
}

/// So many items of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) properties: Vec<Property>,
}

/// What the file says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) elements: Vec<Element>,
    /// Its bytes, up to where the numbers begin.
    pub(super) length: usize,
}

impl Header {
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut format = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut length = 0;
        for number in 1.. {
            let rest = &bytes[length..bytes.len().min(MAX_HEADER)];
            let Some(end) = rest.iter().position(|byte| *byte == b'\n') else {
                return Err(fault(format!(
                    "its header has no line \"end_header\" in {} bytes",
                    length + rest.len()
                )));
            };
            let line = String::from_utf8_lossy(&rest[..end]);
            length += end + 1;
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            let known = match words[..] {
                ["ply"] => number == 1,
                _ if number == 1 => false,
                ["comment" | "obj_info", ..] => true,
                ["format", name, "1.0"] if format.is_none() => {
                    format = find_format(name);
                    format.is_some()
                }
                ["element", name, count] => add_element(&mut elements, name, count),
                ["property", number, name] => add_property(&mut elements, None, number, name),
                ["property", "list", count, number, name] => {
                    add_property(&mut elements, Some(count), number, name)
                }
                ["end_header"] => break,
                _ => false,
            };
            if !known {
                let shown: String = line.chars().take(60).collect();
                return Err(fault(format!("line {number} of its header is \"{}\"", shown.escape_debug())));
            }
        }
        let format = format.ok_or_else(|| fault("its header has no line \"format\""))?;
        Ok(Self { format, elements, length })
    }
}

fn find_format(name: &str) -> Option<Format> {
    match name {
        "ascii" => Some(Format::Ascii),
        "binary_little_endian" => Some(Format::LittleEndian),
        "binary_big_endian" => Some(Format::BigEndian),
        _ => None,
    }
}

/// False if the line cannot be: no count, or an element of this name again.
fn add_element(elements: &mut Vec<Element>, name: &str, count: &str) -> bool {
    let Ok(count) = count.parse() else { return false };
    let is_new = elements.iter().all(|element| element.name != name);
    elements.push(Element { name: name.to_owned(), count, properties: Vec::new() });
    is_new
}

/// False if the line cannot be: unknown types, a length that is not an integer, no element before, a name again.
fn add_property(elements: &mut [Element], counted_by: Option<&str>, number: &str, name: &str) -> bool {
    let Some(element) = elements.last_mut() else { return false };
    let counted_by = counted_by.map(Number::parse);
    let (Some(number), None | Some(Some(_))) = (Number::parse(number), counted_by) else { return false };
    let counted_by = counted_by.flatten();
    let is_new = element.properties.iter().all(|property| property.name != name);
    element.properties.push(Property { name: name.to_owned(), counted_by, number });
    is_new && counted_by.is_none_or(Number::is_integer)
}
