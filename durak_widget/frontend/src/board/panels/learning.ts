/** The panel that shows how a strategy is learned, with its plot. */

import { button, changed, make, set, write } from "../../widgets/dom";
import type { Words } from "../../widgets/protocol/words";
import type { Host, Panel, Slot } from "./panel";

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 300;
const HIGH = 178;
const LEFT = 46;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 32;
/** Nothing is drawn lower than this: what is proved to the last bit would lie at the bottom of the world. */
const LEAST = 1e-12;

interface Learning {
  readonly points?: readonly (readonly [number, number])[];
  readonly iterations?: number;
  readonly exploitability?: number | null;
  readonly running?: boolean;
  readonly done?: boolean;
  readonly seconds?: number;
  readonly said?: string;
}

class LearningPanel implements Panel {
  readonly element = make("section", "dk-panel-of dk-learning", { role: "group", hidden: true });
  private readonly title = make("h3", "");
  private readonly plot = new Plot();
  private readonly said = make("p", "dk-learning-said");
  private readonly go = button("", "", { "data-learn": "go" });
  private readonly step = button("", "", { "data-learn": "step" });
  private readonly close = button("", "", { "data-learn": "close" });
  /** What was last told aloud: whether it runs, and to which power of ten it has come. */
  private told = "";

  constructor(private readonly host: Host) {
    const buttons = make("div", "dk-solution-asks", {}, this.go, this.step, this.close);
    this.element.append(this.title, this.plot.element, this.said, buttons);
    this.go.addEventListener("click", () => host.send({ kind: "learn", what: this.now.running ? "stop" : "start" }));
    this.step.addEventListener("click", () => host.send({ kind: "learn", what: "step" }));
    this.close.addEventListener("click", () => {
      host.send({ kind: "learn", what: "close" });
      host.go(host.shown().id(host.at()));
    });
  }

  private get now(): Learning {
    return this.host.get<Learning | undefined>("learning") ?? {};
  }

  paint(): void {
    const { host, now } = this;
    const hidden = now.said === undefined;
    const was = this.element.hidden;
    set(this.element, { hidden });
    if (hidden) {
      this.told = "";
      return;
    }
    const words = host.words();
    const said = now.said ?? "";
    const name = words.say("learning.title");
    write(this.title, name);
    set(this.element, { "aria-label": name });
    if (changed(this.plot.element, now.points, words.language)) this.plot.paint(now.points ?? [], words, said);
    const seconds = now.seconds ? ` · ${words.say("learning.seconds", { seconds: now.seconds.toLocaleString(words.language) })}` : "";
    write(this.said, said + seconds);
    write(this.go, words.say(now.running ? "learning.stop" : now.iterations ? "learning.on" : "learning.start"));
    set(this.go, { hidden: now.done });
    set(this.step, { hidden: now.done });
    write(this.step, words.say("learning.step"));
    write(this.close, words.say("close"));
    const power = now.exploitability ? Math.ceil(Math.log10(now.exploitability)) : "";
    const key = `${now.running} ${now.done} ${power}`;
    if (key !== this.told && now.iterations) host.announce(said);
    this.told = key;
    if (was) host.resized();
  }

  stop(): void {
    // nothing runs here: Python learns
  }
}

/** The panel that shows how a strategy is learned. */
export const LEARNING: Slot = {
  name: "learning",
  side: "beside",
  traits: ["learning"],
  make: (host) => new LearningPanel(host),
};

type Point = readonly [iterations: number, exploitability: number];

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

/** How exploitable the strategy still is after so many iterations; both axes are logarithmic. */
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
