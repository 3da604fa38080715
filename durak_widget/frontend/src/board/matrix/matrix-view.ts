/** Shows a matrix, alone in a notebook or as a panel beside a tree. */

import { button, changed, make, set, write } from "../../widgets/dom";
import type { Words } from "../../widgets/protocol/words";
import { dressBoard, watchTheme } from "../../widgets/theme";
import type { Door } from "../../widgets/widget-host";
import type { Host, Panel, Slot } from "../panels/panel";
import type { Found, MatrixMessage, MatrixTask, Told } from "../protocol/matrix";
import { Grid } from "./matrix-grid";

/** What a matrix needs of the page that it stands on. */
export interface Ground {
  readonly signal: AbortSignal;
  /** It stands beside a tree. */
  readonly tree: boolean;
  told(): Told | undefined;
  task(): MatrixTask;
  words(): Words;
  send(message: MatrixMessage): void;
  announce(said: string): void;
}

type Tool = "marks" | "strike" | "unstrike" | "equilibria" | "pairs";

/** A matrix with its solution and its tools. */
export class MatrixView {
  private readonly tools: Readonly<Record<Tool, HTMLButtonElement>> = {
    marks: button("dk-tool", ""),
    strike: button("dk-tool", ""),
    unstrike: button("dk-tool", ""),
    equilibria: button("dk-tool", ""),
    pairs: button("dk-tool", ""),
  };
  private readonly bar = make("div", "dk-matrix-tools", { role: "group" });
  private readonly grid: Grid;
  private readonly legend = make("p", "dk-matrix-legend");
  private readonly said = make("p", "dk-matrix-said");
  private readonly steps = make("ol", "dk-matrix-steps");
  private readonly found = make("div", "dk-matrix-found");
  readonly element = make("div", "dk-matrix");
  /** What is read aloud when Python has answered. */
  private asked: "step" | "cell" | undefined;
  private refused = "";

  constructor(private readonly ground: Ground) {
    const { signal } = ground;
    this.grid = new Grid(
      {
        cell: (row, column) => this.choose(row, column),
        head: (seat, place) => this.strike(seat, place),
        payoff: (seat, row, column) => this.send({ kind: "give", seat, row, column }),
        fill: (row, column, text) => this.send({ kind: "give", row, column, text }),
        stand: (row, column) => this.stand(row, column),
        leave: () => this.ground.told()?.selected && this.send({ kind: "cell", row: null, column: null }),
      },
      signal,
    );
    this.bar.append(...Object.values(this.tools));
    this.element.append(this.bar, this.grid.element, this.legend, this.said, this.steps, this.found);
    const { marks, strike, unstrike, equilibria, pairs } = this.tools;
    const on = (tool: HTMLButtonElement, run: (told: Told) => void): void =>
      tool.addEventListener(
        "click",
        () => {
          const told = this.ground.told();
          if (told && tool.getAttribute("aria-disabled") !== "true") run(told);
        },
        { signal },
      );
    on(marks, (told) => this.send({ kind: "marks", on: !told.marks }));
    on(pairs, (told) => this.send({ kind: "pairs", on: !told.pairs }));
    on(equilibria, (told) => this.send({ kind: "equilibria", on: !told.found }));
    on(unstrike, () => this.send({ kind: "unstrike" }));
    on(strike, () => {
      this.asked = "step";
      this.send({ kind: "strike" });
    });
    this.found.addEventListener("click", (event) => this.mix(event.target as Element), { signal });
  }

  private send(message: MatrixMessage): void {
    this.refused = "";
    this.ground.send(message);
  }

  /** Say why something could not be done, until something else is. */
  tell(said: string): void {
    this.refused = said;
    this.paint();
    this.ground.announce(said);
  }

  private choose(row: number, column: number): void {
    const selected = this.ground.told()?.selected;
    this.asked = "cell";
    if (selected?.[0] === row && selected[1] === column) this.send({ kind: "cell", row: null, column: null });
    else this.send({ kind: "cell", row, column });
  }

