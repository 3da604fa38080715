/** Which actions and commands are possible now, with their buttons and their keys. */

import {
  type Bare,
  by,
  type Card,
  type Draft,
  type Keyed,
  looksBack,
  type Mode,
  type Scene,
  type Setting,
  VERBS,
} from "../../widgets/protocol/scene";
import type { Key, Words } from "../../widgets/protocol/words";

const PRIMARY = { primary: true } as const;

/** Commands that go through the game. */
export const STEPS = ["first", "previous", "next", "last"] as const;
/** Commands that Python may allow or not. */
export const WISHES = ["undo", "redo", "hint"] as const;
/** What is read aloud when it is asked for. */
export const ALOUD = ["say", "holding", "lately", "piles"] as const;

/** What a person has begun to do. */
export interface Picked {
  /** The cards picked so far, as they would be played. */
  readonly picked: readonly Card[];
  /** A card on the table chosen before the card that shall beat it. */
  readonly aim: Card | undefined;
  /** A way chosen by its button before the card. */
  readonly mode: Mode | undefined;
}

export interface Moment {
  readonly scene: Scene;
  readonly words: Words;
  readonly play: Picked;
  /** Python does not answer any more. */
  readonly dead: boolean;
  /** The person is done with this bout, and passes whenever asked. */
  readonly done?: boolean;
  /** There is little room, and the whole screen can be had. */
  readonly small?: boolean;
}

export type ActionName =
  | "here"
  | "start"
  | "full"
  | "end"
  | "step"
  | "home"
  | "unhide"
  | "next"
  | "meet"
  | "replay"
  | "turned"
  | "attack"
  | Bare
  | Mode
  | "cancel"
  | "hint"
  | "back"
  | "branch"
  | "done"
  | "stop"
  | "regret";

/** A button beside the call. */
export interface Action {
  readonly name: ActionName;
  readonly words: string;
  /** What it is called, where its words alone do not say it. */
  readonly label?: string;
  /** What it may read as well: it is wide enough for both, so that nothing moves. */
  readonly wide?: string;
  readonly primary?: true;
  /** It is switched on, or off; without, it is pressed once. */
  readonly pressed?: boolean;
}

/** What the person is called to do. */
export function call({ scene, words, play, dead, done }: Moment): string {
  if (dead) return words.say("gone");
  if (scene.covered && !scene.closed) return words.say("cover", { number: scene.me + 1 });
  if (play.mode) return words.say(`pick.${play.mode}`);
  if (play.picked.length) return words.say(scene.legal.attack ? "pick.more" : "pick.target");
  if (play.aim) return words.say("pick.beater", { card: words.card(play.aim) });
  if (scene.verdict) return scene.verdict.said[0];
  if (scene.over) return "";
  return done && scene.actor !== scene.me ? `${scene.call[0]} ${words.say("done.said")}` : scene.call[0];
}

/** Whether bots play among themselves. */
const watched = (scene: Scene): boolean => !scene.seats.some(({ who }) => who === "you");

/** Whether a bot is to open a game that a person plays: who sits down to it says when. */
export const opens = (scene: Scene): boolean => scene.last === 0 && !watched(scene);

/** The buttons, in their order: where there is little room, the first thing is to have more, until something has been done. */
export function actions(moment: Moment): Action[] {
  const { scene, words, small, dead } = moment;
  const full = small && !scene.last && !dead;
  const first = { name: "full", words: words.say("full.play"), ...(!scene.waits && PRIMARY) } as const; // else it is to begin
  return [...(full ? [first] : []), ...usual(moment)];
}

function usual({ scene, words, play, dead, done = false }: Moment): Action[] {
  const { legal, me, ply, last } = scene;
  if (dead) return [];
  if (scene.covered && !scene.closed) return [{ name: "here", words: words.say("here", { number: me + 1 }), ...PRIMARY }];
  const found: Action[] = [];
  if (scene.closed) found.push({ name: "unhide", words: words.say("unhide") });
  if (scene.turned) found.push({ name: "home", words: words.say("home") });
  if (scene.step) return [{ name: "step", words: words.say("step"), ...PRIMARY }, ...found];
  if (scene.waits && (opens(scene) || watched(scene))) return [{ name: "start", words: words.say("start"), ...PRIMARY }, ...found];
  if (scene.verdict) return [{ name: "next", words: words.say(scene.verdict.right === false ? "again" : "once_more"), ...PRIMARY }];
  if (scene.over) {
    const { meet } = scene.over;
    const next = words.say(scene.task ? "again" : scene.over.match ? "new_match" : "next_game");
    const door = scene.review?.marks ? "turned" : "replay"; // where it turned one can walk through all of it too
    return [
      ...(meet ? [{ name: "meet", words: words.say("meet", { who: words.who(meet) }), ...PRIMARY } as const] : []),
      ...(ply === last ? [{ name: "next", words: next, ...(!meet && PRIMARY) } as const] : []),
      { name: door, words: words.say(door) },
      ...found,
    ];
  }
  const add = (name: Exclude<ActionName, "here" | "next" | "meet" | "start" | "full">, more: Partial<Action> = {}): void =>
    void found.push({ name, words: words.say(name), ...more });
  if (legal.attack && play.picked.length) add("attack", PRIMARY);
  for (const verb of by("bare")) if (legal[verb]) add(verb);
  if (done || scene.can.done) add("done", { pressed: done });
  for (const mode of by("asked", "two")) if (legal[mode]?.length) add(mode, { pressed: play.mode === mode });
  if (play.picked.length || play.mode || play.aim) add("cancel");
  else if (scene.can.hint) {
    const [hint, show] = [words.say("hint"), words.say("show_me")];
    add("hint", scene.thought ? { words: show, label: `${hint}: ${show}`, wide: hint } : { wide: show });
  }
  if (watched(scene) && ply === last) add("stop");
  if (scene.can.end) add("end");
  if (scene.can.regret) add("regret");
  if (looksBack(scene)) {
    add("back");
    if (scene.actor !== null && scene.actor !== me) add("branch");
  }
  return found;
}

