/** Two runs at the same time: the second as a ghost in the scene of the first, or in a scene beside it. */

import type { Run } from "../data/run";
import { Scene } from "../scene/scene";
import { element, menu } from "./dom";

const MODES = ["ghost", "beside", "off"] as const;
export type Mode = (typeof MODES)[number];
const WORDS: Record<Mode, string> = { ghost: "second as a ghost", beside: "side by side", off: "first alone" };

export class Comparison {
  mode: Mode = "ghost";
  readonly menu: HTMLSelectElement;
  private beside: Scene | null = null;
  private readonly host = element("div", { class: "stage" });
  private readonly names: HTMLElement[];
  private background = "";

  constructor(run: Run, readonly other: Run, private readonly scene: Scene, private readonly stages: HTMLElement) {
    this.menu = menu(`How ${other.name} is compared`, MODES.map((mode) => [mode, WORDS[mode]]), (value) => this.choose(value));
    this.names = [run, other].map((run, k) => element("p", { class: "whose" }, `${["first", "second"][k]}: ${title(run)}`));
    scene.host.append(this.names[0]);
    this.host.append(this.names[1]);
    this.choose(this.mode);
  }

  choose(name: string): void {
    const mode = MODES.find((mode) => mode === name);
    if (!mode) return;
    this.mode = mode;
    this.menu.value = mode;
    if (this.scene.ghost) this.scene.ghost.root.visible = mode === "ghost";
    if (mode === "beside") this.open();
    else this.close();
    const colour = element("i", { "aria-hidden": "true" });
    const ghost = mode === "ghost" ? [element("br"), colour, `second: ${title(this.other)}`] : [];
    this.names[0].replaceChildren(this.names[0].firstChild!, ...ghost);
    this.scene.show(this.scene.time);
  }

  private open(): void {
    if (this.beside) return;
    this.stages.append(this.host);
    this.beside = new Scene(this.other, this.host);
    this.beside.setBackground(this.background);
    this.scene.link(this.beside);
  }

  private close(): void {
    this.scene.link(null);
    this.beside?.leave();
    this.beside?.renderer.domElement.remove();
    this.beside = null;
    this.host.remove();
  }

  draw(): void {
    this.beside?.draw();
  }

  setBackground(colour: string): void {
    this.background = colour;
    this.beside?.setBackground(colour);
  }

  leave(): void {
    this.close();
  }

  /** Pictures of the scene beside. */
  get pictures(): number {
    return this.beside?.pictures ?? 0;
  }

  /** Force of an arrow of one metre in the scene beside (N/m). */
  get newtonPerMetre(): number | null {
    return this.beside?.arrows.newtonPerMetre ?? null;
  }

  /** Where the scene beside is seen from. */
  get camera(): string | null {
    return this.beside?.cameras.toText() ?? null;
  }

  /** Where a body of the second run is seen, from the origin of the world. */
  position(name: string): number[] | undefined {
    const scene = this.beside;
    if (!scene) return this.scene.ghost?.position(name);
    const { x, y, z } = scene.bodies.groups[this.other.bodies.findIndex((body) => body.name === name)].position;
    return [x + this.other.origin[0], y + this.other.origin[1], z + this.other.origin[2]];
  }
}

/** Name of a run with what its command changed of the model: both often have the same one. */
export function title(run: Run): string {
  const words: string[] = run.info.command?.line ?? [];
  const changes = words.flatMap((word, k) => (words[k - 1] === "--set" ? [word] : word.startsWith("--set=") ? [word.slice(6)] : []));
  return [run.name, ...changes].join(", ");
}
