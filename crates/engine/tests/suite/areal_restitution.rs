//! Restitution of areal contact: central impacts deliver what was asked for, whatever the shapes, and what is hit harder than it
//! began is damped as from its hit.

use carom_engine::analysis::Rates;
use carom_engine::law::{ArealBlock, ArealForm, Law, Layers, NormalKind, damping_factor, layer_modulus};
use carom_engine::model::{BaseSide, Body, IntegratorKind, LayerSide, Method};
use carom_engine::record::EventKind;
use carom_engine::{Model, Simulation, System};
use carom_geometry::TriangleMesh;
use carom_geometry::surface::{self, Resolution};
use carom_math::{Mat3, Pose, Vec3};

use crate::scene::{self, of_mesh};

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.4;
const LAYER: f64 = 0.01;
pub(crate) const MASS: f64 = 10.0;
const RESTITUTIONS: [f64; 4] = [0.1, 0.5, 0.9, 1.0];

const KINDS: [IntegratorKind; 6] = [
    IntegratorKind::Ode45,
    IntegratorKind::Dop853,
    IntegratorKind::Ode113,
    IntegratorKind::Radau5,
    IntegratorKind::Bdf,
    IntegratorKind::Rodas3,
];

/// c_l (N/m³).
pub(crate) fn stiffness() -> f64 {
    layer_modulus(YOUNG, POISSON) / LAYER
}

pub(crate) fn bouncy(restitution: f64) -> Law {
    Law {
        young_modulus: Some(YOUNG),
        poisson_ratio: Some(POISSON),
        mu: Some(0.0),
        v_reg: Some(1e-3),
        point: None,
        areal: Some(ArealBlock {
            layers: Layers::One(LAYER),
            young_modulus: None,
            poisson_ratio: None,
            u_max: Some(0.03),
            may_exceed: false,
            damping: [0.0; 2],
            restitution: Some(restitution),
            v_small: 0.01,
            form: ArealForm::Ramped(None),
        }),
        volume: None,
        rigid: None,
        ..scene::law(NormalKind::None, 1.0)
    }
}

pub(crate) fn plate(half: f64, cells: u32) -> Body {
    let mesh = surface::rectangle(half, half, Resolution::Divisions(cells)).unwrap();
    scene::fixed("plate", of_mesh(mesh), Pose::identity())
}

/// A body that comes down along z.
fn falling(mesh: TriangleMesh, height: f64, speed: f64) -> Body {
    let pose = Pose::from_translation(Vec3::new(0.0, 0.0, height));
    let mut body = scene::body("faller", MASS, Mat3::identity() * 0.05, of_mesh(mesh), pose);
    body.velocity.z = -speed;
    body
}

/// A cube of 0.2 m, its face `gap` above the plate.
fn cube(gap: f64, speed: f64) -> Body {
    let half = Vec3::new(0.1, 0.1, 0.1);
    falling(surface::block(half, Resolution::Divisions(4)).unwrap(), 0.1 + gap, speed)
}

fn impact(bodies: Vec<Body>, restitution: f64, base: BaseSide, t_end: f64, rtol: f64) -> Model {
    let mut model = scene::model(bodies, bouncy(restitution), 0.0, t_end, rtol);
    model.contact_lines[0].method = Method::Pcm;
    model.contact_lines[0].base = base;
    model
}

/// Runs a central impact of the second body; returns its speed back over that before, after checks that hold for all.
fn delivered(model: &Model) -> f64 {
    let (outcome, keeper) = scene::run(model);
    let kind = |kind| keeper.times(kind).len();
    assert_eq!((kind(EventKind::ContactBegin), kind(EventKind::ContactEnd)), (1, 1));
    let speed = -model.bodies[1].velocity.z;
    let begin = &keeper.events[0];
    assert!(begin.gap.abs() < 1e-12 && begin.approach_speed > 0.0);
    // What is lost is booked as such: the ledger balances to the tolerance times the steps of an impact.
    let residual = outcome.residual_relative;
    assert!(residual < 1e3 * model.solver.rtol, "{residual:.2e}");
    outcome.bodies[1].velocity.z / speed
}

/// A face on a plate, either of them the base: K(δ) = c A δ. Each method delivers e to 1e-6 at its tolerance of 1e-10.
#[test]
fn flat_faces_deliver_the_restitution() {
    for kind in KINDS {
        for base in [BaseSide::A, BaseSide::B, BaseSide::Both] {
            for e in RESTITUTIONS {
                let mut model = impact(vec![plate(0.5, 20), cube(0.01, 1.0)], e, base, 0.1, 1e-10);
                model.solver.method = kind;
                let out = delivered(&model);
                assert!((out - e).abs() < 1e-6, "{} {base:?}: {e} delivered as {out}", kind.name());
            }
        }
    }
}

