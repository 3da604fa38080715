/** The protocol of the table: the scene that Python sends, the intents that the page may send, the verbs of moves, and readers of the legal moves. */

/** By a card; by one laid on a card of the table; by one that a button may ask for first; by a button and two cards; by a button alone. */
type Way = "card" | "target" | "asked" | "two" | "bare";
export const VERBS = {
  attack: { by: "card", key: "a" },
  throw: { by: "card" },
  beat: { by: "target" },
  transfer: { by: "asked", key: "f" },
  show: { by: "asked", key: "s" },
  swap: { by: "two", key: "w" },
  pass: { by: "bare", key: "p" },
  take: { by: "bare", key: "t" },
} as const satisfies Readonly<Record<string, { readonly by: Way; readonly key?: string }>>;

/** A card as it is written: `7c`, `Td`, `Xr`, and `6d=h` for a six of diamonds played as a heart. */
export type Card = string;

export type Role = "attacks" | "throws" | "defends" | "takes" | "waits" | "passed" | "out" | "won" | "lost" | "fool" | "draw";

export interface Seat {
  readonly cards: number;
  readonly role: Role;
  /** Who plays it: `you` for a person at this table, else the name of a bot. */
  readonly who: string;
  /** Who plays it from the next game on, if the game is over and somebody else was chosen. */
  readonly next?: string;
  /** Who plays it is called by their name. */
  readonly named?: true;
  /** What its bot is doing, when that needs saying. */
  readonly bot?: "thinks" | "late" | "failed";
  readonly mate?: true;
  /** Its hand, where all lie open. */
  readonly hand?: readonly Card[];
  /** Trumps shown in this bout. */
  readonly shown?: readonly Card[];
  /** What it did last, in a few words. */
  readonly did?: string;
  /** The epaulettes that the fool wears. */
  readonly wears?: readonly Card[];
}

/** How the legal moves of a verb are told, by the way in which they are made. */
interface Told {
  /** The cards, as they would be played. */
  readonly card: readonly Card[];
  readonly asked: readonly Card[];
  /** For each card on the table that may be met, the cards that meet it. */
  readonly target: readonly (readonly [Card, readonly Card[]])[];
  /** The cards of which any two will do. */
  readonly two: readonly Card[];
  readonly bare: true;
}

/** What the viewer may do now; empty when it is not for the viewer to act. */
export type Legal = { readonly [V in Verb]?: Told[(typeof VERBS)[V]["by"]] } & {
  /** How many cards of one rank may open together. */
  readonly several?: number;
};

export type Pair = readonly [Card, Card | null];

/** A sentence as it is shown, and as it is read aloud. */
export type Said = readonly [shown: string, spoken: string];

export interface Note {
  readonly kind: "refused" | "hint" | "error" | "told";
  readonly said: Said;
  /** The card it is about. */
  readonly card?: Card;
  /** The card on the table it is about. */
  readonly on?: Card;
}

/** A note as it is shown. */
export interface Shown extends Note {
  /** Of what is true for a while: what of it still is, or nothing. */
  readonly still?: () => string | undefined;
}

export interface Over {
  /** Who is the fool, or that it is a draw. */
  readonly said: Said;
  /** A word to the person who has played. */
  readonly word?: Said;
  readonly order: string;
  readonly epaulettes: number;
  readonly won: boolean | null;
  /** The match so far: a name, games won, drawn, lost, and the epaulettes of each side. */
  readonly score: readonly (readonly [name: string, won: number, drew: number, lost: number, epaulettes: string])[];
  /** What the opponents say, and how one stands with them. */
  readonly rivals?: readonly string[];
  /** The opponent who may be met next. */
  readonly meet?: string;
  /** Who has lost the whole match, if anybody has. */
  readonly match?: string;
}

