import { describe, expect, it } from "vitest";
import { Damaged, parse } from "../../src/data/container";
import { difference, valueAt } from "../../src/data/compare";
import { Run, upward } from "../../src/data/run";
import { digits, quantity, roundUp, tick, time } from "../../src/format";
import { cornerNormals } from "../../src/scene/geometry";
import { viridis } from "../../src/scene/colours";
import { pleasantSpeed, Player } from "../../src/ui/player";
import { title } from "../../src/ui/compare";
import { read, write } from "../../src/ui/link";

/** Header and arrays as the program packs them. */
function pack(header: Record<string, unknown>, arrays: Record<string, [string, number[] | Float64Array]>): ArrayBuffer {
  const kinds: Record<string, any> = { u8: Uint8Array, i16: Int16Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };
  const places: Record<string, unknown> = {};
  const parts: { at: number; bytes: Uint8Array }[] = [];
  let at = 0;
  for (const [name, [kind, values]] of Object.entries(arrays)) {
    const bytes = new Uint8Array(new kinds[kind](values).buffer);
    places[name] = { kind, at, length: values.length };
    parts.push({ at, bytes });
    at = Math.ceil((at + bytes.length) / 8) * 8;
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: places }));
  const first = Math.ceil((4 + text.length) / 8) * 8;
  const all = new Uint8Array(first + at);
  new DataView(all.buffer).setUint32(0, text.length, true);
  all.set(text, 4);
  for (const part of parts) all.set(part.bytes, first + part.at);
  return all.buffer;
}

const half = Math.round(32767 * Math.SQRT1_2);
const sample = () =>
  pack(
    {
      format: 1,
      name: "ball",
      bodies: [
        { name: "floor", fixed: true, moves: false, pose: 0 },
        { name: "ball", fixed: false, moves: true, pose: 1 },
      ],
      surfaces: [],
      meshes: [],
      pairs: [{ name: "drop", areal: true }],
      plots: [{ name: "ball.z", unit: "m", meaning: "" }, { name: "ball.x", unit: "m", meaning: "" }],
      panels: [],
      notes: [],
      origin_m: [1, 0, 0],
      gravity_m_s2: [0, 0, -9.81],
      planar: null,
      pressure_scale_pa: [1000],
      event_kinds: ["contact_begin"],
      modes: ["open", "closed"],
      info: {},
    },
    {
      times: ["f64", [0, 1, 3]],
      positions: ["f32", [9, 9, 9, 0, 0, 0, 1, 0, 0, 1, 0, 4]],
      rotations: ["i16", [32767, 0, 0, 0, 32767, 0, 0, 0, 32767, 0, 0, 0, -half, 0, 0, -half]],
      contact_start: ["u32", [0, 0, 1, 1]],
      contact_pair: ["u32", [0]],
      contact_point: ["f32", [1, 2, 3]],
      contact_normal: ["f32", [0, 0, 1]],
      contact_friction: ["f32", [0.5, 0, 0]],
      contact_fn: ["f32", [10]],
      contact_gap: ["f32", [-0.25]],
      contact_pressure: ["f32", [0]],
      contact_approach: ["f32", [0]],
      contact_mode: ["u8", [1]],
      contact_slip: ["u8", [1]],
      region_start: ["u32", [0, 0, 1, 1]],
      region_pair: ["u32", [0]],
      region_point: ["f32", [1, 2, 3]],
      region_force: ["f32", [0.5, 0, 10]],
      region_friction: ["f32", [0.5, 0, 0]],
      contour_start: ["u32", [0, 0, 2, 2]],
      contour_ends: ["f32", [0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0]],
      pressure: ["i16", [32767, -6553, 16384]],
      pressure_element: ["u32", [0, 1, 1]],
      pressure_start: ["u32", [0, 0, 2, 3]],
      element_pair: ["u32", [0, 0]],
      event_kind: ["u8", [0]],
      event_pair: ["u32", [0]],
      event_time: ["f64", [0.75]],
      event_approach: ["f32", [2]],
      plot_values: ["f32", [5, 6, 7, 1, 2, 3]],
    },
  );

describe("the container", () => {
  it("gives views of the bytes", () => {
    const bytes = sample();
    const { arrays } = parse(bytes);
    expect(arrays.times.buffer).toBe(bytes);
    expect(Array.from(arrays.times)).toEqual([0, 1, 3]);
  });

  it("says what is wrong with foreign and cut bytes", () => {
    expect(() => parse(new ArrayBuffer(2))).toThrow(Damaged);
    expect(() => parse(sample().slice(0, 40))).toThrow("header");
    expect(() => parse(sample().slice(0, sample().byteLength - 16))).toThrow("not whole");
    expect(() => parse(pack({}, { a: ["f64", []] }))).not.toThrow();
    expect(() => new Run(parse(pack({ format: 2 }, {})))).toThrow("format 2");
  });
});

