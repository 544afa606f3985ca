"""Mass matrices and bias forces of robots from URDF, against Pinocchio's.

The robots are those of the Python package example-robot-data, with their bases fixed. `carom analyze dynamics` gets
random states and answers with M(q) and h(q, v) of M v̇ + h = τ, h with gravity (−9.81 m/s² along z) and without
joint damping and friction; with `acceleration` in its answer, that for τ = 0 is compared too. Mimicking joints count
as free ones: their coupling is no part of M and h.

`robots.py` runs the program (environment variable CAROM, else target/release/carom). `robots.py --self-test` needs
none: it holds Pinocchio against the few lines of `Tree` below, and makes sure that small errors are seen. Words pick
robots by name. Exit code 1 if any case fails.
"""

import importlib.metadata
import json
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

try:
    import pinocchio
except ImportError:
    if sys.platform != "win32":
        raise
    print("robots.py: there is no Pinocchio for this system; 0 passed, 0 failed")
    sys.exit(0)

ROOT = Path(__file__).resolve().parents[2]
CAROM = os.environ.get("CAROM", str(ROOT / "target" / "release" / "carom"))

# An arm; one with gripper (prismatic joints); one with joints that turn without end; a mobile one, with a lift;
# a quadruped; two humanoids. Their inertias are those of rigid bodies: others are refused (E0312).
ROBOTS = ["ur5_robot", "panda", "kinova", "tiago_no_hand", "solo12", "g1_29dof_rev_1_0", "talos_reduced"]
STATES = 20
# Difference over the norm of Pinocchio's: rounding of two recursions of up to 32 bodies. Accelerations are worse by
# the condition of M.
TOL = {"mass_matrix": 1e-10, "bias": 1e-10, "acceleration": 1e-8}
GRAVITY = np.array([0, 0, -9.81])


def find_urdf(name):
    """The robot's file, wherever the package has been put."""
    for entry in importlib.metadata.files("example-robot-data") or []:
        if entry.name == f"{name}.urdf":
            return Path(entry.locate()).resolve()
    raise RuntimeError(f"example-robot-data has no {name}.urdf")


class Peer:
    """Pinocchio's side: joints by name, each with one coordinate."""

    def __init__(self, path):
        self.model = pinocchio.buildModelFromUrdf(str(path))
        self.data = self.model.createData()
        self.joints = list(self.model.names)[1:]
        self.kinds = [self.model.joints[i + 1] for i in range(len(self.joints))]
        if any(kind.nv != 1 for kind in self.kinds):
            raise RuntimeError("a joint with other than one freedom")

    def vectors(self, state):
        q, v = np.zeros(self.model.nq), np.zeros(self.model.nv)
        for name, kind in zip(self.joints, self.kinds):
            x = state["q"][name]
            # A joint without end has cosine and sine for coordinates.
            q[kind.idx_q : kind.idx_q + kind.nq] = [x] if kind.nq == 1 else [math.cos(x), math.sin(x)]
            v[kind.idx_v] = state["v"][name]
        return q, v

    def dynamics(self, state):
        q, v = self.vectors(state)
        mass = pinocchio.crba(self.model, self.data, q).copy()
        mass = np.triu(mass) + np.triu(mass, 1).T
        bias = pinocchio.nonLinearEffects(self.model, self.data, q, v).copy()
        acceleration = pinocchio.aba(self.model, self.data, q, v, np.zeros(self.model.nv)).copy()
        order = [kind.idx_v for kind in self.kinds]
        return {
            "mass_matrix": mass[np.ix_(order, order)],
            "bias": bias[order],
            "acceleration": acceleration[order],
        }


def random_states(path, joints, seed=1):
    """States within the limits of sliding joints, any angle and up to 3 rad/s or m/s else."""
    limits = {}
    for joint in ElementTree.parse(path).getroot().findall("joint"):
        if joint.get("type") == "prismatic":
            limit = joint.find("limit")
            limits[joint.get("name")] = float(limit.get("lower", 0)), float(limit.get("upper", 0))
    random = np.random.default_rng(seed)
    return [
        {
            "q": {name: random.uniform(*limits.get(name, (-math.pi, math.pi))) for name in joints},
            "v": {name: random.uniform(-3, 3) for name in joints},
        }
        for _ in range(STATES)
    ]


