/** The connection to Python: sends intents, and reports missing answers. */

import type { Intent, Message } from "../widgets/protocol/scene";
import type { TableParts } from "./commands";

/** After this time without an answer, in ms, report it. */
const TIMEOUT_MS = 5000;

/** An intent with the moment that it is about. */
export type SentIntent = Intent & { ply: number; game: number };

type AnswerKind = "scene" | Message["kind"];

const SCENE: readonly AnswerKind[] = ["scene"];
const ANNOUNCEMENT: readonly AnswerKind[] = ["announcement"];

/** The answers to each kind of intent. If a scene can come, a missing answer is reported. */
export const ANSWER_KINDS: Readonly<Record<Intent["kind"], readonly AnswerKind[]>> = {
  move: SCENE,
  explain_refusal: SCENE,
  undo: SCENE,
  redo: SCENE,
  goto: SCENE,
  hint: SCENE,
  new_game: SCENE,
  next_game: SCENE,
  retry_decision: ["scene", "announcement"],
  play_opponent: SCENE,
  seat_player: SCENE,
  uncover_hand: SCENE,
  start: SCENE,
  stop: SCENE,
  step: SCENE,
  play_to_end: SCENE,
  drop_undone_moves: SCENE,
  rotate_view: SCENE,
  reset_view: SCENE,
  refresh: SCENE,
  deal: ["scene", "rules_dialog"],
  open_text: ["scene", "unreadable"],
  draft: ["rules_dialog"],
  move_list: ["move_list"],
  seen_cards: ["seen_cards"],
  share: ["share"],
  opponents: ["opponents"],
  how_to_play: ["how_to_play"],
  review: ["review"],
  review_by_cards: ["review"],
  check_text: ["readable", "unreadable"],
  describe_table: ANNOUNCEMENT,
  describe_hand: ANNOUNCEMENT,
  describe_last_moves: ANNOUNCEMENT,
  describe_piles: ANNOUNCEMENT,
  panels: ["panels"],
  extras: ["extras"],
};

const waitsForScene = (kind: Intent["kind"]): boolean => ANSWER_KINDS[kind].includes("scene");
/** Return whether this intent keeps the current message on the screen. */
const isQuiet = (kind: Intent["kind"]): boolean =>
  !waitsForScene(kind) || kind === "explain_refusal" || kind === "start" || kind === "open_text";

/** Return whether the table is on a page of its own, whose visitors know nothing of Python. */
const isOnWebPage = (root: Element): boolean => root.ownerDocument.documentElement.dataset.languages !== undefined;

export class Connection {
  /** Python does not answer any more. */
  disconnected = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The answers that stop the clock. */
  private expected: readonly AnswerKind[] = [];

  constructor(
    private readonly table: TableParts,
    private readonly post: (intent: SentIntent) => void,
    /** Called when the answer is overdue. */
    private readonly onTimeout: () => void,
  ) {}

  send(intent: Intent): void {
    const { table, disconnected } = this;
    const { ply, game } = table.scene;
    if (!isQuiet(intent.kind)) table.callout.hide();
    if (waitsForScene(intent.kind)) this.expect(ANSWER_KINDS[intent.kind]);
    this.post({ ...intent, ply, game });
    if (disconnected && this.disconnected) this.reportError("gone");
  }

  /** Start the clock for these answers. */
  private expect(answers: readonly AnswerKind[]): void {
    this.stopClock();
    this.expected = answers;
    this.timer = setTimeout(() => {
      this.onTimeout();
      this.reportError(isOnWebPage(this.table.root) ? "unanswered.page" : "unanswered");
    }, TIMEOUT_MS);
  }

  /** Stop the clock if this is an expected answer. */
  handleAnswer(answer: AnswerKind): void {
    if (this.expected.includes(answer)) this.stopClock();
  }

  /** Stop the clock: the answer is there, or is no longer expected. */
  stopClock(): void {
    clearTimeout(this.timer);
    this.expected = [];
  }

  /** Note whether Python is connected. Return whether that changed. */
  setConnected(alive: boolean): boolean {
    if (!alive) this.stopClock();
    const hasChanged = this.disconnected === alive;
    this.disconnected = !alive;
    return hasChanged;
  }

  private reportError(key: "unanswered" | "unanswered.page" | "gone"): void {
    const { callout, words } = this.table;
    const sentence = words.say(key);
    callout.showBubble({ kind: "error", text: [sentence, sentence] });
    callout.announce([sentence]);
  }
}
