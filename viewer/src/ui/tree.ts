/** The bodies: what is shown of each, and which one is selected. */

import type { Run } from "../data/run";
import { LOOKS, type Look } from "../scene/bodies";
import type { Scene } from "../scene/scene";
import { element, menu } from "./dom";

const WORDS: Record<Look, string> = { shown: "shown", clear: "clear", wires: "wires", hidden: "hidden" };
/** Rows at once: of more bodies those whose names have what is looked for. A thousand rows take a browser a second. */
const MOST = 200;

export class Tree {
  readonly root: HTMLElement;
  private readonly list = element("ul", { class: "bodies" });
  private readonly find = element("input", { type: "search", placeholder: "find", "aria-label": "Find bodies by name", input: () => this.fill() });
  private readonly note = element("p", { class: "dim" });
  private rows = new Map<number, HTMLElement>();
  selected: number | null = null;

  constructor(private readonly run: Run, private readonly scene: Scene, private readonly chosen: (body: number | null) => void) {
    const title = element("h2", {}, "Bodies");
    if (run.bodies.length > MOST) title.append(element("span", { class: "space" }), this.find);
    this.root = element("section", { "aria-label": "Bodies" }, title, this.list, this.note);
    this.fill();
  }

  /** Rows of the bodies that are looked for, and of the selected one. */
  private fill(): void {
    const { bodies } = this.run;
    const found = [...bodies.keys()].filter((index) => bodies[index].name.includes(this.find.value.trim()));
    const shown = found.slice(0, MOST);
    if (this.selected !== null && !shown.includes(this.selected)) shown.unshift(this.selected);
    this.rows = new Map(shown.map((index) => [index, this.row(index)]));
    this.list.replaceChildren(...this.rows.values());
    this.note.textContent = found.length > MOST ? `The first ${MOST} of ${found.length}.` : found.length === 0 ? "None has this in its name." : "";
  }

  private row(index: number): HTMLElement {
    const { scene } = this;
    const body = this.run.bodies[index];
    const looks = LOOKS.map((look): [string, string] => [look, WORDS[look]]);
    const look = menu(`How ${body.name} is drawn`, looks, (value) => {
      scene.bodies.setLook(index, value as Look);
      scene.show(scene.time);
    });
    look.value = scene.bodies.looks[index];
    const swatch = element("i", { "aria-hidden": "true", style: `background:${scene.bodies.colourOf(index)}` });
    const name = element("button", { type: "button", class: "name", title: body.fixed ? `${body.name} (fixed)` : body.name }, body.name);
    name.addEventListener("click", () => this.select(this.selected === index ? null : index));
    return element("li", { class: index === this.selected ? "selected" : "" }, swatch, name, look);
  }

  select(body: number | null): void {
    this.selected = body;
    if (body !== null && !this.rows.has(body)) this.fill();
    this.rows.forEach((row, index) => row.classList.toggle("selected", index === body));
    this.chosen(body);
  }
}
