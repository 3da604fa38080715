/** How exploitable a strategy still is after so many iterations, on axes that count in powers of ten. */

import { make, set } from "../../widgets/dom";
import type { Words } from "../../widgets/protocol/words";

type Point = readonly [iterations: number, exploitability: number];

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 300;
const HIGH = 178;
const LEFT = 46;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 32;
/** Nothing is drawn lower than this: what is proved to the last bit would lie at the bottom of the world. */
const LEAST = 1e-12;

/** The power of ten below and above all of these. */
export function powers(all: readonly number[]): [number, number] {
  const logs = all.map((one) => Math.log10(Math.max(one, LEAST)));
  const low = Math.floor(Math.min(...logs) + 1e-9);
  const high = Math.ceil(Math.max(...logs) - 1e-9) + 0; // and no -0
  return [low, Math.max(high, low + 1)];
}

/** A power of ten as it stands at an axis. */
export function power(n: number, language: string): string {
  if (n > 4 || n < -4) return `10${String(n).replace(/[-\d]/g, (sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)] ?? sign)}`;
  return new Intl.NumberFormat(language, { maximumFractionDigits: 4, useGrouping: false }).format(10 ** n);
}

function element(name: string, attributes: Readonly<Record<string, string | number>>, text = ""): SVGElement {
  const made = document.createElementNS(SVG, name);
  set(made, attributes);
  if (text) made.textContent = text;
  return made;
}

export class Plot {
  readonly element = make("div", "dk-plot");
  private readonly svg = element("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });

  constructor() {
    this.element.append(this.svg);
  }

  paint(points: readonly Point[], words: Words, said: string): void {
    const label = words.say("learning.plot", { said });
    const shown: readonly Point[] = points.length ? points : [[1, 1]];
    const [x0, x1] = powers([1, ...shown.map(([n]) => n)]);
    const [y0, y1] = powers(shown.map(([, lost]) => lost));
    const x = (n: number): number => LEFT + ((Math.log10(n) - x0) / (x1 - x0)) * (WIDE - LEFT - RIGHT);
    const y = (lost: number): number => TOP + ((y1 - Math.log10(Math.max(lost, LEAST))) / (y1 - y0)) * (HIGH - TOP - BOTTOM);
    const parts: SVGElement[] = [];
    const every = Math.ceil((y1 - y0) / 5);
    for (let n = y1; n >= y0; n -= every) {
      const at = y(10 ** n);
      parts.push(element("line", { x1: LEFT, x2: WIDE - RIGHT, y1: at, y2: at, class: "dk-plot-grid" }));
      parts.push(element("text", { x: LEFT - 5, y: at + 4, class: "dk-plot-tick", "text-anchor": "end" }, power(n, words.language)));
    }
    for (let n = x0; n <= x1; n++) {
      const at = x(10 ** n);
      const anchor = n === x1 && n > 3 ? "end" : "middle";
      parts.push(element("line", { x1: at, x2: at, y1: TOP, y2: HIGH - BOTTOM, class: "dk-plot-grid" }));
      parts.push(
        element(
          "text",
          { x: anchor === "end" ? at + RIGHT - 2 : at, y: HIGH - BOTTOM + 14, class: "dk-plot-tick", "text-anchor": anchor },
          power(n, words.language),
        ),
      );
    }
    parts.push(
      element(
        "text",
        { x: (LEFT + WIDE - RIGHT) / 2, y: HIGH - 3, class: "dk-plot-axis", "text-anchor": "middle" },
        words.say("learning.x"),
      ),
    );
    if (points.length) {
      const line = points.map(([n, lost]) => `${x(n).toFixed(1)},${y(lost).toFixed(1)}`).join(" ");
      const [n, lost] = points[points.length - 1] as Point;
      parts.push(element("polyline", { points: line, class: "dk-plot-line" }));
      parts.push(element("circle", { cx: x(n), cy: y(lost), r: 4, class: "dk-plot-dot" }));
    }
    set(this.svg, { "aria-label": label });
    this.svg.replaceChildren(...parts);
  }
}
