//! COLLADA files (`.dae`): the triangles of what their scene places. The unit counts, as in all tools that read robots; the
//! direction that is up does not, as in those of ROS.

use std::collections::BTreeMap;

use carom_geometry::TriangleMesh;
use carom_math::{Mat3, Quaternion, Vec3};

use super::xml::Element;
use crate::mesh_file::cut_face;

/// Nodes within nodes; one that leads to itself has no end.
const MAX_DEPTH: usize = 64;
/// Most nodes that are placed: nodes that name others twice, level by level, are as many as 2 to the depth.
const MAX_NODES: usize = 100_000;
/// Most corners of triangles of one file.
const MAX_CORNERS: usize = 30_000_000;
/// Most inputs of a polygon's corner; files have two or three.
const MAX_INPUTS: usize = 64;

/// x ↦ A x + d.
#[derive(Clone, Copy)]
struct Affine {
    linear: Mat3,
    shift: Vec3,
}

impl Affine {
    fn then(&self, inner: &Self) -> Self {
        Self { linear: self.linear * inner.linear, shift: self.linear * inner.shift + self.shift }
    }
}

/// All triangles in metres, or why there are none.
pub(super) fn triangles(root: &Element) -> Result<TriangleMesh, String> {
    let mut ids = BTreeMap::new();
    collect_ids(root, &mut ids);
    let unit = root.child("asset").and_then(|asset| asset.child("unit")).and_then(|unit| unit.text("meter"));
    let unit = unit.and_then(|text| text.parse::<f64>().ok()).filter(|x| *x > 0.0).unwrap_or(1.0);
    let whole = Affine { linear: Mat3::from_diagonal_element(unit), shift: Vec3::zeros() };
    let mut reader =
        Reader { ids, mesh: TriangleMesh { vertices: Vec::new(), triangles: Vec::new() }, nodes: 0 };
    let scene = root.child("scene").and_then(|scene| scene.child("instance_visual_scene"));
    if let Some(scene) = scene.and_then(|instance| reader.target(instance, "url")) {
        reader.place(scene, &whole, 0)?;
    } else {
        for library in root.all("library_geometries") {
            library.all("geometry").try_for_each(|geometry| reader.add(geometry, &whole))?;
        }
    }
    if reader.mesh.triangles.is_empty() {
        return Err("its scene has no triangles".to_owned());
    }
    Ok(reader.mesh)
}

fn collect_ids<'a>(element: &'a Element, ids: &mut BTreeMap<&'a str, &'a Element>) {
    if let Some(id) = element.text("id") {
        ids.entry(id).or_insert(element);
    }
    element.children.iter().for_each(|child| collect_ids(child, ids));
}

struct Reader<'a> {
    ids: BTreeMap<&'a str, &'a Element>,
    mesh: TriangleMesh,
    /// Placed so far.
    nodes: usize,
}

