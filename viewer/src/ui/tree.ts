/** The bodies: what is shown of each, and which one is selected. */

import type { Run } from "../data/run";
import { LOOKS, type Look } from "../scene/bodies";
import type { Scene } from "../scene/scene";
import { element, menu } from "./dom";

const WORDS: Record<Look, string> = { shown: "shown", clear: "clear", wires: "wires", hidden: "hidden" };

export class Tree {
  readonly root: HTMLElement;
  private readonly rows: HTMLElement[] = [];
  selected: number | null = null;

  constructor(run: Run, scene: Scene, private readonly chosen: (body: number | null) => void) {
    const looks = LOOKS.map((look): [string, string] => [look, WORDS[look]]);
    const list = element("ul", { class: "bodies" });
    run.bodies.forEach((body, index) => {
      const look = menu(`How ${body.name} is drawn`, looks, (value) => {
        scene.bodies.setLook(index, value as Look);
        scene.show(scene.time);
      });
      look.value = scene.bodies.looks[index];
      const swatch = element("i", { "aria-hidden": "true", style: `background:${scene.bodies.colourOf(index)}` });
      const name = element("button", { type: "button", class: "name", title: body.fixed ? `${body.name} (fixed)` : body.name }, body.name);
      name.addEventListener("click", () => this.select(this.selected === index ? null : index));
      const row = element("li", {}, swatch, name, look);
      this.rows.push(row);
      list.append(row);
    });
    this.root = element("section", { "aria-label": "Bodies" }, element("h2", {}, "Bodies"), list);
  }

  select(body: number | null): void {
    this.selected = body;
    this.rows.forEach((row, index) => row.classList.toggle("selected", index === body));
    this.chosen(body);
  }
}
