/** A run as the page asks for it: poses, contacts, pressures, events and quantities at its output times. */

import type { Container } from "./container";

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

export interface Body {
  name: string;
  fixed: boolean;
  moves: boolean;
  /** Row of its first pose. */
  pose: number;
}

export interface Surface {
  name: string;
  body: number;
  mesh: number | null;
  touches: boolean;
  position_m: Vec3;
  /** Scalar part first. */
  orientation: Quat;
}

export interface MeshPlace {
  vertex: number;
  vertices: number;
  triangle: number;
  triangles: number;
}

export interface Pair {
  name: string;
  line: string;
  a: string;
  b: string;
  law: string;
  areal: boolean;
  /** Of surfaces, and no stop of a joint or cable. */
  surfaces: boolean;
  angular: boolean;
  max_fn_n: number;
  max_pressure_pa: number;
}

export interface Plot {
  name: string;
  unit: string;
  meaning: string;
}

export interface Link {
  name: string;
  kind: "joint" | "spring" | "cable" | "rod";
  axis: Vec3 | null;
  points: { body: number; at_m: Vec3 }[];
}

export interface Contact {
  row: number;
  pair: Pair;
  point: Vec3;
  normal: Vec3;
  friction: Vec3;
  fn: number;
  gap: number;
  pressure: number;
  approach: number;
  mode: string;
  slips: boolean;
}

/** Force on B of a region in which two surfaces cut each other. */
export interface Region {
  pair: number;
  point: Vec3;
  normal: Vec3;
  friction: Vec3;
}

export interface RunEvent {
  index: number;
  time: number;
  kind: string;
  pair: string;
  approach: number;
}

/** A scalar coordinate of a joint: m, or rad. */
export interface StartAxis {
  name: string;
  angular: boolean;
  /** Whose frame point and direction are in. */
  body: number;
  at_m: Vec3;
  direction: Vec3;
  value: number;
  lower: number | null;
  upper: number | null;
  motor: boolean;
}

export interface StartJoint {
  name: string;
  kind: string;
  bodies: [number, number];
  axes: StartAxis[];
}

/** A model that has not run. */
export interface Start {
  plane: "x" | "y" | "z" | null;
  joints: StartJoint[];
  lines: { name: string; method: string; pairs: number; surfaces: [string, string][] }[];
  overlaps: { a: string; b: string; pair: string | null; way_m: Vec3 | null }[];
  warnings: string[];
}

const FORMAT = 1;
/** Times that are this part of the run apart are one. */
export const SAME_TIME = 1e-9;
const QUATERNION_PARTS = 32767;
/** The greatest pressure of a pair. Damping may pull: pressures have signs. */
const FULL = 32767;

export class Run {
  readonly times: Float64Array;
  readonly bodies: Body[];
  readonly surfaces: Surface[];
  readonly meshes: MeshPlace[];
  readonly links: Link[];
  /** Centres of mass in the frames of the bodies; empty of a run without shapes. */
  readonly centres: Vec3[];
  readonly pairs: Pair[];
  readonly plots: Plot[];
  readonly panels: string[][];
  readonly notes: string[];
  /** Those of the notes that say what a run has and this page does not show. */
  readonly missing: string[];
  readonly origin: Vec3;
  readonly up: Vec3;
  readonly planar: Vec3 | null;
  readonly pressureScale: number[];
  readonly eventKinds: string[];
  /** Of a model that has not run. */
  readonly startOfModel: Start | null;

  constructor(private readonly data: Container) {
    const h = data.header;
    if (h.format !== FORMAT) throw new Error(`the data have format ${h.format}, and this page reads ${FORMAT}`);
    this.times = (data.arrays.times ?? new Float64Array()) as Float64Array;
    this.bodies = h.bodies ?? [];
    this.surfaces = h.surfaces ?? [];
    this.meshes = h.meshes ?? [];
    this.links = h.links ?? [];
    this.centres = h.centres_m ?? [];
    this.pairs = h.pairs ?? [];
    this.plots = h.plots ?? [];
    this.panels = h.panels ?? [];
    this.notes = h.notes ?? [];
    this.origin = h.origin_m;
    this.pressureScale = h.pressure_scale_pa ?? [];
    this.eventKinds = h.event_kinds ?? [];
    this.missing = h.missing ?? [];
    this.startOfModel = h.start ?? null;
    // What has not moved lies in every plane.
    const planar = h.planar ?? h.start?.plane;
    this.planar = planar ? [Number(planar === "x"), Number(planar === "y"), Number(planar === "z")] : null;
    this.up = upward(h.gravity_m_s2, this.planar);
  }

  get name(): string {
    return this.data.header.name;
  }

  get info(): Record<string, any> {
    return this.data.header.info;
  }

  get frames(): number {
    return this.times.length;
  }

  get start(): number {
    return this.times[0] ?? 0;
  }

  get end(): number {
    return this.times[this.times.length - 1] ?? 0;
  }

  array<T>(name: string): T {
    return (this.data.arrays[name] ?? []) as T;
  }

  /** Number of the last output time at or before t; a time that a link has rounded is the output time it was. */
  frameAt(time: number): number {
    const t = time + SAME_TIME * (this.end - this.start);
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return Math.max(low, 0);
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
    const modes: string[] = this.data.header.modes;
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
        mode: modes[this.array<Uint8Array>("contact_mode")[row]],
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

  get hasPressure(): boolean {
    return this.array<Uint32Array>("pressure_element").length > 0;
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

  /** Greatest pressure (Pa) of each element over all output times. */
  greatestPressures(): Float64Array {
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

  events(): RunEvent[] {
    const kinds = this.array<Uint8Array>("event_kind");
    const pairs = this.array<Uint32Array>("event_pair");
    const speeds = this.array<Float32Array>("event_approach");
    return Array.from(this.array<Float64Array>("event_time"), (time, index) => ({
      index,
      time,
      kind: this.eventKinds[kinds[index]],
      pair: this.pairs[pairs[index]]?.name ?? "",
      approach: speeds[index],
    }));
  }

  /** Peaks of a quantity that were located between output times. */
  peaks(plot: number): { time: number; value: number }[] {
    const times = this.array<Float64Array>("peak_time");
    const values = this.array<Float32Array>("peak_value");
    const peaks = [];
    const of = this.array<Uint32Array>("peak_plot");
    for (let k = 0; k < of.length; k++) if (of[k] === plot) peaks.push({ time: times[k], value: values[k] });
    return peaks;
  }

  /** Values of a quantity over the output times. */
  values(plot: number): Float32Array {
    return this.array<Float32Array>("plot_values").subarray(plot * this.frames, (plot + 1) * this.frames);
  }
}

function unit(q: Quat): Quat {
  const length = Math.hypot(...q);
  return length > 0 ? (q.map((c) => c / length) as Quat) : [1, 0, 0, 0];
}

/** Against gravity; without any, z, and y where the model moves in the plane of x and y. */
export function upward(gravity: Vec3, planar: Vec3 | null): Vec3 {
  const size = Math.hypot(...gravity);
  const up: Vec3 = size > 0 ? (gravity.map((g) => -g / size) as Vec3) : [0, 0, 1];
  const along = planar ? up[0] * planar[0] + up[1] * planar[1] + up[2] * planar[2] : 0;
  if (Math.abs(along) > 0.9) return planar![2] === 1 ? [0, 1, 0] : [0, 0, 1];
  return up;
}