export interface Scene {
  /** Grows with every scene. */
  readonly id: number;
  /** Which game of the table this is; a new one is dealt afresh. */
  readonly game: number;
  readonly ply: number;
  /** How many moves there are, with those that were undone. */
  readonly last: number;
  readonly bout: number;
  readonly limit: number;
  readonly me: number;
  /** The hand is covered until this person says that they are there. */
  readonly covered?: true;
  readonly actor: number | null;
  readonly trump: string | null;
  readonly turnup?: readonly [Card, "bottom" | "top" | "aside"];
  /** A second card lies face down under the turn-up. */
  readonly hidden?: true;
  readonly talon: number;
  readonly discard: number;
  readonly table: readonly Pair[];
  /** Who laid each attacking card, where that is not plain. */
  readonly by?: readonly (number | null)[];
  /** The viewer's hand, in the order in which it is held. */
  readonly hand: readonly Card[];
  readonly seats: readonly Seat[];
  readonly call: Said;
  readonly legal: Legal;
  /** The move that led here, and what is to be read aloud of it. */
  readonly did?: { readonly seat: number; readonly verb: Verb; readonly cards: readonly Card[]; readonly said: readonly string[] };
  /** What was done last, and before that, as it is written on the felt. */
  readonly told?: readonly string[];
  /** How the bout ended that this move ended: who took the cards (null: the discard pile), and who drew how many. */
  readonly end?: { readonly taker: number | null; readonly pairs: readonly Pair[]; readonly drew: readonly (readonly [number, number])[] };
  readonly note?: Note;
  readonly over?: Over;
  /** The viewer's own move that was undone here: making it again drops nothing. */
  readonly next?: string;
  /** The bot that is to act waits until somebody looks at the table. */
  readonly waits?: true;
  /** The bot that is to act waits for a word before each move. */
  readonly step?: true;
  /** The table is looked at from another seat than one's own. */
  readonly turned?: true;
  /** No hand lies open, not even one's own. */
  readonly closed?: true;
  /** Moves were taken back: whatever is played now goes on from here, and nothing is asked. */
  readonly taken_back?: true;
  /** A task is set here: it is begun again, and no other game is dealt. */
  readonly task?: true;
  /** The thought of a hint has been told: asked again, it names the card. */
  readonly thought?: true;
  /** One move decides it. */
  readonly brief?: true;
  /** It is decided: how, and in which words. */
  readonly verdict?: { readonly right: boolean | null; readonly said: Said };
  /** Where the game turned that is over, once that is known; of a moment that was tried again, whether it was done. */
  readonly review?: {
    readonly said: Said;
    /** The moments at which it turned; none where nothing more is to be told. */
    readonly marks?: readonly number[];
    /** The viewer's own decision of which it speaks, to be tried again. */
    readonly again?: number;
  };
  /** What was found out about this moment beside the game, by its name. */
  readonly beside?: Readonly<Record<string, readonly number[]>>;
  /** What the rules are called. */
  readonly rules: string;
  /** In a match, of each side: its seats, how often it has lost, and its epaulettes. */
  readonly score?: readonly (readonly [seats: readonly number[], lost: number, epaulettes: string])[];
  /** What can be asked for. */
  readonly can: {
    readonly undo?: true;
    readonly redo?: true;
    readonly hint?: true;
    readonly done?: true;
    readonly end?: true;
    /** The last move was dear: it may well be taken back. */
    readonly regret?: true;
  };
}

/** What a person means to do. `ply` is the moment they saw; Python refuses what has become stale. */
export type Intent =
  | { readonly kind: "move"; readonly move: string; readonly branch?: true }
  | { readonly kind: "why"; readonly card: Card; readonly on?: Card; readonly as?: string }
  | {
      readonly kind:
        | ("undo" | "redo" | "hint" | "new" | "next" | "here" | "branch" | "list" | "seen" | "show" | "start" | "stop" | "end")
        | ("say" | "holding" | "lately" | "piles")
        | ("share" | "step" | "turn" | "home" | "drawers" | "turned" | "by_cards" | "people");
    }
  | { readonly kind: "draft" | "deal"; readonly draft: Partial<Draft> }
  | { readonly kind: "read" | "paste"; readonly text: string }
  | { readonly kind: "goto" | "again"; readonly to: number }
  | { readonly kind: "meet"; readonly who: string }
  | { readonly kind: "seat"; readonly seat: number; readonly who: string };

/** What shall be played instead: a preset with its options, or with others. */
export interface Draft {
  readonly preset: string;
  readonly players?: unknown;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly seats: readonly string[];
  readonly seed: string;
  /** Which of the drafts this is: the answer says the same. */
  readonly nr?: number;
}
type Offer = readonly [value: unknown, words: string];
/** An option of the rules: where it has no label, it is a tick, and the second answer is what it says. */
export interface Field {
  readonly name: string;
  readonly value: unknown;
  readonly label: string;
  readonly offers: readonly Offer[];
  /** What the value means, where the answers are short; else they say it themselves. */
  readonly said: string | null;
}
/** The rules in words; and, where others may be played, the form for them. */
export interface Rulebook {
  readonly kind: "door";
  readonly nr: number;
  readonly language: string;
  readonly title: string;
  readonly line: string;
  readonly told: readonly (readonly [heading: string, said: readonly string[]])[];
  /** They differ in nothing from the plain game. */
  readonly plain: boolean;
  readonly form?: Required<Omit<Draft, "players" | "nr">> & {
    readonly presets: readonly Offer[];
    readonly line: string;
    readonly offers: readonly (readonly [name: string, title: string, line: string])[];
    readonly groups: readonly {
      readonly name: string;
      readonly heading: string;
      readonly rare: boolean;
      readonly changed: boolean;
      readonly fields: readonly Field[];
    }[];
    /** What is otherwise than in the preset. */
    readonly unlike: readonly string[];
    /** Why this cannot be played. */
    readonly refused?: string;
  };
}

