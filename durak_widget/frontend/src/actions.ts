/** The call to action and the few buttons beside it: what is said, and what can be done, at this moment. */

import type { Card, Scene } from "./scene";
import { type Bare, by, type Mode } from "./verbs";
import type { Words } from "./words";

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
}

export type ActionName =
  | "here"
  | "start"
  | "step"
  | "home"
  | "unhide"
  | "next"
  | "replay"
  | "attack"
  | Bare
  | Mode
  | "cancel"
  | "hint"
  | "back"
  | "branch";

/** A button beside the call. */
export interface Action {
  readonly name: ActionName;
  readonly words: string;
  readonly primary?: true;
  /** It is switched on, or off; without, it is pressed once. */
  readonly pressed?: boolean;
}

const PRIMARY = { primary: true } as const;

/** What the person is called to do. */
export function call({ scene, words, play, dead }: Moment): string {
  if (dead) return words.say("gone");
  if (scene.covered && !scene.closed) return words.say("cover", { number: scene.me + 1 });
  if (play.mode) return words.say(`pick.${play.mode}`);
  if (play.picked.length) return words.say(scene.legal.attack ? "pick.more" : "pick.target");
  if (play.aim) return words.say("pick.beater", { card: words.card(play.aim) });
  return scene.over?.order || scene.call[0];
}

/** Whether a bot is to open a game that a person plays: who sits down to it says when. */
export const opens = (scene: Scene): boolean => scene.last === 0 && scene.seats.some(({ who }) => who === "you");

/** The buttons, in their order. */
export function actions({ scene, words, play, dead }: Moment): Action[] {
  const { legal, me, ply, last } = scene;
  if (dead) return [];
  if (scene.covered && !scene.closed) return [{ name: "here", words: words.say("here", { number: me + 1 }), ...PRIMARY }];
  const more: Action[] = [];
  if (scene.closed) more.push({ name: "unhide", words: words.say("unhide") });
  if (scene.turned) more.push({ name: "home", words: words.say("home") });
  if (scene.step) return [{ name: "step", words: words.say("step"), ...PRIMARY }, ...more];
  if (scene.waits && opens(scene)) return [{ name: "start", words: words.say("start"), ...PRIMARY }];
  if (scene.over) {
    const next = words.say(scene.task ? "again" : scene.over.match ? "new_match" : "next_game");
    return [
      ...(ply === last ? [{ name: "next", words: next, ...PRIMARY } as const] : []),
      { name: "replay", words: words.say("replay") },
      ...more,
    ];
  }
  const found = more;
  const add = (name: Exclude<ActionName, "here" | "next" | "start">, more: Partial<Action> = {}): void =>
    void found.push({ name, words: words.say(name), ...more });
  if (legal.attack && play.picked.length) add("attack", PRIMARY);
  for (const verb of by("bare")) if (legal[verb]) add(verb);
  for (const mode of by("asked", "two")) if (legal[mode]?.length) add(mode, { pressed: play.mode === mode });
  if (play.picked.length || play.mode || play.aim) add("cancel");
  else if (scene.can.hint) add("hint");
  if (ply < last && !scene.taken_back) {
    add("back");
    if (scene.actor !== null && scene.actor !== me) add("branch");
  }
  return found;
}
