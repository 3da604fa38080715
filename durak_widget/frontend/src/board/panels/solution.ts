/** The panel with the solution of a tree, and the list of all equilibria that were found. */

import { button, changed, focused, make, set, write } from "../../widgets/dom";
import { asksOf, letters, minus } from "../protocol/tree-drawing";
import { each, sign } from "../view/tree-nodes";
import type { Host, Panel, Slot } from "./panel";
import { pulling, Rows, Setting } from "./probability-controls";

/** What may be asked for, and what is being worked out. */
interface Solving {
  readonly methods?: readonly string[];
  /** A player may not know what happened before: then no method is called backward induction. */
  readonly hidden?: boolean;
  readonly there?: readonly ("solution" | "path" | "learning" | "own")[];
  readonly solving?: string;
  readonly busy?: boolean;
}

class SolutionPanel implements Panel {
  readonly element = make("section", "dk-panel-of dk-solution", { role: "group", hidden: true });
  private readonly title = make("h3", "");
  private readonly said = make("div", "dk-solution-said");
  private readonly about = make("p", "dk-solution-about", { hidden: true });
  private readonly own = make("div", "dk-own", { hidden: true });
  private readonly method = make("select", "dk-method");
  private readonly solve = button("", "");
  private readonly mine = button("", "");
  private readonly forget = button("", "");
  private readonly which = make("div", "dk-which", { role: "group" });
  private readonly bests = make("div", "dk-bests", { role: "group" });
  private readonly asks = make("div", "dk-solution-asks");
  private readonly setting: Setting;
  private readonly rows: Rows;
  private told = "";

  constructor(private readonly host: Host) {
    this.setting = new Setting(host);
    this.rows = new Rows(host, this.setting);
    this.asks.append(this.solve, this.method, this.mine, this.forget);
    this.element.append(this.title, this.about, this.which, this.said, this.own, this.rows.element, this.bests, this.asks);
    this.solve.addEventListener("click", () => host.send({ kind: "solve", method: this.method.value }));
    this.mine.addEventListener("click", () => host.send({ kind: "own" }));
    this.forget.addEventListener("click", () => {
      host.send({ kind: "forget" });
      host.go(host.shown().id(host.at()));
    });
    pulling(host, this.setting, (history, touched) => {
      const shown = host.shown();
      const up = shown.up(shown.place(history));
      if (up >= 0) host.go(shown.id(up)); // so that the others of its information set are seen beside the tree
      if (touched !== undefined) this.rows.focus(touched, true);
    });
    host.root.addEventListener("dk-likely", () => this.rows.focus(0), { signal: host.signal });
  }

  paint(): void {
    const { host } = this;
    const solution = host.solution();
    const solving = host.get<Solving | undefined>("solving") ?? {};
    const task = host.task();
    const hidden = !solution.which || (Boolean(task.asks) && task.asks !== "strategy");
    set(host.root, { "aria-busy": solving.busy ? "true" : undefined });
    set(this.element, { hidden });
    if (hidden) return;
    if (changed(this.element, solution)) this.setting.answered();
    const words = host.words();
    const asked = Boolean(task.asks);
    write(this.title, words.say("solution.title"));
    set(this.element, { "aria-label": words.say("solution.title") });
    write(this.about, words.say("solution.about")); // what is meant by that word, until one sets one's own
    set(this.about, { hidden: asked || solution.which === "own" || solution.which === "path" || this.listed });
    this.paintWhich(solving, asked);
    this.paintSaid();
    this.paintOwn();
    this.rows.paint((seat) => (asked ? asksOf(task, seat) : solution.which !== "learning"));
    this.paintBests(asked);
    this.paintAsks(solving, asked);
  }

  /** Of what there is, which is shown. */
  private paintWhich({ there = [] }: Solving, asked: boolean): void {
    const { host } = this;
    const words = host.words();
    const { which } = host.solution();
    set(this.which, { hidden: asked || there.length < 2, "aria-label": words.say("solution.shown") });
    if (!changed(this.which, there, which, words.language)) return;
    const had = this.which.contains((this.which.getRootNode() as Document).activeElement);
    this.which.replaceChildren(
      ...there.map((name) => {
        const element = button("dk-which-of", words.named("solution.which", name), { "aria-pressed": String(name === which) });
        element.addEventListener("click", () => host.send({ kind: "show", which: name }));
        return element;
      }),
    );
    if (had) this.which.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }

  /** The solution is one of a list of equilibria, which says what there is to say of it. */
  private get listed(): boolean {
    return (this.host.get<{ at?: number | null } | undefined>("answer")?.at ?? null) !== null;
  }

