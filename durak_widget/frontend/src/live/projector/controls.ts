/** The teacher's bar: one main button that is always in the same place, and a few others. */

import { button, make, setAttributes, setText } from "../../widgets/dom";
import type { Words } from "../words";
import {
  type Command,
  type Connection,
  chooseMain,
  formatTime,
  hasEveryoneAnswered,
  listAway,
  listSilentRoles,
  nameMain,
  type RoomState,
} from "./protocol";

/** How long the main button rests after it has got another meaning, in milliseconds: a double click must not reveal. */
const REST_MS = 500;
/** A longer time than this is not a time in class: the clocks of two computers differ. */
const MAX_CLOCK = 6 * 3600;
/** How many names of students who are away are listed. */
const MAX_AWAY = 4;
/** The commands that need no details and no question back. */
type SimpleCommand = "stop" | "reveal" | "next" | "again";

export interface ControlsHost {
  send(command: Command): Promise<boolean>;
  /** Open the list of questions. */
  openQuestions(): void;
  toggleFullScreen(): void;
  togglePanel(): void;
}

export class Controls {
  readonly root = make("div", "dk-live-controls", { role: "toolbar" });
  readonly panelButton = button("dk-live-panel-button", "", { "aria-expanded": "true" });
  readonly fullScreenButton = button("dk-live-fullscreen dk-live-corners", "");
  private readonly mainButton = button("dk-live-main", "");
  private readonly againButton = button("dk-live-again", "");
  private readonly line = make("p", "dk-live-line");
  /** Who is missing. Only the teacher should see it. */
  private readonly missing = make("p", "dk-live-missing");
  private readonly error = make("p", "dk-live-error", { role: "alert" });
  private readonly clock = make("span", "dk-live-clock");
  private clockTimer: ReturnType<typeof setInterval> | undefined;
  /** The question whose time runs, and when it began on this computer. */
  private timed = { id: 0, start: 0 };
  private restTimer: ReturnType<typeof setTimeout> | undefined;
  private isResting = false;
  private isSending = false;
  private command = "";
  private errorText = "";
  private state: RoomState | undefined;
  private words: Words | undefined;
  private connection: Connection = "connecting";

  constructor(private readonly host: ControlsHost) {
    const texts = make("div", "dk-live-texts", {}, make("div", "dk-live-now", {}, this.line, this.clock), this.missing, this.error);
    this.root.append(this.mainButton, texts, this.againButton, this.fullScreenButton, this.panelButton);
    this.mainButton.addEventListener("click", () => void this.press(this.command));
    this.againButton.addEventListener("click", () => void this.press("again"));
    this.panelButton.addEventListener("click", () => host.togglePanel());
    this.fullScreenButton.addEventListener("click", () => host.toggleFullScreen());
  }

  stop(): void {
    clearTimeout(this.restTimer);
    clearInterval(this.clockTimer);
  }

  paint(state: RoomState, words: Words, connection: Connection): void {
    this.state = state;
    this.words = words;
    this.connection = connection;
    setAttributes(this.root, { "aria-label": words.say("main") });
    const command = chooseMain(state);
    const meaning = `${command} ${state.question?.id} ${state.question?.attempt}`;
    if (this.root.dataset.meaning !== meaning) {
      if (this.root.dataset.meaning !== undefined) this.rest();
      this.root.dataset.meaning = meaning;
    }
    this.command = command;
    const key = nameMain(state);
    setText(this.mainButton, key ? words.say(`main.${key}`) : "");
    setText(this.againButton, words.say("again"));
    setText(this.panelButton, words.say("panel"));
    // Hidden buttons keep their place, so nothing moves under the pointer.
    setAttributes(this.mainButton, {
      "data-command": command || undefined,
      "data-empty": !key,
      "data-ready": hasEveryoneAnswered(state),
    });
    setAttributes(this.againButton, { "data-empty": !state.commands.includes("again") || key === "again" });
    setText(this.missing, describeMissing(state, words));
    this.paintClock();
    setText(this.error, this.errorText || state.problem || "");
    this.updateButtons();
  }

  /** Show why a command was refused; an empty text removes that. */
  showError(text: string): void {
    this.errorText = text;
    setText(this.error, text || this.state?.problem || "");
  }

  /** What happens, in one line. */
  private describe(state: RoomState, words: Words): string {
    const { phase, counts, question, plan } = state;
    if (this.isSending || (question?.is_working && phase !== "open" && phase !== "ended")) return words.say("calculating");
    if (hasEveryoneAnswered(state)) return words.say("all_answered");
    if (phase === "open") return words.sayCount("answered", counts.answered, { all: counts.expected });
    if (phase === "stopped" && question?.is_asked_again) return words.say("again.first");
    const rest = phase === "revealed" && plan?.is_finished ? ` ${words.say("last")}` : "";
    return `${words.say(`phase.${phase}`)}${rest}`;
  }

  private async press(command: string): Promise<void> {
    if (!command || this.isResting || this.isSending || this.connection !== "connected") return;
    if (command === "ask") return this.host.openQuestions();
    this.isSending = true;
    this.updateButtons();
    await this.host.send({ do: command as SimpleCommand });
    this.isSending = false;
    this.updateButtons();
  }

  /** How long the question has been open, and how long the plan gives it. */
  private paintClock(): void {
    const { state, words } = this;
    const question = state?.phase === "open" ? state.question : undefined;
    if (!question || !words) {
      clearInterval(this.clockTimer);
      this.clockTimer = undefined;
      setText(this.clock, "");
      return;
    }
    this.clockTimer ??= setInterval(() => this.paintClock(), 1000);
    const now = Date.now() / 1000;
    if (this.timed.id !== question.id) {
      const age = now - (question.opened_at ?? now);
      this.timed = { id: question.id, start: age > 0 && age < MAX_CLOCK ? now - age : now };
    }
    const time = formatTime(now - this.timed.start);
    const minutes = state?.plan?.steps.find((step) => step.is_current)?.minutes;
    setText(this.clock, minutes ? words.say("clock", { time, minutes }) : time);
  }

  private rest(): void {
    this.isResting = true;
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => {
      this.isResting = false;
      this.updateButtons();
    }, REST_MS);
  }

  private updateButtons(): void {
    const isOff = this.isResting || this.isSending || this.connection !== "connected";
    for (const each of [this.mainButton, this.againButton]) setAttributes(each, { "aria-disabled": isOff ? "true" : undefined });
    setAttributes(this.mainButton, { "aria-busy": this.isSending ? "true" : undefined });
    if (this.state && this.words) setText(this.line, this.describe(this.state, this.words));
  }
}

/** Name the students who are away, and the roles that nobody can play. */
function describeMissing(state: RoomState, words: Words): string {
  const away = listAway(state);
  const names = away.slice(0, MAX_AWAY).map(({ name }) => name);
  if (away.length > names.length) names.push("…");
  const roles = listSilentRoles(state).map(({ role, count }) =>
    count ? words.sayCount("role.away", count, { role }) : words.say("role.nobody", { role }),
  );
  const line = away.length && state.phase !== "ended" ? words.sayCount("away", away.length, { names: names.join(", ") }) : "";
  return [line, ...roles].filter(Boolean).join(". ").replace(/\.\. /g, ". ");
}
