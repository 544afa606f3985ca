// What the browser tests share: the program, its runs, and a browser that counts every complaint as a failure.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const { CAROM, RUNS, OUT, CHROMIUM = "/usr/bin/chromium" } = process.env;
assert.ok(CAROM && RUNS && OUT, "CAROM, RUNS and OUT name the program, its runs and a folder for pages");
mkdirSync(OUT, { recursive: true });

// A software renderer on a busy machine is slow (ms).
const PATIENCE = 120_000;

const flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
export const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags });

export const carom = (...args) => execFileSync(CAROM, args, { encoding: "utf8", maxBuffer: 1 << 28 });

/** The one file of a run. */
export function html(run) {
  const file = join(OUT, `${run.split("/").pop()}.html`);
  carom("view", run, "--html", file, "--force", "--quiet");
  return file;
}

/** Columns of a run's tables by name, time first. */
export function table(run, names) {
  const [head, ...rows] = carom("plot", run, ...names, "--csv").trim().split("\n");
  const columns = head.split(",").map(() => []);
  for (const row of rows) row.split(",").forEach((value, k) => columns[k].push(Number(value)));
  return columns;
}

/** What a page of one file has in it, opened for `change`, as another page: `change` gets the header and the bytes of the arrays by name. */
export function changed(file, to, change) {
  const text = readFileSync(file, "utf8");
  const start = text.indexOf('id="run">') + 9;
  const end = text.indexOf("</script>", start);
  const bytes = gunzipSync(Buffer.from(text.slice(start, end), "base64"));
  const first = (length) => Math.ceil((4 + length) / 8) * 8;
  const length = bytes.readUInt32LE(0);
  const header = JSON.parse(bytes.subarray(4, 4 + length).toString());
  const sizes = { u8: 1, i16: 2, u16: 2, u32: 4, f32: 4, f64: 8 };
  const arrays = {};
  for (const [name, { kind, at, length: count }] of Object.entries(header.arrays)) {
    arrays[name] = Buffer.from(bytes.subarray(first(length) + at, first(length) + at + count * sizes[kind]));
  }
  change(header, arrays);
  let at = 0;
  const parts = [];
  for (const [name, part] of Object.entries(arrays)) {
    Object.assign(header.arrays[name], { at, length: part.length / sizes[header.arrays[name].kind] });
    parts.push(part, Buffer.alloc((8 - (part.length % 8)) % 8));
    at += part.length + parts.at(-1).length;
  }
  const json = Buffer.from(JSON.stringify(header));
  const front = Buffer.alloc(first(json.length));
  front.writeUInt32LE(json.length, 0);
  json.copy(front, 4);
  const data = gzipSync(Buffer.concat([front, ...parts])).toString("base64");
  writeFileSync(to, text.slice(0, start) + data + text.slice(end));
}

/** Runs the program as a server while `use` has its address. */
export async function served(args, use, cwd = undefined) {
  const server = spawn(resolve(CAROM), args, { stdio: ["ignore", "pipe", "pipe"], cwd });
  try {
    const url = await new Promise((found, reject) => {
      let said = "";
      const hear = (text) => {
        said += text;
        const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
        if (address) found(address[0]);
      };
      server.stdout.on("data", hear);
      server.stderr.on("data", hear);
      server.once("exit", () => reject(new Error(`the program has ended: ${said}`)));
    });
    await use(url, server);
  } finally {
    server.kill();
  }
}

/** Keeps what the page looks like, for whoever wants to see it. */
export const shot = async (page, name) => writeFileSync(join(OUT, `${name}.png`), await page.screenshot());

/** Opens a page and hands it to `check`; errors of the console and requests to anywhere are failures. */
export async function open(url, check, options = {}, expected = undefined) {
  const context = await browser.newContext({ viewport: { width: 900, height: 560 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const wrong = [];
  page.on("console", (message) => {
    // The software renderer speaks of itself when pixels are read.
    if (["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall") && !expected?.test(message.text())) wrong.push(message.text());
  });
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (!["file:", "data:", "blob:"].includes(protocol) && !url.includes(host)) wrong.push(`request to ${request.url()}`);
  });
  await page.goto(url);
  await page.waitForFunction(() => window.__viewer?.ready && (window.__viewer.failed || window.__viewer.pictures() > 0));
  const result = await check(page);
  assert.deepEqual(wrong, [], url);
  await context.close();
  return result;
}

export const address = (file, hash = "") => `${pathToFileURL(file)}?plain${hash}`;
export const ask = (page, name, ...args) => page.evaluate(([name, args]) => window.__viewer[name](...args), [name, args]);
export const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} and ${b}`);

/** How many pixels of the picture have a colour that `is` takes. */
export const pixels = (page, is) =>
  page.evaluate((text) => {
    const canvas = document.querySelector(".stage canvas");
    const copy = document.createElement("canvas");
    Object.assign(copy, { width: canvas.width, height: canvas.height });
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const is = new Function(`return ${text}`)();
    let count = 0;
    for (let k = 0; k < data.length; k += 4) if (is(data[k], data[k + 1], data[k + 2])) count++;
    return count;
  }, is.toString());