describe("a run", () => {
  const run = new Run(parse(sample()));

  it("finds output times", () => {
    expect([-1, 0, 0.99, 1 - 1e-10, 1, 2.9, 3, 9].map((t) => run.frameAt(t))).toEqual([0, 0, 0, 1, 1, 1, 2, 2]);
  });

  it("has the recorded poses at output times, and what is between them between", () => {
    expect(run.pose(0, 2).position).toEqual([9, 9, 9]);
    expect(run.pose(1, 1).position).toEqual([1, 0, 0]);
    expect(run.pose(1, 2).position).toEqual([1, 0, 2]);
    expect(run.pose(1, 3).position).toEqual([1, 0, 4]);
    // A quarter turn about z, stored with the opposite sign: half of it is an eighth, the short way.
    const [w, , , z] = run.pose(1, 2).rotation;
    expect(w).toBeCloseTo(Math.cos(Math.PI / 8), 4);
    expect(z).toBeCloseTo(Math.sin(Math.PI / 8), 4);
  });

  it("has contacts, pressures, events and quantities where they belong", () => {
    expect(run.contacts(0)).toEqual([]);
    expect(run.contacts(1)).toMatchObject([{ fn: 10, gap: -0.25, mode: "closed", slips: true, normal: [0, 0, 1] }]);
    expect(run.regions(0)).toEqual([]);
    expect(run.regions(1)).toEqual([{ pair: 0, point: [1, 2, 3], normal: [0, 0, 10], friction: [0.5, 0, 0] }]);
    expect([0, 1, 3].map((t) => run.contours(t).length)).toEqual([0, 12, 0]);
    expect(Array.from(run.contours(1).subarray(6))).toEqual([1, 0, 0, 0, 0, 0]);
    expect(run.whole.pressures(1).map((row) => Math.round(row.pressure))).toEqual([1000, -200]);
    expect(Array.from(run.whole.greatestPressures(), Math.round)).toEqual([1000, 500]);
    expect(run.events()).toMatchObject([{ time: 0.75, kind: "contact_begin", pair: "drop", approach: 2 }]);
    expect(Array.from(run.whole.values(1))).toEqual([1, 2, 3]);
  });
});

describe("a run that is sent in parts", () => {
  /** All output times are 0, 1, 2, 3; those that come first 0 and 3; parts have two, and the first of the next. */
  const sent = () => {
    const { header, arrays } = parse(sample());
    const stream = { part: 2, greatest_fn_n: 50, pressure: true, contours: false, pressure_scale_pa: [4000] };
    const few = { times: new Float64Array([0, 3]), positions: new Float32Array([9, 9, 9, 0, 0, 0, 1, 0, 4]), plot_values: new Float32Array([5, 7, 1, 3]) };
    return new Run({ header: { ...header, stream }, arrays: { ...arrays, ...few, all_times: new Float64Array([0, 1, 2, 3]) } });
  };
  const part = () => {
    const { header, arrays } = parse(sample());
    return { header: { bodies: header.bodies, pressure_scale_pa: [1000] }, arrays: { ...arrays, times: new Float64Array([0, 1, 2]) } };
  };

  it("has what came first until its parts come, and then what they have", () => {
    const run = sent();
    expect([run.frames, run.whole.frames, run.end]).toEqual([4, 2, 3]);
    expect(run.pose(1, 1.5).position).toEqual([0.5, 0, 2]);
    run.parts.set(0, run.read(part()));
    expect(run.pose(1, 1).position).toEqual([1, 0, 0]);
    expect(run.contacts(1)).toMatchObject([{ fn: 10 }]);
    // The pressures of a part are in parts of its own greatest, whatever the bar of colours ends with.
    expect(run.at(1).pressures(1).map((row) => Math.round(row.pressure))).toEqual([1000, -200]);
    expect(run.pressureScale).toEqual([4000]);
    // The last time of a part is the first of the next, which has not come.
    expect(run.pose(1, 2).position).toEqual([1, 0, 4]);
    expect(run.at(2.5)).toBe(run.whole);
    expect([0, 0.5, 1.9, 2, 3].map((t) => run.partAt(t))).toEqual([0, 0, 0, 1, 1]);
    expect(run.hasPressure).toBe(true);
    expect(run.hasContours).toBe(false);
  });
});

describe("two runs", () => {
  const run = new Run(parse(sample()));
  // The same at other times: a quantity of 5, 6 and 7 at 0, 1 and 3 s.
  const other = new Run({ header: { ...parse(sample()).header }, arrays: { ...parse(sample()).arrays, times: new Float64Array([0, 0.5, 2]) } });

  it("have values between output times, and none outside", () => {
    expect([0, 0.5, 1, 2, 3].map((t) => valueAt(run, 0, t))).toEqual([5, 5.5, 6, 6.5, 7]);
    expect([-0.1, 3.1].map((t) => valueAt(run, 0, t))).toEqual([Number.NaN, Number.NaN]);
  });

  it("differ by what the second has more at the times of the first", () => {
    expect(Array.from(difference(run, 0, other, 0)).map((d) => Number(d.toFixed(9)))).toEqual([0, Number((1 / 3).toFixed(9)), Number.NaN]);
    expect(Array.from(difference(run, 0, other, -1))).toEqual([Number.NaN, Number.NaN, Number.NaN]);
  });

  it("are told apart by what their commands changed", () => {
    const of = (...line: string[]) => title(new Run({ ...parse(sample()), header: { ...parse(sample()).header, info: { command: { line } } } }));
    expect(of("run", "ball.toml", "--set", "params.e=0.5", "--set=solver.rtol=1e-9")).toBe("ball, params.e=0.5, solver.rtol=1e-9");
    expect(title(run)).toBe("ball");
  });
});