  /** Where cells are filled in, the one that one has come to is selected: on the tree above its way is lit, once it may be. */
  private stand(row: number, column: number): void {
    const selected = this.ground.told()?.selected;
    if (this.ground.task().asks === "fill" && (selected?.[0] !== row || selected[1] !== column))
      this.ground.send({ kind: "cell", row, column });
  }

  /** A head was clicked: strike its plan out, or take that back if it was the last. */
  private strike(seat: number, place: number): void {
    if (this.ground.task().asks === "strike") return this.send({ kind: "give", seat, place });
    const last = this.ground.told()?.struck.at(-1);
    if (last?.[0] === seat && last[1] === place) return this.send({ kind: "unstrike" });
    this.asked = "step";
    this.send({ kind: "strike", seat, place });
  }

  private mix(target: Element): void {
    const at = target.closest<HTMLElement>("button[data-at]")?.dataset.at;
    if (at !== undefined) this.send({ kind: "mix", place: this.ground.told()?.found?.at === Number(at) ? null : Number(at) });
  }

  paint(): void {
    const told = this.ground.told();
    set(this.element, { hidden: !told });
    if (!told) return;
    const task = this.ground.task();
    const words = this.ground.words();
    set(this.element, { "data-asks": task.asks });
    this.paintTools(told, task, words);
    this.grid.paint(told, task, words);
    this.paintLegend(told, task, words);
    const how = this.ground.tree ? words.say("matrix.how.tree") : words.say("matrix.how");
    const ask = task.asks === "fill" ? words.say("matrix.fill") : task.asks === "strike" ? words.say("matrix.ask.strike") : "";
    const line = this.refused || (task.cells?.[String(told.selected)] ? "" : told.said);
    const best = words.say(task.whole ? "matrix.ask.cells" : "matrix.ask.best");
    write(this.said, line || ask || (task.asks === "best" ? best : how));
    set(this.said, { "data-quiet": !line, "data-refused": Boolean(this.refused) });
    if (changed(this.steps, told.steps)) this.steps.replaceChildren(...told.steps.map((step) => make("li", "", {}, step)));
    this.paintFound(told.found, words);
    const spoken = this.asked === "step" ? told.steps.at(-1) : this.asked === "cell" ? told.said : "";
    this.asked = undefined;
    if (spoken) this.ground.announce(spoken);
  }

  private paintTools(told: Told, task: MatrixTask, words: Words): void {
    const { marks, strike, unstrike, equilibria, pairs } = this.tools;
    set(this.bar, { hidden: task.asks !== undefined, "aria-label": words.say("matrix") });
    const put = (tool: HTMLButtonElement, said: string, on?: boolean, may = true): void => {
      write(tool, said);
      set(tool, { "aria-pressed": on === undefined ? undefined : String(on), "aria-disabled": may ? undefined : "true" });
    };
    put(marks, words.say("matrix.marks"), told.marks);
    put(strike, words.say("matrix.strike"), undefined, told.may.strike);
    put(unstrike, words.say("matrix.undo"), undefined, told.may.undo);
    put(equilibria, words.say("matrix.equilibria"), told.found !== null);
    put(pairs, words.say("matrix.pairs"), told.pairs);
    set(pairs, { hidden: !told.zero });
  }

  /** What the marks mean; and whose payoffs are shown where they are one's alone. */
  private paintLegend(told: Told, task: MatrixTask, words: Words): void {
    const { names, marks, pairs, reduced } = told;
    if (!changed(this.legend, names, marks, pairs, task.asks, reduced, words.language)) return;
    const sign = (seat: number, said: string): Node => {
      const drawn = make("span", "dk-matrix-sign", { "data-best": seat + 1, "data-pairs": pairs, "aria-hidden": "true" }, "1");
      return make("span", "dk-matrix-key", {}, drawn, make("span", "", {}, said));
    };
    const signs = marks
      ? [...names.map((name, seat) => sign(seat, words.say("matrix.best", { name }))), sign(2, words.say("matrix.ring"))]
      : [];
    const whose = pairs || task.asks === "best" ? [] : [make("span", "dk-matrix-whose", {}, words.say("matrix.wins", { name: names[0] }))];
    const once = reduced && !task.asks ? [make("span", "dk-matrix-whose", {}, reduced)] : [];
    this.legend.replaceChildren(...whose, ...signs, ...once);
  }

