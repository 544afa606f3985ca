"""Rigid bodies with compliant point contact, in numpy and scipy only: the independent side of reference.py.

States hold the angular velocity in world axes, contacts are functions of two poses, the integrator is scipy's
DOP853 at a relative tolerance of 1e-12 with its own events. Signs: normal from a to b, gap negative in
penetration, approach speed positive while closing.
"""

import math

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

# Rotations ------------------------------------------------------------------------------------------------


def matrix(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def quaternion_rate(q, omega):
    """Half of (0, omega) times q, omega in world axes."""
    w, v = q[0], q[1:]
    return 0.5 * np.concatenate(([-omega @ v], w * omega + np.cross(omega, v)))


def from_axis(axis, angle):
    axis = np.array(axis, float) / np.linalg.norm(axis)
    return np.concatenate(([math.cos(angle / 2)], math.sin(angle / 2) * axis))


def attitude_difference(p, q):
    """Angle between two orientations, for small ones."""
    return np.linalg.norm(matrix(p) - matrix(q)) / math.sqrt(2.0)


# Laws -----------------------------------------------------------------------------------------------------


def exact_chi(e):
    """Factor for which an impact F = K d^n (1 + chi v/v0) ends at -e v0: the integral over m v dv/F is zero."""
    if e >= 1.0:
        return 0.0

    def balance(chi):
        return quad(lambda x: x / (1.0 + chi * x), -e, 1.0, epsabs=1e-14, epsrel=1e-12)[0]

    # From e = 0.1 on the root keeps away from the singularity at 1/e.
    return brentq(balance, 1e-9, 0.99 / e, xtol=1e-15, rtol=1e-14)


CHI = {
    "none": lambda e: 0.0,
    "hunt-crossley": lambda e: 3 * (1 - e) / 2,
    "lankarani-nikravesh": lambda e: 3 * (1 - e * e) / 4,
    "herbert-mcwhannell": lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3),
    "lee-wang": lambda e: 3 * (1 - e) / 4,
    "gonthier": lambda e: (1 - e * e) / e,
    "zhiying-qishao": lambda e: 0.75 * (1 - e * e) * math.exp(2 * (1 - e)),
    "flores": lambda e: 8 * (1 - e) / (5 * e),
    "hu-guo": lambda e: 3 * (1 - e) / (2 * e),
    "exact": exact_chi,
}
V_SMALL = 0.01


def kelvin_voigt_ratio(e):
    """Damping ratio whose oscillator, released where its force vanishes, returns e."""

    def delivered(xi):
        s = math.sqrt(1 - xi * xi)
        return math.exp(-xi / s * (math.pi - math.atan2(2 * xi * s, 1 - 2 * xi * xi)))

    return brentq(lambda xi: delivered(xi) - e, 1e-12, 1 - 1e-9, xtol=1e-16, rtol=1e-14)


def reg(v, small):
    return v if v >= small else v * v / small * (1 - v / (3 * small)) + small / 3


def hertz(k1, k2, modulus):
    """Stiffness of Hertz's contact with relative curvatures k1 >= k2."""
    if k1 == k2:
        return 4 / 3 * modulus / math.sqrt(k1)

    def excess(m):
        return (ellipe(m) / (1 - m) - ellipk(m)) / (ellipk(m) - ellipe(m)) - k1 / k2

    m = brentq(excess, 1e-8, 1 - 1e-12, xtol=1e-16, rtol=1e-15)
    b = math.sqrt(1 - m)
    p0 = k2 / 2 * modulus * m / (b * (ellipk(m) - ellipe(m)))
    return 2 / 3 * math.pi * p0 * b / (p0 * b * ellipk(m) / modulus) ** 1.5


