//! E06xx: found while running.

use super::Code;

pub(super) const CODES: &[Code] = &[
    Code {
        code: "E0601",
        title: "a state stopped being finite",
        text: r#"A position, velocity or force became infinite or undefined. The run stops with the last good state kept.
Mostly a contact is far too stiff or damped for its masses, or bodies start deep inside each other. The
message names the body or the contact and its last values."#,
    },
    Code {
        code: "E0602",
        title: "the step size fell under its limit",
        text: r#"The integrator cannot meet the tolerance with any step it may take. Loosen rtol, lower solver.h_min, or
look for a law that is too stiff or jumps (anagnostopoulos jumps at touch)."#,
    },
    Code {
        code: "E0603",
        title: "too many events",
        text: r#"Contacts begin and end so often that the run makes no progress, or solver.max_events was reached. Damp
the contact that the message names (a lower restitution), or raise the limit."#,
    },
    Code {
        code: "E0604",
        title: "too many steps",
        text: r#"solver.max_steps was reached before t_end. Raise it, loosen rtol, or soften the contact that forces the
small steps."#,
    },
    Code {
        code: "E0605",
        title: "forces cannot be evaluated",
        text: r#"The right-hand side failed at a state from which a step must start. See E0601; the message names the
body or contact."#,
    },
    Code {
        code: "E0606",
        title: "a constraint cannot be kept",
        text: r#"The end of a step cannot be put back onto the constraints: the mechanism has reached a position that it cannot
leave in the direction it moves (a lock), a motor drives it there, or the steps are too long. The message names
the joint or constraint that is farthest off."#,
    },
];
