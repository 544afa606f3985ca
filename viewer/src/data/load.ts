/** Where the data come from: elements of the page, or the server that the page came from. */

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

/** What stands in the place of the data, if it was filled; it is not kept. */
function take(id: string): string {
  const place = document.getElementById(id);
  const text = place?.textContent?.trim() ?? "";
  place?.remove();
  return text.startsWith("@") ? "" : text;
}

async function ask(file: string): Promise<Container> {
  if (!location.protocol.startsWith("http")) throw new Damaged("this page has no run in it; carom view RUN --html FILE writes one that has");
  return parse(await unzip(new Uint8Array(await answered(file))));
}

/** What the server has, which is not packed: between two programs of one machine that would cost more than it saves. */
export async function fetched(file: string): Promise<Container> {
  return parse(await answered(file));
}

async function answered(file: string): Promise<ArrayBuffer> {
  const answer = await fetch(file);
  if (!answer.ok) throw new Damaged(`the run could not be fetched: ${await answer.text()}`);
  return answer.arrayBuffer();
}

export async function load(): Promise<Container> {
  const text = take("run");
  return text === "" ? ask("run.bin") : parse(await unzip(decode(text)));
}

/** Of the run that it is compared with; none if there is no such. */
export async function loadOther(): Promise<Container | null> {
  const text = take("other");
  if (text === "") return null;
  return text === "served" ? ask("other.bin") : parse(await unzip(decode(text)));
}
