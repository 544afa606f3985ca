// What a page costs: from the command to the first picture, what the browser holds, and how long our own script and a
// picture take. Not a test: it prints numbers, some lines a run.
//
// The browser is all of its processes: what they have to themselves (`private`), and with their shares of what several have
// (`shares`: PSS; a sum of RSS would count the browser's own program once a process), beside what it holds before the page comes.
//
//   CAROM=target/release/carom npm run measure -- RUN ...

import { readFileSync, readdirSync } from "node:fs";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";

const { CAROM = "carom", CHROMIUM = "/usr/bin/chromium" } = process.env;
const flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Megabytes that a process and those that it has started hold, by kind. */
function held(browserId) {
  const parents = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(Number(id), Number(readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1].split(" ")[1]));
    } catch {
      // It has ended.
    }
  }
  const own = new Set([browserId]);
  for (let more = true; more; ) {
    more = false;
    for (const [id, parent] of parents) if (own.has(parent) && !own.has(id)) (own.add(id), (more = true));
  }
  const held = { shares: 0, private: 0, kinds: { browser: 0, renderer: 0, "gpu-process": 0, other: 0 } };
  for (const id of own) {
    try {
      const kind = /--type=([a-z-]+)/.exec(readFileSync(`/proc/${id}/cmdline`, "utf8"))?.[1] ?? "browser";
      const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
      const of = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)[1]) / 1024;
      held.shares += of("Pss");
      held.private += of("Private_Clean") + of("Private_Dirty");
      held.kinds[kind in held.kinds ? kind : "other"] += of("Pss");
    } catch {
      // It has ended.
    }
  }
  return held;
}

/** three.js as one script. */
const [{ output: [three] }] = await build({
  configFile: false,
  logLevel: "silent",
  build: { write: false, lib: { entry: fileURLToPath(import.meta.resolve("three")), formats: ["iife"], name: "THREE" } },
});

/** Milliseconds of a picture that has the triangles of the page as one mesh and nothing else: what no page can be faster than. */
async function bare(browser, page, count) {
  // As text: a list of a million numbers is too much for the protocol.
  const seen = await page.evaluate(() => {
    const { corners, camera, projection } = window.__viewer.triangles();
    const bytes = new Uint8Array(new Float32Array(corners).buffer);
    let text = "";
    for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
    const { width, height } = document.querySelector(".stage canvas");
    return { corners: btoa(text), triangles: corners.length / 9, camera, projection, size: [width, height] };
  });
  const empty = await (await browser.newContext({ viewport: { width: 900, height: 560 } })).newPage();
  await empty.addScriptTag({ content: three.code.replace("var THREE", "window.THREE") });
  const took = await empty.evaluate(({ corners, camera, projection, size, count }) => {
    const { THREE } = window;
    const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
    renderer.setSize(...size);
    const geometry = new THREE.BufferGeometry();
    const bytes = Uint8Array.from(atob(corners), (letter) => letter.charCodeAt(0));
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(bytes.buffer), 3));
    geometry.computeVertexNormals();
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0xeeeeee);
    const sun = new THREE.DirectionalLight(0xffffff, 1.4);
    const lamp = new THREE.DirectionalLight(0xffffff, 1.1);
    sun.position.set(1, 1, 2);
    scene.add(new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: 0x4f9bd9, side: THREE.DoubleSide })), sun, lamp, new THREE.HemisphereLight(0xffffff, 0x6c7682, 1.3));
    const eye = new THREE.Camera();
    eye.matrixAutoUpdate = false;
    eye.matrix.fromArray(camera);
    eye.matrixWorld.fromArray(camera);
    eye.matrixWorldInverse.copy(eye.matrixWorld).invert();
    eye.projectionMatrix.fromArray(projection);
    eye.projectionMatrixInverse.copy(eye.projectionMatrix).invert();
    const gl = renderer.getContext();
    const took = [];
    for (let k = 0; k < count; k++) {
      const clock = performance.now();
      renderer.render(scene, eye);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      took.push(performance.now() - clock);
    }
    return took;
  }, { ...seen, count });
  await empty.context().close();
  return { took, triangles: seen.triangles };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const MOMENTS = 20;

const list = (kinds) => Object.entries(kinds).map(([kind, mb]) => `${kind} ${mb.toFixed(0)}`).join(", ");

for (const run of process.argv.slice(2)) {
  const server = await chromium.launchServer({ executablePath: CHROMIUM, args: flags });
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await (await browser.newContext({ viewport: { width: 900, height: 560 } })).newPage();
  await page.waitForTimeout(2000);
  const empty = held(server.process().pid);
  const clock = performance.now();
  const program = spawn(CAROM, ["view", run, "--no-open"], { stdio: ["ignore", "pipe", "pipe"] });
  try {
    const url = await new Promise((found, reject) => {
      let said = "";
      program.stdout.on("data", (text) => {
        said += text;
        const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
        if (address) found(address[0]);
      });
      program.once("exit", () => reject(new Error("the program has ended")));
    });
    const serves = performance.now() - clock;
    await page.goto(`${url}?plain`);
    await page.waitForFunction(() => window.__viewer?.ready && (window.__viewer.failed || window.__viewer.pictures() > 0), null, { polling: 20, timeout: 300_000 });
    const pictured = performance.now() - clock;
    await page.waitForTimeout(4000);
    const now = held(server.process().pid);
    const own = await page.evaluate(() => ({ heap: performance.memory.usedJSHeapSize / 2 ** 20, frames: window.__viewer.frames }));
    console.log(`${run}: serves after ${serves.toFixed(0)} ms, first picture ${pictured.toFixed(0)} ms, ${own.frames} output times, heap ${own.heap.toFixed(0)} MB`);
    console.log(`  browser by shares ${now.shares.toFixed(0)} MB (${list(now.kinds)}), empty ${empty.shares.toFixed(0)}; private ${now.private.toFixed(0)} MB, empty ${empty.private.toFixed(0)}`);
    const pace = await page.evaluate((count) => window.__viewer.pace(count), MOMENTS);
    console.log(`  script ${median(pace.own).toFixed(2)} ms a moment, most ${Math.max(...pace.own).toFixed(2)}; picture ${median(pace.picture).toFixed(1)} ms`);
    const same = await bare(browser, page, MOMENTS);
    console.log(`  a bare picture of its ${same.triangles} triangles ${median(same.took).toFixed(1)} ms: ${(median(pace.picture) / median(same.took)).toFixed(2)} times`);
  } catch (error) {
    console.log(`  ${run}: not measured to the end: ${error.message}`);
    process.exitCode = 1;
  } finally {
    program.kill();
    await browser.close();
    await server.close();
  }
}
