/** The protocol of the table: scenes from Python, intents from the page, verbs of moves, and functions that read legal moves. */

/** How a move is entered: by a card; on a card of the table; by a card, with an optional button first; by a button and two cards; by a button alone. */
type InputMethod = "card" | "target" | "asked" | "two" | "bare";
export const VERBS = {
  attack: { by: "card", key: "a" },
  throw: { by: "card" },
  beat: { by: "target" },
  transfer: { by: "asked", key: "f" },
  show: { by: "asked", key: "s" },
  swap: { by: "two", key: "w" },
  pass: { by: "bare", key: "p" },
  take: { by: "bare", key: "t" },
} as const satisfies Readonly<Record<string, { readonly by: InputMethod; readonly key?: string }>>;

/** A card as text: `7c`, `Td`, `Xr`, or `6d=h` for a six of diamonds played as a heart. */
export type Card = string;

export type Role = "attacks" | "throws" | "defends" | "takes" | "waits" | "passed" | "out" | "won" | "lost" | "fool" | "draw";

export interface Seat {
  readonly cards: number;
  readonly role: Role;
  /** The player: `you` for a person at this table, or the name of a bot. */
  readonly player: string;
  /** The player from the next game on, if the game is over and another was chosen. */
  readonly next_player?: string;
  /** The player is shown by name. */
  readonly is_named?: true;
  /** The state of the bot, if the user should know it. */
  readonly bot_state?: "thinks" | "late" | "failed";
  readonly is_partner?: true;
  /** The hand, if all hands are open. */
  readonly hand?: readonly Card[];
  /** Trumps shown in this bout. */
  readonly shown_trumps?: readonly Card[];
  /** The last action of this seat, in a few words. */
  readonly last_action?: string;
  /** The epaulettes of the fool. */
  readonly epaulettes?: readonly Card[];
}

/** How Python lists the legal moves of a verb, by input method. */
interface MovesByInput {
  /** The cards, as they would be played. */
  readonly card: readonly Card[];
  readonly asked: readonly Card[];
  /** For each card on the table, the cards that can meet it. */
  readonly target: readonly (readonly [Card, readonly Card[]])[];
  /** The cards of which any two can be chosen. */
  readonly two: readonly Card[];
  readonly bare: true;
}

/** The legal moves of the viewer. Empty if another seat is to act. */
export type Legal = { readonly [V in Verb]?: MovesByInput[(typeof VERBS)[V]["by"]] } & {
  /** How many cards of one rank can open together. */
  readonly several?: number;
};

export type Pair = readonly [Card, Card | null];

/** A sentence to show, and the same for a screen reader. */
export type Sentence = readonly [shown: string, spoken: string];

export interface Note {
  readonly kind: "refused" | "hint" | "error" | "info";
  readonly text: Sentence;
  /** The card of the hand that the note is about. */
  readonly card?: Card;
  /** The card on the table that the note is about. */
  readonly target?: Card;
}

/** A note with text that can expire. */
export interface DisplayedNote extends Note {
  /** Return the part of the text that is still true, if any. */
  readonly still?: () => string | undefined;
}

export interface GameResult {
  /** Names the fool, or says that the game is a tie. */
  readonly text: Sentence;
  /** A message to the person who played. */
  readonly farewell?: Sentence;
  readonly order: string;
  readonly epaulettes: number;
  readonly won: boolean | null;
  /** The score of the match: name, games won, tied and lost, and epaulettes of each side. */
  readonly score: readonly (readonly [name: string, won: number, drew: number, lost: number, epaulettes: string])[];
  /** What opponents say: one about the game, and after a win that beats them also the next one. */
  readonly quotes?: readonly (readonly [opponent: string, name: string, text: string])[];
  /** The progress against the opponents. */
  readonly standing?: string;
  /** The next opponent. */
  readonly next_opponent?: string;
  /** An opponent was beaten with this game. After the strongest, all that were beaten are named. */
  readonly beaten?: { readonly opponent: string; readonly text: Sentence; readonly all_beaten?: readonly string[] };
  /** Who has lost the whole match. */
  readonly match_result?: string;
}

