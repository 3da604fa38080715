/** Trees written by Python: layout, visible parts, keys, and descriptions of nodes. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { shortenPath } from "../../src/board/chrome/tree-toolbar";
import { findKeyAction, findWalkTarget, KEYS } from "../../src/board/intents/tree-keys";
import {
  asksPlayer,
  CHANCE,
  type Drawing,
  describeNode,
  makePlayerLetters,
  ShownTree,
  type Solution,
  TERMINAL,
} from "../../src/board/protocol/tree-drawing";
import { clipCurve } from "../../src/board/view/edges-canvas";
import { chooseFirstView, findTouchAction, findVisibleBox, fitView, limitView, revealBox, zoomView } from "../../src/board/view/pan-zoom";
import {
  buildTreeLayout,
  type Direction,
  findArrowTarget,
  findSubtreeBox,
  findVisible,
  layOutTree,
  leadsOutwards,
  type TreeLayout,
} from "../../src/board/view/tree-layout";
import { words } from "../golden";

interface Golden {
  readonly drawing: Drawing;
  readonly solution?: Solution;
}

const BOARDS = new Map(
  readdirSync("test/boards")
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(`test/boards/${name}`, "utf-8")) as Golden] as const)
    .filter(([, { drawing }]) => drawing?.nodes),
);
const MEASURE = {
  label: ({ text }: { text: string }): number => Math.min(text.length * 7 + 10, 130),
  text: (text: string): number => text.length * 8,
};
const ROOM = { hasProbabilities: true, usesTouch: false, hasFields: false, isNarrow: false };
const DIRECTIONS: readonly Direction[] = ["right", "down"];
const layOut = (shown: ShownTree, direction: Direction): TreeLayout => buildTreeLayout(shown, direction, MEASURE, ROOM);

test("there are stored trees", () => assert.ok(BOARDS.size >= 3));

test("asksPlayer accepts the asked player, or all players, and only in a strategy task", () => {
  const asked = (task: Parameters<typeof asksPlayer>[0]): boolean[] => [0, 1, 2].map((seat) => asksPlayer(task, seat));
  assert.deepEqual(asked({ question_kind: "strategy", player: 1 }), [false, true, false]);
  assert.deepEqual(asked({ question_kind: "strategy", player: 0 }), [true, false, false]);
  assert.deepEqual(asked({ question_kind: "strategy", player: null }), [true, true, true]);
  assert.deepEqual(asked({ question_kind: "values", player: null }), [false, false, false]);
  assert.deepEqual(asked({}), [false, false, false]);
});

for (const [name, { drawing, solution = {} }] of BOARDS) {
  const shown = new ShownTree(drawing);
  const all = Array.from({ length: shown.count }, (_, i) => i);

  test(`children come after their parent and leaves do not overlap: ${name}`, () => {
    for (const direction of DIRECTIONS) {
      const { x, y, width, height } = layOut(shown, direction);
      const [along, side] = direction === "right" ? [x, y] : [y, x];
      for (const i of all.slice(1)) assert.ok((along[i] as number) > (along[shown.getParent(i)] as number) + 24);
      const leaves = all.filter((i) => !shown.isOpen(i)).map((i) => side[i] as number);
      for (const [n, at] of leaves.entries()) if (n) assert.ok(at - (leaves[n - 1] as number) >= 30);
      for (const i of all) assert.ok((x[i] as number) > 0 && (x[i] as number) < width && (y[i] as number) > 0 && (y[i] as number) < height);
    }
  });

  test(`nodes in sight are rendered, and few others: ${name}`, () => {
    for (const direction of DIRECTIONS) {
      const made = layOut(shown, direction);
      const box = { left: made.width * 0.3, top: made.height * 0.3, right: made.width * 0.6, bottom: made.height * 0.6 };
      const { nodes } = findVisible(shown, made, box);
      const inside = all.filter((i) => {
        const [x, y] = [made.x[i] as number, made.y[i] as number];
        return x > box.left && x < box.right && y > box.top && y < box.bottom;
      });
      assert.deepEqual(
        inside.filter((i) => !nodes.includes(i)),
        [],
      );
      assert.deepEqual(findVisible(shown, made, { left: -900, top: -900, right: -500, bottom: -500 }), { nodes: [], branches: [] });
      const whole = findVisible(shown, made, { left: 0, top: 0, right: made.width, bottom: made.height });
      assert.deepEqual([whole.nodes, whole.branches], [all, all.slice(1)]);
    }
  });

  test(`the box of a subtree contains the whole subtree: ${name}`, () => {
    for (const direction of DIRECTIONS) {
      const made = layOut(shown, direction);
      for (const i of all) {
        const { left, top, right, bottom } = findSubtreeBox(shown, made, i);
        for (const node of [i, ...shown.getChildren(i)]) {
          const [x, y] = [made.x[node] as number, made.y[node] as number];
          assert.ok(x >= left && x <= right && y >= top && y <= bottom);
        }
      }
    }
  });

  test(`every node can be reached from the root by keys, and back: ${name}`, () => {
    for (const direction of DIRECTIONS) {
      const keys = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"] as const;
      const met = new Set([0]);
      for (const i of met) for (const key of keys) met.add(findWalkTarget(shown, i, key, direction));
      assert.equal(met.size, shown.count);
      for (const i of all) assert.equal(findWalkTarget(shown, i, "Home", direction), 0);
      const back = direction === "right" ? "ArrowLeft" : "ArrowUp";
      for (const i of all.slice(1)) assert.equal(findWalkTarget(shown, i, back, direction), shown.getParent(i));
    }
  });

  test(`every node has a description with its player, information or payoffs: ${name}`, () => {
    const texts = words;
    for (const i of all) {
      const sentences = describeNode(i, { tree: shown, solution: {}, task: {}, words: texts });
      const text = sentences.join(". ");
      const actor = shown.getActor(i);
      assert.doesNotMatch(text, /undefined|\{/);
      if (i) assert.ok(text.startsWith(shown.getMove(i)?.text ?? "?"));
      if (actor === TERMINAL) for (const pay of shown.getPayoffs(i)) assert.ok(text.includes(pay.replace("-", "\u2212")));
      else if (actor === CHANCE) assert.ok(text.includes(texts.say("tree.chance_acts")));
      else assert.ok(text.includes(drawing.players[actor] ?? "?") && text.includes(shown.getKnowledge(i)));
      const fellows = shown.getInfosetNodes(i).length;
      assert.equal(text.includes(texts.sayCount("tree.fellows", fellows)), fellows > 1);
    }
  });

  test(`the description of a node includes its solution: ${name}`, () => {
    const values = solution.values;
    for (const i of all) {
      const text = describeNode(i, { tree: shown, solution, task: {}, words }).join(". ");
      if (values?.[i]?.length && shown.getActor(i) !== TERMINAL) assert.ok(text.includes("tree.worth"));
      assert.equal(text.includes("tree.is_lit"), Boolean(solution.highlighted_nodes?.includes(shown.getId(i))));
    }
  });

  test(`changing only the focused node reuses the parsed tree: ${name}`, () => {
    const again = new ShownTree({ ...drawing, id: drawing.id + 1, current_node: shown.getId(shown.count - 1) }, shown);
    if (drawing.layout_id !== undefined) assert.equal(again.children, shown.children);
    assert.deepEqual(
      all.map((i) => again.getInfosetNodes(i)),
      all.map((i) => shown.getInfosetNodes(i)),
    );
  });
}

test("the middle of a long path is folded until it is unfolded", () => {
  assert.deepEqual(shortenPath([1, 2, 3, 4, 5, 6], false), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(shortenPath([1, 2, 3, 4, 5, 6, 7, 8], false), [1, null, 5, 6, 7, 8]);
  assert.deepEqual(shortenPath([1, 2, 3, 4, 5, 6, 7, 8], true), [1, 2, 3, 4, 5, 6, 7, 8]);
});

test("players are marked by their first letters if these differ, otherwise by numbers", () => {
  assert.deepEqual(makePlayerLetters(["Ann", "Bob"]), ["A", "B"]);
  assert.deepEqual(makePlayerLetters(["Player 1", "Player 2"]), ["1", "2"]);
  assert.deepEqual(makePlayerLetters(["ąžuolas", "Beržas", "Ąsotis"]), ["1", "2", "3"]);
  assert.deepEqual(makePlayerLetters(["1", "2"]), ["1", "2"]);
});

const SIZE = { width: 400, height: 300 };

test("zooming keeps the point under the pointer in place and has limits", () => {
  const view = { scale: 1, left: -50, top: 20 };
  const near = zoomView(view, 1.5, 100, 80);
  assert.equal((100 - near.left) / near.scale, (100 - view.left) / view.scale);
  assert.equal(zoomView(view, 1e6, 0, 0).scale, zoomView(view, 1e9, 0, 0).scale);
  assert.ok(zoomView(view, 1e-9, 0, 0).scale > 0);
});

test("fitting a box centres it and never enlarges it", () => {
  const view = fitView({ left: 100, top: 100, right: 1100, bottom: 400 }, SIZE);
  const box = findVisibleBox(view, SIZE, 0);
  assert.ok(box.left <= 100 && box.right >= 1100 && box.top <= 100 && box.bottom >= 400);
  assert.equal(fitView({ left: 0, top: 0, right: 10, bottom: 10 }, SIZE).scale, 1);
});

test("the first view shows the whole tree if it is legible, otherwise the root at the middle of its side", () => {
  assert.ok(chooseFirstView({ width: 450, height: 300 }, { left: 0, top: 140, right: 30, bottom: 160 }, SIZE, 0.8).scale >= 0.8);
  const large = chooseFirstView({ width: 900, height: 9000 }, { left: 0, top: 4400, right: 30, bottom: 4430 }, SIZE, 0.8);
  assert.ok(large.scale >= 0.8);
  assert.ok(Math.abs(4415 * large.scale + large.top - 150) < 1);
});

test("scrolling a box into view takes the shortest way, and a visible box moves nothing", () => {
  const view = { scale: 1, left: 0, top: 0 };
  assert.deepEqual(revealBox(view, { left: 100, top: 100, right: 150, bottom: 130 }, SIZE), view);
  const far = revealBox(view, { left: 500, top: -90, right: 540, bottom: -60 }, SIZE);
  assert.ok(far.left < 0 && 540 + far.left <= 400 && far.top > 0 && -90 + far.top >= 0);
  const wide = revealBox(view, { left: 390, top: 0, right: 1900, bottom: 30 }, SIZE);
  assert.ok(390 + wide.left >= 0 && 390 + wide.left < 200);
});

test("the tree cannot be panned out of sight", () => {
  for (const board of [
    { width: 100, height: 100 },
    { width: 5000, height: 9000 },
  ]) {
    for (const shift of [-1e6, 1e6]) {
      const { left, top } = limitView({ scale: 1, left: shift, top: shift }, board, SIZE);
      assert.ok(left + board.width > 0 && left < SIZE.width && top + board.height > 0 && top < SIZE.height);
    }
  }
});

test("a finger scrolls the page when the tree has nothing more to show in that direction", () => {
  const board = { width: 1000, height: 1000 };
  assert.equal(findTouchAction({ scale: 0.2, left: 0, top: 0 }, board, SIZE), "pan-y");
  assert.equal(findTouchAction({ scale: 1, left: 0, top: 0 }, board, SIZE), "pan-up");
  assert.equal(findTouchAction({ scale: 1, left: 0, top: -700 }, board, SIZE), "pan-down");
  assert.equal(findTouchAction({ scale: 1, left: 0, top: -300 }, board, SIZE), "none");
});

test("only the visible part of a long curve is drawn, and it lies on the curve", () => {
  const curve = [
    [0, 0],
    [40, 2500],
    [40, 7500],
    [0, 10000],
  ] as const;
  const seen = clipCurve(curve, 1, 4000, 4500);
  assert.ok(seen);
  assert.ok(Math.abs(seen[0][1] - 4000) < 1 && Math.abs(seen[3][1] - 4500) < 1);
  assert.ok(seen[0][0] > 20 && seen[0][0] < 40);
  const back = clipCurve(
    [
      [0, 10000],
      [40, 7500],
      [40, 2500],
      [0, 0],
    ],
    1,
    4000,
    4500,
  );
  assert.ok(back && Math.abs(back[0][1] - 4500) < 1 && Math.abs(back[3][1] - 4000) < 1);
  assert.equal(clipCurve(curve, 1, 20000, 30000), undefined);
});

test("every key of the help works, also in another keyboard layout", () => {
  const key = (key: string, code = "", shiftKey = false): Parameters<typeof findKeyAction>[0] => ({ key, code, shiftKey });
  assert.equal(findKeyAction(key("Enter")), "use");
  assert.equal(findKeyAction(key(" ")), "fold");
  assert.equal(findKeyAction(key(" ", "Space", true)), "pick");
  assert.equal(findKeyAction(key("м", "KeyV")), "values");
  assert.equal(findKeyAction(key("V", "KeyV")), "values");
  assert.equal(findKeyAction(key("q", "KeyQ")), undefined);
  for (const { actions } of KEYS) for (const [name, action] of Object.entries(actions)) assert.equal(findKeyAction(key(name)), action);
});

const beer = BOARDS.get("beer")?.drawing as Drawing;

test("a signaling game is laid out from the middle if there is space, otherwise to the right", () => {
  const shown = new ShownTree(beer);
  const of = beer.signalling_layout as NonNullable<Drawing["signalling_layout"]>;
  const wide = layOutTree(shown, "right", MEASURE, ROOM, { of, width: 0 });
  assert.equal(layOutTree(shown, "right", MEASURE, ROOM, { of, width: wide.width * 0.8 }).side, of.side);
  assert.equal(layOutTree(shown, "right", MEASURE, ROOM, { of, width: wide.width * 0.8 - 1 }).side, undefined);
  assert.equal(layOutTree(shown, "down", MEASURE, ROOM, { of, width: 0 }).side, undefined);
  const { x, y, side = [] } = wide;
  const places = new Set(Array.from(x, (at, i) => `${at} ${y[i]}`));
  assert.equal(places.size, shown.count);
  for (let i = 1; i < shown.count; i++) {
    const up = shown.getParent(i);
    const out = ((x[i] as number) - (x[up] as number)) * (side[i] ?? 0);
    assert.ok(side[i] ? out > 24 : x[i] === x[0] && Math.abs((y[i] as number) - (y[0] as number)) > 60);
  }
  for (const group of shown.infosets) assert.equal(new Set(group.map((i) => x[i])).size, 1);
  const seen = findVisible(shown, wide, { left: 0, top: 0, right: wide.width, bottom: wide.height });
  assert.deepEqual([seen.nodes.length, seen.branches.length], [shown.count, shown.count - 1]);
  const all = findSubtreeBox(shown, wide, 0);
  assert.ok(all.left <= Math.min(...x) - 24 && all.right >= Math.max(...x) + 24 && all.top >= 0 && all.bottom <= wide.height);
});

test("arrow keys follow a layout from the middle to every node and back", () => {
  const shown = new ShownTree(beer);
  const wide = layOutTree(shown, "right", MEASURE, ROOM, {
    of: beer.signalling_layout as NonNullable<Drawing["signalling_layout"]>,
    width: 0,
  });
  const met = new Set([0]);
  for (const at of met)
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {
      const to = findArrowTarget(shown, wide, at, key);
      if (to !== at) {
        const far = key === "ArrowLeft" || key === "ArrowRight" ? wide.x : wide.y;
        assert.equal((far[to] as number) > (far[at] as number), key === "ArrowRight" || key === "ArrowDown");
      }
      met.add(to);
    }
  assert.equal(met.size, shown.count);
  const [left, right] = [wide.side?.indexOf(-1) ?? 0, wide.side?.indexOf(1) ?? 0];
  assert.deepEqual(
    [leadsOutwards(wide, left, "ArrowLeft"), leadsOutwards(wide, left, "ArrowRight"), leadsOutwards(wide, right, "ArrowRight")],
    [true, false, true],
  );
});

test("the gutter before a level is wide enough for its dashed lines and their names", () => {
  const shown = new ShownTree(beer);
  for (const direction of DIRECTIONS) {
    const { gutters, leads, labelWidths } = layOut(shown, direction);
    assert.deepEqual(
      gutters.map((room) => room > 0),
      [false, false, true, false],
    );
    if (direction === "right") assert.ok((leads[2] as number) >= (labelWidths[2] as number) + (gutters[2] as number));
  }
});
