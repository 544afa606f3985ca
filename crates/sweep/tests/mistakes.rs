//! What is wrong with a study is told before its first run, all of it, where the study says it; what goes wrong in a run is in its row.
#![allow(missing_docs)]

use std::path::PathBuf;

use carom::Error;
use carom_io::study::read_study;
use carom_sweep::{Plan, Reports, make_run};

const BALL: &str = r#"format = 1
[params]
e = 0.5
drop = "1 m"
[law.soft]
mu = 0.2
point = { normal = "exact", stiffness = "1e7 N/m^1.5", restitution = "e" }
[body.ground]
fixed = true
shape = { type = "half-space", normal = "+z" }
[body.ball]
mass = "1 kg"
pos = [0, 0, "drop"]
shape = { type = "sphere", radius = "50 mm" }
[contact]
floor = { a = "ground", b = "ball", method = "analytic", law = "soft" }
[world]
gravity = [0, 0, "-9.81 m/s^2"]
[solver]
t_end = "0.1 s"
"#;

/// A folder with the model that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("carom-mistakes-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("ball.toml"), BALL).unwrap();
        Self(dir)
    }

    /// Plan of a study of the model; the text begins in line 3 of its file.
    fn plan(&self, text: &str) -> Result<Plan, Error> {
        let file = self.0.join("study.toml");
        std::fs::write(&file, format!("format = 1\nmodel = \"ball.toml\"\n{text}")).unwrap();
        Ok(Plan::new(read_study(&file)?))
    }

    /// Code, line, and what is underlined of each mistake, in the order of the report. All are in the study's file.
    fn mistakes(&self, text: &str) -> Vec<(&'static str, usize, String)> {
        let Err(Error::Model(report)) = self.plan(text).and_then(|plan| plan.examine()) else {
            panic!("nothing is wrong with {text}");
        };
        let place = |told: &carom_io::Diagnostic| {
            let place = told.location.clone().unwrap_or_else(|| panic!("without place: {told:?}"));
            assert!(place.file.ends_with("study.toml"), "{told:?}");
            assert!(place.source_line.contains(&place.text), "{told:?}");
            (told.problem.code, place.line, place.text)
        };
        report.diagnostics.iter().map(place).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn all_mistakes_come_at_once_where_the_study_has_them() {
    let folder = Folder::new("all");
    let told = folder.mistakes(
        r#"[vary]
"params.nosuch" = [1, 2]
"body.ball.mass" = ["1 kg", "2 kg", "2 s", true, "3 kgg"]
"params.e" = [0.3, 0.4, "0.6 m"]
"solver.rtol" = { from = "1e-6 m", to = "1e-8 m", count = 2, scale = "log" }
"contact.floor.method" = ["analytic", "analitic"]
[sample]
method = "random"
count = 2
[sample.of]
"law.soft.myu" = { uniform = [0.1, 0.3] }
"params.drop" = { uniform = ["1 s", "2 s"] }
[result]
good = "floor.fn max"
bad = "flor.fn max"
worse = "ball.zz @ end"
"#,
    );
    let told: Vec<_> = told.iter().map(|(code, line, text)| (*code, *line, text.as_str())).collect();
    assert_eq!(
        told,
        [
            ("E0208", 4, "\"params.nosuch\""),
            ("E0104", 5, "\"2 s\""),
            ("E0106", 5, "true"),
            ("E0108", 5, "\"3 kgg\""),
            // Wrong where the model uses it: with it alone, so it is this value that is told.
            ("E0104", 6, "\"0.6 m\""),
            ("E0104", 7, "{ from = \"1e-6 m\", to = \"1e-8 m\", count = 2, scale = \"log\" }"),
            ("E0107", 8, "\"analitic\""),
            ("E0208", 13, "\"law.soft.myu\""),
            ("E0104", 14, "{ uniform = [\"1 s\", \"2 s\"] }"),
            ("E0707", 17, "\"flor.fn max\""),
            ("E0707", 18, "\"ball.zz @ end\""),
        ]
    );
}

#[test]
fn a_mistake_that_shows_in_the_model_is_told_in_the_study_with_both_places_and_a_remedy() {
    let folder = Folder::new("related");
    let plan = folder.plan("[vary]\n\"params.drop\" = [\"1 m\"]\n\"params.e\" = [-1.0, 0.5]\n").unwrap();
    let Err(Error::Model(report)) = plan.examine() else { panic!("a restitution of -1") };
    let [told] = report.diagnostics.as_slice() else { panic!("{report:?}") };
    let place = told.location.as_ref().unwrap();
    assert_eq!((place.line, place.text.as_str()), (5, "-1.0"));
    let (model, _) = told.related.as_ref().unwrap();
    assert!(model.file.ends_with("ball.toml") && model.line == 7, "{model:?}");
    let plan = folder.plan("[vary]\n\"body.bal.mass\" = [\"1 kg\"]\n").unwrap();
    let Err(Error::Model(report)) = plan.examine() else { panic!("there is no bal") };
    assert!(report.diagnostics[0].problem.help.as_ref().unwrap().contains("ball"), "{report:?}");
}

#[test]
fn a_key_that_is_varied_and_drawn_is_told_at_both_places() {
    let folder = Folder::new("twice");
    let drawn =
        "[sample]\nmethod = \"sobol\"\ncount = 2\n[sample.of]\n\"params.e\" = { uniform = [0.1, 0.3] }\n";
    let told = folder.mistakes(&format!("[vary]\n\"params.e\" = [0.3]\n{drawn}"));
    assert_eq!(told, [("E0901", 9, "\"params.e\"".to_owned())]);
}

#[test]
fn mistakes_of_the_model_itself_stay_in_its_file() {
    let folder = Folder::new("model");
    std::fs::write(folder.0.join("ball.toml"), BALL.replace("mu = 0.2", "mu = -0.2")).unwrap();
    let Err(Error::Model(report)) =
        folder.plan("[vary]\n\"params.e\" = [0.3, true]\n").and_then(|plan| plan.examine())
    else {
        panic!("a friction of -0.2")
    };
    let places: Vec<_> = report.diagnostics.iter().map(|told| told.location.as_ref().unwrap()).collect();
    assert_eq!(places.len(), 2, "{report:?}");
    assert!(places.iter().any(|place| place.file.ends_with("ball.toml") && place.line == 6), "{report:?}");
    assert!(
        places.iter().any(|place| place.file.ends_with("study.toml") && place.text == "true"),
        "{report:?}"
    );
}

#[test]
fn a_value_that_only_a_later_run_refuses_is_a_row_with_its_code() {
    let folder = Folder::new("later");
    let plan = folder.plan("[vary]\n\"params.e\" = [0.3, -1.0]\n").unwrap();
    assert!(plan.examine().is_ok());
    let row = make_run(&plan, &plan.cases[1], &folder.0.join("out"), Reports::LeftOut);
    assert_eq!((row.end.as_str(), row.code.as_str()), ("refused", "E0406"));
}

/// A kill may come between the end of a run and its row: whoever goes on finds the folder of a failed run.
#[test]
fn a_failed_run_that_is_made_again_keeps_its_code() {
    let folder = Folder::new("again");
    let plan = folder.plan("[vary]\n\"solver.max_steps\" = [3]\n\"solver.t_end\" = [\"1 s\"]\n[result]\nz = \"ball.z @ end\"\n").unwrap();
    let row = make_run(&plan, &plan.cases[0], &folder.0.join("out"), Reports::LeftOut);
    assert_eq!(row.end, "failed");
    assert!(row.code.starts_with("E06") && row.message.contains(&row.code), "{row:?}");
    let again = make_run(&plan, &plan.cases[0], &folder.0.join("out"), Reports::LeftOut);
    assert_eq!(carom_sweep::Row { wall: row.wall, ..again }, row);
}
