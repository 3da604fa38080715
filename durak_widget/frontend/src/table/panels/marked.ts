/** How marks for explaining are drawn. */

/** The look of the sheet, which is empty till something is drawn. */
const LOOK =
  "<style>.dk-marks{position:absolute;inset:0;width:100%;height:100%;fill:none;stroke:#ff8f1f;stroke-width:6;stroke-linecap:round;stroke-linejoin:round;opacity:.85}</style>";

/** Rings and arrows where things now are, in the coordinates of the layer that they lie on. */
export function marksIn(layer: Element, marks: readonly (readonly [from: Element, to: Element])[]): string {
  const frame = layer.getBoundingClientRect();
  const drawn = marks
    .filter((both) => both.every((one) => one.isConnected))
    .map(([from, to]) => {
      const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
      const [x, y] = [a.left - frame.left, a.top - frame.top];
      if (from === to) return `<rect x="${x - 3}" y="${y - 3}" width="${a.width + 6}" height="${a.height + 6}" rx="10"/>`;
      const [p, q] = [x + a.width / 2, y + a.height / 2];
      const [r, s] = [b.left - frame.left + b.width / 2, b.top - frame.top + b.height / 2];
      const far = Math.hypot(r - p, s - q) || 1;
      const [u, v] = [((r - p) / far) * 12, ((s - q) / far) * 12];
      return `<path d="M${p} ${q}L${r - u} ${s - v}M${r - 2 * u - v} ${s - 2 * v + u}L${r} ${s}L${r - 2 * u + v} ${s - 2 * v - u}"/>`;
    });
  return LOOK + drawn.join("");
}
