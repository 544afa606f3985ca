"""Robots of MJCF that move for two seconds without touching anything, beside MuJoCo's Runge-Kutta method of fourth order.

Files are those of corpus.txt that MuJoCo reads and that have joints of one coordinate. Both start at the same random coordinates and
velocities of these, with all else as the file has it, and without contact, limits, friction, equalities and fluid. Actuators act, with
controls of 0. MuJoCo runs with steps of 1e-5 and 2e-5 s; a file whose two runs differ by more than 1e-7 rad (m) tells nothing (it is
too stiff, or chaotic) and is passed over, named. The others must be within 1e-6 rad (m) of it at the end, every coordinate.

    trajectories.py [WORD...]    files with one of the words in their path; all without
    trajectories.py --few        five files, those of FEW, a minute

Environment variable CAROM: the program, else target/release/carom. Exit code 1 if one is farther away.
"""

import contextlib
import re
import sys
import tempfile
import tomllib
from pathlib import Path

import mujoco
import numpy as np
import pyarrow.parquet

from corpus import CACHE, call, clean, is_robot, read_list, unpack

SECONDS, STEPS, AGREES, NEAR = 2.0, (1e-5, 2e-5), 1e-7, 1e-6
FEW = ["suite/acrobot.xml", "suite/walker.xml", "assets/hopper.xml", "suite/swimmer.xml"]
# Of the model file: sections and keys that are left out on both sides.
SECTIONS, KEYS = re.compile(r"\[(constraint|contact|law)\b"), re.compile(r"(limit|friction) = ")


class Peer:
    def __init__(self, path):
        self.model = model = mujoco.MjModel.from_xml_path(str(path))
        off = mujoco.mjtDisableBit
        model.opt.disableflags |= off.mjDSBL_CONTACT | off.mjDSBL_LIMIT | off.mjDSBL_EQUALITY | off.mjDSBL_FRICTIONLOSS
        model.opt.density = model.opt.viscosity = 0.0
        model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
        single = [int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)]
        joints = [(clean(model.joint(j).name), j) for j in range(model.njnt) if int(model.jnt_type[j]) in single]
        self.joints = {name: j for name, j in joints if name}

    def run(self, step, start):
        """Coordinates at the end, by joint, from those of the file's pose."""
        model, data = self.model, mujoco.MjData(self.model)
        model.opt.timestep = step
        for name, (position, velocity) in start.items():
            j = self.joints[name]
            data.qpos[model.jnt_qposadr[j]] = model.qpos0[model.jnt_qposadr[j]] + position
            data.qvel[model.jnt_dofadr[j]] = velocity
        mujoco.mj_step(model, data, nstep=round(SECONDS / step))
        at = {name: model.jnt_qposadr[self.joints[name]] for name in start}
        return np.array([data.qpos[k] - model.qpos0[k] for k in at.values()])


def ours(path, folder, peer):
    """The model file without what touches, and a random start of the joints that both have."""
    file = folder / "whole.toml"
    call("convert", str(path), str(file), "--split-joints", "--no-floor", "--meshes", "skip", "--self-contact", "none")
    whole = tomllib.loads(file.read_text())
    joints, forces = whole.get("joint", {}), whole.get("force", {})
    names = [name for name in peer.joints if name in joints and joints[name]["type"] in ("revolute", "prismatic")]
    random = np.random.default_rng(3)
    start = {name: (random.uniform(-0.5, 0.5), random.uniform(-1, 1)) for name in names}
    lines, keeps, joint = [], True, None
    for line in file.read_text().splitlines():
        if line.startswith("["):
            keeps = not SECTIONS.match(line)
            joint = re.fullmatch(r"\[joint\.(?:\"(.*)\"|(.*))\]", line)
            joint = joint and (joint[1] or joint[2])
            keeps = keeps and not (joint and joints[joint].get("cut"))
            # Welds to what is fixed are equalities, too.
            force = re.fullmatch(r"\[force\.(?:\"(.*)\"|(.*))\]", line)
            keeps = keeps and not (force and forces[force[1] or force[2]]["type"] == "bushing")
        if keeps and not KEYS.match(line) and not (joint in start and line.startswith(("position = ", "velocity = "))):
            lines.append(line)
            if joint in start and line.startswith("[joint."):
                unit = "rad" if joints[joint]["type"] == "revolute" else "m"
                lines.append(f'position = "{start[joint][0]!r} {unit}"\nvelocity = "{start[joint][1]!r} {unit}/s"')
    text = folder / "free.toml"
    text.write_text("\n".join(lines) + "\n")
    return text, start


def case(path):
    """What is to be said, and whether it is wrong."""
    peer = Peer(path)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        model, start = ours(path, folder, peer)
        if not start:
            return False, "no joint of one coordinate in common"
        fine, coarse = (peer.run(step, start) for step in STEPS)
        spread = np.abs(fine - coarse).max()
        if not spread <= AGREES:
            return False, f"MuJoCo's own runs differ by {spread:.1e}"
        call("run", str(model), "--out", str(folder / "run"), "--no-report", "-qq", "--t-end", f"{SECONDS} s", "--set", "solver.rtol=1e-11")
        table = pyarrow.parquet.read_table(folder / "run" / "states.parquet")
        columns = set(table.column_names)
        # Where a body has the same name, the joint's is longer.
        ways = [f"{prefix}{{}}.q_{unit}" for prefix in ("", "joint.") for unit in ("rad", "m")]
        names = [next(way.format(name) for way in ways if way.format(name) in columns) for name in start]
        found = np.array([table[name][-1].as_py() for name in names])
    off = np.abs(found - fine).max()
    return not off <= NEAR, f"{len(start)} of {peer.model.nv} freedoms, {off:.1e} away, MuJoCo's own {spread:.1e}"


def main():
    words = FEW if "--few" in sys.argv else [word for word in sys.argv[1:] if not word.startswith("--")]
    CACHE.mkdir(parents=True, exist_ok=True)
    compared = wrong = 0
    for package, files in read_list().items():
        for file in files:
            if (words and not any(word in file for word in words)) or Path(file).suffix == ".urdf":
                continue
            path = unpack(package) / file
            if not is_robot(path) or b"<robot" in path.read_bytes():
                continue
            try:
                fails, line = case(path)
            except (RuntimeError, ValueError, OSError, KeyError, StopIteration) as error:
                fails, line = False, f"not compared: {type(error).__name__}: {error}".splitlines()[0][:200]
            is_compared = "away" in line
            compared, wrong = compared + is_compared, wrong + fails
            print(f"{'FAIL' if fails else 'ok  ' if is_compared else '-   '} {file}: {line}", flush=True)
    print(f"{compared - wrong} passed, {wrong} failed")
    return 1 if wrong or not compared else 0


if __name__ == "__main__":
    # MuJoCo logs its warnings where it runs.
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        sys.exit(main())