export interface Scene {
  /** Grows with every scene. */
  readonly id: number;
  /** The number of the game at this table. */
  readonly game: number;
  readonly ply: number;
  /** The number of moves, including undone ones. */
  readonly last_ply: number;
  readonly bout: number;
  readonly limit: number;
  readonly viewer: number;
  /** The hand is hidden until this person confirms that they are there. */
  readonly covered?: true;
  readonly actor: number | null;
  readonly trump: string | null;
  readonly turn_up?: readonly [Card, "bottom" | "top" | "aside"];
  /** A second card lies face down under the turn-up. */
  readonly has_hidden_trump?: true;
  readonly talon: number;
  readonly discard: number;
  readonly table: readonly Pair[];
  /** The seat that played each attacking card, if it is not obvious. */
  readonly attackers?: readonly (number | null)[];
  /** The viewer's hand, in display order. */
  readonly hand: readonly Card[];
  readonly seats: readonly Seat[];
  readonly call_to_action: Sentence;
  readonly legal: Legal;
  /** The move that led here, and its text for a screen reader. */
  readonly last_move?: {
    readonly seat: number;
    readonly verb: Verb;
    readonly cards: readonly Card[];
    readonly sentences: readonly string[];
  };
  /** The last actions, as shown on the felt. */
  readonly commentary?: readonly string[];
  /** How the last move ended the bout: who took the cards (null is the discard pile), and how many cards each seat picked up. */
  readonly bout_end?: {
    readonly taker: number | null;
    readonly pairs: readonly Pair[];
    readonly drawn: readonly (readonly [number, number])[];
  };
  readonly note?: Note;
  readonly result?: GameResult;
  /** The viewer's move that was undone here. Repeating it loses nothing. */
  readonly undone_move?: string;
  /** The bot to act waits until the user sees the table. */
  readonly is_waiting?: true;
  /** The bot to act waits for the user before each move. */
  readonly waits_for_step?: true;
  /** The table is seen from another seat. */
  readonly is_rotated?: true;
  /** All hands are hidden, the viewer's own too. */
  readonly hides_hands?: true;
  /** Moves were taken back. The next move continues from here, without a question. */
  readonly taken_back?: true;
  /** This is an exercise: it can be restarted, and no other game is dealt. */
  readonly task?: true;
  /** The idea of the hint was shown. The next hint names the card. */
  readonly has_shown_thought?: true;
  /** One move decides the exercise. */
  readonly is_single_move?: true;
  /** The exercise is decided. The text says how. */
  readonly verdict?: { readonly right: boolean | null; readonly text: Sentence };
  /** The review of a game that is over, or of a retried moment. */
  readonly review?: {
    readonly text: Sentence;
    /** The moments of the turning points. Absent if no details are available. */
    readonly turning_points?: readonly number[];
    /** The review is not complete yet. */
    readonly is_pending?: true;
    /** The viewer's own decision that can be retried. */
    readonly retry_ply?: number;
  };
  /** Results of background analysis, by name. */
  readonly analysis?: Readonly<Record<string, readonly number[]>>;
  /** The name of the rules. */
  readonly rules: string;
  /** What the user needs to beat the opponent, or how many games each side has lost. */
  readonly match_score?: string;
  /** The requests that are possible now. */
  readonly can: {
    readonly undo?: true;
    readonly redo?: true;
    readonly hint?: true;
    readonly done?: true;
    readonly end?: true;
    /** The last move was expensive, so undo is offered. */
    readonly regret?: true;
  };
}

