//! The shipped examples keep their promises.
#![allow(missing_docs)]

mod allocation;
mod billiard;
mod bouncing_ball;
mod changes;
mod files;
mod residual;
mod sound;
mod watched;

/// One test per example, so that they run side by side.
macro_rules! for_every_example {
    ($check:path) => {
        #[test]
        fn bearing_axial() {
            $check("bearing-axial");
        }
        #[test]
        fn bearing_planar() {
            $check("bearing-planar");
        }
        #[test]
        fn billiard() {
            $check("billiard");
        }
        #[test]
        fn bouncing_ball() {
            $check("bouncing-ball");
        }
        #[test]
        fn rolling_ball() {
            $check("rolling-ball");
        }
        #[test]
        fn stairs() {
            $check("stairs");
        }
    };
}
pub(crate) use for_every_example;
