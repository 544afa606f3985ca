"""Spheres that fall into a box, in Carom by `moreau`, ODE, Rapier and MuJoCo: processor time, and how exactly they keep apart.

    pip install numpy scipy mujoco         (and apt-get install libode-dev g++)
    cargo build --release -p carom-bench --example pile
    python crates/bench/peers/spheres.py [--scene 1000,0.128] [--only NAME,...] [--rounds 3]

Spheres of 1 kg and 50 mm in a grid with gaps of 2 mm, each up to 0.8 mm off its place, above a floor and between four walls, friction 0.3,
no restitution. All programs start from the same positions, step until the same time by several steps, and write where the
spheres are then and how they move. From that, alike for all:

- penetration: the greatest, and the mean of what overlaps;
- slip: of contacts (nearer than 10 nm), the root mean square of the tangential velocity;
- off: the root mean square of the distance from where the spheres of the finest run are, Carom's at a twentieth of a millisecond,
  whose row is the first.

Times are processor times of all steps without making the scene, the least of so many rounds. Rapier is built in `target/peers`; what
is not installed is named and left out. MuJoCo's contacts are soft by design, ODE's have its usual parameters.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.spatial import cKDTree

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
RADIUS, TOUCHING = 0.05, 1e-8
FINE = 5e-5
# Values of `contact_tolerance`.
EXACT, COARSE = "1e-10", ("0.03", "0.1")

# Rapier is no dependency of the workspace.
MANIFEST = """[workspace]

[package]
name = "spheres-rapier"
version = "0.0.0"
edition = "2024"

[[bin]]
name = "spheres-rapier"
path = "{source}"

