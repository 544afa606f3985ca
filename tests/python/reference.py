"""Independent reference for `carom run`, with the simulations of rigid_bodies.py.

Nothing is taken from the program: Hertz's elliptical stiffness comes from scipy.special, the damping factor
`exact` from a numerical integral of the momentum balance, the motion from DOP853 with scipy's events, and the
free top from Jacobi's elliptic functions.

Each case writes a model file, runs the program (environment variable CAROM, else target/release/carom) and
prints one line with the largest differences, each over its tolerance. Exit code 1 if any case fails.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow.parquet
from scipy.special import ellipj

from rigid_bodies import (
    CHI,
    QUADRATURES,
    Body,
    Contact,
    Law,
    Simulation,
    attitude_difference,
    ball,
    corner_plane,
    from_axis,
    hertz,
    matrix,
    reg,
    sphere_box,
    sphere_in_sphere,
    sphere_in_wall,
    sphere_plane,
    sphere_sphere,
    tanh_coulomb,
)

ROOT = Path(__file__).resolve().parents[2]
CAROM = os.environ.get("CAROM", str(ROOT / "target" / "release" / "carom"))

# The program runs at this relative tolerance, the reference two digits below.
RTOL = "1e-11"
# Differences that pass. Both integrators hold their local error near 1e-11 of each state's scale, and up to
# six bounces spread neighbouring paths and times by 10 to 100, most of all the velocity of a ball that is
# compared within a stiff contact. A damping factor off by 1e-5 fails.
TOL = {
    "position_m": 1e-8,
    "velocity_m_s": 1e-7,
    "attitude": 1e-7,
    "omega_rad_s": 1e-6,
    "event_s": 1e-9,
    "penetration": 1e-6,  # relative to the greatest
    "impulse": 1e-7,  # relative to the greatest
    "energy": 1e-7,  # relative to the energy at hand
}


# The program ----------------------------------------------------------------------------------------------


def run_carom(text, folder, name):
    model, out = folder / f"{name}.toml", folder / name
    model.write_text(f'format = 1\nname = "{name}"\n{text}')
    command = [CAROM, "run", str(model), "--json", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(f"{name}: exit code {done.returncode}\n{done.stderr}{done.stdout}")
    result = json.loads(done.stdout)
    if result["end"]["reason"] != "finished":
        raise RuntimeError(f"{name}: {result['end']}")
    table = pyarrow.parquet.read_table(out / "events.parquet").to_pylist()
    result["events"] = [(row["time_s"], row["kind"], row["pair"]) for row in table]
    return result


def vector(values, unit):
    return "[" + ", ".join(f'"{float(v)!r} {unit}"' for v in values) + "]"


def body_text(body, shape):
    if body.fixed:
        return f"[body.{body.name}]\nfixed = true\n" + shape_text(shape) + place_text(body)
    s = body.start
    return (
        f'[body.{body.name}]\nmass = "{body.mass!r} kg"\ninertia = {vector(body.inertia, "kg*m^2")}\n'
        + f'vel = {vector(s[7:10], "m/s")}\nomega = {vector(s[10:13], "rad/s")}\n'
        + place_text(body)
        + shape_text(shape)
    )


def place_text(body):
    s = body.start
    quat = ", ".join(repr(float(x)) for x in s[3:7])
    return f'pos = {vector(s[:3], "m")}\nrot = {{ quat = [{quat}] }}\n'


def shape_text(shape):
    return f"shape = {{ {shape} }}\n"


def frame_text(gravity, t_end):
    return (
        f'[world]\ngravity = {vector(gravity, "m/s^2")}\n'
        f'[solver]\nt_end = "{t_end!r} s"\nrtol = {RTOL}\n'
        # Frames must not be the point: the end is compared.
        f'[output]\nevery = "{t_end / 10!r} s"\n'
    )


def contact_text(name, a, b):
    return f'[contact.{name}]\na = "{a}"\nb = "{b}"\nmethod = "analytic"\nlaw = "law"\n'


# Comparison -----------------------------------------------------------------------------------------------


class Comparison:
    def __init__(self):
        self.worst, self.note = {}, ""

    def see(self, kind, difference):
        ratio = float(difference) / TOL[kind]
        if not ratio <= self.worst.get(kind, (0.0, -1.0))[1]:
            self.worst[kind] = (float(difference), ratio)

    def passed(self):
        return not self.note and all(ratio <= 1.0 for _, ratio in self.worst.values())

    def line(self):
        parts = [f"{kind} {value:.1e}" + ("" if ratio <= 1 else " (!)") for kind, (value, ratio) in self.worst.items()]
        return ", ".join(parts) + (f"; {self.note}" if self.note else "")


def compare(simulation, result):
    c = Comparison()
    for body in simulation.bodies:
        if body.fixed:
            continue
        s, r = simulation.pose(simulation.y, body), result["bodies"][body.name]
        c.see("position_m", np.abs(s[:3] - r["position_m"]).max())
        c.see("attitude", attitude_difference(s[3:7], np.array(r["quaternion_wxyz"])))
        c.see("velocity_m_s", np.abs(s[7:10] - r["velocity_m_s"]).max())
        c.see("omega_rad_s", np.abs(s[10:13] - r["angular_velocity_rad_s"]).max())
    mine, theirs = sorted(simulation.events), sorted(result["events"])
    by_pair = lambda events: {p: [(t, k) for t, k, q in events if q == p] for p in {q for _, _, q in events}}
    mine, theirs = by_pair(mine), by_pair(theirs)
    if {p: [k for _, k in rows] for p, rows in mine.items()} != {p: [k for _, k in rows] for p, rows in theirs.items()}:
        c.note = f"events differ: {mine} against {theirs}"
    else:
        for pair, rows in mine.items():
            for (t, _), (u, _) in zip(rows, theirs[pair]):
                c.see("event_s", abs(t - u))
    names = {contact.name for contact in simulation.contacts}
    q = simulation.y[simulation.n :].reshape(-1, QUADRATURES)
    impulses = {n: sum(q[k, 0] for k, x in enumerate(simulation.contacts) if x.name == n) for n in names}
    depths = {n: max(simulation.depth[k] for k, x in enumerate(simulation.contacts) if x.name == n) for n in names}
    for name in names:
        totals = result["contacts"][name]
        c.see("impulse", abs(totals["impulse_n_s"] - impulses[name]) / max(impulses.values()))
        c.see("penetration", abs(totals["max_penetration_m"] - depths[name]) / max(depths.values()))
    kinetic, gravity, stored = simulation.energy_start
    at_hand = kinetic + abs(gravity) + stored
    for account, value in simulation.accounts().items():
        c.see("energy", abs(result["energy"][account] - value) / at_hand)
    return c


# Cases ----------------------------------------------------------------------------------------------------


def case_drop(folder, law_name):
    """A ball dropped on a floor: three bounces."""
    radius, height, mass, k, e, t_end = 0.1, 0.05, 0.5, 1e6, 0.7, 0.4
    if law_name == "anagnostopoulos":
        e = 0.5
    law = Law(law_name, k, e)
    floor, body = Body("floor"), ball("ball", mass, radius, (0, 0, radius + height))
    unit = "N/m" if law_name == "anagnostopoulos" else "N/m^1.5"
    text = (
        f'[law.law]\npoint = {{ normal = "{law_name}", stiffness = "{k!r} {unit}", restitution = {e!r}'
        + (", exponent = 1" if law_name == "anagnostopoulos" else "")
        + " }\n"
        + body_text(floor, 'type = "half-space"')
        + body_text(body, f'type = "sphere", radius = "{radius} m"')
        + contact_text("floor", "floor", "ball")
        + frame_text((0, 0, -9.81), t_end)
    )
    result = run_carom(text, folder, f"drop-{law_name}")
    return compare(
        Simulation(
            [floor, body], [Contact("floor", floor, body, sphere_plane(radius), law)], (0, 0, -9.81), t_end
        ).run(),
        result,
    )


def coulomb_law(k, e, mu, v_reg):
    text = (
        f'[law.law]\nmu = {mu!r}\nv_reg = "{v_reg!r} m/s"\n'
        f'point = {{ normal = "exact", stiffness = "{k!r} N/m^1.5", restitution = {e!r}, friction = "coulomb" }}\n'
    )
    return Law("exact", k, e, friction=tanh_coulomb(mu, v_reg)), text


def case_rolling(folder):
    """A ball set down sliding and spinning, that starts to roll; drilling spin stays."""
    radius, mass, k, t_end = 0.05, 0.5, 1e7, 0.5
    law, text = coulomb_law(k, 0.5, 0.25, 0.02)
    floor = Body("floor")
    # Not at its static depth: it oscillates at first.
    body = ball("ball", mass, radius, (0.1, -0.2, radius - 1e-5), (1.5, 0.4, 0), (3.0, -5.0, 20.0))
    text += (
        body_text(floor, 'type = "half-space"')
        + body_text(body, f'type = "sphere", radius = "{radius} m"')
        + contact_text("floor", "floor", "ball")
        + frame_text((0, 0, -9.81), t_end)
    )
    contact = Contact("floor", floor, body, sphere_plane(radius), law)
    return compare(Simulation([floor, body], [contact], (0, 0, -9.81), t_end).run(), run_carom(text, folder, "rolling"))


def case_two_balls(folder):
    """Oblique collision of two free spinning balls with friction, no gravity."""
    law, text = coulomb_law(5e6, 0.8, 0.3, 0.05)
    a = ball("a", 0.4, 0.06, (0, 0, 0), (1.0, 0.2, 0), (10.0, -4.0, 7.0))
    b = ball("b", 0.9, 0.08, (0.25, 0.09, 0.04), (-0.6, 0, 0.1), (0, 15.0, -3.0))
    text += (
        body_text(a, 'type = "sphere", radius = "0.06 m"')
        + body_text(b, 'type = "sphere", radius = "0.08 m"')
        + contact_text("hit", "a", "b")
        + frame_text((0, 0, 0), 0.3)
    )
    contact = Contact("hit", a, b, sphere_sphere(0.06, 0.08), law)
    return compare(Simulation([a, b], [contact], (0, 0, 0), 0.3).run(), run_carom(text, folder, "two-balls"))


def case_box(folder, where):
    """A ball against an edge or a corner of a turned, fixed or free, box."""
    law, text = coulomb_law(2e6, 0.6, 0.2, 0.05)
    half, radius, t_end = (0.2, 0.15, 0.1), 0.05, 0.2
    rot = from_axis((1, 2, -1), 0.4)
    r = matrix(rot)
    at = np.array([0.3, -0.1, 0.2])
    if where == "edge":
        target, direction = np.array([0.2, 0.03, 0.1]), np.array([0.8, 0.1, 1.0])
        box = Body("box", pos=at, rot=rot)
    else:
        target, direction = np.array([0.2, 0.15, 0.1]), np.array([0.7, 0.4, 0.9])
        box = Body("box", 1.7, (0.02, 0.03, 0.04), at, (0.1, 0, -0.2), (1.0, -2.0, 0.5), rot)
    direction /= np.linalg.norm(direction)
    body = ball("ball", 0.3, radius, at + r @ (target + direction * 0.12), r @ (-1.2 * direction), (5.0, 0, -8.0))
    text += (
        body_text(box, f'type = "box", size = {vector(2 * np.array(half), "m")}')
        + body_text(body, f'type = "sphere", radius = "{radius} m"')
        + contact_text("hit", "box", "ball")
        + frame_text((0, 0, -9.81), t_end)
    )
    contact = Contact("hit", box, body, sphere_box(half, radius), law)
    return compare(
        Simulation([box, body], [contact], (0, 0, -9.81), t_end).run(), run_carom(text, folder, f"box-{where}")
    )


def elastic_text(young, nu, e, mu, v_reg):
    return (
        f'[law.law]\nE = "{young!r} Pa"\nnu = {nu!r}\nmu = {mu!r}\nv_reg = "{v_reg!r} m/s"\n'
        f'point = {{ normal = "exact", restitution = {e!r}, friction = "coulomb" }}\n'
    )


def case_cavity(folder, kind):
    """A ball inside a hollow sphere, and inside a closed hollow cylinder: Hertz from E and nu."""
    young, nu, e, mu, v_reg, radius, cavity, t_end = 2e8, 0.3, 0.7, 0.2, 0.05, 0.1, 0.13, 0.4
    modulus = young / (1 - nu * nu) / 2
    law = lambda k1, k2: Law("exact", hertz(k1, k2, modulus), e, friction=tanh_coulomb(mu, v_reg))
    shell = Body("shell")
    body = ball("ball", 0.6, radius, (0.005, 0.0, 0.01), (0.3, 0.8, -0.2), (0, 10.0, 4.0))
    k = 1 / radius
    if kind == "sphere":
        shape = f'type = "sphere", radius = "{cavity} m", hollow = true'
        contacts = [Contact("wall", shell, body, sphere_in_sphere(cavity, radius), law(k - 1 / cavity, k - 1 / cavity))]
    else:
        length = 0.3
        shape = f'type = "cylinder", axis = "z", radius = "{cavity} m", length = "{length} m", hollow = true'
        contacts = [
            Contact("wall", shell, body, sphere_in_wall(cavity, radius), law(k, k - 1 / cavity)),
            Contact("wall", shell, body, sphere_plane(radius, (0, 0, 1), (0, 0, -length / 2)), law(k, k)),
            Contact("wall", shell, body, sphere_plane(radius, (0, 0, -1), (0, 0, length / 2)), law(k, k)),
        ]
    gravity = (0, -6.0, -8.0)
    text = (
        elastic_text(young, nu, e, mu, v_reg)
        + body_text(shell, shape)
        + body_text(body, f'type = "sphere", radius = "{radius} m"')
        + contact_text("wall", "shell", "ball")
        + frame_text(gravity, t_end)
    )
    return compare(Simulation([shell, body], contacts, gravity, t_end).run(), run_carom(text, folder, f"cavity-{kind}"))


def case_top(folder):
    """Free asymmetric top against Jacobi's elliptic functions: with A < B < C, the energy T, the angular
    momentum H and H^2 > 2 B T, w_x ~ cn, w_y ~ sn, w_z ~ dn."""
    inertia, t_end = np.array([0.02, 0.035, 0.05]), 3.0
    a, b, c = inertia
    wx, wz = 4.0, 6.0
    energy2, momentum2 = a * wx**2 + c * wz**2, (a * wx) ** 2 + (c * wz) ** 2
    assert momentum2 > b * energy2
    rate = math.sqrt((c - b) * (momentum2 - a * energy2) / (a * b * c))
    m = (b - a) * (c * energy2 - momentum2) / ((c - b) * (momentum2 - a * energy2))
    sn, cn, dn, _ = ellipj(rate * t_end, m)
    wy = math.sqrt((c * energy2 - momentum2) / (b * (c - b)))
    # B w_y' = (C - A) w_z w_x > 0 at the start, where w_y = 0.
    want = np.array([wx * cn, wy * sn, wz * dn])
    rot = from_axis((1, -1, 3), 1.1)
    r0 = matrix(rot)
    body = Body("top", 1.3, inertia, (1.0, 2.0, 3.0), (0.5, -0.25, 0.125), r0 @ np.array([wx, 0, wz]), rot)
    text = body_text(body, 'type = "box", size = ["0.1 m", "0.1 m", "0.1 m"]') + frame_text((0, 0, 0), t_end)
    result = run_carom(text, folder, "top")
    simulation = Simulation([body], [], (0, 0, 0), t_end).run()
    simulation.energy_start = (0.5 * energy2, 0.0, 0.0)
    got = result["bodies"]["top"]
    check = Comparison()
    r1 = matrix(np.array(got["quaternion_wxyz"]))
    check.see("omega_rad_s", np.abs(r1.T @ got["angular_velocity_rad_s"] - want).max())
    # The angular momentum stays in space: fixes two of the three angles; the third is the integrated one.
    check.see("attitude", np.abs(r1 @ (inertia * want) - r0 @ (inertia * [wx, 0, wz])).max() / math.sqrt(momentum2))
    check.see("attitude", attitude_difference(simulation.y[3:7], np.array(got["quaternion_wxyz"])))
    check.see(
        "position_m",
        np.abs(np.array([1.0, 2.0, 3.0]) + np.array([0.5, -0.25, 0.125]) * t_end - got["position_m"]).max(),
    )
    check.see("energy", abs(result["energy"]["kinetic_j"] - 0.5 * energy2 - 0.5 * 1.3 * 0.328125) / energy2)
    return check


def case_tumbling(folder):
    """A box tumbles on a plane on its corners, with friction."""
    law, text = coulomb_law(1e6, 0.4, 0.3, 0.05)
    half, t_end = np.array([0.1, 0.15, 0.05]), 0.3
    mass = 1.2
    inertia = (
        mass / 3 * np.array([half[1] ** 2 + half[2] ** 2, half[0] ** 2 + half[2] ** 2, half[0] ** 2 + half[1] ** 2])
    )
    floor = Body("floor")
    box = Body("box", mass, inertia, (0, 0, 0.2), (0.7, -0.2, -0.5), (2.0, 3.0, -1.0), from_axis((1, 0.5, 0.2), 0.6))
    corners = [half * s for s in np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).T.reshape(-1, 3)]
    contacts = [Contact("floor", floor, box, corner_plane(corner), law) for corner in corners]
    text += (
        body_text(floor, 'type = "half-space"')
        + body_text(box, f'type = "box", size = {vector(2 * half, "m")}')
        + contact_text("floor", "floor", "box")
        + frame_text((0, 0, -9.81), t_end)
    )
    return compare(Simulation([floor, box], contacts, (0, 0, -9.81), t_end).run(), run_carom(text, folder, "tumbling"))


def case_elastic_response(folder):
    """Law `elastic-response` with sliding and rolling resistance: a thrown ball bounces and brakes."""
    young, nu, e, mu, mu_roll, radius, mass, t_end = 5e7, 0.3, 0.6, 0.4, 0.02, 0.06, 0.4, 0.5
    modulus = young / (1 - nu * nu) / 2
    w_small = 0.5

    def torque(omega, normal, force, depth):
        return -mu_roll * radius * force * omega / reg(np.linalg.norm(omega), w_small)

    law = Law(
        "elastic-response", 4 / 3 * modulus * math.sqrt(radius), e,
        friction=lambda v: mu / reg(v, 0.05), torque=torque,
    )  # fmt: skip
    floor = Body("floor")
    body = ball("ball", mass, radius, (0, 0, radius + 0.02), (0.9, -0.3, 0), (-4.0, 2.0, 30.0))
    text = (
        f'[law.law]\nE = "{young!r} Pa"\nnu = {nu}\nmu = {mu}\nmu_roll = {mu_roll}\n'
        f'v_reg = "0.05 m/s"\nw_reg = "{w_small} rad/s"\n'
    )
    text += (
        f'point = {{ normal = "elastic-response", restitution = {e}, friction = "coulomb" }}\n'
        + body_text(floor, 'type = "half-space"')
        + body_text(body, f'type = "sphere", radius = "{radius} m"')
        + contact_text("floor", "floor", "ball")
        + frame_text((0, 0, -9.81), t_end)
    )
    contact = Contact("floor", floor, body, sphere_plane(radius), law)
    return compare(
        Simulation([floor, body], [contact], (0, 0, -9.81), t_end).run(), run_carom(text, folder, "elastic-response")
    )


CASES = [
    *(
        (f"drop, {name}", lambda f, name=name: case_drop(f, name))
        for name in [*CHI, "anagnostopoulos", "elastic-response"]
    ),
    ("sliding to rolling", case_rolling),
    ("two balls, oblique", case_two_balls),
    ("ball on a box edge", lambda f: case_box(f, "edge")),
    ("ball on a free box's corner", lambda f: case_box(f, "corner")),
    ("ball in a hollow sphere", lambda f: case_cavity(f, "sphere")),
    ("ball in a hollow cylinder", lambda f: case_cavity(f, "cylinder")),
    ("free top", case_top),
    ("tumbling box", case_tumbling),
    ("elastic response with rolling", case_elastic_response),
]


def main():
    passed = failed = 0
    only = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for name, case in CASES:
            if only and not any(word in name for word in only):
                continue
            try:
                comparison = case(Path(folder))
                ok, line = comparison.passed(), comparison.line()
            except (RuntimeError, KeyError, OSError, subprocess.TimeoutExpired) as error:
                ok, line = False, f"{type(error).__name__}: {error}"
            print(f"{'ok  ' if ok else 'FAIL'} {name}: {line}", flush=True)
            passed, failed = passed + ok, failed + (not ok)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
