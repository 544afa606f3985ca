//! `dop853`: the explicit Runge–Kutta method of order 8 of Dormand & Prince, twelve stages, with error estimates of
//! orders five and three and the dense output of order seven of Hairer & Wanner.

mod dense;
mod step;
mod tableau;

pub use step::DormandPrince853;
