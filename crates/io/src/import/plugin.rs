//! Plugins of Gazebo, by the names of their files: those that only run, draw, measure or tell, and those that may move things.

use super::context::Effect;
use super::xml::Element;

/// Parts of the names of what moves nothing.
const HARMLESS: [&str; 37] = [
    "physics-system",
    "user-commands",
    "scene-broadcaster",
    "scene3d",
    "minimalscene",
    "sensor",
    "contact-system",
    "contactsystem",
    "imu",
    "publisher",
    "camera",
    "laser",
    "lidar",
    "gpu_ray",
    "gps",
    "navsat",
    "altimeter",
    "magnetometer",
    "air-pressure",
    "air-speed",
    "forcetorque",
    "force-torque",
    "ros_init",
    "ros_factory",
    "ros_api",
    "ros_paths",
    "log",
    "label",
    "particle",
    // Of Gazebo classic, as URDF files name them.
    "p3d",
    "f3d",
    "bumper",
    "kinect",
    "openni",
    "depth",
    "ros_range",
    "video",
];

/// A plugin that is not known may do anything.
pub(super) fn effect(plugin: &Element) -> Effect {
    let file = plugin.text("filename").unwrap_or("").to_lowercase();
    if HARMLESS.iter().any(|part| file.contains(part)) { Effect::None } else { Effect::Motion }
}
