"use strict";
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("scene-page").textContent), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  document.getElementById("scene").srcdoc = await new Response(stream).text();
})().catch((error) => {
  const note = document.createElement("p");
  note.textContent = `The scene cannot be shown: ${error.message}`;
  document.getElementById("scene").replaceWith(note);
});
