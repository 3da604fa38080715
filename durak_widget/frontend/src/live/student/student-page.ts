/** Draws the student's page: the door, the waiting room, a question, and its result. */

import { make, setAttributes, setText } from "../../widgets/dom";
import type { Language, Words } from "../words";
import { describeAnswer } from "./answers";
import { type Inputs, makeInputs } from "./forms";
import { makeLanguageSwitch, makeNameInput, openMenu } from "./menu";
import { makePicture } from "./picture";
import type { Form, Result, StateMessage } from "./protocol";
import type { LateAnswer, StudentSession } from "./session";
import type { Key } from "./texts";

/** A message about an answer that came too late goes away after this time. */
const LATE_TIME = 20_000;
/** So few pixels below the last input may be hidden without a hint. */
const UNIMPORTANT = 10;

const isCalm = matchMedia("(prefers-reduced-motion: reduce)");

/** A part of the page that is painted again after each change, without being made anew. */
type Update = () => void;

export class StudentPage {
  private readonly code = make("span", "dp-header-code");
  private readonly menuName = make("span", "");
  private readonly menuButton = make("button", "dp-button dp-header-name", { type: "button", hidden: true }, this.menuName);
  private readonly banner = make("p", "dp-offline", { role: "status" });
  private readonly lateText = make("p", "");
  private readonly lateClose = make("button", "dp-button dp-close", { type: "button" }, "✕");
  private readonly late = make("div", "dp-late", { role: "alert", hidden: true }, this.lateText, this.lateClose);
  private readonly main = make("main", "");
  /** What the page shows; another screen is made anew and gets the focus. */
  private screen = "";
  private phase = "";
  private shownLate: LateAnswer | undefined;
  private lateTimer: ReturnType<typeof setTimeout> | undefined;
  private drawnLanguage = "";
  private drawnForm: Form | undefined;
  private update: Update = () => {};
  private updateMenu: Update = () => {};
  /** Show the hint that there is more below the bar with the button, or hide it. */
  private checkMore: Update = () => {};

  constructor(
    root: HTMLElement,
    code: string,
    private readonly session: StudentSession,
    private words: Words<Key>,
    private readonly chooseLanguage: (language: Language) => void,
  ) {
    setText(this.code, code);
    this.menuButton.addEventListener("click", () => {
      this.updateMenu = openMenu(this.session, this.words, this.chooseLanguage);
    });
    this.lateClose.addEventListener("click", () => this.session.dismissLate());
    const news = make("div", "dp-news", {}, this.banner, this.late);
    root.replaceChildren(make("header", "dp-header", {}, this.code, this.menuButton), news, this.main);
    addEventListener("scroll", () => this.checkMore(), { passive: true });
    addEventListener("resize", () => this.checkMore());
    new ResizeObserver(() => this.checkMore()).observe(this.main); // for example, when a picture has been loaded
    this.render();
  }

  setWords(words: Words<Key>): void {
    this.words = words;
    this.render();
  }

  render(): void {
    const { session, words } = this;
    const screen = this.findScreen();
    const isAnother = screen !== this.screen;
    if (isAnother || this.drawnLanguage !== words.language || this.drawnForm !== session.form) {
      const isFirst = !this.screen;
      this.screen = screen;
      this.drawnLanguage = words.language;
      this.drawnForm = session.form;
      document.documentElement.lang = words.language;
      this.main.replaceChildren(...this.makeScreen());
      if (isAnother && !isFirst) this.focusHeading();
      else if (isFirst) this.focusName();
    }
    this.closePictureAtNews();
    this.updateLate();
    setText(
      this.banner,
      session.isLost || session.isSlow ? words.say(session.delivery === "sending" ? "line.lost_answer" : "line.lost") : "",
    );
    this.menuButton.hidden = session.stage !== "seated";
    setText(this.menuName, session.name);
    setAttributes(this.menuButton, { "aria-label": `${words.say("menu.open")}: ${session.name}` });
    this.update();
    document.title = this.main.querySelector("h1")?.textContent || "Durak";
    this.updateMenu();
    this.checkMore();
  }

  /** Close the enlarged picture when there is something new to read below it. */
  private closePictureAtNews(): void {
    const { state, late } = this.session;
    const phase = `${state?.question} ${state?.phase} ${Boolean(late)}`;
    if (phase === this.phase) return;
    this.phase = phase;
    for (const dialog of document.querySelectorAll<HTMLDialogElement>("dialog.dp-zoom[open]")) dialog.close();
  }

