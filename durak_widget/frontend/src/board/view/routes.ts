/** Which way a dashed line takes from node to node: around what is written there, where it can. */

import type { Shown } from "../protocol/tree-drawing";
import { type Plan, RADIUS } from "./tree-layout";

/** The two points that bend a line: parts of the way along the tree and across it, and so many pixels further along. */
export interface Bend {
  readonly first: readonly [along: number, across: number];
  readonly second: readonly [along: number, across: number];
  readonly off: number;
}

/** What is written: from where to where, along the tree and across it. */
interface Written {
  readonly along: readonly [from: number, to: number];
  readonly across: readonly [from: number, to: number];
}

/** More nodes than this are not looked through: among so many, no line is followed by the eye. */
const MOST = 400;
/** What is looked for, so much around two nodes. */
const AROUND = 60;
/** How far apart a line is looked at. */
const STEP = 6;
const SAID = 3; // words, numbers and nodes are not to be struck through
const LONGER = 2; // a way that is longer by itself is as bad as that

const known = new WeakMap<Plan, { readonly all: readonly Written[]; readonly found: Map<string, Bend> }>();

/** A bow to the side to which the tree grows, as far as given; where it would strike through something, the best way there is. */
export function bend(shown: Shown, plan: Plan, a: number, b: number, bow: number): Bend {
  const usual: Bend = { first: [0, 0.25], second: [1, 0.75], off: bow };
  if (shown.count > MOST) return usual;
  const kept = known.get(plan) ?? { all: written(shown, plan), found: new Map<string, Bend>() };
  known.set(plan, kept);
  const name = `${a} ${b} ${bow}`;
  const found = kept.found.get(name) ?? best(kept.all, ends(plan, a), ends(plan, b), usual);
  kept.found.set(name, found);
  return found;
}

/** Where the points lie that bend a line, from where it begins and ends; all along the tree and across it. */
export function bent({ first, second, off }: Bend, from: Place, to: Place): readonly [Place, Place] {
  const [along, across] = [to[0] - from[0], to[1] - from[1]];
  return [
    [from[0] + along * first[0] + off, from[1] + across * first[1]],
    [from[0] + along * second[0] + off, from[1] + across * second[1]],
  ];
}

type Place = readonly [along: number, across: number];

const ends = ({ x, y, direction }: Plan, i: number): Place => {
  const [cx, cy] = [x[i] as number, y[i] as number];
  return direction === "right" ? [cx, cy] : [cy, cx];
};

/** Everything that stands on the board, but lines and what authors have written. */
function written(shown: Shown, plan: Plan): Written[] {
  const { label, said, pays, likely, values } = plan;
  const right = plan.direction === "right";
  const found: Written[] = [];
  const put = (along: number, to: number, across: number, half: number): void => {
    found.push({ along: [along, to], across: [across - half, across + half] });
  };
  for (let i = 0; i < shown.count; i++) {
    const [along, across] = ends(plan, i);
    const end = shown.pays(i).length > 0;
    const sign = end ? 5 : RADIUS + 1;
    put(along - sign, along + sign, across, sign);
    const move = shown.move(i);
    const wide = said[i] as number;
    const near = along - RADIUS - 7 - (plan.gutter[shown.drawing.nodes.level[i] ?? 0] ?? 0);
    if (right) {
      const middle = near - (label[shown.drawing.nodes.level[i] ?? 0] ?? 0) / 2;
      if (move) put(middle - wide / 2, middle + wide / 2, across, 12);
      if (move && (likely || move.likely)) put(middle - 22, middle + 22, across + 20, 8);
      if (end) put(along + 10, along + 12 + pays.reduce((sum, one) => sum + one + 7, 0), across, 10);
      else if (values) put(along - 20, along + 20, across - 21, 8);
      if (shown.more(i) && !shown.open(i)) put(along + 13, along + 44, across, 10);
    } else {
      if (move) put(near - 24 - (likely || move.likely ? 15 : 0), near, across, wide / 2);
      if (end) put(along + 10, along + 12 + 17 * pays.length, across, Math.max(...pays, 12) / 2);
      if (shown.more(i) && !shown.open(i)) put(along + 15, along + 36, across, 16);
    }
  }
  return found;
}

/** Of all ways that it might take, that which strikes through least, and is not much longer than need be. */
function best(all: readonly Written[], from: Place, to: Place, usual: Bend): Bend {
  const low = [Math.min(from[0], to[0]) - AROUND, Math.min(from[1], to[1]) - AROUND] as const;
  const high = [Math.max(from[0], to[0]) + AROUND, Math.max(from[1], to[1]) + AROUND] as const;
  const near = all.filter(({ along, across }) => along[1] > low[0] && along[0] < high[0] && across[1] > low[1] && across[0] < high[1]);
  let [least, found] = [worst(near, from, to, usual), usual];
  for (const way of least > 0 ? ways(from[0] === to[0], usual.off) : []) {
    const longer = LONGER * (length(way, from, to) - 1) + 0.1;
    const bad = longer + worst(near, from, to, way, least - longer);
    if (bad < least) [least, found] = [bad, way];
  }
  return found;
}

/** The ways that are tried: bows to either side; from level to level also turns, by which a line leaves one node and comes to the other. */
function* ways(level: boolean, bow: number): Iterable<Bend> {
  for (const off of [0, -14, -17, -21, -26, 24, 36, 48, 60, bow * 1.6, bow * 2.5])
    for (const flat of [0.25, 0.05]) yield { first: [0, flat], second: [1, 1 - flat], off };
  if (level) return;
  for (const first of TURNS)
    for (const second of TURNS) for (const off of [0, -14, 14]) yield { first, second: [1 - second[0], 1 - second[1]], off };
}

const TURNS = [
  [0, 0.5],
  [0, 1],
  [0.3, 0.1],
  [0.6, 0],
  [1, 0],
  [0.2, 0.8],
  [1, 0.5],
  [-0.3, 0.5],
] as const;

/** How much of what is written such a line strikes through, not at its own ends; it is counted up to a most. */
function worst(near: readonly Written[], from: Place, to: Place, way: Bend, most = Infinity): number {
  const points = along(way, from, to);
  let bad = 0;
  for (const [u, v] of points) {
    if (bad >= most) break;
    if (Math.hypot(u - from[0], v - from[1]) < RADIUS + 3 || Math.hypot(u - to[0], v - to[1]) < RADIUS + 3) continue;
    for (const one of near) if (u > one.along[0] - 2 && u < one.along[1] + 2 && v > one.across[0] - 1 && v < one.across[1] + 1) bad += SAID;
  }
  return bad;
}

function length(way: Bend, from: Place, to: Place): number {
  const points = along(way, from, to);
  const far = points.reduce((sum, [u, v], k) => {
    const [a, b] = points[k - 1] ?? [u, v];
    return sum + Math.hypot(u - a, v - b);
  }, 0);
  return far / Math.max(Math.hypot(to[0] - from[0], to[1] - from[1]), 1);
}

/** Points of such a line. */
function along(way: Bend, from: Place, to: Place): Place[] {
  const [one, two] = bent(way, from, to);
  const count = Math.min(Math.max(Math.round(Math.hypot(to[0] - from[0], to[1] - from[1]) / STEP), 16), 60);
  return Array.from({ length: count + 1 }, (_, k): Place => {
    const t = k / count;
    const s = 1 - t;
    const [a, b, c, d] = [s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t];
    return [a * from[0] + b * one[0] + c * two[0] + d * to[0], a * from[1] + b * one[1] + c * two[1] + d * to[1]];
  });
}
