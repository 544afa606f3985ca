/** A model at its start: frames of bodies, joints with where they may go, contact lines, and what overlaps. */

import * as THREE from "three";
import type { Run, Start, StartAxis, StartJoint } from "../data/run";

export const LAYERS = ["frames", "joints", "contacts", "overlaps"] as const;
export type Layer = (typeof LAYERS)[number];

const AXIS_COLOURS = [0xd62828, 0x2a9d3a, 0x2166c4];
export const JOINT_COLOUR = 0xc77700;
export const CONTACT_COLOUR = 0x8250c4;
export const OVERLAP_COLOUR = 0xe5383b;
/** Steps of an arc of a whole turn. */
const AROUND = 72;
/** Contact lines that are drawn. */
const MOST_LINES = 400;

/** Does a joint hold anything? One of a body that is free in the plane of its model does not. */
export function isHeld(joint: StartJoint): boolean {
  return joint.kind !== "planar" || joint.axes.some((axis) => axis.lower !== null || axis.upper !== null || axis.motor);
}

export class StartLayers {
  readonly root = new THREE.Group();
  readonly layers = new Map<Layer, THREE.Group>();

  /** `bodies` have been put where they are; `extent` is the size of the scene (m). */
  constructor(private readonly run: Run, start: Start, private readonly bodies: THREE.Group[], private readonly extent: number) {
    for (const name of LAYERS) {
      const group = new THREE.Group();
      this.layers.set(name, group);
      this.root.add(group);
    }
    this.root.updateMatrixWorld(true);
    bodies.forEach((body) => body.updateMatrixWorld(true));
    run.bodies.forEach((body, index) => this.add("frames", this.frame(index, body.fixed ? 0.05 : 0.08)));
    for (const joint of start.joints.filter(isHeld)) joint.axes.forEach((axis) => this.add("joints", this.axis(joint, axis)));
    const pairs = start.lines.flatMap((line) => line.surfaces).slice(0, MOST_LINES);
    for (const [a, b] of pairs) this.add("contacts", this.between(a, b));
    for (const { a, b, way_m } of start.overlaps) this.add("overlaps", this.overlap(a, b, way_m));
  }

  private add(layer: Layer, object: THREE.Object3D | null): void {
    if (object) this.layers.get(layer)!.add(object);
  }

  /** What is drawn of a layer, for tests. */
  drawn(layer: Layer): number {
    return this.layers.get(layer)!.children.length;
  }

  private frame(body: number, share: number): THREE.Object3D {
    const group = new THREE.Group();
    const length = share * this.extent;
    for (const axis of [0, 1, 2]) {
      const end = new THREE.Vector3().setComponent(axis, length);
      group.add(stroke([new THREE.Vector3(), end], AXIS_COLOURS[axis], 0.0018 * this.extent));
    }
    group.position.copy(this.bodies[body].position);
    group.quaternion.copy(this.bodies[body].quaternion);
    return group;
  }

  /** A point and a direction of a body, in the world. */
  private place(axis: StartAxis): [THREE.Vector3, THREE.Vector3] {
    const body = this.bodies[axis.body];
    const at = new THREE.Vector3(...axis.at_m).applyQuaternion(body.quaternion).add(body.position);
    return [at, new THREE.Vector3(...axis.direction).applyQuaternion(body.quaternion)];
  }

  /** The axis; of an angle a needle to body B and the arc of where it may turn, of a length the way that is free. */
  private axis(joint: StartJoint, axis: StartAxis): THREE.Object3D {
    const group = new THREE.Group();
    group.name = joint.name;
    const thick = 0.003 * this.extent;
    const [at, along] = this.place(axis);
    const on = (t: number) => at.clone().addScaledVector(along, t);
    if (!axis.angular) {
      const long = 0.1 * this.extent;
      const [low, high] = [axis.lower ?? axis.value - long, axis.upper ?? axis.value + long];
      group.add(stroke([on(low), on(high)], JOINT_COLOUR, thick));
      for (const stop of [axis.lower, axis.upper]) if (stop !== null) group.add(this.plate(on(stop), along));
      group.add(ball(on(axis.value), JOINT_COLOUR, 2.5 * thick));
      return group;
    }
    const half = 0.05 * this.extent;
    group.add(stroke([on(-half), on(half)], JOINT_COLOUR, thick));
    const needle = this.across(joint, at, along);
    const radius = 0.11 * this.extent;
    const turned = (angle: number) => at.clone().addScaledVector(needle.clone().applyAxisAngle(along, angle), radius);
    group.add(stroke([at, turned(0)], JOINT_COLOUR, thick));
    if (axis.lower === null && axis.upper === null) return group;
    // An end that is free goes a whole turn at most.
    const low = (axis.lower ?? Math.min(axis.value, axis.upper! - 2 * Math.PI)) - axis.value;
    const high = (axis.upper ?? Math.max(axis.value, axis.lower! + 2 * Math.PI)) - axis.value;
    const steps = Math.max(2, Math.ceil((AROUND * Math.min(high - low, 2 * Math.PI)) / (2 * Math.PI)));
    const span = Math.min(high - low, 2 * Math.PI);
    const arc = Array.from({ length: steps + 1 }, (_, k) => turned(low + (span * k) / steps));
    group.add(stroke(arc, JOINT_COLOUR, thick));
    for (const [stop, by] of [[axis.lower, low], [axis.upper, high]] as const) {
      if (stop !== null) group.add(stroke([at, turned(by)], JOINT_COLOUR, 0.5 * thick));
    }
    return group;
  }

