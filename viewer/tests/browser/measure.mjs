// What a page costs: from the command to the first picture, what the browser holds, and how long our own script and a
// picture take. Not a test: it prints numbers, one line a run.
//
//   CAROM=target/release/carom npm run measure -- RUN ...

import { readFileSync, readdirSync } from "node:fs";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { build } from "vite";

const { CAROM = "carom", CHROMIUM = "/usr/bin/chromium" } = process.env;
const flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

/** Megabytes that processes hold by kind: pages share nothing that matters, and what is shared is counted by shares. */
function held(browserId) {
  const parents = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(Number(id), Number(readFileSync(`/proc/${id}/stat`, "utf8").split(") ")[1].split(" ")[1]));
    } catch {}
  }
  const own = new Set([browserId]);
  for (let more = true; more; ) {
    more = false;
    for (const [id, parent] of parents) if (own.has(parent) && !own.has(id)) (own.add(id), (more = true));
  }
  const sums = { browser: 0, renderer: 0, "gpu-process": 0, other: 0 };
  for (const id of own) {
    try {
      const kind = /--type=([a-z-]+)/.exec(readFileSync(`/proc/${id}/cmdline`, "utf8"))?.[1] ?? "browser";
      const share = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))[1]) / 1024;
      sums[kind in sums ? kind : "other"] += share;
    } catch {}
  }
  return sums;
}

/** three.js as one script. */
const [{ output: [three] }] = await build({
  configFile: false,
  logLevel: "silent",
  build: { write: false, lib: { entry: fileURLToPath(import.meta.resolve("three")), formats: ["iife"], name: "THREE" } },
});

/** Milliseconds of a picture that has the triangles of the page as one mesh and nothing else: what no page can be faster than. */
async function bare(page, count) {
  const seen = await page.evaluate(() => ({ ...window.__viewer.triangles(), size: (({ width, height }) => [width, height])(document.querySelector(".stage canvas")) }));
  const empty = await (await browser.newContext({ viewport: { width: 900, height: 560 } })).newPage();
  await empty.addScriptTag({ content: three.code.replace("var THREE", "window.THREE") });
  const took = await empty.evaluate(({ corners, camera, projection, size, count }) => {
    const { THREE } = window;
    const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
    renderer.setSize(...size);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(corners, 3));
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
  return { took, triangles: seen.corners.length / 9 };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const MOMENTS = 20;

const server = await chromium.launchServer({ executablePath: CHROMIUM, args: flags });
const browser = await chromium.connect(server.wsEndpoint());
for (const run of process.argv.slice(2)) {
  const page = await (await browser.newContext({ viewport: { width: 900, height: 560 } })).newPage();
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
    const own = await page.evaluate(() => ({ heap: performance.memory.usedJSHeapSize / 2 ** 20, frames: window.__viewer.frames, pictures: window.__viewer.pictures() }));
    const pace = await page.evaluate((count) => window.__viewer.pace(count), MOMENTS);
    const same = await bare(page, MOMENTS);
    const sum = Object.values(now).reduce((a, b) => a + b, 0);
    console.log(`${run}: serves after ${serves.toFixed(0)} ms, first picture ${pictured.toFixed(0)} ms, ${own.frames} output times, heap ${own.heap.toFixed(0)} MB, browser ${sum.toFixed(0)} MB, ${Object.entries(now).map(([kind, mb]) => `${kind} ${mb.toFixed(0)}`).join(", ")}`);
    console.log(`  script ${median(pace.own).toFixed(2)} ms a moment, most ${Math.max(...pace.own).toFixed(2)}; picture ${median(pace.picture).toFixed(1)} ms, a bare one of its ${same.triangles} triangles ${median(same.took).toFixed(1)} ms: ${(median(pace.picture) / median(same.took)).toFixed(2)} times`);
  } finally {
    program.kill();
    await page.context().close();
  }
}
await browser.close();
await server.close();
