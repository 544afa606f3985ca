// Two runs on one page.

import assert from "node:assert/strict";
import { join } from "node:path";
import { OUT, RUNS, address, ask, carom, html, near, open, served, shot, table } from "./harness.mjs";

const FIRST = join(RUNS, "bouncing-ball");

/** The same ball with less restitution. */
function second() {
  const run = join(OUT, "bouncing-less");
  const model = join(import.meta.dirname, "../../../examples/bouncing-ball.toml");
  carom("run", model, "--set", "params.e=0.5", "--out", run, "--force", "--no-report", "--progress", "none", "--quiet");
  return run;
}

export const tests = {
  async "two runs are seen at the same time, and what they differ by"() {
    const other = second();
    const [t, z] = table(FIRST, ["ball.z"]);
    const [times, others] = table(other, ["ball.z"]);
    assert.deepEqual(times, t);
    // Between the first touch and the second.
    const apart = t.findIndex((time) => time >= 0.6);
    assert.ok(z[apart] - others[apart] > 0.1, `${z[apart]} and ${others[apart]}`);
    const scale = await open(address(html(other), "#t=0"), (page) => ask(page, "newtonPerMetre"));
    const file = join(OUT, "two.html");
    carom("view", FIRST, other, "--html", file, "--force", "--quiet");
    await open(address(file, "#t=0"), async (page) => {
      assert.equal((await ask(page, "comparison")).mode, "ghost");
      for (const k of [0, 40, apart, 200, t.length - 1]) {
        await ask(page, "seek", t[k]);
        near((await ask(page, "position", "ball"))[2], z[k], 2e-7, `first at ${t[k]}`);
        near((await ask(page, "otherPosition", "ball"))[2], others[k], 2e-7, `second at ${t[k]}`);
      }
      await ask(page, "seek", t[apart]);
      await shot(page, "ghost");
      // First curves of both, then by how much the second is greater.
      const [, own, theirs] = (await ask(page, "curves"))[0];
      near(own[apart], z[apart], 1e-6, "curve");
      near(theirs[apart], others[apart], 1e-6, "curve of the second");
      await page.getByLabel("The second run in the plots").selectOption("difference");
      const [, difference] = (await ask(page, "curves"))[0];
      for (const k of [0, apart, 200]) near(difference[k], others[k] - z[k], 1e-6, `difference at ${t[k]}`);
      // Side by side, and seen from the same place.
      await page.getByLabel(/is compared$/).selectOption("beside");
      await page.waitForFunction(() => window.__viewer.comparison().pictures > 0);
      near((await ask(page, "otherPosition", "ball"))[2], others[apart], 2e-7, "beside");
      // One legend is for both: alone the second has another scale.
      assert.notEqual(await ask(page, "newtonPerMetre"), scale);
      assert.equal((await ask(page, "comparison")).newtonPerMetre, await ask(page, "newtonPerMetre"));
      await ask(page, "seek", t[200]);
      near((await ask(page, "otherPosition", "ball"))[2], others[200], 2e-7, "beside, later");
      const box = await page.locator(".stage canvas").nth(1).boundingBox();
      await page.mouse.move(box.x + 100, box.y + 100);
      await page.mouse.down();
      await page.mouse.move(box.x + 160, box.y + 130, { steps: 3 });
      await page.mouse.up();
      await page.waitForFunction(() => window.__viewer.camera() !== "free");
      assert.equal(await ask(page, "camera"), (await ask(page, "comparison")).camera);
      await shot(page, "beside");
      await page.getByLabel(/is compared$/).selectOption("off");
      assert.equal(await page.locator(".stage canvas").count(), 1);
    });
  },

  async "two runs are served, and one has no second"() {
    await served(["view", FIRST, second(), "--no-open"], async (url) => {
      await open(`${url}?plain#t=1&cmp=beside`, async (page) => assert.equal((await ask(page, "comparison")).mode, "beside"));
    });
    await served(["view", FIRST, "--no-open"], async (url) => {
      assert.equal((await fetch(`${url}other.bin`)).status, 404);
      await open(`${url}?plain#t=1`, async (page) => assert.equal(await ask(page, "comparison"), null));
    });
  },
};
