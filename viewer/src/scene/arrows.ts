/** Arrows of contact forces: those on B, from the contact point; normal parts green, tangential parts red. */

import * as THREE from "three";
import type { Run, Vec3 } from "../data/run";
import { roundUp } from "../format";
import { NORMAL_COLOUR, TANGENTIAL_COLOUR } from "./colours";

const MOST = 4000;
const UP = new THREE.Vector3(0, 1, 0);

/** A bundle of arrows of one colour, each a shaft and a head. */
class Bundle {
  readonly group = new THREE.Group();
  count = 0;
  private readonly shafts: THREE.InstancedMesh;
  private readonly heads: THREE.InstancedMesh;

  constructor(colour: number, order: number) {
    const material = new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true });
    this.shafts = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0), material, MOST);
    this.heads = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 12).translate(0, 0.5, 0), material, MOST);
    for (const mesh of [this.shafts, this.heads]) {
      mesh.frustumCulled = false;
      mesh.renderOrder = order;
      this.group.add(mesh);
    }
  }

  clear(): void {
    this.count = 0;
  }

  add(from: THREE.Vector3, direction: THREE.Vector3, length: number, thickness: number): void {
    if (this.count >= MOST || !(length > 0)) return;
    const turn = new THREE.Quaternion().setFromUnitVectors(UP, direction);
    const head = Math.min(5 * thickness, 0.5 * length);
    const matrix = new THREE.Matrix4();
    matrix.compose(from, turn, new THREE.Vector3(thickness, length - head, thickness));
    this.shafts.setMatrixAt(this.count, matrix);
    const tip = from.clone().addScaledVector(direction, length - head);
    matrix.compose(tip, turn, new THREE.Vector3(0.45 * head, head, 0.45 * head));
    this.heads.setMatrixAt(this.count, matrix);
    this.count++;
  }

  done(): void {
    for (const mesh of [this.shafts, this.heads]) {
      mesh.count = this.count;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }
}

export class Arrows {
  readonly root = new THREE.Group();
  logarithmic = false;
  /** Force of an arrow of one metre (N/m), linear. */
  newtonPerMetre: number;
  private readonly normal = new Bundle(NORMAL_COLOUR, 10);
  private readonly tangential = new Bundle(TANGENTIAL_COLOUR, 11);
  /** Greatest normal force (N). */
  greatest: number;
  private longest: number;
  private thickness: number;

  /** `extent` is the size of the scene (m). */
  constructor(private readonly run: Run, extent: number) {
    const fn = run.array<Float32Array>("contact_fn");
    const pairs = run.array<Uint32Array>("contact_pair");
    let greatest = run.streaming?.greatest_fn_n ?? 0;
    for (let row = 0; row < fn.length; row++) {
      if (run.pairs[pairs[row]].surfaces && Number.isFinite(fn[row])) greatest = Math.max(greatest, Math.abs(fn[row]));
    }
    this.greatest = greatest;
    const start = run.array<Uint32Array>("contact_start");
    let most = 1;
    for (let k = 0; k + 1 < start.length; k++) most = Math.max(most, start[k + 1] - start[k]);
    // A crowd of arrows has to leave the scene to be seen.
    const crowd = Math.min(1, 3 / Math.sqrt(most));
    this.longest = 0.4 * extent * crowd;
    this.thickness = 0.004 * extent * Math.max(crowd, 0.3);
    this.newtonPerMetre = roundUp(greatest / this.longest);
    this.root.add(this.normal.group, this.tangential.group);
  }

  /** As others are: lengths can be compared. */
  takeScale(others: Arrows): void {
    const { newtonPerMetre, greatest, longest, thickness, logarithmic } = others;
    Object.assign(this, { newtonPerMetre, greatest, longest, thickness, logarithmic });
    this.root.visible = others.root.visible;
  }

  get drawn(): { normal: number; tangential: number } {
    return { normal: this.normal.count, tangential: this.tangential.count };
  }

  /** Length of an arrow (m): in proportion, or by decades from a thousandth of the greatest force. */
  lengthOf(force: number): number {
    if (!this.logarithmic) return force / this.newtonPerMetre;
    return this.greatest > 0 ? (this.longest / 3) * Math.max(0, 3 + Math.log10(force / this.greatest)) : 0;
  }

  show(time: number): void {
    this.normal.clear();
    this.tangential.clear();
    const add = (bundle: Bundle, point: Vec3, force: Vec3) => {
      const vector = new THREE.Vector3(...force);
      const size = vector.length();
      if (!(size > 1e-6 * this.greatest)) return;
      bundle.add(new THREE.Vector3(...point), vector.divideScalar(size), this.lengthOf(size), this.thickness);
    };
    const regions = this.run.regions(time);
    for (const region of regions) {
      add(this.normal, region.point, region.normal);
      add(this.tangential, region.point, region.friction);
    }
    const byRegions = new Set(regions.map((region) => this.run.pairs[region.pair]));
    for (const contact of this.run.contacts(time)) {
      if (!contact.pair.surfaces || byRegions.has(contact.pair)) continue;
      add(this.normal, contact.point, contact.normal.map((n) => n * contact.fn) as Vec3);
      add(this.tangential, contact.point, contact.friction);
    }
    this.normal.done();
    this.tangential.done();
  }
}
