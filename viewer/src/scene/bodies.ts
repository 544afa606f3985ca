/** Bodies as groups of their surfaces; what is shown of each. */

import * as THREE from "three";
import type { Run } from "../data/run";
import { roundUp } from "../format";
import { BODY_COLOURS, FIXED_COLOUR } from "./colours";
import { meshGeometry, plane, signedVolume } from "./geometry";
import { attachments, skeleton } from "./links";

export type Look = "shown" | "clear" | "wires" | "hidden";
export const LOOKS: Look[] = ["shown", "clear", "wires", "hidden"];

const CLEAR = 0.3;
/** How far around what moves a picture begins, in parts of its size. */
const NEAR = 0.35;

export class Bodies {
  readonly root = new THREE.Group();
  readonly groups: THREE.Group[] = [];
  readonly looks: Look[] = [];
  /** Everything that has a size, at the first output time. */
  readonly box = new THREE.Box3();
  private readonly materials: THREE.MeshLambertMaterial[][] = [];
  private readonly colours: number[] = [];
  /** How far each body reaches from its origin (m). */
  private readonly radii: number[] = [];

  /** With a tint all that moves has one colour. */
  constructor(private readonly run: Run, tint?: number) {
    const geometries = run.meshes.map((place) => meshGeometry(run, place));
    const isCavity = geometries.map((geometry) => signedVolume(geometry) < 0);
    // Where pressures are shown, what lies on top of the elements is clear.
    const bases = new Set(run.array<Uint32Array>("element_body"));
    let moving = 0;
    run.bodies.forEach((body, index) => {
      const group = new THREE.Group();
      group.name = body.name;
      this.colours.push(body.fixed ? FIXED_COLOUR : (tint ?? BODY_COLOURS[moving++ % BODY_COLOURS.length]));
      this.materials.push([]);
      let cavity = false;
      const own = run.surfaces.filter((surface) => surface.body === index);
      for (const surface of own.filter((surface) => surface.mesh !== null)) {
        const mesh = new THREE.Mesh(geometries[surface.mesh!], this.newMaterial(index));
        mesh.name = surface.name;
        const [w, x, y, z] = surface.orientation;
        mesh.position.set(...surface.position_m);
        mesh.quaternion.set(x, y, z, w);
        cavity ||= isCavity[surface.mesh!];
        group.add(mesh);
      }
      this.groups.push(group);
      this.root.add(group);
      this.looks.push("shown");
      if (cavity || (bases.size > 0 && covers(run, index, bases))) this.setLook(index, "clear");
    });
    this.place(run.start);
    this.root.updateMatrixWorld(true);
    this.groups.forEach((group, index) => {
      const points = group.children.length > 0 ? [] : attachments(run, index);
      this.radii.push(reach(group, points));
      this.box.expandByObject(group);
      points.forEach((point) => this.box.expandByPoint(point.applyMatrix4(group.matrixWorld)));
    });
    this.addSkeletons();
    this.addPlanes();
  }

  /** Something to see of bodies without a surface; of what stands only if nothing else does. */
  private addSkeletons(): void {
    const extent = this.travelled().getSize(new THREE.Vector3()).length() || 1;
    this.run.bodies.forEach((body, index) => {
      if (body.fixed || this.groups[index].children.length > 0 || this.run.surfaces.some((surface) => surface.body === index)) return;
      const material = this.newMaterial(index);
      this.groups[index].add(skeleton(this.run, index, extent, material));
    });
  }

  private newMaterial(body: number): THREE.MeshLambertMaterial {
    const material = new THREE.MeshLambertMaterial({ color: this.colours[body], side: THREE.DoubleSide });
    this.materials[body].push(material);
    return material;
  }

