//! The library as its users see it: whole runs and runs by steps, in memory and in folders, and what it says of mistakes.
#![allow(missing_docs)]

use std::path::{Path, PathBuf};

use carom::{EndReason, Error, Overrides, Run, Simulation, Snapshot, Study};
use carom_results::tables::{Table, Values};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(format!("{name}.toml"))
}

/// An example with its expectations, or the first part of one without.
fn open(name: &str, t_end: Option<&str>) -> Study {
    let path = example(name);
    let Some(t_end) = t_end else { return Study::open(path).unwrap() };
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.split("\n[expect]").next().unwrap();
    let overrides = Overrides { t_end: Some(t_end.to_owned()), ..Overrides::default() };
    Study::parse(name, text, path.parent().unwrap(), &overrides).unwrap()
}

fn parse(text: &str) -> Result<Study, Error> {
    Study::parse("given", text, Path::new("."), &Overrides::default())
}

/// A ball that lies on a floor, 1 mm above where it comes to rest.
const BALL: &str = r#"
format = 1
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[law.soft]
point = { normal = "exact", stiffness = "1e7 N/m^1.5", restitution = 0.1, friction = "coulomb" }
mu    = 0.3
[body.floor]
fixed = true
shape = { type = "half-space", normal = "+z" }
[body.ball]
mass  = "2 kg"
pos   = [0, 0, "0.101 m"]
shape = { type = "sphere", radius = "0.1 m" }
[contact]
ground = { a = "floor", b = "ball", method = "analytic", law = "soft" }
[force.push]
type  = "force"
on    = { body = "ball" }
force = [0, 0, 0]
[solver]
t_end = "2 s"
"#;

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("carom-front-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        Self(dir)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The same rows, to the bit: what is not a number is the same as itself.
fn assert_same(one: &Run, other: &Run, what: &str) {
    let bits = |values: &Values| match values {
        Values::Float(numbers) => Values::Text(numbers.iter().map(|x| x.to_bits().to_string()).collect()),
        values => values.clone(),
    };
    for table in Table::ALL {
        let (one, other) = (one.data.table(table).unwrap(), other.data.table(table).unwrap());
        for (index, column) in one.columns().iter().enumerate() {
            let is_same = bits(one.values(index)) == bits(other.values(index));
            assert!(
                is_same,
                "{what}: {} of {}, {} and {} rows",
                column.name(),
                table.name(),
                one.rows(),
                other.rows()
            );
        }
    }
    assert_eq!(one.outcome.bodies, other.outcome.bodies, "{what}");
    assert_eq!(one.verdicts, other.verdicts, "{what}");
}

#[test]
fn a_run_in_memory_by_steps_and_in_a_folder_is_the_same() {
    for (name, t_end) in [
        ("bouncing-ball", None),
        ("slider-crank", None),
        ("spheres-in-box", Some("30 ms")),
        ("gears", Some("2 ms")),
    ] {
        let study = open(name, t_end);
        let whole = study.run().unwrap();
        assert_eq!(whole.outcome.end, EndReason::Finished, "{name}");
        let folder = Folder::new(name);
        let recorded = study.run_into(&folder.0).unwrap();
        assert_same(&whole, &recorded, name);
        assert_eq!(recorded.data.manifest().expectations, whole.verdicts);
        let mut simulation = study.simulate();
        // Looked at after each step.
        while simulation.step().unwrap() < simulation.end() {
            simulation.now().unwrap();
        }
        assert_same(&whole, &simulation.finish().unwrap(), name);
    }
}

#[test]
fn a_snapshot_goes_on_with_the_same_rows_here_and_in_another_simulation() {
    // In a crowd pairs come up as they come near each other.
    for (name, middle, t_end) in [("spheres-in-box", 0.02, Some("40 ms")), ("bouncing-ball", 0.4525, None)] {
        let study = open(name, t_end);
        let mut first = study.simulate();
        first.advance_to(middle).unwrap();
        let snapshot = first.snapshot().unwrap();
        let end = first.end();
        first.advance_to(end).unwrap();
        first.restore(&snapshot).unwrap();
        assert_eq!(first.time(), middle);
        // Somewhere else first, and back.
        first.advance_to(0.5 * (middle + end)).unwrap();
        first.restore(&snapshot).unwrap();
        first.advance_to(end).unwrap();
        let mut straight = study.simulate();
        straight.advance_to(middle).unwrap();
        straight.snapshot().unwrap();
        straight.advance_to(end).unwrap();
        let straight = straight.finish().unwrap();
        assert_same(&straight, &first.finish().unwrap(), name);
    }
}

/// A crowd whose balls are thrown together: pairs come up that were not there; a snapshot of that goes on with the same bits,
/// and what was recorded before the state was set stays.
#[test]
fn a_state_is_set_by_names_and_a_snapshot_knows_it() {
    let study = open("spheres-in-box", Some("40 ms"));
    let mut simulation = study.simulate();
    simulation.advance_to(0.02).unwrap();
    let names = simulation.state_names();
    let mut state = simulation.state().to_vec();
    assert_eq!(names.len(), state.len());
    for (name, value) in names.iter().zip(&mut state) {
        if name.ends_with(".z_rate") {
            *value = -0.5;
        }
    }
    simulation.set_state(&state).unwrap();
    assert_eq!(simulation.state(), &state[..]);
    let snapshot = simulation.snapshot().unwrap();
    simulation.advance_to(0.04).unwrap();
    let first = simulation.finish().unwrap();
    let mut other = study.simulate();
    other.restore(&snapshot).unwrap();
    other.advance_to(0.04).unwrap();
    assert_eq!(other.finish().unwrap().outcome.bodies, first.outcome.bodies);
    let rows = first.data.table(Table::States).unwrap();
    assert!(rows.rows() > 0);
    assert!(first.outcome.residual_relative < 1e-3, "{}", first.outcome.residual_relative);
    let error = study.simulate().set_state(&state[1..]).unwrap_err();
    assert!(error.to_string().contains(&format!(
        "{} values, and {} were given",
        state.len(),
        state.len() - 1
    )));
}

#[test]
fn rows_of_a_branch_that_was_left_never_mix_with_others() {
    let study = parse(BALL).unwrap();
    let mut simulation = study.simulate();
    simulation.advance_to(0.2).unwrap();
    let early = simulation.snapshot().unwrap();
    simulation.advance_to(1.0).unwrap();
    let late = simulation.snapshot().unwrap();
    simulation.restore(&early).unwrap();
    assert_eq!(simulation.time(), 0.2);
    simulation.restore(&late).unwrap_or_else(|error| panic!("{error}"));
    // Another way from the early one, and then where this way has never been.
    simulation.restore(&early).unwrap();
    simulation.set_force("push", Some([0.0, 0.0, 50.0])).unwrap();
    simulation.advance_to(1.5).unwrap();
    simulation.restore(&late).unwrap();
    simulation.advance_to(2.0).unwrap();
    let run = simulation.finish().unwrap();
    let mut straight = study.simulate();
    straight.advance_to(0.2).unwrap();
    straight.advance_to(1.0).unwrap();
    straight.advance_to(2.0).unwrap();
    let straight = straight.finish().unwrap();
    let heights = |run: &Run| {
        let series = run.data.series("ball.z").unwrap();
        series.time.into_iter().zip(series.values).collect::<Vec<_>>()
    };
    let (all, part) = (heights(&straight), heights(&run));
    assert!(part[0].0 > 1.0, "rows begin behind the snapshot, at {}", part[0].0);
    assert_eq!(part[..], all[all.len() - part.len()..], "and are those of the run that it was taken of");
    assert_eq!(run.outcome.bodies, straight.outcome.bodies);
    // A model of as many parts is another model.
    let mut other = parse(&BALL.replace("2 kg", "3 kg")).unwrap().simulate();
    assert!(matches!(other.restore(&late), Err(Error::Snapshot(_))));
    let mut longer = parse(&BALL.replace("t_end = \"2 s\"", "t_end = \"3 s\"")).unwrap().simulate();
    longer.restore(&late).unwrap();
    assert_eq!(longer.time(), 1.0);
    assert!(matches!(study.simulate().advance_to(f64::NAN), Err(Error::Time(_))));
    assert!(matches!(study.simulate().advance_to(f64::INFINITY), Err(Error::Time(_))));
}

#[test]
fn forces_are_read_and_set_by_name() {
    let study = parse(BALL).unwrap();
    let mut simulation = study.simulate();
    simulation.advance_to(1.0).unwrap();
    let now = simulation.now().unwrap();
    let [normal, friction] = now.contact("ground").unwrap();
    // At rest the floor carries the weight; what is left of the bounce is below a millinewton.
    assert!((normal.z - 2.0 * 9.81).abs() < 1e-3 && normal.xy().norm() == 0.0, "{normal}");
    assert!(friction.norm() < 1e-9, "{friction}");
    let rest = now.body("ball").unwrap().position.z;
    assert!((0.1 - rest - (2.0 * 9.81 / 1e7f64).powf(2.0 / 3.0)).abs() < 1e-8, "{rest}");
    // Lifted by more than its weight it leaves with (F - m g)/m.
    simulation.set_force("push", Some([0.0, 0.0, 30.0])).unwrap();
    simulation.advance_to(1.2).unwrap();
    let now = simulation.now().unwrap();
    assert_eq!(now.contact("ground").unwrap()[0].norm(), 0.0);
    assert_eq!(now.force("push").unwrap().force.z, 30.0);
    let (lift, t) = (30.0 / 2.0 - 9.81, 0.2);
    let height = now.body("ball").unwrap().position.z;
    // The floor's spring gives back what it held, which is little: m g d with d of 16 µm.
    assert!((height - rest - 0.5 * lift * t * t).abs() < 2e-3, "{height}");
    let run = simulation.finish().unwrap();
    assert_eq!(run.outcome.end, EndReason::Interrupted);
    assert!(
        run.verdicts.is_empty() && run.outcome.residual_relative < 1e-5,
        "{}",
        run.outcome.residual_relative
    );
}

/// Linear drag by a function, against v = −(g m/c)(1 − e^(−c t/m)); it goes on from a snapshot with the same bits, and from one that
/// was written as a simulation that sets it anew.
#[test]
fn a_force_follows_a_function_and_goes_on_with_it() {
    let study = parse(&BALL.replace("0.101 m", "1 m")).unwrap();
    let (c, m) = (4.0, 2.0);
    let drag =
        carom::LoadFunction::new(move |at| [-c * at.velocity.x, -c * at.velocity.y, -c * at.velocity.z]);
    let mut simulation = study.simulate();
    simulation.set_force_function("push", Some(drag.clone())).unwrap();
    simulation.advance_to(0.3).unwrap();
    let now = simulation.now().unwrap();
    let exact = -9.81 * m / c * (1.0 - f64::exp(-c * 0.3 / m));
    let speed = now.body("ball").unwrap().velocity.z;
    // The tolerance of the model is 1e-6.
    assert!((speed - exact).abs() < 1e-5, "{speed} for {exact}");
    assert!(now.energy.work_external < -0.1 && now.energy.residual.abs() < 1e-5, "{:?}", now.energy);
    let snapshot = simulation.snapshot().unwrap();
    simulation.advance_to(0.4).unwrap();
    let straight = simulation.state().to_vec();
    simulation.restore(&snapshot).unwrap();
    simulation.advance_to(0.4).unwrap();
    assert_eq!(simulation.state(), &straight[..]);
    let written = Snapshot::from_bytes(&snapshot.to_bytes()).unwrap();
    let mut other = study.simulate();
    other.set_force_function("push", Some(drag)).unwrap();
    other.restore(&written).unwrap();
    other.advance_to(0.4).unwrap();
    // Whether the function is that of the snapshot nobody can know: the integrator starts anew.
    assert!(other.state().iter().zip(&straight).all(|(a, b)| (a - b).abs() < 1e-5));
    assert!(matches!(Snapshot::from_bytes(&snapshot.to_bytes()[..20]), Err(Error::Snapshot(_))));
    assert!(matches!(simulation.set_force_function("pull", None), Err(Error::Unknown { .. })));
}

#[test]
fn a_part_that_is_left_at_each_step_goes_on_with_the_same_bits_and_counts_events() {
    let study = parse(&BALL.replace("0.101 m", "0.2 m")).unwrap();
    let mut straight = study.simulate();
    straight.advance_to(0.5).unwrap();
    let mut left = study.simulate();
    let mut parts = 0;
    let mut seen = Vec::new();
    while left.advance_while(0.5, &mut |_, _| std::ops::ControlFlow::Break(())).unwrap() == carom::Part::Left
    {
        parts += 1;
        seen.extend(left.events_since(seen.len()).unwrap().into_iter().map(|event| (event.time, event.kind)));
    }
    assert_eq!(left.state(), straight.state());
    assert!(parts > 10 && !seen.is_empty(), "{parts} parts, {} events", seen.len());
    assert!(seen.iter().all(|(time, _)| *time <= 0.5));
    let touch = (2.0 * 0.1 / 9.81f64).sqrt();
    assert!(seen[0].1 == "contact_begin" && (seen[0].0 - touch).abs() < 1e-9, "{seen:?}");
    assert_eq!(left.events(), seen.len());
    let rows = left.contacts().unwrap();
    assert_eq!(rows.words("pair").unwrap().collect::<Vec<_>>(), ["ground"]);
    assert!(matches!(left.advance_while(f64::NAN, &mut |_, _| unreachable!()), Err(Error::Time(_))));
}

#[test]
fn mistakes_are_errors_with_codes_places_and_remedies() {
    let wrong = BALL.replace("mass  = \"2 kg\"", "mass  = \"2 km\"");
    let Err(error) = parse(&wrong) else { panic!("a mass in kilometres") };
    let text = error.to_string();
    assert!(error.code().is_some_and(|code| code.starts_with('E')), "{text}");
    assert!(text.contains("given:12") && text.contains("2 km"), "{text}");
    assert_eq!(format!("{error:?}"), text, "what `main` prints");
    let misspelt = format!("{BALL}[expect]\n\"ball.zz final\" = {{ above = 0 }}\n");
    assert_eq!(parse(&misspelt).err().and_then(|e| e.code().map(str::to_owned)).as_deref(), Some("E0505"));
    assert!(Study::open("there-is-no-such.toml").err().is_some_and(|e| e.code() == Some("E0204")));

    let study = parse(BALL).unwrap();
    let mut simulation = study.simulate();
    let unknown = simulation.set_force("pull", None).unwrap_err().to_string();
    assert!(unknown.contains("\"pull\"") && unknown.contains("push"), "{unknown}");
    let infinite = simulation.set_force("push", Some([f64::INFINITY, 0.0, 0.0])).unwrap_err().to_string();
    assert!(infinite.contains("\"push\"") && infinite.contains("finite"), "{infinite}");
    let none = simulation.set_motor("hinge", Some(1.0)).unwrap_err().to_string();
    assert!(none.contains("the model has none"), "{none}");
    let now = simulation.now().unwrap();
    for unknown in [now.body("bal").map(|_| ()), now.joint("x").map(|_| ()), now.contact("grund").map(|_| ())]
    {
        assert!(matches!(unknown, Err(Error::Unknown { .. })));
    }
    let folder = Folder::new("not-empty");
    std::fs::create_dir_all(&folder.0).unwrap();
    std::fs::write(folder.0.join("notes.txt"), "mine").unwrap();
    assert!(study.run_into(&folder.0).err().is_some_and(|e| e.code() == Some("E0711")));
    assert_eq!(std::fs::read_to_string(folder.0.join("notes.txt")).unwrap(), "mine");
}

#[test]
fn a_run_that_fails_says_so_in_its_outcome_or_in_its_step() {
    // Deeper than a law of pcm sees: the force is far too large for the layer.
    let text = BALL.replace("[solver]\n", "[solver]\nmax_steps = 20\n");
    let study = parse(&text).unwrap();
    let run = study.run().unwrap();
    let EndReason::Failed(error) = &run.outcome.end else { panic!("{:?}", run.outcome.end) };
    let mut simulation = study.simulate();
    let Err(Error::Run(of_step)) = simulation.advance_to(2.0) else { panic!("it goes on") };
    assert_eq!((of_step.code, of_step.time), (error.code, error.time));
    // It stays so: what has failed is not tried again, and its end says why.
    assert!(matches!(simulation.step(), Err(Error::Run(again)) if again == of_step));
    assert_eq!(simulation.finish().unwrap().outcome.end, run.outcome.end);
    assert!(run.verdicts.is_empty() && !run.data.series("ball.z").unwrap().values.is_empty());
}

#[test]
fn simulations_move_between_threads() {
    fn can_move<T: Send>() {}
    can_move::<Simulation>();
    can_move::<Study>();
    can_move::<Snapshot>();
    can_move::<Error>();
}

/// A weight falls 0.4 m onto its rope: m g + √((m g)² + 2 m g h k), far above what the two output times see.
#[test]
fn the_greatest_tension_of_a_rope_is_the_located_one_under_its_own_name() {
    let study = parse(
        r#"
        format = 1
        world = { gravity = [0, 0, "-10 m/s^2"] }
        [body.weight]
        mass = "2 kg"
        inertia = "0.01 kg*m^2"
        pos = [0, 0, "-0.6 m"]
        [force.rope]
        type = "cable"
        path = [{ body = "world" }, { body = "weight" }]
        length = "1 m"
        stiffness = "5 kN/m"
        [solver]
        t_end = "1 s"
        rtol = 1e-9
        [output]
        every = "1 s"
        [expect]
        "rope.value max" = { value = "303.5489376 N", tol = "1 mN" }
        "rope.begin[0].time" = { value = "sqrt(0.08)*1 s", tol = "1 us" }
        "#,
    )
    .unwrap();
    let run = study.run().unwrap();
    assert!(run.verdicts.len() == 2 && run.verdicts.iter().all(|v| v.passed), "{:?}", run.verdicts);
    assert_eq!(run.data.manifest().totals[0].max_fn_n, run.verdicts[0].measured);
}
