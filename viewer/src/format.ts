/** Numbers for people. */

const PREFIXES: [number, string][] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

/** Four digits, with a minus sign that is one. */
export function digits(value: number, count = 4): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(count - 1) : String(Number(value.toPrecision(count)));
  return text.replaceAll("-", "\u2212");
}

/** Of an axis, where there is little room: as few digits as the number has. */
export function tick(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size < 1e5 && size >= 1e-3)) return digits(value);
  return Number(value.toPrecision(4)).toExponential().replace("e+", "e").replaceAll("-", "\u2212");
}

/** With the prefix that leaves one to three digits in front of the point. */
export function quantity(value: number, unit: string): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0 || unit === "") return `${digits(value)}${unit ? `\u00a0${unit}` : ""}`;
  const size = Math.abs(value);
  const [scale, prefix] = PREFIXES.find(([scale]) => size >= 0.9999 * scale) ?? PREFIXES[PREFIXES.length - 1];
  return `${digits(value / scale)}\u00a0${prefix}${unit}`;
}

/** The next of 1, 2 and 5 times a power of ten that is not below. */
export function roundUp(value: number): number {
  if (!(value > 0) || !Number.isFinite(value)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((m) => m * power >= value * (1 - 1e-12)) ?? 10;
  return step * power;
}

/** A time with as many decimals as its span needs. */
export function time(value: number, span: number): string {
  const decimals = Math.min(9, Math.max(0, 4 - Math.floor(Math.log10(span > 0 ? span : 1)) - 1));
  return value.toFixed(decimals).replace("-", "\u2212");
}
