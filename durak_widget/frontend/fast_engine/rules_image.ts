// The rules of a game as bytes: numbers, masks and tables, which `fast_engine/state_encoding.py` makes from the kit. Nothing here knows a variant.
//
// Each constant says where in the image something stands; Python reads these from the file, so that the layout is written once.

export const FACES: i32 = 54;
/** Codes as which cards are played: each face, and each face in a suit of one's choice. */
export const CODES: i32 = 270;
export const GROUPS: i32 = 64;
/** As many prices there are at most beyond the plain ones, and one. */
export const CLASSES: i32 = 20;
export const NOBODY: i32 = 7;
export const TURNED_UP: i32 = 5;
export const BOTTOM: i32 = 0;
export const TOP: i32 = 1;
export const ASIDE: i32 = 2;

/** Two marks at the beginning tell an image from other bytes, and one of this layout from others; then come its size and its checksum. */
export const MAGIC: i32 = 0x6b757264;
export const LAYOUT: i32 = 1;

// Numbers, four bytes each
export const MARKS: i32 = 0;
export const SIZE: i32 = 8;
export const CHECKSUM: i32 = 12;
export const PLAYERS: i32 = 16;
export const TWINS: i32 = 20;
export const HAND_SIZE: i32 = 24;
export const BEATEN_NEEDED: i32 = 28;
export const AFTER_TAKE: i32 = 32;
export const CARD_VOIDS_PASSES: i32 = 36;
export const NEWEST_FIRST: i32 = 40;
/** The most attacking cards in the first bout, and in the others. */
export const MOST: i32 = 44;
export const TRANSFERS: i32 = 52;
export const SHOWS: i32 = 56;
export const TRANSFER_FROM: i32 = 60;
export const SEVERAL: i32 = 64;
export const SWAPS: i32 = 68;
export const AT_ONCE: i32 = 72;
export const TIMES_TO_DRAW: i32 = 76;
/** Whether some face may be played as more than one code. */
export const DECLARES: i32 = 80;
export const DECK_SIZE: i32 = 84;
/** How many cards are dealt into hands. */
export const DEALT: i32 = 88;
/** Whether the last card is kept out of play from the deal on. */
export const ONE_OVER: i32 = 92;
/** The suit that is trump without being turned up, 4 for none, or `TURNED_UP`. */
export const TRUMP: i32 = 96;
/** Where the turn-up lies: at the bottom of the talon, on top, or aside. */
export const TURN_UP: i32 = 100;
export const HIDES: i32 = 104;
/** Whether the lowest trump attacks first; else the seat after the dealer. */
export const LOWEST_FIRST: i32 = 108;
/** Whether the first seat that is out has won. */
export const FIRST_OUT: i32 = 112;
/** A price from which on a card is as dear as a trump. */
export const DEAR: i32 = 116;

// Masks of faces, eight bytes each
export const ALL_FACES: i32 = 120;
/** The faces of which there are two. */
export const TWICE: i32 = 128;
/** The faces that can show a trump suit. */
export const CAN_SHOW: i32 = 136;
/** For each played code, the faces of its rank. */
export const SAME_RANK: i32 = 144;
/** For each trump suit (4: none) and each face, the faces that beat it. */
export const BEATERS: i32 = SAME_RANK + 8 * CODES;
/** The same with the faces that may be played as one of these. */
export const REACH: i32 = BEATERS + 8 * 5 * FACES;
/** For each trump suit the faces that are worth their rank. */
export const PLAIN: i32 = REACH + 8 * 5 * FACES;
/** For each trump suit the others, those of each price together, the cheapest first; an empty mask ends them. */
export const CHEAPEST: i32 = PLAIN + 8 * 5;

// Small tables
/** For each trump suit and each face, what it is worth to who holds it: two bytes. */
export const PRICE: i32 = CHEAPEST + 8 * 5 * CLASSES;
/** For each face how many codes it may be played as, and which: six times two bytes. */
export const PLAYS: i32 = PRICE + 2 * 5 * FACES;
/** For each seat its side: a byte. */
export const SIDE: i32 = PLAYS + 12 * FACES;
/** For each mask of the seats that are in, whether that alone ends the game, and whether it does once a seat is out: a byte each. */
export const OVER_WITH: i32 = SIDE + 8;
export const OVER_ONCE_OUT: i32 = OVER_WITH + GROUPS;
/** For each mask of the seats that are in, who has won if the game is over (a mask); where the first out wins, by that seat. */
export const WON_WITH: i32 = OVER_ONCE_OUT + GROUPS;
export const WON_FIRST: i32 = WON_WITH + GROUPS;
/** By mask and seat: the next opponent, and the next seat that is in; `NOBODY` for none. */
export const OPPONENT: i32 = WON_FIRST + 8;
export const NEXT_IN: i32 = OPPONENT + 8 * GROUPS;
/** Rows of seats (see `row`), four bytes each: who draws in which order, by whether the defender took, attacker and defender. */
export const DRAWS: i32 = NEXT_IN + 8 * GROUPS;
/** Who may throw in, in the order in which they are asked: by the seats that are in, the newest card's seat, the defender and the attacker. */
export const THROWERS: i32 = DRAWS + 4 * 128;
/** The faces of the deck, a byte each. */
export const DECK: i32 = THROWERS + 4 * 8 * 8 * 8 * GROUPS;
export const IMAGE_SIZE: i32 = DECK + 112;

/** Where the image lies in memory. */
export const IMAGE: usize = memory.data(IMAGE_SIZE, 16);
