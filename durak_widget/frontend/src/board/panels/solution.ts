/** The panel with the solution of a tree, and the list of equilibria. */

import { button, findFocused, hasChanged, make, setAttributes, setText } from "../../widgets/dom";
import { asksPlayer, formatMinus, makePlayerLetters } from "../protocol/tree-drawing";
import { drawPlayerSign, renderPayoffs } from "../view/tree-nodes";
import type { Panel, PanelHost, Slot } from "./panel";
import { listenForDrag, PacedSender, ProbabilityRows } from "./probability-controls";

/** The available methods and solutions, and the running work. */
interface Solving {
  readonly methods?: readonly string[];
  /** The game has hidden information, so backward induction has another name. */
  readonly has_hidden_information?: boolean;
  readonly available_kinds?: readonly ("solution" | "path" | "learning" | "own")[];
  readonly running_method?: string;
  readonly is_busy?: boolean;
}

class SolutionPanel implements Panel {
  readonly element = make("section", "dk-board-panel dk-solution", { role: "group", hidden: true });
  private readonly title = make("h3", "");
  private readonly textElement = make("div", "dk-solution-text");
  private readonly aboutElement = make("p", "dk-solution-description", { hidden: true });
  private readonly ownElement = make("div", "dk-exploitability", { hidden: true });
  private readonly methodSelect = make("select", "dk-solution-method");
  private readonly solveButton = button("", "");
  private readonly forgetButton = button("", "");
  private readonly whichElement = make("div", "dk-solution-choice", { role: "group" });
  private readonly bestResponseElement = make("div", "dk-best-responses", { role: "group" });
  private readonly actionsElement = make("div", "dk-panel-actions");
  private readonly sender: PacedSender;
  private readonly rows: ProbabilityRows;
  private announcedText = "";

  constructor(private readonly host: PanelHost) {
    this.sender = new PacedSender(host);
    this.rows = new ProbabilityRows(host, this.sender);
    this.actionsElement.append(this.solveButton, this.methodSelect, this.forgetButton);
    this.element.append(
      this.title,
      this.aboutElement,
      this.whichElement,
      this.textElement,
      this.ownElement,
      this.rows.element,
      this.bestResponseElement,
      this.actionsElement,
    );
    this.solveButton.addEventListener("click", () => host.send({ kind: "solve", method: this.methodSelect.value }));
    this.forgetButton.addEventListener("click", () => {
      host.send({ kind: "delete_own_strategy" });
      host.focusNode(host.getTree().getId(host.getFocus()));
    });
    listenForDrag(host, this.sender, (history, touched) => {
      const tree = host.getTree();
      const parent = tree.getParent(tree.indexOf(history));
      if (parent >= 0) host.focusNode(tree.getId(parent)); // This shows the other actions of its infoset beside the tree.
      if (touched !== undefined) this.rows.focusMove(touched, true);
    });
    host.root.addEventListener("dk-edit-probability", () => this.rows.focusMove(0), { signal: host.signal });
  }

  paint(): void {
    const { host } = this;
    const solution = host.solution();
    const solving = host.get<Solving | undefined>("solver_state") ?? {};
    const task = host.task();
    const hidden = !solution.shown_kind || (Boolean(task.question_kind) && task.question_kind !== "strategy");
    setAttributes(host.root, { "aria-busy": solving.is_busy ? "true" : undefined });
    setAttributes(this.element, { hidden });
    if (hidden) return;
    if (hasChanged(this.element, solution)) this.sender.handleAnswer();
    const words = host.words();
    const isTask = Boolean(task.question_kind);
    setText(this.title, words.say("solution.title"));
    setAttributes(this.element, { "aria-label": words.say("solution.title") });
    setText(this.aboutElement, words.say("solution.about")); // An explanation, until the user makes their own strategy.
    setAttributes(this.aboutElement, {
      hidden: isTask || solution.shown_kind === "own" || solution.shown_kind === "path" || this.isListed,
    });
    this.paintWhich(solving, isTask);
    this.paintText();
    this.paintOwn();
    this.rows.paint((seat) => (isTask ? asksPlayer(task, seat) : solution.shown_kind !== "learning"));
    this.paintBestResponses(isTask);
    this.paintActions(solving, isTask);
  }

