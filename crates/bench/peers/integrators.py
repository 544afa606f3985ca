"""Evaluations against errors of the integrators of SciPy and of CVODE (through scikit-sundae), beside ours.

    pip install numpy scipy scikit-sundae
    cargo run --release -p carom-solvers --example work_precision > ours.txt
    python crates/bench/peers/integrators.py ours.txt

The problems are those of `crates/solvers/tests/suite/problems.rs`, with their Jacobians where they are stiff, so that
evaluations are those of steps alone; tolerances go from 1e-3 to 1e-11. Our namesake's evaluations are interpolated to
each error that a peer has reached, on logarithmic scales; a ratio below 1 says that ours needs fewer at that error.
"""

import math
import sys

import numpy as np
from scipy.integrate import solve_ivp
from sksundae.cvode import CVODE

MU = 0.012277471


def arenstorf(t, y):
    x, z, vx, vz = y
    m = 1 - MU
    d1, d2 = ((x + MU) ** 2 + z * z) ** 1.5, ((x - m) ** 2 + z * z) ** 1.5
    return np.array([
        vx,
        vz,
        x + 2 * vz - m * (x + MU) / d1 - MU * (x - m) / d2,
        z - 2 * vx - m * z / d1 - MU * z / d2,
    ])


MASSES = np.arange(1.0, 8.0)


def pleiades(t, y):
    x, z = y[:7], y[7:14]
    dx, dz = x[None, :] - x[:, None], z[None, :] - z[:, None]
    r3 = (dx * dx + dz * dz + np.eye(7)) ** 1.5
    return np.concatenate([y[14:], (MASSES * dx / r3).sum(1), (MASSES * dz / r3).sum(1)])


def van_der_pol(t, y):
    return np.array([y[1], ((1 - y[0] ** 2) * y[1] - y[0]) / 1e-6])


def van_der_pol_jacobian(t, y):
    return np.array([[0, 1], [(-2 * y[0] * y[1] - 1) / 1e-6, (1 - y[0] ** 2) / 1e-6]])


def robertson(t, y):
    slow, fast, back = 0.04 * y[0], 3e7 * y[1] ** 2, 1e4 * y[1] * y[2]
    return np.array([back - slow, slow - back - fast, fast])


def robertson_jacobian(t, y):
    a, b, c = 1e4 * y[2], 1e4 * y[1], 6e7 * y[1]
    return np.array([[-0.04, a, b], [0.04, -a - c, -b], [0, c, 0]])


HIRES = np.array([
    [-1.71, 0.43, 8.32, 0, 0, 0, 0, 0],
    [1.71, -8.75, 0, 0, 0, 0, 0, 0],
    [0, 0, -10.03, 0.43, 0.035, 0, 0, 0],
    [0, 8.32, 1.71, -1.12, 0, 0, 0, 0],
    [0, 0, 0, 0, -1.745, 0.43, 0.43, 0],
    [0, 0, 0, 0.69, 1.71, -0.43, 0.69, 0],
    [0, 0, 0, 0, 0, 0, -1.81, 0],
    [0, 0, 0, 0, 0, 0, 1.81, 0],
])


def hires(t, y):
    d = HIRES @ y
    reaction = 280 * y[5] * y[7]
    d[0] += 0.0007
    d[5:] += np.array([-1, 1, -1]) * reaction
    return d


def hires_jacobian(t, y):
    j = HIRES.copy()
    a, b = 280 * y[7], 280 * y[5]
    j[5:, 5] += np.array([-a, a, -a])
    j[5:, 7] += np.array([-b, b, -b])
    return j


ORBIT = [0.994, 0, 0, -2.00158510637908252240537862224]
STARS = [3, 3, -1, -3, 2, -2, 2, 3, -3, 2, 0, 0, -4, 4, 0, 0, 0, 0, 0, 1.75, -1.5, 0, 0, 0, -1.25, 1, 0, 0]
STARS_END = [
    0.3706139143970502, 3.237284092057233, -3.222559032418324, 0.6597091455775310, 0.3425581707156584,
    1.562172101400631, -0.7003092922212495, -3.943437585517392, -3.271380973972550, 5.225081843456543,
    -2.590612434977470, 1.198213693392275, -0.2429682344935824, 1.091449240428980,
]
HIRES_END = [
    0.7371312573325668e-3, 0.1442485726316185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2,
    0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2,
]

