"""Independent reference for mechanisms: the examples against their own equations, in mechanism_models/.

Nothing is taken from the program. Each mechanism is described by as few coordinates as it has freedoms, with
equations that SymPy derives by Lagrange's method, and integrated by SciPy at 1e-12 or below; where the motion is an
elliptic function, that is compared too.

`mechanisms.py` runs every case. A case runs the program (environment variable CAROM, else target/release/carom) on
an example, once for each time of comparison, and prints the largest differences. `mechanisms.py --expectations` needs
no program: it compares the positions that the examples themselves expect. Words pick cases by name. Exit code 1 if
any case fails.
"""

import importlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from rigid_bodies import matrix

ROOT = Path(__file__).resolve().parents[2]
CAROM = os.environ.get("CAROM", str(ROOT / "target" / "release" / "carom"))
RTOL = "1e-11"

# Differences that pass. Positions are in metres, and the mechanisms are of that size but for Andrews', of
# centimetres, where 1e-9 is what 1e-8 is elsewhere. Velocities and attitudes differ by as many times more as the
# motion is faster than 1/s: 100 for the heavy top.
TOL = {"position_m": 1e-8, "attitude": 1e-7, "velocity_m_s": 1e-6, "energy": 1e-9}
SMALL = {**TOL, "position_m": 1e-9}

JOINT, BODY = 'solver.coordinates="joint"', 'solver.coordinates="body"'

# Example, times of comparison, tolerances.
MODELS = {
    "pendulum": ((1.0, 10.0), TOL),
    "four-bar": ((0.6, 1.0, 10.0), TOL),
    "andrews": ((0.01, 0.03, 0.05), SMALL),
    "bricard": ((1.0, 10.0), TOL),
    "governor": ((0.1, 1.0), TOL),
    "slider-crank": ((0.4, 0.7, 2.0), TOL),
    "free-top": ((1.0, 3.0), TOL),
    "heavy-top": ((0.5, 2.0), TOL),
    "robot-arm": ((0.2, 0.4), TOL),
}

# ali3p with a fixed step h is of second order: half the step leaves a quarter of the difference. Example: time, larger
# step, difference of positions that passes at half of it (m): several times h² t/12 times the third derivative.
ALI3P = {
    "pendulum": (1.0, 1e-3, 1e-5),
    "four-bar": (0.6, 1e-3, 2e-5),
    "andrews": (0.01, 2e-5, 2e-6),
    "bricard": (1.0, 1e-3, 1e-5),
    "governor": (0.1, 5e-4, 2e-6),
    "slider-crank": (0.2, 1e-3, 1e-5),
    "free-top": (0.5, 5e-4, 2e-6),
    "heavy-top": (0.1, 1e-4, 1e-4),
    "robot-arm": (0.2, 1e-3, 1e-5),
}


def model_of(name):
    return importlib.import_module("mechanism_models." + name.replace("-", "_"))


_references = {}


def reference(name, times):
    """Poses at the times; computed once for each set of times."""
    key = name, tuple(sorted(times))
    if key not in _references:
        _references[key] = dict(zip(key[1], model_of(name).reference(key[1])))
    return _references[key]


# The program ----------------------------------------------------------------------------------------------


def run_carom(name, folder, t_end, settings):
    """Final state of an example. Its expectations look at times of their own and are left out."""
    text = (ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    model = folder / f"{name}.toml"
    model.write_text(text.split("[expect]")[0], encoding="utf-8")
    command = [CAROM, "run", str(model), "--json", "--no-report", "--out", str(folder / "run")]
    for setting in (f'solver.t_end="{t_end!r} s"', f"solver.rtol={RTOL}", *settings):
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}\n{done.stderr}{done.stdout}")
    result = json.loads(done.stdout)
    if result["end"]["reason"] != "finished":
        raise RuntimeError(f"{result['end']}")
    return result


# Comparison -----------------------------------------------------------------------------------------------


class Comparison:
    def __init__(self, tolerances):
        self.tolerances, self.worst, self.notes = tolerances, {}, []

    def see(self, kind, difference, where=""):
        ratio = float(difference) / self.tolerances[kind]
        if not ratio <= self.worst.get(kind, (0.0, -1.0, ""))[1]:
            self.worst[kind] = (float(difference), ratio, where)

    def passed(self):
        return not self.notes and all(ratio <= 1.0 for _, ratio, _ in self.worst.values())

    def line(self):
        parts = [
            f"{kind} {value:.1e}" + ("" if ratio <= 1 else f" (! {where})")
            for kind, (value, ratio, where) in self.worst.items()
        ]
        return ", ".join(parts + self.notes)


