// Exported scenes, as another program's loader has them: three.js's own for glTF.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as THREE from "three";
import { OUT, RUNS, carom, near, table } from "./harness.mjs";

export const tests = {
  async "glTF opens in three.js, and moves as the tables say"() {
    const run = join(RUNS, "bouncing-ball");
    const file = join(OUT, "bouncing-ball.glb");
    carom("convert", run, file, "--force", "--quiet");
    // The loader was written for a page.
    globalThis.self ??= globalThis;
    const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
    const bytes = readFileSync(file);
    const { scene, animations } = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength), "");
    const [t, x, y, z] = table(run, ["ball.x", "ball.y", "ball.z"]);
    assert.equal(animations.length, 1);
    near(animations[0].duration, t.at(-1), 1e-5, "length of the animation");
    const mixer = new THREE.AnimationMixer(scene);
    const action = mixer.clipAction(animations[0]);
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    const ball = scene.getObjectByName("ball");
    assert.ok(ball, "there is a ball");
    const place = new THREE.Vector3();
    let start;
    let moved = 0;
    for (const k of [0, 40, 91, 200, 455, t.length - 1]) {
      mixer.setTime(t[k]);
      scene.updateMatrixWorld(true);
      ball.getWorldPosition(place);
      // glTF has y up; z of the world is its y, and y its -z. Its origin is one near the middle of the motion.
      start ??= place.clone();
      [x[k] - x[0], z[k] - z[0], y[0] - y[k]].forEach((value, axis) => near(place.getComponent(axis) - start.getComponent(axis), value, 1e-6, `axis ${axis} at ${t[k]}`));
      moved = Math.max(moved, Math.abs(z[k] - z[0]));
    }
    assert.ok(moved > 0.1, "it moves");
    let triangles = 0;
    scene.traverse((object) => (triangles += object.isMesh ? (object.geometry.index?.count ?? object.geometry.attributes.position.count) / 3 : 0));
    assert.ok(triangles > 100, `${triangles} triangles`);
  },
};
