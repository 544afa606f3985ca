use super::Simulation;
use crate::mechanics::ForceData;
use crate::note::Note;

/// W0525 for each bushing with a stiffness against turns that has turned past half of one: its rotation vector is the shortest way back, and its
/// moment turned round there.
pub(super) fn warnings(run: &Simulation<'_>) -> impl Iterator<Item = Note> {
    let angles = &run.evaluator.workspace.angles;
    run.system.mechanics.forces.iter().zip(&run.system.info.forces).filter_map(|(force, (name, _))| {
        let ForceData::Bushing { stiffness, first_angle, .. } = force else { return None };
        let time = angles[first_angle + 3];
        let resists = stiffness.fixed_view::<3, 3>(3, 3).iter().any(|k| *k != 0.0);
        (resists && time > 0.0).then(|| {
            let message = format!(
                "bushing \"{name}\" turned past half a turn in the step to t = {time:.6e} s: it pulls back the shorter way, and its moment turned round there; a \
                 \"torsion-spring\" counts turns"
            );
            Note::new("W0525", message)
        })
    })
}
