/** The table by keys: the focus goes from card to card, up to the table, down to the buttons; keys play, take back and command. */

import { focused, walkRow } from "../widgets/dom";
import { type Card, face } from "../widgets/protocol/scene";
import { deed, type Way } from "./intents/keys";
import type { Parts } from "./parts";

const STEPS: Readonly<Partial<Record<Way, number>>> = { left: -1, up: -1, right: 1, down: 1 };

export function keyboard(parts: Parts, signal: AbortSignal): void {
  parts.root.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key !== "Tab") event.stopPropagation(); // else the notebook takes it for one of its own commands
      if (done(parts, event)) event.preventDefault();
    },
    { signal },
  );
}

/** Whether the key was for the table. */
function done(parts: Parts, event: KeyboardEvent): boolean {
  const { ask, commands, hand, talk } = parts;
  const at = focused(parts.root);
  const found = deed(event);
  if (found?.[0] === "escape") return turnAway(parts, at);
  if (!found || at?.matches("select, textarea, [type=text]") || ask.open) return false;
  const [kind, what] = found;
  switch (kind) {
    case "walk":
      return walk(parts, what, at);
    case "card":
      return hand.focus(what);
    case "use":
      return use(parts, at);
    case "run":
      commands.run(what);
      return true;
    case "press":
      if (!talk.press(what)) parts.announce(parts.words.say("not_now"));
      return true;
  }
}

/** Move the focus on from where it is; whether it could be. */
function walk({ hand, middle, root, talk }: Parts, way: Way, at: HTMLElement | null): boolean {
  const step = STEPS[way] ?? 0;
  const targets = middle.targets();
  const target = targets.indexOf(at as HTMLElement);
  if (target >= 0) {
    if (way === "down") return hand.focus();
    targets[(target + step + targets.length) % targets.length]?.focus();
    return true;
  }
  const card = hand.index(at);
  if (at === root) return hand.focus() || talk.focus();
  if (card < 0) {
    const row = at instanceof HTMLButtonElement && at.closest<HTMLElement>("[data-rove]");
    if (!row) return false;
    if (way === "up" || way === "down") return row === talk.actions && way === "up" && hand.focus();
    walkRow(row, at, way === "home" || way === "end" ? way : step);
    return true;
  }
  if (way === "up") return targets[0]?.focus() ?? true;
  if (way === "down") return talk.focus();
  const { length } = hand.cards;
  return hand.focus(way === "home" ? 0 : way === "end" ? length - 1 : (card + step + length) % length);
}

/** Play, pick or choose what has the focus. */
function use(parts: Parts, at: HTMLElement | null): boolean {
  const { hand, middle, play, scene, talk } = parts;
  const pair = at?.closest<HTMLElement>(".dk-pair[role=button]");
  if (at === parts.root) return hand.focus() || talk.focus(); // else the page would scroll
  if (pair) void target(parts, pair);
  else if (!at || hand.index(at) < 0) return false;
  else if (play.picked.length && scene.legal.several && at.dataset.picked !== undefined) void play.attack();
  else {
    void play.card(at.dataset.card as Card, at).then(() => {
      if (play.picked.length && parts.scene.legal.beat) middle.targets()[0]?.focus(); // where the card can be used
    });
  }
  return true;
}

/** Choose a card on the table; if that asks for a card, the focus goes to the hand. */
export async function target({ play, hand }: Parts, pair: HTMLElement): Promise<void> {
  await play.target(pair.dataset.card as Card, pair);
  if (play.aim && focused(pair)) hand.focus();
}

/** Turn away from what is asked, close what is open, or take back what is picked. */
function turnAway({ ask, commands, hand, marks, panels, play, room, talk, waits }: Parts, at: HTMLElement | null): boolean {
  const picked = play.picked[0];
  talk.hush();
  if (ask.open) ask.dismiss();
  else if (panels.open) panels.close();
  else if (commands.takeBack()) {
    const card = picked && hand.find(face(picked));
    if (at && !hand.element.contains(at)) hand.focus(card ? hand.index(card) : undefined);
  } else return waits.free() || marks.clear() || room.escape();
  return true;
}