  /** Say that an answer came too late, until it is dismissed or has been there long enough. */
  private updateLate(): void {
    const { session, words } = this;
    const { late } = session;
    if (late !== this.shownLate) {
      this.shownLate = late;
      clearTimeout(this.lateTimer);
      if (late) this.lateTimer = setTimeout(() => session.dismissLate(), LATE_TIME);
    }
    this.late.hidden = !late;
    setAttributes(this.lateClose, { "aria-label": words.say("close") });
    const sentences = late
      ? [words.say(late.isCertain ? "late" : "late.unsure", { title: late.title }), late.hasEarlier ? words.say("late.earlier_counts") : ""]
      : [];
    setText(this.lateText, sentences.filter(Boolean).join(" "));
  }

  /** Begin in the box for the name, where that opens no keyboard on the screen. */
  private focusName(): void {
    if (matchMedia("(hover: hover) and (pointer: fine)").matches) this.main.querySelector<HTMLInputElement>("#name")?.focus();
  }

  private findScreen(): string {
    const { stage, state, form } = this.session;
    if (stage === "entering") return this.session.state ? this.screen : "join"; // after the line was lost, the question stays
    if (stage !== "seated") return stage;
    if (!state || state.phase === "lobby") return "waiting";
    if (state.phase === "ended") return "ended";
    if (this.session.isNewcomer) return "newcomer";
    if (state.phase === "revealed") return `result ${state.question}`;
    return form ? `question ${state.question}` : "waiting";
  }

  /** Move the focus to the heading of a new screen, but not away from a dialog in which the student types. */
  private focusHeading(): void {
    if (document.querySelector("dialog[open]")) return;
    scrollTo(0, 0);
    this.main.querySelector("h1")?.focus({ preventScroll: true });
  }

  private makeScreen(): (Node | string)[] {
    const { session } = this;
    const { state, form } = session;
    this.update = this.checkMore = () => {};
    switch (this.screen.split(" ")[0]) {
      case "join":
        return this.makeJoin();
      case "question":
        return form ? this.makeQuestion(form) : [];
      case "result":
        return state ? [this.makeResult(state, form)] : [];
      case "ended":
        return [this.makeEnd(state?.points)];
      case "removed":
        return [this.makeMessage("removed.title", "removed.text", "removed.again", () => session.comeBack())];
      case "over":
        return [this.makeMessage("ended.title", "over.text")];
      case "elsewhere":
        return [this.makeMessage("elsewhere.title", "elsewhere.text", "elsewhere.here", () => session.returnHere())];
      default:
        return this.makeWaiting();
    }
  }

  private makeHeading(text: string, ...more: Node[]): HTMLHeadingElement {
    return make("h1", "", { tabindex: -1 }, text, ...more);
  }

  private makeMessage(title: Key, text: Key, action?: Key, act?: () => void): HTMLElement {
    const { session, words } = this;
    const message = make(
      "div",
      "dp-message",
      {},
      this.makeHeading(words.say(title)),
      make("p", "", {}, words.say(text, { name: session.name })),
    );
    if (action && act) {
      const button = make("button", "dp-button", { type: "button", "data-primary": true }, words.say(action));
      button.addEventListener("click", act);
      message.append(button);
    }
    return message;
  }

  private makeEnd(points: string | null | undefined): HTMLElement {
    const message = this.makeMessage("ended.title", "ended.text");
    if (points) message.append(make("p", "dp-end-points", {}, this.words.say("ended.points"), make("b", "", {}, points)));
    return message;
  }