/** What the user wants to do. `ply` is the moment they saw, so that Python can refuse outdated intents. */
export type Intent =
  | { readonly kind: "move"; readonly move: string; readonly drops_undone?: true }
  | { readonly kind: "explain_refusal"; readonly card: Card; readonly target?: Card; readonly verb?: string }
  | {
      readonly kind:
        | ("undo" | "redo" | "hint" | "new_game" | "next_game" | "uncover_hand" | "drop_undone_moves")
        | ("move_list" | "seen_cards" | "refresh" | "start" | "stop" | "step" | "play_to_end")
        | ("describe_table" | "describe_hand" | "describe_last_moves" | "describe_piles")
        | ("share" | "rotate_view" | "reset_view" | "panels" | "extras" | "review" | "review_by_cards" | "opponents" | "how_to_play");
    }
  | { readonly kind: "draft" | "deal"; readonly draft: Partial<Draft> }
  | { readonly kind: "check_text" | "open_text"; readonly text: string }
  | { readonly kind: "goto" | "retry_decision"; readonly to_ply: number }
  | { readonly kind: "play_opponent"; readonly player: string }
  | { readonly kind: "seat_player"; readonly seat: number; readonly player: string };

/** The game to play instead: a preset with its options, or with changed ones. */
export interface Draft {
  readonly preset: string;
  readonly players?: unknown;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly seats: readonly string[];
  readonly seed: string;
  /** The number of the draft. The answer repeats it. */
  readonly number?: number;
}
type Choice = readonly [value: unknown, words: string];
/** An option of the rules. Without a label it is a checkbox, and the second choice is its text. */
export interface Field {
  readonly name: string;
  readonly value: unknown;
  readonly label: string;
  readonly offers: readonly Choice[];
  /** What the value means, if the choices are too short to say it. */
  readonly meaning: string | null;
}
type RuleList = readonly [heading: string, sentences: readonly string[]];
/** The rules in words, and a form for other rules. */
export interface Rulebook {
  readonly kind: "rules_dialog";
  readonly number: number;
  readonly language: string;
  readonly title: string;
  readonly summary: string;
  /** What beats what, and how the game goes. */
  readonly basics: readonly string[];
  /** What differs from the plain game. */
  readonly special: RuleList;
  readonly all: RuleList;
  readonly form?: Required<Omit<Draft, "players" | "number">> & {
    readonly labels: Readonly<Record<"others" | "own" | "seed" | "seed.how" | "play", string>>;
    /** The title of the preset. */
    readonly title: string;
    readonly preset_groups: readonly (readonly [
      name: string,
      heading: string,
      presets: readonly (readonly [name: string, title: string, summary: string])[],
    ])[];
    readonly offers: readonly (readonly [name: string, title: string, line: string])[];
    readonly groups: readonly {
      readonly name: string;
      readonly heading: string;
      readonly rare: boolean;
      readonly changed: boolean;
      readonly fields: readonly Field[];
    }[];
    /** The differences from the preset. */
    readonly changes: readonly string[];
    /** The number of differences, in words. */
    readonly changed: string;
    /** Why these rules can't be played. */
    readonly refused?: string;
  };
}

/** The moves of one bout. */
export interface BoutMoves {
  readonly bout: number;
  readonly moves: readonly (readonly [ply: number, text: string])[];
  /** How the bout ended, if it has. */
  readonly end?: string;
}
export interface SeenCards {
  /** Every card of the deck, suit by suit. */
  readonly rows: readonly (readonly Card[])[];
  /** Where each card is: `hand`, `table`, `talon`, `gone` or a seat number. A missing card is unknown. */
  readonly locations: Readonly<Record<Card, readonly (string | number)[]>>;
}
/** The opponents beaten so far, and the next one. `null` if all are beaten. */
export interface OpponentProgress {
  readonly beaten: readonly string[];
  readonly next_opponent: string | null;
}
/** The basic rules in pictures. */
export interface HowToPlay {
  readonly language: string;
  readonly steps: readonly (readonly [title: string, text: string, picture: string])[];
  /** On the web page: a link to the page where you learn the game. */
  readonly learn_link?: readonly [url: string, label: string];
}
/** The full review of a game. */
export interface Review {
  readonly text: string;
  /** The win probabilities by bout: for each seat a share or nothing, and the same in words. */
  readonly chart: {
    readonly title: string;
    readonly points: readonly (readonly [ply: number, bout: number, shares: readonly (number | null)[]])[];
    readonly texts: readonly string[];
    /** Why the line does not fall at a mistake, if it does not. */
    readonly note: string;
  };
  readonly turning_points: readonly (readonly [ply: number, text: string])[];
  readonly worst: readonly { readonly ply: number; readonly text: string; readonly explanation: string; readonly is_own: boolean }[];
  /** What cards and play contributed, in percentage points, with the parts of each. */
  readonly luck: {
    readonly title: string;
    readonly bars: readonly (readonly [name: string, value: number, written: string, made: string])[];
    readonly sum: string;
    /** How play is measured. */
    readonly notes: readonly string[];
  } | null;
  /** A heading and its text. */
  readonly skill: readonly string[];
  /** A heading, and the column titles of the decisions. */
  readonly headings: readonly [title: string, move: string, better: string, cost: string, verdict: string];
  readonly decisions: readonly (readonly [heading: string, moves: readonly ReviewedDecision[]])[];
  readonly method: string;
  /** What decisions are judged by: what each seat could know, or all cards. */
  readonly basis: "seat" | "cards";
  /** The label of the button for the other method, and its label while loading. */
  readonly other_basis: readonly [words: string, soon: string];
}
/** The code of a bundle, or its URL. */
export type BundleCode = { readonly code: string } | { readonly url: string };

