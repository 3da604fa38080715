/** Every scene written by Python has exactly the shape of the types. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type GameResult,
  isLookingBack,
  type Legal,
  type Note,
  type Role,
  type Scene,
  type Seat,
  VERBS,
} from "../../../src/widgets/protocol/scene";
import { listOtherSeats } from "../../../src/widgets/table-context";
import { scenes, verbs } from "../../golden";

/** Checks a value. Returns an error message if it is wrong. */
type Check = (value: unknown, at: string) => void;
/** A check for each field of a type. A missing one does not compile. */
type Shape<T> = { readonly [Key in keyof Required<T>]: Check };

const is =
  (kind: string): Check =>
  (value, at) =>
    assert.equal(typeof value, kind, at);
const text = is("string");
const flag = (value: unknown, at: string): void => assert.equal(value, true, at);
const whole: Check = (value, at) => assert.ok(Number.isInteger(value) && (value as number) >= 0, at);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value, at) =>
    assert.ok(values.includes(value), `${at}: ${String(value)}`);
const like =
  (pattern: RegExp): Check =>
  (value, at) =>
    assert.match(value as string, pattern, at);
const either =
  (...checks: readonly Check[]): Check =>
  (value, at) => {
    const fits = checks.some((check) => {
      try {
        check(value, at);
        return true;
      } catch {
        return false;
      }
    });
    assert.ok(fits, `${at}: ${JSON.stringify(value)}`);
  };
const list =
  (check: Check): Check =>
  (value, at) => {
    assert.ok(Array.isArray(value), at);
    (value as unknown[]).forEach((each, i) => check(each, `${at}[${i}]`));
  };
const row =
  (...checks: readonly Check[]): Check =>
  (value, at) => {
    assert.equal((value as unknown[]).length, checks.length, at);
    checks.forEach((check, i) => check((value as unknown[])[i], `${at}[${i}]`));
  };
/** Check an object: the named fields are required, the others optional. */
const shape =
  <T>(checks: Shape<T>, needed: readonly (keyof T & string)[]): Check =>
  (value, at) => {
    const object = value as Record<string, unknown>;
    for (const key of needed) assert.ok(key in object, `${at} has ${key}`);
    for (const [key, fact] of Object.entries(object)) {
      assert.ok(key in checks, `${at}.${key} is not in the type`);
      checks[key as keyof T](fact, `${at}.${key}`);
    }
  };

const card = like(/^(?:[2-9TJQKA][cdhs]|X[rb])$/);
const played = like(/^(?:[2-9TJQKA][cdhs](?:=[cdhs])?|X[rb])$/);
const pair = row(played, either(played, oneOf(null)));
const sentence = row(text, text);
const role = oneOf(
  ...(["attacks", "throws", "defends", "takes", "waits", "passed", "out", "won", "lost", "fool", "draw"] satisfies Role[]),
);

