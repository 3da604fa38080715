/** The teacher's panel: plan, questions, answers so far, students, and the session itself. */

import { button, hasChanged, make, setAttributes, setText } from "../../widgets/dom";
import { LANGUAGES, type Words } from "../words";
import { drawGroups } from "./bar-chart";
import { PeopleList } from "./people-list";
import { type Command, canAsk, chooseRehearsal, type RoomState, type Spec } from "./protocol";
import questions from "./questions.json";

const SIMULATED_COUNT = 30;

export interface PanelHost {
  send(command: Command): Promise<boolean>;
  confirm(question: string, note: string, yes: string): Promise<boolean>;
  endSession(): void;
  getWords(): Words;
}

interface Section {
  readonly root: HTMLDetailsElement;
  readonly head: HTMLElement;
  readonly body: HTMLElement;
}

export class Panel {
  readonly root = make("aside", "dk-live-panel");
  private readonly plan = makeSection("plan", true);
  private readonly questions = makeSection("questions", false);
  private readonly tally = makeSection("tally", false);
  private readonly people = makeSection("people", true);
  private readonly session = makeSection("session", true);
  private readonly privateNote = make("p", "dk-live-quiet dk-live-private");
  private readonly peopleList: PeopleList;
  private readonly rehearseButton = button("", "");
  private readonly windowLink = make("a", "dk-button dk-live-window", { target: "_blank", rel: "noopener" });
  private readonly language = make(
    "select",
    "",
    {},
    ...Object.entries(LANGUAGES).map(([code, name]) => make("option", "", { value: code }, name)),
  );
  private readonly languageLabel = make("span", "");
  private readonly endButton = button("dk-live-end", "");
  private readonly scroll = make("div", "dk-live-panel-scroll");
  private readonly scoresButton = button("dk-live-scores-button", "");
  private readonly entryButton = button("", "");
  private readonly silentButton = button("", "");
  private state: RoomState | undefined;
  private rehearsal: ReturnType<typeof chooseRehearsal>;

  constructor(
    private readonly host: PanelHost,
    /** Return the address of the projector's page, where one can be opened. */
    private readonly findWindow: (state: RoomState) => string | undefined,
  ) {
    this.peopleList = new PeopleList(
      (command) => host.send(command),
      host.confirm,
      () => host.getWords(),
    );
    this.people.body.append(this.scoresButton, this.peopleList.root, make("div", "dk-live-crowd", {}, this.entryButton, this.silentButton));
    this.session.body.append(make("label", "dk-live-language", {}, this.languageLabel, this.language), this.rehearseButton);
    const sections = [this.plan, this.tally, this.people, this.questions, this.session].map(({ root }) => root);
    this.scroll.append(this.privateNote, this.windowLink, ...sections);
    // The button that ends the session is always in the same corner, where no other button ever is.
    this.root.append(this.scroll, make("div", "dk-live-panel-foot", {}, this.endButton));
    this.scoresButton.addEventListener("click", () => void host.send({ do: "show_scores", shown: !this.state?.shows_scores }));
    this.entryButton.addEventListener("click", () => {
      const name = this.state?.is_entry_open === false ? "open" : "close";
      void this.sendConfirmed(`entry.${name}`, { do: `${name}_entry` });
    });
    this.silentButton.addEventListener("click", () => void this.sendConfirmed("silent", { do: "remove_silent" }));
    this.rehearseButton.addEventListener("click", () => {
      if (this.rehearsal)
        void host.send(this.rehearsal === "rehearse" ? { do: "rehearse", count: SIMULATED_COUNT } : { do: this.rehearsal });
    });
    this.language.addEventListener("change", () => void host.send({ do: "set_language", language: this.language.value }));
    this.endButton.addEventListener("click", () => host.endSession());
  }

