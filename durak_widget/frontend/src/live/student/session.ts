/** What a student's page knows: the seat, the question, the draft of an answer, and whether it has arrived. It has no DOM. */

import { completeDraft, type Draft, describeShape, draftFrom, EMPTY, isSameAnswer, type Missing } from "./answers";
import {
  type Answer,
  type Form,
  isForm,
  isSessionMessage,
  type PageMessage,
  REPLACED,
  type RefusedMessage,
  type StateMessage,
} from "./protocol";

/** Where the student is: at the door, on the way in, in a seat, not any more, or at the door of a class that is over. */
export type Stage = "join" | "entering" | "seated" | "removed" | "elsewhere" | "over";

/** After an answer was sent, nothing has arrived for this time: the line may be dead although nobody has noticed. */
const REPLY_PATIENCE = 4_000;

/** What is known about the last answer. */
export type Delivery = "none" | "unsent" | "sending" | "sent";

/** The connection, as the session uses it. */
export interface Line {
  start(): void;
  stop(): void;
  send(message: PageMessage): boolean;
  /** Find out whether the line still works. */
  check(): void;
}

/** What survives a reload. */
export interface Address {
  key: string;
  memory: unknown;
}

/** An answer on its way. */
interface Pending {
  readonly question: number;
  readonly title: string;
  readonly answer: Answer;
  readonly before: Answer | null;
  /** It was sent, so it may have arrived, although nothing has come back. */
  readonly wasSent?: boolean;
}

/** An answer that did not count, because it came after the stop or got lost. */
export interface LateAnswer {
  readonly title: string;
  /** An answer from before counts. */
  readonly hasEarlier: boolean;
  /** The session has said so; otherwise the answer may have arrived before the line was lost. */
  readonly isCertain: boolean;
}

/** The last answer that the session has confirmed; it is shown again when the same question is asked again. */
interface EarlierAnswer {
  readonly question: number;
  readonly answer: Answer;
  readonly shape: string;
}

/** What the page needs after a reload, and the session does not know. */
interface Memory {
  readonly unsent?: { readonly question: number; readonly draft: Draft } | undefined;
  readonly pending?: Pending | undefined;
  readonly earlier?: EarlierAnswer | undefined;
  readonly arrival?: number | undefined;
}

export class StudentSession {
  stage: Stage;
  name = "";
  /** A sentence from the server about a name, or why the seat is gone. */
  notice: "" | "lost" | { readonly text: string } = "";
  isLost = false;
  state: StateMessage | undefined;
  draft: Draft = EMPTY;
  /** A sentence from the server about the answer. */
  refusal = "";
  missing: Missing | undefined;
  /** The last answer did not arrive before the answers stopped. */
  isTooLate = false;
  /** The answers stopped while the student had changed the answer without sending it. */
  isChangeLost = false;
  /** The last answer that came too late, until it is dismissed. The question may be another one by now. */
  late: LateAnswer | undefined;
  /** Nothing has arrived since an answer was sent. */
  isSlow = false;
  /** The student has sent another name, and the session has not answered yet. */
  isRenaming = false;
  nameProblem = "";

