//! The shipped examples keep their promises.
#![allow(missing_docs)]

mod allocation;
mod billiard;
mod bouncing_ball;
mod changes;
mod files;
mod residual;
mod robot_arm;
mod sound;
mod watched;

/// One test per example, so that they run side by side.
macro_rules! for_every_example {
    ($check:path) => {
        #[test]
        fn andrews() {
            $check("andrews");
        }
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
        fn bricard() {
            $check("bricard");
        }
        #[test]
        fn four_bar() {
            $check("four-bar");
        }
        #[test]
        fn free_top() {
            $check("free-top");
        }
        #[test]
        fn governor() {
            $check("governor");
        }
        #[test]
        fn heavy_top() {
            $check("heavy-top");
        }
        #[test]
        fn pendulum() {
            $check("pendulum");
        }
        #[test]
        fn robot_arm() {
            $check("robot-arm");
        }
        #[test]
        fn rolling_ball() {
            $check("rolling-ball");
        }
        #[test]
        fn slider_crank() {
            $check("slider-crank");
        }
        #[test]
        fn stairs() {
            $check("stairs");
        }
    };
}
pub(crate) use for_every_example;
