use carom_engine::law::{ArealForm, FrictionKind, ImpactLaw, NormalKind};

use super::default::{NONE, REQUIRED, flag, number, word, words};
use super::range::Range;
use super::row::{ANGULAR_VELOCITY, DENSITY, LENGTH, NUMBER, PRESSURE, TIME, VELOCITY, row};
use super::words::{NORMAL_SYNONYMS, names, with};
use super::{Kind, Row};
use crate::quantity::Dimension as D;

/// Normal laws with their other names.
const NORMAL_WORDS: &[&str] = &with::<{ NormalKind::ALL.len() + NORMAL_SYNONYMS.len() }>(
    names!(NormalKind),
    &[NORMAL_SYNONYMS[0].0],
    1,
);

/// The friction law of a point block that names none.
const FRICTION: FrictionKind = FrictionKind::Coulomb { smooth_step: false, v_stribeck: None };

/// Keys of materials and laws.
pub(super) const LAW: &[Row] = &[
    row("material.*", "density", DENSITY, NONE, "Density."),
    row("material.*", "E", PRESSURE, NONE, "Young's modulus."),
    row("material.*", "nu", NUMBER, NONE, "Poisson's ratio."),
    row("material_pair.*", "a", Kind::Text, REQUIRED, "One material."),
    row("material_pair.*", "b", Kind::Text, REQUIRED, "The other; the order does not matter."),
    row("material_pair.*", "restitution", NUMBER, NONE, "Coefficient of restitution e."),
    row("material_pair.*", "mu", NUMBER, NONE, "Dynamic friction coefficient."),
    row("material_pair.*", "mu_roll", NUMBER, NONE, "Rolling resistance."),
    row("law.*", "E", PRESSURE, words("from the materials"), "Young's modulus of both partners."),
    row("law.*", "nu", NUMBER, words("from the materials"), "Poisson's ratio of both partners."),
    row("law.*", "mu", NUMBER, words("from the materials, else 0"), "Dynamic friction coefficient."),
    row("law.*", "mu_s", NUMBER, words("mu"), "Static friction coefficient."),
    row(
        "law.*",
        "v_stribeck",
        VELOCITY,
        words("10 v_reg"),
        "Speed of the transition from static to dynamic friction; without effect unless mu_s is given.",
    ),
    row("law.*", "mu_visc", Kind::Quantity(D::VISCOUS), number(0.0), "Viscous friction."),
    row("law.*", "v_reg", VELOCITY, words("from the model's scale"), "Regularisation velocity of friction."),
    row("law.*", "mu_roll", NUMBER, words("from the materials, else 0"), "Rolling resistance."),
    row("law.*", "mu_spin", NUMBER, words("0"), "Drilling (torsional) resistance."),
    row(
        "law.*",
        "roll_arm",
        LENGTH,
        words("0"),
        "Arm of rolling resistance: a torque of the arm times the normal force.",
    ),
    row("law.*", "spin_arm", LENGTH, words("0"), "Arm of drilling resistance, likewise."),
    row(
        "law.*",
        "w_reg",
        ANGULAR_VELOCITY,
        words("v_reg/R"),
        "Regularisation angular velocity of rolling and drilling resistance.",
    ),
    row(
        "law.*",
        "point",
        Kind::Table("law.*.point"),
        words("needed by analytic, convex, and by region without volume"),
        "Compliant law of a point contact.",
    ),
    row(
        "law.*",
        "volume",
        Kind::Table("law.*.volume"),
        NONE,
        "Law of regions by the volume that both solids share, in place of `point`.",
    ),
    row(
        "law.*",
        "pcm",
        Kind::Table("law.*.pcm"),
        words("needed by pcm"),
        "Elastic foundation of areal contact.",
    ),
    row(
        "law.*",
        "nonsmooth",
        Kind::Table("law.*.nonsmooth"),
        words("needed by nonsmooth"),
        "Impact law of rigid contact.",
    ),
    row(
        "law.*.point",
        "normal",
        Kind::Word(NORMAL_WORDS),
        word(NormalKind::Exact.name()),
        "Normal law; \"hertz\" is another name of \"none\".",
    ),
    row(
        "law.*.point",
        "stiffness",
        Kind::DependentQuantity("N/m^exponent"),
        words("Hertz, from E, nu and the curvatures"),
        "Stiffness K.",
    ),
    row(
        "law.*.point",
        "exponent",
        NUMBER,
        number(1.5).then("; anagnostopoulos: 1"),
        "Exponent n of the penetration.",
    ),
    row("law.*.point", "restitution", NUMBER, words("from the materials"), "Coefficient of restitution e."),
    row("law.*.point", "friction", Kind::Word(names!(FrictionKind)), word(FRICTION.name()), "Friction law."),
    row("law.*.point", "v0", VELOCITY, words("0"), "Ambrósio: no friction below this speed."),
    row("law.*.point", "v1", VELOCITY, words("v_reg"), "Ambrósio: full friction above this speed."),
    row(
        "law.*.point",
        "decay",
        Kind::Quantity(D::SLOWNESS),
        words("required by bengisu-akay"),
        "Bengisu–Akay: slope of the decay from mu_s to mu.",
    ),
    row(
        "law.*.point",
        "v_stick",
        VELOCITY,
        words("v_reg"),
        "stick-slip, bristle, lugre: speed of the change to sliding.",
    ),
    row(
        "law.*.point",
        "k_t",
        Kind::Quantity(D::LINE_STIFFNESS),
        words("14/17 of the slope of the normal force under the weight of the lighter body"),
        "The same: stiffness of the bristle of a contact.",
    ),
    row(
        "law.*.point",
        "c_t",
        Kind::Quantity(D::VISCOUS),
        words("2 sqrt(k_t m)"),
        "The same: damping of the bristle; m resists along the surface where the contact begins.",
    ),
    row(
        "law.*.point",
        "dwell_time",
        TIME,
        words("required by bristle"),
        "bristle: time of rest in which static friction builds up.",
    ),
    row("law.*.point", "smooth_step", Kind::Bool, flag(false), "Coulomb: smooth step in place of tanh."),
    row(
        "law.*.point",
        "stiffness_scale",
        NUMBER,
        number(1.0),
        "Scale k_red of the stiffness of elastic-response, in (0, 1].",
    ),
    row(
        "law.*.point",
        "damping_max",
        Kind::Quantity(D::SLOWNESS),
        number(2000.0),
        "Limit d_max of the damping of elastic-response.",
    ),
    row(
        "law.*.point",
        "v_small",
        VELOCITY,
        number(0.01),
        "Least approach speed at the start of a contact; regularisation speed of elastic-response.",
    ),
    row(
        "law.*.point",
        "w_small",
        ANGULAR_VELOCITY,
        number(0.01),
        "Regularisation angular velocity of elastic-response.",
    ),
    row(
        "law.*.volume",
        "stiffness",
        Kind::Quantity(D::VOLUME_STIFFNESS),
        words("E*/V, from E, nu and the volume of the smaller solid"),
        "Stiffness k of the pressure k V.",
    )
    .within(Range::Positive),
    row(
        "law.*.volume",
        "restitution",
        NUMBER,
        words("from the materials, else 1"),
        "Coefficient of restitution e that a central impact delivers.",
    )
    .within(Range::To(1.0)),
    row(
        "law.*.volume",
        "v_small",
        VELOCITY,
        number(0.01),
        "Lower limit of the approach speed that restitution is measured against.",
    )
    .within(Range::Positive),
    row(
        "law.*.pcm",
        "layer",
        LENGTH,
        words("required unless layer_a or layer_b"),
        "Thickness of an elastic layer on the base, or where the contact line says (`layer_on`).",
    )
    .within(Range::Positive),
    row("law.*.pcm", "layer_a", LENGTH, number(0.0), "Thickness of A's elastic layer, in place of `layer`.")
        .within(Range::NotNegative),
    row("law.*.pcm", "layer_b", LENGTH, number(0.0), "Thickness of B's elastic layer, in place of `layer`.")
        .within(Range::NotNegative),
    row(
        "law.*.pcm",
        "u_max",
        LENGTH,
        words("from the energy and the loads that can reach the contact, with half as much again"),
        "Largest penetration; lines are traced to 1.5 times as far.",
    )
    .within(Range::Positive),
    row(
        "law.*.pcm",
        "beyond_u_max",
        Kind::Word(&["error", "warn"]),
        word("error"),
        "What a deeper penetration is, up to 1.5 u_max.",
    ),
    row(
        "law.*.pcm",
        "damping",
        Kind::QuantityOrTable(D::AREAL_DAMPING, "law.*.pcm.damping"),
        number(0.0),
        "Damping d_l per area, or one for surfaces that approach each other and one for those that part.",
    )
    .within(Range::NotNegative),
    row(
        "law.*.pcm",
        "damping_form",
        Kind::Word(names!(ArealForm)),
        word(ArealForm::Ramped(None).name()),
        "Damping as it is, or without tension, or besides growing smoothly from the touch to `ramp`.",
    ),
    row("law.*.pcm", "ramp", LENGTH, words("u_max/30"), "Penetration at which ramped damping is whole.")
        .within(Range::Positive),
    row(
        "law.*.pcm",
        "restitution",
        NUMBER,
        NONE,
        "Coefficient of restitution e that a central impact delivers, beside the damping.",
    ),
    row(
        "law.*.pcm",
        "v_small",
        VELOCITY,
        number(0.01),
        "restitution: lower limit of the approach speed at the start of a contact.",
    ),
    row("law.*.pcm", "E", PRESSURE, words("the law's"), "Young's modulus of the layer.")
        .within(Range::Positive),
    row("law.*.pcm", "nu", NUMBER, words("the law's"), "Poisson's ratio of the layer.")
        .within(Range::Below(0.5)),
    row(
        "law.*.pcm.damping",
        "compression",
        Kind::Quantity(D::AREAL_DAMPING),
        REQUIRED,
        "Damping d_l per area while surfaces approach each other.",
    )
    .within(Range::NotNegative),
    row(
        "law.*.pcm.damping",
        "expansion",
        Kind::Quantity(D::AREAL_DAMPING),
        REQUIRED,
        "Damping d_l per area while they part.",
    )
    .within(Range::NotNegative),
    row("law.*.nonsmooth", "e_n", NUMBER, REQUIRED, "Coefficient of restitution along the normal.")
        .within(Range::To(1.0)),
    row("law.*.nonsmooth", "e_t", NUMBER, number(0.0), "Coefficient of restitution along the tangent.")
        .within(Range::To(1.0)),
    row(
        "law.*.nonsmooth",
        "nu",
        NUMBER,
        number(0.0),
        "Share of Coulomb's bound that holds against the tangential impulse that e_t gives back.",
    )
    .within(Range::To(1.0)),
    row("law.*.nonsmooth", "mu", NUMBER, words("the law's"), "Friction coefficient.")
        .within(Range::NotNegative),
    row(
        "law.*.nonsmooth",
        "impact",
        Kind::Word(names!(ImpactLaw)),
        word(ImpactLaw::Poisson.name()),
        "What restitution is a ratio of: impulses after and before the greatest compression, or speeds after and before.",
    ),
];
