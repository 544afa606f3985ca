/** Elements of areal contact in the colours of their pressure, on a scale that stays over the run. */

import * as THREE from "three";
import type { Part } from "../data/part";
import type { Run } from "../data/run";
import { viridis } from "./colours";
import { changing } from "./contours";

export type PressureMode = "now" | "greatest" | "off";

export class Pressure {
  readonly mesh: THREE.Mesh;
  mode: PressureMode = "now";
  /** Elements that are drawn. */
  drawn = 0;
  /** Pressure of the last colour by pair (Pa). */
  private readonly scale: number[];
  /** By element of what `run.greatest` was when it was asked for. */
  private greatest: ArrayLike<number> = [];
  private greatestOf: Part | null = null;
  /** Elements that can be drawn. */
  private room = -1;

  constructor(private readonly run: Run) {
    this.scale = [...run.pressureScale];
    const geometry = new THREE.BufferGeometry();
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
    this.makeRoom(run.whole.array<Uint32Array>("element_pair").length);
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

  private makeRoom(elements: number): void {
    if (elements <= this.room) return;
    this.room = elements;
    this.mesh.geometry.dispose();
    for (const name of ["position", "color"]) this.mesh.geometry.setAttribute(name, changing(9 * elements));
  }

  /** `bodies` have been put where they are. */
  show(time: number, bodies: THREE.Group[]): void {
    // What is known from the start of a run that is sent in parts has elements of its own.
    const part = this.mode === "greatest" ? (this.run.greatest ?? this.run.whole) : this.run.at(time);
    const rows = this.mode === "now" ? part.pressures(part.frameAt(time)) : [];
    if (this.mode === "greatest" && part !== this.greatestOf) {
      this.greatest = part.greatestPressures();
      this.greatestOf = part;
    }
    this.makeRoom(this.mode === "greatest" ? this.greatest.length : rows.length);
    const position = this.mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
    const colour = this.mesh.geometry.getAttribute("color") as THREE.BufferAttribute;
    const corners = part.array<Float32Array>("element_corners");
    const of = part.array<Uint32Array>("element_body");
    const pairs = part.array<Uint32Array>("element_pair");
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
    rows.forEach((row) => add(row.element, row.pressure));
    for (let element = 0; this.mode === "greatest" && element < this.greatest.length; element++) add(element, this.greatest[element]);
    this.mesh.visible = this.drawn > 0;
    this.mesh.geometry.setDrawRange(0, 3 * this.drawn);
    position.needsUpdate = true;
    colour.needsUpdate = true;
  }

  /** Force on B (N) that the shown pressures of a pair make along the normals of their elements, by size. */
  force(time: number, pair: number): number {
    const part = this.run.at(time);
    const corners = part.array<Float32Array>("element_corners");
    const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    const sum = new THREE.Vector3();
    for (const row of part.pressures(part.frameAt(time))) {
      if (row.pair !== pair) continue;
      [a, b, c].forEach((corner, k) => corner.fromArray(corners, 9 * row.element + 3 * k));
      sum.addScaledVector(b.sub(a).cross(c.sub(a)), 0.5 * row.pressure);
    }
    return sum.length();
  }
}
