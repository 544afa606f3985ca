"""Robots of public packages on a floor, each held in the pose of its start by `--hold`: none falls for ever, and what joints give.

Every file of corpus.txt that imports and has shapes which touch, URDF and MJCF, is run by `carom run FILE --hold` for 2 s. A body
with such shapes falls for ever if at the end its origin is below the floor and still goes down faster than 1 m/s. A pose is held if no
joint is then farther than 0.05 rad or 5 mm from where it started; the servos of `--hold` promise 0.02 rad or 1 mm for what a joint
carries alone. Of those that give it is said why: the joint's `effort` is less than what it bears, the file's own position servo or a
coupling holds it and no servo of ours, or the servo is too soft for what rests on it besides.

    hold.py [WORD...]    files with one of the words in their path; all without

Environment variables CAROM, CORPUS as for corpus.py; TIMEOUT: seconds for a run, 60 without. Exit code 1 if one falls, stalls or stops.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import numpy as np
import pyarrow.parquet

from corpus import CACHE, CAROM, call, has_collisions, read_list, unpack

SECONDS, TURN, SHIFT, DOWN = 2.0, 0.05, 5e-3, 1.0
TIMEOUT = float(os.environ.get("TIMEOUT", "60"))


def run(path, folder):
    """The run's record, its solving time and states."""
    command = [CAROM, "run", str(path), "--hold", "--out", str(folder), "--force", "--no-report", "-qq", "--t-end", f"{SECONDS} s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    record = folder / "run.json"
    if not record.exists():
        raise RuntimeError(" ".join(done.stderr.split())[:200])
    return json.loads(record.read_text()), pyarrow.parquet.read_table(folder / "states.parquet")


def joints_off(table):
    """Coordinates by name, with their unit, how far each is from its start at the end, and was at most."""
    found = {}
    for name in table.column_names:
        if match := re.fullmatch(r"(.*)\.(q\w*)_(rad|m)", name):
            way = np.abs(np.array(table[name]) - table[name][0].as_py())
            found[f"{match[1]}.{match[2]}" if match[2] != "q" else match[1]] = match[3], way[-1], way.max()
    return found


def falls(table):
    """Bodies that go down below the floor."""
    bodies = [name.removesuffix(".vz_m_s") for name in table.column_names if name.endswith(".vz_m_s")]
    moving = [b for b in bodies if np.ptp(np.array(table[f"{b}.z_m"])) > 0]
    floor = table["floor.z_m"][-1].as_py() if "floor.z_m" in table.column_names else 0.0
    last = [(table[f"{b}.z_m"][-1].as_py(), table[f"{b}.vz_m_s"][-1].as_py()) for b in moving]
    return [b for b, (z, v) in zip(moving, last) if z < floor and v < -DOWN]


def reason(name, unit, off, joints):
    """Why a joint gives."""
    base, _, coordinate = name.rpartition(".q")
    base, coordinate = (base, int(coordinate)) if base and coordinate.isdigit() else (name, 0)
    joint = joints[base if base in joints else base.removeprefix("joint.")]
    servo = joint.get("servo", {})
    servo = servo[coordinate] if isinstance(servo, list) else servo
    if not servo:
        return "no servo of --hold"
    most = servo.get("torque" if unit == "rad" else "force")
    return "its effort is less" if most is not None and servo["stiffness"] * off >= 0.99 * most else "too soft"


def case(path, folder):
    record, table = run(path, folder)
    end, seconds, residual = record["end"], record["statistics"]["wall_s"], record["energy"]["residual_relative"]
    if end["reason"] != "finished":
        return "STOP", f"{end['reason']} at {end['time_s']} s: {end['problem']}"
    falling = falls(table)
    off = joints_off(table)
    allowed = {"rad": TURN, "m": SHIFT}
    loose = sorted((name for name, (unit, last, _) in off.items() if last > allowed[unit]), key=lambda n: -off[n][1])
    worst = {unit: max((last for u, last, _ in off.values() if u == unit), default=0.0) for unit in allowed}
    line = f"{len(off)} joints, {worst['rad']:.2g} rad, {1e3 * worst['m']:.2g} mm off; {seconds:.2f} s, ledger {residual:.1e}"
    if falling and has_collisions(path, falling):
        return "FALL", f"{falling[0]} and {len(falling) - 1} more below the floor; {line}"
    if loose:
        file = folder.with_name("model.toml")
        file.unlink(missing_ok=True)
        call("convert", str(path), str(file), "--hold")
        joints = tomllib.loads(file.read_text())["joint"]
        told = [(name, *off[name][:2], reason(name, *off[name][:2], joints)) for name in loose]
        named = ", ".join(f"{name} {last:.2g} {unit} ({why})" for name, unit, last, why in told[:3])
        return "give", f"{len(loose)} of {line}: {named}"
    return "ok  ", line


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    count = dict.fromkeys(["ok  ", "give", "FALL", "STOP", "SLOW"], 0)
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        for package, files in read_list().items():
            for file in files:
                path = unpack(package) / file
                if words and not any(word in file for word in words):
                    continue
                try:
                    call("check", str(path))
                    if not has_collisions(path):
                        continue
                except (RuntimeError, ValueError, OSError):
                    continue
                try:
                    kind, line = case(path, Path(place) / "run")
                except subprocess.TimeoutExpired:
                    kind, line = "SLOW", f"not at its end after {TIMEOUT:g} s"
                except (RuntimeError, OSError, KeyError) as error:
                    kind, line = "STOP", f"{type(error).__name__}: {error}"
                count[kind] += 1
                print(f"{kind} {file}: {line}", flush=True)
    print(", ".join(f"{value} {kind.strip()}" for kind, value in count.items()))
    return 1 if count["FALL"] + count["STOP"] + count["SLOW"] else 0


if __name__ == "__main__":
    # MuJoCo logs its warnings where it runs.
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        sys.exit(main())
