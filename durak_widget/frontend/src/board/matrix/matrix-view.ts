/** The view of a matrix, alone in a notebook or as a panel beside a tree. */

import { button, hasChanged, make, setAttributes, setText } from "../../widgets/dom";
import type { Words } from "../../widgets/protocol/words";
import { applyBoardTheme, watchTheme } from "../../widgets/theme";
import type { WidgetHost } from "../../widgets/widget-host";
import type { Panel, PanelHost, Slot } from "../panels/panel";
import type { EquilibriumList, MatrixData, MatrixMessage, MatrixTask } from "../protocol/matrix";
import { Grid } from "./matrix-grid";

/** What a matrix needs from its page. */
export interface MatrixHost {
  readonly signal: AbortSignal;
  /** The matrix is beside a tree. */
  readonly isBesideTree: boolean;
  getData(): MatrixData | undefined;
  task(): MatrixTask;
  words(): Words;
  send(message: MatrixMessage): void;
  announce(message: string): void;
}

type ToolName = "marks" | "strike" | "unstrike" | "equilibria" | "pairs";

/** A matrix with its solution and its tools. */
export class MatrixView {
  private readonly tools: Readonly<Record<ToolName, HTMLButtonElement>> = {
    marks: button("dk-tool", ""),
    strike: button("dk-tool", ""),
    unstrike: button("dk-tool", ""),
    equilibria: button("dk-tool", ""),
    pairs: button("dk-tool", ""),
  };
  private readonly toolbar = make("div", "dk-matrix-toolbar", { role: "group" });
  private readonly grid: Grid;
  private readonly legend = make("p", "dk-matrix-legend");
  private readonly statusLine = make("p", "dk-matrix-status");
  private readonly stepList = make("ol", "dk-matrix-steps");
  private readonly equilibriumList = make("div", "dk-matrix-equilibria");
  readonly element = make("div", "dk-matrix");
  /** What to announce when Python answers. */
  private awaitedAnswer: "step" | "cell" | undefined;
  private refusal = "";

  constructor(private readonly host: MatrixHost) {
    const { signal } = host;
    this.grid = new Grid(
      {
        selectCell: (row, column) => this.toggleCell(row, column),
        chooseHead: (seat, place) => this.strikeStrategy(seat, place),
        choosePayoff: (seat, row, column) => this.send({ kind: "answer", player: seat, row, column }),
        fillCell: (row, column, text) => this.send({ kind: "answer", row, column, text }),
        visitCell: (row, column) => this.visitCell(row, column),
        leaveGrid: () => this.host.getData()?.selected && this.send({ kind: "select_cell", row: null, column: null }),
      },
      signal,
    );
    this.toolbar.append(...Object.values(this.tools));
    this.element.append(this.toolbar, this.grid.element, this.legend, this.statusLine, this.stepList, this.equilibriumList);
    const { marks, strike, unstrike, equilibria, pairs } = this.tools;
    const onClick = (tool: HTMLButtonElement, run: (data: MatrixData) => void): void =>
      tool.addEventListener(
        "click",
        () => {
          const data = this.host.getData();
          if (data && tool.getAttribute("aria-disabled") !== "true") run(data);
        },
        { signal },
      );
    onClick(marks, (data) => this.send({ kind: "show_best_responses", on: !data.marks }));
    onClick(pairs, (data) => this.send({ kind: "show_both_payoffs", on: !data.pairs }));
    onClick(equilibria, (data) => this.send({ kind: "list_equilibria", on: !data.equilibria }));
    onClick(unstrike, () => this.send({ kind: "undo_elimination" }));
    onClick(strike, () => {
      this.awaitedAnswer = "step";
      this.send({ kind: "eliminate" });
    });
    this.equilibriumList.addEventListener("click", (event) => this.chooseEquilibrium(event.target as Element), { signal });
  }

  private send(message: MatrixMessage): void {
    this.refusal = "";
    this.host.send(message);
  }

  /** Show that something is not possible, until the next message. */
  showError(message: string): void {
    this.refusal = message;
    this.paint();
    this.host.announce(message);
  }

  private toggleCell(row: number, column: number): void {
    const selected = this.host.getData()?.selected;
    this.awaitedAnswer = "cell";
    if (selected?.[0] === row && selected[1] === column) this.send({ kind: "select_cell", row: null, column: null });
    else this.send({ kind: "select_cell", row, column });
  }

  /** Select the focused cell in a fill-in exercise, so that the tree shows its path once allowed. */
  private visitCell(row: number, column: number): void {
    const selected = this.host.getData()?.selected;
    if (this.host.task().question_kind === "fill" && (selected?.[0] !== row || selected[1] !== column))
      this.host.send({ kind: "select_cell", row, column });
  }

