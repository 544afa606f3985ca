/** Where the data come from: an element of the page, or the server that the page came from. */

import { Damaged, parse, type Container } from "./container";

async function unzip(packed: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  try {
    return await new Response(stream).arrayBuffer();
  } catch {
    throw new Damaged("the data cannot be unpacked: they are cut off, or were changed");
  }
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    throw new Damaged("the data of this page are no base64 text");
  }
}

export async function load(): Promise<Container> {
  const element = document.getElementById("run");
  const text = element?.textContent?.trim() ?? "";
  element?.remove();
  if (text !== "" && !text.startsWith("@")) return parse(await unzip(decode(text)));
  if (!location.protocol.startsWith("http")) throw new Damaged("this page has no run in it; carom view RUN --html FILE writes one that has");
  const answer = await fetch("run.bin");
  if (!answer.ok) throw new Damaged(`the run could not be fetched: ${await answer.text()}`);
  return parse(await unzip(new Uint8Array(await answer.arrayBuffer())));
}
