//! Normal law of contact regions by the volume that both solids share.
//!
//! The overlap V of a pair, all its regions together, has the potential U = ½ k V². A region with the area vector S and the moment M
//! about its point changes the volume by dV = −S·dx − M·dθ (Dopico et al. 2010 leave the law open; the geometry is that of
//! `carom_geometry::intersection::Overlap`), so that the pressure p = k V acts on B as the force p S and the couple p M: conservative,
//! and continuous while regions merge and split.

/// Numbers of the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeLaw {
    /// Stiffness k (N/m⁵).
    pub stiffness: f64,
    /// Damping factor χ.
    pub chi: f64,
    /// Least approach speed δ̇⁻ that damping is measured against (m/s).
    pub v_small: f64,
}

/// Pressure of a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumePressure {
    /// p (Pa), never below zero.
    pub total: f64,
    /// Its elastic share k V (Pa).
    pub elastic: f64,
}

impl VolumeLaw {
    /// p = k V (1 + c δ̇) ≥ 0 of a region whose surfaces approach each other at δ̇ = V̇/|S| (m/s), with the volume V (m³) of the
    /// pair and c = χ/δ̇⁻ (s/m) of the region. In a central impact δ̇/δ̇⁻ is v/v⁻ whatever the shapes, and the factor χ of
    /// `exact` delivers its restitution.
    #[inline]
    pub fn pressure(&self, volume: f64, approach: f64, damping: f64) -> VolumePressure {
        let elastic = self.stiffness * volume;
        VolumePressure { total: (elastic * (1.0 + damping * approach)).max(0.0), elastic }
    }

    /// U = ½ k V² (J).
    #[inline]
    pub fn potential(&self, volume: f64) -> f64 {
        0.5 * self.stiffness * volume * volume
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: VolumeLaw = VolumeLaw { stiffness: 2e9, chi: 0.8, v_small: 0.01 };

    #[test]
    fn the_pressure_is_the_slope_of_the_potential() {
        let (v, h) = (3e-6, 1e-9);
        let slope = (LAW.potential(v + h) - LAW.potential(v - h)) / (2.0 * h);
        let pressure = LAW.pressure(v, 5.0, 0.0);
        assert!((pressure.elastic - slope).abs() < 1e-9 * slope, "{} {slope}", pressure.elastic);
        assert_eq!(pressure.total, pressure.elastic);
    }

    #[test]
    fn damping_takes_energy_both_ways_and_never_pulls() {
        for approach in [2.0, 0.1, -0.1, -2.0] {
            let pressure = LAW.pressure(1e-6, approach, 0.8);
            assert!((pressure.total - pressure.elastic) * approach > 0.0);
            assert!(pressure.total >= 0.0);
        }
    }
}
