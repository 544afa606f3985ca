// Runs that are damaged, of another version or empty: the page says what is missing, and shows the rest.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CAROM, OUT, RUNS, address, ask, changed, html, near, open, served, shot, table } from "./harness.mjs";

/** A copy of a run's folder, which `spoil` may change. */
function spoiled(name, spoil) {
  const run = join(OUT, name);
  rmSync(run, { recursive: true, force: true });
  cpSync(join(RUNS, "bouncing-ball"), run, { recursive: true });
  spoil(run);
  return run;
}

/** What the page says is missing. */
const told = (page) => page.locator(".missing p").allInnerTexts();

export const tests = {
  async "data that are damaged or missing are said to be"() {
    const damaged = join(OUT, "damaged.html");
    const whole = html(join(RUNS, "bouncing-ball"));
    const text = readFileSync(whole, "utf8");
    const start = text.indexOf('id="run">') + 9;
    for (const [data, wanted] of [["", "no run in it"], [text.slice(start, start + 4000), "cut off"], ["%%%", "base64"]]) {
      writeFileSync(damaged, text.slice(0, start) + data + text.slice(text.indexOf("</script>", start)));
      await open(address(damaged), async (page) => {
        assert.match(await page.getByRole("alert").innerText(), new RegExp(wanted));
      });
    }
  },

  async "of a run with a table that is cut off the rest is shown"() {
    const [t, z, fn] = table(join(RUNS, "bouncing-ball"), ["ball.z", "floor.fn"]);
    const touch = fn.findIndex((force) => force > 0);
    for (const [name, wanted] of [["states", /^Motion is missing: .*states\.parquet/], ["contacts", /^Contacts are missing: .*contacts\.parquet/], ["events", /^Events are missing: .*events\.parquet/]]) {
      const run = spoiled(`cut-${name}`, (run) => {
        const file = join(run, `${name}.parquet`);
        truncateSync(file, Math.floor(0.6 * statSync(file).size));
      });
      await open(address(html(run), "#t=0"), async (page) => {
        const texts = await told(page);
        assert.ok(texts.some((text) => wanted.test(text)), `${name}: ${texts}`);
        assert.ok((await page.getByRole("alert").count()) > 0);
        assert.equal(await page.getByLabel("How ball is drawn").count(), 1, "bodies are listed");
        if (name === "states") return;
        await ask(page, "seek", t[touch]);
        near((await ask(page, "position", "ball"))[2], z[touch], 2e-7, `${name}: height`);
        assert.equal((await ask(page, "contacts")).length, name === "contacts" ? 0 : 1, `${name}: contacts`);
        await shot(page, `cut-${name}`);
      });
    }
  },

  async "a run without its shapes has its numbers, and axes for bodies"() {
    const run = spoiled("no-shapes", (run) => rmSync(join(run, "shapes.bin")));
    const [t, z] = table(run, ["ball.z"]);
    await open(address(html(run), `#t=${t[30]}`), async (page) => {
      assert.ok((await told(page)).some((text) => text.includes("no shapes")));
      near((await ask(page, "position", "ball"))[2], z[30], 2e-7, "height");
      await shot(page, "no-shapes");
    });
  },

  async "a folder of another version, or without run.json, is refused with its reason"() {
    // A version is changed by hand here, which the seal of the file tells.
    const other = spoiled("other-version", (run) => {
      const file = join(run, "run.json");
      const text = readFileSync(file, "utf8");
      const version = text.replace(/"schema(_version)?": *\d+/, (all) => all.replace(/\d+$/, "99"));
      assert.notEqual(version, text, "run.json has a version");
      writeFileSync(file, version);
    });
    const none = spoiled("no-run-json", (run) => rmSync(join(run, "run.json")));
    for (const [run, wanted] of [[other, /error\[E0704\].*changed after it was written/], [none, /error\[E07\d\d\]/]]) {
      const { status, stderr } = spawnSync(CAROM, ["view", run, "--html", join(OUT, "refused.html"), "--force"], { encoding: "utf8" });
      assert.notEqual(status, 0, run);
      assert.match(stderr, wanted);
    }
    // Served, the page says it too, where there is a run at all; the browser itself complains of the answer.
    await served(["view", other, "--no-open"], async (url) => {
      await open(`${url}?plain`, async (page) => {
        assert.match(await page.getByRole("alert").innerText(), /cannot be shown: .*E0704.*changed after it was written/s);
        await shot(page, "other-version");
      }, {}, /404/);
    });
    const file = join(OUT, "other-format.html");
    changed(html(join(RUNS, "bouncing-ball")), file, (header) => (header.format = 99));
    await open(address(file), async (page) => {
      assert.match(await page.getByRole("alert").innerText(), /format 99, and this page reads \d/);
    });
  },

  async "a run without output times is a page that says so"() {
    const file = join(OUT, "empty.html");
    changed(html(join(RUNS, "bouncing-ball")), file, (header, arrays) => {
      const said = "The run has no output times: there is nothing to play.";
      Object.assign(header, { missing: [said], notes: [said], plots: [], panels: [] });
      header.bodies.forEach((body) => Object.assign(body, { moves: false, pose: 0 }));
      for (const name of Object.keys(arrays)) {
        if (!["vertices", "triangles"].includes(name)) arrays[name] = Buffer.alloc(name.endsWith("_start") ? 4 : 0);
      }
    });
    await open(address(file), async (page) => {
      assert.deepEqual(await told(page), ["The run has no output times: there is nothing to play."]);
      assert.equal(await page.evaluate(() => window.__viewer.frames), 0);
      for (const key of ["Space", "ArrowRight", "ArrowLeft", "]", "End", "Home"]) await page.keyboard.press(key);
      assert.equal(await ask(page, "time"), 0);
      await shot(page, "empty");
    });
  },

  async "numbers that are not finite are drawn nowhere, the rest is"() {
    const whole = html(join(RUNS, "bouncing-ball"));
    const file = join(OUT, "not-finite.html");
    const [t, z, fn] = table(join(RUNS, "bouncing-ball"), ["ball.z", "floor.fn"]);
    const touch = fn.findIndex((force) => force > 0);
    const late = touch + 10;
    assert.ok(touch > 0 && late + 10 < t.length, `contact at output time ${touch} of ${t.length}`);
    changed(whole, file, (header, arrays) => {
      header.missing = ['The states of "ball" have numbers that are not finite: it is not drawn then.'];
      const { pose } = header.bodies.find((body) => body.name === "ball");
      for (let k = late; k < t.length; k++) for (const axis of [0, 1, 2]) arrays.positions.writeFloatLE(NaN, 4 * (3 * (pose + k) + axis));
      for (let k = 0; k < arrays.contact_fn.length; k += 4) arrays.contact_fn.writeFloatLE(NaN, k);
      const rows = arrays.plot_values.length / 4 / header.plots.length;
      for (let k = late; k < rows; k++) arrays.plot_values.writeFloatLE(NaN, 4 * k);
    });
    await open(address(file, "#t=0"), async (page) => {
      assert.equal((await told(page)).length, 1);
      await ask(page, "seek", t[touch]);
      near((await ask(page, "position", "ball"))[2], z[touch], 2e-7, "height while it is a number");
      assert.equal((await ask(page, "arrows")).normal, 0, "a force that is no number has no arrow");
      assert.ok(Number.isFinite(await ask(page, "newtonPerMetre")));
      assert.ok(Number.isFinite(await ask(page, "extent")));
      await ask(page, "seek", t[late + 10]);
      assert.ok(Number.isNaN((await ask(page, "position", "ball"))[2]));
      await shot(page, "not-finite");
    });
  },
};
