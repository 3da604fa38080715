/** Who shall play a seat from now on: a question, answered with a person, an opponent or another bot. */

import type { Shared } from "../../page/shared";
import type { Ask } from "../meant/ask";
import { dressOnce } from "./portraits";

export async function replace(
  table: Shared & { readonly ask: Ask },
  bots: readonly string[],
  seat: number,
  at: HTMLElement,
): Promise<void> {
  const { root, words } = table;
  dressOnce(root);
  const known = bots.map((bot) => ({
    words: words.character(bot) ? words.who(bot) : words.say("bot.named", { bot: words.who(bot) }),
    value: bot,
  }));
  const answers = [{ words: words.say("person"), value: "you" }, ...known];
  const who = await table.ask.question(words.say("who_plays", { player: table.name(seat) }), answers, at, "game");
  if (who) table.send({ kind: "seat", seat, who });
}
