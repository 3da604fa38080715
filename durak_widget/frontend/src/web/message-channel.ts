/** The wire between the page and Python in its worker: messages as JSON, with what is binary beside them. */

/** What is said to somebody, or about them. */
export interface Said {
  readonly kind: string;
  readonly id?: string;
  readonly [name: string]: unknown;
}

/** A message as it travels. */
export interface Packed {
  readonly text: string;
  readonly buffers: readonly ArrayBuffer[];
}

type Path = readonly (string | number)[];

/** Take out what is binary, and note where it was. */
export function packed(said: Said): Packed {
  const paths: Path[] = [];
  const buffers: ArrayBuffer[] = [];
  const plain = (value: unknown, path: Path): unknown => {
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
      paths.push(path);
      buffers.push(bytes(value));
      return null;
    }
    if (Array.isArray(value)) return value.map((one, at) => plain(one, [...path, at]));
    if (value && typeof value === "object")
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, [...path, name])]));
    return value;
  };
  const told = plain(said, []) as object;
  return { text: JSON.stringify(paths.length ? { ...told, paths } : told), buffers };
}

/** Put what is binary where it belongs: as views of bytes, like a notebook's. A path leads only through what the message itself has. */
export function unpacked({ text, buffers }: Packed): Said {
  const { paths = [], ...said } = JSON.parse(text) as Said & { paths?: readonly Path[] };
  paths.forEach((path, at) => {
    let place = said as Record<string | number, unknown>;
    path.forEach((step, depth) => {
      if (!Object.hasOwn(Object(place), step)) throw new RangeError(`The message has no ${path.join(".")}`);
      if (depth < path.length - 1) place = place[step] as Record<string | number, unknown>;
      else place[step] = new DataView(buffers[at] as ArrayBuffer);
    });
  });
  return said;
}

function bytes(value: ArrayBuffer | ArrayBufferView): ArrayBuffer {
  const view = value instanceof ArrayBuffer ? new Uint8Array(value) : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return view.slice().buffer;
}
