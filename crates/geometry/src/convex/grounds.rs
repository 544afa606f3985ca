//! Flat faces of a solid, those of a polyhedron or the round ends of a frustum, as grounds for another one.
//!
//! A convex solid that does not reach through the plane of a face touches the other one nowhere but in that plane. As long as all the points
//! in which it touches the plane lie within the face, the other one is to that solid what the half-space behind the face is. A rounded solid has the
//! faces of its core, moved out by its radius: what touches beyond their borders does so on what is round.

use carom_math::{Mat3, Pose, Vec3, orthonormal_basis};

use super::facets::Polyhedron;
use super::{ConvexShape, Core};

/// The flat faces of a solid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grounds {
    faces: Vec<Ground>,
}

/// A face, in the frame of its solid.
#[derive(Clone, Debug, PartialEq)]
struct Ground {
    /// Of the half-space behind it, in the middle of the face: z leads out of the solid.
    pose: Pose,
    /// Its middle before it was moved out (m).
    middle_of_core: Vec3,
    border: Border,
}

#[derive(Clone, Debug, PartialEq)]
enum Border {
    /// Those of a polygon.
    Sides(Vec<Side>),
    /// That of a round end.
    Circle(Circle),
}

/// The border of a round face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Circle {
    /// Its radius (m).
    pub radius: f64,
    /// Outward and up components of the unit vector from it along the solid's side.
    pub beyond: [f64; 2],
    /// Radius by which the border is rounded (m).
    pub rounding: f64,
}

/// A straight side of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// Unit vector across it, in the face's plane and away from it.
    pub across: Vec3,
    /// How far it is along that (m).
    pub offset: f64,
    /// Unit vector across it into the face beside.
    pub beyond: Vec3,
    /// Radius by which the border is rounded (m).
    pub rounding: f64,
}

impl Side {
    /// The same in the axes of a pose.
    fn seen_in(&self, x: &Pose) -> Self {
        Self {
            across: x.rotation.tr_mul(&self.across),
            offset: self.offset - self.across.dot(&x.translation),
            beyond: x.rotation.tr_mul(&self.beyond),
            ..*self
        }
    }
}

impl Ground {
    /// Of the core's face with this normal and middle.
    fn new([normal, middle]: [Vec3; 2], border: Border, rounding: f64) -> Self {
        let (x, y) = orthonormal_basis(&normal);
        let rotation = Mat3::from_columns(&[x, y, normal]);
        let pose = Pose { rotation, translation: middle + rounding * normal };
        Self { pose, middle_of_core: middle, border }
    }

    fn of_faces(polyhedron: &Polyhedron, rounding: f64) -> impl Iterator<Item = Self> {
        (0..polyhedron.count_faces()).map(move |face| {
            let border = Border::Sides(polyhedron.sides(face).collect());
            Self::new(polyhedron.plane(face).into(), border, rounding)
        })
    }
}

/// A disc that touches a face, or a point where its radius is zero.
#[derive(Clone, Copy, Debug)]
pub struct Footprint {
    /// Its centre (m).
    pub centre: Vec3,
    /// Unit vector across it.
    pub axis: Vec3,
    /// Its radius (m).
    pub radius: f64,
}

impl Footprint {
    /// The same in other axes.
    pub fn seen_in(self, x: &Pose) -> Self {
        let inverse = x.inverse();
        Self {
            centre: inverse.transform_point(&self.centre),
            axis: inverse.rotation * self.axis,
            radius: self.radius,
        }
    }

    /// How far it reaches along a unit vector.
    fn reach(&self, along: &Vec3) -> f64 {
        let upright = along.dot(&self.axis);
        along.dot(&self.centre) + self.radius * (1.0 - upright * upright).max(0.0).sqrt()
    }
}

impl Grounds {
    /// Share of its radius by which a disc may reach over the border of a face that carries it: an end lies on one of its own size.
    pub const BESIDE: f64 = 1e-6;

