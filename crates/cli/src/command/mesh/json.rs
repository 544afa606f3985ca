//! A mesh as one object, with units in the names.

use carom_geometry::TriangleMesh;
use carom_geometry::mesh::{Component, EdgeCount, Findings};
use carom_geometry::prepare::{Border, Crossings, MeshSurvey};
use carom_math::Vec3;
use serde_json::{Value, json};

pub(super) fn of_survey(mesh: &TriangleMesh, found: &MeshSurvey, unit: Option<&str>) -> Value {
    let (topology, diagnosis) = (&found.topology, &found.diagnosis);
    let solid = found.solid.as_ref().ok().map(|solid| {
        let i = &solid.inertia;
        json!({
            "volume_m3": solid.mass,
            "com_m": place(&solid.com),
            // Of a body of 1 kg/m³: m⁵ times that density.
            "inertia_kg_m2": [i[(0, 0)], i[(1, 1)], i[(2, 2)], i[(0, 1)], i[(0, 2)], i[(1, 2)]],
        })
    });
    json!({
        "schema": 1,
        "triangles": found.triangles,
        "vertices": found.vertices,
        "duplicate_vertices": topology.duplicate_vertices,
        "low_m": place(&topology.low),
        "high_m": place(&topology.high),
        "shortest_edge_m": topology.shortest_edge,
        "median_edge_m": found.median_edge,
        "longest_edge_m": topology.longest_edge,
        "area_m2": found.area,
        "closed": topology.closed,
        "solid": solid,
        "no_solid": found.solid.as_ref().err().map(|fault| fault.to_string()),
        "convex": found.convexity.is_ok(),
        "not_convex": found.convexity.as_ref().err().map(|fault| fault.to_string()),
        "thinnest_wall_m": found.thinnest.map(|wall| wall.thickness),
        "parts": found.components.iter().map(part).collect::<Vec<_>>(),
        "borders": found.borders.iter().map(|border| of_border(mesh, border)).collect::<Vec<_>>(),
        "non_manifold_edges": edges(&topology.non_manifold),
        "misoriented_edges": edges(&topology.misoriented),
        "pinched_vertices": {
            "count": found.pinched.count,
            "first_m": found.pinched.first.map(|v| place(&mesh.vertices[v as usize])),
        },
        "flipped_triangles": findings(&diagnosis.flipped),
        "degenerate_triangles": { "count": topology.degenerate_triangles, "first": topology.first_degenerate },
        "duplicate_triangles": findings(&diagnosis.duplicate),
        "sliver_triangles": findings(&found.slivers),
        "crossings": found.crossings.as_ref().map(of_crossings),
        "unit_hint": unit,
    })
}

fn part(component: &Component) -> Value {
    json!({
        "first_triangle": component.first,
        "triangles": component.triangles,
        "flipped": component.flipped,
        "closed": component.closed,
        "orientable": component.orientable,
        "signed_volume_m3": component.closed.then_some(component.signed_volume),
    })
}

fn of_border(mesh: &TriangleMesh, border: &Border) -> Value {
    json!({
        "edges": border.vertices.len() - usize::from(!border.is_loop),
        "length_m": border.length,
        "is_loop": border.is_loop,
        "from_m": place(&border.place(mesh)),
    })
}

fn of_crossings(crossings: &Crossings) -> Value {
    let first = crossings.first.iter();
    json!({
        "count": crossings.count,
        "first": first.map(|c| json!({ "triangles": c.triangles, "near_m": place(&c.place) })).collect::<Vec<_>>(),
    })
}

fn edges(edges: &EdgeCount) -> Value {
    json!({ "count": edges.count, "first_m": edges.first.as_ref().map(place) })
}

fn findings(findings: &Findings<usize>) -> Value {
    json!({ "count": findings.count, "first": findings.first })
}

fn place(p: &Vec3) -> [f64; 3] {
    (*p).into()
}
