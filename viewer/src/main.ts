/** The page: reads the run, builds the parts, keeps them at the same time. */

import "./style.css";
import { load, loadOther } from "./data/load";
import { Run } from "./data/run";
import { isNew, state, type State } from "./data/state";
import { Stream } from "./data/stream";
import { Scene } from "./scene/scene";
import { VIEWS, type View } from "./scene/cameras";
import { LAYERS } from "./scene/start";
import { ContactTable } from "./ui/contacts";
import { Comparison } from "./ui/compare";
import { button, element, menu } from "./ui/dom";
import { quantity } from "./format";
import { infoDialog } from "./ui/info";
import { Legend } from "./ui/legend";
import * as link from "./ui/link";
import { Player } from "./ui/player";
import { Plots } from "./ui/plots";
import { startPanel } from "./ui/start";
import { Timeline } from "./ui/timeline";
import { Tree } from "./ui/tree";

const VIEW_NAMES: Record<View, string> = { free: "free view", front: "front", side: "side", top: "top", plane: "flat" };

/** What goes on when the page is built anew from more of a run. */
interface Page {
  run: Run;
  player: Player;
  scene: Scene;
  address: () => string;
  /** Takes everything away that outlives its elements. */
  leave: () => void;
}

/** How a page begins: playing from the start, at the latest time there is, or where the last one was. */
type Begin = "play" | "latest" | "go on";

