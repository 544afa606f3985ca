//! Makes pairs of triangle surfaces whose contact is their contact regions (Dopico et al. 2010).

use std::sync::Arc;

use carom_geometry::clearance::ClearanceTree;
use carom_geometry::intersection::MeshSurface;
use carom_geometry::{Curvature, TriangleMesh};

use super::pairing::{MadePair, PairRequest};
use super::region_notes::notes_on_regions;
use super::{MeshPair, PairData, PairSource, System};
use crate::law::{Friction, NormalLaw, RollingResistance, VolumeBlock, VolumeLaw, resolve_volume};
use crate::record::REGION_KERNEL;
use crate::{Note, Problem};
/// Two triangle surfaces that touch by regions.
pub(crate) struct RegionPair {
    pub(crate) meshes: Arc<MeshPair>,
    /// The surfaces of A and B for the search of regions.
    pub(crate) surfaces: [Arc<MeshSurface>; 2],
    /// What answers for the force.
    pub(crate) response: RegionResponse,
    /// How deep the surfaces may come into each other (m): behind a wall, their own bodies' among them, nothing pushes back.
    pub(crate) depth_limit: f64,
}

/// What answers for the force of a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RegionResponse {
    /// The contact's point law, by the indentation of each region.
    Depth,
    /// By the volume that both solids share.
    Volume(VolumeLaw),
}

impl RegionPair {
    /// Has the force a potential, so that the ledger needs no account of its work?
    pub(crate) fn is_conservative(&self) -> bool {
        matches!(self.response, RegionResponse::Volume(_))
    }
}

/// Radii of the smaller surface that a wall may be thick: what is thicker, nothing comes through.
const ACROSS: f64 = 4.0;
/// Share of the thinnest wall that surfaces may come deep: behind it a region pushes on.
const DEPTH_SHARE: f64 = 0.75;
/// Most of the smaller surface's radius that counts as a wall for the two shares below.
const MOST_SHARE: f64 = 0.25;
/// Share of a wall below which surfaces are near, and that they may travel in a step.
const NEAR_SHARE: f64 = 0.02;
const TRAVEL_SHARE: f64 = 0.25;
/// The same up to which surfaces that touch may have no region: rounding has much less.
const UNFELT_SHARE: f64 = 1e-3;

impl System {
    /// The pair of two surfaces by regions, or why they cannot be one.
    pub(super) fn make_region_pair(
        &self,
        request: &PairRequest,
        name: &str,
    ) -> Result<MadePair, Vec<Problem>> {
        let line = &self.partners.lines[request.line];
        let path = format!("contact.{}", line.name);
        let both = [request.a, request.b];
        let triangles_of = |surface| self.triangles_of(surface, &path, name);
        let shared = [triangles_of(both[0])?, triangles_of(both[1])?];
        let found = [0, 1].map(|side| self.region_surface(both[side], &shared[side], &path, name));
        let (surfaces, trees) = match found {
            [Ok((a, tree_a)), Ok((b, tree_b))] => ([a, b], [tree_a, tree_b]),
            [a, b] => return Err([a.err(), b.err()].into_iter().flatten().flatten().collect()),
        };
        let notes = [0, 1].map(|side| {
            let surface = self.partners.surface_name(both[side]);
            notes_on_regions(name, self.areal_surfaces[both[side]].diagnosis(&shared[side]), surface)
        });
        let bodies = both.map(|s| self.surfaces[s].body);
        let press = (self.nominal_mass(bodies), self.nominal_load(bodies));
        let size = trees[0].radius().min(trees[1].radius());
        let law = self.resolve_region_law(request, (&surfaces, size), press, &path, name)?;
        let walls = [0, 1].map(|side| self.areal_surfaces[both[side]].wall(&trees[side], ACROSS * size));
        let wall = walls.into_iter().flatten().fold(f64::INFINITY, f64::min);
        let scale = wall.min(MOST_SHARE * size);
        let starts_smoothly = law.normal.frozen_damping(1.0, 1.0) == 0.0;
        let meshes = MeshPair {
            surfaces: both,
            trees,
            near: NEAR_SHARE * scale,
            travel_limit: TRAVEL_SHARE * scale,
            unfelt_limit: UNFELT_SHARE * scale,
            thin: None,
            starts_smoothly,
        };
        let pair = RegionPair {
            meshes: Arc::new(meshes),
            surfaces,
            response: law.response,
            depth_limit: DEPTH_SHARE * wall,
        };
        Ok(MadePair {
            data: PairData {
                source: PairSource::Regions(Arc::new(pair)),
                bodies,
                friction: law.friction,
                mu_visc: law.mu_visc,
                rolling: law.rolling,
                rigid: None,
            },
            info: self.pair_info(request, name, REGION_KERNEL, law.description),
            laws: vec![law.normal],
            nominal_mass: press.0,
            feature_names: Vec::new(),
            notes: law.notes.into_iter().chain(notes.into_iter().flatten()).collect(),
        })
    }

