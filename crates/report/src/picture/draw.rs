//! One moment of a run as pixels.

use carom_math::{Pose, Vec3};

use super::camera::Camera;
use super::canvas::{Canvas, Paint, Spot};
use super::stage::{Link, LinkPoint, Surface};
use super::{Image, Stage};
use crate::palette::{self, Colour};

/// How much of a clear body is seen.
const CLEAR: f64 = 0.3;
/// How far elements lie in front of the surface that they are part of, in parts of the picture's size.
const LIFT: f64 = 0.004;
/// Elements of areal contact, for outlines.
const ELEMENTS: u16 = u16::MAX;
/// Lines, for outlines.
const LINES: u16 = u16::MAX - 1;
/// Cosine below which a plane is seen as a line.
const EDGE_ON: f64 = 0.03;
/// Squares of the ground in the size of a picture.
const SQUARES: f64 = 12.0;

/// What all pictures of a strip or film share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) camera: Camera,
    /// Diagonal of what has to be in the picture (m).
    pub(super) size: f64,
    /// Length of an arrow (pixels) for a force of 1 N.
    pub(super) pixels_per_newton: f64,
}

impl Stage {
    /// The scene at a time, without text.
    pub(super) fn draw(&self, time: f64, look: &Look) -> Image {
        let [width, height] = look.camera.size;
        let poses: Vec<Option<Pose>> = (0..self.bodies.len()).map(|body| self.pose(body, time)).collect();
        let frame = self.frame_at(time);
        let mut canvas = Canvas::new(width, height, palette::PAPER);
        for surface in self.surfaces.iter().filter(|surface| surface.mesh.is_none()) {
            if let Some(pose) = poses[surface.body] {
                self.draw_half_space(&mut canvas, &pose.compose(&surface.pose()), look);
            }
        }
        let mut clear: Option<Canvas> = None;
        for (body, pose) in poses.iter().enumerate() {
            let Some(pose) = pose else { continue };
            let target = if self.is_clear(body) {
                clear.get_or_insert_with(|| Canvas::new(width, height, palette::PAPER))
            } else {
                &mut canvas
            };
            self.draw_body(target, body, pose, self.colour(body), look);
        }
        for element in self.elements(frame) {
            let Some(pose) = poses[element.body] else { continue };
            let lift = LIFT * look.size * look.camera.eye;
            let spots = element.corners.map(|p| look.camera.spot(&(pose.transform_point(&p) + lift)));
            canvas.triangle(spots, Paint::plain(palette::sequential(element.share), ELEMENTS));
        }
        for link in self.links.iter().filter(|link| link.kind != "joint") {
            draw_line(&mut canvas, link, &poses, look);
        }
        canvas.outline();
        if let Some(mut clear) = clear {
            clear.outline();
            canvas.glaze(&clear, CLEAR, ELEMENTS);
        }
        for link in self.links.iter().filter(|link| link.kind == "joint") {
            draw_joint(&mut canvas, link, &poses, look);
        }
        self.draw_forces(&mut canvas, frame, look);
        canvas.image()
    }

    fn draw_body(&self, canvas: &mut Canvas, body: usize, x_wb: &Pose, colour: Colour, look: &Look) {
        let camera = &look.camera;
        let thing = (body % usize::from(LINES - 1)) as u16 + 1;
        let own = || self.surfaces.iter().filter(|surface| surface.body == body);
        for (pose, mesh) in own().filter_map(|surface: &Surface| Some((surface.pose(), surface.mesh?))) {
            let x_ws = x_wb.compose(&pose);
            for (corners, normals) in self.solids[mesh].faces() {
                let light = normals.map(|normal| light(&(x_ws.rotation * normal), &camera.eye, &self.up));
                let spots = corners.map(|p| camera.spot(&x_ws.transform_point(&p)));
                canvas.triangle(spots, Paint { colour, light, thing });
            }
        }
        if self.bodies[body].fixed || own().next().is_some() {
            return;
        }
        // A body without a surface is bars from its centre of mass to where something takes hold of it.
        let centre = camera.spot(&x_wb.transform_point(&self.centre(body)));
        let width = (0.014 * look.size * camera.scale).max(2.0);
        for end in self.attachments(body) {
            canvas.bar(centre, camera.spot(&x_wb.transform_point(&end)), width, Paint::plain(colour, thing));
        }
        canvas.bar(centre, centre, 1.8 * width, Paint::plain(colour, thing));
    }

