/** What is told of a new scene: its note, at the card that it is about, and what is read aloud and heard of the move that led there. */

import { face, type Scene } from "../widgets/protocol/scene";
import type { Account } from "./chrome/account";
import type { Parts } from "./parts";

/** Whether nothing has happened but that something was found out: what was said before holds. */
export function onlyFound(before: Scene, now: Scene): boolean {
  const rest = (scene: Scene): string => JSON.stringify({ ...scene, id: 0, beside: undefined, note: undefined });
  return !now.note && JSON.stringify(before.beside) !== JSON.stringify(now.beside) && rest(before) === rest(now);
}

/** Tell it; `call` is what is to be done, and without an account nothing is read aloud or heard. */
export function tell(table: Parts, before: Scene | undefined, call: () => string, account: Account | undefined): void {
  const { scene, hand, talk } = table;
  const { did, over } = scene;
  const heard = before || scene.note?.kind === "error" ? scene.note : undefined; // what was said before this view was there is past
  const note = heard && table.waits.said(heard);
  if (note) {
    const near = (note.card && hand.find(face(note.card))) || (note.on && table.middle.target(note.on)) || undefined;
    talk.say(note, near);
    if (near && note.kind === "refused") table.motion.nod(near);
  } else talk.settle();
  if (!account) return;
  const moved =
    !before || before.ply !== scene.ply || before.game !== scene.game || before.me !== scene.me || before.covered !== scene.covered;
  const ended = over && [over.word?.[1] ?? "", over.said[1]].join(" ").trim();
  account.hear(before, scene, scene.verdict ? "" : (ended ?? (scene.covered ? call() : scene.call[1])), note ? [note.said[1]] : []);
  if (moved && before && did && table.look.sound) table.panels.with(({ tap }) => tap(did.seat === scene.me ? 520 : 390));
}
