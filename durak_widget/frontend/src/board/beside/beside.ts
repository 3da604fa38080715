/** Which panels stand beside a tree: a line for each. */

import { ANSWERS } from "./answers";
import { LEARNING } from "./learning";
import { MATRIX } from "./matrixpanel";
import { PATH } from "./path";
import type { Slot } from "./slots";
import { SOLUTION } from "./solution";

export const SLOTS: readonly Slot[] = [ANSWERS, PATH, SOLUTION, MATRIX, LEARNING];