# name: right-hand side, Jacobian, start, end of time, end, scale of absolute tolerances
PROBLEMS = {
    "arenstorf": (arenstorf, None, ORBIT, 17.0652165601579625588917206249, ORBIT, 1.0),
    "pleiades": (pleiades, None, STARS, 3.0, STARS_END, 1.0),
    "van_der_pol": (van_der_pol, van_der_pol_jacobian, [2, 0], 2.0, [1.706167732170483, -0.8928097010247975], 1.0),
    "robertson": (
        robertson, robertson_jacobian, [1, 0, 0], 1e11,
        [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050], 1e-6,
    ),
    "hires": (hires, hires_jacobian, [1, 0, 0, 0, 0, 0, 0, 0.0057], 321.8122, HIRES_END, 1e-4),
}

# peer, our namesake, problems
PEERS = [
    ("SciPy DOP853", "dop853", ("arenstorf", "pleiades")),
    ("CVODE Adams", "ode113", ("arenstorf", "pleiades")),
    ("SciPy Radau", "radau5", ("van_der_pol", "robertson", "hires")),
    ("CVODE BDF", "bdf", ("van_der_pol", "robertson", "hires")),
    ("SciPy BDF", "bdf", ("van_der_pol", "robertson", "hires")),
]


def run_peer(peer, problem, rtol):
    """State at the end and evaluations, Jacobians apart."""
    rhs, jacobian, start, t_end, _, scale = PROBLEMS[problem]
    start = np.array(start, dtype=float)
    count = 0

    def counted(t, y):
        nonlocal count
        count += 1
        return rhs(t, y)

    if peer.startswith("SciPy"):
        options = {"jac": jacobian} if peer != "SciPy DOP853" else {}
        method = peer.split()[1]
        s = solve_ivp(counted, (0, t_end), start, method=method, rtol=rtol, atol=rtol * scale, **options)
        return s.y[:, -1] if s.success else None, count

    def cvode_rhs(t, y, out):
        nonlocal count
        count += 1
        out[:] = rhs(t, y)

    options = {"max_num_steps": 1000000, "rtol": rtol, "atol": rtol * scale}
    if peer == "CVODE Adams":
        options |= {"method": "Adams"}
    else:
        options |= {"method": "BDF", "jacfn": lambda t, y, f, J: J.__setitem__(slice(None), jacobian(t, y))}
    s = CVODE(cvode_rhs, **options).solve(np.array([0.0, t_end]), start)
    return s.y[-1] if s.success else None, count


def error_of(problem, y):
    _, jacobian, _, _, end, _ = PROBLEMS[problem]
    end = np.array(end)
    difference = np.abs(y[: len(end)] - end)
    return float(np.max(difference / (np.abs(end) if jacobian else 1 + np.abs(end))))


def interpolate(points, error):
    """Evaluations at an error, from (error, evaluations) on logarithmic scales; None outside."""
    points = sorted(points)
    for (e0, n0), (e1, n1) in zip(points, points[1:]):
        if e0 <= error <= e1:
            share = (math.log(error) - math.log(e0)) / (math.log(e1) - math.log(e0))
            return math.exp(math.log(n0) + share * (math.log(n1) - math.log(n0)))
    return None


def main():
    ours = {}
    for line in open(sys.argv[1]):
        words = line.split()
        if len(words) == 9 and words[0] in PROBLEMS:
            ours.setdefault((words[0], words[1]), []).append((float(words[3]), int(words[4])))
    for peer, name, problems in PEERS:
        for problem in problems:
            ratios = []
            for exponent in range(3, 12):
                y, count = run_peer(peer, problem, 10.0**-exponent)
                if y is None:
                    print(f"{problem:12} {peer:13} 1e-{exponent:<2}  fails")
                    continue
                error = error_of(problem, y)
                mine = interpolate(ours[problem, name], error)
                ratio = mine / count if mine else None
                if ratio and error < 1e-2:
                    ratios.append(ratio)
                shown = f"{name} {mine:8.0f}  ratio {ratio:.2f}" if mine else ""
                print(f"{problem:12} {peer:13} 1e-{exponent:<2}  error {error:.2e}  evaluations {count:7}  {shown}")
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")
            print(f"{problem:12} {peer:13} against {name}: geometric mean of the ratios below error 1e-2: {mean:.2f}\n")


main()
