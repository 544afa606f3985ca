/** A run as the page asks for it: poses, contacts, pressures, events and quantities at its output times. */

import type { Container } from "./container";
import { Part, lastAt } from "./part";

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

/** What a run that is sent in parts says of the whole. */
export interface Streaming {
  /** By which the server knows the run. */
  run: number;
  /** Output times of a part. */
  part: number;
  greatest_fn_n: number;
  pressure: boolean;
  contours: boolean;
  pressure_scale_pa: number[];
}

const FORMAT = 1;
/** Times that are this part of the run apart are one. */
export const SAME_TIME = 1e-9;

export class Run {
  /** All output times; those of `whole` are fewer where the run is sent in parts. */
  readonly times: Float64Array;
  readonly whole: Part;
  readonly streaming: Streaming | null;
  /** What has come of a run that is sent in parts, by number. */
  readonly parts = new Map<number, Part>();
  /** What has the greatest pressures of all output times: of a run that is sent in parts it comes when it is asked for. */
  greatest: Part | null;
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
    this.streaming = h.stream ?? null;
    this.times = (data.arrays[this.streaming ? "all_times" : "times"] ?? new Float64Array()) as Float64Array;
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
    this.pressureScale = this.streaming?.pressure_scale_pa ?? h.pressure_scale_pa ?? [];
    this.eventKinds = h.event_kinds ?? [];
    this.missing = h.missing ?? [];
    this.startOfModel = h.start ?? null;
    // What has not moved lies in every plane.
    const planar = h.planar ?? h.start?.plane;
    this.planar = planar ? [Number(planar === "x"), Number(planar === "y"), Number(planar === "z")] : null;
    this.up = upward(h.gravity_m_s2, this.planar);
    this.whole = this.read(data);
    this.greatest = this.streaming ? null : this.whole;
  }

  /** A part of this run. */
  read(data: Container): Part {
    return new Part(data, { pairs: this.pairs, modes: this.data.header.modes }, SAME_TIME * (this.end - this.start));
  }

  /** Number of the part that has a time. */
  partAt(time: number): number {
    return this.streaming ? Math.floor(this.frameAt(time) / this.streaming.part) : 0;
  }

  /** What is known at a time: its part if that has come, else what is known from the start. */
  at(time: number): Part {
    if (!this.streaming) return this.whole;
    const number = this.partAt(time);
    const isFirst = this.frameAt(time) === number * this.streaming.part;
    // A part ends with the first time of the next.
    return this.parts.get(number) ?? (isFirst && this.times[this.frameAt(time)] === time ? this.parts.get(number - 1) : undefined) ?? this.whole;
  }

  /** The same, if it has a quantity: others are known of a run that is sent in parts at a few output times alone. */
  knowing(plot: number, time: number): Part {
    const at = this.at(time);
    return at.values(plot).length > 0 ? at : this.whole;
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
    return lastAt(this.times, time + SAME_TIME * (this.end - this.start));
  }

  /** Pose of a body at t, between two output times by interpolation; positions count from `origin`. */
  pose(body: number, t: number): { position: Vec3; rotation: Quat } {
    return this.at(t).pose(body, t);
  }

  /** Contacts that are recorded at the output time before t, or at it. */
  contacts(t: number): Contact[] {
    const part = this.at(t);
    return part.contacts(part.frameAt(t));
  }

  /** Regions, likewise. */
  regions(t: number): Region[] {
    const part = this.at(t);
    return part.regions(part.frameAt(t));
  }

  /** Ends of the segments of all contours of regions, likewise; six numbers a segment. */
  contours(t: number): Float32Array {
    const part = this.at(t);
    return part.contours(part.frameAt(t));
  }

  get hasContours(): boolean {
    return this.streaming?.contours ?? this.whole.hasContours;
  }

  get hasPressure(): boolean {
    return this.streaming?.pressure ?? this.array<Uint32Array>("pressure_element").length > 0;
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
}

/** Against gravity; without any, z, and y where the model moves in the plane of x and y. */
export function upward(gravity: Vec3, planar: Vec3 | null): Vec3 {
  const size = Math.hypot(...gravity);
  const up: Vec3 = size > 0 ? (gravity.map((g) => -g / size) as Vec3) : [0, 0, 1];
  const along = planar ? up[0] * planar[0] + up[1] * planar[1] + up[2] * planar[2] : 0;
  if (Math.abs(along) > 0.9) return planar![2] === 1 ? [0, 1, 0] : [0, 0, 1];
  return up;
}
