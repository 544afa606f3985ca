//! A header and arrays of numbers in one piece of bytes, which a page reads as fast as a program does.
//!
//! ```text
//! u32  length of the header, little endian
//! JSON the header, an object; `arrays` has kind, first byte and number of entries of each array
//! ...  zeros up to a multiple of 8
//!      the arrays, little endian, each at a multiple of 8 bytes; their first bytes count from here
//! ```

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// Arrays begin at multiples of this many bytes, so that views of them need no copy.
const ALIGNMENT: usize = 8;
/// Key of the header that has the arrays.
const ARRAYS: &str = "arrays";

/// Numbers of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Array {
    /// Bytes.
    U8(Vec<u8>),
    /// 16 bits, with a sign.
    I16(Vec<i16>),
    /// 16 bits.
    U16(Vec<u16>),
    /// 32 bits.
    U32(Vec<u32>),
    /// Single precision.
    F32(Vec<f32>),
    /// Double precision.
    F64(Vec<f64>),
}

impl Array {
    /// Word of the kind, bytes of an entry, number of entries.
    fn form(&self) -> (&'static str, usize, usize) {
        match self {
            Self::U8(values) => ("u8", 1, values.len()),
            Self::I16(values) => ("i16", 2, values.len()),
            Self::U16(values) => ("u16", 2, values.len()),
            Self::U32(values) => ("u32", 4, values.len()),
            Self::F32(values) => ("f32", 4, values.len()),
            Self::F64(values) => ("f64", 8, values.len()),
        }
    }

    fn append_to(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::U8(values) => bytes.extend_from_slice(values),
            Self::I16(values) => values.iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes())),
            Self::U16(values) => values.iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes())),
            Self::U32(values) => values.iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes())),
            Self::F32(values) => values.iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes())),
            Self::F64(values) => values.iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes())),
        }
    }

    fn read(kind: &str, bytes: &[u8]) -> Option<Self> {
        Some(match kind {
            "u8" => Self::U8(bytes.to_vec()),
            "i16" => Self::I16(numbers(bytes, i16::from_le_bytes)),
            "u16" => Self::U16(numbers(bytes, u16::from_le_bytes)),
            "u32" => Self::U32(numbers(bytes, u32::from_le_bytes)),
            "f32" => Self::F32(numbers(bytes, f32::from_le_bytes)),
            "f64" => Self::F64(numbers(bytes, f64::from_le_bytes)),
            _ => return None,
        })
    }
}

fn numbers<const N: usize, T>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks::<N>().0.iter().map(|entry| number(*entry)).collect()
}

/// Header and arrays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Container {
    /// What the arrays mean, and whatever is no array.
    pub header: Map<String, Value>,
    /// Arrays by name.
    pub arrays: BTreeMap<String, Array>,
}

impl Container {
    /// Header, arrays in the order of their names: equal contents are equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut places = Map::new();
        let mut data = Vec::new();
        for (name, array) in &self.arrays {
            let (kind, _, length) = array.form();
            places.insert(name.clone(), json!({ "kind": kind, "at": data.len(), "length": length }));
            array.append_to(&mut data);
            data.resize(data.len().next_multiple_of(ALIGNMENT), 0);
        }
        let mut header = self.header.clone();
        header.insert(ARRAYS.to_owned(), places.into());
        let header = Value::from(header).to_string();
        let mut bytes = u32::try_from(header.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), 0);
        bytes.append(&mut data);
        bytes
    }

    /// The opposite of [`Self::to_bytes`], or what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let (length, rest) = bytes.split_first_chunk().ok_or("it is cut off in front of its header")?;
        let length = u32::from_le_bytes(*length) as usize;
        let header = rest.get(..length).ok_or("it is cut off in its header")?;
        let header: Value = serde_json::from_slice(header).map_err(|e| format!("its header: {e}"))?;
        let Value::Object(mut header) = header else { return Err("its header is no object".to_owned()) };
        let Some(Value::Object(places)) = header.remove(ARRAYS) else {
            return Err("its header names no arrays".to_owned());
        };
        let data = bytes.get((size_of::<u32>() + length).next_multiple_of(ALIGNMENT)..).unwrap_or_default();
        let read = |(name, place): (String, Value)| {
            let array = read_at(data, &place).ok_or_else(|| format!("array {name} is not whole"))?;
            Ok((name, array))
        };
        Ok(Self { header, arrays: places.into_iter().map(read).collect::<Result<_, String>>()? })
    }

    /// The array of singles of this name; empty if there is none.
    pub fn f32s(&self, name: &str) -> &[f32] {
        if let Some(Array::F32(values)) = self.arrays.get(name) { values } else { &[] }
    }

    /// The array of doubles of this name; empty if there is none.
    pub fn f64s(&self, name: &str) -> &[f64] {
        if let Some(Array::F64(values)) = self.arrays.get(name) { values } else { &[] }
    }

    /// The array of small numbers with a sign of this name; empty if there is none.
    pub fn i16s(&self, name: &str) -> &[i16] {
        if let Some(Array::I16(values)) = self.arrays.get(name) { values } else { &[] }
    }

    /// The array of indices of this name; empty if there is none.
    pub fn u32s(&self, name: &str) -> &[u32] {
        if let Some(Array::U32(values)) = self.arrays.get(name) { values } else { &[] }
    }
}