  private paintSaid(): void {
    const { said = [], which } = this.host.solution();
    const lines = which === "own" ? said.slice(1) : which === "solution" && this.listed ? said.slice(2) : said; // one's own stands below, larger; an equilibrium in its list
    if (changed(this.said, lines)) this.said.replaceChildren(...lines.map((line) => make("p", "", {}, line)));
  }

  /** What one's own strategy gives away: as a number, and in words. */
  private paintOwn(): void {
    const { host } = this;
    const { own } = host.solution();
    // In an exercise what it loses is said once it has been judged: then one may find the way by hand.
    const task = host.task();
    const secret = Boolean(task.asks) && task.score === undefined;
    set(this.own, { hidden: !own || secret });
    if (!own || secret) return;
    const words = host.words();
    const lost = own.exploitability;
    set(this.own, { "data-nothing": lost === "0" });
    if (changed(this.own, own, words.language))
      this.own.replaceChildren(
        make("b", "dk-own-lost", { "aria-hidden": "true" }, lost ? minus(lost) : "…"),
        make("span", "", {}, own.said ?? ""),
      );
    const telling = own.said ?? "";
    if (telling && lost && telling !== this.told) {
      if (this.told) host.announce(telling);
      this.told = telling;
    }
  }

  private paintBests(asked: boolean): void {
    const { host } = this;
    const words = host.words();
    const { best_of = null } = host.solution();
    const { seats } = host.shown().drawing;
    set(this.bests, { hidden: asked || seats.length > 6, "aria-label": words.say("tree.best") });
    if (!changed(this.bests, seats, best_of, words.language)) return;
    const had = [...this.bests.querySelectorAll("button")].indexOf(
      (this.bests.getRootNode() as Document).activeElement as HTMLButtonElement,
    );
    const marks = letters(seats);
    const buttons = seats.map((player, seat) => {
      const element = button("dk-best-of", "", {
        "aria-pressed": String(best_of === seat),
        title: words.say("solution.best", { player }),
      });
      const mark = sign(seat, marks[seat] ?? "");
      set(mark, { "aria-hidden": "true" });
      element.append(mark, make("span", "", {}, player));
      element.addEventListener("click", () => host.send({ kind: "best", seat: best_of === seat ? null : seat }));
      return element;
    });
    this.bests.replaceChildren(make("span", "dk-bests-said", { "aria-hidden": "true" }, `★ ${words.say("tree.best")}`), ...buttons);
    if (had >= 0) buttons[had]?.focus();
  }

  private paintAsks({ methods = [], hidden = false, there = [], solving }: Solving, asked: boolean): void {
    const words = this.host.words();
    set(this.asks, { hidden: asked });
    write(this.solve, solving ? words.say("solution.busy") : words.say("tree.solve"));
    set(this.solve, { "aria-disabled": solving ? "true" : undefined, hidden: !methods.length });
    set(this.method, { "aria-label": words.say("solution.method"), hidden: methods.length < 2 });
    if (changed(this.method, methods, words.language)) {
      const { value } = this.method;
      const options = methods.map((method) =>
        make(
          "option",
          "",
          { value: method },
          method === "cfr+" ? "CFR+" : words.named("solution.by", hidden && method === "backward" ? "hidden" : method),
        ),
      );
      this.method.replaceChildren(...options);
      if (methods.includes(value)) this.method.value = value;
    }
    const own = there.includes("own");
    write(this.mine, words.say("solution.mine"));
    write(this.forget, words.say("solution.forget"));
    set(this.mine, { hidden: own });
    set(this.forget, { hidden: !own });
  }

  stop(): void {
    this.setting.stop();
  }
}

/** The panel with the solution. */
export const SOLUTION: Slot = {
  name: "solution",
  side: "beside",
  traits: ["solution", "solving"],
  make: (host) => new SolutionPanel(host),
};

interface One {
  readonly said: string;
  readonly kind: string;
  readonly worth: readonly string[];
  readonly plays: string;
  /** Nothing refutes it. */
  readonly holds: boolean;
  readonly lines: readonly string[];
}

interface Answer {
  /** What stands above the list, if these are no equilibria. */
  readonly head?: string;
  readonly title?: string;
  /** Who forgets. */
  readonly who?: readonly string[];
  /** What the equilibria of a long list come to. */
  readonly outcomes?: readonly string[];
  readonly found?: readonly One[];
  readonly none?: string;
  readonly notes?: readonly string[];
  /** Of a game in which somebody forgets: equilibria in mixes of plans. */
  readonly mixed?: { readonly title: string; readonly list: readonly string[]; readonly notes: readonly string[] } | null;
  readonly at?: number | null;
}

