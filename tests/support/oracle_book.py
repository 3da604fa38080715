"""The tables of the rule book as the test oracle reads them: the options (§3), which of them go together, and the cards (§2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable

Options = dict[str, Any]

RANKS = "23456789TJQKAX"  # X is the rank of both jokers (§2)
SUITS = "cdhsrb"  # r and b are the colours of the jokers, which have no suit (§2)
RED = "dhr"

# --------------------------------------------------------------------------- options (§3)

#: The options and the presets, as the tables of §3 and §3.1 have them.
BOOK: dict[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "book.json").read_text(encoding="utf-8"))
OPTIONS: dict[str, dict[str, Any]] = BOOK["options"]
PRESETS: dict[str, Options] = BOOK["presets"]

#: The options whose values are a short list, the default first; the whole numbers; the letters of an alphabet.
VALUES = {name: option["values"] for name, option in OPTIONS.items() if "values" in option}
NUMBERS = {name: option for name, option in OPTIONS.items() if "least" in option}
LETTERS = {name: option["letters"] for name, option in OPTIONS.items() if "letters" in option}

DEFAULTS: Options = {name: option["values"][0] if "values" in option else option["default"] for name, option in OPTIONS.items()}


def beside(name: str, value: Any) -> Options:
    """The options that a value of one needs beside it."""
    needed: Options = OPTIONS[name].get("beside", {})
    return needed.get(value, {}) if isinstance(value, str) and name not in LETTERS else needed


TEAM_PLAYERS = {"2v2": 4, "2v2v2": 6, "3v3": 6}  # §8


def card_key(card: str) -> tuple[int, int]:
    """Card order: suit, then rank; jokers last, red before black (§2)."""
    return SUITS.index(card[1]), RANKS.index(card[0])


def deck_of(options: Options) -> list[str]:
    """The deck in card order, copies side by side (§4.1)."""
    o = DEFAULTS | options
    faces = [rank + suit for suit in "cdhs" if suit in o["suits"] for rank in RANKS if rank in o["ranks"]]
    faces += ["Xr", "Xb"] if o["jokers"] else []
    return [face for face in faces for _ in range(o["decks"])]


def refusal(options: Options) -> str | None:
    """Why the rule set cannot be played, or None if it can (§3, end; §4.1; §4.3)."""
    o = DEFAULTS | options
    for name, value in o.items():
        if name in VALUES:
            good = any(value == v and type(value) is type(v) for v in VALUES[name])
        elif name in NUMBERS:
            good = NUMBERS[name]["none"] if value is None else type(value) is int and value >= NUMBERS[name]["least"]
        elif name in LETTERS:
            good = isinstance(value, str) and value != "" and set(value) <= set(LETTERS[name])
        else:
            return f"unknown option {name}"
        if not good:
            return f"unknown value {value!r} of {name}"
    cards, players = len(deck_of(o)), o["players"]
    dealt = {"hand": players * o["hand_size"], "all": cards, "all_but_one": cards - 1}[o["deal"]]
    if dealt > cards or dealt < players:
        return "more cards dealt than the deck holds, or a seat is dealt none"
    if o["passport"] and (not o["transfer"] or o["trump"] == "none"):
        return "passport needs transfer and trumps"
    if o["trump"] == "s" and o["spades_by_spades"]:
        return "spades are never trumps with spades_by_spades"
    if o["trump"] in ("c", "d", "h", "s") and o["trump"] not in o["suits"]:
        return "the deck lacks the trump suit"
    if o["teams"] != "none" and TEAM_PLAYERS[o["teams"]] != players:
        return "teams do not fit players"
    if o["hidden_trump"]:
        if (o["turn_up"], o["trump"], o["deal"]) != ("bottom", "turn_up", "hand"):
            return "hidden_trump needs turn_up='bottom', trump='turn_up', deal='hand'"
        if cards - dealt < 2:  # §4.3: no hidden card without two cards in the talon
            return "hidden_trump needs a talon of more than one card"
    if o["swaps"] and o["deal"] != "hand":
        return "swaps need deal='hand'"
    if o["low_trump_beats_ace"] and "A" not in o["ranks"]:
        return "low_trump_beats_ace needs an ace"
    if o["weli"] != "off" and "6" not in o["ranks"]:
        return "weli needs a six"
    if o["weli"] == "bells" and "d" not in o["suits"]:
        return "weli='bells' needs the six of diamonds"
    return None


def random_mix(rng: random.Random) -> Options:
    """A free mix of all options that §3 does not refuse: draw one, throw it away if it cannot be played."""
    while True:
        # The default of an option is drawn more often, so that clashing mixes do not crowd out the others.
        o: Options = {name: values[0] if rng.random() < 0.25 else rng.choice(values) for name, values in VALUES.items()}
        if rng.random() < 0.4:
            o["deal"] = "hand"
        if rng.random() < 0.5:
            o["teams"] = "none"
        if o["teams"] != "none" and rng.random() < 0.8:
            o["players"] = TEAM_PLAYERS[o["teams"]]
        o["ranks"] = DEFAULTS["ranks"]
        if rng.random() < 0.7:
            some = set(rng.sample(RANKS[:-1], rng.randint(1, 13)))
            o["ranks"] = "".join(rank for rank in RANKS if rank in some)
        o["suits"] = DEFAULTS["suits"]
        if rng.random() < 0.5:
            few = set(rng.sample("cdhs", rng.randint(1, 4)))
            o["suits"] = "".join(suit for suit in "cdhs" if suit in few)
        o |= {name: rng.choice(number["mixed"]) for name, number in NUMBERS.items()}
        if refusal(o) is None:
            return {name: o[name] for name in DEFAULTS}


# --------------------------------------------------------------------------- cards (§2)


def face(played: str) -> str:
    """The card itself, whatever suit it was declared in: "6d=h" is the card "6d" (§5.7)."""
    return played[:2]


def reads(played: str) -> str:
    """How a card counts, and is named, on the table: "6d=h" reads "6h" (§5.7)."""
    return played[0] + played[-1]


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards in card order (§2)."""
    return sorted(cards, key=card_key)


def beats(options: Options, trump: str | None, d: str, a: str) -> bool:
    """Does `d` beat `a`, both named as they count on the table?  The lines of §2.1, in turn."""
    d_rank, a_rank = RANKS.index(d[0]), RANKS.index(a[0])
    if a[0] == "X":
        return False
    if options["spades_by_spades"] and a[1] == "s":
        return d[1] == "s" and d_rank > a_rank
    if d[0] == "X":
        return (d[1] in RED) == (a[1] in RED)
    if d[1] == a[1]:
        lowest = min(options["ranks"], key=RANKS.index)
        low_on_ace = options["low_trump_beats_ace"] and a[1] == trump and a[0] == "A" and d[0] == lowest
        return d_rank > a_rank or low_on_ace
    return d[1] == trump
