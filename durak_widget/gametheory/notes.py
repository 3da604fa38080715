"""What is to be known of a list of equilibria, in a sentence or two: of which kind they are, whether there may be others, what was not asked?"""

from __future__ import annotations

from typing import Final, Literal

Way = Literal["seen", "all", "one", "pure", "beside", "path", "best", "behaviour", "plans", "lost", "none"]
"""What is listed: where nothing is hidden, those found from the end, and other pure ones; all equilibria, or their corners; one of perhaps many, with all in pure plans; those in pure plans; the same with the end of the logit path; that end alone; where one seat decides all, what is best for it; behaviour where a seat forgets; mixes of plans, which such a seat cannot play from move to move; nothing, where the path leads to none; nothing."""
_NOTES: Final[dict[tuple[Way, bool], str]] = {
    ("seen", True): "Nothing is hidden: these are all subgame-perfect equilibria in pure strategies, and all others in pure plans.",
    ("seen", False): "Nothing is hidden: subgame-perfect equilibria, and others in pure plans, of perhaps many more.",
    (
        "all",
        True,
    ): "These are all Nash equilibria, in reduced plans, or their corners where there are infinitely many; each is proved in fractions.",
    ("one", True): "One Nash equilibrium of perhaps many, and all in pure plans; each is proved in fractions.",
    ("one", False): "Nash equilibria, of perhaps many more; each is proved in fractions.",
    ("pure", True): "These are all equilibria in pure plans; mixed ones are not listed.",
    ("pure", False): "Equilibria in pure plans, of perhaps many more; each is proved in fractions.",
    (
        "beside",
        True,
    ): "These are all equilibria in pure plans, and the one to which the path of logit equilibria leads; other mixed ones are not listed.",
    (
        "beside",
        False,
    ): "Equilibria in pure plans, and the one to which the path of logit equilibria leads, of perhaps many more; each is proved in fractions.",
    ("path", True): "No equilibrium in pure plans; the path of logit equilibria leads to this one, and there may be others.",
    ("path", False): "Where the path of logit equilibria leads; there may be others.",
    ("best", True): "One player decides all: no behaviour is better, and all that are as good and mix nothing are listed.",
    ("best", False): "One player decides all: nothing better was found, and others may be as good.",
    (
        "behaviour",
        True,
    ): "A player forgets. Nobody gains by any other behaviour, as it is chosen at the beginning, or where it is near, by another plan no more than rounding takes. All in which nobody mixes are listed; others may mix, and Nash's theorem promises none.",
    (
        "behaviour",
        False,
    ): "A player forgets. Nobody gains by any other behaviour, as it is chosen at the beginning, or where it is near, by another plan no more than rounding takes; there may be others, and Nash's theorem promises none.",
    (
        "plans",
        True,
    ): "A player forgets. These are all equilibria in mixes of plans, for which one would have to remember the draw; in behaviour, from move to move, none was found.",
    (
        "plans",
        False,
    ): "A player forgets. These are equilibria in mixes of plans, for which one would have to remember the draw; in behaviour, from move to move, none was found.",
    ("lost", False): "None was found: the path of logit equilibria led to none, which does not prove that there is none.",
    ("none", True): "No equilibrium is in pure plans. To look for others, this game or its numbers are too large.",
    (
        "none",
        False,
    ): "None was found, and this game or its numbers are too large to look further. Where a player forgets there may be none.",
}


def noted(way: Way, *, complete: bool, forgets: bool, outmixed: bool, undecided: int, unasked: int) -> str:
    """What is to be known of a list: whether all are there of which `way` speaks, whether a seat forgets, whether somebody gains by mixing where the plans of a mix do not, of how many what was not decided, and what not asked.

    >>> noted("pure", complete=True, forgets=False, outmixed=False, undecided=0, unasked=2)
    'These are all equilibria in pure plans; mixed ones are not listed. What beliefs make of 2 of them was not asked.'
    """
    return " ".join(
        [
            _NOTES[way, complete],
            *["What counts is what it is worth at the beginning, before anything is forgotten."] * (forgets and way == "best"),
            *["Those in which nobody mixes are behaviours too, but somebody gains by mixing from move to move."] * outmixed,
            *[f"Of {undecided} in which nobody mixes it was not decided whether somebody gains by mixing."] * bool(undecided),
            *[f"What beliefs make of {unasked} of them was not asked."] * bool(unasked),
        ]
    )
