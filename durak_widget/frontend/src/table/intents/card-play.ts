/** The card that the user picks, its target and the move that follows; also premoves, which are chosen before one's turn. */

import {
  type Card,
  counts,
  face,
  type Intent,
  joining,
  looksBack,
  type Mode,
  type Note,
  type Scene,
  type Shown,
  signs,
  text,
  together,
  type Use,
  usable,
  uses,
} from "../../widgets/protocol/scene";
import type { Shared } from "../../widgets/table-context";
import type { Ask } from "../view/choice-dialog";
import type { Picked } from "./actions";

/** So long one sees what others did before what waits is played, in ms. */
const BREATH = 300;

/** The card that is picked, its target and the chosen verb, until they are a move. */
export class Play implements Picked {
  picked: Card[] = [];
  aim: Card | undefined;
  mode: Mode | undefined;

  constructor(
    private readonly shared: Pick<Shared, "scene" | "words" | "send">,
    private readonly ask: Pick<Ask, "question">,
    /** Something picked, aimed at or chosen has changed. */
    private readonly changed: () => void,
    /** A move is on its way: this card awaits its answer. */
    private readonly sent: (card: Card | undefined) => void,
    /** A card was chosen while others act: whether it now waits, or no more; undefined where none may. */
    private readonly early: (card: Card, on: Card | undefined) => boolean | undefined = () => undefined,
  ) {}

  reset(): void {
    this.picked = [];
    this.aim = undefined;
    this.mode = undefined;
  }

  /** Take back what was picked; whether there was anything. */
  cancel(): boolean {
    const any = this.picked.length > 0 || this.aim !== undefined || this.mode !== undefined;
    this.reset();
    if (any) this.changed();
    return any;
  }

  /** The cards of the hand to be lifted and lit. */
  lit(): ReadonlySet<Card> {
    const { legal, hand } = this.shared.scene;
    if (this.mode) return usable(legal, this.mode);
    if (this.aim) return new Set((legal.beat ?? []).filter(([on]) => counts(on) === this.aim).flatMap(([, by]) => by.map(face)));
    if (this.picked.length && legal.several) return new Set([...this.picked.map(face), ...joining(legal, hand, this.picked)]);
    return usable(legal);
  }

  /** The cards on the table that the picked card may beat; without one, all that may be beaten. */
  targets(card: Card | undefined = this.picked[0]): Set<Card> {
    const beat = this.shared.scene.legal.beat ?? [];
    const by = card && face(card);
    return new Set(beat.filter(([, cards]) => !by || cards.some((one) => face(one) === by)).map(([on]) => counts(on)));
  }

  /** A card of the hand was chosen: by a click, by a key, or dropped on the table or on a card there; whether a move was sent. */
  async card(card: Card, at: HTMLElement, drop?: { on?: Card }): Promise<boolean> {
    const { legal, hand } = this.shared.scene;
    const waits = this.early(card, drop?.on);
    if (waits !== undefined) return waits ? this.why(card, drop?.on) : this.change();
    if (this.mode === "swap") return this.swap(card);
    const again = at.dataset.picked !== undefined;
    if (again && drop && !drop.on && legal.attack) return this.attack();
    if (again && !drop) {
      // A second click on a picked card puts it back; on the only card of an opening it plays it.
      if (this.picked.length === 1 && legal.several && legal.attack) return this.attack();
      this.picked.splice(
        this.picked.findIndex((one) => face(one) === card),
        1,
      );
      return this.change();
    }
    let ways = uses(legal, card);
    if (this.mode) ways = ways.filter(({ verb }) => verb === this.mode);
    const on = drop?.on ?? this.aim;
    if (on) ways = ways.filter((use) => use.on === undefined || counts(use.on) === on);
    if (drop?.on && ways.some((use) => use.on)) ways = ways.filter((use) => use.on);
    if (!ways.length) return this.why(card, on);
    if (legal.several && this.picked.length && joining(legal, hand, this.picked).has(card)) {
      const way = await this.choose(ways, at);
      if (way) this.picked.push(way.card);
      if (way && !joining(legal, hand, this.picked).size) return this.attack();
      return this.change();
    }
    this.picked = [];
    const more = ways[0]?.verb === "attack" && joining(legal, hand, [ways[0].card]).size > 0;
    const beats = ways.every(({ verb, card: played }) => verb === "beat" && played === ways[0]?.card);
    if (ways.length > 1 && beats && !drop) {
      this.picked = [card];
      return this.change();
    }
    const way = await this.choose(ways, at);
    if (!way) return this.change();
    if (more && !drop) {
      this.picked = [way.card];
      return this.change();
    }
    return this.move(text(way), card);
  }