  /** Unit vector across an axis, towards the centre of mass of body B, or A; across it anyhow where both lie on it. */
  private across(joint: StartJoint, at: THREE.Vector3, along: THREE.Vector3): THREE.Vector3 {
    for (const index of [...joint.bodies].reverse()) {
      const body = this.bodies[index];
      if (this.run.bodies[index].fixed) continue;
      const centre = new THREE.Vector3(...(this.run.centres[index] ?? [0, 0, 0]));
      const to = centre.applyQuaternion(body.quaternion).add(body.position).sub(at);
      to.addScaledVector(along, -to.dot(along));
      if (to.length() > 1e-3 * this.extent) return to.normalize();
    }
    const other = Math.abs(along.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
    return other.cross(along).normalize();
  }

  private plate(at: THREE.Vector3, along: THREE.Vector3): THREE.Object3D {
    const size = 0.02 * this.extent;
    const mesh = new THREE.Mesh(new THREE.CylinderGeometry(size, size, 0.1 * size, 24), paint(JOINT_COLOUR));
    mesh.position.copy(at);
    mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
    mesh.renderOrder = 20;
    return mesh;
  }

  /** The drawn surface of a name, and the middle of its box in the world; none of a half-space, which has no middle. */
  private surface(name: string): { mesh: THREE.Mesh; middle: THREE.Vector3 } | null {
    const own = this.run.surfaces.find((surface) => surface.name === name);
    if (!own || own.mesh === null) return null;
    const mesh = this.bodies[own.body].children.find((child) => child.name === name);
    if (!(mesh instanceof THREE.Mesh)) return null;
    mesh.geometry.computeBoundingBox();
    return { mesh, middle: mesh.geometry.boundingBox!.getCenter(new THREE.Vector3()).applyMatrix4(mesh.matrixWorld) };
  }

  /** Foot of a point on a half-space. */
  private foot(name: string, point: THREE.Vector3): THREE.Vector3 | null {
    const own = this.run.surfaces.find((surface) => surface.name === name);
    if (!own || own.mesh !== null) return null;
    const body = this.bodies[own.body];
    const [w, x, y, z] = own.orientation;
    const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(x, y, z, w)).applyQuaternion(body.quaternion);
    const at = new THREE.Vector3(...own.position_m).applyQuaternion(body.quaternion).add(body.position);
    return point.clone().addScaledVector(normal, normal.dot(at) - normal.dot(point));
  }

  private between(a: string, b: string): THREE.Object3D | null {
    const [first, second] = [this.surface(a), this.surface(b)];
    const one = first?.middle ?? (second && this.foot(a, second.middle));
    const other = second?.middle ?? (first && this.foot(b, first.middle));
    if (!one || !other) return null;
    const geometry = new THREE.BufferGeometry().setFromPoints([one, other]);
    const dash = 0.014 * this.extent;
    const material = new THREE.LineDashedMaterial({ color: CONTACT_COLOUR, dashSize: dash, gapSize: 0.7 * dash, depthTest: false, transparent: true });
    const line = new THREE.Line(geometry, material);
    line.computeLineDistances();
    line.renderOrder = 19;
    const group = new THREE.Group();
    group.add(line, ball(one, CONTACT_COLOUR, 0.006 * this.extent), ball(other, CONTACT_COLOUR, 0.006 * this.extent));
    return group;
  }

  /** Both surfaces in red, seen through all else, and the way by which B leaves A. */
  private overlap(a: string, b: string, way: [number, number, number] | null): THREE.Object3D {
    const group = new THREE.Group();
    const found = [this.surface(a), this.surface(b)];
    for (const surface of found) {
      if (!surface) continue;
      const material = new THREE.MeshBasicMaterial({ color: OVERLAP_COLOUR, transparent: true, opacity: 0.28, depthTest: false, side: THREE.DoubleSide });
      const copy = new THREE.Mesh(surface.mesh.geometry, material);
      copy.applyMatrix4(surface.mesh.matrixWorld);
      copy.renderOrder = 15;
      group.add(copy);
    }
    const from = found[1]?.middle ?? found[0]?.middle;
    if (way && from) {
      const vector = new THREE.Vector3(...way).multiplyScalar(found[1] ? 1 : -1);
      group.add(stroke([from, from.clone().add(vector)], OVERLAP_COLOUR, 0.004 * this.extent), ball(from.clone().add(vector), OVERLAP_COLOUR, 0.009 * this.extent));
    }
    return group;
  }
}

/** Seen through everything. */
function paint(color: number): THREE.MeshBasicMaterial {
  return new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true });
}

function ball(at: THREE.Vector3, colour: number, radius: number): THREE.Mesh {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 12, 8), paint(colour));
  mesh.position.copy(at);
  mesh.renderOrder = 20;
  return mesh;
}

/** Straight rods from point to point. */
function stroke(points: THREE.Vector3[], colour: number, radius: number): THREE.Group {
  const group = new THREE.Group();
  const material = paint(colour);
  for (let k = 0; k + 1 < points.length; k++) {
    const along = points[k + 1].clone().sub(points[k]);
    const length = along.length();
    if (!(length > 0)) continue;
    const rod = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, length, 6), material);
    rod.position.copy(points[k]).addScaledVector(along, 0.5);
    rod.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length));
    rod.renderOrder = 20;
    group.add(rod);
  }
  return group;
}
