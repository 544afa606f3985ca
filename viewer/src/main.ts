/** The page: reads the run, builds the parts, keeps them at the same time. */

import "./style.css";
import { load } from "./data/load";
import { Run } from "./data/run";
import { Scene } from "./scene/scene";
import { VIEWS, type View } from "./scene/cameras";
import { LAYERS } from "./scene/start";
import { ContactTable } from "./ui/contacts";
import { button, element, menu } from "./ui/dom";
import { infoDialog } from "./ui/info";
import { Legend } from "./ui/legend";
import * as link from "./ui/link";
import { Player } from "./ui/player";
import { Plots } from "./ui/plots";
import { startPanel } from "./ui/start";
import { Timeline } from "./ui/timeline";
import { Tree } from "./ui/tree";

const VIEW_NAMES: Record<View, string> = { free: "free view", front: "front", side: "side", top: "top", plane: "flat" };

function build(run: Run, app: HTMLElement): void {
  document.title = `${run.name} – Carom`;
  const stage = element("div", { class: "stage" });
  const shell = element("div", { class: "shell" });
  const place = link.read(link.page().location.hash);
  app.replaceChildren(shell);
  shell.append(stage);

  const scene = new Scene(run, stage);
  const player = new Player(run, (time) => show(time));
  const timeline = new Timeline(run, player);
  const plots = new Plots(run, (time) => {
    player.playing = false;
    player.seek(time);
  });
  const contacts = new ContactTable(run);
  const follow = button("Follow the selected body (f)", "follow", () => setFollow(scene.cameras.followed === null));
  const tree = new Tree(run, scene, (body) => {
    scene.bodies.select(body);
    if (body === null || scene.cameras.followed !== null) setFollow(body !== null && scene.cameras.followed !== null);
    scene.refresh();
  });
  const info = infoDialog(run);

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
    contacts.show(run.frameAt(time));
  }

  function address(): string {
    const sel = tree.selected === null ? undefined : run.bodies[tree.selected].name;
    return link.write({ t: Number(player.time.toPrecision(12)), cam: scene.cameras.toText(), sel });
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
    element("span", { class: "space" }),
    view,
    follow,
    picture,
    copy,
    theme,
    about,
  );
  stage.append(new Legend(run, scene).root);
  shell.prepend(head);
  const parts = [plots.root, contacts.root, tree.root];
  if (startOfModel && scene.start) parts.splice(0, 1, startPanel(startOfModel, scene.start, () => scene.refresh()));
  shell.append(element("aside", { class: "side" }, ...parts), timeline.root, info);
  timeline.root.hidden = startOfModel !== null;

  function paint(): void {
    scene.setBackground(getComputedStyle(document.documentElement).getPropertyValue("--stage").trim());
    plots.rebuild();
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
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
  });

  function go(to: link.Place): void {
    const body = run.bodies.findIndex((body) => body.name === to.sel);
    if (body >= 0) tree.select(body);
    if (to.cam) scene.cameras.fromText(to.cam);
    view.value = scene.cameras.view;
    if (to.t !== undefined) {
      player.playing = false;
      player.seek(to.t);
    }
  }
  link.page().addEventListener("hashchange", () => go(link.read(link.page().location.hash)));

  player.seek(run.start);
  go(place);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (place.t === undefined && still) player.seek(run.end);
  else if (place.t === undefined && run.frames > 1) player.play();
  const loop = (now: number) => {
    player.tick(now);
    scene.draw();
    requestAnimationFrame(loop);
  };
  requestAnimationFrame(loop);
  expose(run, player, scene, plots);
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Numbers behind the picture, for tests. */
function expose(run: Run, player: Player, scene: Scene, plots: Plots): void {
  Object.assign(window, {
    __viewer: {
      ready: true,
      frames: run.frames,
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
      contacts: () => run.contacts(run.frameAt(player.time)).map(({ pair, fn, gap }) => ({ pair: pair.name, fn, gap })),
      arrows: () => scene.arrows.drawn,
      newtonPerMetre: () => scene.arrows.newtonPerMetre,
      elements: () => scene.pressure.drawn,
      contours: () => scene.contours.drawn,
      contourLength: () => {
        const ends = run.contours(run.frameAt(player.time));
        let length = 0;
        for (let k = 0; k < ends.length; k += 6) length += Math.hypot(ends[k] - ends[k + 3], ends[k + 1] - ends[k + 4], ends[k + 2] - ends[k + 5]);
        return length;
      },
      pressureForce: (pair: string) => scene.pressure.force(run.frameAt(player.time), run.pairs.findIndex((p) => p.name === pair)),
      plotLines: () => plots.linePositions,
      camera: () => scene.cameras.toText(),
      up: () => run.up,
      pictures: () => scene.pictures,
      ownTime: () => scene.ownTime,
      extent: () => scene.extent,
      start: () => scene.start && Object.fromEntries(LAYERS.map((layer) => [layer, scene.start!.drawn(layer)])),
    },
  });
}

function fail(app: HTMLElement, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  app.replaceChildren(element("p", { class: "message", role: "alert" }, `This run cannot be shown: ${text}.`));
  Object.assign(window, { __viewer: { ready: true, failed: text } });
}

const app = document.getElementById("app")!;
load()
  .then((container) => build(new Run(container), app))
  .catch((error) => fail(app, error));
