/** What a person is about to do: the card picked, the target aimed at, the way chosen; and then the move. */

import {
  type Card,
  counts,
  face,
  type Intent,
  joining,
  type Mode,
  text,
  together,
  type Use,
  usable,
  uses,
} from "../../widgets/protocol/scene";
import type { Shared } from "../../widgets/table-context";
import type { Ask } from "../view/choice-dialog";
import type { Picked } from "./actions";

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
