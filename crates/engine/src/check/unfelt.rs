//! Friction that a law states and that its contact does not have.

use crate::Problem;
use crate::law::Rolling;
use crate::model::{Method, Model};

/// W0505 for each law that states static or viscous friction or resistance to rolling or drilling and is used by a line of rigid contacts, whose points
/// have Coulomb's friction alone.
pub(super) fn warn_of_unfelt(model: &Model, problems: &mut Vec<Problem>) {
    for (index, law) in model.laws.iter().enumerate() {
        let Rolling { mu_roll, mu_spin, roll_arm, spin_arm, .. } = law.rolling;
        let keys = [
            ("mu_s", law.mu_static.filter(|mu_s| *mu_s > law.mu.unwrap_or(0.0))),
            ("mu_visc", Some(law.mu_visc)),
            ("mu_roll", mu_roll),
            ("mu_spin", mu_spin),
            ("roll_arm", roll_arm),
            ("spin_arm", spin_arm),
        ];
        let stated: Vec<&str> = keys
            .iter()
            .filter(|(_, value)| value.is_some_and(|value| value > 0.0))
            .map(|(key, _)| *key)
            .collect();
        let mut lines = model.contact_lines.iter();
        let rigid = lines.find(|line| line.law == index && line.method == Method::Nonsmooth);
        let (Some(line), Some(first)) = (rigid, stated.first()) else { continue };
        let message = format!(
            "law \"{}\" states {}, and contact.{} is rigid: its points have Coulomb's friction of `mu` alone",
            law.name,
            stated.join(", "),
            line.name
        );
        let help = "a compliant method (auto, convex, region), which has them; or friction of a joint";
        problems.push(Problem::new("W0505", format!("law.{}.{first}", law.name), message).help(help));
    }
}