class AnswersPanel implements Panel {
  readonly element = make("section", "dk-panel-of dk-answers", { role: "group", hidden: true });
  private readonly title = make("h3", "");
  private readonly inside = make("div", "dk-answers-in");
  /** What was last told aloud. */
  private told = "";

  constructor(private readonly host: Host) {
    this.element.append(this.title, this.inside);
    this.inside.addEventListener("click", ({ target }) => {
      const at = (target as Element).closest<HTMLElement>(".dk-answers-one")?.dataset.at;
      if (at !== undefined) host.send({ kind: "choose", place: Number(at) });
    });
    this.inside.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const all = [...this.inside.querySelectorAll<HTMLElement>(".dk-answers-one")];
      const next = step && all[all.indexOf(focused(this.inside) as HTMLElement) + step];
      if (!next) return;
      next.focus();
      event.preventDefault();
    });
  }

  paint(): void {
    const { host } = this;
    const {
      head,
      title,
      who = [],
      outcomes = [],
      found = [],
      none,
      notes = [],
      mixed,
      at = null,
    } = host.get<Answer | undefined>("answer") ?? {};
    const was = this.element.hidden;
    const hidden = title === undefined;
    set(this.element, { hidden });
    if (was !== hidden) host.resized();
    if (hidden) {
      this.told = "";
      return;
    }
    const words = host.words();
    const name = head || words.say("answer.title");
    write(this.title, name);
    set(this.element, { "aria-label": name });
    if (!changed(this.inside, host.get("answer"), words.language)) return;
    const had = focused(this.inside)?.dataset.at;
    const lines = (all: readonly string[], kind = ""): HTMLElement[] => all.filter(Boolean).map((line) => make("p", kind, {}, line));
    const { seats } = host.shown().drawing;
    const list = found.map((one, i) => this.one(one, i, at, seats));
    this.inside.replaceChildren(
      ...lines(who),
      ...lines([title], "dk-answers-of"),
      ...lines(outcomes.slice(0, 1)),
      ...(outcomes.length ? [make("ul", "dk-answer-why", {}, ...outcomes.slice(1).map((said) => make("li", "", {}, said)))] : []),
      ...lines([none ?? "", found.length > 1 ? words.say("answer.how") : ""]),
      ...(list.length ? [make("ol", "dk-answer-list", {}, ...list)] : []),
      ...lines(notes, "dk-answers-note"),
      ...(mixed
        ? [
            ...lines([mixed.title], "dk-answers-of"),
            make("ol", "dk-answer-list", {}, ...mixed.list.map((said) => make("li", "dk-answer-plans", {}, said))),
            ...lines(mixed.notes, "dk-answers-note"),
          ]
        : []),
    );
    if (had !== undefined) this.inside.querySelector<HTMLElement>(`.dk-answers-one[data-at="${had}"]`)?.focus();
    const one = found[at ?? -1];
    this.announce((one ? [`${(at ?? 0) + 1}. ${one.said}`, ...one.lines] : notes).join(" "));
  }

  private one({ said, kind, worth, plays, holds, lines }: One, i: number, at: number | null, seats: readonly string[]): HTMLElement {
    const words = this.host.words();
    const pays = worth.map((text, seat) => `${seats[seat] ?? seat + 1} ${minus(text)}`).join(", ");
    const about = [kind, plays].filter(Boolean).join(" · ");
    const element = button("dk-answers-one", "", {
      "data-at": i,
      "data-holds": holds,
      "aria-pressed": String(i === at),
      tabindex: i === (at ?? 0) ? 0 : -1,
    });
    element.append(
      make("b", "", {}, `${i + 1}. ${said}`),
      make("span", "dk-answer-pays", { "aria-hidden": "true" }, ...each(worth)),
      make("i", "dk-live", {}, `. ${words.say("tree.worth", { worth: pays })}. `),
      make("small", "", {}, about),
    );
    const why = make("ul", "dk-answer-why", {}, ...lines.map((line) => make("li", "", {}, line)));
    return make("li", "", {}, element, ...(i === at ? [why] : []));
  }

  /** What is drawn now, for who does not see it: when it becomes another. */
  private announce(said: string): void {
    if (said !== this.told) this.host.announce(said);
    this.told = said;
  }

  stop(): void {
    // nothing runs here
  }
}

/** The panel that lists the equilibria that were found. */
export const ANSWERS: Slot = { name: "answers", side: "beside", traits: ["answer"], make: (host) => new AnswersPanel(host) };
