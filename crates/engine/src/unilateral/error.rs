use std::fmt;

use carom_solvers::complementarity::Failure;

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// A contact's μ, e_N, e_T or ν is negative, above its range or not finite.
    Law {
        /// Number of the contact.
        contact: usize,
    },
    /// A contact penetrates at the start (m).
    Penetration {
        /// Number of the contact.
        contact: usize,
        /// Its gap (m).
        gap: f64,
    },
    /// The state's length is not that of the system, or a number is not finite.
    State {
        /// Time (s).
        time: f64,
        /// Positions and velocities.
        state: Vec<f64>,
    },
    /// The mass matrix has lost rank.
    Mass {
        /// Time (s).
        time: f64,
        /// Positions and velocities.
        state: Vec<f64>,
    },
    /// Forces of the contacts that hold depend on each other, and no ones give the accelerations that all of them demand.
    Dependent {
        /// Time (s).
        time: f64,
        /// Numbers of the closed contacts.
        contacts: Vec<usize>,
        /// Positions and velocities.
        state: Vec<f64>,
    },
    /// No contact forces or impulses are found: with enough friction there may be none (Painlevé).
    Contact {
        /// Time (s).
        time: f64,
        /// Numbers of the closed contacts.
        contacts: Vec<usize>,
        /// Positions and velocities.
        state: Vec<f64>,
        /// Of the complementarity problem.
        failure: Failure,
    },
    /// Events follow each other without time between them.
    Storm {
        /// Time (s).
        time: f64,
        /// Number of the contact.
        contact: usize,
        /// Positions and velocities.
        state: Vec<f64>,
    },
    /// The integrator can make no step.
    Step {
        /// Time (s).
        time: f64,
        /// Positions and velocities.
        state: Vec<f64>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Law { contact } => {
                write!(f, "contact {contact} has a friction or restitution out of range")
            }
            Self::Penetration { contact, gap } => {
                write!(f, "contact {contact} starts with a gap of {gap:e} m")
            }
            Self::State { time, state } => {
                write!(f, "the state {state:?} at {time} s is not one of the system")
            }
            Self::Mass { time, state } => write!(f, "the mass matrix is singular at {time} s in {state:?}"),
            Self::Dependent { time, contacts, state } => {
                write!(
                    f,
                    "no forces of the contacts {contacts:?} give the accelerations that all of them demand at {time} s in {state:?}"
                )
            }
            Self::Contact { time, contacts, state, failure } => {
                write!(f, "no forces for the contacts {contacts:?} at {time} s in {state:?}: {failure}")
            }
            Self::Storm { time, contact, state } => {
                write!(f, "events without end at {time} s in {state:?}, the last of contact {contact}")
            }
            Self::Step { time, state } => write!(f, "no step is short enough at {time} s in {state:?}"),
        }
    }
}

impl std::error::Error for Error {}
