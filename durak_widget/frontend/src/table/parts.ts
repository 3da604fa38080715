/** The parts of a table, as those need them who lead a person through it. */

import type { Ask } from "./ask";
import type { Commands } from "./commands";
import type { Hand } from "./hand";
import type { Marks } from "./marks";
import type { Middle } from "./middle";
import type { Motion } from "./motion";
import type { Panels } from "./panels";
import type { Play } from "./play";
import type { Room } from "./room";
import type { Shared } from "./shared";
import type { Talk } from "./talk";
import type { Waiting } from "./waiting";

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
