/** Contours of regions: where two surfaces cut each other. Most of them are between two bodies, and so they are seen through all. */

import * as THREE from "three";
import type { Run } from "../data/run";
import { CONTOUR_COLOUR } from "./colours";

export class Contours {
  readonly lines: THREE.LineSegments;
  /** Segments that are drawn. */
  drawn = 0;

  constructor(private readonly run: Run) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", changing(0));
    const material = new THREE.LineBasicMaterial({ color: CONTOUR_COLOUR, depthTest: false, transparent: true });
    this.lines = new THREE.LineSegments(geometry, material);
    this.lines.frustumCulled = false;
    this.lines.renderOrder = 9;
  }

  show(time: number): void {
    const ends = this.run.contours(time);
    const { geometry } = this.lines;
    if (geometry.getAttribute("position").array.length < ends.length) {
      geometry.dispose();
      geometry.setAttribute("position", changing(2 * ends.length));
    }
    const position = this.lines.geometry.getAttribute("position") as THREE.BufferAttribute;
    (position.array as Float32Array).set(ends);
    position.needsUpdate = true;
    this.drawn = ends.length / 6;
    this.lines.geometry.setDrawRange(0, 2 * this.drawn);
  }
}

/** Coordinates of points that change from picture to picture. */
export function changing(numbers: number): THREE.BufferAttribute {
  return new THREE.BufferAttribute(new Float32Array(numbers), 3).setUsage(THREE.DynamicDrawUsage);
}
