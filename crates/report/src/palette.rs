//! Colours that people with any colour vision tell apart.

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl Colour {
    /// As `#RRGGBB`.
    pub(crate) fn hex(self) -> String {
        format!("#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// Curves: Okabe and Ito (2008), without yellow, which is too light on white, and with grey for black,
/// which is the text's.
pub(crate) const SERIES: [Colour; 8] = [
    Colour(0x00, 0x72, 0xB2),
    Colour(0xD5, 0x5E, 0x00),
    Colour(0x00, 0x9E, 0x73),
    Colour(0xCC, 0x79, 0xA7),
    Colour(0xE6, 0x9F, 0x00),
    Colour(0x56, 0xB4, 0xE9),
    Colour(0x7A, 0x7A, 0x7A),
    Colour(0x8C, 0x51, 0x0A),
];
/// Text and axes.
pub(crate) const INK: Colour = Colour(0x33, 0x3D, 0x47);
/// Grid.
pub(crate) const GRID: Colour = Colour(0xE3, 0xE7, 0xEB);
/// Event ticks.
pub(crate) const MARK: Colour = Colour(0x9A, 0xA5, 0xB1);

/// Colour of curve `index`.
pub(crate) fn series(index: usize) -> Colour {
    SERIES[index % SERIES.len()]
}