[dependencies]
rapier3d-f64 = "=0.36.1"
"""


def start(count):
    """Positions, and half the width of the box (m); numbers by SplitMix64, as in the example `pile`."""
    across, state, mask = math.ceil(count ** (1 / 3) - 1e-9), 42, (1 << 64) - 1

    def unit():
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return ((z ^ (z >> 31)) >> 11) / (1 << 53)

    places = []
    for i in range(count):
        jitter = [(unit() - 0.5) * 0.0016, (unit() - 0.5) * 0.0016]
        x, y, z = i % across, i // across % across, i // across**2
        middle = (across - 1) / 2
        places.append([(x - middle) * 0.102 + jitter[0], (y - middle) * 0.102 + jitter[1], 0.051 + z * 0.102])
    return np.array(places), across * 0.102 / 2 + 0.005


def judge(states, half, fine):
    """What a program has made of the scene."""
    x, v, w = states[:, :3], states[:, 3:6], states[:, 6:]
    pairs = cKDTree(x).query_pairs(2 * RADIUS + TOUCHING, output_type="ndarray")
    a, b = pairs[:, 0], pairs[:, 1]
    apart = x[b] - x[a]
    length = np.linalg.norm(apart, axis=1)
    normals, gaps = [apart / length[:, None]], [length - 2 * RADIUS]
    motions = [v[b] - v[a] - RADIUS * np.cross(w[a] + w[b], normals[0])]
    planes = [((0, 0, 1), 0), ((1, 0, 0), -half), ((-1, 0, 0), -half), ((0, 1, 0), -half), ((0, -1, 0), -half)]
    for normal, offset in planes:
        normal = np.array(normal, float)
        gap = x @ normal - offset - RADIUS
        near = gap < TOUCHING
        normals.append(np.tile(normal, (near.sum(), 1)))
        gaps.append(gap[near])
        motions.append(v[near] - RADIUS * np.cross(w[near], normal))
    normals, gaps, motions = (np.concatenate(each) for each in (normals, gaps, motions))
    along = np.einsum("ij,ij->i", normals, motions)
    slip = np.linalg.norm(motions - along[:, None] * normals, axis=1)
    deep = -gaps[gaps < 0]
    off = np.sqrt(((x - fine[:, :3]) ** 2).sum(1).mean())
    return {
        "contacts": len(gaps),
        "deepest": 1e3 * max(deep.max(initial=0.0), 0.0),
        "mean": 1e3 * (deep.mean() if len(deep) else 0.0),
        "slip": 1e3 * math.sqrt((slip**2).mean()) if len(slip) else 0.0,
        "off": 1e3 * off,
    }


def carom(tolerance):
    def run(count, step, steps, half, file):
        program = os.path.join(ROOT, "target/release/examples/pile")
        command = [program, str(count), str(steps), str(step), file, tolerance]
        told = subprocess.run(command, check=True, capture_output=True, text=True)
        return json.loads(told.stdout)["ms"] * steps * 1e-3

    return run


def foreign(program, *more):
    def run(count, step, steps, half, file):
        np.savetxt(file, start(count)[0], "%.17g")
        command = [program, repr(step), str(steps), repr(half), file, *more]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    return run


def mujoco(solver):
    import mujoco as mj

    def run(count, step, steps, half, file):
        rows = [
            f'<mujoco><size memory="6G"/><option timestep="{step}" solver="{solver}"/><default>'
            '<geom friction=".3 0.005 0.0001" condim="3"/></default><worldbody><geom type="plane" size="0 0 1"/>'
        ]
        walls = [("0 90 0", f"{-half} 0 0"), ("0 -90 0", f"{half} 0 0"), ("-90 0 0", f"0 {-half} 0"), ("90 0 0", f"0 {half} 0")]
        rows += [f'<geom type="plane" size="0 0 1" euler="{turn}" pos="{at}"/>' for turn, at in walls]
        ball = '<body pos="{:.17g} {:.17g} {:.17g}"><freejoint/><geom type="sphere" size="0.05" mass="1"/></body>'
        rows += [ball.format(*place) for place in start(count)[0]]
        model = mj.MjModel.from_xml_string("".join(rows) + "</worldbody></mujoco>")
        data = mj.MjData(model)
        before = time.process_time()
        mj.mj_step(model, data, nstep=steps)
        spent = time.process_time() - before
        q, v = data.qpos.reshape(-1, 7), data.qvel.reshape(-1, 6)
        turning = np.empty((count, 3))
        for k in range(count):
            mj.mju_rotVecQuat(turning[k], v[k, 3:], q[k, 3:])
        np.savetxt(file, np.hstack([q[:, :3], v[:, :3], turning]), "%.17g")
        return spent

    return run


def programs(folder):
    """Each with the steps it is run by (s)."""
    yield "Carom, `moreau`", carom(EXACT), (1e-3, 2e-3, 4e-3)
    for tolerance in COARSE:
        yield f"Carom, contact_tolerance {tolerance}", carom(tolerance), (4e-3, 8e-3)
    ode = os.path.join(folder, "ode")
    source = os.path.join(HERE, "spheres_ode.cpp")
    if subprocess.run(["g++", "-O2", source, "-o", ode, "-lode", "-lm"], check=False).returncode == 0:
        yield "ODE, QuickStep, 20 sweeps", foreign(ode, "20"), (4e-3, 2e-3, 1e-3, 5e-4)
        yield "ODE, QuickStep, 200 sweeps", foreign(ode, "200"), (1e-3,)
    else:
        print("ODE is not installed", file=sys.stderr)
    target = os.path.join(ROOT, "target/peers")
    os.makedirs(target, exist_ok=True)
    with open(os.path.join(target, "Cargo.toml"), "w") as manifest:
        manifest.write(MANIFEST.format(source=os.path.abspath(os.path.join(HERE, "spheres_rapier.rs"))))
    build = ["cargo", "build", "--release", "--manifest-path", os.path.join(target, "Cargo.toml"), "--target-dir", target]
    if subprocess.run(build, check=False).returncode == 0:
        yield "Rapier", foreign(os.path.join(target, "release/spheres-rapier")), (4e-3, 2e-3, 1e-3, 5e-4)
    else:
        print("Rapier does not build", file=sys.stderr)
    try:
        yield "MuJoCo Newton", mujoco("Newton"), (1e-3,)
        yield "MuJoCo CG", mujoco("CG"), (2e-3, 1e-3)
    except ImportError:
        print("MuJoCo is not installed", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scene", default="1000,0.128", help="spheres and seconds")
    parser.add_argument("--only", default="", help="beginnings of names")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    count, end = (float(x) for x in arguments.scene.split(","))
    count = int(count)
    _, half = start(count)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "states")
        spent = carom(EXACT)(count, FINE, round(end / FINE), half, file)
        fine = np.loadtxt(file)

        def tell(name, step, spent, states):
            of = judge(states, half, fine)
            numbers = " | ".join(f"{of[key]:.2g}" for key in ("deepest", "mean", "slip", "off"))
            print(f"| {name} | {1e3 * step:g} | {spent:.3g} | {numbers} | {of['contacts']} |", flush=True)

        print(f"{count} spheres, {end} s\n")
        print("| program | step (ms) | time (s) | deepest (mm) | mean (mm) | slip (mm/s) | off (mm) | contacts |")
        print("|---|---|---|---|---|---|---|---|", flush=True)
        tell("Carom, the finest", FINE, spent, fine)
        wanted = tuple(arguments.only.split(","))
        for name, run, steps in programs(folder):
            for step in steps if name.startswith(wanted) else ():
                spent = min(run(count, step, round(end / step), half, file) for _ in range(arguments.rounds))
                tell(name, step, spent, np.loadtxt(file))


if __name__ == "__main__":
    main()
