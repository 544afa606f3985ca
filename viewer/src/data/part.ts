/** Output times of a run with all that is shown at them: all of a short run, few or some of a long one. */

import type { Container } from "./container";
import type { Body, Contact, Pair, Quat, Region, Vec3 } from "./run";

const QUATERNION_PARTS = 32767;
/** The greatest pressure of a pair. Damping may pull: pressures have signs. */
const FULL = 32767;

export class Part {
  readonly times: Float64Array;
  private readonly bodies: Body[];
  private readonly pressureScale: number[];
  private readonly pairs: Pair[];
  private readonly modes: string[];

  /** Bodies and scales are its own, pairs are those of the run; times are the same if they are less than `same` apart (s). */
  constructor(readonly data: Container, run: { pairs: Pair[]; modes: string[] }, private readonly same: number) {
    this.times = (data.arrays.times ?? new Float64Array()) as Float64Array;
    this.bodies = data.header.bodies ?? [];
    this.pressureScale = data.header.pressure_scale_pa ?? [];
    this.pairs = run.pairs;
    this.modes = run.modes;
  }

  get frames(): number {
    return this.times.length;
  }

  array<T>(name: string): T {
    return (this.data.arrays[name] ?? []) as T;
  }

  /** Number of the last output time at or before t. */
  frameAt(time: number): number {
    return lastAt(this.times, time + this.same);
  }

  /** Pose of a body at t, between two output times by interpolation; positions count from `origin`. */
  pose(body: number, t: number): { position: Vec3; rotation: Quat } {
    const { moves, pose } = this.bodies[body];
    const positions = this.array<Float32Array>("positions");
    const rotations = this.array<Int16Array>("rotations");
    const position = (row: number): Vec3 => [positions[3 * row], positions[3 * row + 1], positions[3 * row + 2]];
    const rotation = (row: number): Quat => {
      const q = [0, 1, 2, 3].map((k) => rotations[4 * row + k] / QUATERNION_PARTS);
      return unit([q[0], q[1], q[2], q[3]]);
    };
    if (!moves) return { position: position(pose), rotation: rotation(pose) };
    const k = this.frameAt(t);
    const row = pose + k;
    const next = Math.min(k + 1, this.frames - 1);
    const span = this.times[next] - this.times[k];
    const part = span > 0 ? Math.min(Math.max((t - this.times[k]) / span, 0), 1) : 0;
    if (part === 0) return { position: position(row), rotation: rotation(row) };
    const [p, q] = [position(row), position(pose + next)];
    const [a, b] = [rotation(row), rotation(pose + next)];
    const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
    return {
      position: [0, 1, 2].map((i) => p[i] + part * (q[i] - p[i])) as Vec3,
      rotation: unit([0, 1, 2, 3].map((i) => a[i] + part * (sign * b[i] - a[i])) as Quat),
    };
  }

  /** Contacts that are recorded at an output time. */
  contacts(frame: number): Contact[] {
    const start = this.array<Uint32Array>("contact_start");
    const contacts: Contact[] = [];
    const number = (name: string, row: number) => this.array<Float32Array>(name)[row];
    const vector = (name: string, row: number): Vec3 => {
      const values = this.array<Float32Array>(name);
      return [values[3 * row], values[3 * row + 1], values[3 * row + 2]];
    };
    for (let row = start[frame] ?? 0; row < (start[frame + 1] ?? 0); row++) {
      contacts.push({
        row,
        pair: this.pairs[this.array<Uint32Array>("contact_pair")[row]],
        point: vector("contact_point", row),
        normal: vector("contact_normal", row),
        friction: vector("contact_friction", row),
        fn: number("contact_fn", row),
        gap: number("contact_gap", row),
        pressure: number("contact_pressure", row),
        approach: number("contact_approach", row),
        mode: this.modes[this.array<Uint8Array>("contact_mode")[row]],
        slips: this.array<Uint8Array>("contact_slip")[row] === 1,
      });
    }
    return contacts;
  }

  /** Regions that are recorded at an output time. */
  regions(frame: number): Region[] {
    const start = this.array<Uint32Array>("region_start");
    const vector = (name: string, row: number): Vec3 => {
      const values = this.array<Float32Array>(name);
      return [values[3 * row], values[3 * row + 1], values[3 * row + 2]];
    };
    const regions: Region[] = [];
    for (let row = start[frame] ?? 0; row < (start[frame + 1] ?? 0); row++) {
      const friction = vector("region_friction", row);
      regions.push({
        pair: this.array<Uint32Array>("region_pair")[row],
        point: vector("region_point", row),
        normal: vector("region_force", row).map((f, axis) => f - friction[axis]) as Vec3,
        friction,
      });
    }
    return regions;
  }

  get hasContours(): boolean {
    return this.array<Float32Array>("contour_ends").length > 0;
  }

  /** Ends of the segments of all contours of regions at an output time, six numbers a segment. */
  contours(frame: number): Float32Array {
    if (!this.hasContours) return new Float32Array(0);
    const start = this.array<Uint32Array>("contour_start");
    return this.array<Float32Array>("contour_ends").subarray(6 * (start[frame] ?? 0), 6 * (start[frame + 1] ?? 0));
  }

  /** Elements and their pressures (Pa) at an output time. */
  pressures(frame: number): { element: number; pair: number; pressure: number }[] {
    const start = this.array<Uint32Array>("pressure_start");
    const elements = this.array<Uint32Array>("pressure_element");
    const parts = this.array<Int16Array>("pressure");
    const pairs = this.array<Uint32Array>("element_pair");
    const rows = [];
    for (let row = start[frame] ?? 0; row < (start[frame + 1] ?? 0); row++) {
      const element = elements[row];
      const pair = pairs[element];
      rows.push({ element, pair, pressure: (parts[row] / FULL) * this.pressureScale[pair] });
    }
    return rows;
  }

  /** Greatest pressure (Pa) of each element over all output times: as it was sent, or of these here. */
  greatestPressures(): ArrayLike<number> {
    const sent = this.array<Float32Array>("greatest_pressure");
    if (sent.length > 0) return sent;
    const pairs = this.array<Uint32Array>("element_pair");
    const greatest = new Float64Array(pairs.length);
    const elements = this.array<Uint32Array>("pressure_element");
    const parts = this.array<Int16Array>("pressure");
    for (let row = 0; row < elements.length; row++) {
      const pressure = (parts[row] / FULL) * this.pressureScale[pairs[elements[row]]];
      if (pressure > greatest[elements[row]]) greatest[elements[row]] = pressure;
    }
    return greatest;
  }

  /** Values of a quantity over these output times; none of one that this part does not have. */
  values(plot: number): Float32Array {
    // The page's own data have all in the order of the run's list; what is sent later says which it has.
    const numbers: unknown[] = this.data.header.plots ?? [];
    const place = typeof numbers[0] === "number" ? numbers.indexOf(plot) : plot;
    return place < 0 ? new Float32Array() : this.array<Float32Array>("plot_values").subarray(place * this.frames, (place + 1) * this.frames);
  }
}

/** Number of the last of ascending times that is not after t; 0 if all are. */
export function lastAt(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return Math.max(low, 0);
}

function unit(q: Quat): Quat {
  const length = Math.hypot(...q);
  return length > 0 ? (q.map((c) => c / length) as Quat) : [1, 0, 0, 0];
}