    /// Of cylinders, cones and frusta, and of boxes and hulls that have no more faces than `most`, sharp or rounded.
    pub fn of(shape: &ConvexShape, most: usize) -> Option<Self> {
        let rounding = shape.radius;
        match &shape.core {
            Core::Frustum { radius_low, radius_high, half_length } => {
                let ends = [(-1.0, *radius_low), (1.0, *radius_high)];
                let wider = |radius: f64| radius_low + radius_high - 2.0 * radius;
                let slant = |radius: f64| wider(radius).hypot(2.0 * half_length);
                let beyond =
                    |radius: f64| [wider(radius), -2.0 * half_length].map(|part| part / slant(radius));
                let round = |(up, radius): (f64, f64)| {
                    let border = Border::Circle(Circle { radius, beyond: beyond(radius), rounding });
                    Ground::new([Vec3::z() * up, Vec3::z() * (up * half_length)], border, rounding)
                };
                let faces = ends.into_iter().filter(|(_, radius)| *radius > 0.0).map(round).collect();
                Some(Self { faces })
            }
            Core::Hull(hull) if hull.faces().len() > most => None,
            _ => Polyhedron::of(shape)
                .filter(Polyhedron::is_solid)
                .map(|solid| Self { faces: Ground::of_faces(&solid, rounding).collect() }),
        }
    }

    /// Of the half-space behind a face, in the solid's frame.
    pub fn pose(&self, face: usize) -> &Pose {
        &self.faces[face].pose
    }

    /// The middle of the core's face, in the solid's frame (m).
    pub(super) fn middle_of_core(&self, face: usize) -> Vec3 {
        self.faces[face].middle_of_core
    }

    /// How far a footprint, in the solid's frame, is from the border of a face (m); negative where it reaches out.
    pub fn room(&self, face: usize, footprint: &Footprint) -> f64 {
        let Ground { pose, border, .. } = &self.faces[face];
        match border {
            Border::Sides(sides) => {
                let left = |side: &Side| side.offset - footprint.reach(&side.across);
                sides.iter().map(left).fold(f64::INFINITY, f64::min)
            }
            Border::Circle(circle) => {
                let off = footprint.centre - pose.translation;
                let aside = off - pose.z_axis() * pose.z_axis().dot(&off);
                circle.radius - aside.norm() - footprint.radius
            }
        }
    }

    /// Has a disc of this radius (m) room in the middle of a face?
    pub fn carries(&self, radius: f64) -> bool {
        let middle =
            |face: &Ground| Footprint { centre: face.pose.translation, axis: face.pose.z_axis(), radius };
        let room = |(face, ground): (usize, &Ground)| self.room(face, &middle(ground));
        self.faces.iter().enumerate().map(room).any(|room| room >= -Self::BESIDE * radius)
    }

