/** Quantities over time, with a line at the time that is shown; a click goes there. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Part } from "../data/part";
import type { Run } from "../data/run";
import type { Curve, Stream } from "../data/stream";
import { digits, tick } from "../format";
import { button, element, menu } from "./dom";
import { difference, valueAt } from "../data/compare";

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5fb0", "#8c6d31"];
const HEIGHT = 150;
/** Strokes of the curves of a second run (pixels). */
const DASH = [5, 4];
/** What is drawn of the second of two runs: its curves beside those of the first, or how much greater they are. */
export type Second = "curves" | "difference";
/** Milliseconds without another zoom after which finer curves are fetched. */
const CALM = 150;
/** A press that moves less is a click, not a drag (pixels). */
const STILL = 3;

class Panel {
  readonly root: HTMLElement;
  private plot: uPlot | null = null;
  private readonly line = element("div", { class: "cursor-line" });
  private readonly host = element("div", { class: "plot" });
  private readonly keys = element("div", { class: "keys" });
  private time = 0;
  /** What is asked for of a run that is sent in parts: an answer to an earlier question is too late. */
  private asked = "";
  private timer = 0;

  constructor(
    private readonly run: Run,
    private readonly other: Run | null,
    /** Of both runs, or of the only one; none where they are here whole. */
    private readonly streams: Stream[],
    private readonly second: () => Second,
    private readonly names: string[],
    private readonly seek: (time: number) => void,
    private readonly zoomed: (from: Panel, low: number, high: number) => void,
    removed: (panel: Panel) => void,
  ) {
    const add = menu("Add a quantity to this plot", [["", "+ quantity"], ...run.plots.map((p): [string, string] => [p.name, label(p)])], (name) => {
      if (name !== "" && !this.names.includes(name)) this.names.push(name);
      add.value = "";
      this.rebuild();
    });
    const head = element("div", { class: "plot-head" }, this.keys, add, button("Remove this plot", "×", () => removed(this)));
    this.root = element("figure", {}, head, this.host);
  }

  private columns(): number[] {
    return this.names.map((name) => this.run.plots.findIndex((plot) => plot.name === name)).filter((index) => index >= 0);
  }

  /** Number of the same quantity in the second run; none if it does not have it. */
  private inOther(column: number): number {
    return this.other?.plots.findIndex((plot) => plot.name === this.run.plots[column].name) ?? -1;
  }

  /** Times, and values of all curves at them. */
  private curves(columns: number[]): uPlot.AlignedData {
    const times = Array.from(this.run.whole.times);
    const { other } = this;
    if (other && this.second() === "difference") {
      return [times, ...columns.map((column) => holes(difference(this.run, column, other, this.inOther(column))))] as uPlot.AlignedData;
    }
    const own = [times, ...columns.map((column) => holes(this.run.whole.values(column)))] as uPlot.AlignedData;
    if (!other) return own;
    const theirs = columns.map((column) => this.inOther(column)).filter((column) => column >= 0);
    if (theirs.length === 0) return own;
    return uPlot.join([own, [Array.from(other.whole.times), ...theirs.map((column) => holes(other.whole.values(column)))] as uPlot.AlignedData]);
  }

  /** Asks for the curves between two times as finely as they can be seen. */
  private async fetch(columns: number[], from: number, to: number): Promise<uPlot.AlignedData> {
    const [own, theirs] = this.streams;
    const data = (curves: Curve[]) => [Array.from(curves[0].times), ...curves.map((curve) => holes(curve.values))] as uPlot.AlignedData;
    if (theirs && this.second() === "difference") {
      const of = (column: number) => own.difference(column, theirs, Math.max(this.inOther(column), 0), from, to);
      const curves = await Promise.all(columns.map(of));
      columns.forEach((column, k) => this.inOther(column) < 0 && curves[k].values.fill(Number.NaN));
      return data(curves);
    }
    const curves = data(await Promise.all(columns.map((column) => own.curve(column, from, to))));
    const both = columns.map((column) => this.inOther(column)).filter((column) => column >= 0);
    if (!theirs || both.length === 0) return curves;
    return uPlot.join([curves, data(await Promise.all(both.map((column) => theirs.curve(column, from, to))))]);
  }

