/** Colours: bodies after Okabe and Ito, pressure after viridis; both can be told apart by all eyes. */

export const BODY_COLOURS = [0x4c9fd6, 0xe6a23c, 0x2fae8e, 0xc98bb9, 0xd9743a, 0x8fbf5a, 0x7a86c8, 0xd8c64a];
export const FIXED_COLOUR = 0xa8b0b8;
/** Of a second run. */
export const OTHER_COLOUR = 0x7a5fb0;
export const NORMAL_COLOUR = 0x12b76a;
export const TANGENTIAL_COLOUR = 0xe5383b;
export const CONTOUR_COLOUR = 0x6a1b9a;

const VIRIDIS: [number, number, number][] = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142],
  [31, 158, 137], [53, 183, 121], [109, 205, 89], [180, 222, 44], [253, 231, 37],
];

/** Colour of a part from 0 to 1, each component from 0 to 1. */
export function viridis(part: number): [number, number, number] {
  const at = Math.min(Math.max(part, 0), 1) * (VIRIDIS.length - 1);
  const k = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return [0, 1, 2].map((c) => (VIRIDIS[k][c] + (at - k) * (VIRIDIS[k + 1][c] - VIRIDIS[k][c])) / 255) as [number, number, number];
}

/** The bar of colours from low to high. */
export function viridisGradient(): string {
  return `linear-gradient(to right, ${VIRIDIS.map((c) => `rgb(${c.join(" ")})`).join(", ")})`;
}
