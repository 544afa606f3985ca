//! Contacts of two triangle surfaces, whatever answers for their force: apart, on their way, touching.

pub(crate) mod approach;
mod behind;
pub(super) mod entry;
pub(super) mod reopening;
mod sought;
pub(crate) mod swallowed;
pub(crate) mod touch;

use carom_math::Pose;

/// `X_TB`, from the difference of both positions: far from the world's origin their sum would lose digits.
pub(crate) fn between(x_wt: &Pose, x_wb: &Pose) -> Pose {
    Pose {
        rotation: x_wt.rotation.tr_mul(&x_wb.rotation),
        translation: x_wt.rotation.tr_mul(&(x_wb.translation - x_wt.translation)),
    }
}
