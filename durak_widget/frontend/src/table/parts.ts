/** The parts of a table, as those need them who lead a person through it. */

import type { Middle } from "../page/middle";
import type { Shared } from "../page/shared";
import type { Marks } from "./around/marks";
import type { Panels } from "./around/panels";
import type { Room } from "./around/room";
import type { Talk } from "./around/talk";
import type { Commands } from "./commands";
import type { Hand } from "./laid/hand";
import type { Motion } from "./laid/motion";
import type { Ask } from "./meant/ask";
import type { Play } from "./meant/play";
import type { Waiting } from "./meant/waiting";

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
