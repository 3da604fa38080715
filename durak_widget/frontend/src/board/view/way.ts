/** The way of everything to its place: from where the nodes were, and from what was seen, to where they are to be and what is to be seen. */

import type { Shown } from "../protocol/tree-drawing";
import type { View } from "./pan-zoom";
import type { Plan } from "./tree-layout";

/** How long things take to their places, in ms. */
const TAKES = 200;

/** Where each node is. */
export interface Places {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

export class Way {
  private readonly since = performance.now();

  constructor(
    private readonly from: Places,
    private readonly view: View,
    readonly to: View,
  ) {}

  /** How much of it is done: fast at first, slower towards the end. */
  get done(): number {
    const t = Math.min(1, (performance.now() - this.since) / TAKES);
    return 1 - (1 - t) ** 3;
  }

  /** What is seen now. */
  seen(): View {
    const { view, to, done } = this;
    const mix = (a: number, b: number): number => a + (b - a) * done;
    return { scale: mix(view.scale, to.scale), left: mix(view.left, to.left), top: mix(view.top, to.top) };
  }

  /** Where the nodes are now. */
  places(plan: Plan): Places {
    const { from, done } = this;
    if (from.x === plan.x && from.y === plan.y) return plan; // only the view moves
    const mix = (a: Float64Array, to: Float64Array): Float64Array => to.map((b, i) => (a[i] as number) + (b - (a[i] as number)) * done);
    return { x: mix(from.x, plan.x), y: mix(from.y, plan.y) };
  }
}

/** Where each node was on the screen, or that above it that was there, in the coordinates of now. */
export function origins(before: Shown, shown: Shown, old: Places, plan: Places, from: View, to: View): Places {
  const x = new Float64Array(shown.count);
  const y = new Float64Array(shown.count);
  const seen = (at: number, gap: number): number => (at * from.scale + gap) / to.scale;
  for (let i = 0; i < shown.count; i++) {
    const was = before.place(shown.id(i));
    const up = shown.up(i);
    if (was >= 0) {
      x[i] = seen(old.x[was] as number, from.left - to.left);
      y[i] = seen(old.y[was] as number, from.top - to.top);
    } else {
      x[i] = (up < 0 ? plan.x[i] : x[up]) as number;
      y[i] = (up < 0 ? plan.y[i] : y[up]) as number;
    }
  }
  return { x, y };
}
