"""Every number that notebook 10 asks for or tells, worked out in two ways: as the exercise does, and by going through all hands one by one."""

from __future__ import annotations

import contextlib
import io
import re
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat
import pytest

import deals
from durak_widget import Card, Game, analysis, lessons
from durak_widget.lessons import Number, Pick

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

pytestmark = pytest.mark.slow
"""It works out again what the notebook says, and what its cells show at each run of the tests."""

BOOK = nbformat.read(Path(__file__).resolve().parents[2] / "notebooks" / "10_counting_cards.ipynb", as_version=4)
PROSE = "\n".join(cell.source for cell in BOOK.cells if cell.cell_type == "markdown")
CODE = "\n".join(cell.source for cell in BOOK.cells if cell.cell_type == "code")


@cache
def run() -> tuple[dict[str, Any], dict[str, Any]]:
    """The names of the notebook, and its exercises by theirs."""
    found: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        for kind in (Number, Pick):

            class Found(kind):  # type: ignore[misg, valid-type, misc] - whichever it is
                def __init__(self, *given: object, **more: object) -> None:
                    super().__init__(*given, **more)
                    found.update({self.name: self} if self.name else {})

            patch.setattr(lessons, kind.__name__, Found)
        names: dict[str, Any] = {}
        for cell in BOOK.cells:
            if cell.cell_type == "code":
                exec(cell.source, names)  # noqa: S102 - our own notebook
    return names, found


def asked() -> dict[str, Any]:
    """The exercises of the notebook, by their names."""
    return run()[1]


def laid(name: str) -> Game:
    """A game of the notebook, by its name there."""
    game: Game = run()[0][name]
    return game


def hidden(game: Game) -> list[str]:
    """What seat 0 has not seen of this deck: by going through the deck."""
    deck = [rank + suit for suit, rank in product("cdhs", "9TJQKA")]
    lying = re.findall(r"\w\w", str(game.table))
    seen = {*map(str, game.hands[0]), str(game.turn_up), *lying, *map(str, game.view(0).memory.discarded)}
    return [card for card in deck if card not in seen]


def share(game: Game, told: Callable[[set[str]], bool], fits: Callable[[set[str]], bool] = lambda _: True) -> Fraction:
    """Of all hands that the other may hold and that fit, how many are so."""
    hands = [hand for cards in combinations(hidden(game), len(game.hands[1])) if fits(hand := set(cards))]
    return Fraction(sum(map(told, hands)), len(hands))


def holds(*cards: str) -> Callable[[set[str]], bool]:
    """Whether a hand has one of these."""
    return lambda hand: bool(hand & set(cards))


def chain(*pairs: tuple[int, int]) -> Fraction:
    """One card after another."""
    return prod((Fraction(a, b) for a, b in pairs), start=Fraction(1))


def down(good: int, of: int, times: int) -> Fraction:
    """So many good ones drawn one after another, as the prose multiplies."""
    return chain(*((good - n, of - n) for n in range(times)))


def takes() -> Fraction:
    """Of forty deals, counted one by one: those in which it takes, and among them those with the ace."""
    deals = [(n < 25, n % 5 == 0 if n < 25 else True) for n in range(40)]
    return Fraction(sum(ace for ace, took in deals if took), sum(took for _, took in deals))


TRUMPS = ("Jh", "Qh", "Ah")


@cache
def two_routes() -> dict[str, tuple[Fraction, Fraction]]:
    """What is asked, by going through all hands and by multiplying fractions."""
    return {
        "10/ace": (share(laid("deal"), holds("As")), Fraction(comb(17, 4), comb(18, 5))),
        "10/no-trump": (1 - share(laid("deal"), holds(*TRUMPS)), down(15, 18, 5)),
        "10/average": (sum((share(laid("deal"), holds(card)) for card in TRUMPS), Fraction(0)), 3 * Fraction(5, 18)),
        "10/before": (1 - Fraction(sum(max(hand) < 18 for hand in combinations(range(23), 5)), comb(23, 5)), 1 - down(18, 23, 5)),
        "10/beaten": (share(laid("deal"), holds("Ad", *TRUMPS)), 1 - down(14, 18, 5)),
        "10/hands": (Fraction(len(list(combinations(hidden(laid("late")), 4)))), Fraction(7 * 6 * 5 * 4, 4 * 3 * 2)),
        "10/asked": (share(laid("asked"), holds("Js"), holds("9s", "Js")), Fraction(comb(6, 3), comb(7, 4) - comb(5, 4))),
        "10/queen": (share(laid("took"), holds("Ac")), Fraction(5, 8)),
        "10/took": (takes(), Fraction(5, 8) * Fraction(1, 5) / (Fraction(5, 8) * Fraction(1, 5) + Fraction(3, 8))),
    }


def test_what_is_asked_is_right_by_two_routes() -> None:
    """Hands gone through one by one, and fractions multiplied; the exercise takes both, and its own."""
    for name in two_routes():
        by_hands, by_fractions = two_routes()[name]
        assert asked()[name].right == by_hands == by_fractions
        assert asked()[name].answer(by_hands)


def test_no_number_is_forgotten() -> None:
    """Each of them is looked at above, and named mistakes are there for each."""
    assert {name for name, one in asked().items() if isinstance(one, Number)} == set(two_routes())
    assert all(len(asked()[name].mistakes) >= 4 for name in two_routes())


