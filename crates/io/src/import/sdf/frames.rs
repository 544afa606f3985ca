//! The frames of a file by their whole names, and where they are.

use std::collections::BTreeMap;

use carom_engine::Problem;
use carom_math::Pose;

use super::super::context::{Context, help_for};
use super::super::robot::{Robot, WORLD};
use crate::finding::Finding;
use crate::source::Span;

/// Where names are looked up: those of the models around it stand before them.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// `outer::inner::`, or nothing in a world.
    pub(super) prefix: String,
    /// Whole name of the frame of the model.
    pub(super) model: String,
    pub(super) depth: usize,
    /// Whole names of the frames of the models whose own a link here is: one, and those that are merged into it.
    pub(super) models: Vec<String>,
    /// Links of one model have the same number.
    pub(super) family: usize,
    /// `self_collide` of the model.
    pub(super) self_collides: bool,
}

/// The frame that does not move.
pub(super) const WORLD_FRAME: &str = "world";

impl Scope {
    pub(super) fn world() -> Self {
        Self {
            prefix: String::new(),
            model: WORLD_FRAME.to_owned(),
            depth: 0,
            models: Vec::new(),
            family: 0,
            self_collides: false,
        }
    }

    /// That of a model in this one, whose links have a number of their own.
    pub(super) fn inner(&self, name: &str, family: usize, self_collides: bool) -> Self {
        let model = format!("{}{name}", self.prefix);
        let (prefix, models) = (format!("{model}::"), vec![model.clone()]);
        Self { prefix, model, depth: self.depth + 1, models, family, self_collides }
    }

    /// That of a model whose links become those of this one.
    pub(super) fn merged(&self, name: &str) -> Self {
        let model = format!("{}_merged__{name}__model__", self.prefix);
        let models = self.models.iter().chain([&model]).cloned().collect();
        Self { model, depth: self.depth + 1, models, ..self.clone() }
    }

    /// Whole name of what is called that here.
    pub(super) fn key(&self, name: &str) -> String {
        match name {
            "__model__" => self.model.clone(),
            WORLD_FRAME => WORLD_FRAME.to_owned(),
            _ => format!("{}{name}", self.prefix),
        }
    }
}

/// A pose in a frame.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Whole name of the frame.
    pub(super) frame: String,
    /// Where the file names it; `None` where it does not.
    pub(super) span: Option<Span>,
    pub(super) pose: Pose,
}

/// What a frame is fixed to.
#[derive(Clone, Debug)]
pub(super) enum Carrier {
    World,
    Link(usize),
    /// The link of another frame.
    Attached((String, Span)),
    /// The link that the model names, or else its own first one, or else that of its first model.
    Model {
        canonical: Option<(String, Span)>,
    },
}

/// The first of what a model has, by whole names.
#[derive(Default)]
struct Firsts {
    link: Option<String>,
    model: Option<String>,
}

struct Frame {
    span: Span,
    place: Place,
    carrier: Carrier,
    /// Frame in a model which the model's pose is about, in place of the model's own.
    placement: Option<(String, Span)>,
    /// In the world, once it is known.
    found: Option<Pose>,
}

/// All frames of a file.
pub(super) struct Frames {
    all: BTreeMap<String, Frame>,
    /// Whole names of links in the order of the file.
    links: Vec<String>,
    /// What frames are attached to that nothing need hang on.
    named: Vec<(String, Span)>,
    /// By whole names of the frames of models.
    firsts: BTreeMap<String, Firsts>,
}

impl Frames {
    pub(super) fn new(span: Span) -> Self {
        let place = Place { frame: WORLD_FRAME.to_owned(), span: None, pose: Pose::identity() };
        let world =
            Frame { span, place, carrier: Carrier::World, placement: None, found: Some(Pose::identity()) };
        Self {
            all: [(WORLD_FRAME.to_owned(), world)].into(),
            links: Vec::new(),
            named: Vec::new(),
            firsts: BTreeMap::new(),
        }
    }

    pub(super) fn add(
        &mut self,
        key: String,
        span: Span,
        place: Place,
        carrier: Carrier,
        placement: Option<(String, Span)>,
        context: &Context<'_>,
    ) -> bool {
        if let Some(first) = self.all.get(&key) {
            let problem = Problem::new("E0806", "", format!("\"{key}\" is there twice"))
                .help("links, joints, frames and models of one model have names of their own: rename one");
            context.findings.push(Finding::at(problem, span).related(first.span, "the first"));
            return false;
        }
        if matches!(carrier, Carrier::Link(_)) {
            self.links.push(key.clone());
        }
        self.all.insert(key, Frame { span, place, carrier, placement, found: None });
        true
    }

    /// A name that must be that of a frame, also where nothing asks for it.
    pub(super) fn expect(&mut self, named: (String, Span)) {
        self.named.push(named);
    }

    /// A link of models by their whole names.
    pub(super) fn enlist_link(&mut self, models: &[String], key: &str) {
        for model in models {
            self.firsts.entry(model.clone()).or_default().link.get_or_insert_with(|| key.to_owned());
        }
    }

