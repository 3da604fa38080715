/** The actions and commands that are possible now, with their buttons and keys. */

import {
  type BareVerb,
  type Card,
  type Draft,
  isLookingBack,
  type KeyedVerb,
  listVerbs,
  type ModeVerb,
  type Scene,
  type Setting,
  VERBS,
} from "../../widgets/protocol/scene";
import type { Key, Words } from "../../widgets/protocol/words";
import type * as Extras from "../extras/index";

const PRIMARY = { primary: true } as const;

/** Commands that move through the game. */
export const HISTORY_COMMANDS = ["first", "previous", "next", "last"] as const;
/** Commands that Python can allow or refuse. */
export const REQUEST_COMMANDS = ["undo", "redo", "hint"] as const;
/** Commands that read something aloud. */
export const SPOKEN_COMMANDS = ["say", "holding", "lately", "piles"] as const;

/** What the user has selected so far. */
export interface Selection {
  /** The picked cards, as they would be played. */
  readonly picked: readonly Card[];
  /** A card on the table, chosen before the card that beats it. */
  readonly aim: Card | undefined;
  /** A verb chosen by its button, before the card. */
  readonly mode: ModeVerb | undefined;
}

export interface TableState {
  readonly scene: Scene;
  readonly words: Words;
  readonly play: Selection;
  /** Python does not answer any more. */
  readonly disconnected: boolean;
  /** The user is done with this bout and passes automatically. */
  readonly isDone?: boolean;
}

export type ActionName =
  | "here"
  | "start"
  | "end"
  | "step"
  | "home"
  | "unhide"
  | "next"
  | "meet"
  | "replay"
  | "turned"
  | "attack"
  | BareVerb
  | ModeVerb
  | "cancel"
  | "hint"
  | "back"
  | "branch"
  | "done"
  | "stop"
  | "regret";

/** A button beside the call to action. */
export interface Action {
  readonly name: ActionName;
  readonly words: string;
  /** The accessible name, if the text is not enough. */
  readonly label?: string;
  /** An alternative text. The button is wide enough for both, so that nothing moves. */
  readonly wide?: string;
  readonly primary?: true;
  /** A toggle is on or off. Without it, the button is not a toggle. */
  readonly pressed?: boolean;
}

/** Format the call to action. */
export function formatCall({ scene, words, play, disconnected, isDone }: TableState): string {
  if (disconnected) return words.say("gone");
  if (scene.covered && !scene.hides_hands) return words.say("cover", { number: scene.viewer + 1 });
  if (play.mode) return words.say(`pick.${play.mode}`);
  if (play.picked.length) return words.say(scene.legal.attack ? "pick.more" : "pick.target");
  if (play.aim) return words.say("pick.beater", { card: words.formatCard(play.aim) });
  if (scene.verdict) return scene.verdict.text[0];
  if (scene.result) return "";
  return isDone && scene.actor !== scene.viewer ? `${scene.call_to_action[0]} ${words.say("done.said")}` : scene.call_to_action[0];
}

/** Return whether only bots play. */
const isBotsOnly = (scene: Scene): boolean => !scene.seats.some(({ player: who }) => who === "you");

/** Return whether a bot opens a game with a person. The person says when to start. */
export const isBotOpening = (scene: Scene): boolean => scene.last_ply === 0 && !isBotsOnly(scene);

