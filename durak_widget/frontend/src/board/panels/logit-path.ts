/** The path of logit equilibria beside a tree: how likely each move is along it, as a plot, and a slider that moves what is drawn on the branches. */

import { button, changed, make, set, write } from "../../widgets/dom";
import type { Host, Panel, Slot } from "./panel";
import { Setting } from "./probability-controls";

interface Path {
  /** Where each point lies, from 0 to 1, and its λ. */
  readonly x?: readonly number[];
  readonly rational: readonly string[];
  readonly ticks: readonly (readonly [x: number, said: string])[];
  /** By information set: of each move, how likely it is at each point. */
  readonly sets: Readonly<Record<string, readonly (readonly number[])[]>>;
  readonly forks: readonly number[];
  readonly said: readonly string[];
}

interface Line {
  readonly said: string;
  readonly seat: number;
  readonly dash: string;
  readonly likely: readonly number[];
}

const [WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM] = [300, 150, 24, 8, 8, 20] as const;
const DASHES = ["", "7 4", "2 3", "9 3 2 3"];
/** So many lines can be told apart. */
const MOST = 8;
/** The slider lies under the plot, and its knob under the point that is shown: so many steps from end to end. */
const FINE = 1000;
/** Arrows go from point to point. */
const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

const svg = (name: string, attributes: Readonly<Record<string, string | number>>, text = ""): SVGElement => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(made, attributes);
  if (text) made.textContent = text;
  return made;
};
const across = (x: number): number => LEFT + x * (WIDE - LEFT - RIGHT);
const up = (likely: number): number => HIGH - BOTTOM - likely * (HIGH - TOP - BOTTOM);

