/** The contacts at the time that is shown, as a table. */

import type { Part } from "../data/part";
import type { Run } from "../data/run";
import { quantity } from "../format";
import { element } from "./dom";

/** Rows of the table; of more the greatest forces. */
const MOST = 40;

export class ContactTable {
  readonly root: HTMLElement;
  private readonly body = element("tbody", {});
  private readonly note = element("p", { class: "dim" });
  /** Of what is in it: the part that has it, and which of its output times. */
  private shown: { part: Part; frame: number } | null = null;

  private readonly hasPressure: boolean;

  constructor(private readonly run: Run) {
    this.hasPressure = run.pairs.some((pair) => pair.areal);
    const heads = ["contact", "state", "normal force", "tangential", "penetration", ...(this.hasPressure ? ["pressure"] : [])];
    const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
    const table = element("table", {}, element("caption", { class: "unseen" }, "Contacts at this time"), element("thead", {}, head), this.body);
    this.root = element("section", { "aria-label": "Contacts" }, element("h2", {}, "Contacts"), element("div", { class: "scroll" }, table), this.note);
    this.root.hidden = run.pairs.length === 0;
  }

  show(time: number): void {
    const part = this.run.at(time);
    const frame = part.frameAt(time);
    if (this.shown?.part === part && this.shown.frame === frame) return;
    this.shown = { part, frame };
    const all = part.contacts(frame);
    const rows = all.length > MOST ? all.toSorted((a, b) => Math.abs(b.fn) - Math.abs(a.fn)).slice(0, MOST) : all;
    this.body.replaceChildren(
      ...rows.map((contact) => {
        const [force, length] = contact.pair.angular ? ["N\u00a0m", "rad"] : ["N", "m"];
        const state = contact.mode === "closed" ? (contact.slips ? "slip" : "stick") : contact.mode;
        const cells = [
          state,
          quantity(contact.fn, force),
          quantity(Math.hypot(...contact.friction), "N"),
          quantity(-contact.gap, length),
          ...(this.hasPressure ? [contact.pair.areal ? quantity(contact.pressure, "Pa") : ""] : []),
        ];
        const title = `${contact.pair.a} and ${contact.pair.b}: ${contact.pair.law}`;
        return element("tr", {}, element("th", { scope: "row", title }, contact.pair.name), ...cells.map((text) => element("td", {}, text)));
      }),
    );
    const left = all.length - rows.length;
    this.note.textContent = all.length === 0 ? "None at this time." : left > 0 ? `and ${left} more` : "";
  }
}
