//! `ode45`: the explicit Runge–Kutta pair 5(4) of Dormand & Prince (J. Comput. Appl. Math. 6 (1980), 19–26),
//! seven stages, first same as last, with the dense output of order four of Shampine.

mod step;
mod tableau;

pub use step::DormandPrince45;