    /// The sides of a face, by number, in the frame of the half-space behind it; none of a round one.
    pub fn sides(&self, face: usize) -> impl Iterator<Item = Side> + '_ {
        let Ground { pose, border, .. } = &self.faces[face];
        let sides = match border {
            Border::Sides(sides) => &sides[..],
            Border::Circle(_) => &[],
        };
        sides.iter().map(|side| side.seen_in(pose))
    }

    /// The border of a round face; none of one with sides.
    pub fn circle(&self, face: usize) -> Option<&Circle> {
        match &self.faces[face].border {
            Border::Circle(circle) => Some(circle),
            Border::Sides(_) => None,
        }
    }

    /// How far a face reaches from its middle, at most (m), to within the root of two of its sides.
    pub fn reach(&self, face: usize) -> f64 {
        match &self.faces[face].border {
            Border::Circle(circle) => circle.radius,
            Border::Sides(_) => self.sides(face).map(|side| side.offset).fold(0.0, f64::max),
        }
    }

    /// Number of faces.
    pub fn count(&self) -> usize {
        self.faces.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convex::{ConvexCache, ConvexWorkspace, Rims, find_convex_contact};
    use carom_math::Quaternion;
    use carom_testkit::SplitMix64;

    const MOST: usize = 100;

    /// A box is the half-space behind its top to a can of which what is lowest lies within it: the height of that is the distance, which the
    /// search for two convex solids finds by itself.
    #[test]
    fn a_can_over_a_face_is_as_far_from_the_box_as_from_the_half_space() {
        let block = ConvexShape::sharp(Core::Box { half: Vec3::new(0.5, 0.4, 0.1) });
        let can = ConvexShape::sharp(Core::Frustum { radius_low: 0.05, radius_high: 0.08, half_length: 0.1 });
        let (grounds, rims) = (Grounds::of(&block, MOST).expect("faces"), Rims::of(&can).expect("ends"));
        let mut rng = SplitMix64::new(5);
        let mut within = [0; 2];
        for _ in 0..2000 {
            let turn = rng.unit_vector() * rng.uniform(0.0, 3.0);
            let rotation = Quaternion::from_rotation_vector(&turn).to_matrix();
            let place = Vec3::new(rng.uniform(-0.55, 0.55), rng.uniform(-0.45, 0.45), rng.uniform(0.25, 0.4));
            let (x_wa, x_wb) = (Pose { rotation, translation: place }, Pose::identity());
            let face = (0..grounds.count())
                .find(|&face| grounds.pose(face).z_axis().z > 0.9)
                .expect("a face that looks up");
            let lowest = rims.lowest(&x_wa, grounds.pose(face));
            let is_within = lowest.footprints().all(|low| grounds.room(face, &low) > 0.0);
            within[usize::from(is_within)] += 1;
            let workspace = &mut ConvexWorkspace::new();
            let found = find_convex_contact(&can, &x_wa, &block, &x_wb, &ConvexCache::COLD, workspace);
            let distance = found.expect("a distance").point.gap;
            let off = distance - lowest.height;
            assert!(if is_within { off.abs() < 1e-12 } else { off > -1e-12 }, "{off:e} m, {is_within}");
        }
        assert!(within.iter().all(|&count| count > 200), "{within:?}");
    }

    /// The border of a round end is its rim, and the apex of a cone is no ground.
    #[test]
    fn ends_of_frusta_are_round_grounds() {
        let frustum =
            ConvexShape::sharp(Core::Frustum { radius_low: 0.5, radius_high: 0.3, half_length: 0.1 });
        let grounds = Grounds::of(&frustum, MOST).expect("ends");
        let foot =
            |x: f64, y: f64, z: f64| Footprint { centre: Vec3::new(x, y, z), axis: Vec3::z(), radius: 0.05 };
        for (up, radius) in [(-1.0, 0.5), (1.0, 0.3)] {
            let is_there = |&face: &usize| (grounds.pose(face).z_axis() - Vec3::z() * up).norm() < 1e-15;
            let face = (0..grounds.count()).find(is_there).expect("an end that looks there");
            assert!((grounds.pose(face).translation - Vec3::z() * (0.1 * up)).norm() < 1e-15);
            for (x, y) in [(0.1, 0.0), (0.3, 0.4), (-0.12, 0.2)] {
                let room = radius - f64::hypot(x, y) - 0.05;
                assert!((grounds.room(face, &foot(x, y, 0.1 * up)) - room).abs() < 1e-15);
            }
        }
        assert!(grounds.carries(0.5) && !grounds.carries(0.501));
        let cone = Core::Frustum { radius_low: 0.5, radius_high: 0.0, half_length: 0.1 };
        assert_eq!(Grounds::of(&ConvexShape::sharp(cone), MOST).expect("an end").count(), 1);
        let rounded = Grounds::of(&ConvexShape { radius: 0.01, ..frustum }, MOST).expect("ends");
        for face in 0..2 {
            let moved = rounded.pose(face).translation - grounds.pose(face).translation;
            assert!((moved - 0.01 * rounded.pose(face).z_axis()).norm() < 1e-15);
        }
    }

    /// A can that stands has the room of its end, one that lies and rolls that of the point it rolls on.
    #[test]
    fn room_ends_where_what_touches_comes_over_the_border() {
        let block = ConvexShape::sharp(Core::Box { half: Vec3::new(0.5, 0.4, 0.1) });
        let grounds = Grounds::of(&block, MOST).expect("faces");
        let face = (0..6).find(|&face| grounds.pose(face).z_axis().z > 0.9).expect("a face that looks up");
        let foot =
            |x: f64, radius: f64| Footprint { centre: Vec3::new(x, 0.0, 0.1), axis: Vec3::z(), radius };
        assert!((grounds.room(face, &foot(0.3, 0.05)) - 0.15).abs() < 1e-15);
        assert!((grounds.room(face, &foot(0.47, 0.05)) + 0.02).abs() < 1e-15);
        assert!((grounds.room(face, &foot(0.47, 0.0)) - 0.03).abs() < 1e-15);
        let upright = Footprint { axis: Vec3::x(), ..foot(0.47, 0.05) };
        assert!((grounds.room(face, &upright) - 0.03).abs() < 1e-15);
        assert!(grounds.carries(0.4) && !grounds.carries(0.41));
        let rounded = Grounds::of(&ConvexShape { radius: 0.01, ..block }, MOST).expect("faces");
        assert!(
            (rounded.room(face, &foot(0.3, 0.05)) - 0.15).abs() < 1e-15,
            "its face is flat as far as that of its core"
        );
    }
}