  /** Paint the choice between the available solutions. */
  private paintWhich({ available_kinds: available = [] }: Solving, isTask: boolean): void {
    const { host } = this;
    const words = host.words();
    const { shown_kind: which } = host.solution();
    setAttributes(this.whichElement, { hidden: isTask || available.length < 2, "aria-label": words.say("solution.shown") });
    if (!hasChanged(this.whichElement, available, which, words.language)) return;
    const hadFocus = this.whichElement.contains((this.whichElement.getRootNode() as Document).activeElement);
    this.whichElement.replaceChildren(
      ...available.map((name) => {
        const element = button("dk-solution-button", words.sayNamed("solution.which", name), { "aria-pressed": String(name === which) });
        element.addEventListener("click", () => host.send({ kind: "show_strategy", strategy: name }));
        return element;
      }),
    );
    if (hadFocus) this.whichElement.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }

  /** Return whether the solution is one of the listed equilibria. The list describes it. */
  private get isListed(): boolean {
    return (this.host.get<{ selected_index?: number | null } | undefined>("answer_view")?.selected_index ?? null) !== null;
  }

  private paintText(): void {
    const { sentences: allLines = [], shown_kind: which } = this.host.solution();
    const lines = which === "own" ? allLines.slice(1) : which === "solution" && this.isListed ? allLines.slice(2) : allLines; // An own strategy is described below, and an equilibrium in its list.
    if (hasChanged(this.textElement, lines)) this.textElement.replaceChildren(...lines.map((line) => make("p", "", {}, line)));
  }

  /** Paint the exploitability of the user's strategy, as a number and in words. */
  private paintOwn(): void {
    const { host } = this;
    const { own_guarantee: own } = host.solution();
    // In an exercise the loss is shown only after grading. Otherwise it could be found by trial and error.
    const task = host.task();
    const isSecret = Boolean(task.question_kind) && task.score === undefined;
    setAttributes(this.ownElement, { hidden: !own || isSecret });
    if (!own || isSecret) return;
    const words = host.words();
    const exploitability = own.exploitability;
    setAttributes(this.ownElement, { "data-zero": exploitability === "0" });
    if (hasChanged(this.ownElement, own, words.language))
      this.ownElement.replaceChildren(
        make("b", "dk-exploitability-value", { "aria-hidden": "true" }, exploitability ? formatMinus(exploitability) : "…"),
        make("span", "", {}, own.text ?? ""),
      );
    const sentence = own.text ?? "";
    if (sentence && exploitability && sentence !== this.announcedText) {
      if (this.announcedText) host.announce(sentence);
      this.announcedText = sentence;
    }
  }

  private paintBestResponses(isTask: boolean): void {
    const { host } = this;
    const words = host.words();
    const { best_response_player: best_of = null } = host.solution();
    const { players: seats } = host.getTree().drawing;
    setAttributes(this.bestResponseElement, { hidden: isTask || seats.length > 6, "aria-label": words.say("tree.best") });
    if (!hasChanged(this.bestResponseElement, seats, best_of, words.language)) return;
    const focusedIndex = [...this.bestResponseElement.querySelectorAll("button")].indexOf(
      (this.bestResponseElement.getRootNode() as Document).activeElement as HTMLButtonElement,
    );
    const marks = makePlayerLetters(seats);
    const buttons = seats.map((player, seat) => {
      const element = button("dk-best-response-button", "", {
        "aria-pressed": String(best_of === seat),
        title: words.say("solution.best", { player }),
      });
      const mark = drawPlayerSign(seat, marks[seat] ?? "");
      setAttributes(mark, { "aria-hidden": "true" });
      element.append(mark, make("span", "", {}, player));
      element.addEventListener("click", () => host.send({ kind: "mark_best_responses", player: best_of === seat ? null : seat }));
      return element;
    });
    this.bestResponseElement.replaceChildren(
      make("span", "dk-best-responses-label", { "aria-hidden": "true" }, `★ ${words.say("tree.best")}`),
      ...buttons,
    );
    if (focusedIndex >= 0) buttons[focusedIndex]?.focus();
  }

