/** Which panels stand beside a tree: a line for each. */

import { MATRIX } from "./matrixpanel";
import type { Slot } from "./slots";

export const SLOTS: readonly Slot[] = [MATRIX];
