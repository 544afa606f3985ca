/** Header and arrays in one piece of bytes; crates/results/src/container.rs writes it and says how it is laid out. */

export type Numbers = Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

export interface Container {
  header: Record<string, any>;
  arrays: Record<string, Numbers>;
}

const KINDS = {
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

const ALIGNMENT = 8;

export class Damaged extends Error {}

/** Views of the bytes; nothing is copied. */
export function parse(bytes: ArrayBuffer): Container {
  if (bytes.byteLength < 4) throw new Damaged("the data are cut off in front of their header");
  const length = new DataView(bytes).getUint32(0, true);
  if (4 + length > bytes.byteLength) throw new Damaged("the data are cut off in their header");
  let header: Record<string, any>;
  try {
    header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  } catch (error) {
    throw new Damaged(`the header of the data cannot be read: ${(error as Error).message}`);
  }
  const first = Math.ceil((4 + length) / ALIGNMENT) * ALIGNMENT;
  const arrays: Record<string, Numbers> = {};
  for (const [name, place] of Object.entries<any>(header.arrays ?? {})) {
    const Kind = KINDS[place.kind as keyof typeof KINDS];
    if (!Kind) throw new Damaged(`array ${name} is of an unknown kind`);
    const at = first + place.at;
    if (at + place.length * Kind.BYTES_PER_ELEMENT > bytes.byteLength) throw new Damaged(`array ${name} is not whole`);
    arrays[name] = new Kind(bytes, at, place.length);
  }
  return { header, arrays };
}
