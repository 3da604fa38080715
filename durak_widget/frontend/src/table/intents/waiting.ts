/** What waits for its moment: a card chosen while others act, and being done with a bout. Knows no rule: what becomes legal is played, what is past is dropped. */

import { type Card, counts, joining, looksBack, type Note, type Scene, type Shown, signs, text, uses } from "../../widgets/protocol/scene";
import type { Shared } from "../../widgets/table-context";

/** So long one sees what others did before what waits is played, in ms. */
const BREATH = 300;

/** What is done at the table for what waits. */
interface Deeds {
  /** Send this move, with this card; nothing else has been begun. */
  move(move: string, card?: Card): void;
  /** The card may be played in more ways than one: let the person say in which. */
  choose(card: Card): void;
  /** Whether something else is being asked or shown. */
  busy(): boolean;
  /** What is marked has changed. */
  changed(): void;
}

/** For which moment something was meant: in another bout, game or seat, or on the other side, it is meant no more. */
function meant({ game, bout, me, seats }: Scene): string {
  const role = seats[me]?.role;
  return [game, bout, me, role === "defends" || role === "takes"].join();
}

/** Who meant it: another person, or another game, hears nothing of it. */
const whose = ({ game, me }: Scene): string => `${game},${me}`;

export class Waiting {
  /** The card that waits. */
  card: Card | undefined;
  /** The person passes whenever asked in this bout. */
  done = false;
  private on: Card | undefined;
  private moment = "";
  private whose = "";
  private ply = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly shared: Pick<Shared, "scene" | "words" | "look" | "announce">,
    private readonly deeds: Deeds,
  ) {}

  /** Let a card wait, or take it back; undefined where cards do not wait. */
  hold(card: Card, on: Card | undefined): boolean | undefined {
    const { scene } = this.shared;
    const mine = scene.seats[scene.me]?.who === "you" && !scene.covered && !scene.task;
    if (!this.shared.look.early || !mine || scene.actor === null || scene.actor === scene.me || looksBack(scene)) return undefined;
    if (this.card === card) return !this.free();
    this.keep({ card, on });
    this.deeds.changed();
    return true;
  }

  /** Nothing waits any more; whether anything did. */
  free(): boolean {
    const { card } = this;
    if (!card && !this.done) return false;
    this.keep({});
    if (card) this.shared.announce(this.unheld(card));
    this.deeds.changed();
    return true;
  }

  /** Done with this bout, or not after all. */
  finish(): void {
    const { scene, words } = this.shared;
    this.keep({ done: !this.done });
    if (this.done) this.shared.announce(words.say("done.said"));
    this.deeds.changed();
    if (this.done && scene.legal.pass) this.deeds.move("pass");
  }

  /** A new scene is there: what is past is dropped, which is said to who meant it, and what may now be is done, after a breath. */
  settle(): void {
    const { scene } = this.shared;
    const { card } = this;
    clearTimeout(this.timer);
    const gone = card && !scene.hand.includes(card);
    if (this.moment !== meant(scene) || scene.ply < this.ply || scene.over || gone) {
      if (card && !gone && !scene.over && this.whose === whose(scene)) this.shared.announce(this.unheld(card));
      this.keep({});
    }
    this.ply = scene.ply;
    if (this.due()) this.timer = setTimeout(() => this.act(scene.id), this.shared.look.motion ? BREATH : 0);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** What is said of a card that was tried and now waits: why not yet, and that it does. */
  said(note: Note): Shown {
    const { words } = this.shared;
    const { card } = this;
    if (note.kind !== "refused" || !card || note.card !== card) return note;
    const [shown, spoken] = [signs(card), words.card(card)].map((name) => words.say("held", { card: name })) as [string, string];
    const still = (): string | undefined => (this.card === card ? shown : undefined);
    return { kind: "told", said: [`${note.said[0]} ${shown}`, `${note.said[1]} ${spoken}`], card, still };
  }

  private unheld(card: Card): string {
    const { words } = this.shared;
    return words.say("unheld", { card: words.card(card) });
  }

  private keep({ card, on, done = false }: { card?: Card; on?: Card | undefined; done?: boolean }): void {
    [this.card, this.on, this.done] = [card, on, done];
    this.moment = meant(this.shared.scene);
    this.whose = whose(this.shared.scene);
    this.ply = this.shared.scene.ply;
  }

  /** What may now be done of what waits: the ways to play the card, or to pass. */
  private due(): (() => void) | undefined {
    const { scene } = this.shared;
    const { card, on } = this;
    const { legal, hand } = scene;
    if (scene.actor !== scene.me || looksBack(scene)) return undefined;
    const ways = card ? uses(legal, card).filter((way) => !on || way.on === undefined || counts(way.on) === on) : [];
    const [way] = ways;
    if (!card || !way) return this.done && legal.pass ? () => this.deeds.move("pass") : undefined;
    const alone = ways.length === 1 && !(way.verb === "attack" && joining(legal, hand, [way.card]).size);
    return () => {
      this.keep({});
      if (alone) this.deeds.move(text(way), card);
      else this.deeds.choose(card);
    };
  }

  private act(id: number): void {
    if (this.shared.scene.id !== id) return;
    if (this.deeds.busy())
      this.timer = setTimeout(() => this.act(id), BREATH); // what is asked comes first
    else this.due()?.();
  }
}