  /** Strike out the strategy of this head, or undo that if it was the last. */
  private strikeStrategy(seat: number, index: number): void {
    if (this.host.task().question_kind === "strike") return this.send({ kind: "answer", player: seat, strategy: index });
    const last = this.host.getData()?.eliminated.at(-1);
    if (last?.[0] === seat && last[1] === index) return this.send({ kind: "undo_elimination" });
    this.awaitedAnswer = "step";
    this.send({ kind: "eliminate", player: seat, strategy: index });
  }

  private chooseEquilibrium(target: Element): void {
    const index = target.closest<HTMLElement>("button[data-at]")?.dataset.at;
    if (index !== undefined)
      this.send({ kind: "show_equilibrium", index: this.host.getData()?.equilibria?.shown_index === Number(index) ? null : Number(index) });
  }

  paint(): void {
    const data = this.host.getData();
    setAttributes(this.element, { hidden: !data });
    if (!data) return;
    const task = this.host.task();
    const words = this.host.words();
    setAttributes(this.element, { "data-asks": task.question_kind });
    this.paintTools(data, task, words);
    this.grid.paint(data, task, words);
    this.paintLegend(data, task, words);
    const instructions = this.host.isBesideTree ? words.say("matrix.how.tree") : words.say("matrix.how");
    const question =
      task.question_kind === "fill" ? words.say("matrix.fill") : task.question_kind === "strike" ? words.say("matrix.ask.strike") : "";
    const line = this.refusal || (task.cells?.[String(data.selected)] ? "" : data.text);
    const bestQuestion = words.say(task.marks_whole_cells ? "matrix.ask.cells" : "matrix.ask.best");
    setText(this.statusLine, line || question || (task.question_kind === "best" ? bestQuestion : instructions));
    setAttributes(this.statusLine, { "data-quiet": !line, "data-refused": Boolean(this.refusal) });
    if (hasChanged(this.stepList, data.steps)) this.stepList.replaceChildren(...data.steps.map((step) => make("li", "", {}, step)));
    this.paintEquilibria(data.equilibria, words);
    const announcement = this.awaitedAnswer === "step" ? data.steps.at(-1) : this.awaitedAnswer === "cell" ? data.text : "";
    this.awaitedAnswer = undefined;
    if (announcement) this.host.announce(announcement);
  }

  private paintTools(data: MatrixData, task: MatrixTask, words: Words): void {
    const { marks, strike, unstrike, equilibria, pairs } = this.tools;
    setAttributes(this.toolbar, { hidden: task.question_kind !== undefined, "aria-label": words.say("matrix") });
    const updateTool = (tool: HTMLButtonElement, label: string, isOn?: boolean, isEnabled = true): void => {
      setText(tool, label);
      setAttributes(tool, {
        "aria-pressed": isOn === undefined ? undefined : String(isOn),
        "aria-disabled": isEnabled ? undefined : "true",
      });
    };
    updateTool(marks, words.say("matrix.marks"), data.marks);
    updateTool(strike, words.say("matrix.strike"), undefined, data.can.eliminate);
    updateTool(unstrike, words.say("matrix.undo"), undefined, data.can.undo);
    updateTool(equilibria, words.say("matrix.equilibria"), data.equilibria !== null);
    updateTool(pairs, words.say("matrix.pairs"), data.pairs);
    setAttributes(pairs, { hidden: !data.is_zero_sum });
  }

  /** Paint the meaning of the marks, and whose payoffs are shown if only one player's are. */
  private paintLegend(data: MatrixData, task: MatrixTask, words: Words): void {
    const { names, marks, pairs, reduction_note: reduced } = data;
    if (!hasChanged(this.legend, names, marks, pairs, task.question_kind, reduced, words.language)) return;
    const makeSign = (seat: number, text: string): Node => {
      const sample = make("span", "dk-matrix-legend-sample", { "data-best": seat + 1, "data-pairs": pairs, "aria-hidden": "true" }, "1");
      return make("span", "dk-matrix-legend-item", {}, sample, make("span", "", {}, text));
    };
    const signs = marks
      ? [...names.map((name, seat) => makeSign(seat, words.say("matrix.best", { name }))), makeSign(2, words.say("matrix.ring"))]
      : [];
    const ownerNote =
      pairs || task.question_kind === "best"
        ? []
        : [make("span", "dk-matrix-legend-note", {}, words.say("matrix.wins", { name: names[0] }))];
    const reducedNote = reduced && !task.question_kind ? [make("span", "dk-matrix-legend-note", {}, reduced)] : [];
    this.legend.replaceChildren(...ownerNote, ...signs, ...reducedNote);
  }