/** In place of `last` it is looked at from where that was; with another run it is compared. */
function build(run: Run, app: HTMLElement, last?: Page, begin: Begin = "play", other: Run | null = null): Page {
  const left = new AbortController();
  const { signal } = left;
  document.title = `${run.name}${other ? ` | ${other.name}` : ""} – Carom`;
  const stage = element("div", { class: "stage" });
  const stages = element("div", { class: "stages" }, stage);
  const shell = element("div", { class: "shell" });
  const place = link.read(last ? last.address() : link.page().location.hash);
  app.replaceChildren(shell);
  shell.append(stages);

  // Where one of two runs is sent in parts both are.
  const streams = [run, other].flatMap((run) => (run?.streaming ? [new Stream(run, () => show(player.time), tell)] : []));
  const scene = new Scene(run, stage, other);
  const comparison = other ? new Comparison(run, other, scene, stages) : null;
  const player = new Player(run, (time) => show(time));
  const timeline = new Timeline(run, player);
  const plots = new Plots(run, (time) => {
    player.playing = false;
    player.seek(time);
  }, other, streams);
  const contacts = new ContactTable(run);
  const follow = button("Follow the selected body (f)", "follow", () => setFollow(scene.cameras.followed === null));
  const tree = new Tree(run, scene, (body) => {
    scene.bodies.select(body);
    if (body === null || scene.cameras.followed !== null) setFollow(body !== null && scene.cameras.followed !== null);
    scene.refresh();
  });
  const info = infoDialog(run, other);

  /** Says over the picture what is missing in it. */
  function tell(text: string): void {
    missing.hidden = false;
    missing.append(element("p", {}, text));
  }

  function setFollow(wanted: boolean): void {
    const moving = run.bodies.findIndex((body) => body.moves);
    if (wanted && tree.selected === null && moving >= 0) return tree.select(moving), setFollow(true);
    const body = wanted ? tree.selected : null;
    scene.cameras.follow(body, body === null ? null : scene.bodies.groups[body].position);
    follow.setAttribute("aria-pressed", String(body !== null));
  }
  setFollow(false);

  function show(time: number): void {
    scene.show(time);
    timeline.show(time);
    plots.show(time);
    contacts.show(time);
    streams.forEach((stream) => stream.want(time, player.playing));
  }

  function address(): string {
    const sel = tree.selected === null ? undefined : run.bodies[tree.selected].name;
    return link.write({ t: Number(player.time.toPrecision(12)), cam: scene.cameras.toText(), sel, cmp: comparison?.mode });
  }

  const views = VIEWS.map((view): [string, string] => [view, VIEW_NAMES[view]]);
  const view = menu("View", views, (value) => {
    scene.cameras.look(value as View);
    scene.refresh();
  });
  const copy = button("Copy a link to this time and view", "link", () => {
    const page = link.page();
    page.history.replaceState(null, "", address());
    navigator.clipboard?.writeText(page.location.href).catch(() => {});
    copy.textContent = "copied";
    setTimeout(() => (copy.textContent = "link"), 1500);
  });
  const picture = button("Save the picture as PNG", "PNG", () => {
    element("a", { href: scene.picture(), download: `${run.name}-${player.time.toFixed(4)}s.png` }).click();
  });
  const theme = button("Dark or light", "◐", () => {
    const root = document.documentElement;
    root.dataset.theme = isDark() ? "light" : "dark";
    paint();
  });
  const about = button(run.notes.length > 0 ? "About this run; it has notes" : "About this run", run.notes.length > 0 ? "info •" : "info", () => info.showModal());
  const { startOfModel } = run;
  const end = startOfModel ? "model" : String(run.info.end?.reason ?? "");
  const head = element(
    "header",
    {},
    element("h1", {}, run.name),
    element("span", { class: `badge ${end}` }, end),
    ...(comparison ? [comparison.menu] : []),
    element("span", { class: "space" }),
    view,
    follow,
    picture,
    copy,
    theme,
    about,
  );
  stage.append(new Legend(run, scene, () => Promise.all(streams.map((stream) => stream.greatest()))).root);
  const missing = element("div", { class: "missing", role: "alert", hidden: true });
  stage.append(missing);
  run.missing.forEach(tell);
  shell.prepend(head);
  const parts = [plots.root, contacts.root, tree.root];
  if (startOfModel && scene.start) parts.splice(0, 1, startPanel(startOfModel, scene.start, () => scene.refresh()));
  shell.append(element("aside", { class: "side" }, ...parts), timeline.root, info);
  timeline.root.hidden = startOfModel !== null;

  function paint(): void {
    const background = getComputedStyle(document.documentElement).getPropertyValue("--stage").trim();
    scene.setBackground(background);
    comparison?.setBackground(background);
    plots.rebuild();
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint, { signal });
  paint();

  const keys: Record<string, (event: KeyboardEvent) => void> = {
    " ": () => player.toggle(),
    ArrowLeft: (event) => player.step(event.shiftKey ? -10 : -1),
    ArrowRight: (event) => player.step(event.shiftKey ? 10 : 1),
    "[": () => player.toEvent(false),
    "]": () => player.toEvent(true),
    Home: () => player.seek(run.start),
    End: () => player.seek(run.end),
    f: () => setFollow(scene.cameras.followed === null),
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const isTyping = target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type !== "range");
    const act = keys[event.key];
    if (!act || isTyping || event.ctrlKey || event.metaKey || event.altKey || info.open) return;
    event.preventDefault();
    act(event);
  }, { signal });

  function go(to: link.Place): void {
    const body = run.bodies.findIndex((body) => body.name === to.sel);
    if (body >= 0) tree.select(body);
    if (to.cmp) comparison?.choose(to.cmp);
    if (to.cam) scene.cameras.fromText(to.cam);
    view.value = scene.cameras.view;
    if (to.t !== undefined) {
      player.playing = false;
      player.seek(to.t);
    }
  }
  link.page().addEventListener("hashchange", () => go(link.read(link.page().location.hash)), { signal });

  player.seek(run.start);
  go(place);
  if (begin === "latest") player.seek(run.end);
  else if (last && begin === "go on") goOn(last, run, player);
  else if (last) player.seek(run.start), player.play();
  else if (place.t === undefined && matchMedia("(prefers-reduced-motion: reduce)").matches) player.seek(run.end);
  else if (place.t === undefined && run.frames > 1) player.play();
  const loop = (now: number) => {
    if (signal.aborted) return;
    player.tick(now);
    scene.draw();
    comparison?.draw();
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
  expose(run, player, scene, plots, comparison, show);
  const leave = () => {
    left.abort();
    comparison?.leave();
    scene.leave();
  };
  return { run, player, scene, address, leave };
}

