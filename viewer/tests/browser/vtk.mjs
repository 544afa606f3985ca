// VTK files as a reader that knows nothing of us sees them: by VTK's description of its XML formats alone.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { OUT, carom, near, table } from "./harness.mjs";

const TYPES = { Float32: Float32Array, Float64: Float64Array, Int32: Int32Array };

/** Attributes of all tags of a name, in order. */
function tags(text, name) {
  const of = (tag) => Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]));
  return [...text.matchAll(new RegExp(`<${name}\\b[^>]*>`, "g"))].map(([tag]) => of(tag));
}

/** Points, triangles or single points, and the arrays of the cells of a file of polygonal data; every number is in its place. */
function polyData(file) {
  const bytes = readFileSync(file);
  const begin = bytes.indexOf("<AppendedData");
  const text = bytes.subarray(0, begin).toString();
  const [{ type, byte_order, header_type }] = tags(text, "VTKFile");
  assert.deepEqual([type, byte_order, header_type], ["PolyData", "LittleEndian", "UInt64"], file);
  assert.equal(tags(bytes.subarray(begin, begin + 100).toString("latin1"), "AppendedData")[0].encoding, "raw");
  const data = bytes.indexOf("_", begin) + 1;
  const read = ({ type, format, offset, NumberOfComponents = "1" }) => {
    assert.equal(format, "appended");
    const at = data + Number(offset);
    const length = Number(bytes.readBigUInt64LE(at));
    const Kind = TYPES[type];
    assert.ok(Kind && length % (Kind.BYTES_PER_ELEMENT * Number(NumberOfComponents)) === 0, `${file}: ${type}`);
    return new Kind(Uint8Array.from(bytes.subarray(at + 8, at + 8 + length)).buffer);
  };
  const part = (name) => new RegExp(`<${name}>([^]*?)</${name}>`).exec(text)?.[1] ?? "";
  const arrays = (name) => Object.fromEntries(tags(part(name), "DataArray").map((entry) => [entry.Name, read(entry)]));
  const [piece] = tags(text, "Piece");
  const [points] = Object.values(arrays("Points"));
  assert.equal(points.length, 3 * Number(piece.NumberOfPoints), file);
  const [count, corners, cells] = Number(piece.NumberOfPolys) > 0 ? [Number(piece.NumberOfPolys), 3, arrays("Polys")] : [Number(piece.NumberOfVerts), 1, arrays("Verts")];
  assert.equal(cells.offsets.length, count, file);
  cells.offsets.forEach((end, k) => assert.equal(end, corners * (k + 1), file));
  assert.equal(cells.connectivity.length, corners * count, file);
  assert.ok(cells.connectivity.every((point) => point >= 0 && point < Number(piece.NumberOfPoints)), file);
  const ofCells = arrays("CellData");
  for (const { Name, NumberOfComponents } of tags(part("CellData"), "DataArray")) assert.equal(ofCells[Name].length, Number(NumberOfComponents) * count, `${file}: ${Name}`);
  return { points, connectivity: cells.connectivity, count, ofCells };
}

export const tests = {
  async "VTK files have the pressures of every output time"() {
    const run = join(OUT, "vtk-torus");
    const example = readFileSync(join(import.meta.dirname, "../../../examples/torus-sphere.toml"), "utf8");
    const short = example.slice(0, example.indexOf("[expect]")).replace('t_end = "8 s"', 't_end = "1 s"');
    const model = join(OUT, "vtk-torus.toml");
    writeFileSync(model, `${short}\npatches = "10 ms"\n`);
    carom("run", model, "--out", run, "--force", "--no-report", "--progress", "none", "--quiet");
    const series = join(OUT, "vtk-torus.pvd");
    carom("convert", run, series, "--force");
    const [t, fn] = table(run, ["drop.fn"]);
    const text = readFileSync(series, "utf8");
    assert.equal(tags(text, "VTKFile")[0].type, "Collection");
    const parts = tags(text, "DataSet").map(({ timestep, name, file }) => ({ time: Number(timestep), name, ...polyData(join(dirname(series), file)) }));
    assert.deepEqual([...new Set(parts.map(({ time }) => time))], t, "every output time is there");
    let pressed = 0;
    t.forEach((time, k) => {
      // Force of the pressures along the normals of their triangles.
      const sum = [0, 0, 0];
      for (const { points, connectivity, count, ofCells } of parts.filter((part) => part.time === time && part.name === "elements")) {
        for (let cell = 0; cell < count; cell++) {
          const [a, b, c] = [0, 1, 2].map((corner) => points.slice(3 * connectivity[3 * cell + corner], 3 * connectivity[3 * cell + corner] + 3));
          const [u, v] = [b, c].map((end) => [0, 1, 2].map((i) => end[i] - a[i]));
          const normal = [0, 1, 2].map((i) => 0.5 * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]));
          normal.forEach((n, i) => (sum[i] += ofCells.pressure[cell] * n));
          pressed++;
        }
      }
      near(Math.hypot(...sum), fn[k], 1e-9 * Math.max(...fn), `force of the pressures at ${time}`);
    });
    assert.ok(pressed > 20, `${pressed} elements`);
  },
};
