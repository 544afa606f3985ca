//! The shipped examples keep their promises.
#![allow(missing_docs)]

mod allocation;
mod billiard;
mod bouncing_ball;
mod box_stack;
mod bushings;
mod changes;
mod dominoes;
mod files;
mod formulations;
mod gripper;
mod newtons_cradle;
mod rattleback;
mod residual;
mod resumed;
mod robot_arm;
mod rover;
mod scenes;
mod sound;
mod spheres_in_box;
mod torus_sphere;
mod watched;
mod woodpecker;

/// One test per example, so that they run side by side.
macro_rules! for_every_example {
    ($check:path) => {
        #[test]
        fn anchor() {
            $check("anchor");
        }
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
        fn bounce_to_rest() {
            $check("bounce-to-rest");
        }
        #[test]
        fn bouncing_ball() {
            $check("bouncing-ball");
        }
        #[test]
        fn bouncing_ellipsoid() {
            $check("bouncing-ellipsoid");
        }
        #[test]
        fn bowls() {
            $check("bowls");
        }
        #[test]
        fn box_on_ball() {
            $check("box-on-ball");
        }
        #[test]
        fn box_stack() {
            $check("box-stack");
        }
        #[test]
        fn bricard() {
            $check("bricard");
        }
        #[test]
        fn brick_wall() {
            $check("brick-wall");
        }
        #[test]
        fn brush() {
            $check("brush");
        }
        #[test]
        fn bubbles() {
            $check("bubbles");
        }
        #[test]
        fn dirty_mesh() {
            $check("dirty-mesh");
        }
        #[test]
        fn disc_pile() {
            $check("disc-pile");
        }
        #[test]
        fn dominoes() {
            $check("dominoes");
        }
        #[test]
        fn edge_to_edge() {
            $check("edge-to-edge");
        }
        #[test]
        fn falling_chain() {
            $check("falling-chain");
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
        fn funnel() {
            $check("funnel");
        }
        #[test]
        fn gear_rattle() {
            $check("gear-rattle");
        }
        #[test]
        fn gears() {
            $check("gears");
        }
        #[test]
        fn governor() {
            $check("governor");
        }
        #[test]
        fn gripper() {
            $check("gripper");
        }
        #[test]
        fn heavy_top() {
            $check("heavy-top");
        }
        #[test]
        fn hook() {
            $check("hook");
        }
        #[test]
        fn incline() {
            $check("incline");
        }
        #[test]
        fn newtons_cradle() {
            $check("newtons-cradle");
        }
        #[test]
        fn painleve() {
            $check("painleve");
        }
        #[test]
        fn pendulum() {
            $check("pendulum");
        }
        #[test]
        fn rattleback() {
            $check("rattleback");
        }
        #[test]
        fn rigid_contact() {
            $check("rigid-contact");
        }
        #[test]
        fn rigid_cradle() {
            $check("rigid-cradle");
        }
        #[test]
        fn ring_on_bar() {
            $check("ring-on-bar");
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
        fn rover() {
            $check("rover");
        }
        #[test]
        fn sharp_edges() {
            $check("sharp-edges");
        }
        #[test]
        fn slider_crank() {
            $check("slider-crank");
        }
        #[test]
        fn slotted_plate() {
            $check("slotted-plate");
        }
        #[test]
        fn spheres_in_box() {
            $check("spheres-in-box");
        }
        #[test]
        fn stairs() {
            $check("stairs");
        }
        #[test]
        fn tippe_top() {
            $check("tippe-top");
        }
        #[test]
        fn torus_sphere() {
            $check("torus-sphere");
        }
        #[test]
        fn torus_sphere_fine() {
            $check("torus-sphere-fine");
        }
        #[test]
        fn woodpecker() {
            $check("woodpecker");
        }
    };
}
pub(crate) use for_every_example;
