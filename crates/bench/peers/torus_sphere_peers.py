"""The peers of torus_sphere.py. Each function builds the model and gives the peer's name with its version and a
function `run((y, z), begin, end, cap)`: the ball starts at (0, y, z) at rest, and what happens between the times is
counted and timed, until `cap` seconds of wall time have passed."""

import json
import os
import shutil
import subprocess
import time
from importlib.metadata import version

import numpy as np

from torus_sphere_problem import ACCURACY, DISSIPATION, FRICTION, INERTIA, MASS, RING, SLIP, STEP, STIFFNESS, write_obj

HERE = os.path.dirname(os.path.abspath(__file__))
PART = 0.01  # s: runs advance in parts of Carom's output


def timed(advance, count, begin, end, cap):
    """Calls `advance(time)` part by part; `count` gives steps and evaluations so far."""
    if begin:
        advance(begin)
    before, now, start, wall = count(), begin, time.perf_counter(), 0.0
    while now < end - 1e-9 and wall < cap:
        now = min(now + PART, end)
        advance(now)
        wall = time.perf_counter() - start
    steps, evaluations = (a - b for a, b in zip(count(), before))
    return {"steps": steps, "evaluations": evaluations, "wall_s": wall, "simulated_s": now - begin}


def simbody(meshes, folder):
    tools = [tool for tool in ("g++", "pkg-config") if shutil.which(tool) is None]
    if tools or subprocess.run(["pkg-config", "--exists", "simbody"]).returncode:
        raise ImportError("not installed")

    def ask(word):
        command = ["pkg-config", word, "simbody"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()

    program = os.path.join(folder, "torus_sphere_simbody")
    # As Debian builds the library: headers with other assumptions (-march=native) need not fit it.
    source = os.path.join(HERE, "torus_sphere_simbody.cpp")
    flags, libraries = ask("--cflags"), ["-lSimTKsimbody", "-lSimTKmath", "-lSimTKcommon"]
    subprocess.run(["g++", "-O2", "-w", *flags, source, "-o", program, *libraries], check=True)
    files = [write_obj(os.path.join(folder, f"{name}.obj"), mesh) for name, mesh in zip(("torus", "sphere"), meshes)]

    def run(place, begin, end, cap):
        values = (STIFFNESS, DISSIPATION, FRICTION, SLIP, ACCURACY, *place, begin, end, cap)
        command = [program, *files, *map(repr, values)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    return f"Simbody {ask('--modversion')[0]}", run


def drake(meshes, folder, step):
    from pydrake.geometry import AddCompliantHydroelasticProperties, AddContactMaterial, AddRigidHydroelasticProperties
    from pydrake.geometry import Mesh, ProximityProperties
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
    from pydrake.multibody.tree import SpatialInertia, UnitInertia
    from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
    from pydrake.systems.framework import DiagramBuilder

    (vertices, triangles), middle = meshes[1], len(meshes[1][0])
    solid = os.path.join(folder, "sphere.vtk")
    with open(solid, "w") as file:
        file.write("# vtk DataFile Version 3.0\nsphere\nASCII\nDATASET UNSTRUCTURED_GRID\n")
        file.write(f"POINTS {middle + 1} double\n")
        file.writelines("{:.17g} {:.17g} {:.17g}\n".format(*vertex) for vertex in [*vertices, (0, 0, 0)])
        file.write(f"CELLS {len(triangles)} {5 * len(triangles)}\n")
        file.writelines("4 {} {} {} {}\n".format(middle, *triangle) for triangle in triangles)
        file.write(f"CELL_TYPES {len(triangles)}\n" + "10\n" * len(triangles))
    ring = write_obj(os.path.join(folder, "ring.obj"), meshes[0])

    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlant(
        MultibodyPlantConfig(time_step=step, contact_model="hydroelastic", stiction_tolerance=SLIP), builder
    )
    ball = plant.AddRigidBody("ball", SpatialInertia(MASS, np.zeros(3), UnitInertia(*[INERTIA / MASS] * 3)))
    soft, stiff = ProximityProperties(), ProximityProperties()
    for properties in (soft, stiff):
        AddContactMaterial(dissipation=DISSIPATION, friction=CoulombFriction(FRICTION, FRICTION), properties=properties)
    # The pressure grows from the triangles to the middle, a radius away.
    AddCompliantHydroelasticProperties(0.1, STIFFNESS * RING, soft)
    AddRigidHydroelasticProperties(0.1, stiff)
    plant.RegisterCollisionGeometry(ball, RigidTransform(), Mesh(solid), "ball", soft)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), Mesh(ring), "torus", stiff)
    plant.Finalize()
    diagram = builder.Build()

    def run(place, begin, end, cap):
        simulator = Simulator(diagram)
        if not step:
            ResetIntegratorFromFlags(simulator, "runge_kutta3", 0.01)
            simulator.get_mutable_integrator().set_target_accuracy(ACCURACY)
        context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
        plant.SetFreeBodyPose(context, ball, RigidTransform([0, *place]))
        simulator.Initialize()

        def count():
            integrator = simulator.get_integrator()
            if step:
                return [round(simulator.get_context().get_time() / step)] * 2
            return integrator.get_num_steps_taken(), integrator.get_num_derivative_evaluations()

        result = timed(simulator.AdvanceTo, count, begin, end, cap)
        return result | {"height_m": plant.EvalBodyPoseInWorld(context, ball).translation()[2]}

    return f"Drake {version('drake')}", run


def mujoco(meshes, fields):
    import mujoco

    numbers = lambda array: " ".join(f"{value:.9g}" for value in np.ravel(array))
    whole = lambda name, mesh: f'<mesh name="{name}" vertex="{numbers(mesh[0])}" face="{numbers(mesh[1])}"/>'
    geom = f'<geom type="{"sdf" if fields else "mesh"}" condim="3" friction="{FRICTION} 0 0" mesh="%s"/>'
    if fields:
        pieces = [whole("torus", meshes[0])]
    else:
        circles = meshes[0][0].reshape(64, 32, 3)
        pieces = [f'<mesh name="torus{i}" vertex="{numbers(circles[[i - 1, i]])}"/>' for i in range(64)]
    names = ["torus"] if fields else [f"torus{i}" for i in range(64)]
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{STEP}" gravity="0 0 -9.81"/>'
        f'<asset>{"".join(pieces)}{whole("ball", meshes[1])}</asset>'
        f'<worldbody>{"".join(geom % name for name in names)}<body><freejoint/>{geom % "ball"}'
        f'<inertial pos="0 0 0" mass="{MASS}" diaginertia="{INERTIA} {INERTIA} {INERTIA}"/></body></worldbody></mujoco>'
    )

    def run(place, begin, end, cap):
        data = mujoco.MjData(model)
        data.qpos[:3] = 0, *place
        done = lambda: round(data.time / STEP)
        advance = lambda until: mujoco.mj_step(model, data, nstep=round(until / STEP) - done())
        return timed(advance, lambda: (done(), done()), begin, end, cap) | {"height_m": data.qpos[2]}

    return f"MuJoCo {mujoco.__version__}", run