  /** Fetches them when no other zoom follows. */
  private refine(from: number, to: number): void {
    const columns = this.columns();
    const asked = `${columns} ${from} ${to}`;
    if (this.streams.length === 0 || columns.length === 0 || asked === this.asked) return;
    this.asked = asked;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(async () => {
      try {
        const curves = await this.fetch(columns, from, to);
        if (asked !== this.asked || !this.plot) return;
        this.plot.setData(curves, false);
        // The vertical axis takes the new extremes.
        this.plot.setScale("x", { min: from, max: to });
        this.refined++;
      } catch {
        // What was known from the start stays.
      }
    }, CALM);
  }

  /** How often finer curves have come. */
  refined = 0;

  rebuild(): void {
    this.plot?.destroy();
    this.asked = "";
    const columns = this.columns();
    const both = this.other !== null && this.second() === "curves" ? columns.filter((column) => this.inOther(column) >= 0) : [];
    const style = getComputedStyle(document.documentElement);
    const ink = style.getPropertyValue("--dim");
    const grid = { stroke: style.getPropertyValue("--rule"), width: 1 };
    const font = "11px system-ui, sans-serif";
    const units = [...new Set(columns.map((column) => this.run.plots[column].unit))];
    const axis = { stroke: ink, grid, ticks: grid, font, labelFont: font };
    const values = (_: uPlot, splits: number[]) => splits.map(tick);
    const start = { x: 0, y: 0 };
    this.plot = new uPlot(
      {
        width: Math.max(this.host.clientWidth, 120),
        height: HEIGHT,
        legend: { show: false },
        cursor: { sync: { key: "time" }, drag: { x: true, y: false } },
        scales: { x: { time: false }, y: { range: (_, low, high) => this.range(columns, low, high) } },
        axes: [
          { ...axis, size: 26, values },
          { ...axis, size: 58, values, label: units.join(", "), labelSize: 14, labelGap: 0 },
        ],
        series: [
          {},
          ...columns.map((column, k) => ({ label: this.run.plots[column].name, stroke: COLOURS[k % COLOURS.length], width: 1.5, points: { show: false } })),
          ...both.map((column) => ({ label: `${this.run.plots[column].name} of the second`, stroke: COLOURS[columns.indexOf(column) % COLOURS.length], width: 1.5, dash: DASH, points: { show: false } })),
        ],
        hooks: {
          // The place of the line is known only when the plot has been laid out.
          ready: [() => this.show(this.time)],
          draw: [(plot) => this.drawPeaks(plot, columns), () => this.show(this.time)],
          setScale: [
            (plot, key) => {
              const { min, max } = plot.scales.x;
              if (key !== "x" || min == null || max == null) return;
              this.zoomed(this, min, max);
              this.refine(min, max);
            },
          ],
        },
      },
      this.curves(columns),
      this.host,
    );
    this.plot.over.append(this.line);
    this.plot.over.addEventListener("pointerdown", (event) => Object.assign(start, { x: event.clientX, y: event.clientY }));
    this.plot.over.addEventListener("click", (event) => {
      const plot = this.plot;
      if (!plot || Math.hypot(event.clientX - start.x, event.clientY - start.y) > STILL) return;
      this.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
    });
    this.keys.replaceChildren(
      ...columns.map((column, k) => {
        const plot = this.run.plots[column];
        const value = element("output", {});
        const name = this.other && this.second() === "difference" ? `Δ ${plot.name}` : plot.name;
        return element("span", { title: plot.meaning }, element("i", { style: `background:${COLOURS[k % COLOURS.length]}` }), name, " ", value);
      }),
    );
    this.show(this.time);
  }

  /** Of the vertical axis: the curves, and the peaks beyond them. */
  private range(columns: number[], low: number, high: number): [number, number] {
    for (const column of this.peaked(columns)) {
      for (const { value } of this.run.peaks(column)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    }
    if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
    const margin = 0.06 * (high - low) || 0.1 * Math.abs(high) || 1;
    return [low - margin, high + margin];
  }

  /** Curves whose peaks are shown: differences have none. */
  private peaked(columns: number[]): number[] {
    return this.other && this.second() === "difference" ? [] : columns;
  }

  /** Dots at the peaks that no output time has. */
  private drawPeaks(plot: uPlot, columns: number[]): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    this.peaked(columns).forEach((column, k) => {
      ctx.fillStyle = COLOURS[k % COLOURS.length];
      for (const peak of this.run.peaks(column)) {
        ctx.beginPath();
        ctx.arc(plot.valToPos(peak.time, "x", true), plot.valToPos(peak.value, "y", true), 3 * devicePixelRatio, 0, 2 * Math.PI);
        ctx.fill();
      }
    });
    ctx.restore();
  }