  /** Open the list of questions and go to its first question. */
  openQuestions(): void {
    this.questions.root.open = true;
    this.show(this.questions.root);
    this.questions.body.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Scroll the panel so that a part is visible. The page around it must not move: JupyterLab may leave it blank then. */
  private show(part: Element): void {
    const [box, own] = [part.getBoundingClientRect(), this.scroll.getBoundingClientRect()];
    if (box.top < own.top) this.scroll.scrollTop -= own.top - box.top;
    else if (box.bottom > own.bottom) this.scroll.scrollTop += Math.min(box.bottom - own.bottom, box.top - own.top);
  }

  private async sendConfirmed(key: string, command: Command): Promise<void> {
    const words = this.host.getWords();
    if (await this.host.confirm(words.say(`${key}.ask`), words.say(`${key}.note`), words.say(key))) await this.host.send(command);
  }

  paint(state: RoomState, words: Words): void {
    this.state = state;
    setAttributes(this.root, { "aria-label": words.say("panel") });
    setText(this.privateNote, words.say("panel.private"));
    this.paintPlan(state, words);
    this.paintQuestions(state, words);
    this.paintTally(state, words);
    setText(this.people.head, `${words.say("people")} (${state.counts.joined})`);
    this.peopleList.root.hidden = !state.people.length;
    this.peopleList.paint(state, words);
    this.paintCrowd(state, words);
    this.paintSession(state, words);
  }

  /** What concerns all students: the scores, who may join, and who never answered. */
  private paintCrowd({ phase, people, commands, shows_scores, is_entry_open }: RoomState, words: Words): void {
    const hasScores = people.some(({ score }) => score != null);
    this.scoresButton.hidden = !hasScores || (phase !== "revealed" && phase !== "ended");
    setText(this.scoresButton, words.say(shows_scores ? "scores.hide" : "scores.show"));
    this.entryButton.hidden = phase === "ended" || is_entry_open === undefined;
    setText(this.entryButton, words.say(is_entry_open === false ? "entry.open" : "entry.close"));
    this.silentButton.hidden = !commands.includes("remove_silent");
    setText(this.silentButton, words.say("silent"));
  }

  private paintPlan(state: RoomState, words: Words): void {
    const { plan, phase } = state;
    this.plan.root.hidden = !plan;
    const mayAsk = canAsk(state);
    if (!plan || !hasChanged(this.plan.body, plan, mayAsk, phase === "lobby", words.language)) return;
    setText(this.plan.head, plan.title ? `${words.say("plan")}: ${plan.title}` : words.say("plan"));
    const current = plan.steps.find((step) => step.is_current);
    const steps = plan.steps.map(({ title, note, minutes, is_done, is_current }, step) => {
      const sign = make("span", "dk-live-step-sign", { "aria-hidden": "true" }, is_done ? "✓" : is_current ? "▸" : "");
      const state = is_done ? words.say("plan.done") : is_current ? words.say("plan.now") : "";
      const name = make("span", "", {}, title, ...(state ? [make("span", "dk-sr-only", {}, ` (${state})`)] : []));
      const item = make("li", "", { "aria-current": is_current ? "step" : undefined, "data-done": is_done }, sign, name);
      if (mayAsk) item.append(this.drawAsk(title, step, is_done, is_current, words));
      if (minutes) item.append(make("span", "dk-live-quiet", {}, words.say("plan.minutes", { minutes })));
      if (note && is_current) item.append(make("p", "dk-live-note", { "aria-label": words.say("note") }, note));
      return item;
    });
    const list = make("ol", "dk-live-steps", { role: "list" }, ...steps);
    const end = plan.is_finished && phase === "revealed" ? [make("p", "dk-live-note", {}, words.say("last"))] : [];
    this.plan.body.replaceChildren(list, ...end);
    const shown = current && list.querySelector("[aria-current]");
    if (shown) this.show(shown);
  }

  /** Draw the button that asks a step of the plan, in any order. */
  private drawAsk(title: string, step: number, isDone: boolean, isCurrent: boolean, words: Words): HTMLElement {
    const label = words.say(isDone || isCurrent ? "again" : "plan.ask");
    const ask = button("dk-live-ask", label, { "aria-label": `${label}: ${title}` });
    ask.addEventListener("click", async () => {
      if (ask.ariaDisabled) return;
      ask.ariaDisabled = "true";
      if (!(await this.host.send(isCurrent ? { do: "again" } : { do: "ask_step", step }))) ask.ariaDisabled = null;
    });
    return ask;
  }

  private paintQuestions(state: RoomState, words: Words): void {
    this.questions.root.hidden = state.phase === "ended";
    if (!hasChanged(this.questions.body, words.language, words.say("questions.games"), canAsk(state))) return;
    setText(this.questions.head, words.say("questions"));
    if (!canAsk(state)) {
      this.questions.body.replaceChildren(make("p", "dk-live-quiet", {}, words.say("questions.wait")));
      return;
    }
    const listSpecs = (title: string, specs: readonly Spec[]): HTMLElement => {
      const items = specs.map((spec) => {
        const item = button("dk-live-question", words.say(`ask.${spec.textbook ?? spec.kind}`));
        item.addEventListener("click", () => void this.ask(spec));
        return make("li", "", {}, item);
      });
      return make("div", "", {}, make("h4", "", {}, words.say(title)), make("ul", "dk-live-question-list", { role: "list" }, ...items));
    };
    this.questions.body.replaceChildren(listSpecs("questions.games", questions.games), listSpecs("questions.numbers", questions.numbers));
  }

  private async ask(spec: Spec): Promise<void> {
    if (this.questions.body.dataset.sending !== undefined) return;
    this.questions.body.dataset.sending = "";
    // An auction draws the students' values from its seed.
    const full = spec.kind.endsWith("_price") ? { ...spec, seed: Math.floor(Math.random() * 2 ** 31) } : spec;
    if (await this.host.send({ do: "ask", spec: full })) this.questions.root.open = false;
    delete this.questions.body.dataset.sending;
  }

  /** The answers while the question is open. Folded, because the class may see the teacher's screen. */
  private paintTally({ tally, phase, question }: RoomState, words: Words): void {
    this.tally.root.hidden = phase !== "open";
    setText(this.tally.head, words.say("tally"));
    if (hasChanged(this.tally.body, tally, words.language))
      this.tally.body.replaceChildren(
        make("p", "dk-live-quiet", {}, words.say("tally.private")),
        drawGroups(tally, words, "h4", question?.is_mix),
      );
  }

  private paintSession(state: RoomState, words: Words): void {
    setText(this.session.head, words.say("session"));
    this.rehearsal = chooseRehearsal(state);
    this.rehearseButton.hidden = !this.rehearsal;
    setText(this.rehearseButton, this.rehearsal === "rehearse" ? words.say("rehearse", { count: SIMULATED_COUNT }) : words.say("dismiss"));
    const address = this.findWindow(state);
    this.windowLink.hidden = !address;
    if (address) setAttributes(this.windowLink, { href: address });
    setText(this.windowLink, words.say("window"));
    setText(this.languageLabel, words.say("language"));
    if (this.language.value !== state.language && !this.language.matches(":focus")) this.language.value = state.language;
    setText(this.endButton, words.say("end"));
    this.endButton.hidden = state.phase === "ended";
  }
}

function makeSection(name: string, isOpen: boolean): Section {
  const head = make("summary", "");
  const body = make("div", "dk-live-section-body");
  return { root: make("details", `dk-live-section dk-live-section-${name}`, { open: isOpen }, head, body), head, body };
}
