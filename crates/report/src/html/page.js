// Cross-hair: over a chart of time, all charts of time show their values at that time.
// The values are read back from the drawn curves, so the page holds no number twice.
"use strict";
(() => {
  const FINE = 10;
  const numbers = (text) => text.trim().split(/\s+/).map(Number);
  const figures = [...document.querySelectorAll("figure.time")].map((node) => {
    const [left, top, right, bottom, width] = numbers(node.dataset.axes);
    const [x0, x1, y0, y1] = numbers(node.dataset.range);
    return { node, svg: node.querySelector("svg"), left, top, right, bottom, width, x0, x1, y0, y1, unit: node.dataset.unit, curves: null };
  });

  // Points of the curves by colour, in pixels, read when first needed.
  function curves(f) {
    if (!f.curves) {
      f.curves = [...f.node.querySelectorAll(".key")].map((key) => {
        const lines = f.svg.querySelectorAll(`polyline[stroke="${key.dataset.colour}"]`);
        const runs = [...lines].map((line) =>
          line.getAttribute("points").trim().split(/\s+/).map((pair) => pair.split(",").map((v) => Number(v) / FINE)));
        return { output: key.querySelector("output"), runs };
      });
    }
    return f.curves;
  }

  function heightAt(runs, x) {
    for (const run of runs) {
      if (x < run[0][0] || x > run[run.length - 1][0]) continue;
      let low = 0, high = run.length - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (run[middle][0] <= x) low = middle; else high = middle;
      }
      const [xa, ya] = run[low], [xb, yb] = run[high];
      return xb > xa ? ya + (yb - ya) * (x - xa) / (xb - xa) : ya;
    }
    return null;
  }

  function format(value, span) {
    const decimals = Math.min(9, Math.max(0, 2 - Math.floor(Math.log10(span))));
    return value.toFixed(decimals).replace("-", "\u2212");
  }

  function show(part) {
    for (const f of figures) {
      if (!f.node.offsetParent) continue;
      if (!f.cross) {
        f.cross = document.createElementNS(f.svg.namespaceURI, "line");
        f.cross.setAttribute("class", "cross");
        f.cross.setAttribute("y1", f.top * FINE);
        f.cross.setAttribute("y2", f.bottom * FINE);
        f.svg.append(f.cross);
      }
      const x = f.left + part * (f.right - f.left);
      f.cross.setAttribute("x1", x * FINE);
      f.cross.setAttribute("x2", x * FINE);
      f.cross.style.display = "";
      for (const curve of curves(f)) {
        const y = heightAt(curve.runs, x);
        const value = y === null ? null : f.y1 + (f.y0 - f.y1) * (y - f.top) / (f.bottom - f.top);
        curve.output.textContent = value === null ? "" : format(value, f.y1 - f.y0) + (f.unit ? "\u00a0" + f.unit : "");
      }
    }
  }

  function hide() {
    for (const f of figures) {
      if (f.cross) f.cross.style.display = "none";
      for (const curve of f.curves ?? []) curve.output.textContent = "";
    }
  }

  for (const f of figures) {
    f.svg.addEventListener("pointermove", (event) => {
      const box = f.svg.getBoundingClientRect();
      const x = (event.clientX - box.left) * f.width / box.width;
      const part = (x - f.left) / (f.right - f.left);
      if (part >= 0 && part <= 1) show(part); else hide();
    });
    f.svg.addEventListener("pointerleave", hide);
  }
})();
