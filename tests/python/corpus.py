"""The robots of public packages: how many import, and whose mass matrix and bias are those of other programs.

`corpus.txt` beside this has the packages with their versions, and below each every robot file in it: a URDF that
Pinocchio reads, an MJCF that MuJoCo compiles, each with something that moves. Wheels are fetched by pip into target/corpus and unpacked there.

    corpus.py [WORD...]      files with one of the words in their path; all without
    corpus.py --list         writes the list anew from the packages that it names

Each file is imported (`carom check`); M and h of M v̇ + h = τ at random states are held against MuJoCo's or Pinocchio's, of all
joints of one coordinate that have names, and of free bodies of MJCF: MuJoCo's freedoms of those are of the body's origin, ours of its
centre of mass, unless they hang on a free joint. What no rigid body has (E0312), or no inertia beside a mass, is imported again with `--inertia repair`,
and counted apart; its numbers are others. Environment variable CAROM: the program, else target/release/carom. The end is a table of what failed and why. Exit code 1 if a number is wrong, or the share below is not met.
"""

import contextlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

import mujoco
import numpy as np
import pinocchio

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("corpus.txt")
CACHE = Path(os.environ.get("CORPUS", ROOT / "target" / "corpus"))
CAROM = str(Path(os.environ.get("CAROM", ROOT / "target" / "release" / "carom")).resolve())
SHARE = 270 / 280
STATES = 4
# Difference over the norm of the peer's: rounding; where joints of one body stay apart, or links without mass carry others, bodies of
# a billionth of the mass next to them.
WHOLE, SPLIT = 1e-10, 1e-8
# Of the inertia that MuJoCo keeps as moments and axes: it turns the axes until they are within some 1e-7 of the principal ones.
AXES = 1e-6
TIMEOUT = 120


# The collection -------------------------------------------------------------------------------------------


def read_list():
    packages = {}
    for line in LIST.read_text().splitlines():
        if line.startswith("  "):
            packages[package].append(line.strip())
        elif line and not line.startswith("#"):
            package = line.strip()
            packages[package] = []
    return packages


def unpack(package):
    """Folder of the package's wheel."""
    folder = CACHE / package.replace("==", "-")
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=CACHE) as place:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
            subprocess.run([*command, "--dest", place, package], check=True)
            wheel = next(Path(place).glob("*.whl"))
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(folder)
    return folder


def is_robot(path):
    """A robot on its own: a fragment that others include does not compile."""
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, UnicodeDecodeError):
        return False
    if root.tag == "robot":
        try:
            return pinocchio.buildModelFromUrdf(str(path)).nv > 0
        except ValueError:
            return False
    if root.tag != "mujoco" or root.find("worldbody") is None:
        return False
    try:
        return mujoco.MjModel.from_xml_path(str(path)).njnt > 0
    except ValueError:
        return False


def write_list():
    lines = [line for line in LIST.read_text().splitlines() if line.startswith("#")]
    for package in read_list():
        folder = unpack(package)
        files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".urdf", ".xml", ".mjcf")]
        # A thousand objects of one mesh each.
        files = [path for path in files if "random_urdfs" not in path.parts]
        lines += [package, *(f"  {path.relative_to(folder).as_posix()}" for path in files if is_robot(path))]
        print(lines[-1], flush=True)
    LIST.write_text("\n".join(lines) + "\n")


# Ours -----------------------------------------------------------------------------------------------------


def call(*arguments):
    """What the program writes, or a RuntimeError with its first errors."""
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode != 0:
        errors = re.findall(r"^error\[(\w+)\]: (.*)$", done.stderr + done.stdout, flags=re.M)
        told = "; ".join(f"{code} {text}" for code, text in errors[:3])
        raise RuntimeError(told or f"exit code {done.returncode}: {done.stderr[-300:]}")
    return done.stdout if "--json" in arguments else done.stdout + done.stderr


def dynamics(path, options, request=None):
    command = ["analyze", "dynamics", str(path), "--json", "--no-floor", "--meshes", "skip", *options]
    if request is None:
        return json.loads(call(*command))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "states.json"
        file.write_text(json.dumps(request))
        return json.loads(call(*command, "--states", str(file)))


def model_file(path, options):
    """What the import writes, as tables."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.toml"
        call("convert", str(path), str(file), "--no-floor", "--meshes", "skip", *options)
        return tomllib.loads(file.read_text())


def cross(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def clean(name):
    """A name as an import makes it."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


# Peers ----------------------------------------------------------------------------------------------------


