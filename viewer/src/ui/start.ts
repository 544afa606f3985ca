/** What a model is at its start, in words: joints, contact lines, overlaps, warnings; and which of it is drawn. */

import type { Start, StartAxis } from "../data/run";
import { digits, quantity } from "../format";
import { CONTACT_COLOUR, JOINT_COLOUR, LAYERS, OVERLAP_COLOUR, isHeld, type Layer, type StartLayers } from "../scene/start";
import { element } from "./dom";

const WORDS: Record<Layer, string> = { frames: "frames of bodies (x red, y green, z blue)", joints: "joints and limits", contacts: "contact lines", overlaps: "overlaps" };
const COLOURS: Partial<Record<Layer, number>> = { joints: JOINT_COLOUR, contacts: CONTACT_COLOUR, overlaps: OVERLAP_COLOUR };

export function startPanel(start: Start, layers: StartLayers, changed: () => void): HTMLElement {
  const root = element("section", { "aria-label": "Start", class: "start" }, element("h2", {}, "At the start"));
  for (const text of start.warnings) root.append(element("p", { class: "warning" }, text));
  const shown = element("ul", { class: "layers" });
  for (const layer of LAYERS) {
    const count = layer === "frames" ? 1 : layers.drawn(layer);
    if (count === 0) continue;
    const box = element("input", {
      type: "checkbox",
      checked: true,
      change: () => {
        layers.layers.get(layer)!.visible = box.checked;
        changed();
      },
    });
    const colour = COLOURS[layer];
    const swatch = colour === undefined ? [] : [element("i", { "aria-hidden": "true", style: `background:#${colour.toString(16).padStart(6, "0")}` })];
    shown.append(element("li", {}, element("label", {}, box, " ", ...swatch, ` ${WORDS[layer]}`)));
  }
  root.append(shown);
  if (start.overlaps.length > 0) {
    const rows = start.overlaps.map(({ a, b, pair, way_m }) => {
      const way = way_m ? quantity(Math.hypot(...way_m), "m") : "no straight way out";
      return [`${a}, ${b}`, pair ?? "no contact line", way];
    });
    root.append(table("Overlaps", ["surfaces", "pair", "overlap by"], rows));
  }
  const axes = start.joints.flatMap((joint) => {
    const own = joint.axes.length > 0 && isHeld(joint) ? joint.axes : [null];
    return own.map((axis) => [joint.name, axis ? `${joint.kind}, ${axis.name}` : joint.kind, axis ? value(axis) : "", axis ? free(axis) : ""]);
  });
  if (axes.length > 0) root.append(table("Joints", ["joint", "kind", "starts at", "free"], axes));
  const lines = start.lines.map((line) => [line.name, line.method, String(line.pairs)]);
  if (lines.length > 0) root.append(table("Contact lines", ["contact line", "method", "pairs"], lines));
  return root;
}

function value(axis: StartAxis): string {
  return axis.angular ? `${digits((axis.value * 180) / Math.PI)}°` : quantity(axis.value, "m");
}

function free(axis: StartAxis): string {
  const text = (at: number) => value({ ...axis, value: at });
  const range =
    axis.lower !== null && axis.upper !== null
      ? `${text(axis.lower)} to ${text(axis.upper)}`
      : axis.lower !== null
        ? `from ${text(axis.lower)}`
        : axis.upper !== null
          ? `to ${text(axis.upper)}`
          : "";
  return [range, axis.motor ? "motor" : ""].filter((part) => part !== "").join(", ");
}

function table(name: string, heads: string[], rows: string[][]): HTMLElement {
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map(([first, ...rest]) => element("tr", {}, element("th", { scope: "row" }, first), ...rest.map((text) => element("td", {}, text))));
  const whole = element("table", {}, element("caption", { class: "unseen" }, name), element("thead", {}, head), element("tbody", {}, ...body));
  return element("div", { class: "scroll" }, whole);
}