impl<'a> Reader<'a> {
    /// What an attribute points at, such as `#id`.
    fn target(&self, element: &Element, name: &str) -> Option<&'a Element> {
        self.ids.get(element.text(name)?.trim_start_matches('#')).copied()
    }

    /// What an instance places.
    fn placed(&self, instance: &Element) -> Result<&'a Element, String> {
        let url = instance.text("url").unwrap_or_default();
        self.target(instance, "url")
            .ok_or_else(|| format!("<{}> names \"{url}\", which is not in the file", instance.name))
    }

    /// Geometries of a node and of those in it.
    fn place(&mut self, node: &'a Element, outer: &Affine, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(format!("its nodes are nested more than {MAX_DEPTH} levels deep"));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(format!("it places more than {MAX_NODES} nodes"));
        }
        let mut here = *outer;
        for child in &node.children {
            if let Some(step) = step(child)? {
                here = here.then(&step);
            }
        }
        for child in &node.children {
            match child.name.as_str() {
                "node" => self.place(child, &here, depth + 1)?,
                "instance_node" => self.place(self.placed(child)?, &here, depth + 1)?,
                "instance_geometry" => self.add(self.placed(child)?, &here)?,
                "instance_controller" => return Err("it has a skin, which is not read".to_owned()),
                _ => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, geometry: &'a Element, at: &Affine) -> Result<(), String> {
        for part in geometry.all("mesh").flat_map(|mesh| &mesh.children) {
            match part.name.as_str() {
                "triangles" | "polylist" | "polygons" => self.add_polygons(part, at)?,
                "tristrips" | "trifans" => return Err(format!("it has <{}>, which are not read", part.name)),
                _ => {}
            }
        }
        Ok(())
    }

    /// Polygons as triangles.
    fn add_polygons(&mut self, part: &'a Element, at: &Affine) -> Result<(), String> {
        let Some(input) = part.all("input").find(|input| input.text("semantic") == Some("VERTEX")) else {
            return Err(format!("<{}> has no input of vertices", part.name));
        };
        let at_corner = offset(input)?;
        let stride = part.all("input").map(offset).try_fold(0, |most, x| x.map(|x| most.max(x)))? + 1;
        let positions = self.positions(input)?;
        let mirrored = at.linear.determinant() < 0.0;
        // Only those that have a triangle: a hull is that of all vertices.
        let mut vertices: Vec<Option<u32>> = vec![None; positions.len()];
        if part.child("ph").is_some() {
            return Err(format!("<{}> has polygons with holes, which are not read", part.name));
        }
        for p in part.all("p") {
            let indices = numbers::<usize>(p)?;
            if !indices.len().is_multiple_of(stride) {
                return Err(format!("<{}> ends inside a corner", part.name));
            }
            let corners: Vec<usize> = indices.chunks_exact(stride).map(|c| c[at_corner]).collect();
            if corners.iter().any(|corner| *corner >= positions.len()) {
                return Err(format!("<{}> names a vertex that is not there", part.name));
            }
            let counts = match (part.name.as_str(), part.child("vcount")) {
                ("polylist", Some(counts)) => numbers::<usize>(counts)?,
                ("triangles", _) => vec![3; corners.len().div_ceil(3)],
                _ => vec![corners.len()],
            };
            let mut rest = &corners[..];
            for count in counts {
                let Some((polygon, after)) = rest.split_at_checked(count) else {
                    return Err(format!("<{}> has fewer corners than it says", part.name));
                };
                rest = after;
                let points: Vec<Vec3> = polygon.iter().map(|&corner| positions[corner]).collect();
                for [a, b, c] in cut_face(&points) {
                    let (b, c) = if mirrored { (c, b) } else { (b, c) };
                    let triangle = [a, b, c].map(|i| {
                        let corner = polygon[i as usize];
                        *vertices[corner].get_or_insert_with(|| {
                            self.mesh.vertices.push(at.linear * positions[corner] + at.shift);
                            (self.mesh.vertices.len() - 1) as u32
                        })
                    });
                    self.mesh.triangles.push(triangle);
                }
            }
            if !rest.is_empty() {
                return Err(format!("<{}> has more corners than it says", part.name));
            }
        }
        if 3 * self.mesh.triangles.len() + self.mesh.vertices.len() > MAX_CORNERS {
            return Err(format!("it has more than {MAX_CORNERS} corners"));
        }
        Ok(())
    }

    fn positions(&self, input: &Element) -> Result<Vec<Vec3>, String> {
        let source = self.target(input, "source").and_then(|vertices| {
            let position = vertices.all("input").find(|input| input.text("semantic") == Some("POSITION"))?;
            self.target(position, "source")
        });
        let Some(array) = source.and_then(|source| source.child("float_array")) else {
            return Err("it has no positions".to_owned());
        };
        let values = numbers::<f64>(array)?;
        if values.iter().any(|x| !x.is_finite()) {
            return Err("it has positions that are not finite".to_owned());
        }
        if !values.len().is_multiple_of(3) {
            return Err("its positions are not three numbers each".to_owned());
        }
        Ok(values.chunks_exact(3).map(Vec3::from_column_slice).collect())
    }
}

/// Where an input's index stands among those of a corner.
fn offset(input: &Element) -> Result<usize, String> {
    let text = input.text("offset").unwrap_or("0");
    text.parse()
        .ok()
        .filter(|offset| *offset < MAX_INPUTS)
        .ok_or_else(|| format!("an input has the offset \"{text}\", not a whole number below {MAX_INPUTS}"))
}

/// One of a node's displacements, turns and scales; they act in their order.
fn step(element: &Element) -> Result<Option<Affine>, String> {
    let wanted = match element.name.as_str() {
        "matrix" => 16,
        "rotate" => 4,
        "translate" | "scale" => 3,
        _ => return Ok(None),
    };
    let v = numbers::<f64>(element)?;
    if v.len() != wanted || v.iter().any(|x| !x.is_finite()) {
        return Err(format!("<{}> has not {wanted} finite numbers", element.name));
    }
    let identity = Affine { linear: Mat3::identity(), shift: Vec3::zeros() };
    Ok(Some(match element.name.as_str() {
        "matrix" => Affine {
            linear: Mat3::new(v[0], v[1], v[2], v[4], v[5], v[6], v[8], v[9], v[10]),
            shift: Vec3::new(v[3], v[7], v[11]),
        },
        "rotate" => {
            let axis = Vec3::new(v[0], v[1], v[2]);
            if axis.norm() == 0.0 {
                return Ok(None);
            }
            let turn = Quaternion::from_axis_angle(&axis.normalize(), v[3].to_radians());
            Affine { linear: turn.to_matrix(), ..identity }
        }
        "scale" => Affine { linear: Mat3::from_diagonal(&Vec3::from_column_slice(&v)), ..identity },
        _ => Affine { shift: Vec3::from_column_slice(&v), ..identity },
    }))
}

