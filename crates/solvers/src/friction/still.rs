use super::block::{Block, BlockMatrix, Triple};

/// Mobility along a tangent, over the contact's largest, that is rounding; and velocity along it, over the largest of all.
const STILL: f64 = 1e-12;

/// Gives tangents along which nothing moves, whatever acts, the inertia of the contact's normal: those out of the plane of a planar scene, and
/// of rows that have none. W is positive semi-definite, so that such a direction meets nothing else, and where q has nothing along it
/// either no solution changes but for an impulse that did nothing; it is zero now, and W says so.
pub(super) fn stiffen(delassus: &mut BlockMatrix, free: &[Triple], scale: f64) {
    for (contact, q) in free.iter().enumerate() {
        let Some(block) = delassus.diagonal_mut(contact) else { continue };
        let (normal, [first, second]) = (block[0], directions(block));
        let most = normal.max(block[4]).max(block[8]);
        for ([c, s], mobility) in [first, second] {
            if mobility <= STILL * most && (c * q[1] + s * q[2]).abs() <= STILL * scale {
                block[4] += normal * c * c;
                block[5] += normal * c * s;
                block[7] += normal * c * s;
                block[8] += normal * s * s;
            }
        }
    }
}

/// Principal directions of the tangential part of a block, each with its eigenvalue (Jacobi).
fn directions(block: &Block) -> [([f64; 2], f64); 2] {
    let (t11, t12, t22) = (block[4], 0.5 * (block[5] + block[7]), block[8]);
    let (s, c) = libm::sincos(0.5 * libm::atan2(2.0 * t12, t11 - t22));
    let (mean, half) = (0.5 * (t11 + t22), libm::hypot(0.5 * (t11 - t22), t12));
    [([c, s], mean + half), ([-s, c], mean - half)]
}
