/** Contours of regions: where two surfaces cut each other. Most of them are between two bodies, and so they are seen through all. */

import * as THREE from "three";
import type { Run } from "../data/run";
import { CONTOUR_COLOUR } from "./colours";

export class Contours {
  readonly lines: THREE.LineSegments;
  /** Segments that are drawn. */
  drawn = 0;

  constructor(private readonly run: Run) {
    const start = run.array<Uint32Array>("contour_start");
    let most = 0;
    for (let k = 0; k + 1 < start.length; k++) most = Math.max(most, start[k + 1] - start[k]);
    const geometry = new THREE.BufferGeometry();
    const ends = new THREE.BufferAttribute(new Float32Array(6 * most), 3).setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("position", ends);
    const material = new THREE.LineBasicMaterial({ color: CONTOUR_COLOUR, depthTest: false, transparent: true });
    this.lines = new THREE.LineSegments(geometry, material);
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 9;
  }

  show(frame: number): void {
    const ends = this.run.contours(frame);
    const position = this.lines.geometry.getAttribute("position") as THREE.BufferAttribute;
    (position.array as Float32Array).set(ends);
    position.needsUpdate = true;
    this.drawn = ends.length / 6;
    this.lines.geometry.setDrawRange(0, 2 * this.drawn);
  }
}