    /// Ground with a pattern whose squares have a round size, paler outwards; a wall, through which one has to see, pale
    /// and without; of a plane that is seen from its side the line, and what is behind it.
    fn draw_half_space(&self, canvas: &mut Canvas, x_ws: &Pose, look: &Look) {
        let camera = &look.camera;
        let normal = x_ws.z_axis();
        let facing = normal.dot(&camera.eye);
        let height = |place: [f64; 2]| normal.dot(&(camera.point(place) - x_ws.translation));
        if facing.abs() < EDGE_ON {
            canvas.wash(|place| {
                let pixels = height(place) * camera.scale;
                let depth = -pixels / (0.12 * camera.size[1] as f64);
                match pixels {
                    -1.5..=0.0 => Some((palette::ROD, 0.8)),
                    ..0.0 => Some((palette::FIXED, 0.5 * (1.0 - depth).max(0.0))),
                    _ => None,
                }
            });
            return;
        }
        let is_wall = normal.dot(&self.up).abs() < 0.5;
        let square = round_up(look.size / SQUARES);
        let on_plane = |place: [f64; 2]| {
            let hit = camera.point(place) - height(place) / facing * camera.eye;
            x_ws.inverse_transform_point(&hit)
        };
        let middle = x_ws.inverse_transform_point(&camera.centre);
        // Across the picture both coordinates change evenly: metres a pixel.
        let [here, right, down] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(on_plane);
        let pace: [f64; 2] = std::array::from_fn(|axis| {
            let (x, y) = (right[axis] - here[axis], down[axis] - here[axis]);
            (x * x + y * y).sqrt()
        });
        canvas.wash(|place| {
            let at = on_plane(place);
            let (x, y) = (at.x - middle.x, at.y - middle.y);
            let share = 1.6 - 1.6 * (x * x + y * y).sqrt() / look.size;
            let share = share.clamp(0.0, 1.0);
            let off = |axis: usize| (at[axis] / square - (at[axis] / square).round()).abs() * square;
            let on_line = (0..2).any(|axis| off(axis) < 0.5 * pace[axis]);
            let strength = match (is_wall, on_line) {
                (true, _) => 0.1,
                (false, true) => 0.65,
                (false, false) => 0.3,
            };
            (share > 0.0).then_some((palette::FIXED, strength * share))
        });
    }

    fn draw_forces(&self, canvas: &mut Canvas, frame: usize, look: &Look) {
        let width = (0.0025 * look.camera.size[1] as f64).max(1.6);
        for (kind, colour) in [palette::NORMAL, palette::TANGENTIAL].into_iter().enumerate() {
            for force in self.forces(frame) {
                let vector = [force.normal, force.tangential][kind];
                let length = look.pixels_per_newton / look.camera.scale;
                let [from, to] = [force.point, force.point + length * vector].map(|p| look.camera.spot(&p));
                // Shorter than a pixel is no arrow.
                if (to.x - from.x).abs().max((to.y - from.y).abs()) >= 1.0 {
                    canvas.arrow(from, to, width, colour);
                }
            }
        }
    }

    /// Greatest force between surfaces at an output time (N).
    pub(super) fn greatest_force(&self, frame: usize) -> f64 {
        let sizes = self.forces(frame).flat_map(|force| [force.normal.norm(), force.tangential.norm()]);
        sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
    }
}

fn draw_line(canvas: &mut Canvas, link: &Link, poses: &[Option<Pose>], look: &Look) {
    let colour = palette::of_line(&link.kind);
    let width = (0.003 * look.camera.size[1] as f64).max(1.5);
    for ends in link.points.windows(2) {
        if let (Some(a), Some(b)) = (spot_of(&ends[0], poses, look), spot_of(&ends[1], poses, look)) {
            canvas.bar(a, b, width, Paint::plain(colour, LINES));
        }
    }
}

fn draw_joint(canvas: &mut Canvas, link: &Link, poses: &[Option<Pose>], look: &Look) {
    let Some(first) = link.points.first() else { return };
    let (Some(pose), Some(middle)) = (poses[first.body], spot_of(first, poses, look)) else { return };
    let dot = (0.009 * look.size * look.camera.scale).clamp(2.5, 8.0);
    canvas.stroke(middle, middle, dot, palette::JOINT);
    if let Some(axis) = link.axis {
        let half = 0.03 * look.size * (pose.rotation * Vec3::from(axis).normalize());
        let point = pose.transform_point(&Vec3::from(first.at_m));
        let [a, b] = [point - half, point + half].map(|p| look.camera.spot(&p));
        canvas.stroke(a, b, 0.3 * dot, palette::JOINT);
    }
}

fn spot_of(point: &LinkPoint, poses: &[Option<Pose>], look: &Look) -> Option<Spot> {
    let pose = poses[point.body]?;
    Some(look.camera.spot(&pose.transform_point(&Vec3::from(point.at_m))))
}

/// Light on a surface with this normal: from the sky, from a sun behind the right shoulder, and from the eye.
fn light(normal: &Vec3, eye: &Vec3, up: &Vec3) -> f64 {
    let normal = if normal.dot(eye) < 0.0 { -normal } else { *normal };
    let right = up.cross(eye);
    let sun = (up + 0.6 * right + 0.4 * eye).normalize();
    0.5 + 0.13 * normal.dot(up) + 0.25 * normal.dot(&sun).max(0.0) + 0.22 * normal.dot(eye)
}

/// The next of 1, 2 and 5 times a power of ten that is not below.
pub(super) fn round_up(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0].map(|step| step * power);
    steps.into_iter().find(|step| *step >= value * (1.0 - 1e-12)).unwrap_or(10.0 * power)
}
