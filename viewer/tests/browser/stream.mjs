// A run that is too long to be sent whole: few output times at first, then those that are looked at.

import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { OUT, ask, carom, near, open, served, shot, table } from "./harness.mjs";

const example = (name) => join(import.meta.dirname, `../../../examples/${name}.toml`);

/** A ball that bounces, with more output times than are sent whole. */
function long(name, ...args) {
  const run = join(OUT, name);
  carom("run", example("bouncing-ball"), "--set", "output.every=0.1 ms", ...args, "--out", run, "--force", "--no-report", "--progress", "none", "--quiet");
  return run;
}

/** Waits until a part of a run has come. */
const part = (page, number, of = "parts") => page.waitForFunction(([of, number]) => window.__viewer[of]().includes(number), [of, number]);

export const tests = {
  async "a long run comes in parts, and is that of the tables"() {
    const run = long("long");
    const [t, z, fn] = table(run, ["ball.z", "floor.fn"]);
    assert.ok(t.length > 20_000, `${t.length} output times`);
    const press = fn.indexOf(Math.max(...fn));
    await served(["view", run, "--no-open"], async (url) => {
      await open(`${url}?plain#t=0`, async (page) => {
        assert.equal(await page.evaluate(() => window.__viewer.frames), t.length);
        for (const k of [1, press, press + 1, 12_345, 3999, 4000, 4001, t.length - 2]) {
          await ask(page, "seek", t[k]);
          await page.waitForFunction((part) => window.__viewer.parts().includes(part), Math.floor(k / 4000));
          near((await ask(page, "position", "ball"))[2], z[k], 2e-7, `height at ${t[k]}`);
          const force = (await ask(page, "contacts")).reduce((sum, contact) => sum + contact.fn, 0);
          near(force, fn[k], 1e-6 * Math.abs(fn[k]), `force at ${t[k]}`);
        }
        // Curves have no more points than can be seen, and lose no extreme.
        await page.waitForFunction(() => window.__viewer.refined() >= 3);
        const curves = await ask(page, "curves");
        assert.ok(curves.every(([times]) => times.length <= 2000), "few points");
        const greatest = Math.max(...curves.flatMap(([, ...values]) => values.flat()));
        near(greatest, Math.max(...fn), 1e-6 * greatest, "the greatest force is among them");
        // A drag over a tenth of the plot leaves some three thousand output times; another over a twentieth of that all of them.
        const box = await page.locator(".plot .u-over").first().boundingBox();
        for (const [from, to] of [[0.4, 0.5], [0.5, 0.55]]) {
          const before = await ask(page, "refined");
          await page.mouse.move(box.x + from * box.width, box.y + 40);
          await page.mouse.down();
          await page.mouse.move(box.x + to * box.width, box.y + 40, { steps: 4 });
          await page.mouse.up();
          await page.waitForFunction((before) => window.__viewer.refined() >= before + 3, before);
        }
        const [[times, heights]] = await ask(page, "curves");
        for (const k of [0, 50, times.length - 1]) {
          const row = t.indexOf(times[k]);
          assert.ok(row >= 0, `${times[k]} is an output time`);
          near(heights[k], z[row], 1e-6, `height in the curve at ${times[k]}`);
        }
        near(times[51] - times[50], 1e-4, 1e-9, "all output times are there");
        await shot(page, "long");
      });
      // Numbers that lead nowhere, and what is no number.
      for (const place of ["part.bin", "part.bin?number=0", "part.bin?run=1&number=0", "part.bin?run=0&number=99", "part.bin?run=0&number=-1", "part.bin?run=0&number=../run.json", "part.bin?run=0&number=1&number=2", "curve.bin?run=0&plot=0", "curve.bin?run=0&plot=999&first=0&end=9", "curve.bin?run=0&plot=0&first=9&end=1", "curve.bin?run=0&plot=0&first=99999999&end=999999999", "difference.bin?run=0&plot=0&other=1&of_other=0&first=0&end=9", "greatest.bin?run=1", "run.json"]) {
        assert.equal((await fetch(`${url}${place}`)).status, 404, place);
      }
      assert.equal((await fetch(`${url}part.bin?run=0&number=0`)).status, 200);
      assert.equal((await fetch(`${url}curve.bin?run=0&plot=0&first=0&end=99999999`)).status, 200);
    });
  },

  async "two long runs come in parts, and what they differ by"() {
    // The second has other output times, and few enough to be sent whole if it were alone.
    const [first, second] = [long("long"), long("long-less", "--set", "params.e=0.5", "--set", "output.every=0.3 ms")];
    const [t, z] = table(first, ["ball.z"]);
    const [times, others] = table(second, ["ball.z"]);
    assert.ok(times.length < 20_000);
    const at = (time) => {
      const k = Math.min(Math.max(times.findLastIndex((own) => own <= time + 1e-12), 0), times.length - 2);
      return others[k] + ((time - times[k]) / (times[k + 1] - times[k])) * (others[k + 1] - others[k]);
    };
    await served(["view", first, second, "--no-open"], async (url) => {
      await open(`${url}?plain#t=0`, async (page) => {
        for (const k of [6001, 12_346, 3000]) {
          await ask(page, "seek", t[k]);
          await part(page, Math.floor(k / 4000));
          await part(page, Math.floor(k / 3 / 4000), "otherParts");
          near((await ask(page, "position", "ball"))[2], z[k], 2e-7, `first at ${t[k]}`);
          near((await ask(page, "otherPosition", "ball"))[2], at(t[k]), 3e-7, `second at ${t[k]}`);
        }
        await page.waitForFunction(() => window.__viewer.refined() >= 3);
        const before = await ask(page, "refined");
        await page.getByLabel("The second run in the plots").selectOption("difference");
        await page.waitForFunction((before) => window.__viewer.refined() >= before + 3, before);
        const [[, difference]] = await ask(page, "curves");
        const greatest = t.reduce((most, time, k) => Math.max(most, at(time) - z[k]), -Infinity);
        near(Math.max(...difference.filter(Number.isFinite)), greatest, 1e-5, "the greatest difference");
        await shot(page, "two-long");
      });
      const difference = (plots) => fetch(`${url}difference.bin?run=0&${plots}&first=0&end=99`);
      assert.equal((await difference("plot=0&other=1&of_other=0")).status, 200);
      assert.equal((await difference("plot=0&other=2&of_other=0")).status, 404);
      assert.equal((await difference("plot=0&other=1&of_other=999")).status, 404);
    });
  },

  async "a long run that was followed to its end comes in parts"() {
    const file = join(OUT, "long-live.toml");
    writeFileSync(file, readFileSync(example("bouncing-ball"), "utf8").replace(/^every *=.*$/m, 'every = "0.1 ms"'));
    await served(["run", file, "--view", "--no-open", "--no-report", "--progress", "none"], async (url) => {
      await open(`${url}?plain`, async (page) => {
        await page.waitForFunction(() => window.__live?.state?.ended && window.__viewer?.frames > 20_000, undefined, { polling: 100 });
        await ask(page, "seek", 1.5);
        await page.waitForFunction(() => window.__viewer.parts().length > 0);
        near((await ask(page, "contacts")).length, 1, 1, "contacts are those of the part");
      });
    }, OUT);
  },

  async "the greatest pressures of a long run are found in all of it"() {
    const run = join(OUT, "long-pressed");
    const text = readFileSync(example("torus-sphere"), "utf8");
    const short = text.slice(0, text.indexOf("[expect]")).replace('t_end = "8 s"', 't_end = "1 s"').replace('every = "10 ms"', 'every = "0.04 ms"');
    const model = join(OUT, "long-pressed.toml");
    writeFileSync(model, `${short}\npatches = "0.04 ms"\n`);
    carom("run", model, "--out", run, "--force", "--no-report", "--progress", "none", "--quiet");
    const csv = join(OUT, "pressed.csv");
    carom("convert", run, csv, "--table", "elements", "--force");
    const [head, ...rows] = readFileSync(csv, "utf8").trim().split("\n");
    const column = (name) => head.split(",").indexOf(name);
    const [element, moment, pressure] = ["element", "moment", "pressure_pa"].map(column);
    const greatest = new Map();
    for (const row of rows.map((row) => row.split(",")).filter((row) => row[moment] === "output")) {
      greatest.set(row[element], Math.max(greatest.get(row[element]) ?? 0, Number(row[pressure])));
    }
    await served(["view", run, "--no-open"], async (url) => {
      await open(`${url}?plain#t=0.4`, async (page) => {
        assert.ok((await page.evaluate(() => window.__viewer.frames)) > 20_000);
        await page.getByLabel("Pressure", { exact: true }).selectOption("greatest");
        await page.waitForFunction(() => window.__viewer.greatestPressure() > 0);
        assert.equal(await ask(page, "elements"), greatest.size, "all that were ever pressed");
        const most = Math.max(...greatest.values());
        near(await ask(page, "greatestPressure"), most, 1e-6 * most, "the greatest of all");
        await shot(page, "long-pressed");
      });
    });
  },

  async "a part that is damaged is told of, and the rest is shown"() {
    const run = long("long-damaged");
    const [t, z] = table(run, ["ball.z"]);
    await served(["view", run, "--no-open"], async (url) => {
      await open(`${url}?plain#t=0`, async (page) => {
        await part(page, 0);
        // What is read later is not what was written any more.
        const file = join(run, "states.parquet");
        const handle = openSync(file, "r+");
        writeSync(handle, Buffer.alloc(Math.floor(statSync(file).size / 4), 0xa5), 0, undefined, Math.floor(statSync(file).size / 2));
        closeSync(handle);
        await ask(page, "seek", t.at(-4000));
        await page.locator(".missing p").first().waitFor();
        assert.match(await page.locator(".missing p").first().innerText(), /^Part \d+ of the run is not shown: .*states\.parquet/);
        await ask(page, "seek", t[500]);
        near((await ask(page, "position", "ball"))[2], z[500], 2e-7, "what has come is still shown");
        await shot(page, "long-damaged");
      }, {}, /404/);
    });
  },
};
