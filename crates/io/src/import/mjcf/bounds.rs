//! `boundmass`, `boundinertia` and `balanceinertia` of `<compiler>`, body by body, as MuJoCo's compiler does it.

use carom_geometry::MassProperties;
use carom_math::{Mat3, Vec3};

use super::super::context::Context;
use super::super::mass::total;
use super::super::robot::{Link, Part, Robot, WORLD};
use super::compiler::{Compiler, Compilers};

/// Raises masses and principal moments to their bounds, then makes moments that no rigid body has, A + B < C, all their
/// mean. What was changed is listed.
pub(super) fn apply(robot: &mut Robot, compilers: &Compilers, context: &Context<'_>) {
    for link in robot.links.iter_mut().skip(WORLD + 1).filter(|link| link.fraction_of.is_none()) {
        let compiler = compilers.of(link.span);
        if !compiler.bounds_all() && !compiler.balance_inertia {
            continue;
        }
        let own = stated(link);
        let (bounded, is_raised) = bounded(&own, compiler);
        let (solid, is_balanced) =
            if compiler.balance_inertia { balanced(&bounded) } else { (bounded, false) };
        let span = link.parts.first().map_or(link.span, |part| part.span);
        let name = &link.name;
        if is_raised {
            let text = format!(
                "mass and inertia of \"{name}\" are raised to boundmass and boundinertia of <compiler>"
            );
            context.choice(text, Some(span));
        }
        if is_balanced {
            let text =
                format!("inertia of \"{name}\", which no rigid body has, is balanced as <compiler> says");
            context.choice(text, Some(span));
        }
        if is_raised || is_balanced {
            link.parts = vec![Part { solid, span, of: name.clone() }];
        }
    }
}

/// What the file says of a body; a frame has neither mass nor inertia.
fn stated(link: &Link) -> MassProperties {
    if link.has_mass() {
        return total(link);
    }
    let com = link.parts.first().map_or_else(Vec3::zeros, |part| part.solid.com);
    let inertia = link.parts.iter().fold(Mat3::zeros(), |sum, part| sum + part.solid.inertia);
    MassProperties { mass: 0.0, com, inertia }
}

fn bounded(own: &MassProperties, compiler: &Compiler) -> (MassProperties, bool) {
    let mut solid = *own;
    solid.mass = solid.mass.max(compiler.bound_mass);
    let eigen = own.inertia.symmetric_eigen();
    let is_low = eigen.eigenvalues.min() < compiler.bound_inertia;
    if is_low {
        let moments = eigen.eigenvalues.map(|moment| moment.max(compiler.bound_inertia));
        solid.inertia = eigen.eigenvectors * Mat3::from_diagonal(&moments) * eigen.eigenvectors.transpose();
    }
    (solid, is_low || solid.mass > own.mass)
}

fn balanced(own: &MassProperties) -> (MassProperties, bool) {
    let moments = own.inertia.symmetric_eigenvalues();
    let is_impossible = moments.sum() < 2.0 * moments.max();
    let mean = Mat3::from_diagonal_element(moments.sum() / 3.0);
    (MassProperties { inertia: if is_impossible { mean } else { own.inertia }, ..*own }, is_impossible)
}
