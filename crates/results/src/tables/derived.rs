//! Quantities that are computed from columns: name, unit, meaning.

/// A derived quantity.
pub type Derived = (&'static str, &'static str, &'static str);

/// Of a body.
pub const BODY: [Derived; 2] = [
    ("speed", "m/s", "magnitude of the velocity of the body frame's origin"),
    ("angular_speed", "rad/s", "magnitude of the angular velocity"),
];
/// Of a pair or contact line.
pub const PAIR: [Derived; 1] = [("ft", "N", "magnitude of the sum of the friction forces")];
/// Of the searches of an areal pair or a line of such: the mean over those since the output time before, or the last.
pub const SEARCHES: [Derived; 6] = [
    ("rebuilds_per_search", "", "lists of pairs made, over the searches since the output time before"),
    ("box_tests_per_search", "", "tests of boxes, over the searches since the output time before"),
    (
        "edge_tests_per_search",
        "",
        "tests of edges with triangles, over the searches since the output time before",
    ),
    (
        "ray_tests_per_search",
        "",
        "tests of penetration lines, over the searches since the output time before",
    ),
    ("triangle_tests_per_search", "", "tests of edges and penetration lines, over the searches since then"),
    ("listed_pairs", "", "pairs of a line and a triangle that the last search has looked at"),
];
/// Of a joint.
pub const JOINT: [Derived; 2] = [
    ("f", "N", "magnitude of the force on B of the joint and its elements"),
    ("m", "N m", "magnitude of the torque on B of the joint and its elements"),
];
/// Of the energy accounts.
pub const ENERGY: [Derived; 3] = [
    ("mechanical", "J", "kinetic and all potential energies"),
    ("dissipated", "J", "lost in damping, friction and impacts since the start"),
    ("residual_relative", "", "|residual| over the energy moved in the whole run"),
];
/// Accounts that add up to the mechanical energy.
pub const MECHANICAL: [&str; 4] = ["kinetic", "gravity", "springs", "contact_elastic"];
/// Accounts that add up to what is dissipated.
pub const DISSIPATED: [&str; 4] =
    ["dissipated_normal", "dissipated_friction", "dissipated_viscous", "dissipated_impact"];

/// Euclidean norm.
pub fn norm([x, y, z]: [f64; 3]) -> f64 {
    (x * x + y * y + z * z).sqrt()
}
