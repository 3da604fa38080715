/** The path of logit equilibria of a tree: a plot of probabilities, and a slider that moves the shown point. */

import { button, hasChanged, make, setAttributes, setText } from "../../widgets/dom";
import type { Panel, PanelHost, Slot } from "./panel";
import { PacedSender } from "./probability-controls";

interface PathData {
  /** The position of each point from 0 to 1, and its λ. */
  readonly x?: readonly number[];
  readonly rationality: readonly string[];
  readonly ticks: readonly (readonly [x: number, text: string])[];
  /** By infoset: for each action, its probability at each point. */
  readonly infosets: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly bifurcations: readonly number[];
  readonly sentences: readonly string[];
}

interface Line {
  readonly label: string;
  readonly seat: number;
  readonly dash: string;
  readonly probabilities: readonly number[];
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [300, 150, 24, 8, 8, 20] as const;
const DASHES = ["", "7 4", "2 3", "9 3 2 3"];
/** How many lines can be distinguished. */
const MAX_LINES = 8;
/** The slider is aligned with the plot. It has this many steps. */
const SLIDER_STEPS = 1000;
/** Arrow keys move by points. */
const KEY_STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

const makeSvg = (name: string, attributes: Readonly<Record<string, string | number>>, text = ""): SVGElement => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAttributes(element, attributes);
  if (text) element.textContent = text;
  return element;
};
const toX = (x: number): number => LEFT + x * (WIDTH - LEFT - RIGHT);
const toY = (probability: number): number => HEIGHT - BOTTOM - probability * (HEIGHT - TOP - BOTTOM);

class PathPanel implements Panel {
  readonly element = make("section", "dk-board-panel dk-logit-path", { role: "group", hidden: true });
  private readonly title = make("h3", "");
  private readonly aboutElement = make("p", "dk-logit-description");
  private readonly plot = makeSvg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  private readonly slider = make("input", "dk-board-slider", { type: "range", min: 0, max: SLIDER_STEPS, step: 1 });
  private readonly lambdaElement = make("b", "dk-logit-lambda", { "aria-hidden": "true" });
  private readonly lineList = make("ul", "dk-logit-legend");
  private readonly textElement = make("div", "dk-logit-text");
  private readonly closeButton = button("", "");
  private readonly sender: PacedSender;
  private x: readonly number[] = [];
  /** The point that was requested last. */
  private requestedPoint = 0;