  /** A card on the table was chosen: as the target of what is picked, else to be aimed at. */
  async target(on: Card, at: HTMLElement): Promise<void> {
    const picked = this.picked[0];
    if (picked === undefined) {
      this.aim = this.aim === on ? undefined : on;
      return this.changed();
    }
    const ways = uses(this.shared.scene.legal, face(picked)).filter((use) => use.on !== undefined && counts(use.on) === on);
    if (!ways.length) return void this.why(face(picked), on);
    const way = await this.choose(ways, at);
    if (way) void this.move(text(way), face(picked));
  }

  /** Open with what is picked. */
  async attack(): Promise<boolean> {
    const [first] = this.picked;
    return first !== undefined && this.move(together("attack", this.picked), face(first));
  }

  /** A way chosen by its button: with one card for it, that is the move; else the card is asked for. */
  async way(mode: Mode, at: HTMLElement): Promise<void> {
    const cards = this.shared.scene.legal[mode] ?? [];
    const picked = this.picked[0] && face(this.picked[0]);
    if (mode !== "swap" && new Set(cards.map(face)).size === 1) {
      const way = await this.choose(
        uses(this.shared.scene.legal, face(cards[0] as Card)).filter(({ verb }) => verb === mode),
        at,
      );
      if (way) void this.move(text(way), face(way.card));
      return;
    }
    this.reset();
    this.mode = mode;
    if (picked && mode === "swap" && cards.includes(picked)) this.picked = [picked];
    this.changed();
  }

  /** Say a move, asking first where it would put an end to moves that were undone; whether it was sent. */
  async move(move: string, card?: Card): Promise<boolean> {
    const { scene, words } = this.shared;
    let branch = false;
    if (scene.ply !== scene.last && !scene.taken_back && !same(scene.next, move)) {
      const answers = [
        { words: words.say("branch.yes"), value: true, primary: true },
        { words: words.say("cancel"), value: false },
      ];
      branch = (await this.ask.question(words.count("branch.ask", scene.last - scene.ply), answers)) ?? false;
      if (!branch) {
        this.cancel();
        return false;
      }
    }
    this.shared.send({ kind: "move", move, ...(branch && { branch: true }) });
    this.sent(card); // while the answer is on its way
    return true;
  }

  /** Something was picked instead of played. */
  private change(): false {
    this.changed();
    return false;
  }

  private swap(card: Card): Promise<boolean> | false {
    if (!usable(this.shared.scene.legal, "swap").has(card)) return this.why(card, undefined);
    const { hand } = this.shared.scene;
    const copies = hand.filter((one) => one === card).length;
    const already = this.picked.filter((one) => one === card).length;
    this.picked = already === copies ? this.picked.filter((one) => one !== card) : [...this.picked, card];
    return this.picked.length === 2 ? this.move(together("swap", this.picked)) : this.change();
  }

  private why(card: Card, on: Card | undefined): false {
    const intent: Intent = { kind: "why", card, ...(on && { on }), ...(this.mode && { as: this.mode }) };
    this.shared.send(intent);
    return false;
  }

  /** One of several ways, asked for in a small menu where there is more than one. */
  private async choose(ways: readonly Use[], at: HTMLElement): Promise<Use | undefined> {
    if (ways.length < 2) return ways[0];
    const { words } = this.shared;
    const [first] = ways as [Use, ...Use[]];
    const verbs = new Set(ways.map(({ verb, on }) => `${verb} ${on}`)).size > 1;
    const suits = new Set(ways.map(({ card }) => card)).size > 1;
    const name = (use: Use): string => {
      const verb = use.verb === "beat" ? words.say("beat", { card: words.card(use.on) }) : words.say(use.verb);
      const suit = words.suit(counts(use.card).charAt(1));
      return verbs && suits ? words.say("way", { verb, suit }) : suits ? suit : verb;
    };
    const question = words.say(suits && !verbs ? "which_suit" : "which_way", { card: words.card(face(first.card)) });
    return this.ask.question(
      question,
      ways.map((use) => ({ words: name(use), value: use })),
      at,
    );
  }
}

/** Whether two moves in words are one: the order of several cards says nothing. */
function same(one: string | undefined, other: string): boolean {
  const sorted = (move: string): string => (move.startsWith("beat") ? move : move.split(" ").sort().join(" "));
  return one !== undefined && sorted(one) === sorted(other);
}

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

/** Premoves: a card chosen while others act, or being done with a bout. What becomes legal is played, what is past is dropped. */
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
