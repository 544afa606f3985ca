/** The picture of a run at a time. */

import * as THREE from "three";
import type { Run } from "../data/run";
import { Arrows } from "./arrows";
import { Bodies } from "./bodies";
import { Cameras } from "./cameras";
import { Contours } from "./contours";
import { Ghost, offset } from "./ghost";
import { Links } from "./links";
import { Pressure } from "./pressure";
import { StartLayers } from "./start";

export class Scene {
  readonly bodies: Bodies;
  readonly arrows: Arrows;
  readonly pressure: Pressure;
  readonly contours: Contours;
  readonly links: Links;
  /** Of a model that has not run. */
  readonly start: StartLayers | null;
  /** The run that it is compared with, in the same scene. */
  readonly ghost: Ghost | null;
  /** The scene beside this one, which is seen from the same place; of the two the first leads. */
  private beside: Scene | null = null;
  private leads = false;
  readonly cameras: Cameras;
  readonly renderer: THREE.WebGLRenderer;
  /** Size of everything (m). */
  readonly extent: number;
  time: number;
  /** Pictures drawn so far, and milliseconds that our own part of the last one took. */
  pictures = 0;
  ownTime = 0;
  private readonly scene = new THREE.Scene();
  /** Goes along with the eye, so that what it looks at is never dark. */
  private readonly lamp = new THREE.DirectionalLight(0xffffff, 1.1);
  private wanted = true;
  private readonly observer: ResizeObserver;

  constructor(private readonly run: Run, readonly host: HTMLElement, other: Run | null = null) {
    const antialias = !new URLSearchParams(location.search).has("plain");
    this.renderer = new THREE.WebGLRenderer({ antialias, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.domElement.setAttribute("aria-label", "Scene of the run");
    this.renderer.domElement.setAttribute("role", "img");
    host.prepend(this.renderer.domElement);
    this.time = run.start;
    this.bodies = new Bodies(run);
    const box = this.bodies.travelled();
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));
    this.extent = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-6);
    this.arrows = new Arrows(run, this.extent);
    this.pressure = new Pressure(run);
    this.contours = new Contours(run);
    this.links = new Links(run, this.bodies.groups, this.extent);
    this.scene.add(this.bodies.root, this.pressure.mesh, this.contours.lines, this.links.root, this.arrows.root, this.lamp, ...lights(run));
    this.start = run.startOfModel ? new StartLayers(run, run.startOfModel, this.bodies.groups, this.extent) : null;
    if (this.start) this.scene.add(this.start.root);
    this.ghost = other ? new Ghost(run, other) : null;
    if (this.ghost) this.scene.add(this.ghost.root);
    this.cameras = new Cameras(this.renderer.domElement, box, run.up, run.planar, () => this.turned());
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(host);
    this.resize();
  }

  /** Gives back what the graphics card holds: another scene takes the place of this one. */
  leave(): void {
    this.observer.disconnect();
    this.cameras.controls.dispose();
    this.scene.traverse((object) => {
      if (object instanceof THREE.Mesh || object instanceof THREE.Line) object.geometry.dispose();
    });
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.cameras.resize(width, height);
    this.refresh();
  }

  /** Both are seen from the same place from now on, or this one alone. */
  link(beside: Scene | null): void {
    if (this.beside) this.beside.beside = null;
    this.beside = beside;
    this.leads = beside !== null;
    if (beside) beside.beside = this;
    this.turned();
  }

  private turned(): void {
    this.refresh();
    if (this.beside) this.beside.cameras.copy(this.cameras, offset(this.beside.run, this.run));
    this.beside?.refresh();
  }

  /** Draws at the next opportunity. */
  refresh(): void {
    this.wanted = true;
  }

  setBackground(colour: string): void {
    this.scene.background = new THREE.Color(colour);
    this.refresh();
  }

  show(t: number): void {
    const clock = performance.now();
    this.time = t;
    this.bodies.place(t);
    this.ghost?.place(t);
    this.links.place();
    this.arrows.show(t);
    this.pressure.show(t, this.bodies.groups);
    this.contours.show(t);
    const { followed } = this.cameras;
    if (followed !== null) this.cameras.track(this.bodies.groups[followed].position);
    this.ownTime = performance.now() - clock;
    this.refresh();
    if (this.leads) this.beside?.showAs(this);
  }

  /** At the time of the scene that leads, on its scales: its legend is that of both. */
  private showAs(leader: Scene): void {
    this.arrows.takeScale(leader.arrows);
    this.pressure.takeScale(leader.pressure);
    this.contours.lines.visible = leader.contours.lines.visible;
    this.show(leader.time);
  }

  /** Draws if anything has changed. */
  draw(): void {
    if (!this.wanted) return;
    this.wanted = false;
    this.lamp.position.copy(this.cameras.active.position).sub(this.cameras.controls.target);
    this.renderer.render(this.scene, this.cameras.active);
    this.pictures++;
  }

  /** Corners of all triangles that are drawn, nine numbers each, and how they are seen: for a bare picture of the same. */
  triangles(): { corners: number[]; camera: number[]; projection: number[] } {
    const corners: number[] = [];
    const point = new THREE.Vector3();
    this.scene.updateMatrixWorld();
    this.scene.traverseVisible((object) => {
      if (!(object instanceof THREE.Mesh) || object instanceof THREE.InstancedMesh) return;
      const { position } = object.geometry.attributes;
      const index = object.geometry.index;
      const count = Math.min(object.geometry.drawRange.count, index ? index.count : position.count);
      for (let k = 0; k < count; k++) point.fromBufferAttribute(position, index ? index.getX(k) : k).applyMatrix4(object.matrixWorld).toArray(corners, corners.length);
    });
    const { active } = this.cameras;
    return { corners, camera: active.matrixWorld.toArray(), projection: active.projectionMatrix.toArray() };
  }

  /** The picture as it is, as a PNG file. */
  picture(): string {
    this.refresh();
    this.draw();
    return this.renderer.domElement.toDataURL("image/png");
  }
}

function lights(run: Run): THREE.Light[] {
  const sky = new THREE.HemisphereLight(0xffffff, 0x6c7682, 1.3);
  sky.position.set(...run.up);
  const sun = new THREE.DirectionalLight(0xffffff, 1.4);
  const up = new THREE.Vector3(...run.up);
  const side = Math.abs(up.x) > 0.9 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(1, 0, 0);
  sun.position.copy(up).addScaledVector(side.clone().cross(up), 0.6).addScaledVector(side, 0.5);
  return [sky, sun];
}