  constructor(private readonly host: PanelHost) {
    this.sender = new PacedSender(host);
    this.element.append(
      this.title,
      this.aboutElement,
      make("div", "dk-plot", {}, this.plot),
      this.slider,
      this.lambdaElement,
      this.lineList,
      this.textElement,
      make("div", "dk-panel-actions", {}, this.closeButton),
    );
    this.slider.addEventListener("input", () =>
      this.request(findNearest(this.x, this.slider.valueAsNumber / SLIDER_STEPS, this.requestedPoint)),
    );
    this.slider.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const step = KEY_STEPS[event.key];
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.request(Math.max(0, Math.min(this.requestedPoint + step, this.x.length - 1)));
    });
    this.closeButton.addEventListener("click", () => {
      host.send({ kind: "show_path", on: false });
      host.focusNode(host.getTree().getId(host.getFocus()));
    });
  }

  private request(point: number): void {
    this.requestedPoint = point;
    this.sender.ask({ kind: "go_to_path_point", index: point });
  }

  paint(): void {
    const { host } = this;
    const path = host.get<PathData | undefined>("path_view");
    const { path_index: step = null } = host.get<{ path_index?: number | null } | undefined>("solver_state") ?? {};
    const wasHidden = this.element.hidden;
    setAttributes(this.element, { hidden: !path?.x });
    if (wasHidden === Boolean(path?.x)) host.handleResize();
    if (!path?.x) return;
    this.x = path.x;
    if (hasChanged(this.slider, step, host.solution().probabilities)) this.sender.handleAnswer();
    const words = host.words();
    const lastPoint = path.x.length - 1;
    const point = step ?? lastPoint;
    const lambda = path.rationality[point] ?? "";
    const name = words.say("tree.path");
    setText(this.title, name);
    setText(this.aboutElement, words.say("path.about"));
    setText(this.closeButton, words.say("close"));
    setText(this.lambdaElement, `λ = ${lambda}`);
    setAttributes(this.element, { "aria-label": name });
    setAttributes(this.slider, { "aria-label": words.say("path.slider"), "aria-valuetext": `λ = ${lambda}` });
    const position = path.x[point] ?? 1;
    if (!this.sender.isBusy) {
      this.requestedPoint = point;
      this.slider.value = String(Math.round(position * SLIDER_STEPS));
      this.slider.style.setProperty("--dk-weight", `${position * 100}%`);
    }
    const lines = this.chooseLines(path);
    if (hasChanged(this.textElement, path.sentences))
      this.textElement.replaceChildren(...path.sentences.map((line) => make("p", "", {}, line)));
    if (!hasChanged(this.plot, path, lines, point, words.language)) return;
    this.drawPlot(path, path.x, lines, point);
    setAttributes(this.plot, {
      "aria-label": words.say("path.plot", { low: path.rationality[0] ?? "", high: path.rationality[lastPoint] ?? "" }),
    });
    this.lineList.replaceChildren(
      ...lines.map(({ label, seat, dash, probabilities }) => {
        const sample = makeSvg("svg", { viewBox: "0 0 24 8", "aria-hidden": "true" });
        sample.append(makeSvg("path", { d: "M1 4h22", class: "dk-logit-line", "data-seat": seat, "stroke-dasharray": dash }));
        return make(
          "li",
          "",
          {},
          sample,
          make("span", "", {}, label),
          make("b", "", {}, this.formatProbability(probabilities[point] ?? 0)),
        );
      }),
    );
  }

  private formatProbability(probability: number): string {
    return probability.toLocaleString(this.host.words().language, { maximumFractionDigits: 2 });
  }

  /** Return the actions of the focused infoset, or the first action of each infoset. */
  private chooseLines({ infosets: sets }: PathData): Line[] {
    const tree = this.host.getTree();
    const { drawing } = tree;
    const focus = this.host.getFocus();
    const ownInfoset = tree.getActor(focus) >= 0 ? sets[tree.getInfoset(focus)] : undefined;
    const actors = new Map<string, number>();
    for (let i = 0; i < tree.count; i++) if (tree.getActor(i) >= 0) actors.set(tree.getInfoset(i), tree.getActor(i));
    const makeLine = (infoset: string, probabilities: readonly number[], move: number, dash: number, prefix = ""): Line => ({
      label: prefix + (drawing.infosets[infoset]?.moves[move]?.text ?? ""),
      seat: (actors.get(infoset) ?? 0) % 6,
      dash: DASHES[dash % DASHES.length] ?? "",
      probabilities,
    });
    if (ownInfoset)
      return ownInfoset.slice(0, MAX_LINES).map((probabilities, move) => makeLine(tree.getInfoset(focus), probabilities, move, move));
    const lineCounts = new Map<number, number>();
    return Object.entries(sets)
      .slice(0, MAX_LINES)
      .flatMap(([infoset, [probabilities]]) => {
        const seat = actors.get(infoset) ?? 0;
        const dash = lineCounts.get(seat) ?? 0;
        lineCounts.set(seat, dash + 1);
        const knowledge = drawing.infosets[infoset]?.label;
        return probabilities ? [makeLine(infoset, probabilities, 0, dash, knowledge ? `${knowledge}: ` : "")] : [];
      });
  }

  private drawPlot({ ticks, bifurcations: forks }: PathData, x: readonly number[], lines: readonly Line[], point: number): void {
    const grid = [0, 0.5, 1].flatMap((probability) => [
      makeSvg("path", { d: `M${LEFT} ${toY(probability)}H${WIDTH - RIGHT}`, class: "dk-plot-grid" }),
      makeSvg(
        "text",
        { x: LEFT - 4, y: toY(probability) + 4, class: "dk-plot-tick", "text-anchor": "end" },
        this.formatProbability(probability),
      ),
    ]);
    const axis = ticks.map(([where, label]) =>
      makeSvg("text", { x: toX(where), y: HEIGHT - 5, class: "dk-plot-tick", "text-anchor": "middle" }, where ? label : `λ = ${label}`),
    );
    const makeVertical = (where: number, kind: string): SVGElement =>
      makeSvg("path", { d: `M${toX(where)} ${TOP}V${HEIGHT - BOTTOM}`, class: kind });
    this.plot.replaceChildren(
      ...grid,
      ...axis,
      ...forks.map((where) => makeVertical(where, "dk-logit-fork")),
      makeVertical(x[point] ?? 1, "dk-logit-position"),
      ...lines.map(({ seat, dash, probabilities }) =>
        makeSvg("polyline", {
          points: x.map((where, i) => `${toX(where).toFixed(1)},${toY(probabilities[i] ?? 0).toFixed(1)}`).join(" "),
          class: "dk-logit-line",
          "data-seat": seat,
          "stroke-dasharray": dash,
        }),
      ),
      ...lines.map(({ seat, probabilities }) =>
        makeSvg("circle", { cx: toX(x[point] ?? 1), cy: toY(probabilities[point] ?? 0), r: 3.5, class: "dk-logit-dot", "data-seat": seat }),
      ),
    );
  }

  stop(): void {
    this.sender.stop();
  }
}

/** Return the point nearest to a position. If the path turns back, prefer the one nearest to the current point. */
function findNearest(x: readonly number[], position: number, current: number): number {
  const distance = (i: number): number => Math.abs((x[i] ?? 0) - position) + Math.abs(i - current) * 1e-6;
  return x.reduce((best, _, i) => (distance(i) < distance(best) ? i : best), 0);
}

export const PATH: Slot = { name: "path", side: "beside", traits: ["path_view", "solver_state"], make: (host) => new PathPanel(host) };
