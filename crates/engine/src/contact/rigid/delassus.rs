//! The Delassus operator of contact points: G = W M⁻¹ Wᵀ, with joints, loops and motors eliminated.

use carom_math::Twist;

use super::rows::RigidPoint;
use crate::contact::Evaluator;
use crate::mechanics::workspace::ResponseBuffers;

/// Mobility of a contact, over the largest, that is rounding.
const RIDGE: f64 = 1e-14;

/// G row by row for [w_N, w_T1, w_T2] of each point, symmetric to rounding.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delassus {
    pub(crate) matrix: Vec<f64>,
    buffers: ResponseBuffers,
    links: Vec<Twist>,
    freedoms: Vec<f64>,
}

impl Delassus {
    /// Makes ready for responses where the evaluator is. False if a body's inertia is not positive.
    pub(crate) fn prepare(&mut self, evaluator: &mut Evaluator<'_>) -> bool {
        let mechanics = &evaluator.system.mechanics;
        self.links.resize(mechanics.links.len(), Twist::ZERO);
        self.freedoms.resize(mechanics.freedoms(), 0.0);
        evaluator.workspace.prepare_responses(&mut self.buffers)
    }

    /// Responses of points that are one problem, and their products, after [`Self::prepare`].
    pub(crate) fn update(&mut self, evaluator: &mut Evaluator<'_>, points: &mut [RigidPoint]) {
        let size = 3 * points.len();
        self.matrix.clear();
        self.matrix.resize(size * size, 0.0);
        let has_row = |points: &[RigidPoint], row: usize| row % 3 <= points[row / 3].tangents;
        for k in 0..size {
            if !has_row(points, k) {
                points[k / 3].responses[k % 3].clear();
                continue;
            }
            let RigidPoint { directions, responses, .. } = &mut points[k / 3];
            evaluator.workspace.respond(&directions[k % 3], &mut self.buffers, &mut responses[k % 3]);
            let response = &points[k / 3].responses[k % 3];
            response.links.iter().for_each(|(link, twist)| self.links[*link] = *twist);
            response.freedoms.iter().for_each(|(freedom, rate)| self.freedoms[*freedom] = *rate);
            for j in 0..size {
                let along = points[j / 3].directions[j % 3].along(&self.links, &self.freedoms);
                self.matrix[size * j + k] = along;
            }
            let response = &points[k / 3].responses[k % 3];
            response.links.iter().for_each(|(link, _)| self.links[*link] = Twist::ZERO);
            response.freedoms.iter().for_each(|(freedom, _)| self.freedoms[*freedom] = 0.0);
        }
        // Tangents that a point has not meet nothing; with the inertia of its normal the operator has no rows of zeros.
        for row in (0..size).filter(|row| !has_row(points, *row)) {
            self.matrix[size * row + row] = self.matrix[3 * (row / 3) * (size + 1)];
        }
    }

    /// Can the bodies of a point move along one of its rows? What rounding leaves of a row that joints hold is no equation.
    pub(crate) fn is_mobile(&self, size: usize, row: usize) -> bool {
        let own = 3 * (row / 3);
        let diagonal = |row: usize| self.matrix[row * (size + 1)];
        diagonal(row) > RIDGE * (own..own + 3).map(diagonal).fold(0.0, f64::max)
    }

    /// Is what points are moved by along their normals a number?
    pub(crate) fn is_sound(&self, points: &[RigidPoint]) -> bool {
        (0..points.len()).all(|k| self.matrix[3 * k * (3 * points.len() + 1)].is_finite())
    }

    /// A point at which bodies approach faster than `still` (m/s) that cannot move along the normal: given motions hold both.
    pub(crate) fn find_immovable(&self, points: &[RigidPoint], still: f64) -> Option<usize> {
        let diagonal = |k: usize| self.matrix[3 * k * (3 * points.len() + 1)];
        let largest = (0..points.len()).map(diagonal).fold(0.0, f64::max);
        (0..points.len()).find(|&k| points[k].speeds[0] < -still && diagonal(k) <= RIDGE * largest)
    }

    /// W v̇ + w̄ of each row, for accelerations of links and freedoms.
    pub(crate) fn accelerations(
        points: &[RigidPoint],
        links: &[Twist],
        freedoms: &[f64],
        out: &mut Vec<f64>,
    ) {
        out.clear();
        for point in points {
            let rows = point.directions.iter().zip(&point.bias);
            out.extend(rows.map(|(direction, bias)| direction.along(links, freedoms) + bias));
        }
    }

    /// What motors and reels of given motion put in against impulses Λ (J).
    pub(crate) fn work_of_motors(points: &[RigidPoint], impulses: &[f64]) -> f64 {
        let each = points.iter().flat_map(|point| &point.responses).zip(impulses);
        let reels = points.iter().zip(impulses.chunks_exact(3)).map(|(point, own)| -point.reel() * own[0]);
        each.map(|(response, impulse)| impulse * response.motors).sum::<f64>() + reels.sum::<f64>()
    }

    /// Adds M⁻¹ Wᵀ Λ to the velocities in a state.
    pub(crate) fn push(evaluator: &Evaluator<'_>, points: &[RigidPoint], impulses: &[f64], y: &mut [f64]) {
        let mechanics = &evaluator.system.mechanics;
        let each = points.iter().flat_map(|point| &point.responses).zip(impulses);
        for (response, impulse) in each.filter(|(_, impulse)| **impulse != 0.0) {
            for &(freedom, rate) in &response.freedoms {
                let link = &mechanics.links[mechanics.link_of_freedom[freedom]];
                y[link.velocities().start + freedom - link.first_freedom] += impulse * rate;
            }
        }
    }
}