  private makeJoin(): Node[] {
    const { session, words } = this;
    const isReturning = session.stage === "entering" && !session.name;
    if (isReturning) {
      return [make("div", "dp-message", {}, this.makeHeading("…"), make("p", "", {}, words.say("join.returning")))];
    }
    const input = makeNameInput(session.name);
    const problem = make("p", "dp-problem", { id: "name-problem", role: "status" });
    const hint = make("p", "dp-quiet", { id: "name-hint" }, words.say("join.hint"));
    input.setAttribute("aria-describedby", `${hint.id} ${problem.id}`);
    const button = make("button", "dp-button", { type: "submit", "data-primary": true });
    const form = make(
      "form",
      "dp-entry",
      {},
      make("label", "dp-label", { for: input.id }, words.say("join.name")),
      input,
      hint,
      problem,
      button,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (session.stage === "entering") return;
      if (input.value.trim()) return session.join(input.value);
      setText(problem, words.say("join.empty"));
      input.focus();
    });
    this.update = () => {
      const isEntering = session.stage === "entering";
      input.readOnly = isEntering;
      setAttributes(button, { "aria-disabled": isEntering && "true" });
      setText(button, words.say(isEntering ? "join.joining" : "join.go"));
      if (session.notice) setText(problem, session.notice === "lost" ? words.say("join.lost") : session.notice.text);
    };
    return [this.makeHeading(words.say("join.title")), form, makeLanguageSwitch(words, this.chooseLanguage)];
  }

  private makeWaiting(): Node[] {
    const { session, words } = this;
    const heading = this.makeHeading("");
    this.update = () => setText(heading, words.say("wait.title", { name: session.name }));
    return [
      make(
        "div",
        "dp-message",
        {},
        make("span", "dp-big-sign", { "aria-hidden": "true" }, "✓"),
        heading,
        make("p", "", {}, words.say(session.isNewcomer ? "wait.late" : "wait.text")),
      ),
    ];
  }

  private makeQuestion(form: Form): Node[] {
    const { session, words } = this;
    const inputs = makeInputs(form, session.draft, words, (draft) => session.edit(draft));
    const fields = make("fieldset", "dp-fields", {}, inputs.element);
    const status = make("p", "dp-status", { role: "status" });
    const button = make("button", "dp-button", { type: "submit" });
    // for the finger and the mouse: keys and screen readers reach the inputs anyway
    const more = make(
      "button",
      "dp-button dp-more",
      { type: "button", tabindex: -1, "aria-hidden": "true", hidden: true },
      words.say("more"),
    );
    const footer = make("div", "dp-send", {}, status, more, button);
    const answer = make(
      "form",
      "dp-answer",
      { novalidate: true, "data-has-picture": Boolean(form.picture) },
      ...this.makeIntroduction(form),
      fields,
      footer,
    );
    answer.addEventListener("submit", (event) => {
      event.preventDefault();
      if (button.getAttribute("aria-disabled") === "true" || session.submit()) return;
      inputs.showMissing(session.missing)?.focus();
      fields.querySelector(".dp-problem:not([hidden])")?.scrollIntoView({ block: "nearest" });
    });
    const measureHidden = (): number => fields.getBoundingClientRect().bottom - footer.getBoundingClientRect().top;
    more.addEventListener("pointerdown", (event) => event.preventDefault()); // the focus stays where it is
    more.addEventListener("click", () => {
      const page = footer.getBoundingClientRect().top * 0.8;
      scrollBy({ top: Math.min(page, measureHidden() + 2 * UNIMPORTANT), behavior: isCalm.matches ? "instant" : "smooth" });
    });
    this.update = () => this.updateQuestion(inputs, fields, status, button);
    this.checkMore = () => {
      const isDone = measureHidden() <= UNIMPORTANT;
      setAttributes(more, { "data-done": isDone });
      more.hidden &&= isDone;
    };
    return [answer];
  }

  private updateQuestion(inputs: Inputs, fields: HTMLFieldSetElement, status: HTMLElement, button: HTMLButtonElement): void {
    const { session } = this;
    const isOpen = session.state?.phase === "open";
    const { delivery } = session;
    fields.disabled = !isOpen;
    button.hidden = !isOpen;
    inputs.show(session.draft);
    inputs.showMissing(isOpen ? session.missing : undefined);
    setText(status, this.describeDelivery(isOpen));
    setAttributes(status, {
      "data-problem": Boolean(session.refusal),
      "data-delivery": isOpen ? delivery : "closed",
      "data-again": Boolean(isOpen && session.repeats && delivery === "none"),
    });
    const label = { none: "send", unsent: "send.change", sending: "send", sent: "send.done" } as const;
    setText(button, `${delivery === "sent" ? "✓ " : ""}${this.words.say(label[delivery])}`);
    const isIdle = delivery === "sent" || delivery === "sending";
    setAttributes(button, { "aria-disabled": isIdle && "true", "data-primary": !isIdle });
  }

  /** Say what has become of the answer. */
  private describeDelivery(isOpen: boolean): string {
    const { session, words } = this;
    if (!isOpen) {
      const { form, state } = session;
      const counts = form && state?.answer ? describeAnswer(form, state.answer, words) : [];
      // several choices are shown only in their places: here they would fill the screen
      if (session.isChangeLost) return `${words.say("stopped.change_lost")} ${counts.length === 1 ? counts[0] : ""}`;
      const why = words.say(session.isTooLate ? "send.too_late" : "stopped.title");
      return `${why} ${words.say(session.state?.answer ? "stopped.counts" : "stopped.none")}`;
    }
    if (session.refusal) return session.refusal;
    const news = { none: undefined, unsent: "send.unsent", sending: "send.sending", sent: "send.sent" } as const;
    const again = session.repeats && (session.hasEdited ? "send.unsent" : session.repeats === "first" ? "again.first" : "again.earlier");
    const key = news[session.delivery] ?? again;
    return key ? words.say(key) : "";
  }

  /** The title of a question, its role and its text; then its picture. */
  private makeIntroduction(form: Form, level: "h1" | "h2" = "h1"): Node[] {
    const { words } = this;
    const attempt = this.session.state?.attempt ?? 1;
    const introduction = make("div", "dp-question", {}, make(level, "", { tabindex: -1 }, form.title));
    if (attempt > 1) introduction.append(make("p", "dp-attempt", {}, words.say("attempt", { attempt })));
    if (form.role) introduction.append(make("p", "dp-role", {}, form.role));
    if (form.text) introduction.append(make("p", "dp-question-text", {}, form.text));
    return form.picture ? [introduction, makePicture(form.picture, form.picture_text ?? "", words)] : [introduction];
  }

  private makeResult(state: StateMessage, form: Form | undefined): HTMLElement {
    const { words } = this;
    const { attempt = 1 } = state;
    const why = this.session.isTooLate ? "result.too_late" : attempt > 1 ? "result.none_again" : "result.none";
    const none: Result = { headline: words.say(why, { attempt }), lines: [], is_right: null };
    const given = state.result ?? none;
    // the session knows only that there is no answer, and the page why
    const shown = state.answer || why === "result.none" ? given : { ...given, headline: none.headline };
    // the results of games and numbers name the answer among their lines
    const isNamed = (form?.type === "game" || form?.type === "number") && shown.lines.length > 0;
    const own = form && state.answer && !isNamed ? describeAnswer(form, state.answer, words) : [];
    const result = make("div", "dp-result", {}, this.makeResultCard(state, shown, own));
    result.append(make("p", "dp-quiet dp-next", {}, words.say(state.is_last ? "result.last" : "result.next")));
    if (form) {
      const fields = make("fieldset", "dp-fields", { disabled: true }, makeInputs(form, this.session.draft, words, () => {}).element);
      const parts = make("div", "dp-answer", { "data-has-picture": Boolean(form.picture) }, ...this.makeIntroduction(form, "h2"), fields);
      result.append(make("details", "dp-details", {}, make("summary", "", {}, words.say("result.question")), parts));
    }
    return result;
  }

  private makeResultCard(state: StateMessage, result: Result, own: readonly string[]): HTMLElement {
    const { words } = this;
    const { headline, lines, is_right: isRight, points } = result;
    const makePoints = (label: Key, value: string): HTMLElement => make("p", "dp-points", {}, words.say(label), make("b", "", {}, value));
    const hasTotal = state.points && state.points !== points;
    const totals = [
      ...(points ? [makePoints("result.points", points)] : []),
      ...(hasTotal ? [makePoints("result.total", state.points ?? "")] : []),
    ];
    // the headline says in words what the sign means
    const sign = isRight === null ? [] : [make("span", "dp-sign", { "aria-hidden": "true" }, isRight ? "✓" : "✗")];
    const heading = make("div", "dp-card-head", {}, ...sign, make("h1", "", { tabindex: -1 }, headline || words.say("result.title")));
    const sentences = lines.map((line) => make("p", "", {}, line));
    if (own.length) {
      const choices = own.map((line) => make("b", "", {}, line));
      sentences.unshift(make("p", "dp-own", {}, make("span", "dp-quiet", {}, words.say("result.own")), ...choices));
    }
    const name = isRight === null ? "" : isRight ? "right" : "wrong";
    return make("div", "dp-card", { "data-verdict": name }, heading, ...sentences, ...totals);
  }
}
