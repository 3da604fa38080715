/** The user's card, its target and the resulting move. Also premoves: cards chosen before one's turn. */

import {
  type Card,
  type DisplayedNote,
  findJoiningCards,
  findUsableCards,
  findUses,
  formatMove,
  formatMultiCardMove,
  getFace,
  getPlayedCard,
  type Intent,
  isLookingBack,
  type ModeVerb,
  type Note,
  type Scene,
  type Use,
} from "../../widgets/protocol/scene";
import type { TableContext } from "../../widgets/table-context";
import type { ChoiceDialog } from "../extras/choice-dialog";
import type { Selection } from "./actions";

/** How long the others' moves are visible before a premove is played, in ms. */
const PREMOVE_DELAY_MS = 300;

/** The picked card, its target and the chosen verb, until they make a move. */
export class CardPlay implements Selection {
  picked: Card[] = [];
  aim: Card | undefined;
  mode: ModeVerb | undefined;

  constructor(
    private readonly context: Pick<TableContext, "scene" | "words" | "send">,
    private readonly dialog: Pick<ChoiceDialog, "ask">,
    /** Called when the selection changes. */
    private readonly onChange: () => void,
    /** Called when a move was sent. The card waits for the answer. */
    private readonly onSent: (card: Card | undefined) => void,
    /** Hold a card as a premove. Return whether it is held now; undefined if premoves are not possible. */
    private readonly holdPremove: (card: Card, on: Card | undefined) => boolean | undefined = () => undefined,
  ) {}

  reset(): void {
    this.picked = [];
    this.aim = undefined;
    this.mode = undefined;
  }

  /** Clear the selection. Return whether there was any. */
  cancel(): boolean {
    const hadSelection = this.picked.length > 0 || this.aim !== undefined || this.mode !== undefined;
    this.reset();
    if (hadSelection) this.onChange();
    return hadSelection;
  }

  /** Return the cards of the hand to highlight. */
  findLitCards(): ReadonlySet<Card> {
    const { legal, hand } = this.context.scene;
    if (this.mode) return findUsableCards(legal, this.mode);
    if (this.aim) return new Set((legal.beat ?? []).filter(([on]) => getPlayedCard(on) === this.aim).flatMap(([, by]) => by.map(getFace)));
    if (this.picked.length && legal.several) return new Set([...this.picked.map(getFace), ...findJoiningCards(legal, hand, this.picked)]);
    return findUsableCards(legal);
  }

  /** Return the cards on the table that the picked card can beat, or all that can be beaten. */
  findTargets(card: Card | undefined = this.picked[0]): Set<Card> {
    const beat = this.context.scene.legal.beat ?? [];
    const beaterFace = card && getFace(card);
    return new Set(
      beat.filter(([, cards]) => !beaterFace || cards.some((beater) => getFace(beater) === beaterFace)).map(([on]) => getPlayedCard(on)),
    );
  }

