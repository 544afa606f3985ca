"""Forward dynamics of chains of 7, 30 and 100 revolute joints in MuJoCo and Pinocchio: the peers of the benchmark
`chain_forward_dynamics` of this crate.

    pip install numpy mujoco pin
    python crates/bench/peers/chains.py [--json]

The chain: axes y and x in turn, link k + 1 hung 0.2 m below link k, each of 1 kg with its centre of mass 0.1 m below
its joint and inertia diag(0.01, 0.01, 0.002) kg m² about it; gravity 9.81 m/s² along −z; q_i = ½ sin(1 + i),
v_i = 0.3 cos(2 + 3i), no torques. The time is that of one evaluation: Pinocchio's `aba` in both of its conventions,
MuJoCo's `mj_forward` without contacts and constraints, which computes more than accelerations.

Both are called from Python, and the overhead of a call is measured and taken off: for MuJoCo with a model without
joints, which counts its fixed work as overhead too, in its favour; for Pinocchio with `aba` of one joint, less the
time of a joint as it shows between 7 and 30 joints. Times are CPU times of the thread, median and least of 15 rounds:
on a machine with other work the least compares with divan's "fastest". The norms of the accelerations show that
all compute the same.
"""

import json
import math
import sys
import time

import numpy as np

SIZES = (7, 30, 100)
ROUNDS, CALLS = 15, 30000  # calls of one round: CALLS/n


def state(n):
    return (
        np.array([0.5 * math.sin(1 + i) for i in range(n)]),
        np.array([0.3 * math.cos(2 + 3 * i) for i in range(n)]),
    )


def time_of(calls, call=None):
    """Seconds of this thread's CPU for one turn of the loop."""
    turns = range(calls)
    start = time.thread_time()
    if call is None:
        for _ in turns:
            pass
    else:
        for _ in turns:
            call()
    return (time.thread_time() - start) / calls


def times(call, calls):
    """The same for a call alone, without the loop: median and least of the rounds."""
    time_of(calls // 5 + 1, call)
    rounds = [time_of(calls, call) for _ in range(ROUNDS)]
    loops = [time_of(calls) for _ in range(ROUNDS)]
    return np.array([np.median(rounds) - np.median(loops), min(rounds) - min(loops)])


def mujoco_chain(n):
    import mujoco

    head = "<mujoco><option gravity='0 0 -9.81'><flag contact='disable' constraint='disable'/></option><worldbody>"
    link = (
        "<body pos='0 0 {z}'><joint type='hinge' axis='{axis}'/>"
        "<inertial pos='0 0 -0.1' mass='1' diaginertia='0.01 0.01 0.002'/>"
    )
    links = "".join(link.format(z=-0.2 if i else 0, axis="1 0 0" if i % 2 else "0 1 0") for i in range(n))
    model = mujoco.MjModel.from_xml_string(head + links + "</body>" * n + "</worldbody></mujoco>")
    data = mujoco.MjData(model)
    if n:
        data.qpos[:], data.qvel[:] = state(n)
    forward = mujoco.mj_forward
    forward(model, data)
    return lambda: forward(model, data), data.qacc.copy(), mujoco.__version__


def pinocchio_chain(n, convention):
    import pinocchio

    model = pinocchio.Model()
    parent = 0
    inertia = pinocchio.Inertia(1.0, np.array([0, 0, -0.1]), np.diag([0.01, 0.01, 0.002]))
    for i in range(n):
        joint = pinocchio.JointModelRX() if i % 2 else pinocchio.JointModelRY()
        place = pinocchio.SE3(np.eye(3), np.array([0, 0, -0.2 if i else 0.0]))
        parent = model.addJoint(parent, joint, place, f"joint{i}")
        model.appendBodyToJoint(parent, inertia, pinocchio.SE3.Identity())
    data = model.createData()
    q, v = state(n)
    torque = np.zeros(n)
    aba, frames = pinocchio.aba, getattr(pinocchio.Convention, convention)
    call = lambda: aba(model, data, q, v, torque, frames)
    return call, call().copy(), pinocchio.__version__


def measure(make):
    """Rows (n, acceleration of the first joint, their norm, seconds of a call by median and least) and the version."""
    rows = []
    for n in SIZES:
        call, acceleration, version = make(n)
        rows.append((n, acceleration[0], np.linalg.norm(acceleration), times(call, max(50, CALLS // n))))
    return rows, version


def main():
    table = []
    peers = {
        "MuJoCo mj_forward": mujoco_chain,
        "Pinocchio aba, world": lambda n: pinocchio_chain(n, "WORLD"),
        "Pinocchio aba, local": lambda n: pinocchio_chain(n, "LOCAL"),
    }
    for title, make in peers.items():
        try:
            rows, version = measure(make)
        except ImportError as error:
            print(f"{title}: {error}", file=sys.stderr)
            continue
        smallest = 0 if make is mujoco_chain else 1
        overhead = times(make(smallest)[0], CALLS // 3)
        if smallest:
            overhead -= (rows[1][3] - rows[0][3]) / (rows[1][0] - rows[0][0])
        for n, first, norm, seconds in rows:
            table.append(
                {
                    "peer": f"{title} {version}",
                    "joints": n,
                    "first_acceleration_rad_s2": float(first),
                    "acceleration_norm_rad_s2": float(norm),
                    "call_us": seconds[0] * 1e6,
                    "overhead_us": overhead[0] * 1e6,
                    "time_us": (seconds - overhead)[0] * 1e6,
                    "least_us": (seconds - overhead)[1] * 1e6,
                }
            )
    if "--json" in sys.argv:
        print(json.dumps(table, indent=1))
    else:
        print(
            f"{'peer':<30}{'joints':>7}{'|q̈| rad/s²':>20}{'call us':>10}{'overhead':>10}{'time us':>10}{'least us':>10}"
        )
        for row in table:
            print(
                f"{row['peer']:<30}{row['joints']:>7}{row['acceleration_norm_rad_s2']:>20.12g}{row['call_us']:>10.2f}"
                f"{row['overhead_us']:>10.2f}{row['time_us']:>10.2f}{row['least_us']:>10.2f}"
            )
    norms = {}
    for row in table:
        norms.setdefault(row["joints"], []).append(row["acceleration_norm_rad_s2"])
    if any(max(values) - min(values) > 1e-6 * max(values) for values in norms.values()):
        print("the peers do not agree on the accelerations", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
