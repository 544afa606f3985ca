// A run under the pointer shows in all drawings and in the table; a range along an axis keeps the runs that pass it.
// Everything is read from the page: no number is there twice.
"use strict";
(() => {
  const tip = document.getElementById("tip");
  const byRun = new Map();
  for (const node of document.querySelectorAll("[data-run]")) {
    const run = node.dataset.run;
    if (!byRun.has(run)) byRun.set(run, []);
    byRun.get(run).push(node);
  }
  const heads = [...document.querySelectorAll("#runs th")].map((head) => head.textContent);
  const kept = new Map();
  let shown = null;

  function show(run) {
    if (run === shown) return;
    for (const node of byRun.get(shown) ?? []) node.classList.remove("on");
    shown = run;
    tip.hidden = run === null;
    if (run === null) return;
    const nodes = byRun.get(run) ?? [];
    for (const node of nodes) node.classList.add("on");
    tip.replaceChildren();
    const row = nodes.find((node) => node.tagName === "TR");
    const cells = [...(row?.cells ?? [])].map((cell) => cell.textContent);
    const title = document.createElement("b");
    title.textContent = `run ${run}, ${cells[1] ?? ""}`;
    tip.append(title);
    for (let k = 2; k < cells.length; k++) {
      if (!cells[k]) continue;
      const line = document.createElement("span");
      const value = document.createElement("output");
      value.textContent = cells[k];
      line.append(heads[k], value);
      tip.append(line);
    }
  }

  document.addEventListener("pointermove", (event) => {
    const marked = event.target.closest?.("[data-run]");
    const inDrawing = marked?.closest("svg");
    show(inDrawing ? marked.dataset.run : null);
    if (!inDrawing) return;
    const left = event.clientX + 16 + tip.offsetWidth > innerWidth ? event.clientX - 16 - tip.offsetWidth : event.clientX + 16;
    tip.style.left = `${Math.max(0, left)}px`;
    tip.style.top = `${Math.min(event.clientY + 12, innerHeight - tip.offsetHeight - 8)}px`;
  });

  const drawing = document.getElementById("parallel");
  if (!drawing) return;
  const lines = [...drawing.querySelectorAll("[data-heights]")].map((node) => ({
    run: node.dataset.run,
    heights: node.dataset.heights.split(" ").map(Number),
  }));

  function keep() {
    for (const line of lines) {
      const out = [...kept].some(([axis, [top, bottom]]) => !(line.heights[axis] >= top && line.heights[axis] <= bottom));
      for (const node of byRun.get(line.run)) node.classList.toggle("off", out);
    }
  }

  const heightOf = (event) => {
    const box = drawing.getBoundingClientRect();
    return ((event.clientY - box.top) * drawing.viewBox.baseVal.height) / box.height;
  };
  for (const handle of drawing.querySelectorAll(".catch")) {
    const axis = Number(handle.dataset.axis);
    const mark = drawing.querySelector(`.kept[data-axis="${axis}"]`);
    let from = null;
    const drag = (event) => {
      const range = [from, heightOf(event)].sort((a, b) => a - b);
      const chosen = range[1] - range[0] > 3;
      if (chosen) kept.set(axis, range); else kept.delete(axis);
      mark.setAttribute("y", range[0]);
      mark.setAttribute("height", chosen ? range[1] - range[0] : 0);
      keep();
    };
    handle.addEventListener("pointerdown", (event) => {
      from = heightOf(event);
      handle.setPointerCapture(event.pointerId);
      drag(event);
    });
    handle.addEventListener("pointermove", (event) => { if (from !== null) drag(event); });
    handle.addEventListener("pointerup", () => { from = null; });
  }
})();
