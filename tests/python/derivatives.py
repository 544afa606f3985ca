"""Derivatives of forward dynamics of robots from URDF through Python, against Pinocchio's, and how long both take, in one run.

Robots are those of example-robot-data, with their bases fixed and at random states. `carom.Dynamics` and `computeABADerivatives` must
agree to 1e-9 of the norms, and Carom's must be those of differences of its own accelerations to 1e-7. Times are of a call from Python
at a state that was set before, the least of several rounds in turn: derivatives with acceleration and M^-1 inside, and then with the
three matrices taken out as NumPy arrays. Exit code 1 if numbers differ, or if Carom's derivatives take longer than Pinocchio's,
alone or with arrays.

Environment variable CAROM: the program that imports, else target/release/carom; the module `carom` is that of the interpreter.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import carom
import numpy as np
import pinocchio

from robots import CAROM, Peer, find_urdf

ROBOTS = ["ur5_robot", "solo12", "g1_29dof_rev_1_0", "talos_reduced"]
SAME, DIFFERENCES, STEP = 1e-9, 1e-7, 1e-3
ROUNDS, CALLS = 30, 100


def least(*calls):
    """Least time of each call (s), measured in turn."""
    best = [float("inf")] * len(calls)
    for _ in range(ROUNDS):
        for k, call in enumerate(calls):
            started = time.perf_counter()
            for _ in range(CALLS):
                call()
            best[k] = min(best[k], (time.perf_counter() - started) / CALLS)
    return best


def off(found, want):
    return np.linalg.norm(found - want) / np.linalg.norm(want)


def case(name, folder):
    path, file = find_urdf(name), Path(folder) / f"{name}.toml"
    options = ["--base", "fixed", "--no-floor", "--meshes", "skip"]
    command = [str(Path(CAROM).resolve()), "convert", str(path), str(file), *options]
    subprocess.run(command, check=True, capture_output=True)
    ours, peer = carom.Dynamics(carom.Model.from_file(file)), Peer(path)
    order = [ours.freedoms.index(next(f for f in ours.freedoms if f.rsplit(".", 1)[0] == joint)) for joint in peer.joints]
    random = np.random.default_rng(5)
    q, v = (dict(zip(peer.joints, random.uniform(-1, 1, len(order)))) for _ in range(2))
    for joint in peer.joints:
        ours.set_joint(joint, q[joint], v[joint])
    tau = random.uniform(-1, 1, len(order))
    efforts = np.zeros(len(ours.freedoms))
    rows = [kind.idx_v for kind in peer.kinds]
    efforts[order] = tau
    position, velocity = peer.vectors({"q": q, "v": v})
    whole = np.zeros(peer.model.nv)
    whole[rows] = tau
    peer.data = peer.model.createData()

    def theirs():
        return pinocchio.computeABADerivatives(peer.model, peer.data, position, velocity, whole)

    theirs()
    want = [peer.data.ddq_dq, peer.data.ddq_dv, np.triu(peer.data.Minv) + np.triu(peer.data.Minv, 1).T]
    found = ours.derivatives(efforts)
    mine = [found.by_position, found.by_velocity, found.by_effort]
    worst = max(off(m[np.ix_(order, order)], w[np.ix_(rows, rows)]) for m, w in zip(mine, want))
    start = ours.state

    def accelerations(joint, dq, dv):
        ours.set_state(start)
        ours.set_joint(joint, q[joint] + dq, v[joint] + dv)
        return ours.forward(efforts)

    away = 0.0
    for k, joint in zip(order, peer.joints):
        for matrix, move in (mine[0], lambda h: (h, 0)), (mine[1], lambda h: (0, h)):
            at = [accelerations(joint, *move(s * STEP)) for s in (-2, -1, 1, 2)]
            slope = (at[0] - 8 * at[1] + 8 * at[2] - at[3]) / (12 * STEP)
            away = max(away, np.linalg.norm(matrix[:, k] - slope) / max(np.linalg.norm(matrix), 1))
    ours.set_state(start)

    def taken(of):
        return of.by_position, of.by_velocity, of.by_effort

    times = least(
        lambda: ours.derivatives(efforts), theirs,
        lambda: taken(ours.derivatives(efforts)), lambda: (theirs(), peer.data.ddq_dq, peer.data.ddq_dv, peer.data.Minv),
    )
    is_slower = times[0] > times[1] or times[2] > times[3]
    line = "{} freedoms, {:.1e} from Pinocchio's, {:.1e} from differences; {:.1f} us, Pinocchio {:.1f} us; with arrays {:.1f}, {:.1f}"
    told = line.format(len(order), worst, away, *(1e6 * t for t in times))
    return worst > SAME or away > DIFFERENCES or is_slower, told


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ROBOTS:
            fails, line = case(name, folder)
            print(f"{'FAIL' if fails else 'ok  '} {name}: {line}", flush=True)
            passed, failed = passed + (not fails), failed + fails
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