/** Where the arrows lead. */
export type Way = "left" | "right" | "up" | "down" | "home" | "end";

/** What a key does: it leads elsewhere, uses what has the focus, takes back, presses a button beside the call, or is a command. */
export type Deed =
  | readonly ["walk", Way]
  | readonly ["card", number]
  | readonly ["use"]
  | readonly ["escape"]
  | readonly ["press", ActionName]
  | readonly ["run", Command];

interface Row {
  /** As they stand on the caps. */
  readonly caps: readonly string[];
  /** The words for what they do. */
  readonly says: Key;
  readonly does: Readonly<Record<string, Deed>>;
}

/** A letter for a button or a command, whose word says what it does. */
const press = <N extends ActionName & Key>(key: string, name: N): Row => ({
  caps: [key.toUpperCase()],
  says: name,
  does: { [key]: ["press", name] },
});
const run = <N extends Command & Key>(key: string, name: N): Row => ({
  caps: [key.toUpperCase()],
  says: name,
  does: { [key]: ["run", name] },
});

/** Every key of the table: what it does, and how the help lists it. */
export const KEYS: readonly Row[] = [
  {
    caps: ["←", "→"],
    says: "keys.cards",
    does: {
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
    says: "keys.digits",
    does: Object.fromEntries([..."123456789"].map((digit, i) => [digit, ["card", i]] as const)),
  },
  { caps: ["Enter"], says: "keys.play", does: { Enter: ["use"], " ": ["use"] } },
  { caps: ["Esc"], says: "keys.cancel", does: { Escape: ["escape"] } },
  ...Object.entries(VERBS).flatMap(([verb, how]) => ("key" in how ? [press(how.key, verb as Keyed)] : [])),
  press("d", "done"),
  press("b", "step"),
  press("e", "turned"),
  run("h", "hint"),
  run("u", "undo"),
  run("r", "redo"),
  run("n", "new"),
  { caps: ["[", "]"], says: "keys.step", does: { "[": ["run", "previous"], "]": ["run", "next"] } },
  { caps: ["{", "}"], says: "keys.ends", does: { "{": ["run", "first"], "}": ["run", "last"] } },
  run("l", "list"),
  run("c", "seen"),
  run("i", "say"),
  run("y", "holding"),
  run("j", "lately"),
  run("k", "piles"),
  run("x", "share"),
  run("z", "full"),
  run("o", "turn"),
  run("m", "mark"),
  run("g", "settings"),
  run("v", "rules"),
  run("?", "help"),
];

const DEEDS = new Map(KEYS.flatMap(({ does }) => Object.entries(does)));

/** A key as it was pressed. */
export type Pressed = Pick<KeyboardEvent, "key" | "code" | "shiftKey">;

/** What a key does; a digit leads to a card of the hand. */
export function deed(pressed: Pressed): Deed | undefined {
  const { key, code, shiftKey } = pressed;
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1] ?? /^[1-9]$/.exec(key)?.[0];
  if (digit && !shiftKey) return DEEDS.get(digit);
  return DEEDS.get(key.length === 1 ? key.toLowerCase() : key) ?? DEEDS.get(onLatinKeys(pressed));
}

/** The key that stands there on a Latin keyboard, for those who type in another script. */
function onLatinKeys({ code, shiftKey }: Pressed): string {
  const bracket = { BracketLeft: "[{", BracketRight: "]}" }[code];
  return bracket ? bracket.charAt(shiftKey ? 1 : 0) : code.startsWith("Key") ? code.slice(3).toLowerCase() : "";
}

export type Aloud = (typeof ALOUD)[number];
export type Panel = "list" | "seen" | "share" | "settings" | "help" | "rules" | "turned";
export type Command = (typeof STEPS)[number] | "play" | (typeof WISHES)[number] | Aloud | "new" | "full" | "turn" | "mark" | Panel;

/** The settings of the look, as Python tells them, and their values. */
export interface Settings {
  all(): readonly Setting[];
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

/** What drawers ask of the table. */
export interface Hooks {
  readonly settings: Settings;
  bots(): readonly string[];
  run(name: Command): void;
  /** Play something else; whether that was wanted. */
  deal(draft: Draft): Promise<boolean>;
  /** Find out whether what was pasted can be laid. */
  read(text: string): void;
  /** Lay it: it can be. */
  lay(text: string): void;
}