/** What Python tells one view besides: the list of moves, the cards seen and the rules. */
export interface Heading {
  readonly bout: number;
  readonly moves: readonly (readonly [ply: number, text: string])[];
  /** How it ended, if it has. */
  readonly end?: string;
}
export interface Seen {
  /** Every card of the deck, suit by suit. */
  readonly rows: readonly (readonly Card[])[];
  /** Where each card is: `hand`, `table`, `talon`, `gone`, a seat's number; a card not named is unknown. */
  readonly where: Readonly<Record<Card, readonly (string | number)[]>>;
}
/** Who of the opponents has been beaten, and who is next; nobody, when all have been. */
export interface Rivals {
  readonly beaten: readonly string[];
  readonly next: string | null;
}
/** All that is told of where a game turned. */
export interface Review {
  readonly said: string;
  /** The chances, bout by bout: of each seat that is shown a share, or nothing; and the same in words. */
  readonly line: {
    readonly title: string;
    readonly points: readonly (readonly [ply: number, bout: number, shares: readonly (number | null)[]])[];
    readonly said: readonly string[];
    /** Why it does not fall at a mistake, where it does not. */
    readonly beside: string;
  };
  readonly turns: readonly (readonly [ply: number, said: string])[];
  readonly worst: readonly { readonly ply: number; readonly said: string; readonly mine: boolean }[];
  /** What cards and play brought, of a hundred chances, and of what each is made. */
  readonly luck: {
    readonly title: string;
    readonly bars: readonly (readonly [name: string, value: number, written: string, made: string])[];
    readonly sum: string;
    /** What play is measured by. */
    readonly beside: readonly string[];
  } | null;
  /** A heading, and what it says. */
  readonly skill: readonly string[];
  /** A heading, and what the columns of the decisions are called. */
  readonly heads: readonly [title: string, move: string, better: string, cost: string, verdict: string];
  readonly decisions: readonly (readonly [heading: string, moves: readonly Judged[]])[];
  readonly how: string;
  /** By what it is judged: what each could know, or what all cards say. */
  readonly by: "seat" | "cards";
  /** How the other is asked for, and what is said till it is known. */
  readonly other: readonly [words: string, soon: string];
}
/** A decision: after how many moves, which, what was better, what it cost, the verdict, and whether it was a mistake. */
export type Judged = readonly [ply: number, move: string, better: string, lost: string, verdict: string, wrong: boolean];
export type Message =
  | { readonly kind: "list"; readonly bouts: readonly Heading[] }
  | ({ readonly kind: "seen" } & Seen)
  | { readonly kind: "told"; readonly said: string }
  /** What may be taken away: some of it only where no card is hidden any more. */
  | {
      readonly kind: "share";
      readonly words: string;
      readonly picture: string;
      readonly position?: string;
      readonly game?: string;
      readonly cell?: string;
      /** Where it can be opened in a browser; where only the rules may be told, a game by them. */
      readonly link?: string;
    }
  | ({ readonly kind: "turned" } & Review)
  | ({ readonly kind: "people" } & Rivals)
  /** What drawers are made of; or where that lies. */
  | { readonly kind: "drawers"; readonly code: string }
  | { readonly kind: "drawers"; readonly url: string }
  /** What was pasted cannot be laid. */
  | { readonly kind: "unread"; readonly said: Said }
  /** It can. */
  | { readonly kind: "readable"; readonly text: string }
  | Rulebook;

/** Whether an earlier moment is looked at, and nothing was taken back. */
export const looksBack = ({ ply, last, taken_back }: Pick<Scene, "ply" | "last" | "taken_back">): boolean => ply < last && !taken_back;

