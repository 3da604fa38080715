/** The line to Python: what is sent on it, and what is said when no answer comes. */

import type { Intent } from "../page/told/scene";
import { ALOUD } from "./meant/asked";
import type { Parts } from "./parts";

/** An intent, with the moment that it is about. */
export type Sent = Intent & { ply: number; game: number };

/** What is answered by no scene. */
const BESIDE: ReadonlySet<string> = new Set(["list", "seen", "share", "turned", "read", "paste", "drawers", "draft", ...ALOUD]);
/** What is asked while one goes on reading. */
const QUIET: ReadonlySet<string> = new Set([...BESIDE, "why", "start"]);

/** After so long without an answer, say so. */
const PATIENCE = 5000;

export class Line {
  /** Nobody is there to answer. */
  dead = false;
  private overdue: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: Parts,
    private readonly post: (sent: Sent) => void,
    /** It takes too long: what waits for the answer waits no more. */
    private readonly late: () => void,
  ) {}

  send(intent: Intent): void {
    const { table, dead } = this;
    const { ply, game } = table.scene;
    this.answered();
    if (!QUIET.has(intent.kind)) table.talk.hush();
    if (!BESIDE.has(intent.kind))
      this.overdue = setTimeout(() => {
        this.late();
        this.complain("unanswered");
      }, PATIENCE);
    this.post({ ...intent, ply, game });
    if (dead && this.dead) this.complain("gone");
  }

  /** An answer is there, or none is awaited any more. */
  answered(): void {
    clearTimeout(this.overdue);
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
