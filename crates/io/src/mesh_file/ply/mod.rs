//! Reader of the polygon file format PLY (Turk, "The PLY Polygon File Format", 1994): ASCII and binary, vertices and
//! faces. Other elements and properties are passed over.

mod body;
mod header;
#[cfg(test)]
mod tests;

use carom_geometry::TriangleMesh;
use carom_math::Vec3;

use self::body::Body;
use self::header::{Element, Header};
use super::ReadError;
use super::faces::Faces;

/// Parses PLY; polygons are cut into triangles.
pub(super) fn parse(bytes: &[u8]) -> Result<TriangleMesh, ReadError> {
    let header = Header::parse(bytes)?;
    let mut body = Body::new(header.format, &bytes[header.length..]);
    let (mut vertices, mut faces) = (Vec::new(), Faces::default());
    for element in &header.elements {
        // Room is made for no more elements than the rest of the file can hold.
        body.check_size(element)?;
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut body, &mut vertices)?,
            "face" => read_faces(element, &mut body, &mut faces)?,
            _ => read_element(element, &mut body, |_, _, _| Ok(()))?,
        }
    }
    body.check_end()?;
    let triangles = faces.into_triangles(&vertices);
    Ok(TriangleMesh { vertices, triangles })
}

fn fault(reason: impl std::fmt::Display) -> ReadError {
    ReadError::content(format!("it is not valid PLY: {reason}"))
}

/// Reads all items of an element. `take` gets the item's number, the property's and its values, one if it is no list.
fn read_element(
    element: &Element,
    body: &mut Body<'_>,
    mut take: impl FnMut(usize, usize, &[f64]) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut values = Vec::new();
    for item in 0..element.count {
        for (place, property) in element.properties.iter().enumerate() {
            values.clear();
            body.read(property, &mut values)
                .map_err(|e| fault(format!("{} {item} of {}: {e}", element.name, element.count)))?;
            take(item, place, &values)?;
        }
    }
    Ok(())
}

fn read_vertices(element: &Element, body: &mut Body<'_>, vertices: &mut Vec<Vec3>) -> Result<(), ReadError> {
    let mut places = [0; 3];
    for (place, name) in places.iter_mut().zip(["x", "y", "z"]) {
        let found = element.properties.iter().position(|p| p.name == name && p.counted_by.is_none());
        *place = found.ok_or_else(|| fault(format!("its vertices have no number \"{name}\"")))?;
    }
    vertices.resize(element.count, Vec3::zeros());
    read_element(element, body, |item, place, values| {
        if let Some(axis) = places.iter().position(|&p| p == place) {
            vertices[item][axis] = values[0];
        }
        Ok(())
    })
}

fn read_faces(element: &Element, body: &mut Body<'_>, faces: &mut Faces) -> Result<(), ReadError> {
    let is_corners = |name: &str| name == "vertex_indices" || name == "vertex_index";
    let list = element.properties.iter().position(|p| is_corners(&p.name) && p.counted_by.is_some());
    let list = list.ok_or_else(|| fault("its faces have no list \"vertex_indices\""))?;
    if !element.properties[list].number.is_integer() {
        return Err(fault("the corners of its faces are not of an integer type"));
    }
    read_element(
        element,
        body,
        |face, place, corners| {
            if place == list { add_polygon(face, corners, faces) } else { Ok(()) }
        },
    )
}

fn add_polygon(face: usize, corners: &[f64], faces: &mut Faces) -> Result<(), ReadError> {
    if corners.len() < 3 {
        return Err(fault(format!("face {face} has {} corners", corners.len())));
    }
    let is_index = |c: f64| (0.0..=f64::from(u32::MAX)).contains(&c) && c.fract() == 0.0;
    if let Some(index) = corners.iter().find(|c| !is_index(**c)) {
        return Err(fault(format!("face {face} asks for vertex {index}")));
    }
    faces.push(corners.iter().map(|corner| *corner as u32));
    Ok(())
}
