/** The clock: what time is shown, and how it goes on. */

import type { Run, RunEvent } from "../data/run";

/** Seconds of the wall clock that a run takes when it plays by itself, at least and at most. */
const SHORTEST = 4;
const LONGEST = 20;

export class Player {
  time: number;
  playing = false;
  loops = false;
  speed: number;
  private readonly events: RunEvent[];
  private last = 0;

  constructor(private readonly run: Run, private readonly changed: (time: number) => void) {
    this.time = run.start;
    this.events = run.events();
    this.speed = pleasantSpeed(run.end - run.start);
  }

  seek(time: number): void {
    this.time = Math.min(Math.max(time, this.run.start), this.run.end);
    this.changed(this.time);
  }

  play(): void {
    if (this.time >= this.run.end) this.seek(this.run.start);
    this.playing = true;
    this.last = performance.now();
    this.changed(this.time);
  }

  pause(): void {
    this.playing = false;
    this.changed(this.time);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  /** To the output time that is `by` away. */
  step(by: number): void {
    this.playing = false;
    let frame = this.run.frameAt(this.time);
    // Between two output times the one behind is a step away.
    if (by < 0 && this.run.times[frame] < this.time) frame++;
    this.seek(this.run.times[Math.min(Math.max(frame + by, 0), this.run.frames - 1)]);
  }

  /** To the next event, or the one before. */
  toEvent(forward: boolean): void {
    this.playing = false;
    const margin = 1e-9 * (this.run.end - this.run.start);
    const event = forward
      ? this.events.find((event) => event.time > this.time + margin)
      : this.events.findLast((event) => event.time < this.time - margin);
    if (event) this.seek(event.time);
    else this.changed(this.time);
  }

  /** Goes on by what has passed since the last call. */
  tick(now: number): void {
    if (!this.playing) return;
    const passed = Math.min(Math.max(now - this.last, 0), 200) / 1000;
    this.last = now;
    const time = this.time + passed * this.speed;
    if (time < this.run.end) return this.seek(time);
    if (this.loops) return this.seek(this.run.start);
    this.playing = false;
    this.seek(this.run.end);
  }
}

/** As in life if that is neither a flash nor a wait; else the power of ten, or two or five of it, that is not. */
export function pleasantSpeed(span: number): number {
  if (!(span > 0)) return 1;
  const wanted = span < SHORTEST ? span / SHORTEST : span > LONGEST ? span / LONGEST : 1;
  if (wanted === 1) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [5, 2, 1].find((m) => m * power <= wanted * (1 + 1e-12)) ?? 1;
  return Number((step * power).toPrecision(1));
}