/** The settings that the front end itself reads; which there are, and what can be chosen, is told by Python. */
export interface Look {
  readonly theme: string;
  readonly skin: string;
  readonly back: string;
  readonly four_colors: boolean;
  readonly motion: boolean;
  readonly sound: boolean;
  /** What beats what is shown under the pointer. */
  readonly aids: boolean;
  /** The list of cards seen may be looked at. */
  readonly memory: boolean;
  readonly chances: boolean;
  /** A card chosen while others act waits for its moment. */
  readonly early: boolean;
  readonly size: string;
}

/** A setting of the look, which both sides may change. */
export interface Setting {
  readonly name: string;
  /** What can be chosen: by the words for each value, or by the names that the values bring along. Without values it is on or off. */
  readonly values?: readonly (string | number)[] | Readonly<Record<string, string>>;
}

export type Verb = keyof typeof VERBS;
type By<W extends Way> = { [V in Verb]: (typeof VERBS)[V]["by"] extends W ? V : never }[Verb];
/** Verbs whose button has a key. */
export type Keyed = { [V in Verb]: (typeof VERBS)[V] extends { readonly key: string } ? V : never }[Verb];
/** Verbs of which one card is the move. */
export type Direct = By<"card" | "target" | "asked">;
/** Verbs with a button that asks for the cards. */
export type Mode = By<"asked" | "two">;
/** Verbs without a card. */
export type Bare = By<"bare">;

/** The verbs that are made in one of these ways, in the order of the table. */
export function by<W extends Way>(...ways: readonly W[]): readonly By<W>[] {
  return Object.entries(VERBS).flatMap(([verb, how]) => ((ways as readonly Way[]).includes(how.by) ? [verb as By<W>] : []));
}

/** Whether this is a verb without a card. */
export const isBare = (name: string): name is Bare => (by("bare") as readonly string[]).includes(name);

/** One way to use one card: as it would be played, with the suit chosen for it; and the card on the table that it would beat. */
export type Use =
  | { readonly verb: "beat"; readonly card: Card; readonly on: Card }
  | { readonly verb: Exclude<Direct | Mode, "beat">; readonly card: Card; readonly on?: undefined };

const DIRECT = by("card", "target", "asked");

/** The card itself, whatever it is played as: `6d` of `6d=h`. */
export const face = (card: Card): Card => card.slice(0, 2);
/** The card as it counts on the table: `6h` for `6d=h`. */
export const counts = (card: Card): Card => (card.length > 2 ? `${card[0]}${card[3]}` : card);
export const rank = (card: Card): string => card.charAt(0);
/** The suit of a card that counts as a trump. */
export const trumpOf = (card: Card, trump: string | null): string | undefined =>
  trump !== null && counts(card)[1] === trump && card[0] !== "X" ? trump : undefined;
/** A card as it is written on it: `10♥`. */
export const signs = (card: Card): string =>
  `${rank(card) === "T" ? "10" : rank(card)}${{ c: "♣", d: "♦", h: "♥", s: "♠" }[card.charAt(1)] ?? "★"}\ufe0e`;

/** All that is told of a verb. */
function told(legal: Legal, verb: Use["verb"]): Use[] {
  if (verb === "beat") return (legal.beat ?? []).flatMap(([on, cards]) => cards.map((card): Use => ({ verb, card, on })));
  return (legal[verb] ?? []).map((card): Use => ({ verb, card }));
}

/** All the ways to use a card of the hand, in the order in which Python lists its moves. */
export function uses(legal: Legal, card: Card): Use[] {
  return DIRECT.flatMap((verb) => told(legal, verb)).filter((use) => face(use.card) === card);
}

/** The cards of the hand that can be used at all; with a verb, those that can be used so. */
export function usable(legal: Legal, verb?: Use["verb"]): Set<Card> {
  return new Set((verb ? [verb] : DIRECT).flatMap((one) => told(legal, one)).map(({ card }) => face(card)));
}

/** The move in words. */
export const text = ({ verb, card, on }: Use): string => (on ? `${verb} ${counts(on)} ${card}` : `${verb} ${card}`);

/** An attack with several cards, or a swap of two. */
export const together = (verb: "attack" | "swap", cards: readonly Card[]): string => [verb, ...cards].join(" ");

/** Which cards of the hand may join those picked for an opening: of the same rank, while there is room. */
export function joining(legal: Legal, hand: readonly Card[], picked: readonly Card[]): Set<Card> {
  const first = picked[0];
  if (first === undefined || (legal.several ?? 1) <= picked.length) return new Set();
  const left = [...hand];
  for (const card of picked) left.splice(left.indexOf(face(card)), 1);
  const may = usable(legal, "attack");
  return new Set(left.filter((card) => rank(card) === rank(first) && may.has(card)));
}
