"""Test every number in notebook 10 in two ways: the exercise's formula and a count of all hands."""

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
"""A mark for tests that compute the notebook's numbers again."""

BOOK = nbformat.read(Path(__file__).resolve().parents[2] / "notebooks" / "10_counting_cards.ipynb", as_version=4)
PROSE = "\n".join(cell.source for cell in BOOK.cells if cell.cell_type == "markdown")
CODE = "\n".join(cell.source for cell in BOOK.cells if cell.cell_type == "code")


@cache
def run_notebook() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the names of the notebook and its exercises."""
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


def exercises() -> dict[str, Any]:
    """Return the notebook's exercises by name."""
    return run_notebook()[1]


def game_named(name: str) -> Game:
    """Return a game of the notebook by its name there."""
    game: Game = run_notebook()[0][name]
    return game


def unseen(game: Game) -> list[str]:
    """Return the cards of the deck that seat 0 has not seen."""
    deck = [rank + suit for suit, rank in product("cdhs", "9TJQKA")]
    lying = re.findall(r"\w\w", str(game.table))
    seen = {*map(str, game.hands[0]), str(game.turn_up), *lying, *map(str, game.view(0).memory.discarded)}
    return [card for card in deck if card not in seen]


def share_of_hands(game: Game, is_counted: Callable[[set[str]], bool], fits: Callable[[set[str]], bool] = lambda _: True) -> Fraction:
    """Return the share of possible hands that fit."""
    hands = [hand for cards in combinations(unseen(game), len(game.hands[1])) if fits(hand := set(cards))]
    return Fraction(sum(map(is_counted, hands)), len(hands))


def contains_one(*cards: str) -> Callable[[set[str]], bool]:
    """Return a test for hands with one of these cards."""
    return lambda hand: bool(hand & set(cards))


def multiply_draws(*pairs: tuple[int, int]) -> Fraction:
    """Return the probability of drawing these cards one after another."""
    return prod((Fraction(a, b) for a, b in pairs), start=Fraction(1))


def multiply_down(good: int, of: int, times: int) -> Fraction:
    """Return the probability of drawing good cards that many times, as the text multiplies."""
    return multiply_draws(*((good - n, of - n) for n in range(times)))


def ace_share_of_pick_ups() -> Fraction:
    """Return the share of deals with the ace among those in which the player picks up, of forty."""
    deals = [(n < 25, n % 5 == 0 if n < 25 else True) for n in range(40)]
    return Fraction(sum(ace for ace, took in deals if took), sum(took for _, took in deals))


TRUMPS = ("Jh", "Qh", "Ah")


@cache
def two_methods() -> dict[str, tuple[Fraction, Fraction]]:
    """Return each answer by counting all hands and by multiplying fractions."""
    return {
        "10/ace": (share_of_hands(game_named("deal"), contains_one("As")), Fraction(comb(17, 4), comb(18, 5))),
        "10/no-trump": (1 - share_of_hands(game_named("deal"), contains_one(*TRUMPS)), multiply_down(15, 18, 5)),
        "10/average": (sum((share_of_hands(game_named("deal"), contains_one(card)) for card in TRUMPS), Fraction(0)), 3 * Fraction(5, 18)),
        "10/before": (1 - Fraction(sum(max(hand) < 18 for hand in combinations(range(23), 5)), comb(23, 5)), 1 - multiply_down(18, 23, 5)),
        "10/beaten": (share_of_hands(game_named("deal"), contains_one("Ad", *TRUMPS)), 1 - multiply_down(14, 18, 5)),
        "10/hands": (Fraction(len(list(combinations(unseen(game_named("late")), 4)))), Fraction(7 * 6 * 5 * 4, 4 * 3 * 2)),
        "10/asked": (
            share_of_hands(game_named("asked"), contains_one("Js"), contains_one("9s", "Js")),
            Fraction(comb(6, 3), comb(7, 4) - comb(5, 4)),
        ),
        "10/queen": (share_of_hands(game_named("took"), contains_one("Ac")), Fraction(5, 8)),
        "10/took": (ace_share_of_pick_ups(), Fraction(5, 8) * Fraction(1, 5) / (Fraction(5, 8) * Fraction(1, 5) + Fraction(3, 8))),
    }


def test_answers_are_right_by_two_methods() -> None:
    """The exercise accepts both, and its own."""
    for name in two_methods():
        by_hands, by_fractions = two_methods()[name]
        assert exercises()[name].right == by_hands == by_fractions
        assert exercises()[name].answer(by_hands)


def test_every_number_question_is_checked() -> None:
    """Each is in the table above and has named mistakes."""
    assert {name for name, exercise in exercises().items() if isinstance(exercise, Number)} == set(two_methods())
    assert all(len(exercises()[name].mistakes) >= 4 for name in two_methods())


def test_common_mistakes_are_named() -> None:
    """They are those of the lesson."""
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
        assert exercises()[name].mistakes[mistake] == Fraction(value)


def test_the_four_numbers_of_the_deal_equal_the_results_page() -> None:
    """That page shows them too."""
    exactly = [row["exactly"] for row in deals.chances().rows]
    assert [exercises()[f"10/{name}"].right for name in ("before", "ace", "no-trump", "average")] == exactly