/// The numbers of an element's text.
fn numbers<T: std::str::FromStr>(element: &Element) -> Result<Vec<T>, String> {
    let words = element.content.split_ascii_whitespace();
    words
        .map(|word| word.parse().map_err(|_| format!("<{}> has \"{word}\", not a number", element.name)))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::context::Context;
    use super::super::{Options, xml};
    use super::*;

    fn read(nodes: &str, part: &str, array: &str) -> Result<TriangleMesh, String> {
        let text = format!(
            r##"<COLLADA><asset><unit meter="0.01"/></asset><library_geometries><geometry id="g"><mesh>
            <source id="s"><float_array>{array}</float_array></source>
            <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>{part}</mesh></geometry>
            </library_geometries><library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene>
            </library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>"##
        );
        let options = Options::default();
        let context = Context::new(&options, Path::new(""));
        let file = context.sources.borrow_mut().add("a.dae".to_owned(), &text, Path::new(""));
        triangles(&xml::parse(file, &context).expect("XML"))
    }

    const PLACED: &str = r##"<node><instance_geometry url="#g"/></node>"##;
    const SQUARE: &str = "0 0 0 1 0 0 1 1 0 0 1 0";
    const VERTEX: &str = r##"<input semantic="VERTEX" source="#v" offset="1"/>"##;

    /// A square as two triangles, as a quadrilateral, and as one beside corners with normals: all in metres; mirrored nodes keep
    /// the outside outside.
    #[test]
    fn polygons_are_triangles_in_metres() {
        for part in [
            format!("<triangles>{VERTEX}<p>9 0 9 1 9 2 9 0 9 2 9 3</p></triangles>"),
            format!("<polylist>{VERTEX}<vcount>4</vcount><p>9 0 9 1 9 2 9 3</p></polylist>"),
            format!("<polygons>{VERTEX}<p>9 0 9 1 9 2 9 3</p></polygons>"),
        ] {
            for (node, sign) in
                [(PLACED.to_owned(), 1.0), (PLACED.replace("<inst", "<scale>1 1 -1</scale><inst"), -1.0)]
            {
                let mesh = read(&node, &part, SQUARE).expect("a square");
                let area = mesh.triangles.iter().map(|t| {
                    let [a, b, c] = t.map(|k| mesh.vertices[k as usize]);
                    (b - a).cross(&(c - a)).z / 2.0
                });
                assert!((area.sum::<f64>() - sign * 1e-4).abs() < 1e-18, "{part}");
            }
        }
    }

    #[test]
    fn nothing_is_lost_and_nothing_runs_away() {
        let square = format!("<triangles>{VERTEX}<p>9 0 9 1 9 2</p></triangles>");
        let part = |text: &str| read(PLACED, &text.replace("INPUT", VERTEX), SQUARE).expect_err("an error");
        assert!(part("<triangles>INPUT<p>9 0 9 1 9 2 9 3</p></triangles>").contains("fewer corners"));
        assert!(part("<triangles>INPUT<p>9 0 9 1 9 2 9</p></triangles>").contains("ends inside a corner"));
        assert!(
            part("<polylist>INPUT<vcount>3</vcount><p>9 0 9 1 9 2 9 3</p></polylist>")
                .contains("more corners")
        );
        assert!(part("<triangles>INPUT<p>9 0 9 1 9 4</p></triangles>").contains("not there"));
        assert!(part("<polygons>INPUT<ph/></polygons>").contains("holes"));
        let far = format!("18446744073709551615\"/>{VERTEX}");
        assert!(
            part(&format!("<triangles><input offset=\"{far}<p>0 1 2</p></triangles>")).contains("below 64")
        );
        assert!(
            read(PLACED, &square, "0 0 0 1 0 0 1 1 0 0").expect_err("an error").contains("three numbers")
        );
        let missing = r##"<node><instance_geometry url="#other"/></node>"##;
        assert!(read(missing, &square, SQUARE).expect_err("an error").contains("\"#other\""));
        // Each names the next one twice: 2^40 squares.
        let twice: String = (0..40)
            .map(|k| {
                let next = format!("<instance_node url=\"#n{}\"/>", k + 1);
                format!("<node id=\"n{k}\">{next}{next}</node>")
            })
            .collect();
        let last = PLACED.replace("<node>", "<node id=\"n40\">");
        assert!(read(&format!("{twice}{last}"), &square, SQUARE).expect_err("an error").contains("nodes"));
    }
}
