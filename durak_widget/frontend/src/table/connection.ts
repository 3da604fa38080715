/** The line to Python: what is sent on it, and what is said when no answer comes. */

import type { Intent, Message } from "../widgets/protocol/scene";
import type { Parts } from "./commands";

/** After so long without an answer, say so. */
const PATIENCE = 5000;

/** An intent, with the moment that it is about. */
export type Sent = Intent & { ply: number; game: number };

type Answer = "scene" | Message["kind"];

/** What answers each kind of intent: a new scene, or a message of one of these kinds. If a scene may come, a missing answer is reported. */
export const ANSWERS: Readonly<Record<Intent["kind"], readonly Answer[]>> = {
  move: ["scene"],
  why: ["scene"],
  undo: ["scene"],
  redo: ["scene"],
  goto: ["scene"],
  hint: ["scene"],
  new: ["scene"],
  next: ["scene"],
  again: ["scene"],
  meet: ["scene"],
  seat: ["scene"],
  here: ["scene"],
  start: ["scene"],
  stop: ["scene"],
  step: ["scene"],
  end: ["scene"],
  branch: ["scene"],
  turn: ["scene"],
  home: ["scene"],
  show: ["scene"],
  deal: ["scene", "door"],
  paste: ["scene", "unread"],
  draft: ["door"],
  list: ["list"],
  seen: ["seen"],
  share: ["share"],
  people: ["people"],
  turned: ["turned"],
  by_cards: ["turned"],
  read: ["readable", "unread"],
  say: ["told"],
  holding: ["told"],
  lately: ["told"],
  piles: ["told"],
  drawers: ["drawers"],
};

const waitsForScene = (kind: Intent["kind"]): boolean => ANSWERS[kind].includes("scene");
/** What the person was told before may stay on the screen. */
const isQuiet = (kind: Intent["kind"]): boolean => !waitsForScene(kind) || kind === "why" || kind === "start" || kind === "paste";

export class Line {
  /** Nobody is there to answer. */
  dead = false;
  private overdue: ReturnType<typeof setTimeout> | undefined;
  /** What stops the clock. */
  private expected: readonly Answer[] = [];

  constructor(
    private readonly table: Parts,
    private readonly post: (sent: Sent) => void,
    /** It takes too long: what waits for the answer waits no more. */
    private readonly late: () => void,
  ) {}

  send(intent: Intent): void {
    const { table, dead } = this;
    const { ply, game } = table.scene;
    if (!isQuiet(intent.kind)) table.talk.hush();
    if (waitsForScene(intent.kind)) this.expect(ANSWERS[intent.kind]);
    this.post({ ...intent, ply, game });
    if (dead && this.dead) this.complain("gone");
  }

  /** Start the clock for these answers. */
  private expect(answers: readonly Answer[]): void {
    this.answered();
    this.expected = answers;
    this.overdue = setTimeout(() => {
      this.late();
      this.complain("unanswered");
    }, PATIENCE);
  }

  /** Python has sent something: stop the clock if that is the answer. */
  heard(answer: Answer): void {
    if (this.expected.includes(answer)) this.answered();
  }

  /** Stop the clock: the answer is there, or nobody waits for it any more. */
  answered(): void {
    clearTimeout(this.overdue);
    this.expected = [];
  }

  /** Whether Python is still there; and whether that is news. */
  live(alive: boolean): boolean {
    if (!alive) this.answered();
    const news = this.dead === alive;
    this.dead = !alive;
    return news;
  }

  private complain(key: "unanswered" | "gone"): void {
    const { talk, words } = this.table;
    const said = words.say(key);
    talk.say({ kind: "error", said: [said, said] });
    talk.announce([said]);
  }
}
