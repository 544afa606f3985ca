// A run that is too long to be sent whole: few output times at first, then those that are looked at.

import assert from "node:assert/strict";
import { join } from "node:path";
import { OUT, ask, carom, near, open, served, shot, table } from "./harness.mjs";

const example = (name) => join(import.meta.dirname, `../../../examples/${name}.toml`);

export const tests = {
  async "a long run comes in parts, and is that of the tables"() {
    const run = join(OUT, "long");
    carom("run", example("bouncing-ball"), "--set", "output.every=0.1 ms", "--out", run, "--force", "--no-report", "--progress", "none", "--quiet");
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
      for (const place of ["part.bin", "part.bin?number=99", "part.bin?number=-1", "part.bin?number=../run.json", "part.bin?number=1&number=2", "curve.bin?plot=0", "curve.bin?plot=999&first=0&end=9", "curve.bin?plot=0&first=9&end=1", "curve.bin?plot=0&first=99999999&end=999999999", "run.json"]) {
        assert.equal((await fetch(`${url}${place}`)).status, 404, place);
      }
      assert.equal((await fetch(`${url}part.bin?number=0`)).status, 200);
      assert.equal((await fetch(`${url}curve.bin?plot=0&first=0&end=99999999`)).status, 200);
    });
  },
};
