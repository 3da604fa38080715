/** The panel that shows how a strategy is learned, with its plot. */

import { button, hasChanged, make, setAttributes, setText } from "../../widgets/dom";
import type { Words } from "../../widgets/protocol/words";
import type { Panel, PanelHost, Slot } from "./panel";

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";
const WIDTH = 300;
const HEIGHT = 178;
const LEFT = 46;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 32;
/** The lowest exploitability in the plot. Near zero, a logarithmic axis would be endless. */
const MIN_EXPLOITABILITY = 1e-12;

interface Learning {
  readonly points?: readonly (readonly [number, number])[];
  readonly iterations?: number;
  readonly exploitability?: number | null;
  readonly is_running?: boolean;
  readonly is_done?: boolean;
  readonly seconds?: number;
  readonly text?: string;
}

class LearningPanel implements Panel {
  readonly element = make("section", "dk-board-panel dk-learning", { role: "group", hidden: true });
  private readonly title = make("h3", "");
  private readonly plot = new Plot();
  private readonly statusElement = make("p", "dk-learning-status");
  private readonly runButton = button("", "", { "data-learn": "go" });
  private readonly stepButton = button("", "", { "data-learn": "step" });
  private readonly closeButton = button("", "", { "data-learn": "close" });
  /** What was announced last: whether learning runs, and the power of ten. */
  private announcedKey = "";

  constructor(private readonly host: PanelHost) {
    const buttons = make("div", "dk-panel-actions", {}, this.runButton, this.stepButton, this.closeButton);
    this.element.append(this.title, buttons, this.statusElement, this.plot.element);
    this.runButton.addEventListener("click", () => host.send({ kind: "learn", command: this.learning.is_running ? "stop" : "start" }));
    this.stepButton.addEventListener("click", () => host.send({ kind: "learn", command: "step" }));
    this.closeButton.addEventListener("click", () => {
      host.send({ kind: "learn", command: "close" });
      host.focusNode(host.getTree().getId(host.getFocus()));
    });
  }

  private get learning(): Learning {
    return this.host.get<Learning | undefined>("learning") ?? {};
  }

  paint(): void {
    const { host, learning } = this;
    const hidden = learning.text === undefined;
    const wasHidden = this.element.hidden;
    setAttributes(this.element, { hidden });
    if (hidden) {
      this.announcedKey = "";
      return;
    }
    const words = host.words();
    const summary = learning.text ?? "";
    const name = words.say("learning.title");
    setText(this.title, name);
    setAttributes(this.element, { "aria-label": name });
    if (hasChanged(this.plot.element, learning.points, words.language)) this.plot.paint(learning.points ?? [], words, summary);
    const seconds = learning.seconds
      ? ` · ${words.say("learning.seconds", { seconds: learning.seconds.toLocaleString(words.language) })}`
      : "";
    setText(this.statusElement, summary + seconds);
    setText(this.runButton, words.say(learning.is_running ? "learning.stop" : learning.iterations ? "learning.on" : "learning.start"));
    setAttributes(this.runButton, { hidden: learning.is_done });
    setAttributes(this.stepButton, { hidden: learning.is_done });
    setText(this.stepButton, words.say("learning.step"));
    setText(this.closeButton, words.say("close"));
    const power = learning.exploitability ? Math.ceil(Math.log10(learning.exploitability)) : "";
    const key = `${learning.is_running} ${learning.is_done} ${power}`;
    if (key !== this.announcedKey && learning.iterations) host.announce(summary);
    this.announcedKey = key;
    if (wasHidden) host.handleResize();
  }

  stop(): void {
    // Nothing to stop: learning runs in Python.
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

/** Return the powers of ten below and above all values. */
export function findPowers(values: readonly number[]): [number, number] {
  const logs = values.map((value) => Math.log10(Math.max(value, MIN_EXPLOITABILITY)));
  const low = Math.floor(Math.min(...logs) + 1e-9);
  const high = Math.ceil(Math.max(...logs) - 1e-9) + 0; // This avoids -0.
  return [low, Math.max(high, low + 1)];
}

/** Format a power of ten for an axis. */
export function formatPower(n: number, language: string): string {
  if (n > 4 || n < -4) return `10${String(n).replace(/[-\d]/g, (sign) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(sign)] ?? sign)}`;
  return new Intl.NumberFormat(language, { maximumFractionDigits: 4, useGrouping: false }).format(10 ** n);
}

function makeSvgElement(name: string, attributes: Readonly<Record<string, string | number>>, text = ""): SVGElement {
  const svgElement = document.createElementNS(SVG_NAMESPACE, name);
  setAttributes(svgElement, attributes);
  if (text) svgElement.textContent = text;
  return svgElement;
}

/** A plot of exploitability by iterations. Both axes are logarithmic. */
export class Plot {
  readonly element = make("div", "dk-plot");
  private readonly svg = makeSvgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });

  constructor() {
    this.element.append(this.svg);
  }

  paint(points: readonly Point[], words: Words, summary: string): void {
    const label = words.say("learning.plot", { said: summary });
    const plotPoints: readonly Point[] = points.length ? points : [[1, 1]];
    const [x0, x1] = findPowers([1, ...plotPoints.map(([n]) => n)]);
    const [y0, y1] = findPowers(plotPoints.map(([, exploitability]) => exploitability));
    const x = (n: number): number => LEFT + ((Math.log10(n) - x0) / (x1 - x0)) * (WIDTH - LEFT - RIGHT);
    const y = (exploitability: number): number =>
      TOP + ((y1 - Math.log10(Math.max(exploitability, MIN_EXPLOITABILITY))) / (y1 - y0)) * (HEIGHT - TOP - BOTTOM);
    const shapes: SVGElement[] = [];
    const tickStep = Math.ceil((y1 - y0) / 5);
    for (let n = y1; n >= y0; n -= tickStep) {
      const position = y(10 ** n);
      shapes.push(makeSvgElement("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: position, y2: position, class: "dk-plot-grid" }));
      shapes.push(
        makeSvgElement(
          "text",
          { x: LEFT - 5, y: position + 4, class: "dk-plot-tick", "text-anchor": "end" },
          formatPower(n, words.language),
        ),
      );
    }
    for (let n = x0; n <= x1; n++) {
      const position = x(10 ** n);
      const anchor = n === x1 && n > 3 ? "end" : "middle";
      shapes.push(makeSvgElement("line", { x1: position, x2: position, y1: TOP, y2: HEIGHT - BOTTOM, class: "dk-plot-grid" }));
      shapes.push(
        makeSvgElement(
          "text",
          { x: anchor === "end" ? position + RIGHT - 2 : position, y: HEIGHT - BOTTOM + 14, class: "dk-plot-tick", "text-anchor": anchor },
          formatPower(n, words.language),
        ),
      );
    }
    shapes.push(
      makeSvgElement(
        "text",
        { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 3, class: "dk-plot-axis", "text-anchor": "middle" },
        words.say("learning.x"),
      ),
    );
    if (points.length) {
      const polyline = points.map(([n, exploitability]) => `${x(n).toFixed(1)},${y(exploitability).toFixed(1)}`).join(" ");
      const [n, lastExploitability] = points[points.length - 1] as Point;
      shapes.push(makeSvgElement("polyline", { points: polyline, class: "dk-plot-line" }));
      shapes.push(makeSvgElement("circle", { cx: x(n), cy: y(lastExploitability), r: 4, class: "dk-plot-dot" }));
    }
    setAttributes(this.svg, { "aria-label": label });
    this.svg.replaceChildren(...shapes);
  }
}