/** A decision: its ply, the move, a better move, the cost, the verdict, and whether it was a mistake. */
export type ReviewedDecision = readonly [ply: number, move: string, better: string, lost: string, verdict: string, wrong: boolean];
export type Message =
  | { readonly kind: "move_list"; readonly bouts: readonly BoutMoves[] }
  | ({ readonly kind: "seen_cards" } & SeenCards)
  | { readonly kind: "announcement"; readonly text: string }
  /** What can be exported. Some parts only if no card is hidden. */
  | {
      readonly kind: "share";
      readonly text: string;
      readonly picture: string;
      readonly position?: string;
      readonly game?: string;
      readonly cell?: string;
      /** A link that opens this game, or a game by these rules, in a browser. */
      readonly link?: string;
    }
  | ({ readonly kind: "review" } & Review)
  | ({ readonly kind: "opponents" } & OpponentProgress)
  | ({ readonly kind: "how_to_play" } & HowToPlay)
  /** The page around the table opens a panel. */
  | { readonly kind: "open_panel"; readonly panel: "how_to_play" }
  /** The code of the panels or of the extras, or its URL. */
  | ({ readonly kind: "panels" } & BundleCode)
  | ({ readonly kind: "extras" } & BundleCode)
  /** The pasted text can't be opened. */
  | { readonly kind: "unreadable"; readonly text: Sentence }
  /** The pasted text can be opened. */
  | { readonly kind: "readable"; readonly text: string }
  | Rulebook;

/** Return whether the table shows an earlier moment, and nothing was taken back. */
export const isLookingBack = ({ ply, last_ply: last, taken_back }: Pick<Scene, "ply" | "last_ply" | "taken_back">): boolean =>
  ply < last && !taken_back;

/** The settings that the front end reads. Python lists all settings and their values. */
export interface Look {
  readonly theme: string;
  readonly skin: string;
  readonly back: string;
  readonly four_colors: boolean;
  readonly motion: boolean;
  readonly sound: boolean;
  /** Highlight the cards that beat the card under the pointer. */
  readonly aids: boolean;
  /** The list of seen cards is available. */
  readonly memory: boolean;
  readonly chances: boolean;
  /** A card chosen during another seat's turn becomes a premove. */
  readonly early: boolean;
  readonly size: string;
}

/** A display setting. Python and the page can both change it. */
export interface Setting {
  readonly name: string;
  /** The key of its label, if it differs from the name. */
  readonly key?: string;
  /** The group of the settings panel in which it is. */
  readonly group?: "play" | "look" | "help" | "teachers";
  /** The values, translated by name, or with labels from Python. Without values it is on or off. */
  readonly values?: readonly (string | number)[] | Readonly<Record<string, string>>;
}