describe("a run without regions", () => {
  it("has none, and no contours", () => {
    const bare = new Run(parse(pack({ format: 1, gravity_m_s2: [0, 0, 0] }, { times: ["f64", [0]] })));
    expect([bare.regions(0).length, bare.contours(0).length, bare.hasContours]).toEqual([0, 0, false]);
  });
});

describe("what is up", () => {
  it("is against gravity, and lies in the plane of a planar model", () => {
    expect(upward([0, -9.81, 0], null)).toEqual([-0, 1, -0]);
    expect(upward([0, 0, 0], null)).toEqual([0, 0, 1]);
    expect(upward([0, 0, -9.81], [0, 0, 1])).toEqual([0, 1, 0]);
    expect(upward([0, 0, -9.81], [0, 1, 0])).toEqual([-0, -0, 1]);
  });
});

describe("numbers", () => {
  it("have four digits and a prefix", () => {
    expect(quantity(12345, "N")).toBe("12.35\u00a0kN");
    expect(quantity(-0.000123, "m")).toBe("\u2212123\u00a0µm");
    expect(quantity(0, "N")).toBe("0\u00a0N");
    expect(quantity(1, "s")).toBe("1\u00a0s");
    expect(quantity(NaN, "m")).toBe("–");
    expect(digits(1e-7)).toBe("1.000e\u22127");
    expect([100_000, -250_000, 0.25, 1.2341e-7, 0].map(tick)).toEqual(["1e5", "\u22122.5e5", "0.25", "1.234e\u22127", "0"]);
    expect([0.3, 1, 11, 0, 200].map(roundUp)).toEqual([0.5, 1, 20, 1, 200]);
    expect(time(1.5, 8)).toBe("1.500");
  });

  it("have the colours of viridis", () => {
    expect(viridis(0)[2]).toBeCloseTo(84 / 255);
    expect(viridis(1)[0]).toBeCloseTo(253 / 255);
    expect(viridis(7)).toEqual(viridis(1));
  });
});

describe("the clock", () => {
  it("goes as in life unless that is a flash or a wait", () => {
    expect([6, 4, 20, 1, 0.001, 100, 3600, 0].map(pleasantSpeed)).toEqual([1, 1, 1, 0.2, 0.0002, 5, 100, 1]);
  });

  it("steps through output times and events, and stops at the end", () => {
    const shown: number[] = [];
    const player = new Player(new Run(parse(sample())), (time) => shown.push(time));
    player.step(1);
    player.step(1);
    player.step(1);
    player.step(-1);
    expect(shown).toEqual([1, 3, 3, 1]);
    player.toEvent(false);
    expect(player.time).toBe(0.75);
    player.step(-1);
    expect(player.time).toBe(0);
    player.toEvent(true);
    expect(player.time).toBe(0.75);
    player.speed = 1e9;
    player.play();
    player.tick(performance.now() + 100);
    expect([player.time, player.playing]).toEqual([3, false]);
    player.play();
    expect(player.time).toBe(0);
  });
});

describe("links", () => {
  it("keep time, camera, body and comparison", () => {
    const place = { t: 4.5, cam: "1,2,3,0,0,0.5", sel: "rack[3].ball", cmp: "beside" };
    expect(write(place)).toContain("cam=1,2,3,0,0,0.5");
    expect(read(write(place))).toEqual(place);
    expect(read("")).toEqual({});
    expect(read("#t=x")).toEqual({});
  });
});

describe("normals", () => {
  it("are those of faces at sharp edges, and means across smooth ones", () => {
    // Two triangles that share the edge from 0 to 1: one flat, one that rises by `slope`.
    const normals = (slope: number) => {
      const points = [[0, 0, 0], [0, 1, 0], [1, 0, 0], [-1, 0, slope]];
      const triangles = new Uint32Array([0, 2, 1, 0, 1, 3]);
      const corners = new Float32Array([...triangles].flatMap((vertex) => points[vertex]));
      return cornerNormals(corners, triangles, 4);
    };
    expect(Array.from(normals(3).subarray(0, 3))).toEqual([0, 0, 1]);
    // Half of the angle of the second face, as both corners there have the same angle.
    const [x, , z] = normals(0.2).subarray(0, 3);
    expect(Math.atan2(x, z)).toBeCloseTo(Math.atan(0.2) / 2, 6);
  });
});
