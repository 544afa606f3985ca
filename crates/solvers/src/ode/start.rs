use super::{Fault, Ode, Tolerances};

/// Error of the first step, as a share of the tolerance, that a method of order one is started with.
const SHARE: f64 = 0.25;

/// First step of a method that starts with order one and the error ½ h² ‖y''‖ at (t, y), where the rates are `f`. The
/// second derivative is taken from an Euler step that changes the state by one tolerance (after Hairer, Nørsett &
/// Wanner I, II.4, starting step size). Infinite where nothing changes. Beside it
/// the first two derivatives, over the tolerances. The buffers are for one evaluation.
pub(super) fn find_first_order_step(
    ode: &mut dyn Ode,
    (t, y, f): (f64, &[f64], &[f64]),
    tolerances: &Tolerances,
    [probe, dydt, dqdt]: [&mut [f64]; 3],
) -> Result<(f64, [f64; 2]), Fault> {
    let speed = tolerances.ratio(f, y);
    if speed == 0.0 {
        return Ok((f64::INFINITY, [0.0; 2]));
    }
    let euler = 1.0 / speed;
    for (probe, (y, f)) in probe.iter_mut().zip(y.iter().zip(f)) {
        *probe = y + euler * f;
    }
    ode.rhs(t + euler, probe, dydt, dqdt)?;
    dydt.iter_mut().zip(f).for_each(|(d, f)| *d = (*d - f) / euler);
    let curvature = tolerances.ratio(dydt, y);
    let step = if curvature > 0.0 { (2.0 * SHARE / curvature).sqrt() } else { f64::INFINITY };
    Ok((step, [speed, curvature]))
}
