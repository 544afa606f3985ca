/** Elements of areal contact in the colours of their pressure, on a scale that stays over the run. */

import * as THREE from "three";
import type { Run } from "../data/run";
import { viridis } from "./colours";

export type PressureMode = "now" | "greatest" | "off";

export class Pressure {
  readonly mesh: THREE.Mesh;
  mode: PressureMode = "now";
  /** Elements that are drawn. */
  drawn = 0;
  /** Pressure of the last colour by pair (Pa). */
  private readonly scale: number[];
  private readonly greatest: Float64Array;
  private readonly room: number;

  constructor(private readonly run: Run) {
    const start = run.array<Uint32Array>("pressure_start");
    let most = 0;
    for (let k = 0; k + 1 < start.length; k++) most = Math.max(most, start[k + 1] - start[k]);
    this.scale = [...run.pressureScale];
    this.greatest = run.greatestPressures();
    this.room = Math.max(most, this.greatest.length);
    const geometry = new THREE.BufferGeometry();
    for (const name of ["position", "color"]) {
      geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(9 * this.room), 3).setUsage(THREE.DynamicDrawUsage));
    }
    const material = new THREE.MeshBasicMaterial({
      vertexColors: true,
      side: THREE.DoubleSide,
      // After clear bodies, which would tint them.
      transparent: true,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: -2,
    });
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
  }

  /** As others are, where both have a pair: colours can be compared. */
  takeScale(others: Pressure): void {
    this.mode = others.mode;
    this.run.pairs.forEach(({ name }, pair) => {
      const scale = others.scale[others.run.pairs.findIndex((other) => other.name === name)];
      if (scale > 0) this.scale[pair] = scale;
    });
  }

  /** `bodies` have been put where they are. */
  show(frame: number, bodies: THREE.Group[]): void {
    const position = this.mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
    const colour = this.mesh.geometry.getAttribute("color") as THREE.BufferAttribute;
    const corners = this.run.array<Float32Array>("element_corners");
    const of = this.run.array<Uint32Array>("element_body");
    const pairs = this.run.array<Uint32Array>("element_pair");
    const point = new THREE.Vector3();
    const colours = new THREE.Color();
    this.drawn = 0;
    const add = (element: number, pressure: number) => {
      colours.setRGB(...viridis(pressure / this.scale[pairs[element]]), THREE.SRGBColorSpace);
      const body = bodies[of[element]];
      if (!body.visible) return;
      for (let corner = 0; corner < 3; corner++) {
        const at = 9 * element + 3 * corner;
        point.set(corners[at], corners[at + 1], corners[at + 2]).applyQuaternion(body.quaternion).add(body.position);
        position.setXYZ(3 * this.drawn + corner, point.x, point.y, point.z);
        colour.setXYZ(3 * this.drawn + corner, colours.r, colours.g, colours.b);
      }
      this.drawn++;
    };
    if (this.mode === "now") this.run.pressures(frame).forEach((row) => add(row.element, row.pressure));
    if (this.mode === "greatest") this.greatest.forEach((pressure, element) => add(element, pressure));
    this.mesh.visible = this.drawn > 0;
    this.mesh.geometry.setDrawRange(0, 3 * this.drawn);
    position.needsUpdate = true;
    colour.needsUpdate = true;
  }

  /** Force on B (N) that the shown pressures of a pair make along the normals of their elements, by size. */
  force(frame: number, pair: number): number {
    const corners = this.run.array<Float32Array>("element_corners");
    const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const sum = new THREE.Vector3();
    for (const row of this.run.pressures(frame)) {
      if (row.pair !== pair) continue;
      [a, b, c].forEach((corner, k) => corner.fromArray(corners, 9 * row.element + 3 * k));
      sum.addScaledVector(b.sub(a).cross(c.sub(a)), 0.5 * row.pressure);
    }
    return sum.length();
  }
}
