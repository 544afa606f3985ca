//! A file of VTK polygonal data (VTK XML, `.vtp`): text that says what there is, then the numbers as they are in memory.

use std::fmt::Write;

/// Numbers of one kind.
#[derive(Debug)]
pub(super) enum Numbers {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I32(Vec<i32>),
}

impl Numbers {
    fn word(&self) -> &'static str {
        match self {
            Self::F32(_) => "Float32",
            Self::F64(_) => "Float64",
            Self::I32(_) => "Int32",
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::F32(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            Self::F64(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
            Self::I32(values) => values.iter().flat_map(|v| v.to_le_bytes()).collect(),
        }
    }
}

/// Numbers with a name, so many for each thing that has them.
#[derive(Debug)]
pub(super) struct DataArray {
    pub(super) name: &'static str,
    pub(super) components: usize,
    pub(super) numbers: Numbers,
}

/// What the points are of.
#[derive(Debug)]
pub(super) enum Cells {
    /// Each point is one.
    Points,
    /// Corners of triangles.
    Triangles(Vec<[u32; 3]>),
}

/// Points with what is made of them; one number, or vector, of each array for each cell.
#[derive(Debug)]
pub(super) struct PolyData {
    /// Three coordinates of each point (m).
    pub(super) points: Numbers,
    pub(super) count: usize,
    pub(super) cells: Cells,
    pub(super) of_cells: Vec<DataArray>,
}

impl PolyData {
    /// No points and nothing on them.
    pub(super) fn empty() -> Self {
        Self { points: Numbers::F32(Vec::new()), count: 0, cells: Cells::Points, of_cells: Vec::new() }
    }

    /// Contents of the file.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        let cells = match &self.cells {
            Cells::Points => self.count,
            Cells::Triangles(triangles) => triangles.len(),
        };
        let (word, corners, connectivity) = match self.cells {
            Cells::Points => ("Verts", 1, (0..self.count as i32).collect()),
            Cells::Triangles(triangles) => {
                ("Polys", 3, triangles.as_flattened().iter().map(|&corner| corner as i32).collect())
            }
        };
        let offsets = (1..=cells as i32).map(|k| corners * k).collect();
        let [verts, polys] = if word == "Verts" { [cells, 0] } else { [0, cells] };
        let mut binary = Vec::new();
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<PolyData>\n",
        );
        let count = self.count;
        text += &format!(
            "<Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" \
             NumberOfPolys=\"{polys}\">\n<CellData>\n"
        );
        for array in &self.of_cells {
            put(&mut text, &mut binary, array.name, array.components, &array.numbers);
        }
        text += "</CellData>\n<Points>\n";
        put(&mut text, &mut binary, "points", 3, &self.points);
        text += &format!("</Points>\n<{word}>\n");
        put(&mut text, &mut binary, "connectivity", 1, &Numbers::I32(connectivity));
        put(&mut text, &mut binary, "offsets", 1, &Numbers::I32(offsets));
        text += &format!("</{word}>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
        let mut bytes = text.into_bytes();
        bytes.extend(binary);
        bytes.extend(b"\n</AppendedData>\n</VTKFile>\n");
        bytes
    }
}

fn put(text: &mut String, binary: &mut Vec<u8>, name: &str, components: usize, numbers: &Numbers) {
    let (word, offset) = (numbers.word(), binary.len());
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "<DataArray type=\"{word}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"appended\" \
         offset=\"{offset}\"/>"
    );
    let bytes = numbers.bytes();
    binary.extend((bytes.len() as u64).to_le_bytes());
    binary.extend(bytes);
}