const seat = shape<Seat>(
  {
    cards: whole,
    role,
    player: text,
    next_player: text,
    is_named: flag,
    bot_state: oneOf("thinks", "late", "failed"),
    is_partner: flag,
    hand: list(card),
    shown_trumps: list(card),
    last_action: text,
    epaulettes: list(card),
  },
  ["cards", "role", "player"],
);
const movesByInput = {
  card: list(played),
  asked: list(played),
  target: list(row(played, list(played))),
  two: list(card),
  bare: flag,
} as const;
const ways = Object.entries(VERBS).map(([verb, how]) => [verb, movesByInput[how.by]]);
const legal = shape<Legal>({ ...(Object.fromEntries(ways) as Omit<Shape<Legal>, "several">), several: whole }, []);
/** The code of a refusal is for tests and programs. Nothing is rendered from it. */
const note = shape<Note & { code?: string }>(
  { kind: oneOf("refused", "hint", "error", "info"), text: sentence, card, target: card, code: like(/^[a-z_]+$/) },
  ["kind", "text"],
);
const over = shape<GameResult>(
  {
    text: sentence,
    farewell: sentence,
    order: text,
    epaulettes: oneOf(0, 1, 2),
    won: oneOf(true, false, null),
    score: list(row(text, whole, whole, whole, text)),
    match_result: text,
    quotes: list(row(text, text, text)),
    standing: text,
    beaten: shape<NonNullable<GameResult["beaten"]>>({ opponent: text, text: sentence, all_beaten: list(text) }, ["opponent", "text"]),
    next_opponent: text,
  },
  ["text", "order", "epaulettes", "won", "score"],
);
const scene = shape<Scene>(
  {
    id: whole,
    game: whole,
    ply: whole,
    last_ply: whole,
    bout: whole,
    limit: whole,
    viewer: whole,
    covered: flag,
    actor: either(whole, oneOf(null)),
    trump: oneOf("c", "d", "h", "s", null),
    turn_up: row(card, oneOf("bottom", "top", "aside")),
    has_hidden_trump: flag,
    talon: whole,
    discard: whole,
    table: list(pair),
    attackers: list(either(whole, oneOf(null))),
    hand: list(card),
    seats: list(seat),
    call_to_action: sentence,
    legal,
    undone_move: text,
    task: flag,
    is_single_move: flag,
    verdict: shape<NonNullable<Scene["verdict"]>>({ right: oneOf(true, false, null), text: sentence }, ["right", "text"]),
    is_waiting: flag,
    commentary: list(text),
    taken_back: flag,
    has_shown_thought: flag,
    waits_for_step: flag,
    is_rotated: flag,
    hides_hands: flag,
    review: shape<NonNullable<Scene["review"]>>({ text: sentence, turning_points: list(whole), is_pending: flag, retry_ply: whole }, [
      "text",
    ]),
    analysis: (value, at) =>
      Object.entries(value as object).forEach(([name, found]) => assert.equal(typeof found, "number", `${at}.${name}`)),
    last_move: shape<NonNullable<Scene["last_move"]>>({ seat: whole, verb: text, cards: list(played), sentences: list(text) }, [
      "seat",
      "verb",
      "cards",
      "sentences",
    ]),
    bout_end: shape<NonNullable<Scene["bout_end"]>>(
      { taker: either(whole, oneOf(null)), pairs: list(pair), drawn: list(row(whole, whole)) },
      ["taker", "pairs", "drawn"],
    ),
    note,
    result: over,
    rules: text,
    match_score: text,
    can: shape<Scene["can"]>({ undo: flag, redo: flag, hint: flag, done: flag, end: flag, regret: flag }, []),
  },
  [
    "id",
    "game",
    "ply",
    "last_ply",
    "bout",
    "limit",
    "viewer",
    "actor",
    "trump",
    "talon",
    "discard",
    "table",
    "hand",
    "seats",
    "call_to_action",
    "legal",
    "can",
  ],
);

for (const golden of scenes) {
  test(`the scene has the declared type: ${golden.name}`, () => scene(golden.scene, golden.name));

  test(`the facts of the scene agree: ${golden.name}`, () => {
    const {
      viewer: me,
      actor,
      seats,
      hand,
      covered,
      verdict,
      ply,
      last_ply: last,
      can,
      table,
      limit,
      result: end,
      legal: may,
    } = golden.scene;
    const plays = actor === me && !covered && !verdict;
    assert.ok(ply <= last);
    assert.ok(seats[me]);
    assert.equal(actor === null, end !== undefined);
    assert.equal(hand.length, covered ? 0 : seats[me]?.cards);
    assert.equal(can.redo === true, ply < last);
    assert.equal(can.undo === true, ply > 0);
    assert.equal(Object.keys(may).length > 0, plays);
    assert.equal(can.hint === true, plays && !isLookingBack(golden.scene));
    assert.ok(table.length <= limit);
    assert.deepEqual(
      [...listOtherSeats(golden.scene), me].sort(),
      seats.map((_, i) => i),
    );
    for (const text of JSON.stringify(golden.scene).match(/[{][a-z]+[}]/g) ?? []) assert.fail(`${text} is not filled in`);
  });
}

test("every optional field occurs in a scene", () => {
  const found = new Set(
    scenes.flatMap(({ scene: one }) => [
      ...Object.keys(one),
      ...Object.keys(one.legal).map((key) => `legal.${key}`),
      ...one.seats.flatMap((each) => Object.keys(each).map((key) => `seat.${key}`)),
    ]),
  );
  const moments = ["covered", "turn_up", "has_hidden_trump", "undone_move", "last_move", "bout_end", "note", "result", "attackers"];
  const facts = [...moments, "is_single_move", "verdict", "waits_for_step", "is_rotated", "hides_hands"];
  const seats = ["bot_state", "is_partner", "hand", "shown_trumps", "last_action", "epaulettes"].map((key) => `seat.${key}`);
  const legal = [...Object.keys(VERBS), "several"].map((key) => `legal.${key}`);
  for (const fact of [...facts, ...legal, ...seats]) assert.ok(found.has(fact), fact);
});

test("the verbs are those of Python", () => assert.deepEqual(Object.keys(VERBS).sort(), verbs));
