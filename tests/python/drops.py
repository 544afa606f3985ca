"""Robots of public packages, dropped or standing for two seconds with all their contacts, beside MuJoCo: stalls, times, ledgers.

Each file of `FILES` below, which are in packages of corpus.txt, is run by `carom run` for 2 s, and by MuJoCo with 1000 steps of its
default 2 ms. What an import adds is added there, too: a floor of the same height, and for URDF a free first link at the same height.
Times are those of solving, without loading, output and compiling: ours as the run states it, MuJoCo's around its steps; of each the
least of five runs. A run passes if it ends, its ledger closes to 1e-4 of the energy that moved, and it takes no more than ten
times MuJoCo's time.

    drops.py [WORD...]    files with one of the words in their path; all without
    drops.py --all        every file of corpus.txt that MuJoCo reads and that has shapes which touch, once each

Environment variable CAROM: the program, else target/release/carom. Exit code 1 if one fails.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

import mujoco

from corpus import CACHE, CAROM, call, clean, has_collisions, read_list, unpack

SECONDS, STEP, TIMES, CLOSED = 2.0, 2e-3, 10.0, 1e-4
TIMEOUT = 300

FILES = [
    *(f"gymnasium/envs/mujoco/assets/{name}.xml" for name in (
        "ant", "half_cheetah", "hopper", "humanoid", "humanoidstandup", "inverted_double_pendulum", "inverted_pendulum",
        "walker2d", "walker2d_v5")),
    "dm_control/locomotion/soccer/assets/boxhead/boxhead.xml",
    *(f"dm_control/suite/{name}.xml" for name in ("ball_in_cup", "cheetah", "hopper", "manipulator", "quadruped", "walker")),
    *(f"robosuite/models/assets/grippers/{name}.xml" for name in (
        "fourier_left_hand", "jaco_three_finger_gripper", "robotiq_gripper_140", "robotiq_gripper_s")),
    *(f"robosuite/models/assets/robots/{name}/robot.xml" for name in (
        "baxter", "jaco", "panda", "sawyer", "spot_arm", "tiago", "xarm7")),
    *(f"gymnasium_robotics/envs/assets/fetch/{name}.xml" for name in ("pick_and_place", "push", "slide")),
]


def ours(path, folder, runs):
    """End, solving time (s), steps, and relative residual of the ledger."""
    took = []
    for _ in range(runs):
        command = [CAROM, "run", str(path), "--out", str(folder / "run"), "--force", "--no-report", "-qq", "--t-end", f"{SECONDS} s"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
        record = folder / "run" / "run.json"
        if not record.exists():
            raise RuntimeError(done.stderr.strip().splitlines()[0][:160])
        run = json.loads(record.read_text())
        took.append(run["statistics"]["wall_s"])
    return run["end"], min(took), run["statistics"]["steps"], run["energy"]["residual_relative"]


def scene(path, folder):
    """MuJoCo's model with what the import adds."""
    file = folder / "model.toml"
    call("convert", str(path), str(file), "--meshes", "box")
    model = tomllib.loads(file.read_text())
    spec = mujoco.MjSpec.from_file(str(path))
    spec.option.timestep = STEP
    if "floor" in model["body"]:
        height = model["body"]["floor"].get("pos", [0, 0, 0])[2]
        spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[50, 50, 1], pos=[0, 0, height])
    if path.suffix == ".urdf":
        for body in spec.worldbody.bodies:
            own = model["body"].get(clean(body.name))
            if own is not None and not own.get("fixed"):
                body.pos = own.get("pos", [0, 0, 0])
                body.add_freejoint()
    return spec.compile()


def theirs(path, folder, runs):
    """Time of MuJoCo's steps (s)."""
    model = scene(path, folder)
    took = []
    for _ in range(runs):
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        started = time.perf_counter()
        mujoco.mj_step(model, data, nstep=round(SECONDS / STEP))
        took.append(time.perf_counter() - started)
    return min(took)


def case(path, runs):
    with tempfile.TemporaryDirectory() as folder:
        end, seconds, steps, residual = ours(path, Path(folder), runs)
        if end["reason"] != "finished":
            return True, f"{end['reason']} at {end['time_s']} s: {end['problem']}"
        try:
            peer = theirs(path, Path(folder), runs)
        except ValueError as error:
            return residual > CLOSED, f"{seconds:.3f} s, {steps} steps, ledger {residual:.1e}; MuJoCo does not read it: {error}"
    fails = seconds > TIMES * peer or residual > CLOSED
    line = f"{seconds:.3f} s, MuJoCo {peer:.3f} s: {seconds / peer:.1f} times; {steps} steps, ledger {residual:.1e}"
    return fails, line


def main():
    wanted = [(package, file) for package, files in read_list().items() for file in files]
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    everything = "--all" in sys.argv
    passed = failed = 0
    CACHE.mkdir(parents=True, exist_ok=True)
    for package, file in wanted:
        if not (everything or words or file in FILES) or (words and not any(word in file for word in words)):
            continue
        path = unpack(package) / file
        try:
            if everything and not has_collisions(path):
                continue
            fails, line = case(path, 1 if everything else 5)
        except (RuntimeError, ValueError, OSError, KeyError, subprocess.TimeoutExpired) as error:
            fails, line = True, f"{type(error).__name__}: {error}"
        print(f"{'FAIL' if fails else 'ok  '} {file}: {line.splitlines()[0][:300]}", flush=True)
        passed, failed = passed + (not fails), failed + fails
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    # MuJoCo logs its warnings where it runs.
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        sys.exit(main())
