/** Input of a tree: pointer, keys, and the answers that an exercise takes on the tree. */

import { button, focused, make, set, write } from "../widgets/dom";
import type { Act, Tools } from "./chrome/tree-toolbar";
import { deed, isWalk, onward, walked } from "./intents/tree-keys";
import type { Host, Panel } from "./panels/panel";
import { isUndrawn } from "./protocol/tree-drawing";
import type { Join } from "./view/edges-canvas";
import type { Stage } from "./view/stage";
import { type Direction, outwards, type Plan, strode, WIDER } from "./view/tree-layout";

const ASKED = ["values", "sets", "path", "draw", "strategy"] as const;

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

const isAsked = (asks: string): asks is (typeof ASKED)[number] => ASKED.some((one) => one === asks);

/** The answers that an exercise takes on the tree: numbers at nodes, nodes to join, moves to choose, branches to draw. */
export class Given implements Panel {
  readonly element = make("div", "dk-given", { role: "group", hidden: true });
  private readonly say = make("p", "dk-given-how");
  private readonly join = button("dk-primary", "");
  private readonly part = button("", "");
  private readonly score = make("p", "dk-given-score");
  private readonly fields = new Map<number, HTMLInputElement>();
  readonly picked = new Set<number>();

  constructor(
    private readonly host: Host,
    private readonly changed: () => void,
  ) {
    this.join.addEventListener("click", () => this.send(true));
    this.part.addEventListener("click", () => this.send(false));
    this.element.append(this.say, this.join, this.part, this.score);
  }

  paint(): void {
    const { asks, score } = this.host.task();
    const words = this.host.words();
    const here = asks && isAsked(asks) ? asks : undefined;
    set(this.element, { hidden: !here, "data-asks": here });
    if (!here) this.picked.clear();
    if (!here) return;
    write(this.say, words.say(`tree.how.${here}`));
    write(this.score, score ?? "");
    const sets = here === "sets";
    write(this.join, words.say("tree.join"));
    write(this.part, words.say("tree.part"));
    set(this.join, { hidden: !sets, "aria-disabled": this.picked.size > 1 ? undefined : "true" });
    set(this.part, { hidden: !sets, "aria-disabled": this.picked.size > 0 ? undefined : "true" });
  }

  stop(): void {
    this.element.remove();
  }

  /** Whether a node can be picked. */
  may(id: number): boolean {
    const { asks, may } = this.host.task();
    return asks === "sets" && Boolean(may?.includes(id));
  }

  /** Pick a node, or leave it again. */
  pick(id: number): boolean {
    if (!this.may(id)) return false;
    if (!this.picked.delete(id)) this.picked.add(id);
    const count = this.picked.size;
    this.host.announce(this.host.words().count("tree.picked", count));
    this.paint();
    this.changed();
    return true;
  }

  /** Leave all that is picked. */
  leave(): boolean {
    if (!this.picked.size) return false;
    this.picked.clear();
    this.paint();
    this.changed();
    return true;
  }

  /** Choose the move that leads to a node, or draw its branch; whether that is asked. */
  choose(id: number): boolean {
    const shown = this.host.shown();
    const i = shown.place(id);
    const up = shown.up(i);
    const { asks } = this.host.task();
    if ((asks !== "path" && asks !== "draw") || up < 0 || shown.actor(up) < 0) return false;
    this.host.send({ kind: "give", node: shown.id(up), move: shown.at(i) });
    return true;
  }

  /** Draw the branch that leads to a node, where that is asked and it is not drawn yet. */
  grow(id: number): boolean {
    const shown = this.host.shown();
    return isUndrawn(shown.place(id), shown, this.host.task()) && this.choose(id);
  }

  /** The field at a node, if there is one to write in. */
  field(id: number): HTMLInputElement | undefined {
    const field = this.fields.get(id);
    return field?.isConnected && !field.readOnly ? field : undefined;
  }

  /** Put the field that a task wants at a node there, or take it away. */
  decorate(element: HTMLElement, i: number): void {
    const shown = this.host.shown();
    const id = shown.id(i);
    const task = this.host.task();
    const wanted = task.asks === "values" ? task.nodes?.[id] : undefined;
    let field = this.fields.get(id);
    if (!wanted) {
      field?.remove();
      this.fields.delete(id);
      return;
    }
    if (!field) {
      field = make("input", "dk-field", { type: "text", inputmode: "text", autocomplete: "off", spellcheck: "false", maxlength: 40 });
      const made = field;
      const given = (): void => {
        if (!made.readOnly && made.value.trim() !== (made.dataset.sent ?? "")) {
          made.dataset.sent = made.value.trim();
          this.host.send({ kind: "give", node: id, text: made.value.trim() });
        }
      };
      made.addEventListener("change", given);
      made.addEventListener("keydown", (event) => {
        event.stopPropagation();
        if (event.key === "Enter") given();
        if (event.key === "Enter" || event.key === "Escape") this.host.go(id);
      });
      this.fields.set(id, made);
    }
    if (field.parentElement !== element) element.append(field);
    if (task.many) element.style.setProperty("--dk-more", `${WIDER}px`);
    if (field !== (field.getRootNode() as Document | ShadowRoot).activeElement || wanted.mark) field.value = wanted.text;
    field.dataset.sent = wanted.text;
    field.readOnly = wanted.open === false;
    const words = this.host.words();
    const mark = wanted.mark ? `, ${words.say(`mark.${wanted.mark}`)}` : "";
    set(field, {
      "data-mark": wanted.mark || undefined,
      "aria-label": words.say("tree.field") + mark,
      tabindex: wanted.open === false ? -1 : 0,
    });
  }

  /** What has been joined, by a person. */
  joins(): Join[] {
    const shown = this.host.shown();
    const { asks, groups = [], marks } = this.host.task();
    if (asks !== "sets") return [];
    return groups.map((group, n) => ({
      places: group.map((id) => shown.place(id)).filter((i) => i >= 0),
      kind: marks?.[n] === "right" ? "right" : marks?.[n] === "wrong" ? "wrong" : "given",
      seat: 0,
    }));
  }

  private send(join: boolean): void {
    if (this.picked.size < (join ? 2 : 1)) return;
    this.host.send({ kind: "give", nodes: [...this.picked], join });
    this.picked.clear();
    this.host.announce(this.host.words().count("tree.picked", 0)); // they are joined or parted, and not picked any more
    this.paint();
    this.changed();
  }
}