  private paintActions(
    { methods = [], has_hidden_information: hidden = false, available_kinds: available = [], running_method: solving }: Solving,
    isTask: boolean,
  ): void {
    const words = this.host.words();
    setAttributes(this.actionsElement, { hidden: isTask });
    setText(this.solveButton, solving ? words.say("solution.busy") : words.say("tree.solve"));
    setAttributes(this.solveButton, { "aria-disabled": solving ? "true" : undefined, hidden: !methods.length });
    setAttributes(this.methodSelect, { "aria-label": words.say("solution.method"), hidden: methods.length < 2 });
    if (hasChanged(this.methodSelect, methods, words.language)) {
      const { value } = this.methodSelect;
      const options = methods.map((method) =>
        make(
          "option",
          "",
          { value: method },
          method === "cfr+" ? "CFR+" : words.sayNamed("solution.by", hidden && method === "backward" ? "hidden" : method),
        ),
      );
      this.methodSelect.replaceChildren(...options);
      if (methods.includes(value)) this.methodSelect.value = value;
    }
    setText(this.forgetButton, words.say("solution.forget"));
    setAttributes(this.forgetButton, { hidden: !available.includes("own") });
  }

  stop(): void {
    this.sender.stop();
  }
}

/** The panel with the solution. */
export const SOLUTION: Slot = {
  name: "solution",
  side: "beside",
  traits: ["solution_view", "solver_state"],
  make: (host) => new SolutionPanel(host),
};

interface Equilibrium {
  readonly title: string;
  readonly kind: string;
  readonly payoffs: readonly string[];
  readonly strategy: string;
  /** No other test refutes it. */
  readonly is_unrefuted: boolean;
  readonly reasons: readonly string[];
}

interface AnswerData {
  /** The heading, if these are not equilibria. */
  readonly heading?: string;
  readonly title?: string;
  /** The players with imperfect recall. */
  readonly imperfect_recall?: readonly string[];
  /** The outcomes of a long list of equilibria. */
  readonly outcomes?: readonly string[];
  readonly equilibria?: readonly Equilibrium[];
  readonly empty_note?: string;
  readonly notes?: readonly string[];
  /** With imperfect recall: equilibria in mixed strategies. */
  readonly mixed?: { readonly title: string; readonly list: readonly string[]; readonly notes: readonly string[] } | null;
  readonly selected_index?: number | null;
}

class AnswersPanel implements Panel {
  readonly element = make("section", "dk-board-panel dk-equilibria", { role: "group", hidden: true });
  private readonly title = make("h3", "");
  private readonly content = make("div", "dk-equilibria-content");
  /** What was announced last. */
  private announcedText = "";

