// Browser tests on real runs: numbers behind the picture against the tables, and what a user does. Run by
// `cargo xtask test`, or by hand; with words after it those tests whose names have one of them:
//
//   CAROM=target/release/carom RUNS=target/xtask/runs OUT=/somewhere npm run browser -- damaged ghost

import { browser } from "./harness.mjs";
import { tests as ofTwo } from "./compare.mjs";
import { tests as ofDamage } from "./damaged.mjs";
import { tests as ofExports } from "./glb.mjs";
import { tests as ofLive } from "./live.mjs";
import { tests as ofRuns } from "./run.mjs";
import { tests as ofStarts } from "./start.mjs";
import { tests as ofStreams } from "./stream.mjs";
import { tests as ofVtk } from "./vtk.mjs";

const words = process.argv.slice(2);
let failed = 0;
for (const [name, test] of Object.entries({ ...ofRuns, ...ofTwo, ...ofStarts, ...ofLive, ...ofStreams, ...ofExports, ...ofVtk, ...ofDamage })) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const clock = Date.now();
  try {
    await test();
    console.log(`ok      ${name} (${Date.now() - clock} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}
await browser.close();
process.exitCode = failed > 0 ? 1 : 0;
