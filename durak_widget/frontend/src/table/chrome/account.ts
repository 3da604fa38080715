/** What is read aloud of a game: what others do is gathered, and told at once when it is one's turn. */

import { looksBack, type Scene } from "../../widgets/protocol/scene";

/** When nobody has done anything for so long, in ms, what was gathered is told. */
const LULL = 4000;

export class Account {
  private deeds: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly announce: (lines: readonly string[]) => void) {}

  /** A new scene: what was done joins what was gathered; `called` is what is to be done, and `note` is told in any case. */
  hear(before: Scene | undefined, scene: Scene, called: string, note: readonly string[]): void {
    const { did, me } = scene;
    const same = before?.game === scene.game && before.me === me && before.covered === scene.covered;
    if (same && before.ply === scene.ply) return this.announce(note);
    clearTimeout(this.timer);
    const next = same && before.ply + 1 === scene.ply;
    this.deeds = next ? [...this.deeds, ...(did?.said ?? [])] : [];
    const mine = scene.actor === me || scene.actor === null || scene.covered || did?.seat === me || looksBack(scene);
    if (!next || mine) return this.tell(called, note);
    this.announce(note);
    this.timer = setTimeout(() => this.tell(called), LULL);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private tell(called: string, note: readonly string[] = []): void {
    const deeds = this.deeds.filter((deed, i, all) => deed !== all[i - 1] && !called.startsWith(deed));
    this.deeds = [];
    this.announce([...deeds, ...note, called]);
  }
}