  private paintEquilibria(equilibria: EquilibriumList | null, words: Words): void {
    setAttributes(this.equilibriumList, { hidden: !equilibria });
    if (!equilibria || !hasChanged(this.equilibriumList, equilibria, words.language)) return;
    const items = equilibria.list.map((text, index) =>
      make(
        "li",
        "",
        {},
        button("dk-matrix-equilibrium", equilibria.list.length > 1 ? `${index + 1}. ${text}` : text, {
          "data-at": index,
          "aria-pressed": String(equilibria.shown_index === index),
        }),
      ),
    );
    const focused = (this.equilibriumList.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement | null;
    const focusedIndex = focused && this.equilibriumList.contains(focused) ? focused.dataset.at : undefined;
    const groups = equilibria.nash_subsets.map((group) =>
      make("p", "", {}, words.say("matrix.together", { places: group.map((index) => index + 1).join(", ") })),
    );
    const emptyNote = equilibria.list.length ? [] : [make("p", "", {}, words.say("matrix.none"))];
    this.equilibriumList.replaceChildren(
      ...emptyNote,
      make("ul", "", {}, ...items),
      ...groups,
      ...equilibria.notes.map((note) => make("p", "", {}, note)),
    );
    if (focusedIndex !== undefined) this.equilibriumList.querySelector<HTMLElement>(`[data-at="${focusedIndex}"]`)?.focus();
  }
}

/** A matrix alone in a notebook. */
export class MatrixPage {
  readonly root = make("section", "dk dk-board dk-matrix-board", { role: "group" });
  private readonly lifetime = new AbortController();
  private readonly status = make("div", "dk-sr-only", { role: "status" });
  private readonly view: MatrixView;
  private disconnected = false;

  constructor(private readonly host: WidgetHost) {
    this.view = new MatrixView({
      signal: this.lifetime.signal,
      isBesideTree: false,
      getData: () => host.get<MatrixData | undefined>("matrix_view"),
      task: () => host.get<MatrixTask | undefined>("question_view") ?? {},
      words: () => host.words,
      send: (message) => host.send(message),
      announce: (message) => this.announce(message),
    });
    this.root.append(this.view.element, this.status);
    watchTheme(this.root, () => this.applyTheme(), this.lifetime.signal);
  }

  mount(container: HTMLElement): void {
    this.applyTheme();
    container.append(this.root);
    this.paint();
  }

  paint(): void {
    const { words } = this.host;
    setAttributes(this.root, { lang: words.language, "aria-label": words.say("matrix") });
    this.view.paint();
  }

  applyTheme(): void {
    applyBoardTheme(this.root, this.host.get<string | undefined>("theme"));
  }

  /** Show that Python refused a request, or is gone. Nothing else changes. */
  showError(message: string): void {
    this.view.showError(message);
  }

  private announce(message: string): void {
    this.status.replaceChildren(make("p", "", {}, message));
  }

  setConnected(alive: boolean): void {
    if (this.disconnected === !alive) return;
    this.disconnected = !alive;
    setAttributes(this.root, { "data-disconnected": this.disconnected });
    this.showError(alive ? "" : this.host.words.say("matrix.gone"));
  }

  stop(): void {
    this.lifetime.abort();
    this.root.remove();
  }
}

function makeMatrixPanel(host: PanelHost): Panel {
  const getData = (): MatrixData | undefined => {
    const data = host.get<MatrixData | undefined>("matrix_view");
    return data?.names ? data : undefined; // A hidden matrix is empty.
  };
  let wasShown = false;
  let awaitsAnswer = false; // This panel sent a message that is not answered yet.
  const view = new MatrixView({
    signal: host.signal,
    isBesideTree: true,
    getData,
    task: () => ({}),
    words: () => host.words(),
    send(message) {
      awaitsAnswer = true;
      host.send(message);
    },
    announce: (message) => host.announce(message),
  });
  const element = make("div", "dk-matrix-panel", { role: "group" }, view.element);
  return {
    element,
    paint() {
      const isShown = getData() !== undefined;
      awaitsAnswer = false;
      setAttributes(element, { hidden: !isShown, "aria-label": host.words().say("matrix") });
      view.paint();
      if (isShown !== wasShown) host.handleResize();
      wasShown = isShown;
    },
    showError(message) {
      if (awaitsAnswer) view.showError(message);
      const wasOwn = awaitsAnswer;
      awaitsAnswer = false;
      return wasOwn;
    },
    stop: () => element.remove(),
  };
}

/** The matrix of a tree, as a panel. */
export const MATRIX: Slot = { name: "matrix", side: "beside", traits: ["matrix_view"], make: makeMatrixPanel };
