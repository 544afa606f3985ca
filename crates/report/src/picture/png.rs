//! Pictures as PNG files. The only file that knows the `png` crate.

use png::{BitDepth, ColorType, Compression, Encoder};

use super::Image;

/// The picture as a PNG file. Equal pictures are equal bytes.
pub fn png(image: &Image) -> Vec<u8> {
    let mut bytes = Vec::new();
    let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
    let mut encoder = Encoder::new(&mut bytes, side(image.width()), side(image.height()));
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    let written =
        encoder.write_header().and_then(|mut writer| writer.write_image_data(image.pixels().as_flattened()));
    written.unwrap_or_else(|error| unreachable!("a vector takes a whole picture: {error}"));
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
}
