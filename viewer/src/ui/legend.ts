/** What arrows and colours mean, over the picture. */

import type { Run } from "../data/run";
import { quantity } from "../format";
import { viridisGradient } from "../scene/colours";
import type { PressureMode } from "../scene/pressure";
import type { Scene } from "../scene/scene";
import { element, menu } from "./dom";

export class Legend {
  readonly root = element("div", { class: "legend" });
  private readonly arrows = element("p", {});

  /** `wanted` is told when the greatest pressures are to be seen. */
  constructor(run: Run, scene: Scene, wanted: () => Promise<unknown>) {
    const hasForces = run.pairs.some((pair) => pair.surfaces) && (run.startOfModel === null || scene.arrows.greatest > 0);
    if (hasForces) {
      const scale = menu("Length of the arrows", [["linear", "linear"], ["decades", "by decades"], ["off", "no arrows"]], (value) => {
        scene.arrows.logarithmic = value === "decades";
        scene.arrows.root.visible = value !== "off";
        this.nameScale(scene);
        scene.show(scene.time);
      });
      this.root.append(this.arrows, element("p", {}, scale));
      this.nameScale(scene);
    }
    if (run.hasContours) {
      const shown = menu("Contours of regions", [["on", "contours"], ["off", "no contours"]], (value) => {
        scene.contours.lines.visible = value === "on";
        scene.show(scene.time);
      });
      const key = element("i", { class: "contour", "aria-hidden": "true" });
      this.root.append(element("p", {}, key, shown));
    }
    if (run.hasPressure) {
      const reading = element("small", { role: "status", hidden: true }, "reading the whole run …");
      const mode = menu("Pressure", [["now", "pressure now"], ["greatest", "greatest over time"], ["off", "no pressure"]], (value) => {
        scene.pressure.mode = value as PressureMode;
        scene.show(scene.time);
        if (value !== "greatest") return;
        reading.hidden = run.greatest !== null;
        void wanted().finally(() => (reading.hidden = true));
      });
      this.root.append(element("p", {}, mode, " ", reading));
      run.pressureScale.forEach((greatest, pair) => {
        if (!(greatest > 0)) return;
        const bar = element("span", { class: "bar", style: `background:${viridisGradient()}`, "aria-hidden": "true" });
        const label = `${run.pairs[pair].name}: 0 to ${quantity(greatest, "Pa")}`;
        this.root.append(element("p", {}, bar, element("small", {}, label)));
      });
    }
  }

  private nameScale(scene: Scene): void {
    const key = (kind: string, text: string) => element("span", {}, element("i", { class: kind, "aria-hidden": "true" }), text);
    const linear = `1 m is ${quantity(scene.arrows.newtonPerMetre, "N")}`;
    const text = scene.arrows.logarithmic ? "each third of the longest is a decade" : linear;
    this.arrows.replaceChildren(key("normal", "normal"), " ", key("tangential", "tangential"), " ", element("small", {}, text));
  }
}
