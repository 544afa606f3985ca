/** Fetches the parts of a run around the time that is looked at, one after the other, and curves over any span of it. */

import { fetched } from "./load";
import type { Run } from "./run";

/** Bytes of the parts that are kept: the oldest go first. */
const KEPT_BYTES = 24e6;
/** Parts ahead of the time shown that are asked for while it plays. */
const AHEAD = 2;

/** A quantity over time. */
export interface Curve {
  times: Float64Array;
  values: Float32Array;
}

export class Stream {
  private readonly sizes = new Map<number, number>();
  private busy = false;
  /** The last curve that was asked for: one after the other, as the server has few threads, and parts come in between. */
  private line: Promise<unknown> = Promise.resolve();
  private failed = new Set<number>();
  private readonly number: number;

  /** `arrived` is told of what is new; `told` why something could not be read. */
  constructor(private readonly run: Run, private readonly arrived: () => void, private readonly told: (why: string) => void) {
    this.number = run.streaming?.run ?? 0;
  }

  /** What is at a time is wanted, and what follows if it plays. */
  want(time: number, playing: boolean): void {
    const { streaming, parts } = this.run;
    if (!streaming || this.busy) return;
    const first = this.run.partAt(time);
    const last = Math.min(playing ? first + AHEAD : first, Math.floor((this.run.frames - 1) / streaming.part));
    const number = Array.from({ length: last - first + 1 }, (_, k) => first + k).find((k) => !parts.has(k) && !this.failed.has(k));
    if (number === undefined) return;
    this.busy = true;
    void this.fetch(number).finally(() => {
      this.busy = false;
      this.arrived();
    });
  }

  private async fetch(number: number): Promise<void> {
    try {
      const data = await fetched(`part.bin?run=${this.number}&number=${number}`);
      this.run.parts.set(number, this.run.read(data));
      this.sizes.set(number, Object.values(data.arrays).reduce((sum, array) => sum + array.byteLength, 0));
      this.forget(number);
    } catch (error) {
      this.failed.add(number);
      this.told(`Part ${number} of the run is not shown: ${(error as Error).message}.`);
    }
  }

  /** Parts that have not been asked for for long make room. */
  private forget(newest: number): void {
    let bytes = [...this.sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const [number, size] of this.sizes) {
      if (bytes <= KEPT_BYTES || number === newest) continue;
      this.sizes.delete(number);
      this.run.parts.delete(number);
      bytes -= size;
    }
  }

  /** The greatest pressures over all output times, once. */
  async greatest(): Promise<void> {
    if (this.run.greatest) return;
    try {
      this.run.greatest = this.run.read(await fetched(`greatest.bin?run=${this.number}`));
    } catch (error) {
      this.told(`The greatest pressures are not shown: ${(error as Error).message}.`);
    }
    this.arrived();
  }

  /** A quantity between two times: of many output times the least and the greatest values in parts of the span. */
  curve(plot: number, from: number, to: number): Promise<Curve> {
    return this.ask(`curve.bin?run=${this.number}&plot=${plot}`, from, to);
  }

  /** By how much a quantity of another run is greater, likewise. */
  difference(plot: number, other: Stream, ofOther: number, from: number, to: number): Promise<Curve> {
    return this.ask(`difference.bin?run=${this.number}&plot=${plot}&other=${other.number}&of_other=${ofOther}`, from, to);
  }

  private async ask(what: string, from: number, to: number): Promise<Curve> {
    const first = Math.max(this.run.frameAt(from) - 1, 0);
    const end = Math.min(this.run.frameAt(to) + 2, this.run.frames);
    const own = this.line.then(() => fetched(`${what}&first=${first}&end=${end}`));
    this.line = own.catch(() => {});
    const { arrays } = await own;
    return { times: arrays.time as Float64Array, values: arrays.value as Float32Array };
  }
}
