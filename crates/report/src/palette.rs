//! Colours that people with any colour vision tell apart.

/// A colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Colour(pub(crate) u8, pub(crate) u8, pub(crate) u8);

impl Colour {
    /// Red, green and blue.
    pub(crate) fn rgb(self) -> [u8; 3] {
        [self.0, self.1, self.2]
    }

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
/// From low to high: viridis (van der Walt & Smith 2015, CC0), nine of its colours, which grow lighter evenly.
const SEQUENTIAL: [Colour; 9] = [
    Colour(0x44, 0x01, 0x54),
    Colour(0x47, 0x2D, 0x7B),
    Colour(0x3B, 0x52, 0x8B),
    Colour(0x2C, 0x72, 0x8E),
    Colour(0x21, 0x91, 0x8C),
    Colour(0x28, 0xAE, 0x80),
    Colour(0x5E, 0xC9, 0x62),
    Colour(0xAD, 0xDC, 0x30),
    Colour(0xFD, 0xE7, 0x25),
];
/// Bodies that move, as in the viewer: Okabe and Ito, lighter.
pub(crate) const BODIES: [Colour; 8] = [
    Colour(0x4C, 0x9F, 0xD6),
    Colour(0xE6, 0xA2, 0x3C),
    Colour(0x2F, 0xAE, 0x8E),
    Colour(0xC9, 0x8B, 0xB9),
    Colour(0xD9, 0x74, 0x3A),
    Colour(0x8F, 0xBF, 0x5A),
    Colour(0x7A, 0x86, 0xC8),
    Colour(0xD8, 0xC6, 0x4A),
];
/// Bodies that stand.
pub(crate) const FIXED: Colour = Colour(0xA8, 0xB0, 0xB8);
/// Normal forces.
pub(crate) const NORMAL: Colour = Colour(0x12, 0xB7, 0x6A);
/// Friction.
pub(crate) const TANGENTIAL: Colour = Colour(0xE5, 0x38, 0x3B);
/// Joints.
pub(crate) const JOINT: Colour = Colour(0x3D, 0x49, 0x54);
/// Springs.
const SPRING: Colour = Colour(0xC9, 0x8B, 0xB9);
/// Cables.
const CABLE: Colour = Colour(0x7A, 0x52, 0x30);
/// Rods, and lines on the ground.
pub(crate) const ROD: Colour = Colour(0x6B, 0x75, 0x80);
/// Behind a picture.
pub(crate) const PAPER: Colour = Colour(0xF7, 0xF9, 0xFB);
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

/// Colour of what acts along a line, by its kind.
pub(crate) fn of_line(kind: &str) -> Colour {
    match kind {
        "spring" => SPRING,
        "cable" => CABLE,
        _ => ROD,
    }
}

/// Colour of a share of a range: 0 for its low end, 1 for its high one.
pub(crate) fn sequential(share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (SEQUENTIAL.len() - 1) as f64;
    let below = (place as usize).min(SEQUENTIAL.len() - 2);
    let part = place - below as f64;
    let mixed = |a: u8, b: u8| (f64::from(a) + part * (f64::from(b) - f64::from(a))).round() as u8;
    let (Colour(r0, g0, b0), Colour(r1, g1, b1)) = (SEQUENTIAL[below], SEQUENTIAL[below + 1]);
    Colour(mixed(r0, r1), mixed(g0, g1), mixed(b0, b1))
}