  /** Choose a card of the hand by click, key or drop. Return whether a move was sent. */
  async chooseCard(card: Card, element: HTMLElement, drop?: { on?: Card }): Promise<boolean> {
    const { legal, hand } = this.context.scene;
    const isHeld = this.holdPremove(card, drop?.on);
    if (isHeld !== undefined) return isHeld ? this.askWhy(card, drop?.on) : this.notifyPicked();
    if (this.mode === "swap") return this.pickForSwap(card);
    const wasPicked = element.dataset.picked !== undefined;
    if (wasPicked && drop && !drop.on && legal.attack) return this.attackWithPicked();
    if (wasPicked && !drop) {
      // A second click takes a card back. If it is the only card of an opening, it plays it.
      if (this.picked.length === 1 && legal.several && legal.attack) return this.attackWithPicked();
      this.picked.splice(
        this.picked.findIndex((pickedCard) => getFace(pickedCard) === card),
        1,
      );
      return this.notifyPicked();
    }
    let uses = findUses(legal, card);
    if (this.mode) uses = uses.filter(({ verb }) => verb === this.mode);
    const on = drop?.on ?? this.aim;
    if (on) uses = uses.filter((use) => use.on === undefined || getPlayedCard(use.on) === on);
    if (drop?.on && uses.some((use) => use.on)) uses = uses.filter((use) => use.on);
    if (!uses.length) return this.askWhy(card, on);
    if (legal.several && this.picked.length && findJoiningCards(legal, hand, this.picked).has(card)) {
      const use = await this.chooseUse(uses, element);
      if (use) this.picked.push(use.card);
      if (use && !findJoiningCards(legal, hand, this.picked).size) return this.attackWithPicked();
      return this.notifyPicked();
    }
    this.picked = [];
    const canJoin = uses[0]?.verb === "attack" && findJoiningCards(legal, hand, [uses[0].card]).size > 0;
    const onlyBeats = uses.every(({ verb, card: played }) => verb === "beat" && played === uses[0]?.card);
    if (uses.length > 1 && onlyBeats && !drop) {
      this.picked = [card];
      return this.notifyPicked();
    }
    const way = await this.chooseUse(uses, element);
    if (!way) return this.notifyPicked();
    if (canJoin && !drop) {
      this.picked = [way.card];
      return this.notifyPicked();
    }
    return this.sendMove(formatMove(way), card);
  }

  /** Choose a card on the table: as the target of the picked card, or to pick a card for it. */
  async chooseTarget(on: Card, element: HTMLElement): Promise<void> {
    const picked = this.picked[0];
    if (picked === undefined) {
      this.aim = this.aim === on ? undefined : on;
      return this.onChange();
    }
    const uses = findUses(this.context.scene.legal, getFace(picked)).filter((use) => use.on !== undefined && getPlayedCard(use.on) === on);
    if (!uses.length) return void this.askWhy(getFace(picked), on);
    const way = await this.chooseUse(uses, element);
    if (way) void this.sendMove(formatMove(way), getFace(picked));
  }

  /** Open with the picked cards. */
  async attackWithPicked(): Promise<boolean> {
    const [first] = this.picked;
    return first !== undefined && this.sendMove(formatMultiCardMove("attack", this.picked), getFace(first));
  }

  /** Choose a verb by its button. If only one card fits, play it. */
  async chooseMode(mode: ModeVerb, element: HTMLElement): Promise<void> {
    const cards = this.context.scene.legal[mode] ?? [];
    const picked = this.picked[0] && getFace(this.picked[0]);
    if (mode !== "swap" && new Set(cards.map(getFace)).size === 1) {
      const use = await this.chooseUse(
        findUses(this.context.scene.legal, getFace(cards[0] as Card)).filter(({ verb }) => verb === mode),
        element,
      );
      if (use) void this.sendMove(formatMove(use), getFace(use.card));
      return;
    }
    this.reset();
    this.mode = mode;
    if (picked && mode === "swap" && cards.includes(picked)) this.picked = [picked];
    this.onChange();
  }

  /** Send a move. Ask first if it would drop undone moves. Return whether it was sent. */
  async sendMove(move: string, card?: Card): Promise<boolean> {
    const { scene, words } = this.context;
    let branch = false;
    if (scene.ply !== scene.last_ply && !scene.taken_back && !isSameMove(scene.undone_move, move)) {
      const answers = [
        { words: words.say("branch.yes"), value: true, primary: true },
        { words: words.say("cancel"), value: false },
      ];
      branch = (await this.dialog.ask(words.sayCount("branch.ask", scene.last_ply - scene.ply), answers)) ?? false;
      if (!branch) {
        this.cancel();
        return false;
      }
    }
    this.context.send({ kind: "move", move, ...(branch && { drops_undone: true }) });
    this.onSent(card); // The page updates while the answer is on its way.
    return true;
  }

  /** Report that a card was picked instead of played. */
  private notifyPicked(): false {
    this.onChange();
    return false;
  }

