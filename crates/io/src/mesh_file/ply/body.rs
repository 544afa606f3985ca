use super::header::{Element, Format, Number, Property};
use super::{ReadError, fault};

/// The numbers after the header, from where the reader is.
pub(super) struct Body<'a> {
    format: Format,
    rest: &'a [u8],
}

impl<'a> Body<'a> {
    pub(super) fn new(format: Format, bytes: &'a [u8]) -> Self {
        Self { format, rest: bytes }
    }

    /// The rest of the file must be able to hold all items of the element, with their lists empty.
    pub(super) fn check_size(&self, element: &Element) -> Result<(), ReadError> {
        let Element { name, count, properties } = element;
        if properties.is_empty() && *count > 0 {
            return Err(fault(format!("its {count} items \"{name}\" have no property")));
        }
        // A number in ASCII is a digit and a space; the last one of the file may go without.
        let size = |property: &Property| match self.format {
            Format::Ascii => 2,
            _ => property.counted_by.unwrap_or(property.number).size(),
        };
        let item: usize = properties.iter().map(size).sum();
        let least = item.saturating_mul(*count);
        if least > self.rest.len() + usize::from(self.format == Format::Ascii) {
            let have = self.rest.len();
            let message = format!(
                "it is cut off: {count} items \"{name}\" need at least {least} bytes, {have} are left"
            );
            return Err(ReadError::content(message));
        }
        Ok(())
    }

    /// After the last element there is nothing but white space.
    pub(super) fn check_end(&self) -> Result<(), ReadError> {
        let rest = self.rest.trim_ascii().len();
        if rest > 0 {
            return Err(fault(format!(
                "{rest} bytes follow after the last element that its header tells of"
            )));
        }
        Ok(())
    }

    /// Appends the values of a property: one, or those of a list.
    pub(super) fn read(&mut self, property: &Property, values: &mut Vec<f64>) -> Result<(), String> {
        let Some(counted_by) = property.counted_by else {
            values.push(self.number(property.number)?);
            return Ok(());
        };
        let count = self.number(counted_by)?;
        if !(count >= 0.0 && count.fract() == 0.0 && count <= self.rest.len() as f64) {
            return Err(format!("a list of {count} numbers"));
        }
        for _ in 0..count as usize {
            values.push(self.number(property.number)?);
        }
        Ok(())
    }

    fn number(&mut self, number: Number) -> Result<f64, String> {
        match self.format {
            Format::Ascii => self.word(),
            Format::LittleEndian => self.binary(number, |bytes| bytes),
            Format::BigEndian => self.binary(number, |mut bytes| {
                bytes[..number.size()].reverse();
                bytes
            }),
        }
    }

    fn word(&mut self) -> Result<f64, String> {
        let text = self.rest.trim_ascii_start();
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        if word.is_empty() {
            return Err("the file ends here".to_owned());
        }
        let value = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        value.ok_or_else(|| {
            let shown: String = String::from_utf8_lossy(word).chars().take(40).collect();
            format!("\"{}\" is not a number", shown.escape_debug())
        })
    }

    /// `order` puts the first bytes, as many as the number has, from the order of the file into little-endian order.
    fn binary(&mut self, number: Number, order: impl Fn([u8; 8]) -> [u8; 8]) -> Result<f64, String> {
        let Some((bytes, rest)) = self.rest.split_at_checked(number.size()) else {
            return Err("the file ends here".to_owned());
        };
        self.rest = rest;
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        let [a, b, c, d, ..] = order(eight);
        Ok(match number {
            Number::I8 => f64::from(i8::from_le_bytes([a])),
            Number::U8 => f64::from(a),
            Number::I16 => f64::from(i16::from_le_bytes([a, b])),
            Number::U16 => f64::from(u16::from_le_bytes([a, b])),
            Number::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
            Number::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
            Number::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
            Number::F64 => f64::from_le_bytes(order(eight)),
        })
    }
}