/** Return the buttons in order. The hint is last, so that it always has the same place. */
export function listActions({ scene, words, play, disconnected, isDone = false }: TableState): Action[] {
  const { legal, viewer: me, ply, last_ply: last } = scene;
  if (disconnected) return [];
  if (scene.covered && !scene.hides_hands) return [{ name: "here", words: words.say("here", { number: me + 1 }), ...PRIMARY }];
  const result: Action[] = [];
  if (scene.hides_hands) result.push({ name: "unhide", words: words.say("unhide") });
  if (scene.is_rotated) result.push({ name: "home", words: words.say("home") });
  if (scene.waits_for_step) return [{ name: "step", words: words.say("step"), ...PRIMARY }, ...result];
  if (scene.is_waiting && (isBotOpening(scene) || isBotsOnly(scene)))
    return [{ name: "start", words: words.say("start"), ...PRIMARY }, ...result];
  if (scene.verdict) return [{ name: "next", words: words.say(scene.verdict.right === false ? "again" : "once_more"), ...PRIMARY }];
  if (scene.result) {
    const { next_opponent: meet } = scene.result;
    const rival = scene.seats.find(({ player: who }) => who !== "you");
    const nextName = meet && scene.seats.length === 2 ? (rival?.next_player ?? rival?.player) : undefined; // Beside the button for the next opponent, it says whom.
    const nextLabel = nextName
      ? words.say("meet", { who: words.formatPlayer(nextName) })
      : words.say(scene.task ? "again" : scene.result.match_result ? "new_match" : "next_game");
    const { review } = scene;
    const reviewName = review?.turning_points?.length ? "turned" : "replay"; // Without a turning point there is nothing to show.
    return [
      ...(meet ? [{ name: "meet", words: words.say("meet", { who: words.formatPlayer(meet) }), ...PRIMARY } as const] : []),
      ...(ply === last && (!meet || nextName !== meet) ? [{ name: "next", words: nextLabel, ...(!meet && PRIMARY) } as const] : []),
      ...(review?.is_pending ? [] : [{ name: reviewName, words: words.say(reviewName) } as const]), // A button that changed under the finger would be pressed by mistake.
      ...result,
    ];
  }
  const add = (name: Exclude<ActionName, "here" | "next" | "meet" | "start">, options: Partial<Action> = {}): void =>
    void result.push({ name, words: words.say(name), ...options });
  if (legal.attack && play.picked.length) add("attack", PRIMARY);
  const isPast = isLookingBack(scene); // Nothing is decided there: the buttons lead back.
  if (!isPast) {
    for (const verb of listVerbs("bare")) if (legal[verb]) add(verb);
    if (isDone || scene.can.done) add("done", { pressed: isDone });
    for (const mode of listVerbs("asked", "two")) if (legal[mode]?.length) add(mode, { pressed: play.mode === mode });
  }
  if (isBotsOnly(scene) && ply === last) add("stop");
  if (scene.can.end) add("end");
  if (scene.can.regret) add("regret");
  if (isPast) {
    add("back");
    if (scene.actor !== null && scene.actor !== me) add("branch");
  }
  if (play.picked.length || play.mode || play.aim) add("cancel");
  else if (scene.can.hint) {
    const [hint, show] = [words.say("hint"), words.say("show_me")];
    add("hint", scene.has_shown_thought ? { words: show, label: `${hint}: ${show}`, wide: hint } : { wide: show });
  }
  return result;
}

/** The directions of the arrow keys. */
export type Direction = "left" | "right" | "up" | "down" | "home" | "end";

/** What a key does: move the focus, use the focused element, escape, press a button, or run a command. */
export type KeyAction =
  | readonly ["walk", Direction]
  | readonly ["card", number]
  | readonly ["use"]
  | readonly ["escape"]
  | readonly ["press", ActionName]
  | readonly ["run", Command];

interface KeyRow {
  /** The labels of the keys, if they are not the keys themselves. */
  readonly caps?: readonly string[];
  /** The words for the action. */
  readonly label: Key;
  readonly actions: Readonly<Record<string, KeyAction>>;
}

/** A letter for a button. The button's word describes it. */
const pressRow = <N extends ActionName & Key>(key: string, name: N): KeyRow => ({
  label: name,
  actions: { [key]: ["press", name] },
});
const runRow = <N extends Command & Key>(key: string, name: N): KeyRow => ({
  label: name,
  actions: { [key]: ["run", name] },
});