  constructor(private readonly host: PanelHost) {
    this.element.append(this.title, this.content);
    this.content.addEventListener("click", ({ target }) => {
      const index = (target as Element).closest<HTMLElement>(".dk-equilibrium")?.dataset.at;
      if (index !== undefined) host.send({ kind: "select_equilibrium", index: Number(index) });
    });
    this.content.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const items = [...this.content.querySelectorAll<HTMLElement>(".dk-equilibrium")];
      const next = step && items[items.indexOf(findFocused(this.content) as HTMLElement) + step];
      if (!next) return;
      next.focus();
      event.preventDefault();
    });
  }

  paint(): void {
    const { host } = this;
    const {
      heading: head,
      title,
      imperfect_recall: forgetters = [],
      outcomes = [],
      equilibria: found = [],
      empty_note: none,
      notes = [],
      mixed,
      selected_index: selectedIndex = null,
    } = host.get<AnswerData | undefined>("answer_view") ?? {};
    const wasHidden = this.element.hidden;
    const hidden = title === undefined;
    setAttributes(this.element, { hidden });
    if (wasHidden !== hidden) host.handleResize();
    if (hidden) {
      this.announcedText = "";
      return;
    }
    const words = host.words();
    const name = head || words.say("answer.title");
    setText(this.title, name);
    setAttributes(this.element, { "aria-label": name });
    if (!hasChanged(this.content, host.get("answer_view"), words.language)) return;
    const focusedIndex = findFocused(this.content)?.dataset.at;
    const makeLines = (texts: readonly string[], className = ""): HTMLElement[] =>
      texts.filter(Boolean).map((line) => make("p", className, {}, line));
    const { players: seats } = host.getTree().drawing;
    const list = found.map((equilibrium, i) => this.renderEquilibrium(equilibrium, i, selectedIndex, seats));
    this.content.replaceChildren(
      ...makeLines(forgetters),
      ...makeLines([title], "dk-equilibria-title"),
      ...makeLines(outcomes.slice(0, 1)),
      ...(outcomes.length
        ? [make("ul", "dk-equilibrium-reasons", {}, ...outcomes.slice(1).map((outcome) => make("li", "", {}, outcome)))]
        : []),
      ...makeLines([none ?? "", found.length > 1 ? words.say("answer.how") : ""]),
      ...(list.length ? [make("ol", "dk-equilibria-list", {}, ...list)] : []),
      ...makeLines(notes, "dk-equilibria-note"),
      ...(mixed
        ? [
            ...makeLines([mixed.title], "dk-equilibria-title"),
            make("ol", "dk-equilibria-list", {}, ...mixed.list.map((text) => make("li", "dk-equilibrium-strategies", {}, text))),
            ...makeLines(mixed.notes, "dk-equilibria-note"),
          ]
        : []),
    );
    if (focusedIndex !== undefined) this.content.querySelector<HTMLElement>(`.dk-equilibrium[data-at="${focusedIndex}"]`)?.focus();
    const selected = found[selectedIndex ?? -1];
    this.announce((selected ? [`${(selectedIndex ?? 0) + 1}. ${selected.title}`, ...selected.reasons] : notes).join(" "));
  }

  private renderEquilibrium(
    { title, kind, payoffs: values, strategy: plays, is_unrefuted: holds, reasons: lines }: Equilibrium,
    i: number,
    selectedIndex: number | null,
    seats: readonly string[],
  ): HTMLElement {
    const words = this.host.words();
    const payoffs = values.map((text, seat) => `${seats[seat] ?? seat + 1} ${formatMinus(text)}`).join(", ");
    const details = [kind, plays].filter(Boolean).join(" · ");
    const element = button("dk-equilibrium", "", {
      "data-at": i,
      "data-holds": holds,
      "aria-pressed": String(i === selectedIndex),
      tabindex: i === (selectedIndex ?? 0) ? 0 : -1,
    });
    element.append(
      make("b", "", {}, `${i + 1}. ${title}`),
      make("span", "dk-equilibrium-payoffs", { "aria-hidden": "true" }, ...renderPayoffs(values)),
      make("i", "dk-sr-only", {}, `. ${words.say("tree.worth", { worth: payoffs })}. `),
      make("small", "", {}, details),
    );
    const reasons = make("ul", "dk-equilibrium-reasons", {}, ...lines.map((line) => make("li", "", {}, line)));
    return make("li", "", {}, element, ...(i === selectedIndex ? [reasons] : []));
  }

  /** Announce the shown equilibrium if it is another one. */
  private announce(message: string): void {
    if (message !== this.announcedText) this.host.announce(message);
    this.announcedText = message;
  }

  stop(): void {
    // Nothing to stop.
  }
}

/** The panel with the list of equilibria. */
export const ANSWERS: Slot = { name: "answers", side: "beside", traits: ["answer_view"], make: (host) => new AnswersPanel(host) };
