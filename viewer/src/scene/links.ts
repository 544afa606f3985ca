/** Joints with their axes, springs, cables and rods; and bars in place of bodies that have no surface. */

import * as THREE from "three";
import type { Link, Run } from "../data/run";

const COLOURS = { spring: 0xc98bb9, cable: 0x7a5230, rod: 0x6b7580 };
const JOINT_COLOUR = 0x3d4954;

export class Links {
  /** What moves by itself: lines between bodies. */
  readonly root = new THREE.Group();
  private readonly lines: { link: Link; line: THREE.Line }[] = [];

  constructor(run: Run, private readonly bodies: THREE.Group[], extent: number) {
    for (const link of run.links) {
      if (link.kind === "joint") {
        const [first] = link.points;
        bodies[first.body].add(joint(link, extent));
        continue;
      }
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(3 * link.points.length), 3));
      const line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ color: COLOURS[link.kind] }));
      line.frustumCulled = false;
      line.name = link.name;
      this.lines.push({ link, line });
      this.root.add(line);
    }
  }

  /** `bodies` have been put where they are. */
  place(): void {
    const point = new THREE.Vector3();
    for (const { link, line } of this.lines) {
      const positions = line.geometry.getAttribute("position") as THREE.BufferAttribute;
      link.points.forEach(({ body, at_m }, k) => {
        point.set(...at_m).applyQuaternion(this.bodies[body].quaternion).add(this.bodies[body].position);
        positions.setXYZ(k, point.x, point.y, point.z);
      });
      positions.needsUpdate = true;
    }
  }
}

function joint(link: Link, extent: number): THREE.Object3D {
  const material = new THREE.MeshLambertMaterial({ color: JOINT_COLOUR });
  const ball = new THREE.Mesh(new THREE.SphereGeometry(0.009 * extent, 12, 8), material);
  ball.position.set(...link.points[0].at_m);
  ball.name = link.name;
  if (link.axis) {
    const axis = new THREE.Mesh(new THREE.CylinderGeometry(0.0025 * extent, 0.0025 * extent, 0.06 * extent, 6), material);
    axis.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...link.axis).normalize());
    ball.add(axis);
  }
  return ball;
}

/** Bars from the centre of mass to where joints take hold, and a ball in it: the picture of a body without surface. */
export function skeleton(run: Run, body: number, extent: number, material: THREE.Material): THREE.Group {
  const group = new THREE.Group();
  const centre = new THREE.Vector3(...(run.centres[body] ?? [0, 0, 0]));
  const ball = new THREE.Mesh(new THREE.SphereGeometry(0.0105 * extent, 16, 12), material);
  ball.position.copy(centre);
  group.add(ball);
  for (const end of attachments(run, body)) {
    const along = end.clone().sub(centre);
    const length = along.length();
    if (length < 1e-9 * extent) continue;
    const bar = new THREE.Mesh(new THREE.CylinderGeometry(0.007 * extent, 0.007 * extent, length, 10), material);
    bar.position.copy(centre).addScaledVector(along, 0.5);
    bar.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length));
    group.add(bar);
  }
  return group;
}

/** Points of a body at which joints and lines take hold. */
export function attachments(run: Run, body: number): THREE.Vector3[] {
  const points = run.links.flatMap((link) => link.points).filter((point) => point.body === body);
  return points.map((point) => new THREE.Vector3(...point.at_m));
}