  /** Where a value is known from: between the few output times that are known of a long run at first it is about so large. */
  private known(column: number, time: number): { part: Part; exact: boolean } {
    const part = this.run.knowing(column, time);
    return { part, exact: !this.run.streaming || part !== this.run.whole || part.times[part.frameAt(time)] === time };
  }

  resize(): void {
    if (this.plot && this.host.clientWidth > 0) this.plot.setSize({ width: this.host.clientWidth, height: HEIGHT });
  }

  zoom(low: number, high: number): void {
    const scale = this.plot?.scales.x;
    if (scale && (scale.min !== low || scale.max !== high)) this.plot?.setScale("x", { min: low, max: high });
  }

  show(time: number): void {
    this.time = time;
    if (!this.plot) return;
    const x = this.plot.valToPos(time, "x");
    this.line.style.transform = `translateX(${x}px)`;
    this.line.hidden = !(x >= 0 && x <= this.plot.over.clientWidth);
    const outputs = this.keys.querySelectorAll("output");
    this.columns().forEach((column, k) => {
      const { unit } = this.run.plots[column];
      const { part, exact } = this.known(column, time);
      const frame = part.frameAt(time);
      const own = part.values(column)[frame];
      const at = this.inOther(column);
      const theirs = this.other && at >= 0 ? valueAt(this.other, at, part.times[frame]) : null;
      const text = theirs === null ? digits(own) : this.second() === "difference" ? digits(theirs - own) : `${digits(own)} | ${digits(theirs)}`;
      if (outputs[k]) outputs[k].textContent = `${exact ? "" : "≈ "}${text}${unit ? `\u00a0${unit}` : ""}`;
    });
  }

  /** Values of all curves, times first. */
  get data(): uPlot.AlignedData {
    return this.plot!.data;
  }

  /** Where the line of time is (pixels from the left of the plot). */
  get linePosition(): number {
    return this.plot?.valToPos(this.time, "x") ?? Number.NaN;
  }
}

/** Values with holes where they are no numbers. */
function holes(values: ArrayLike<number>): (number | null)[] {
  return Array.from(values, (value) => (Number.isFinite(value) ? value : null));
}

function label(plot: { name: string; unit: string }): string {
  return plot.unit ? `${plot.name} (${plot.unit})` : plot.name;
}

export class Plots {
  readonly root = element("section", { "aria-label": "Plots", class: "plots" });
  private readonly panels: Panel[] = [];
  private readonly list = element("div", {});
  private zooming = false;
  private second: Second = "curves";

  constructor(private readonly run: Run, private readonly seek: (time: number) => void, private readonly other: Run | null = null, private readonly streams: Stream[] = []) {
    const more = button("Add a plot", "+ plot", () => this.add([run.plots[0]?.name].filter(Boolean)));
    const title = element("h2", {}, "Quantities", element("span", { class: "space" }), more);
    const second = menu("The second run in the plots", [["curves", "second dashed"], ["difference", "second − first"]], (value) => {
      this.second = value as Second;
      this.rebuild();
    });
    if (other) title.insertBefore(second, more);
    this.root.append(title, this.list);
    run.panels.forEach((names) => this.add(names));
    new ResizeObserver(() => this.panels.forEach((panel) => panel.resize())).observe(this.list);
  }

  private add(names: string[]): void {
    const removed = (panel: Panel) => {
      this.panels.splice(this.panels.indexOf(panel), 1);
      panel.root.remove();
    };
    const panel = new Panel(this.run, this.other, this.streams, () => this.second, [...names], this.seek, (from, low, high) => this.zoom(from, low, high), removed);
    this.panels.push(panel);
    this.list.append(panel.root);
    panel.rebuild();
  }

  private zoom(from: Panel, low: number, high: number): void {
    if (this.zooming) return;
    this.zooming = true;
    this.panels.filter((panel) => panel !== from).forEach((panel) => panel.zoom(low, high));
    this.zooming = false;
  }

  /** In other colours, as the theme has changed. */
  rebuild(): void {
    this.panels.forEach((panel) => panel.rebuild());
  }

  show(time: number): void {
    this.panels.forEach((panel) => panel.show(time));
  }

  /** Of all plots. */
  get curves(): uPlot.AlignedData[] {
    return this.panels.map((panel) => panel.data);
  }

  /** How often finer curves have come of a run that is sent in parts. */
  get refined(): number {
    return this.panels.reduce((sum, panel) => sum + panel.refined, 0);
  }

  get linePositions(): number[] {
    return this.panels.map((panel) => panel.linePosition);
  }
}
