"""What torus_sphere.py solves: the quantities of examples/torus-sphere.toml and its two triangle meshes."""

import math

import numpy as np

RING, TUBE, MASS, INERTIA, FRICTION = 1.0, 0.3, 10.0, 0.5, 0.3
STIFFNESS = (1 - 0.4) / ((1 + 0.4) * (1 - 2 * 0.4)) * 1e6 / 0.02  # N/m³, of two layers of 10 mm with 1 MPa, 0.4
DISSIPATION = 1e4 / (STIFFNESS * 1e-3)  # s/m, of 10 kN s/m³ at 1 mm
SLIP, ACCURACY, STEP = 1e-2, 1e-4, 1e-3  # m/s, errors and steps (s) of the peers


def torus(around=64, along=32):
    """Vertices and triangles, outward: circles of `along` points at `around` places of the ring."""
    turn, tilt = (2 * np.pi * np.arange(n) / n for n in (around, along))
    radius = RING + TUBE * np.cos(tilt)
    level = np.tile(TUBE * np.sin(tilt), (around, 1))
    vertices = np.stack([np.outer(np.cos(turn), radius), np.outer(np.sin(turn), radius), level], axis=-1)
    triangles = []
    for i in range(around):
        low, high = (i + 1) % around * along, i * along
        for j in range(along):
            k = (j + 1) % along
            triangles += [(low + j, low + k, high + k), (low + j, high + k, high + j)]
    return vertices.reshape(-1, 3), np.array(triangles)


def sphere(parts=5):
    """Vertices and triangles, outward: an icosahedron of two corners on z with edges in `parts`, put on the sphere."""
    ring = [(2 * math.cos(k * math.pi / 5), 2 * math.sin(k * math.pi / 5), 1 - 2 * (k % 2)) for k in range(10)]
    corners = np.array([(0, 0, math.sqrt(5)), *ring, (0, 0, -math.sqrt(5))])
    faces = []
    for k in range(1, 11, 2):  # upper corners are odd, lower ones even
        up, low, up_next, low_next = k, k + 1, (k + 1) % 10 + 1, (k + 2) % 10 + 1
        faces += [(0, up, up_next), (up, low, up_next), (up_next, low, low_next), (11, low_next, low)]
    vertices, triangles, known = [], [], {}

    def vertex(face, i, j):
        weights = np.zeros(12)
        weights[list(face)] = parts - i - j, i, j
        if tuple(weights) not in known:
            known[tuple(weights)] = len(vertices)
            point = weights @ corners
            vertices.append(RING * point / np.linalg.norm(point))
        return known[tuple(weights)]

    for face in faces:
        for j in range(parts):
            for i in range(parts - j):
                here, right, up = vertex(face, i, j), vertex(face, i + 1, j), vertex(face, i, j + 1)
                triangles.append((here, right, up))
                if i + j + 1 < parts:
                    triangles.append((right, vertex(face, i + 1, j + 1), up))
    return np.array(vertices), np.array(triangles)


def check(mesh, triangles, volume):
    """Counts and the enclosed volume, which is positive and a little less than the smooth one."""
    corners = mesh[0][mesh[1]]
    enclosed = np.einsum("ij,ij", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert len(mesh[1]) == triangles and 0.95 * volume < enclosed < volume, (len(mesh[1]), enclosed)
    return mesh


def write_obj(path, mesh):
    with open(path, "w") as file:
        file.writelines("v {:.17g} {:.17g} {:.17g}\n".format(*vertex) for vertex in mesh[0])
        file.writelines("f {} {} {}\n".format(*(triangle + 1)) for triangle in mesh[1])
    return path
