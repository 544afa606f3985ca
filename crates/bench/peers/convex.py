"""Distance and depth of convex pairs in coal: the peer of the benchmark `convex` of this crate.

    pip install numpy coal
    python crates/bench/peers/convex.py [--json]

Each shape meets a copy of itself at 200 random poses: a block of 1.0 x 0.7 x 0.5 m, a cylinder of radius 0.3 m and
length 1.0 m, the hull of 100 random points on an ellipsoid with semi-axes 0.5, 0.4, 0.3 m. Gaps are uniform in
[0.01, 0.3] m (apart), [-0.01, -0.0005] m (shallow), [-0.15, -0.08] m (deep). The time is that of one signed distance
(GJK, and EPA in penetration), started from nothing.

The call from Python costs time too; that of the distance of two spheres, a closed form, is measured and taken off.
Times are CPU times of the thread, medians of 15 rounds.
"""

import json
import statistics
import sys
import time

import coal
import numpy as np

REGIMES = {"apart": (0.01, 0.3), "shallow": (-0.01, -0.0005), "deep": (-0.15, -0.08)}
POSES, ROUNDS = 200, 15


def hull(rng):
    directions = rng.normal(size=(100, 3))
    points = directions / np.linalg.norm(directions, axis=1)[:, None] * [0.5, 0.4, 0.3]
    vertices = coal.StdVec_Vec3s()
    for point in points:
        vertices.append(point)
    return coal.Convex.convexHull(vertices, True, None)


def distance(shape, pose):
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = True
    return coal.distance(shape, coal.Transform3s(), shape, pose, request, result), result


def random_pose(rng, shape, low, high):
    """Moves the copy along the normal until the gap is the one drawn."""
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    rotation = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])
    place = rng.normal(size=3)
    place /= np.linalg.norm(place)
    wanted = rng.uniform(low, high)
    for _ in range(3):
        gap, result = distance(shape, coal.Transform3s(rotation, place))
        place = place + (wanted - gap) * np.asarray(result.normal)
    return coal.Transform3s(rotation, place)


def seconds_per_call(shape, poses):
    request, result, here = coal.DistanceRequest(), coal.DistanceResult(), coal.Transform3s()
    request.enable_signed_distance = True
    rounds = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        for pose in poses:
            result.clear()
            coal.distance(shape, here, shape, pose, request, result)
        rounds.append((time.thread_time() - start) / len(poses))
    return statistics.median(rounds)


def main():
    rng = np.random.default_rng(7)
    ball = coal.Sphere(0.5)
    shifted = [coal.Transform3s(np.eye(3), rng.normal(size=3)) for _ in range(POSES)]
    call = seconds_per_call(ball, shifted)
    shapes = {"box": coal.Box(1.0, 0.7, 0.5), "cylinder": coal.Cylinder(0.3, 1.0), "hull": hull(rng)}
    for name, shape in shapes.items():
        for regime, (low, high) in REGIMES.items():
            poses = [random_pose(rng, shape, low, high) for _ in range(POSES)]
            micros = 1e6 * (seconds_per_call(shape, poses) - call)
            if "--json" in sys.argv:
                print(json.dumps({"peer": f"coal {coal.__version__}", "shape": name, "regime": regime, "us": micros}))
            else:
                print(f"{name:9} {regime:8} {micros:6.2f} us   (call {1e6 * call:.2f} us)")


if __name__ == "__main__":
    main()