class PathPanel implements Panel {
  readonly element = make("section", "dk-panel-of dk-path", { role: "group", hidden: true });
  private readonly title = make("h3", "");
  private readonly about = make("p", "dk-path-about");
  private readonly plot = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });
  private readonly slider = make("input", "dk-slide", { type: "range", min: 0, max: FINE, step: 1 });
  private readonly now = make("b", "dk-path-now", { "aria-hidden": "true" });
  private readonly lines = make("ul", "dk-path-lines");
  private readonly said = make("div", "dk-path-said");
  private readonly close = button("", "");
  private readonly setting: Setting;
  private x: readonly number[] = [];
  /** The point that was asked for last. */
  private asked = 0;

  constructor(private readonly host: Host) {
    this.setting = new Setting(host);
    this.element.append(
      this.title,
      this.about,
      make("div", "dk-plot", {}, this.plot),
      this.slider,
      this.now,
      this.lines,
      this.said,
      make("div", "dk-solution-asks", {}, this.close),
    );
    this.slider.addEventListener("input", () => this.ask(nearest(this.x, this.slider.valueAsNumber / FINE, this.asked)));
    this.slider.addEventListener("keydown", (event) => {
      event.stopPropagation();
      const by = STEPS[event.key];
      if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.ask(Math.max(0, Math.min(this.asked + by, this.x.length - 1)));
    });
    this.close.addEventListener("click", () => {
      host.send({ kind: "path", on: false });
      host.go(host.shown().id(host.at()));
    });
  }

  private ask(to: number): void {
    this.asked = to;
    this.setting.ask({ kind: "rational", to });
  }

  paint(): void {
    const { host } = this;
    const path = host.get<Path | undefined>("path");
    const { step = null } = host.get<{ step?: number | null } | undefined>("solving") ?? {};
    const was = this.element.hidden;
    set(this.element, { hidden: !path?.x });
    if (was === Boolean(path?.x)) host.resized();
    if (!path?.x) return;
    this.x = path.x;
    if (changed(this.slider, step, host.solution().likely)) this.setting.answered();
    const words = host.words();
    const ends = path.x.length - 1;
    const at = step ?? ends;
    const rational = path.rational[at] ?? "";
    const name = words.say("tree.path");
    write(this.title, name);
    write(this.about, words.say("path.about"));
    write(this.close, words.say("close"));
    write(this.now, `λ = ${rational}`);
    set(this.element, { "aria-label": name });
    set(this.slider, { "aria-label": words.say("path.slider"), "aria-valuetext": `λ = ${rational}` });
    const where = path.x[at] ?? 1;
    if (!this.setting.busy) {
      this.asked = at;
      this.slider.value = String(Math.round(where * FINE));
      this.slider.style.setProperty("--dk-weight", `${where * 100}%`);
    }
    const lines = this.chosen(path);
    if (changed(this.said, path.said)) this.said.replaceChildren(...path.said.map((line) => make("p", "", {}, line)));
    if (!changed(this.plot, path, lines, at, words.language)) return;
    this.draw(path, path.x, lines, at);
    set(this.plot, { "aria-label": words.say("path.plot", { low: path.rational[0] ?? "", high: path.rational[ends] ?? "" }) });
    this.lines.replaceChildren(
      ...lines.map(({ said, seat, dash, likely }) => {
        const sample = svg("svg", { viewBox: "0 0 24 8", "aria-hidden": "true" });
        sample.append(svg("path", { d: "M1 4h22", class: "dk-path-line", "data-seat": seat, "stroke-dasharray": dash }));
        return make("li", "", {}, sample, make("span", "", {}, said), make("b", "", {}, this.number(likely[at] ?? 0)));
      }),
    );
  }

  private number(likely: number): string {
    return likely.toLocaleString(this.host.words().language, { maximumFractionDigits: 2 });
  }

  /** The moves of the information set that is looked at; elsewhere the first move of each. */
  private chosen({ sets }: Path): Line[] {
    const shown = this.host.shown();
    const { drawing } = shown;
    const at = this.host.at();
    const here = shown.actor(at) >= 0 ? sets[shown.info(at)] : undefined;
    const seats = new Map<string, number>();
    for (let i = 0; i < shown.count; i++) if (shown.actor(i) >= 0) seats.set(shown.info(i), shown.actor(i));
    const line = (place: string, likely: readonly number[], move: number, dash: number, named = ""): Line => ({
      said: named + (drawing.sets[place]?.moves[move]?.said ?? ""),
      seat: (seats.get(place) ?? 0) % 6,
      dash: DASHES[dash % DASHES.length] ?? "",
      likely,
    });
    if (here) return here.slice(0, MOST).map((likely, move) => line(shown.info(at), likely, move, move));
    const many = new Map<number, number>();
    return Object.entries(sets)
      .slice(0, MOST)
      .flatMap(([place, [likely]]) => {
        const seat = seats.get(place) ?? 0;
        const dash = many.get(seat) ?? 0;
        many.set(seat, dash + 1);
        const knows = drawing.sets[place]?.said;
        return likely ? [line(place, likely, 0, dash, knows ? `${knows}: ` : "")] : [];
      });
  }

  private draw({ ticks, forks }: Path, x: readonly number[], lines: readonly Line[], at: number): void {
    const grid = [0, 0.5, 1].flatMap((likely) => [
      svg("path", { d: `M${LEFT} ${up(likely)}H${WIDE - RIGHT}`, class: "dk-plot-grid" }),
      svg("text", { x: LEFT - 4, y: up(likely) + 4, class: "dk-plot-tick", "text-anchor": "end" }, this.number(likely)),
    ]);
    const axis = ticks.map(([where, said]) =>
      svg("text", { x: across(where), y: HIGH - 5, class: "dk-plot-tick", "text-anchor": "middle" }, where ? said : `λ = ${said}`),
    );
    const upright = (where: number, kind: string): SVGElement =>
      svg("path", { d: `M${across(where)} ${TOP}V${HIGH - BOTTOM}`, class: kind });
    this.plot.replaceChildren(
      ...grid,
      ...axis,
      ...forks.map((where) => upright(where, "dk-path-fork")),
      upright(x[at] ?? 1, "dk-path-at"),
      ...lines.map(({ seat, dash, likely }) =>
        svg("polyline", {
          points: x.map((where, i) => `${across(where).toFixed(1)},${up(likely[i] ?? 0).toFixed(1)}`).join(" "),
          class: "dk-path-line",
          "data-seat": seat,
          "stroke-dasharray": dash,
        }),
      ),
      ...lines.map(({ seat, likely }) =>
        svg("circle", { cx: across(x[at] ?? 1), cy: up(likely[at] ?? 0), r: 3.5, class: "dk-path-dot", "data-seat": seat }),
      ),
    );
  }

  stop(): void {
    this.setting.stop();
  }
}

/** The point that lies nearest to a place on the plot; where the path turns back, of several the one next to where one is. */
function nearest(x: readonly number[], where: number, at: number): number {
  const far = (i: number): number => Math.abs((x[i] ?? 0) - where) + Math.abs(i - at) * 1e-6;
  return x.reduce((best, _, i) => (far(i) < far(best) ? i : best), 0);
}

export const PATH: Slot = { name: "path", side: "beside", traits: ["path", "solving"], make: (host) => new PathPanel(host) };