/** Where the page was, and as it was. */
function goOn(last: Page, run: Run, player: Player): void {
  const { time, playing, loops, speed } = last.player;
  Object.assign(player, { loops, speed });
  player.seek(Math.min(time, run.end));
  if (playing) player.play();
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Milliseconds that our own script takes for each of so many moments over the run, and that the picture takes then, until its pixels are there. */
function pace(run: Run, scene: Scene, show: (time: number) => void, count: number): { own: number[]; picture: number[] } {
  const gl = scene.renderer.getContext();
  const [own, picture]: number[][] = [[], []];
  for (let k = 0; k < count; k++) {
    const clock = performance.now();
    show(run.start + ((run.end - run.start) * k) / count);
    const shown = performance.now();
    scene.draw();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    own.push(shown - clock);
    picture.push(performance.now() - shown);
  }
  return { own, picture };
}

/** Numbers behind the picture, for tests. */
function expose(run: Run, player: Player, scene: Scene, plots: Plots, comparison: Comparison | null, show: (time: number) => void): void {
  Object.assign(window, {
    __viewer: {
      ready: true,
      frames: run.frames,
      parts: () => [...run.parts.keys()],
      times: () => Array.from(run.times),
      time: () => player.time,
      playing: () => player.playing,
      seek: (time: number) => {
        player.playing = false;
        player.seek(time);
      },
      position: (name: string) => {
        const { x, y, z } = scene.bodies.groups[run.bodies.findIndex((body) => body.name === name)].position;
        return [x + run.origin[0], y + run.origin[1], z + run.origin[2]];
      },
      contacts: () => run.contacts(player.time).map(({ pair, fn, gap }) => ({ pair: pair.name, fn, gap })),
      arrows: () => scene.arrows.drawn,
      newtonPerMetre: () => scene.arrows.newtonPerMetre,
      elements: () => scene.pressure.drawn,
      greatestPressure: () => Array.from(run.greatest?.greatestPressures() ?? []).reduce((most, own) => Math.max(most, own), 0),
      otherParts: () => [...(comparison?.other.parts.keys() ?? [])],
      contours: () => scene.contours.drawn,
      contourLength: () => {
        const ends = run.contours(player.time);
        let length = 0;
        for (let k = 0; k < ends.length; k += 6) length += Math.hypot(ends[k] - ends[k + 3], ends[k + 1] - ends[k + 4], ends[k + 2] - ends[k + 5]);
        return length;
      },
      pressureForce: (pair: string) => scene.pressure.force(player.time, run.pairs.findIndex((p) => p.name === pair)),
      comparison: () => comparison && { mode: comparison.mode, pictures: comparison.pictures, camera: comparison.camera, newtonPerMetre: comparison.newtonPerMetre },
      otherPosition: (name: string) => comparison?.position(name),
      curves: () => plots.curves,
      refined: () => plots.refined,
      plotLines: () => plots.linePositions,
      camera: () => scene.cameras.toText(),
      up: () => run.up,
      pictures: () => scene.pictures,
      ownTime: () => scene.ownTime,
      pace: (count: number) => pace(run, scene, show, count),
      triangles: () => scene.triangles(),
      extent: () => scene.extent,
      start: () => scene.start && Object.fromEntries(LAYERS.map((layer) => [layer, scene.start!.drawn(layer)])),
    },
  });
}

function fail(app: HTMLElement, error: unknown): void {
  const text = (error instanceof Error ? error.message : String(error)).trim();
  // What the program has said has lines, and ends as it does.
  const end = text.includes("\n") ? "" : ".";
  app.replaceChildren(element("p", { class: "message", role: "alert" }, `This run cannot be shown: ${text}${end}`));
  Object.assign(window, { __viewer: { ready: true, failed: text } });
}

/** Milliseconds between two questions whether there is more of a run; and how much longer than a page takes to build it is left alone. */
const ASKED_EVERY = 700;
const REST = 3;

/** Follows a run that goes on, or that is run again with another model. */
async function follow(app: HTMLElement): Promise<void> {
  const notice = element("p", { class: "notice", role: "status", hidden: true });
  document.body.append(notice);
  let page: Page | undefined;
  let last: State | null = null;
  for (;;) {
    const now = await state();
    let took = 0;
    if (now && isNew(last, now)) {
      const clock = performance.now();
      // Who looks at the latest of a run that goes on sees all of it when it has ended.
      const follows: boolean = page === undefined || last?.run !== now.run || page.player.time >= page.run.end;
      const begin: Begin = !follows ? "go on" : now.ended ? "play" : "latest";
      try {
        const run = new Run(await load());
        page?.leave();
        page = build(run, app, page, begin);
        last = now;
      } catch (error) {
        // A run that has just begun has no output time yet, and one that ends moves its files.
        if (!page) fail(app, error);
      }
      took = performance.now() - clock;
    }
    const text = now === null ? "The program that served this page has ended." : (now.message ?? (now.ended ? "" : `running: ${quantity(now.time_s, "s")}`));
    notice.hidden = text === "";
    notice.textContent = text;
    notice.classList.toggle("failed", Boolean(now?.message));
    Object.assign(window, { __live: { state: now, text } });
    await new Promise((resolve) => setTimeout(resolve, Math.max(ASKED_EVERY, REST * took)));
  }
}

const app = document.getElementById("app")!;
const served = document.getElementById("run")?.textContent?.trim() ?? "";
const asked = served === "" || served.startsWith("@") ? await state() : null;
if (asked?.live) void follow(app);
else {
  Promise.all([load(), loadOther()])
    .then(([run, other]) => void build(new Run(run), app, undefined, "play", other && new Run(other)))
    .catch((error) => fail(app, error));
}
