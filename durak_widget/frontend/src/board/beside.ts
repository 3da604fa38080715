/** Which panels stand beside a tree: a line for each. */

import { MATRIX } from "./matrix/matrixpanel";
import { ANSWERS } from "./panels/answers";
import { LEARNING } from "./panels/learning";
import { PATH } from "./panels/logit-path";
import type { Slot } from "./panels/panel";
import { SOLUTION } from "./panels/solution";

export const SLOTS: readonly Slot[] = [ANSWERS, PATH, SOLUTION, MATRIX, LEARNING];
