/** Buttons and the line of time with its events. */

import type { Run } from "../data/run";
import { digits, quantity, time as timeText } from "../format";
import { button, element, menu } from "./dom";
import type { Player } from "./player";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
/** Colours and heights of marks, by the kind of event; what begins is tall. */
const MARKS: Record<string, [string, number]> = {
  contact_begin: ["#d9822b", 1],
  contact_end: ["#4c9fd6", 0.75],
  patch_begin: ["#c98bb9", 0.6],
  hit_harder: ["#e5383b", 0.9],
};
const OTHER: [string, number] = ["#9aa5b1", 0.45];

export class Timeline {
  readonly root: HTMLElement;
  private readonly play: HTMLButtonElement;
  private readonly slider: HTMLInputElement;
  private readonly clock = element("output", { "aria-live": "off", class: "clock" });
  private readonly marks = element("canvas", { class: "marks", "aria-hidden": "true" });
  private readonly hint = element("span", { class: "hint", role: "status" });

  constructor(private readonly run: Run, private readonly player: Player) {
    this.play = button("Play", "▶", () => player.toggle());
    this.slider = element("input", {
      type: "range",
      min: String(run.start),
      max: String(run.end),
      step: "any",
      "aria-label": "Time in seconds",
      input: () => {
        player.playing = false;
        player.seek(Number(this.slider.value));
      },
    });
    const speeds = [...new Set([...SPEEDS, player.speed])].sort((a, b) => a - b);
    const speed = menu("Speed", speeds.map((s) => [String(s), `${digits(s)} ×`]), (value) => (player.speed = Number(value)));
    speed.value = String(player.speed);
    const loop = button("Loop", "⟳", () => {
      player.loops = !player.loops;
      loop.setAttribute("aria-pressed", String(player.loops));
    });
    loop.setAttribute("aria-pressed", "false");
    const track = element("div", { class: "track" }, this.marks, this.slider);
    track.addEventListener("pointermove", (event) => this.showHint(event));
    track.addEventListener("pointerleave", () => (this.hint.textContent = ""));
    this.root = element(
      "footer",
      { class: "player" },
      this.play,
      button("Step back (arrow left)", "◂", () => player.step(-1)),
      button("Step forward (arrow right)", "▸", () => player.step(1)),
      button("Previous event ([)", "⟨", () => player.toEvent(false)),
      button("Next event (])", "⟩", () => player.toEvent(true)),
      loop,
      speed,
      track,
      this.clock,
      this.hint,
    );
    new ResizeObserver(() => this.drawMarks()).observe(track);
  }

  private drawMarks(): void {
    const { clientWidth: width, clientHeight: height } = this.marks;
    const ratio = window.devicePixelRatio;
    this.marks.width = width * ratio;
    this.marks.height = height * ratio;
    const context = this.marks.getContext("2d");
    if (!context) return;
    const span = this.run.end - this.run.start || 1;
    for (const event of this.run.events()) {
      const [colour, part] = MARKS[event.kind] ?? OTHER;
      // The slider's thumb keeps half of its width from both ends.
      const x = (8 + ((event.time - this.run.start) / span) * (width - 16)) * ratio;
      context.fillStyle = colour;
      context.fillRect(Math.round(x), (1 - part) * height * ratio, Math.max(1, ratio), part * height * ratio);
    }
  }

  /** Names the event under the pointer. */
  private showHint(pointer: PointerEvent): void {
    const { left, width } = this.marks.getBoundingClientRect();
    const span = this.run.end - this.run.start || 1;
    const at = this.run.start + ((pointer.clientX - left - 8) / (width - 16)) * span;
    const near = this.run.events().reduce<{ text: string; off: number }>(
      (best, event) => {
        const off = Math.abs(event.time - at);
        const speed = event.kind === "contact_begin" ? `, ${quantity(event.approach, "m/s")}` : "";
        return off < best.off ? { off, text: `${event.kind.replaceAll("_", " ")} ${event.pair} at ${digits(event.time, 6)} s${speed}` } : best;
      },
      { text: "", off: (4 / width) * span },
    );
    this.hint.textContent = near.text;
  }

  show(time: number): void {
    this.slider.value = String(time);
    this.slider.setAttribute("aria-valuetext", `${digits(time, 6)} seconds`);
    this.clock.textContent = `${timeText(time, this.run.end - this.run.start)} s`;
    const [name, face] = this.player.playing ? ["Pause", "❚❚"] : ["Play", "▶"];
    if (this.play.textContent !== face) {
      this.play.textContent = face;
      this.play.title = name;
      this.play.setAttribute("aria-label", name);
    }
  }
}
