"""A sphere dropped onto a torus, in Carom and in others, on the same two triangle meshes: examples/torus-sphere.toml
in Carom, an elastic foundation in Simbody, hydroelastic contact in Drake, signed distance fields and hulls in MuJoCo.

    pip install numpy mujoco drake         (and apt-get install libsimbody-dev g++ pkg-config)
    cargo build --release -p carom-cli
    python crates/bench/peers/torus_sphere.py [--carom target/release/carom] [--cap 60] [--only NAME] [--json]

Three runs each. "drop" is the example's first 5 s: wall time, steps, evaluations of the dynamics. "flight" is its
first 0.2 s, before any contact. "contact" is the second half of the first second of a ball that starts in the middle
at the height of rest on smooth surfaces and has nearly come to rest by then. Times of an evaluation are wall times of
the phase over its evaluations, with the share of stepping in them, for Carom as for the others. Each is the least of
three rounds, or one round if it takes more than 5 s; after `--cap` seconds a drop is stopped and its wall time stated
in proportion. Peers that are not installed are named and left out.

What is not the same:
- Drake's discrete mode and MuJoCo take steps of 1 ms whatever happens in them, with one evaluation each; Simbody and
  Drake's continuous mode control their errors at 1e-4, and Carom at 1e-6 in the example. Ratios of wall times compare
  different problems; those of evaluations compare one kind of work, the forces at one state.
- Friction is full from 0.5 mm/s on in the example, from 10 mm/s on in the peers that have such a speed, whose steps
  thereby may be longer. The second row of Carom has 10 mm/s and 1e-4 too.
- Damping is proportional to pressure in Simbody and Drake (dissipation, s/m), equal at 1 mm of penetration. In Drake
  the sphere is what yields, with tetrahedra from its middle to its triangles. MuJoCo's contacts are points with its
  own default softness; for hulls the torus is cut into the 64 convex pieces between its circles.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

from torus_sphere_peers import drake, mujoco, simbody
from torus_sphere_problem import RING, SLIP, STEP, TUBE, check, sphere, torus

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "..", "..", "..", "examples", "torus-sphere.toml")

DROP, FLIGHT = 5.0, 0.2
SETTLED, CONTACT = 0.5, 1.0
START = (0.1, 1.2)  # y and z
REST = (0.0, math.sqrt((RING + TUBE) ** 2 - RING**2))


def carom(program, changes):
    """Runs of `carom run`; a phase that begins late is the difference of two, each the least of three. In flight steps
    are kept to 1 µs, as there would be only a few otherwise."""

    def solve(place, end, folder, more):
        command = [program, "run", EXAMPLE, "-qq", "--json", "--force", "--no-report", "--out", folder]
        command += ["--t-end", f"{end} s", "--set", "expect={}"]
        for change in [f"body.ball.pos=[0, {place[0]}, {place[1]}]", *changes, *more]:
            command += ["--set", change]
        ask = lambda: json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        result = min((ask() for _ in range(3)), key=lambda result: result["statistics"]["wall_s"])
        return result["statistics"], result["bodies"]["ball"]["position_m"][2]

    def run(place, begin, end, cap):
        with tempfile.TemporaryDirectory() as folder:
            more = ['solver.h_max="1 us"'] if end == FLIGHT else []
            late, height = solve(place, end, folder, more)
            early = solve(place, begin, folder, more)[0] if begin else {"steps": 0, "rhs": 0, "wall_s": 0}
        return {
            "steps": late["steps"] - early["steps"],
            "evaluations": late["rhs"] - early["rhs"],
            "wall_s": late["wall_s"] - early["wall_s"],
            "simulated_s": end - begin,
            "height_m": height,
        }

    name = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    return name.capitalize(), run


def least(run, place, begin, end, cap):
    """The round with the least wall time of three, or the first if it takes more than 5 s."""
    rounds = [run(place, begin, end, cap)]
    while len(rounds) < 3 and rounds[0]["wall_s"] < 5:
        rounds.append(run(place, begin, end, cap))
    return min(rounds, key=lambda result: result["wall_s"])


def measure(name, method, run, cap):
    drop, flight = least(run, START, 0.0, DROP, cap), least(run, START, 0.0, FLIGHT, cap)
    contact = least(run, REST, SETTLED, CONTACT, cap)
    micros = lambda phase: 1e6 * phase["wall_s"] / max(phase["evaluations"], 1)
    return {
        "peer": name,
        "method": method,
        "steps": drop["steps"],
        "step_us": 1e6 * drop["simulated_s"] / max(drop["steps"], 1),
        "evaluations": drop["evaluations"],
        "flight_us": micros(flight),
        "contact_us": micros(contact),
        "drop_us": micros(drop),
        "wall_s": drop["wall_s"] * DROP / drop["simulated_s"],
        "simulated_s": drop["simulated_s"],
        "flight_evaluations": flight["evaluations"],
        "contact_evaluations": contact["evaluations"],
        "rest_height_m": contact["height_m"],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--carom", default="carom", help="the program")
    parser.add_argument("--cap", type=float, default=60, help="seconds of wall time after which a drop is stopped")
    parser.add_argument("--only", default="", help="peers whose title has this word, besides Carom")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()

    # Smooth volumes: 2 π² R r² and 4/3 π R³.
    meshes = check(torus(), 4096, 2 * math.pi**2 * RING * TUBE**2), check(sphere(), 500, 4 / 3 * math.pi * RING**3)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        ode45 = 'solver.method="ode45"'
        loose = ["solver.rtol=1e-4", f'law.foam.v_reg="{SLIP} m/s"']
        makers = {
            "Carom, ode45, errors 1e-6": lambda: carom(options.carom, [ode45]),
            "Carom, ode45, errors 1e-4": lambda: carom(options.carom, [ode45, *loose]),
            "Simbody, elastic foundation, Merson, errors 1e-4": lambda: simbody(meshes, folder),
            "Drake, hydroelastic, Runge-Kutta 3, errors 1e-4": lambda: drake(meshes, folder, 0.0),
            "Drake, hydroelastic, fixed 1 ms": lambda: drake(meshes, folder, STEP),
            "MuJoCo, SDF, Euler, fixed 1 ms": lambda: mujoco(meshes, True),
            "MuJoCo, hulls, Euler, fixed 1 ms": lambda: mujoco(meshes, False),
        }
        for title, make in makers.items():
            if options.only not in title and rows:
                continue
            try:
                name, run = make()
            except ImportError as error:
                print(f"{title}: not installed ({error})", file=sys.stderr)
                continue
            rows.append(measure(name, title.split(", ", 1)[1], run, options.cap))
            row, ours = rows[-1], rows[0]
            row["wall_ratio"] = row["wall_s"] / ours["wall_s"]
            row["contact_ratio"] = row["contact_us"] / ours["contact_us"]
            if not options.json:
                report(row, header=row is ours)
    if options.json:
        print(json.dumps(rows, indent=1))


def report(row, header):
    if header:
        print("Ratios are to the first row. Fixed steps, and errors of 1e-4, solve another problem than an integration with")
        print("errors of 1e-6. Evaluations in µs: in flight, in contact (with its ratio), over the whole drop.")
        print(
            f"{'':<16}{'method':<43}{'steps':>9}{'mean µs':>9}{'evals':>9}{'flight':>9}{'contact':>9}{'ratio':>8}"
            f"{'drop':>9}{'5 s: s':>9}{'ratio':>8}{'rest mm':>9}"
        )
    problem = "" if header else " (other problem)"
    part = "" if row["simulated_s"] > DROP - 1e-6 else f"; stopped at {row['simulated_s']:.2f} s, in proportion"
    print(
        f"{row['peer']:<16}{row['method']:<43}{row['steps']:>9}{row['step_us']:>9.1f}{row['evaluations']:>9}"
        f"{row['flight_us']:>9.2f}{row['contact_us']:>9.2f}{row['contact_ratio']:>8.1f}{row['drop_us']:>9.2f}"
        f"{row['wall_s']:>9.3f}{row['wall_ratio']:>8.2f}{1e3 * row['rest_height_m']:>9.1f}{problem}{part}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
