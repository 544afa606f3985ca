/** What a link to this page says: time, camera, selected body, and how two runs are compared. */

export interface Place {
  t?: number;
  cam?: string;
  sel?: string;
  cmp?: string;
}

/** The page in whose frame this one is, if it may be seen: links lead there. */
export function page(): Window {
  try {
    if (location.href === "about:srcdoc" && window.parent.location.href) return window.parent;
  } catch {
    // A page from elsewhere has its own address to itself.
  }
  return window;
}

export function read(hash: string): Place {
  const values = new URLSearchParams(hash.replace(/^#/, ""));
  const place: Place = {};
  const t = Number.parseFloat(values.get("t") ?? "");
  if (Number.isFinite(t)) place.t = t;
  if (values.has("cam")) place.cam = values.get("cam")!;
  if (values.has("sel")) place.sel = values.get("sel")!;
  if (values.has("cmp")) place.cmp = values.get("cmp")!;
  return place;
}

export function write(place: Place): string {
  const values = new URLSearchParams();
  for (const [key, value] of Object.entries(place)) {
    if (value !== undefined) values.set(key, String(value));
  }
  return `#${values.toString().replaceAll("%2C", ",")}`;
}