  /** The form of the current question, and of the next one if its state is still on the way. */
  private readonly forms = new Map<number, Form>();
  private pending: Pending | undefined;
  private isPendingOnLine = false;
  private isTouched = false;
  private unsent: Memory["unsent"];
  private earlier: EarlierAnswer | undefined;
  /** A new seat whose first state is on its way. */
  private isArriving = false;
  /** The question that was closed already when the student came. */
  private arrival: number | undefined;
  private replyTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly line: Line,
    private readonly address: Address,
    private language: string,
    private readonly paint: () => void,
  ) {
    this.stage = address.key ? "entering" : "join";
    // Without a key in the address, a new student uses this window.
    const memory = address.key && typeof address.memory === "object" ? (address.memory as Memory | null) : undefined;
    this.unsent = memory?.unsent;
    this.pending = memory?.pending;
    this.earlier = memory?.earlier;
    this.arrival = memory?.arrival;
    if (address.key) line.start();
  }

  private changed(): void {
    const { pending, earlier, arrival } = this;
    const question = this.state?.question;
    // until the first state is here, the draft from before the reload is still the newest
    if (this.state) this.unsent = this.isTouched && question ? { question, draft: this.draft } : undefined;
    const memory: Memory = { unsent: this.unsent, pending, earlier, arrival };
    this.address.memory = this.address.key ? memory : undefined;
    this.paint();
  }

  /** The form of the current question, if this page can show it. */
  get form(): Form | undefined {
    const form = this.forms.get(this.state?.question ?? 0);
    return form && isForm(form) ? form : undefined;
  }

  get delivery(): Delivery {
    const { form } = this;
    if (this.pending) return "sending";
    if (!form) return "none";
    const answer = this.state?.answer ?? null;
    const complete = completeDraft(form, this.draft);
    const isSame = "answer" in complete && isSameAnswer(complete.answer, answer);
    if (answer) return isSame ? "sent" : "unsent";
    return "none";
  }

  /** Return whether the student came after the answers to this question had stopped. */
  get isNewcomer(): boolean {
    const { state } = this;
    return state?.question === this.arrival && (state?.phase === "stopped" || state?.phase === "revealed");
  }

  /** What the draft of a question that is asked again begins with. */
  get repeats(): "" | "first" | "earlier" {
    const { form, state, earlier } = this;
    if (!form || !earlier || state?.phase !== "open" || state.answer || state.question === null) return "";
    const attempt = state.attempt ?? 1;
    const age = state.question - earlier.question;
    if (age < 1 || age >= attempt || earlier.shape !== describeShape(form)) return "";
    return age === attempt - 1 ? "first" : "earlier";
  }

  /** Return whether the student has chosen or typed anything since the question began. */
  get hasEdited(): boolean {
    return this.isTouched;
  }

  // --- What the student does ---

  join(name: string): void {
    this.name = name.trim();
    this.notice = "";
    this.stage = "entering";
    this.isLost = false;
    if (!this.line.send(this.greet())) this.line.start();
    this.changed();
  }

  /** Go back to the door after the teacher has removed the seat. */
  comeBack(): void {
    this.stage = "join";
    this.changed();
  }

  /** Take the seat back from another page. */
  returnHere(): void {
    this.stage = "entering";
    this.line.start();
    this.changed();
  }

  edit(draft: Draft): void {
    this.draft = draft;
    this.isTouched = true;
    this.refusal = "";
    this.missing = undefined;
    this.changed();
  }

  /** Send the draft, or say what is missing. Return whether it is complete. */
  submit(): boolean {
    const { form, state } = this;
    if (!form || state?.phase !== "open" || state.question === null) return false;
    const complete = completeDraft(form, this.draft);
    this.refusal = "";
    this.missing = "missing" in complete ? complete.missing : undefined;
    if ("answer" in complete && !isSameAnswer(complete.answer, state.answer)) {
      this.pending = { question: state.question, title: form.title, answer: complete.answer, before: state.answer };
      this.isPendingOnLine = false;
      this.sendPending();
    }
    this.changed();
    return "answer" in complete;
  }

  /** Take away the message about an answer that came too late. */
  dismissLate(): void {
    this.late = undefined;
    this.changed();
  }

  rename(name: string): void {
    this.nameProblem = "";
    this.isRenaming = this.line.send({ kind: "rename", name: name.trim() });
    this.changed();
  }

  setLanguage(language: string): void {
    this.language = language;
    if (this.stage === "seated") this.line.send({ kind: "language", language });
  }

  // --- What the line reports ---

  opened(): void {
    this.isPendingOnLine = false;
    this.line.send(this.greet());
  }

  lost(code: number): void {
    if (code === REPLACED) {
      this.line.stop();
      this.stage = "elsewhere";
    } else if (this.stage === "join" || this.state?.phase === "ended") {
      this.line.stop(); // a session that is over needs no connection
    } else this.isLost = true;
    this.changed();
  }

  receive(message: unknown): void {
    if (!isSessionMessage(message)) return;
    this.isLost = this.isSlow = false;
    clearTimeout(this.replyTimer);
    if (message.kind === "seat") {
      if (message.key) {
        this.address.key = message.key;
        this.isArriving = true;
      }
      this.name = message.name;
      this.stage = "seated";
    } else if (message.kind === "question") this.takeQuestion(message.question, message.form);
    else if (message.kind === "state") this.takeState(message);
    else if (message.kind === "refused") this.takeRefusal(message);
    else if (message.kind === "removed") this.leave("removed", "");
    this.changed();
  }

  private greet(): PageMessage {
    const { language } = this;
    return this.address.key ? { kind: "resume", key: this.address.key, language } : { kind: "join", name: this.name, language };
  }

  private takeQuestion(id: number, form: Form): void {
    // the same form comes again with each new line; then nothing is drawn anew
    if (JSON.stringify(this.forms.get(id)) !== JSON.stringify(form)) this.forms.set(id, form);
  }

  private takeState(state: StateMessage): void {
    const before = this.state;
    if (before && state.revision < before.revision) return; // an older state on a newer line
    this.state = state;
    if (state.name) this.name = state.name;
    this.isRenaming = false;
    if (before?.question !== state.question) this.begin();
    for (const id of this.forms.keys()) if (id < (state.question ?? 0)) this.forms.delete(id);
    this.settlePending(state);
    if (this.isArriving) this.arrival = state.phase === "open" ? undefined : (state.question ?? undefined);
    this.isArriving = false;
    const { form } = this;
    if (form && state.answer && state.question !== null)
      this.earlier = { question: state.question, answer: state.answer, shape: describeShape(form) };
    if (state.phase !== "open" && this.isTouched) {
      // what was chosen but not sent does not count, so it is not shown any more
      const isSame = isSameAnswer(this.readDraft(), state.answer);
      this.isChangeLost = Boolean(state.answer) && !isSame && !this.isTooLate;
      this.isTouched = false;
    }
    if (!this.isTouched) this.draft = draftFrom(this.repeats ? (this.earlier?.answer ?? null) : state.answer);
  }

  /** Return the answer of the draft, if it is complete. */
  private readDraft(): Answer | null {
    const complete = this.form && completeDraft(this.form, this.draft);
    return complete && "answer" in complete ? complete.answer : null;
  }

  /** Begin a question, after a reload with what was chosen before. */
  private begin(): void {
    const { unsent } = this;
    this.unsent = undefined;
    this.isTouched = unsent !== undefined && unsent.question === this.state?.question;
    this.draft = this.isTouched ? (unsent?.draft ?? EMPTY) : EMPTY;
    this.isTooLate = this.isChangeLost = false;
    this.refusal = "";
    this.missing = undefined;
  }

  /** Find out from a state whether the answer on its way has arrived, is still to be sent, or came too late. */
  private settlePending(state: StateMessage): void {
    const { pending } = this;
    if (!pending) return;
    const isCurrent = pending.question === state.question;
    if (isCurrent && (isSameAnswer(state.answer, pending.answer) || !isSameAnswer(state.answer, pending.before))) this.pending = undefined;
    else if (isCurrent && state.phase === "open") this.sendPending();
    else {
      this.pending = undefined;
      this.isTooLate = isCurrent;
      this.reportLate(pending, isCurrent || !pending.wasSent);
    }
  }

  private reportLate({ title, before }: Pending, isCertain: boolean): void {
    this.late = { title, hasEarlier: Boolean(before), isCertain };
  }

  private sendPending(): void {
    if (!this.pending || this.isPendingOnLine || this.stage !== "seated") return;
    const { question, answer } = this.pending;
    this.isPendingOnLine = this.line.send({ kind: "answer", question, answer });
    if (!this.isPendingOnLine) return;
    this.pending = { ...this.pending, wasSent: true };
    clearTimeout(this.replyTimer);
    this.replyTimer = setTimeout(() => {
      this.isSlow = true;
      this.line.check();
      this.changed();
    }, REPLY_PATIENCE);
  }

  private takeRefusal({ reason, text, question }: RefusedMessage): void {
    if (this.stage === "entering" && reason === "ended") this.leave("over", "");
    else if (this.stage === "entering" && !this.address.key) this.leave("join", { text });
    else if (reason === "unknown_key") this.leave("join", "lost");
    else if (reason === "removed") this.leave("removed", "");
    else if (this.stage === "entering")
      this.isLost = true; // the seat is there, and the line is tried again
    else if (this.isRenaming && (question === undefined || question === null)) {
      this.isRenaming = false;
      this.nameProblem = text;
    } else if (this.pending && (question === undefined || question === null || question === this.pending.question)) {
      const { pending } = this;
      this.pending = undefined;
      if (reason === "not_open" || reason === "stale_question") {
        this.isTooLate = pending.question === this.state?.question;
        this.reportLate(pending, true);
      } else this.refusal = text;
    }
  }

  /** Give up the seat, and forget all about it. */
  private leave(stage: Stage, notice: StudentSession["notice"]): void {
    this.line.stop();
    this.address.key = "";
    this.stage = stage;
    this.notice = notice;
    this.state = this.pending = this.late = this.unsent = this.earlier = this.arrival = undefined;
    this.forms.clear();
    clearTimeout(this.replyTimer);
    this.isLost = this.isSlow = this.isArriving = false;
    this.begin();
  }
}
