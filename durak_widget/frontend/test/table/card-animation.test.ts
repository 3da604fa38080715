/** Card animations from the difference of two scenes: start, stops and goal of each card. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Box, type FlightPath, Flights, type Motion, type Snapshot, STEP_MS } from "../../src/table/view/card-animation";
import type { Card, Scene } from "../../src/widgets/protocol/scene";
import { golden, words } from "../golden";

/** Elements are known by name here, and each has a box. */
const BOXES: Readonly<Record<string, Box>> = {
  hand: { left: 300, top: 400, width: 90 },
  talon: { left: 10, top: 100, width: 60 },
  gone: { left: 900, top: 100, width: 60 },
  table: { left: 200, top: 90, width: 600 },
  "seat 1": { left: 400, top: 10, width: 60 },
  "seat 2": { left: 600, top: 10, width: 60 },
};
interface Named {
  readonly name: string;
  readonly box: Box;
  readonly childElementCount: number;
}
const element = (name: string, box = BOXES[name] as Box): HTMLElement =>
  ({ name, box, childElementCount: 1 }) satisfies Named as unknown as HTMLElement;
const nameOf = (card: HTMLElement | string): string => (typeof card === "string" ? "drawing" : (card as unknown as Named).name);

/** Return the flights to the next scene, from these boxes. New cards are on the table at 500, 200 or in the hand at 300, 400. */
function findFlights(from: Scene, after: Scene, seen: Readonly<Record<Card, Box>>): FlightPath[] {
  const ways: FlightPath[] = [];
  const makeRuler = (): ((element: Element, width?: number) => Box) => (target, width) => {
    const { box } = target as unknown as Named;
    return width === undefined ? box : { left: box.left + (box.width - width) / 2, top: box.top, width };
  };
  const motion = { makeRuler, fly: (all: readonly FlightPath[]) => void ways.push(...all) } as unknown as Motion;
  const places = {
    hand: { cards: after.hand.map((card) => ({ card, element: element(`hand ${card}`, BOXES.hand) })), element: element("hand") },
    center: {
      listCards: () =>
        after.table.flatMap((pair) =>
          pair.flatMap((card) => (card ? [[card.slice(0, 2), element(`table ${card}`, { left: 500, top: 200, width: 80 })]] : [])),
        ),
      findSpots: (count: number) => ({ spots: Array.from({ length: count }, (_, i) => ({ x: 100 * i, y: 0 })), card: 80 }),
      pile: element("talon"),
      stock: element("talon"),
      discardPile: element("gone"),
      table: element("table"),
    },
    seats: { findPlace: (seat: number) => element(`seat ${seat}`) },
  } as unknown as ConstructorParameters<typeof Flights>[1];
  const context = { look: { back: "lattice" }, words } as unknown as ConstructorParameters<typeof Flights>[2];
  const snapshot: Snapshot = new Map(Object.entries(seen).map(([card, box]) => [card, [box]]));
  new Flights(motion, places, context).run(from, after, snapshot);
  return ways;
}
const lefts = ({ stops }: FlightPath): number[] => stops.map(({ left }) => left);

/** Return a scene where a bout of one pair has just ended, and seat 0 has picked up some of its two cards. */
const before: Scene = { ...golden("opening").scene, id: 1, ply: 3, last_ply: 3, viewer: 0, hand: ["9d"], table: [["7c", null]] };
const makeBoutEnd = (end: NonNullable<Scene["bout_end"]>, hand: readonly Card[]): Scene => ({
  ...before,
  id: 2,
  ply: 4,
  last_ply: 4,
  hand,
  table: [],
  last_move: { seat: 1, verb: "take", cards: [], sentences: [] },
  bout_end: end,
});
const LAY: Box = { left: 210, top: 95, width: 80 };

test("a played card moves from the hand to the table", () => {
  const next: Scene = {
    ...before,
    id: 2,
    ply: 4,
    last_ply: 4,
    hand: [],
    table: [["7c", "9d"]],
    last_move: { seat: 0, verb: "beat", cards: ["7c", "9d"], sentences: [] },
  };
  const ways = findFlights(before, next, { "9d": BOXES.hand as Box, "7c": { left: 500, top: 200, width: 80 } });
  assert.deepEqual(
    ways.map(({ card }) => nameOf(card)),
    ["table 9d"],
    "what lies where it lay does not fly",
  );
  assert.deepEqual(ways.map(lefts), [[300, 500]]);
});