class Mujoco:
    def __init__(self, path):
        self.model = mujoco.MjModel.from_xml_path(str(path))
        scalar = [int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)]
        model = self.model
        self.ids = {clean(model.joint(j).name): j for j in range(model.njnt) if int(model.jnt_type[j]) in scalar}
        self.joints = [name for name in self.ids if name]
        self.free = {}
        for j in range(model.njnt):
            if int(model.jnt_type[j]) == int(mujoco.mjtJoint.mjJNT_FREE):
                self.free[clean(model.body(model.jnt_bodyid[j]).name)] = model.jnt_dofadr[j]
        self.unnamed = model.njnt - len(self.joints)

    def allowed(self, names):
        bodies = [self.model.jnt_bodyid[self.ids[name]] for name in names]
        return SPLIT if len(set(bodies)) < len(bodies) else WHOLE

    def turn_axes(self, tables):
        """Turns the axes of inertias of bodies that are ours, too, onto the principal ones: what is compared then are masses, centres
        and moments of MuJoCo's alone. Axes that are farther off than MuJoCo leaves them stay."""
        model = self.model
        for b in range(1, model.nbody):
            own = tables.get(clean(model.body(b).name))
            if own is None or "inertia" not in own or abs(own["mass"] - model.body_mass[b]) > WHOLE * model.body_mass[b]:
                continue
            xx, yy, zz, xy, xz, yz = own["inertia"]
            ours = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            turn = np.zeros(9)
            mujoco.mju_quat2Mat(turn, model.body_iquat[b])
            turn = turn.reshape(3, 3)
            seen = turn.T @ ours @ turn
            if np.linalg.norm(seen - np.diag(model.body_inertia[b])) > AXES * np.linalg.norm(ours):
                continue
            # To first order, twice: off the diagonal by the difference of the moments; equal ones have no axes.
            for _ in range(2):
                small = np.zeros((3, 3))
                for i, j in (0, 1), (0, 2), (1, 2):
                    apart = seen[j, j] - seen[i, i]
                    if abs(apart) > 1e-3 * abs(seen[j, j]):
                        small[i, j], small[j, i] = seen[i, j] / apart, -seen[i, j] / apart
                turn, _ = np.linalg.qr(turn @ (np.eye(3) + small))
                seen = turn.T @ ours @ turn
            if np.linalg.det(turn) < 0:
                turn[:, 2] *= -1
            mujoco.mju_mat2Quat(model.body_iquat[b], turn.flatten())

    def dynamics(self, state, names, free):
        model, data = self.model, mujoco.MjData(self.model)
        for name in names:
            at = model.jnt_qposadr[self.ids[name]]
            data.qpos[at] = model.qpos0[at] + state["q"][name]
            data.qvel[model.jnt_dofadr[self.ids[name]]] = state["v"][name]
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        mass = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass)
        rows = [model.jnt_dofadr[self.ids[name]] for name in names]
        rows += [self.free[body] + k for body in free for k in range(6)]
        return mass[np.ix_(rows, rows)], data.qfrc_bias[rows]

    def turn(self, body):
        """Rotation of a free body at the start."""
        data = mujoco.MjData(self.model)
        mujoco.mj_kinematics(self.model, data)
        index = next(b for b in range(self.model.nbody) if clean(self.model.body(b).name) == body)
        return data.xmat[index].reshape(3, 3)


class Pinocchio:
    def __init__(self, path):
        self.model = pinocchio.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        names = list(self.model.names)[1:]
        self.kinds = {clean(n): self.model.joints[k + 1] for k, n in enumerate(names)}
        self.joints = [name for name, kind in self.kinds.items() if kind.nv == 1]
        self.unnamed = len(names) - len(self.joints)

        self.free = {}

    def allowed(self, _):
        return WHOLE

    def turn_axes(self, _):
        pass

    def dynamics(self, state, names, _=()):
        q, v = pinocchio.neutral(self.model), np.zeros(self.model.nv)
        for name in names:
            kind, x = self.kinds[name], state["q"][name]
            q[kind.idx_q : kind.idx_q + kind.nq] = [x] if kind.nq == 1 else [math.cos(x), math.sin(x)]
            v[kind.idx_v] = state["v"][name]
        mass = np.triu(pinocchio.crba(self.model, self.data, q))
        mass = mass + np.triu(mass, 1).T
        bias = pinocchio.nonLinearEffects(self.model, self.data, q, v)
        rows = [self.kinds[name].idx_v for name in names]
        return mass[np.ix_(rows, rows)], bias[rows]


# One file -------------------------------------------------------------------------------------------------