    /// A surface for the search of regions and for questions about clearance.
    fn region_surface(
        &self,
        surface: usize,
        mesh: &TriangleMesh,
        path: &str,
        name: &str,
    ) -> Result<(Arc<MeshSurface>, Arc<ClearanceTree>), Vec<Problem>> {
        let own = self.partners.surface_name(surface);
        let refuse = |fault: &dyn std::fmt::Display| {
            let message = format!("pair \"{name}\": contours of \"{own}\" cannot be found: {fault}");
            let help = "`carom mesh repair` the mesh, or use method = \"pcm\" with a pcm block in the law, which takes any triangles";
            vec![Problem::new("E0418", path, message).help(help)]
        };
        let tree = self.areal_surfaces[surface].tree(mesh).map_err(|fault| refuse(&fault))?;
        if let Some(first) = tree.room() {
            return Err(refuse(&format!(
                "its closed part from triangle {first} on is turned inwards, in no other"
            )));
        }
        let searched = self.areal_surfaces[surface].for_regions(mesh).map_err(|fault| refuse(&fault))?;
        Ok((searched, tree))
    }

    /// The law of a pair: by volume if it has such a block, else by the depth of each region.
    fn resolve_region_law(
        &self,
        request: &PairRequest,
        (surfaces, size): (&[Arc<MeshSurface>; 2], f64),
        press: (f64, f64),
        path: &str,
        name: &str,
    ) -> Result<RegionPairLaw, Vec<Problem>> {
        let partners = &self.partners;
        let law = partners.law_of(request);
        if let Some(block) = &law.volume {
            return self.resolve_volume_law(request, block, (surfaces, size), press, path, name);
        }
        let shapes = (&[Curvature::Undefined][..], &[[false; 2]][..]);
        let law = partners.resolve_law(request, shapes, (path, name), press)?;
        let [normal] = law.normal[..] else { unreachable!("one feature has one law") };
        Ok(RegionPairLaw {
            response: RegionResponse::Depth,
            normal,
            friction: law.friction,
            mu_visc: law.mu_visc,
            rolling: law.rolling,
            description: format!("by depth of each region, {}", law.description),
            notes: law.notes,
        })
    }

    fn resolve_volume_law(
        &self,
        request: &PairRequest,
        block: &VolumeBlock,
        (surfaces, size): (&[Arc<MeshSurface>; 2], f64),
        press: (f64, f64),
        path: &str,
        name: &str,
    ) -> Result<RegionPairLaw, Vec<Problem>> {
        let partners = &self.partners;
        // An open surface has no volume; its regions have, wherever no border is inside the other surface.
        let closed = surfaces.iter().filter(|surface| surface.is_closed());
        let volume = closed.map(|s| s.topology().signed_volume).min_by(f64::total_cmp);
        let brought = partners.of_volume(request, (volume, size), press);
        let law = resolve_volume(partners.law_of(request), block, &brought, path, name)?;
        Ok(RegionPairLaw {
            response: RegionResponse::Volume(law.law),
            normal: law.normal,
            friction: law.friction,
            mu_visc: partners.law_of(request).mu_visc,
            rolling: RollingResistance::None,
            description: law.description,
            notes: law.notes,
        })
    }
}

/// The law of a pair with its numbers.
struct RegionPairLaw {
    response: RegionResponse,
    normal: NormalLaw,
    friction: Friction,
    mu_visc: f64,
    rolling: RollingResistance,
    description: String,
    notes: Vec<Note>,
}