/// A sphere on a plate, δ/R below 0.01, 1e4 facets on what is the base: barycentres come and go, K(δ) is what they make it, and
/// turning by their unevenness takes less than a thousandth.
#[test]
fn spheres_deliver_the_restitution_with_either_base() {
    let radius = 0.1;
    for kind in [IntegratorKind::Ode45, IntegratorKind::Radau5] {
        for (base, cells, facets) in [(BaseSide::A, 70, 5_120), (BaseSide::B, 1, 10_000)] {
            for e in RESTITUTIONS {
                let mesh = surface::sphere(radius, Resolution::Facets(facets)).unwrap();
                let ball = falling(mesh, radius + 1e-4, 0.05);
                let mut model = impact(vec![plate(0.05, cells), ball], e, base, 0.2, 1e-8);
                model.solver.method = kind;
                let out = delivered(&model);
                assert!((out - e).abs() < 1e-3, "{} {base:?}: {e} delivered as {out}", kind.name());
                let (outcome, _) = scene::run(&model);
                let depth = outcome.pairs[0].peaks.penetration.value;
                assert!((1e-3..1e-2).contains(&(depth / radius)), "{depth}");
            }
        }
    }
}

/// A sphere that comes down along the axis of a torus: every element of the seat is inclined to the motion, and meets the same
/// share of its own beginning.
#[test]
fn an_annular_seat_delivers_the_restitution() {
    let (ring, tube, radius) = (0.1_f64, 0.03, 0.12);
    // Centre of the sphere over that of the ring where they touch.
    let height = ((radius + tube) * (radius + tube) - ring * ring).sqrt();
    for base in [BaseSide::A, BaseSide::B] {
        for e in RESTITUTIONS {
            let seat = surface::torus(ring, tube, Resolution::Facets(10_000)).unwrap();
            let seat = scene::fixed("seat", of_mesh(seat), Pose::identity());
            let mesh = surface::sphere(radius, Resolution::Facets(10_000)).unwrap();
            let ball = falling(mesh, height + 1e-3, 0.1);
            let out = delivered(&impact(vec![seat, ball], e, base, 0.1, 1e-8));
            assert!((out - e).abs() < 1e-3, "{base:?}: {e} delivered as {out}");
        }
    }
}

/// A face that starts inside the plate, coming down: its beginning is the start. m v dv = −K δ (1 + χ v/v⁻) dδ gives
/// m v⁻² (G(x) − G(1)) = K δ₀²/2 for the x = v/v⁻ at which it leaves, with G = x/χ − ln(1 + χx)/χ².
#[test]
fn an_overlap_at_the_start_begins_there() {
    let (overlap, speed, e) = (3e-4, 1.0, 0.5);
    let model = impact(vec![plate(0.5, 1), cube(-overlap, speed)], e, BaseSide::B, 0.05, 1e-10);
    let (outcome, keeper) = scene::run(&model);
    let chi = damping_factor(NormalKind::Exact, e).unwrap();
    let g = |x: f64| x / chi - (chi * x).ln_1p() / (chi * chi);
    let x = -outcome.bodies[1].velocity.z / speed;
    let stored = 0.5 * stiffness() * 0.04 * overlap * overlap;
    let left = MASS * speed * speed * (g(x) - g(1.0)) - stored;
    assert!(left.abs() < 1e-6 * stored, "{x} {left}");
    assert_eq!((keeper.events[0].time, keeper.events[0].law_approach_speed), (0.0, speed));
}

/// Rates of block and hammer one over the other, each a mass on its foundation: positions and velocities upwards.
fn stack(state: [f64; 4], reference: [f64; 2], chi: f64) -> [f64; 4] {
    let k = stiffness() * 0.04;
    let [z1, z2, v1, v2] = state;
    let force = |u: f64, w: f64, d: f64| (k * u.max(0.0) * (1.0 + chi * (w / d).min(1.0))).max(0.0);
    let f1 = force(-z1, -v1, reference[0]);
    let f2 = force(z1 - z2, v1 - v2, reference[1]);
    [v1, v2, (f1 - f2) / MASS, f2 / MASS]
}