  private pickForSwap(card: Card): Promise<boolean> | false {
    if (!findUsableCards(this.context.scene.legal, "swap").has(card)) return this.askWhy(card, undefined);
    const { hand } = this.context.scene;
    const copies = hand.filter((handCard) => handCard === card).length;
    const alreadyPicked = this.picked.filter((pickedCard) => pickedCard === card).length;
    this.picked = alreadyPicked === copies ? this.picked.filter((pickedCard) => pickedCard !== card) : [...this.picked, card];
    return this.picked.length === 2 ? this.sendMove(formatMultiCardMove("swap", this.picked)) : this.notifyPicked();
  }

  private askWhy(card: Card, on: Card | undefined): false {
    const intent: Intent = { kind: "explain_refusal", card, ...(on && { target: on }), ...(this.mode && { verb: this.mode }) };
    this.context.send(intent);
    return false;
  }

  /** Return one of several uses. Ask in a menu if there is more than one. */
  private async chooseUse(uses: readonly Use[], element: HTMLElement): Promise<Use | undefined> {
    if (uses.length < 2) return uses[0];
    const { words } = this.context;
    const [first] = uses as [Use, ...Use[]];
    const verbsDiffer = new Set(uses.map(({ verb, on }) => `${verb} ${on}`)).size > 1;
    const suitsDiffer = new Set(uses.map(({ card }) => card)).size > 1;
    const describe = (use: Use): string => {
      const verb = use.verb === "beat" ? words.say("beat", { card: words.formatCard(use.on) }) : words.say(use.verb);
      const suit = words.formatSuit(getPlayedCard(use.card).charAt(1));
      return verbsDiffer && suitsDiffer ? words.say("way", { verb, suit }) : suitsDiffer ? suit : verb;
    };
    const question = words.say(suitsDiffer && !verbsDiffer ? "which_suit" : "which_way", { card: words.formatCard(getFace(first.card)) });
    return this.dialog.ask(
      question,
      uses.map((use) => ({ words: describe(use), value: use })),
      element,
    );
  }
}

/** Return whether two moves are the same. The order of several cards does not matter. */
function isSameMove(first: string | undefined, second: string): boolean {
  const normalize = (move: string): string => (move.startsWith("beat") ? move : move.split(" ").sort().join(" "));
  return first !== undefined && normalize(first) === normalize(second);
}

/** What premoves need from the table. */
interface PremoveHooks {
  /** Send this move. Nothing else is selected. */
  sendMove(move: string, card?: Card): void;
  /** Ask the user how to play this card. */
  chooseUse(card: Card): void;
  /** Return whether a question or replay is open. */
  isBusy(): boolean;
  /** Called when the premove changes. */
  onChange(): void;
}

/** Return a key for the bout, game, seat and side. A premove is valid only while it stays the same. */
function formatBoutKey({ game, bout, viewer: me, seats }: Scene): string {
  const role = seats[me]?.role;
  return [game, bout, me, role === "defends" || role === "takes"].join();
}

/** Return a key for the owner of a premove. Nobody else may hear about it. */
const formatOwnerKey = ({ game, viewer: me }: Scene): string => `${game},${me}`;

