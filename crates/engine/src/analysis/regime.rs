//! What touches and what is taut at a state: forces have kinks where that changes.

use super::Dynamics;
use crate::mechanics::ForceData;
use crate::mechanics::constraint::cable_geometry;
use crate::record::ContactMode;

/// Share of its depth by which a contact may become deeper or less so along a difference: forces go with powers of the depth.
const AS_DEEP: f64 = 0.1;

/// Depth up to which what touches pushes nothing (m, or rad): it has just been reached.
const NOTHING: f64 = 1e-12;

/// Depths (m), by contact and cable; none of what is apart or slack. Of surfaces of triangles it is only known that they touch.
pub(super) struct Regime(Vec<Option<f64>>);

impl Regime {
    /// At the present state.
    pub(super) fn of(dynamics: &Dynamics<'_>) -> Self {
        Self(depths(dynamics).collect())
    }

    /// Do the same things touch about as deeply, and are the same cables taut?
    pub(super) fn holds(&self, dynamics: &Dynamics<'_>) -> bool {
        self.0.iter().zip(depths(dynamics)).all(|(here, there)| match (here, there) {
            (None, None) => true,
            (Some(here), Some(there)) => (there - here).abs() <= AS_DEEP * here,
            _ => false,
        })
    }
}

fn depths<'a>(dynamics: &'a Dynamics<'_>) -> impl Iterator<Item = Option<f64>> + 'a {
    let evaluator = &dynamics.evaluator;
    let contacts = (0..evaluator.contacts.memory.len()).map(|contact| {
        if evaluator.is_mesh_contact(contact) {
            let mut active = evaluator.contacts.active.iter().zip(&evaluator.forces);
            return active.any(|(&k, force)| k == contact && force.normal > 0.0).then_some(0.0);
        }
        let touches = evaluator.contacts.memory[contact].mode != ContactMode::Open;
        touches.then(|| -evaluator.motion_of(contact).gap).filter(|depth| *depth > NOTHING)
    });
    let forces = &evaluator.system.mechanics.forces;
    let cables = forces.iter().filter_map(|force| match force {
        // Those that do not give hold or do not, at all states of a difference.
        ForceData::Cable(cable) if cable.elasticity.is_some() => Some(cable),
        _ => None,
    });
    contacts.chain(cables.map(|cable| {
        let geometry = cable_geometry(&evaluator.workspace.here(), cable);
        (geometry.path > geometry.length).then_some(0.0)
    }))
}
