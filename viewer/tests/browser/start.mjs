// A model that has not run: bodies, joints with their limits, contact lines, overlaps.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { OUT, address, ask, carom, near, open, pixels, served, shot } from "./harness.mjs";

/** A ball 20 mm deep in a block; an arm on a hinge between limits; a carriage on a rail between stops. */
const MODEL = `
format = 1
name   = "start"
[world]
gravity = [0, 0, -9.81]
[law.bounce]
point = { normal = "hunt-crossley", stiffness = "1e7 N/m^1.5", restitution = 0.8 }
[body.block]
fixed = true
shape = { type = "box", size = ["1 m", "1 m", "0.2 m"] }
[body.ball]
mass = 1
pos = [0, 0, "0.18 m"]
shape = { type = "sphere", radius = "0.1 m" }
[body.arm]
mass = 1
inertia = "0.01 kg*m^2"
shape = { type = "box", size = ["1 m", "0.1 m", "0.1 m"] }
[body.carriage]
mass = 1
inertia = "0.01 kg*m^2"
shape = { type = "box", size = ["0.2 m", "0.2 m", "0.2 m"] }
[joint.hinge]
type = "revolute"
axis = "-y"
a = { body = "world", at = [0, "1 m", "0.8 m"] }
b = { body = "arm", at = ["-0.5 m", 0, 0] }
position = "30 deg"
limit = { lower = "-45 deg", upper = "60 deg" }
[joint.rail]
type = "prismatic"
axis = "x"
a = { body = "world", at = [0, "-1 m", "0.5 m"] }
b = { body = "carriage" }
position = "0.1 m"
limit = { lower = "-0.3 m", upper = "0.4 m" }
[contact]
rest = { a = "block", b = "ball", method = "analytic", law = "bounce" }
[solver]
t_end = "1 s"
`;

/** Rows of a table of the page by its name. */
const rows = (page, name) => page.getByRole("table", { name }).locator("tbody tr").allInnerTexts();

export const tests = {
  async "a model alone shows how it starts"() {
    const model = join(OUT, "start.toml");
    writeFileSync(model, MODEL);
    const file = join(OUT, "start.html");
    carom("view", model, "--html", file, "--force", "--quiet");
    await open(address(file), async (page) => {
      assert.equal(await ask(page, "playing"), false, "nothing moves");
      const ball = await ask(page, "position", "ball");
      near(ball[2], 0.18, 1e-7, "height of the ball");
      // The hinge holds the arm's end 0.8 m up; its frame is half a metre on, 30 degrees up.
      const arm = await ask(page, "position", "arm");
      [0.5 * Math.cos(Math.PI / 6), 1, 0.8 + 0.25].forEach((wanted, axis) => near(arm[axis], wanted, 1e-6, `arm along ${axis}`));
      const bodies = await page.evaluate(() => window.__viewer.start().frames);
      assert.deepEqual(await ask(page, "start"), { frames: bodies, joints: 2, contacts: 1, overlaps: 1 });
      assert.ok(bodies >= 4, `${bodies} frames`);
      assert.match((await rows(page, "Overlaps"))[0], /^block, ball\trest\t20\smm$/);
      const joints = await rows(page, "Joints");
      assert.match(joints[0], /^hinge\trevolute, angle\t30°\t\u221245° to 60°$/);
      assert.match(joints[1], /^rail\tprismatic, \w+\t100\smm\t\u2212300\smm to 400\smm$/);
      assert.match((await rows(page, "Contact lines"))[0], /^rest\tanalytic\t1$/);
      assert.match(await page.locator(".warning").first().innerText(), /^W0401/);
      assert.equal(await page.getByRole("button", { name: "Play" }).count(), 0, "there is nothing to play");
      await shot(page, "start");
      // What is unticked is drawn no more: a picture without overlaps has none of their red.
      const red = () => pixels(page, (r, g, b) => r > 1.8 * g && r > 1.8 * b && r > 120);
      const before = await red();
      await page.getByLabel("overlaps").uncheck();
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const after = await red();
      assert.ok(after < 0.5 * before, `${before} red pixels with overlaps, ${after} without`);
    });
  },

  async "a model is served, and changed by --set"() {
    const model = join(OUT, "start.toml");
    writeFileSync(model, MODEL);
    await served(["view", model, "--no-open", "--set", "joint.hinge.position=0 deg"], async (url) => {
      await open(`${url}?plain`, async (page) => {
        const arm = await ask(page, "position", "arm");
        [0.5, 1, 0.8].forEach((wanted, axis) => near(arm[axis], wanted, 1e-6, `arm along ${axis}`));
        assert.match((await rows(page, "Joints"))[0], /^hinge\trevolute, angle\t0°/);
      });
    });
  },
};
