/** Input of the tree editor: pointer, keys, and dragging a line from node to node. */

import { isWalk, walked } from "../board/intents/tree-keys";
import { CHANCE, OVER } from "../board/protocol/tree-drawing";
import type { Stage } from "../board/view/stage";
import type { Direction } from "../board/view/tree-layout";
import { focused, make, set } from "../widgets/dom";
import type { ExportPanel } from "./export-panel";
import type { Pad } from "./protocol";
import { type Deed, deedOf, type Lacking, type SketchBar, seatOf } from "./toolbar";
import type { InPlace } from "./tree-fields";

/** So far a pointer goes before it pulls rather than clicks. */
const THRESHOLD = 6;

/** What hands may do to a sketch besides. */
export interface Board extends Pad {
  readonly direction: Direction;
  readonly bar: SketchBar;
  readonly out: ExportPanel;
  readonly inPlace: InPlace;
  readonly lacking: Lacking;
  /** Look at a place of the drawing. */
  walk(i: number): void;
  /** What is joined, or typed, looks otherwise now. */
  repaint(): void;
  /** Let the tree grow the other way. */
  turned(): void;
}

/** Input by mouse, fingers and keys. */
export class SketchHands {
  /** One end of a line that is drawn by keys or clicks. */
  joins: number | undefined;
  /** A move was asked for by keys or mouse: its name is typed next. */
  names = false;
  private readonly pulling: () => boolean;

  constructor(
    private readonly board: Board,
    private readonly stage: Stage,
  ) {
    const { signal } = board;
    const tree = stage.element;
    const may = (id: number): boolean => board.shown().actor(board.shown().place(id)) !== CHANCE;
    this.pulling = pulled(tree, may, (id, other) => board.send({ kind: "join", id, other }), signal).pulling;
    tree.addEventListener("click", (event) => this.click(event), { signal });
    tree.addEventListener(
      "keydown",
      (event) => {
        if (focused(board.root) === tree && this.press(event)) event.preventDefault();
      },
      { signal },
    );
    board.root.addEventListener("keydown", (event) => this.anywhere(event), { signal });
  }

  /** A key, wherever it is pressed: on a button above, those that draw are heard too. */
  private anywhere(event: KeyboardEvent): void {
    const what = event.defaultPrevented ? undefined : deedOf(event);
    const target = event.target as Element;
    const typing = target.closest("input, textarea, select") !== null;
    const draws = what === "undo" || what === "redo" || (what !== "use" && this.board.bar.element.contains(target));
    if (what === "escape") {
      if (this.escape()) event.preventDefault();
    } else if (what && draws && !typing) {
      this.act(what);
      event.preventDefault();
    }
    if (event.key !== "Tab") event.stopPropagation(); // else the notebook takes it for one of its own commands
  }

  private click(event: MouseEvent): void {
    const target = event.target as Element;
    const node = target.closest<HTMLElement>(".dk-node");
    if (!node || this.pulling() || this.stage.dragged || target.closest("input") || event.detail > 2) return;
    const id = Number(node.dataset.id);
    const again = this.here === id;
    if (this.joins !== undefined) return this.joined(id);
    this.board.go(id);
    if (target.closest(".dk-pays")) return this.board.write(id, "pays");
    if (target.closest(".dk-likely")) return again ? this.board.write(id, "likely") : undefined;
    if (target.closest(".dk-branch")) return again ? this.board.write(id, "move") : undefined;
    if (event.detail === 2) this.act("use");
  }

  /** The other end of a line has been chosen. */
  private joined(other: number): void {
    const one = this.joins as number;
    this.joins = undefined;
    this.board.go(other);
    this.board.repaint();
    if (one !== other) this.board.send({ kind: "join", id: one, other });
  }

  /** Whether the key was for the tree. */
  private press(event: KeyboardEvent): boolean {
    const { key, altKey, ctrlKey, metaKey, repeat } = event;
    const what = deedOf(event);
    if (isWalk(key) && !altKey && !ctrlKey && !metaKey) {
      this.board.walk(walked(this.board.shown(), this.board.at(), key, this.board.direction));
      return true;
    }
    const seat = seatOf(event, this.board.shown().drawing.seats.length);
    if (seat !== undefined) {
      this.names = !this.board.shown().below(this.board.at()).length;
      this.board.send({ kind: "give", id: this.here, seat });
    } else if (what === "escape" || what === undefined) return false;
    else if (!repeat || what === "undo" || what === "redo") this.act(what);
    return true;
  }

  private escape(): boolean {
    if (this.board.bar.close()) return true;
    if (this.joins !== undefined) {
      this.joins = undefined;
      this.board.repaint();
      return true;
    }
    if (!this.board.out.open) return false;
    this.board.out.toggle(false);
    this.board.bar.paint();
    this.stage.element.focus({ preventScroll: true });
    return true;
  }