# Comparison -----------------------------------------------------------------------------------------------


def compare(peer, states, answer):
    """Largest differences over the norms, and what is wrong."""
    if sorted(answer["joints"]) != sorted(peer.joints):
        return {}, [f"joints {sorted(set(answer['joints']) ^ set(peer.joints))} differ"]
    if len(answer["states"]) != len(states):
        return {}, [f"{len(answer['states'])} states, not {len(states)}"]
    order = [answer["joints"].index(name) for name in peer.joints]
    worst, notes = {}, []
    for state, got in zip(states, answer["states"]):
        for key, want in peer.dynamics(state).items():
            if key == "acceleration" and key not in got:
                continue
            value = np.array(got[key], float)
            value = value[np.ix_(order, order)] if value.ndim == 2 else value[order]
            difference = np.linalg.norm(value - want) / np.linalg.norm(want)
            worst[key] = max(worst.get(key, 0.0), difference if np.isfinite(difference) else math.inf)
    notes += [f"{key} differs" for key, value in worst.items() if not value <= TOL[key]]
    return worst, notes


def run_carom(path, joints, states):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "states.json"
        file.write_text(json.dumps({"joints": joints, "states": states}))
        command = [CAROM, "analyze", "dynamics", str(path), "--states", str(file), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode}\n{done.stderr}{done.stdout}")
    return json.loads(done.stdout)


def case_program(name):
    path = find_urdf(name)
    peer = Peer(path)
    states = random_states(path, peer.joints)
    return compare(peer, states, run_carom(path, peer.joints, states))


# Another way to the same ----------------------------------------------------------------------------------


class Tree:
    """M = Σ (m JᵀJ + JωᵀI Jω) over the links, from the URDF's XML; h by differences of M and of the potential,
    h_i = Σ_jk (∂M_ij/∂q_k − ½ ∂M_jk/∂q_i) v_j v_k + ∂V/∂q_i."""

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        self.links = {link.get("name"): link.find("inertial") for link in root.findall("link")}
        self.joints = {joint.find("child").get("link"): joint for joint in root.findall("joint")}
        self.names = [j.get("name") for j in self.joints.values() if j.get("type") != "fixed"]

    @staticmethod
    def placement(element):
        origin = None if element is None else element.find("origin")
        get = lambda key: np.array([float(x) for x in (origin.get(key) or "0 0 0").split()])
        if origin is None:
            return np.eye(3), np.zeros(3)
        (sr, sp, sy), (cr, cp, cy) = np.sin(get("rpy")), np.cos(get("rpy"))
        about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
        about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
        about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        return about_z @ about_y @ about_x, get("xyz")

    def place(self, link, q, found):
        """Rotation and origin of a link, with the joints that carry it: (number, axis, point, slides)."""
        if link in found:
            return found[link]
        if link not in self.joints:
            found[link] = np.eye(3), np.zeros(3), []
            return found[link]
        joint = self.joints[link]
        turn, origin, carried = self.place(joint.find("parent").get("link"), q, found)
        rotation, offset = self.placement(joint)
        turn, origin = turn @ rotation, origin + turn @ offset
        kind = joint.get("type")
        if kind != "fixed":
            number = self.names.index(joint.get("name"))
            axis = joint.find("axis")
            axis = np.array([float(x) for x in axis.get("xyz").split()]) if axis is not None else np.eye(3)[0]
            axis /= np.linalg.norm(axis)
            carried = [*carried, (number, turn @ axis, origin, kind == "prismatic")]
            if kind == "prismatic":
                origin = origin + turn @ axis * q[number]
            else:
                x, s, c = np.cross(np.eye(3), axis), math.sin(q[number]), math.cos(q[number])
                turn = turn @ (np.eye(3) + s * x + (1 - c) * x @ x)
        found[link] = turn, origin, carried
        return found[link]

    def mass_and_slope(self, q):
        """M and ∂V/∂q."""
        n, found = len(self.names), {}
        total, slope = np.zeros((n, n)), np.zeros(n)
        for link, inertial in self.links.items():
            if inertial is None:
                continue
            turn, origin, carried = self.place(link, q, found)
            rotation, offset = self.placement(inertial)
            centre, axes = origin + turn @ offset, turn @ rotation
            mass = float(inertial.find("mass").get("value"))
            ixx, ixy, ixz, iyy, iyz, izz = (
                float(inertial.find("inertia").get(k)) for k in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
            )
            tensor = axes @ np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]]) @ axes.T
            linear, angular = np.zeros((3, n)), np.zeros((3, n))
            for number, axis, point, slides in carried:
                linear[:, number] = axis if slides else np.cross(axis, centre - point)
                angular[:, number] = 0 if slides else axis
            total += mass * linear.T @ linear + angular.T @ tensor @ angular
            slope -= mass * linear.T @ GRAVITY
        return total, slope

    def dynamics(self, state):
        q = np.array([state["q"][name] for name in self.names])
        v = np.array([state["v"][name] for name in self.names])
        mass, bias = self.mass_and_slope(q)
        step = 1e-5
        along = (self.mass_and_slope(q + step * v)[0] - self.mass_and_slope(q - step * v)[0]) / (2 * step)
        bias = bias + along @ v
        for i, e in enumerate(np.eye(len(q))):
            change = (self.mass_and_slope(q + step * e)[0] - self.mass_and_slope(q - step * e)[0]) / (2 * step)
            bias[i] -= v @ change @ v / 2
        return {"mass_matrix": mass, "bias": bias}