class Law:
    """Normal law by name, and tangential forces as functions of a contact's state."""

    def __init__(self, name, stiffness, e=1.0, exponent=1.5, friction=None, torque=None, d_max=2000.0):
        self.name, self.k, self.e, self.n, self.d_max = name, stiffness, e, exponent, d_max
        self.friction = friction or (lambda speed: 0.0)
        self.torque = torque or (lambda omega, normal, force, depth: np.zeros(3))
        if name == "anagnostopoulos":
            self.n = 1.0
            self.ratio = kelvin_voigt_ratio(e)
        elif name != "elastic-response":
            self.chi = CHI[name](e)

    def begin(self, approach, mass):
        """Damping that a contact keeps for its life."""
        if self.name == "anagnostopoulos":
            return 2 * self.ratio * math.sqrt(self.k * mass)
        if self.name == "elastic-response":
            e = self.e if approach >= V_SMALL else 0.0
            return self.d_max if e == 0 else min(self.d_max, 8 * (1 - e) / (5 * e * approach))
        return self.chi / max(approach, V_SMALL)

    def elastic(self, depth):
        return math.copysign(self.k * abs(depth) ** self.n, depth)

    def force(self, depth, approach, damping):
        if self.name == "anagnostopoulos":
            return self.k * depth + damping * approach
        return self.elastic(depth) * (1 + damping * approach)

    def release(self, depth, approach, damping):
        """Falls through zero where the force of a touching contact does."""
        if self.name == "anagnostopoulos":
            return self.k * depth + damping * approach
        return 1 + damping * approach

    def potential(self, depth):
        return self.k * abs(depth) ** (self.n + 1) / (self.n + 1)


def tanh_coulomb(mu, v_reg):
    """Friction coefficient over speed."""
    return lambda v: mu / v_reg if v < 1e-9 * v_reg else mu * math.tanh(v / v_reg) / v


# Bodies and contacts --------------------------------------------------------------------------------------


class Body:
    def __init__(self, name, mass=None, inertia=None, pos=(0, 0, 0), vel=(0, 0, 0), omega=(0, 0, 0), rot=None):
        self.name, self.mass = name, mass
        self.inertia = None if mass is None else np.array(inertia, float)
        self.start = np.concatenate((pos, (1.0, 0, 0, 0) if rot is None else rot, vel, omega)).astype(float)

    @property
    def fixed(self):
        return self.mass is None


def ball(name, mass, radius, pos, vel=(0, 0, 0), omega=(0, 0, 0)):
    return Body(name, mass, [0.4 * mass * radius**2] * 3, pos, vel, omega)


class Contact:
    """Contact of body a with body b; `geometry(pose_a, pose_b)` gives gap, normal a to b, and the point."""

    def __init__(self, name, a, b, geometry, law):
        self.name, self.a, self.b, self.geometry, self.law = name, a, b, geometry, law
        self.mode, self.damping = "open", 0.0


def sphere_plane(radius, normal=(0, 0, 1), at=(0, 0, 0)):
    """Half-space a with outward normal in world axes, sphere b."""
    n, at = np.array(normal, float), np.array(at, float)

    def geometry(a, b):
        gap = n @ (b[:3] - at) - radius
        return gap, n, b[:3] - (radius + gap / 2) * n

    return geometry


def sphere_sphere(ra, rb):
    def geometry(a, b):
        d = b[:3] - a[:3]
        length = np.linalg.norm(d)
        n = d / length
        gap = length - ra - rb
        return gap, n, a[:3] + (ra + gap / 2) * n

    return geometry


def sphere_in_sphere(cavity, radius):
    """Cavity a, sphere b: the normal leaves the wall, towards the inside."""

    def geometry(a, b):
        d = b[:3] - a[:3]
        length = np.linalg.norm(d)
        out = d / length
        gap = cavity - radius - length
        return gap, -out, b[:3] + (radius + gap / 2) * out

    return geometry


def sphere_in_wall(cavity, radius):
    """Cylindrical cavity a about the world's z axis, sphere b."""

    def geometry(a, b):
        d = b[:3] - a[:3]
        d[2] = 0.0
        length = np.linalg.norm(d)
        out = d / length
        gap = cavity - radius - length
        return gap, -out, b[:3] + (radius + gap / 2) * out

    return geometry


