"""Mass matrices and bias forces of robots from MJCF, against MuJoCo's.

The models are those of the Python package gymnasium, and small ones below for what these do not have: armature of all
joints, inertia from geoms and meshes, bounds and balance of inertias, models attached to others. Their first links are fixed.
`carom analyze dynamics` gets random states and answers with M(q) and h(q, v) of M v̇ + h = τ; coordinates count from the pose of the file, as
MuJoCo's less `qpos0`. Joints that became part of others are left out, and with them nothing moves.

Environment variable CAROM: the program, else target/release/carom. Words pick models by name. Exit code 1 if any fails.
"""

import contextlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

try:
    import mujoco
except ImportError:
    print("mujoco_robots.py: there is no MuJoCo for this system; 0 passed, 0 failed")
    sys.exit(0)

ROOT = Path(__file__).resolve().parents[2]
CAROM = str(Path(os.environ.get("CAROM", ROOT / "target" / "release" / "carom")).resolve())
STATES = 10
# Difference over the norm of MuJoCo's: rounding; where joints of one body stay apart, bodies of a billionth of its mass
# between them; where inertias are those of meshes, whose axes MuJoCo turns until they are within some 1e-7 of the principal ones
# (masses, centres and moments agree to rounding: corpus.py).
WHOLE, SPLIT, MESH = 1e-10, 1e-8, 1e-6

HINGE = '<joint name="{0}" type="{1}" axis="{2}" {3}/>'
INERTIAL = '<inertial pos="0.1 0 0.02" mass="1.3" diaginertia="0.02 0.03 0.025"/>'
SMALL = {
    "armature": "<body>" + HINGE.format("a", "hinge", "0 1 0", 'armature="0.3" ref="0.4"') + INERTIAL
    + '<body pos="0.3 0 0">' + HINGE.format("b", "slide", "1 0.2 0", 'armature="2"') + INERTIAL
    + '<body pos="0 0.2 0">' + HINGE.format("c", "hinge", "1 0 0", 'armature="0.02"')
    + HINGE.format("d", "hinge", "0 1 0.1", 'armature="0.5"') + INERTIAL + "</body></body></body>",
    "geoms": "<body>" + HINGE.format("a", "hinge", "0 1 0", 'armature="0.1"')
    + '<geom type="capsule" fromto="0 0 0 0.4 0 0.1" size="0.05"/><geom type="ellipsoid" size="0.1 0.2 0.3" mass="2"/>'
    + '<body pos="0.3 0 0">' + HINGE.format("b", "hinge", "0 0 1", "")
    + '<geom type="mesh" mesh="bowl" contype="0" conaffinity="0"/></body></body>',
    "bounds": "<body>" + HINGE.format("a", "hinge", "0 1 0", "")
    + '<inertial pos="0 0 0.3" mass="1e-3" diaginertia="1 2 6" euler="10 20 30"/><body pos="0.3 0 0">'
    + HINGE.format("b", "hinge", "0 0 1", "")
    + '<inertial pos="0.2 0 0" mass="4" diaginertia="1e-9 0.2 0.2" euler="30 0 10"/></body></body>',
}
# A cup without a lid, its wall of one triangle's thickness: open, and not convex.
BOWL = """v 0 0 0\nv 0.2 0 0\nv 0.2 0.3 0\nv 0 0.3 0\nv 0.05 0.05 0.25\nv 0.25 0.05 0.2\nv 0.15 0.25 0.3\nv 0.02 0.2 0.2
f 1 3 2\nf 1 4 3\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n"""


def models(folder):
    """Name and path of each model."""
    (folder / "bowl.obj").write_text(BOWL)
    for name, body in SMALL.items():
        compiler = 'boundmass="0.5" boundinertia="0.01" balanceinertia="true"' if name == "bounds" else ""
        asset = '<asset><mesh name="bowl" file="bowl.obj" scale="1 -1 2"/></asset>' if name == "geoms" else ""
        path = folder / f"{name}.xml"
        path.write_text(
            f'<mujoco model="{name}"><compiler autolimits="true" {compiler}/>{asset}<worldbody>{body}</worldbody></mujoco>'
        )
        yield name, path
    yield "attach", ROOT / "crates/io/tests/models/mjcf/attach/cell.xml"
    for entry in sorted(importlib.metadata.files("gymnasium") or [], key=str):
        if entry.match("envs/mujoco/assets/*.xml"):
            yield entry.stem, Path(entry.locate()).resolve()


def run_carom(path, *more):
    command = [CAROM, "analyze", "dynamics", str(path), "--json", "--base", "fixed", *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}\n{done.stderr}{done.stdout}")
    return json.loads(done.stdout)


def case(path):
    """Number of joints, and largest differences over the norms."""
    model = mujoco.MjModel.from_xml_path(str(path))
    scalar = [int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)]
    joints = {model.joint(j).name: j for j in range(model.njnt) if int(model.jnt_type[j]) in scalar}
    for options in [], ["--split-joints"]:
        ours = run_carom(path, *options)["joints"]
        names = [name for name in joints if name in ours]
        if names:
            break
    else:
        raise RuntimeError(f"no joint of {list(joints)} among {ours}")
    random = np.random.default_rng(7)
    start = {name: model.qpos0[model.jnt_qposadr[joints[name]]] for name in names}
    states = [
        {"q": {name: random.uniform(-1, 1) for name in names}, "v": {name: random.uniform(-2, 2) for name in names}}
        for _ in range(STATES)
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "states.json"
        file.write_text(json.dumps({"joints": names, "states": states}))
        answer = run_carom(path, "--states", str(file), *options)
    order = [answer["joints"].index(name) for name in names]
    freedoms = [model.jnt_dofadr[joints[name]] for name in names]
    worst = [0.0, 0.0]
    for state, got in zip(states, answer["states"]):
        data = mujoco.MjData(model)
        for name in names:
            data.qpos[model.jnt_qposadr[joints[name]]] = state["q"][name] + start[name]
            data.qvel[model.jnt_dofadr[joints[name]]] = state["v"][name]
        mujoco.mj_forward(model, data)
        mass = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass)
        mass, bias = mass[np.ix_(freedoms, freedoms)], data.qfrc_bias[freedoms]
        found = np.array(got["mass_matrix"])[np.ix_(order, order)], np.array(got["bias"])[order]
        for k, (value, want) in enumerate(zip(found, (mass, bias))):
            worst[k] = max(worst[k], np.linalg.norm(value - want) / max(np.linalg.norm(want), 1e-9))
    bodies = [model.jnt_bodyid[joints[name]] for name in names]
    allowed = SPLIT if len(set(bodies)) < len(bodies) else MESH if model.nmesh else WHOLE
    return len(names), allowed, worst


def main():
    passed = failed = 0
    # MuJoCo logs its warnings where it runs.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, path in models(Path(folder)):
            if sys.argv[1:] and not any(word in name for word in sys.argv[1:]):
                continue
            try:
                joints, allowed, (mass, bias) = case(path)
                fails = not max(mass, bias) <= allowed
                line = f"{joints} joints, mass matrix {mass:.1e}, bias {bias:.1e}, {allowed:.0e} allowed"
            except (RuntimeError, KeyError, ValueError, OSError, subprocess.TimeoutExpired) as error:
                fails, line = True, f"{type(error).__name__}: {error}"
            print(f"{'FAIL' if fails else 'ok  '} {name}: {line}", flush=True)
            passed, failed = passed + (not fails), failed + fails
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