fn read_at(data: &[u8], place: &Value) -> Option<Array> {
    let number = |key: &str| place[key].as_u64().and_then(|n| usize::try_from(n).ok());
    let kind = place["kind"].as_str()?;
    let size = Array::read(kind, &[])?.form().1;
    let (at, length) = (number("at")?, number("length")?.checked_mul(size)?);
    Array::read(kind, data.get(at..at.checked_add(length)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Container {
        let mut container = Container::default();
        container.header.insert("name".to_owned(), json!("ball – ½"));
        let arrays = [
            ("a", Array::U8(vec![1, 2, 255])),
            ("b", Array::F64(vec![0.1, -1e300, f64::INFINITY])),
            ("c", Array::I16(vec![-32768, 32767])),
            ("d", Array::U16(vec![65535])),
            ("e", Array::U32(vec![7, u32::MAX])),
            ("f", Array::F32(vec![0.5])),
            ("g", Array::F32(vec![])),
        ];
        container.arrays.extend(arrays.map(|(name, array)| (name.to_owned(), array)));
        container
    }

    #[test]
    fn what_is_packed_comes_back_and_is_aligned() {
        let bytes = sample().to_bytes();
        let back = Container::from_bytes(&bytes).unwrap();
        assert_eq!(back, sample());
        assert_eq!(back.to_bytes(), bytes);
        assert_eq!(back.i16s("c"), [-32768, 32767]);
        assert_eq!((back.f64s("b")[0], back.u32s("e")[1], back.f32s("f")[0]), (0.1, u32::MAX, 0.5));
        assert!(back.f64s("a").is_empty(), "it is one of bytes");
        let header: Value = serde_json::from_slice(
            &bytes[4..4 + u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize],
        )
        .unwrap();
        assert!(header["arrays"].as_object().unwrap().values().all(|p| p["at"].as_u64().unwrap() % 8 == 0));
    }

    #[test]
    fn what_is_cut_off_or_foreign_is_an_error() {
        let bytes = sample().to_bytes();
        for length in 0..bytes.len() - 8 {
            assert!(Container::from_bytes(&bytes[..length]).is_err(), "{length} of {}", bytes.len());
        }
        let text = |header: &str| {
            let length = u32::try_from(header.len()).unwrap().to_le_bytes();
            Container::from_bytes(&[&length[..], header.as_bytes(), &[0; 64]].concat())
        };
        assert!(text("{\"arrays\":{}}").is_ok());
        for header in [
            "[]",
            "{}",
            "{\"arrays\":{\"a\":{\"kind\":\"u9\",\"at\":0,\"length\":1}}}",
            "{\"arrays\":{\"a\":{\"kind\":\"f64\",\"at\":0,\"length\":99}}}",
            "{\"arrays\":{\"a\":{\"kind\":\"f64\",\"at\":18446744073709551615,\"length\":1}}}",
            "{\"arrays\":{\"a\":{\"kind\":\"f64\",\"at\":0,\"length\":18446744073709551615}}}",
        ] {
            assert!(text(header).is_err(), "{header}");
        }
    }
}