  /** What a button or a key asks for. */
  act(what: Deed | "export"): void {
    const id = this.here;
    this.board.inPlace.close(true);
    switch (what) {
      case "move":
        this.names = !matchMedia("(pointer: coarse)").matches; // a finger has no keys until they are asked for
        return this.board.send({ kind: "move", id });
      case "chance":
      case "part":
      case "copy":
      case "remove":
        return this.board.send({ kind: what, id });
      case "earlier":
      case "later":
        return this.board.send({ kind: "shift", id, step: what === "later" ? 1 : -1 });
      case "paste":
      case "paste.joined":
        return this.board.send({ kind: "paste", id, joined: what === "paste.joined" });
      case "undo":
      case "redo":
        return this.board.send({ kind: what });
      case "join":
        if (this.joins !== undefined) return this.joined(id);
        this.joins = id;
        this.board.announce(this.board.words().say("sketch.joining"));
        return this.board.repaint();
      case "use":
        return this.board.write(id, this.board.shown().actor(this.board.at()) === OVER ? "pays" : "move");
      case "name":
        return this.board.write(id, "move");
      case "likely":
        return this.board.write(id, "likely");
      case "next":
        return this.board.lacking.next();
      case "nearer":
        return this.stage.zoom(1.3);
      case "farther":
        return this.stage.zoom(1 / 1.3);
      case "fit":
        return this.stage.fit();
      case "turn":
        return this.board.turned();
      case "export":
        this.board.out.toggle();
        return this.board.bar.paint();
      case "help":
        return this.board.bar.toggle();
    }
  }

  /** The place that is looked at, by its number. */
  private get here(): number {
    return this.board.shown().id(this.board.at());
  }
}

/** Hear the hands on the signs of this tree, before the board under them is moved; `joined` hears which two the line has joined. */
export function pulled(
  tree: HTMLElement,
  may: (id: number) => boolean,
  joined: (one: number, other: number) => void,
  signal: AbortSignal,
): { readonly pulling: () => boolean } {
  const line = make("i", "dk-rubber", { "aria-hidden": "true", hidden: true });
  let from: { readonly pointer: number; readonly id: number; readonly x: number; readonly y: number } | undefined;
  let pulls = false;
  let over: HTMLElement | undefined;
  tree.append(line);
  const listen = (name: "pointerdown" | "pointermove" | "pointerup" | "pointercancel", run: (event: PointerEvent) => void): void =>
    tree.addEventListener(name, run, { signal, capture: true });
  const under = ({ clientX, clientY }: PointerEvent): HTMLElement | undefined => {
    const place = (tree.getRootNode() as Document | ShadowRoot).elementFromPoint(clientX, clientY)?.closest<HTMLElement>(".dk-node");
    return place && tree.contains(place) && Number(place.dataset.id) !== from?.id ? place : undefined;
  };
  const aim = (node: HTMLElement | undefined): void => {
    if (over !== node && over) set(over, { "data-aim": undefined });
    over = node;
    if (over) set(over, { "data-aim": true });
  };

  listen("pointerdown", (event) => {
    const sign = (event.target as Element).closest<HTMLElement>(".dk-sign");
    const id = Number(sign?.closest<HTMLElement>(".dk-node")?.dataset.id ?? -1);
    if (!sign || event.button !== 0 || !event.isPrimary || !may(id)) return;
    const { left, top, width, height } = sign.getBoundingClientRect();
    from = { pointer: event.pointerId, id, x: left + width / 2, y: top + height / 2 };
    pulls = false;
    event.stopPropagation(); // the board stays where it is
  });
  listen("pointermove", (event) => {
    if (event.pointerId !== from?.pointer) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!pulls && Math.hypot(dx, dy) < THRESHOLD + 8) return;
    if (!pulls) tree.setPointerCapture(event.pointerId);
    pulls = true;
    const box = tree.getBoundingClientRect();
    set(line, { hidden: undefined });
    line.style.width = `${Math.hypot(dx, dy)}px`;
    line.style.transform = `translate(${from.x - box.left}px,${from.y - box.top}px) rotate(${Math.atan2(dy, dx)}rad)`;
    aim(under(event));
  });
  const end = (event: PointerEvent): void => {
    if (event.pointerId !== from?.pointer) return;
    const [{ id }, other] = [from, event.type === "pointerup" && pulls ? under(event) : undefined];
    aim(undefined);
    from = undefined;
    set(line, { hidden: true });
    if (other) joined(id, Number(other.dataset.id));
    setTimeout(() => {
      pulls = false; // the click that follows is none
    });
  };
  listen("pointerup", end);
  listen("pointercancel", end);
  return { pulling: () => pulls };
}