def compare(check, poses, result, t):
    if missing := set(poses) - set(result["bodies"]):
        check.notes.append(f"no body {sorted(missing)}")
        return
    for name, (place, turn, velocity) in poses.items():
        got, where = result["bodies"][name], f"{name} at {t} s"
        check.see("position_m", np.abs(place - got["position_m"]).max(), where)
        if turn is not None:
            attitude = np.linalg.norm(turn - matrix(np.array(got["quaternion_wxyz"]))) / math.sqrt(2)
            check.see("attitude", attitude, where)
        check.see("velocity_m_s", np.abs(velocity - got["velocity_m_s"]).max(), where)


def case_kkt(folder, name, coordinates):
    times, tolerances = MODELS[name]
    check = Comparison(tolerances)
    poses = reference(name, times)
    for t in times:
        result = run_carom(name, folder, t, [coordinates, 'solver.formulation="kkt"'])
        compare(check, poses[t], result, t)
        check.see("energy", result["energy"]["residual_relative"], f"{t} s")
    return check


def case_ali3p(folder, name):
    t, step, tolerance = ALI3P[name]
    poses, differences = reference(name, [t])[t], []
    for h in (step, step / 2):
        formulation = f'solver.formulation={{ type = "ali3p", step = "{h!r} s" }}'
        result = run_carom(name, folder, t, [formulation])
        differences.append(
            max(np.abs(place - result["bodies"][body]["position_m"]).max() for body, (place, _, _) in poses.items())
        )
    check = Comparison({"position_m": tolerance})
    check.see("position_m", differences[1])
    ratio = differences[0] / differences[1] if differences[1] > 0 else math.inf
    if not 3.5 <= ratio <= 4.5:
        check.notes.append(f"half the step leaves 1/{ratio:.2f}, not 1/4")
    return check


# What the examples expect ---------------------------------------------------------------------------------

UNITS = {"s": 1.0, "ms": 1e-3, "m": 1.0}
EXPECTED = re.compile(
    r'^"(?P<body>\w+)\.(?P<axis>[xyz]) (?:@ (?P<time>[\d.]+) (?P<unit>m?s)|final)" = '
    r'\{ value = "(?P<value>-?[\d.]+) m", tol = ',
    re.MULTILINE,
)


def case_expectations(name):
    """Numbers in an example, against the reference to the digits that are written."""
    text = (ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8")
    end, unit = re.search(r'^t_end = "([\d.]+) (m?s)"', text, re.MULTILINE).groups()
    at = lambda m: float(m["time"]) * UNITS[m["unit"]] if m["time"] else float(end) * UNITS[unit]
    rows = list(EXPECTED.finditer(text))
    poses = reference(name, {at(m) for m in rows})
    check = Comparison({"position_m": 1e-10})
    for m in rows:
        if m["body"] in poses[at(m)]:
            place = poses[at(m)][m["body"]][0]
            check.see("position_m", abs(place["xyz".index(m["axis"])] - float(m["value"])), m[0])
    if not check.worst:
        check.notes.append("expects no position of the reference")
    return check


def cases(only_expectations):
    for name in MODELS:
        if name == "robot-arm" and sys.platform == "win32":
            continue  # there is no Pinocchio
        if only_expectations:
            yield f"{name}, expectations", lambda _, name=name: case_expectations(name)
            continue
        yield f"{name}, joint", lambda f, name=name: case_kkt(f, name, JOINT)
        yield f"{name}, body", lambda f, name=name: case_kkt(f, name, BODY)
        yield f"{name}, ali3p", lambda f, name=name: case_ali3p(f, name)


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    passed = failed = 0
    for name, case in cases("--expectations" in sys.argv):
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                check = case(Path(folder))
                ok, line = check.passed(), check.line()
            except (RuntimeError, AssertionError, KeyError, OSError, subprocess.TimeoutExpired) as error:
                ok, line = False, f"{type(error).__name__}: {error}"
        print(f"{'ok  ' if ok else 'FAIL'} {name}: {line}", flush=True)
        passed, failed = passed + ok, failed + (not ok)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