def sphere_box(half, radius):
    """Box a, sphere b with its centre outside of the box."""
    half = np.array(half, float)

    def geometry(a, b):
        r = matrix(a[3:7])
        centre = r.T @ (b[:3] - a[:3])
        nearest = np.minimum(np.maximum(centre, -half), half)
        d = r @ (centre - nearest)
        length = np.linalg.norm(d)
        n = d / length
        gap = length - radius
        return gap, n, b[:3] - (radius + gap / 2) * n

    return geometry


def corner_plane(corner):
    """Half-space a (z = 0), a corner of the body b."""
    n, corner = np.array([0, 0, 1.0]), np.array(corner, float)

    def geometry(a, b):
        point = b[:3] + matrix(b[3:7]) @ corner
        gap = point[2]
        return gap, n, point - gap / 2 * n

    return geometry


# Simulation -----------------------------------------------------------------------------------------------

QUADRATURES = 3  # normal impulse, loss in normal damping, loss in friction and rolling


class Simulation:
    def __init__(self, bodies, contacts, gravity, t_end, max_step=None):
        self.bodies, self.contacts, self.gravity = bodies, contacts, np.array(gravity, float)
        self.t_end, self.max_step = t_end, max_step or t_end / 50
        self.n = 13 * len(bodies)
        self.events = []
        self.depth = [0.0] * len(contacts)

    def pose(self, y, body):
        i = 13 * self.bodies.index(body)
        return y[i : i + 13]

    def look(self, y, contact):
        """gap, normal, point, relative velocity of b against a at the point, and of rotation"""
        a, b = self.pose(y, contact.a), self.pose(y, contact.b)
        gap, normal, point = contact.geometry(a, b)
        va = a[7:10] + np.cross(a[10:13], point - a[:3])
        vb = b[7:10] + np.cross(b[10:13], point - b[:3])
        return gap, normal, point, vb - va, b[10:13] - a[10:13]

    def effective_mass(self, y, contact):
        _, normal, point, _, _ = self.look(y, contact)
        inverse = 0.0
        for body in (contact.a, contact.b):
            if not body.fixed:
                s = self.pose(y, body)
                r = matrix(s[3:7])
                lever = r.T @ np.cross(point - s[:3], normal)
                inverse += 1 / body.mass + lever @ (lever / body.inertia)
        return 1 / inverse

    def forces(self, y, contact):
        gap, normal, point, relative, omega = self.look(y, contact)
        approach = -normal @ relative
        sliding = relative + approach * normal
        law = contact.law
        elastic = law.elastic(-gap)
        total = 0.0 if contact.mode == "released" else law.force(-gap, approach, contact.damping)
        pressing = max(total, 0.0)
        speed = np.linalg.norm(sliding)
        friction = -pressing * law.friction(speed) * sliding
        torque = law.torque(omega, normal, pressing, max(-gap, 0.0))
        lost = (total - elastic) * approach, -(friction @ sliding) - torque @ omega
        return point, total * normal + friction, torque, total, lost

    def rhs(self, t, y):
        d = np.zeros_like(y)
        load = {body: [np.zeros(3), np.zeros(3)] for body in self.bodies}
        for k, contact in enumerate(self.contacts):
            if contact.mode == "open":
                continue
            point, force, torque, total, lost = self.forces(y, contact)
            for body, sign in ((contact.a, -1), (contact.b, 1)):
                load[body][0] += sign * force
                load[body][1] += sign * (np.cross(point - self.pose(y, body)[:3], force) + torque)
            q = self.n + QUADRATURES * k
            d[q : q + 3] = total, *lost
        for i, body in enumerate(self.bodies):
            if body.fixed:
                continue
            s, rate = y[13 * i : 13 * i + 13], d[13 * i : 13 * i + 13]
            r = matrix(s[3:7])
            inertia = r @ np.diag(body.inertia) @ r.T
            force, torque = load[body]
            rate[:3] = s[7:10]
            rate[3:7] = quaternion_rate(s[3:7], s[10:13])
            rate[7:10] = self.gravity + force / body.mass
            rate[10:13] = np.linalg.solve(inertia, torque - np.cross(s[10:13], inertia @ s[10:13]))
        return d

    def zero(self, kind, contact):
        def z(t, y):
            gap, normal, _, relative, _ = self.look(y, contact)
            if kind == "gap":
                return gap
            if kind == "approach":
                return -normal @ relative
            return contact.law.release(-gap, -normal @ relative, contact.damping)

        return z

    def watch(self):
        """Zero functions of the present modes, with the change that each of them means."""
        functions, changes = [], []

        def add(kind, contact, direction, terminal, change):
            z = self.zero(kind, contact)
            z.direction, z.terminal = direction, terminal
            functions.append(z)
            changes.append((contact, change))

        for contact in self.contacts:
            if contact.mode == "open":
                add("gap", contact, -1, True, "contact_begin")
                continue
            add("approach", contact, -1, False, "deepest")
            add("gap", contact, 1, True, "contact_end")
            if contact.mode == "closed":
                add("release", contact, -1, True, "release")
            else:
                add("release", contact, 1, True, "reengage")
        return functions, changes

    def begin(self, t, y, contact):
        _, normal, _, relative, _ = self.look(y, contact)
        contact.mode = "closed"
        contact.damping = contact.law.begin(-normal @ relative, self.effective_mass(y, contact))
        self.events.append((t, "contact_begin", contact.name))

    def run(self):
        y = np.concatenate([b.start for b in self.bodies] + [np.zeros(QUADRATURES * len(self.contacts))])
        t = 0.0
        for contact in self.contacts:
            if self.look(y, contact)[0] <= 1e-16:
                self.begin(0.0, y, contact)
        self.energy_start = self.states(y)
        while t < self.t_end:
            functions, changes = self.watch()
            step = 1e-6 if t > 0 or any(c.mode != "open" for c in self.contacts) else None
            s = solve_ivp(
                self.rhs, (t, self.t_end), y, "DOP853", events=functions, rtol=1e-12, atol=1e-14,
                max_step=self.max_step, first_step=step and min(step, self.t_end - t),
            )  # fmt: skip
            if s.status < 0:
                raise RuntimeError(s.message)
            t, y = s.t[-1], s.y[:, -1].copy()
            for times, states, (contact, change) in zip(s.t_events, s.y_events, changes):
                k = self.contacts.index(contact)
                if change == "deepest":
                    for state in states:
                        self.depth[k] = max(self.depth[k], -self.look(state, contact)[0])
                elif len(times) and s.status == 1 and times[-1] == t:
                    if change == "contact_begin":
                        self.begin(t, y, contact)
                    else:
                        contact.mode = {"contact_end": "open", "release": "released", "reengage": "closed"}[change]
                        self.events.append((t, change, contact.name))
        for k, contact in enumerate(self.contacts):
            if contact.mode != "open":
                self.depth[k] = max(self.depth[k], -self.look(y, contact)[0])
        self.y = y
        return self

    def states(self, y):
        kinetic = gravity = 0.0
        for body in self.bodies:
            if not body.fixed:
                s = self.pose(y, body)
                w = matrix(s[3:7]).T @ s[10:13]
                kinetic += 0.5 * body.mass * s[7:10] @ s[7:10] + 0.5 * w @ (body.inertia * w)
                gravity -= body.mass * self.gravity @ s[:3]
        stored = sum(c.law.potential(self.look(y, c)[0]) for c in self.contacts if c.mode != "open")
        return kinetic, gravity, stored

    def accounts(self):
        kinetic, gravity, stored = self.states(self.y)
        q = self.y[self.n :].reshape(-1, QUADRATURES) if self.contacts else np.zeros((1, QUADRATURES))
        return {
            "kinetic_j": kinetic,
            "gravity_j": gravity,
            "contact_elastic_j": stored,
            "dissipated_normal_j": q[:, 1].sum(),
            "dissipated_friction_j": q[:, 2].sum(),
        }