    /// A model in others, but for one whose links are theirs.
    pub(super) fn enlist_model(&mut self, models: &[String], key: &str) {
        for model in models {
            self.firsts.entry(model.clone()).or_default().model.get_or_insert_with(|| key.to_owned());
        }
    }

    /// Finds where all frames are, and puts the links there.
    pub(super) fn resolve(&mut self, robot: &mut Robot, context: &Context<'_>) {
        let keys: Vec<String> = self.all.keys().cloned().collect();
        for key in &keys {
            self.locate(key, &mut Vec::new(), context);
        }
        for (to, span) in self.named.iter().filter(|(to, _)| !self.all.contains_key(to)) {
            self.report_missing(to, *span, context);
        }
        for key in &self.links {
            if let Frame { carrier: Carrier::Link(link), found: Some(pose), .. } = &self.all[key] {
                robot.links[*link].pose = *pose;
            }
        }
    }

    /// Pose in the world; after an error the frame counts as the world's.
    fn locate(&mut self, key: &str, open: &mut Vec<String>, context: &Context<'_>) -> Pose {
        let Some(frame) = self.all.get(key) else { return Pose::identity() };
        if let Some(found) = frame.found {
            return found;
        }
        let (place, span, placement) = (frame.place.clone(), frame.span, frame.placement.clone());
        if open.iter().any(|name| name == key) {
            let message = format!("the pose of \"{key}\" depends on itself: {} -> {key}", open.join(" -> "));
            let problem = Problem::new("E0808", "", message).expected("poses that lead to the world");
            context.report(
                problem.help("is one of these relative_to another frame than is meant?"),
                place.span.unwrap_or(span),
            );
            self.set(key, Pose::identity());
            return Pose::identity();
        }
        open.push(key.to_owned());
        // What a joint names as its child is looked up with the joint.
        if let Some(named) = place.span.filter(|_| !self.all.contains_key(&place.frame)) {
            self.report_missing(&place.frame, named, context);
        }
        let mut pose = self.locate(&place.frame, open, context).compose(&place.pose);
        if let Some((inside, span)) = placement {
            pose = pose.compose(&self.relative(&inside, key, span, context).inverse());
        }
        open.pop();
        self.set(key, pose);
        pose
    }

    fn set(&mut self, key: &str, pose: Pose) {
        if let Some(frame) = self.all.get_mut(key) {
            frame.found.get_or_insert(pose);
        }
    }

    /// Pose of a frame in a model that it is in, whose own place is not known yet.
    fn relative(&self, key: &str, model: &str, span: Span, context: &Context<'_>) -> Pose {
        let (mut at, mut pose) = (key, Pose::identity());
        for _ in 0..=self.all.len() {
            if at == model {
                return pose;
            }
            let Some(frame) = self.all.get(at) else {
                self.report_missing(at, span, context);
                return Pose::identity();
            };
            if let Some((inside, span)) = &frame.placement {
                pose = self.relative(inside, at, *span, context).inverse().compose(&pose);
            }
            pose = frame.place.pose.compose(&pose);
            if at == WORLD_FRAME {
                break;
            }
            at = &frame.place.frame;
        }
        let message = format!("the placement frame \"{key}\" is not in the model \"{model}\"");
        context.report(
            Problem::new("E0807", "", message).help("name a frame, link or joint of the model"),
            span,
        );
        Pose::identity()
    }

    fn report_missing(&self, key: &str, span: Span, context: &Context<'_>) {
        let mut problem =
            Problem::new("E0807", "", format!("there is no frame, link, joint or model \"{key}\""));
        problem.help = help_for(key, self.all.keys().map(String::as_str));
        context.report(problem, span);
    }

    /// Pose of a frame in the world. A name that is not there is an error at `span`.
    pub(super) fn pose(&self, key: &str, span: Span, context: &Context<'_>) -> Option<Pose> {
        let found = self.all.get(key).and_then(|frame| frame.found);
        if found.is_none() {
            self.report_missing(key, span, context);
        }
        found
    }

    /// The link that carries a frame.
    pub(super) fn link(&self, key: &str, span: Span, context: &Context<'_>) -> Option<usize> {
        let (mut at, mut span) = (key.to_owned(), span);
        for _ in 0..=self.all.len() {
            let Some(frame) = self.all.get(&at) else {
                self.report_missing(&at, span, context);
                return None;
            };
            let next = match &frame.carrier {
                Carrier::World => return Some(WORLD),
                Carrier::Link(link) => return Some(*link),
                Carrier::Attached(next) => next.clone(),
                Carrier::Model { canonical: Some(next) } => next.clone(),
                Carrier::Model { canonical: None } => {
                    let first =
                        self.firsts.get(&at).and_then(|first| first.link.as_ref().or(first.model.as_ref()));
                    (first.cloned().unwrap_or_else(|| format!("{at}::link")), frame.span)
                }
            };
            (at, span) = next;
        }
        let problem = Problem::new("E0808", "", format!("\"{key}\" is attached to itself"));
        context.report(problem.help("attach one of its frames to a link"), span);
        None
    }
}