export type Verb = keyof typeof VERBS;
type VerbsOf<W extends InputMethod> = { [V in Verb]: (typeof VERBS)[V]["by"] extends W ? V : never }[Verb];
/** Verbs whose button has a key. */
export type KeyedVerb = { [V in Verb]: (typeof VERBS)[V] extends { readonly key: string } ? V : never }[Verb];
/** Verbs where one card is the move. */
export type OneCardVerb = VerbsOf<"card" | "target" | "asked">;
/** Verbs with a button that asks for cards. */
export type ModeVerb = VerbsOf<"asked" | "two">;
/** Verbs without a card. */
export type BareVerb = VerbsOf<"bare">;

/** Return the verbs with one of these input methods, in the order of `VERBS`. */
export function listVerbs<W extends InputMethod>(...methods: readonly W[]): readonly VerbsOf<W>[] {
  return Object.entries(VERBS).flatMap(([verb, spec]) =>
    (methods as readonly InputMethod[]).includes(spec.by) ? [verb as VerbsOf<W>] : [],
  );
}

/** Return whether this is a verb without a card. */
export const isBare = (name: string): name is BareVerb => (listVerbs("bare") as readonly string[]).includes(name);

/** A way to use one card: as it would be played, with its suit, and the card on the table that it beats. */
export type Use =
  | { readonly verb: "beat"; readonly card: Card; readonly on: Card }
  | { readonly verb: Exclude<OneCardVerb | ModeVerb, "beat">; readonly card: Card; readonly on?: undefined };

const ONE_CARD_VERBS = listVerbs("card", "target", "asked");

/** Return the card as printed: `6d` of `6d=h`. */
export const getFace = (card: Card): Card => card.slice(0, 2);
/** Return the card as it counts on the table: `6h` for `6d=h`. */
export const getPlayedCard = (card: Card): Card => (card.length > 2 ? `${card[0]}${card[3]}` : card);
export const getRank = (card: Card): string => card.charAt(0);
/** Return the suit of a card that counts as a trump. */
export const getTrumpSuit = (card: Card, trump: string | null): string | undefined =>
  trump !== null && getPlayedCard(card)[1] === trump && card[0] !== "X" ? trump : undefined;
/** Return all uses of a verb. */
function listUses(legal: Legal, verb: Use["verb"]): Use[] {
  if (verb === "beat") return (legal.beat ?? []).flatMap(([on, cards]) => cards.map((card): Use => ({ verb, card, on })));
  return (legal[verb] ?? []).map((card): Use => ({ verb, card }));
}

/** Return all ways to use a card of the hand, in the order of Python's moves. */
export function findUses(legal: Legal, card: Card): Use[] {
  return ONE_CARD_VERBS.flatMap((verb) => listUses(legal, verb)).filter((use) => getFace(use.card) === card);
}

/** Return the cards of the hand that can be used, with any verb or with this one. */
export function findUsableCards(legal: Legal, verb?: Use["verb"]): Set<Card> {
  return new Set((verb ? [verb] : ONE_CARD_VERBS).flatMap((directVerb) => listUses(legal, directVerb)).map(({ card }) => getFace(card)));
}

/** Format a move for Python. */
export const formatMove = ({ verb, card, on }: Use): string => (on ? `${verb} ${getPlayedCard(on)} ${card}` : `${verb} ${card}`);

/** Format an attack with several cards, or a swap of two. */
export const formatMultiCardMove = (verb: "attack" | "swap", cards: readonly Card[]): string => [verb, ...cards].join(" ");

/** Return the cards of the hand that can join an opening: the same rank, up to the limit. */
export function findJoiningCards(legal: Legal, hand: readonly Card[], picked: readonly Card[]): Set<Card> {
  const first = picked[0];
  if (first === undefined || (legal.several ?? 1) <= picked.length) return new Set();
  const remaining = [...hand];
  for (const card of picked) remaining.splice(remaining.indexOf(getFace(card)), 1);
  const attackers = findUsableCards(legal, "attack");
  return new Set(remaining.filter((card) => getRank(card) === getRank(first) && attackers.has(card)));
}
