//! The shipped example `bubbles` with its container cut finer and finer, by either way to the contact elements.

use std::path::Path;
use std::sync::Arc;

use carom_engine::System;
use carom_engine::model::ArealDetection;
use carom_geometry::{Shape, TriangleMesh, surface};
use carom_math::Vec3;

/// Pair whose searches are looked at: the second bubble and the container.
pub const BUBBLE_AND_CONTAINER: &str = "wall[funnel|two.skin]";

/// The container as a solid, which the classic construction needs: its four triangles and four more from the rim down
/// to an apex below, where no bubble comes. Each is cut into 4^`subdivisions`.
pub fn closed_container(subdivisions: u32) -> TriangleMesh {
    let mut mesh = surface::funnel(1.0, 0.5, 0).expect("a funnel");
    let apex = mesh.vertices.len() as u32;
    mesh.vertices.push(Vec3::new(0.0, 0.0, -1.0));
    let below: Vec<[u32; 3]> = mesh.triangles.iter().map(|[_, a, b]| [apex, *b, *a]).collect();
    mesh.triangles.extend(below);
    surface::subdivide(&mesh, subdivisions).expect("few subdivisions")
}

/// The example with a closed container, with overrides of the form `path=value`; what searches cost is recorded.
///
/// # Panics
/// If the example does not load: a benchmark has nothing to measure then.
pub fn bubbles(subdivisions: u32, detection: ArealDetection, overrides: &[&str]) -> System {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bubbles.toml");
    let set = overrides.iter().map(|&s| s.to_owned()).collect();
    let overrides = carom_io::Overrides { set, ..carom_io::Overrides::default() };
    let mut model = carom_io::load(&path, &overrides).expect("a shipped example loads").model;
    let container = model.bodies.iter_mut().find(|body| body.name == "funnel").expect("there is a container");
    container.shapes[0].shape = Shape::Mesh(Arc::new(closed_container(subdivisions)));
    model.contact_lines.iter_mut().for_each(|line| line.areal_detection = detection);
    model.output.searches = true;
    System::compile(&model).expect("a shipped example compiles")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SearchLog, example, run};

    /// Until after the first bounce, the example and its closed twin, by both ways, have the same bits.
    #[test]
    fn both_ways_and_both_containers_have_the_same_bits() {
        let until = "solver.t_end=0.45 s";
        let open = run(example("bubbles", &[until, "expect={}"]).system());
        assert!(open.pairs.iter().filter(|pair| pair.begins > 0).count() >= 2);
        for detection in [ArealDetection::Penetration, ArealDetection::Intersection] {
            let closed = run(&bubbles(0, detection, &[until, "expect={}"]));
            assert_eq!(closed.bodies, open.bodies, "{detection:?}");
            assert_eq!(closed.energy, open.energy, "{detection:?}");
        }
    }

    /// The log has the pair's counters at the output times, which grow.
    #[test]
    fn the_log_follows_one_pair() {
        let system = bubbles(1, ArealDetection::Penetration, &["solver.t_end=0.45 s", "expect={}"]);
        let mut log = SearchLog::new(&system, BUBBLE_AND_CONTAINER);
        carom_engine::Simulation::new(&system).run(&mut log).expect("keeping rows cannot fail");
        assert_eq!(log.rows.len(), 91);
        assert!(log.rows.is_sorted_by(|a, b| a.0 < b.0 && a.1.searches <= b.1.searches));
        assert!(log.rows[0].1.ray_tests == 0 && log.rows[90].1.ray_tests > 0);
    }
}