def test_with_an_empty_talon_the_other_holds_the_missing_cards() -> None:
    """The lesson's table and the worlds agree."""
    rows = dict(re.findall(r"^\| ([♣♦♥♠]) \| (.+) \|$", PROSE, re.MULTILINE))
    gone = {rank.replace("10", "T") + "cdhs"["♣♦♥♠".index(sign)] for sign, ranks in rows.items() for rank in ranks.split(", ")}
    assert gone == set(map(str, game_named("last").view(0).memory.discarded))
    assert len(gone) == 16
    assert set(unseen(game_named("last"))) == set(map(str, game_named("last").hands[1])) == set(exercises()["10/empty"].solution)
    assert analysis.worlds(game_named("last").view(0)).count() == 1


def test_chances_in_the_pictures_match_counted_hands() -> None:
    """28 and 72 percent; 57 before, then 67 and 53, by counting all hands."""
    for card in unseen(game_named("deal")):
        assert (
            analysis.worlds(game_named("deal").view(0)).chance(1, card)
            == share_of_hands(game_named("deal"), contains_one(card))
            == Fraction(5, 18)
        )
    for card in unseen(game_named("asked")):
        share = share_of_hands(game_named("asked"), contains_one(card), contains_one("9s", "Js"))
        assert (
            analysis.worlds(game_named("asked").view(0)).chance(1, card)
            == share
            == (Fraction(2, 3) if card in {"9s", "Js"} else Fraction(8, 15))
        )
        assert (
            analysis.worlds(game_named("late").view(0)).chance(1, card)
            == share_of_hands(game_named("late"), contains_one(card))
            == Fraction(4, 7)
        )
    assert analysis.worlds(game_named("asked").view(0)).count() == 30 * 6


def _numbers(text: str) -> Iterable[Fraction]:
    """Yield the fractions, percentages and products in a text."""
    for over, under in re.findall(r"(?<![\d/])(\d+)/(\d+)(?![\d/])", text):
        yield Fraction(int(over), int(under))


def test_every_fraction_in_the_lesson_was_computed() -> None:
    """They are right answers, steps, or examples of notation."""
    right = {numerator for two in two_methods().values() for numerator in two}
    steps = {Fraction(a - n, b - n) for a, b in ((15, 18), (18, 23), (14, 18)) for n in range(5)}
    examples = {Fraction(5, 20), Fraction(1, 5), Fraction(1), exercises()["10/ace"].mistakes["own"]}
    assert set(_numbers(PROSE + CODE)) <= right | steps | examples


WHAT_IS_ROUNDED_IN_WORDS_IS_NEAR = [
    ("28 % with Player 2, 72 % in the talon", share_of_hands(game_named("deal"), contains_one("As"))),
    ("a trump in about two deals of three", 1 - two_methods()["10/no-trump"][0]),
    ("three hands of four hold a trump", two_methods()["10/before"][0]),
    ("beaten in three deals of four", two_methods()["10/beaten"][0]),
    ("about 27.8 %", two_methods()["10/ace"][0]),
    ("about 35 %", two_methods()["10/no-trump"][0]),
    ("about 74.5 %", two_methods()["10/before"][0]),
    ("about 76.6 %", two_methods()["10/beaten"][0]),
    ("57 % for each", share_of_hands(game_named("late"), contains_one("Kc"))),
    ("or 62.5 %", two_methods()["10/queen"][0]),
]


def test_rounded_numbers_in_the_text_are_close() -> None:
    """All stated digits are right, and "two of three" is within a twentieth."""
    for phrase, true in WHAT_IS_ROUNDED_IN_WORDS_IS_NEAR:
        assert phrase in PROSE + CODE
        percentage = re.search(r"[\d.]+(?= %)", phrase)
        words = {"two deals of three": Fraction(2, 3), "three hands of four": Fraction(3, 4), "three deals of four": Fraction(3, 4)}
        if percentage is None:
            assert abs(next(value for words_, value in words.items() if words_ in phrase) - true) < Fraction(1, 20)
        else:
            assert f"{float(100 * true):.{len(percentage[0].partition('.')[2])}f}" == percentage[0]


def test_cards_in_the_text_are_those_of_the_positions() -> None:
    """Test the seven hidden cards, the hands, and what beats king and queen."""
    assert {card.replace("10", "T")[0] + "cdhs"["♣♦♥♠".index(card[-1])] for card in re.findall(r"(?:10|[9JQKA])[♣♦♥♠]", PROSE.split("can't see: ")[1].split("**")[1])} == set(unseen(game_named("late")))  # fmt: skip
    assert set(map(str, game_named("late").hands[0])) == {"Td", "Jd", "Qd", "Kh", "As"}
    assert {card for card in unseen(game_named("deal")) if Card(card) in game_named("deal").view(0).beaters("Kd")} == {"Ad", *TRUMPS}
    assert [card for card in unseen(game_named("took")) if Card(card) in game_named("took").view(0).beaters("Qc")] == ["Ac"]
    assert len(unseen(game_named("took"))) == 8
    assert game_named("asked").actor == 1, "the table does not wait for Player 2"
