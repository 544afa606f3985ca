/** Where the run comes from and how it ended. */

import type { Run } from "../data/run";
import { digits, quantity } from "../format";
import { button, element } from "./dom";

export function infoDialog(run: Run, other: Run | null = null): HTMLDialogElement {
  const { info } = run;
  const rows: [string, string][] = [
    ["End", `${info.end?.reason ?? "unknown"} at ${quantity(info.end?.time_s ?? Number.NaN, "s")}`],
    ["Program", `Carom ${info.program?.version ?? ""} ${info.program?.git_hash ?? ""}`],
    ["Model", `${info.model?.file ?? ""} ${String(info.model?.hash ?? "").slice(0, 8)}`],
    ["Command", (info.command?.line ?? []).join(" ")],
    ["Solver", `${[info.solver?.method ?? "", ...(info.solver?.others ?? [])].join(" and ")}, rtol ${digits(info.solver?.rtol ?? Number.NaN)}`],
    ["Started", info.timing?.started ?? ""],
    ["Wall time", quantity(info.timing?.wall_s ?? Number.NaN, "s")],
    ["Output times", run.streaming ? `${run.frames}, which are fetched as they are looked at` : `${run.frames} here`],
  ];
  if (other) {
    rows.push(["Second run", `${other.name}, ${other.info.end?.reason ?? "unknown"} at ${quantity(other.info.end?.time_s ?? Number.NaN, "s")}`]);
    rows.push(["Its command", (other.info.command?.line ?? []).join(" ")]);
  }
  const list = element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
  const texts = (title: string, items: string[]) =>
    items.length > 0 ? [element("h3", {}, title), element("ul", {}, ...items.map((text) => element("li", {}, text)))] : [];
  const verdicts = (info.expectations ?? []).map(
    (v: any) => `${v.passed ? "met" : "FAILED"}: ${v.quantity} is ${quantity(v.measured, v.unit)}, wanted ${v.wanted}`,
  );
  const problem = info.end?.problem ? [`${info.end.problem.code}: ${info.end.problem.message}`] : [];
  const all = element("details", {}, element("summary", {}, "run.json"), element("pre", {}, JSON.stringify(info, null, 2)));
  const dialog: HTMLDialogElement = element(
    "dialog",
    { "aria-label": "About this run" },
    element("div", { class: "dialog-head" }, element("h2", {}, run.name), button("Close", "×", () => dialog.close())),
    list,
    ...texts("Why it stopped", problem),
    ...texts("Notes on this page", [...run.notes, ...(other?.notes ?? []).map((note) => `Second run: ${note}`)]),
    ...texts("Expectations", verdicts),
    ...texts("Warnings and notes", info.warnings ?? []),
    element("h3", {}, "Keys"),
    element("p", {}, "Space plays and pauses; left and right step, with Shift ten times; [ and ] go to the event before and the next; Home and End to the ends; f follows the selected body."),
    all,
  );
  return dialog;
}
