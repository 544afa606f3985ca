/** Where the scene is seen from. */

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Vec3 } from "../data/run";

export const VIEWS = ["free", "front", "side", "top", "plane"] as const;
export type View = (typeof VIEWS)[number];

const FIELD = 35;

export class Cameras {
  readonly perspective = new THREE.PerspectiveCamera(FIELD, 1, 0.01, 1000);
  readonly orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
  readonly controls: OrbitControls;
  active: THREE.Camera = this.perspective;
  view: View = "free";
  /** The user has turned or moved it since. */
  private touched = false;
  /** Body that the camera goes along with. */
  followed: number | null = null;
  private aspect = 1;
  /** Half of what a flat picture has to hold, across and up (m). */
  private readonly half = new THREE.Vector2(1, 1);
  private readonly last = new THREE.Vector3();

  constructor(
    element: HTMLElement,
    private readonly box: THREE.Box3,
    private readonly up: Vec3,
    private readonly planar: Vec3 | null,
    changed: () => void,
  ) {
    this.perspective.up.set(...up);
    this.orthographic.up.set(...up);
    this.controls = new OrbitControls(this.perspective, element);
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => (this.touched = true));
    this.look(planar ? "plane" : "free");
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(height, 1);
    this.perspective.aspect = this.aspect;
    this.perspective.updateProjectionMatrix();
    this.frameOrthographic();
  }

  private frameOrthographic(): void {
    const half = Math.max(this.half.y, this.half.x / this.aspect);
    Object.assign(this.orthographic, { left: -half * this.aspect, right: half * this.aspect, top: half, bottom: -half });
    this.orthographic.updateProjectionMatrix();
  }

  /** Directions of the picture: towards the eye, by the view. */
  private direction(view: View): THREE.Vector3 {
    const up = new THREE.Vector3(...this.up);
    const side = Math.abs(up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
    const front = side.clone().cross(up).normalize();
    switch (view) {
      case "front":
        return front;
      case "side":
        return side;
      case "top":
        return up.clone().addScaledVector(front, 1e-3);
      case "plane": {
        const normal = this.planar ? new THREE.Vector3(...this.planar) : front;
        // The plane of x and z is seen against y, so that x is to the right.
        return normal.y === 1 ? normal.negate() : normal;
      }
      case "free":
        return front.clone().multiplyScalar(0.9).addScaledVector(side, 0.5).addScaledVector(up, 0.42);
    }
  }

  /** Puts the whole scene into the picture. */
  look(view: View): void {
    this.view = view;
    this.touched = false;
    const size = this.box.getSize(new THREE.Vector3());
    const target = this.box.getCenter(new THREE.Vector3());
    const radius = Math.max(0.5 * size.length(), 1e-6);
    const direction = this.direction(view).normalize();
    this.active = view === "plane" ? this.orthographic : this.perspective;
    const across = new THREE.Vector3(...this.up).cross(direction);
    const spans = (axis: THREE.Vector3) => 0.5 * (Math.abs(axis.x) * size.x + Math.abs(axis.y) * size.y + Math.abs(axis.z) * size.z);
    this.half.set(spans(across), spans(new THREE.Vector3(...this.up))).multiplyScalar(1.12).max(new THREE.Vector2(0.05 * radius, 0.05 * radius));
    const distance = (1.02 * radius) / Math.sin(((FIELD / 2) * Math.PI) / 180);
    for (const camera of [this.perspective, this.orthographic]) camera.position.copy(target).addScaledVector(direction, distance);
    this.perspective.near = 0.002 * distance;
    this.perspective.far = 40 * distance;
    this.perspective.updateProjectionMatrix();
    this.orthographic.near = -40 * distance;
    this.orthographic.far = 40 * distance;
    this.orthographic.zoom = 1;
    this.frameOrthographic();
    this.controls.object = this.active as THREE.PerspectiveCamera;
    this.controls.enableRotate = view !== "plane";
    this.controls.target.copy(target);
    this.controls.update();
  }

  follow(body: number | null, position: THREE.Vector3 | null): void {
    this.followed = body;
    if (position) this.last.copy(position);
  }

  /** Moves with the followed body. */
  track(position: THREE.Vector3): void {
    const moved = position.clone().sub(this.last);
    this.active.position.add(moved);
    this.controls.target.add(moved);
    this.last.copy(position);
    this.controls.update();
  }

  /** Looks from where others do, whose positions count from an origin that is `offset` away (m). */
  copy(others: Cameras, offset: Vec3): void {
    this.view = others.view;
    this.touched = others.touched;
    this.active = others.active === others.orthographic ? this.orthographic : this.perspective;
    for (const [own, theirs] of [[this.perspective, others.perspective], [this.orthographic, others.orthographic]] as const) {
      own.position.copy(theirs.position).add(new THREE.Vector3(...offset));
      own.quaternion.copy(theirs.quaternion);
      Object.assign(own, { near: theirs.near, far: theirs.far, zoom: theirs.zoom });
    }
    this.half.copy(others.half);
    this.perspective.updateProjectionMatrix();
    this.frameOrthographic();
    this.controls.object = this.active as THREE.PerspectiveCamera;
    this.controls.enableRotate = others.controls.enableRotate;
    this.controls.target.copy(others.controls.target).add(new THREE.Vector3(...offset));
  }

  /** Eye and target as six numbers, for links. */
  toText(): string {
    if (this.view !== "free" || !this.touched) return this.view;
    const numbers = [...this.active.position.toArray(), ...this.controls.target.toArray()];
    return numbers.map((x) => Number(x.toPrecision(5))).join(",");
  }

  fromText(text: string): void {
    const view = VIEWS.find((view) => view === text);
    if (view) return this.look(view);
    const numbers = text.split(",").map(Number);
    if (numbers.length !== 6 || !numbers.every(Number.isFinite)) return;
    this.look("free");
    this.active.position.fromArray(numbers);
    this.controls.target.fromArray(numbers, 3);
    this.touched = true;
    this.controls.update();
  }
}
