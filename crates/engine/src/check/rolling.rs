//! Resistance to rolling and drilling that a law states and that its contact does not have.

use crate::Problem;
use crate::law::Rolling;
use crate::model::{Method, Model};

/// W0505 for each law that states resistance to rolling or drilling and is used by a line of rigid contacts, whose points resist sliding alone.
pub(super) fn warn_of_rolling(model: &Model, problems: &mut Vec<Problem>) {
    for (index, law) in model.laws.iter().enumerate() {
        let Rolling { mu_roll, mu_spin, roll_arm, spin_arm, .. } = law.rolling;
        let keys =
            [("mu_roll", mu_roll), ("mu_spin", mu_spin), ("roll_arm", roll_arm), ("spin_arm", spin_arm)];
        let stated: Vec<&str> = keys
            .iter()
            .filter(|(_, value)| value.is_some_and(|value| value > 0.0))
            .map(|(key, _)| *key)
            .collect();
        let mut lines = model.contact_lines.iter();
        let rigid = lines.find(|line| line.law == index && line.method == Method::Nonsmooth);
        let (Some(line), Some(first)) = (rigid, stated.first()) else { continue };
        let message = format!(
            "law \"{}\" states {}, and contact.{} is rigid: its points resist sliding alone, and what rolls or spins on them goes on",
            law.name,
            stated.join(", "),
            line.name
        );
        let help =
            "a compliant method (auto, convex, region) for what rolls or drills; or friction of a joint";
        problems.push(Problem::new("W0505", format!("law.{}.{first}", law.name), message).help(help));
    }
}