test("a card of another player comes from their plate", () => {
  const next: Scene = {
    ...before,
    id: 2,
    ply: 4,
    last_ply: 4,
    hand: ["9d"],
    table: [["7c", "Tc"]],
    last_move: { seat: 1, verb: "beat", cards: ["7c", "Tc"], sentences: [] },
  };
  const [way, ...more] = findFlights(before, next, { "9d": BOXES.hand as Box, "7c": { left: 500, top: 200, width: 80 } });
  assert.deepEqual([more.length, nameOf(way?.card ?? ""), way && lefts(way)], [0, "table Tc", [413, 500]]);
});

test("cards taken by the user move into the hand, without a second drawing", () => {
  const ways = findFlights(before, makeBoutEnd({ taker: 0, pairs: [["7c", null]], drawn: [] }, ["7c", "9d"]), {
    "7c": LAY,
    "9d": BOXES.hand as Box,
  });
  assert.deepEqual(
    ways.map(({ card, stops }) => [nameOf(card), stops.map(({ left }) => left)]),
    [["hand 7c", [210, 300]]],
  );
});

test("cards taken by another player move to their seat, face up", () => {
  const ways = findFlights(before, makeBoutEnd({ taker: 2, pairs: [["7c", null]], drawn: [] }, ["9d"]), {
    "7c": LAY,
    "9d": BOXES.hand as Box,
  });
  assert.deepEqual(
    ways.map(({ card, rear }) => [nameOf(card), rear]),
    [["drawing", undefined]],
  );
  assert.equal(ways[0]?.stops.at(-1)?.left, 610);
});

test("beaten cards turn over on the way to the discard pile", () => {
  const ways = findFlights(before, makeBoutEnd({ taker: null, pairs: [["7c", "Tc"]], drawn: [] }, ["9d"]), {
    "7c": LAY,
    Tc: LAY,
    "9d": BOXES.hand as Box,
  });
  assert.equal(ways.length, 2);
  for (const { stops, rear } of ways) assert.ok(rear && stops.at(-1)?.left === 910);
});

test("the card that ends a bout lies on the table for a while before all cards leave", () => {
  const end = makeBoutEnd({ taker: null, pairs: [["7c", "Tc"]], drawn: [] }, ["9d"]);
  const now = {
    ...end,
    last_move: { ...(end.last_move as NonNullable<Scene["last_move"]>), seat: 0, verb: "beat", cards: ["Tc"] },
  } as Scene;
  const ways = findFlights(before, now, { "7c": LAY, Tc: BOXES.hand as Box, "9d": BOXES.hand as Box });
  const [attack, beat] = ways as [FlightPath, FlightPath];
  const arrival = beat.delay + STEP_MS;
  const departure = STEP_MS * (beat.stops.length - 2);
  assert.ok(departure - arrival > 300);
  assert.ok(attack.delay >= departure);
});

test("players pick up from the talon in the order of the rules, one card after the other", () => {
  const drew = [
    [1, 2],
    [0, 2],
  ] as const;
  const ways = findFlights(before, makeBoutEnd({ taker: null, pairs: [], drawn: drew }, ["9d", "Qc", "Kc"]), { "9d": BOXES.hand as Box });
  const mine = ways.filter(({ card }) => typeof card !== "string");
  const others = ways.filter(({ card }) => typeof card === "string");
  assert.deepEqual(
    mine.map(({ card }) => nameOf(card)),
    ["hand Qc", "hand Kc"],
  );
  assert.equal(others.length, 2);
  const times = [...others, ...mine].map((way) => way.delay);
  assert.deepEqual(
    [...times].sort((a, b) => a - b),
    times,
    "I draw after the seat before me",
  );
  assert.equal(new Set(times).size, 4);
  for (const { stops, appears } of ways) assert.ok(appears && stops[0]?.left === 20);
});

test("a new game is dealt to all, and going back deals nothing", () => {
  const deal: Scene = { ...golden("opening").scene, id: 3, game: before.game + 1, ply: 0, last_ply: 0 };
  const backs = deal.seats.reduce((sum, { cards }, seat) => sum + (seat === deal.viewer ? 0 : Math.min(cards, 3)), 0);
  assert.equal(findFlights(before, deal, {}).length, deal.hand.length + backs);
  assert.deepEqual(findFlights({ ...before, ply: 9 }, { ...deal, game: before.game }, {}), []);
  const later = makeBoutEnd({ taker: null, pairs: [], drawn: [[0, 1]] }, ["9d", "Qc"]);
  assert.deepEqual(findFlights(before, { ...later, ply: 9 }, { "9d": BOXES.hand as Box }), [], "nor does going on by several moves");
});
