//! Pictures as PNG files. The only file that knows the `png` crate.

use png::{BitDepth, ColorType, Compression, Encoder};

use super::Image;

/// The picture as a PNG file. Equal pictures are equal bytes.
pub fn png(image: &Image) -> Vec<u8> {
    written([image.width(), image.height()], None, std::iter::once(image.clone()))
}

/// `count` pictures of one size as an animated PNG file, which shows them once, so many a second (1/s).
pub fn animated_png(
    size: [usize; 2],
    count: usize,
    rate: u16,
    images: impl Iterator<Item = Image>,
) -> Vec<u8> {
    written(size, Some((count, rate)), images)
}

fn written(
    size: [usize; 2],
    animation: Option<(usize, u16)>,
    mut images: impl Iterator<Item = Image>,
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let [width, height] = size.map(|pixels| u32::try_from(pixels).unwrap_or(u32::MAX));
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    let animated = match animation {
        None => Ok(()),
        Some((count, rate)) => encoder
            .set_animated(u32::try_from(count).unwrap_or(u32::MAX), 1)
            .and_then(|()| encoder.set_frame_delay(1, rate)),
    };
    let written = animated.and_then(|()| encoder.write_header()).and_then(|mut writer| {
        images.try_for_each(|image| writer.write_image_data(image.pixels().as_flattened()))
    });
    written.unwrap_or_else(|error| unreachable!("a vector takes whole pictures: {error}"));
    bytes
}

#[cfg(test)]
pub(super) mod tests {
    use png::Decoder;

    /// Size and bytes of a picture's pixels.
    pub(crate) fn read(bytes: &[u8]) -> ([u32; 2], Vec<u8>) {
        let mut reader = Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        ([info.width, info.height], pixels)
    }

    /// Pictures in a file.
    pub(crate) fn frames(bytes: &[u8]) -> usize {
        let mut reader = Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        std::iter::from_fn(|| reader.next_frame(&mut pixels).ok()).count()
    }
}
