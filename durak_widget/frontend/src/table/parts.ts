/** The parts of a table, as those need them who lead a person through it. */

import type { Middle } from "../widgets/table-center";
import type { Shared } from "../widgets/table-context";
import type { Marks } from "./chrome/annotations";
import type { Talk } from "./chrome/announcements";
import type { Room } from "./chrome/fullscreen";
import type { Panels } from "./chrome/side-panel";
import type { Commands } from "./commands";
import type { Play } from "./intents/card-play";
import type { Waiting } from "./intents/waiting";
import type { Ask } from "./view/choice-dialog";
import type { Hand } from "./view/hand";
import type { Motion } from "./view/motion";

export interface Parts extends Shared {
  readonly air: HTMLElement;
  readonly hand: Hand;
  readonly middle: Middle;
  readonly motion: Motion;
  readonly talk: Talk;
  readonly ask: Ask;
  readonly play: Play;
  readonly waits: Waiting;
  readonly room: Room;
  readonly marks: Marks;
  readonly panels: Panels;
  readonly commands: Commands;
  /** Paint what depends on what is picked. */
  paintChoice(): void;
}