def test_the_mistakes_that_one_makes_are_named() -> None:
    """Those that the lesson is about."""
    for name, mistake, value in [
        ("10/ace", "own", "5/23"),
        ("10/ace", "turned", "5/19"),
        ("10/ace", "seen", "5/24"),
        ("10/ace", "contrary", "13/18"),
        ("10/no-trump", "with_replacement", "3125/7776"),
        ("10/average", "all_hidden", "3"),
        ("10/before", "contrary", "1224/4807"),
        ("10/beaten", "without_trumps", "5/18"),
        ("10/beaten", "added", "10/9"),
        ("10/hands", "ordered", "840"),
        ("10/asked", "unplayed", "4/7"),
        ("10/took", "inverse", "1/5"),
        ("10/took", "prior", "5/8"),
        ("10/took", "no_prior", "1/6"),
    ]:
        assert asked()[name].mistakes[mistake] == Fraction(value)


def test_the_four_numbers_of_the_deal_are_those_of_the_results() -> None:
    """The page of results shows them too."""
    exactly = [row["exactly"] for row in deals.chances().rows]
    assert [asked()[f"10/{name}"].right for name in ("before", "ace", "no-trump", "average")] == exactly


def test_what_the_other_holds_when_the_talon_is_empty_is_what_is_missing() -> None:
    """By the rows of the table in the lesson, and by the worlds."""
    rows = dict(re.findall(r"^\| ([♣♦♥♠]) \| (.+) \|$", PROSE, re.MULTILINE))
    gone = {rank.replace("10", "T") + "cdhs"["♣♦♥♠".index(sign)] for sign, ranks in rows.items() for rank in ranks.split(", ")}
    assert gone == set(map(str, laid("last").view(0).memory.discarded))
    assert len(gone) == 16
    assert set(hidden(laid("last"))) == set(map(str, laid("last").hands[1])) == set(asked()["10/empty"].solution)
    assert analysis.worlds(laid("last").view(0)).count() == 1


def test_what_the_pictures_show_is_so() -> None:
    """28 and 72 per cent; 57 before, then 67 and 53: each by going through all hands."""
    for card in hidden(laid("deal")):
        assert analysis.worlds(laid("deal").view(0)).chance(1, card) == share(laid("deal"), holds(card)) == Fraction(5, 18)
    for card in hidden(laid("asked")):
        asked = share(laid("asked"), holds(card), holds("9s", "Js"))
        assert (
            analysis.worlds(laid("asked").view(0)).chance(1, card) == asked == (Fraction(2, 3) if card in {"9s", "Js"} else Fraction(8, 15))
        )
        assert analysis.worlds(laid("late").view(0)).chance(1, card) == share(laid("late"), holds(card)) == Fraction(4, 7)
    assert analysis.worlds(laid("asked").view(0)).count() == 30 * 6


def _numbers(text: str) -> Iterable[Fraction]:
    """Fractions, per cents, and products that a text tells."""
    for over, under in re.findall(r"(?<![\d/])(\d+)/(\d+)(?![\d/])", text):
        yield Fraction(int(over), int(under))


def test_every_fraction_of_the_lesson_is_one_that_was_worked_out() -> None:
    """Right answers, the steps that lead to them, and the writings that are shown as examples; nothing else."""
    right = {one for two in two_routes().values() for one in two}
    steps = {Fraction(a - n, b - n) for a, b in ((15, 18), (18, 23), (14, 18)) for n in range(5)}
    shown = {Fraction(5, 20), Fraction(1, 5), Fraction(1), asked()["10/ace"].mistakes["own"]}
    assert set(_numbers(PROSE + CODE)) <= right | steps | shown


WHAT_IS_ROUNDED_IN_WORDS_IS_NEAR = [
    ("28 % with Player 2, 72 % in the talon", share(laid("deal"), holds("As"))),
    ("a trump in about two deals of three", 1 - two_routes()["10/no-trump"][0]),
    ("three hands of four hold a trump", two_routes()["10/before"][0]),
    ("beaten in three deals of four", two_routes()["10/beaten"][0]),
    ("about 27.8 %", two_routes()["10/ace"][0]),
    ("about 35 %", two_routes()["10/no-trump"][0]),
    ("about 74.5 %", two_routes()["10/before"][0]),
    ("about 76.6 %", two_routes()["10/beaten"][0]),
    ("57 % for each", share(laid("late"), holds("Kc"))),
    ("or 62.5 %", two_routes()["10/queen"][0]),
]


def test_what_is_rounded_in_words_is_near() -> None:
    """It stands there, and is right to as many digits as are said; of "two of three" within a twentieth."""
    for said, true in WHAT_IS_ROUNDED_IN_WORDS_IS_NEAR:
        assert said in PROSE + CODE
        told = re.search(r"[\d.]+(?= %)", said)
        words = {"two deals of three": Fraction(2, 3), "three hands of four": Fraction(3, 4), "three deals of four": Fraction(3, 4)}
        if told is None:
            assert abs(next(value for words_, value in words.items() if words_ in said) - true) < Fraction(1, 20)
        else:
            assert f"{float(100 * true):.{len(told[0].partition('.')[2])}f}" == told[0]


def test_cards_of_the_prose_are_those_of_the_positions() -> None:
    """The seven that are hidden, the hands that are told, what beats the king and the queen."""
    assert {card.replace("10", "T")[0] + "cdhs"["♣♦♥♠".index(card[-1])] for card in re.findall(r"(?:10|[9JQKA])[♣♦♥♠]", PROSE.split("do not see: ")[1].split("**")[1])} == set(hidden(laid("late")))  # fmt: skip
    assert set(map(str, laid("late").hands[0])) == {"Td", "Jd", "Qd", "Kh", "As"}
    assert {card for card in hidden(laid("deal")) if Card(card) in laid("deal").view(0).beaters("Kd")} == {"Ad", *TRUMPS}
    assert [card for card in hidden(laid("took")) if Card(card) in laid("took").view(0).beaters("Qc")] == ["Ac"]
    assert len(hidden(laid("took"))) == 8
    assert laid("asked").actor == 1, "the table does not wait for Player 2"
