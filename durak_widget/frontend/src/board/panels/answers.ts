/** The equilibria that were found, as a list: what each is called and why, what it pays; one is chosen, and drawn on the branches. */

import { button, changed, focused, make, set, write } from "../../widgets/dom";
import { minus } from "../protocol/outline";
import { each } from "../view/tree-nodes";
import type { Host, Panel, Slot } from "./panel";

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

export const ANSWERS: Slot = { name: "answers", side: "beside", traits: ["answer"], make: (host) => new AnswersPanel(host) };
