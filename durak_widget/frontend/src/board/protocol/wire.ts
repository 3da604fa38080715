/** How a drawing comes from Python: columns as bytes, each move once. Here it becomes what the board reads. */

import type { Door } from "../../widgets/widget-host";
import type { Drawing, Move, Nodes } from "./tree-drawing";

/** What changes when something lies elsewhere, or is called otherwise. */
export interface Told extends Omit<Drawing, "id" | "at" | "crumbs" | "found" | "nodes" | "sets"> {
  readonly nodes: Readonly<Record<keyof Nodes, DataView>>;
  readonly moves: readonly Move[];
  /** What is known there, and the numbers of its moves. */
  readonly sets: Readonly<Record<string, readonly [said: string, ...moves: number[]]>>;
}

/** What changes at every step. */
export type Looked = Pick<Drawing, "id" | "at" | "crumbs" | "found">;

/** The numbers of a column, little end first, whole or not. */
const numbers = ({ buffer, byteOffset, byteLength }: DataView, kind: typeof Int32Array | typeof Float64Array): number[] =>
  Array.from(new kind(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer));

/** A drawing, but for what is looked at. */
export function unpacked({ moves, sets, nodes, ...rest }: Told): Omit<Drawing, keyof Looked> {
  const columns = Object.entries(nodes).map(([name, column]) => [name, numbers(column, name === "row" ? Float64Array : Int32Array)]);
  const known = Object.entries(sets).map(([key, [said, ...all]]) => [key, { said, moves: all.map((one) => moves[one]) }]);
  return { ...rest, nodes: Object.fromEntries(columns) as Nodes, sets: Object.fromEntries(known) as Drawing["sets"] };
}

/** Puts the two together: what is as it was is not unpacked again. */
export class Wire {
  private told: Told | undefined;
  private looked: Looked | undefined;
  private still: Omit<Drawing, keyof Looked> | undefined;
  private drawing: Drawing | undefined;

  constructor(private readonly door: Pick<Door, "get">) {}

  read(): Drawing {
    const told = this.door.get<Told>("drawing");
    const looked = this.door.get<Looked>("looked");
    if (this.drawing && told === this.told && looked === this.looked) return this.drawing;
    if (!this.still || told !== this.told) this.still = unpacked(told);
    [this.told, this.looked] = [told, looked];
    this.drawing = { ...this.still, ...looked };
    return this.drawing;
  }
}