  private paintFound(found: Found | null, words: Words): void {
    set(this.found, { hidden: !found });
    if (!found || !changed(this.found, found, words.language)) return;
    const lines = found.list.map((said, at) =>
      make(
        "li",
        "",
        {},
        button("dk-matrix-one", found.list.length > 1 ? `${at + 1}. ${said}` : said, {
          "data-at": at,
          "aria-pressed": String(found.at === at),
        }),
      ),
    );
    const had = (this.found.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement | null;
    const at = had && this.found.contains(had) ? had.dataset.at : undefined;
    const groups = found.together.map((group) =>
      make("p", "", {}, words.say("matrix.together", { places: group.map((one) => one + 1).join(", ") })),
    );
    const none = found.list.length ? [] : [make("p", "", {}, words.say("matrix.none"))];
    this.found.replaceChildren(...none, make("ul", "", {}, ...lines), ...groups, ...found.note.map((note) => make("p", "", {}, note)));
    if (at !== undefined) this.found.querySelector<HTMLElement>(`[data-at="${at}"]`)?.focus();
  }
}

/** A matrix alone in a notebook. */
export class MatrixPage {
  readonly root = make("section", "dk dk-board dk-matrix-page", { role: "group" });
  private readonly stopped = new AbortController();
  private readonly status = make("div", "dk-live", { role: "status" });
  private readonly view: MatrixView;
  private dead = false;

  constructor(private readonly door: Door) {
    this.view = new MatrixView({
      signal: this.stopped.signal,
      tree: false,
      told: () => door.get<Told | undefined>("matrix"),
      task: () => door.get<MatrixTask | undefined>("task") ?? {},
      words: () => door.words,
      send: (message) => door.send(message),
      announce: (said) => this.announce(said),
    });
    this.root.append(this.view.element, this.status);
    watchTheme(this.root, () => this.dress(), this.stopped.signal);
  }

  begin(place: HTMLElement): void {
    this.dress();
    place.append(this.root);
    this.paint();
  }

  paint(): void {
    const { words } = this.door;
    set(this.root, { lang: words.language, "aria-label": words.say("matrix") });
    this.view.paint();
  }

  dress(): void {
    dressBoard(this.root, this.door.get<string | undefined>("theme"));
  }

  /** Python could not do what was asked, or is not there: say so, and leave everything as it is. */
  tell(said: string): void {
    this.view.tell(said);
  }

  private announce(said: string): void {
    this.status.replaceChildren(make("p", "", {}, said));
  }

  live(alive: boolean): void {
    if (this.dead === !alive) return;
    this.dead = !alive;
    set(this.root, { "data-dead": this.dead });
    this.tell(alive ? "" : this.door.words.say("matrix.gone"));
  }

  stop(): void {
    this.stopped.abort();
    this.root.remove();
  }
}

function panel(host: Host): Panel {
  const told = (): Told | undefined => {
    const found = host.get<Told | undefined>("matrix");
    return found?.names ? found : undefined; // nothing stands in it while it is not shown
  };
  let there = false;
  let asked = false; // from here, and not answered yet
  const view = new MatrixView({
    signal: host.signal,
    tree: true,
    told,
    task: () => ({}),
    words: () => host.words(),
    send(message) {
      asked = true;
      host.send(message);
    },
    announce: (said) => host.announce(said),
  });
  const element = make("div", "dk-matrix-panel", { role: "group" }, view.element);
  return {
    element,
    paint() {
      const now = told() !== undefined;
      asked = false;
      set(element, { hidden: !now, "aria-label": host.words().say("matrix") });
      view.paint();
      if (now !== there) host.resized();
      there = now;
    },
    tell(said) {
      if (asked) view.tell(said);
      const mine = asked;
      asked = false;
      return mine;
    },
    stop: () => element.remove(),
  };
}

/** The matrix of a tree, as a panel beside it. */
export const MATRIX: Slot = { name: "matrix", side: "beside", traits: ["matrix"], make: panel };