/** Premoves: a card chosen during another seat's turn, or being done with a bout. They are played once legal, and dropped when outdated. */
export class Premoves {
  /** The premove card. */
  card: Card | undefined;
  /** The user passes automatically in this bout. */
  isDone = false;
  private on: Card | undefined;
  private boutKey = "";
  private ownerKey = "";
  private ply = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly context: Pick<TableContext, "scene" | "words" | "look" | "announce">,
    private readonly hooks: PremoveHooks,
  ) {}

  /** Hold a card as a premove, or release it. Undefined if premoves are not possible. */
  togglePremove(card: Card, on: Card | undefined): boolean | undefined {
    const { scene } = this.context;
    const isViewerSeat = scene.seats[scene.viewer]?.player === "you" && !scene.covered && !scene.task;
    if (!this.context.look.early || !isViewerSeat || scene.actor === null || scene.actor === scene.viewer || isLookingBack(scene))
      return undefined;
    if (this.card === card) return !this.cancel();
    this.store({ card, on });
    this.hooks.onChange();
    return true;
  }

  /** Cancel all premoves. Return whether there were any. */
  cancel(): boolean {
    const { card } = this;
    if (!card && !this.isDone) return false;
    this.store({});
    if (card) this.context.announce(this.formatDropped(card));
    this.hooks.onChange();
    return true;
  }

  /** Toggle being done with this bout. */
  toggleDone(): void {
    const { scene, words } = this.context;
    this.store({ done: !this.isDone });
    if (this.isDone) this.context.announce(words.say("done.said"));
    this.hooks.onChange();
    if (this.isDone && scene.legal.pass) this.hooks.sendMove("pass");
  }

  /** Handle a new scene: drop outdated premoves, tell their owner, and play what is legal after a short pause. */
  update(): void {
    const { scene } = this.context;
    const { card } = this;
    clearTimeout(this.timer);
    const hasLeftHand = card && !scene.hand.includes(card);
    if (this.boutKey !== formatBoutKey(scene) || scene.ply < this.ply || scene.result || hasLeftHand) {
      if (card && !hasLeftHand && !scene.result && this.ownerKey === formatOwnerKey(scene)) this.context.announce(this.formatDropped(card));
      this.store({});
    }
    this.ply = scene.ply;
    if (this.findDueAction()) this.timer = setTimeout(() => this.playDue(scene.id), this.context.look.motion ? PREMOVE_DELAY_MS : 0);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  /** Return the note for a card that is not playable yet, with the hint that it is held. */
  describeNote(note: Note): DisplayedNote {
    const { words } = this.context;
    const { card } = this;
    if (note.kind !== "refused" || !card || note.card !== card) return note;
    const [shownText, spoken] = [words.formatSign(card), words.formatCard(card)].map((name) => words.say("held", { card: name })) as [
      string,
      string,
    ];
    const still = (): string | undefined => (this.card === card ? shownText : undefined);
    return { kind: "info", text: [`${note.text[0]} ${shownText}`, `${note.text[1]} ${spoken}`], card, still };
  }

  private formatDropped(card: Card): string {
    const { words } = this.context;
    return words.say("unheld", { card: words.formatCard(card) });
  }

  private store({ card, on, done = false }: { card?: Card; on?: Card | undefined; done?: boolean }): void {
    [this.card, this.on, this.isDone] = [card, on, done];
    this.boutKey = formatBoutKey(this.context.scene);
    this.ownerKey = formatOwnerKey(this.context.scene);
    this.ply = this.context.scene.ply;
  }

  /** Return the action that is possible now: playing the card, or passing. */
  private findDueAction(): (() => void) | undefined {
    const { scene } = this.context;
    const { card, on } = this;
    const { legal, hand } = scene;
    if (scene.actor !== scene.viewer || isLookingBack(scene)) return undefined;
    const uses = card
      ? findUses(legal, card).filter((candidate) => !on || candidate.on === undefined || getPlayedCard(candidate.on) === on)
      : [];
    const [use] = uses;
    if (!card || !use) return this.isDone && legal.pass ? () => this.hooks.sendMove("pass") : undefined;
    const isOnlyUse = uses.length === 1 && !(use.verb === "attack" && findJoiningCards(legal, hand, [use.card]).size);
    return () => {
      this.store({});
      if (isOnlyUse) this.hooks.sendMove(formatMove(use), card);
      else this.hooks.chooseUse(card);
    };
  }

  private playDue(id: number): void {
    if (this.context.scene.id !== id) return;
    if (this.hooks.isBusy())
      this.timer = setTimeout(() => this.playDue(id), PREMOVE_DELAY_MS); // The open question comes first.
    else this.findDueAction()?.();
  }
}
