"use strict";
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("scene-page").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const page = await new Response(stream).text();
  const data = document.getElementById("scene-data");
  // By a function: a text would have its dollar signs replaced.
  document.getElementById("scene").srcdoc = page.replace(data.dataset.place, () => data.textContent);
})().catch((error) => {
  const note = document.createElement("p");
  note.textContent = `The scene cannot be shown: ${error.message}`;
  document.getElementById("scene").replaceWith(note);
});