/** All keys of the table: what they do, and how the help lists them. */
export const KEYS: readonly KeyRow[] = [
  {
    caps: ["←", "→"],
    label: "keys.cards",
    actions: {
      ArrowLeft: ["walk", "left"],
      ArrowRight: ["walk", "right"],
      ArrowUp: ["walk", "up"],
      ArrowDown: ["walk", "down"],
      Home: ["walk", "home"],
      End: ["walk", "end"],
    },
  },
  {
    caps: ["1", "…", "9"],
    label: "keys.digits",
    actions: Object.fromEntries([..."123456789"].map((digit, i) => [digit, ["card", i]] as const)),
  },
  { caps: ["Enter"], label: "keys.play", actions: { Enter: ["use"], " ": ["use"] } },
  { caps: ["Esc"], label: "keys.cancel", actions: { Escape: ["escape"] } },
  ...Object.entries(VERBS).flatMap(([verb, spec]) => ("key" in spec ? [pressRow(spec.key, verb as KeyedVerb)] : [])),
  pressRow("d", "done"),
  pressRow("b", "step"),
  pressRow("e", "turned"),
  runRow("h", "hint"),
  runRow("u", "undo"),
  runRow("r", "redo"),
  runRow("n", "new"),
  { label: "keys.step", actions: { "[": ["run", "previous"], "]": ["run", "next"] } },
  { label: "keys.ends", actions: { "{": ["run", "first"], "}": ["run", "last"] } },
  runRow("l", "list"),
  runRow("c", "seen"),
  runRow("i", "say"),
  runRow("y", "holding"),
  runRow("j", "lately"),
  runRow("k", "piles"),
  runRow("x", "share"),
  runRow("z", "full"),
  runRow("o", "turn"),
  runRow("m", "mark"),
  runRow("g", "settings"),
  runRow("v", "rules"),
  runRow("?", "help"),
];

const KEY_ACTIONS = new Map(KEYS.flatMap(({ actions }) => Object.entries(actions)));

/** Return the key that runs a command. */
export const findKey = (command: Command): string | undefined =>
  [...KEY_ACTIONS].find(([, [kind, name]]) => kind === "run" && name === command)?.[0];

/** A key press. */
export type KeyPress = Pick<KeyboardEvent, "key" | "code" | "shiftKey">;

/** Return the action of a key. A digit focuses a card of the hand. */
export function findKeyAction(pressed: KeyPress): KeyAction | undefined {
  const { key, code, shiftKey } = pressed;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? /^[1-9]$/.exec(key)?.[0];
  if (digit && !shiftKey) return KEY_ACTIONS.get(digit);
  return KEY_ACTIONS.get(key.length === 1 ? key.toLowerCase() : key) ?? KEY_ACTIONS.get(toLatinKey(pressed));
}

/** Return the letter at this position on a Latin keyboard, for users of other scripts. */
function toLatinKey({ code, shiftKey }: KeyPress): string {
  const bracket = { BracketLeft: "[{", BracketRight: "]}" }[code];
  return bracket ? bracket.charAt(shiftKey ? 1 : 0) : code.startsWith("Key") ? code.slice(3).toLowerCase() : "";
}

export type SpokenCommand = (typeof SPOKEN_COMMANDS)[number];
export type Panel = "list" | "seen" | "share" | "settings" | "help" | "how_to_play" | "rules" | "turned";
export type Command =
  | (typeof HISTORY_COMMANDS)[number]
  | "play"
  | (typeof REQUEST_COMMANDS)[number]
  | SpokenCommand
  | "new"
  | "full"
  | "turn"
  | "mark"
  | Panel;

/** The display settings and their values. */
export interface Settings {
  all(): readonly Setting[];
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

/** What panels need from the table. */
export interface PanelHooks {
  readonly settings: Settings;
  bots(): readonly string[];
  run(name: Command): void;
  /** Run `callback` with the bundle of extras, at once or after loading it. */
  withExtras(callback: (extras: typeof Extras) => void): void;
  /** Start another match. Return whether the user confirmed it. */
  deal(draft: Draft): Promise<boolean>;
  /** Check whether the pasted text can be opened. */
  checkPaste(text: string): void;
  /** Open a checked text. */
  loadPosition(text: string): void;
}
