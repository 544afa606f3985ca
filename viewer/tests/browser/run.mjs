// A run that is whole: numbers behind the picture against the tables, and what a user does.

import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OUT, RUNS, address, ask, carom, changed, html, near, open, served, shot, table } from "./harness.mjs";

export const tests = {
  async "positions and forces are those of the tables"() {
    const run = join(RUNS, "bouncing-ball");
    const file = html(run);
    const [t, x, y, z, fn] = table(run, ["ball.x", "ball.y", "ball.z", "floor.fn"]);
    await open(address(file, "#t=0"), async (page) => {
      assert.equal(await page.evaluate(() => window.__viewer.frames), t.length);
      let touching = 0;
      const checked = t.map((_, k) => k).filter((k) => k % 50 === 0 || fn[k] > 0).slice(0, 60);
      for (const k of checked) {
        await ask(page, "seek", t[k]);
        const position = await ask(page, "position", "ball");
        // Singles of lengths of about a metre.
        [x, y, z].forEach((column, axis) => near(position[axis], column[k], 2e-7, `axis ${axis} at ${t[k]}`));
        const contacts = await ask(page, "contacts");
        const force = contacts.reduce((sum, contact) => sum + contact.fn, 0);
        near(force, fn[k], 1e-6 * Math.abs(fn[k]), `force at ${t[k]}`);
        assert.equal((await ask(page, "arrows")).normal, fn[k] > 0 ? 1 : 0, `arrows at ${t[k]}`);
        touching += fn[k] > 0 ? 1 : 0;
      }
      assert.ok(touching > 0, "some output times have contact");
      // Half of the way between two output times.
      await ask(page, "seek", 0.5 * (t[10] + t[11]));
      near((await ask(page, "position", "ball"))[2], 0.5 * (z[10] + z[11]), 2e-7, "between");
    });
  },

  async "it plays by itself, ends at the end, and is led by keys"() {
    const file = html(join(RUNS, "bouncing-ball"));
    await open(address(file), async (page) => {
      const times = await ask(page, "times");
      const [plays, time] = await page.evaluate(() => [window.__viewer.playing(), window.__viewer.time()]);
      // On a slow machine it has come to its end before it is looked at.
      assert.ok(plays || time === times.at(-1), `it plays by itself, at ${time}`);
      await page.waitForFunction(() => window.__viewer.time() > 0);
      // At the end the key starts anew.
      for (let k = 0; k < 5 && (await ask(page, "playing")); k++) await page.keyboard.press("Space");
      assert.equal(await ask(page, "playing"), false);
      await ask(page, "seek", times[20]);
      await page.keyboard.press("ArrowRight");
      assert.equal(await ask(page, "time"), times[21]);
      await page.keyboard.press("ArrowLeft");
      assert.equal(await ask(page, "time"), times[20]);
      await page.keyboard.press("Home");
      await page.keyboard.press("]");
      // The first touch of a fall from h: sqrt(2 h/g).
      near(await ask(page, "time"), Math.sqrt(2 / 9.81), 1e-6, "first event");
      await page.keyboard.press("End");
      assert.equal(await ask(page, "time"), times.at(-1));
      await page.getByRole("button", { name: "Play" }).click();
      assert.ok((await ask(page, "time")) < times.at(-1), "from the start again");
    });
    await open(address(file), async (page) => {
      assert.equal(await ask(page, "playing"), false, "who wants no motion sees the end");
      assert.equal(await ask(page, "time"), (await ask(page, "times")).at(-1));
    }, { reducedMotion: "reduce" });
  },

  async "a link leads to its time, a click in a plot to another"() {
    const file = html(join(RUNS, "bouncing-ball"));
    await open(address(file, "#t=1.25&cam=side&sel=ball"), async (page) => {
      assert.equal(await ask(page, "time"), 1.25);
      assert.equal(await ask(page, "camera"), "side");
      const over = page.locator(".plot .u-over").first();
      const box = await over.boundingBox();
      const lines = await ask(page, "plotLines");
      assert.ok(lines.length >= 3 && lines.every((x) => x > 1), `the lines of time are laid out: ${lines}`);
      near(lines[0] / box.width, 1.25 / 3, 0.01, "place of the line");
      await over.click({ position: { x: 0.5 * box.width, y: 0.5 * box.height } });
      near(await ask(page, "time"), 1.5, 0.02, "time of the click");
      assert.ok((await page.getByRole("img", { name: "Scene of the run" }).count()) === 1);
      for (const name of ["Play", "Time in seconds", "Speed", "View", "About this run"]) {
        assert.ok((await page.getByLabel(name).count()) > 0, `something is called ${name}`);
      }
    });
  },

  async "the picture shows something, and is a PNG"() {
    const file = html(join(RUNS, "bouncing-ball"));
    await open(address(file, "#t=0"), async (page) => {
      const colours = await page.evaluate(() => {
        const canvas = document.querySelector(".stage canvas");
        const copy = document.createElement("canvas");
        Object.assign(copy, { width: canvas.width, height: canvas.height });
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height);
        const seen = new Set();
        for (let k = 0; k < data.length; k += 4) seen.add((data[k] << 16) | (data[k + 1] << 8) | data[k + 2]);
        return seen.size;
      });
      assert.ok(colours > 50, `${colours} colours`);
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save the picture as PNG" }).click()]);
      assert.match(download.suggestedFilename(), /^bouncing-ball.*\.png$/);
      assert.ok(statSync(await download.path()).size > 2000);
    });
  },

  async "a planar model is seen flat, a mechanism without shapes is seen"() {
    const run = join(RUNS, "four-bar");
    const [t, x] = table(run, ["upright0.x"]);
    await open(address(html(run), `#t=${t[37]}`), async (page) => {
      assert.equal(await ask(page, "camera"), "plane");
      near((await ask(page, "position", "upright0"))[0], x[37], 1e-6, "x");
    });
  },

  async "pressures add up to the force of the contact"() {
    const run = join(OUT, "torus-sphere");
    // Six seconds as published, without what is expected later, and with all pressures.
    const example = readFileSync(join(import.meta.dirname, "../../../examples/torus-sphere.toml"), "utf8");
    const model = join(OUT, "torus-sphere.toml");
    const short = example.slice(0, example.indexOf("[expect]")).replace('t_end = "8 s"', 't_end = "6 s"');
    writeFileSync(model, `${short}\npatches = "10 ms"\n`);
    carom("run", model, "--out", run, "--force", "--no-report", "--progress", "none", "--quiet");
    const file = html(run);
    assert.ok(statSync(file).size < 2e6, `${statSync(file).size} bytes`);
    const [t, fn] = table(run, ["drop.fn"]);
    const touched = t.map((_, k) => k).filter((k) => fn[k] > 1);
    assert.ok(touched.length > 3, `${touched.length} output times with contact`);
    const clock = Date.now();
    await open(address(file, `#t=${t[touched[1]]}`), async (page) => {
      const ready = Date.now() - clock;
      for (const k of touched.slice(0, 12)) {
        await ask(page, "seek", t[k]);
        assert.ok((await ask(page, "elements")) > 0);
        const force = await ask(page, "pressureForce", "drop");
        // The normal of a contact is that of the sum; pressures have 16 bits.
        near(force, fn[k], 5e-3 * fn[k], `force of the pressures at ${t[k]}`);
      }
      console.log(`  torus-sphere: ${statSync(file).size} bytes, first picture after ${ready} ms`);
      await shot(page, "torus-sphere");
    });
  },

  async "of very many bodies those are listed that are looked for"() {
    const file = join(OUT, "many-bodies.html");
    changed(html(join(RUNS, "bouncing-ball")), file, (header) => {
      for (let k = 0; k < 300; k++) header.bodies.push({ name: `pin[${k}]`, fixed: true, moves: false, pose: 0 });
    });
    await open(address(file, "#t=0&sel=pin[299]"), async (page) => {
      const rows = page.locator(".bodies li");
      assert.equal(await rows.count(), 201, "two hundred, and the selected one");
      assert.equal(await page.locator(".bodies li.selected").innerText().then((text) => text.split("\n")[0]), "pin[299]");
      assert.ok((await page.getByLabel("Bodies", { exact: true }).innerText()).includes("The first 200 of 302."));
      await page.getByLabel("Find bodies by name").fill("pin[25");
      assert.equal(await rows.count(), 12, "pin[25], pin[250] to pin[259], and the selected one");
      await page.getByLabel("Find bodies by name").fill("pins");
      assert.ok((await page.getByLabel("Bodies", { exact: true }).innerText()).includes("None has this in its name."));
    });
  },

  async "contours and arrows of regions are those of the tables"() {
    const run = join(RUNS, "ring-on-bar");
    const csv = join(OUT, "regions.csv");
    carom("convert", run, csv, "--table", "regions", "--force");
    const [head, ...rows] = readFileSync(csv, "utf8").trim().split("\n");
    const [time, length] = ["time_s", "length_m"].map((name) => head.split(",").indexOf(name));
    const regions = new Map();
    for (const row of rows.map((row) => row.split(","))) {
      const key = Number(row[time]);
      regions.set(key, [...(regions.get(key) ?? []), Number(row[length])]);
    }
    await open(address(html(run), "#t=0"), async (page) => {
      let drawn = 0;
      for (const t of [...regions.keys()].filter((_, k) => k % 20 === 0)) {
        await ask(page, "seek", t);
        const own = regions.get(t);
        assert.equal((await ask(page, "arrows")).normal, own.length, `arrows at ${t}`);
        if ((await ask(page, "contours")) === 0) continue;
        drawn++;
        // Singles of some centimetres.
        const whole = own.reduce((sum, one) => sum + one, 0);
        near(await ask(page, "contourLength"), whole, 1e-4 * whole, `length at ${t}`);
      }
      assert.ok(drawn > 5, `${drawn} output times with contours`);
      await shot(page, "ring-on-bar");
    });
  },

  async "a served run is the same, and nothing else is served"() {
    const run = join(RUNS, "bouncing-ball");
    await served(["view", run, "--no-open"], async (url) => {
      await open(`${url}?plain#t=1`, async (page) => {
        assert.equal(await ask(page, "time"), 1);
      });
      assert.equal((await fetch(`${url}run.json`)).status, 404);
    });
  },
};
