//! Mistakes of a study, all of them before its first run and at their places in its file.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::PathBuf;

use carom::{Error, Overrides, Study, problem_of};
use carom_io::study::Setting;
use carom_io::{Diagnostic, Report};
use carom_results::{Scene, check_expectation};

use crate::Plan;

/// What a study that is right is of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// Hash of the first model.
    pub hash: String,
    /// All files that its models are read from.
    pub files: Vec<PathBuf>,
}

impl Plan {
    /// Refuses what is right in no run, before any: keys and quantities that do not exist, values of another type or dimension, and
    /// whatever is wrong with the first run. A value that only makes a bad model later is left to its run. Of values of one kind (a
    /// number in a unit) one is tried: the models loaded grow with kinds, not with runs.
    pub fn examine(&self) -> Result<Examined, Error> {
        let (told, unknown, files) = (Vec::new(), BTreeSet::new(), RefCell::default());
        let mut examiner = Examiner { plan: self, told, unknown, files };
        let settings = self.cases.first().map_or(&[][..], |case| &case.settings);
        let first: Vec<_> =
            settings.iter().enumerate().map(|(key, setting)| Choice { key, value: 0, setting }).collect();
        let (sound, base) = examiner.sound_part(first)?;
        let known = base.as_ref().map_or_else(|errors| errors.clone(), |_| Vec::new());
        examiner.try_other_kinds(&sound, &known);
        examiner.told.extend(known);
        if let Ok(study) = &base {
            examiner.check_results(study);
        }
        match base {
            Ok(study) if examiner.told.is_empty() => Ok(Examined {
                hash: study.loaded().hash.clone(),
                files: examiner.files.into_inner().into_iter().collect(),
            }),
            _ => Err(Report::new(examiner.told).into()),
        }
    }
}

/// A value of a key: both by number, and what it is.
#[derive(Clone, Copy)]
struct Choice<'a> {
    key: usize,
    value: usize,
    setting: &'a Setting,
}

struct Examiner<'a> {
    plan: &'a Plan,
    told: Vec<Diagnostic>,
    /// Keys that do not exist.
    unknown: BTreeSet<usize>,
    /// Files of all models that were tried.
    files: RefCell<BTreeSet<PathBuf>>,
}

/// What is right of the first run, and its model, or what is wrong with that all the same.
type Sound<'a> = (Vec<Choice<'a>>, Result<Study, Vec<Diagnostic>>);

impl<'a> Examiner<'a> {
    fn open(&self, choices: &[Choice<'_>]) -> Result<Study, Report> {
        let set = choices.iter().map(|choice| self.plan.set(choice.key, choice.setting)).collect();
        let loaded = carom_io::load(&self.plan.study.model, &Overrides { set, ..Overrides::default() })?;
        self.files.borrow_mut().extend(loaded.files.iter().cloned());
        Study::new(loaded)
    }

    /// Tells what settings of the first run do wrong, and leaves them out: what stays is wrong with the model itself. An error in the
    /// model's file is that of the setting without which it is gone.
    fn sound_part(&mut self, first: Vec<Choice<'a>>) -> Result<Sound<'a>, Report> {
        let mut sound = first;
        let mut rest = loop {
            let report = match self.open(&sound) {
                Ok(study) => return Ok((sound, Ok(study))),
                Err(report) if report.unreadable => return Err(report),
                Err(report) => report,
            };
            let (errors, before) = (errors(report), sound.clone());
            for error in &errors {
                if let Some(choice) = before.iter().find(|choice| self.is_in(error, **choice)) {
                    self.tell(error, *choice);
                    sound.retain(|other| other.key != choice.key);
                }
            }
            if sound.len() == before.len() {
                break errors;
            }
        };
        for choice in sound.clone() {
            let without: Vec<_> = sound.iter().copied().filter(|other| other.key != choice.key).collect();
            let left = match self.open(&without) {
                Ok(_) => Vec::new(),
                Err(report) => errors(report),
            };
            let (stays, gone): (Vec<_>, Vec<_>) = rest.into_iter().partition(|error| has(&left, error));
            for error in &gone {
                self.tell(error, choice);
            }
            if !gone.is_empty() {
                sound = without;
            }
            rest = stays;
            if rest.is_empty() {
                break;
            }
        }
        let base = self.open(&sound).map_err(errors);
        Ok((sound, base))
    }

    /// Values of lists that are written in another way than those before.
    fn try_other_kinds(&mut self, sound: &[Choice<'a>], known: &[Diagnostic]) {
        for (key, axis) in self.plan.study.axes.iter().enumerate() {
            if self.unknown.contains(&key) {
                continue;
            }
            let mut kinds = BTreeSet::new();
            for (value, setting) in axis.values.iter().enumerate() {
                if !kinds.insert(setting.kind()) || value == 0 {
                    continue;
                }
                let choice = Choice { key, value, setting };
                let mut choices: Vec<_> = sound.iter().copied().filter(|other| other.key != key).collect();
                choices.push(choice);
                choices.sort_by_key(|choice| choice.key);
                let Err(report) = self.open(&choices) else { continue };
                for error in errors(report).iter().filter(|error| cannot_be_read(error) && !has(known, error))
                {
                    self.tell(error, choice);
                }
            }
        }
    }

    fn check_results(&mut self, study: &Study) {
        let scene = Scene::new(study.system().info());
        for (name, measure) in &self.plan.study.results {
            let Err(error) = check_expectation(&scene, measure) else { continue };
            let path = format!("result.{name}");
            let location = self.plan.study.places.value(&path, 0);
            let mut problem = problem_of(&error);
            problem.path = path;
            self.told.push(Diagnostic { problem, location, related: None });
        }
    }

    /// Is an error in the text of this setting, rather than in a file of the model?
    fn is_in(&self, error: &Diagnostic, choice: Choice<'_>) -> bool {
        let Some(location) = error.location.as_ref().filter(|place| place.file == "--set") else {
            return false;
        };
        location.source_line.split_once('=').is_some_and(|(key, _)| key == self.plan.keys[choice.key])
    }

    /// Tells an error at the place of a setting in the study's file.
    fn tell(&mut self, error: &Diagnostic, choice: Choice<'_>) {
        let (study, name) = (&self.plan.study, &self.plan.keys[choice.key]);
        let table = if choice.key < study.axes.len() { "vary" } else { "sample.of" };
        let path = format!("{table}.{name}");
        let is_own = self.is_in(error, choice);
        let is_key = is_own && error.location.as_ref().is_some_and(|place| place.column == 1);
        let place = if is_key {
            self.unknown.insert(choice.key);
            study.places.key(&path)
        } else {
            study.places.value(&path, choice.value)
        };
        let mut told = error.clone();
        if let Some(place) = place {
            let in_model = told.location.replace(place).filter(|_| !is_own);
            told.related = in_model.map(|place| (place, "where the model has it".to_owned()));
        }
        self.told.push(told);
    }
}

fn errors(report: Report) -> Vec<Diagnostic> {
    report.diagnostics.into_iter().filter(|told| told.problem.code.starts_with('E')).collect()
}

fn has(known: &[Diagnostic], error: &Diagnostic) -> bool {
    known.iter().any(|other| other.problem == error.problem)
}

/// Is it about what is written (E01xx, E02xx), rather than about the model that is meant?
fn cannot_be_read(error: &Diagnostic) -> bool {
    ["E01", "E02"].iter().any(|group| error.problem.code.starts_with(group))
}