def case_self_test(name):
    """Pinocchio against `Tree`, whose differences leave 1e-8 of the bias forces; then answers with an error each."""
    path = find_urdf(name)
    peer, tree = Peer(path), Tree(path)
    states = random_states(path, peer.joints)
    few = states[:2]
    own = [tree.dynamics(state) for state in few]
    worst, notes = compare(peer, few, {"joints": tree.names, "states": own})
    notes = [note for note in notes if note != "bias differs" or not worst["bias"] <= 1e-7]

    def answer(change=lambda state: None):
        good = [peer.dynamics(state) for state in states]
        change(good[-1])
        return {"joints": peer.joints, "states": good}

    def slightly(key):
        def change(state):
            state[key] = state[key] * (1 + 1e-9 * (np.arange(state[key].size).reshape(state[key].shape) == 0))
            state[key].flat[0] += 1e-9 * np.linalg.norm(state[key])

        return change

    if compare(peer, states, answer())[1]:
        notes.append("a right answer fails")
    for key in ("mass_matrix", "bias"):
        if not compare(peer, states, answer(slightly(key)))[1]:
            notes.append(f"an error of 1e-9 in {key} passes")
    swapped = answer()
    swapped["joints"] = [*reversed(peer.joints)]
    if not compare(peer, states, swapped)[1]:
        notes.append("joints in the wrong order pass")
    if not compare(peer, states, {**answer(), "joints": ["other", *peer.joints[1:]]})[1]:
        notes.append("a wrong joint passes")
    return worst, notes


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    case = case_self_test if "--self-test" in sys.argv else case_program
    passed = failed = 0
    for name in ROBOTS:
        if words and not any(word in name for word in words):
            continue
        try:
            worst, notes = case(name)
        except (RuntimeError, KeyError, ValueError, OSError, subprocess.TimeoutExpired) as error:
            worst, notes = {}, [f"{type(error).__name__}: {error}"]
        line = ", ".join([f"{key} {value:.1e}" for key, value in worst.items()] + notes)
        print(f"{'FAIL' if notes else 'ok  '} {name}: {line}", flush=True)
        passed, failed = passed + (not notes), failed + bool(notes)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