def compare(path):
    """Joints compared, of how many, what is allowed, and the largest differences over the norms."""
    try:
        peer = (Pinocchio if path.suffix == ".urdf" or "<robot" in path.read_text(errors="replace") else Mujoco)(path)
    except (ValueError, RuntimeError) as error:
        return None, f"the peer does not read it: {str(error).splitlines()[0][:100]}"
    options = ["--split-joints"] if isinstance(peer, Mujoco) else ["--base", "fixed"]
    if not peer.joints and not peer.free:
        return None, "no joint of one coordinate with a name, and no free body"
    ours = dynamics(path, options)
    names = [name for name in peer.joints if name in ours["joints"]]
    tables = model_file(path, options) if isinstance(peer, Mujoco) else {}
    bodies = tables.get("body", {})
    # Free bodies that hang on a free joint, for its armature or friction, have freedoms by its name.
    carriers = {joint["b"]["body"]: name for name, joint in tables.get("joint", {}).items() if joint["type"] == "free"}
    free = [body for body in peer.free if body and f"{carriers.get(body, body)}.rx" in ours["freedoms"]]
    if not names and not free:
        return None, f"no joint in common of {len(peer.joints)} and {len(ours['joints'])}"
    random = np.random.default_rng(7)
    states = [
        {"q": {name: random.uniform(-1, 1) for name in names}, "v": {name: random.uniform(-2, 2) for name in names}}
        for _ in range(STATES)
    ]
    answer = dynamics(path, options, {"states": states})
    order = [answer["joints"].index(name) for name in names]
    rows = ("x", "y", "z", "rx", "ry", "rz")
    order += [answer["freedoms"].index(f"{carriers.get(body, body)}.{row}") for body in free for row in rows]
    peer.turn_axes(bodies)
    change = np.eye(len(order))
    for k, body in enumerate(free):
        if body in carriers:
            continue
        centre = np.array(bodies[body].get("com", [0, 0, 0]), float)
        change[len(names) + 6 * k :, len(names) + 6 * k :][:3, 3:6] = -peer.turn(body) @ cross(centre)
    worst = [0.0, 0.0]
    for state, got in zip(states, answer["states"]):
        mass, bias = np.array(got["mass_matrix"])[np.ix_(order, order)], np.array(got["bias"])[order]
        found = change.T @ mass @ change, change.T @ bias
        for k, (value, want) in enumerate(zip(found, peer.dynamics(state, names, free))):
            # Where weight and speed push nothing, h is what rounding leaves: below 1e-13 rad/s² of acceleration.
            scale = max(np.linalg.norm(want), 1e-3 * np.linalg.norm(found[0]), 1e-30)
            worst[k] = max(worst[k], np.linalg.norm(value - want) / scale)
    return (len(names) + len(free), len(peer.joints) + peer.unnamed, peer.allowed(names), worst), ""


def has_collisions(path, bodies=None):
    """Has the file shapes that touch, on moving bodies or those of some names: collisions of a URDF, geoms whose masks are not 0?"""
    root = ElementTree.parse(path).getroot()
    if root.tag == "robot":
        return next(root.iter("collision"), None) is not None
    model = mujoco.MjModel.from_xml_path(str(path))
    touches = (model.geom_contype | model.geom_conaffinity) != 0
    roots = {model.body_rootid[model.geom_bodyid[g]] for g in np.flatnonzero(touches & (model.geom_bodyid > 0))}
    return bool(roots) if bodies is None else any(clean(model.body(int(r)).name) in bodies for r in roots)


def main():
    CACHE.mkdir(parents=True, exist_ok=True)
    if "--list" in sys.argv:
        return write_list()
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    count = dict.fromkeys(["files", "import", "repaired", "compared", "right", "fall for ever"], 0)
    failed = []
    for package, files in read_list().items():
        folder = unpack(package)
        for file in files:
            if words and not any(word in file for word in words):
                continue
            count["files"] += 1
            started = time.time()
            line, fault = "", ""
            try:
                try:
                    told = call("check", str(folder / file))
                    count["import"] += 1
                    falling = re.findall(r"nothing can hold \"(.*?)\"", told)
                    if falling and has_collisions(folder / file, falling):
                        count["fall for ever"] += 1
                        print(f"     {file}: nothing holds it, and it has shapes", flush=True)
                except RuntimeError as error:
                    if not re.search("E0312|has no <inertia>", str(error)):
                        raise
                    call("check", "--inertia", "repair", str(folder / file))
                    count["repaired"] += 1
                    print(f"ok   {time.time() - started:5.1f} s {file}: with --inertia repair", flush=True)
                    continue
                found, line = compare(folder / file)
                if found:
                    joints, of, allowed, worst = found
                    if "billionth of the mass" in told:
                        allowed = SPLIT
                    is_right = max(worst) <= allowed
                    count["compared"] += 1
                    count["right"] += is_right
                    line = f"{joints} of {of} joints, M {worst[0]:.1e}, h {worst[1]:.1e}, {allowed:.0e} allowed"
                    fault = "" if is_right else "WRONG " + line
            except (RuntimeError, KeyError, ValueError, OSError, subprocess.TimeoutExpired) as error:
                fault = f"{type(error).__name__}: {error}"[:400]
            if fault:
                failed.append(f"{file}: {fault}")
            print(f"{'FAIL' if fault else 'ok  '} {time.time() - started:5.1f} s {file}: {fault or line}", flush=True)
    print("\n".join(["", *failed, "", ", ".join(f"{value} {key}" for key, value in count.items())]))
    wrong = count["compared"] - count["right"]
    return 1 if wrong or count["import"] + count["repaired"] < SHARE * count["files"] else 0


if __name__ == "__main__":
    # MuJoCo logs its warnings where it runs.
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        sys.exit(main())