  /** Half-spaces, as large as what they carry. */
  private addPlanes(): void {
    const flat = this.run.surfaces.filter((surface) => surface.mesh === null);
    if (flat.length === 0) return;
    const all = this.travelled();
    const extent = all.isEmpty() ? 1 : all.getSize(new THREE.Vector3()).length();
    const square = roundUp(extent / 12);
    for (const surface of flat) {
      const [w, x, y, z] = surface.orientation;
      const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(x, y, z, w)).applyQuaternion(this.groups[surface.body].quaternion);
      const isWall = Math.abs(normal.dot(new THREE.Vector3(...this.run.up))) < 0.5;
      const group = plane(isWall ? 1.2 * extent : 2.4 * extent, square, isWall);
      group.position.set(...surface.position_m);
      group.quaternion.set(x, y, z, w);
      // It has no middle of its own: it lies below what moves.
      const body = this.groups[surface.body];
      const toWorld = body.matrixWorld.clone().multiply(new THREE.Matrix4().compose(group.position, group.quaternion, new THREE.Vector3(1, 1, 1)));
      const middle = all.getCenter(new THREE.Vector3()).applyMatrix4(toWorld.clone().invert());
      const snapped = [middle.x, middle.y].map((m) => Math.round(m / square) * square);
      group.translateX(snapped[0]).translateY(snapped[1]);
      body.add(group);
    }
  }

  /** The box of everything that moves over the whole run, and of what stands near it; of all that stands if nothing moves. */
  travelled(): THREE.Box3 {
    const all = this.swept();
    if (all.isEmpty()) return this.box.clone();
    const around = NEAR * all.getSize(new THREE.Vector3()).length();
    return all.union(this.box.clone().intersect(all.clone().expandByScalar(around)));
  }

  private swept(): THREE.Box3 {
    const all = new THREE.Box3();
    const point = new THREE.Vector3();
    const positions = this.run.array<Float32Array>("positions");
    this.run.bodies.forEach((body, index) => {
      if (!body.moves) return;
      const radius = this.radii[index];
      const { frames } = this.run.whole;
      const step = Math.max(1, Math.floor(frames / 200));
      for (let k = 0; k < frames; k += step) {
        const row = 3 * (body.pose + k);
        if (!Number.isFinite(positions[row])) continue;
        point.set(positions[row], positions[row + 1], positions[row + 2]);
        all.expandByPoint(point.clone().addScalar(radius)).expandByPoint(point.addScalar(-radius));
      }
    });
    return all;
  }

  /** Puts all bodies where they are at t; what is nowhere is not drawn. */
  place(t: number): void {
    const part = this.run.at(t);
    this.groups.forEach((group, index) => {
      const { position, rotation } = part.pose(index, t);
      group.visible = this.looks[index] !== "hidden" && position.every(Number.isFinite);
      group.position.set(...position);
      group.quaternion.set(rotation[1], rotation[2], rotation[3], rotation[0]);
    });
  }

  setLook(body: number, look: Look): void {
    this.looks[body] = look;
    this.groups[body].visible = look !== "hidden";
    for (const material of this.materials[body]) {
      material.transparent = look === "clear";
      material.opacity = look === "clear" ? CLEAR : 1;
      material.depthWrite = look !== "clear";
      material.wireframe = look === "wires";
      material.needsUpdate = true;
    }
  }

  colourOf(body: number): string {
    return `#${new THREE.Color(this.colours[body]).getHexString()}`;
  }

  select(body: number | null): void {
    this.materials.forEach((materials, index) => materials.forEach((m) => m.emissive.setHex(index === body ? 0x333333 : 0)));
  }
}

/** How far a body reaches from its origin: corners of the boxes of its surfaces, or points. */
function reach(group: THREE.Group, points: THREE.Vector3[]): number {
  let far = Math.max(0, ...points.map((point) => point.length()));
  for (const child of group.children) {
    if (!(child instanceof THREE.Mesh)) continue;
    child.geometry.computeBoundingSphere();
    const { center, radius } = child.geometry.boundingSphere!;
    far = Math.max(far, center.clone().applyQuaternion(child.quaternion).add(child.position).length() + radius);
  }
  return far;
}

/**
 * Does a body lie on elements that are to be seen? Where both of a pair have some, the one that may move does, and of two
 * that may the second.
 */
function covers(run: Run, body: number, bases: Set<number>): boolean {
  const bodyOf = (name: string) => run.surfaces.find((surface) => surface.name === name)?.body;
  return run.pairs.some((pair) => {
    if (!pair.areal) return false;
    const [a, b] = [bodyOf(pair.a), bodyOf(pair.b)];
    if (a !== body && b !== body) return false;
    if (!bases.has(body)) return true;
    const other = a === body ? b : a;
    return other !== undefined && bases.has(other) && !run.bodies[body].fixed && (b === body || run.bodies[other].fixed);
  });
}
