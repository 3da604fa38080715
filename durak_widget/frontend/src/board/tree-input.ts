/** What a person does on the board, by mouse, touch and keys. */

import { focused } from "../widgets/dom";
import type { Act, Tools } from "./chrome/tree-toolbar";
import type { Given } from "./given";
import { deed } from "./intents/tree-keys";
import { isWalk, onward, walked } from "./intents/walking";
import type { Host } from "./panels/panel";
import { outwards, strode } from "./view/fan";
import type { Stage } from "./view/stage";
import type { Direction, Plan } from "./view/tree-layout";

/** What hands may do to a tree. */
export interface Acting extends Host {
  readonly direction: Direction;
  /** Where everything lies that is shown. */
  readonly laid: Plan | undefined;
  /** Look at a place. */
  walk(i: number): void;
  /** Fold or unfold it. */
  toggle(i: number): void;
  /** See all that is below it. */
  whole(i: number): void;
}

/** Hear what is clicked and pressed. */
export function hands(board: Acting, stage: Stage, tools: Tools, given: Given): void {
  const { root, signal } = board;
  const tree = stage.element;
  let folding = false;

  tree.addEventListener(
    "click",
    (event) => {
      const target = event.target as Element;
      if (stage.dragged || target.closest("input, [data-own]") || event.detail > 2) return;
      const node = target.closest<HTMLElement>(".dk-node");
      if (!node) return;
      const id = Number(node.dataset.id);
      const shown = board.shown();
      const i = shown.place(id);
      const twice = event.detail === 2;
      board.walk(i);
      if (target.closest(".dk-branch")) {
        if (!twice && given.choose(id)) return;
      } else if (!target.closest(".dk-pays")) {
        if (!twice && (given.pick(id) || given.grow(id))) return;
        // Where a strategy is set, one clicks a player to say what it does there: nothing is folded by that.
        if (shown.open(i) && board.task().asks === "strategy") return;
        // A second click takes back the first where that has folded: what is clicked twice is open, and seen whole.
        if (!twice) folding = shown.open(i);
        if (!twice || folding) board.toggle(i);
      }
      if (twice) board.whole(i);
    },
    { signal },
  );

  tree.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || focused(root) !== tree) return;
      if (pressed(event)) event.preventDefault();
    },
    { signal },
  );

  root.addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape" && !event.defaultPrevented && (tools.close() || given.leave())) event.preventDefault();
      if (event.key !== "Tab") event.stopPropagation(); // else the notebook takes it for one of its own commands
    },
    { signal },
  );

  /** Whether the key was for the tree. */
  function pressed(event: KeyboardEvent): boolean {
    const shown = board.shown();
    const at = board.at();
    const id = shown.id(at);
    if (isWalk(event.key)) {
      const fan = board.laid?.side && event.key.startsWith("Arrow") ? board.laid : undefined;
      const on = fan ? outwards(fan, at, event.key) : onward(event.key, board.direction);
      if (on && shown.more(at) && !shown.open(at)) {
        if (!event.repeat) board.toggle(at); // who holds it down only walks
      } else board.walk(fan ? strode(shown, fan, at, event.key) : walked(shown, at, event.key, board.direction));
      return true;
    }
    const what = deed(event);
    switch (what) {
      case "use": {
        const field = given.field(id);
        if (field) field.focus();
        else if (!given.choose(id)) board.toggle(at);
        return true;
      }
      case "fold":
        board.toggle(at);
        return true;
      case "pick":
        return given.pick(id);
      case "choose":
        return given.choose(id);
      case "next":
      case "previous":
        tools.next(what === "next" ? 1 : -1);
        return true;
      case "escape":
        return tools.close() || given.leave();
      case undefined:
        return false;
      default:
        act(board, stage, tools, what);
        return true;
    }
  }
}

/** What a button or a key asks for. */
export function act(board: Acting, stage: Stage, tools: Tools, what: Act): void {
  const there = (name: string): boolean => Object.keys(board.get<object | undefined>(name) ?? {}).length > 0;
  switch (what) {
    case "nearer":
      return stage.zoom(1.3);
    case "farther":
      return stage.zoom(1 / 1.3);
    case "fit":
      return stage.fit();
    case "turn":
      return board.change("direction", board.direction === "right" ? "down" : "right");
    case "values":
      return board.change("values", !board.get("values"));
    case "beliefs":
      return board.change("beliefs", board.solution().beliefs ? "off" : "on");
    case "find":
      return tools.focusFind();
    case "help":
      return tools.toggle(true);
    case "table":
      return board.send({ kind: "table", id: board.shown().id(board.at()) });
    case "matrix":
      return board.send({ kind: "matrix", on: !there("matrix") });
    case "learn":
      return board.send({ kind: "learn", what: there("learning") ? "close" : "start" });
    case "path":
      return board.send({ kind: "path", on: !there("path") });
    case "solve":
      return board.send({ kind: "solve" });
    case "likely":
      return void board.root.dispatchEvent(new Event("dk-likely"));
  }
}
