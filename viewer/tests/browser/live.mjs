// A run that goes on, and one that is run again when its model is saved.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { OUT, ask, open, served, shot } from "./harness.mjs";

/** A ball that bounces without loss for `end` seconds. */
const model = (end, drop = "1 m") => `
format = 1
name   = "live"
[world]
gravity = [0, 0, -9.81]
[law.bounce]
point = { normal = "hunt-crossley", stiffness = "1e7 N/m^1.5", restitution = 1 }
[body.floor]
fixed = true
shape = { type = "half-space", normal = "+z" }
[body.ball]
mass = 1
pos = [0, 0, "0.1 m + ${drop}"]
shape = { type = "sphere", radius = "0.1 m" }
[contact]
rest = { a = "floor", b = "ball", method = "analytic", law = "bounce" }
[solver]
t_end = "${end} s"
[output]
every = "${Math.max(end / 1000, 0.01)} s"
`;

const live = (page, holds) => page.waitForFunction(holds, undefined, { polling: 100 });

export const tests = {
  async "a run is followed as it goes, and runs again when its model is saved"() {
    const file = join(OUT, "live.toml");
    writeFileSync(file, model(1e6));
    await served(["run", file, "--view", "--no-open", "--watch", "--no-report", "--progress", "none"], async (url) => {
      await open(`${url}?plain`, async (page) => {
        await live(page, () => window.__live?.state?.run === 1 && window.__viewer?.frames > 1);
        const first = await ask(page, "times");
        assert.equal(await ask(page, "time"), first.at(-1), "the latest is shown");
        assert.match(await page.getByRole("status").filter({ hasText: "running" }).innerText(), /^running: /);
        await page.waitForFunction((end) => window.__viewer.times().at(-1) > end, first.at(-1), { polling: 100 });
        // Who goes back stays there while there is more and more of the run.
        const early = first[1];
        await ask(page, "seek", early);
        const seen = (await ask(page, "times")).at(-1);
        await page.waitForFunction((end) => window.__viewer.times().at(-1) > end, seen, { polling: 100 });
        assert.equal(await ask(page, "time"), early);
        await shot(page, "live");

        writeFileSync(file, model(2, "0.5 m"));
        await live(page, () => window.__live.state.run === 2 && window.__live.state.ended && window.__viewer.frames === 201);
        await page.waitForFunction(() => window.__viewer.time() > 0);
        assert.equal(await page.locator(".notice").isVisible(), false, "nothing is said of a run that has ended");
        await ask(page, "seek", 0);
        assert.ok(Math.abs((await ask(page, "position", "ball"))[2] - 0.6) < 1e-6, "it is the other model");

        writeFileSync(file, model(2).replace("mass = 1", "mass = -1"));
        await live(page, () => window.__live.state.message !== null);
        await live(page, () => window.__live.text.includes("live.toml:"));
        assert.match(await page.locator(".notice.failed").innerText(), /error\[E\d+\][^]*mass/);
        assert.equal(await page.evaluate(() => window.__viewer.frames), 201, "the last run is still shown");
        await shot(page, "live-mistake");
      });
    }, OUT);
  },

  async "a page says that the program which served it has ended"() {
    const file = join(OUT, "ended.toml");
    writeFileSync(file, model(1));
    await served(["run", file, "--view", "--no-open", "--no-report", "--progress", "none"], async (url, server) => {
      const text = "The program that served this page has ended.";
      // The browser itself complains of an address that does not answer.
      await open(`${url}?plain`, async (page) => {
        await live(page, () => window.__live?.state?.ended && window.__viewer?.frames === 101);
        server.kill("SIGINT");
        await page.getByText(text).waitFor();
        assert.equal(await page.evaluate(() => window.__viewer.frames), 101, "what was there stays");
      }, {}, /ERR_CONNECTION/);
    }, OUT);
  },
};
