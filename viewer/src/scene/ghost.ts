/** A second run in the scene of the first: clear, in one colour, where it is at the same time. */

import * as THREE from "three";
import type { Run } from "../data/run";
import { Bodies } from "./bodies";
import { OTHER_COLOUR } from "./colours";

export class Ghost {
  readonly root = new THREE.Group();
  private readonly bodies: Bodies;

  constructor(run: Run, readonly other: Run) {
    this.bodies = new Bodies(other, OTHER_COLOUR);
    // What stands in both runs is there already.
    const stands = new Set(run.bodies.filter((body) => body.fixed).map((body) => body.name));
    other.bodies.forEach((body, index) => this.bodies.setLook(index, body.fixed && stands.has(body.name) ? "hidden" : "clear"));
    this.root.add(this.bodies.root);
    this.root.position.set(...offset(run, other));
    this.root.visible = false;
  }

  /** Where it begins later or ends sooner it stays. */
  place(time: number): void {
    if (this.root.visible) this.bodies.place(time);
  }

  /** Place of a body, from the origin of the world. */
  position(name: string): [number, number, number] {
    const { x, y, z } = this.bodies.groups[this.other.bodies.findIndex((body) => body.name === name)].position;
    return [x + this.other.origin[0], y + this.other.origin[1], z + this.other.origin[2]];
  }
}

/** From the origin that the positions of one run count from to that of the other (m). */
export function offset(from: Run, to: Run): [number, number, number] {
  return [0, 1, 2].map((axis) => to.origin[axis] - from.origin[axis]) as [number, number, number];
}
