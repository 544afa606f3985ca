//! What a contact or a force element adds to the slopes of the generalised forces, along the paths from the root to both of
//! its bodies.

use carom_math::{Twist, Wrench};

use super::{ContactTangent, TangentWorkspace};
use crate::contact::Evaluator;

/// A freedom that moves one of two bodies but not the other, about the tangent's point.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathTerm {
    place: usize,
    /// It moves B.
    moves_b: bool,
    column: Twist,
    /// Slope of the generalised force's wrench by the coordinate, for columns that stay, and for those that turn with it.
    staying: Wrench,
    turning: Wrench,
    /// By the velocity.
    by_speed: Wrench,
}

/// Adds ∂Q/∂q and ∂Q/∂v of a wrench W on B and −W on A, whose links are given, in the rows of the velocities.
///
/// Both depend on the motion of B against A alone. A freedom x that moves B, with the velocity v of what it hangs on,
/// displaces B by S and changes the relative field by S × (v_B − v): W changes by D = ∂W/∂d S + ∂W/∂e (S × v_B + Ψ̇).
/// If it moves A, all is carried along and B is moved back: S ×* W − D. Along a freedom r, Q = ±Sᵣᵀ W; where x turns Sᵣ
/// too, (S × Sᵣ)ᵀ W = −Sᵣᵀ (S ×* W) is added. Freedoms that move both bodies do nothing.
pub(super) fn add_pair(
    evaluator: &Evaluator<'_>,
    work: &mut TangentWorkspace,
    links: [Option<usize>; 2],
    b: usize,
    tangent: &ContactTangent,
    matrix: &mut [f64],
) {
    let system = &*evaluator.system;
    let TangentWorkspace { chain, dynamics, terms, .. } = &mut *work;
    let paths = links.map(|link| chain.path_of_link(link));
    let common = paths[0].iter().zip(paths[1]).take_while(|(a, b)| a == b).count();
    let b = &evaluator.workspace.bodies[b];
    terms.clear();
    for (path, moves_b) in paths.into_iter().zip([false, true]) {
        for &place in &path[common..] {
            let tree = system.mechanics.links[chain.places[place].link].tree;
            let [origin, frame] = &dynamics.frames[tree];
            let field = Twist::new(b.angular_velocity, b.velocity - frame)
                .shifted(&(tangent.at - b.pose.translation));
            let arm = tangent.at - origin;
            let moving = &dynamics.columns[place];
            let column = moving.column.shifted(&arm);
            let velocity = column.cross(&field) + moving.rate.shifted(&arm);
            let change = tangent.change(&column, &velocity);
            let less_carried = change - column.cross_wrench(&tangent.wrench);
            let [staying, turning] = if moves_b { [change, less_carried] } else { [less_carried, change] };
            let by_speed = tangent.change(&Twist::ZERO, &column);
            terms.push(PathTerm { place, moves_b, column, staying, turning, by_speed });
        }
    }
    let n = system.states();
    for row in terms.iter() {
        let start = n * chain.places[row.place].velocity;
        for x in terms.iter() {
            let moved = &chain.places[x.place];
            let (sign, by_place) = if row.moves_b != x.moves_b {
                (-1.0, &x.staying)
            } else if row.place >= moved.carries_from {
                (1.0, &x.turning)
            } else {
                (1.0, &x.staying)
            };
            matrix[start + moved.coordinate] += sign * by_place.dot(&row.column);
            matrix[start + moved.velocity] += sign * x.by_speed.dot(&row.column);
        }
    }
    if let [Some(a), Some(b)] = links.map(|link| link.map(|link| system.mechanics.links[link].tree)) {
        work.join_reach([a, b]);
    }
}