/// A block comes down softly and is struck by another one while it is in contact. The damper of the soft beginning would be a
/// hundred times too strong; the contact takes the speed of the stroke. The same two masses, integrated apart with the
/// greatest speed so far in place of the approach at the beginning, say what should come out: the engine takes it at the
/// ends of its steps, which is worth 1e-3 at these tolerances.
#[test]
fn a_harder_hit_meets_its_own_damper() {
    let (soft, hard, e) = (0.01, 1.0, 0.5);
    let chi = damping_factor(NormalKind::Exact, e).unwrap();
    // The hammer arrives half a millisecond after the block.
    let head = 2e-6;
    let gap = head + (hard - soft) * (head / soft + 5e-4);
    let block = cube(head, soft);
    let mut hammer = cube(0.2 + head + gap, hard);
    hammer.name = "hammer".to_owned();
    hammer.shapes[0].name = "hammer".to_owned();
    let mut model = impact(vec![plate(0.5, 1), block, hammer], e, BaseSide::B, 0.02, 1e-8);
    model.pairs.retain(|pair| !(pair.a.body == 0 && pair.b.body == 2));
    let (outcome, keeper) = scene::run(&model);

    let h = 1e-7;
    let mut state = [head, head + gap, -soft, -hard];
    let mut reference = [soft, hard - soft];
    for _ in 0..200_000 {
        let shifted = |k: [f64; 4], by: f64| std::array::from_fn(|i| state[i] + by * k[i]);
        let k1 = stack(state, reference, chi);
        let k2 = stack(shifted(k1, 0.5 * h), reference, chi);
        let k3 = stack(shifted(k2, 0.5 * h), reference, chi);
        let k4 = stack(shifted(k3, h), reference, chi);
        state = std::array::from_fn(|i| state[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
        if state[0] < 0.0 {
            reference[0] = reference[0].max(-state[2]);
        }
        if state[1] < state[0] {
            reference[1] = reference[1].max(state[2] - state[3]);
        }
    }
    // The block takes nearly half of what the hammer brings: tens of times what it began with.
    assert!(reference[0] > 0.3, "{reference:?}");
    let out = [1, 2].map(|b: usize| outcome.bodies[b].velocity.z);
    for (engine, apart) in out.into_iter().zip([state[2], state[3]]) {
        assert!((engine - apart).abs() < 1e-3, "{out:?} {state:?}");
    }
    // The event that ends it tells the speed that its law kept.
    let end = keeper.events.iter().find(|ev| ev.kind == EventKind::ContactEnd && ev.contact == 0).unwrap();
    assert!((end.begin_speed - soft).abs() < 1e-9, "{end:?}");
    assert!((end.law_approach_speed / reference[0] - 1.0).abs() < 1e-2, "{end:?} {reference:?}");
    assert!(outcome.residual_relative < 1e-5, "{:.2e}", outcome.residual_relative);
}

/// In the middle of it a checkpoint has how contacts began: the rest of the run has the same bits.
#[test]
fn a_checkpoint_has_how_contacts_began() {
    for kind in [IntegratorKind::Ode45, IntegratorKind::Ode113, IntegratorKind::Radau5] {
        let mut model = crate::areal::collision(BaseSide::Both, &Mat3::identity(), &Vec3::zeros());
        model.laws[0].areal.as_mut().unwrap().restitution = Some(0.4);
        model.solver.method = kind;
        let system = System::compile(&model).expect("a sound model");
        let mut met = 0;
        for after in 1..20 {
            let mut whole = scene::Keeper { checkpoint_after: after, ..scene::Keeper::default() };
            let outcome = Simulation::new(&system).run(&mut whole).unwrap();
            let Some((image, frames, events)) = whole.checkpoints.first() else { break };
            let count = |k: EventKind| whole.events[..*events].iter().filter(|ev| ev.kind == k).count();
            if count(EventKind::ContactBegin) == count(EventKind::ContactEnd) {
                continue;
            }
            met += 1;
            let mut rest = scene::Keeper::default();
            let resumed = Simulation::resume(&system, image).unwrap().run(&mut rest).unwrap();
            assert_eq!(outcome.bodies, resumed.bodies);
            assert_eq!(outcome.energy, resumed.energy);
            assert_eq!(outcome.pairs, resumed.pairs);
            assert_eq!(rest.frames, whole.frames[*frames..]);
            assert_eq!(rest.events, whole.events[*events..]);
        }
        assert!(met > 0, "{}: no checkpoint within the contact", kind.name());
    }
}

/// Derivatives in closed form with contacts that have begun faster, slower, and turning otherwise: r below 1, at its bound, and
/// both from element to element.
#[test]
fn tangents_have_the_restitution_in_them() {
    for base in [BaseSide::A, BaseSide::B, BaseSide::Both] {
        for (damping, faster) in [([0.0; 2], 2.0), ([1e4, 0.0], 1.3), ([0.0, 2e4], 0.5)] {
            let mut model = crate::areal::collision(base, &Mat3::identity(), &Vec3::zeros());
            model.bodies[1].position.z -= 0.03;
            model.laws[0].v_reg = Some(0.5);
            let block = model.laws[0].areal.as_mut().unwrap();
            (block.restitution, block.damping) = (Some(0.3), damping);
            let system = System::compile(&model).expect("a sound model");
            let mut rates = Rates::in_contact(&system);
            let mut began = rates.initial().to_vec();
            // Velocities and angular velocities of both bodies.
            for first in [7, 20] {
                began[first..first + 6].iter_mut().for_each(|v| *v *= faster);
            }
            let undamped = crate::tangent::miss_of(&mut rates, 1e-3);
            rates.begin_areal_at(0.0, &began);
            let miss = crate::tangent::miss_of(&mut rates, 1e-3);
            assert!(undamped.max(miss) < 1e-6, "{base:?} {faster} {undamped:.2e} {miss:.2e}");
        }
    }
}

/// Layers on A, on B, and on both: twice the compliance on both, and the contact point on the soft body's surface or between.
#[test]
fn a_contact_line_says_which_body_is_soft() {
    let force = |layer_on: LayerSide, base: BaseSide| {
        let mut model = impact(vec![plate(0.5, 20), cube(-1e-3, 0.0)], 1.0, base, 1e-9, 1e-6);
        model.contact_lines[0].layer_on = layer_on;
        let (_, keeper) = scene::run(&model);
        let contact = &keeper.frames[0].contacts[0];
        (contact.normal_force, contact.position.z)
    };
    let whole = stiffness() * 0.04 * 1e-3;
    for base in [BaseSide::A, BaseSide::B] {
        // The cube's face is at z = −1 mm, the plate at 0: the rigid surface is where both meet.
        for (layer_on, share, at) in
            [(LayerSide::A, 1.0, -1e-3), (LayerSide::B, 1.0, 0.0), (LayerSide::Both, 0.5, -5e-4)]
        {
            let (force, z) = force(layer_on, base);
            assert!((force / whole - share).abs() < 1e-6, "{base:?} {layer_on:?} {force}");
            assert!((z - at).abs() < 1e-9, "{base:?} {layer_on:?} {z}");
        }
    }
    let of_base = [BaseSide::A, BaseSide::B].map(|base| force(LayerSide::Base, base));
    assert_eq!(of_base, [force(LayerSide::A, BaseSide::A), force(LayerSide::B, BaseSide::B)]);
}

/// A law that gives A and B thicknesses of their own leaves nothing to say.
#[test]
fn layers_are_stated_once() {
    let mut model = impact(vec![plate(0.5, 1), cube(0.1, 1.0)], 1.0, BaseSide::B, 0.1, 1e-6);
    model.laws[0].areal.as_mut().unwrap().layers = Layers::Each([0.01, 0.0]);
    model.contact_lines[0].layer_on = LayerSide::B;
    let problems = System::compile(&model).expect_err("a refusal");
    assert_eq!((problems[0].code, problems[0].path.as_str()), ("E0407", "contact.all.layer_on"));
}

/// The law that `check` prints says all that it does, and what it cannot.
#[test]
fn the_law_is_told_in_words() {
    let mut model = impact(vec![plate(0.5, 1), cube(0.1, 1.0)], 0.5, BaseSide::B, 0.1, 1e-6);
    let words = |model: &Model| {
        let system = System::compile(model).expect("a sound model");
        (system.info().pairs[0].law.clone(), system.notes().iter().map(|n| n.code).collect::<Vec<_>>())
    };
    let (law, notes) = words(&model);
    assert!(law.contains("layer on B") && law.contains("restitution 0.5 (chi = 1.43"), "{law}");
    assert!(!law.contains("damping") && !notes.contains(&"N0402"), "{law} {notes:?}");
    let block = model.laws[0].areal.as_mut().unwrap();
    (block.restitution, block.damping) = (Some(0.0), [1e4, 0.0]);
    let (law, notes) = words(&model);
    assert!(law.contains("1.000000e4 N s/m^3 in compression and 0.000000e0 in expansion"), "{law}");
    assert!(law.contains("restitution 0.01") && notes.contains(&"N0402"), "{law} {notes:?}");
    model.laws[0].areal.as_mut().unwrap().restitution = Some(1.5);
    assert!(model.validate().iter().any(|p| p.code == "E0406" && p.path == "law.law.pcm.restitution"));
}
