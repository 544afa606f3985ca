"""What Drake's parser makes of the SDF files in crates/io/tests/models/sdf, as the table against which the tests of carom-io hold ours.

    pip install drake==1.51.1
    python tests/python/drake_sdf.py > crates/io/tests/models/sdf/drake.toml

For each file: where links stand, masses, and at a state of the joints M(q) and h(q, v) of M v̇ + h = τ with the bases held.
"""

import math
from pathlib import Path

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import ModelInstanceIndex

FOLDER = Path(__file__).resolve().parents[2] / "crates" / "io" / "tests" / "models" / "sdf"


def numbers(values):
    return "[" + ", ".join(repr(float(x)) for x in np.ravel(values)) + "]"


def main():
    print("# Written by tests/python/drake_sdf.py with drake 1.51.1.")
    for name in "arm", "cell", "press":
        plant = MultibodyPlant(0.0)
        parser = Parser(plant)
        parser.package_map().Add("gripper", str(FOLDER / "gripper"))
        parser.AddModels(str(FOLDER / f"{name}.sdf"))
        plant.Finalize()
        context = plant.CreateDefaultContext()
        everyone = [
            plant.get_body(index)
            for model in range(plant.num_model_instances())
            for index in plant.GetBodyIndices(ModelInstanceIndex(model))
        ]
        print(f"\n[{name}]")
        for body in everyone[1:]:
            whole = f"{plant.GetModelInstanceName(body.model_instance())}::{body.name()}"
            pose = plant.EvalBodyPoseInWorld(context, body)
            print(f'pose."{whole}" = {numbers([*pose.translation(), *pose.rotation().matrix().ravel()])}')
            print(f'mass."{whole}" = {body.default_mass()!r}')
        joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
        joints = [joint for joint in joints if 0 < joint.num_velocities() < 6]
        rows = [joint.velocity_start() + k for joint in joints for k in range(joint.num_velocities())]
        for k, row in enumerate(rows):
            q, v = 0.3 * math.cos(1.0 + k), 0.7 * math.sin(2.0 + k)
            positions, velocities = plant.GetPositions(context), plant.GetVelocities(context)
            joint = next(j for j in joints if 0 <= row - j.velocity_start() < j.num_velocities())
            positions[joint.position_start() + row - joint.velocity_start()] = q
            velocities[row] = v
            plant.SetPositions(context, positions)
            plant.SetVelocities(context, velocities)
        mass = plant.CalcMassMatrixViaInverseDynamics(context)[np.ix_(rows, rows)]
        bias = plant.CalcBiasTerm(context) - plant.CalcGravityGeneralizedForces(context)
        q = [plant.GetPositions(context)[j.position_start() + k] for j in joints for k in range(j.num_positions())]
        v = plant.GetVelocities(context)[rows]
        print("joints = [" + ", ".join(f'"{j.name()}"' for j in joints) + "]")
        print(f"q = {numbers(q)}\nv = {numbers(v)}\nmass_matrix = {numbers(mass)}\nbias = {numbers(bias[rows])}")


if __name__ == "__main__":
    main()
